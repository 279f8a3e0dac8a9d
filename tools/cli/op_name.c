/* Looks an op up in the table of the library. */
#include "cli/op_name.h"

#include <string.h>

#include "arcl.h"
#include "cli/messages.h"
#include "cli/nearest.h"

int op_name_find(const char *name) {
    char hint[64];
    nearest search = nearest_to(name);
    for (int i = 0; i < arcl_op_count(); i++) {
        if (strcmp(arcl_op_get(i).name, name) == 0) return i;
        nearest_offer(&search, arcl_op_get(i).name);
    }
    message_error("no op is named %s%s", name, nearest_hint(&search, "`arcl ops` lists them all", hint, sizeof hint));
    return -1;
}
