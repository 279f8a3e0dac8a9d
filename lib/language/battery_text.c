/* Definitions as the text of a battery: each call is a line `tN = op(..)` of its own, and equal calls are one line. Two
 * expressions are equal if they are written alike once their calls have names, so the table of lines is one of texts.
 * What is computed is as in the definitions; only nested calls are named and repeated ones left out. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "language/normal.h"
#include "language/syntax.h"
#include "language/tree_text.h"

#define BLOCK_PROGRAMS 64 /* of one battery of the text */
#define MAX_NAME 24       /* "t" and a number */

/* ---- text that grows ---- */

typedef struct growing_text {
    char *at;
    size_t length, room;
    int failed;
} growing_text;

static void add_bytes(growing_text *t, const char *bytes, size_t n) {
    if (t->length + n + 1 > t->room) {
        size_t room = 2 * (t->length + n + 1);
        char *grown = realloc(t->at, room);
        if (!grown) {
            t->failed = 1;
            return;
        }
        t->at = grown;
        t->room = room;
    }
    memcpy(t->at + t->length, bytes, n);
    t->length += n;
    t->at[t->length] = 0;
}

static void add_text(growing_text *t, const char *text) { add_bytes(t, text, strlen(text)); }

/* ---- the lines of a battery ---- */

typedef struct line {
    const char *call; /* in the pool */
    int reader;       /* the last program in which another line reads it, + 1 */
    int user;         /* the last program that it belongs to, + 1 */
} line;

typedef struct writer {
    pool memory;
    growing_text out;
    line *lines;
    int line_count, line_room;
    int *slot; /* by the call's text: line + 1 */
    int slots;
    int ops_before, ops_after;
    int failed; /* no memory */
    /* the definition that is being written: */
    const struct arcl_source *src;
    int program;
    const char **variable; /* how each is written */
    int *own;              /* its lines */
    int own_count, own_room;
    int unknown_names;     /* written so far */
    text_buffer functions; /* that the lines name: definitions before the battery */
} writer;

static unsigned long hash_text(const char *text) {
    unsigned long h = 5381;
    for (; *text; text++) h = h * 33 ^ (unsigned char)*text;
    return h ^ h >> 15;
}

static int *find_line(const writer *w, const char *call) {
    for (unsigned long h = hash_text(call);; h++) {
        int *slot = &w->slot[h & (unsigned long)(w->slots - 1)];
        if (!*slot || strcmp(w->lines[*slot - 1].call, call) == 0) return slot;
    }
}

static int grow_lines(writer *w) {
    if (w->line_count < w->line_room) return 1;
    int room = w->line_room ? 2 * w->line_room : 1024;
    line *grown = realloc(w->lines, (size_t)room * sizeof *grown);
    int *slot = calloc(2 * (size_t)room, sizeof *slot);
    if (grown) w->lines = grown;
    if (!grown || !slot) {
        free(slot);
        return 0;
    }
    free(w->slot);
    w->slot = slot;
    w->slots = 2 * room;
    w->line_room = room;
    for (int i = 0; i < w->line_count; i++) *find_line(w, w->lines[i].call) = i + 1;
    return 1;
}

static const char *keep(writer *w, const char *text) {
    char *copy = pool_get(&w->memory, strlen(text) + 1);
    if (!copy) w->failed = 1;
    return copy ? strcpy(copy, text) : "";
}

/* The line's number, as one of the present program's; -1 for want of memory. */
static int use_line(writer *w, const char *call) {
    if (!grow_lines(w)) return -1;
    int *slot = find_line(w, call);
    if (!*slot) {
        char name[MAX_NAME];
        w->lines[w->line_count] = (line){keep(w, call), 0, 0};
        *slot = ++w->line_count;
        snprintf(name, sizeof name, "    t%d = ", *slot);
        add_text(&w->out, name);
        add_text(&w->out, call);
        add_text(&w->out, "\n");
        w->ops_after++;
    }
    line *l = &w->lines[*slot - 1];
    if (l->user != w->program + 1) {
        if (w->own_count == w->own_room) {
            int room = w->own_room ? 2 * w->own_room : 64, *grown = realloc(w->own, (size_t)room * sizeof *grown);
            if (!grown) return -1;
            w->own = grown;
            w->own_room = room;
        }
        w->own[w->own_count++] = *slot - 1;
        l->user = w->program + 1;
    }
    return *slot - 1;
}

/* ---- expressions ---- */

static int is_line_name(const char *text, size_t n) {
    size_t digits = 1;
    while (digits < n && isdigit((unsigned char)text[digits])) digits++;
    return n > 1 && text[0] == 't' && digits == n;
}

/* Notes that the present program reads what is written like this: lines, also within tuples. */
static void note_readers(writer *w, const char *text) {
    for (; *text; text++) {
        if (!isalnum((unsigned char)*text) && *text != '_') continue;
        size_t n = 0;
        while (isalnum((unsigned char)text[n]) || text[n] == '_') n++;
        if (is_line_name(text, n)) w->lines[strtol(text + 1, NULL, 10) - 1].reader = w->program + 1;
        text += n - 1;
    }
}

