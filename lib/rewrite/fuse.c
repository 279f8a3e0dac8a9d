/* A rule book of local patterns: several steps that one kernel does better. (Compilers call that peephole optimisation,
 * or instruction selection.) mapply(lbind(shift, patch), offsets) would make a copy of the patch for every offset, and
 * throw them away once they are united:
 *
 *     scope 2  t2 = each offsets
 *     scope 2  t3 = shift patch t2
 *     scope 1  t4 = close t3
 *     scope 1  t5 = merge_set t4                  scope 1  t5 = stamp patch offsets
 *
 * A rule goes by the kernel at the root of its pattern, the step that stands for the result. It matches if the steps
 * below are as it wants them, which includes that nobody else reads what will no longer be there.
 */
#include "ops/mask_table.h"
#include "rewrite/passes.h"
#include "rewrite/uses.h"

typedef struct rule {
    int kind; /* of the root */
    int (*matches)(const uses *u, uint32_t root);
    void (*replace)(uses *u, uint32_t root);
} rule;

static const graph_step *step_of(const uses *u, uint32_t step) { return &u->p->steps[step]; }

/* A step that nobody but the pattern reads. */
static int is_private(const uses *u, uint32_t step) { return u->count[step] == 1; }

/* A step of a program that fails as a whole: what may stand in for single elements cannot be told of all at once. */
static int is_strict(const graph_step *s) { return s->fails == FAILS_READERS; }

/* The lists of a mapped function's results. */
static int is_plain_close(const graph_step *s) { return s->kind == STEP_CLOSE && !s->imm; }

static uint32_t opener_of(const uses *u, const graph_step *s) { return u->p->scopes[s->scope].opener; }

/* ---- sets of one location: between single locations, distances need no sets ---- */

static int is_of_one(const graph_step *s) { return is_kernel(s, KERNEL_initset) && s->fails == FAILS_READERS; }

static int is_between_locations(const uses *u, uint32_t root) {
    const graph_step *s = step_of(u, root);
    return is_of_one(step_of(u, s->arg[0])) && is_of_one(step_of(u, s->arg[1]));
}

static void measure_locations(uses *u, uint32_t root) {
    graph_step s = *step_of(u, root);
    s.kernel_id = KERNEL_manhattan_ij;
    for (int a = 0; a < 2; a++) s.arg[a] = step_of(u, s.arg[a])->arg[0];
    uses_replace(u, root, s);
}

/* ---- multiply(sign(x), x): the language has no other way to say |x| ---- */

static int is_sign_of(const uses *u, uint32_t sign, uint32_t number) {
    const graph_step *s = step_of(u, sign);
    return (is_kernel(s, KERNEL_sign_int) || is_kernel(s, KERNEL_sign_ij)) && s->arg[0] == number &&
           s->fails == FAILS_READERS && is_private(u, sign);
}

static int is_absolute(const uses *u, uint32_t root) {
    const graph_step *s = step_of(u, root);
    return is_sign_of(u, s->arg[0], s->arg[1]) || is_sign_of(u, s->arg[1], s->arg[0]);
}

static void take_absolute(uses *u, uint32_t root) {
    graph_step s = *step_of(u, root);
    int number = is_sign_of(u, s.arg[0], s.arg[1]);
    uint32_t sign = s.arg[!number];
    s.kernel_id = s.kernel_id == KERNEL_multiply_int ? KERNEL_absolute_int : KERNEL_absolute_ij;
    s.arg[0] = s.arg[number];
    s.args = 1;
    uses_replace(u, root, s);
    uses_forget(u, sign);
}

/* ---- grids below each other: merge of grids makes rows of each, puts these together, and then a grid of them ---- */

static int is_stack(const uses *u, uint32_t root) {
    const graph_step *s = step_of(u, root), *merged = step_of(u, s->arg[0]);
    if (!is_kernel(merged, KERNEL_merge_tuple) || !is_private(u, s->arg[0])) return 0;
    const graph_step *lists = step_of(u, merged->arg[0]);
    if (!is_plain_close(lists) || !is_private(u, merged->arg[0])) return 0;
    const graph_step *rows = step_of(u, lists->arg[0]);
    return is_kernel(rows, KERNEL_grid_rows) && step_of(u, rows->arg[0])->scope == rows->scope &&
           is_private(u, lists->arg[0]);
}

