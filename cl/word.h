/* The word: how values are stored. Kernels compute with words, and lib/ and host/ make and read them. Like everything
 * that kernels consist of, this is written in the part of OpenCL C 1.2 that is also C11. How lane functions are called
 * is not said here but in cl/lane.h.
 *
 * Every value of a lane is one 64-bit word, and an all-zero word is the default of every type:
 *
 *   int, bool   the number itself, sign extended             none is NONE
 *   ij          i * 2^24 + j                                 |i|, |j| < 2^23; NO_COORD is none, some words are missing
 *   cell        colour * 2^48 + i * 2^24 + j                 |colour| < 2^15 - 1, none is NO_COLOUR
 *   ij or cell  as a cell; an ij has the colour BARE
 *   set, tuple  | offset:32 | length:32 |   -> arena[offset .. offset+length), a word per element; sets sorted, unique
 *   set of ij   | offset:32 | 1 | words:15 | length:16 | -> arena[offset .. offset+words), a mask: two rows of 32
 *               bits a word, the upper one first, where bit j of row i tells whether (i, j) is there; further rows have
 *               none. Only in columns whose readers know of it (cl/mask.h)
 *   record      | offset:32 | fields:32 |   -> arena[offset ..], a word per field
 *   grid        | offset:32 | h:16 | w:16 | -> h*w signed bytes from arena[offset], row by row; none is NO_CELL
 *               | offset:32 | h:16 | RAGGED | -> arena[offset .. offset+h), a tuple of ints per row; if and only if
 *               rows differ in length or a cell is no byte, so that equal grids look the same
 *
 * Offsets count words from the start of one arena, so a value is the same bits on every device, containers share
 * storage freely, and comparing two ij or two cell words as integers is comparing them in natural order. Adding the
 * word of an offset (i, j) to an ij or to a cell translates it.
 */
#ifndef ARCL_WORD_H
#define ARCL_WORD_H
#include "lane_types.h"

/* A lane's failure; 0 is success. The order is that of lib/base/status.def. */
enum lane_status { LANE_OK, LANE_TYPE, LANE_EMPTY, LANE_BOUNDS, LANE_DIVIDE, LANE_SHAPE, LANE_LIMIT, LANE_BUDGET };

#define NONE (-2147483647 - 1) /* the int that index() yields outside the grid */
#define NO_COLOUR (-32767)     /* none, as the colour of a cell */
#define BARE 32767             /* where cells and locations are mixed: the colour of what is no cell but a location */
#define NO_CELL (-128)         /* none, in a grid */
#define COORD_LIMIT (1 << 23)
#define NO_COORD (-COORD_LIMIT) /* none, in an ij: no op computes with it */
/* The corner of an empty patch: an ij that is the empty tuple. It sorts before all others. */
#define EMPTY_IJ (-((word)COORD_LIMIT << 24) - COORD_LIMIT)
/* In tokpidjin, what stands for a missing pair without being (): to ops that compute it is no pair. */
#define NO_PAIR (EMPTY_IJ + 1)
#define TWO_NONES (EMPTY_IJ + 2) /* likewise, the pair of none and none, of which no other word is left */
#define RAGGED 0xffff            /* the width of a grid that is a tuple of tuples of ints */
#define MAX_SIDE 65534

/* ---- references ---- */

LANE word made_ref(uint offset, uint low) { return (word)(((ulong)offset << 32) | low); }
LANE uint ref_offset(word w) { return (uint)((ulong)w >> 32); }
LANE uint ref_length(word w) { return (uint)(ulong)w; }
LANE uint grid_words(int h, int w) { return ((uint)h * (uint)w + 7u) / 8u; }

/* ---- masks ---- */

#define MASK_SIDE 32
#define MASK_WORDS 16u /* at most */
#define IS_MASK 0x80000000u
LANE int is_mask(word w) { return (int)(uint)(ulong)w < 0; }
LANE uint mask_words(uint length) { return length >> 16 & 0x7fff; }
LANE uint patch_length(word w) { return is_mask(w) ? (uint)w & 0xffff : ref_length(w); }
/* What a list or a mask takes, by the lower half of its word. */
LANE uint stored_words(uint length) { return length & IS_MASK ? mask_words(length) : length; }

/* ---- locations and cells ---- */

/* Signs are extended in halves of words: few processors do that with many whole ones at a time. */
LANE int loc_j(word w) { return (int)((uint)w << 8) >> 8; }
LANE int loc_i(word w) { return (int)(uint)((ulong)(w + COORD_LIMIT) >> 16) >> 8; }
LANE int loc_colour(word w) { return (int)(uint)((ulong)(w + COORD_LIMIT + ((word)COORD_LIMIT << 24)) >> 32) >> 16; }

/* The word of offset (i, j) without a check; also what to add to a location to move it by (i, j). */
LANE word loc_word(int i, int j) { return (word)i * (1 << 24) + j; }
LANE word colour_word(int colour) { return (word)colour * ((word)1 << 48); }
LANE int coord_fits(word v) { return (v < COORD_LIMIT) & (v > -COORD_LIMIT); }
LANE int int_of_coord(int v) { return v == NO_COORD ? NONE : v; }
LANE int second_of_ij(word w) { return w == TWO_NONES ? NONE : int_of_coord(loc_j(w)); }

/* Of a patch that mixes locations and cells, a location is no cell to paint, wherever it lies. */
LANE int is_coloured_cell(word cell) { return loc_colour(cell) != BARE; }

/* A coordinate is near if it lies within half the range: then bit 23 of its field is clear after adding NEAR, and two
 * near ones have a sum in range. */
#define NEAR_LIMIT (COORD_LIMIT / 2)
#define NEAR (((ulong)NEAR_LIMIT << 24) + NEAR_LIMIT)
#define FAR_BITS (((ulong)1 << 23) | ((ulong)1 << 47))

/* Of two locations, none of which is missing or a cell of a colour. */
LANE int are_near(ulong a, ulong b) { return (((a + NEAR) | (b + NEAR)) & (FAR_BITS | (ulong)0xffff << 48)) == 0; }

/* What a column has in place of a value: one of enum stand_in, cl/program.h. */
LANE word stand_in_word(uint stand_in) {
    return stand_in < 2 ? 0 : stand_in == 2 ? NONE : stand_in == 3 ? EMPTY_IJ : NO_PAIR;
}
LANE int is_missing_ij(word w) { return (w | 1) == NO_PAIR; }

/* An int as a grid's byte, if it fits. */
LANE int fits_byte(int v) { return v == NONE || (v >= -127 && v <= 127); }
LANE int byte_of_int(int v) { return v == NONE ? NO_CELL : v; }

LANE int int_of_byte(int b) { return b == NO_CELL ? NONE : b; }
LANE int int_of_colour(int c) { return c == NO_COLOUR ? NONE : c; }
LANE int colour_of_byte(int b) { return b == NO_CELL ? NO_COLOUR : b; }

#endif
