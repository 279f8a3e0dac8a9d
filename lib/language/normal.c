/* Makes normal forms. Expressions become nodes of a graph, equal ones the same node; the graph is written down again,
 * from the result. Works on the tree alone: knows nothing of text or types. */
#include "language/normal.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define COORDINATES (1 << 23) /* numbers below it in size make pairs that are constants */

typedef struct node {
    expression value;     /* its items are filled in when the node is written down */
    expression name;      /* a leaf itself, or the variable that the node has become */
    struct node **part;   /* as many as value.count; they come before the node in the graph's array */
    uint64_t hash;        /* of its structure: the same wherever it was written */
    int8_t arity;         /* of what is a function for certain; else 0 */
    uint8_t needed_later; /* a statement needs it that the result does not need */
    uint8_t may_fail;     /* a lane, or the compiler */
    uint8_t written;
    uint16_t next; /* the part that comes next while it is being written down */
} node;

typedef struct graph {
    pool *memory;
    node *at;
    uint32_t count;
    uint32_t leaves; /* of these */
    uint32_t *slot;  /* hashed: node + 1, or 0 */
    uint32_t slots;
    node **variable; /* what each variable of the definition stands for now */
    int failed;      /* for want of memory */
    definition *made;
    statement **tail;
} graph;

/* ---- nodes ---- */

static int is_leaf(const node *n) { return n->value.kind != E_TUPLE && n->value.kind != E_CALL; }

#define MIXED(h) ((h)*0x9e3779b97f4a7c15u ^ (h)*0x9e3779b97f4a7c15u >> 29)
static uint64_t mix(uint64_t h, uint64_t more) { return MIXED(h ^ more); }

/* A parameter counts by its name, which is `second` of its leaf, not by its place among the parameters: the text of a
 * battery has the parameters of all programs, and each of these is to be the program that it is alone. */
static uint64_t hash_node(const node *n) {
    uint32_t number = (uint32_t)n->value.number, second = (uint32_t)n->value.second;
    if (n->value.kind == E_NAME) {
        number = second;
        second = 0;
    } else if (n->value.kind == E_DEFINED) { /* what it says, not where it is */
        number = (uint32_t)n->value.defined->key.low;
        second = (uint32_t)(n->value.defined->key.low >> 32);
    }
    uint64_t h = mix((uint64_t)n->value.kind << 16 | n->value.count, number);
    h = mix(h, second);
    for (int i = 0; i < n->value.count; i++) h = mix(h, n->part[i]->hash);
    return h;
}

/* But for items. */
static int says_the_same(const expression *a, const expression *b) {
    if (a->kind != b->kind || a->count != b->count) return 0;
    if (a->kind == E_TUPLE || a->kind == E_CALL) return 1;
    if (a->number == b->number && a->second == b->second) return 1;
    return a->kind == E_DEFINED && same_key(a->defined->key, b->defined->key);
}

static int is_same(const node *a, const node *b) {
    return a->hash == b->hash && says_the_same(&a->value, &b->value) &&
           (a->value.count == 0 || memcmp(a->part, b->part, a->value.count * sizeof *a->part) == 0);
}

/* How many arguments the function takes that a call of this op makes, if that is certain; else 0. */
static int made_arity(int op, const node *call) {
    /* Of those that make functions: how many there are among their arguments; they come first. */
    static const uint8_t functions[OP_COUNT] = {[OP_compose] = 2, [OP_chain] = 3, [OP_fork] = 3, [OP_matcher] = 1,
                                                [OP_power] = 1,   [OP_lbind] = 1, [OP_rbind] = 1};
    if (!functions[op] || call->value.count != op_rows[op].arity + 1) return 0;
    for (int a = 1; a <= functions[op]; a++)
        if (call->part[a]->arity < 1) return 0;
    if (op == OP_power && call->part[2]->value.kind != E_INT) return 0;
    return op == OP_lbind || op == OP_rbind ? call->part[1]->arity - 1 : 1;
}

