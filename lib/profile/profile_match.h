/* Whether what a profile was measured on is there. */
#ifndef ARCL_PROFILE_MATCH_H
#define ARCL_PROFILE_MATCH_H
#include "profile/profile.h"

/* The context's device of that identity. -1 if there is none that can be used, and why: it ends a sentence. Tests
 * devices that have not been tested yet. */
int profile_find_device(const profile_device *d, arcl_context *c, char *why, size_t size);

#endif
