/* Trees for users: made, read and changed. What operands may stand where is checked here, and nowhere below; types are
 * the compiler's business. */
#include "tree/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define COORDINATES (1 << 23) /* numbers below it in size make pairs */

/* ---- lines ---- */

int tree_reserve(arcl_tree *t, int lines, int items) {
    if (t->lines + lines <= t->line_room && t->items + items <= t->item_room) return 1;
    int line_room = t->lines + lines + t->lines / 2 + 8, item_room = t->items + items + t->items / 2 + 32;
    tree_line *line = malloc((size_t)line_room * sizeof *line + (size_t)item_room * sizeof *t->item);
    if (!line) return 0;
    arcl_operand *item = (arcl_operand *)(line + line_room);
    if (t->lines) memcpy(line, t->line, (size_t)t->lines * sizeof *line);
    if (t->items) memcpy(item, t->item, (size_t)t->items * sizeof *item);
    free(t->line);
    t->line = line;
    t->item = item;
    t->line_room = line_room;
    t->item_room = item_room;
    return 1;
}

/* Renames lines from `from` on by `by`. */
static void renumber(arcl_tree *t, int from, int by) {
    for (int i = 0; i < t->items; i++)
        if (t->item[i].kind == ARCL_OPERAND_LINE && t->item[i].number >= from) t->item[i].number += by;
    if (t->result.kind == ARCL_OPERAND_LINE && t->result.number >= from) t->result.number += by;
}

void tree_put(arcl_tree *t, int before, int is_tuple, const arcl_operand *item, int count) {
    if (before < t->lines) {
        renumber(t, before, 1);
        memmove(t->line + before + 1, t->line + before, (size_t)(t->lines - before) * sizeof *t->line);
    }
    t->line[before] = (tree_line){(uint32_t)t->items, (uint16_t)count, (uint8_t)is_tuple};
    t->lines++;
    if (count && item != t->item + t->items) memcpy(t->item + t->items, item, (size_t)count * sizeof *item);
    t->items += count;
}

int tree_find(const arcl_tree *t, int before, int is_tuple, const arcl_operand *item, int count) {
    for (int i = 0; i < before; i++) {
        const tree_line *l = &t->line[i];
        int same = l->count == count && l->is_tuple == is_tuple;
        for (int k = 0; k < count && same; k++) same = same_operand(t->item[l->first + (uint32_t)k], item[k]);
        if (same) return i;
    }
    return -1;
}

void tree_take_out(arcl_tree *t, int line, arcl_operand instead) {
    arcl_operand own = operand_of_line(line);
    for (int i = 0; i < t->items; i++)
        if (same_operand(t->item[i], own)) t->item[i] = instead;
    if (same_operand(t->result, own)) t->result = instead;
    memmove(t->line + line, t->line + line + 1, (size_t)(t->lines - line - 1) * sizeof *t->line);
    t->lines--;
    renumber(t, line + 1, -1);
}

/* ---- made ---- */

static arcl_status check_letters(const char *letters, arcl_error *error) {
    size_t count = strlen(letters);
    if (count < 1 || count > MAX_PARAMETERS)
        return error_set(error, ARCL_INVALID, "a tree has 1 to %d parameters, not %zu", MAX_PARAMETERS, count);
    for (size_t i = 0; i < count; i++)
        if (!((letters[i] >= 'A' && letters[i] <= 'Z') || (letters[i] >= 'a' && letters[i] <= 'z')))
            return error_set(error, ARCL_INVALID, "parameters are letters: '%s'", letters);
        else if (strchr(letters + i + 1, letters[i]))
            return error_set(error, ARCL_INVALID, "two parameters of one letter: '%s'", letters);
    return ARCL_SUCCESS;
}

arcl_status arcl_tree_create(arcl_dialect dialect, const char *parameters, arcl_tree **tree, arcl_error *error) {
    error_clear(error);
    NEED(parameters);
    NEED(tree);
    *tree = NULL;
    if (dialect != ARCL_ARC_DSL && dialect != ARCL_TOKPIDJIN)
        return error_set(error, ARCL_INVALID, "a tree is in a dialect that is known, not in %d", (int)dialect);
    PROPAGATE(check_letters(parameters, error));
    arcl_tree *t = calloc(1, sizeof *t);
    if (!t) return NO_MEMORY(error);
    t->dialect = dialect;
    t->parameters = (int)strlen(parameters);
    memcpy(t->letter, parameters, (size_t)t->parameters);
    t->result = (arcl_operand){ARCL_OPERAND_PARAMETER, 0, 0};
    *tree = t;
    return ARCL_SUCCESS;
}

/* Without the operands that no line has any more. */
arcl_status arcl_tree_copy(const arcl_tree *tree, arcl_tree **copy, arcl_error *error) {
    error_clear(error);
    NEED(tree);
    NEED(copy);
    *copy = NULL;
    arcl_tree *t = malloc(sizeof *t);
    if (!t) return NO_MEMORY(error);
    *t = *tree;
    t->lines = t->items = t->line_room = t->item_room = 0;
    t->line = NULL;
    if (!tree_reserve(t, tree->lines, tree->items)) {
        free(t);
        return NO_MEMORY(error);
    }
    for (int i = 0; i < tree->lines; i++)
        tree_put(t, i, tree->line[i].is_tuple, tree->item + tree->line[i].first, tree->line[i].count);
    *copy = t;
    return ARCL_SUCCESS;
}

