#include "cli/dialect_name.h"

#include "cli/messages.h"
#include "cli/nearest.h"

int dialect_name_find(const char *name, arcl_dialect *dialect) {
    char hint[80];
    int found = name ? arcl_dialect_find(name) : ARCL_DIALECT_AUTO;
    *dialect = found < 0 ? ARCL_DIALECT_AUTO : (arcl_dialect)found;
    if (found >= 0) return 0;
    nearest search = nearest_to(name);
    for (int i = ARCL_DIALECT_AUTO; i <= ARCL_TOKPIDJIN; i++)
        nearest_offer(&search, arcl_dialect_name((arcl_dialect)i));
    message_error(
        "there is no dialect %s%s", name,
        nearest_hint(&search, "there are arc-dsl and tokpidjin, and auto, by what a file says", hint, sizeof hint));
    return -1;
}
