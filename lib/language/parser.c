/* From tokens to definitions. Each definition is parsed on its own: an error in one is kept with it and the next goes
 * on. */
#include "language/parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "language/python_words.h"

/* ---- tokens and messages ---- */

void syntax_message(const struct arcl_source *src, uint32_t at, const char *text, arcl_error *error) {
    if (!error) return;
    uint32_t start = at, end = at;
    while (start > 0 && src->text[start - 1] != '\n') start--;
    while (end < src->length && src->text[end] != '\n') end++;
    uint32_t column = at - start;
    /* Of a long line, show the part around the position. */
    uint32_t from = column > 60 ? at - 60 : start, shown = end - from > 100 ? 100 : end - from;
    char caret[128];
    uint32_t n = 0;
    for (; n < at - from && n < sizeof caret - 1; n++) caret[n] = src->text[from + n] == '\t' ? '\t' : ' ';
    caret[n] = 0;
    error_set(error, ARCL_INVALID, "%s:%u:%u: %s\n    %.*s\n    %s^", src->file, source_line(src, start), column + 1,
              text, (int)shown, src->text + from, caret);
}

arcl_error *make_message(parser *p, definition *d) {
    arcl_error *made = pool_take(&p->memory, sizeof *made);
    p->no_memory |= !made;
    d->error = made;
    return made;
}

void fail_at(parser *p, uint32_t at, const char *text) {
    if (p->failed) return;
    p->failed = 1;
    syntax_message(p->src, at, text, make_message(p, p->def));
}

void fail_here(parser *p, const char *expected) {
    char text[256];
    if (p->lex.kind == TK_BAD)
        snprintf(text, sizeof text, "%s", p->lex.problem);
    else if (p->lex.kind == TK_END || p->lex.kind == TK_NEWLINE)
        snprintf(text, sizeof text, "the line ends where %s is expected", expected);
    else { /* of a token that is long or has several lines, the beginning */
        const char *token = p->lex.text + p->lex.at;
        int n = 0;
        while (n < 40 && n < (int)p->lex.n && token[n] != '\n') n++;
        snprintf(text, sizeof text, "'%.*s' where %s is expected", n, token, expected);
    }
    fail_at(p, p->lex.at, text);
}

static void fail_with_advice(parser *p, enum python_place place, const char *expected) {
    const char *advice = python_advice(&p->lex, place);
    if (advice)
        fail_at(p, p->lex.at, advice);
    else
        fail_here(p, expected);
}

void fail_at_value(parser *p, const char *expected) { fail_with_advice(p, PYTHON_VALUE, expected); }

void fail_behind_value(parser *p, const char *expected) { fail_with_advice(p, PYTHON_BEHIND_VALUE, expected); }

void expect_symbol(parser *p, char symbol) {
    if (accept_symbol(p, symbol)) return;
    char text[8] = {'\'', symbol, '\'', 0};
    fail_here(p, text);
}

/* ---- definitions ---- */

static void skip_annotation(parser *p) { /* anything up to , ) = or : outside brackets */
    int depth = 0;
    while (p->lex.kind != TK_END && p->lex.kind != TK_NEWLINE && p->lex.kind != TK_BAD) {
        if (depth == 0 && p->lex.kind == TK_SYMBOL && strchr(",)=:", p->lex.symbol)) return;
        if (p->lex.kind == TK_SYMBOL && strchr("([{", p->lex.symbol)) depth++;
        if (p->lex.kind == TK_SYMBOL && strchr(")]}", p->lex.symbol)) depth--;
        lexer_next(&p->lex);
    }
}

void parse_parameters(parser *p) {
    expect_symbol(p, '(');
    while (!p->failed && !sees_symbol(p, ')')) {
        if (p->lex.kind != TK_NAME) {
            fail_here(p, "a parameter's name");
            return;
        }
        if (p->def->parameters == MAX_PARAMETERS) {
            fail_here(p, "the end of the parameters (there can be 4)");
            return;
        }
        unsigned slot;
        if (find_variable(p, p->lex.hash, p->lex.text + p->lex.at, p->lex.n, &slot) >= 0)
            fail_here(p, "another parameter's name");
        define_variable(p, p->lex.hash, p->lex.at, p->lex.n);
        p->def->parameter[p->def->parameters++] = p->lex.n == 1 ? p->lex.text[p->lex.at] : '?';
        lexer_next(&p->lex);
        if (accept_symbol(p, ':')) skip_annotation(p);
        if (!accept_symbol(p, ',') && !sees_symbol(p, ')')) fail_here(p, "',' or ')'");
    }
    expect_symbol(p, ')');
    if (accept_symbol(p, '>')) skip_annotation(p);
    expect_symbol(p, ':');
}