/* Ops whose calls cannot fail, whatever their arguments are. */
static int accepts_anything(int op) { return op == OP_equality || op == OP_initset; }

/* Whether leaving the node out could be noticed where nobody uses it. */
static void judge(node *n) {
    const node *callee = n->value.kind == E_CALL ? n->part[0] : NULL;
    int op = callee && callee->value.kind == E_OP ? callable_op(callee->value.number) : -1;
    if (n->value.kind == E_DEFINED) n->arity = (int8_t)n->value.defined->parameters;
    if (!callee) return;
    if (op >= 0) n->arity = (int8_t)made_arity(op, n);
    n->may_fail = n->arity < 1 && !(op >= 0 && accepts_anything(op) && n->value.count == op_rows[op].arity + 1);
}

/* Most leaves are ops, which are the same nodes in every graph; their positions do not matter. */
enum {
#define OP(name, family, parameters, arity, ...) ARITY_##name = arity,
#include "ops/all_ops.def"
#undef OP
};
#define CALLABLE(callable, takes)                                                                                      \
    {.value = {.kind = E_OP, .number = callable},                                                                      \
     .name = {.kind = E_OP, .number = callable},                                                                       \
     .hash = MIXED(MIXED((uint64_t)E_OP << 16 ^ (uint64_t)(callable))),                                                \
     .arity = takes,                                                                                                   \
     .written = 1},
static const node callables[CALLABLE_COUNT] = {
#define OP(name, ...) CALLABLE(OP_##name, ARITY_##name)
#include "ops/all_ops.def"
#undef OP
#define WORD(name, op, ...) CALLABLE(OP_COUNT + WORD_##name, ARITY_##op)
#include "ops/tokpidjin.def"
#undef WORD
};

/* The node of that value, whose items are the given nodes. */
static node *intern(graph *g, expression value, node **part) {
    node *n = &g->at[g->count]; /* stays the next free one, should there be such a node already */
    *n = (node){.value = value, .name = value, .part = part};
    n->hash = hash_node(n);
    for (uint64_t h = n->hash;; h++) {
        uint32_t *slot = &g->slot[h & (g->slots - 1)];
        if (*slot && is_same(&g->at[*slot - 1], n)) return &g->at[*slot - 1];
        if (*slot) continue;
        *slot = ++g->count;
        n->written = (uint8_t)is_leaf(n); /* wherever it is used */
        g->leaves += n->written;
        judge(n);
        return n;
    }
}

static node *intern_leaf(graph *g, int kind, int32_t number, int32_t second, uint32_t at) {
    return intern(g, (expression){.kind = (uint8_t)kind, .number = number, .second = second, .at = at}, NULL);
}

/* ---- what is the same though it is written otherwise ---- */

static int is_call_of(const expression *e, node *const *part, int op, int arguments) {
    return e->kind == E_CALL && e->count == arguments + 1 && part[0]->value.kind == E_OP &&
           callable_op(part[0]->value.number) == op;
}

static int is_coordinate(const node *n) {
    return n->value.kind == E_INT && n->value.number > -COORDINATES && n->value.number < COORDINATES;
}

static node *intern_simplified(graph *g, expression e, node **part) {
    if (is_call_of(&e, part, OP_identity, 1)) return part[1];
    if (is_call_of(&e, part, OP_astuple, 2)) {
        e.kind = E_TUPLE;
        e.count = 2;
        part++;
    }
    if (e.kind == E_TUPLE && e.count == 2 && is_coordinate(part[0]) && is_coordinate(part[1]))
        return intern_leaf(g, E_PAIR, part[0]->value.number, part[1]->value.number, e.at);
    return intern(g, e, part);
}

static node *add(graph *g, const expression *e);

/* Puts in what a definition of the text does with these arguments. It is a normal form, in which all that it calls has
 * been put in. */
