/* What parents have. Everything is in the order in which they were added, so that choices by number are the same
 * everywhere. */
#include <stdlib.h>
#include <string.h>

#include "base/growth.h"
#include "tree/mutator.h"

int donors_start(donors *d, int ops) {
    d->ops = ops;
    d->seen = calloc((size_t)ops * MAX_ARITY, sizeof *d->seen);
    return d->seen != NULL;
}

void donors_end(donors *d) {
    for (int i = 0; d->seen && i < d->ops * MAX_ARITY; i++) free(d->seen[i].at);
    for (int i = 0; i < d->type_slots; i++) free(d->types[i].at);
    free(d->seen);
    free(d->types);
}

/* ---- lines by type ---- */

static lines_of_type *place_of(const donors *d, arcl_type type) {
    uint64_t h = type * 0x9e3779b97f4a7c15u >> 32;
    uint64_t last = (uint64_t)d->type_slots - 1;
    while (d->types[h & last].type && d->types[h & last].type != type) h++;
    return &d->types[h & last];
}

static int grow_types(donors *d) {
    donors larger = *d;
    larger.type_slots = d->type_slots ? 2 * d->type_slots : 128;
    larger.types = calloc((size_t)larger.type_slots, sizeof *larger.types);
    if (!larger.types) return 0;
    for (int i = 0; i < d->type_slots; i++)
        if (d->types[i].type) *place_of(&larger, d->types[i].type) = d->types[i];
    free(d->types);
    *d = larger;
    return 1;
}

const lines_of_type *donors_find(const donors *d, arcl_type type) {
    const lines_of_type *found = type && d->type_slots ? place_of(d, type) : NULL;
    return found && found->count ? found : NULL;
}

static int add_line(donors *d, arcl_type type, donor_line line) {
    if (2 * (d->type_count + 1) > d->type_slots && !grow_types(d)) return 0;
    lines_of_type *l = place_of(d, type);
    if (!ARRAY_HAS_ROOM(l->at, (uint32_t)l->count, l->room, 8)) return 0;
    d->type_count += !l->type;
    l->type = type;
    l->at[l->count++] = line;
    return 1;
}

/* ---- operands by where they stand ---- */

static int add_operand(seen_operands *s, arcl_operand o) {
    if (!ARRAY_HAS_ROOM(s->at, (uint32_t)s->count, s->room, 8)) return 0;
    s->at[s->count++] = o;
    return 1;
}

int donors_add(donors *d, int number, const parent *p) {
    for (int i = 0; i < p->tree->lines; i++) {
        arcl_tree_line line = arcl_tree_line_get(p->tree, i);
        if (p->type[i] && !add_line(d, p->type[i], (donor_line){number, i})) return 0;
        if (line.is_tuple || line.callee.kind != ARCL_OPERAND_OP) continue;
        for (int k = 0; k < line.count && k < MAX_ARITY; k++)
            if (line.arguments[k].kind <= ARCL_OPERAND_OP &&
                !add_operand(&d->seen[line.callee.number * MAX_ARITY + k], line.arguments[k]))
                return 0;
    }
    return 1;
}
