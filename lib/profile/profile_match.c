#include "profile/profile_match.h"

#include <stdio.h>
#include <string.h>

int profile_find_device(const profile_device *d, arcl_context *c, char *why, size_t size) {
    arcl_device_info info;
    char differs[512];
    snprintf(why, size, "no such device is there");
    for (int i = 0; i < arcl_device_count(c); i++) {
        if (arcl_device_get(c, i, &info, NULL) || !*info.id) continue;
        profile_identity found = profile_identity_of(&info);
        profile_identity_compare(&d->identity, &found, differs, sizeof differs);
        if (!*differs && info.state == ARCL_DEVICE_READY) {
            why[0] = 0;
            return i;
        }
        if (!*differs)
            snprintf(why, size, "it is refused: %s", info.reason);
        else if (strcmp(info.id, d->id) == 0)
            snprintf(why, size, "%s", differs);
    }
    return -1;
}
