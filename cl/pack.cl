/* The first and the last launches of a run: lanes start without failures, and results leave as one piece of memory, the
 * only one that a host has to fetch:
 *
 *   | a word per program and lane | what they refer to, by offsets from here
 *   | a status byte per program and lane | a `which` byte per program and lane | safe: a uint each, failed ops |
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

/* Words for the bytes per program and lane behind everything else. */
LANE uint lane_byte_words(GLOBAL const run_frame *f) { return f->programs * f->lanes / 4 + 1; }
LANE uint account_words(GLOBAL const run_frame *f) {
    if (f->apart == APART_SAFE) return map_words(f->programs * f->lanes);
    return f->is_part ? map_words(f->lanes) : 0;
}
LANE uint columns_out(GLOBAL const run_frame *f) { return f->is_part ? f->outs : f->programs; }

/* Accounts and failures of n, one of the batch's lanes; or, with the number after the last lane, of all lanes at
 * once. */
LANE void apart_start(GLOBAL word *arena, GLOBAL const run_frame *f, uint n) {
    GLOBAL uint *spent = (GLOBAL uint *)(arena + f->spent) + n;
    uint scope = n < f->lanes ? SCOPE_LANES : SCOPE_SHARED;
    for (uint set = 0; set < f->set_count; set++) spent[set * (f->lanes + 1)] = 0;
    for (uint p = 0; p < f->programs; p++) {
        uint at = entry_of_program(f, scope, p, n);
        ((GLOBAL uchar *)(arena + f->failed))[at] = 0;
        ((GLOBAL uint *)(arena + f->mishaps))[at] = 0;
    }
}

#ifndef ARCL_TEAM
KERNEL_FUNCTION(_run_start) {
    GLOBAL run_frame *f = frame_at(arena, frame);
    GLOBAL uchar *status = (GLOBAL uchar *)(arena + f->lane_status);
    GLOBAL uint *spent = (GLOBAL uint *)(arena + f->spent);
    GLOBAL const uchar *old_status = (GLOBAL const uchar *)(arena + f->carried);
    GLOBAL const uint *old_spent = (GLOBAL const uint *)(arena + f->carried + lane_byte_words(f));
    lane_range r = lanes_of_item(f->lanes);
    uint failures = 0;
    if (f->apart) {
        for (uint n = r.first; n < r.last; n += r.stride) apart_start(arena, f, n);
        if (ITEM == 0) apart_start(arena, f, f->lanes);
        return;
    }
    if (!f->carried) {
        for (uint n = r.first; n < r.last; n += r.stride) status[n] = 0;
        for (uint n = r.first; n < r.last; n += r.stride) spent[n] = 0;
        return;
    }
    for (uint n = r.first; n < r.last; n += r.stride) {
        status[n] = old_status[n];
        spent[n] = old_spent[n];
        failures += status[n] != 0;
    }
    if (failures) shared_add(&state_at(arena, f, SCOPE_LANES)->failures, failures);
}
#endif

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
    return lane_result(arena, f, column, n, failed, type);
}

/* ---- packing ---- */

/* What nearly all runs leave: the results of one program, all of one type. Their column is looked up once, not in every
 * lane. */
typedef struct {
    int is_sole;
    ulong type;
    view column;
    GLOBAL const uchar *status;
} sole_result;

/* Failed lanes have defaults, and that of a record has its fields. */
LANE word sole_value(sole_result s, uint n) { return s.status[n] ? 0 : view_at(s.column, n); }

LANE sole_result sole_result_of(GLOBAL word *arena, GLOBAL const run_frame *f) {
    uint is_sole = soon(&f->is_sole), column = soon(&f->sole_column), rows = soon(&f->sole_rows);
    sole_result s = {(int)is_sole, f->sole_type, {arena + column, 0, rows == ROW_ONLY ? 0 : ~0u}, 0};
    s.status = (GLOBAL const uchar *)(arena + soon(&f->lane_status));
    return s;
}

/* The words of a value, of which most have none that refer to more. */
LANE ulong extent_of_value(GLOBAL word *arena, GLOBAL const run_frame *f, ulong type, word value) {
    uint flat = flat_words(type, value);
    return flat == HAS_DEEPER ? copy_extent(arena, type, value, f->limit) : flat;
}

LANE ulong lane_extent(GLOBAL word *arena, GLOBAL const run_frame *f, sole_result sole, uint n) {
    if (sole.is_sole) return extent_of_value(arena, f, sole.type, sole_value(sole, n));
    ulong total = 0;
    for (uint column = 0; column < columns_out(f); column++) {
        ulong type;
        word value = packed_value(arena, f, column, n, final_status(arena, f, column, n) != 0, &type);
        total += extent_of_value(arena, f, type, value);
    }
    return total;
}

