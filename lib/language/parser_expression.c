/* Names, and the expressions that are made of them. */
#include <string.h>

#include "base/error.h"
#include "base/name_hash.h"
#include "language/own_names.h"
#include "language/parser.h"
#include "language/python_words.h"
#include "language/unknown_name.h"
#include "ops/constant_table.h"

/* ---- names ---- */

int find_variable(const parser *p, uint32_t hash, const char *name, uint32_t n, unsigned *slot) {
    for (;; hash++) {
        unsigned at = hash & (p->slots - 1), v = p->slot[at];
        *slot = at;
        if (v == 0) return -1;
        if (p->name[v - 1].length == n && name_is(p->src->text + p->name[v - 1].at, name, n)) return (int)v - 1;
    }
}

int define_variable(parser *p, uint32_t hash, uint32_t at, uint32_t n) {
    unsigned slot;
    int v = find_variable(p, hash, p->src->text + at, n, &slot);
    if (v >= 0) return v;
    if (p->def->variables == p->most_names) {
        fail_at(p, at, "too many variables in one definition: split it up");
        return 0;
    }
    v = p->def->variables++;
    p->name[v] = (variable_name){at, n};
    p->slot[slot] = (uint16_t)(v + 1);
    return v;
}

/* ---- expressions ---- */

expression *make_expression(parser *p, int kind, uint32_t at) {
    expression *e = pool_take(&p->memory, sizeof *e);
    if (!e) {
        p->failed = p->no_memory = 1;
        e = &p->lost;
    } else
        p->def->expressions++;
    *e = (expression){.kind = (uint8_t)kind, .at = at};
    return e;
}

void push_item(parser *p, expression *e) {
    if (p->pending_count == (int)(sizeof p->pending / sizeof *p->pending))
        fail_at(p, p->lex.at, "too many values in one expression: use variables");
    else
        p->pending[p->pending_count++] = e;
}

void take_items(parser *p, expression *e, int from) {
    int n = p->pending_count - from;
    if (n > MAX_ITEMS) {
        fail_at(p, e->at, "too many values in one expression: use variables");
        n = 0;
    }
    if (n && !p->failed) {
        e->item = pool_take(&p->memory, (size_t)n * sizeof *e->item);
        if (e->item) {
            for (int i = 0; i < n; i++) e->item[i] = p->pending[from + i];
            e->count = (uint16_t)n;
        } else
            p->failed = p->no_memory = 1;
    }
    p->pending_count = from;
}

/* Whether a parenthesis has its counterpart before the next line that begins at its margin, as a definition does. */
static int is_closed(const parser *p, uint32_t open) {
    const char *text = p->src->text;
    int depth = 0;
    for (uint32_t i = open; i < p->src->length; i++) {
        if (text[i] == '\n' && i + 1 < p->src->length && !strchr(" \t\r\n#", text[i + 1])) return 0;
        depth += (text[i] == '(') - (text[i] == ')');
        if (!depth) return 1;
    }
    return 0;
}

/* Whether what is wrong at a place behind a parenthesis, on a later line, is that this is not closed; then says so. */
static int fails_unclosed(parser *p, uint32_t open, uint32_t at) {
    int same_line = p->lex.kind != TK_END && !memchr(p->src->text + open, '\n', at - open);
    if (p->lex.kind == TK_BAD || same_line || is_closed(p, open)) return 0;
    fail_at(p, open, "this '(' is not closed");
    return 1;
}

static int ends_line(const parser *p) { return p->lex.kind == TK_END || p->lex.kind == TK_NEWLINE; }

static void fail_inside(parser *p, uint32_t open, const char *expected) {
    if (!fails_unclosed(p, open, p->lex.at)) fail_behind_value(p, expected);
}

/* ---- names that stand for nothing ---- */

void note_unknown_name(parser *p, definition *d, expression *e) {
    arcl_error *message = make_message(p, d);
    d->unknown_names = 1;
    d->noted = e;
    if (message) unknown_name_message(p->src, p->ops, e, message);
}