static const char *write_expression(writer *w, const expression *e);

/* (a, b), or f(a, b) */
static const char *write_items(writer *w, const expression *e) {
    growing_text t = {0};
    int is_call = e->kind == E_CALL;
    if (is_call) add_text(&t, write_expression(w, e->item[0]));
    add_text(&t, "(");
    for (int i = is_call; i < e->count; i++) {
        if (i > is_call) add_text(&t, ", ");
        add_text(&t, write_expression(w, e->item[i]));
    }
    add_text(&t, !is_call && e->count == 1 ? ",)" : ")");
    const char *written = "";
    if (t.failed || !t.at)
        w->failed = 1;
    else if (!is_call)
        written = keep(w, t.at);
    else {
        char name[MAX_NAME];
        w->ops_before++;
        note_readers(w, t.at);
        int number = use_line(w, t.at);
        if (number < 0)
            w->failed = 1; /* and the call has no name: "t0" would be taken for a line */
        else {
            snprintf(name, sizeof name, "t%d", number + 1);
            written = keep(w, name);
        }
    }
    free(t.at);
    return written;
}

static const char *write_function(writer *w, const definition *form) {
    text_buffer name = {0};
    tree_write_defined_name(&name, form);
    const char *kept = name.at ? keep(w, name.at) : "";
    w->failed |= name.failed;
    free(name.at);
    return kept;
}

static const char *write_expression(writer *w, const expression *e) {
    char atom[80];
    switch (e->kind) {
    case E_INT: snprintf(atom, sizeof atom, "%d", e->number); break;
    case E_BOOL: snprintf(atom, sizeof atom, "%s", e->number ? "T" : "F"); break;
    case E_PAIR: snprintf(atom, sizeof atom, "(%d, %d)", e->number, e->second); break;
    case E_OP: snprintf(atom, sizeof atom, "%s", callable_name(e->number)); break;
    case E_UNKNOWN: /* which must not become a name that means something */
        snprintf(atom, sizeof atom, "unknown_%.*s", e->number > 60 ? 60 : (int)e->number, w->src->text + e->at);
        w->unknown_names++;
        break;
    case E_NAME: return w->variable[e->number];
    case E_DEFINED: return write_function(w, e->defined);
    default: return write_items(w, e);
    }
    return keep(w, atom);
}

/* ---- definitions ---- */

/* Whether the definition can be part of a battery; else why not. */
static int is_fit(const arcl_definition *d, arcl_error *error) {
    if (!d->source || d->index < 0 || d->index >= d->source->count) {
        error_set(error, ARCL_INVALID, "there is no definition %d", d->index);
        return 0;
    }
    const definition *def = d->source->definition[d->index];
    int readable = !def->failed || def->unknown_names;
    if (!readable) definition_error(def, error);
    for (int i = 0; readable && i < def->parameters; i++)
        if (!strchr("SIC", def->parameter[i])) {
            syntax_message(d->source, def->at, "the parameters of a program in a battery are I, or S, I, C", error);
            return 0;
        }
    return readable;
}

/* A name that stands for nothing and is no part of a call, or NULL: no line of the program has it. What runs besides a
 * battery's result is no statement, so a definition may have such a name and no expression for it. */
static const expression *loose_unknown(const expression *e) {
    const expression *found = e->kind == E_UNKNOWN ? e : NULL;
    for (int i = 0; e->kind == E_TUPLE && i < e->count && !found; i++) found = loose_unknown(e->item[i]);
    return found;
}

/* ---- batteries of tokpidjin ---- */

/* Ends what a definition has written with the append of its result, which is a line. */
static void append_result(writer *w, const definition *d, const char *result) {
    static const char solver[] = "solve_", differ[] = "differ";
    char text[400];
    int number = 0;
    if (is_line_name(result, strlen(result)))
        number = (int)strtol(result + 1, NULL, 10);
    else {
        growing_text call = {0};
        add_text(&call, "identity(");
        add_text(&call, result);
        add_text(&call, ")");
        number = call.failed || !call.at ? 0 : use_line(w, call.at) + 1;
        free(call.at);
    }
    if (number < 1) w->failed = 1;
    const char *name = d->name;
    int length = d->name_length > 120 ? 120 : (int)d->name_length;
    int is_differ = d->name_length >= strlen(differ) && memcmp(name, differ, strlen(differ)) == 0;
    int is_solver = d->name_length > strlen(solver) && memcmp(name, solver, strlen(solver)) == 0;
    int skipped = is_solver ? (int)strlen(solver) : 0;
    if (is_differ)
        snprintf(text, sizeof text, "    s.append((%d, 'None', '%.*s', t%d))\n", number, length, name, number);
    else
        snprintf(text, sizeof text, "    o.append((%d, False, '%.*s', t%d))\n", number, length - skipped,
                 name + skipped, number);
    add_text(&w->out, text);
}

static void begin_function(writer *w) {
    add_text(&w->out, "from dsl import *\nfrom constants import *\n\n\n"
                      "def batt(task_id, S, I, C, log_path):\n    s = []\n    o = []\n");
}

