/* Whether it is known how many elements a set of functions has. An op is one element, however often it is put in.
 * Functions that are made alike are one element if they are one function, and two if they are made twice: the normal
 * form does not tell the two apart, so nobody can count them, but for lines of batteries, each of which is there once.
 * Data beside functions is one element or another lane by lane. */
#include "compile/compiler.h"

static int is_within(const compiler *c, uint32_t scope, uint32_t outer) {
    while (scope != outer && c->scopes[scope].depth > c->scopes[outer].depth) scope = c->scopes[scope].parent;
    return scope == outer;
}

static int depends_on(const compiler *c, const value *v, uint32_t scope) {
    if ((v->kind == V_DATA || v->kind == V_CHOICE) && is_within(c, c->steps[v->step].scope, scope)) return 1;
    for (int i = 0; i < v->count; i++)
        if (depends_on(c, v->part[i], scope)) return 1;
    return 0;
}

/* Whether every element of the scope has a function of its own in it: one that was made of the element. */
static int is_made_each_time(const compiler *c, const value *v, uint32_t scope) {
    if (v->kind == V_FUNCTION) return v->form != F_OP && v->form != F_DEFINED && depends_on(c, v, scope);
    for (int i = 0; v->kind == V_TUPLE && i < v->count; i++)
        if (is_made_each_time(c, v->part[i], scope)) return 1;
    return 0;
}

/* Whether two elements may be equal in some lane. Of constants it is known; items of other sets are not looked into. */
static int may_be_equal(const compiler *c, const value *a, const value *b) {
    int64_t x, y;
    if (may_be_same(c, a, b)) return 1;
    if (a->kind == V_DATA && b->kind == V_DATA)
        return type_unify(a->type, b->type) &&
               !(step_is_const(c, a->step, &x) && step_is_const(c, b->step, &y) && x != y);
    if (a->kind != V_TUPLE || b->kind != V_TUPLE || a->is_set != b->is_set) return 0;
    for (int i = 0; !a->is_set && i < a->count && i < b->count; i++)
        if (!may_be_equal(c, a->part[i], b->part[i])) return 0;
    return a->is_set || a->count == b->count;
}

static int has_alike(const compiler *c, const value *v) {
    for (int i = 0; i < v->count; i++)
        for (int j = 0; j < i; j++)
            if (may_be_equal(c, v->part[i], v->part[j])) return 1;
    return 0;
}

/* Whether one of the items is in another container, too. */
static int have_in_common(const compiler *c, const value *a, const value *b) {
    if (a->kind != V_TUPLE || b->kind != V_TUPLE) return 0;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            if (may_be_equal(c, a->part[i], b->part[j])) return 1;
    return 0;
}

static int elements_differ(const compiler *c, const value *v) {
    if (v->kind == V_EACH) return c->steps[v->step].kind == STEP_EACH && is_made_each_time(c, v->part[0], v->scope);
    if (v->kind != V_TUPLE && v->kind != V_UNION) return 1;
    if (has_alike(c, v)) return 0;
    for (int i = 0; v->kind == V_UNION && i < v->count; i++) {
        if (!elements_differ(c, v->part[i])) return 0;
        for (int j = 0; j < i; j++)
            if (have_in_common(c, v->part[i], v->part[j])) return 0;
    }
    return 1;
}

const value *distinct_functions(compiler *c, const value *tuple) {
    const value *item[MAX_STATIC];
    int count = 0;
    if (tuple->kind == V_TUPLE && static_fits(c, tuple->count)) {
        for (int i = 0; i < tuple->count; i++) {
            int is_new = 1;
            for (int j = 0; j < count; j++) is_new = is_new && !may_be_same(c, item[j], tuple->part[i]);
            if (is_new) item[count++] = tuple->part[i];
        }
        tuple = make_tuple(c, 0, count, item);
    }
    if (!tuple || elements_differ(c, tuple)) return tuple;
    return reject(c, "of functions that are made alike, or of values beside functions, nobody knows which are equal");
}

int is_countable(compiler *c, const value *v) {
    if (v->kind < V_TUPLE || !v->is_set || elements_differ(c, v)) return 1;
    reject(
        c,
        "a set of functions that are made alike, or of values beside functions that may be equal, cannot be counted");
    return 0;
}
