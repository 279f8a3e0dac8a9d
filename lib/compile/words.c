/* Words of the tokpidjin dialect: an op, with what the dialect has differ (lib/ops/tokpidjin.def).
 *
 * No op of the dialect ever fails. Where something is empty that an op needs, many yield what stands for nothing there,
 * a *missing* value: none for an int, the empty pair for a pair, else what is empty. That is so under either policy.
 * Under the safe policy a call that fails in another way yields the default of its word, wherever it is: in the text,
 * in a function, or for one element of a container. So every call is a shelter, not only those of the text (safe.c),
 * and the stand-in is written by the kernel that could not make a value, which costs nothing where it can.
 *
 * A cell or a record cannot be missing: its column has failed there, and who reads it fails in turn. And a call that
 * cannot be right, whatever the lane, is no reason to reject a program: it fails where it is reached.
 */
#include "cl/word.h"
#include "compile/compiler.h"

/* ---- stand-ins ---- */

/* What stands in for a value of the type; STAND_IN_NONE: nothing can. */
static unsigned stand_in_for(unsigned answer, type_code t) {
    switch (type_head(t)) {
    case T_INT: return answer == ANSWER_ZERO ? STAND_IN_ZERO : STAND_IN_MISSING_INT;
    case T_IJ:
        if (answer == ANSWER_SET || answer == ANSWER_NONE) return STAND_IN_NO_PAIR;
        return answer == ANSWER_ZERO ? STAND_IN_ZERO : STAND_IN_MISSING_IJ;
    case T_BOOL:
    case T_GRID:
    case T_SET:
    case T_TUPLE: return STAND_IN_ZERO;
    default: return STAND_IN_NONE;
    }
}

static const value *missing_tuple(compiler *c) { return make_const(c, 0, type_tuple(T_NEVER)); }

/* The default of a word where a call of it fails for certain. Which type that is follows from the op, else it is (). */
static const value *default_of(compiler *c, const word_row *w) {
    if (w->answer == ANSWER_FUNCTION) return make_function(c, F_NOTHING, 0, NULL, NULL, NULL);
    type_code t = safe_declared_type(op_rows[w->op].result);
    if (w->answer == ANSWER_ZERO && t != T_BOOL && t != T_IJ) t = T_INT;
    if (!t || op_rows[w->op].result == SIG_NUM) return missing_tuple(c);
    return make_const(c, stand_in_word(stand_in_for(w->answer, t)), t);
}

/* Whether what fails for certain does because a call cannot be right; else because something is empty. */
static int is_wrong_call(const compiler *c, const value *dead) {
    const graph_step *s = &c->steps[dead->step];
    return s->kind != STEP_KERNEL || (s->kernel_id == KERNEL_always_fail && s->imm == LANE_TYPE);
}

/* What a word yields where something is empty for certain, and nothing else is known of it. */
static const value *answer_of(compiler *c, const word_row *w) {
    switch (w->empty) {
    case ANSWER_SET: return make_const(c, 0, type_set(T_NEVER));
    case ANSWER_NONE: return make_const(c, NONE, T_INT);
    default: return default_of(c, w);
    }
}

/* Whether this is in the text, not in a function that is mapped: a container has elements of one type. */
static int is_in_text(const compiler *c) {
    for (uint32_t s = c->scope; s > SCOPE_LANES; s = c->scopes[s].parent)
        if (c->steps[scope_opener(c, s)].kind != STEP_WHEN) return 0;
    return 1;
}

/* Of a word that answers with what is no tuple and no grid, though a value of that type is expected: what keeps those
 * from it that it would fail. */
static unsigned kept_empty(const compiler *c, const word_row *w, type_code t) {
    int is_tuple = t == T_GRID || type_head(t) == T_TUPLE;
    if (!c->safe) return 0;
    if (w->empty == ANSWER_NONE) return type_is_container(t) || t == T_GRID ? FAILS_KEEP_EMPTY : 0;
    return w->empty == ANSWER_SET && is_tuple && is_in_text(c) ? FAILS_KEEP_EMPTY | FAILS_KEEP_SET : 0;
}

