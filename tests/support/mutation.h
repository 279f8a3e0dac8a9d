/* Programs with random edits: most are wrong, and many of those in ways that nobody would think of. Edits go by words
 * and lines, so that what comes out is still read by the parser, mostly. What tests and fuzzing share. */
#ifndef ARCL_MUTATION_H
#define ARCL_MUTATION_H
#include "support/evaluation.h"

static inline int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Where word number `number` of the text begins; NULL after the last. */
static inline const char *find_word(const char *at, int number) {
    for (;; number--) {
        while (*at && !is_word(*at)) at++;
        if (!*at || !number) return *at ? at : NULL;
        while (is_word(*at)) at++;
    }
}

static inline int count_words(const char *program) {
    int n = 0;
    for (int inside = 0; *program; program++) {
        n += is_word(*program) && !inside;
        inside = is_word(*program);
    }
    return n;
}

/* An op of the dialect that the program may be in: only batteries and programs of tokpidjin have train pairs. */
static inline const char *random_op(randomness *r, const char *program) {
    arcl_dialect dialect = strstr(program, "S, I") && random_below(r, 4) ? ARCL_TOKPIDJIN : ARCL_ARC_DSL;
    return arcl_dialect_op_get(dialect, (int)random_below(r, (uint32_t)arcl_dialect_op_count(dialect))).name;
}

/* A word to put in: an op, a word of the program, or one of `others`. Valid until the next call. */
static inline const char *random_word(randomness *r, const char *program, const char *const *others, uint32_t count) {
    static char word[64];
    uint32_t kind = random_below(r, 3);
    if (kind == 0) return others[random_below(r, count)];
    if (kind == 1) return random_op(r, program);
    const char *from = find_word(program, (int)random_below(r, (uint32_t)count_words(program)));
    size_t n = 0;
    while (is_word(from[n]) && n < sizeof word - 1) n++;
    memcpy(word, from, n);
    word[n] = 0;
    return word;
}

static inline void text_add_bytes(text *t, const char *from, size_t n) {
    char *copy = malloc(n + 1);
    if (!copy) abort();
    memcpy(copy, from, n);
    copy[n] = 0;
    text_add(t, copy);
    free(copy);
}

/* One word replaced, put in a call, or given another argument behind it. */
static inline void edit_word(randomness *r, const char *program, text *to) {
    static const char *const seldom_right[] = {"1000000000", "-1",    "nothing",  "I",  "T",      "(0, 0)", "first",
                                               "ORIGIN",     "65000", "identity", "()", "size",   "S",      "DOWN",
                                               "NEG_ONE",    "TWO",   "x1",       "x2", "(I, 3)", "(x1,)",  "F"};
    const char *at = find_word(program, (int)random_below(r, (uint32_t)count_words(program))), *end = at;
    const char *word = random_word(r, program, seldom_right, sizeof seldom_right / sizeof *seldom_right);
    uint32_t kind = random_below(r, 8);
    while (is_word(*end)) end++;
    text_add_bytes(to, program, (size_t)((kind == 0 ? end : at) - program));
    if (kind == 0) text_add(to, ", ");
    text_add(to, word);
    if (kind == 1) {
        text_add(to, "(");
        text_add_bytes(to, at, (size_t)(end - at));
        text_add(to, ")");
    }
    text_add(to, end);
}

/* Where a line begins, and its length with its end. */
static inline const char *random_line(randomness *r, const char *program, size_t *length) {
    int lines = 1;
    for (const char *at = program; (at = strchr(at, '\n')) && at[1]; at++) lines++;
    for (int number = (int)random_below(r, (uint32_t)lines); number; number--) program = strchr(program, '\n') + 1;
    *length = strcspn(program, "\n");
    *length += program[*length] == '\n';
    return program;
}

/* One line left out, or repeated elsewhere. */
static inline void edit_line(randomness *r, const char *program, text *to) {
    size_t length, other_length;
    const char *line = random_line(r, program, &length), *other = random_line(r, program, &other_length);
    int repeats = random_below(r, 3) > 0;
    text_add_bytes(to, program, (size_t)(line - program));
    if (repeats) {
        text_add_bytes(to, other, other_length);
        text_add_bytes(to, line, length);
    }
    text_add(to, line + length);
}

/* Replaces the program by one with an edit. */
static inline void mutate_program(randomness *r, text *program) {
    text edited = {0};
    if (!count_words(program->at)) return;
    text_clear(&edited);
    if (random_below(r, 4))
        edit_word(r, program->at, &edited);
    else
        edit_line(r, program->at, &edited);
    text_free(program);
    *program = edited;
}

#endif
