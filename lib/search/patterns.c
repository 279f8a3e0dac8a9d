/* What donors teach: their lines as patterns, which are calls with holes for the values that they take. Functions are
 * part of a pattern, values are not, and neither are ints: apply(lbind(shift, x), y) has holes for x and y, whatever
 * makes them. What each costs comes from a library (library_costs.c). */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/growth.h"
#include "program/compiled.h"
#include "program/mask_steps.h"
#include "search/search_state.h"

void patterns_free(pattern_set *p) {
    for (uint32_t i = 0; i < p->count; i++) {
        arcl_tree_free(p->at[i].tree);
        arcl_program_free(p->at[i].program);
    }
    for (int i = 0; i < p->donor_count; i++) free(p->donors[i].line);
    free(p->donors);
    free(p->at);
    key_table_free(&p->known);
}

/* ---- one line ---- */

typedef struct line_view { /* a donor's line that becomes a pattern */
    const arcl_tree *donor;
    const arcl_type *types;
    arcl_tree *tree;
    int ints_are_holes;
    int holes;
    arcl_operand hole[MAX_HOLES]; /* what stands there in the donor */
} line_view;

static int is_value(const line_view *v, arcl_operand o) {
    if (o.kind == ARCL_OPERAND_PARAMETER) return 1;
    if (o.kind == ARCL_OPERAND_INT) return v->ints_are_holes;
    if (o.kind != ARCL_OPERAND_LINE) return 0;
    arcl_type t = v->types[o.number];
    return t != ARCL_TYPE_OTHER && !arcl_type_arity(t);
}

static int same_operand(arcl_operand a, arcl_operand b) {
    return a.kind == b.kind && a.number == b.number && a.second == b.second;
}

static arcl_status take_line(line_view *v, int number, arcl_operand *taken, arcl_error *error);

static arcl_status take_operand(line_view *v, arcl_operand o, arcl_operand *taken, arcl_error *error) {
    *taken = o;
    if (is_value(v, o)) {
        int hole = 0;
        while (hole < v->holes && !same_operand(v->hole[hole], o)) hole++;
        if (hole == MAX_HOLES) return error_set(error, ARCL_INVALID, "more values than holes");
        v->hole[hole] = o;
        if (hole == v->holes) v->holes++;
        *taken = (arcl_operand){ARCL_OPERAND_PARAMETER, hole, 0};
        return ARCL_SUCCESS;
    }
    return o.kind == ARCL_OPERAND_LINE ? take_line(v, o.number, taken, error) : ARCL_SUCCESS;
}

static arcl_status take_line(line_view *v, int number, arcl_operand *taken, arcl_error *error) {
    arcl_tree_line l = arcl_tree_line_get(v->donor, number);
    arcl_operand callee = l.callee, argument[MOST_ARGUMENTS];
    if (l.count > MOST_ARGUMENTS) return error_set(error, ARCL_INVALID, "a line of too many arguments");
    if (!l.is_tuple) PROPAGATE(take_operand(v, l.callee, &callee, error));
    for (int i = 0; i < l.count; i++) PROPAGATE(take_operand(v, l.arguments[i], &argument[i], error));
    return arcl_tree_add(v->tree, l.is_tuple ? NULL : &callee, argument, l.count, taken, error);
}

/* ---- one pattern ---- */

static type_code type_of_operand(const line_view *v, arcl_operand o) {
    if (o.kind == ARCL_OPERAND_PARAMETER) return T_GRID;
    return o.kind == ARCL_OPERAND_INT ? T_INT : (type_code)v->types[o.number];
}

/* Grids, ints, locations, and sets and tuples of them or of patches. Others are made on the way to something, in
 * programs that know why: to make them of everything takes most of the time, and is of little use. */
static int is_plain(type_code t) {
    int depth = 0;
    for (; type_is_container(t) && depth < 2 && t != TYPE_IJ_SET && t != TYPE_OBJECT; depth++) t = type_element(t);
    if (t == TYPE_IJ_SET || t == TYPE_OBJECT) return depth <= 1;
    return depth <= 1 && !type_is_container(t) && type_head(t) != T_RECORD && t != T_NEVER;
}

/* Compiles a pattern for what fills its holes. ARCL_INVALID if it cannot be run by itself. */
static arcl_status compile_pattern(search_state *s, const arcl_tree *tree, const type_code *hole, pattern *p,
                                   arcl_error *error) {
    const char *types[MAX_HOLES];
    char result[64];
    int number;
    for (int i = 0; i < p->holes; i++) {
        PROPAGATE(lane_store_shelf(&s->bank.lanes, hole[i], &number, error));
        if (number < 0) return error_set(error, ARCL_INVALID, "no argument has the type of a hole");
        p->hole[i] = (uint16_t)number;
    }
    for (int i = 0; i < p->holes; i++) types[i] = s->bank.lanes.shelf[p->hole[i]].text;
    arcl_compile_options options = {.types = types, .type_count = p->holes};
    PROPAGATE(arcl_tree_compile(s->context, tree, &options, &p->program, error));
    graph_without_masks(p->program->graph); /* what it makes are other patterns' arguments */
    arcl_program_result_type(p->program, result, sizeof result);
    type_code type = type_parse(result);
    if (!type) return error_set(error, ARCL_INVALID, "no argument has the type of the result");
    PROPAGATE(lane_store_shelf(&s->bank.lanes, type, &number, error));
    p->shelf = (uint16_t)number;
    p->is_plain = is_plain(type);
    p->calls = (uint16_t)arcl_tree_lines(tree);
    return ARCL_SUCCESS;
}

