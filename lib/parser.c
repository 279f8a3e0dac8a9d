/* From tokens to definitions. Each definition is parsed on its own: an error in one is kept with it and the next goes on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "lexer.h"
#include "syntax.h"

#define NAME_SLOTS 512
#define BATTERY_SLOTS 131072
#define MAX_BATTERY_VARIABLES 60000
#define MAX_DEPTH 200
#define MAX_ITEMS 255

typedef struct variable_name {
    uint32_t at, length;
} variable_name;

typedef struct parser {
    lexer lex;
    struct arcl_source *src;
    const op_index *ops;
    definition *def;
    int failed;
    int depth;
    /* the names of the current definition, hashed: variable + 1, or 0 */
    uint16_t *slot;
    variable_name *name;
    unsigned slots;
    int most_names;
    uint16_t definition_slot[NAME_SLOTS];
    variable_name definition_name[MAX_VARIABLES];
    uint16_t *battery_slot; /* made when the first battery comes */
    variable_name *battery_name;
    expression *pending[2 * MAX_ITEMS + MAX_DEPTH]; /* items of the calls being parsed */
    int pending_count;
    expression lost; /* stands in when memory ran out: a parser that has failed is only unwound */
} parser;

void syntax_message(const struct arcl_source *src, uint32_t at, const char *text, arcl_error *error) {
    if (!error) return;
    uint32_t start = at, line = 1, end = at;
    while (start > 0 && src->text[start - 1] != '\n') start--;
    while (end < src->length && src->text[end] != '\n') end++;
    for (uint32_t i = 0; i < start; i++) line += src->text[i] == '\n';
    uint32_t column = at - start;
    /* Of a long line, show the part around the position. */
    uint32_t from = column > 60 ? at - 60 : start, shown = end - from > 100 ? 100 : end - from;
    char caret[128];
    uint32_t n = 0;
    for (; n < at - from && n < sizeof caret - 1; n++) caret[n] = src->text[from + n] == '\t' ? '\t' : ' ';
    caret[n] = 0;
    error_set(error, ARCL_INVALID, "%s:%u:%u: %s\n    %.*s\n    %s^", src->file, line, column + 1, text, (int)shown,
              src->text + from, caret);
}

static void fail_at(parser *p, uint32_t at, const char *text) {
    if (p->failed) return;
    p->failed = 1;
    if (!p->def->unknown_names) syntax_message(p->src, at, text, &p->def->error);
}

