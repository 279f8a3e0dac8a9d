/* Sources for users: parsed, and their normal forms as text and as keys. */
#include <stdlib.h>

#include "base/error.h"
#include "base/hash.h"
#include "language/normal.h"
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

static arcl_status write_form(pool *memory, const definition *d, int inline_uses, text_buffer *t, arcl_error *error) {
    const definition *form;
    PROPAGATE(choose_form(memory, d, inline_uses, &form, error));
    tree_write(t, form, d->name, d->name_length);
    return t->failed ? NO_MEMORY(error) : ARCL_SUCCESS;
}

static arcl_status find_key(pool *memory, const definition *d, arcl_key *key, arcl_error *error) {
    text_buffer t = {0};
    const definition *form = normal_form(memory, d);
    if (form) tree_write(&t, form, "", 0);
    if (!form || t.failed) {
        free(t.at);
        return NO_MEMORY(error);
    }
    *key = hash_bytes(t.at, t.length);
    free(t.at);
    return ARCL_SUCCESS;
}

arcl_status arcl_source_format(arcl_context *context, const arcl_source *source, int index, int inline_uses,
                               char **text, size_t *length, arcl_error *error) {
    const definition *d;
    text_buffer t = {0};
    NEED(context);
    NEED(source);
    NEED(text);
    *text = NULL;
    PROPAGATE(source_definition(source, index, &d, error));
    pool *memory = context_pool_take(context);
    arcl_status status = memory ? write_form(memory, d, inline_uses, &t, error) : NO_MEMORY(error);
    if (memory) context_pool_give(context, memory);
    if (status != ARCL_SUCCESS) {
        free(t.at);
        return status;
    }
    *text = t.at;
    if (length) *length = t.length;
    return ARCL_SUCCESS;
}

arcl_status arcl_source_parse(arcl_context *context, const char *text, size_t length, const char *name,
                              arcl_source **source, arcl_error *error) {
    NEED(context);
    NEED(source);
    if (length) NEED(text);
    return source_parse(&context->ops, text, length, name ? name : "program", source, error);
}

void arcl_text_free(char *text) { free(text); }

arcl_status arcl_source_key(arcl_context *context, const arcl_source *source, int index, arcl_key *key,
                            arcl_error *error) {
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
