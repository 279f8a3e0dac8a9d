/* The nearest of several names, and how a message says it. */
#include "cli/nearest.h"

#include <stdio.h>

#include "arcl.h"

nearest nearest_to(const char *wanted) { return (nearest){wanted, NULL}; }

void nearest_offer(nearest *search, const char *name) {
    if (!arcl_name_is_near(search->wanted, name)) return;
    if (search->best && arcl_name_distance(search->wanted, name) >= arcl_name_distance(search->wanted, search->best))
        return;
    search->best = name;
}

char *nearest_hint(const nearest *search, const char *instead, char *buf, size_t size) {
    if (search->best)
        snprintf(buf, size, "; did you mean %s?", search->best);
    else
        snprintf(buf, size, "; %s", instead);
    return buf;
}
