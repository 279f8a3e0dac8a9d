/* Tests of lib/search/lane_hash.c: equal values have equal numbers, wherever they lie and whatever is behind the cells
 * of grids; other values, and the same words of another type, have others. */
#include "program/packed_value.h"
#include "search/lane_hash.h"

#include "greatest.h"

enum { WORDS = 64 };

/* A grid of bytes at some place, with something behind its last cell. */
static word put_grid(word *storage, uint at, int h, int w, const signed char *cells, signed char behind) {
    signed char *to = (signed char *)(storage + at);
    size_t words = (size_t)(h * w + 7) / 8;
    for (size_t i = 0; i < 8 * words; i++) to[i] = i < (size_t)(h * w) ? cells[i] : behind;
    return made_ref(at, (uint)h << 16 | (uint)w);
}

TEST grids_are_their_cells(void) {
    static const signed char cells[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1}, others[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 2};
    word here[WORDS] = {0}, there[WORDS] = {0};
    word a = put_grid(here, 3, 2, 5, cells, 0), b = put_grid(there, 20, 2, 5, cells, 7);
    word turned = put_grid(there, 30, 5, 2, cells, 0), other = put_grid(there, 40, 2, 5, others, 0);
    ASSERT_EQ(lane_hash(here, T_GRID, a), lane_hash(there, T_GRID, b));
    ASSERT(lane_hash(here, T_GRID, a) != lane_hash(there, T_GRID, turned));
    ASSERT(lane_hash(here, T_GRID, a) != lane_hash(there, T_GRID, other));
    PASS();
}

TEST numbers_differ_from_pairs(void) {
    ASSERT(lane_hash(NULL, T_INT, 5) != lane_hash(NULL, T_INT, 6));
    ASSERT(lane_hash(NULL, T_INT, 5) != lane_hash(NULL, T_IJ, 5));
    ASSERT(lane_hash(NULL, type_parse("{ij}"), 0) != lane_hash(NULL, type_parse("{cell}"), 0));
    PASS();
}

/* Sets of sets: what belongs to which of them matters, and where they lie does not. */
TEST parts_of_parts_count(void) {
    type_code type = type_parse("[[int]]");
    word first[WORDS] = {0, 0, 7, 8, 9}, moved[WORDS] = {0}, other[WORDS] = {0, 0, 7, 8, 9};
    first[0] = made_ref(2, 1);
    first[1] = made_ref(3, 2);
    other[0] = made_ref(2, 2);
    other[1] = made_ref(4, 1);
    word whole = made_ref(0, 2);
    uint end = 11;
    word copied = value_place(first, type, whole, moved, &end);
    ASSERT(copied != whole);
    ASSERT_EQ(lane_hash(first, type, whole), lane_hash(moved, type, copied));
    ASSERT(lane_hash(first, type, whole) != lane_hash(other, type, whole));
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_TEST(grids_are_their_cells);
    RUN_TEST(numbers_differ_from_pairs);
    RUN_TEST(parts_of_parts_count);
    GREATEST_MAIN_END();
}
