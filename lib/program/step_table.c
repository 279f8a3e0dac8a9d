#include "program/step_table.h"

/* What tells equal steps apart besides their arguments: for a step that opens a scope that is the scope above. */
static uint32_t key_scope(const graph_step *s) { return s->parent ? s->parent : s->scope; }

static uint64_t hash_begin(const graph_step *s, uint64_t scope) {
    return s->imm * 0x9e3779b97f4a7c15u ^ ((uint64_t)s->kind << 40 | (uint64_t)s->kernel_id << 20) ^ scope ^
           (uint64_t)s->fails << 56;
}

static uint64_t hash_add(uint64_t h, uint64_t arg) { return (h ^ arg) * 0xff51afd7ed558ccdu; }
static uint64_t hash_end(uint64_t h) { return h ^ h >> 29; }

uint64_t step_hash(const graph_step *s, uint64_t scope, const uint64_t *arg) {
    uint64_t h = hash_begin(s, scope);
    for (int i = 0; i < s->args; i++) h = hash_add(h, arg[i]);
    return hash_end(h);
}

static uint64_t hash(const graph_step *s) {
    uint64_t h = hash_begin(s, key_scope(s));
    for (int i = 0; i < s->args; i++) h = hash_add(h, s->arg[i]);
    return hash_end(h);
}

static int has_same_arguments(const graph_step *a, const graph_step *b) {
    int i = 0;
    while (i < a->args && a->arg[i] == b->arg[i]) i++;
    return i == a->args;
}

int steps_are_equal(const graph_step *a, const graph_step *b) {
    return a->kind == b->kind && a->kernel_id == b->kernel_id && key_scope(a) == key_scope(b) && a->imm == b->imm &&
           a->fails == b->fails && a->args == b->args && has_same_arguments(a, b);
}

int step_table_make(step_table *t, pool *memory, uint32_t count) {
    uint32_t slots = 32;
    while (step_table_is_full(&(step_table){.slots = slots}, count)) slots *= 2;
    *t = (step_table){pool_get(memory, slots * sizeof *t->slot), slots};
    return t->slot != NULL;
}

int step_table_grow(step_table *t, pool *memory, const graph_step *steps, uint32_t count) {
    uint32_t slots = t->slots ? 4 * t->slots : 256;
    uint32_t *slot = pool_get(memory, slots * sizeof *slot);
    if (!slot) return 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t h = hash(&steps[i]);
        while (slot[h & (slots - 1)]) h++;
        slot[h & (slots - 1)] = i + 1;
    }
    *t = (step_table){slot, slots};
    return 1;
}

uint32_t *step_table_find(const step_table *t, const graph_step *steps, const graph_step *s) {
    uint64_t h = hash(s);
    for (;; h++) {
        uint32_t *slot = &t->slot[h & (t->slots - 1)];
        if (*slot == 0 || steps_are_equal(&steps[*slot - 1], s)) return slot;
    }
}
