/* The compiler's insides, shared by its files.
 *
 * It evaluates a definition symbolically: a name stands for a *value*, which is a column (V_DATA), or something that
 * only the compiler knows: a function, a choice between two values, a container of such. Calling functions is done
 * here, once; what remains are steps. One file per job:
 *
 *   compiler.c    statements and expressions, the public entry
 *   line_types.c  what lines and calls are, for those who want nothing else
 *   emit.c        steps, scopes, value numbering
 *   values.c      making values; tuples; joining the sides of a choice
 *   conversion.c  from one type to another
 *   scopes.c      scopes over containers of anything
 *   best_function.c   containers of functions
 *   safe.c        calls that may fail without failing their lane
 *   call.c        calling functions and ops; the plain ops, by their signatures
 *   words.c       calling words of the tokpidjin dialect
 *   manners.c     how these take their arguments
 *   odd_*.c       what they yield of what they were not made for (odd.h)
 *   guests.c      values of other types among ints
 *   guest_marks.c which of them may be where
 *   records.c     sorting two that are of different types
 *   rules_tuple.c where an op takes a tuple otherwise than a patch
 *   rules_ranks.c ops that only the tokpidjin dialect has
 *   rules_*.c     the ops with rules of their own
 */
#ifndef ARCL_COMPILER_H
#define ARCL_COMPILER_H
#include "language/syntax.h"
#include "program/graph.h"
#include "program/step_table.h"

typedef struct value value;

enum value_kind {
    V_DATA,
    V_FUNCTION,
    V_CHOICE,
    V_TUPLE, /* of items known one by one, some of which are no data */
    V_EACH,  /* of what part[0] is, per lane of a scope */
    V_UNION  /* the containers part[0], part[1], .. taken together */
};
enum function_form {
    F_OP,
    F_COMPOSE,
    F_CHAIN,
    F_MATCHER,
    F_RBIND,
    F_LBIND,
    F_POWER,
    F_FORK,
    F_DEFINED, /* a definition of the text */
    F_NOTHING  /* takes anything, and yields () */
};

struct value {
    uint8_t kind;
    uint8_t form;      /* of a function */
    uint8_t is_set;    /* of V_TUPLE, V_EACH and V_UNION */
    uint8_t one_patch; /* of V_CHOICE: where part[1] is chosen, part[0] is empty as well, if of another kind */
    uint16_t op;       /* of F_OP: the callable */
    uint16_t count;    /* of parts */
    uint32_t scope;    /* V_EACH: the scope in which part[0] is an element */
    uint32_t step;     /* V_DATA: the column; V_CHOICE: the condition; V_EACH: the step that opened the scope */
    type_code type;    /* of V_DATA */
    union {
        const value *
            *part; /* a function's functions and bound values; the two sides of a choice; the items of V_TUPLE */
        const definition *body; /* of F_DEFINED, which has no parts: a normal form */
    };
};

typedef struct compiler {
    pool *memory;
    const struct arcl_source *src;
    const definition *whole; /* what is being compiled */
    uint32_t at;             /* position of what is being compiled, for messages */
    arcl_error *error;
    int failed;
    const char *fatal; /* why the compiler itself cannot go on; NULL: it could */
    uint32_t fatal_at; /* and where */
    int safe;          /* the policy */
    int triples;       /* the dialect is tokpidjin: a cell is (i, j, c) */
    int depth;         /* of calls */
    int within;        /* definitions that are called as functions, and have not returned */
    int trying;        /* what cannot be called is not called: it is only asked whether it can */
    uint32_t written;  /* calls of the text that were evaluated */
    uint32_t unfolded; /* values that were made and calls that were taken apart for all this: may_unfold bounds them */
    int notes;         /* steps carry what they were made for (program/graph.h) */
    uint32_t calling;  /* the callable that is being called, + 1 */
    uint32_t scope;    /* where steps go now */
    graph_step *steps;
    uint32_t count, room;
    graph_scope *scopes;
    uint32_t scope_count, scope_room;
    step_table table; /* value numbering */
    /* safe.c: which steps the last search for what a column is made from has come by. */
    uint32_t *reached, reached_room, searches;
    /* guests.c: values that numbers stand for, and by step, which of them its column may have in it. */
    struct guest *guests;
    int guest_count;
    uint32_t *guest_marks, guest_mark_room;
} compiler;

/* ---- compiler.c ---- */
/* The steps of a definition as they come, with parameters and results, into a program that has none yet. With `notes`,
 * they carry what they were made for. */
