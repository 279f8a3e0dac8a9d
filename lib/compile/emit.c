/* Adds steps and scopes to the program that is being compiled. A step that is there already is not added again: equal
 * steps have one number (value numbering), and a kernel whose arguments are all known is run here and now. */
#include <stdlib.h>
#include <string.h>

#include "compile/compiler.h"
#include "host/host.h"

#define MAX_STEPS 100000
#define MAX_SCOPES 20000

/* Room for one more. */
static int grow(compiler *c, void **array, uint32_t used, uint32_t *room, size_t size, uint32_t start) {
    if (used < *room) return 1;
    uint32_t larger = *room ? 2 * *room : start;
    void *grown = pool_take(c->memory, larger * size);
    if (!grown) return 0;
    if (used) memcpy(grown, *array, used * size);
    *array = grown;
    *room = larger;
    return 1;
}

static int grow_table(compiler *c) { return step_table_grow(&c->table, c->memory, c->steps, c->count); }

static uint32_t add_scope(compiler *c, uint32_t parent) {
    if (c->scope_count == MAX_SCOPES ||
        !grow(c, (void **)&c->scopes, c->scope_count, &c->scope_room, sizeof *c->scopes, 16)) {
        reject_fatal(c, "this program is too large");
        return 0;
    }
    c->scopes[c->scope_count] =
        (graph_scope){.parent = parent, .depth = c->scope_count ? c->scopes[parent].depth + 1 : 0, .opener = NO_STEP};
    return (uint32_t)c->scope_count++;
}

static int grow_steps(compiler *c) { return grow(c, (void **)&c->steps, c->count, &c->room, sizeof *c->steps, 128); }

int emit_start(compiler *c) {
    add_scope(c, 0);
    add_scope(c, SCOPE_SHARED);
    c->scope = SCOPE_LANES;
    return !c->failed && grow_steps(c) && grow_table(c);
}

static uint32_t *find(compiler *c, const graph_step *s) { return step_table_find(&c->table, c->steps, s); }

/* Where a step is made: the place behind all that there are. It stays free, should there be such a step already. */
static graph_step *new_step(compiler *c) { return &c->steps[c->count]; }

static void keep_guests_apart(compiler *c) {
    graph_step s = *new_step(c);
    guests_keep_apart(c, &s); /* by steps that come before it */
    if (!c->failed) *new_step(c) = s;
}

/* The number of the step that was made there, or of the one that is equal to it. */
static uint32_t enter_step(compiler *c) {
    if (c->guest_count) keep_guests_apart(c);
    uint32_t made = c->count, *slot = find(c, new_step(c));
    if (*slot) return *slot - 1;
    if (c->notes) {
        new_step(c)->slot = c->at;
        new_step(c)->users = c->calling;
    }
    *slot = ++c->count;
    if (c->guest_count) guests_note(c, made);
    if (c->count > MAX_STEPS || !grow_steps(c)) reject_fatal(c, "this program is too large");
    if (step_table_is_full(&c->table, c->count) && !grow_table(c)) reject_fatal(c, "out of memory");
    return made;
}

uint32_t emit(compiler *c, graph_step s) {
    if (c->failed) return 0;
    *new_step(c) = s;
    return enter_step(c);
}

graph_step emit_take_back(compiler *c) {
    graph_step s = c->steps[c->count - 1];
    *find(c, &s) = 0; /* nothing was put behind it */
    c->count--;
    return s;
}

uint32_t emit_const(compiler *c, int64_t number) {
    if (c->failed) return 0;
    *new_step(c) = (graph_step){.kind = STEP_CONST, .scope = SCOPE_SHARED, .imm = (uint64_t)number};
    return enter_step(c);
}

int step_is_const(const compiler *c, uint32_t s, int64_t *number) {
    if (c->failed || c->steps[s].kind != STEP_CONST) return 0;
    *number = (int64_t)c->steps[s].imm;
    return 1;
}

