#include "tree/library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/growth.h"
#include "base/hash.h"

arcl_library *library_create(arcl_dialect dialect) {
    arcl_library *l = calloc(1, sizeof *l);
    if (l) l->dialect = dialect;
    return l;
}

void arcl_library_free(arcl_library *l) {
    if (!l) return;
    for (int i = 0; i < l->patterns; i++) arcl_tree_free(l->pattern[i].tree);
    free(l->pattern);
    free(l->use);
    free(l->slot);
    free(l->found);
    free(l);
}

/* ---- counting ---- */

static uint64_t mix(uint64_t h, uint64_t more) {
    h = (h ^ more) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint64_t hash_pattern(const kept_pattern *p) {
    uint64_t h = mix(p->key.low, p->result);
    for (int i = 0; i < p->holes; i++) h = mix(h, p->hole[i]);
    return h;
}

static int same_pattern(const kept_pattern *a, const kept_pattern *b) {
    return same_key(a->key, b->key) && a->holes == b->holes && a->result == b->result &&
           memcmp(a->hole, b->hole, sizeof a->hole) == 0;
}

static uint64_t hash_use(const arcl_use *u) {
    uint64_t h = mix((uint64_t)u->op * 16 + (uint64_t)u->argument * 2 + (uint64_t)u->is_made, (uint64_t)u->value.kind);
    return mix(h, (uint64_t)(uint32_t)u->value.number << 32 | (uint32_t)u->value.second);
}

static int same_use(const arcl_use *a, const arcl_use *b) {
    return a->op == b->op && a->argument == b->argument && a->is_made == b->is_made && same_operand(a->value, b->value);
}

/* Where the pattern is, or would be. */
static uint32_t *pattern_slot(const arcl_library *l, const kept_pattern *p) {
    uint64_t h = hash_pattern(p);
    while (l->slot[h & (l->slots - 1)] && !same_pattern(&l->pattern[l->slot[h & (l->slots - 1)] - 1], p)) h++;
    return &l->slot[h & (l->slots - 1)];
}

static uint32_t *use_slot(const arcl_library *l, const arcl_use *u) {
    uint64_t h = hash_use(u);
    while (l->found[h & (l->found_slots - 1)] && !same_use(&l->use[l->found[h & (l->found_slots - 1)] - 1], u)) h++;
    return &l->found[h & (l->found_slots - 1)];
}

#define FIRST_ROOM 256u

/* Room for one more, in the array and in the table, which is at most half full. */
static int grow(void *array, size_t size, int count, uint32_t *room, uint32_t **slot, uint32_t *slots) {
    if ((uint32_t)count < *room) return 1;
    uint32_t *table = calloc(*room ? 4 * (size_t)*room : 2 * FIRST_ROOM, sizeof *table);
    if (!table || !array_double(array, size, room, FIRST_ROOM)) {
        free(table);
        return 0;
    }
    free(*slot);
    *slot = table;
    *slots = 2 * *room;
    return 1;
}

static int reserve_pattern(arcl_library *l) {
    uint32_t room = l->pattern_room;
    if (!grow(&l->pattern, sizeof *l->pattern, l->patterns, &l->pattern_room, &l->slot, &l->slots)) return 0;
    for (int i = 0; i < l->patterns && room != l->pattern_room; i++) *pattern_slot(l, &l->pattern[i]) = (uint32_t)i + 1;
    return 1;
}

static int reserve_use(arcl_library *l) {
    uint32_t room = l->use_room;
    if (!grow(&l->use, sizeof *l->use, l->uses, &l->use_room, &l->found, &l->found_slots)) return 0;
    for (int i = 0; i < l->uses && room != l->use_room; i++) *use_slot(l, &l->use[i]) = (uint32_t)i + 1;
    return 1;
}

int library_count_pattern(arcl_library *l, kept_pattern p) {
    if (!reserve_pattern(l)) return 0;
    uint32_t *slot = pattern_slot(l, &p);
    l->lines += p.count;
    if (*slot) {
        l->pattern[*slot - 1].count += p.count;
        arcl_tree_free(p.tree);
        return 1;
    }
    l->pattern[l->patterns] = p;
    *slot = (uint32_t)++l->patterns;
    return 1;
}

int library_count_use(arcl_library *l, arcl_use u) {
    if (!reserve_use(l)) return 0;
    uint32_t *slot = use_slot(l, &u);
    if (*slot) {
        l->use[*slot - 1].count += u.count;
        return 1;
    }
    l->use[l->uses] = u;
    *slot = (uint32_t)++l->uses;
    return 1;
}

/* ---- order: by what things are, never by where or when they were found ---- */

static int compare_numbers(int64_t a, int64_t b) { return (a > b) - (a < b); }

static int compare_patterns(const void *a, const void *b) {
    const kept_pattern *x = a, *y = b;
    int by = compare_numbers(y->count, x->count);
    if (!by && x->key.high != y->key.high) by = x->key.high < y->key.high ? -1 : 1;
    if (!by && x->key.low != y->key.low) by = x->key.low < y->key.low ? -1 : 1;
    if (!by) by = memcmp(x->hole, y->hole, sizeof x->hole);
    return by ? by : compare_numbers((int64_t)x->result, (int64_t)y->result);
}

static int compare_uses(const void *a, const void *b) {
    const arcl_use *x = a, *y = b;
    int by = compare_numbers(x->op, y->op);
    if (!by) by = compare_numbers(x->argument, y->argument);
    if (!by) by = compare_numbers(x->is_made, y->is_made);
    if (!by) by = compare_numbers(x->value.kind, y->value.kind);
    if (!by) by = compare_numbers(x->value.number, y->value.number);
    return by ? by : compare_numbers(x->value.second, y->value.second);
}

void library_sort(arcl_library *l) {
    if (l->patterns) qsort(l->pattern, (size_t)l->patterns, sizeof *l->pattern, compare_patterns);
    if (l->uses) qsort(l->use, (size_t)l->uses, sizeof *l->use, compare_uses);
}

/* ---- read ---- */

arcl_dialect arcl_library_dialect(const arcl_library *l) { return l ? l->dialect : ARCL_DIALECT_AUTO; }

int arcl_library_programs(const arcl_library *l) { return l ? l->programs : 0; }

int arcl_library_patterns(const arcl_library *l) { return l ? l->patterns : 0; }

int arcl_library_uses(const arcl_library *l) { return l ? l->uses : 0; }

arcl_pattern arcl_library_pattern_get(const arcl_library *l, int index) {
    arcl_pattern got = {0};
    if (!l || index < 0 || index >= l->patterns) return got;
    const kept_pattern *p = &l->pattern[index];
    got.tree = p->tree;
    got.holes = p->holes;
    memcpy(got.hole, p->hole, sizeof got.hole);
    got.result = p->result;
    got.count = p->count;
    got.cost = log2((double)l->lines / (double)p->count);
    return got;
}

arcl_use arcl_library_use_get(const arcl_library *l, int index) {
    return l && index >= 0 && index < l->uses ? l->use[index] : (arcl_use){0};
}