static void stack_grids(uses *u, uint32_t root) {
    graph_step s = *step_of(u, root), merged = *step_of(u, s.arg[0]), lists = *step_of(u, merged.arg[0]);
    lists.arg[0] = step_of(u, lists.arg[0])->arg[0];
    lists.type = type_tuple(T_GRID);
    merged.kernel_id = KERNEL_stack;
    merged.type = s.type;
    uses_replace(u, merged.arg[0], lists);
    uses_replace(u, s.arg[0], merged);
    s.kernel_id = KERNEL_identity;
    uses_replace(u, root, s);
}

/* ---- dedupe of a grid: its rows need not be words to be compared ---- */

static int is_grid_without_repeats(const uses *u, uint32_t root) {
    const graph_step *s = step_of(u, root), *dedupe = step_of(u, s->arg[0]);
    if (!is_kernel(dedupe, KERNEL_dedupe) || !is_private(u, s->arg[0])) return 0;
    const graph_step *rows = step_of(u, dedupe->arg[0]);
    return is_kernel(rows, KERNEL_grid_rows) && s->scope == dedupe->scope && dedupe->scope == rows->scope &&
           is_strict(s) && is_strict(dedupe) && is_private(u, dedupe->arg[0]);
}

static void keep_distinct_rows(uses *u, uint32_t root) {
    graph_step s = *step_of(u, root);
    uint32_t dedupe = s.arg[0], rows = step_of(u, dedupe)->arg[0];
    s.kernel_id = KERNEL_distinct_rows;
    s.arg[0] = step_of(u, rows)->arg[0];
    uses_replace(u, root, s);
    uses_forget(u, dedupe);
    uses_forget(u, rows);
}

static int is_fused_grid(const uses *u, uint32_t root) { return is_stack(u, root) || is_grid_without_repeats(u, root); }

static void make_fused_grid(uses *u, uint32_t root) {
    if (is_stack(u, root))
        stack_grids(u, root);
    else
        keep_distinct_rows(u, root);
}

/* ---- prapply(connect, a, b): most pairs are not in line, so that they cost less if none of them is made ---- */

/* The other one of the two elements that a line of a CROSS scope is between, or NO_STEP. */
static uint32_t other_end(const uses *u, const graph_step *line) {
    uint32_t opener = opener_of(u, line), other = line->arg[line->arg[0] == opener];
    if (line->arg[0] != opener && line->arg[1] != opener) return NO_STEP;
    return step_of(u, other)->kind == STEP_SECOND && step_of(u, other)->arg[0] == opener ? other : NO_STEP;
}

/* Whether a function has nothing but locations to make something of. For a missing pair it may have an answer, where
 * what it is replaced by would fail. */
static int maps_locations(const uses *u, const graph_step *made, uint32_t container) {
    const graph_step *s = step_of(u, container);
    return made->fails == FAILS_READERS || (s->kind == STEP_KERNEL && kernel_has(s->kernel_id, WHOLE_IJ));
}

static int is_all_lines(const uses *u, uint32_t root) {
    const graph_step *lists = step_of(u, root), *line = step_of(u, lists->arg[0]);
    if (!is_plain_close(lists) || !is_kernel(line, KERNEL_connect) || !is_private(u, lists->arg[0])) return 0;
    uint32_t opener = opener_of(u, line), other = other_end(u, line);
    if (other == NO_STEP || step_of(u, opener)->kind != STEP_CROSS) return 0;
    /* The scope has nothing but the line and its ends, and nobody else reads these. */
    if (u->together[line->scope] != 3 || u->count[opener] != 2 || !is_private(u, other)) return 0;
    const graph_step *cross = step_of(u, opener);
    return maps_locations(u, line, cross->arg[0]) && maps_locations(u, line, cross->arg[1]) && becomes_a_set(u, root);
}

static void draw_lines(uses *u, uint32_t root) {
    graph_step lines = *step_of(u, root);
    uint32_t line = lines.arg[0], opener = opener_of(u, step_of(u, line)), other = other_end(u, step_of(u, line));
    lines.kind = STEP_KERNEL;
    lines.kernel_id = KERNEL_lines;
    lines.args = 2;
    for (int a = 0; a < 2; a++) lines.arg[a] = step_of(u, opener)->arg[a];
    lines.imm = lines.arg[0] == lines.arg[1];
    uses_replace(u, root, lines);
    uses_forget(u, line);
    uses_forget(u, other);
    uses_forget(u, opener);
}

