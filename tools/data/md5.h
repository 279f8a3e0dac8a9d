/* MD5 of a text (RFC 1321), by which files of programs are named. It is a name, and keeps nothing safe. */
#ifndef ARCL_MD5_H
#define ARCL_MD5_H
#include <stddef.h>

enum { MD5_DIGITS = 32 };

/* Its hexadecimal digits, and a zero. */
void md5_text(const char *text, size_t length, char digits[MD5_DIGITS + 1]);

#endif
