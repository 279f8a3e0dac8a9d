/* Trees as definitions, and back: their normal form, their text, their key, and programs. */
#include <stdlib.h>
#include <string.h>

#include "arcl_program.h"
#include "base/error.h"
#include "base/hash.h"
#include "language/normal.h"
#include "language/tree_text.h"
#include "run/context.h"
#include "tree/tree.h"

/* ---- as a definition ---- */

static expression make_operand(const arcl_tree *t, arcl_operand o) {
    expression e = {.number = o.number, .second = o.second};
    switch (o.kind) {
    case ARCL_OPERAND_INT: e.kind = E_INT; break;
    case ARCL_OPERAND_BOOL: e.kind = E_BOOL; break;
    case ARCL_OPERAND_PAIR: e.kind = E_PAIR; break;
    case ARCL_OPERAND_OP:
        e.kind = E_OP;
        e.number += dialect_first(t->dialect);
        break;
    case ARCL_OPERAND_PARAMETER: e.kind = E_NAME; break;
    case ARCL_OPERAND_LINE:
        e.kind = E_NAME;
        e.number += t->parameters;
        break;
    }
    return e;
}

const definition *tree_definition(pool *memory, const arcl_tree *t) {
    size_t items = 0, lines = (size_t)t->lines;
    for (int i = 0; i < t->lines; i++) items += t->line[i].count;
    definition *d = pool_get(memory, sizeof *d);
    statement *line = pool_take(memory, (lines + 1) * sizeof *line);
    expression *e = pool_take(memory, (lines + items + 1) * sizeof *e);
    expression **item = pool_take(memory, (items + 1) * sizeof *item);
    if (!d || !line || !e || !item) return NULL;
    d->name = "";
    d->dialect = t->dialect;
    d->parameters = t->parameters;
    memcpy(d->parameter, t->letter, (size_t)t->parameters);
    d->variables = t->parameters + t->lines;
    d->expressions = (uint32_t)(lines + items + 1);
    d->first = line;
    for (int i = 0; i < t->lines; i++) {
        const tree_line *l = &t->line[i];
        expression *whole = e++;
        *whole = (expression){.kind = l->is_tuple ? E_TUPLE : E_CALL, .count = l->count, .item = item};
        for (int k = 0; k < l->count; k++) {
            *e = make_operand(t, t->item[l->first + (uint32_t)k]);
            *item++ = e++;
        }
        line[i] = (statement){&line[i + 1], t->parameters + i, whole};
    }
    *e = make_operand(t, t->result);
    line[lines] = (statement){NULL, -1, e};
    return d;
}

/* ---- of a definition ---- */

static arcl_status read_operand(const arcl_tree *t, const expression *e, arcl_operand *o, arcl_error *error) {
    *o = (arcl_operand){.number = e->number, .second = 0};
    switch (e->kind) {
    case E_INT: o->kind = ARCL_OPERAND_INT; return ARCL_SUCCESS;
    case E_BOOL: o->kind = ARCL_OPERAND_BOOL; return ARCL_SUCCESS;
    case E_PAIR:
        o->kind = ARCL_OPERAND_PAIR;
        o->second = e->second;
        return ARCL_SUCCESS;
    case E_OP:
        o->kind = ARCL_OPERAND_OP;
        o->number -= dialect_first(t->dialect);
        return ARCL_SUCCESS;
    case E_NAME:
        o->kind = e->number < t->parameters ? ARCL_OPERAND_PARAMETER : ARCL_OPERAND_LINE;
        if (o->kind == ARCL_OPERAND_LINE) o->number -= t->parameters;
        return ARCL_SUCCESS;
    default:
        return error_set(error, ARCL_INVALID, "a definition of the text is used as a function: trees have ops only");
    }
}

static arcl_status read_line(arcl_tree *t, const expression *e, arcl_error *error) {
    if (!tree_reserve(t, 1, e->count)) return NO_MEMORY(error);
    arcl_operand *item = t->item + t->items;
    for (int i = 0; i < e->count; i++) PROPAGATE(read_operand(t, e->item[i], &item[i], error));
    tree_put(t, t->lines, e->kind == E_TUPLE, item, e->count);
    return ARCL_SUCCESS;
}