/* ---- apply(maximum, pair(a, b)): elementwise, which needs neither the pairs nor a list of each ---- */

static int is_extreme(const graph_step *s) { return is_kernel(s, KERNEL_maximum) || is_kernel(s, KERNEL_minimum); }

/* What the elements are taken from, the larger or smaller ints of which a list has; NO_STEP if it has not, or if its
 * scope has more than that. */
static uint32_t source_of_extremes(const uses *u, const graph_step *lists) {
    const graph_step *extreme = step_of(u, lists->arg[0]);
    if (!is_plain_close(lists) || !is_extreme(extreme) || !is_strict(extreme)) return NO_STEP;
    const graph_step *ints = step_of(u, extreme->arg[0]);
    uint32_t opener = opener_of(u, extreme);
    const graph_step *each = step_of(u, opener);
    if (!is_kernel(ints, KERNEL_ij_list) || ints->arg[0] != opener || each->kind != STEP_EACH || each->imm)
        return NO_STEP;
    int is_alone = u->together[extreme->scope] == 3 && is_private(u, lists->arg[0]) && is_private(u, extreme->arg[0]);
    return is_alone && is_private(u, opener) ? each->arg[0] : NO_STEP;
}

static int makes_pairs(const uses *u, uint32_t step) {
    const graph_step *s = step_of(u, step);
    return is_kernel(s, KERNEL_pair) && s->imm == PAIR_IJ && is_strict(s) && is_private(u, step);
}

static int is_extreme_of_pairs(const uses *u, uint32_t root) {
    const graph_step *lists = step_of(u, root);
    uint32_t pairs = source_of_extremes(u, lists);
    return pairs != NO_STEP && makes_pairs(u, pairs) && step_of(u, pairs)->scope == lists->scope;
}

/* Makes of the step that makes pairs one that makes the larger or smaller of each, and leaves out what took them. */
static void take_extremes(uses *u, uint32_t lists, uint32_t pairs) {
    uint32_t extreme = step_of(u, lists)->arg[0], ints = step_of(u, extreme)->arg[0];
    graph_step s = *step_of(u, pairs);
    s.kernel_id = KERNEL_pair_extreme;
    s.imm = is_kernel(step_of(u, extreme), KERNEL_maximum) ? 1 : 0;
    s.type = step_of(u, lists)->type;
    uint32_t each = step_of(u, ints)->arg[0];
    uses_replace(u, pairs, s);
    uses_forget(u, lists);
    uses_forget(u, extreme);
    uses_forget(u, ints);
    uses_forget(u, each);
}

static graph_step same_as(const graph_step *s, uint32_t step) {
    graph_step same = *s;
    same.kind = STEP_KERNEL;
    same.kernel_id = KERNEL_identity;
    same.args = 1;
    same.arg[0] = step;
    same.imm = 0;
    return same;
}

static void extreme_of_pairs(uses *u, uint32_t root) {
    graph_step s = *step_of(u, root);
    uint32_t pairs = source_of_extremes(u, &s);
    take_extremes(u, root, pairs);
    uses_replace(u, root, same_as(&s, pairs));
}

/* The same a row at a time, of rows that were paired with rows: apply(lbind(apply, maximum), papply(pair, a, b)). */
static int is_extreme_of_rows(const uses *u, uint32_t root) {
    const graph_step *all = step_of(u, root), *row = step_of(u, all->arg[0]);
    if (!is_plain_close(all) || !is_plain_close(row) || !is_private(u, all->arg[0])) return 0;
    uint32_t element = source_of_extremes(u, row);
    if (element == NO_STEP || element != opener_of(u, row) || !is_private(u, element)) return 0;
    const graph_step *each = step_of(u, element), *paired = step_of(u, each->arg[0]);
    if (each->kind != STEP_EACH || each->imm || u->together[row->scope] != 2) return 0;
    return is_plain_close(paired) && is_private(u, each->arg[0]) && paired->scope == all->scope &&
           makes_pairs(u, paired->arg[0]);
}