static node *add_body(graph *g, const definition *form, node *const *argument) {
    node **outer = g->variable, *result = g->at;
    g->variable = pool_take(g->memory, (size_t)(form->variables + 1) * sizeof *g->variable);
    g->failed |= !g->variable;
    if (!g->failed && form->parameters) memcpy(g->variable, argument, (size_t)form->parameters * sizeof *argument);
    for (const statement *s = form->first; s && !g->failed; s = s->next) {
        result = add(g, s->value);
        if (s->target >= 0) g->variable[s->target] = result;
    }
    g->variable = outer;
    return result;
}

/* What has neither items nor a variable. */
static node *add_leaf(graph *g, const expression *e) {
    if (e->kind == E_UNKNOWN) return intern_leaf(g, E_UNKNOWN, 0, 0, e->at); /* however it is called, it is nothing */
    if (e->kind == E_DEFINED && e->defined->is_constant) return add_body(g, e->defined, NULL);
    return intern(g, *e, NULL);
}

/* A call of the wrong number of arguments stays a call, which the compiler rejects. */
static int calls_defined(const expression *e) {
    const expression *callee = e->kind == E_CALL ? e->item[0] : NULL;
    return callee && callee->kind == E_DEFINED && !callee->defined->is_constant &&
           e->count - 1 == callee->defined->parameters;
}

/* As deep as the parser lets expressions be nested. Most of these are leaves, which are added where they are met. */
__attribute__((noinline)) static node *add_compound(graph *g, const expression *e) {
    node **part = pool_take(g->memory, e->count * sizeof *part);
    if (!part) {
        g->failed = 1;
        return g->at;
    }
    int called = calls_defined(e);
    for (int i = called; i < e->count; i++) part[i] = add(g, e->item[i]);
    if (called) return g->failed ? g->at : add_body(g, e->item[0]->defined, part + 1);
    return intern_simplified(g, (expression){.kind = e->kind, .count = e->count, .at = e->at}, part);
}

static node *add(graph *g, const expression *e) {
    if (e->kind == E_NAME) return g->variable[e->number];
    if (e->kind == E_OP) return (node *)&callables[e->number]; /* nobody changes a leaf */
    return e->kind == E_TUPLE || e->kind == E_CALL ? add_compound(g, e) : add_leaf(g, e);
}

/* What stands for the name of a parameter; of those that have no names of their own, it is their place. */
static int32_t parameter_rank(const definition *d, int index) {
    static const char named[] = "ISC";
    const char *at = strchr(named, d->parameter[index]);
    return at && *at ? (int32_t)(at - named) : index;
}

/* Returns the node of the result. */
static node *read_definition(graph *g, const definition *d) {
    node *result = NULL;
    for (int i = 0; i < d->parameters; i++) g->variable[i] = intern_leaf(g, E_NAME, i, parameter_rank(d, i), d->at);
    for (const statement *s = d->first; s && !g->failed; s = s->next) {
        result = add(g, s->value);
        if (s->target >= 0) g->variable[s->target] = result;
    }
    return result;
}

/* ---- what stays ---- */

/* By what two different nodes say: the hash first, and should that be the same, by what differs. */
static int compare(const void *a, const void *b) {
    const node *x = *(node *const *)a, *y = *(node *const *)b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    while (x != y && says_the_same(&x->value, &y->value)) {
        int i = 0;
        while (i < x->value.count - 1 && x->part[i] == y->part[i]) i++;
        if (i >= x->value.count) break;
        x = x->part[i];
        y = y->part[i];
    }
    if (x->value.kind != y->value.kind) return x->value.kind < y->value.kind ? -1 : 1;
    if (x->value.count != y->value.count) return x->value.count < y->value.count ? -1 : 1;
    if (x->value.second != y->value.second) return x->value.second < y->value.second ? -1 : 1;
    return (x->value.number > y->value.number) - (x->value.number < y->value.number);
}