/* What is known of none, where it stands for an int. Words that hand on what they are given may hand on anything. */
static unsigned none_of(const word_row *w) {
    int is_tuple = w->empty == ANSWER_MISSING && op_rows[w->op].result == SIG_INT;
    if (w->empty == ANSWER_LOW) return FAILS_NONE_IS_LOWEST;
    if (w->empty == ANSWER_NONE || ((w->empty == ANSWER_FAILS || w->empty == ANSWER_ZERO) && w->answer == ANSWER_ZERO))
        return 0;
    return FAILS_NONE_IS_ALIKE | (is_tuple ? FAILS_NONE_IS_TUPLE : 0);
}

static unsigned fails_of(const compiler *c, const word_row *w, type_code t) {
    unsigned instead = stand_in_for(w->answer, t), empty = stand_in_for(w->empty, t), kept = kept_empty(c, w, t);
    if (!instead) return 0;
    return (w->empty == ANSWER_FAILS || kept ? 0 : FAILS_EMPTY(empty)) | kept | (t == T_INT ? none_of(w) : 0) |
           (c->safe ? (unsigned)FAILS_NOBODY | FAILS_DEFAULT(instead) : 0);
}

#define EMPTY_MEANS (FAILS_EMPTY(7) | FAILS_KEEP_EMPTY | FAILS_KEEP_SET) /* what only the kernel itself can heed */

static int is_data_step(const graph_step *s) { return s->kind == STEP_CONST || s->kind == STEP_INPUT; }

/* The column with stand-ins. The step that has just been made gets them itself. One that was there before is the value
 * of another call, which has seen to it, or, if the compiler has made it for its own ends, is sheltered as it is. */
static uint32_t with_stand_ins(compiler *c, uint32_t step, unsigned fails, uint32_t first_new) {
    const graph_step *old = &c->steps[step];
    if (c->failed || !fails || is_data_step(old)) return step;
    int is_new = step >= first_new && old->kind != STEP_REPEAT && old->kind != STEP_SECOND && !old->parent;
    if (is_new && (old->kind == STEP_KERNEL || fails_meaning(fails))) {
        graph_step s = step + 1 == c->count ? emit_take_back(c) : *old;
        s.fails |= old->kind == STEP_KERNEL ? fails : fails & ~EMPTY_MEANS;
        return emit(c, s);
    }
    if (!fails_meaning(fails) || safe_is_sheltered(c, step)) return step;
    return emit(c, (graph_step){.kind = STEP_KERNEL,
                                .kernel_id = KERNEL_shelter,
                                .scope = old->scope,
                                .args = 1,
                                .arg = {step},
                                .fails = fails & ~EMPTY_MEANS});
}

static const value *finish(compiler *c, const word_row *w, const value *v, uint32_t first_new) {
    if (!v || c->failed) return NULL;
    if (v->kind == V_DATA) return make_data(c, with_stand_ins(c, v->step, fails_of(c, w, v->type), first_new), v->type);
    if ((v->kind != V_CHOICE && v->kind != V_TUPLE) || !c->safe) return v;
    const value *part[MAX_STATIC];
    if (!static_fits(c, v->count)) return NULL;
    for (int i = 0; i < v->count; i++)
        if (!(part[i] = finish(c, w, v->part[i], c->count))) return NULL;
    value *made = (value *)make_parts(c, v->kind, v->count, part);
    if (!made) return NULL;
    made->is_set = v->is_set;
    made->one_patch = v->one_patch;
    made->step = v->step;
    if (v->kind == V_CHOICE)
        made->step = with_stand_ins(c, v->step, FAILS_NOBODY | FAILS_DEFAULT(STAND_IN_ZERO), c->count);
    return c->failed ? NULL : made;
}

const value *word_result(compiler *c, const value *v) {
    unsigned instead = v->kind == V_DATA ? stand_in_for(ANSWER_MISSING, v->type) : 0;
    if (!c->triples || !c->safe || !instead) return v;
    unsigned fails = (unsigned)FAILS_NOBODY | FAILS_DEFAULT(instead);
    return make_data(c, with_stand_ins(c, v->step, fails, c->count), v->type);
}

/* ---- calls ---- */

typedef struct word_side {
    int callable, count, position;
    const value *const *arg;
} word_side;

static const value *run_word_side(compiler *c, const value *side, const void *arg) {
    const word_side *s = arg;
    const value *given[4];
    for (int i = 0; i < s->count; i++) given[i] = i == s->position ? side : s->arg[i];
    return call_word(c, s->callable, s->count, given);
}

