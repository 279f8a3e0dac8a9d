/* One definition after the other, each after those that it uses: so that recursion is seen, and what is used has its
 * normal form, which is put in wherever it is called (normal.c). */
#include "language/resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "language/normal.h"
#include "language/own_names.h"
#include "language/tree_text.h"
#include "language/unknown_name.h"

#define MOST_NESTED 50          /* definitions that use each other, one within the other */
#define MOST_EXPRESSIONS 200000 /* of a definition with all that it calls, and of all that are called together */

typedef struct resolver {
    struct arcl_source *src;
    const op_index *ops;
    own_names names;
    int shadows; /* the text defines a name that the language has, too */
    definition *active[MOST_NESTED];
    int depth;
    uint32_t kept; /* expressions of normal forms */
    int no_memory;
    /* the definition that is being resolved: */
    definition *def;
    const expression *unknown; /* the first name that is left */
    const char *reason;        /* why it is, if that is not just that nobody knows it */
} resolver;

static void resolve_definition(resolver *r, definition *d);

/* ---- messages ---- */

static const char *keep_text(resolver *r, const char *text) {
    char *copy = pool_take(&r->src->memory, strlen(text) + 1);
    r->no_memory |= !copy;
    return copy ? strcpy(copy, text) : "";
}

static size_t add_name(char *text, size_t size, size_t used, const char *before, const definition *d) {
    if (used >= size) return used;
    int n =
        snprintf(text + used, size - used, "%s%.*s", before, d->name_length > 40 ? 40 : (int)d->name_length, d->name);
    return used + (n > 0 ? (size_t)n : 0);
}

/* "recursion is not in the language: f calls g, which calls f" */
static const char *describe_cycle(resolver *r, const definition *first) {
    char text[300] = "recursion is not in the language: ";
    int from = r->depth - 1;
    while (from > 0 && r->active[from] != first) from--;
    size_t used = add_name(text, sizeof text, strlen(text), "", first);
    for (int i = from + 1; i <= r->depth; i++)
        used = add_name(text, sizeof text, used, i == from + 1 ? " calls " : ", which calls ",
                        i < r->depth ? r->active[i] : first);
    return keep_text(r, text);
}

static const char *describe_failed(resolver *r, const definition *d) {
    char text[200];
    if (d->recursion) return d->recursion;
    snprintf(text, sizeof text, "'%.*s', which line %u defines, cannot be used: there is a mistake in it",
             d->name_length > 60 ? 60 : (int)d->name_length, d->name, source_line(r->src, d->at));
    return keep_text(r, text);
}

/* ---- what a name stands for ---- */

static uint32_t form_size(const definition *form) {
    uint32_t size = 0;
    for (const statement *s = form->first; s; s = s->next) size += 1u + s->value->count;
    return size;
}

/* Its normal form, in which the names of parameters do not count. */
static void make_form(resolver *r, definition *d) {
    definition own = *d;
    text_buffer t = {0};
    memset(own.parameter, '?', sizeof own.parameter);
    definition *form = (definition *)normal_form(&r->src->memory, &own);
    if (form) {
        form->expressions = form_size(form);
        tree_write_key(&t, form);
    }
    if (!form || t.failed)
        r->no_memory = 1;
    else {
        form->key = hash_bytes(t.at, t.length);
        r->kept += form->expressions;
        d->form = form;
    }
    free(t.at);
}

/* What the definition is where it is used; NULL, with a reason, if it cannot be. */
static const definition *use(resolver *r, definition *d) {
    if (d->resolving) {
        r->reason = r->def->recursion = describe_cycle(r, d);
        return NULL;
    }
    if (r->depth == MOST_NESTED) {
        r->reason = "definitions use each other more than 50 deep here";
        return NULL;
    }
    const expression *unknown = r->unknown;
    definition *def = r->def;
    resolve_definition(r, d);
    r->def = def;
    r->unknown = unknown;
    r->reason = NULL;
    if (d->failed) {
        r->reason = describe_failed(r, d);
        def->recursion = d->recursion;
        return NULL;
    }
    if (!d->form && r->kept + d->expressions > MOST_EXPRESSIONS) {
        r->reason = "the definitions that are used in this file are too large together";
        return NULL;
    }
    if (!d->form) make_form(r, d);
    return d->form;
}

static int has_mistake(const definition *d) { return d->failed && (d->resolved || !d->unknown_names) && !d->recursion; }

/* A name of the text, of which the language knows one too if `known`. That one is meant where the text's has a mistake
 * in it, but not where it only cannot be used here: otherwise the text's order would decide who means which. */
static void resolve_name(resolver *r, expression *e, uint32_t length, int known) {
    uint32_t before = r->def->is_constant ? r->def->at : UINT32_MAX; /* as Python runs the text */
    definition *d = own_names_find(&r->names, r->src->text + e->at, length, before);
    const definition *form = NULL;
    if (known && (!d || d == r->def)) return; /* in itself, an op's name is the op's */
    const char *reason = r->reason;
    if (d) form = use(r, d);
    if (form) {
        uint32_t at = e->at;
        *e = (expression){.kind = E_DEFINED, .at = at};
        e->defined = form;
        d->is_used = 1;
        r->def->uses_defined = 1;
        r->reason = reason;
        return;
    }
    int is_left = !known || !has_mistake(d);
    if (is_left) {
        e->kind = E_UNKNOWN;
        e->number = (int32_t)length;
    }
    if (is_left && !r->unknown)
        r->unknown = e;
    else
        r->reason = reason;
}