/* A line that begins with a name and is no assignment. */
static void fail_statement(parser *p, uint32_t at, uint32_t n) {
    lexer name = {.text = p->lex.text, .kind = TK_NAME, .at = at, .n = n};
    const char *advice = python_advice(&name, PYTHON_STATEMENT);
    if (!advice && sees_symbol(p, ',')) advice = "a line assigns one name: write a line for each";
    if (!advice && p->lex.text[p->lex.next] == '=') advice = "only = assigns: write x = add(x, y) for x += y";
    fail_at(p, at, advice ? advice : "only 'name = value' and 'return value' are understood");
}

int parse_statement(parser *p, statement ***tail) {
    uint32_t at = p->lex.at, n = p->lex.n, hash = p->lex.hash;
    if (p->lex.kind == TK_STRING) { /* a docstring */
        lexer_next(&p->lex);
        return 0;
    }
    if (p->lex.kind != TK_NAME) {
        fail_with_advice(p, PYTHON_STATEMENT, "an assignment or return");
        return 0;
    }
    int is_return = sees_word(p, "return");
    lexer_next(&p->lex);
    if (!is_return) {
        if (accept_symbol(p, ':')) skip_annotation(p);
        if (!sees_symbol(p, '=')) {
            fail_statement(p, at, n);
            return 0;
        }
        lexer_next(&p->lex);
    }
    expression *value = parse_expression(p);
    statement *s = pool_take(&p->memory, sizeof *s);
    if (!s) p->failed = p->no_memory = 1;
    if (p->failed) return 0;
    *s = (statement){.value = value, .target = is_return ? -1 : define_variable(p, hash, at, n)};
    **tail = s;
    *tail = &s->next;
    return is_return;
}

static void parse_body(parser *p) {
    statement **tail = &p->def->first;
    int returned = 0;
    if (p->lex.kind == TK_NEWLINE) {
        lexer_next(&p->lex);
        if (p->lex.kind == TK_END || p->lex.indent == 0) {
            fail_at(p, p->def->at, "this definition has no body");
            return;
        }
    }
    uint32_t indent = p->lex.indent;
    while (!p->failed && p->lex.kind != TK_END && p->lex.indent == indent && indent > 0) {
        if (returned) {
            fail_at(p, p->lex.at, "nothing can follow the return");
            return;
        }
        returned = parse_statement(p, &tail);
        if (p->failed) return;
        if (!accept_symbol(p, ';') && p->lex.kind != TK_NEWLINE && p->lex.kind != TK_END) {
            fail_behind_value(p, "the end of the line");
            return;
        }
        if (p->lex.kind == TK_NEWLINE) lexer_next(&p->lex);
    }
    if (p->lex.kind != TK_END && p->lex.indent > 0)
        fail_at(p, p->lex.at, "this line is not indented like those before");
    if (!p->failed && !returned) fail_at(p, p->def->at, "this definition returns nothing");
}

static void forget_names(parser *p) {
    p->slot = p->definition_slot;
    p->name = p->definition_name;
    p->slots = NAME_SLOTS;
    p->most_names = MAX_VARIABLES;
    memset(p->slot, 0, p->slots * sizeof *p->slot);
}

arcl_status add_definition(parser *p, arcl_error *error) {
    definition *d = pool_get(&p->memory, sizeof *d);
    if (!d) return NO_MEMORY(error);
    if (p->count == p->room) {
        int room = p->room ? 2 * p->room : 64;
        definition **grown = realloc(p->definition, (size_t)room * sizeof *grown);
        if (!grown) return NO_MEMORY(error);
        p->definition = grown;
        p->room = room;
    }
    p->definition[p->count++] = d;
    d->at = p->lex.at;
    d->dialect = p->dialect;
    p->def = d;
    p->failed = p->depth = p->pending_count = p->shares_lines = 0;
    forget_names(p);
    return ARCL_SUCCESS;
}

