/* Lines of one tree that are put into another. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tree/tree.h"

/* Sets number[i] to 0 for the lines of `from` that line `line` needs, itself among them, else to -1; and counts these
 * and their operands. */
static int mark_needed(const arcl_tree *from, int line, int *number, int *items) {
    int count = 0;
    for (int i = 0; i < line; i++) number[i] = -1;
    number[line] = 0;
    *items = 0;
    for (int i = line; i >= 0; i--) {
        if (number[i] < 0) continue;
        count++;
        *items += from->line[i].count;
        for (int k = 0; k < from->line[i].count; k++) {
            arcl_operand o = from->item[from->line[i].first + (uint32_t)k];
            if (o.kind == ARCL_OPERAND_LINE) number[o.number] = 0;
        }
    }
    return count;
}

/* The parameter of that letter, or -1. */
static int parameter_of(const arcl_tree *t, char letter) {
    const char *at = strchr(t->letter, letter);
    return at ? (int)(at - t->letter) : -1;
}

static arcl_status check_parameters(const arcl_tree *t, const arcl_tree *from, int line, const int *number,
                                    arcl_error *error) {
    for (int i = 0; i <= line; i++)
        for (int k = 0; k < from->line[i].count && number[i] >= 0; k++) {
            arcl_operand o = from->item[from->line[i].first + (uint32_t)k];
            if (o.kind == ARCL_OPERAND_PARAMETER && parameter_of(t, from->letter[o.number]) < 0)
                return error_set(error, ARCL_INVALID, "the tree has no parameter %c", from->letter[o.number]);
        }
    return ARCL_SUCCESS;
}

/* The lines that are needed, one after the other; number[i] is what line i of `from` becomes. */
static void copy_lines(arcl_tree *t, int before, const arcl_tree *from, int line, int *number) {
    for (int i = 0; i <= line; i++) {
        if (number[i] < 0) continue;
        arcl_operand *item = t->item + t->items; /* there is room */
        int count = from->line[i].count, is_tuple = from->line[i].is_tuple;
        for (int k = 0; k < count; k++) {
            item[k] = from->item[from->line[i].first + (uint32_t)k];
            if (item[k].kind == ARCL_OPERAND_LINE) item[k].number = number[item[k].number];
            if (item[k].kind == ARCL_OPERAND_PARAMETER) item[k].number = parameter_of(t, from->letter[item[k].number]);
        }
        number[i] = tree_find(t, before, is_tuple, item, count);
        if (number[i] >= 0) continue;
        number[i] = before;
        tree_put(t, before++, is_tuple, item, count);
    }
}

arcl_status tree_graft(arcl_tree *t, int before, const arcl_tree *from, int line, int *number, arcl_error *error) {
    int items, lines = mark_needed(from, line, number, &items);
    PROPAGATE(check_parameters(t, from, line, number, error));
    if (t->lines + lines > ARCL_TREE_LINES)
        return error_set(error, ARCL_INVALID, "a tree has %d lines at most", ARCL_TREE_LINES);
    if (!tree_reserve(t, lines, items)) return NO_MEMORY(error);
    copy_lines(t, before, from, line, number);
    return ARCL_SUCCESS;
}

arcl_status arcl_tree_graft(arcl_tree *tree, int before, const arcl_tree *from, int line, arcl_operand *grafted,
                            arcl_error *error) {
    error_clear(error);
    NEED(tree);
    NEED(from);
    NEED(grafted);
    if (tree == from) return error_set(error, ARCL_INVALID, "a tree cannot be put into itself: copy it first");
    if (tree->dialect != from->dialect) return error_set(error, ARCL_INVALID, "the trees are of different dialects");
    if (before < 0 || before > tree->lines) return error_set(error, ARCL_INVALID, "there is no line %d", before);
    if (line < 0 || line >= from->lines) return error_set(error, ARCL_INVALID, "there is no line %d to graft", line);
    int *number = malloc(((size_t)line + 1) * sizeof *number);
    arcl_status status = number ? tree_graft(tree, before, from, line, number, error) : NO_MEMORY(error);
    if (status == ARCL_SUCCESS) *grafted = operand_of_line(number[line]);
    free(number);
    return status;
}
