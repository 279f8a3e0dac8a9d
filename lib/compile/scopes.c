/* Scopes over containers of anything: besides data, containers of functions, whose captured columns come along. */
#include "compile/compiler.h"

uint32_t lists_of(compiler *c, const value *each) {
    uint32_t saved = c->scope;
    const graph_step *opener = &c->steps[scope_opener(c, each->scope)];
    if (opener->kind == STEP_EACH) return opener->arg[0];
    c->scope = c->scopes[each->scope].parent;
    uint32_t lists = emit_close(c, scope_opener(c, each->scope), each->scope, 0);
    c->scope = saved;
    return lists;
}

/* A column of a V_EACH's scope, in another scope over the same containers. */
static uint32_t along(compiler *c, uint32_t column, uint32_t inner, const void *side) {
    uint32_t saved = c->scope;
    c->scope = c->scopes[inner].parent;
    uint32_t lists = emit_close(c, column, inner, 0);
    c->scope = saved;
    graph_step s = {.kind = STEP_ALONG, .scope = c->scope, .args = 1, .arg = {lists}, .imm = *(const uint64_t *)side};
    return emit(c, s);
}

/* Whether a container of data is made of all pairs, or of pairs in step, of elements of two others. Such pairs need not
 * be looked for in memory: a scope over the two has their items at hand, and its lanes are in the same order. Where a
 * pair is one word there is nothing to be gained. */
static int is_made_of_pairs(const compiler *c, const value *container, int *kind) {
    const graph_step *s = &c->steps[container->step];
    if (container->kind != V_DATA || s->kind != STEP_KERNEL || s->imm != PAIR_RECORD) return 0;
    *kind = s->kernel_id == KERNEL_product ? STEP_CROSS : STEP_ZIP;
    return kernel_has(s->kernel_id, PAIRS_UP);
}

/* The elements of the second container, in the present scope, which `opener` has opened over two. */
static uint32_t emit_second(compiler *c, uint32_t opener) {
    return emit(c, (graph_step){.kind = STEP_SECOND, .scope = c->scope, .args = 1, .arg = {opener}});
}

static const value *open_over_pairs(compiler *c, int kind, const value *container) {
    const graph_step made = c->steps[container->step];
    uint32_t opener = emit_open(c, kind, 0, 2, made.arg[0], made.arg[1]);
    uint32_t packed = emit_kernel2(c, KERNEL_pack_two, 0, opener, emit_second(c, opener));
    const value *pair = make_data(c, packed, type_element(container->type));
    for (int i = 0; i < 2 && pair; i++) item_of_tuple(c, pair, i); /* says what types the items have */
    return pair;
}

int open_over(compiler *c, int kind, uint64_t imm, int count, const value *const *container, const value **element) {
    uint32_t lists[2] = {0, 0};
    for (int i = 0; i < count; i++)
        lists[i] = container[i]->kind == V_EACH ? lists_of(c, container[i]) : container[i]->step;
    if (kind == STEP_EACH && container[0]->kind == V_EACH && c->scopes[container[0]->scope].parent == c->scope &&
        !imm) {
        c->scope = container[0]->scope; /* right there already */
        element[0] = container[0]->part[0];
        return !c->failed;
    }
    int pairs;
    if (kind == STEP_EACH && !imm && is_made_of_pairs(c, container[0], &pairs)) {
        element[0] = open_over_pairs(c, pairs, container[0]);
        return !c->failed;
    }
    uint32_t opener = emit_open(c, kind, imm, count, lists[0], lists[1]);
    for (int i = 0; i < count && !c->failed; i++) {
        uint64_t side = (uint64_t)i;
        if (container[i]->kind == V_EACH) {
            element[i] = lift_value(c, container[i]->part[0], container[i]->scope, along, &side);
            continue;
        }
        element[i] = make_data(c, i ? emit_second(c, opener) : opener, type_element(container[i]->type));
    }
    return !c->failed;
}

uint32_t enter_scope_of(compiler *c, const value *v) {
    uint32_t saved = c->scope, scope = c->steps[v->step].scope;
    c->scope = scope > SCOPE_LANES ? scope : SCOPE_LANES;
    return saved;
}

/* Whether the choice is one of the lanes above: the same for all elements of a lane's container. */
int choice_is_above(const compiler *c, const value *v, uint32_t scope) {
    return v->kind == V_CHOICE && c->scopes[c->steps[v->step].scope].depth < c->scopes[scope].depth;
}

const value *collect(compiler *c, const value *result, uint32_t scope, unsigned kind) {
    if (choice_is_above(c, result, scope)) {
        const value *yes = collect(c, result->part[0], scope, kind), *no = collect(c, result->part[1], scope, kind);
        return yes && no ? make_choice(c, result->step, yes, no) : NULL;
    }
    const value *ints = result->kind == V_CHOICE ? choice_as_guests(c, result, scope) : NULL;
    if (c->failed) return NULL;
    if (ints) result = ints;
    if (result->kind != V_DATA) return make_each(c, kind == T_SET, scope, result);
    uint32_t lists = emit_close(c, result->step, scope, 0);
    if (kind == T_SET) {
        uint32_t sorted = emit_kernel1(c, KERNEL_setify, type_to_sort(c, result->type), lists);
        return make_data(c, sorted, type_set(result->type));
    }
    return make_data(c, lists, type_tuple(result->type));
}

