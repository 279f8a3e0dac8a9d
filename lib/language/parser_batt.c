/* Batteries as tokpidjin's card.py writes them:
 *
 *     def batt(task_id, S, I, C, log_path):
 *         s = []
 *         o = []
 *         t1 = mir_rot_t(I, R4)
 *         o.append((1, False, 'fa11d043', t1))
 *         try:
 *             t2 = size(t1)
 *         except (TypeError, AttributeError, ValueError):
 *             t2 = _get_safe_default(size)
 *         s.append((2, 'fa11d043', 'differ_0123abcd', t2))
 *         return o, s
 *
 * Each append is a program of those lines that its value needs. A call that is tried has the default that the safe
 * policy gives it anyway, so the `except` is only looked at. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/name_hash.h"
#include "language/parser.h"

typedef struct batt_program {
    struct batt_program *next;
    const char *name;
    uint32_t at;
    arcl_definition_info info;
    expression *values; /* a tuple of one */
} batt_program;

typedef struct batt {
    statement **tail;
    batt_program *first, **last;
    uint32_t indent; /* of its lines */
    int has_o, has_s;
    int returned;
} batt;

/* ---- tokens ---- */

static variable_name token(const parser *p) { return (variable_name){p->lex.at, p->lex.n}; }

static int is_same_text(const parser *p, variable_name a, variable_name b) {
    return a.length == b.length && memcmp(p->src->text + a.at, p->src->text + b.at, a.length) == 0;
}

static void expect_word(parser *p, const char *word) {
    char quoted[40] = "'";
    strncat(strncat(quoted, word, sizeof quoted - 3), "'", 2);
    if (sees_word(p, word))
        lexer_next(&p->lex);
    else
        fail_here(p, quoted);
}

static void end_line(parser *p) {
    if (p->lex.kind == TK_NEWLINE)
        lexer_next(&p->lex);
    else if (p->lex.kind != TK_END)
        fail_here(p, "the end of the line");
}

/* t1, t2, .. */
static int sees_line_name(const parser *p) {
    const char *name = p->lex.text + p->lex.at;
    if (p->lex.kind != TK_NAME || name[0] != 't' || p->lex.n < 2) return 0;
    for (uint32_t i = 1; i < p->lex.n; i++)
        if (name[i] < '0' || name[i] > '9') return 0;
    return 1;
}

static variable_name take_line_name(parser *p) {
    variable_name name = token(p);
    if (sees_line_name(p))
        lexer_next(&p->lex);
    else
        fail_here(p, "the name of a line, t1 or another number");
    return name;
}

/* ---- lines ---- */

static void add_line(parser *p, batt *b, variable_name name, expression *value) {
    int known = p->def->variables;
    statement *s = p->failed ? NULL : pool_get(&p->memory, sizeof *s);
    if (!p->failed && !s) p->failed = p->no_memory = 1;
    if (p->failed) return;
    s->value = value;
    s->target = define_variable(p, name_hash(p->src->text + name.at, name.length), name.at, name.length);
    if (p->def->variables == known) fail_at(p, name.at, "a name of a battery is assigned once");
    *b->tail = s;
    b->tail = &s->next;
}

/* The function that a line calls; a line is one call. */
static variable_name parse_value(parser *p, expression **value) {
    variable_name callee = token(p);
    if (p->lex.kind != TK_NAME) fail_here(p, "the name of a function");
    *value = parse_expression(p);
    if (!p->failed && ((*value)->kind != E_CALL || (*value)->item[0]->at != callee.at || (*value)->item[0]->count))
        fail_at(p, callee.at, "a line of a battery is a call, as in t1 = size(I)");
    return callee;
}

static expression *make_op(parser *p, const char *name, uint32_t at) {
    expression *e = make_expression(p, E_OP, at);
    e->number = op_find(p->ops, ARCL_TOKPIDJIN, name, strlen(name));
    return e;
}

static expression *make_call(parser *p, const char *op, const char *function, expression *of, uint32_t at) {
    expression *e = make_expression(p, E_CALL, at);
    int from = p->pending_count;
    push_item(p, make_op(p, op, at));
    push_item(p, make_op(p, function, at));
    push_item(p, of);
    take_items(p, e, from);
    return e;
}

/* tA, tB, tC, tD = batch_process_samples_gpu(S), of which the first name was read: inputs, outputs, and the colours of
 * both. */
