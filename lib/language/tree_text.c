#include "language/tree_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

void buffer_add(text_buffer *t, const char *more, size_t n) {
    if (t->failed) return;
    if (t->length + n + 1 > t->room) {
        size_t room = 2 * (t->length + n + 1);
        char *grown = realloc(t->at, room < 256 ? 256 : room);
        t->failed = !grown;
        if (!grown) return;
        t->at = grown;
        t->room = room < 256 ? 256 : room;
    }
    memcpy(t->at + t->length, more, n);
    t->length += n;
    t->at[t->length] = 0;
}

void buffer_add_string(text_buffer *t, const char *more) { buffer_add(t, more, strlen(more)); }

void buffer_add_number(text_buffer *t, int64_t number) {
    char digits[24];
    size_t at = sizeof digits;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do digits[--at] = (char)('0' + left % 10);
    while (left /= 10);
    if (number < 0) digits[--at] = '-';
    buffer_add(t, digits + at, sizeof digits - at);
}

/* ---- names ---- */

static void write_variable(text_buffer *t, const definition *d, int number) {
    char letter = number < d->parameters ? d->parameter[number] : 'x';
    if (number < d->parameters && (letter == 'I' || letter == 'S' || letter == 'C')) {
        buffer_add(t, &letter, 1);
        return;
    }
    buffer_add(t, number < d->parameters ? "p" : "x", 1);
    buffer_add_number(t, number < d->parameters ? number + 1 : number - d->parameters + 1);
}

/* ---- expressions ---- */

static void write_expression(text_buffer *t, const definition *d, const expression *e);

/* A tuple of one has a comma that tells it from parentheses. */
static void write_items(text_buffer *t, const definition *d, const expression *e, int from) {
    buffer_add(t, "(", 1);
    for (int i = from; i < e->count; i++) {
        if (i > from) buffer_add(t, ", ", 2);
        write_expression(t, d, e->item[i]);
    }
    buffer_add_string(t, e->kind == E_TUPLE && e->count == 1 ? ",)" : ")");
}

static void write_expression(text_buffer *t, const definition *d, const expression *e) {
    switch (e->kind) {
    case E_INT: buffer_add_number(t, e->number); break;
    case E_BOOL: buffer_add(t, e->number ? "T" : "F", 1); break;
    case E_PAIR:
        buffer_add(t, "(", 1);
        buffer_add_number(t, e->number);
        buffer_add(t, ", ", 2);
        buffer_add_number(t, e->second);
        buffer_add(t, ")", 1);
        break;
    case E_OP: buffer_add_string(t, callable_name(e->number)); break;
    case E_NAME: write_variable(t, d, e->number); break;
    case E_DEFINED: tree_write_defined_name(t, e->defined); break;
    case E_TUPLE: write_items(t, d, e, 0); break;
    default: write_expression(t, d, e->item[0]); write_items(t, d, e, 1);
    }
}

/* ---- functions that the text defines ---- */

void tree_write_defined_name(text_buffer *t, const definition *form) {
    char name[24];
    snprintf(name, sizeof name, "f_%012llx", (unsigned long long)(form->key.low & 0xffffffffffffu));
    buffer_add_string(t, name);
}

static int is_written(const text_buffer *t, const definition *form) {
    for (int i = 0; i < t->defined_count; i++)
        if (same_key(t->defined[i], form->key)) return 1;
    return 0;
}

static void note_written(text_buffer *t, const definition *form) {
    arcl_key *grown = realloc(t->defined, (size_t)(t->defined_count + 1) * sizeof *grown);
    t->failed |= !grown;
    if (!grown) return;
    t->defined = grown;
    t->defined[t->defined_count++] = form->key;
}

static void write_body(text_buffer *t, const definition *d);

static void write_defined(text_buffer *t, const expression *e) {
    for (int i = 0; i < e->count; i++) write_defined(t, e->item[i]);
    if (e->kind != E_DEFINED || is_written(t, e->defined) || t->failed) return;
    note_written(t, e->defined);
    tree_write_defined(t, e->defined);
    buffer_add(t, "def ", 4);
    tree_write_defined_name(t, e->defined);
    write_body(t, e->defined);
    buffer_add(t, "\n", 1);
}

void tree_write_defined(text_buffer *t, const definition *d) {
    for (const statement *s = d->first; s; s = s->next) write_defined(t, s->value);
}

void buffer_forget_defined(text_buffer *t) {
    free(t->defined);
    t->defined = NULL;
    t->defined_count = 0;
}

/* ---- definitions ---- */

void tree_write_key(text_buffer *t, const definition *form) {
    if (form->dialect == ARCL_TOKPIDJIN) buffer_add_string(t, "tokpidjin ");
    tree_write(t, form, "", 0);
}

void tree_write(text_buffer *t, const definition *d, const char *name, size_t name_length) {
    if (d->uses_defined) {
        tree_write_defined(t, d);
        buffer_forget_defined(t);
    }
    buffer_add(t, "def ", 4);
    buffer_add(t, name, name_length);
    write_body(t, d);
}

/* What follows the name. */
static void write_body(text_buffer *t, const definition *d) {
    buffer_add(t, "(", 1);
    for (int i = 0; i < d->parameters; i++) {
        if (i) buffer_add(t, ", ", 2);
        write_variable(t, d, i);
    }
    buffer_add(t, "):\n", 3);
    for (const statement *s = d->first; s; s = s->next) {
        buffer_add(t, "    ", 4);
        if (s->target < 0) {
            buffer_add(t, "return ", 7);
        } else {
            write_variable(t, d, s->target);
            buffer_add(t, " = ", 3);
        }
        write_expression(t, d, s->value);
        buffer_add(t, "\n", 1);
    }
}
