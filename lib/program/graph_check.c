#include "program/graph_check.h"

#include <stddef.h>

static int opens_scope(const graph_step *s) {
    return s->kind == STEP_EACH || s->kind == STEP_ZIP || s->kind == STEP_CROSS || s->kind == STEP_WHEN ||
           s->kind == STEP_LOOP;
}

static int opens_elements(const graph_step *s) {
    return s->kind == STEP_EACH || s->kind == STEP_ZIP || s->kind == STEP_CROSS;
}

static const graph_step *opener_of(const program_graph *p, uint32_t scope) {
    return &p->steps[p->scopes[scope].opener];
}

static uint32_t scope_of(const program_graph *p, const graph_step *s, int a) { return p->steps[s->arg[a]].scope; }

/* Whether lanes of a scope can look at columns of another: it is the same, or one above. */
static int sees(const program_graph *p, uint32_t scope, uint32_t owner) {
    while (p->scopes[scope].depth > p->scopes[owner].depth) scope = p->scopes[scope].parent;
    return scope == owner;
}

static int sees_arguments(const program_graph *p, uint32_t scope, const graph_step *s) {
    for (int a = 0; a < s->args; a++)
        if (!sees(p, scope, scope_of(p, s, a))) return 0;
    return 1;
}

/* ---- scopes ---- */

/* A scope that some step is in: opened before it, once, below another such. */
static const char *scope_problem(const program_graph *p, uint32_t i) {
    const graph_step *s = &p->steps[i];
    const graph_scope *scope = &p->scopes[s->scope];
    if (s->scope == SCOPE_SHARED) return scope->depth == 0 ? NULL : "scope 0 is not at the top";
    if (s->scope == SCOPE_LANES) return scope->depth == 1 ? NULL : "scope 1 is not below scope 0";
    if (scope->opener > i || scope->opener >= (uint32_t)p->count) return "a step is in a scope that is not open yet";
    if (opener_of(p, s->scope)->scope != s->scope) return "a scope is opened by a step that is in another";
    if (!opens_scope(opener_of(p, s->scope))) return "a scope is opened by a step that opens none";
    if (scope->parent == SCOPE_SHARED || scope->parent >= (uint32_t)p->scope_count) return "a scope is below none";
    if (scope->depth != p->scopes[scope->parent].depth + 1) return "a scope is not as deep as it should be";
    return NULL;
}

/* ---- steps ---- */

static const char *opener_problem(const program_graph *p, const graph_step *s, uint32_t i) {
    if (s->args != (s->kind == STEP_EACH || s->kind == STEP_WHEN ? 1 : 2)) return "a scope of too few or many columns";
    if (p->scopes[s->scope].opener != i) return "a scope is opened twice";
    if (p->scopes[s->scope].parent != s->parent) return "a scope is opened below another than its own";
    return sees_arguments(p, s->parent, s) ? NULL : "a scope is opened over what is not above it";
}

/* Steps that stand in a scope of elements and ask what these are. */
static const char *element_problem(const program_graph *p, const graph_step *s) {
    const graph_step *opener = opener_of(p, s->scope), *from = &p->steps[s->arg[0]];
    if (p->scopes[s->scope].depth < 2 || !opens_elements(opener))
        return "a step asks for elements where there are none";
    if (s->kind == STEP_SECOND)
        return from == opener && opener->kind != STEP_EACH ? NULL : "the second element of what has none";
    uint32_t parent = p->scopes[s->scope].parent;
    if (s->kind == STEP_ALONG) return sees(p, parent, from->scope) ? NULL : "a list that is not above goes along";
    if (p->scopes[from->scope].depth < 2 || opener_of(p, from->scope)->kind != opener->kind)
        return "what comes again is no element of a like scope";
    return sees(p, parent, p->scopes[from->scope].parent) ? NULL : "what comes again is not from above";
}

static int is_in_scope_of(const program_graph *p, uint32_t column, uint32_t above, int side) {
    uint32_t scope = p->steps[column].scope;
    if (p->scopes[scope].depth < 2 || p->scopes[scope].parent != above) return 0;
    const graph_step *opener = opener_of(p, scope);
    return side < 0 ? opens_elements(opener) : opener->kind == STEP_WHEN;
}

