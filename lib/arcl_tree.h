/* Trees: programs that are built and changed without text. arcl.h includes this; its rules hold here too.
 *
 * A *tree* is a definition as lines, in the order in which they run: every line is a call or a tuple, and what it is
 * made of are constants, ops, parameters and lines before it. Trees belong to no context, are small, and are copied
 * freely. One thread at a time may change a tree; any number may read it meanwhile if none does.
 *
 *     arcl_tree *t;     arcl_tree_create(ARCL_ARC_DSL, "I", &t, &error);
 *     arcl_operand f = arcl_operand_op(ARCL_ARC_DSL, "hmirror"), I = {ARCL_OPERAND_PARAMETER, 0, 0}, x1;
 *                       arcl_tree_add(t, &f, &I, 1, &x1, &error);
 *                       arcl_tree_set_result(t, x1, &error);
 *     arcl_program *p;  arcl_tree_compile(ctx, t, NULL, &p, &error);
 */
#ifndef ARCL_TREE_H
#define ARCL_TREE_H

#include "arcl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what lines are made of ---- */

typedef enum arcl_operand_kind {
    ARCL_OPERAND_INT,       /* number */
    ARCL_OPERAND_BOOL,      /* number: 0 or 1 */
    ARCL_OPERAND_PAIR,      /* (number, second), each of less than 2^23 in size */
    ARCL_OPERAND_OP,        /* number: an index as of arcl_dialect_op_get; called, or named as a function */
    ARCL_OPERAND_PARAMETER, /* number, from 0 on */
    ARCL_OPERAND_LINE       /* number: of a line before */
} arcl_operand_kind;

typedef struct arcl_operand {
    arcl_operand_kind kind;
    int32_t number, second; /* the latter is 0 but for a pair */
} arcl_operand;

/* The op of that name as an operand: its number is -1, which no line accepts, if the dialect has none. */
ARCL_API arcl_operand arcl_operand_op(arcl_dialect dialect, const char *name);

typedef struct arcl_tree arcl_tree;

typedef struct arcl_tree_line {
    int is_tuple;                  /* else it is a call */
    arcl_operand callee;           /* of a call: an op, or a parameter or line that is a function */
    int count;                     /* of arguments, or of a tuple's items */
    const arcl_operand *arguments; /* valid until the tree is changed */
} arcl_tree_line;

#define ARCL_TREE_LINES 10000     /* that a tree can have */
#define ARCL_TREE_ARGUMENTS 10000 /* that a line can have */

/* ---- trees ---- */

/* A tree without lines, whose result is its first parameter. `parameters` has a letter for each of its parameters, at
 * least one: I, S and C have the types that their names give them, as in texts; others have those of
 * arcl_compile_options. */
ARCL_API ARCL_CHECKED arcl_status arcl_tree_create(arcl_dialect dialect, const char *parameters, arcl_tree **tree,
                                                   arcl_error *error);

/* The normal form of a definition as a tree. ARCL_INVALID for one that has errors, and for one that names a definition
 * of its text as a function and does not call it: trees have ops only. */
ARCL_API ARCL_CHECKED arcl_status arcl_tree_from_source(arcl_context *context, const arcl_source *source, int index,
                                                        arcl_tree **tree, arcl_error *error);
ARCL_API ARCL_CHECKED arcl_status arcl_tree_copy(const arcl_tree *tree, arcl_tree **copy, arcl_error *error);
ARCL_API void arcl_tree_free(arcl_tree *tree);

ARCL_API arcl_dialect arcl_tree_dialect(const arcl_tree *tree);
ARCL_API const char *arcl_tree_parameters(const arcl_tree *tree); /* as arcl_tree_create takes them */
ARCL_API int arcl_tree_lines(const arcl_tree *tree);
ARCL_API arcl_tree_line arcl_tree_line_get(const arcl_tree *tree, int line);
ARCL_API arcl_operand arcl_tree_result(const arcl_tree *tree);

/* ---- changing them ----
 *
 * Lines are numbered anew when one is put in or taken out, and operands that name them change with them. A call that
 * fails leaves the tree as it was. */

/* Puts a call in after all lines, or finds an equal one; `line` is what names it. Without a callee (NULL) it is a tuple
 * of the arguments, of which it may have none. */
ARCL_API ARCL_CHECKED arcl_status arcl_tree_add(arcl_tree *tree, const arcl_operand *callee,
                                                const arcl_operand *arguments, int count, arcl_operand *line,
                                                arcl_error *error);

/* The same before line `before`, in any case: an equal line is not looked for. */
ARCL_API ARCL_CHECKED arcl_status arcl_tree_insert(arcl_tree *tree, int before, const arcl_operand *callee,
                                                   const arcl_operand *arguments, int count, arcl_error *error);

/* Changes an argument; slot ARCL_TREE_CALLEE is what is called. */
#define ARCL_TREE_CALLEE (-1)
ARCL_API ARCL_CHECKED arcl_status arcl_tree_set(arcl_tree *tree, int line, int slot, arcl_operand operand,
                                                arcl_error *error);
