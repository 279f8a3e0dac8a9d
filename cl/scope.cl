/* Steps that open and close scopes, as kernels like all others: how many lanes a scope has is counted, summed and used
 * on the device, and nobody waits for it.
 *
 * Opening takes two launches. scope_count asks every lane of the scope above how many lanes it will have below, and
 * gives it as many of the scope's; scope_fill, which knows how many there are, takes memory for them and fills them in.
 * The lanes below one lane are neighbours, in order.
 */
#include "lane.h"
#include "word_copy.h"

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
    GLOBAL uchar *status; /* likewise; kept apart, why a lane has none below */
    lane_range lanes;     /* likewise */
    uint apart;           /* as in the frame */
    uint kind, imm;       /* of the step */
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
    j.apart = j.frame->apart;
    j.kind = j.step->kind;
    j.imm = (uint)j.step->imm;
    j.status = j.apart ? apart_range_status(arena, j.frame, j.scope) : status_at(arena, j.above);
    j.lanes = lanes_of_item(is_over(arena, j.frame, j.above_id) ? 0 : j.above->count);
    return j;
}

LANE uint scope_of_step(GLOBAL word *arena, uint frame, uint step) {
    return step_at(arena, frame_at(arena, frame), step)->scope;
}

LANE view above_view(junction *j, uint step) { return view_of(j->arena, j->frame, j->above_id, step); }

LANE void fail_above(junction *j, uint n, int status) {
    if (j->status[n]) return;
    j->status[n] = (uchar)(j->apart ? set_of_status(status) : (uint)status);
    if (!j->apart) shared_add(&j->above->failures, 1);
}

LANE uint first_of(word range) { return ref_offset(range); }
LANE uint count_of(word range) { return ref_length(range); }

/* ---- opening ---- */

LANE ulong wanted_lanes(const junction *j, uint kind, view a, view b, uint n) {
    word x = view_at(a, n);
    ulong count = ref_length(x);
    if (kind == STEP_WHEN) return (x != 0) == (j->imm != 0);
    if (kind == STEP_LOOP) return column_at(j->arena, j->above, j->scope->left)[n] != 0;
    if (kind == STEP_EACH) return count;
    ulong other = ref_length(view_at(b, n));
    if (kind == STEP_CROSS) return j->imm & 1 ? count * (count + 1) / 2 : count * other;
    return count < other ? count : other;
}

/* Where a scope's parts begin that has as many lanes as were counted, and from where on memory is free then; 0 if there
 * is not enough. Nothing that it goes by changes while scope_fill runs, so that all work-items get to the same. */
LANE int place_scope(const junction *j, scope_state *made, uint *end) {
    uint at = j->inner->columns, count = j->inner->tally, slots = j->scope->slots, limit = j->frame->limit;
    ulong statuses = (ulong)status_words(count) * (j->apart ? slots : 1);
    ulong words = (ulong)count * slots + statuses + (ulong)bits_set(j->scope->maps) * map_words(count);
    made->count = count;
    made->columns = at;
    made->status = at + count * slots;
    made->maps = made->status + (uint)statuses;
    *end = at + (uint)words;
    return at <= limit && words <= limit - at;
}

/* Opens it: what later launches find. One work-item does that. Where there is not enough memory, nobody must look at
 * lanes that are not there. */
LANE void open_scope(const junction *j, uint step, int has_room, scope_state made, uint end) {
    GLOBAL scope_state *inner = j->inner;
    j->frame->more = 0;
    inner->count = has_room ? made.count : 0;
    if (!has_room) {
        shared_set(&j->frame->overflow, 1);
        return;
    }
    inner->status = made.status;
    inner->maps = made.maps;
    inner->failures = 0;
    j->frame->cursor = end;
    guard_behind(j->arena, made.columns, end - made.columns, j->frame->limit);
    frame_count(j->arena, j->frame, step, made.count, end - made.columns, 0);
}

/* What it costs a lane to have so many lanes below, where a lane takes `weight` words. More of them than any budget
 * allows are as good as the most, and do not overflow the product. */
LANE ulong cost_of_lanes(uint kind, ulong weight, ulong count) {
    if (kind == STEP_WHEN || !count) return 0;
    return weight * (count < MOST_LANES ? count : MOST_LANES);
}