static void extreme_of_rows(uses *u, uint32_t root) {
    graph_step s = *step_of(u, root);
    uint32_t row = s.arg[0], element = source_of_extremes(u, step_of(u, row)), lists = step_of(u, element)->arg[0];
    graph_step paired = *step_of(u, lists);
    paired.type = s.type;
    take_extremes(u, row, paired.arg[0]);
    uses_forget(u, element);
    uses_replace(u, lists, paired);
    uses_replace(u, root, same_as(&s, lists));
}

/* ---- copies of one patch ---- */

#define NEAR_DIRECTION 1000 /* a shot into it from the origin cannot fail */

static int is_near(const graph_step *direction) {
    int64_t ij = (int64_t)direction->imm, i = (ij + (1 << 23)) >> 24, j = ij - i * (1 << 24);
    return direction->kind == STEP_CONST && i < NEAR_DIRECTION && i > -NEAR_DIRECTION && j < NEAR_DIRECTION &&
           j > -NEAR_DIRECTION;
}

static int moves_patches(const graph_step *s) {
    return s->kind == STEP_KERNEL && (s->kernel_id == KERNEL_shift || kernel_has(s->kernel_id, EQUIVARIANT));
}

/* Whether the patch that a step makes for every element is one that does not depend on it, moved by the element. */
static int is_moved_patch(const uses *u, const graph_step *s) {
    uint32_t element = opener_of(u, s);
    if (!moves_patches(s)) return 0;
    if (s->kernel_id == KERNEL_shift) return s->arg[1] == element && step_of(u, s->arg[0])->scope != s->scope;
    return s->arg[0] == element && (s->args == 1 || is_near(step_of(u, s->arg[1])));
}

static int is_copies(const uses *u, uint32_t root) {
    const graph_step *s = step_of(u, root), *lists = step_of(u, s->arg[0]);
    if ((s->imm & 15) != T_IJ && (s->imm & 15) != T_CELL) return 0;
    if (!is_plain_close(lists) || lists->scope != s->scope || !is_private(u, s->arg[0])) return 0;
    const graph_step *made = step_of(u, lists->arg[0]), *opener = step_of(u, opener_of(u, made));
    return opener->kind == STEP_EACH && !opener->imm && is_private(u, lists->arg[0]) && is_moved_patch(u, made) &&
           maps_locations(u, made, opener->arg[0]);
}

/* What is made for the origin takes the place of the lists, and the number that what was made for every element has
 * become is the origin. */
static uint32_t make_for_origin(uses *u, uint32_t lists, uint32_t origin, graph_step made) {
    u->made_equal = 1; /* to another origin */
    made.scope = SCOPE_SHARED;
    made.arg[0] = origin;
    uses_replace(u, lists, made);
    return lists;
}

/* Whether a patch is made near the origin, of constants alone: no lane makes it fail. */
static int is_constant_patch(const uses *u, uint32_t patch) {
    const graph_step *s = step_of(u, patch);
    if (s->scope != SCOPE_SHARED || s->kind != STEP_KERNEL || !is_strict(s)) return 0;
    return s->kernel_id == KERNEL_stamp || (kernel_has(s->kernel_id, EQUIVARIANT) && is_near(step_of(u, s->arg[0])));
}

static void stamp(uses *u, uint32_t root) {
    graph_step s = *step_of(u, root);
    uint32_t lists = s.arg[0], making = step_of(u, lists)->arg[0], opener = opener_of(u, step_of(u, making));
    const graph_step made = *step_of(u, making);
    uses_forget(u, lists);
    uses_forget(u, making);
    s.kernel_id = KERNEL_stamp;
    s.args = 2;
    s.arg[0] = made.kernel_id == KERNEL_shift ? made.arg[0] : make_for_origin(u, lists, making, made);
    s.arg[1] = step_of(u, opener)->arg[0];
    if (made.kernel_id != KERNEL_shift && is_strict(&s) && is_constant_patch(u, s.arg[1])) s.scope = SCOPE_SHARED;
    uses_replace(u, root, s);
    if (!u->count[opener] && u->together[made.scope] == 1) uses_forget(u, opener);
}

/* ---- patches that are brought together only to be drawn: nobody sees the order and the repeats ---- */

/* Which argument of a step is what it draws; the last one of those that draw. */
static uint32_t drawn_by(const graph_step *s) { return s->arg[s->args - 1]; }

static int brings_together(const graph_step *s) {
    return is_kernel(s, KERNEL_merge_set) || is_kernel(s, KERNEL_stamp) || is_kernel(s, KERNEL_setify) ||
           is_kernel(s, KERNEL_unite);
}