ARCL_CHECKED arcl_status compile_steps(pool *memory, const struct arcl_source *source, const definition *d,
                                       const arcl_compile_options *options, int notes, program_graph *p,
                                       arcl_error *error);

/* The parameters as values, and as inputs of the program; 0, with a message, if one has no type. */
int define_parameters(compiler *c, const definition *d, const arcl_compile_options *options, const value **variable,
                      program_graph *p);
/* The value of an expression, in which names are what `variable` says. */
const value *evaluate(compiler *c, const value **variable, const expression *e);

/* What a definition yields that is called as a function. */
const value *call_defined(compiler *c, const definition *body, int count, const value *const *arg);

/* ---- emit.c ---- */
int emit_start(compiler *c);
uint32_t emit(compiler *c, graph_step s); /* in the scope that s says; equal steps are made once */
uint32_t emit_kernel(compiler *c, unsigned kernel, uint64_t imm, int args, const uint32_t *arg);
uint32_t emit_kernel1(compiler *c, unsigned kernel, uint64_t imm, uint32_t a);
uint32_t emit_kernel2(compiler *c, unsigned kernel, uint64_t imm, uint32_t a, uint32_t b);
uint32_t emit_const(compiler *c, int64_t number);
/* Opens a scope below the present one and makes it the present one. */
uint32_t emit_open(compiler *c, int kind, uint64_t imm, int args, uint32_t a, uint32_t b);
/* The column as lists of the present scope; `inner` is the scope below it that the lists' elements are the lanes of. */
uint32_t emit_close(compiler *c, uint32_t column, uint32_t inner, uint64_t imm);
/* Forgets the step that was made last, which nobody has used yet, and returns it. */
graph_step emit_take_back(compiler *c);
uint32_t emit_localise(compiler *c, uint32_t column); /* the column in the present scope, copied if it is above */
int step_is_const(const compiler *c, uint32_t step, int64_t *number);
uint32_t scope_opener(const compiler *c, uint32_t scope);

/* ---- countable.c ---- */
/* Whether it is known how many elements the container has; 0, with a message, if not: of some sets of functions. */
int is_countable(compiler *c, const value *v);
/* A tuple that has functions in it, each element once. */
const value *distinct_functions(compiler *c, const value *tuple);

/* ---- values.c ---- */
/* A message about the present position; returns NULL. Keeps the first. */
__attribute__((format(printf, 2, 3))) const value *reject(compiler *c, const char *format, ...);
const value *reject_memory(compiler *c);          /* there is none left */
void reject_fatal(compiler *c, const char *text); /* where no other program would do any better */
/* Far above what any program needs that somebody would write: those that solve a task take some hundreds, and one takes
 * 1,700. A long text may have so many more for each of its calls. */
#define MAX_UNFOLDED 180000u
#define UNFOLDED_PER_CALL 8u
int refuse_unfolding(compiler *c); /* with a message */
/* Before whatever functions and choices can make double with every line of text: 0, with a message, if it has been too
 * much. So one definition takes so much memory and time at most, whatever it says. */
static inline int may_unfold(compiler *c) {
    if (!c->failed && c->unfolded++ < MAX_UNFOLDED + UNFOLDED_PER_CALL * c->written) return 1;
    return refuse_unfolding(c);
}
const value *make_data(compiler *c, uint32_t step, type_code t);
const value *make_const(compiler *c, int64_t number, type_code t);
const value *make_parts(compiler *c, int kind, int count, const value *const *part);
const value *make_function(compiler *c, int form, int count, const value *a, const value *b, const value *d);
const value *make_op(const compiler *c, int callable);
const value *make_defined(compiler *c, const definition *body);
const value *make_choice(compiler *c, uint32_t condition, const value *yes, const value *no);
/* A tuple or set of the given values, as data where they are data. */
const value *make_tuple(compiler *c, int is_set, int count, const value *const *item);
/* The same of whatever two ints come of a computation: as a pair they might not fit. */
const value *make_list(compiler *c, int count, const value *const *item);
const value *item_of_tuple(compiler *c, const value *tuple, int last); /* first or last; NULL if not known here */
/* Whether the two are the same for certain: functions made alike, or one column. */
int same_value(const value *a, const value *b);
/* Whether they may be one thing to Python. In tokpidjin lines are not repeated, so that functions that are made twice
 * are two, though they be made alike. */