LANE ulong cost_of_round(uint kind) { return kind == STEP_LOOP ? ROUND_WORDS : 0; }

/* Where failures are kept apart: who fails before anything is counted, and the budgets of all who have steps below. */
APART void charge_apart(junction *j, view a, view b) {
    GLOBAL const scope_charge *charge = (GLOBAL const scope_charge *)(j->arena + j->frame->charges) + j->scope->charge;
    GLOBAL uint *root = root_map_at(j->arena, j->frame, j->above_id);
    if (j->step->kind != STEP_LOOP) apart_gather(j->arena, j->frame, j->above_id, j->step, j->lanes, j->status);
    for (uint i = 0; i < j->scope->charges; i++) {
        account budgets =
            account_start(apart_account(j->arena, j->frame, charge[i].users, SCOPE_LANES), j->frame->budget);
        for (uint n = j->lanes.first; n < j->lanes.last; n += j->lanes.stride) {
            /* who is refused for one reason pays for the others all the same: the sums must not depend on the order */
            if (j->status[n] & ~BUDGET_BIT) continue;
            ulong cost = cost_of_lanes(j->kind, charge[i].words, wanted_lanes(j, j->kind, a, b, n));
            if (cost && i == 0) cost += cost_of_round(j->kind);
            if (cost && !account_ask(&budgets, root ? root[n] : n, cost)) fail_above(j, n, LANE_BUDGET);
        }
        account_book(&budgets);
    }
}

