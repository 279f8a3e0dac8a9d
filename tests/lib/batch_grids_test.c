/* Tests of arcl_batch_add_grids: grids from one array come out of a run as grids that were added one by one, whatever
 * the strides, and a block that is refused leaves the batch as it was. */
#include "support/evaluation.h"

#include "greatest.h"

static arcl_context *context;

enum { COUNT = 5, SIDE = 12, ROOM = COUNT * SIDE * SIDE };
static signed char cells[ROOM];

/* Every way in which an array may lie in memory, for every size up to one whose rows are longer than a word. */
TEST blocks_are_the_grids_that_they_have(ptrdiff_t grid_gap, ptrdiff_t row_gap, int backwards) {
    for (int h = 1; h <= 9; h++)
        for (int w = 1; w <= 9; w++) {
            ptrdiff_t row = w + row_gap, grid = grid_gap < 0 ? 0 : h * row + grid_gap;
            const signed char *first = cells;
            if (backwards) {
                first += (COUNT - 1) * grid + (h - 1) * row;
                grid = -grid;
                row = -row;
            }
            arcl_batch *block, *single;
            char many[8192];
            ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid", &block, NULL));
            ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid", &single, NULL));
            ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grids(block, COUNT, h, w, first, grid, row, NULL));
            for (int n = 0; n < COUNT; n++) {
                signed char dense[SIDE * SIDE];
                for (int i = 0; i < h * w; i++) dense[i] = first[n * grid + i / w * row + i % w];
                ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grid(single, h, w, dense, NULL));
            }
            ASSERT_EQ_FMT((unsigned)COUNT, arcl_batch_lanes(block), "%u");
            snprintf(many, sizeof many, "%s", batch_evaluate(context, single, "grid", "a"));
            ASSERT_STR_EQ(many, batch_evaluate(context, block, "grid", "a"));
            arcl_batch_free(block);
            arcl_batch_free(single);
        }
    PASS();
}

TEST grids_without_cells(void) {
    arcl_batch *b;
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid", &b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grids(b, 2, 0, 0, NULL, 0, 0, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grids(b, 0, 3, 3, NULL, 0, 0, NULL));
    ASSERT_STR_EQ("[]; []", batch_evaluate(context, b, "grid", "a"));
    arcl_batch_free(b);
    PASS();
}

/* Grids that are several arguments of a lane, or parts of one. */
TEST grids_inside_lanes(void) {
    static const signed char four[] = {1, 2, 3, 4};
    arcl_batch *b;
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid grid", &b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grids(b, 3, 1, 1, four, 1, 1, NULL));
    ASSERT_EQ_FMT(1u, arcl_batch_lanes(b), "%u");
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grids(b, 1, 1, 1, four + 3, 1, 1, NULL));
    ASSERT_STR_EQ("[[[1]],[[2]]]; [[[3]],[[4]]]", batch_evaluate(context, b, "grid grid", "astuple(a, b)"));
    arcl_batch_free(b);
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "[grid] (int,grid,grid)", &b, NULL));
    ASSERT_EQ(ARCL_INVALID, arcl_batch_add_grids(b, 1, 1, 1, four, 1, 1, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_open(b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grids(b, 4, 1, 1, four, 1, 1, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_open(b, NULL)); /* a grid, number by number: not the place for others */
    ASSERT_EQ(ARCL_INVALID, arcl_batch_add_grids(b, 1, 1, 1, four, 1, 1, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_close(b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_close(b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_open(b, NULL));
    ASSERT_EQ(ARCL_INVALID, arcl_batch_add_grids(b, 1, 1, 1, four, 1, 1, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_int(b, 7, NULL));
    ASSERT_EQ(ARCL_INVALID, arcl_batch_add_grids(b, 3, 1, 1, four, 1, 1, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grids(b, 2, 1, 1, four, 1, 1, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_close(b, NULL));
    ASSERT_STR_EQ("[[[[1]],[[2]],[[3]],[[4]],[]],[7,[[1]],[[2]]]]",
                  batch_evaluate(context, b, "[grid] (int,grid,grid)", "astuple(a, b)"));
    arcl_batch_free(b);
    PASS();
}

TEST a_block_that_is_refused_changes_nothing(void) {
    signed char bad[27];
    arcl_batch *b;
    arcl_error error;
    memset(bad, 3, sizeof bad);
    bad[20] = -128; /* what stands for none inside */
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid", &b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grids(b, 1, 1, 2, cells, 2, 2, NULL));
    ASSERT_EQ(ARCL_INVALID, arcl_batch_add_grids(b, 3, 3, 3, bad, 9, 3, &error));
    ASSERT_STR_EQ("grid 2: -128 is outside the range of a grid's cell", error.message);
    ASSERT_EQ(ARCL_INVALID, arcl_batch_add_grids(b, 1, 1, 70000, bad, 9, 3, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grids(b, 2, 3, 3, bad, 9, 3, &error));
    ASSERT_STR_EQ("", error.message);
    ASSERT_STR_EQ("[[0,1]]; [[3,3,3],[3,3,3],[3,3,3]]; [[3,3,3],[3,3,3],[3,3,3]]",
                  batch_evaluate(context, b, "grid", "a"));
    arcl_batch_free(b);
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid int", &b, NULL));
    ASSERT_EQ(ARCL_INVALID, arcl_batch_add_grids(b, 2, 1, 1, cells, 1, 1, &error));
    ASSERT_STR_EQ("grids where another type is expected", error.message);
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grids(b, 1, 1, 1, cells, 1, 1, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_int(b, 1, NULL));
    ASSERT_EQ_FMT(1u, arcl_batch_lanes(b), "%u");
    arcl_batch_free(b);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    for (int i = 0; i < ROOM; i++) cells[i] = (signed char)(i % 11 - (i > 100 ? 1 : 0));
    if (arcl_context_create(NULL, &context, NULL)) return 1;
    RUN_TESTp(blocks_are_the_grids_that_they_have, 0, 0, 0);
    RUN_TESTp(blocks_are_the_grids_that_they_have, 3, 0, 0);
    RUN_TESTp(blocks_are_the_grids_that_they_have, 0, 3, 0);
    RUN_TESTp(blocks_are_the_grids_that_they_have, 1, 2, 1);
    RUN_TESTp(blocks_are_the_grids_that_they_have, -1, 0, 0); /* one grid again and again */
    RUN_TEST(grids_without_cells);
    RUN_TEST(grids_inside_lanes);
    RUN_TEST(a_block_that_is_refused_changes_nothing);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
