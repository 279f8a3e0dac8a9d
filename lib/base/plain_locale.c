/* A locale of the thread for the time being: see plain_locale.h. */
#define _POSIX_C_SOURCE 200809L
#include "base/plain_locale.h"

/* "C" is built into the C library and takes no memory there; elsewhere, where it cannot be had, nothing changes. */
locale_t plain_locale_begin(void) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return plain ? uselocale(plain) : (locale_t)0;
}

void plain_locale_end(locale_t before) {
    if (!before) return;
    locale_t plain = uselocale(before);
    freelocale(plain);
}
