/* The first and the last launches of a run: lanes start without failures, and results leave as one piece of memory, the
 * only one that a host has to fetch:
 *
 *   | a word per lane | what they refer to, by offsets from here | a status byte per lane | a `which` byte per lane |
 *
 * A part of a program that is not the last leaves several columns, and what its lanes have asked for so far:
 *
 *   | the columns | what they refer to | a status byte per lane, a free byte per lane | a uint per lane |
 *
 * Its references are made for the place where the next part will find it.
 */
#include "copy.h"
#include "outcome.h"
#include "scan.h"

/* Words for the bytes per lane behind everything else. */
LANE uint lane_byte_words(GLOBAL const run_frame *f) { return f->lanes / 4 + 1; }
LANE uint account_words(GLOBAL const run_frame *f) { return f->is_part ? map_words(f->lanes) : 0; }
LANE uint columns_out(GLOBAL const run_frame *f) { return f->is_part ? f->outs : 1; }

KERNEL_FUNCTION(_run_start) {
    GLOBAL run_frame *f = frame_at(arena, frame);
    GLOBAL uchar *status = status_at(arena, state_at(arena, f, SCOPE_LANES));
    GLOBAL uint *spent = (GLOBAL uint *)(arena + f->spent);
    GLOBAL const uchar *old_status = (GLOBAL const uchar *)(arena + f->carried);
    GLOBAL const uint *old_spent = (GLOBAL const uint *)(arena + f->carried + lane_byte_words(f));
    lane_range r = lanes_of_item(f, f->lanes);
    uint failures = 0;
    for (uint n = r.first; n < r.last; n += r.stride) {
        status[n] = f->carried ? old_status[n] : 0;
        spent[n] = f->carried ? old_spent[n] : 0;
        failures += status[n] != 0;
    }
    if (failures) shared_add(&state_at(arena, f, SCOPE_LANES)->failures, failures);
}

LANE uint out_step(GLOBAL word *arena, GLOBAL const run_frame *f, uint column) {
    return ((GLOBAL const uint *)(arena + f->out))[column];
}

/* Column `column` of those that are packed, in lane n: the value and its type. Failed lanes have defaults. */
LANE word packed_value(GLOBAL word *arena, GLOBAL const run_frame *f, uint column, uint n, int failed, ulong *type) {
    if (f->is_part) {
        uint step = out_step(arena, f, column);
        *type = step_at(arena, f, step)->type;
        return failed ? 0 : view_at(view_of(arena, f, SCOPE_LANES, step), n);
    }
    return lane_result(arena, f, n, failed, type);
}

KERNEL_FUNCTION(_pack_count) {
    GLOBAL run_frame *f = frame_at(arena, frame);
    GLOBAL uchar *status = status_at(arena, state_at(arena, f, SCOPE_LANES));
    GLOBAL const uint *spent = (GLOBAL const uint *)(arena + f->spent);
    GLOBAL word *storage = arena + f->storage;
    lane_range r = lanes_of_item(f, f->overflow ? 0 : f->lanes);
    int for_all = failure_of_all(arena, f);
    ulong total = 0;
    for (uint n = r.first; n < r.last; n += r.stride) {
        status[n] = settled_status(f, spent[n], status[n], for_all);
        storage[n] = (word)total;
        for (uint column = 0; column < columns_out(f); column++) {
            ulong type;
            word value = packed_value(arena, f, column, n, status[n], &type);
            total += copy_extent(arena, type, value);
        }
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
    ulong words = total + (ulong)columns_out(f) * f->lanes + lane_byte_words(f) + account_words(f);
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
    GLOBAL const uint *spent = (GLOBAL const uint *)(arena + f->spent);
    GLOBAL const word *storage = arena + f->storage;
    GLOBAL word *out = arena + f->packed;
    GLOBAL uchar *out_status = (GLOBAL uchar *)(out + f->packed_words - lane_byte_words(f) - account_words(f));
    GLOBAL uchar *out_which = out_status + f->lanes;
    GLOBAL uint *out_spent = (GLOBAL uint *)(out + f->packed_words - account_words(f));
    lane_range r = lanes_of_item(f, f->overflow ? 0 : f->lanes);
    uint base = scan_base(arena, f) + columns_out(f) * f->lanes;
    for (uint n = r.first; n < r.last; n += r.stride) {
        uint end = base + (uint)storage[n];
        for (uint column = 0; column < columns_out(f); column++) {
            ulong type;
            word value = packed_value(arena, f, column, n, status[n], &type);
            out[column * f->lanes + n] = copy_value(arena, type, value, out, f->out_base, &end);
        }
        out_status[n] = status[n];
        if (f->is_part)
            out_spent[n] = spent[n];
        else
            out_which[n] = (uchar)(status[n] ? 0 : which_result(arena, f, n));
    }
}