#ifndef MANY_ITEMS
/* Whether results are one after the other in a column, and of a type of which hardly any refers to more than words.
 * Short loops serve these, for programs that do next to nothing else. */
LANE int is_plain(sole_result s) {
    uint head = (uint)(s.type & 15);
    if (!s.is_sole || s.column.map || !s.column.mask) return 0;
    return head <= T_GRID || (head < T_RECORD && !has_parts(s.type >> 4));
}

/* A grid that has rows, or a list that is as long as such a grid is wide. */
LANE int may_be_ragged(uint length) { return (length & 0xffff) == RAGGED; }

/* Where the storage of each result begins; 0 if one may refer to more than words. */
LANE int place_plain(GLOBAL word *restrict storage, sole_result s, uint lanes, ulong *total) {
    uint ragged = 0;
    int is_grid = (s.type & 15) == T_GRID;
    ulong sum = 0;
    for (uint n = 0; n < lanes && has_parts(s.type); n++) {
        uint length = s.status[n] ? 0 : ref_length(s.column.column[n]);
        ragged |= (uint)may_be_ragged(length);
        storage[n] = (word)sum;
        sum += is_grid ? grid_words((int)(length >> 16), (int)(length & 0xffff)) : stored_words(length);
    }
    *total = sum;
    return !ragged;
}
#endif