static void fail_here(parser *p, const char *expected) {
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

static int is_symbol(const parser *p, char symbol) { return p->lex.kind == TK_SYMBOL && p->lex.symbol == symbol; }

static int is_word(const parser *p, const char *word) {
    return p->lex.kind == TK_NAME && p->lex.n == strlen(word) && memcmp(p->lex.text + p->lex.at, word, p->lex.n) == 0;
}

static int accept(parser *p, char symbol) {
    if (!is_symbol(p, symbol)) return 0;
    lexer_next(&p->lex);
    return 1;
}

static void expect(parser *p, char symbol) {
    if (accept(p, symbol)) return;
    char text[8] = {'\'', symbol, '\'', 0};
    fail_here(p, text);
}

/* ---- names ---- */

static unsigned hash_name(const char *name, uint32_t n) {
    unsigned h = n;
    for (uint32_t i = 0; i < n; i++) h = h * 33 + (unsigned char)name[i];
    return h ^ h >> 7;
}

/* The variable of that name, or -1; *slot is where it is or would be. */
static int find_variable(parser *p, const char *name, uint32_t n, unsigned *slot) {
    unsigned h = hash_name(name, n);
    for (;; h++) {
        unsigned v = p->slot[h % p->slots];
        *slot = h % p->slots;
        if (v == 0) return -1;
        if (p->name[v - 1].length == n && memcmp(p->src->text + p->name[v - 1].at, name, n) == 0) return (int)v - 1;
    }
}

static int define_variable(parser *p, uint32_t at, uint32_t n) {
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
    int8_t number, second;
} constant;

static const constant constants[] = {
#define CONSTANT_INT(name, value) {#name, E_INT, value, 0},
#define CONSTANT_BOOL(name, value) {#name, E_BOOL, value, 0},
#define CONSTANT_PAIR(name, i, j) {#name, E_PAIR, i, j},
#include "constants.def"
};

static const constant *find_constant(const char *name, uint32_t n) {
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (constants[i].name[0] == name[0] && strncmp(constants[i].name, name, n) == 0 && constants[i].name[n] == 0)
            return &constants[i];
    return NULL;
}

/* ---- expressions ---- */

static expression *make(parser *p, int kind, uint32_t at) {
    expression *e = pool_get(&p->src->memory, sizeof *e);
    if (!e) {
        p->failed = 1;
        error_set(&p->def->error, ARCL_NO_MEMORY, "out of memory");
        return &p->lost;
    }
    p->def->expressions++;
    e->kind = (uint8_t)kind;
    e->at = at;
    return e;
}

static expression *parse_expression(parser *p);

static void push_item(parser *p, expression *e) {
    if (p->pending_count == (int)(sizeof p->pending / sizeof *p->pending))
        fail_at(p, p->lex.at, "too many values in one expression: use variables");
    else
        p->pending[p->pending_count++] = e;
}

/* Takes the items pushed since `from` into e. */
static void take_items(parser *p, expression *e, int from) {
    int n = p->pending_count - from;
    if (n > MAX_ITEMS) {
        fail_at(p, e->at, "too many values in one expression: use variables");
        n = 0;
    }
    if (n && !p->failed) {
        e->item = pool_get(&p->src->memory, (size_t)n * sizeof *e->item);
        if (e->item)
            memcpy(e->item, p->pending + from, (size_t)n * sizeof *e->item);
        else
            fail_at(p, e->at, "out of memory");
        e->count = (uint16_t)n;
    }
    p->pending_count = from;
}

/* The parameter that `name=` in a call means: by the op that is called. */
static int keyword_position(parser *p, const expression *callee, uint32_t at, uint32_t n) {
    int position = callee->kind == E_OP ? op_parameter(&op_rows[callee->number], p->src->text + at, n) : -1;
    if (position < 0) fail_at(p, at, "no parameter of that name: give the arguments in order");
    return position;
}

static expression *parse_call(parser *p, expression *callee) {
    expression *call = make(p, E_CALL, callee->at);
    int from = p->pending_count, keywords = 0;
    push_item(p, callee);
    while (!p->failed && !is_symbol(p, ')')) {
        lexer saved = p->lex;
        int position = -1;
        if (p->lex.kind == TK_NAME) {
            lexer_next(&p->lex);
            if (is_symbol(p, '=')) {
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
        if (!accept(p, ',') && !is_symbol(p, ')')) fail_here(p, "',' or ')'");
    }
    expect(p, ')');
    for (int i = from; i < p->pending_count && keywords && !p->failed; i++)
        if (!p->pending[i]) fail_at(p, callee->at, "an argument before the last keyword argument is missing");
    take_items(p, call, from);
    return call;
}

/* What stands for nothing fails the definition, but it is parsed to the end. Says which op may have been meant, if one is
 * like it. */
static void note_unknown_name(const struct arcl_source *src, definition *d, const expression *e) {
    char wanted[61], text[200];
    const char *best = NULL;
    if (d->unknown_names++) return;
    snprintf(wanted, sizeof wanted, "%.*s", e->number > 60 ? 60 : (int)e->number, src->text + e->at);
    for (int i = 0; i < OP_COUNT; i++)
        if (arcl_name_is_near(wanted, op_rows[i].name) &&
            (!best || arcl_name_distance(wanted, op_rows[i].name) < arcl_name_distance(wanted, best)))
            best = op_rows[i].name;
    snprintf(text, sizeof text, "'%s' is no op, no constant and no variable defined before this line%s%s%s", wanted,
             best ? "; did you mean " : "", best ? best : "", best ? "?" : "");
    syntax_message(src, e->at, text, &d->error);
}

static expression *parse_name(parser *p) {
    const char *name = p->lex.text + p->lex.at;
    uint32_t n = p->lex.n, at = p->lex.at;
    unsigned slot;
    int v = find_variable(p, name, n, &slot);
    lexer_next(&p->lex);
    if (v >= 0) {
        expression *e = make(p, E_NAME, at);
        e->number = v;
        return e;
    }
    const constant *c = find_constant(name, n);
    if (c) {
        expression *e = make(p, c->kind, at);
        e->number = c->number;
        e->second = c->second;
        return e;
    }
    int op = op_find(p->ops, name, n);
    expression *e = make(p, op < 0 ? E_UNKNOWN : E_OP, at);
    e->number = op < 0 ? (int32_t)n : op;
    if (op < 0) note_unknown_name(p->src, p->def, e);
    return e;
}

static expression *parse_int(parser *p, int sign, uint32_t at) {
    expression *e = make(p, E_INT, at);
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
    expression *e = make(p, E_TUPLE, at);
    int from = p->pending_count, comma = 0;
    while (!p->failed && !is_symbol(p, ')')) {
        push_item(p, parse_expression(p));
        if (!accept(p, ',')) break;
        comma = 1;
    }
    expect(p, ')');
    if (p->failed) return e;
    if (p->pending_count == from + 1 && !comma) return p->pending[--p->pending_count]; /* parentheses only */
    take_items(p, e, from);
    return e;
}

static expression *parse_expression(parser *p) {
    expression *e;
    uint32_t at = p->lex.at;
    if (p->failed) return make(p, E_INT, at);
    if (++p->depth > MAX_DEPTH) fail_at(p, at, "nested too deeply: use variables");
    if (p->lex.kind == TK_NAME)
        e = parse_name(p);
    else if (p->lex.kind == TK_INT)
        e = parse_int(p, 1, at);
    else if (accept(p, '-'))
        e = parse_int(p, -1, at);
    else if (accept(p, '('))
        e = parse_tuple(p, at);
    else {
        fail_here(p, "a value");
        e = make(p, E_INT, at);
    }
    while (!p->failed && accept(p, '(')) e = parse_call(p, e);
    p->depth--;
    return e;
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

static void parse_parameters(parser *p) {
    expect(p, '(');
    while (!p->failed && !is_symbol(p, ')')) {
        if (p->lex.kind != TK_NAME) {
            fail_here(p, "a parameter's name");
            return;
        }
        if (p->def->parameters == MAX_PARAMETERS) {
            fail_here(p, "the end of the parameters (there can be 4)");
            return;
        }
        unsigned slot;
        if (find_variable(p, p->lex.text + p->lex.at, p->lex.n, &slot) >= 0) fail_here(p, "another parameter's name");
        define_variable(p, p->lex.at, p->lex.n);
        p->def->parameter[p->def->parameters++] = p->lex.n == 1 ? p->lex.text[p->lex.at] : '?';
        lexer_next(&p->lex);
        if (accept(p, ':')) skip_annotation(p);
        if (!accept(p, ',') && !is_symbol(p, ')')) fail_here(p, "',' or ')'");
    }
    expect(p, ')');
    if (accept(p, '>')) skip_annotation(p);
    expect(p, ':');
}

/* One line of the body; 1 if it was the return. */
static int parse_statement(parser *p, statement ***tail) {
    uint32_t at = p->lex.at, n = p->lex.n;
    if (p->lex.kind == TK_STRING) { /* a docstring */
        lexer_next(&p->lex);
        return 0;
    }
    if (p->lex.kind != TK_NAME) {
        fail_here(p, "an assignment or return");
        return 0;
    }
    int is_return = is_word(p, "return");
    lexer_next(&p->lex);
    if (!is_return) {
        if (accept(p, ':')) skip_annotation(p);
        if (!is_symbol(p, '=')) {
            fail_at(p, at, "only 'name = value' and 'return value' are understood");
            return 0;
        }
        lexer_next(&p->lex);
    }
    expression *value = parse_expression(p);
    statement *s = pool_get(&p->src->memory, sizeof *s);
    if (!s) fail_at(p, at, "out of memory");
    if (p->failed) return 0;
    s->value = value;
    s->target = is_return ? -1 : define_variable(p, at, n);
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
        if (!accept(p, ';') && p->lex.kind != TK_NEWLINE && p->lex.kind != TK_END) {
            fail_here(p, "the end of the line");
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

/* A new definition that begins here, for the parser to fill. */
static arcl_status add_definition(parser *p, arcl_error *error) {
    struct arcl_source *src = p->src;
    definition *d = pool_get(&src->memory, sizeof *d);
    if (!d) return NO_MEMORY(error);
    if (src->count == src->room) {
        int room = src->room ? 2 * src->room : 16;
        definition **grown = realloc(src->definition, (size_t)room * sizeof *grown);
        if (!grown) return NO_MEMORY(error);
        src->definition = grown;
        src->room = room;
    }
    src->definition[src->count++] = d;
    d->at = p->lex.at;
    p->def = d;
    p->failed = p->depth = p->pending_count = 0;
    forget_names(p);
    return ARCL_SUCCESS;
}

/* After a definition that could not be parsed. */
static void recover(parser *p) {
    int at_next = p->lex.at > p->def->at && p->lex.indent == 0 && p->lex.text[p->lex.at - 1] == '\n';
    p->def->failed = 1;
    p->def->unknown_names = 0;
    if (!at_next && p->lex.kind != TK_END) lexer_skip_definition(&p->lex);
}

static arcl_status parse_definition(parser *p, arcl_error *error) {
    PROPAGATE(add_definition(p, error));
    definition *d = p->def;
    lexer_next(&p->lex);
    if (p->lex.kind == TK_NAME) {
        d->name = p->lex.text + p->lex.at;
        d->name_length = p->lex.n;
        lexer_next(&p->lex);
        parse_parameters(p);
        if (!p->failed) parse_body(p);
    } else
        fail_here(p, "the definition's name");
    if (p->failed)
        recover(p);
    else
        d->failed = d->unknown_names != 0;
    d->end = p->lex.at;
    return ARCL_SUCCESS;
}

/* ---- batteries: statements that several programs share, and a line per program that says what it returns ---- */

typedef struct battery_program {
    struct battery_program *next;
    const char *name;
    uint32_t name_length, at;
    expression *values; /* a tuple: the result, and what runs besides it */
} battery_program;

static int name_battery_variables(parser *p) {
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
    battery_program *b = pool_get(&p->src->memory, sizeof *b);
    lexer_next(&p->lex);
    if (!b) fail_at(p, p->lex.at, "out of memory");
    if (p->lex.kind != TK_NAME) fail_here(p, "a program's name");
    if (p->failed) return NULL;
    b->name = p->lex.text + p->lex.at;
    b->name_length = p->lex.n;
    b->at = p->lex.at;
    lexer_next(&p->lex);
    expect(p, ':');
    b->values = make(p, E_TUPLE, p->lex.at);
    int from = p->pending_count;
    do {
        if (p->pending_count > from && p->lex.kind != TK_NAME) fail_here(p, "the name of what runs besides the result");
        expression *value = parse_expression(p);
        if (p->pending_count > from && value->kind != E_NAME) fail_at(p, value->at, "only names follow the result");
        push_item(p, value);
    } while (!p->failed && accept(p, ','));
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
        if (is_word(p, "return")) {
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

/* Each program becomes a definition of those statements that it needs. */
static arcl_status parse_battery(parser *p, arcl_error *error) {
    PROPAGATE(add_definition(p, error));
    definition *shared = p->def;
    lexer_next(&p->lex);
    if (!name_battery_variables(p)) return NO_MEMORY(error);
    parse_parameters(p);
    battery_program *b = p->failed ? NULL : parse_battery_body(p);
    if (!b) {
        recover(p);
        return ARCL_SUCCESS;
    }
    p->src->count--; /* its place is the first program's */
    for (; b; b = b->next) {
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
        d->expressions = shared->expressions;
        const expression *unknown = NULL;
        PROPAGATE(slice_statements(&p->src->memory, shared, b->values, &d->first, &unknown, error));
        if (unknown) note_unknown_name(p->src, d, unknown);
        d->failed = unknown != NULL;
    }
    return ARCL_SUCCESS;
}

arcl_status parse_source(const op_index *ops, struct arcl_source *src, arcl_error *error) {
    parser *p = malloc(sizeof *p);
    arcl_status status = ARCL_SUCCESS;
    if (!p) return NO_MEMORY(error);
    p->src = src;
    p->ops = ops;
    p->battery_slot = NULL;
    p->battery_name = NULL;
    lexer_start(&p->lex, src->text, (uint32_t)src->length, 0);
    lexer_next(&p->lex);
    while (status == ARCL_SUCCESS && p->lex.kind != TK_END) {
        if (is_word(p, "def"))
            status = parse_definition(p, error);
        else if (is_word(p, "battery"))
            status = parse_battery(p, error);
        else if (is_word(p, "import") || is_word(p, "from"))
            while (p->lex.kind != TK_NEWLINE && p->lex.kind != TK_END) lexer_next(&p->lex);
        else if (p->lex.kind == TK_STRING || p->lex.kind == TK_NEWLINE)
            lexer_next(&p->lex);
        else if ((status = add_definition(p, error)) == ARCL_SUCCESS) { /* kept as a definition that has failed */
            fail_at(p, p->lex.at, "only definitions ('def name(I):') and imports are understood here");
            p->def->failed = 1;
            lexer_skip_definition(&p->lex);
        }
    }
    free(p->battery_slot);
    free(p->battery_name);
    free(p);
    return status;
}
