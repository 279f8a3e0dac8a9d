/* Tests of cl/word.h, cl/lane.h, cl/sort.h and cl/compare.h as the host sees them: words at their limits, natural
 * order, sorting; and of the bits of cl/frame.h. */
#include "cl/compare.h"

#include "greatest.h"

static word arena[1 << 16];

static lane new_lane(void) {
    lane k = {.arena = arena};
    return k;
}

/* The same numbers in every run. */
static uint seed = 1;
static int random_below(int n) {
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 8) % (uint)n);
}

/* ---- packing ---- */

static const int coords[] = {-COORD_LIMIT + 1, -COORD_LIMIT + 2, -1000, -2, -1, 0, 1, 2, 83, COORD_LIMIT - 1};
#define COORDS ((int)(sizeof coords / sizeof *coords))
static const int colour_list[] = {NO_COLOUR, NO_COLOUR + 1, -1, 0, 1, 9, 32766, BARE};
#define COLOURS ((int)(sizeof colour_list / sizeof *colour_list))

TEST locations_survive_packing(void) {
    for (int i = 0; i < COORDS; i++)
        for (int j = 0; j < COORDS; j++) {
            word w = loc_word(coords[i], coords[j]);
            ASSERT_EQ_FMT(coords[i], loc_i(w), "%d");
            ASSERT_EQ_FMT(coords[j], loc_j(w), "%d");
            ASSERT_EQ_FMT(0, loc_colour(w), "%d");
        }
    PASS();
}

TEST cells_survive_packing(void) {
    for (int c = 0; c < COLOURS; c++)
        for (int i = 0; i < COORDS; i++)
            for (int j = 0; j < COORDS; j++) {
                word w = colour_word(colour_list[c]) + loc_word(coords[i], coords[j]);
                ASSERT_EQ_FMT(colour_list[c], loc_colour(w), "%d");
                ASSERT_EQ_FMT(coords[i], loc_i(w), "%d");
                ASSERT_EQ_FMT(coords[j], loc_j(w), "%d");
            }
    PASS();
}

TEST words_are_in_natural_order(void) {
    word last = INT64_MIN;
    int first = 1;
    for (int c = 0; c < COLOURS; c++)
        for (int i = 0; i < COORDS; i++)
            for (int j = 0; j < COORDS; j++) { /* the lists ascend, so the words must */
                word w = colour_word(colour_list[c]) + loc_word(coords[i], coords[j]);
                ASSERT(first || last < w);
                last = w;
                first = 0;
            }
    PASS();
}

TEST adding_an_offset_moves_a_cell(void) {
    word cell = colour_word(-3) + loc_word(5, -7);
    word moved = cell + loc_word(-9, 20);
    ASSERT_EQ(-3, loc_colour(moved));
    ASSERT_EQ(-4, loc_i(moved));
    ASSERT_EQ(13, loc_j(moved));
    PASS();
}

TEST results_outside_the_limits_fail_the_lane(void) {
    lane k = new_lane();
    ASSERT_EQ(loc_word(COORD_LIMIT - 1, -COORD_LIMIT + 1), loc_result(&k, COORD_LIMIT - 1, -COORD_LIMIT + 1));
    ASSERT_EQ((word)2147483647, int_result(&k, 2147483647));
    ASSERT_EQ((word)-2147483647, int_result(&k, -2147483647));
    ASSERT_EQ(0, k.status);
    loc_result(&k, COORD_LIMIT, 0);
    ASSERT_EQ(LANE_LIMIT, k.status);
    k = new_lane();
    loc_result(&k, 0, -COORD_LIMIT);
    ASSERT_EQ(LANE_LIMIT, k.status);
    k = new_lane();
    int_result(&k, 2147483648);
    ASSERT_EQ(LANE_LIMIT, k.status);
    k = new_lane();
    int_result(&k, NONE); /* the number that stands for none cannot be computed */
    ASSERT_EQ(LANE_LIMIT, k.status);
    PASS();
}