arcl_status tree_read_form(arcl_tree *t, const definition *form, arcl_error *error) {
    if (form->variables - form->parameters > ARCL_TREE_LINES)
        return error_set(error, ARCL_INVALID, "a tree has %d lines at most", ARCL_TREE_LINES);
    for (const statement *s = form->first; s; s = s->next)
        PROPAGATE(s->target >= 0 ? read_line(t, s->value, error) : read_operand(t, s->value, &t->result, error));
    return ARCL_SUCCESS;
}

static int has_type(char letter) { return letter == 'I' || letter == 'S' || letter == 'C'; }

static arcl_status read_definition(pool *memory, const definition *d, arcl_tree **tree, arcl_error *error) {
    char letters[MAX_PARAMETERS + 1] = {0};
    const definition *form = normal_form(memory, d);
    if (!form) return NO_MEMORY(error);
    for (int i = 0; i < d->parameters; i++) /* names that give no type are all the same */
        letters[i] = has_type(d->parameter[i]) ? d->parameter[i] : (char)('a' + i);
    PROPAGATE(arcl_tree_create(d->dialect, letters, tree, error));
    arcl_status status = tree_read_form(*tree, form, error);
    if (status != ARCL_SUCCESS) {
        arcl_tree_free(*tree);
        *tree = NULL;
    }
    return status;
}

arcl_status arcl_tree_from_source(arcl_context *context, const arcl_source *source, int index, arcl_tree **tree,
                                  arcl_error *error) {
    error_clear(error);
    const definition *d;
    NEED(context);
    NEED(source);
    NEED(tree);
    *tree = NULL;
    PROPAGATE(source_definition(source, index, &d, error));
    pool *memory = context_pool_take(context);
    arcl_status status = memory ? read_definition(memory, d, tree, error) : NO_MEMORY(error);
    if (memory) context_pool_give(context, memory);
    return status;
}

/* ---- the key ---- */

/* What is hashed: every number of the form, in an order from which it could be read again. */
static uint32_t *note_operand(uint32_t *at, arcl_operand o) {
    *at++ = (uint32_t)o.kind;
    *at++ = (uint32_t)o.number;
    *at++ = (uint32_t)o.second;
    return at;
}

static arcl_status find_key(pool *memory, const arcl_tree *t, arcl_key *key, arcl_error *error) {
    const arcl_tree *form = tree_normal(memory, t);
    if (!form) return NO_MEMORY(error);
    size_t most = (size_t)form->lines + 3 * (size_t)(form->items + 1) + 1 + MAX_PARAMETERS;
    uint32_t *noted = pool_take(memory, most * sizeof *noted), *at = noted;
    if (!noted) return NO_MEMORY(error);
    *at++ = (uint32_t)form->dialect << 16 | (uint32_t)form->parameters;
    for (int i = 0; i < form->parameters; i++) *at++ = (uint32_t)(has_type(form->letter[i]) ? form->letter[i] : 'p');
    for (int i = 0; i < form->lines; i++) {
        const tree_line *l = &form->line[i];
        *at++ = (uint32_t)l->is_tuple << 16 | l->count;
        for (int k = 0; k < l->count; k++) at = note_operand(at, form->item[l->first + (uint32_t)k]);
    }
    at = note_operand(at, form->result);
    *key = hash_bytes(noted, (size_t)(at - noted) * sizeof *noted);
    return ARCL_SUCCESS;
}

arcl_status arcl_tree_key(arcl_context *context, const arcl_tree *tree, arcl_key *key, arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(tree);
    NEED(key);
    pool *memory = context_pool_take(context);
    arcl_status status = memory ? find_key(memory, tree, key, error) : NO_MEMORY(error);
    if (memory) context_pool_give(context, memory);
    return status;
}

/* ---- text ---- */

