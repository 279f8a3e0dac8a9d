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
#include "compile/odd.h"

/* ---- stand-ins ---- */

static int is_none(unsigned answer) { return answer == ANSWER_NONE || answer == ANSWER_TRUE_NONE; }

/* What stands in for a value of the type; STAND_IN_NONE: nothing can. */
static unsigned stand_in_for(unsigned answer, type_code t) {
    switch (type_head(t)) {
    case T_INT: return answer == ANSWER_ZERO ? STAND_IN_ZERO : STAND_IN_MISSING_INT;
    case T_IJ:
        if (answer == ANSWER_SET || is_none(answer)) return STAND_IN_NO_PAIR;
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
static const value *default_of(compiler *c, const word_row *w, enum word_answer answer) {
    if (answer == ANSWER_FUNCTION) return make_function(c, F_NOTHING, 0, NULL, NULL, NULL);
    type_code t = safe_declared_type(op_rows[w->op].result);
    if (answer == ANSWER_TUPLE) return missing_tuple(c);
    if (answer == ANSWER_SET) return make_const(c, 0, type_set(T_NEVER));
    if (answer == ANSWER_ZERO && t != T_BOOL && t != T_IJ) t = T_INT;
    if (!t || op_rows[w->op].result == SIG_NUM) return missing_tuple(c);
    if (answer == ANSWER_MISSING && (t == T_IJ || t == T_GRID) && is_mapped_in_text(c)) return missing_tuple(c);
    return make_const(c, stand_in_word(stand_in_for(answer, t)), t);
}

/* The same of a call that cannot be right: a missing int is () then. */
static const value *default_of_wrong_call(compiler *c, const word_row *w, enum word_answer answer) {
    const value *made = default_of(c, w, answer);
    int64_t known;
    if (!made || !c->safe || answer != ANSWER_MISSING || made->kind != V_DATA || made->type != T_INT) return made;
    if (!step_is_const(c, made->step, &known) || known != NONE) return made;
    graph_step s = {.kind = STEP_KERNEL, .kernel_id = KERNEL_shelter, .scope = c->scope, .args = 1};
    s.arg[0] = made->step;
    s.fails = (unsigned)FAILS_NOBODY | FAILS_DEFAULT(STAND_IN_MISSING_INT) | FAILS_NONE_IS_ALIKE | FAILS_NONE_IS_TUPLE;
    return make_data(c, emit(c, s), T_INT);
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
    case ANSWER_NONE:
    case ANSWER_TRUE_NONE: return make_const(c, NONE, T_INT);
    default: return default_of(c, w, w->answer);
    }
}

int is_in_text(const compiler *c) {
    for (uint32_t s = c->scope; s > SCOPE_LANES; s = c->scopes[s].parent)
        if (c->steps[scope_opener(c, s)].kind != STEP_WHEN) return 0;
    return 1;
}

/* Of a word that answers with what is no tuple and no grid, though a value of that type is expected: what keeps those
 * from it that it would fail. */
static unsigned kept_empty(const compiler *c, const word_row *w, type_code t) {
    int is_tuple = t == T_GRID || type_head(t) == T_TUPLE;
    if (!c->safe) return 0;
    unsigned none = FAILS_KEEP_EMPTY | (w->empty == ANSWER_TRUE_NONE ? FAILS_KEEP_TRUE : 0);
    if (is_none(w->empty)) return type_is_container(t) || t == T_GRID ? none : 0;
    return w->empty == ANSWER_SET && is_tuple && is_in_text(c) ? FAILS_KEEP_EMPTY | FAILS_KEEP_SET : 0;
}

/* What is known of none, where it stands for an int. Words that hand on what they are given may hand on anything. */
static unsigned none_of(const word_row *w) {
    unsigned code = op_rows[w->op].result;
    int is_computed = w->empty == ANSWER_FAILS && w->answer == ANSWER_MISSING && (code == SIG_NUM || code == SIG_INT);
    int is_tuple = is_computed || (w->empty == ANSWER_MISSING && code == SIG_INT);
    if (w->empty == ANSWER_LOW) return FAILS_NONE_IS_LOWEST | FAILS_NONE_IS_TRUE;
    if (w->empty == ANSWER_TRUE_NONE) return FAILS_NONE_IS_TRUE;
    if (w->empty == ANSWER_SET) return FAILS_NONE_IS_ALIKE | FAILS_NONE_IS_SET;
    if (w->empty == ANSWER_NAN) return FAILS_NONE_IS_ALIKE | FAILS_NONE_IS_TRUE;
    if (is_none(w->empty) || ((w->empty == ANSWER_FAILS || w->empty == ANSWER_ZERO) && w->answer == ANSWER_ZERO))
        return 0;
    return FAILS_NONE_IS_ALIKE | (is_tuple ? FAILS_NONE_IS_TUPLE : 0);
}

static unsigned fails_of(const compiler *c, const word_row *w, type_code t) {
    unsigned instead = stand_in_for(w->answer, t), empty = stand_in_for(w->empty, t), kept = kept_empty(c, w, t);
    if (!instead && c->safe && w->empty == ANSWER_SET) return FAILS_NONE_IS_SET;
    if (!instead) return c->safe && t == T_CELL && w->answer == ANSWER_MISSING ? FAILS_NONE_IS_TUPLE : 0;
    return (w->empty == ANSWER_FAILS || kept ? 0 : FAILS_EMPTY(empty)) | kept | (t == T_INT ? none_of(w) : 0) |
           (c->safe ? (unsigned)FAILS_NOBODY | FAILS_DEFAULT(instead) : 0);
}

#define EMPTY_MEANS                                                                                                    \
    (FAILS_EMPTY(7) | FAILS_KEEP_EMPTY | FAILS_KEEP_SET | FAILS_KEEP_TRUE) /* what only the kernel itself can heed */

static int is_data_step(const graph_step *s) { return s->kind == STEP_CONST || s->kind == STEP_INPUT; }

/* None, of which it is to be told how it compares. */
static int is_none_to_tell(const compiler *c, uint32_t step, unsigned fails) {
    int64_t number;
    int is_told = c->safe && fails & (FAILS_NONE_IS_ALIKE | FAILS_NONE_IS_LOWEST);
    return is_told && step_is_const(c, step, &number) && number == NONE;
}

/* The column with stand-ins. The step that has just been made gets them itself. One that was there before is the value
 * of another call, which has seen to it, or, if the compiler has made it for its own ends, is sheltered as it is. */
static uint32_t with_stand_ins(compiler *c, uint32_t step, unsigned fails, uint32_t first_new) {
    const graph_step *old = &c->steps[step];
    if (c->failed || !fails || (is_data_step(old) && !is_none_to_tell(c, step, fails))) return step;
    int is_new =
        step >= first_new && !is_data_step(old) && old->kind != STEP_REPEAT && old->kind != STEP_SECOND && !old->parent;
    if (is_new && (old->kind == STEP_KERNEL || fails_meaning(fails))) {
        graph_step s = step + 1 == c->count ? emit_take_back(c) : *old;
        s.fails |= old->kind == STEP_KERNEL ? fails : fails & ~EMPTY_MEANS;
        return emit(c, s);
    }
    if (!fails_meaning(fails) || (safe_is_sheltered(c, step) && !is_data_step(old))) return step;
    return emit(c, (graph_step){.kind = STEP_KERNEL,
                                .kernel_id = KERNEL_shelter,
                                .scope = old->scope,
                                .args = 1,
                                .arg = {step},
                                .fails = fails & ~EMPTY_MEANS});
}

int is_kept(const compiler *c, const value *v) {
    return c->safe && v->kind == V_DATA && c->steps[v->step].fails & FAILS_KEEP_EMPTY;
}

const value *as_seen(compiler *c, const value *v) {
    if (!is_kept(c, v)) return v;
    unsigned fails = (unsigned)FAILS_NOBODY | FAILS_DEFAULT(stand_in_for(ANSWER_MISSING, v->type));
    return make_data(c, with_stand_ins(c, v->step, fails, c->count), v->type);
}

const value *or_instead(compiler *c, unsigned stand_in, const value *v) {
    if (!v || v->kind != V_DATA || safe_is_sheltered(c, v->step)) return v;
    graph_step shelter = {.kind = STEP_KERNEL,
                          .kernel_id = KERNEL_shelter,
                          .scope = c->steps[v->step].scope,
                          .args = 1,
                          .arg = {v->step},
                          .fails = (unsigned)FAILS_NOBODY | FAILS_DEFAULT(stand_in)};
    return make_data(c, emit(c, shelter), v->type);
}

const value *is_there(compiler *c, const value *v) {
    uint32_t there = emit_kernel2(c, KERNEL_guard, 0, emit_const(c, 1), v->step);
    return or_instead(c, STAND_IN_ZERO, make_data(c, there, T_BOOL));
}

/* None that is known, with what the word says of it: what is a constant has no marks. */
static const value *marked_none(compiler *c, const word_row *w, const value *v) {
    int64_t known;
    if (!c->safe || v->type != T_INT || !none_of(w) || !step_is_const(c, v->step, &known) || known != NONE) return NULL;
    graph_step s = {.kind = STEP_KERNEL, .kernel_id = KERNEL_shelter, .scope = c->scope, .args = 1, .arg = {v->step}};
    s.fails = (unsigned)FAILS_NOBODY | FAILS_DEFAULT(STAND_IN_MISSING_INT) | none_of(w);
    return make_data(c, emit(c, s), T_INT);
}

static const value *finish(compiler *c, const word_row *w, const value *v, uint32_t first_new) {
    if (!v || c->failed) return NULL;
    const value *none = v->kind == V_DATA && w->empty == ANSWER_NAN ? marked_none(c, w, v) : NULL;
    if (none) return none;
    if (v->kind == V_DATA && v->step < first_new && is_kept(c, v)) return v; /* it is handed on as it is */
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

static int may_lack_key(int op) { return op == OP_get_nth_by_key || op == OP_get_nth_by_key_up; }

static int takes_so_many(const word_row *w, int count) {
    return count == op_rows[w->op].arity || (count == 2 && may_lack_key(w->op));
}

/* Whether an argument is a colour to paint with or to look for, or stays what it is, so that it may be a guest. */
static int is_colour(int op, int position) {
    switch (op) {
    case OP_recolor:
    case OP_canvas:
    case OP_insert:
    case OP_contained:
    case OP_remove:
    case OP_initset:
    case OP_identity: return position == 0;
    case OP_fill:
    case OP_underfill:
    case OP_ofcolor:
    case OP_colorcount:
    case OP_ascell:
    case OP_other: return position == 1;
    case OP_cellwise_filled:
    case OP_astriple: return position == 2;
    case OP_replace:
    case OP_switch:
    case OP_branch: return position > 0;
    default: return 0;
    }
}

/* Whether an argument is only put somewhere, or compared with others, so that none will do. */
static int is_handed_on(int op, int position) {
    return op == OP_equality || op == OP_astuple || op == OP_initset ||
           (position == 0 && (op == OP_insert || op == OP_repeat || op == OP_canvas)) ||
           (position == 0 && (op == OP_remove || op == OP_contained)) || (position && op == OP_other);
}

/* Whether an argument is asked for its truth or its locations first, so that what is none of either is as if empty. */
static int is_looked_at(const word_row *w, int position, int is_true) {
    switch (w->manner) {
    case MANNER_FALSY:
    case MANNER_FALSY_I:
    case MANNER_FALSY_O:
    case MANNER_CORNERS: return position == 0 && !is_true;
    case MANNER_PLACES_0:
    case MANNER_PLACES_1:
    case MANNER_PLACES_2: return position == word_position(w);
    default: return w->op == OP_manhattan || (w->op == OP_shift && position == 0 && !is_true);
    }
}

/* Whether arguments are added to each other, or computed with, which a set cannot be with a tuple. */
static int is_adding(const word_row *w) {
    if (w->manner == MANNER_PAIR_0 || w->manner == MANNER_PAIR_1) return w->op != OP_shift;
    return w->op == OP_vconcat || (w->op == OP_combine && w->manner == MANNER_ONLY_TUPLE);
}

/* Whether what is kept from those whom it would fail does not fail this argument. */
static int takes_what_is_kept(const compiler *c, const word_row *w, int position, const value *v) {
    if (v->kind != V_DATA) return 0;
    if (is_looked_at(w, position, c->steps[v->step].fails & FAILS_KEEP_TRUE ? 1 : 0)) return 1;
    return c->steps[v->step].fails & FAILS_KEEP_SET && !is_adding(w);
}

static int wants_container(unsigned code) {
    switch (code) {
    case SIG_A:
    case SIG_B:
    case SIG_BOOL:
    case SIG_CELL:
    case SIG_IJ:
    case SIG_IJ_LONG:
    case SIG_INT:
    case SIG_K:
    case SIG_NUM:
    case SIG_VALUE: return 0;
    default: return code < SIG_FN || code > SIG_FN_TEST;
    }
}

static int has_length(const value *v) {
    return v->kind == V_CHOICE || (v->kind == V_DATA && (type_is_container(v->type) || v->type == T_GRID));
}

#define FAILS_NONE_IS_CONTAINER (FAILS_NONE_IS_SET | FAILS_NONE_IS_TUPLE)

/* Whether an int, or a cell, may be an empty container, to a word that takes these for what they are. */
static int may_be_empty(const compiler *c, const word_row *w, int position, const value *const *given) {
    const value *v = given[position];
    if (!c->safe || position >= op_rows[w->op].arity) return 0;
    int hands_on = is_handed_on(w->op, position) && v->kind == V_DATA && v->type == T_CELL;
    int compares = (w->op == OP_equality && has_length(given[!position])) || (w->op == OP_shift && position == 1);
    if (!hands_on && !compares && !wants_container(op_rows[w->op].argument[position])) return 0;
    if (v->kind == V_DATA && v->type == T_CELL && safe_is_sheltered(c, v->step)) return 0;
    int is_told = is_in_text(c) || compares; /* of one type, whatever it is */
    return v->kind == V_DATA && c->steps[v->step].fails & FAILS_NONE_IS_CONTAINER && is_told;
}

/* Such a value as what it is: a choice of itself and, where there is none, of the empty container. */
static const value *value_or_empty(compiler *c, const value *v) {
    uint32_t some = is_there(c, v)->step; /* where there is none, a cell has failed */
    if (v->type == T_INT) {
        uint32_t none = emit_kernel2(c, KERNEL_equality, T_INT, v->step, emit_const(c, NONE));
        some = emit_kernel1(c, KERNEL_flip, 0, none);
    }
    const value *alone = make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, v->step, some), v->type);
    int is_set = c->steps[v->step].fails & FAILS_NONE_IS_SET ? 1 : 0;
    const value *empty = is_set ? make_const(c, 0, type_set(T_NEVER)) : missing_tuple(c);
    return alone ? make_choice(c, some, alone, empty) : NULL;
}