static void parse_samples(parser *p, batt *b, variable_name first) {
    variable_name name[4] = {first};
    for (int i = 1; i < 4 && !p->failed; i++) {
        expect_symbol(p, ',');
        name[i] = take_line_name(p);
    }
    expect_symbol(p, '=');
    uint32_t at = p->lex.at;
    expect_word(p, "batch_process_samples_gpu");
    expect_symbol(p, '(');
    expression *pairs = parse_expression(p);
    expect_symbol(p, ')');
    for (int i = 0; i < 2; i++) add_line(p, b, name[i], make_call(p, "apply", i ? "second" : "first", pairs, at));
    for (int i = 0; i < 2 && !p->failed; i++) {
        expression *grids = make_expression(p, E_NAME, name[i].at);
        unsigned slot;
        grids->number = find_variable(p, name_hash(p->src->text + name[i].at, name[i].length),
                                      p->src->text + name[i].at, name[i].length, &slot);
        add_line(p, b, name[2 + i], make_call(p, "mapply", "p_g", grids, at));
    }
}

/* tN = call; the names of both. */
static void parse_line(parser *p, batt *b, variable_name *name, variable_name *callee) {
    expression *value;
    *name = take_line_name(p);
    if (sees_symbol(p, ',')) {
        parse_samples(p, b, *name);
        return;
    }
    expect_symbol(p, '=');
    if (p->failed) return;
    *callee = parse_value(p, &value);
    add_line(p, b, *name, value);
}

/* ---- lines that are tried ---- */

static void open_block(parser *p, const batt *b) {
    expect_symbol(p, ':');
    if (!p->failed && p->lex.kind != TK_NEWLINE) fail_here(p, "the end of the line");
    if (p->failed) return;
    lexer_next(&p->lex);
    if (p->lex.kind == TK_END || p->lex.indent <= b->indent) fail_at(p, p->lex.at, "an indented line is expected here");
}

/* except (TypeError, ..): whatever it names, what the safe policy shelters is more. */
#define EXCEPTIONS " (),abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

static void parse_except(parser *p, const batt *b) {
    if (!p->failed && p->lex.kind != TK_END && p->lex.indent != b->indent)
        fail_at(p, p->lex.at, "one line is tried, and 'except' follows");
    if (sees_word(p, "except")) /* half of a text are such lines, so their end is looked for at once */
        p->lex.next += (uint32_t)strspn(p->lex.text + p->lex.next, EXCEPTIONS);
    expect_word(p, "except");
    open_block(p, b);
}

static void parse_default(parser *p, variable_name name, variable_name callee) {
    if (!p->failed && !is_same_text(p, token(p), name)) fail_here(p, "the name that was tried");
    if (!p->failed) lexer_next(&p->lex);
    expect_symbol(p, '=');
    expect_word(p, "_get_safe_default");
    expect_symbol(p, '(');
    if (!p->failed && !is_same_text(p, token(p), callee)) fail_here(p, "the function that was tried");
    if (!p->failed) lexer_next(&p->lex);
    expect_symbol(p, ')');
}

static void parse_try(parser *p, batt *b) {
    variable_name name = {0}, callee = {0};
    lexer_next(&p->lex);
    open_block(p, b);
    if (p->failed) return;
    uint32_t at = p->lex.at;
    parse_line(p, b, &name, &callee);
    if (!p->failed && !callee.length) fail_at(p, at, "what is tried is one call, as in t1 = size(I)");
    end_line(p);
    parse_except(p, b);
    parse_default(p, name, callee);
}

/* ---- appends ---- */

static int is_of_id(char ch) {
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_' || ch == '-';
}

/* The text between quotes, with what is put before it. */
static const char *take_id(parser *p, const char *before, const char *expected) {
    const char *text = p->lex.text + p->lex.at + 1;
    if (p->lex.kind != TK_STRING) fail_here(p, expected);
    if (p->failed) return NULL;
    size_t n = p->lex.n - 2, prefix = strlen(before);
    for (size_t i = 0; i < n; i++)
        if (!is_of_id(text[i])) n = 0;
    if (n == 0) fail_at(p, p->lex.at, "an id is made of letters, digits, '_' and '-'");
    char *made = p->failed ? NULL : pool_get(&p->memory, prefix + n + 1);
    if (!p->failed && !made) p->failed = p->no_memory = 1;
    if (p->failed) return NULL;
    memcpy(made, before, prefix);
    memcpy(made + prefix, text, n);
    lexer_next(&p->lex);
    expect_symbol(p, ',');
    return made;
}

static int take_number(parser *p) {
    int number = (int)(p->lex.number & 0x7fffffff);
    if (p->lex.kind != TK_INT) fail_here(p, "the number of a line");
    if (!p->failed && p->lex.number > 0x7fffffff) fail_at(p, p->lex.at, "numbers go up to 2147483647");
    if (!p->failed) lexer_next(&p->lex);
    expect_symbol(p, ',');
    return number;
}

