/* Numbers in files have a decimal point, whatever the locale of the program that uses the library says. */
#ifndef ARCL_PLAIN_LOCALE_H
#define ARCL_PLAIN_LOCALE_H
#include <locale.h>

/* The present thread prints and reads numbers as in the locale "C" until it gets back what this has returned. */
locale_t plain_locale_begin(void);
void plain_locale_end(locale_t before);

#endif
