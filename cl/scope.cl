/* Steps that open and close scopes, as kernels like all others: how many lanes a scope has is counted, summed and used
 * on the device, and nobody waits for it.
 *
 * Opening takes three launches. scope_count asks every lane of the scope above how many lanes it will have below, and
 * sums them per work-item; scope_place scans the sums and takes memory for the new scope; scope_fill, with the lanes
 * dealt out as in scope_count, fills the lanes in. The lanes below one lane are neighbours, in order.
 */
#include "scan.h"

#define MOST_LANES 0x7fffffffu
/* Every round of a loop costs so much of the budget, lest a huge count takes forever on next to nothing. */
#define ROUND_WORDS 4096

/* A step that opens a scope, or looks at one from above. */
typedef struct {
    GLOBAL word *arena;
    GLOBAL run_frame *frame;
    GLOBAL const graph_step *step;
    GLOBAL const graph_scope *scope;
    GLOBAL scope_state *inner;
    GLOBAL scope_state *above;
    uint above_id;
    GLOBAL word *ranges;  /* per lane of the scope above */
    GLOBAL uchar *status; /* likewise */
    lane_range lanes;     /* likewise */
} junction;

LANE junction junction_at(GLOBAL word *arena, uint frame, uint step, uint inner) {
    junction j;
    j.arena = arena;
    j.frame = frame_at(arena, frame);
    j.step = step_at(arena, j.frame, step);
    j.scope = scope_at(arena, j.frame, inner);
    j.inner = state_at(arena, j.frame, inner);
    j.above_id = j.scope->parent;
    j.above = state_at(arena, j.frame, j.above_id);
    j.ranges = column_at(arena, j.above, j.scope->ranges);
    j.status = status_at(arena, j.above);
    j.lanes = lanes_of_item(j.frame, is_over(arena, j.frame) ? 0 : j.above->count);
    return j;
}

LANE uint scope_of_step(GLOBAL word *arena, uint frame, uint step) {
    return step_at(arena, frame_at(arena, frame), step)->scope;
}

LANE view above_view(junction *j, uint step) { return view_of(j->arena, j->frame, j->above_id, step); }

LANE void fail_above(junction *j, uint n, int status) {
    if (j->status[n]) return;
    j->status[n] = (uchar)status;
    shared_add(&j->above->failures, 1);
}

LANE uint first_of(word range) { return ref_offset(range); }
LANE uint count_of(word range) { return ref_length(range); }

/* ---- opening ---- */

LANE ulong wanted_lanes(junction *j, view a, view b, uint n) {
    uint kind = j->step->kind;
    word x = view_at(a, n);
    ulong count = ref_length(x);
    if (kind == STEP_WHEN) return (x != 0) == (j->step->imm != 0);
    if (kind == STEP_LOOP) return column_at(j->arena, j->above, j->scope->left)[n] != 0;
    if (kind == STEP_EACH) return count;
    ulong other = ref_length(view_at(b, n));
    return kind == STEP_CROSS ? count * other : count < other ? count : other;
}

/* What it costs a lane to have so many lanes below. More of them than any budget allows are as good as the most, and do
 * not overflow the product. */
LANE ulong cost_of_lanes(junction *j, ulong count) {
    if (j->step->kind == STEP_WHEN || !count) return 0;
    if (j->step->kind == STEP_LOOP) return (ulong)j->scope->weight + ROUND_WORDS;
    return j->scope->weight * (count < MOST_LANES ? count : MOST_LANES);
}

KERNEL_FUNCTION(_scope_count) {
    junction j = junction_at(arena, frame, step, scope_of_step(arena, frame, step));
    view a = above_view(&j, j.step->arg[0]), b = above_view(&j, j.step->arg[j.step->args > 1]);
    GLOBAL uint *root = root_map_at(arena, j.frame, j.above_id);
    account budgets = account_start((GLOBAL uint *)(arena + j.frame->spent), j.frame->budget);
    uint total = 0;
    for (uint n = j.lanes.first; n < j.lanes.last; n += j.lanes.stride) {
        ulong count = j.status[n] ? 0 : wanted_lanes(&j, a, b, n), cost = cost_of_lanes(&j, count);
        if (cost && !account_ask(&budgets, root ? root[n] : n, cost)) {
            fail_above(&j, n, LANE_BUDGET);
            count = 0;
        }
        if (count > MOST_LANES - total) {
            shared_set(&j.frame->overflow, 1);
            break;
        }
        j.ranges[n] = made_ref(total, (uint)count);
        total += (uint)count;
    }
    account_book(&budgets);
    scan_partial(arena, j.frame, total);
}

