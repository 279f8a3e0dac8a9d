/* Translates a tree word by word. Which word it is depends on the kinds of arguments (kinds.c, word_choice.c), so these
 * are found first; then all statements are written again. */
#include "language/translate.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "language/word_choice.h"

typedef struct slot {
    word_choice choice;
    int is_made;
} slot;

typedef struct translation {
    pool *memory;
    const definition *from;
    arcl_dialect dialect;
    const statement **statement;
    slot **slots; /* of each statement, for each of its items, and for what it is if it is a tuple of two */
    definition *made;
    int more;        /* parameters than the original has */
    int later_input; /* by how many places */
    int no_memory;
    expression lost; /* stands in when memory ran out */
    /* the first word that has no translation */
    unsigned refused;
    const char *word;
    uint32_t at;
} translation;

/* ---- choosing words ---- */

static int same_choice(word_choice a, word_choice b) {
    return a.refused == b.refused && a.form == b.form && a.callable == b.callable && a.number == b.number;
}

static int is_function(kind k) { return k.form == KIND_OP || k.form == KIND_MADE; }

/* (a, b) of the text. Only one that is a cell in arc-dsl has another translation than itself. */
static word_choice choose_for_tuple(arcl_dialect dialect, const kind *item) {
    word_choice made = {0};
    int is_cell = is_function(item[0]) || is_function(item[1]) ? 0 : word_pair_is_cell(item[0].type, item[1].type);
    if (is_cell < 0) made.refused = REFUSED_KIND;
    if (is_cell > 0 && dialect == ARCL_ARC_DSL) made.refused = REFUSED_CELL;
    if (is_cell > 0 && dialect == ARCL_TOKPIDJIN) made.form = FORM_TUPLE_OF_CELL;
    return made;
}

static void observe(void *to, int s, int item, int count, const kind *argument) {
    translation *t = to;
    const expression *e = t->statement[s]->value;
    slot *at = &t->slots[s][item];
    word_choice choice = item == e->count ? choose_for_tuple(t->dialect, argument)
                                          : word_choose(t->dialect, e->item[item]->number, count, argument);
    if (at->is_made && !same_choice(at->choice, choice)) choice = (word_choice){.refused = REFUSED_BOTH};
    at->choice = choice;
    at->is_made = 1;
}

static int prepare(translation *t) {
    int count = 0, i = 0;
    for (const statement *s = t->from->first; s; s = s->next) count++;
    t->statement = pool_get(t->memory, (size_t)(count + 1) * sizeof *t->statement);
    t->slots = pool_get(t->memory, (size_t)(count + 1) * sizeof *t->slots);
    t->made = pool_get(t->memory, sizeof *t->made);
    if (!t->statement || !t->slots || !t->made) return 0;
    for (const statement *s = t->from->first; s; s = s->next, i++) {
        t->statement[i] = s;
        t->slots[i] = pool_get(t->memory, (size_t)(s->value->count + 1) * sizeof **t->slots);
        if (!t->slots[i]) return 0;
    }
    return 1;
}

/* What was never called is chosen by its name alone. */
static word_choice choice_of(const translation *t, int s, int item) {
    const slot *at = &t->slots[s][item];
    return at->is_made ? at->choice : word_choose(t->dialect, t->statement[s]->value->item[item]->number, -1, NULL);
}

static void refuse(translation *t, unsigned why, int s, int item) {
    const expression *e = t->statement[s]->value;
    if (t->refused) return;
    t->refused = why;
    t->word = item < e->count ? callable_name(e->item[item]->number) : "(a, b)";
    t->at = e->at;
}

/* ---- expressions ---- */

static expression *make(translation *t, int form, int32_t number, uint32_t at) {
    expression *e = pool_get(t->memory, sizeof *e);
    t->no_memory |= !e;
    if (!e) return &t->lost;
    t->made->expressions++;
    *e = (expression){.kind = (uint8_t)form, .number = number, .at = at};
    return e;
}

static expression *make_items(translation *t, int form, uint32_t at, int count, expression **item) {
    expression *e = make(t, form, 0, at);
    if (t->no_memory) return e;
    e->item = pool_get(t->memory, (size_t)count * sizeof *e->item);
    t->no_memory |= !e->item;
    if (t->no_memory) return e;
    memcpy(e->item, item, (size_t)count * sizeof *item);
    e->count = (uint16_t)count;
    return e;
}

static expression *make_call(translation *t, int op, uint32_t at, expression *a, expression *b) {
    expression *item[] = {make(t, E_OP, op, at), a, b};
    return make_items(t, E_CALL, at, b ? 3 : 2, item);
}

static expression *copy_leaf(translation *t, const expression *leaf) {
    expression *e = make(t, leaf->kind, leaf->number, leaf->at);
    if (t->no_memory) return e;
    e->second = leaf->second;
    if (leaf->kind == E_NAME) e->number += leaf->number < t->from->parameters ? t->later_input : t->more;
    return e;
}

/* ---- functions: ops that are no callees ---- */

