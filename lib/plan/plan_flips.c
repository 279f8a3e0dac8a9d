/* With how many lanes a plan would put a unit elsewhere. Walks away from the plan's lanes, up and then down, doubling
 * or halving them, until units have moved; between two numbers of lanes of which only one shows a move, halving finds
 * the place: a number with which the unit has moved, next to one with which it has not. What moves away and back
 * between two steps of the walk is not seen. */
#include <string.h>

#include "base/error.h"
#include "plan/plan_view.h"

#define MOST_LANES 1000000u /* beyond, nobody asks */

typedef struct search {
    arcl_plan *p;
    size_t units;
    pool memory;
} search;

/* The device of every unit with so many lanes. */
static arcl_status places_with(const search *s, uint32_t lanes, int *place, arcl_error *error) {
    pool memory = {0};
    choice c;
    choice_request request = plan_request(s->p, lanes);
    arcl_status status = choose(&request, &memory, &c, error);
    for (size_t u = 0; status == ARCL_SUCCESS && u < s->units; u++) place[u] = plan_device_of(&c, (int)u);
    pool_free(&memory);
    return status;
}

static int *new_places(search *s) { return pool_get(&s->memory, s->units * sizeof(int)); }

/* Units that are where the plan has them with `same` lanes, but not with `other`, where place says where; those of them
 * that have not flipped yet do so between the two. */
static arcl_status narrow(search *s, uint32_t same, uint32_t other, const int *place, arcl_error *error) {
    arcl_plan *p = s->p;
    int open = 0;
    for (size_t u = 0; u < s->units; u++) open |= !p->flips_at[u] && place[u] != plan_device_of(&p->chosen, (int)u);
    if (!open) return ARCL_SUCCESS;
    if (same + 1 == other || other + 1 == same) {
        for (size_t u = 0; u < s->units; u++) {
            if (p->flips_at[u] || place[u] == plan_device_of(&p->chosen, (int)u)) continue;
            p->flips_at[u] = other;
            p->flips_to[u] = place[u];
        }
        return ARCL_SUCCESS;
    }
    uint32_t half = same < other ? same + (other - same) / 2 : other + (same - other) / 2;
    int *middle = new_places(s);
    if (!middle) return NO_MEMORY(error);
    PROPAGATE(places_with(s, half, middle, error));
    PROPAGATE(narrow(s, same, half, middle, error)); /* what has flipped there is done */
    return narrow(s, half, other, place, error);
}

static arcl_status walk(search *s, int up, arcl_error *error) {
    int *place = new_places(s);
    if (!place) return NO_MEMORY(error);
    for (uint32_t before = s->p->lanes; up ? before < MOST_LANES : before > 1;) {
        uint32_t lanes = up ? before * 2 : before / 2;
        PROPAGATE(places_with(s, lanes, place, error));
        PROPAGATE(narrow(s, before, lanes, place, error));
        before = lanes;
    }
    return ARCL_SUCCESS;
}

arcl_status plan_find_flips(arcl_plan *p, arcl_error *error) {
    search s = {.p = p, .units = (size_t)p->chosen.units};
    if (!s.units) return ARCL_SUCCESS;
    arcl_status status = walk(&s, 1, error);
    if (status == ARCL_SUCCESS) status = walk(&s, 0, error);
    pool_free(&s.memory);
    return status;
}