/* The type of what is in a patch that was brought together. */
static uint64_t element_of(const graph_step *patch) {
    return is_kernel(patch, KERNEL_unite) ? type_element(patch->imm) : patch->imm;
}

/* Locations that may come as a mask: two of these are united in less time than it takes to draw two lists. */
static int may_be_mask(const uses *u, uint32_t locations) {
    const graph_step *s = step_of(u, locations);
    return s->kind == STEP_INPUT || (s->kind == STEP_KERNEL && mask_table[s->kernel_id].makes);
}

static int is_union_of_lists(const uses *u, const graph_step *set) {
    return element_of(set) == T_CELL || (!may_be_mask(u, set->arg[0]) && !may_be_mask(u, set->arg[1]));
}

/* Of a set of what was put together: whether nobody sees it before. */
static int is_made_of_lists(const uses *u, const graph_step *set) {
    const graph_step *joined = step_of(u, set->arg[0]);
    return is_kernel(joined, KERNEL_merge_tuple) && joined->scope == set->scope && is_strict(joined) &&
           is_private(u, set->arg[0]);
}

static int is_drawing_of_many(const uses *u, uint32_t root) {
    const graph_step *s = step_of(u, root), *patch = step_of(u, drawn_by(s));
    if (s->imm || !is_strict(s) || !brings_together(patch) || !is_strict(patch)) return 0;
    if (element_of(patch) != T_IJ && element_of(patch) != T_CELL) return 0;
    if (is_kernel(patch, KERNEL_setify) && !is_made_of_lists(u, patch)) return 0;
    if (is_kernel(patch, KERNEL_unite) && !is_union_of_lists(u, patch)) return 0;
    return patch->scope == s->scope && is_private(u, drawn_by(s));
}

/* Copies that are drawn side by side with others need not be brought together one element at a time. */
static void leave_copies_loose(uses *u, uint32_t lists) {
    const graph_step *closing = step_of(u, lists);
    if (!is_plain_close(closing) || !is_private(u, lists) || !is_private(u, closing->arg[0])) return;
    graph_step copies = *step_of(u, closing->arg[0]);
    if (!is_kernel(&copies, KERNEL_stamp)) return;
    copies.imm |= STAMP_LOOSE;
    uses_replace(u, closing->arg[0], copies);
}

/* Puts a tuple of both sets in the place of their union. */
static void leave_apart(uses *u, uint32_t united) {
    graph_step s = *step_of(u, united);
    s.kernel_id = KERNEL_pack_two;
    s.imm = 0;
    s.type = type_tuple(s.type);
    uses_replace(u, united, s);
}

static void draw_many(uses *u, uint32_t root) {
    graph_step s = *step_of(u, root);
    uint32_t together = drawn_by(&s);
    graph_step patch = *step_of(u, together);
    int copies = is_kernel(&patch, KERNEL_stamp), paints = s.kernel_id == KERNEL_paint;
    uint64_t manner = s.kernel_id == KERNEL_underfill ? FILL_BACKGROUND : FILL_ALL;
    if (s.kernel_id == KERNEL_cover) { /* in what colour, is not asked: any number will do */
        s.arg[1] = s.arg[0];
        s.args = 3;
        manner = FILL_COVERS;
    }
    if (paints)
        s.kernel_id = copies ? KERNEL_paint_copies : KERNEL_paint_lists;
    else
        s.kernel_id = copies ? KERNEL_fill_copies : KERNEL_fill_lists;
    s.imm = element_of(&patch) | manner << 4;
    if (is_kernel(&patch, KERNEL_unite)) {
        s.arg[s.args - 1] = together;
        uses_replace(u, root, s);
        leave_apart(u, together);
        return;
    }
    s.args--;
    for (uint32_t a = 0; a < patch.args; a++) s.arg[s.args++] = patch.arg[a];
    uint32_t joined = is_kernel(&patch, KERNEL_setify) ? patch.arg[0] : NO_STEP;
    if (joined != NO_STEP) s.arg[s.args - 1] = step_of(u, joined)->arg[0];
    uses_replace(u, root, s);
    uses_forget(u, together);
    if (joined != NO_STEP) uses_forget(u, joined);
    if (!copies) leave_copies_loose(u, s.arg[s.args - 1]);
}