static int take_truth(parser *p) {
    int truth = sees_word(p, "True");
    if (!truth && !sees_word(p, "False")) fail_here(p, "True or False");
    if (!p->failed) lexer_next(&p->lex);
    expect_symbol(p, ',');
    return truth;
}

static expression *take_value(parser *p) {
    expression *values = make_expression(p, E_TUPLE, p->lex.at);
    int from = p->pending_count;
    if (!sees_line_name(p)) fail_here(p, "the name of a line");
    uint32_t at = p->lex.at;
    expression *value = parse_expression(p);
    if (!p->failed && value->kind != E_NAME) fail_at(p, at, "the value is the name of a line before this one");
    push_item(p, value);
    take_items(p, values, from);
    return values;
}

/* o.append((n, mutated, 'id', tn)) */
static void parse_result(parser *p, batt_program *b) {
    b->info.kind = ARCL_BATTERY_RESULT;
    b->info.number = take_number(p);
    b->info.mutated = take_truth(p);
    b->name = take_id(p, "solve_", "the id of a task, in quotes");
    if (!p->failed) b->info.id = b->name + strlen("solve_");
}

/* s.append((n, 'id', 'differ', tn)) */
static void parse_differ(parser *p, batt_program *b) {
    b->info.kind = ARCL_BATTERY_DIFFER;
    b->info.number = take_number(p);
    b->info.id = take_id(p, "", "the id of a task or None, in quotes");
    b->name = b->info.differ = take_id(p, "", "the name of a differ, in quotes");
}

static void parse_append(parser *p, batt *b, int is_result, uint32_t at) {
    batt_program *made = pool_get(&p->memory, sizeof *made);
    if (!made) p->failed = p->no_memory = 1;
    if (p->failed) return;
    made->at = at;
    if (!(is_result ? b->has_o : b->has_s)) fail_at(p, at, "this list is not there yet: it is made by '= []'");
    lexer_next(&p->lex);
    expect_word(p, "append");
    expect_symbol(p, '(');
    expect_symbol(p, '(');
    if (is_result)
        parse_result(p, made);
    else
        parse_differ(p, made);
    made->values = take_value(p);
    expect_symbol(p, ')');
    expect_symbol(p, ')');
    if (p->failed) return;
    *b->last = made;
    b->last = &made->next;
}

/* ---- the body ---- */

/* What begins with the name of one of the two lists. */
static void parse_list(parser *p, batt *b, int is_result) {
    uint32_t at = p->lex.at;
    lexer_next(&p->lex);
    if (sees_symbol(p, '.')) {
        parse_append(p, b, is_result, at);
        return;
    }
    if (!accept_symbol(p, '=')) {
        fail_here(p, "'.append' or '= []'");
        return;
    }
    int *has = is_result ? &b->has_o : &b->has_s;
    if (*has) fail_at(p, p->lex.at, "this list is there already");
    expect_symbol(p, '[');
    expect_symbol(p, ']');
    *has = 1;
}

static void parse_return(parser *p, batt *b) {
    lexer_next(&p->lex);
    expect_word(p, "o");
    expect_symbol(p, ',');
    expect_word(p, "s");
    b->returned = 1;
}

static void parse_batt_line(parser *p, batt *b) {
    variable_name name = {0}, callee = {0};
    if (b->returned)
        fail_at(p, p->lex.at, "nothing can follow the return");
    else if (p->lex.kind == TK_STRING) /* a docstring */
        lexer_next(&p->lex);
    else if (sees_line_name(p))
        parse_line(p, b, &name, &callee);
    else if (sees_word(p, "try"))
        parse_try(p, b);
    else if (sees_word(p, "o") || sees_word(p, "s"))
        parse_list(p, b, sees_word(p, "o"));
    else if (sees_word(p, "return"))
        parse_return(p, b);
    else
        fail_at(p, p->lex.at,
                "lines of a battery are calls (t1 = size(I)), tried or not, o.append((..)), "
                "s.append((..)) and return o, s");
    end_line(p);
}

static void parse_batt_body(parser *p, batt *b) {
    end_line(p);
    b->indent = p->lex.indent;
    if (p->lex.kind == TK_END || b->indent == 0) fail_at(p, p->def->at, "this battery has no body");
    while (!p->failed && p->lex.kind != TK_END && p->lex.indent == b->indent) parse_batt_line(p, b);
    if (p->failed) return;
    if (p->lex.kind != TK_END && p->lex.indent > 0)
        fail_at(p, p->lex.at, "this line is not indented like those before");
    else if (!b->returned)
        fail_at(p, p->def->at, "this battery does not end with 'return o, s'");
    else if (!b->first)
        fail_at(p, p->def->at, "this battery appends nothing");
}

