#include "language/unknown_name.h"

#include <stdio.h>
#include <string.h>

#include "base/name_hash.h"
#include "language/python_words.h"
#include "ops/constant_table.h"

static void offer_name(const char *wanted, const char *name, const char **best) {
    if (!arcl_name_is_near(wanted, name)) return;
    if (!*best || arcl_name_distance(wanted, name) < arcl_name_distance(wanted, *best)) *best = name;
}

/* The word or constant of the dialect that is most like it, or NULL. */
static const char *nearest_name(arcl_dialect dialect, const char *wanted) {
    const char *best = NULL;
    for (int i = 0; i < dialect_count(dialect); i++)
        offer_name(wanted, callable_name(dialect_first(dialect) + i), &best);
    for (int i = 0; i < dialect_constants(dialect); i++) offer_name(wanted, constant_rows[i].name, &best);
    return best;
}

int dialect_knows(const op_index *ops, arcl_dialect dialect, const char *name, uint32_t length) {
    return meaning_find(ops, dialect, name_hash(name, length), name, length) >= 0;
}

void unknown_name_message(const struct arcl_source *src, const op_index *ops, const expression *e,
                          arcl_error *message) {
    char wanted[61], text[240];
    snprintf(wanted, sizeof wanted, "%.*s", e->number > 60 ? 60 : (int)e->number, src->text + e->at);
    uint32_t length = (uint32_t)strlen(wanted);
    arcl_dialect other = src->dialect == ARCL_TOKPIDJIN ? ARCL_ARC_DSL : ARCL_TOKPIDJIN;
    const char *instead = python_function_advice(wanted, length), *best = NULL;
    int n;
    if (dialect_knows(ops, other, wanted, length))
        n = snprintf(text, sizeof text, "'%s' is a word of %s, and this is read as %s", wanted,
                     arcl_dialect_name(other), arcl_dialect_name(src->dialect));
    else if (instead)
        n = snprintf(text, sizeof text, "'%s' is Python's and not in the language: write %s", wanted, instead);
    else
        n = snprintf(text, sizeof text, "'%s' is no op, no constant and no variable defined before this line", wanted);
    if (!instead) best = nearest_name(src->dialect, wanted);
    if (best) snprintf(text + n, sizeof text - (size_t)n, "; did you mean %s?", best);
    syntax_message(src, e->at, text, message);
}
