/* What programs have in common, counted. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tree/library.h"

/* ---- patterns ---- */

typedef struct line_view { /* a line that becomes a pattern */
    const arcl_tree *of;
    const arcl_type *types;
    int ints_are_holes;
    kept_pattern made;
    arcl_operand value[ARCL_PATTERN_HOLES]; /* what stands in each hole */
    int has_ints;
    int too_large;
} line_view;

/* A type that can be written down and read again. */
static int is_plain(arcl_type t) {
    char text[100];
    return t != ARCL_TYPE_FAILS && t != ARCL_TYPE_OTHER && !arcl_type_arity(t) &&
           arcl_type_parse(arcl_type_text(t, text, sizeof text)) == t;
}

static arcl_type type_of(const line_view *v, arcl_operand o) {
    if (o.kind == ARCL_OPERAND_INT) return arcl_type_parse("int");
    if (o.kind == ARCL_OPERAND_LINE) return v->types[o.number];
    return arcl_type_parse(v->of->letter[o.number] == 'S' ? "[[grid]]" : "grid");
}

static int is_value(line_view *v, arcl_operand o) {
    if (o.kind == ARCL_OPERAND_PARAMETER) return 1;
    v->has_ints |= o.kind == ARCL_OPERAND_INT;
    if (o.kind == ARCL_OPERAND_INT) return v->ints_are_holes;
    return o.kind == ARCL_OPERAND_LINE && v->types[o.number] != ARCL_TYPE_OTHER && !arcl_type_arity(v->types[o.number]);
}

static arcl_operand take_hole(line_view *v, arcl_operand o) {
    int hole = 0;
    while (hole < v->made.holes && !same_operand(v->value[hole], o)) hole++;
    if (hole == ARCL_PATTERN_HOLES) {
        v->too_large = 1;
        return o;
    }
    if (hole == v->made.holes) {
        v->value[hole] = o;
        v->made.hole[hole] = type_of(v, o);
        v->too_large |= !is_plain(v->made.hole[hole]);
        v->made.holes++;
    }
    return (arcl_operand){ARCL_OPERAND_PARAMETER, hole, 0};
}

#define MOST_ITEMS 16

/* Lines that are functions are taken in, one in the other, as deep as functions are made of functions. */
static arcl_status take_line(line_view *v, int number, arcl_operand *taken, arcl_error *error) {
    arcl_tree_line l = arcl_tree_line_get(v->of, number);
    arcl_operand item[1 + MOST_ITEMS]; /* what is called, and its arguments */
    v->too_large |= l.count > MOST_ITEMS || v->made.tree->lines > MOST_ITEMS;
    for (int i = l.is_tuple; i <= l.count && !v->too_large; i++) {
        arcl_operand o = i ? l.arguments[i - 1] : l.callee;
        item[i] = o;
        if (is_value(v, o))
            item[i] = take_hole(v, o);
        else if (o.kind == ARCL_OPERAND_LINE)
            PROPAGATE(take_line(v, o.number, &item[i], error));
    }
    if (v->too_large) return ARCL_SUCCESS;
    return arcl_tree_add(v->made.tree, l.is_tuple ? NULL : &item[0], item + 1, l.count, taken, error);
}

/* A parameter for every hole and no more: only then is it known how many there are. */
static arcl_status finish_pattern(arcl_context *context, line_view *v, arcl_operand result, arcl_error *error) {
    arcl_tree *t = v->made.tree;
    t->parameters = v->made.holes;
    memset(t->letter, 0, sizeof t->letter);
    memcpy(t->letter, PATTERN_LETTERS, (size_t)v->made.holes);
    PROPAGATE(arcl_tree_set_result(t, result, error));
    return arcl_tree_key(context, t, &v->made.key, error);
}

static arcl_status learn_pattern(arcl_context *context, arcl_library *l, line_view *v, int line, arcl_error *error) {
    arcl_operand result;
    v->made = (kept_pattern){.result = v->types[line], .count = 1};
    v->too_large = !is_plain(v->made.result);
    if (v->too_large) return ARCL_SUCCESS;
    PROPAGATE(arcl_tree_create(l->dialect, PATTERN_LETTERS, &v->made.tree, error));
    arcl_status status = take_line(v, line, &result, error);
    int is_one = status == ARCL_SUCCESS && !v->too_large && v->made.holes;
    if (is_one) status = finish_pattern(context, v, result, error);
    if (is_one && status == ARCL_SUCCESS) {
        if (library_count_pattern(l, v->made)) return ARCL_SUCCESS;
        status = NO_MEMORY(error);
    }
    arcl_tree_free(v->made.tree);
    return status;
}

/* ---- uses ---- */

static int learn_uses(arcl_library *l, const arcl_tree *t, int line) {
    arcl_tree_line at = arcl_tree_line_get(t, line);
    if (at.is_tuple || at.callee.kind != ARCL_OPERAND_OP) return 1;
    for (int i = 0; i < at.count; i++) {
        arcl_use use = {.op = at.callee.number, .argument = i, .value = at.arguments[i], .count = 1};
        if (use.value.kind == ARCL_OPERAND_LINE) {
            arcl_tree_line made = arcl_tree_line_get(t, use.value.number);
            if (made.is_tuple || made.callee.kind != ARCL_OPERAND_OP) continue;
            use.is_made = 1;
            use.value = made.callee;
        }
        if (use.value.kind != ARCL_OPERAND_PARAMETER && !library_count_use(l, use)) return 0;
    }
    return 1;
}

/* ---- programs ---- */

static arcl_status learn_tree(arcl_context *context, arcl_library *l, const arcl_tree *t, arcl_error *error) {
    arcl_type *types = malloc(((size_t)t->lines + 1) * sizeof *types);
    arcl_status status = types ? arcl_tree_types(context, t, NULL, types, error) : NO_MEMORY(error);
    for (int i = 0; i < t->lines && status == ARCL_SUCCESS; i++) {
        line_view v = {.of = t, .types = types};
        if (types[i] == ARCL_TYPE_FAILS) continue;
        if (!learn_uses(l, t, i)) status = NO_MEMORY(error);
        if (status == ARCL_SUCCESS) status = learn_pattern(context, l, &v, i, error);
        v.ints_are_holes = v.has_ints;
        if (status == ARCL_SUCCESS && v.ints_are_holes) status = learn_pattern(context, l, &v, i, error);
    }
    free(types);
    l->programs++;
    return status;
}

arcl_status arcl_library_learn(arcl_context *context, const arcl_tree *const *trees, int count, arcl_library **library,
                               arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(library);
    *library = NULL;
    if (count < 1) return error_set(error, ARCL_INVALID, "there is nothing to learn from");
    NEED(trees);
    for (int i = 0; i < count; i++) {
        NEED(trees[i]);
        if (trees[i]->dialect != trees[0]->dialect)
            return error_set(error, ARCL_INVALID, "the trees are of different dialects");
    }
    arcl_library *l = library_create(trees[0]->dialect);
    arcl_status status = l ? ARCL_SUCCESS : NO_MEMORY(error);
    for (int i = 0; i < count && status == ARCL_SUCCESS; i++) status = learn_tree(context, l, trees[i], error);
    if (status != ARCL_SUCCESS) {
        arcl_library_free(l);
        return status;
    }
    library_sort(l);
    *library = l;
    return ARCL_SUCCESS;
}
