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
    case T_IJ: return answer == ANSWER_ZERO ? STAND_IN_ZERO : STAND_IN_MISSING_IJ;
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

static unsigned fails_of(const compiler *c, const word_row *w, type_code t) {
    unsigned instead = stand_in_for(w->answer, t), empty = stand_in_for(w->empty, t);
    unsigned is_kept = c->safe && w->empty == ANSWER_NONE && (type_is_container(t) || t == T_GRID);
    if (!instead) return 0;
    return (w->empty == ANSWER_FAILS || is_kept ? 0 : FAILS_EMPTY(empty)) | (is_kept ? FAILS_KEEP_EMPTY : 0) |
           (c->safe ? (unsigned)FAILS_NOBODY | FAILS_DEFAULT(instead) : 0);
}

#define EMPTY_MEANS (FAILS_EMPTY(3) | FAILS_KEEP_EMPTY) /* what only the kernel itself can heed */

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

/* Ops that do not look at all of their arguments; NULL: this one does. */
static const value *run_careless(compiler *c, const word_row *w, const value *const *arg) {
    switch (w->op) {
    case OP_mir_rot_t:
    case OP_mir_rot_f: return is_int(arg[1]) || arg[1]->kind == V_CHOICE ? NULL : arg[0];
    case OP_corner: return is_int(arg[1]) || arg[1]->kind == V_CHOICE ? NULL : call_one(c, OP_ulcorner, arg[0]);
    case OP_fill:
    case OP_underfill: return is_int(arg[1]) || arg[1]->kind == V_CHOICE ? NULL : fill_nothing(c, arg[0], arg[2]);
    default: return NULL;
    }
}

static const value *run(compiler *c, int callable, int count, const value *const *given) {
    const word_row *w = callable_word(callable);
    const value *arg[8];
    if (count > 4) return reject(c, "%s takes %d arguments, %d given", w->name, op_rows[w->op].arity, count);
    for (int i = 0; i < count; i++) {
        int choosing = given[i]->kind == V_CHOICE && w->manner != MANNER_AS_IS;
        if (choosing) return run_sides(c, given[i], run_word_side, &(word_side){callable, count, i, given});
        if (!(arg[i] = take_argument(c, w, i, given[i]))) return NULL;
    }
    if (may_lack_key(w->op) && count == 2) arg[count++] = make_op(c, OP_identity);
    const value *known = count == op_rows[w->op].arity ? run_careless(c, w, arg) : NULL;
    return known || c->failed ? known : call_op(c, w->op, count, arg);
}

const value *call_word(compiler *c, int callable, int count, const value *const *given) {
    const word_row *w = callable_word(callable);
    uint32_t first_new = c->count, scope = c->scope;
    arcl_error *error = c->error;
    int depth = c->depth;
    if (c->failed) return NULL;
    c->error = NULL; /* nobody will read it */
    const value *result = run(c, callable, count, given);
    c->error = error;
    if (!result && !c->fatal && (c->safe || !c->trying)) {
        c->failed = 0;
        c->depth = depth;
        c->scope = scope;
        result = dead_value(c);
    }
    if (c->safe && result && is_dead(result)) return default_of(c, w);
    return finish(c, w, result, first_new);
}
