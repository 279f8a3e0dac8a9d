/* Sources for users: parsed, and their normal forms as text and as keys. */
#include <stdlib.h>

#include "base/error.h"
#include "base/hash.h"
#include "language/normal.h"
#include "language/translate.h"
#include "language/tree_text.h"
#include "run/context.h"

/* The form to write: one call a line, or values inlined, which is also done where there would be too many variables. */
static arcl_status choose_form(pool *memory, const definition *d, int inline_uses, const definition **form,
                               arcl_error *error) {
    *form = normal_form(memory, d);
    if (*form && (inline_uses || (*form)->variables > MAX_VARIABLES)) *form = normal_inline(memory, *form);
    if (!*form) return NO_MEMORY(error);
    if ((*form)->variables > MAX_VARIABLES)
        return error_set(error, ARCL_INVALID,
                         "the normal form of %.*s needs %d variables, a definition can have %d: split it up",
                         d->name_length > 60 ? 60 : (int)d->name_length, d->name, (*form)->variables, MAX_VARIABLES);
    return ARCL_SUCCESS;
}

/* What was parsed, or what it is in another dialect. */
static arcl_status translate(pool *memory, const arcl_source *source, arcl_dialect dialect, const definition **d,
                             arcl_error *error) {
    if (dialect == ARCL_DIALECT_AUTO || dialect == (*d)->dialect) return ARCL_SUCCESS;
    const definition *form = normal_form(memory, *d);
    return form ? translate_form(memory, source, form, dialect, d, error) : NO_MEMORY(error);
}

static arcl_status write_form(pool *memory, const arcl_source *source, const definition *d, arcl_dialect dialect,
                              int inline_uses, text_buffer *t, arcl_error *error) {
    const definition *form;
    PROPAGATE(translate(memory, source, dialect, &d, error));
    PROPAGATE(choose_form(memory, d, inline_uses, &form, error));
    tree_write(t, form, d->name, d->name_length);
    return t->failed ? NO_MEMORY(error) : ARCL_SUCCESS;
}

static arcl_status find_key(pool *memory, const definition *d, arcl_key *key, arcl_error *error) {
    text_buffer t = {0};
    const definition *form = normal_form(memory, d);
    if (form) tree_write_key(&t, form);
    if (!form || t.failed) {
        free(t.at);
        return NO_MEMORY(error);
    }
    *key = hash_bytes(t.at, t.length);
    free(t.at);
    return ARCL_SUCCESS;
}

static arcl_status check_dialect(arcl_dialect dialect, arcl_error *error) {
    if ((unsigned)dialect <= ARCL_TOKPIDJIN) return ARCL_SUCCESS;
    return error_set(error, ARCL_INVALID, "there is no dialect %d", (int)dialect);
}

arcl_status arcl_source_translate(arcl_context *context, const arcl_source *source, int index, arcl_dialect dialect,
                                  int inline_uses, char **text, size_t *length, arcl_error *error) {
    error_clear(error);
    const definition *d;
    text_buffer t = {0};
    NEED(context);
    NEED(source);
    NEED(text);
    *text = NULL;
    PROPAGATE(check_dialect(dialect, error));
    PROPAGATE(source_definition(source, index, &d, error));
    pool *memory = context_pool_take(context);
    arcl_status status = memory ? write_form(memory, source, d, dialect, inline_uses, &t, error) : NO_MEMORY(error);
    if (memory) context_pool_give(context, memory);
    if (status != ARCL_SUCCESS) {
        free(t.at);
        return status;
    }
    *text = t.at;
    if (length) *length = t.length;
    return ARCL_SUCCESS;
}

arcl_status arcl_source_format(arcl_context *context, const arcl_source *source, int index, int inline_uses,
                               char **text, size_t *length, arcl_error *error) {
    return arcl_source_translate(context, source, index, ARCL_DIALECT_AUTO, inline_uses, text, length, error);
}

arcl_status arcl_source_parse_dialect(arcl_context *context, const char *text, size_t length, const char *name,
                                      arcl_dialect dialect, arcl_source **source, arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(source);
    if (length) NEED(text);
    *source = NULL;
    PROPAGATE(check_dialect(dialect, error));
    parse_means means = {&context->ops, arcl_context_threads(context), context_share, context};
    return source_parse(&means, text, length, name ? name : "program", dialect, source, error);
}

arcl_status arcl_source_parse(arcl_context *context, const char *text, size_t length, const char *name,
                              arcl_source **source, arcl_error *error) {
    return arcl_source_parse_dialect(context, text, length, name, ARCL_DIALECT_AUTO, source, error);
}

void arcl_text_free(char *text) { free(text); }

arcl_status arcl_source_check(const arcl_source *source, int index, arcl_error *error) {
    const definition *d;
    error_clear(error);
    NEED(source);
    return source_definition(source, index, &d, error);
}

arcl_status arcl_source_key(arcl_context *context, const arcl_source *source, int index, arcl_key *key,
                            arcl_error *error) {
    error_clear(error);
    const definition *d;
    NEED(context);
    NEED(source);
    NEED(key);
    PROPAGATE(source_definition(source, index, &d, error));
    pool *memory = context_pool_take(context);
    arcl_status status = memory ? find_key(memory, d, key, error) : NO_MEMORY(error);
    if (memory) context_pool_give(context, memory);
    return status;
}

arcl_definition_info arcl_source_describe(const arcl_source *s, int index) {
    arcl_definition_info info = {0};
    if (s && index >= 0 && index < s->count) info = s->definition[index]->info;
    if (!info.id) info.id = "";
    if (!info.differ) info.differ = "";
    return info;
}