static const char *closing_problem(const program_graph *p, const graph_step *s) {
    switch (s->kind) {
    case STEP_CLOSE:
        return is_in_scope_of(p, s->arg[0], s->scope, -1) ? NULL : "what is closed is not of a scope inside";
    case STEP_SPREAD: return is_in_scope_of(p, s->arg[0], s->scope, 0) ? NULL : "what is spread is no side of a choice";
    case STEP_JOIN:
        if (!sees(p, s->scope, scope_of(p, s, 0))) return "a condition is not above its join";
        for (int a = 1; a <= 2; a++)
            if (!is_in_scope_of(p, s->arg[a], s->scope, 1) || opener_of(p, scope_of(p, s, a))->arg[0] != s->arg[0] ||
                opener_of(p, scope_of(p, s, a))->imm != (uint64_t)(a == 1))
                return "what is joined is not the sides of the choice";
        return NULL;
    default: break;
    }
    const graph_step *loop = &p->steps[s->arg[1]];
    if (loop->kind != STEP_LOOP || loop->parent != s->scope) return "what repeats is no loop of this scope";
    return sees(p, loop->scope, scope_of(p, s, 0)) ? NULL : "the state of a loop is not one of its columns";
}

static int arguments_of(const graph_step *s) {
    switch (s->kind) {
    case STEP_CONST:
    case STEP_INPUT: return 0;
    case STEP_JOIN: return 3;
    case STEP_REPEAT: return 2;
    default: return 1;
    }
}

static const char *kind_problem(const program_graph *p, const graph_step *s, uint32_t i) {
    if (opens_scope(s)) return opener_problem(p, s, i);
    if (s->parent) return "a step opens a scope though it is of another kind";
    if (s->kind == STEP_KERNEL) {
        if (s->args > 4 || s->kernel_id >= KERNEL_COUNT) return "there is no such kernel";
        return sees_arguments(p, s->scope, s) ? NULL : "a kernel reads what is not above it";
    }
    if (s->args != arguments_of(s)) return "a step has too few or many arguments";
    switch (s->kind) {
    case STEP_CONST: return s->scope == SCOPE_SHARED ? NULL : "a number is not shared by all lanes";
    case STEP_INPUT: return s->scope == SCOPE_LANES ? NULL : "an input is not of the batch's lanes";
    case STEP_SECOND:
    case STEP_ALONG:
    case STEP_AGAIN: return element_problem(p, s);
    default: return closing_problem(p, s);
    }
}

static const char *step_problem(const program_graph *p, uint32_t i) {
    const graph_step *s = &p->steps[i];
    if (s->kind >= STEP_KINDS) return "there is no such kind of step";
    if (s->scope >= (uint32_t)p->scope_count) return "there is no such scope";
    if (s->args > 4) return "a step has more arguments than there is room for";
    for (int a = 0; a < s->args; a++)
        if (s->arg[a] >= i) return "a step reads what is made later";
    const char *problem = scope_problem(p, i);
    return problem ? problem : kind_problem(p, s, i);
}

/* ---- results ---- */

static int is_result_like(const program_graph *p, uint32_t step) {
    return step < (uint32_t)p->count && p->steps[step].scope <= SCOPE_LANES;
}

static const char *result_problem(const program_graph *p) {
    static const char message[] = "a result is not one of the batch's lanes";
    for (int i = 0; i < p->results; i++)
        if (!is_result_like(p, p->result[i])) return message;
    if (p->results > 1 && !is_result_like(p, p->which)) return message;
    for (int i = 0; p->output && i < p->programs; i++) {
        const program_output *o = &p->output[i];
        for (uint32_t n = 0; n < o->results; n++)
            if (!is_result_like(p, o->result[n])) return message;
        if (o->results > 1 && !is_result_like(p, o->which)) return message;
    }
    return NULL;
}

const char *graph_problem(const program_graph *p) {
    for (uint32_t i = 0; i < (uint32_t)p->count; i++) {
        const char *problem = step_problem(p, i);
        if (problem) return problem;
    }
    return result_problem(p);
}