TEST none_survives_as_colour_and_byte(void) {
    lane k = new_lane();
    ASSERT_EQ(NO_COLOUR, colour_of_int(&k, NONE));
    ASSERT_EQ(NO_CELL, byte_of_int(NONE));
    ASSERT_EQ(NONE, int_of_byte(NO_CELL));
    ASSERT_EQ(NONE, int_of_colour(NO_COLOUR));
    ASSERT_EQ(NO_COLOUR, colour_of_byte(NO_CELL));
    ASSERT_EQ(127, byte_of_int(127));
    ASSERT_EQ(-127, byte_of_int(-127));
    ASSERT(fits_byte(NONE) && fits_byte(127) && fits_byte(-127));
    ASSERT(!fits_byte(128) && !fits_byte(-128));
    ASSERT_EQ(NO_COLOUR + 1, colour_of_int(&k, NO_COLOUR + 1));
    ASSERT_EQ(0, k.status);
    colour_of_int(&k, 32767);
    ASSERT_EQ(LANE_LIMIT, k.status);
    PASS();
}

TEST references_hold_offset_and_size(void) {
    lane k = new_lane();
    word w = made_list(&k, 0xfffffff0u, 7);
    ASSERT_EQ(0xfffffff0u, ref_offset(w));
    ASSERT_EQ(7u, ref_length(w));
    ASSERT_EQ(7u, k.used);
    ASSERT_EQ((word)0, made_list(&k, 55, 0)); /* all empty lists are the same word */
    w = made_grid(&k, 12, MAX_SIDE, 3);
    grid g = grid_of(&k, w);
    ASSERT_EQ(MAX_SIDE, g.h);
    ASSERT_EQ(3, g.w);
    ASSERT_EQ((const cellbyte *)(arena + 12), g.at);
    ASSERT_EQ_FMT((uint)((MAX_SIDE * 3 + 7) / 8), k.used, "%u");
    ASSERT_EQ(0, k.status);
    grid_extent(&k, MAX_SIDE + 1, 1);
    ASSERT_EQ(LANE_LIMIT, k.status);
    PASS();
}

TEST division_rounds_down(void) {
    ASSERT_EQ(3, floor_div(7, 2));
    ASSERT_EQ(-4, floor_div(-7, 2));
    ASSERT_EQ(-4, floor_div(7, -2));
    ASSERT_EQ(3, floor_div(-7, -2));
    ASSERT_EQ(-3, floor_div(-6, 2));
    ASSERT_EQ(0, floor_div(0, -5));
    PASS();
}

TEST extents_that_no_budget_grants_are_one(void) {
    ASSERT_EQ(0u, extent_of(0));
    ASSERT_EQ(MOST_EXTENT - 1, extent_of((word)MOST_EXTENT - 1));
    ASSERT_EQ(MOST_EXTENT, extent_of((word)MOST_EXTENT));
    ASSERT_EQ(MOST_EXTENT, extent_of((word)1 << 32)); /* whose lower half is 0 */
    ASSERT_EQ(MOST_EXTENT, extent_of(INT64_MAX));
    ASSERT_EQ(MOST_EXTENT, extent_of((word)((ulong)3 << 62))); /* which is below zero */
    PASS();
}

TEST bits_are_read_across_words(void) {
    ulong all[] = {0x8000000000000001ul, 0x00ff, 0x1000};
    const ulong *bits = all + 1;
    ASSERT_EQ(63, highest_bit(all[0]));
    ASSERT_EQ(0, highest_bit(1));
    ASSERT_EQ(0, lowest_bit(all[0]));
    ASSERT_EQ(0x00fful, bits_from(bits, 0));
    ASSERT_EQ(0x0ful, bits_from(bits, 4));
    ASSERT_EQ((ulong)0x1000 << 1, bits_from(bits, 63));
    ASSERT_EQ(0x01fful, bits_from(bits, -1)); /* the bit before the first, and those that follow it */
    ASSERT_EQ(all[0], bits_from(bits, -64));
    PASS();
}

SUITE(packing) {
    RUN_TEST(locations_survive_packing);
    RUN_TEST(cells_survive_packing);
    RUN_TEST(words_are_in_natural_order);
    RUN_TEST(adding_an_offset_moves_a_cell);
    RUN_TEST(results_outside_the_limits_fail_the_lane);
    RUN_TEST(none_survives_as_colour_and_byte);
    RUN_TEST(references_hold_offset_and_size);
    RUN_TEST(division_rounds_down);
    RUN_TEST(extents_that_no_budget_grants_are_one);
    RUN_TEST(bits_are_read_across_words);
}

/* ---- sorting words ---- */

static int by_word(const void *a, const void *b) {
    word x = *(const word *)a, y = *(const word *)b;
    return (x > y) - (x < y);
}

