/* Names, and the expressions that are made of them. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "language/parser.h"

/* ---- names ---- */

static unsigned hash_name(const char *name, uint32_t n) {
    unsigned h = n;
    for (uint32_t i = 0; i < n; i++) h = h * 33 + (unsigned char)name[i];
    return h ^ h >> 7;
}

int find_variable(parser *p, const char *name, uint32_t n, unsigned *slot) {
    unsigned h = hash_name(name, n);
    for (;; h++) {
        unsigned v = p->slot[h % p->slots];
        *slot = h % p->slots;
        if (v == 0) return -1;
        if (p->name[v - 1].length == n && memcmp(p->src->text + p->name[v - 1].at, name, n) == 0) return (int)v - 1;
    }
}

int define_variable(parser *p, uint32_t at, uint32_t n) {
    unsigned slot;
    int v = find_variable(p, p->src->text + at, n, &slot);
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

typedef struct constant {
    const char *name;
    uint8_t kind;
    int16_t number, second;
} constant;

/* Those of tokpidjin come last. */
static const constant constants[] = {
#define CONSTANT_INT(name, value) {#name, E_INT, value, 0},
#define CONSTANT_BOOL(name, value) {#name, E_BOOL, value, 0},
#define CONSTANT_PAIR(name, i, j) {#name, E_PAIR, i, j},
#include "ops/constants.def"
#include "ops/tokpidjin_constants.def"
};

#undef CONSTANT_INT
#undef CONSTANT_BOOL
#undef CONSTANT_PAIR
enum {
#define CONSTANT_INT(...) +1
#define CONSTANT_BOOL(...) +1
#define CONSTANT_PAIR(...) +1
    LANGUAGE_CONSTANTS = 0
#include "ops/constants.def"
};

static size_t constant_count(arcl_dialect dialect) {
    return dialect == ARCL_TOKPIDJIN ? sizeof constants / sizeof *constants : LANGUAGE_CONSTANTS;
}

static const constant *find_constant(arcl_dialect dialect, const char *name, uint32_t n) {
    for (size_t i = 0; i < constant_count(dialect); i++)
        if (constants[i].name[0] == name[0] && strncmp(constants[i].name, name, n) == 0 && constants[i].name[n] == 0)
            return &constants[i];
    return NULL;
}

/* ---- expressions ---- */

expression *make_expression(parser *p, int kind, uint32_t at) {
    expression *e = pool_get(&p->src->memory, sizeof *e);
    if (!e) {
        p->failed = p->no_memory = 1;
        return &p->lost;
    }
    p->def->expressions++;
    e->kind = (uint8_t)kind;
    e->at = at;
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
        e->item = pool_get(&p->src->memory, (size_t)n * sizeof *e->item);
        if (e->item) {
            memcpy(e->item, p->pending + from, (size_t)n * sizeof *e->item);
            e->count = (uint16_t)n;
        } else
            p->failed = p->no_memory = 1;
    }
    p->pending_count = from;
}

/* The parameter that `name=` in a call means: by the op that is called. */
static int keyword_position(parser *p, const expression *callee, uint32_t at, uint32_t n) {
    int op = callee->kind == E_OP ? callable_op(callee->number) : -1;
    int position = op >= 0 ? op_parameter(&op_rows[op], p->src->text + at, n) : -1;
    if (position < 0) fail_at(p, at, "no parameter of that name: give the arguments in order");
    return position;
}

static expression *parse_call(parser *p, expression *callee) {
    expression *call = make_expression(p, E_CALL, callee->at);
    int from = p->pending_count, keywords = 0;
    push_item(p, callee);
    while (!p->failed && !sees_symbol(p, ')')) {
        lexer saved = p->lex;
        int position = -1;
        if (p->lex.kind == TK_NAME) {
            lexer_next(&p->lex);
            if (sees_symbol(p, '=')) {
                lexer_next(&p->lex);
                position = keyword_position(p, callee, saved.at, saved.n);
            } else
                p->lex = saved;
        }
        if (position < 0) {
            if (keywords) fail_here(p, "a keyword argument");
            push_item(p, parse_expression(p));
        } else {
            keywords = 1;
            while (!p->failed && p->pending_count <= from + 1 + position) push_item(p, NULL);
            if (p->failed) break;
            if (p->pending[from + 1 + position]) fail_at(p, saved.at, "this argument is given twice");
            p->pending[from + 1 + position] = parse_expression(p);
        }
        if (!accept_symbol(p, ',') && !sees_symbol(p, ')')) fail_here(p, "',' or ')'");
    }
    expect_symbol(p, ')');
    for (int i = from; i < p->pending_count && keywords && !p->failed; i++)
        if (!p->pending[i]) fail_at(p, callee->at, "an argument before the last keyword argument is missing");
    take_items(p, call, from);
    return call;
}