arcl_status pattern_of_tree(search_state *s, arcl_tree **tree, int holes, const type_code *hole, uint32_t *number,
                            arcl_error *error) {
    pattern_set *set = &s->patterns;
    arcl_key normal;
    PROPAGATE(arcl_tree_key(s->context, *tree, &normal, error));
    uint64_t key = key_fold(normal.high, normal.low);
    for (int i = 0; i < holes; i++) key = key_fold(key, hole[i]);
    *number = key_table_find(&set->known, key);
    if (*number != KEY_ABSENT) return ARCL_SUCCESS;
    if (!ARRAY_HAS_ROOM(set->at, set->count, set->room, 512)) return NO_MEMORY(error);
    pattern p = {.holes = holes};
    arcl_status status = compile_pattern(s, *tree, hole, &p, error);
    if (status == ARCL_SUCCESS) status = key_table_put(&set->known, key, set->count, error);
    if (status != ARCL_SUCCESS) {
        arcl_program_free(p.program);
        return status;
    }
    p.tree = *tree;
    *tree = NULL; /* it is the pattern's now */
    *number = set->count;
    set->at[set->count++] = p;
    return ARCL_SUCCESS;
}

/* The line as a tree with these parameters, of which there must be as many as holes. */
static arcl_status make_tree(search_state *s, line_view *v, int line, const char *letters, arcl_error *error) {
    arcl_operand result;
    arcl_tree_free(v->tree);
    v->tree = NULL;
    v->holes = 0;
    PROPAGATE(arcl_tree_create(s->dialect, letters, &v->tree, error));
    PROPAGATE(take_line(v, line, &result, error));
    return arcl_tree_set_result(v->tree, result, error);
}

static arcl_status learn_line(search_state *s, line_view *v, int line, program_line *learned, arcl_error *error) {
    static const char letters[MAX_HOLES + 1] = "abcd";
    arcl_status status = make_tree(s, v, line, letters, error); /* which tells how many holes there are */
    if (status == ARCL_SUCCESS && !v->holes) status = error_set(error, ARCL_INVALID, "a constant");
    char names[MAX_HOLES + 1] = {0};
    memcpy(names, letters, (size_t)v->holes);
    if (status == ARCL_SUCCESS && v->holes < MAX_HOLES) status = make_tree(s, v, line, names, error);
    type_code types[MAX_HOLES];
    for (int i = 0; i < v->holes; i++) types[i] = type_of_operand(v, v->hole[i]);
    if (status == ARCL_SUCCESS) status = pattern_of_tree(s, &v->tree, v->holes, types, &learned->pattern, error);
    arcl_tree_free(v->tree);
    v->tree = NULL;
    if (status != ARCL_SUCCESS) return status;
    for (int i = 0; i < v->holes; i++) {
        arcl_operand o = v->hole[i];
        uint32_t value = s->input;
        if (o.kind == ARCL_OPERAND_INT) PROPAGATE(apply_constant(s, o.number, int_cost(s, o.number), &value, error));
        learned->argument[i] = o.kind == ARCL_OPERAND_LINE ? o.number : argument_of_value(value);
    }
    return ARCL_SUCCESS;
}

/* ---- all of them ---- */

/* A line that cannot be run by itself is no failure: nobody learns from it. */
static arcl_status learn_donor(search_state *s, const arcl_tree *tree, program_lines *d, arcl_error *error) {
    arcl_operand result = arcl_tree_result(tree);
    d->lines = arcl_tree_lines(tree);
    d->result = result.kind == ARCL_OPERAND_LINE ? result.number : -1;
    d->line = malloc((size_t)(d->lines ? d->lines : 1) * sizeof *d->line);
    arcl_type *types = malloc((size_t)(d->lines ? d->lines : 1) * sizeof *types);
    arcl_status status = d->line && types ? ARCL_SUCCESS : NO_MEMORY(error);
    if (status == ARCL_SUCCESS) status = arcl_tree_types(s->context, tree, NULL, types, error);
    for (int i = 0; i < d->lines && status == ARCL_SUCCESS; i++) {
        line_view v = {.donor = tree, .types = types, .ints_are_holes = 1};
        d->line[i] = (program_line){.pattern = NO_PATTERN, .value = LINE_UNKNOWN};
        if (types[i] == ARCL_TYPE_FAILS || types[i] == ARCL_TYPE_OTHER || arcl_type_arity(types[i])) continue;
        status = learn_line(s, &v, i, &d->line[i], error);
        v.ints_are_holes = 0;
        if (status == ARCL_INVALID) status = learn_line(s, &v, i, &d->line[i], error);
        if (status == ARCL_INVALID) {
            d->line[i].pattern = NO_PATTERN;
            status = ARCL_SUCCESS;
        }
    }
    free(types);
    return error_settle(error, status);
}

arcl_status patterns_learn(search_state *s, const arcl_tree *const *donors, int count, arcl_error *error) {
    pattern_set *set = &s->patterns;
    set->donors = calloc((size_t)(count ? count : 1), sizeof *set->donors);
    if (!set->donors) return NO_MEMORY(error);
    for (int i = 0; i < count; i++) {
        if (strcmp(arcl_tree_parameters(donors[i]), "I") != 0)
            return error_set(error, ARCL_INVALID, "donor %d has other parameters than I", i);
        if (arcl_tree_dialect(donors[i]) != s->dialect)
            return error_set(error, ARCL_INVALID, "donor %d is of another dialect than the first", i);
        PROPAGATE(learn_donor(s, donors[i], &set->donors[set->donor_count], error));
        set->donor_count++;
    }
    return ARCL_SUCCESS;
}