ARCL_API ARCL_CHECKED arcl_status arcl_tree_set_result(arcl_tree *tree, arcl_operand operand, arcl_error *error);

/* Takes a line out. Where it was used, there is `instead`: anything that may stand in that line. */
ARCL_API ARCL_CHECKED arcl_status arcl_tree_remove(arcl_tree *tree, int line, arcl_operand instead, arcl_error *error);

/* Puts line `line` of another tree of the same dialect, and all lines that it needs, before line `before`, where equal
 * lines are not made again. Its parameters are those of the same letters, which the tree must have. `grafted` is what
 * names it. */
ARCL_API ARCL_CHECKED arcl_status arcl_tree_graft(arcl_tree *tree, int before, const arcl_tree *from, int line,
                                                  arcl_operand *grafted, arcl_error *error);

/* Takes out the lines that the result does not need. */
ARCL_API void arcl_tree_prune(arcl_tree *tree);

/* ---- types ---- */

/* What a line is: equal types are equal numbers, the same on every machine. 0: nothing, since it always fails. */
typedef uint64_t arcl_type;
#define ARCL_TYPE_FAILS ((arcl_type)0)
#define ARCL_TYPE_FUNCTION ((arcl_type)1 << 60) /* + its arity */
#define ARCL_TYPE_OTHER ((arcl_type)2 << 60)    /* a choice of values of different types; a container of functions */

/* A function that is an op, so that what it yields can be told. */
ARCL_API arcl_type arcl_type_of_op(arcl_dialect dialect, int op);
/* How many arguments it takes; 0: it is no function. */
ARCL_API int arcl_type_arity(arcl_type type);

/* "grid", "{cell}", "function of 2"; "fails", "other". Returns buf. */
ARCL_API char *arcl_type_text(arcl_type type, char *buf, size_t size);
/* Reads the type of a value; 0 if it is none. */
ARCL_API arcl_type arcl_type_parse(const char *text);

/* What every line is, by the compiler's own rules; `types` has arcl_tree_lines entries. Lines that need one that fails
 * do so too. The options' types are those of the parameters. Safe from several threads. */
ARCL_API ARCL_CHECKED arcl_status arcl_tree_types(arcl_context *context, const arcl_tree *tree,
                                                  const arcl_compile_options *options, arcl_type *types,
                                                  arcl_error *error);

/* What a call of an op with arguments of these types yields: ARCL_TYPE_FAILS if it does not take them, ARCL_TYPE_OTHER
 * if that is not known, as of a function that is not known to be an op. Answers are kept in the context, so that the
 * second question is a look-up. Values matter to few ops: the types of constants are enough. Safe from several
 * threads. */
ARCL_API ARCL_CHECKED arcl_status arcl_op_type(arcl_context *context, arcl_dialect dialect, int op, int count,
                                               const arcl_type *arguments, arcl_type *result, arcl_error *error);

/* ---- what becomes of them ---- */

/* A hash of the normal form: equal for equal programs, on every machine. It is not that of arcl_source_key, which is of
 * its text. Safe from several threads, as the rest of this section. */
ARCL_API ARCL_CHECKED arcl_status arcl_tree_key(arcl_context *context, const arcl_tree *tree, arcl_key *key,
                                                arcl_error *error);

/* The normal form as the text of a definition, as arcl_source_translate writes it. `length` may be NULL. Free it with
 * arcl_text_free. */
ARCL_API ARCL_CHECKED arcl_status arcl_tree_format(arcl_context *context, const arcl_tree *tree, const char *name,
                                                   arcl_dialect dialect, int inline_uses, char **text, size_t *length,
                                                   arcl_error *error);

/* Compiles it, as arcl_program_compile does with its text, past the cache of programs. options may be NULL. */
ARCL_API ARCL_CHECKED arcl_status arcl_tree_compile(arcl_context *context, const arcl_tree *tree,
                                                    const arcl_compile_options *options, arcl_program **program,
                                                    arcl_error *error);

/* ---- mutation ----
 *
 * A *mutator* makes programs that differ a little from those that it knows, its *parents*. Most of them compile: what
 * is put in has the type of what was there. */

typedef struct arcl_mutator arcl_mutator;

/* How a mutant differs from its parent. */
typedef enum arcl_edit {
    ARCL_EDIT_VARIABLE = 1 << 0, /* another parameter, or line before, of the same type */
    ARCL_EDIT_FUNCTION = 1 << 1, /* another op that takes these arguments and yields the same type; of an op that is
                                  * only named, another that takes as many */
    ARCL_EDIT_CONSTANT =
        1 << 2,                /* another constant of its class: one that parents have in such a place, or a near one */
    ARCL_EDIT_SWAP = 1 << 3,   /* two arguments of a call have changed places */
    ARCL_EDIT_INSERT = 1 << 4, /* a call around a value, which yields the same type */
    ARCL_EDIT_DELETE = 1 << 5, /* a call is gone, and one of its arguments, of the same type, is there instead */
    ARCL_EDIT_GRAFT = 1 << 6   /* a line of another parent, of the same type, with all that it needs */
} arcl_edit;
#define ARCL_EDITS 7u /* so many there are */