#ifdef MANY_ITEMS
#include "scope_items.h"
#else
/* Ranges of all lanes; returns their sum. */
INLINED uint count_lanes(junction *at, uint kind, uint apart, view a, view b) {
    const junction j = *at; /* which no store can change */
    GLOBAL uint *root = root_map_at(j.arena, j.frame, j.above_id);
    account budgets = account_start((GLOBAL uint *)(j.arena + j.frame->spent), j.frame->budget);
    uint total = 0;
    ulong weight = j.scope->weight;
    for (uint n = j.lanes.first; n < j.lanes.last; n += j.lanes.stride) {
        ulong count = j.status[n] ? 0 : wanted_lanes(&j, kind, a, b, n);
        ulong cost = apart ? 0 : cost_of_lanes(kind, weight, count);
        if (cost && !account_ask(&budgets, root ? root[n] : n, cost + cost_of_round(kind))) {
            fail_above(at, n, LANE_BUDGET);
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
    return total;
}

KERNEL_FUNCTION(_scope_count) {
    junction j = junction_at(arena, frame, step, scope_of_step(arena, frame, step));
    view a = above_view(&j, j.step->arg[0]), b = above_view(&j, j.step->arg[j.step->args > 1]);
    uint total;
    if (j.apart) charge_apart(&j, a, b);
    /* a loop of its own for what most scopes are opened by */
    if (!j.apart && j.kind == STEP_EACH)
        total = count_lanes(&j, STEP_EACH, 0, a, b);
    else
        total = count_lanes(&j, j.kind, j.apart, a, b);
    j.inner->tally = total;
    j.inner->columns = j.frame->cursor;
}

/* The map to the scope `level` levels above, for all lanes below, which end at `end`. */
LANE void fill_map(const junction *j, uint level, uint end) {
    GLOBAL uint *map = map_at(j->arena, j->scope, j->inner, level);
    GLOBAL const uint *above = 0;
    if (level > 1) above = map_at(j->arena, scope_at(j->arena, j->frame, j->above_id), j->above, level - 1);
    GLOBAL const word *ranges = j->ranges;
    lane_range r = j->lanes;
    for (uint n = r.first; n < r.last; n += r.stride) {
        uint first = first_of(ranges[n]);
        put_piece(map, first, first + count_of(ranges[n]), end, above ? above[n] : n);
    }
}

LANE void fill_elements(const junction *j, uint kind, view a, view b, GLOBAL word *out, GLOBAL word *second, uint n,
                        uint first, uint count) {
    GLOBAL const word *x = j->arena + ref_offset(view_at(a, n));
    if (kind == STEP_CROSS) {
        GLOBAL const word *y = j->arena + ref_offset(view_at(b, n));
        uint width = ref_length(view_at(b, n)), m = first;
        for (uint i = 0; m < first + count; i++)
            for (uint c = j->imm & 1 ? i : 0; c < width; c++, m++) {
                out[m] = x[i];
                second[m] = y[c];
            }
        return;
    }
    copy_piece(out + first, x, count);
    if (kind == STEP_ZIP) copy_piece(second + first, j->arena + ref_offset(view_at(b, n)), count);
}

/* Fills in the elements. */
INLINED void fill_lanes(const junction *at, uint kind, view a, view b) {
    const junction j = *at; /* which no store can change */
    GLOBAL word *out = column_at(j.arena, j.inner, j.step->slot);
    GLOBAL word *second = out + j.inner->count; /* the layout puts it there */
    GLOBAL const word *state = j.arena;
    if (kind == STEP_LOOP) state = column_at(j.arena, j.above, step_at(j.arena, j.frame, (uint)j.step->imm)->slot);
    for (uint n = j.lanes.first; n < j.lanes.last; n += j.lanes.stride) {
        uint first = first_of(j.ranges[n]), count = count_of(j.ranges[n]);
        if (!count) continue;
        if (kind == STEP_LOOP)
            out[first] = state[n];
        else if (kind != STEP_WHEN)
            fill_elements(&j, kind, a, b, out, second, n, first, count);
    }
}

KERNEL_FUNCTION(_scope_fill) {
    junction j = junction_at(arena, frame, step, scope_of_step(arena, frame, step));
    view a = above_view(&j, j.step->arg[0]), b = above_view(&j, j.step->arg[j.step->args > 1]);
    scope_state made;
    uint free, has_room = (uint)place_scope(&j, &made, &free);
    if (j.frame->overflow) return;
    open_scope(&j, step, (int)has_room, made, free);
    if (!has_room) return;
    GLOBAL uchar *status = status_at(arena, j.inner);
    if (j.kind == STEP_EACH)
        fill_lanes(&j, STEP_EACH, a, b);
    else
        fill_lanes(&j, j.kind, a, b);
    if (!j.apart) /* there, those that make columns see to it */
        for (uint m = 0; m < made.count; m++) status[m] = 0;
    for (uint level = 1; level < j.scope->depth; level++)
        if (j.scope->maps >> (level - 1) & 1) fill_map(&j, level, made.count);
}
#endif

/* Kept apart, a lane's list may have failed where the lane has others below: so have its elements then. */
LANE int pass_failure_down(junction *j, uint step, uint n) {
    GLOBAL uchar *status = apart_status(j->arena, j->inner, j->step->slot);
    GLOBAL word *out = column_at(j->arena, j->inner, j->step->slot);
    uint first = first_of(j->ranges[n]), count = count_of(j->ranges[n]), failed = 0;
    if (*apart_mark(j->arena, j->frame, j->step->arg[0])) {
        GLOBAL const graph_step *items = step_at(j->arena, j->frame, j->step->arg[0]);
        view v = above_view(j, j->step->arg[0]);
        failed = apart_status(j->arena, state_at(j->arena, j->frame, items->scope),
                              items->slot)[v.map ? v.map[n] : n & v.mask];
    }
    for (uint m = first; m < first + count; m++) {
        status[m] = (uchar)failed;
        if (failed) out[m] = 0;
    }
    if (failed && count) shared_set(apart_mark(j->arena, j->frame, step), 1);
    return failed != 0;
}

#ifndef ARCL_TEAM
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
        if (j.apart && pass_failure_down(&j, step, n)) continue; /* there are no items */
        for (uint m = 0; m < count; m++)
            out[first + m] = from[opener->kind != STEP_CROSS ? m : j.step->imm ? m % width : m / width];
    }
}

/* Columns of a scope that was opened over the same containers as another, in one of the scopes above that one. */
typedef struct {
    GLOBAL const word *column;
    GLOBAL const word *ranges;  /* per lane that both scopes are below */
    GLOBAL const uchar *why;    /* likewise: the reason if it has fewer lanes there than elements */
    GLOBAL const uchar *status; /* of the elements; null if none has failed */
    GLOBAL const uint *map;     /* from the lanes right above the other scope to those that both are below */
} precedent;