/* With what is no colour, a grid is as it was as long as no location is filled. */
static const value *fill_nothing(compiler *c, const value *grid, const value *patch) {
    grid = as_signature(c, grid, SIG_GRID);
    if (!grid) return NULL;
    uint32_t empty = emit_kernel1(c, KERNEL_is_empty, 0, patch->step);
    return make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, grid->step, empty), T_GRID);
}

static int may_lack_key(int op) { return op == OP_get_nth_by_key || op == OP_get_nth_by_key_up; }

static int may_be_int(const value *v) { return is_int(v) || v->kind == V_CHOICE; }

/* A colour that no int of the grid is changed into: the grid is as it was if it has none of the other colour. */
static const value *recolour_nothing(compiler *c, const value *grid, const value *colour) {
    grid = as_signature(c, grid, SIG_GRID);
    if (!grid || !is_int(colour)) return grid;
    return fill_nothing(c, grid, call_two(c, OP_ofcolor, grid, colour));
}

static const value *switch_nothing(compiler *c, const value *const *arg) {
    if (may_be_int(arg[1]) && may_be_int(arg[2])) return NULL;
    return recolour_nothing(c, arg[0], is_int(arg[1]) ? arg[1] : arg[2]);
}

/* Whether a patch touches the upper or left edge does not depend on the grid. */
static const value *bordering_nothing(compiler *c, const value *const *arg) {
    const value *grid = arg[1]->kind == V_CHOICE ? arg[1] : as_signature(c, arg[1], SIG_GRID);
    return grid || c->failed ? NULL : call_two(c, OP_bordering, arg[0], make_const(c, 0, T_GRID));
}

/* What is moved by what is no pair is covered, and painted nowhere. Whether it is one may be known only per lane. */
static const value *move_nowhere(compiler *c, const value *const *arg, const value *offset) {
    if (arg[2]->kind == V_CHOICE || arg[1]->kind != V_DATA) return NULL;
    const value *by = as_signature(c, arg[2], SIG_IJ), *covered;
    if (by && (!c->safe || offset->kind != V_DATA || offset->type != T_IJ || ij_is_whole(c, offset))) return NULL;
    if (!(covered = call_two(c, OP_cover, arg[0], arg[1])) || !by) return covered;
    const value *shifted = call_two(c, OP_shift, arg[1], by);
    if (!shifted) return NULL;
    uint32_t step = with_stand_ins(c, shifted->step, FAILS_NOBODY | FAILS_DEFAULT(STAND_IN_ZERO), c->count);
    return call_two(c, OP_paint, covered, make_data(c, step, shifted->type));
}

/* At what is no pair there is nothing: at () none, at all else the call fails. */
static const value *index_nowhere(compiler *c, const value *place) {
    int is_tuple = place->kind == V_DATA && (place->type == T_GRID || type_head(place->type) == T_TUPLE);
    if (!is_tuple || (type_join(type_element(place->type), T_INT) && type_element(place->type) != T_NEVER)) return NULL;
    uint32_t step[3] = {as_truth(c, place)->step, emit_const(c, 0), emit_const(c, NONE)};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_INT);
}

static int may_lack(const compiler *c, const value *v) {
    return v->kind == V_DATA && v->type == T_IJ && !ij_is_whole(c, v);
}

/* A missing pair counts as an int, so that two of them, or one and an int, make an int: which it is, only the lane
 * knows. `pairs` are the arguments as pairs, `given` as they were; NULL if what comes of it is one or the other for
 * certain. */
static const value *int_or_pair(compiler *c, const word_row *w, const value *const *pairs, const value *const *given) {
    const value *ints[2];
    uint32_t missing = 0;
    if (!c->safe || !is_in_text(c)) return NULL;
    for (int i = 0; i < 2; i++) {
        ints[i] = is_int(pairs[i]) ? pairs[i] : make_const(c, w->manner - MANNER_PAIR_0, T_INT);
        if (is_int(pairs[i])) continue;
        if (!may_lack(c, given[i])) return NULL;
        uint32_t is_missing = emit_kernel2(c, KERNEL_equality, T_IJ, given[i]->step, emit_const(c, EMPTY_IJ));
        missing = missing ? emit_kernel2(c, KERNEL_both, 0, missing, is_missing) : is_missing;
    }
    if (!missing) return NULL;
    const value *as_int = call_two(c, w->op, ints[0], ints[1]), *as_pair = call_two(c, w->op, pairs[0], pairs[1]);
    return as_int && as_pair ? make_choice(c, missing, as_int, as_pair) : NULL;
}

