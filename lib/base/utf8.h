/* Text that came from elsewhere and is to be written as JSON. */
#ifndef ARCL_UTF8_H
#define ARCL_UTF8_H

int utf8_is_valid(const char *text);

/* Puts '?' for every byte that is no part of a character in UTF-8. */
void utf8_clean(char *text);

#endif