/* ---- names that stand for nothing ---- */

static void offer_name(const char *wanted, const char *name, const char **best) {
    if (!arcl_name_is_near(wanted, name)) return;
    if (!*best || arcl_name_distance(wanted, name) < arcl_name_distance(wanted, *best)) *best = name;
}

/* The word or constant of the dialect that is most like it, or NULL. */
static const char *nearest_name(arcl_dialect dialect, const char *wanted) {
    const char *best = NULL;
    for (int i = 0; i < dialect_count(dialect); i++)
        offer_name(wanted, callable_name(dialect_first(dialect) + i), &best);
    for (size_t i = 0; i < constant_count(dialect); i++) offer_name(wanted, constants[i].name, &best);
    return best;
}

static int dialect_knows(arcl_dialect dialect, const char *name) {
    for (int i = 0; i < dialect_count(dialect); i++)
        if (strcmp(callable_name(dialect_first(dialect) + i), name) == 0) return 1;
    return find_constant(dialect, name, (uint32_t)strlen(name)) != NULL;
}

void note_unknown_name(const struct arcl_source *src, definition *d, const expression *e) {
    char wanted[61], text[240];
    if (d->unknown_names++) return;
    snprintf(wanted, sizeof wanted, "%.*s", e->number > 60 ? 60 : (int)e->number, src->text + e->at);
    const char *best = nearest_name(src->dialect, wanted);
    arcl_dialect other = src->dialect == ARCL_TOKPIDJIN ? ARCL_ARC_DSL : ARCL_TOKPIDJIN;
    int n = dialect_knows(other, wanted)
                ? snprintf(text, sizeof text, "'%s' is a word of %s, and this is read as %s", wanted,
                           arcl_dialect_name(other), arcl_dialect_name(src->dialect))
                : snprintf(text, sizeof text, "'%s' is no op, no constant and no variable defined before this line",
                           wanted);
    if (best) snprintf(text + n, sizeof text - (size_t)n, "; did you mean %s?", best);
    syntax_message(src, e->at, text, &d->error);
}

/* A name that is known or not known to arc-dsl: whether tokpidjin knows it, too, tells them apart. Returns whether it
 * is tokpidjin's alone. */
static int note_evidence(parser *p, uint32_t at, uint32_t n, int known) {
    variable_name *first = known ? &p->evidence.arc_dsl : &p->evidence.tokpidjin;
    if (known && first->length) return 0; /* nothing more is to be learned from it */
    const char *name = p->src->text + at;
    int of_other = op_find(p->ops, ARCL_TOKPIDJIN, name, n) >= 0 || find_constant(ARCL_TOKPIDJIN, name, n);
    if (of_other != known && !first->length) *first = (variable_name){at, n};
    return of_other && !known;
}

static expression *parse_name(parser *p) {
    const char *name = p->lex.text + p->lex.at;
    uint32_t n = p->lex.n, at = p->lex.at;
    unsigned slot;
    int v = find_variable(p, name, n, &slot);
    lexer_next(&p->lex);
    if (v >= 0) {
        expression *e = make_expression(p, E_NAME, at);
        e->number = v;
        return e;
    }
    const constant *c = find_constant(p->dialect, name, n);
    if (c) {
        expression *e = make_expression(p, c->kind, at);
        e->number = c->number;
        e->second = c->second;
        return e;
    }
    int op = op_find(p->ops, p->dialect, name, n);
    int read_again = p->evidence.wanted && note_evidence(p, at, n, op >= 0);
    expression *e = make_expression(p, op < 0 ? E_UNKNOWN : E_OP, at);
    e->number = op < 0 ? (int32_t)n : op;
    if (read_again) /* there will be no message: the text is read again, or refused */
        p->def->unknown_names++;
    else if (op < 0 && !p->shares_lines)
        note_unknown_name(p->src, p->def, e);
    return e;
}

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
        push_item(p, parse_expression(p));
        if (!accept_symbol(p, ',')) break;
        comma = 1;
    }
    expect_symbol(p, ')');
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
    if (p->lex.kind == TK_NAME)
        e = parse_name(p);
    else if (p->lex.kind == TK_INT)
        e = parse_int(p, 1, at);
    else if (accept_symbol(p, '-'))
        e = parse_int(p, -1, at);
    else if (accept_symbol(p, '('))
        e = parse_tuple(p, at);
    else {
        fail_here(p, "a value");
        e = make_expression(p, E_INT, at);
    }
    int depth = p->depth - 1;
    for (; !p->failed && accept_symbol(p, '('); e = parse_call(p, e)) /* a call that is called is nested, too */
        if (e->kind == E_CALL && ++p->depth > MAX_DEPTH) fail_at(p, at, TOO_DEEP);
    p->depth = depth;
    return e;
}
