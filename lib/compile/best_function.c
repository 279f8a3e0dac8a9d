/* argmax and argmin over containers of functions that a scope made, or over several of these together: which one is
 * best is known only per lane, so the answer is a choice. Keys are ints. Of equal keys the first wins within a part;
 * parts come in the order in which they were put together. */
#include "compile/compiler.h"

typedef struct part {
    const value *element; /* in `scope` */
    uint32_t scope;
    uint32_t keys;     /* lists, in the scope above */
    uint32_t nonempty; /* per lane above */
    uint32_t best;     /* key, likewise; 0 if there is none */
    uint32_t chosen;   /* whether this part has the best of it and all that follow */
} part;

typedef struct best {
    int op, count;
    part part[MAX_STATIC];
} best;

static int prepare_part(compiler *c, int op, const value *f, const value *each, part *p) {
    uint32_t saved = c->scope;
    if (each->kind != V_EACH) return reject_argument(c, op, 0, each, "a container made by mapping") != NULL;
    if (!open_over(c, STEP_EACH, 0, 1, &each, &p->element)) return 0;
    p->scope = c->scope;
    const value *key = call1(c, f, p->element);
    c->scope = saved;
    if (!key) return 0;
    if (key->kind != V_DATA || (key->type != T_INT && key->type != T_BOOL)) {
        reject(c, "%s: over functions the keys must be ints", op_rows[op].name);
        return 0;
    }
    p->keys = emit_close(c, key->step, p->scope, 0);
    p->nonempty = emit_kernel1(c, KERNEL_truth_list, 0, p->keys);
    p->best = emit_kernel1(c, op == OP_argmax ? KERNEL_maximum : KERNEL_minimum, 0, p->keys);
    return !c->failed;
}

/* Per part, from the last to the first: whether it is better than all that follow. */
static void compare_parts(compiler *c, best *b) {
    uint32_t best_after = b->part[b->count - 1].best, some_after = b->part[b->count - 1].nonempty;
    for (int i = b->count - 2; i >= 0; i--) {
        part *p = &b->part[i];
        uint32_t beaten = b->op == OP_argmax ? emit_kernel2(c, KERNEL_greater, 0, best_after, p->best)
                                             : emit_kernel2(c, KERNEL_greater, 0, p->best, best_after);
        uint32_t kept = emit_kernel1(c, KERNEL_flip, 0, emit_kernel2(c, KERNEL_both, 0, some_after, beaten));
        p->chosen = emit_kernel2(c, KERNEL_both, 0, p->nonempty, kept);
        uint32_t branch[3] = {p->chosen, p->best, best_after};
        best_after = emit_kernel(c, KERNEL_branch, 0, 3, branch);
        some_after = emit_kernel2(c, KERNEL_either, 0, p->nonempty, some_after);
    }
}

typedef struct pick {
    unsigned kernel;
    uint32_t keys;
} pick;

/* A column that the functions captured, of each lane's best one. */
static uint32_t pick_column(compiler *c, uint32_t column, uint32_t inner, const void *arg) {
    const pick *p = arg;
    uint32_t saved = c->scope;
    c->scope = c->scopes[inner].parent;
    uint32_t lists = emit_close(c, column, inner, 0);
    c->scope = saved;
    return emit_kernel2(c, p->kernel, T_INT, lists, p->keys);
}

static const value *pick_from(compiler *c, const best *b, int i) {
    const part *p = &b->part[i];
    pick how = {b->op == OP_argmax ? KERNEL_argmax : KERNEL_argmin, p->keys};
    uint32_t saved, yes_scope, no_scope;
    if (i == b->count - 1) return lift_value(c, p->element, p->scope, pick_column, &how);
    when_begin(c, p->chosen, 1, &saved);
    yes_scope = c->scope;
    const value *yes = lift_value(c, p->element, p->scope, pick_column, &how);
    when_end(c, saved);
    when_begin(c, p->chosen, 0, &saved);
    no_scope = c->scope;
    const value *no = pick_from(c, b, i + 1);
    when_end(c, saved);
    return yes && no ? when_join(c, p->chosen, yes, yes_scope, no, no_scope) : NULL;
}

const value *best_function(compiler *c, int op, const value *container, const value *f) {
    best b = {.op = op, .count = container->kind == V_UNION ? container->count : 1};
    if (!static_fits(c, b.count)) return NULL;
    for (int i = 0; i < b.count; i++)
        if (!prepare_part(c, op, f, container->kind == V_UNION ? container->part[i] : container, &b.part[i]))
            return NULL;
    compare_parts(c, &b);
    return c->failed ? NULL : pick_from(c, &b, 0);
}
