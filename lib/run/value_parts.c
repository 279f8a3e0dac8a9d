/* Looking at a value part by part, whatever type it is of.
 *
 * Of a value with guests, a T_HOST (cl/guest.h), people see the value, and in it the guests where the ints are that
 * stand for them. So its parts have to know where the guests are: that is in the upper half of `row`, one more than the
 * offset of the host; 0, or -1 where there is no row either, is none. */
#include "cl/guest.h"
#include "cl/mask.h"
#include "cl/rows.h"
#include "run/result.h"

static grid grid_at(const word *storage, word w) {
    lane k = {.arena = (word *)storage}; /* which is only read */
    return grid_of(&k, w);
}

const signed char *arcl_result_grid(const arcl_result *r, uint32_t lane_number, int *h, int *w) {
    arcl_value v = arcl_result_value(r, lane_number);
    grid g = {0};
    if (v.type == T_GRID) g = grid_at(v.storage, v.word);
    if (g.rows) g = (grid){0};
    if (h) *h = g.h;
    if (w) *w = g.w;
    return g.at;
}

static int64_t row_of(arcl_value v) { return (int32_t)v.row; }

static uint32_t host_of(arcl_value v) {
    uint32_t place = (uint32_t)((uint64_t)v.row >> 32);
    return place == UINT32_MAX ? 0 : place;
}

int value_has_guests(arcl_value v) { return host_of(v) != 0; }

/* Another value that is a part of one. */
static arcl_value part_of(arcl_value whole, type_code type, word w) {
    return (arcl_value){whole.storage, type, w, host_of(whole) ? whole.row | (int64_t)UINT32_MAX : -1};
}

/* The guest that an int stands for, among those whose descriptions begin at `entry`; the int itself if it is none.
 * Cells are as people of the dialect see them, which alone has guests. */
static arcl_value guest_or_int(arcl_value v, const word *entry) {
    for (;; entry += 2) {
        ulong described = (ulong)entry[0];
        int64_t first = guest_number(described), place = v.word - first;
        type_code type = type_as_triples(guest_type(described));
        int is_of_list = GUEST_IS_OF_LIST(first);
        if (!is_of_list && place == 0) return part_of(v, type, entry[1]);
        if (is_of_list && place >= 0 && place < (int64_t)ref_length(entry[1]))
            return part_of(v, type_element(type), v.storage[ref_offset(entry[1]) + (uint32_t)place]);
        if (guest_is_last(described)) return v;
    }
}

/* The value that people see. */
static arcl_value shown(arcl_value v) {
    if (type_head(v.type) == T_HOST) {
        uint32_t at = ref_offset(v.word);
        if (!ref_length(v.word)) return (arcl_value){v.storage, v.type >> 4, 0, -1}; /* of a lane that has failed */
        v = (arcl_value){v.storage, v.type >> 4, v.storage[at], (int64_t)(at + 1) << 32 | UINT32_MAX};
    }
    uint32_t host = host_of(v);
    if (!host || v.type != T_INT || v.word < GUEST_FIRST || v.word >= GUEST_END) return v;
    return guest_or_int(v, v.storage + host - 1 + 1);
}

static const arcl_value no_value = {NULL, T_INT, NONE, -1};

arcl_kind arcl_value_kind(arcl_value value) {
    arcl_value v = shown(value);
    switch (type_head(v.type)) {
    case T_BOOL: return ARCL_BOOL;
    case T_INT: return v.word == NONE ? ARCL_NONE : ARCL_INT;
    case T_SET: return ARCL_SET;
    case T_FUNCTION: return ARCL_FUNCTION;
    default: return ARCL_TUPLE;
    }
}

int64_t arcl_value_int(arcl_value v) { return shown(v).word; }

/* The length of what is no grid, or of a grid or a row of it. */
static uint32_t count_of(arcl_value v) {
    switch (type_head(v.type)) {
    case T_INT:
    case T_BOOL:
    case T_FUNCTION: return 0;
    case T_IJ: return is_missing_ij(v.word) ? 0 : 2;
    case T_CELL: return 2;
    case T_TRIPLE: return 3;
    case T_MIX:
    case T_TRIPLE_MIX:
        if (is_missing_ij(v.word - colour_word(BARE))) return 0;
        return v.type == T_TRIPLE_MIX && is_coloured_cell(v.word) ? 3 : 2;
    case T_GRID: {
        grid g = grid_at(v.storage, v.word);
        return (uint32_t)(row_of(v) < 0 ? g.h : row_length(g, (int)row_of(v)));
    }
    case T_RECORD: return (uint32_t)type_fields(v.type);
    default: return patch_length(v.word);
    }
}

uint32_t arcl_value_count(arcl_value v) { return count_of(shown(v)); }

static arcl_value grid_item(arcl_value v, uint32_t index) {
    if (row_of(v) < 0) {
        v.row = (int64_t)host_of(v) << 32 | index;
        return v;
    }
    lane k = {.arena = (word *)v.storage}; /* which is only read */
    return part_of(v, T_INT, cell_at(&k, grid_of(&k, v.word), (int)row_of(v), (int)index));
}

static arcl_value location_item(arcl_value v, uint32_t index) {
    int is_triple = v.type == T_TRIPLE || v.type == T_TRIPLE_MIX;
    int is_mix = v.type == T_MIX || v.type == T_TRIPLE_MIX;
    int is_pair = v.type == T_IJ || (is_mix && !is_coloured_cell(v.word));
    if (is_pair || (is_triple && index < 2))
        return part_of(v, T_INT, index ? second_of_ij(v.word) : int_of_coord(loc_i(v.word)));
    if (index == 0 || is_triple) return part_of(v, T_INT, int_of_colour(loc_colour(v.word)));
    return part_of(v, T_IJ, v.word - colour_word(loc_colour(v.word)));
}

/* The location of that number, of those of a mask. */
static word mask_location(const word *storage, word patch, uint32_t index) {
    mask_walk m = mask_walk_start(storage, patch);
    while (bits_set(m.left) <= index) {
        index -= bits_set(m.left);
        m.left = m.row[++m.i];
    }
    while (index--) m.left &= m.left - 1;
    return mask_walk_next(&m);
}

arcl_value arcl_value_item(arcl_value value, uint32_t index) {
    arcl_value v = shown(value);
    if (index >= count_of(v)) return no_value;
    switch (type_head(v.type)) {
    case T_IJ:
    case T_CELL:
    case T_TRIPLE:
    case T_TRIPLE_MIX:
    case T_MIX: return location_item(v, index);
    case T_GRID: return grid_item(v, index);
    case T_RECORD: return part_of(v, type_field(v.type, (int)index), v.storage[ref_offset(v.word) + index]);
    case T_SET:
        if (is_mask(v.word)) return part_of(v, T_IJ, mask_location(v.storage, v.word, index));
        /* fall through */
    default: return part_of(v, type_element(v.type), v.storage[ref_offset(v.word) + index]);
    }
}