const value *map_each_of(compiler *c, const value *container,
                         const value *(*f)(compiler *, const value *, const void *), const void *arg) {
    const value *tuple = as_container(c, container), *element;
    uint32_t saved = c->scope;
    if (!tuple || !open_over(c, STEP_EACH, 0, 1, &tuple, &element)) return NULL;
    uint32_t scope = c->scope;
    const value *made = f(c, element, arg);
    c->scope = saved;
    return made ? collect(c, made, scope, T_TUPLE) : NULL;
}

/* Results of the parts of a union, together again. */
static const value *unite_parts(compiler *c, int is_set, int count, const value *const *part) {
    const value *all = part[0];
    for (int i = 0; i < count; i++)
        if (part[i]->kind != V_DATA) return make_union(c, is_set, count, part);
    if (is_set && type_head(all->type) != T_SET) all = as_set(c, as_container(c, all));
    for (int i = 1; i < count && all; i++) {
        const value *two[2] = {all, part[i]};
        all = call_op(c, OP_combine, 2, two);
    }
    return all;
}

const value *map_special(compiler *c, const value *container,
                         const value *(*f)(compiler *, const value *, const void *), const void *arg) {
    const value *part[MAX_STATIC] = {NULL};
    if (!static_fits(c, container->count)) return NULL;
    if (container->kind == V_EACH) {
        const value *element = NULL;
        uint32_t saved = c->scope;
        if (!open_over(c, STEP_EACH, 0, 1, &container, &element)) return NULL;
        uint32_t scope = c->scope;
        const value *result = f(c, element, arg);
        c->scope = saved;
        return result ? collect(c, result, scope, container->is_set ? T_SET : T_TUPLE) : NULL;
    }
    for (int i = 0; i < container->count; i++) {
        const value *item = container->part[i];
        part[i] = container->kind == V_UNION ? map_special(c, item, f, arg) : f(c, item, arg);
        if (!part[i]) return NULL;
    }
    if (container->kind == V_UNION) return unite_parts(c, container->is_set, container->count, part);
    return make_tuple(c, container->is_set, container->count, part);
}

/* ---- product ---- */

typedef struct paired {
    const value *other;
    int first; /* whether the other comes first */
} paired;

static const value *pair_with(compiler *c, const value *item, const void *arg) {
    const paired *p = arg;
    const value *two[2] = {p->first ? p->other : item, p->first ? item : p->other};
    return make_tuple(c, 0, 2, two);
}

/* Every item of `known` with every element of the other container. */
static const value *product_known(compiler *c, const value *known, const value *other, int known_first) {
    const value *part[MAX_STATIC] = {NULL};
    if (!static_fits(c, known->count)) return NULL;
    for (int i = 0; i < known->count; i++) {
        paired p = {known->part[i], known_first};
        part[i] = map_special(c, other, pair_with, &p);
        if (!part[i]) return NULL;
    }
    return make_union(c, 1, known->count, part);
}

/* A container of data as one whose elements the compiler handles. */
static const value *as_special(compiler *c, const value *v) {
    if (v->kind >= V_TUPLE) return v;
    const value *container = as_container(c, v), *element = NULL;
    uint32_t saved = c->scope;
    if (!container) return reject_argument(c, OP_product, 0, v, "a container");
    if (!open_over(c, STEP_EACH, 0, 1, &container, &element)) return NULL;
    uint32_t scope = c->scope;
    c->scope = saved;
    return make_each(c, type_head(container->type) == T_SET, scope, element);
}

/* Of containers taken together: the products of each. */
static const value *product_of_parts(compiler *c, const value *all, const value *other, int all_first) {
    const value *part[MAX_STATIC] = {NULL};
    if (!static_fits(c, all->count) || !may_unfold(c)) return NULL;
    for (int i = 0; i < all->count; i++) {
        const value *one = all->part[i];
        part[i] = all_first ? product_special(c, one, other) : product_special(c, other, one);
        if (!part[i]) return NULL;
    }
    return make_union(c, 1, all->count, part);
}

const value *product_special(compiler *c, const value *a, const value *b) {
    a = as_special(c, a);
    b = a ? as_special(c, b) : NULL;
    if (!b) return NULL;
    int unites = c->safe && c->triples && (a->kind == V_UNION || b->kind == V_UNION);
    if (unites) return a->kind == V_UNION ? product_of_parts(c, a, b, 1) : product_of_parts(c, b, a, 0);
    if (a->kind == V_TUPLE) return product_known(c, a, b, 1);
    if (b->kind == V_TUPLE) return product_known(c, b, a, 0);
    if (a->kind == V_UNION || b->kind == V_UNION)
        return reject(c, "product of such containers of functions is not supported");
    const value *container[2] = {a, b}, *element[2];
    uint32_t saved = c->scope;
    if (!open_over(c, STEP_CROSS, 0, 2, container, element)) return NULL;
    uint32_t scope = c->scope;
    const value *two = make_tuple(c, 0, 2, element);
    c->scope = saved;
    return two ? collect(c, two, scope, T_SET) : NULL;
}