KERNEL_FUNCTION(_scope_place) {
    SCAN_WORKSPACE
    GLOBAL run_frame *f = frame_at(arena, frame);
    GLOBAL const graph_step *s = step_at(arena, f, step);
    ulong total = scan_partials(arena, f SCAN_PASS);
    if (!SCAN_LEADER || f->overflow) return;
    GLOBAL const graph_scope *scope = scope_at(arena, f, s->scope);
    GLOBAL scope_state *state = state_at(arena, f, s->scope);
    if (total > MOST_LANES) {
        shared_set(&f->overflow, 1);
        return;
    }
    uint count = (uint)total, at, end;
    ulong words = (ulong)count * scope->slots + status_words(count) + (ulong)bits_set(scope->maps) * map_words(count);
    f->more = 0;
    state->count = 0; /* whatever happens, nobody must look at lanes that are not there */
    if (words > MOST_LANES) {
        shared_set(&f->overflow, 1);
        return;
    }
    if (!frame_claim(f, (uint)words, 0, &at, &end)) return;
    guard_behind(arena, at, (uint)words, f->limit);
    state->count = count;
    state->failures = 0;
    state->columns = at;
    state->status = at + count * scope->slots;
    state->maps = state->status + status_words(count);
    frame_count(arena, f, step, count, (uint)words, 0);
}

/* The map to the scope `level` levels above, for the lanes below this work-item's lanes. */
LANE void fill_map(junction *j, uint level) {
    GLOBAL uint *map = map_at(j->arena, j->scope, j->inner, level);
    GLOBAL const uint *above = 0;
    if (level > 1) above = map_at(j->arena, scope_at(j->arena, j->frame, j->above_id), j->above, level - 1);
    for (uint n = j->lanes.first; n < j->lanes.last; n += j->lanes.stride) {
        uint row = above ? above[n] : n, m = first_of(j->ranges[n]), end = m + count_of(j->ranges[n]);
        for (; m < end; m++) map[m] = row;
    }
}

LANE void fill_elements(junction *j, view a, view b, GLOBAL word *out, GLOBAL word *second, uint n, uint first,
                        uint count) {
    GLOBAL const word *x = j->arena + ref_offset(view_at(a, n));
    if (j->step->kind == STEP_CROSS) {
        GLOBAL const word *y = j->arena + ref_offset(view_at(b, n));
        uint width = ref_length(view_at(b, n)), m = first;
        for (uint i = 0; i < count / width; i++)
            for (uint c = 0; c < width; c++, m++) {
                out[m] = x[i];
                second[m] = y[c];
            }
        return;
    }
    for (uint m = 0; m < count; m++) out[first + m] = x[m];
    if (j->step->kind == STEP_ZIP) {
        GLOBAL const word *y = j->arena + ref_offset(view_at(b, n));
        for (uint m = 0; m < count; m++) second[first + m] = y[m];
    }
}

KERNEL_FUNCTION(_scope_fill) {
    junction j = junction_at(arena, frame, step, scope_of_step(arena, frame, step));
    view a = above_view(&j, j.step->arg[0]), b = above_view(&j, j.step->arg[j.step->args > 1]);
    GLOBAL uchar *status = status_at(arena, j.inner);
    GLOBAL word *out = column_at(arena, j.inner, j.step->slot);
    GLOBAL word *second = out + j.inner->count; /* the layout puts it there */
    GLOBAL const word *state = arena;
    uint base = scan_base(arena, j.frame), kind = j.step->kind;
    if (kind == STEP_LOOP) state = column_at(arena, j.above, step_at(arena, j.frame, (uint)j.step->imm)->slot);
    uint end = base; /* the lanes below this work-item's lanes are all neighbours */
    for (uint n = j.lanes.first; n < j.lanes.last; n += j.lanes.stride) {
        uint first = first_of(j.ranges[n]) + base, count = count_of(j.ranges[n]);
        j.ranges[n] = made_ref(first, count);
        if (!count) continue;
        end = first + count;
        if (kind == STEP_LOOP)
            out[first] = state[n];
        else if (kind != STEP_WHEN)
            fill_elements(&j, a, b, out, second, n, first, count);
    }
    for (uint m = base; m < end; m++) status[m] = 0;
    for (uint level = 1; level < j.scope->depth; level++)
        if (j.scope->maps >> (level - 1) & 1) fill_map(&j, level);
}

/* ALONG: elements of another list of the scope above, in step with the scope's own. */
KERNEL_FUNCTION(_scope_along) {
    junction j = junction_at(arena, frame, step, scope_of_step(arena, frame, step));
    GLOBAL const graph_step *opener = step_at(arena, j.frame, j.scope->opener);
    view items = above_view(&j, j.step->arg[0]), other = above_view(&j, opener->arg[opener->args - 1]);
    GLOBAL word *out = column_at(arena, j.inner, j.step->slot);
    for (uint n = j.lanes.first; n < j.lanes.last; n += j.lanes.stride) {
        GLOBAL const word *from = arena + ref_offset(view_at(items, n));
        uint first = first_of(j.ranges[n]), count = count_of(j.ranges[n]);
        uint width = opener->kind == STEP_CROSS ? ref_length(view_at(other, n)) : 1;
        for (uint m = 0; m < count; m++)
            out[first + m] = from[opener->kind != STEP_CROSS ? m : j.step->imm ? m % width : m / width];
    }
}

/* ---- closing ---- */