/* Towards nothing the patch itself is the answer, if there is one. */
static const value *gravitate_or_stay(compiler *c, const value *const *arg) {
    if (!c->safe || !is_in_text(c) || arg[0]->kind != V_DATA) return NULL;
    const value *some = as_truth(c, arg[0]), *somewhere = as_truth(c, arg[1]);
    const value *offset = some && somewhere ? call_two(c, OP_gravitate, arg[0], arg[1]) : NULL;
    if (!offset) return NULL;
    uint32_t nowhere = emit_kernel1(c, KERNEL_flip, 0, somewhere->step);
    return make_choice(c, emit_kernel2(c, KERNEL_both, 0, some->step, nowhere), arg[0], offset);
}

/* Rows may be turned over that are in a set, and what no number tells to turn is anything. */
static const value *turn_anything(compiler *c, const value *const *arg) {
    int64_t number;
    if (!may_be_int(arg[1])) return arg[0];
    if (arg[1]->kind != V_DATA || !step_is_const(c, arg[1]->step, &number)) return NULL;
    if (number < 0 || number > 6) return arg[0];
    const value *rows = arg[0]->kind == V_DATA && (number == 1 || number == 2) ? as_rows(c, arg[0]) : NULL;
    return rows && rows->type == T_GRID ? call_one(c, number == 1 ? OP_dmirror : OP_vmirror, rows) : NULL;
}

/* What is sorted need not be ints. */
static const value *rank_anything(compiler *c, const value *const *arg) {
    const value *container = arg[0]->kind == V_DATA ? as_container(c, arg[0]) : NULL;
    type_code t = container ? type_element(container->type) : T_INT;
    if (t == T_INT || t == T_BOOL || t == T_NEVER) return NULL;
    const value *by_itself[3] = {container, make_op(c, OP_identity), arg[1]};
    return call_op(c, OP_get_arg_rank, 3, by_itself);
}

static int has_no_length(const value *v) { return is_int(v) || v->kind == V_FUNCTION; }

/* Ops that do not look at all of their arguments; NULL: this one does. */
static const value *run_careless(compiler *c, const word_row *w, const value *const *arg, const value *const *given) {
    switch (w->op) {
    case OP_add:
    case OP_subtract:
    case OP_multiply:
    case OP_divide: return int_or_pair(c, w, arg, given);
    case OP_gravitate: return gravitate_or_stay(c, arg);
    case OP_get_rank: return rank_anything(c, arg);
    case OP_mir_rot_t: return turn_anything(c, arg);
    case OP_mir_rot_f: return may_be_int(arg[1]) ? NULL : arg[0];
    case OP_corner: return may_be_int(arg[1]) ? NULL : call_one(c, OP_ulcorner, arg[0]);
    case OP_col_row: return may_be_int(arg[1]) ? NULL : make_const(c, NONE, T_INT);
    case OP_manhattan: return has_no_length(arg[0]) || has_no_length(arg[1]) ? make_const(c, NONE, T_INT) : NULL;
    case OP_bordering: return bordering_nothing(c, arg);
    case OP_fill:
    case OP_underfill: return may_be_int(arg[1]) ? NULL : fill_nothing(c, arg[0], arg[2]);
    case OP_replace: return may_be_int(arg[2]) || !is_int(arg[1]) ? NULL : recolour_nothing(c, arg[0], arg[1]);
    case OP_switch: return switch_nothing(c, arg);
    case OP_index: return index_nowhere(c, arg[1]);
    case OP_move: return move_nowhere(c, arg, given[2]);
    default: return NULL;
    }
}

/* The argument that is a colour to paint with; -1: none is. */
static int painted_colour(int op) {
    return op == OP_canvas || op == OP_recolor   ? 0
           : op == OP_fill || op == OP_underfill ? 1
           : op == OP_replace                    ? 2
                                                 : -1;
}