/* The three bools that a number is the bits of, from the last to the first. */
static expression *bool_of(translation *t, int number, int bit, uint32_t at) {
    return make(t, E_BOOL, number >> bit & 1, at);
}

static expression *write_function(translation *t, int s, int item) {
    word_choice c = choice_of(t, s, item);
    uint32_t at = t->statement[s]->value->at;
    if (c.refused)
        refuse(t, c.refused, s, item);
    else if (c.form == FORM_SORTED) {
        expression *sorted = make_call(t, OP_rbind, at, make(t, E_OP, OP_order, at), make(t, E_OP, OP_identity, at));
        return make_call(t, OP_compose, at, sorted, make(t, E_OP, c.callable, at));
    } else if (c.form != FORM_PLAIN)
        refuse(t, REFUSED_FUNCTION, s, item);
    return make(t, E_OP, c.callable, at);
}

static expression *write_item(translation *t, int s, int item) {
    const expression *e = t->statement[s]->value->item[item];
    return e->kind == E_OP ? write_function(t, s, item) : copy_leaf(t, e);
}

/* rbind(o_g, 5), and what else is an op with a number that makes it another op: NULL if the statement is none of these.
 * */
static expression *write_numbered_function(translation *t, int s) {
    const expression *e = t->statement[s]->value;
    if (e->count != 3 || e->item[0]->kind != E_OP || callable_op(e->item[0]->number) != OP_rbind) return NULL;
    if (e->item[1]->kind != E_OP || e->item[2]->kind != E_INT) return NULL;
    word_choice c = choice_of(t, s, 1);
    if (c.refused || (c.form != FORM_DROP_LAST && c.form != FORM_OBJECTS)) return NULL;
    expression *made = make(t, E_OP, c.callable, e->at);
    for (int bit = 0; bit < 3 && c.form == FORM_OBJECTS; bit++)
        made = make_call(t, OP_rbind, e->at, made, bool_of(t, c.number, bit, e->at));
    return made;
}

/* ---- calls ---- */

static expression *tupled(translation *t, expression *e) { return make_call(t, OP_totuple, e->at, e, NULL); }

static expression *write_pair(translation *t, uint32_t at, expression *a, expression *b) {
    expression *item[] = {a, b};
    return make_items(t, E_TUPLE, at, 2, item);
}

/* item[1] .. item[count - 1] are the arguments; there are as many as the op takes, or the form is plain. */
static expression *write_form(translation *t, word_choice c, uint32_t at, int count, expression **item) {
    expression *first = item[1];
    switch (c.form) {
    case FORM_DROP_LAST: count--; break;
    case FORM_OBJECTS:
        for (int bit = 0; bit < 3; bit++) item[4 - bit] = bool_of(t, c.number, bit, at);
        count = 5;
        break;
    case FORM_SWAP:
        item[1] = item[2];
        item[2] = first;
        break;
    case FORM_TUPLE_OF_CELL: return write_pair(t, at, item[2], item[1]);
    case FORM_TUPLE_OF_TRIPLE: return write_pair(t, at, item[3], write_pair(t, at, item[1], item[2]));
    case FORM_TUPLED_0: item[1] = tupled(t, item[1]); break;
    case FORM_TUPLED_1: item[2] = tupled(t, item[2]); break;
    case FORM_SORTED:
        return make_call(t, OP_order, at, make_call(t, c.callable, at, first, NULL), make(t, E_OP, OP_identity, at));
    default: break;
    }
    return make_items(t, E_CALL, at, count, item);
}

static int ascell_word(void) {
    int i = 0;
    while (word_rows[i].op != OP_ascell) i++;
    return OP_COUNT + i;
}

static expression *write_value(translation *t, int s) {
    const expression *e = t->statement[s]->value;
    expression *special = e->kind == E_CALL ? write_numbered_function(t, s) : NULL;
    if (special) return special;
    expression **item = pool_get(t->memory, (size_t)(e->count + 5) * sizeof *item);
    t->no_memory |= !item;
    if (t->no_memory) return NULL;
    int is_word = e->kind == E_CALL && e->item[0]->kind == E_OP, is_pair = e->kind == E_TUPLE && e->count == 2;
    word_choice c = {0};
    if (is_word) c = choice_of(t, s, 0);
    if (is_pair) c = t->slots[s][2].choice;
    if (c.refused) refuse(t, c.refused, s, is_pair ? e->count : 0);
    for (int i = 0; i < e->count && !t->refused; i++)
        item[i] = is_word && i == 0 ? make(t, E_OP, c.callable, e->at) : write_item(t, s, i);
    if (t->refused || t->no_memory) return NULL;
    if (is_pair && c.form == FORM_TUPLE_OF_CELL) return make_call(t, ascell_word(), e->at, item[1], item[0]);
    return is_word ? write_form(t, c, e->at, e->count, item) : make_items(t, e->kind, e->at, e->count, item);
}

/* ---- definitions ---- */