/* A failure below is a failure of the lane above; the first one counts. */
LANE void pass_failure_up(junction *j, uint n) {
    GLOBAL const uchar *status = status_at(j->arena, j->inner);
    uint first = first_of(j->ranges[n]), count = count_of(j->ranges[n]);
    for (uint m = first; m < first + count; m++)
        if (status[m]) {
            fail_above(j, n, status[m]);
            return;
        }
}

/* Of a condition that may fail after its use, the op itself decides which failures matter: it gets negated statuses. */
LANE void mark_failures(junction *j, uint n, GLOBAL word *column) {
    GLOBAL const uchar *status = status_at(j->arena, j->inner);
    uint first = first_of(j->ranges[n]), count = count_of(j->ranges[n]);
    for (uint m = first; m < first + count; m++)
        if (status[m]) column[m] = -(word)status[m];
}

KERNEL_FUNCTION(_scope_close) {
    GLOBAL const run_frame *f = frame_at(arena, frame);
    GLOBAL const graph_step *from = step_at(arena, f, step_at(arena, f, step)->arg[0]);
    junction j = junction_at(arena, frame, step, from->scope);
    GLOBAL word *out = column_at(arena, j.above, j.step->slot);
    GLOBAL word *column = column_at(arena, j.inner, from->slot);
    uint base = (uint)(column - arena), failures = j.inner->failures;
    for (uint n = j.lanes.first; n < j.lanes.last; n += j.lanes.stride) {
        if (failures && j.step->imm)
            mark_failures(&j, n, column);
        else if (failures)
            pass_failure_up(&j, n);
        uint count = j.status[n] ? 0 : count_of(j.ranges[n]);
        out[n] = count ? made_ref(base + first_of(j.ranges[n]), count) : 0;
    }
}

/* What a WHEN scope or a loop's has for lane n of the scope above, if anything; passes a failure up. */
LANE int value_below(junction *j, GLOBAL const word *column, uint n, word *value) {
    if (!count_of(j->ranges[n])) return 0;
    if (j->inner->failures) pass_failure_up(j, n);
    *value = j->status[n] ? 0 : column[first_of(j->ranges[n])];
    return 1;
}

/* JOIN and SPREAD: the values of one or two WHEN scopes, in the lanes that they came from. */
KERNEL_FUNCTION(_scope_join) {
    GLOBAL const run_frame *f = frame_at(arena, frame);
    GLOBAL const graph_step *s = step_at(arena, f, step);
    GLOBAL const graph_step *yes = step_at(arena, f, s->arg[s->kind == STEP_JOIN]);
    GLOBAL const graph_step *no = step_at(arena, f, s->arg[s->args - 1]); /* of SPREAD, `yes` itself */
    junction j = junction_at(arena, frame, step, yes->scope), other = junction_at(arena, frame, step, no->scope);
    GLOBAL const word *column = column_at(arena, j.inner, yes->slot);
    GLOBAL const word *other_column = column_at(arena, other.inner, no->slot);
    GLOBAL word *out = column_at(arena, j.above, s->slot);
    for (uint n = j.lanes.first; n < j.lanes.last; n += j.lanes.stride) {
        word value = 0;
        if (!value_below(&j, column, n, &value)) value_below(&other, other_column, n, &value);
        out[n] = value;
    }
}

/* ---- loops ---- */

/* Takes over the state and the number of rounds. REPEAT's column is where the state is kept. */
KERNEL_FUNCTION(_loop_start) {
    junction j = junction_at(arena, frame, step, scope_of_step(arena, frame, step));
    view first = above_view(&j, j.step->arg[0]), rounds = above_view(&j, j.step->arg[1]);
    GLOBAL word *state = column_at(arena, j.above, step_at(arena, j.frame, (uint)j.step->imm)->slot);
    GLOBAL word *left = column_at(arena, j.above, j.scope->left);
    for (uint n = j.lanes.first; n < j.lanes.last; n += j.lanes.stride) {
        state[n] = view_at(first, n);
        left[n] = view_at(rounds, n);
    }
}

/* Takes over the new states and says whether some lane has rounds left. */
KERNEL_FUNCTION(_loop_end) {
    GLOBAL const run_frame *f = frame_at(arena, frame);
    GLOBAL const graph_step *from = step_at(arena, f, step_at(arena, f, step)->arg[0]);
    GLOBAL const graph_step *loop = step_at(arena, f, step_at(arena, f, step)->arg[1]);
    junction j = junction_at(arena, frame, step, loop->scope);
    GLOBAL const word *column = column_at(arena, j.inner, from->slot);
    GLOBAL word *state = column_at(arena, j.above, j.step->slot);
    GLOBAL word *left = column_at(arena, j.above, j.scope->left);
    int more = 0;
    for (uint n = j.lanes.first; n < j.lanes.last; n += j.lanes.stride) {
        word value;
        if (!value_below(&j, column, n, &value)) continue;
        state[n] = value;
        left[n]--;
        more |= left[n] && !j.status[n];
    }
    if (more) shared_set(&j.frame->more, 1);
}