static arcl_status write_form(pool *memory, const arcl_tree *t, const char *name, text_buffer *text,
                              arcl_error *error) {
    const arcl_tree *normal = tree_normal(memory, t);
    const definition *form = normal ? tree_definition(memory, normal) : NULL;
    if (form && form->variables > MAX_VARIABLES) form = normal_inline(memory, form);
    if (form) tree_write(text, form, name, strlen(name));
    return form && !text->failed ? ARCL_SUCCESS : NO_MEMORY(error);
}

/* The text that a source of the tree alone would have. Free it. */
static arcl_status write_text(arcl_context *context, const arcl_tree *t, const char *name, text_buffer *text,
                              arcl_error *error) {
    pool *memory = context_pool_take(context);
    arcl_status status = memory ? write_form(memory, t, name, text, error) : NO_MEMORY(error);
    if (memory) context_pool_give(context, memory);
    return status;
}

/* The tree as a source, for those who want messages with lines, or other words. */
static arcl_status make_source(arcl_context *context, const arcl_tree *t, const char *name, arcl_source **source,
                               arcl_error *error) {
    text_buffer text = {0};
    arcl_status status = write_text(context, t, name, &text, error);
    if (status == ARCL_SUCCESS)
        status = arcl_source_parse_dialect(context, text.at, text.length, "tree", t->dialect, source, error);
    free(text.at);
    return status;
}

arcl_status arcl_tree_format(arcl_context *context, const arcl_tree *tree, const char *name, arcl_dialect dialect,
                             int inline_uses, char **text, size_t *length, arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(tree);
    NEED(name);
    NEED(text);
    *text = NULL;
    int is_own = dialect == ARCL_DIALECT_AUTO || dialect == tree->dialect;
    if (is_own && !inline_uses && tree->lines + tree->parameters <= MAX_VARIABLES) {
        text_buffer written = {0};
        arcl_status status = write_text(context, tree, name, &written, error);
        if (status != ARCL_SUCCESS) {
            free(written.at);
            return status;
        }
        *text = written.at;
        if (length) *length = written.length;
        return ARCL_SUCCESS;
    }
    arcl_source *source = NULL;
    PROPAGATE(make_source(context, tree, name, &source, error));
    arcl_status status = arcl_source_translate(context, source, 0, dialect, inline_uses, text, length, error);
    arcl_source_free(source);
    return status;
}

/* ---- programs ---- */

static arcl_status compile(arcl_context *context, const arcl_tree *t, const arcl_compile_options *options,
                           arcl_program **program) {
    pool *memory = context_pool_take(context);
    const arcl_tree *normal = memory ? tree_normal(memory, t) : NULL;
    const definition *d = normal ? tree_definition(memory, normal) : NULL;
    arcl_status status = ARCL_NO_MEMORY;
    if (d) status = program_compile_text(context, &(program_text){NULL, d, 1, 0}, options, program, NULL);
    if (memory) context_pool_give(context, memory);
    return status;
}

/* Where the tree is rejected, and somebody wants to know why, it is compiled once more, from its text. If that is not
 * rejected, there was no memory before, which the compiler tells like any other reason. */
static arcl_status explain(arcl_context *context, const arcl_tree *t, const arcl_compile_options *options,
                           arcl_error *error) {
    arcl_source *source = NULL;
    arcl_program *program = NULL;
    PROPAGATE(make_source(context, t, "tree", &source, error));
    arcl_status status = arcl_program_compile(context, source, 0, options, &program, error);
    arcl_program_free(program);
    arcl_source_free(source);
    return status == ARCL_SUCCESS ? NO_MEMORY(error) : status;
}

arcl_status arcl_tree_compile(arcl_context *context, const arcl_tree *tree, const arcl_compile_options *options,
                              arcl_program **program, arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(tree);
    NEED(program);
    *program = NULL;
    for (int i = 0; options && options->types && i < options->type_count; i++) NEED(options->types[i]);
    arcl_status status = compile(context, tree, options, program);
    if (status == ARCL_INVALID && error) return explain(context, tree, options, error);
    return status == ARCL_NO_MEMORY ? NO_MEMORY(error) : status;
}