LANE precedent precedent_of(junction *j, uint step) {
    GLOBAL const graph_step *made = step_at(j->arena, j->frame, step);
    GLOBAL const graph_scope *scope = scope_at(j->arena, j->frame, made->scope);
    GLOBAL const graph_scope *near = scope_at(j->arena, j->frame, j->above_id);
    GLOBAL const scope_state *state = state_at(j->arena, j->frame, made->scope);
    GLOBAL const scope_state *common = state_at(j->arena, j->frame, scope->parent);
    precedent p;
    p.column = column_at(j->arena, state, made->slot);
    p.ranges = column_at(j->arena, common, scope->ranges);
    p.map = map_at(j->arena, near, j->above, near->depth + 1 - scope->depth);
    p.why = j->apart ? apart_range_status(j->arena, j->frame, scope) : status_at(j->arena, common);
    p.status = 0;
    if (j->apart ? *apart_mark(j->arena, j->frame, step) : state->failures)
        p.status = j->apart ? apart_status(j->arena, state, made->slot) : status_at(j->arena, state);
    return p;
}

/* AGAIN: what has been made of the same elements already, and how it failed. */
KERNEL_FUNCTION(_scope_again) {
    junction j = junction_at(arena, frame, step, scope_of_step(arena, frame, step));
    precedent p = precedent_of(&j, j.step->arg[0]);
    GLOBAL word *out = column_at(arena, j.inner, j.step->slot);
    GLOBAL uchar *status = j.apart ? apart_status(arena, j.inner, j.step->slot) : status_at(arena, j.inner);
    uint failures = 0;
    for (uint n = j.lanes.first; n < j.lanes.last; n += j.lanes.stride) {
        uint first = first_of(j.ranges[n]), count = count_of(j.ranges[n]), row = p.map[n];
        uint from = first_of(p.ranges[row]), is_there = count <= count_of(p.ranges[row]);
        uint why = p.why[row] ? p.why[row] : j.apart ? BUDGET_BIT : LANE_BUDGET;
        if (is_there)
            copy_piece(out + first, p.column + from, count);
        else
            for (uint m = 0; m < count; m++) out[first + m] = 0;
        if (is_there && !p.status) {
            for (uint m = 0; m < count && j.apart; m++) status[first + m] = 0;
            continue;
        }
        for (uint m = 0; m < count; m++) {
            uint failed = is_there ? p.status[from + m] : why;
            if (!j.apart && status[first + m]) continue;
            status[first + m] = (uchar)failed;
            failures += failed != 0;
        }
    }
    if (failures && j.apart) shared_set(apart_mark(arena, j.frame, step), 1);
    if (failures && !j.apart) shared_add(&j.inner->failures, failures);
}

/* ---- failures that stay where they are ---- */

/* The first value; it fails where the second has failed, though nothing else is made of that one. */
LANE word guard(lane *k, word value, word other) { return value; }
ATOM2(guard, ANY, ANY)

/* The value, for readers to whom its failures mean something else (enum failure_meaning). */
LANE word shelter(lane *k, word value) { return value; }
ATOM1(shelter, ANY)

/* ---- closing ---- */

/* A column of a scope below, seen from above. */
typedef struct {
    junction at;
    GLOBAL word *column;
    GLOBAL const uchar *status; /* of the lanes below; null if none has failed */
} closing;

LANE closing closing_of(GLOBAL word *arena, uint frame, uint step, uint column) {
    GLOBAL const run_frame *f = frame_at(arena, frame);
    GLOBAL const graph_step *from = step_at(arena, f, column);
    closing c;
    c.at = junction_at(arena, frame, step, from->scope);
    c.column = column_at(arena, c.at.inner, from->slot);
    if (f->apart)
        c.status = *apart_mark(arena, f, column) ? apart_status(arena, c.at.inner, from->slot) : 0;
    else
        c.status = c.at.inner->failures ? status_at(arena, c.at.inner) : 0;
    return c;
}

