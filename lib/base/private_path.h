/* Whether a directory is its user's own, so that what lies there was put there by nobody else. Drivers load code from
 * theirs. */
#ifndef ARCL_PRIVATE_PATH_H
#define ARCL_PRIVATE_PATH_H
#include <stddef.h>

/* 1 if nobody but the user, and root, can change what the directory holds or put another one in its place: it belongs
 * to the user and nobody else may write to it; all above it belong to the user or root, and others may not write to
 * them, or not to what is not theirs (sticky, as /tmp); so do all links on the way. A group that is the user's own, as
 * many systems give one to every user, may write to the directories above. Else 0, and `why` says what is wrong. */
int path_is_private(const char *directory, char *why, size_t size);

#endif