/* What is written of a definition: what it says, or if it uses others of its text, what it is when they are put in. */
static const definition *without_defined(writer *w, const definition *d) {
    if (!d->uses_defined) return d;
    const definition *form = normal_form(&w->memory, d);
    w->failed |= !form;
    if (form) tree_write_defined(&w->functions, form);
    return form ? form : d;
}

static void write_definition(writer *w, const definition *d, growing_text *returns) {
    d = without_defined(w, d);
    const char *result = "";
    const expression *unknown = NULL;
    char part[MAX_NAME];
    w->own_count = w->unknown_names = 0;
    w->variable = pool_get(&w->memory, (size_t)(d->variables + 1) * sizeof *w->variable);
    if (!w->variable) {
        w->failed = 1;
        return;
    }
    for (int i = 0; i < d->parameters; i++) {
        char name[2] = {d->parameter[i], 0};
        w->variable[i] = keep(w, name);
    }
    for (const statement *s = d->first; s && !w->failed; s = s->next) {
        result = write_expression(w, s->value);
        if (!unknown) unknown = loose_unknown(s->value);
        if (s->target >= 0) w->variable[s->target] = result;
    }
    if (d->dialect == ARCL_TOKPIDJIN) {
        append_result(w, d, result);
        return;
    }
    note_readers(w, result);
    add_text(returns, "    return ");
    add_bytes(returns, d->name, d->name_length);
    add_text(returns, ": ");
    add_text(returns, result);
    for (int i = 0; i < w->own_count; i++) { /* what nobody reads runs all the same */
        if (w->lines[w->own[i]].reader == w->program + 1) continue;
        snprintf(part, sizeof part, ", t%d", w->own[i] + 1);
        add_text(returns, part);
    }
    if (unknown || (d->unknown_names && !w->unknown_names)) { /* it is an error in the text as well */
        add_text(returns, ", ");
        add_text(returns, unknown ? write_expression(w, unknown) : "unknown_name");
    }
    add_text(returns, "\n");
}

static void begin_block(writer *w) {
    w->line_count = 0;
    if (w->slot) memset(w->slot, 0, (size_t)w->slots * sizeof *w->slot);
    add_text(&w->out, w->out.length ? "\nbattery (S, I, C):\n" : "battery (S, I, C):\n");
}

static void end_block(writer *w, growing_text *returns) {
    if (returns->at) add_bytes(&w->out, returns->at, returns->length);
    returns->length = 0;
}

/* Definitions of functions come first. */
static void put_functions_before(writer *w) {
    text_buffer *f = &w->functions;
    w->failed |= f->failed;
    if (f->at && w->out.at) {
        buffer_add(f, w->out.at, w->out.length);
        free(w->out.at);
        w->failed |= f->failed;
        w->out = (growing_text){f->at, f->length, f->room, 0};
        f->at = NULL;
    }
    free(f->at);
    buffer_forget_defined(f);
}

static void end_writing(writer *w, arcl_battery_text *text) {
    text->text = w->out.at;
    text->length = w->out.length;
    text->ops_before = w->ops_before;
    text->ops_after = w->ops_after;
    free(w->lines);
    free(w->slot);
    free(w->own);
    pool_free(&w->memory);
}

arcl_status arcl_battery_write(const arcl_definition *definitions, int count, arcl_battery_text *text,
                               arcl_error *errors, arcl_error *error) {
    error_clear(error);
    NEED(text);
    if (count > 0) NEED(definitions);
    writer w = {0};
    growing_text returns = {0};
    int written = 0;
    arcl_dialect dialect = ARCL_ARC_DSL;
    *text = (arcl_battery_text){.programs = count > 0 ? count : 0};
    for (int i = 0; i < count; i++) {
        if (errors) error_clear(&errors[i]);
        if (!is_fit(&definitions[i], errors ? &errors[i] : NULL)) continue;
        if (!written) dialect = definitions[i].source->dialect;
        if (definitions[i].source->dialect != dialect) {
            if (errors)
                error_set(&errors[i], ARCL_INVALID, "%s: the programs of one battery are all of one dialect",
                          definitions[i].source->file);
            continue;
        }
        if (dialect == ARCL_TOKPIDJIN) {
            if (!written++) begin_function(&w);
        } else if (written++ % BLOCK_PROGRAMS == 0) {
            end_block(&w, &returns);
            begin_block(&w);
        }
        w.src = definitions[i].source;
        w.program = i;
        write_definition(&w, w.src->definition[definitions[i].index], &returns);
    }
    end_block(&w, &returns);
    if (dialect == ARCL_TOKPIDJIN) add_text(&w.out, "    return o, s\n");
    text->rejected = text->programs - written;
    put_functions_before(&w);
    int failed = w.failed || w.out.failed || returns.failed;
    free(returns.at);
    end_writing(&w, text);
    if (!failed) return ARCL_SUCCESS;
    arcl_battery_text_free(text);
    return NO_MEMORY(error);
}

void arcl_battery_text_free(arcl_battery_text *text) {
    if (!text) return;
    free(text->text);
    text->text = NULL;
}