const value *word_item(compiler *c, const value *v) {
    int is_cell = c->safe && c->triples && v->kind == V_DATA && v->type == T_CELL && is_in_text(c);
    int may_lack_it = is_cell && c->steps[v->step].fails & FAILS_NONE_IS_CONTAINER && !safe_is_sheltered(c, v->step);
    return may_lack_it ? value_or_empty(c, v) : word_result(c, v);
}

/* Whether the word takes an argument for what it is not, where that is a container of functions that has none. */
static int may_take_empty(const compiler *c, const word_row *w, int position) {
    if (!c->safe || position >= op_rows[w->op].arity || !is_in_text(c)) return 0;
    switch (op_rows[w->op].argument[position]) {
    case SIG_NUM:
    case SIG_IJ:
    case SIG_IJ_LONG:
    case SIG_PATCH:
    case SIG_PIECE:
    case SIG_ELEMENT:
    case SIG_OBJECT:
    case SIG_CELLS:
    case SIG_INDICES:
    case SIG_GRID: return 1;
    default: return 0;
    }
}

/* Such a container as what it is: a choice of itself and, where it has none, of an empty one; NULL: that is known. */
static const value *functions_or_empty(compiler *c, const value *v) {
    uint32_t saved = c->scope;
    c->scope = c->scopes[v->scope].parent; /* one condition, on whatever side this is */
    const value *some = as_truth(c, v), *empty = v->is_set ? make_const(c, 0, type_set(T_NEVER)) : missing_tuple(c);
    c->scope = saved;
    return some && side_of(c, some->step) < 0 ? make_choice(c, some->step, v, empty) : NULL;
}

