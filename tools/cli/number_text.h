/* Numbers as people read them: few digits, a unit, thousands apart. Each function returns `to`. */
#ifndef ARCL_NUMBER_TEXT_H
#define ARCL_NUMBER_TEXT_H
#include <stddef.h>

/* "12.3 us", for anything from nanoseconds to seconds. */
char *time_text(double nanoseconds, char *to, size_t room);

/* "1.50 kB": powers of 1000. */
char *bytes_text(double bytes, char *to, size_t room);

/* "1.50M": k, M, G and T, for what happens in a second. */
char *rate_text(double rate, char *to, size_t room);

/* "12,345", of a whole number. */
char *count_text(double count, char *to, size_t room);

/* "12,000": no more than two digits count. */
char *rounded_text(double count, char *to, size_t room);

#endif
