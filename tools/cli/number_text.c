#include "cli/number_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Three digits and a unit, of units that are a factor of 1000 apart. */
static char *unit_text(double value, const char *const *units, int most, char *to, size_t room) {
    int unit = 0;
    for (; value >= 999.5 && unit < most; unit++) value /= 1000;
    snprintf(to, room, "%.*f%s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, units[unit]);
    return to;
}

char *time_text(double nanoseconds, char *to, size_t room) {
    static const char *const units[] = {" ns", " us", " ms", " s"};
    return unit_text(nanoseconds, units, 3, to, room);
}

char *bytes_text(double bytes, char *to, size_t room) {
    static const char *const units[] = {" B", " kB", " MB", " GB"};
    if (bytes < 999.5)
        snprintf(to, room, "%.0f B", bytes);
    else
        unit_text(bytes, units, 3, to, room);
    return to;
}

char *rate_text(double rate, char *to, size_t room) {
    static const char *const units[] = {"", "k", "M", "G", "T"};
    return unit_text(rate, units, 4, to, room);
}

char *count_text(double count, char *to, size_t room) {
    char digits[64];
    size_t used = 0;
    int length = snprintf(digits, sizeof digits, "%.0f", count);
    for (int i = 0; i < length && used + 2 < room; i++) {
        if (i && (length - i) % 3 == 0) to[used++] = ',';
        to[used++] = digits[i];
    }
    to[used] = 0;
    return to;
}

char *rounded_text(double count, char *to, size_t room) {
    double unit = count >= 1 ? pow(10, fmax(floor(log10(count)) - 1, 0)) : 1;
    return count_text(round(count / unit) * unit, to, room);
}
