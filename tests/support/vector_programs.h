/* The programs of tests/vectors, for tests that want many of them. */
#ifndef ARCL_VECTOR_PROGRAMS_H
#define ARCL_VECTOR_PROGRAMS_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef VECTORS
#define VECTORS "tests/vectors"
#endif

/* The text of "program" in a line of vectors, to be freed; NULL if it has none. Its only escapes are line ends. */
static inline char *vector_program(const char *line) {
    static const char key[] = "\"program\":\"";
    const char *from = strstr(line, key);
    if (!from) return NULL;
    from += strlen(key);
    size_t n = strcspn(from, "\"");
    char *copy = malloc(n + 1), *to = copy;
    if (!copy) abort();
    for (const char *at = from; at < from + n; at++) {
        int line_ends = at[0] == '\\' && at[1] == 'n';
        *to++ = line_ends ? '\n' : *at;
        at += line_ends;
    }
    *to = 0;
    return copy;
}

/* Whether the program of a line takes one grid. */
static inline int vector_takes_grid(const char *line) { return strstr(line, "\"types\":[\"grid\"]") != NULL; }

/* Adds the programs of a file of vectors that take one grid, as long as there are no more than `most` in all. */
static inline void read_vector_programs(const char *path, char **programs, int most, int *count) {
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    while (f && getline(&line, &room, f) > 0 && *count < most)
        if (vector_takes_grid(line) && (programs[*count] = vector_program(line))) ++*count;
    free(line);
    if (f) fclose(f);
}

#endif
