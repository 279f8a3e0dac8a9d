/* How much two names differ, for messages that guess what was meant. Knows nothing of what they name. */
#include <string.h>

#include "arcl.h"

enum { LONGEST = 32 };

static int least(int a, int b) { return a < b ? a : b; }

/* Row by row of the table of distances between the beginnings of both; an exchange looks back two rows. */
int arcl_name_distance(const char *a, const char *b) {
    if (!a || !b) return LONGEST;
    int rows[3][LONGEST + 1], length = (int)strlen(b);
    int *before = rows[0], *above = rows[1], *row = rows[2];
    if (length > LONGEST || strlen(a) > LONGEST) return LONGEST;
    for (int j = 0; j <= length; j++) row[j] = j;
    for (int i = 0; a[i]; i++) {
        int *oldest = before;
        before = above;
        above = row;
        row = oldest;
        row[0] = i + 1;
        for (int j = 1; j <= length; j++) {
            row[j] = least(above[j - 1] + (a[i] != b[j - 1]), least(above[j], row[j - 1]) + 1);
            if (i > 0 && j > 1 && a[i] == b[j - 2] && a[i - 1] == b[j - 1]) row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return row[length];
}

/* The letters that one name has and the other has not: a change explains two of them at most. */
static int letters_apart(const char *a, const char *b) {
    unsigned in_a = 0, in_b = 0;
    for (; *a; a++) in_a |= 1u << (*a & 31);
    for (; *b; b++) in_b |= 1u << (*b & 31);
    return __builtin_popcount(in_a ^ in_b);
}

int arcl_name_is_near(const char *wanted, const char *name) {
    if (!wanted || !name) return 0;
    int length = (int)strlen(wanted), most = length < 3 ? 1 : length < 6 ? 2 : 3;
    if (letters_apart(wanted, name) > 2 * most) return 0; /* most names are not near; this is quickly seen */
    int distance = arcl_name_distance(wanted, name);
    return distance <= most && distance < (int)strlen(name);
}