/* What the lanes below lane n have failed with: the first one's status, or, kept apart, all there are. */
LANE uint failure_below(closing *c, uint n) {
    uint first = first_of(c->at.ranges[n]), count = count_of(c->at.ranges[n]), failed = 0;
    for (uint m = first; c->status && m < first + count; m++) {
        failed |= c->status[m];
        if (failed && !c->at.apart) break;
    }
    return failed;
}

/* A failure below is a failure of the lane above. Kept apart, it is one of the step's column. Returns whether lane n
 * has failed. */
LANE int pass_failure_up(closing *c, GLOBAL uchar *status, uint n) {
    uint failed = failure_below(c, n);
    if (c->at.apart)
        status[n] |= (uchar)(failed | c->at.status[n]);
    else if (failed)
        fail_above(&c->at, n, (int)failed);
    return status[n] != 0;
}

/* The statuses of the lanes above that a closing step changes: those of its column, or everybody's. */
LANE GLOBAL uchar *closing_status(junction *j) {
    if (!j->apart) return j->status;
    GLOBAL uchar *status = apart_status(j->arena, j->above, j->step->slot);
    clear_statuses(j->lanes, status);
    return status;
}

/* Of a condition that may fail after its use, the op itself decides which failures matter: it gets negated statuses. */
LANE void mark_failures(closing *c, uint n) {
    uint first = first_of(c->at.ranges[n]), count = count_of(c->at.ranges[n]);
    for (uint m = first; c->status && m < first + count; m++)
        if (c->status[m]) c->column[m] = c->at.apart ? -(word)STATUS_OF_SET(c->status[m]) : -(word)c->status[m];
}

/* The closing of a list, by its record where there is one. */
LANE closing list_closing(GLOBAL word *arena, uint frame, uint step, GLOBAL word **out, uint *lenient) {
    GLOBAL run_frame *f = frame_at(arena, frame);
#ifdef MANY_ITEMS
    launch_record r = record_read(arena + frame, step, 2);
    uint overflow = soon(&f->overflow);
    if (!(r.notes & RECORD_APART)) {
        closing c;
        GLOBAL scope_state *below = state_at(arena, f, r.arg[CLOSED_COLUMN].rows >> 8);
        uint2 counted = read_soon((GLOBAL const word *)below), placed = read_soon((GLOBAL const word *)below + 1);
        uint failures = soon(&below->failures);
        if (r.scope)
            record_complete(&r, arena, f->states, 2);
        else
            r.arg[CLOSED_COLUMN].column = counted.y + r.arg[CLOSED_COLUMN].column * counted.x;
        c.at.arena = arena;
        c.at.frame = f;
        c.at.above = state_at(arena, f, r.scope ? r.scope : step_at(arena, f, step)->scope);
        c.at.ranges = arena + r.arg[CLOSED_RANGES].column;
        c.at.status = (GLOBAL uchar *)(arena + r.status);
        c.at.lanes = lanes_of_item(overflow ? 0 : r.lanes);
        c.at.apart = 0;
        c.column = arena + r.arg[CLOSED_COLUMN].column;
        c.status = failures ? (GLOBAL const uchar *)(arena + placed.x) : 0;
        *out = arena + r.out.column;
        *lenient = (uint)r.imm;
        return c;
    }
#endif
    closing c = closing_of(arena, frame, step, step_at(arena, f, step)->arg[0]);
    *out = column_at(arena, c.at.above, c.at.step->slot);
    *lenient = (uint)c.at.step->imm;
    return c;
}

KERNEL_FUNCTION(_scope_close) {
    GLOBAL word *out;
    uint lenient, failures = 0;
    closing c = list_closing(arena, frame, step, &out, &lenient);
    junction *j = &c.at;
    GLOBAL uchar *status = closing_status(j);
    uint base = (uint)(c.column - arena);
#ifndef MANY_ITEMS
    if (!c.status && !j->apart) { /* nothing to pass up */
        GLOBAL const word *restrict ranges = j->ranges;
        for (uint n = 0; n < j->lanes.last; n++)
            out[n] = status[n] || !count_of(ranges[n]) ? 0 : ranges[n] + made_ref(base, 0);
        return;
    }
#endif
    for (uint n = j->lanes.first; n < j->lanes.last; n += j->lanes.stride) {
        if (!lenient)
            pass_failure_up(&c, status, n);
        else {
            mark_failures(&c, n);
            if (j->apart) status[n] = j->status[n];
        }
        failures += status[n] != 0;
        uint count = status[n] ? 0 : count_of(j->ranges[n]);
        out[n] = count ? made_ref(base + first_of(j->ranges[n]), count) : 0;
    }
    if (failures && j->apart) apart_note(arena, j->frame, step, j->lanes, status);
}