static uint32_t name_length(const char *text) {
    uint32_t n = 0;
    while ((text[n] >= 'a' && text[n] <= 'z') || (text[n] >= 'A' && text[n] <= 'Z') || text[n] == '_' ||
           (n && text[n] >= '0' && text[n] <= '9'))
        n++;
    return n;
}

/* As deep as the parser lets expressions be nested. */
static void resolve_expression(resolver *r, expression *e) {
    if (r->no_memory) return;
    if (e->kind == E_DEFINED)
        r->def->uses_defined = 1; /* in a line of a battery, which another program has, too */
    else if (e->kind == E_UNKNOWN)
        resolve_name(r, e, (uint32_t)e->number, 0);
    else if (r->shadows && (e->kind == E_OP || e->kind == E_INT || e->kind == E_BOOL || e->kind == E_PAIR)) {
        uint32_t n = name_length(r->src->text + e->at);
        if (n) resolve_name(r, e, n, 1);
    }
    for (int i = 0; i < e->count; i++) resolve_expression(r, e->item[i]);
}

/* ---- definitions ---- */

/* What is put in where the expression calls a definition or names a constant. */
static uint64_t added_size(const expression *e) {
    uint64_t size = 0;
    const expression *callee = e->kind == E_CALL ? e->item[0] : NULL;
    if (e->kind == E_DEFINED && e->defined->is_constant) size += e->defined->expressions;
    if (callee && callee->kind == E_DEFINED && !callee->defined->is_constant) size += callee->defined->expressions;
    for (int i = 0; i < e->count; i++) size += added_size(e->item[i]);
    return size;
}

static void fail(resolver *r, definition *d, uint32_t at, const char *text) {
    arcl_error *message = pool_take(&r->src->memory, sizeof *message);
    r->no_memory |= !message;
    d->failed = 1;
    d->unknown_names = 0;
    d->error = message;
    syntax_message(r->src, at, text, message);
}

static void note_unknown(resolver *r, definition *d) {
    arcl_error *message = pool_take(&r->src->memory, sizeof *message);
    r->no_memory |= !message;
    d->failed = d->unknown_names = 1;
    d->error = message;
    if (r->reason)
        syntax_message(r->src, r->unknown->at, r->reason, message);
    else if (message)
        unknown_name_message(r->src, r->ops, r->unknown, message);
}

static void measure(resolver *r, definition *d) {
    uint64_t size = d->expressions;
    for (const statement *s = d->first; s; s = s->next) size += added_size(s->value);
    if (size > MOST_EXPRESSIONS)
        fail(r, d, d->at, "with the definitions that it uses, this one is too large: split it up");
    else
        d->expressions = (uint32_t)size;
}

static void resolve_definition(resolver *r, definition *d) {
    if (d->resolved || (d->failed && !d->unknown_names)) return;
    d->resolving = 1;
    r->active[r->depth++] = d;
    r->def = d;
    r->unknown = NULL;
    r->reason = NULL;
    if (d->unknown_names || r->shadows)
        for (statement *s = d->first; s; s = s->next) resolve_expression(r, s->value);
    if (d->noted && d->noted->kind == E_UNKNOWN && !r->unknown) resolve_expression(r, d->noted);
    int has_message = d->noted && d->noted->kind == E_UNKNOWN && !(r->reason && r->unknown == d->noted);
    if (r->unknown && !has_message)
        note_unknown(r, d);
    else if (d->unknown_names && !r->unknown) {
        d->failed = d->unknown_names = 0;
        d->error = NULL;
    }
    if (d->uses_defined && (!d->failed || d->unknown_names))
        measure(r, d); /* the safe policy runs unknown names, too */
    r->depth--;
    d->resolving = 0;
    d->resolved = 1;
}

/* ---- which of them are programs ---- */

static int begins_with(const definition *d, const char *word) {
    size_t n = strlen(word);
    return d->name_length >= n && memcmp(d->name, word, n) == 0;
}

static int is_program(const definition *d) {
    if (d->failed) return 1; /* so that somebody reads the message */
    return !d->is_constant && (!d->is_used || begins_with(d, "solve") || begins_with(d, "verify"));
}

arcl_status resolve_names(struct arcl_source *src, const op_index *ops, arcl_error *error) {
    int wanted = 0, shadows = 0, programs = 0;
    for (int i = 0; i < src->count; i++) {
        shadows |= src->definition[i]->shadows;
        wanted |= src->definition[i]->unknown_names || src->definition[i]->is_constant;
    }
    if (!wanted && !shadows) return ARCL_SUCCESS;
    resolver *r = malloc(sizeof *r);
    if (!r) return NO_MEMORY(error);
    *r = (resolver){.src = src, .ops = ops, .shadows = shadows};
    if (!own_names_make(&r->names, src->definition, src->count)) r->no_memory = 1;
    for (int i = 0; i < src->count && !r->no_memory; i++) resolve_definition(r, src->definition[i]);
    if (!r->no_memory) own_names_share_use(&r->names, src->text);
    for (int i = 0; i < src->count && !r->no_memory; i++)
        if (is_program(src->definition[i])) src->definition[programs++] = src->definition[i];
    int no_memory = r->no_memory;
    if (!no_memory) src->count = programs;
    own_names_free(&r->names);
    free(r);
    return no_memory ? NO_MEMORY(error) : ARCL_SUCCESS;
}
