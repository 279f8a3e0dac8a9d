/* Looks an op up in the tables of the library. */
#include "cli/op_name.h"

#include <stdio.h>
#include <string.h>

#include "cli/messages.h"
#include "cli/nearest.h"

static int find(arcl_dialect dialect, const char *name) {
    int i = arcl_dialect_op_count(dialect) - 1;
    while (i >= 0 && strcmp(arcl_dialect_op_get(dialect, i).name, name) != 0) i--;
    return i;
}

static void offer(nearest *search, arcl_dialect dialect) {
    for (int i = 0; i < arcl_dialect_op_count(dialect); i++)
        nearest_offer(search, arcl_dialect_op_get(dialect, i).name);
}

static void refuse(arcl_dialect dialect, const char *name) {
    char hint[64], of_other[64] = "";
    nearest search = nearest_to(name);
    arcl_dialect other = dialect == ARCL_TOKPIDJIN ? ARCL_ARC_DSL : ARCL_TOKPIDJIN;
    offer(&search, dialect);
    if (!search.best) offer(&search, other);
    if (find(other, name) >= 0)
        snprintf(of_other, sizeof of_other, " in %s, it is a word of %s", arcl_dialect_name(dialect),
                 arcl_dialect_name(other));
    message_error("no op is named %s%s%s", name, of_other,
                  nearest_hint(&search, "`arcl ops` lists them all", hint, sizeof hint));
}

int op_name_find(arcl_dialect dialect, const char *name) {
    int found = find(dialect, name);
    if (found < 0) refuse(dialect, name);
    return found;
}

arcl_dialect op_name_dialect(const char *name) {
    return find(ARCL_ARC_DSL, name) < 0 && find(ARCL_TOKPIDJIN, name) >= 0 ? ARCL_TOKPIDJIN : ARCL_ARC_DSL;
}
