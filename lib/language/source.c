/* Sources: the text of a file of programs, parsed. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "language/syntax.h"

static uint32_t line_ends(const char *text, size_t length) {
    uint32_t ends = 0;
    for (size_t begin = 0, end; begin < length; begin = end) {
        uint8_t some = 0; /* sixteen of these are counted at once */
        end = begin + 240 < length ? begin + 240 : length;
        for (size_t i = begin; i < end; i++) some = (uint8_t)(some + (text[i] == '\n'));
        ends += some;
    }
    return ends;
}

static int count_lines(arcl_source *s) {
    size_t blocks = s->length / LINE_BLOCK;
    s->lines = pool_get(&s->memory, (blocks + 1) * sizeof *s->lines);
    if (!s->lines) return 0;
    for (size_t i = 0; i < blocks; i++) s->lines[i + 1] = s->lines[i] + line_ends(s->text + i * LINE_BLOCK, LINE_BLOCK);
    return 1;
}

uint32_t source_line(const arcl_source *s, uint32_t at) {
    uint32_t block = at / LINE_BLOCK;
    return 1 + s->lines[block] + line_ends(s->text + block * LINE_BLOCK, at % LINE_BLOCK);
}

static arcl_status fill(arcl_source *s, const parse_means *means, const char *text, size_t length, const char *name,
                        arcl_dialect dialect, arcl_error *error) {
    if (length > 0x7fffffff) return error_set(error, ARCL_INVALID, "%s: files go up to 2 GiB", name);
    s->text = malloc(length + 1);
    s->file = strdup(name);
    if (!s->text || !s->file) return NO_MEMORY(error);
    if (length) memcpy(s->text, text, length);
    s->text[length] = 0;
    s->length = length;
    if (!count_lines(s)) return NO_MEMORY(error);
    return parse_source(means, s, dialect, error);
}

arcl_status source_parse(const parse_means *means, const char *text, size_t length, const char *name,
                         arcl_dialect dialect, arcl_source **source, arcl_error *error) {
    arcl_source *s = calloc(1, sizeof *s);
    *source = NULL;
    if (!s) return NO_MEMORY(error);
    arcl_status status = fill(s, means, text, length, name, dialect, error);
    if (status != ARCL_SUCCESS) {
        arcl_source_free(s);
        return status;
    }
    *source = s;
    return ARCL_SUCCESS;
}

void arcl_source_free(arcl_source *s) {
    if (!s) return;
    pool_free(&s->memory);
    free(s->definition);
    free(s->text);
    free(s->file);
    free(s);
}

void definition_error(const definition *d, arcl_error *error) {
    if (error) *error = d->error ? *d->error : (arcl_error){0};
}

arcl_status source_definition(const arcl_source *s, int index, const definition **d, arcl_error *error) {
    if (index < 0 || index >= s->count) return error_set(error, ARCL_INVALID, "there is no definition %d", index);
    *d = s->definition[index];
    if ((*d)->failed) definition_error(*d, error);
    return (*d)->failed ? ARCL_INVALID : ARCL_SUCCESS;
}

arcl_dialect arcl_source_dialect(const arcl_source *s) { return s ? s->dialect : ARCL_DIALECT_AUTO; }

int arcl_source_count(const arcl_source *s) { return s ? s->count : 0; }

int arcl_source_is_battery(const arcl_source *s, int index) {
    return s && index >= 0 && index < s->count && s->definition[index]->of_battery;
}

char *arcl_source_name(const arcl_source *s, int index, char *buf, size_t size) {
    const definition *d = s && index >= 0 && index < s->count ? s->definition[index] : NULL;
    size_t length = d && d->name ? d->name_length : 0;
    if (!size) return buf;
    if (length >= size) length = size - 1;
    if (length) memcpy(buf, d->name, length);
    buf[length] = 0;
    return buf;
}