/* A name that is known or not known to arc-dsl: whether tokpidjin knows it, too, tells them apart. Returns whether it
 * is tokpidjin's alone. */
static int note_evidence(parser *p, uint32_t at, uint32_t n, int known) {
    variable_name *first = known ? &p->evidence.arc_dsl : &p->evidence.tokpidjin;
    if (known && first->length) return 0; /* nothing more is to be learned from it */
    if (p->own && own_names_find(p->own, p->src->text + at, n, UINT32_MAX)) return 0;
    int of_other = dialect_knows(p->ops, ARCL_TOKPIDJIN, p->src->text + at, n);
    if (of_other != known && !first->length) *first = (variable_name){at, n};
    return of_other && !known;
}

/* It may be defined elsewhere in the text, or be Python's. */
__attribute__((noinline)) static void note_unknown(parser *p, uint32_t at, uint32_t n, int read_again) {
    lexer name = {.text = p->lex.text, .kind = TK_NAME, .at = at, .n = n};
    const char *advice = python_advice(&name, PYTHON_VALUE);
    if (advice) fail_at(p, at, advice);
    if (read_again || !p->shares_lines) p->def->unknown_names++;
}

static expression *make_constant(parser *p, const constant_row *c, uint32_t at) {
    static const uint8_t kinds[] = {
        [CONSTANT_KIND_INT] = E_INT, [CONSTANT_KIND_BOOL] = E_BOOL, [CONSTANT_KIND_PAIR] = E_PAIR};
    expression *e = make_expression(p, kinds[c->kind], at);
    e->number = c->number;
    e->second = c->second;
    return e;
}

/* What the name stands for that is the present token, which stays. */
static expression *make_name(parser *p) {
    const char *name = p->lex.text + p->lex.at;
    uint32_t n = p->lex.n, at = p->lex.at, hash = p->lex.hash;
    unsigned slot;
    int v = find_variable(p, hash, name, n, &slot);
    if (v >= 0) {
        expression *e = make_expression(p, E_NAME, at);
        e->number = v;
        return e;
    }
    int op = meaning_find(p->ops, p->dialect, hash, name, n);
    if (op >= CALLABLE_COUNT) return make_constant(p, &constant_rows[op - CALLABLE_COUNT], at);
    int read_again = p->evidence.wanted && note_evidence(p, at, n, op >= 0);
    expression *e = make_expression(p, op < 0 ? E_UNKNOWN : E_OP, at);
    e->number = op < 0 ? (int32_t)n : op;
    if (op < 0) note_unknown(p, at, n, read_again);
    return e;
}

/* ---- calls ---- */

/* The parameter that `name=` in a call means: by the op that is called. */
static int keyword_position(parser *p, const expression *callee, uint32_t open, uint32_t at, uint32_t n) {
    int op = callee->kind == E_OP ? callable_op(callee->number) : -1;
    int position = op >= 0 ? op_parameter(&op_rows[op], p->src->text + at, n) : -1;
    if (position < 0 && !fails_unclosed(p, open, at))
        fail_at(p, at, "no parameter of that name: give the arguments in order");
    return position;
}

/* Goes past `name=`, and returns the parameter that it means; -1 if there is none. Mostly the character behind the name
 * says so. */
static int take_keyword(parser *p, const expression *callee, uint32_t open) {
    char behind = p->lex.text[p->lex.next];
    if (p->lex.kind != TK_NAME || behind == ',' || behind == ')' || behind == '(') return -1;
    lexer saved = p->lex;
    lexer_next(&p->lex);
    if (sees_symbol(p, '=')) {
        lexer_next(&p->lex);
        return keyword_position(p, callee, open, saved.at, saved.n);
    }
    p->lex = saved;
    return -1;
}

static void expect_close(parser *p, uint32_t open) {
    if (!accept_symbol(p, ')')) fail_inside(p, open, "')'");
}