/* When what the result needs is written, finds the statements that nobody uses but that may fail, in their order. */
static int find_roots(graph *g, node **root) {
    int count = 0;
    for (uint32_t i = g->count; i-- > 0;) {
        node *n = &g->at[i];
        if (n->written || !(n->may_fail || n->needed_later)) continue;
        if (!n->needed_later) root[count++] = n;
        for (int p = 0; p < n->value.count; p++)
            if (!n->part[p]->written) n->part[p]->needed_later = 1;
    }
    if (count > 1) qsort(root, (size_t)count, sizeof *root, compare);
    return count;
}

/* ---- writing the graph down ---- */

static void add_statement(graph *g, int target, expression *value) {
    statement *s = pool_take(g->memory, sizeof *s);
    g->failed |= !s;
    if (!s) return;
    *s = (statement){.target = target, .value = value};
    *g->tail = s;
    g->tail = &s->next;
}

static void write_node(graph *g, node *n) {
    n->written = 1;
    n->value.item = pool_take(g->memory, n->value.count * sizeof *n->value.item);
    g->failed |= !n->value.item;
    if (g->failed) return;
    for (int i = 0; i < n->value.count; i++) n->value.item[i] = &n->part[i]->name;
    n->name = (expression){.kind = E_NAME, .number = g->made->variables++, .at = n->value.at};
    add_statement(g, n->name.number, &n->value);
}

/* A node after all that it needs. Without recursion: definitions can be thousands of calls deep. */
static void write_tree(graph *g, node *root, node **stack) {
    int depth = 0;
    if (!root->written) stack[depth++] = root;
    while (depth && !g->failed) {
        node *n = stack[depth - 1];
        int next = n->next;
        while (next < n->value.count && n->part[next]->written) next++;
        if (next < n->value.count) {
            n->next = (uint16_t)(next + 1);
            stack[depth++] = n->part[next];
        } else {
            write_node(g, n);
            depth--;
        }
    }
}

/* The same with what the result does not need, if the language runs it all the same. */
static void write_unused(graph *g, node **stack) {
    node **root = pool_take(g->memory, (g->count + 1) * sizeof *root);
    g->failed |= !root;
    if (g->failed) return;
    int roots = find_roots(g, root);
    for (int i = 0; i < roots; i++) write_tree(g, root[i], stack);
}

/* What no call has made is only returned: there. */
static expression *write_result(graph *g, const definition *d, node *result) {
    if (!is_leaf(result)) return &result->name;
    expression *e = pool_take(g->memory, sizeof *e);
    g->failed |= !e;
    if (!e) return NULL;
    *e = result->name;
    for (const statement *s = d->first; s; s = s->next) e->at = s->value->at;
    return e;
}

static const definition *write_definition(graph *g, const definition *d, node *result) {
    node **stack = pool_take(g->memory, (g->count + 1) * sizeof *stack);
    g->made = pool_take(g->memory, sizeof *g->made);
    if (!stack || !g->made) return NULL;
    *g->made = *d;
    g->made->variables = d->parameters;
    g->made->first = NULL;
    g->tail = &g->made->first;
    write_tree(g, result, stack);
    if (g->count - g->leaves > (uint32_t)(g->made->variables - d->parameters)) write_unused(g, stack);
    add_statement(g, -1, write_result(g, d, result));
    return g->failed ? NULL : g->made;
}

const definition *normal_form(pool *memory, const definition *d) {
    uint32_t most = (uint32_t)d->parameters + d->expressions;
    graph g = {.memory = memory, .slots = 64};
    while (g.slots < 2 * most) g.slots *= 2;
    g.at = pool_take(memory, (most + 1) * sizeof *g.at);
    g.slot = pool_get(memory, g.slots * sizeof *g.slot);
    g.variable = pool_take(memory, (size_t)(d->variables + 1) * sizeof *g.variable);
    if (!g.at || !g.slot || !g.variable) return NULL;
    node *result = read_definition(&g, d);
    return g.failed || !result ? NULL : write_definition(&g, d, result);
}