#define MOST 600
TEST sorts_like_qsort(int n, int range) {
    word ours[MOST + 1], theirs[MOST], tmp[MOST + 1];
    ours[n] = tmp[n] = 12345; /* neither array may be touched beyond n */
    for (int i = 0; i < n; i++) ours[i] = theirs[i] = loc_word(random_below(range) - range / 2, random_below(range));
    qsort(theirs, (size_t)n, sizeof(word), by_word);
    sort_words(ours, tmp, n);
    for (int i = 0; i < n; i++) ASSERT_EQ(theirs[i], ours[i]);
    ASSERT_EQ(12345, ours[n]);
    ASSERT_EQ(12345, tmp[n]);

    int left = unique_words(ours, n), expected = 0;
    for (int i = 0; i < n; i++)
        if (i == 0 || theirs[i] != theirs[i - 1]) ASSERT_EQ(theirs[i], ours[expected++]);
    ASSERT_EQ_FMT(expected, left, "%d");
    PASS();
}

TEST sorting_ordered_words_changes_nothing(void) {
    word at[100], tmp[100];
    for (int i = 0; i < 100; i++) at[i] = i / 2;
    sort_words(at, tmp, 100);
    for (int i = 0; i < 100; i++) ASSERT_EQ(i / 2, at[i]);
    for (int i = 0; i < 100; i++) at[i] = 100 - i;
    sort_words(at, tmp, 100);
    for (int i = 0; i < 100; i++) ASSERT_EQ(i + 1, at[i]);
    PASS();
}

TEST locations_of_a_patch_are_distinct_and_ordered(void) {
    word cells[] = {colour_word(1) + loc_word(5, 5), colour_word(1) + loc_word(6, 0), colour_word(2) + loc_word(-1, 9),
                    colour_word(2) + loc_word(5, 5)};
    word out[4], tmp[4];
    list p = {cells, 4};
    ASSERT_EQ(3, patch_locations(p, out, tmp));
    ASSERT_EQ(loc_word(-1, 9), out[0]);
    ASSERT_EQ(loc_word(5, 5), out[1]);
    ASSERT_EQ(loc_word(6, 0), out[2]);
    p.n = 2; /* one colour only */
    ASSERT_EQ(2, patch_locations(p, out, tmp));
    ASSERT_EQ(loc_word(5, 5), out[0]);
    p.n = 0;
    ASSERT_EQ(0, patch_locations(p, out, tmp));
    PASS();
}

SUITE(sorting_words) {
    for (int n = 0; n <= 40; n++) RUN_TESTp(sorts_like_qsort, n, 5);
    for (int n = 41; n <= MOST; n += 43) {
        RUN_TESTp(sorts_like_qsort, n, 10);
        RUN_TESTp(sorts_like_qsort, n, 1000000);
    }
    RUN_TEST(sorting_ordered_words_changes_nothing);
    RUN_TEST(locations_of_a_patch_are_distinct_and_ordered);
}

/* ---- values in the arena, made by hand ---- */

static uint used = 1; /* nothing lies at offset 0: the all-zero word is the default */

static word values(const word *at, int n) {
    uint from = used;
    for (int i = 0; i < n; i++) arena[used++] = at[i];
    return n ? made_ref(from, (uint)n) : 0;
}
#define VALUES(...) values((const word[]){__VA_ARGS__}, (int)(sizeof((const word[]){__VA_ARGS__}) / sizeof(word)))

/* A grid of the digits of `rows`, row by row. */
static word grid_value(int h, int w, const char *rows) {
    lane k = new_lane();
    uint at = used;
    used += grid_words(h, w);
    for (int n = 0; n < h * w; n++) cells_at(&k, at)[n] = (cellbyte)(rows[n] - '0');
    return made_grid(&k, at, h, w);
}

static word cell(int colour, int i, int j) { return colour_word(colour) + loc_word(i, j); }

static ulong set_of(ulong t) { return t << 4 | T_SET; }
static ulong tuple_of(ulong t) { return t << 4 | T_TUPLE; }
static ulong record_of(ulong a, int nibbles, ulong b) { return (b << 4 * nibbles | a) << 8 | (ulong)2 << 4 | T_RECORD; }

