/* The program of a value: the patterns that made it, put together. Equal lines are made once, since trees do that. */
#include <stdlib.h>

#include "base/error.h"
#include "base/growth.h"
#include "search/search_state.h"

static arcl_operand filled(arcl_operand o, const arcl_operand *hole, const arcl_operand *line) {
    if (o.kind == ARCL_OPERAND_PARAMETER) return hole[o.number];
    return o.kind == ARCL_OPERAND_LINE ? line[o.number] : o;
}

arcl_status tree_add_pattern(arcl_tree *tree, const arcl_tree *from, const arcl_operand *hole, arcl_operand *result,
                             arcl_error *error) {
    arcl_operand argument[MOST_ARGUMENTS];
    int lines = arcl_tree_lines(from);
    arcl_operand *line = malloc((size_t)(lines + 1) * sizeof *line);
    arcl_status status = line ? ARCL_SUCCESS : NO_MEMORY(error);
    for (int i = 0; i < lines && status == ARCL_SUCCESS; i++) {
        arcl_tree_line l = arcl_tree_line_get(from, i);
        arcl_operand callee = filled(l.callee, hole, line);
        for (int k = 0; k < l.count; k++) argument[k] = filled(l.arguments[k], hole, line);
        status = arcl_tree_add(tree, l.is_tuple ? NULL : &callee, argument, l.count, &line[i], error);
    }
    if (status == ARCL_SUCCESS) *result = filled(arcl_tree_result(from), hole, line);
    free(line);
    return status;
}

/* Values that were written already: what many share is gone through once. */
typedef struct value_writer {
    const search_state *search;
    arcl_tree *tree;
    key_table known;
    arcl_operand *written;
    uint32_t count, room;
} value_writer;

static arcl_status remember(value_writer *w, uint32_t value, arcl_operand operand, arcl_error *error) {
    if (!ARRAY_HAS_ROOM(w->written, w->count, w->room, 32)) return NO_MEMORY(error);
    w->written[w->count] = operand;
    return key_table_put(&w->known, key_fold(0, value), w->count++, error);
}

static arcl_status write_value(value_writer *w, uint32_t value, arcl_operand *operand, arcl_error *error) {
    const bank_value *v = &w->search->bank.value[value];
    arcl_operand hole[MAX_HOLES] = {{0}};
    uint32_t found = key_table_find(&w->known, key_fold(0, value));
    if (found != KEY_ABSENT)
        *operand = w->written[found];
    else if (v->pattern == PATTERN_INPUT)
        *operand = (arcl_operand){ARCL_OPERAND_PARAMETER, 0, 0};
    else if (v->pattern == PATTERN_CONSTANT)
        *operand = (arcl_operand){ARCL_OPERAND_INT, (int32_t)v->argument[0], 0};
    else {
        const pattern *p = &w->search->patterns.at[v->pattern];
        for (int i = 0; i < p->holes; i++) PROPAGATE(write_value(w, v->argument[i], &hole[i], error));
        PROPAGATE(tree_add_pattern(w->tree, p->tree, hole, operand, error));
        PROPAGATE(remember(w, value, *operand, error));
    }
    return ARCL_SUCCESS;
}

arcl_status value_tree_add(const search_state *s, arcl_tree *tree, uint32_t value, arcl_operand *operand,
                           arcl_error *error) {
    value_writer w = {.search = s, .tree = tree};
    arcl_status status = write_value(&w, value, operand, error);
    key_table_free(&w.known);
    free(w.written);
    return status;
}

arcl_status value_tree(const search_state *s, uint32_t value, arcl_tree **tree, arcl_error *error) {
    arcl_operand result;
    PROPAGATE(arcl_tree_create(s->dialect, "I", tree, error));
    arcl_status status = value_tree_add(s, *tree, value, &result, error);
    if (status == ARCL_SUCCESS) status = arcl_tree_set_result(*tree, result, error);
    if (status == ARCL_SUCCESS) return status;
    arcl_tree_free(*tree);
    *tree = NULL;
    return status;
}