/* A tuple with a choice among its items as a choice of tuples; NULL: it has none, or it is known here which it is. */
static const value *tuple_or_tuple(compiler *c, const value *v) {
    const value *item[2][MAX_STATIC], *choice = NULL;
    if (v->kind != V_TUPLE || v->is_set || !static_fits(c, v->count)) return NULL;
    for (int i = 0; i < v->count && !choice; i++)
        if (v->part[i]->kind == V_CHOICE && c->steps[v->part[i]->step].scope <= SCOPE_LANES) choice = v->part[i];
    if (!choice || side_of(c, choice->step) >= 0) return NULL;
    for (int i = 0; i < v->count; i++)
        for (int side = 0; side < 2; side++) {
            const value *part = v->part[i];
            item[side][i] = part->kind == V_CHOICE && part->step == choice->step ? part->part[side] : part;
        }
    const value *yes = make_tuple(c, 0, v->count, item[0]), *no = yes ? make_tuple(c, 0, v->count, item[1]) : NULL;
    return no ? make_choice(c, choice->step, yes, no) : NULL;
}

static const value *run(compiler *c, int callable, int count, const value *const *given) {
    const word_row *w = callable_word(callable);
    const value *arg[8];
    if (count > 4) return reject(c, "%s takes %d arguments, %d given", w->name, op_rows[w->op].arity, count);
    for (int i = 0; i < count; i++) {
        const value *sides = NULL;
        if (given[i]->kind == V_EACH && may_take_empty(c, w, i)) sides = functions_or_empty(c, given[i]);
        if (given[i]->kind == V_TUPLE && may_take_empty(c, w, i)) sides = tuple_or_tuple(c, given[i]);
        if (may_be_guest(c, given[i]) && !is_colour(w->op, i)) sides = guest_or_int(c, given[i]);
        if (sides) return run_sides(c, sides, run_word_side, &(word_side){callable, count, i, given});
    }
    for (int i = 0; i < count; i++)
        if (is_mix_to_tell(c, w, i, given[i]))
            return run_sides(c, location_or_cell(c, given[i]), run_word_side, &(word_side){callable, count, i, given});
    for (int i = 0; i < count; i++)
        if (may_be_empty(c, w, i, given))
            return run_sides(c, value_or_empty(c, given[i]), run_word_side, &(word_side){callable, count, i, given});
    const value *odd = count == op_rows[w->op].arity ? odd_given(c, w, given) : NULL;
    if (odd || c->failed) return odd;
    for (int i = 0; i < count; i++) {
        if (given[i]->kind == V_CHOICE && (w->manner != MANNER_AS_IS || !takes_choice(w->op, i)))
            return run_sides(c, given[i], run_word_side, &(word_side){callable, count, i, given});
        const value *taken = takes_what_is_kept(c, w, i, given[i]) ? as_seen(c, given[i]) : given[i];
        if (!taken || !(arg[i] = take_argument(c, w, i, taken))) return NULL;
        if (is_handed_on(w->op, i) && !(arg[i] = as_seen(c, arg[i]))) return NULL;
    }
    if (may_lack_key(w->op) && count == 2) arg[count++] = make_op(c, OP_identity);
    const value *known = count == op_rows[w->op].arity ? odd_taken(c, w, arg, given) : NULL;
    return known || c->failed ? known : call_op(c, w->op, count, arg);
}

