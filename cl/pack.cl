/* The first and the last launches of a run: lanes start without failures, and results leave as one piece of memory, the
 * only one that a host has to fetch:
 *
 *   | a word per lane | what they refer to, by offsets from here | a status byte per lane | a `which` byte per lane |
 */
#include "copy.h"
#include "scan.h"

KERNEL_FUNCTION(_run_start) {
    GLOBAL run_frame *f = frame_at(arena, frame);
    GLOBAL uchar *status = status_at(arena, state_at(arena, f, SCOPE_LANES));
    GLOBAL uint *spent = (GLOBAL uint *)(arena + f->spent);
    lane_range r = lanes_of_item(f, f->lanes);
    for (uint n = r.first; n < r.last; n += r.stride) {
        status[n] = 0;
        spent[n] = 0;
    }
}

/* Which of the results lane n has. */
LANE uint which_result(GLOBAL word *arena, GLOBAL const run_frame *f, uint n) {
    return f->results > 1 ? (uint)view_at(view_of(arena, f, SCOPE_LANES, f->which), n) : 0;
}

LANE ulong result_type(GLOBAL word *arena, GLOBAL const run_frame *f, uint which) {
    return ((GLOBAL const ulong *)(arena + f->result_types))[which];
}

/* What failed for all lanes at once fails each; a lane that has asked for more than its budget has failed for that,
 * whatever else happened in it, because work-items ask in no particular order. */
KERNEL_FUNCTION(_pack_count) {
    GLOBAL run_frame *f = frame_at(arena, frame);
    GLOBAL scope_state *all = state_at(arena, f, SCOPE_LANES);
    GLOBAL scope_state *shared = state_at(arena, f, SCOPE_SHARED);
    GLOBAL uchar *status = status_at(arena, all);
    GLOBAL const uint *spent = (GLOBAL const uint *)(arena + f->spent);
    GLOBAL word *chosen = arena + f->chosen;
    lane_range r = lanes_of_item(f, f->overflow ? 0 : f->lanes);
    int for_all = shared->failures ? status_at(arena, shared)[0] : 0;
    ulong total = 0;
    for (uint n = r.first; n < r.last; n += r.stride) {
        if (spent[n] > f->budget)
            status[n] = LANE_BUDGET;
        else if (for_all && !status[n])
            status[n] = (uchar)for_all;
        uint which = status[n] ? 0 : which_result(arena, f, n);
        word value = status[n] ? 0 : view_at(view_of(arena, f, SCOPE_LANES, f->result[which]), n);
        chosen[2 * n] = value;
        chosen[2 * n + 1] = (word)total;
        total += copy_extent(arena, result_type(arena, f, which), value);
        if (total > 0x7fffffff) {
            shared_set(&f->overflow, 1);
            break;
        }
    }
    scan_partial(arena, f, (uint)total);
}

KERNEL_FUNCTION(_pack_place) {
    SCAN_WORKSPACE
    GLOBAL run_frame *f = frame_at(arena, frame);
    ulong total = scan_partials(arena, f SCAN_PASS);
    if (!SCAN_LEADER || f->overflow) return;
    ulong words = total + f->lanes + f->lanes / 4 + 1;
    uint at, end;
    if (words > 0x7fffffff) {
        shared_set(&f->overflow, 1);
        return;
    }
    if (!frame_claim(f, (uint)words, 0, &at, &end)) return;
    guard_behind(arena, at, (uint)words, f->limit);
    f->packed = at;
    f->packed_words = (uint)words;
}

KERNEL_FUNCTION(_pack_fill) {
    GLOBAL run_frame *f = frame_at(arena, frame);
    GLOBAL const uchar *status = status_at(arena, state_at(arena, f, SCOPE_LANES));
    GLOBAL const word *chosen = arena + f->chosen;
    GLOBAL word *out = arena + f->packed;
    GLOBAL uchar *out_status = (GLOBAL uchar *)(out + f->packed_words - (f->lanes / 4 + 1));
    GLOBAL uchar *out_which = out_status + f->lanes;
    lane_range r = lanes_of_item(f, f->overflow ? 0 : f->lanes);
    uint base = scan_base(arena, f);
    for (uint n = r.first; n < r.last; n += r.stride) {
        uint which = status[n] ? 0 : which_result(arena, f, n), end = f->lanes + base + (uint)chosen[2 * n + 1];
        out[n] = copy_value(arena, result_type(arena, f, which), chosen[2 * n], out, 0, &end);
        out_status[n] = status[n];
        out_which[n] = (uchar)which;
    }
}