void arcl_tree_free(arcl_tree *t) {
    if (!t) return;
    free(t->line);
    free(t);
}

/* ---- read ---- */

arcl_operand arcl_operand_op(arcl_dialect dialect, const char *name) {
    arcl_operand found = {ARCL_OPERAND_OP, -1, 0};
    int first = dialect_first(dialect), count = name ? dialect_count(dialect) : 0;
    for (int i = 0; i < count && found.number < 0; i++)
        if (strcmp(callable_name(first + i), name) == 0) found.number = i;
    return found;
}

arcl_dialect arcl_tree_dialect(const arcl_tree *t) { return t ? t->dialect : ARCL_DIALECT_AUTO; }

const char *arcl_tree_parameters(const arcl_tree *t) { return t ? t->letter : ""; }

int arcl_tree_lines(const arcl_tree *t) { return t ? t->lines : 0; }

arcl_tree_line arcl_tree_line_get(const arcl_tree *t, int line) {
    arcl_tree_line got = {0};
    if (!t || line < 0 || line >= t->lines) return got;
    const tree_line *l = &t->line[line];
    got.is_tuple = l->is_tuple;
    got.count = l->count - !l->is_tuple;
    got.arguments = t->item + l->first + !l->is_tuple;
    if (!l->is_tuple) got.callee = t->item[l->first];
    return got;
}

arcl_operand arcl_tree_result(const arcl_tree *t) { return t ? t->result : (arcl_operand){0}; }

/* ---- changed ---- */

static int is_coordinate(int32_t number) { return number > -COORDINATES && number < COORDINATES; }

/* Whether the operand is one, for a line before which there are so many. */
static arcl_status check_operand(const arcl_tree *t, int before, arcl_operand o, arcl_error *error) {
    int right = 0;
    switch (o.kind) {
    case ARCL_OPERAND_INT: right = 1; break;
    case ARCL_OPERAND_BOOL: right = o.number == 0 || o.number == 1; break;
    case ARCL_OPERAND_PAIR: right = is_coordinate(o.number) && is_coordinate(o.second); break;
    case ARCL_OPERAND_OP: right = o.number >= 0 && o.number < dialect_count(t->dialect); break;
    case ARCL_OPERAND_PARAMETER: right = o.number >= 0 && o.number < t->parameters; break;
    case ARCL_OPERAND_LINE: right = o.number >= 0 && o.number < before; break;
    }
    if (right && (o.kind == ARCL_OPERAND_PAIR || o.second == 0)) return ARCL_SUCCESS;
    return error_set(error, ARCL_INVALID, "no operand for line %d: kind %d, number %d, second %d", before, (int)o.kind,
                     (int)o.number, (int)o.second);
}

static arcl_status check_callee(const arcl_tree *t, int before, arcl_operand o, arcl_error *error) {
    if (o.kind != ARCL_OPERAND_OP && o.kind != ARCL_OPERAND_PARAMETER && o.kind != ARCL_OPERAND_LINE)
        return error_set(error, ARCL_INVALID, "ops, parameters and lines can be called, operands of kind %d cannot",
                         (int)o.kind);
    return check_operand(t, before, o, error);
}

static arcl_status check_line(const arcl_tree *t, int before, const arcl_operand *callee, const arcl_operand *arguments,
                              int count, arcl_error *error) {
    if (before < 0 || before > t->lines) return error_set(error, ARCL_INVALID, "there is no line %d", before);
    if (count < (callee != NULL) || count > ARCL_TREE_ARGUMENTS)
        return error_set(error, ARCL_INVALID, "a line of %d arguments", count);
    if (t->lines >= ARCL_TREE_LINES)
        return error_set(error, ARCL_INVALID, "a tree has %d lines at most", ARCL_TREE_LINES);
    if (callee) PROPAGATE(check_callee(t, before, *callee, error));
    for (int i = 0; i < count; i++) PROPAGATE(check_operand(t, before, arguments[i], error));
    return ARCL_SUCCESS;
}

/* Puts the operands behind those of the tree, where they can be compared and taken over. */
static arcl_operand *gather(arcl_tree *t, const arcl_operand *callee, const arcl_operand *arguments, int count) {
    arcl_operand called = callee ? *callee : (arcl_operand){0}; /* which may be an operand of the tree itself */
    int inside = count && t->item && arguments >= t->item && arguments < t->item + t->items;
    ptrdiff_t at = inside ? arguments - t->item : 0;
    if (!tree_reserve(t, 1, count + 1)) return NULL;
    arcl_operand *item = t->item + t->items;
    if (callee) *item = called;
    if (count) memcpy(item + (callee != NULL), inside ? t->item + at : arguments, (size_t)count * sizeof *item);
    return item;
}