/* "variable", .., of a single edit; "" for anything else. And which one that is: 0 if none. */
ARCL_API const char *arcl_edit_name(arcl_edit edit);
ARCL_API arcl_edit arcl_edit_find(const char *name);

typedef struct arcl_mutator_options {
    arcl_dialect dialect; /* of all parents */
    double rate;          /* how probable an edit of each operand is, from 0 to 1; one is made in any case */
    unsigned frozen;      /* edits that are not made: any of ARCL_EDIT_.. together */
    /* Ops whose calls stay as they are, arguments included. May be NULL. */
    const int *frozen_ops;
    int frozen_op_count;
    const arcl_compile_options *compile; /* for the types of parameters; may be NULL. It must outlive the mutator. */
} arcl_mutator_options;

/* The context must outlive it. */
ARCL_API ARCL_CHECKED arcl_status arcl_mutator_create(arcl_context *context, const arcl_mutator_options *options,
                                                      arcl_mutator **mutator, arcl_error *error);
ARCL_API void arcl_mutator_free(arcl_mutator *mutator);

/* Takes a copy of the tree as a parent, the next in number from 0 on, without lines that its result does not need. Its
 * lines are grafted into others from then on, and its constants and functions are put in where it has them. A tree of
 * more than ARCL_PARENT_LINES lines is ARCL_INVALID, and so is one with a parameter of no type. Nothing else may use
 * the mutator meanwhile. */
#define ARCL_PARENT_LINES 200
ARCL_API ARCL_CHECKED arcl_status arcl_mutator_add(arcl_mutator *mutator, const arcl_tree *tree, arcl_error *error);
ARCL_API int arcl_mutator_parents(const arcl_mutator *mutator);

/* A mutant of a parent, to be freed. `random` is any number, which is changed: it decides, together with the parents
 * and the options, what becomes of the parent, on every machine. `edits`, which may be NULL, says which edits were
 * made: 0 if none could be. Safe from several threads, each with a number of its own. */
ARCL_API ARCL_CHECKED arcl_status arcl_mutator_mutate(const arcl_mutator *mutator, int parent, uint64_t *random,
                                                      arcl_tree **mutant, unsigned *edits, arcl_error *error);

/* ---- what programs have in common ----
 *
 * A *library* is learned from programs: *patterns*, which are calls that they have, with holes for the values that
 * these take; and *uses*: which constants, which ops, and what of which ops stands in which argument of which op, how
 * often. It belongs to no context. */

typedef struct arcl_library arcl_library;

/* The trees are of one dialect. Lines that do not compile teach nothing. */
ARCL_API ARCL_CHECKED arcl_status arcl_library_learn(arcl_context *context, const arcl_tree *const *trees, int count,
                                                     arcl_library **library, arcl_error *error);
ARCL_API void arcl_library_free(arcl_library *library);

/* As JSON, the same for the same trees in any order, and read again; `name` is for messages, and may be NULL.
 * docs/file-formats.md has the format. `length` may be NULL. Free the text with arcl_text_free. */
ARCL_API ARCL_CHECKED arcl_status arcl_library_write(arcl_context *context, const arcl_library *library, char **text,
                                                     size_t *length, arcl_error *error);
ARCL_API ARCL_CHECKED arcl_status arcl_library_read(arcl_context *context, const char *text, size_t length,
                                                    const char *name, arcl_library **library, arcl_error *error);

ARCL_API arcl_dialect arcl_library_dialect(const arcl_library *library);
ARCL_API int arcl_library_programs(const arcl_library *library); /* that it was learned from */

/* A line of a program in which values are holes: the parameters a, b, .. of the tree. What is a function is a part of
 * the pattern. A pattern that has ints is there a second time, with holes for these. */
#define ARCL_PATTERN_HOLES 4
typedef struct arcl_pattern { /* the tree lives as long as the library */
    const arcl_tree *tree;
    int holes;
    arcl_type hole[ARCL_PATTERN_HOLES], result;
    uint32_t count; /* lines that have it */
    double cost;    /* bits that it takes to say which one it is: less for what is frequent */
} arcl_pattern;
/* The most frequent come first. */
ARCL_API int arcl_library_patterns(const arcl_library *library);
ARCL_API arcl_pattern arcl_library_pattern_get(const arcl_library *library, int index);

typedef struct arcl_use {
    int op, argument; /* the latter from 0 on */
    int is_made;      /* `value` is the op whose call has made the argument; else it stands there itself */
    arcl_operand value;
    uint32_t count;
} arcl_use;
/* By op, argument and value. */
ARCL_API int arcl_library_uses(const arcl_library *library);
ARCL_API arcl_use arcl_library_use_get(const arcl_library *library, int index);

#ifdef __cplusplus
}
#endif
#endif
