#include "data/arc_json.h"

static int has_member(json_node node, const char *key) { return node_is_there(node_member(node, key)); }

static int is_task(json_node node) { return has_member(node, "train") || has_member(node, "test"); }

/* What the value of one id says of a file that maps ids to such values. */
static arc_json kind_by_value(json_node value) {
    json_node first = node_item(value, 0);
    if (is_task(value) || has_member(first, "input")) return ARC_JSON_TASKS;
    if (has_member(first, "attempt_1") || has_member(first, "attempt_2")) return ARC_JSON_SUBMISSION;
    return node_is_array(first) && node_is_array(node_item(first, 0)) ? ARC_JSON_SOLUTIONS : ARC_JSON_OTHER;
}

arc_json arc_json_kind(json_node root) {
    arc_json kind = ARC_JSON_OTHER;
    if (is_task(root)) return ARC_JSON_TASK;
    if (has_member(node_item(root, 0), "input")) return ARC_JSON_EXAMPLES;
    for (size_t i = 0; i < node_member_count(root) && kind == ARC_JSON_OTHER; i++)
        kind = kind_by_value(root.members[i].value);
    return kind;
}

const char *arc_json_name(arc_json kind) {
    static const char *const names[ARC_JSON_KINDS] = {
        [ARC_JSON_OTHER] = "JSON",
        [ARC_JSON_TASK] = "a task",
        [ARC_JSON_TASKS] = "a file of tasks",
        [ARC_JSON_EXAMPLES] = "a list of examples",
        [ARC_JSON_SOLUTIONS] = "a file of solutions",
        [ARC_JSON_SUBMISSION] = "a submission",
    };
    return names[kind];
}

const char *arc_json_place(arc_json kind) {
    static const char in_tasks[] = "; `arcl score` takes it with --tasks, `arcl run` with --in";
    static const char *const places[ARC_JSON_KINDS] = {
        [ARC_JSON_OTHER] = "",
        [ARC_JSON_TASK] = in_tasks,
        [ARC_JSON_TASKS] = in_tasks,
        [ARC_JSON_EXAMPLES] = in_tasks,
        [ARC_JSON_SOLUTIONS] = "; `arcl score` takes it with --solutions",
        [ARC_JSON_SUBMISSION] = "; `arcl score --submission-file FILE --tasks TASKS` judges it",
    };
    return places[kind];
}
