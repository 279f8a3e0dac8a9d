/* What a library says of the things that candidates consist of: the more often programs have one, the fewer bits it
 * costs. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "search/search_state.h"

#define INTS (sizeof((search_state *)0)->int_cost)
#define MOST_INT_COST 9
#define COLOUR_COST 3 /* of a colour that the task has, at most */

static long bits_of(double all, double count) { return lround(log2(all / count)); }

/* ---- ops and ints ---- */

static int has_ints(const arcl_tree *tree) {
    for (int i = 0; i < arcl_tree_lines(tree); i++) {
        arcl_tree_line l = arcl_tree_line_get(tree, i);
        for (int k = 0; k < l.count; k++)
            if (l.arguments[k].kind == ARCL_OPERAND_INT) return 1;
    }
    return 0;
}

/* A line that has ints is there as two patterns: counted is the one with holes for them. */
static void count_ops(const arcl_library *library, uint32_t *met, double *all) {
    for (int n = 0; n < arcl_library_patterns(library); n++) {
        arcl_pattern p = arcl_library_pattern_get(library, n);
        for (int i = 0; i < arcl_tree_lines(p.tree) && !has_ints(p.tree); i++) {
            arcl_tree_line l = arcl_tree_line_get(p.tree, i);
            for (int k = -1; k < l.count; k++) {
                arcl_operand o = k < 0 ? l.callee : l.arguments[k];
                if ((k < 0 && l.is_tuple) || o.kind != ARCL_OPERAND_OP) continue;
                met[o.number] += p.count;
                *all += p.count;
            }
        }
    }
}

static void set_int_costs(search_state *s, const arcl_library *library) {
    double met[INTS] = {0}, all = 0;
    for (int n = 0; n < arcl_library_uses(library); n++) {
        arcl_use u = arcl_library_use_get(library, n);
        if (u.value.kind != ARCL_OPERAND_INT) continue;
        all += u.count;
        int at = u.value.number - INT_COST_FROM;
        if (at >= 0 && at < (int)INTS) met[at] += u.count;
    }
    for (int i = 0; i < (int)INTS; i++) {
        int n = i + INT_COST_FROM;
        long bits = 1 + bits_of(all + INTS, met[i] + 1);
        if (n >= 0 && n < 10 && s->is_colour[n] && bits > COLOUR_COST) bits = COLOUR_COST;
        s->int_cost[i] = (uint8_t)(bits < 2 ? 2 : bits > MOST_INT_COST ? MOST_INT_COST : bits);
    }
}

int int_cost(const search_state *s, int n) {
    return n >= INT_COST_FROM && n < INT_COST_FROM + (int)INTS ? s->int_cost[n - INT_COST_FROM] : MOST_INT_COST;
}

arcl_status library_costs_of_words(search_state *s, const arcl_library *library, arcl_error *error) {
    int ops = arcl_dialect_op_count(s->dialect);
    uint32_t *met = calloc((size_t)ops + 1, sizeof *met);
    s->op_cost = calloc((size_t)ops + 1, sizeof *s->op_cost);
    double all = 1;
    if (!met || !s->op_cost) {
        free(met);
        return NO_MEMORY(error);
    }
    s->op_count = ops;
    if (library) count_ops(library, met, &all);
    for (int i = 0; i < ops; i++) s->op_cost[i] = (uint16_t)bits_of(all + ops, met[i] + 0.5);
    free(met);
    set_int_costs(s, library);
    return ARCL_SUCCESS;
}

/* ---- patterns ---- */

/* What a pattern of the search is called by; a pattern that cannot be run by itself is none. */
static arcl_status count_pattern(search_state *s, const arcl_pattern *p, arcl_error *error) {
    type_code hole[MAX_HOLES];
    arcl_tree *tree;
    uint32_t number;
    for (int i = 0; i < p->holes; i++) hole[i] = p->hole[i];
    PROPAGATE(arcl_tree_copy(p->tree, &tree, error));
    arcl_status status = pattern_of_tree(s, &tree, p->holes, hole, &number, error);
    if (status == ARCL_SUCCESS) s->patterns.at[number].count = p->count;
    arcl_tree_free(tree);
    return status == ARCL_INVALID ? error_settle(error, ARCL_SUCCESS) : status;
}

arcl_status library_costs_of_patterns(search_state *s, const arcl_library *library, arcl_error *error) {
    pattern_set *set = &s->patterns;
    double all = 1;
    for (int n = 0; n < arcl_library_patterns(library); n++) {
        arcl_pattern p = arcl_library_pattern_get(library, n);
        if (p.holes <= MAX_HOLES && !has_ints(p.tree)) PROPAGATE(count_pattern(s, &p, error));
    }
    for (uint32_t i = 0; i < set->count; i++) {
        if (!set->at[i].count) set->at[i].count = 1; /* a donor has it */
        all += set->at[i].count;
    }
    for (uint32_t i = 0; i < set->count; i++) {
        long cost = bits_of(all, set->at[i].count) - 2;
        set->at[i].cost = (uint16_t)(cost < 1 ? 1 : cost);
    }
    return ARCL_SUCCESS;
}
