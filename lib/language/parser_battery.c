/* Batteries: statements that several programs share, and a line per program that says what it returns. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "language/parser.h"

#define BATTERY_SLOTS 131072
#define MAX_BATTERY_VARIABLES 60000

typedef struct battery_program {
    struct battery_program *next;
    const char *name;
    uint32_t name_length, at;
    expression *values; /* a tuple: the result, and what runs besides it */
} battery_program;

int name_battery_variables(parser *p) {
    if (!p->battery_slot) p->battery_slot = malloc(BATTERY_SLOTS * sizeof *p->battery_slot);
    if (!p->battery_name) p->battery_name = malloc(MAX_BATTERY_VARIABLES * sizeof *p->battery_name);
    if (!p->battery_slot || !p->battery_name) return 0;
    p->slot = memset(p->battery_slot, 0, BATTERY_SLOTS * sizeof *p->battery_slot);
    p->name = p->battery_name;
    p->slots = BATTERY_SLOTS;
    p->most_names = MAX_BATTERY_VARIABLES;
    return 1;
}

/* return NAME: value, value, .. */
static battery_program *parse_battery_return(parser *p) {
    battery_program *b = pool_get(&p->memory, sizeof *b);
    lexer_next(&p->lex);
    if (!b) p->failed = p->no_memory = 1;
    if (p->lex.kind != TK_NAME) fail_here(p, "a program's name");
    if (p->failed) return NULL;
    b->name = p->lex.text + p->lex.at;
    b->name_length = p->lex.n;
    b->at = p->lex.at;
    lexer_next(&p->lex);
    expect_symbol(p, ':');
    b->values = make_expression(p, E_TUPLE, p->lex.at);
    int from = p->pending_count;
    do {
        if (p->pending_count > from && p->lex.kind != TK_NAME) fail_here(p, "the name of what runs besides the result");
        expression *value = parse_expression(p);
        if (p->pending_count > from && value->kind != E_NAME && value->kind != E_UNKNOWN)
            fail_at(p, value->at, "only names follow the result");
        push_item(p, value);
    } while (!p->failed && accept_symbol(p, ','));
    take_items(p, b->values, from);
    return p->failed ? NULL : b;
}

static battery_program *parse_battery_body(parser *p) {
    battery_program *first = NULL, **last = &first;
    statement **tail = &p->def->first;
    if (p->lex.kind == TK_NEWLINE) lexer_next(&p->lex);
    uint32_t indent = p->lex.indent;
    if (p->lex.kind == TK_END || indent == 0) fail_at(p, p->def->at, "this battery has no body");
    while (!p->failed && p->lex.kind != TK_END && p->lex.indent == indent) {
        int known = p->def->variables;
        if (sees_word(p, "return")) {
            if (!(*last = parse_battery_return(p))) break;
            last = &(*last)->next;
        } else {
            uint32_t at = p->lex.at;
            parse_statement(p, &tail);
            if (p->def->variables == known) fail_at(p, at, "a name of a battery is assigned once");
        }
        if (p->lex.kind != TK_NEWLINE && p->lex.kind != TK_END) fail_here(p, "the end of the line");
        if (p->lex.kind == TK_NEWLINE) lexer_next(&p->lex);
    }
    if (!p->failed && p->lex.kind != TK_END && p->lex.indent > 0)
        fail_at(p, p->lex.at, "this line is not indented like those before");
    if (!p->failed && !first) fail_at(p, p->def->at, "this battery returns nothing");
    return p->failed ? NULL : first;
}

static arcl_status add_program(parser *p, slicer *s, const definition *shared, const battery_program *b,
                               arcl_error *error) {
    expression *unknown = NULL;
    PROPAGATE(add_definition(p, error));
    definition *d = p->def;
    d->name = b->name;
    d->name_length = b->name_length;
    d->at = b->at;
    d->end = b->at;
    d->of_battery = 1;
    d->parameters = shared->parameters;
    memcpy(d->parameter, shared->parameter, sizeof d->parameter);
    d->variables = shared->variables;
    PROPAGATE(slice_statements(s, b->values, d, &unknown, error));
    if (unknown) note_unknown_name(p, d, unknown);
    d->failed = unknown != NULL;
    return ARCL_SUCCESS;
}

/* Each program becomes a definition of those statements that it needs. */
arcl_status parse_battery(parser *p, arcl_error *error) {
    PROPAGATE(add_definition(p, error));
    definition *shared = p->def;
    lexer_next(&p->lex);
    if (!name_battery_variables(p)) return NO_MEMORY(error);
    parse_parameters(p);
    battery_program *b = p->failed ? NULL : parse_battery_body(p);
    if (!b) {
        recover_after(p);
        return ARCL_SUCCESS;
    }
    p->count--; /* its place is the first program's */
    slicer s;
    arcl_status status = slicer_start(&s, &p->memory, shared) ? ARCL_SUCCESS : NO_MEMORY(error);
    for (; b && status == ARCL_SUCCESS; b = b->next) status = add_program(p, &s, shared, b, error);
    slicer_end(&s);
    return status;
}