/* ---- copies of an object, painted in the order of a tuple ---- */

static int is_painting_in_order(const uses *u, uint32_t root) {
    const graph_step *s = step_of(u, root), *joined = step_of(u, drawn_by(s));
    if (!is_kernel(joined, KERNEL_merge_tuple) || !is_strict(s) || !is_strict(joined)) return 0;
    if (joined->scope != s->scope || !is_private(u, drawn_by(s))) return 0;
    const graph_step *lists = step_of(u, joined->arg[0]);
    if (!is_plain_close(lists) || lists->scope != s->scope || !is_private(u, joined->arg[0])) return 0;
    const graph_step *made = step_of(u, lists->arg[0]), *opener = step_of(u, opener_of(u, made));
    return is_kernel(made, KERNEL_shift) && is_strict(made) && is_private(u, lists->arg[0]) &&
           opener->kind == STEP_EACH && !opener->imm && is_moved_patch(u, made) &&
           step_of(u, made->arg[0])->type == type_set(T_CELL);
}

static void paint_in_order(uses *u, uint32_t root) {
    graph_step s = *step_of(u, root);
    uint32_t joined = drawn_by(&s), lists = step_of(u, joined)->arg[0], making = step_of(u, lists)->arg[0];
    uint32_t opener = opener_of(u, step_of(u, making)), scope = step_of(u, making)->scope;
    s.kernel_id = KERNEL_paint_copies;
    s.imm = T_CELL | (uint64_t)PAINT_IN_ORDER << 4;
    s.arg[1] = step_of(u, making)->arg[0];
    s.arg[2] = step_of(u, opener)->arg[0];
    s.args = 3;
    uses_replace(u, root, s);
    uses_forget(u, joined);
    uses_forget(u, lists);
    uses_forget(u, making);
    if (!u->count[opener] && u->together[scope] == 1) uses_forget(u, opener);
}

static int is_painting_of_many(const uses *u, uint32_t root) {
    return is_drawing_of_many(u, root) || is_painting_in_order(u, root);
}

static void paint_many(uses *u, uint32_t root) {
    if (is_painting_in_order(u, root))
        paint_in_order(u, root);
    else
        draw_many(u, root);
}

/* ---- colorcount(toobject(patch, grid), colour): the object would be put in order by colours to be counted ---- */

static int is_count_at(const uses *u, uint32_t root) {
    const graph_step *s = step_of(u, root), *object = step_of(u, s->arg[0]);
    return is_kernel(object, KERNEL_toobject) && object->scope == s->scope && is_strict(s) && is_strict(object) &&
           is_private(u, s->arg[0]);
}

static void count_at(uses *u, uint32_t root) {
    graph_step s = *step_of(u, root);
    uint32_t object = s.arg[0];
    s.kernel_id = KERNEL_colorcount_at;
    s.arg[2] = s.arg[1];
    for (int a = 0; a < 2; a++) s.arg[a] = step_of(u, object)->arg[a];
    s.args = 3;
    uses_replace(u, root, s);
    uses_forget(u, object);
}

/* ---- size(difference(a, b)): nobody sees which elements these are, nor a patch that is moved to be looked up ---- */

/* Whether the second one is a set of words. */
static int looks_up_words(const graph_step *s) {
    return (is_kernel(s, KERNEL_difference) || is_kernel(s, KERNEL_intersection)) && (s->imm & 15) == T_SET &&
           (s->imm >> 4) <= T_ATOM_MAX;
}

static int is_count_of_members(const uses *u, uint32_t root) {
    const graph_step *s = step_of(u, root), *members = step_of(u, s->arg[0]);
    return looks_up_words(members) && members->scope == s->scope && is_strict(s) && is_strict(members) &&
           is_private(u, s->arg[0]);
}

static void count_members(uses *u, uint32_t root) {
    graph_step s = *step_of(u, root);
    uint32_t members = s.arg[0], elements = step_of(u, members)->arg[0], set = step_of(u, members)->arg[1];
    const graph_step *moved = step_of(u, elements);
    int moves =
        is_kernel(moved, KERNEL_shift) && moved->scope == s.scope && is_strict(moved) && is_private(u, elements);
    s.imm = is_kernel(step_of(u, members), KERNEL_intersection) ? 1 : 0;
    s.kernel_id = moves ? KERNEL_count_moved : KERNEL_count_members;
    s.args = moves ? 3 : 2;
    s.arg[0] = moves ? moved->arg[0] : elements;
    if (moves) s.arg[1] = moved->arg[1];
    s.arg[s.args - 1] = set;
    uses_replace(u, root, s);
    uses_forget(u, members);
    if (moves) uses_forget(u, elements);
}