/* The values are given in natural order, all different; copies of them must be equal. */
TEST ascending(ulong type, const word *at, int n) {
    lane k = new_lane();
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            ASSERT_EQ_FMT((a > b) - (a < b), compare(&k, type, at[a], at[b]), "%d");
            ASSERT_EQ_FMT(a == b, same(&k, type, at[a], at[b]), "%d");
        }
    PASS();
}
#define ASCENDING(type, ...)                                                                                           \
    RUN_TESTp(ascending, type, ((const word[]){__VA_ARGS__}), (int)(sizeof((const word[]){__VA_ARGS__}) / sizeof(word)))

TEST equal_wherever_they_lie(void) {
    lane k = new_lane();
    ulong objects = set_of(set_of(T_CELL));
    word a = VALUES(VALUES(cell(1, 0, 0), cell(1, 0, 1)), VALUES(cell(2, 5, 5)));
    word b = VALUES(VALUES(cell(1, 0, 0), cell(1, 0, 1)), VALUES(cell(2, 5, 5)));
    ASSERT_NEQ(a, b);
    ASSERT_EQ(0, compare(&k, objects, a, b));
    ASSERT(same(&k, objects, a, b));
    word g = grid_value(2, 3, "123456"), h = grid_value(2, 3, "123456");
    ASSERT_NEQ(g, h);
    ASSERT(same(&k, T_GRID, g, h));
    ulong record = record_of(T_INT, 1, tuple_of(T_GRID));
    word x = VALUES(4, VALUES(g, h)), y = VALUES(4, VALUES(h, g));
    ASSERT_EQ(0, compare(&k, record, x, y));
    ASSERT(same(&k, record, x, y));
    PASS();
}

SUITE(comparing) {
    ASCENDING(T_INT, NONE, -5, 0, 3, 2147483647);
    ASCENDING(T_BOOL, 0, 1);
    ASCENDING(T_IJ, loc_word(-2, 9), loc_word(-1, -1), loc_word(0, -1), loc_word(0, 0), loc_word(0, 7),
              loc_word(1, -9));
    ASCENDING(T_CELL, cell(0, 9, 9), cell(1, -1, 0), cell(1, 0, 0), cell(2, -5, -5));
    ASCENDING(set_of(T_INT), 0, VALUES(-1), VALUES(-1, 4), VALUES(-1, 5), VALUES(0));
    ASCENDING(tuple_of(T_IJ), 0, VALUES(loc_word(0, 0)), VALUES(loc_word(0, 0), loc_word(-1, 0)),
              VALUES(loc_word(0, 1)));
    ASCENDING(set_of(T_CELL), VALUES(cell(1, 0, 0), cell(3, 0, 0)), VALUES(cell(1, 0, 1)), VALUES(cell(2, 0, 0)));

    /* Grids compare row by row as tuples do: a shorter row comes first, whatever follows. */
    ASCENDING(T_GRID, 0, grid_value(1, 1, "1"), grid_value(2, 1, "10"), grid_value(1, 2, "10"),
              grid_value(3, 2, "100000"), grid_value(1, 3, "100"), grid_value(2, 1, "20"), grid_value(1, 2, "21"));

    /* Containers of containers. */
    ASCENDING(set_of(set_of(T_CELL)), 0, VALUES(0), VALUES(0, VALUES(cell(1, 0, 0))), VALUES(VALUES(cell(1, 0, 0))),
              VALUES(VALUES(cell(1, 0, 0)), VALUES(cell(1, 0, 1))), VALUES(VALUES(cell(1, 0, 0), cell(2, 0, 0))));
    ASCENDING(tuple_of(tuple_of(tuple_of(T_INT))), VALUES(VALUES(VALUES(1), VALUES(2)), VALUES(VALUES(3))),
              VALUES(VALUES(VALUES(1), VALUES(2)), VALUES(VALUES(4))), VALUES(VALUES(VALUES(1), VALUES(2, 0))),
              VALUES(VALUES(VALUES(1, 0))));
    ASCENDING(tuple_of(T_GRID), VALUES(grid_value(1, 1, "1"), grid_value(1, 1, "9")), VALUES(grid_value(1, 2, "10")),
              VALUES(grid_value(1, 2, "10"), grid_value(1, 1, "0")));

    /* Records: field by field, also where a field is a container, a record or the default. */
    ASCENDING(record_of(T_INT, 1, T_IJ), VALUES(-1, loc_word(9, 9)), 0, VALUES(0, loc_word(0, 1)), VALUES(1, 0));
    ASCENDING(record_of(tuple_of(T_INT), 2, T_INT), VALUES(0, 7), VALUES(VALUES(1), 2), VALUES(VALUES(1), 3),
              VALUES(VALUES(1, 1), 0));
    ASCENDING(record_of(record_of(T_INT, 1, T_GRID), 4, T_BOOL), VALUES(VALUES(1, grid_value(1, 1, "1")), 1),
              VALUES(VALUES(1, grid_value(1, 1, "2")), 0), VALUES(VALUES(1, grid_value(1, 1, "2")), 1),
              VALUES(VALUES(2, 0), 0));
    ASCENDING(set_of(record_of(T_INT, 1, set_of(T_IJ))), VALUES(VALUES(1, 0)),
              VALUES(VALUES(1, 0), VALUES(1, VALUES(loc_word(0, 0)))), VALUES(VALUES(1, VALUES(loc_word(0, 0)))),
              VALUES(VALUES(2, 0)));

    /* Mixed patches: a pair and a cell by their first ints, the pair first where these agree. */
    ASCENDING(T_MIX, cell(BARE, 0, 5), cell(0, 9, 9), cell(BARE, 1, -7), cell(BARE, 1, 3), cell(1, 0, 0), cell(1, 2, 0),
              cell(BARE, 2, 0));
    ASCENDING(set_of(T_MIX), VALUES(cell(BARE, 1, 0)), VALUES(cell(BARE, 1, 0), cell(1, 0, 0)), VALUES(cell(1, 0, 0)),
              VALUES(cell(BARE, 2, 0)));
    ASCENDING(set_of(set_of(T_MIX)), VALUES(VALUES(cell(BARE, 1, 0))), VALUES(VALUES(cell(1, 0, 0))));
    RUN_TEST(equal_wherever_they_lie);
}

