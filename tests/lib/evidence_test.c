/* What may be concluded from the times of runs, and what may not. */
#include "profile/evidence.h"

#include <math.h>

#include "greatest.h"
#include "support/evaluation.h"

/* About 1, give or take a tenth. */
static double usual(randomness *r) { return 0.9 + random_below(r, 200) / 1000.0; }

TEST a_few_say_nothing(void) {
    evidence e = {0};
    double factor;
    for (int i = 0; i < EVIDENCE_LEAST - 1; i++) {
        evidence_add(&e, 100);
        ASSERT_FALSE(evidence_speaks(&e, &factor));
    }
    evidence_add(&e, 100);
    ASSERT(evidence_speaks(&e, &factor));
    ASSERT(fabs(factor - 100) < 1);
    PASS();
}

TEST a_tenth_inflated_says_nothing(void) {
    for (unsigned seed = 1; seed <= 20; seed++) {
        evidence e = {0};
        randomness r = {seed};
        double factor;
        for (int i = 0; i < 5000; i++) {
            evidence_add(&e, usual(&r) * (random_below(&r, 10) ? 1 : 100));
            ASSERT_FALSE(evidence_speaks(&e, &factor));
        }
    }
    PASS();
}

TEST steady_ones_speak(void) {
    evidence e = {0};
    randomness r = {7};
    double factor = 0;
    for (int i = 0; i < EVIDENCE_KEPT; i++) evidence_add(&e, 3 * usual(&r));
    ASSERT(evidence_speaks(&e, &factor));
    ASSERT(fabs(factor - 3) < 0.4);
    evidence_clear(&e);
    ASSERT_FALSE(evidence_speaks(&e, &factor));
    PASS();
}

TEST scattered_ones_say_nothing(void) {
    static const double scattered[] = {0.1, 9, 0.3, 4, 12, 0.2, 0.15, 2.5, 7, 0.4, 1.2};
    evidence e = {0};
    double factor;
    for (int i = 0; i < 11; i++) evidence_add(&e, scattered[i]);
    ASSERT_FALSE(evidence_speaks(&e, &factor));
    PASS();
}

TEST no_numbers_are_left_out(void) {
    evidence e = {0};
    evidence_add(&e, NAN);
    evidence_add(&e, INFINITY);
    evidence_add(&e, 0);
    evidence_add(&e, -1);
    ASSERT_EQ(0, e.count);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_TEST(a_few_say_nothing);
    RUN_TEST(a_tenth_inflated_says_nothing);
    RUN_TEST(steady_ones_speak);
    RUN_TEST(scattered_ones_say_nothing);
    RUN_TEST(no_numbers_are_left_out);
    GREATEST_MAIN_END();
}