#ifndef ARCL_TEAM
KERNEL_FUNCTION(_pack_count) {
    GLOBAL run_frame *f = frame_at(arena, frame);
    sole_result sole = sole_result_of(arena, f);
    GLOBAL word *storage = arena + soon(&f->storage);
    lane_range r = lanes_of_item(soon(&f->overflow) ? 0 : f->lanes);
    int for_all = failure_of_all(arena, f);
    settle_statuses(arena, f, r, for_all);
    ulong total = 0;
#ifndef MANY_ITEMS
    if (is_plain(sole) && place_plain(storage, sole, r.last, &total)) {
        if (total > 0x7fffffff || total > f->limit) shared_set(&f->overflow, 1);
        scan_partial(arena, f, (uint)total);
        return;
    }
    total = 0;
#endif
    for (uint n = r.first; n < r.last; n += r.stride) {
        storage[n] = (word)total;
        total += lane_extent(arena, f, sole, n);
        if (total > 0x7fffffff || total > f->limit) { /* as many words as there are at all */
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
    uint at;
    if (words > 0x7fffffff) {
        shared_set(&f->overflow, 1);
        return;
    }
    f->packed_words = (uint)words;
    if (f->leaves) return;
    if (!frame_claim_alone(f, (uint)words, &at)) return;
    guard_behind(arena, at, (uint)words, f->limit);
    f->packed = at;
}
#endif

/* Where all that goes: into the arena, or, where the frame leaves that to the host, into memory of the host's, so that
 * what is read is written once. */
LANE GLOBAL word *packed_at(GLOBAL word *arena, GLOBAL const run_frame *f) {
#ifndef __OPENCL_C_VERSION__
    if (f->leaves) return (word *)f->leaves_to;
#endif
    return arena + f->packed;
}

LANE word packed_copy(GLOBAL word *arena, GLOBAL const run_frame *f, ulong type, word value, GLOBAL word *out,
                      uint *end) {
    uint at = *end, words = flat_words(type, value);
    if (words == HAS_DEEPER) return copy_value(arena, type, value, out, f->out_base, end);
    if (!has_parts(type)) return value;
    copy_storage(out + at, arena + ref_offset(value), words);
    *end = at + words;
    return ref_length(value) ? made_ref(f->out_base + at, ref_length(value)) : 0;
}

#ifndef MANY_ITEMS
/* The results of most programs were made one after the other, by one kernel, and lie so: then their storage is copied
 * in one piece, and only the references change. 0 if they do not. */
LANE int fill_in_line(GLOBAL word *arena, GLOBAL const run_frame *f, GLOBAL const word *restrict storage, sole_result s,
                      GLOBAL word *restrict out) {
    uint lanes = f->lanes, n = 0, ragged = 0;
    if (!is_plain(s)) return 0;
    if (!has_parts(s.type)) {
        for (; n < lanes; n++) out[n] = sole_value(s, n);
        return 1;
    }
    while (n < lanes && !ref_length(sole_value(s, n))) n++;
    if (n == lanes) return 0;
    uint from = ref_offset(s.column.column[n]) - (uint)storage[n];
    ulong moved = (ulong)made_ref(f->out_base + lanes - from, 0), apart = 0;
    for (n = 0; n < lanes; n++) {
        ulong value = s.status[n] ? 0 : (ulong)s.column.column[n];
        apart |= (uint)value ? (value >> 32) - from - (ulong)storage[n] : 0;
        ragged |= (uint)may_be_ragged((uint)value);
        out[n] = (uint)value ? (word)(value + moved) : 0;
    }
    if (apart || ragged) return 0;
    copy_storage(out + lanes, arena + from, f->packed_words - lanes - lane_byte_words(f));
    return 1;
}
#endif

/* All columns of lane n, whose storage begins at `end`. */
APART void pack_lane(GLOBAL word *arena, GLOBAL const run_frame *f, uint n, uint end) {
    GLOBAL word *out = packed_at(arena, f);
    GLOBAL const uint *mishaps = (GLOBAL const uint *)(arena + f->mishaps);
    GLOBAL uchar *out_status = (GLOBAL uchar *)(out + f->packed_words - lane_byte_words(f) - account_words(f));
    GLOBAL uchar *out_which = out_status + f->programs * f->lanes;
    GLOBAL uint *out_counts = (GLOBAL uint *)(out + f->packed_words - account_words(f));
    for (uint column = 0; column < columns_out(f); column++) {
        ulong type;
        uint at = column * f->lanes + n, status = final_status(arena, f, column, n);
        word value = packed_value(arena, f, column, n, status != 0, &type);
        out[at] = packed_copy(arena, f, type, value, out, &end);
        if (f->is_part) continue;
        out_status[at] = (uchar)status;
        out_which[at] = (uchar)(status ? 0 : which_result(arena, f, column, n));
        if (f->apart == APART_SAFE)
            out_counts[at] = mishaps[at] + mishaps[entry_of_program(f, SCOPE_SHARED, column, n)];
    }
    if (f->is_part) {
        out_status[n] = (uchar)final_status(arena, f, 0, n);
        out_counts[n] = ((GLOBAL const uint *)(arena + f->spent))[n];
    }
}

#ifndef ARCL_TEAM
KERNEL_FUNCTION(_pack_fill) {
    GLOBAL run_frame *f = frame_at(arena, frame);
    GLOBAL const word *storage = arena + f->storage;
    GLOBAL word *out = packed_at(arena, f);
    GLOBAL uchar *out_status = (GLOBAL uchar *)(out + f->packed_words - lane_byte_words(f) - account_words(f));
    GLOBAL uchar *out_which = out_status + f->programs * f->lanes;
    lane_range r = lanes_of_item(f->overflow ? 0 : f->lanes);
    sole_result sole = sole_result_of(arena, f);
    uint base = scan_base(arena, f) + columns_out(f) * f->lanes;
#ifndef MANY_ITEMS
    if (r.last && fill_in_line(arena, f, storage, sole, out)) {
        for (uint n = 0; n < r.last; n++) out_status[n] = sole.status[n];
        for (uint n = 0; n < r.last; n++) out_which[n] = 0;
        return;
    }
#endif
    for (uint n = r.first; n < r.last; n += r.stride) {
        uint end = base + (uint)storage[n];
        if (!sole.is_sole) {
            pack_lane(arena, f, n, end);
            continue;
        }
        out[n] = packed_copy(arena, f, sole.type, sole_value(sole, n), out, &end);
        out_status[n] = sole.status[n];
        out_which[n] = 0;
    }
}
#else
/* A team copies the only result of a lane, if it is flat; all else is its leader's. */
KERNEL_FUNCTION(_pack_fill) {
    GLOBAL run_frame *f = frame_at(arena, frame);
    sole_result sole = sole_result_of(arena, f);
    GLOBAL const word *storage = arena + soon(&f->storage);
    uint overflow = soon(&f->overflow), packed = soon(&f->packed), items = soon(&f->items);
    GLOBAL const uint *partial = (GLOBAL const uint *)(arena + soon(&f->partial));
    uint head = columns_out(f) * f->lanes;
    lane_range r = lanes_of_item(overflow ? 0 : f->lanes);
    for (uint n = r.first; n < r.last; n += r.stride) {
        uint at = partial[n % items] + head + (uint)storage[n];
        word value = sole.is_sole ? sole_value(sole, n) : 0;
        uint words = sole.is_sole ? flat_words(sole.type, value) : HAS_DEEPER;
        if (words == HAS_DEEPER) {
            if (LEADS) pack_lane(arena, f, n, at);
            continue;
        }
        GLOBAL const word *from = arena + (has_parts(sole.type) ? ref_offset(value) : 0);
        GLOBAL word *out = arena + packed;
        TEAM_FOR(m, (int)words) out[at + (uint)m] = from[m];
        if (!LEADS) continue;
        GLOBAL uchar *out_status = (GLOBAL uchar *)(out + f->packed_words - lane_byte_words(f) - account_words(f));
        out[n] = !has_parts(sole.type) ? value : ref_length(value) ? made_ref(f->out_base + at, ref_length(value)) : 0;
        out_status[n] = sole.status[n];
        out_status[f->lanes + n] = 0;
    }
}
#endif