/* ---- sorting and searching values of any type ---- */

#define SETS 200
TEST sorting_sets_of_ints(void) {
    lane k = new_lane();
    ulong type = set_of(T_INT);
    word at[SETS], tmp[SETS];
    for (int n = 0; n < SETS; n++) at[n] = VALUES(random_below(3), 3 + random_below(3), 6 + random_below(20));
    int left = sort_unique(&k, type, at, tmp, SETS);
    ASSERT(left > 1 && left < SETS);
    for (int n = 1; n < left; n++) ASSERT_EQ(-1, compare(&k, type, at[n - 1], at[n]));
    list set = {at, left};
    for (int n = 0; n < left; n++) {
        ASSERT_EQ_FMT(n, lower_bound(&k, type, set, at[n]), "%d");
        ASSERT(is_member(&k, set_of(type), set, at[n]));
        ASSERT(is_member(&k, tuple_of(type), set, at[n]));
    }
    word absent = VALUES(0, 3, 100);
    ASSERT_FALSE(is_member(&k, set_of(type), set, absent));
    ASSERT_FALSE(is_member(&k, tuple_of(type), set, absent));
    ASSERT_EQ(left, sort_unique(&k, type, at, tmp, left));
    PASS();
}

TEST sorting_by_keys_is_stable(void) {
    lane k = new_lane();
    word keys[SETS], items[SETS], tmp[2 * SETS];
    for (int n = 0; n < SETS; n++) {
        keys[n] = random_below(7) - 3;
        items[n] = (keys[n] + 3) * SETS + n;
    }
    sort_by(&k, T_INT, keys, items, tmp, SETS);
    for (int n = 1; n < SETS; n++) {
        ASSERT(keys[n - 1] <= keys[n]);
        ASSERT(items[n - 1] < items[n]); /* by key, then by where it was */
    }
    PASS();
}

TEST sorting_mixed_patches(void) {
    lane k = new_lane();
    word at[SETS], tmp[SETS];
    for (int n = 0; n < SETS; n++)
        at[n] = cell(random_below(2) ? BARE : random_below(5), random_below(5), random_below(3));
    int left = sort_unique(&k, T_MIX, at, tmp, SETS);
    for (int n = 1; n < left; n++) ASSERT_EQ(-1, compare(&k, T_MIX, at[n - 1], at[n]));
    ASSERT(left <= 5 * 3 + 5 * 5 * 3);
    PASS();
}

SUITE(sorting_values) {
    RUN_TEST(sorting_sets_of_ints);
    RUN_TEST(sorting_by_keys_is_stable);
    RUN_TEST(sorting_mixed_patches);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(packing);
    RUN_SUITE(sorting_words);
    RUN_SUITE(comparing);
    RUN_SUITE(sorting_values);
    GREATEST_MAIN_END();
}