/* Runs a kernel of ints on constants now: compile-time arithmetic is the kernels' own. */
static int fold(compiler *c, const graph_step *s, uint32_t *result) {
    int64_t number[4], out = 0;
    for (int i = 0; i < s->args; i++)
        if (!step_is_const(c, s->arg[i], &number[i])) return 0;
    if (!host_fold(s->kernel_id, s->imm, s->args, number, &out)) return 0;
    if (c->safe && c->triples && is_guests_number(out)) return 0; /* as a constant it would stand for the guest */
    *result = emit_const(c, out);
    return 1;
}

uint32_t emit_kernel(compiler *c, unsigned kernel, uint64_t imm, int args, const uint32_t *arg) {
    graph_step *s = new_step(c);
    uint32_t folded;
    int shared = c->scope == SCOPE_LANES;
    if (c->failed) return 0;
    *s = (graph_step){
        .kind = STEP_KERNEL, .args = (uint8_t)args, .kernel_id = (uint16_t)kernel, .scope = c->scope, .imm = imm};
    for (int i = 0; i < args; i++) {
        s->arg[i] = arg[i];
        shared &= c->steps[arg[i]].scope == SCOPE_SHARED;
    }
    if (kernel_has(kernel, FOLDS) && fold(c, s, &folded)) return folded;
    /* What all lanes do alike is done once. Only in the lanes' own scope, where every step runs for certain: elsewhere
     * a step that fails might belong to a function that is never called. */
    if (shared) s->scope = SCOPE_SHARED;
    return enter_step(c);
}

uint32_t emit_kernel1(compiler *c, unsigned kernel, uint64_t imm, uint32_t a) {
    return emit_kernel(c, kernel, imm, 1, &a);
}

uint32_t emit_kernel2(compiler *c, unsigned kernel, uint64_t imm, uint32_t a, uint32_t b) {
    uint32_t arg[2] = {a, b};
    return emit_kernel(c, kernel, imm, 2, arg);
}

uint32_t emit_open(compiler *c, int kind, uint64_t imm, int args, uint32_t a, uint32_t b) {
    graph_step s = {.kind = (uint8_t)kind, .args = (uint8_t)args, .imm = imm, .arg = {a, b}, .parent = c->scope};
    if (c->failed) return 0;
    /* A condition of extract may fail after its use: that must not be what another one finds of its lanes. */
    while (kind == STEP_EACH && s.imm && *find(c, &s)) s.imm++;
    /* Equal openings share one scope; the body of a loop runs again and again, so it is nobody else's. */
    uint32_t *slot = kind == STEP_LOOP ? NULL : find(c, &s);
    if (slot && *slot) {
        c->scope = c->steps[*slot - 1].scope;
        return *slot - 1;
    }
    s.scope = add_scope(c, c->scope);
    if (kind == STEP_LOOP) s.imm = s.scope;
    uint32_t opener = emit(c, s);
    if (c->failed) return 0;
    c->scopes[s.scope].opener = opener;
    c->scope = s.scope;
    return opener;
}

uint32_t scope_opener(const compiler *c, uint32_t s) { return c->scopes[s].opener; }

uint32_t emit_localise(compiler *c, uint32_t column) {
    if (c->failed || c->steps[column].scope == c->scope) return column;
    return emit(
        c,
        (graph_step){.kind = STEP_KERNEL, .kernel_id = KERNEL_identity, .scope = c->scope, .args = 1, .arg = {column}});
}

/* A scope's own elements, of which nothing has been made: the list of them is their container, as of `order(x,
 * identity)`. What has been made of them and is not used may have failed, which only closing tells. */
static int are_elements(const compiler *c, uint32_t column) {
    return !c->failed && c->steps[column].kind == STEP_EACH && column + 1 == c->count;
}

uint32_t emit_close(compiler *c, uint32_t column, uint32_t inner, uint64_t imm) {
    uint32_t outer = c->scope;
    if (!imm && are_elements(c, column)) return emit_localise(c, c->steps[column].arg[0]);
    c->scope = inner;
    column = emit_localise(c, column);
    c->scope = outer;
    return emit(c, (graph_step){.kind = STEP_CLOSE, .scope = outer, .args = 1, .arg = {column}, .imm = imm});
}
