/* How believable an answer is, in bits: what its program says, by how often donors say such things, and how much the
 * outputs for the test inputs are unlike what the examples show. */
#include "search/search_state.h"

#define UNLIKE_COST 10 /* of each thing that holds for all examples, and not for a test input */

static int operand_cost(const search_state *s, arcl_operand o) {
    switch (o.kind) {
    case ARCL_OPERAND_OP: return o.number >= 0 && o.number < s->op_count ? s->op_cost[o.number] : 12;
    case ARCL_OPERAND_INT: return int_cost(s, o.number);
    case ARCL_OPERAND_BOOL: return 1;
    case ARCL_OPERAND_PAIR: return 6;
    case ARCL_OPERAND_PARAMETER: return 1;
    default: return 2;
    }
}

int tree_cost(const search_state *s, const arcl_tree *tree) {
    int cost = 0;
    for (int i = 0; i < arcl_tree_lines(tree); i++) {
        arcl_tree_line l = arcl_tree_line_get(tree, i);
        if (!l.is_tuple) cost += operand_cost(s, l.callee);
        for (int k = 0; k < l.count; k++) cost += operand_cost(s, l.arguments[k]);
    }
    return cost;
}

/* ---- what the examples show ---- */

typedef struct likeness { /* of an output to its input, and to the other outputs */
    int same_shape, same_height, same_width;
    unsigned colours, new_colours; /* bits; the latter: that the input does not have */
} likeness;

static unsigned colours_of(arcl_grid g) {
    unsigned colours = 0;
    for (int n = 0; n < g.h * g.w; n++) colours |= 1u << (g.cells[n] & 15);
    return colours;
}

static likeness likeness_of(arcl_grid in, arcl_grid out, arcl_grid first) {
    unsigned colours = colours_of(out);
    return (likeness){in.h == out.h && in.w == out.w, first.h == out.h, first.w == out.w, colours,
                      colours & ~colours_of(in)};
}

int unlikeness_cost(const search_state *s, const arcl_grid *outputs) {
    likeness all = {1, 1, 1, 0, 0};
    int cost = 0;
    for (int i = 0; i < s->inputs; i++) {
        arcl_grid in = lane_grid(&s->bank.lanes, value_lanes(&s->bank, s->input)[i]);
        arcl_grid first = lane_grid(&s->bank.lanes, s->expected[0]);
        arcl_grid out = i < s->train ? lane_grid(&s->bank.lanes, s->expected[i]) : outputs[i];
        if (!out.cells || out.h > 30 || out.w > 30) {
            cost += 4 * UNLIKE_COST; /* no output at all */
            continue;
        }
        likeness l = likeness_of(in, out, first);
        if (i < s->train) {
            all.same_shape &= l.same_shape;
            all.same_height &= l.same_height;
            all.same_width &= l.same_width;
            all.colours |= l.colours;
            all.new_colours |= l.new_colours;
            continue;
        }
        cost +=
            UNLIKE_COST *
            (all.same_shape ? !l.same_shape : (all.same_height && !l.same_height) + (all.same_width && !l.same_width));
        cost += UNLIKE_COST * ((l.new_colours & ~all.new_colours) != 0);
    }
    return cost;
}