int may_be_same(const compiler *c, const value *a, const value *b);
/* Runs on both sides of a condition: begin one side, end it, join the two. */
uint32_t when_begin(compiler *c, uint32_t condition, int side, uint32_t *saved);
void when_end(compiler *c, uint32_t saved);
const value *when_join(compiler *c, uint32_t condition, const value *yes, uint32_t yes_scope, const value *no,
                       uint32_t no_scope);
/* v, whose columns may be in `inner`, for the present scope above it. `map` makes each such column one of this
 * scope. */
typedef uint32_t column_map(compiler *c, uint32_t column, uint32_t inner, const void *arg);
const value *lift_value(compiler *c, const value *v, uint32_t inner, column_map *map, const void *arg);
/* A value in lanes that have failed for certain: fits everywhere, and whatever takes it yields it again. */
const value *failed_value(compiler *c, int status);
const value *dead_value(compiler *c); /* with status TYPE */
static inline int is_dead(const value *v) { return v->kind == V_DATA && v->type == T_NEVER; }
/* A choice as data of one type: that of its last side; lanes with a value of another type fail. */
const value *settle(compiler *c, const value *v);
const value *make_each(compiler *c, int is_set, uint32_t scope, const value *item);
const value *make_union(compiler *c, int is_set, int count, const value *const *part);
/* Items that the compiler keeps apart, in arrays of bounded size: whether so many fit, else a message. */
#define MAX_STATIC 64
int static_fits(compiler *c, int count);
/* A pair, a cell or a record is a tuple whose items are known one by one. */
int is_int(const value *v); /* or a bool, which is one too */
int has_fields(const value *v);
int field_count(const compiler *c, const value *v);
const value *field_of(compiler *c, const value *v, int index);
char *describe(const value *v, char *buf, size_t size);
int function_arity(const value *f);

/* ---- conversion.c ---- */
const value *convert_to(compiler *c, const value *v, type_code to); /* NULL without message if there is no way */
const value *as_container(compiler *c, const value *v); /* data of a set or tuple type; NULL if it is none */
const value *as_set(compiler *c, const value *v);       /* sorted, unique */
/* The elements' type as kernels that make sets are to take it. In arc-dsl a set of ints must not have none among them,
 * which is neither above nor below; in tokpidjin it comes first, as it does for kernels where ints are bools. */
type_code type_to_sort(const compiler *c, type_code t);
const value *as_truth(compiler *c, const value *v);
/* Whether an ij has both coordinates for certain. The corner of an empty patch is an ij too, and it is (): only where
 * it was computed or given is it certain. */
int ij_is_whole(const compiler *c, const value *v);
/* Whether keys of the type can be compared: sets by what they contain, tuples with sets in them not at all. */
int type_has_order(type_code t);
int type_is_rows(type_code t);                                               /* a grid, or a tuple that may be one */
const value *rows_as_patch(compiler *c, const value *grid, unsigned places); /* of an enum row_places */
const value *as_signature(compiler *c, const value *v,
                          unsigned code); /* for a plain op's argument; NULL if it does not fit */
/* A container that is right only if it is empty. The first is for what an op takes, and fails with the op; the second
 * is all that there is of a call, and fails though nobody uses it. */
const value *require_empty(compiler *c, const value *v, type_code as);
const value *fail_unless_empty(compiler *c, const value *v, type_code as);
type_code type_unify(type_code a,
                     type_code b); /* like type_join, and finds a common type by conversion too; 0 if there is none */

type_code type_merge(type_code a,
                     type_code b); /* likewise, but locations and cells stay apart: a choice keeps them exact */

/* ---- call.c ---- */
const value *call(compiler *c, const value *f, int count, const value *const *arg);
const value *call1(compiler *c, const value *f, const value *a);
/* Runs something on both sides of a choice. A side on which that is not possible is no reason to reject the program:
 * only the lanes that chose it fail. */
typedef const value *run_side(compiler *c, const value *side, const void *arg);
const value *run_sides(compiler *c, const value *choice, run_side *run, const void *arg);
const value *call2(compiler *c, const value *f, const value *a, const value *b);
/* On which side of the condition this is already, 0 or 1; -1: on neither. */
int side_of(const compiler *c, uint32_t condition);
/* What in a function is one in some lanes only; NULL: there is no such thing. Where it is none, calling the whole
 * fails, wherever it is within. */
const value *choice_to_call(const compiler *c, const value *f);
/* Whether all that is called when a function is called is one. */
int is_sound(const value *f);
/* Whether an op takes a choice as it is: functions, and the functions that higher-order ops take, are seen to when they
 * are called. */
