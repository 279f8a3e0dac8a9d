/* Values as text, and programs run on them in one call: what the tests of the language share.
 *
 * A value is written as in the vector files, with sets shorter: 3, true, null, [1,[2,3]], {[0,0],[0,1]}; {"set":[..]}
 * is read too. A lane is its arguments one after the other, and lanes are separated by ';'. A program is written as the
 * body of a definition whose parameters are a, b, c and d, statements separated by ';', the last one without its
 * `return`.
 */
#ifndef EVALUATION_H
#define EVALUATION_H
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arcl.h"
#include "support/randomness.h"

/* ---- text that grows ---- */

typedef struct text {
    char *at;
    size_t length, room;
} text;

static inline void text_add(text *t, const char *more) {
    size_t n = strlen(more);
    if (t->length + n + 1 > t->room) {
        t->room = 2 * (t->length + n + 1);
        t->at = realloc(t->at, t->room);
        if (!t->at) abort();
    }
    memcpy(t->at + t->length, more, n + 1);
    t->length += n;
}

static inline void text_clear(text *t) {
    t->length = 0;
    text_add(t, "");
}

static inline void text_free(text *t) {
    free(t->at);
    *t = (text){0};
}

/* ---- writing values ---- */

static inline void value_write(arcl_value v, text *to) {
    char number[32];
    arcl_kind kind = arcl_value_kind(v);
    switch (kind) {
    case ARCL_INT:
        snprintf(number, sizeof number, "%lld", (long long)arcl_value_int(v));
        text_add(to, number);
        return;
    case ARCL_BOOL: text_add(to, arcl_value_int(v) ? "true" : "false"); return;
    case ARCL_NONE: text_add(to, "null"); return;
    default: break;
    }
    text_add(to, kind == ARCL_SET ? "{" : "[");
    for (uint32_t i = 0; i < arcl_value_count(v); i++) {
        if (i) text_add(to, ",");
        value_write(arcl_value_item(v, i), to);
    }
    text_add(to, kind == ARCL_SET ? "}" : "]");
}

/* Every lane's value, or the name of its status, separated by "; ". */
static inline void result_write(const arcl_result *r, text *to) {
    for (uint32_t number = 0; number < arcl_result_lanes(r); number++) {
        arcl_lane_status status = arcl_result_status(r, number);
        if (number) text_add(to, "; ");
        if (status == ARCL_OK)
            value_write(arcl_result_value(r, number), to);
        else
            text_add(to, arcl_lane_status_name(status));
    }
}

/* ---- reading values ---- */

static inline const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == ',' || *at == ';') at++;
    return at;
}

/* Adds the value at `at` to the batch; returns where it ends, or NULL after an error. */
static inline const char *value_read(arcl_batch *b, const char *at, arcl_error *error) {
    at = skip_blanks(at);
    if (strncmp(at, "true", 4) == 0) return arcl_batch_add_int(b, 1, error) ? NULL : at + 4;
    if (strncmp(at, "false", 5) == 0) return arcl_batch_add_int(b, 0, error) ? NULL : at + 5;
    if (*at != '[' && *at != '{') {
        char *end;
        long long number = strtoll(at, &end, 10);
        if (end == at) abort(); /* the test itself is wrong */
        return arcl_batch_add_int(b, number, error) ? NULL : end;
    }
    if (arcl_batch_open(b, error)) return NULL;
    int object = strncmp(at, "{\"set\":[", 8) == 0;
    at = skip_blanks(at + (object ? 8 : 1));
    while (*at != ']' && *at != '}') {
        if (!(at = value_read(b, at, error))) return NULL;
        at = skip_blanks(at);
    }
    return arcl_batch_close(b, error) ? NULL : at + 1 + object;
}

/* Adds all lanes of the text. */
static inline arcl_status lanes_read(arcl_batch *b, const char *at, arcl_error *error) {
    for (at = skip_blanks(at); *at; at = skip_blanks(at))
        if (!(at = value_read(b, at, error))) return ARCL_INVALID;
    return ARCL_SUCCESS;
}

/* ---- one definition ---- */

static inline int count_types(const char *types) {
    int n = *types != 0;
    for (; *types; types++) n += *types == ' ';
    return n;
}

/* The text of the definition p with parameters a, b, .. and that body. */
static inline void definition_write(int parameters, const char *body, text *to) {
    static const char *const heads[] = {"def p():\n", "def p(a):\n", "def p(a, b):\n", "def p(a, b, c):\n",
                                        "def p(a, b, c, d):\n"};
    const char *last = strrchr(body, ';');
    last = last ? last + 1 : body;
    text_clear(to);
    text_add(to, heads[parameters]);
    for (const char *at = body; at < last;) {
        const char *end = strchr(at, ';');
        char line[2048];
        while (*at == ' ') at++;
        snprintf(line, sizeof line, "    %.*s\n", (int)(end - at), at);
        text_add(to, line);
        at = end + 1;
    }
    while (*last == ' ') last++;
    text_add(to, "    return ");
    text_add(to, last);
    text_add(to, "\n");
}

