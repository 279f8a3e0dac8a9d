/* The name that somebody who misspelled one may have meant. */
#ifndef ARCL_NEAREST_H
#define ARCL_NEAREST_H
#include <stddef.h>

typedef struct nearest {
    const char *wanted, *best; /* best: NULL as long as nothing offered was near */
} nearest;

nearest nearest_to(const char *wanted);

/* Of equally near names the first that was offered is kept. It must outlive the struct. */
void nearest_offer(nearest *search, const char *name);

/* "; did you mean NAME?", or what to do if nothing was near: "; INSTEAD". Returns buf. */
char *nearest_hint(const nearest *search, const char *instead, char *buf, size_t size);

#endif
