/* Edit distance between names. Knows nothing of what they name. */
#include "nearest.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 32 };

static int least(int a, int b) { return a < b ? a : b; }

/* How many letters have to be changed, added, left out or exchanged with their neighbour to make one name of the other. */
static int distance(const char *a, const char *b) {
    int rows[3][LONGEST + 1], length = (int)strlen(b);
    int *before = rows[0], *above = rows[1], *row = rows[2];
    if (length > LONGEST || strlen(a) > LONGEST) return LONGEST;
    for (int j = 0; j <= length; j++) row[j] = j;
    for (int i = 0; a[i]; i++) {
        int *free_row = before;
        before = above;
        above = row;
        row = free_row;
        row[0] = i + 1;
        for (int j = 1; j <= length; j++) {
            row[j] = least(above[j - 1] + (a[i] != b[j - 1]), least(above[j], row[j - 1]) + 1);
            if (i > 0 && j > 1 && a[i] == b[j - 2] && a[i - 1] == b[j - 1]) row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return row[length];
}

/* Short names are near only if little differs: everything is two letters away from a name of two. */
static int most(const char *wanted) {
    size_t length = strlen(wanted);
    return length < 3 ? 1 : length < 6 ? 2 : 3;
}

nearest nearest_to(const char *wanted) { return (nearest){wanted, NULL, most(wanted) + 1}; }

void nearest_offer(nearest *search, const char *name) {
    int d = distance(search->wanted, name);
    if (d >= search->distance || d >= (int)strlen(name)) return;
    search->best = name;
    search->distance = d;
}

char *nearest_hint(const nearest *search, const char *instead, char *buf, size_t size) {
    if (search->best)
        snprintf(buf, size, "; did you mean %s?", search->best);
    else
        snprintf(buf, size, "; %s", instead);
    return buf;
}