/* Compiles the body for parameters of these types, separated by blanks. */
static inline arcl_status body_compile(arcl_context *context, const char *types, const char *body, int grid_result,
                                       arcl_program **program, arcl_error *error) {
    char copy[256];
    const char *type[4] = {NULL};
    int count = 0;
    text source = {0};
    arcl_source *parsed;
    *program = NULL;
    snprintf(copy, sizeof copy, "%s", types);
    for (char *rest, *at = strtok_r(copy, " ", &rest); at && count < 4; at = strtok_r(NULL, " ", &rest))
        type[count++] = at;
    definition_write(count_types(types), body, &source);
    arcl_status status = arcl_source_parse(context, source.at, source.length, "test.py", &parsed, error);
    arcl_compile_options options = {.types = type, .type_count = count, .grid_result = grid_result};
    if (!status) status = arcl_program_compile(context, parsed, 0, &options, program, error);
    if (!status && arcl_source_count(parsed) != 1) abort();
    arcl_source_free(parsed);
    text_free(&source);
    return status;
}

/* What a body makes of all lanes of a batch, in a text that the next call overwrites; "not run" if it cannot. */
static inline const char *batch_evaluate(arcl_context *context, const arcl_batch *b, const char *types,
                                         const char *body) {
    static text out;
    arcl_program *p = NULL;
    arcl_result *r = NULL;
    text_clear(&out);
    if (body_compile(context, types, body, 0, &p, NULL) || arcl_run(context, p, b, &r, NULL)) return "not run";
    result_write(r, &out);
    arcl_result_free(r);
    arcl_program_free(p);
    return out.at;
}

/* Runs the body over the lanes: their values and statuses as text, or the message of an error. The text stays valid
 * until the next call. */
static inline const char *evaluate_in(arcl_context *context, const char *types, const char *body, const char *lanes) {
    static text out;
    arcl_error error = {{0}};
    arcl_program *program = NULL;
    arcl_batch *batch = NULL;
    arcl_result *result = NULL;
    text_clear(&out);
    arcl_status status = body_compile(context, types, body, 0, &program, &error);
    if (!status) status = arcl_batch_create(context, types, &batch, &error);
    if (!status) status = lanes_read(batch, lanes, &error);
    if (!status) status = arcl_run(context, program, batch, &result, &error);
    if (status)
        text_add(&out, error.message);
    else
        result_write(result, &out);
    arcl_result_free(result);
    arcl_batch_free(batch);
    arcl_program_free(program);
    return out.at;
}

/* The same in a context of its own. */
static inline const char *evaluate(const char *types, const char *body, const char *lanes) {
    arcl_context *context;
    arcl_options options = {.threads = 1};
    if (arcl_context_create(&options, &context, NULL)) abort();
    const char *got = evaluate_in(context, types, body, lanes);
    arcl_context_free(context);
    return got;
}

/* ---- messages ---- */

/* Whether the message has the form of all messages about a source text: file:line:column, then that line of the text
 * and a caret under that column. NULL if so, else what is wrong. */
static inline const char *message_problem(const char *message, const char *file, const char *source, size_t length) {
    unsigned line, column;
    size_t n = strlen(file), start = 0;
    if (strncmp(message, file, n) != 0) return "the message does not begin with the file's name";
    if (sscanf(message + n, ":%u:%u: ", &line, &column) != 2) return "no line and column";
    if (line < 1 || column < 1) return "lines and columns count from 1";
    while (--line) {
        const char *next = start < length ? memchr(source + start, '\n', length - start) : NULL;
        if (!next) return "there is no such line";
        start = (size_t)(next - source) + 1;
    }
    size_t end = start;
    while (end < length && source[end] != '\n') end++;
    if (start + column - 1 > end) return "there is no such column";
    const char *shown = strchr(message, '\n'), *caret = shown ? strchr(shown + 1, '\n') : NULL;
    if (!caret || strchr(caret + 1, '\n')) return "a message has three lines";
    shown++;
    caret++;
    if (strncmp(shown, "    ", 4) != 0 || strncmp(caret, "    ", 4) != 0) return "the lines are not indented";
    size_t at = strspn(caret, " \t");
    if (strcmp(caret + at, "^") != 0) return "no caret";
    if (column <= 60 && at - 4 != column - 1) return "the caret is under another column";
    for (size_t i = 0; i < at - 4; i++) /* the line may be cut at both ends, but must fit over the caret */
        if (shown[4 + i] != source[start + column - 1 - (at - 4) + i]) return "another line is shown";
    return start + column - 1 < end && shown[at] != source[start + column - 1] ? "another line is shown" : NULL;
}

#endif
