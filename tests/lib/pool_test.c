/* Tests of lib/base/pool.h: zeroed, aligned, separate pieces; memory that is kept over a reset. */
#include "base/pool.h"

#include <stdint.h>

#include "greatest.h"

static int all_zero(const unsigned char *at, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (at[i]) return 0;
    return 1;
}

TEST pieces_are_zeroed_aligned_and_apart(void) {
    pool p = {0};
    unsigned char *piece[400];
    size_t size[400];
    for (int i = 0; i < 400; i++) {
        size[i] = (size_t)(i * 7 % 1500 + 1);
        piece[i] = pool_get(&p, size[i]);
        ASSERT(piece[i]);
        ASSERT_EQ((uintptr_t)0, (uintptr_t)piece[i] % _Alignof(max_align_t));
        ASSERT(all_zero(piece[i], size[i]));
        memset(piece[i], i % 255 + 1, size[i]);
    }
    for (int i = 0; i < 400; i++)
        for (size_t n = 0; n < size[i]; n++) ASSERT_EQ(i % 255 + 1, piece[i][n]);
    pool_free(&p);
    PASS();
}

TEST a_piece_may_be_larger_than_a_block(void) {
    pool p = {0};
    size_t large = (size_t)5 << 20;
    unsigned char *before = pool_get(&p, 100), *big = pool_get(&p, large), *after = pool_get(&p, 100);
    ASSERT(before && big && after);
    memset(before, 1, 100);
    memset(after, 2, 100);
    ASSERT(all_zero(big, large));
    memset(big, 3, large);
    ASSERT_EQ(1, before[99]);
    ASSERT_EQ(2, after[0]);
    pool_free(&p);
    PASS();
}

TEST nothing_at_all_is_a_piece_too(void) {
    pool p = {0};
    ASSERT(pool_get(&p, 0));
    pool_free(&p);
    PASS();
}

TEST a_reset_pool_gives_the_same_memory_zeroed(void) {
    pool p = {0};
    void *first = pool_get(&p, 1000);
    for (int i = 0; i < 300; i++) {
        void *at = pool_get(&p, 1000);
        ASSERT(at);
        memset(at, 0xff, 1000);
    }
    pool_reset(&p);
    ASSERT_EQ(first, pool_get(&p, 1000));
    for (int i = 0; i < 300; i++) ASSERT(all_zero(pool_get(&p, 1000), 1000));
    pool_free(&p);
    PASS();
}

/* Rounds that ask for small, then large pieces must neither lose blocks nor use one that is too small. */
TEST resets_with_changing_sizes(void) {
    pool p = {0};
    for (int round = 0; round < 20; round++) {
        size_t size = round % 2 ? 200000 : 500;
        for (int i = 0; i < 200 / (round % 2 ? 20 : 1); i++) {
            unsigned char *at = pool_get(&p, size);
            ASSERT(at && all_zero(at, size));
            memset(at, 0xaa, size);
        }
        pool_reset(&p);
    }
    pool_free(&p);
    PASS();
}

TEST freed_and_empty_pools_can_be_used(void) {
    pool p = {0};
    pool_reset(&p);
    pool_free(&p);
    ASSERT(pool_get(&p, 10));
    pool_free(&p);
    ASSERT(pool_get(&p, 10));
    pool_free(&p);
    PASS();
}

/* What was given out before stays what it is, in both pools; what is given out after is elsewhere. */
TEST a_pool_adopts_what_another_has_given_out(int mine, int others) {
    pool p = {0}, from = {0};
    unsigned char *piece[600];
    int count = 0;
    for (; count < mine; count++) memset(piece[count] = pool_get(&p, 1000), count % 255, 1000);
    for (; count < mine + others; count++) memset(piece[count] = pool_take(&from, 1000), count % 255, 1000);
    pool_adopt(&p, &from);
    ASSERT(!from.first && !from.held);
    for (; count < 600; count++) memset(piece[count] = pool_take(&p, 1000), count % 255, 1000);
    for (int i = 0; i < count; i++)
        for (int n = 0; n < 1000; n++) ASSERT_EQ(i % 255, piece[i][n]);
    pool_reset(&p);
    for (int i = 0; i < count; i++) ASSERT(all_zero(pool_get(&p, 1000), 1000));
    pool_free(&p);
    PASS();
}

SUITE(pools) {
    RUN_TESTp(a_pool_adopts_what_another_has_given_out, 0, 0);
    RUN_TESTp(a_pool_adopts_what_another_has_given_out, 0, 200);
    RUN_TESTp(a_pool_adopts_what_another_has_given_out, 1, 200);
    RUN_TESTp(a_pool_adopts_what_another_has_given_out, 200, 1);
    RUN_TESTp(a_pool_adopts_what_another_has_given_out, 200, 0);

    RUN_TEST(pieces_are_zeroed_aligned_and_apart);
    RUN_TEST(a_piece_may_be_larger_than_a_block);
    RUN_TEST(nothing_at_all_is_a_piece_too);
    RUN_TEST(a_reset_pool_gives_the_same_memory_zeroed);
    RUN_TEST(resets_with_changing_sizes);
    RUN_TEST(freed_and_empty_pools_can_be_used);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(pools);
    GREATEST_MAIN_END();
}
