/* Tests of cl/rows.h: grids made row by row, of one form each, and what is read back from them. */
#include "cl/compare.h"

#include "greatest.h"

static word arena[1 << 12];
static uint used = 1;

static lane new_lane(void) {
    lane k = {.arena = arena};
    return k;
}

/* A grid of rows of digits, separated by blanks. */
static word grid_of_rows(const char *text) {
    lane k = new_lane();
    int h = 1;
    for (const char *c = text; *c; c++) h += *c == ' ';
    row_maker m = rows_at(used, h);
    for (const char *c = text; m.made < h; c++) {
        int length = 0;
        while (c[length] && c[length] != ' ') length++;
        word *to = add_row(&k, &m, length);
        for (int j = 0; j < length; j++) to[j] = *c++ - '0';
    }
    word made = made_rows(&k, m);
    used += k.used;
    return made;
}

TEST even_rows_make_a_rectangle(void) {
    lane k = new_lane();
    grid g = grid_of(&k, grid_of_rows("123456789 987654321 111111111"));
    ASSERT(!g.rows);
    ASSERT_EQ_FMT(3, g.h, "%d");
    ASSERT_EQ_FMT(9, g.w, "%d");
    for (int j = 0; j < 9; j++) {
        ASSERT_EQ_FMT(j + 1, g.at[j], "%d");
        ASSERT_EQ_FMT(9 - j, g.at[9 + j], "%d");
        ASSERT_EQ_FMT(1, g.at[18 + j], "%d");
    }
    PASS();
}

TEST uneven_rows_stay_as_they_are(void) {
    lane k = new_lane();
    grid g = grid_of(&k, grid_of_rows("12  34567"));
    ASSERT(g.rows);
    ASSERT_EQ_FMT(3, g.h, "%d");
    ASSERT_EQ_FMT(2, g.w, "%d");
    ASSERT_EQ_FMT(0, row_length(g, 1), "%d");
    ASSERT_EQ_FMT(5, row_length(g, 2), "%d");
    ASSERT_EQ_FMT(7, cell_at(&k, g, 2, 4), "%d");
    ASSERT_EQ_FMT(0, shortest_row(g), "%d");
    ASSERT_EQ((word)7, total_cells(g));
    ASSERT(has_rectangle(g, 1, 2));
    ASSERT(!has_rectangle(g, 2, 1));
    PASS();
}

TEST slices_go_by_each_row(void) {
    lane k = new_lane();
    grid g = grid_of(&k, grid_of_rows("12345 67 890"));
    word last_two = slice_rows(&k, g, slices_of(0, 3, -2, MAX_SIDE), used);
    ASSERT_EQ(0, compare(&k, T_GRID, last_two, grid_of_rows("45 67 90")));
    word inner = slice_rows(&k, g, slices_of(0, 3, 1, -1), used);
    ASSERT_EQ(0, compare(&k, T_GRID, inner, grid_of_rows("234  9")));
    ASSERT_EQ((word)0, slice_rows(&k, g, slices_of(2, 1, 0, 5), used));
    PASS();
}

TEST order_is_that_of_tuples(void) {
    lane k = new_lane();
    static const char *const ascending[] = {" 1", "0 00", "1 ", "1 1", "1 10", "1 10 0", "1 2", "10 1", "2 11"};
    for (int a = 0; a < 9; a++)
        for (int b = 0; b < 9; b++) {
            word x = grid_of_rows(ascending[a]), y = grid_of_rows(ascending[b]);
            ASSERT_EQ_FMT((a > b) - (a < b), compare(&k, T_GRID, x, y), "%d");
        }
    PASS();
}

TEST cells_that_are_no_bytes_keep_the_rows(void) {
    lane k = new_lane();
    static const int edge[] = {-128, -127, 127, 128, NONE, 2147483647};
    for (int n = 0; n < 6; n++) {
        row_maker m = rows_at(used, 2);
        add_row(&k, &m, 1)[0] = 5;
        add_row(&k, &m, 1)[0] = edge[n];
        word made = made_rows(&k, m);
        used += k.used;
        grid g = grid_of(&k, made);
        ASSERT_EQ_FMT(!fits_byte(edge[n]), g.rows != 0, "%d");
        ASSERT_EQ_FMT(5, cell_at(&k, g, 0, 0), "%d");
        ASSERT_EQ_FMT(edge[n], cell_at(&k, g, 1, 0), "%d");
        word smaller = grid_of_rows("5 0");
        ASSERT_EQ_FMT((edge[n] > 0) - (edge[n] < 0), compare(&k, T_GRID, made, smaller), "%d");
        ASSERT_EQ_FMT((edge[n] < 0) - (edge[n] > 0), compare(&k, T_GRID, smaller, made), "%d");
    }
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_TEST(even_rows_make_a_rectangle);
    RUN_TEST(uneven_rows_stay_as_they_are);
    RUN_TEST(slices_go_by_each_row);
    RUN_TEST(order_is_that_of_tuples);
    RUN_TEST(cells_that_are_no_bytes_keep_the_rows);
    GREATEST_MAIN_END();
}