/* ---- the definition ---- */

int begins_batt(const parser *p) {
    static const char *const begin[] = {"batt", "(", "task_id"};
    lexer ahead = p->lex;
    for (int i = 0; i < 3; i++) {
        lexer_next(&ahead);
        if (ahead.n != strlen(begin[i]) || memcmp(ahead.text + ahead.at, begin[i], ahead.n) != 0) return 0;
    }
    return 1;
}

/* The first and the last are for the fork's logs: no line uses them, so they are no inputs. */
static void parse_batt_parameters(parser *p) {
    static const char *const names[] = {"task_id", "S", "I", "C", "log_path"};
    expect_symbol(p, '(');
    for (int i = 0; i < 5 && !p->failed; i++) {
        if (!sees_word(p, names[i]))
            fail_at(p, p->lex.at, "the parameters of a battery are task_id, S, I, C, log_path");
        else if (names[i][1] == 0) {
            define_variable(p, p->lex.hash, p->lex.at, p->lex.n);
            p->def->parameter[p->def->parameters++] = names[i][0];
        }
        lexer_next(&p->lex);
        if (i < 4) expect_symbol(p, ',');
    }
    accept_symbol(p, ',');
    expect_symbol(p, ')');
    expect_symbol(p, ':');
}

/* Most programs with a name that stands for nothing share the line that it is in, and looking for what may have been
 * meant takes long. */
typedef struct last_unknown {
    const expression *name;
    const definition *noted;
} last_unknown;

static void note_unknown(parser *p, definition *d, expression *unknown, last_unknown *last) {
    if (last->name == unknown) {
        d->error = last->noted->error;
        d->unknown_names = 1;
        d->noted = unknown;
    } else
        note_unknown_name(p, d, unknown);
    *last = (last_unknown){unknown, d};
    d->failed = 1;
}

static arcl_status add_program(parser *p, slicer *s, const definition *shared, const batt_program *b,
                               last_unknown *last, arcl_error *error) {
    expression *unknown = NULL;
    PROPAGATE(add_definition(p, error));
    definition *d = p->def;
    d->name = b->name;
    d->name_length = (uint32_t)strlen(b->name);
    d->at = d->end = b->at;
    d->of_battery = 1;
    d->info = b->info;
    d->parameters = shared->parameters;
    memcpy(d->parameter, shared->parameter, sizeof d->parameter);
    d->variables = shared->variables;
    PROPAGATE(slice_statements(s, b->values, d, &unknown, error));
    if (unknown) note_unknown(p, d, unknown, last);
    return ARCL_SUCCESS;
}

static arcl_status add_programs(parser *p, const definition *shared, const batt_program *b, arcl_error *error) {
    slicer s;
    last_unknown last = {0};
    arcl_status status = slicer_start(&s, &p->memory, shared) ? ARCL_SUCCESS : NO_MEMORY(error);
    for (; b && status == ARCL_SUCCESS; b = b->next) status = add_program(p, &s, shared, b, &last, error);
    slicer_end(&s);
    return status;
}

static void note_dialect(parser *p) {
    variable_name *first = &p->evidence.tokpidjin;
    lexer ahead = p->lex;
    lexer_next(&ahead);
    if (!first->length) *first = (variable_name){ahead.at, ahead.n};
}

arcl_status parse_batt(parser *p, arcl_error *error) {
    batt b = {0};
    if (p->evidence.wanted) { /* it is that alone that tells the dialect: what the lines say is for later */
        note_dialect(p);
        lexer_skip_definition(&p->lex);
        return ARCL_SUCCESS;
    }
    PROPAGATE(add_definition(p, error));
    definition *shared = p->def;
    lexer_next(&p->lex);
    shared->name = p->lex.text + p->lex.at;
    shared->name_length = p->lex.n;
    if (p->dialect != ARCL_TOKPIDJIN) fail_at(p, p->lex.at, "such a battery is of the dialect tokpidjin");
    if (!name_battery_variables(p)) return NO_MEMORY(error);
    p->shares_lines = 1;
    b.tail = &shared->first;
    b.last = &b.first;
    lexer_next(&p->lex);
    if (!p->failed) parse_batt_parameters(p);
    if (!p->failed) parse_batt_body(p, &b);
    if (p->failed) {
        recover_after(p);
        return ARCL_SUCCESS;
    }
    p->count--; /* its place is the first program's */
    return add_programs(p, shared, b.first, error);
}