/* Nothing, of whatever kind, as a colour is none. */
static const value *as_colour(compiler *c, const value *v) {
    int is_nothing = v->kind == V_DATA && type_is_container(v->type) && type_element(v->type) == T_NEVER;
    return is_nothing ? make_const(c, NONE, T_INT) : v;
}

/* Whether an argument is only compared with others, so that none will do. */
static int is_compared(int op, int position) {
    return op == OP_equality || (position == 0 && (op == OP_remove || op == OP_contained)) ||
           (position && op == OP_other);
}

/* Whether an argument is asked for its truth or its locations first, so that what is none of either is as if empty. */
static int is_looked_at(const word_row *w, int position) {
    switch (w->manner) {
    case MANNER_FALSY:
    case MANNER_FALSY_I:
    case MANNER_FALSY_O:
    case MANNER_CORNERS:
    case MANNER_PLACES_0:
    case MANNER_PLACES_1:
    case MANNER_PLACES_2: return position == word_position(w);
    case MANNER_MOVED: return position == 1;
    default: return w->op == OP_manhattan;
    }
}

/* Whether arguments are added to each other, which a set and a tuple cannot be. */
static int is_adding(const word_row *w) {
    return w->op == OP_vconcat || (w->op == OP_combine && w->manner == MANNER_ONLY_TUPLE);
}

/* Whether what is kept from those whom it would fail does not fail this argument. */
static int takes_what_is_kept(const compiler *c, const word_row *w, int position, const value *v) {
    if (v->kind != V_DATA || is_looked_at(w, position)) return v->kind == V_DATA;
    return c->steps[v->step].fails & FAILS_KEEP_SET && !is_adding(w);
}

/* What fails those who take it for a container, as what it is to those who look: missing. */
static const value *as_seen(compiler *c, const value *v) {
    if (!c->safe || v->kind != V_DATA || !(c->steps[v->step].fails & FAILS_KEEP_EMPTY)) return v;
    unsigned fails = (unsigned)FAILS_NOBODY | FAILS_DEFAULT(stand_in_for(ANSWER_MISSING, v->type));
    return make_data(c, with_stand_ins(c, v->step, fails, c->count), v->type);
}

static const value *run(compiler *c, int callable, int count, const value *const *given) {
    const word_row *w = callable_word(callable);
    const value *arg[8];
    if (count > 4) return reject(c, "%s takes %d arguments, %d given", w->name, op_rows[w->op].arity, count);
    const value *odd = count == op_rows[w->op].arity ? run_odd_rows(c, w, given) : NULL;
    if (odd || c->failed) return odd;
    for (int i = 0; i < count; i++) {
        int choosing = given[i]->kind == V_CHOICE && w->manner != MANNER_AS_IS;
        if (choosing) return run_sides(c, given[i], run_word_side, &(word_side){callable, count, i, given});
        const value *taken = takes_what_is_kept(c, w, i, given[i]) ? as_seen(c, given[i]) : given[i];
        if (!taken || !(arg[i] = take_argument(c, w, i, taken))) return NULL;
        if (is_compared(w->op, i) && !(arg[i] = as_seen(c, arg[i]))) return NULL;
        if (i == painted_colour(w->op) && !(arg[i] = as_colour(c, arg[i]))) return NULL;
    }
    if (may_lack_key(w->op) && count == 2) arg[count++] = make_op(c, OP_identity);
    const value *known = count == op_rows[w->op].arity ? run_careless(c, w, arg, given) : NULL;
    return known || c->failed ? known : call_op(c, w->op, count, arg);
}

const value *call_word(compiler *c, int callable, int count, const value *const *given) {
    const word_row *w = callable_word(callable);
    uint32_t first_new = c->count, scope = c->scope;
    arcl_error *error = c->error;
    int depth = c->depth;
    if (c->failed) return NULL;
    for (int i = 0; c->safe && i < count; i++)
        if (is_dead(given[i])) return given[i]; /* an element of a container that has none */
    c->error = NULL;                            /* nobody will read it */
    const value *result = run(c, callable, count, given);
    c->error = error;
    if (!result && !c->fatal && (c->safe || !c->trying)) {
        c->failed = 0;
        c->depth = depth;
        c->scope = scope;
        result = dead_value(c);
    }
    if (c->safe && result && is_dead(result)) return is_wrong_call(c, result) ? default_of(c, w) : answer_of(c, w);
    return finish(c, w, result, first_new);
}