arcl_status arcl_tree_add(arcl_tree *tree, const arcl_operand *callee, const arcl_operand *arguments, int count,
                          arcl_operand *line, arcl_error *error) {
    error_clear(error);
    NEED(tree);
    if (count > 0) NEED(arguments);
    NEED(line);
    PROPAGATE(check_line(tree, tree->lines, callee, arguments, count, error));
    arcl_operand *item = gather(tree, callee, arguments, count);
    if (!item) return NO_MEMORY(error);
    int items = count + (callee != NULL), found = tree_find(tree, tree->lines, !callee, item, items);
    if (found < 0) {
        found = tree->lines;
        tree_put(tree, found, !callee, item, items);
    }
    *line = operand_of_line(found);
    return ARCL_SUCCESS;
}

arcl_status arcl_tree_insert(arcl_tree *tree, int before, const arcl_operand *callee, const arcl_operand *arguments,
                             int count, arcl_error *error) {
    error_clear(error);
    NEED(tree);
    if (count > 0) NEED(arguments);
    PROPAGATE(check_line(tree, before, callee, arguments, count, error));
    arcl_operand *item = gather(tree, callee, arguments, count);
    if (!item) return NO_MEMORY(error);
    tree_put(tree, before, !callee, item, count + (callee != NULL));
    return ARCL_SUCCESS;
}

static arcl_status check_index(const arcl_tree *t, int line, arcl_error *error) {
    if (line >= 0 && line < t->lines) return ARCL_SUCCESS;
    return error_set(error, ARCL_INVALID, "there is no line %d", line);
}

arcl_status arcl_tree_set(arcl_tree *tree, int line, int slot, arcl_operand operand, arcl_error *error) {
    error_clear(error);
    NEED(tree);
    PROPAGATE(check_index(tree, line, error));
    const tree_line *l = &tree->line[line];
    if (slot < (l->is_tuple ? 0 : ARCL_TREE_CALLEE) || slot >= l->count - !l->is_tuple)
        return error_set(error, ARCL_INVALID, "line %d has no slot %d", line, slot);
    int at = slot + !l->is_tuple; /* of its operands */
    PROPAGATE(slot == ARCL_TREE_CALLEE ? check_callee(tree, line, operand, error)
                                       : check_operand(tree, line, operand, error));
    tree->item[l->first + (uint32_t)at] = operand;
    return ARCL_SUCCESS;
}

arcl_status arcl_tree_set_result(arcl_tree *tree, arcl_operand operand, arcl_error *error) {
    error_clear(error);
    NEED(tree);
    PROPAGATE(check_operand(tree, tree->lines, operand, error));
    tree->result = operand;
    return ARCL_SUCCESS;
}

static int is_called(const arcl_tree *t, int line) {
    for (int i = 0; i < t->lines; i++)
        if (!t->line[i].is_tuple && same_operand(t->item[t->line[i].first], operand_of_line(line))) return 1;
    return 0;
}

arcl_status arcl_tree_remove(arcl_tree *tree, int line, arcl_operand instead, arcl_error *error) {
    error_clear(error);
    NEED(tree);
    PROPAGATE(check_index(tree, line, error));
    PROPAGATE(is_called(tree, line) ? check_callee(tree, line, instead, error)
                                    : check_operand(tree, line, instead, error));
    tree_take_out(tree, line, instead);
    return ARCL_SUCCESS;
}

/* Sets number[i] to what line i becomes when those that the result does not need are gone, or -1. */
static void number_needed(const arcl_tree *t, int *number) {
    for (int i = 0; i < t->lines; i++) number[i] = -1;
    if (t->result.kind == ARCL_OPERAND_LINE) number[t->result.number] = 0;
    for (int i = t->lines - 1; i >= 0; i--)
        for (int k = 0; k < t->line[i].count && number[i] >= 0; k++) {
            arcl_operand o = t->item[t->line[i].first + (uint32_t)k];
            if (o.kind == ARCL_OPERAND_LINE) number[o.number] = 0;
        }
    for (int i = 0, next = 0; i < t->lines; i++)
        if (number[i] >= 0) number[i] = next++;
}

void arcl_tree_prune(arcl_tree *t) {
    int few[256], *number = few, kept = 0;
    if (!t || !t->lines) return;
    if (t->lines > 256 && !(number = malloc((size_t)t->lines * sizeof *number))) return; /* it stays as it is */
    number_needed(t, number);
    for (int i = 0; i < t->lines; i++) {
        if (number[i] < 0) continue;
        for (int k = 0; k < t->line[i].count; k++) {
            arcl_operand *o = &t->item[t->line[i].first + (uint32_t)k];
            if (o->kind == ARCL_OPERAND_LINE) o->number = number[o->number];
        }
        t->line[kept++] = t->line[i];
    }
    if (t->result.kind == ARCL_OPERAND_LINE) t->result.number = number[t->result.number];
    t->lines = kept;
    if (number != few) free(number);
}