/* ---- the book ---- */

/* What the lists of a mapped function's results may be the root of. */
static int is_fused_list(const uses *u, uint32_t root) {
    return is_all_lines(u, root) || is_extreme_of_pairs(u, root) || is_extreme_of_rows(u, root);
}

static void make_fused_list(uses *u, uint32_t root) {
    if (is_extreme_of_pairs(u, root))
        extreme_of_pairs(u, root);
    else if (is_extreme_of_rows(u, root))
        extreme_of_rows(u, root);
    else
        draw_lines(u, root);
}

static const rule rules[KERNEL_COUNT] = {
    [KERNEL_manhattan] = {STEP_KERNEL, is_between_locations, measure_locations},
    [KERNEL_multiply_int] = {STEP_KERNEL, is_absolute, take_absolute},
    [KERNEL_multiply_ij] = {STEP_KERNEL, is_absolute, take_absolute},
    [KERNEL_rows_grid] = {STEP_KERNEL, is_fused_grid, make_fused_grid},
    [KERNEL_merge_set] = {STEP_KERNEL, is_copies, stamp},
    [KERNEL_colorcount_patch] = {STEP_KERNEL, is_count_at, count_at},
    [KERNEL_size_list] = {STEP_KERNEL, is_count_of_members, count_members},
    [KERNEL_fill] = {STEP_KERNEL, is_drawing_of_many, draw_many},
    [KERNEL_underfill] = {STEP_KERNEL, is_drawing_of_many, draw_many},
    [KERNEL_cover] = {STEP_KERNEL, is_drawing_of_many, draw_many},
    [KERNEL_paint] = {STEP_KERNEL, is_painting_of_many, paint_many},
    [KERNEL_none] = {STEP_CLOSE, is_fused_list, make_fused_list},
};

/* The rule for a root of that kind; NULL: none. */
static const rule *rule_for(const graph_step *s) {
    const rule *r = &rules[s->kernel_id];
    return r->matches && r->kind == s->kind ? r : NULL;
}

/* Whether a step looks like a root, as far as that can be told without knowing who reads what. Of most programs no step
 * does, and nobody needs to know. */
static int looks_like_root(const program_graph *p, const graph_step *s) {
    const graph_step *first = &p->steps[s->arg[0]];
    if (s->kind == STEP_CLOSE) return is_kernel(first, KERNEL_connect) || is_extreme(first);
    if (s->kind != STEP_KERNEL || !rule_for(s)) return 0;
    switch (s->kernel_id) {
    case KERNEL_manhattan: return is_of_one(first);
    case KERNEL_rows_grid: return is_kernel(first, KERNEL_merge_tuple) || is_kernel(first, KERNEL_dedupe);
    case KERNEL_merge_set: return is_plain_close(first) && moves_patches(&p->steps[first->arg[0]]);
    case KERNEL_colorcount_patch: return is_kernel(first, KERNEL_toobject);
    case KERNEL_size_list: return looks_up_words(first);
    case KERNEL_fill:
    case KERNEL_underfill:
    case KERNEL_cover: return brings_together(&p->steps[drawn_by(s)]);
    case KERNEL_paint:
        return brings_together(&p->steps[drawn_by(s)]) || is_kernel(&p->steps[drawn_by(s)], KERNEL_merge_tuple);
    default: return 1;
    }
}

/* What a rule leaves may be part of another one's pattern, whose root comes behind. One at most is applied to a
 * step. */
int fuse(pool *memory, program_graph *p) {
    uses u;
    uint32_t at = 0, count = (uint32_t)p->count;
    while (at < count && !looks_like_root(p, &p->steps[at])) at++;
    if (at == count) return PASS_DONE;
    if (!uses_find(memory, p, &u)) return PASS_NO_MEMORY;
    for (; at < count; at++) {
        const rule *r = rule_for(step_of(&u, at));
        if (r && r->matches(&u, at)) r->replace(&u, at);
    }
    return uses_result(&u);
}