void recover_after(parser *p) {
    int at_next = p->lex.at > p->def->at && p->lex.indent == 0 && p->lex.text[p->lex.at - 1] == '\n';
    p->def->failed = 1;
    p->def->unknown_names = 0;
    if (!at_next && p->lex.kind != TK_END) lexer_skip_definition(&p->lex);
}

static uint8_t language_has_name(const parser *p) {
    return meaning_find(p->ops, p->dialect, p->lex.hash, p->lex.text + p->lex.at, p->lex.n) >= 0;
}

static void end_definition(parser *p) {
    if (p->failed)
        recover_after(p);
    else
        p->def->failed = p->def->unknown_names != 0;
    p->def->end = p->lex.at;
}

static arcl_status parse_definition(parser *p, arcl_error *error) {
    PROPAGATE(add_definition(p, error));
    definition *d = p->def;
    lexer_next(&p->lex);
    if (p->lex.kind == TK_NAME) {
        d->name = p->lex.text + p->lex.at;
        d->name_length = p->lex.n;
        d->shadows = language_has_name(p);
        lexer_next(&p->lex);
        parse_parameters(p);
        if (d->parameters >= 2 && d->parameter[0] == 'S' && d->parameter[1] == 'I') p->evidence.train_pairs = 1;
        if (!p->failed) parse_body(p);
    } else
        fail_here(p, "the definition's name");
    end_definition(p);
    return ARCL_SUCCESS;
}

/* ---- constants ---- */

/* NAME = .. or NAME: annotation = .. */
static int begins_constant(const parser *p) {
    lexer ahead = p->lex;
    if (ahead.kind != TK_NAME) return 0;
    lexer_next(&ahead);
    if (ahead.kind != TK_SYMBOL) return 0;
    return ahead.symbol == ':' || (ahead.symbol == '=' && ahead.text[ahead.next] != '=');
}

static arcl_status parse_constant(parser *p, arcl_error *error) {
    PROPAGATE(add_definition(p, error));
    definition *d = p->def;
    statement *s = pool_get(&p->memory, sizeof *s);
    if (!s) return NO_MEMORY(error);
    d->name = p->lex.text + p->lex.at;
    d->name_length = p->lex.n;
    d->is_constant = 1;
    d->shadows = language_has_name(p);
    lexer_next(&p->lex);
    if (accept_symbol(p, ':')) skip_annotation(p);
    expect_symbol(p, '=');
    s->value = parse_expression(p);
    s->target = -1;
    d->first = s;
    if (!p->failed && !sees_symbol(p, ';') && p->lex.kind != TK_NEWLINE && p->lex.kind != TK_END)
        fail_behind_value(p, "the end of the line");
    end_definition(p);
    return ARCL_SUCCESS;
}

/* ---- all of them ---- */

/* Kept as a definition that has failed: all lines up to the next one that begins something. */
static arcl_status refuse_lines(parser *p, arcl_error *error) {
    PROPAGATE(add_definition(p, error));
    fail_at(p, p->lex.at,
            "only definitions ('def name(I):'), constants ('NAME = value') and imports are understood here");
    p->def->failed = 1;
    do lexer_skip_definition(&p->lex);
    while (p->lex.kind != TK_END && p->lex.at < p->stop && !sees_word(p, "def") && !sees_word(p, "battery") &&
           !sees_word(p, "import") && !sees_word(p, "from") && !begins_constant(p));
    return ARCL_SUCCESS;
}

arcl_status parse_part(parser *p, arcl_error *error) {
    arcl_status status = ARCL_SUCCESS;
    lexer_start(&p->lex, p->src->text, (uint32_t)p->src->length, p->begin);
    lexer_next(&p->lex);
    while (status == ARCL_SUCCESS && p->lex.kind != TK_END && p->lex.at < p->stop) {
        if (sees_word(p, "def"))
            status = begins_batt(p) ? parse_batt(p, error) : parse_definition(p, error);
        else if (sees_word(p, "battery"))
            status = parse_battery(p, error);
        else if (sees_word(p, "import") || sees_word(p, "from"))
            while (p->lex.kind != TK_NEWLINE && p->lex.kind != TK_END) lexer_next(&p->lex);
        else if (p->lex.kind == TK_STRING || p->lex.kind == TK_NEWLINE || sees_symbol(p, ';'))
            lexer_next(&p->lex);
        else if (begins_constant(p))
            status = parse_constant(p, error);
        else
            status = refuse_lines(p, error);
        if (p->no_memory) status = NO_MEMORY(error);
    }
    return status;
}
