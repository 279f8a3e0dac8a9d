/* What the parts of a search share: the task, all values, the patterns, the answers. Each part has a file of its own,
 * and what it remembers in a structure of its own here. */
#ifndef ARCL_SEARCH_STATE_H
#define ARCL_SEARCH_STATE_H
#include "arcl_search.h"
#include "search/lane_rows.h"
#include "search/value_bank.h"

/* ---- patterns.c: a call that programs have, with holes for the values that it takes ---- */

#define MOST_ARGUMENTS 16 /* of a line of a pattern */

typedef struct pattern {
    arcl_tree *tree; /* its parameters are the holes */
    int holes;
    uint16_t hole[MAX_HOLES]; /* the shelves of what it takes */
    uint16_t shelf;           /* and of what it yields */
    uint16_t cost;
    uint16_t calls;
    int is_plain;   /* it yields what others take: no records, and nothing nested deeply */
    uint32_t count; /* how often donors have it */
    arcl_program *program;
    uint32_t lane_words; /* that it makes in a lane, about */
} pattern;

/* A program as lines, each a pattern of other lines and of values. */
typedef struct program_line {
    uint32_t pattern;            /* NO_PATTERN: it cannot be run by itself */
    int32_t argument[MAX_HOLES]; /* a line before it; or a value: argument_of_value */
    uint32_t value;              /* that it is known to yield; LINE_FAILED, or LINE_UNKNOWN */
} program_line;
#define LINE_UNKNOWN UINT32_MAX
#define LINE_FAILED (UINT32_MAX - 1)
#define NO_PATTERN UINT32_MAX
static inline int32_t argument_of_value(uint32_t value) { return -1 - (int32_t)value; }
static inline uint32_t value_of_argument(int32_t argument) { return (uint32_t)(-1 - argument); }

typedef struct program_lines {
    program_line *line;
    int lines, result; /* the line that it returns; -1: none */
} program_lines;

typedef struct pattern_set {
    pattern *at;
    uint32_t count, room;
    key_table known; /* by key and types */
    program_lines *donors;
    int donor_count;
} pattern_set;

/* ---- answers.c ---- */

typedef struct answer {
    arcl_tree *tree;
    arcl_search_stage stage;
    int examples, calls, cost, agreeing;
    uint32_t cells;
    uint64_t fingerprint, test_fingerprint; /* of all outputs, of those for the test inputs */
    arcl_grid *outputs;
    signed char *cells_of_outputs;
} answer;

typedef struct answer_set {
    answer *at; /* the best first */
    int count, room;
    key_table known; /* by the key of the program */
} answer_set;

typedef struct arcl_search {
    arcl_context *context;
    arcl_dialect dialect;
    int train, test, inputs;
    unsigned stages;
    uint64_t random;
    value_bank bank;
    rows *rows;         /* that are being run, */
    uint32_t *row_of;   /* and for whom: MOST_ROWS entries, as many as there are inputs for each application */
    uint32_t input;     /* the value of the input */
    uint32_t *expected; /* lanes: the train outputs */
    arcl_batch *batch;  /* the inputs */
    pattern_set patterns;
    answer_set answers;
    uint16_t *op_cost; /* of every op of the dialect */
    int op_count;
    int is_colour[10];       /* the task has it */
    uint8_t int_cost[32];    /* of numbers that programs write, from INT_COST_FROM on */
    arcl_search_stage stage; /* at work */
    uint64_t candidates, distinct, stage_candidates[ARCL_SEARCH_STAGE_COUNT];
    int stage_answers[ARCL_SEARCH_STAGE_COUNT];
    int64_t stage_nanoseconds[ARCL_SEARCH_STAGE_COUNT];
    arcl_search_stage timed;                       /* to whom time is counted */
    arcl_search_stage turn;                        /* whose values are looked at now, also by goals and stacks */
    uint64_t stage_yield[ARCL_SEARCH_STAGE_COUNT]; /* of its turns: what answers have become better by */
    struct goals *goals;
    struct enumeration *enumeration;
    struct line_edits *edits;
    key_table done_kept, done_tried; /* applications of programs, by pattern and arguments: the value, or FAILED */
    int solved;                      /* answers with which all train examples are right */
    int donors_done, values_left, is_over;
} search_state;

#define INT_COST_FROM (-10)

static inline int stage_is_wanted(const search_state *s, arcl_search_stage stage) { return s->stages >> stage & 1; }

