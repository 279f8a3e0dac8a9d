/* Opening scopes where many work-items do it, by records (cl/record.h): what cl/scope.cl has in loops over many lanes
 * is here for a work-item, or a team, that has one or a few. Part of cl/scope.cl.
 */
#ifndef ARCL_SCOPE_ITEMS_H
#define ARCL_SCOPE_ITEMS_H

/* A step that opens a scope, and its arguments, seen from above. */
typedef struct {
    junction at;
    view a, b;
    GLOBAL uint *root; /* as of a launch */
    GLOBAL uint *spent;
    uint budget, weight; /* of a lane below */
    uint slot;           /* of the elements */
} opening;

LANE opening opening_at(GLOBAL word *arena, uint frame, uint step) {
    opening o;
    junction j;
    launch_record r = record_read(arena + frame, step, 4);
    j.arena = arena;
    j.frame = frame_at(arena, frame);
    uint overflow = soon(&j.frame->overflow);
    if (r.scope) record_complete(&r, arena, j.frame->states, 2);
    o.a = recorded_view(arena, r.arg[0]);
    o.b = recorded_view(arena, r.arg[1]);
    j.step = step_at(arena, j.frame, step);
    j.scope = scope_at(arena, j.frame, r.arg[OPENED_SCOPE].column);
    j.inner = state_at(arena, j.frame, r.arg[OPENED_SCOPE].column);
    j.above_id = r.scope ? r.scope : j.scope->parent;
    j.above = state_at(arena, j.frame, j.above_id);
    j.ranges = arena + r.out.column;
    j.apart = r.notes & RECORD_APART;
    j.kind = r.arg[OPENED_SCOPE].rows;
    j.imm = (uint)r.imm;
    j.status = j.apart ? apart_range_status(arena, j.frame, j.scope) : (GLOBAL uchar *)(arena + r.status);
    j.lanes = lanes_of_item(overflow ? 0 : r.lanes);
    o.root = r.out.rows < ROW_MAPS ? 0 : (GLOBAL uint *)(arena + r.out.rows);
    o.spent = (GLOBAL uint *)(arena + r.spent);
    o.budget = r.budget;
    o.weight = r.arg[OPENED_LANES].column;
    o.slot = r.arg[OPENED_LANES].rows;
    o.at = j;
    return o;
}

/* Charges lane n, above, for so many lanes below; 0: its budget is used up. Few words are booked at once where many
 * work-items do that: asking first takes longer. */
LANE int charge_lanes(const opening *o, account *budgets, uint n, ulong cost) {
    uint payer = o->root ? o->root[n] : n;
    if (cost <= SMALL_CLAIM) {
        GLOBAL uint *spent = o->spent + payer;
        return charge_stands(spent, o->budget, shared_add(spent, (uint)cost), (uint)cost);
    }
    return account_ask(budgets, payer, cost);
}

#ifndef ARCL_TEAM
KERNEL_FUNCTION(_scope_count) {
    opening o = opening_at(arena, frame, step);
    junction j = o.at;
    account budgets = account_start(o.spent, o.budget);
    if (j.apart) charge_apart(&j, o.a, o.b);
    for (uint n = j.lanes.first; n < j.lanes.last; n += j.lanes.stride) {
        uchar has_failed = j.status[n];
        ulong count = wanted_lanes(&j, j.kind, o.a, o.b, n); /* of a lane that has failed, none that counts */
        count = has_failed ? 0 : count;
        ulong cost = j.apart ? 0 : cost_of_lanes(j.kind, o.weight, count);
        if (cost && !charge_lanes(&o, &budgets, n, cost + cost_of_round(j.kind))) {
            fail_above(&j, n, LANE_BUDGET);
            count = 0;
        }
        uint first = 0;
        if (count && !tally_take(j.frame, &j.inner->tally, count, MOST_LANES, &first)) break;
        j.ranges[n] = made_ref(first, (uint)count);
    }
    account_book(&budgets);
    if (ITEM == 0) j.inner->columns = j.frame->cursor; /* which nobody changes before scope_fill */
}
#endif

LANE void fill_elements(const junction *j, view a, view b, GLOBAL word *out, GLOBAL word *second, uint n, uint first,
                        uint count) {
    GLOBAL const word *x = j->arena + ref_offset(view_at(a, n));
    if (j->kind == STEP_CROSS) {
        GLOBAL const word *y = j->arena + ref_offset(view_at(b, n));
        uint width = ref_length(view_at(b, n)), m = first;
        if (!LEADS) return;
        for (uint i = 0; m < first + count; i++)
            for (uint c = j->imm & 1 ? i : 0; c < width; c++, m++) {
                out[m] = x[i];
                second[m] = y[c];
            }
        return;
    }
    TEAM_FOR(m, (int)count) out[first + (uint)m] = x[m];
    if (j->kind == STEP_ZIP) {
        GLOBAL const word *y = j->arena + ref_offset(view_at(b, n));
        TEAM_FOR(m, (int)count) second[first + (uint)m] = y[m];
    }
}

/* The maps to the scopes above, for the lanes below lane n. */
LANE void fill_maps(const junction *j, const scope_state *made, uint n, uint first, uint count) {
    ulong maps = j->scope->maps;
    for (uint level = 1; level < j->scope->depth; level++) {
        if (!(maps >> (level - 1) & 1)) continue;
        GLOBAL uint *map = (GLOBAL uint *)(j->arena + made->maps + maps_before(maps, level) * map_words(made->count));
        uint row = n;
        if (level > 1) row = map_at(j->arena, scope_at(j->arena, j->frame, j->above_id), j->above, level - 1)[n];
        TEAM_FOR(m, (int)count) map[first + (uint)m] = row;
    }
}

KERNEL_FUNCTION(_scope_fill) {
    opening o = opening_at(arena, frame, step);
    junction j = o.at;
    scope_state made;
    uint free, has_room = (uint)place_scope(&j, &made, &free);
    if (ITEM == 0 && LEADS && !j.frame->overflow) open_scope(&j, step, (int)has_room, made, free);
    if (!has_room) return;
    GLOBAL uchar *status = (GLOBAL uchar *)(arena + made.status);
    GLOBAL word *out = arena + made.columns + o.slot * made.count;
    GLOBAL word *second = out + made.count; /* the layout puts it there */
    GLOBAL const word *state = arena;
    if (j.kind == STEP_LOOP) state = column_at(arena, j.above, step_at(arena, j.frame, (uint)j.step->imm)->slot);
    for (uint n = j.lanes.first; n < j.lanes.last; n += j.lanes.stride) {
        word range = j.ranges[n];
        uint first = first_of(range), count = count_of(range);
        if (!count) continue;
        if (j.kind == STEP_LOOP)
            out[first] = state[n];
        else if (j.kind != STEP_WHEN)
            fill_elements(&j, o.a, o.b, out, second, n, first, count);
        if (!j.apart) /* there, those that make columns see to it */
            TEAM_FOR(m, (int)count) status[first + (uint)m] = 0;
        fill_maps(&j, &made, n, first, count);
    }
}

#endif