/* Takes the next arguments as far as they are names and nothing more, as most are. */
static void parse_names(parser *p) {
    char behind;
    while (p->lex.kind == TK_NAME && p->depth < MAX_DEPTH && !p->failed &&
           ((behind = p->lex.text[p->lex.next]) == ',' || behind == ')')) {
        push_item(p, make_name(p));
        p->lex.next += behind == ',';
        lexer_next(&p->lex);
    }
}

/* `open` is where its parenthesis is. */
static expression *parse_call(parser *p, expression *callee, uint32_t open) {
    expression *call = make_expression(p, E_CALL, callee->at);
    int from = p->pending_count, keywords = 0;
    push_item(p, callee);
    parse_names(p);
    while (!p->failed && !sees_symbol(p, ')')) {
        uint32_t at = p->lex.at;
        if (ends_line(p)) fail_inside(p, open, "a value");
        int position = take_keyword(p, callee, open);
        if (position < 0) {
            if (keywords) fail_here(p, "a keyword argument");
            push_item(p, parse_expression(p));
        } else {
            keywords = 1;
            while (!p->failed && p->pending_count <= from + 1 + position) push_item(p, NULL);
            if (p->failed) break;
            if (p->pending[from + 1 + position]) fail_at(p, at, "this argument is given twice");
            p->pending[from + 1 + position] = parse_expression(p);
        }
        if (!accept_symbol(p, ',') && !sees_symbol(p, ')')) fail_inside(p, open, "',' or ')'");
    }
    expect_close(p, open);
    for (int i = from; i < p->pending_count && keywords && !p->failed; i++)
        if (!p->pending[i]) fail_at(p, callee->at, "an argument before the last keyword argument is missing");
    take_items(p, call, from);
    return call;
}

/* ---- all expressions ---- */

static expression *parse_int(parser *p, int sign, uint32_t at) {
    expression *e = make_expression(p, E_INT, at);
    if (p->lex.kind != TK_INT) {
        fail_here(p, "a number");
        return e;
    }
    if (p->lex.number > 2147483647) fail_at(p, p->lex.at, "numbers go up to 2147483647");
    e->number = sign * (int32_t)(p->lex.number & 0x7fffffff);
    lexer_next(&p->lex);
    return e;
}

static expression *parse_tuple(parser *p, uint32_t at) {
    expression *e = make_expression(p, E_TUPLE, at);
    int from = p->pending_count, comma = 0;
    while (!p->failed && !sees_symbol(p, ')')) {
        if (ends_line(p)) fail_inside(p, at, "a value");
        push_item(p, parse_expression(p));
        if (!accept_symbol(p, ',')) break;
        comma = 1;
    }
    expect_close(p, at);
    if (p->failed) return e;
    if (p->pending_count == from + 1 && !comma) return p->pending[--p->pending_count]; /* parentheses only */
    take_items(p, e, from);
    return e;
}

#define TOO_DEEP "nested too deeply: use variables"

expression *parse_expression(parser *p) {
    expression *e;
    uint32_t at = p->lex.at;
    if (p->failed) return make_expression(p, E_INT, at);
    if (++p->depth > MAX_DEPTH) fail_at(p, at, TOO_DEEP);
    if (p->lex.kind == TK_NAME) {
        e = make_name(p);
        lexer_next(&p->lex);
    } else if (p->lex.kind == TK_INT)
        e = parse_int(p, 1, at);
    else if (accept_symbol(p, '-'))
        e = parse_int(p, -1, at);
    else if (accept_symbol(p, '('))
        e = parse_tuple(p, at);
    else {
        fail_at_value(p, "a value");
        e = make_expression(p, E_INT, at);
    }
    int depth = p->depth - 1;
    uint32_t open = p->lex.at;
    for (; !p->failed && accept_symbol(p, '('); e = parse_call(p, e, open), open = p->lex.at)
        /* a call that is called is nested, too */
        if (e->kind == E_CALL && ++p->depth > MAX_DEPTH) fail_at(p, at, TOO_DEEP);
    p->depth = depth;
    return e;
}