static int uses_parameter(const translation *t, int parameter) {
    for (const statement *s = t->from->first; s; s = s->next) {
        const expression *e = s->value;
        if (e->kind == E_NAME && e->number == parameter) return 1;
        for (int i = 0; i < e->count; i++)
            if (e->item[i]->kind == E_NAME && e->item[i]->number == parameter) return 1;
    }
    return 0;
}

/* Programs of tokpidjin have the parameters S, I, C, those of arc-dsl I, unless they use S. Others stay. */
static void write_parameters(translation *t) {
    static const char all[] = "SIC";
    const definition *d = t->from;
    int n = d->parameters, is_input = n == 1 && d->parameter[0] == 'I';
    int is_triple = (n == 2 || n == 3) && memcmp(d->parameter, all, (size_t)n) == 0;
    int wanted = t->dialect == ARCL_TOKPIDJIN || (is_triple && uses_parameter(t, 0)) ? 3 : 1;
    if (!is_input && !is_triple) return;
    t->made->parameters = wanted;
    memcpy(t->made->parameter, wanted == 3 ? all : "I", (size_t)wanted);
    t->more = wanted - n;
    t->later_input = (wanted == 3) - !is_input;
    t->made->variables += t->more;
}

/* C is nothing in either dialect, but not the same nothing. */
static int uses_nothing(const translation *t) {
    const definition *d = t->from;
    return d->parameters == 3 && d->parameter[2] == 'C' && uses_parameter(t, 2);
}

static int is_leaf(const expression *e) { return e->kind != E_TUPLE && e->kind != E_CALL; }

static int write_statements(translation *t) {
    statement **tail = &t->made->first;
    for (int i = 0; t->statement[i]; i++) {
        const statement *from = t->statement[i];
        statement *s = pool_get(t->memory, sizeof *s);
        if (!s) return 0;
        s->target = from->target < 0 ? -1 : from->target + t->more;
        s->value = is_leaf(from->value) ? copy_leaf(t, from->value) : write_value(t, i);
        if (t->no_memory) return 0;
        if (t->refused) return 1;
        *tail = s;
        tail = &s->next;
    }
    return 1;
}

/* ---- messages ---- */

static void explain(const translation *t, const struct arcl_source *src, arcl_error *error) {
    static const struct {
        const char *before, *after; /* "in DIALECT for 'WORD'" */
    } reasons[] = {
        [REFUSED_NO_WORD] = {"there is no word", ""},
        [REFUSED_KIND] = {"the word",
                          " depends on what it is given (a grid, a patch, a cell), which cannot be told here"},
        [REFUSED_CELL] = {"there is no word", " of a cell, which is (i, j, c) in tokpidjin and (c, (i, j)) in arc-dsl"},
        [REFUSED_NUMBER] = {"the word", " depends on its number, which is no constant here"},
        [REFUSED_BOTH] = {"the word", " depends on what it is given, which is not the same in all its calls here"},
        [REFUSED_FUNCTION] = {"there is no word", " that is a function"},
        [REFUSED_FREE] = {"the word", " depends on what it is given, and its calls cannot be followed here"}};
    char text[240];
    snprintf(text, sizeof text, "%s in %s for '%s'%s", reasons[t->refused].before, arcl_dialect_name(t->dialect),
             t->word, reasons[t->refused].after);
    syntax_message(src, t->at, text, error);
}

static int refuse_nothing(translation *t) {
    t->refused = REFUSED_NO_WORD;
    t->word = "C";
    t->at = t->from->at;
    return 1;
}

/* A definition of the text that the form names and does not call, or NULL. */
static const expression *defined_function(const definition *form) {
    for (const statement *s = form->first; s; s = s->next)
        for (int i = 0; i < s->value->count; i++)
            if (s->value->item[i]->kind == E_DEFINED) return s->value->item[i];
    return NULL;
}

arcl_status translate_form(pool *memory, const struct arcl_source *src, const definition *normal, arcl_dialect dialect,
                           const definition **made, arcl_error *error) {
    translation t = {.memory = memory, .from = normal, .dialect = dialect};
    const expression *function = defined_function(normal);
    if (function) {
        syntax_message(src, function->at,
                       "a definition that is used as a function is not translated: write it with compose, fork and "
                       "their kin, or call it",
                       error);
        return ARCL_INVALID;
    }
    if (!prepare(&t)) return NO_MEMORY(error);
    *t.made = *normal;
    t.made->dialect = dialect;
    t.made->first = NULL;
    t.made->expressions = 0;
    *made = t.made;
    write_parameters(&t);
    int found = kinds_find(memory, normal, observe, &t);
    if (found < 0)
        return error_set(error, ARCL_INVALID, "%s: %.*s: its functions unfold to too much to be translated", src->file,
                         normal->name_length > 60 ? 60 : (int)normal->name_length, normal->name);
    if (!found || !(uses_nothing(&t) ? refuse_nothing(&t) : write_statements(&t))) return NO_MEMORY(error);
    if (t.refused) explain(&t, src, error);
    return t.refused ? ARCL_INVALID : ARCL_SUCCESS;
}