int takes_choice(int op, int position);
const value *call_op(compiler *c, int op, int count, const value *const *arg);
const value *call_one(compiler *c, int op, const value *a); /* NULL of NULL */
const value *call_two(compiler *c, int op, const value *a, const value *b);
const value *reject_argument(compiler *c, int op, int position, const value *v, const char *expected);

/* ---- scopes.c: scopes over containers of anything ---- */
/* Opens a scope (EACH, ZIP or CROSS) over one or two containers, V_DATA or V_EACH, and makes the elements. */
int open_over(compiler *c, int kind, uint64_t imm, int count, const value *const *container, const value **element);
/* Goes to where a column is, so that what is made of it is there as well; returns where that was left, for c->scope. */
uint32_t enter_scope_of(compiler *c, const value *v);
/* The lists whose elements are the lanes of a V_EACH's scope, in the scope above it. */
uint32_t lists_of(compiler *c, const value *each);
/* The results that a scope's function yields, as a container: data where they are data. */
const value *collect(compiler *c, const value *result, uint32_t scope, unsigned kind);
int choice_is_above(const compiler *c, const value *v, uint32_t scope);
/* What f makes of each element of data, as a tuple. */
const value *map_each_of(compiler *c, const value *container,
                         const value *(*f)(compiler *, const value *element, const void *), const void *arg);
/* f over a V_TUPLE, V_EACH or V_UNION. */
const value *map_special(compiler *c, const value *container,
                         const value *(*f)(compiler *, const value *item, const void *), const void *arg);
const value *product_special(compiler *c, const value *a, const value *b);

/* ---- rules_higher.c ---- */
/* The container of argument 0, sorted by descending keys, which the function of argument `f` makes; equal ones keep
 * their order. */
const value *order_by(compiler *c, int op, const value *const *arg, int f);
/* The key at a rank, ascending, of argument 0, by the function of argument 1; for a rank out of range the key of 0. */
const value *key_at_rank(compiler *c, int op, const value *const *arg, const value *rank);

/* Whether the tuple has nothing at a rank. */
const value *rank_is_outside(compiler *c, const value *tuple, const value *rank);

/* ---- rules_ranks.c ---- */
int place_of(int64_t rank, int count); /* of a rank in a tuple of so many items; -1: there is none */

/* ---- records.c: a tuple of two that are of different types, by what a function says of them ---- */
int is_record_of_two(const value *v);
const value *record_by_keys(compiler *c, int op, const value *const *arg); /* order, argmax or argmin */
/* The item at a rank, descending. */
const value *record_at_rank(compiler *c, const value *v, const value *f, const value *rank);

/* ---- chains.c ---- */
const value *ints_as_chain(compiler *c, const value *keys); /* each of a tuple, of which some are none, as a set */

/* ---- best_function.c ---- */
const value *best_function(compiler *c, int op, const value *container, const value *f); /* argmax or argmin */

/* ---- what stands for nothing ----
 * Of a step's `fails`, in bits that are the compiler's alone: what is kept from those whom it would fail is an empty
 * set, which fails only who adds it to a tuple, or it is true; none is (), which counts as a missing pair does to who
 * computes with it, or it is an empty set, or true; and how none compares as a key: not at all, as what is below all
 * ints, or with itself alone. */
#define FAILS_KEEP_SET (1u << 8)
#define FAILS_NONE_IS_TUPLE (1u << 9)
#define FAILS_NONE_IS_LOWEST (1u << 10)
#define FAILS_NONE_IS_ALIKE (1u << 11)
#define FAILS_KEEP_TRUE (1u << 12)
#define FAILS_NONE_IS_TRUE (1u << 13)
#define FAILS_NONE_IS_SET (1u << 14)

/* ---- manners.c ---- */
/* An argument of a word as its manner wants it; NULL, with a message, if it cannot be. */
const value *take_argument(compiler *c, const word_row *w, int position, const value *v);
/* A container as one of that kind, T_SET or T_TUPLE; and whether a value is or may be one. */
const value *of_kind(compiler *c, const value *v, unsigned kind);
int is_of_kind(const value *v, unsigned kind);
/* A tuple of ints as a pair, missing where it is empty: of its first two, or if the code is SIG_IJ, of no more than
 * two; anything else as it is. */
const value *as_pair_if_some(compiler *c, const value *v, unsigned code);
/* A container of tuples of ints as a grid that has them as rows; anything else as it is. */
const value *as_rows(compiler *c, const value *v);