/* What a WHEN scope or a loop's has for lane n of the scope above, if anything; passes a failure up. */
LANE int value_below(closing *c, GLOBAL uchar *status, uint n, word *value) {
    if (!count_of(c->at.ranges[n])) {
        if (c->at.apart) status[n] |= c->at.status[n];
        return 0;
    }
    *value = pass_failure_up(c, status, n) ? 0 : c->column[first_of(c->at.ranges[n])];
    return 1;
}

/* JOIN and SPREAD: the values of one or two WHEN scopes, in the lanes that they came from. */
KERNEL_FUNCTION(_scope_join) {
    GLOBAL const graph_step *s = step_at(arena, frame_at(arena, frame), step);
    closing yes = closing_of(arena, frame, step, s->arg[s->kind == STEP_JOIN]);
    closing no = closing_of(arena, frame, step, s->arg[s->args - 1]); /* of SPREAD, `yes` itself */
    junction *j = &yes.at;
    GLOBAL word *out = column_at(arena, j->above, s->slot);
    GLOBAL uchar *status = closing_status(j);
    uint failures = 0;
    for (uint n = j->lanes.first; n < j->lanes.last; n += j->lanes.stride) {
        word value = 0;
        if (!value_below(&yes, status, n, &value)) value_below(&no, status, n, &value);
        failures += status[n] != 0;
        out[n] = value;
    }
    if (failures && j->apart) apart_note(arena, j->frame, step, j->lanes, status);
}

/* ---- loops ---- */

/* Takes over the state and the number of rounds. REPEAT's column is where the state is kept. */
KERNEL_FUNCTION(_loop_start) {
    junction j = junction_at(arena, frame, step, scope_of_step(arena, frame, step));
    view first = above_view(&j, j.step->arg[0]), rounds = above_view(&j, j.step->arg[1]);
    uint repeat = (uint)j.step->imm;
    GLOBAL word *state = column_at(arena, j.above, step_at(arena, j.frame, repeat)->slot);
    GLOBAL word *left = column_at(arena, j.above, j.scope->left);
    if (j.apart && apart_gather(arena, j.frame, j.above_id, j.step, j.lanes, j.status))
        apart_note(arena, j.frame, repeat, j.lanes, j.status);
    for (uint n = j.lanes.first; n < j.lanes.last; n += j.lanes.stride) {
        state[n] = view_at(first, n);
        left[n] = view_at(rounds, n);
    }
}

/* Takes over the new states and says whether some lane has rounds left. */
KERNEL_FUNCTION(_loop_end) {
    closing c = closing_of(arena, frame, step, step_at(arena, frame_at(arena, frame), step)->arg[0]);
    junction *j = &c.at;
    GLOBAL word *state = column_at(arena, j->above, j->step->slot);
    GLOBAL word *left = column_at(arena, j->above, j->scope->left);
    uint failures = 0;
    int more = 0;
    for (uint n = j->lanes.first; n < j->lanes.last; n += j->lanes.stride) {
        word value;
        int ran = value_below(&c, j->status, n, &value);
        failures += j->status[n] != 0;
        if (!ran) continue;
        state[n] = value;
        left[n]--;
        more |= left[n] && !j->status[n];
    }
    if (failures && j->apart) apart_note(arena, j->frame, step, j->lanes, j->status);
    if (more) shared_set(&j->frame->more, 1);
#ifdef MANY_ITEMS /* which add to tallies, of scopes that the next round opens again */
    uint scopes = (j->frame->outputs - j->frame->states) / WORDS_OF(scope_state);
    for (uint s = ITEM; s < scopes; s += ITEMS) state_at(arena, j->frame, s)->tally = 0;
#endif
}
#endif
