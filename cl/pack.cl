/* The first and the last launches of a run: lanes start without failures where the host has not seen to that, and
 * results leave (cl/packed.h).
 */
#include "copy.h"
#include "outcome.h"
#include "packed.h"

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
    GLOBAL const uint *old_spent = (GLOBAL const uint *)(arena + f->carried + entry_byte_words(f->lanes));
    lane_range r = lanes_of_item(f->lanes);
    uint failures = 0;
    if (f->apart) {
        for (uint n = r.first; n < r.last; n += r.stride) apart_start(arena, f, n);
        if (ITEM == 0) apart_start(arena, f, f->lanes);
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
/* Decides on statuses, and where the storage of each lane will begin, counted from the first one's; adds up what it
 * takes. */
LANE void measure_lanes(GLOBAL word *arena, GLOBAL run_frame *f, sole_result sole) {
    GLOBAL word *storage = arena + f->storage;
    lane_range r = lanes_of_item(f->lanes);
    ulong total = 0;
    settle_statuses(arena, f, r, failure_of_all(arena, f));
    if (!is_plain(sole) || !place_plain(storage, sole, r.last, &total)) {
        total = 0;
        for (uint n = 0; n < r.last && total <= f->limit; n++) { /* as many words as there are at all */
            storage[n] = (word)total;
            total += lane_extent(arena, f, sole, n);
        }
    }
    total += f->packed_words;
    f->overflow |= total > 0x7fffffff || total > f->limit;
    f->packed_words = (uint)total;
}

/* Where results go elsewhere, into memory that the host takes when it knows how much. */
KERNEL_FUNCTION(_pack_count) {
    GLOBAL run_frame *f = frame_at(arena, frame);
    if (!f->overflow) measure_lanes(arena, f, sole_result_of(arena, f));
}

/* Else they go behind everything else. */
LANE void take_packed(GLOBAL word *arena, GLOBAL run_frame *f) {
    f->overflow |= f->cursor > f->limit || f->packed_words > f->limit - f->cursor;
    if (f->overflow) return;
    f->packed = f->cursor;
    guard_behind(arena, f->packed, f->packed_words, f->limit);
}

/* The results of most programs were made one after the other, by one kernel, and lie so: then their storage is copied
 * in one piece, and only the references change. 0 if they do not. */
LANE int fill_in_line(GLOBAL word *arena, GLOBAL const run_frame *f, GLOBAL const word *restrict storage, sole_result s,
                      GLOBAL word *restrict out) {
    uint lanes = f->lanes, head = packed_storage(f), n = 0, ragged = 0;
    if (!is_plain(s)) return 0;
    if (!has_parts(s.type)) {
        for (; n < lanes; n++) out[n] = sole_value(s, n);
        return 1;
    }
    while (n < lanes && !ref_length(sole_value(s, n))) n++;
    if (n == lanes) return 0;
    uint from = ref_offset(s.column.column[n]) - (uint)storage[n];
    ulong moved = (ulong)made_ref(f->out_base + head - from, 0), apart = 0;
    for (n = 0; n < lanes; n++) {
        ulong value = s.status[n] ? 0 : (ulong)s.column.column[n];
        apart |= (uint)value ? (value >> 32) - from - (ulong)storage[n] : 0;
        ragged |= (uint)may_be_ragged((uint)value);
        out[n] = (uint)value ? (word)(value + moved) : 0;
    }
    if (apart || ragged) return 0;
    copy_storage(out + head, arena + from, f->packed_words - head);
    return 1;
}
#endif

/* All columns of lane n, whose storage begins at out[end]. */
APART void pack_lane(GLOBAL word *arena, GLOBAL const run_frame *f, GLOBAL word *out, uint n, uint end) {
    GLOBAL const uint *mishaps = (GLOBAL const uint *)(arena + f->mishaps);
    GLOBAL uchar *out_status = (GLOBAL uchar *)(out + packed_status(f));
    GLOBAL uchar *out_which = out_status + f->programs * f->lanes;
    GLOBAL uint *out_counts = (GLOBAL uint *)(out + packed_counts(f));
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

#ifndef MANY_ITEMS
KERNEL_FUNCTION(_pack_fill) {
    GLOBAL run_frame *f = frame_at(arena, frame);
    sole_result sole = sole_result_of(arena, f);
    if (!f->leaves && !f->overflow) {
        measure_lanes(arena, f, sole);
        take_packed(arena, f);
    }
    if (f->overflow) return;
    GLOBAL const word *storage = arena + f->storage;
    GLOBAL word *out = packed_at(arena, f);
    GLOBAL uchar *out_status = (GLOBAL uchar *)(out + packed_status(f)), *out_which = out_status + f->lanes;
    uint lanes = f->lanes, head = packed_storage(f);
    if (lanes && fill_in_line(arena, f, storage, sole, out)) {
        for (uint n = 0; n < lanes; n++) out_status[n] = sole.status[n];
        for (uint n = 0; n < lanes; n++) out_which[n] = 0;
        return;
    }
    for (uint n = 0; n < lanes; n++) {
        uint end = head + (uint)storage[n];
        if (!sole.is_sole) {
            pack_lane(arena, f, out, n, end);
            continue;
        }
        out[n] = packed_copy(arena, f, sole.type, sole_value(sole, n), out, &end);
        out_status[n] = sole.status[n];
        out_which[n] = 0;
    }
}
#else
/* Where the storage of a lane begins that takes so many words; below 0 if there are not so many. */
LANE word take_storage(GLOBAL run_frame *f, ulong words, uint room) {
    uint at;
    return tally_take(f, &f->packed_words, words, room, &at) ? (word)at : -1;
}

/* Any lane; `out` has room for so many words. */
LANE void pack_any(GLOBAL word *arena, GLOBAL run_frame *f, sole_result sole, GLOBAL word *out, uint room, uint n,
                   int for_all) {
    settle_status(arena, f, n, for_all);
    word at = take_storage(f, lane_extent(arena, f, sole, n), room);
    if (at >= 0) pack_lane(arena, f, out, n, (uint)at);
}

/* A team copies the only result of a lane, if it is flat; all else is its leader's. */
KERNEL_FUNCTION(_pack_fill) {
    LANE_START(0)
    GLOBAL run_frame *f = frame_at(arena, frame);
    sole_result sole = sole_result_of(arena, f);
    uint begin = soon(&f->cursor), limit = soon(&f->limit), budget = soon(&f->budget), overflow = soon(&f->overflow);
    GLOBAL const uint *spent = (GLOBAL const uint *)(arena + soon(&f->spent));
    GLOBAL word *out = arena + begin;
    uint head = packed_storage(f), room = begin < limit ? limit - begin : 0, lanes = head <= room ? f->lanes : 0;
    int for_all = failure_of_all(arena, f);
    if (ITEM == 0 && LEADS) {
        f->packed = begin;
        if (head > room) shared_set(&f->overflow, 1);
    }
    for (uint n = ITEM; n < lanes; n += ITEMS) {
        uint status = sole.is_sole ? sole.status[n] : 0, words = HAS_DEEPER;
        word value = 0;
        if (sole.is_sole) {
            uint asked = soon(&spent[n]);
            value = view_at(sole.column, n);
            status = for_all ? (uint)for_all : asked > budget ? LANE_BUDGET : status;
            value = status ? 0 : value;
            words = flat_words(sole.type, value);
        }
        if (words == HAS_DEEPER) {
            if (LEADS && !overflow) pack_any(arena, f, sole, out, room, n, for_all);
            continue;
        }
        word at = ALONE(&k, overflow ? -1 : take_storage(f, words, room));
        if (at < 0) continue;
        GLOBAL const word *from = arena + (has_parts(sole.type) ? ref_offset(value) : 0);
        TEAM_FOR(m, (int)words) out[at + m] = from[m];
        if (!LEADS) continue;
        GLOBAL uchar *out_status = (GLOBAL uchar *)(out + packed_status(f));
        uint length = ref_length(value);
        out[n] = !has_parts(sole.type) ? value : length ? made_ref(f->out_base + (uint)at, length) : 0;
        out_status[n] = (uchar)status;
        out_status[lanes + n] = 0;
    }
}
#endif