/* ---- guests.c ---- */
/* A set of values of several types, or of functions; NULL: there can be none. */
const value *set_of_guests(compiler *c, int count, const value *const *part);
/* A container that has functions in it as ints that stand for them; NULL: it cannot be. */
const value *functions_as_data(compiler *c, const value *v);
/* A grid of functions that were made for each of its cells, to words that only put them somewhere; NULL: it is none. */
const value *functions_as_grid(compiler *c, const value *v);
/* An int that stands for a value of another type; NULL: there can be none. */
const value *as_guest(compiler *c, const value *v);
/* The same of all elements of a container, and of a record as a tuple; and a tuple of tuples as a grid. */
const value *record_as_guests(compiler *c, const value *v);
const value *as_guests(compiler *c, const value *container);
const value *as_grid_of_guests(compiler *c, const value *rows);
/* A grid that is made of cells of such a one, back as what the cells were in the rows. */
const value *grid_of_guests_apart(compiler *c, const value *grid, const value *rows);
/* A set with a value of another type than its elements, as a set of ints. */
const value *insert_guest(compiler *c, const value *v, const value *set);
/* What a function yields in a scope over containers, now of one type, now of another, as ints; NULL: it cannot be. */
const value *choice_as_guests(compiler *c, const value *choice, uint32_t scope);
int is_mapped_in_text(compiler *c); /* in a function that is mapped over what the text has, which may make guests too */
/* Whether an int may stand for such a value; and as what it is then: a choice of an int and the values that it may be.
 */
int may_be_guest(const compiler *c, const value *v);
int may_have_guests(const compiler *c, const value *v); /* in it */
const value *has_guest(compiler *c, const value *grid); /* whether it has */
const value *guest_or_int(compiler *c, const value *v);
/* A result together with the values that ints in it may stand for. */
const value *with_guests(compiler *c, const value *v);

/* ---- guest_marks.c: once there are guests ---- */
void guests_note(compiler *c, uint32_t step);       /* that a step was made */
void guests_keep_apart(compiler *c, graph_step *s); /* before it is: so that it takes no int for a guest */
int is_guests_number(int64_t number);
const value *value_without_guests(compiler *c, const value *v); /* which fails where it has one */

/* ---- words.c ---- */
/* Whether the value, where it is missing, is kept from those whom it would fail. */
int is_kept(const compiler *c, const value *v);
const value *as_seen(compiler *c, const value *v);  /* the same as what it is to those who look: missing */
const value *is_there(compiler *c, const value *v); /* whether it is not missing */
const value *or_instead(compiler *c, unsigned stand_in, const value *v); /* the same, with that where it has failed */
/* Whether this is in the text, not in a function that is mapped: a container has elements of one type. */
int is_in_text(const compiler *c);
const value *call_word(compiler *c, int callable, int count, const value *const *given);
/* What a definition returns, or a tuple has in it, for all to see: a value that is missing there, though no op would
 * take it. */
const value *word_result(compiler *c, const value *v);
const value *word_item(compiler *c, const value *v); /* the same of an item of a tuple, which may be a cell or empty */

/* ---- safe.c ---- */
/* Around everything that one call of the text is: its result, or the default where it has failed. `f` is what is
 * called. */
typedef struct safe_call {
    arcl_error *error;
    uint32_t scope, first_new;
} safe_call;
safe_call safe_begin(compiler *c);
const value *safe_finish(compiler *c, const value *result, const value *f, safe_call begun);
const value *safe_nothing(compiler *c);      /* a value that no op takes; in tokpidjin it is () */
type_code safe_declared_type(unsigned code); /* of a result, by its signature; 0 where that leaves it open */
int safe_is_sheltered(const compiler *c, uint32_t step); /* the column has no failures that anybody could read */
/* Minus infinity, which is none; and whether none in a column may be that: something that it is made from may. */
const value *safe_lowest(compiler *c);
int safe_has_lowest(compiler *c, uint32_t step);
/* The result, which fails where `from` has failed, though it may not be made of it. Nothing is done if the policy is
 * strict: there a failure fails the lane, whoever uses what. */
const value *safe_guard(compiler *c, const value *result, const value *from);

/* ---- rules_*.c, and call.c for rule_plain: how a call of an op is compiled, as its row in lib/ops/ops.def says
 * ---- */
typedef const value *op_rule(compiler *c, int op, const value *const *arg);
#define OP(name, family, parameters, arity, a, b, c, d, result, rule, ...) op_rule rule_##rule;
#include "ops/all_ops.def"
#undef OP

#endif
