/* What a JSON file of the ARC world is, told by its shape: so that a file that is given where another one is expected
 * is called by its name. Checks nothing further. */
#ifndef ARCL_ARC_JSON_H
#define ARCL_ARC_JSON_H
#include "data/json_node.h"

typedef enum arc_json {
    ARC_JSON_OTHER,
    ARC_JSON_TASK,       /* {"train": [..], "test": [..]} */
    ARC_JSON_TASKS,      /* {ID: task or examples, ..} */
    ARC_JSON_EXAMPLES,   /* [{"input": .., "output": ..}, ..] */
    ARC_JSON_SOLUTIONS,  /* {ID: [grid, ..], ..} */
    ARC_JSON_SUBMISSION, /* {ID: [{"attempt_1": grid, "attempt_2": grid}, ..], ..} */
    ARC_JSON_KINDS
} arc_json;

arc_json arc_json_kind(json_node root);

/* "a submission", "JSON", .. */
const char *arc_json_name(arc_json kind);

/* Where such a file is to be given instead: a part of a sentence. */
const char *arc_json_place(arc_json kind);

#endif