/* ---- patterns.c ---- */
/* The pattern of a tree whose parameters are holes for such types, found or made; in the latter case the tree is the
 * pattern's. ARCL_INVALID if it cannot be run by itself. */
ARCL_CHECKED arcl_status pattern_of_tree(search_state *s, arcl_tree **tree, int holes, const type_code *hole,
                                         uint32_t *number, arcl_error *error);
ARCL_CHECKED arcl_status patterns_learn(search_state *s, const arcl_tree *const *donors, int count, arcl_error *error);
void patterns_free(pattern_set *p);

/* ---- apply.c ---- */
typedef struct application { /* of a pattern to values */
    uint32_t argument[MAX_HOLES];
    uint32_t result; /* a value; NO_VALUE: it fails for some input */
} application;

/* Runs them all at once. What is new becomes a value, and is held against the goals. */
ARCL_CHECKED arcl_status apply_pattern(search_state *s, uint32_t pattern_number, application *applications,
                                       uint32_t count, arcl_error *error);
/* The value of an int that is the same for all inputs. */
ARCL_CHECKED arcl_status apply_constant(search_state *s, int n, int cost, uint32_t *value, arcl_error *error);

/* ---- value_tree.c: the program of a value ---- */
/* Adds the lines of a pattern, whose holes are filled with these. */
ARCL_CHECKED arcl_status tree_add_pattern(arcl_tree *tree, const arcl_tree *from, const arcl_operand *hole,
                                          arcl_operand *result, arcl_error *error);
ARCL_CHECKED arcl_status value_tree_add(const search_state *s, arcl_tree *tree, uint32_t value, arcl_operand *operand,
                                        arcl_error *error);
ARCL_CHECKED arcl_status value_tree(const search_state *s, uint32_t value, arcl_tree **tree, arcl_error *error);

/* ---- library_costs.c: what things cost, in bits, by how often programs have them ---- */
ARCL_CHECKED arcl_status library_costs_of_words(search_state *s, const arcl_library *library, arcl_error *error);
/* Also makes the patterns that donors do not have. */
ARCL_CHECKED arcl_status library_costs_of_patterns(search_state *s, const arcl_library *library, arcl_error *error);
int int_cost(const search_state *s, int n);

/* ---- answer_cost.c: bits ---- */
int tree_cost(const search_state *s, const arcl_tree *tree);
int unlikeness_cost(const search_state *s, const arcl_grid *outputs);

/* ---- answers.c ---- */
/* Runs the program as a whole and keeps it if it is among the best; `tree` is copied. `score` may be NULL. */
ARCL_CHECKED arcl_status answers_try(search_state *s, const arcl_tree *tree, arcl_search_score *score,
                                     arcl_error *error);
void answers_free(answer_set *a);

/* ---- goals.c ---- */
ARCL_CHECKED arcl_status goals_create(search_state *s, arcl_error *error);
void goals_free(search_state *s);
/* A new value: is it an output, or what an output can be made of? */
ARCL_CHECKED arcl_status goals_check(search_state *s, uint32_t value, arcl_error *error);

/* ---- stage_turns.c: which stage comes next ---- */
/* What the stage whose turn it is has yielded: an answer that is the best so far, or one that no other agrees with. */
void stage_yields(search_state *s, int is_best, int is_other);
/* ARCL_SEARCH_STAGE_COUNT: none is left. */
arcl_search_stage stage_next(const search_state *s);

/* ---- stacks.c ---- */
/* Stacks all pieces on all grids, if any are new. */
ARCL_CHECKED arcl_status stacks_go_on(search_state *s, arcl_error *error);

/* ---- program_lines.c ---- */
/* Runs programs line by line, all at once; a line that several of them have is run once. */
ARCL_CHECKED arcl_status programs_run(search_state *s, const program_lines *programs, int count, arcl_error *error);
/* What a line of a program that was run yields; NO_VALUE if it fails. `values` has room for all lines. */
void program_values(const search_state *s, const program_lines *p, uint32_t *values);

/* ---- line_edits.c ---- */
/* The next some hundred mutants. */
ARCL_CHECKED arcl_status edits_go_on(search_state *s, arcl_error *error);
void edits_free(search_state *s);

/* ---- enumeration.c ---- */
/* The next some thousand applications; `*more` is 0 when there are none left. */
ARCL_CHECKED arcl_status enumeration_go_on(search_state *s, int *more, arcl_error *error);
void enumeration_free(search_state *s);

#endif
