/* Texts from outside, such as the names of files, for JSON, which has UTF-8 only. */
#ifndef ARCL_JSON_TEXT_H
#define ARCL_JSON_TEXT_H
#include <jansson.h>

/* The text; of one that is not UTF-8, U+FFFD stands for each byte that is not, and there is a note about that. Never
 * NULL. */
json_t *json_text(const char *text);

/* The same; null for NULL. */
json_t *json_text_or_null(const char *text);

#endif