/* A function that a word calls, which may be none within; NULL: it calls none such. */
static const value *doubtful_function(compiler *c, const word_row *w, int count, const value *const *given) {
    const value *found = NULL;
    const op_row *row = &op_rows[w->op];
    if (!c->safe || row->family == FAMILY_function || !is_in_text(c)) return NULL;
    for (int i = 0; i < count && i < row->arity && !found; i++)
        if (row->argument[i] >= SIG_FN && row->argument[i] <= SIG_FN_TEST) found = choice_to_call(c, given[i]);
    return found;
}

/* Whether a word gives each element of a container to a function, or asks where it is. */
static int looks_into(const op_row *row, int position) {
    unsigned code = row->argument[position];
    return row->family == FAMILY_higher || code == SIG_PATCH || code == SIG_PIECE;
}

/* Corners of what is empty are a set of (), which is no location to who looks into it; NULL: there are none among the
 * arguments, or which they are is known here. */
static const value *corners_or_nothing(compiler *c, const word_row *w, int count, const value *const *given,
                                       int *position) {
    const op_row *row = &op_rows[w->op];
    int may_be = c->safe && is_in_text(c);
    for (int i = 0; may_be && i < count && i < row->arity; i++) {
        const graph_step *s = given[i]->kind == V_DATA ? &c->steps[given[i]->step] : NULL;
        if (!s || s->kind != STEP_KERNEL || s->kernel_id != KERNEL_corners || s->scope > SCOPE_LANES) continue;
        if (!looks_into(row, i)) continue;
        uint32_t saved = enter_scope_of(c, given[i]); /* one condition, on whatever side this is */
        const value *nothing = call_one(c, OP_initset, make_const(c, EMPTY_IJ, T_IJ));
        const value *alone = call_two(c, OP_equality, given[i], nothing);
        c->scope = saved;
        if (!alone || side_of(c, alone->step) >= 0) continue;
        *position = i;
        return make_choice(c, alone->step, call_one(c, OP_initset, missing_tuple(c)), given[i]);
    }
    return NULL;
}

