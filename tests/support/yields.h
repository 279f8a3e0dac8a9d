/* The test of which most tests of the language are made: what a body gives for some lanes, written as evaluation.h
 * says. */
#ifndef ARCL_YIELDS_H
#define ARCL_YIELDS_H
#include "support/evaluation.h"

#include "greatest.h"

TEST yields(const char *types, const char *body, const char *lanes, const char *expected) {
    ASSERT_STR_EQm(body, expected, evaluate(types, body, lanes));
    PASS();
}

#endif
