/* Tests of lib/base/name_distance.c: the distance is a distance, and guesses are not wild. */
#include "arcl.h"
#include "greatest.h"

static const char *const names[] = {"", "a", "rot90", "rto90", "rot180", "fill", "fil", "underfill", "score"};
enum { NAMES = sizeof names / sizeof names[0] };

TEST known_distances(void) {
    ASSERT_EQ(0, arcl_name_distance("fill", "fill"));
    ASSERT_EQ(1, arcl_name_distance("fil", "fill"));    /* one more */
    ASSERT_EQ(1, arcl_name_distance("filll", "fill"));  /* one less */
    ASSERT_EQ(1, arcl_name_distance("fyll", "fill"));   /* another */
    ASSERT_EQ(1, arcl_name_distance("rto90", "rot90")); /* exchanged */
    ASSERT_EQ(3, arcl_name_distance("kitten", "sitting"));
    ASSERT_EQ(5, arcl_name_distance("", "score"));
    PASS();
}

TEST it_is_a_distance(void) {
    for (int i = 0; i < NAMES; i++)
        for (int j = 0; j < NAMES; j++) {
            int d = arcl_name_distance(names[i], names[j]);
            ASSERT_EQ(d, arcl_name_distance(names[j], names[i]));
            ASSERT_EQ(i == j, d == 0);
        }
    PASS();
}

TEST long_names_are_far(void) {
    ASSERT_EQ(32, arcl_name_distance("fill", "a name of more than thirty-two letters"));
    ASSERT_EQ(32, arcl_name_distance("a name of more than thirty-two letters", "fill"));
    ASSERT_EQ(1, arcl_name_distance("12345678901234567890123456789012", "1234567890123456789012345678901"));
    PASS();
}

TEST guesses(void) {
    ASSERT(arcl_name_is_near("fil", "fill"));
    ASSERT(arcl_name_is_near("solve_fa11d04", "solve_fa11d043"));
    ASSERT_FALSE(arcl_name_is_near("frobnicate", "rot90"));
    ASSERT_FALSE(arcl_name_is_near("x", "y"));
    ASSERT_FALSE(arcl_name_is_near("ab", "cd"));
    ASSERT_FALSE(arcl_name_is_near("abc", "d"));
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_TEST(known_distances);
    RUN_TEST(it_is_a_distance);
    RUN_TEST(long_names_are_far);
    RUN_TEST(guesses);
    GREATEST_MAIN_END();
}