const value *call_word(compiler *c, int callable, int count, const value *const *given) {
    const word_row *w = callable_word(callable);
    uint32_t first_new = c->count, scope = c->scope;
    arcl_error *error = c->error;
    int depth = c->depth;
    if (c->failed) return NULL;
    for (int i = 0; c->safe && i < count; i++)
        if (is_dead(given[i])) return given[i]; /* an element of a container that has none */
    if (c->safe && !takes_so_many(w, count)) return default_of_wrong_call(c, w, word_miscounted(w));
    const value *doubtful = doubtful_function(c, w, count, given);
    if (doubtful) return run_sides(c, doubtful, run_word_side, &(word_side){callable, count, -1, given});
    int position;
    const value *corners = corners_or_nothing(c, w, count, given, &position);
    if (corners) return run_sides(c, corners, run_word_side, &(word_side){callable, count, position, given});
    c->error = NULL; /* nobody will read it */
    const value *result = run(c, callable, count, given);
    c->error = error;
    if (!result && !c->fatal && (c->safe || !c->trying)) {
        c->failed = 0;
        c->depth = depth;
        c->scope = scope;
        result = dead_value(c);
    }
    if (c->safe && result && is_dead(result)) {
        if (!is_wrong_call(c, result)) return answer_of(c, w);
        const value *wrong = default_of_wrong_call(c, w, w->answer);
        return wrong ? odd_where_empty(c, callable, count, given, wrong) : NULL;
    }
    return finish(c, w, result, first_new);
}
