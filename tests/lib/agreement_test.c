/* A program means one thing, however it is run: alone, with other threads and chunks, cached, as a battery, as the text
 * of a battery, as its normal form (support/agreement.h). Programs of which that was not so, and many that are made of
 * those of tests/vectors and examples by random edits. */
#include "support/agreement.h"
#include "support/mutation.h"
#include "support/vector_programs.h"

#include "greatest.h"

enum { MOST_PROGRAMS = 2000, SOURCES = 1000, MEMBERS = 4, MOST_EDITS = 3 };
#define BUDGET (1u << 12)
#define SMALL_BUDGET 300

static agreement ways;

TEST agree(const char *programs) {
    if (!programs_agree(&ways, programs, strlen(programs))) {
        fprintf(stderr, "%s\n%s", programs, ways.problem.at);
        FAILm("a program means two things");
    }
    PASS();
}

/* ---- programs of which it was not so ---- */

/* Of several failures that nobody needs, the one that comes first in the normal form is the lane's status. */
static const char statuses[] = "def p(I):\n"
                               "    x1 = difference(I, I)\n"
                               "    x2 = add((2, 2), difference(x1, x1))\n"
                               "    x3 = outbox(x1)\n"
                               "    x4 = first(x1)\n"
                               "    x5 = rightmost(x1)\n"
                               "    return x1\n";
static const char pairs[] = "def p(S, I):\n"
                            "    x1 = first(difference(I, I))\n"
                            "    x2 = outbox(difference(I, I))\n"
                            "    x3 = subgrid(difference(S, S), I)\n"
                            "    return last(first(S))\n"
                            "def q(I, S):\n"
                            "    x1 = outbox(difference(I, I))\n"
                            "    x2 = first(difference(I, I))\n"
                            "    x3 = subgrid(difference(S, S), I)\n"
                            "    return first(last(S))\n";
static const char unused[] = "def p(I):\n    x1 = missing\n    return I\n"
                             "def q(I):\n    x1 = (other, missing)\n    return rot90(I)\n"
                             "def r(I):\n    x1 = first(missing)\n    x2 = first(other)\n    return add(missing, x1)\n";
/* Most of these calls fail in every lane, but none before the budget is used up. */
static const char budget[] = "def p(I):\n"
                             "    x1 = prapply(product, I, I)\n"
                             "    x2 = argmin(x1, center)\n"
                             "    x3 = mfilter(x1, square)\n"
                             "    x4 = mapply(rbind(connect, x3(UNITY)), x2)\n"
                             "    return urcorner(missing)\n";

/* With a budget of SMALL_BUDGET: a lane that is over before its program knows which result it has; */
static const char two_types[] = "def p(I):\n"
                                "    x1 = papply(product, I, I)\n"
                                "    x2 = branch(T, compose(first, shape), height)\n"
                                "    x3 = mostcommon(x1)\n"
                                "    x4 = compose(compose(neighbors, halve), lbind(add, urcorner(x3)))\n"
                                "    x5 = apply(x4, x3)\n"
                                "    x6 = argmax(intersection(x5, x5), shape)\n"
                                "    return valmax(x6, rbind(multiply, x2(I)))\n";
/* what is the same in all lanes and more than the budget. */
static const char shared_budget[] = "def p(I):\n"
                                    "    x1 = asobject(canvas(FIVE, (10, 10)))\n"
                                    "    x2 = fill(I, EIGHT, x1)\n"
                                    "    x3 = asobject(canvas(FIVE, (12, 12)))\n"
                                    "    return fill(x2, TWO, x3)\n"
                                    "def q(I):\n"
                                    "    x1 = asobject(canvas(FIVE, (10, 10)))\n"
                                    "    x2 = fill(I, EIGHT, x1)\n"
                                    "    x3 = asobject(canvas(FIVE, (12, 13)))\n"
                                    "    return fill(x2, TWO, x3)\n";
/* What fails in all lanes alike, after one of them, alone in its chunk, has used up its budget; twice, so that a
 * battery of both has one account. */
#define FAILS_FOR_ALL                                                                                                  \
    "    x1 = asindices(I)\n"                                                                                          \
    "    x2 = size(product(x1, x1))\n"                                                                                 \
    "    x3 = first(repeat(ONE, ZERO))\n"                                                                              \
    "    return add(x2, x3)\n"
static const char shared_failure[] = "def p(I):\n" FAILS_FOR_ALL "def q(I):\n" FAILS_FOR_ALL;
/* With BUDGET: a step that takes all of it, and comes before a failure only where it is shared. */
#define BEFORE_THE_RESULT                                                                                              \
    "    x1 = order(I, leastcommon)\n"                                                                                 \
    "    x2 = argmin(x1, last)\n"                                                                                      \
    "    x3 = rbind(equality, x2)\n"                                                                                   \
    "    x4 = sfilter(I, x3)\n"                                                                                        \
    "    x5 = prapply(product, x1, I)\n"                                                                               \
    "    x8 = chain(merge, initset, first)\n"                                                                          \
    "    x9 = x8(x5)\n"                                                                                                \
    "    x10 = lbind(remove, EIGHT)\n"                                                                                 \
    "    x11 = fork(astuple, leastcommon, leastcommon)\n"                                                              \
    "    x12 = compose(x11, x10)\n"                                                                                    \
    "    x13 = argmax(x4, x12)\n"
static const char shared_step[] = "def p(I):\n" BEFORE_THE_RESULT "    O = prapply(add, x9, x13)\n"
                                  "    return O\n"
                                  "def q(I):\n" BEFORE_THE_RESULT "    O = prapply(add, I, x13)\n"
                                  "    return O\n"
                                  "\n";
/* A failure inside a mapped function, after which a battery goes on until the budget is used up. */
static const char failure_below[] = "def p(I):\n"
                                    "    x1 = order(I, leastcommon)\n"
                                    "    x2 = argmin(x1, last)\n"
                                    "    x3 = rbind(equality, x2)\n"
                                    "    x4 = sfilter(I, x3)\n"
                                    "    x5 = prapply(product, x1, I)\n"
                                    "    x8 = chain(merge, initset, first)\n"
                                    "    x9 = x8(x5)\n"
                                    "    x10 = lbind(remove, EIGHT)\n"
                                    "    x11 = fork(astuple, leastcommon, leastcommon)\n"
                                    "    x12 = x5(x11, x10)\n"
                                    "    x13 = argmax(x4, 1000000000)\n"
                                    "    O = prapply(add, x5, x13)\n"
                                    "    return O\n"
                                    "def q(I):\n"
                                    "    x1 = order(I, leastcommon)\n"
                                    "    x2 = argmin(x1, last)\n"
                                    "    x3 = rbind(equality, x2)\n"
                                    "    x4 = sfilter(I, x3)\n"
                                    "    x4 = sfilter(I, x3)\n"
                                    "    x5 = prapply(product, x1, I)\n"
                                    "    x8 = chain(merge, initset, first)\n"
                                    "    x9 = x8(x5)\n"
                                    "    x10 = lbind(remove, EIGHT)\n"
                                    "    x11 = fork(astuple, leastcommon, x2, leastcommon)\n"
                                    "    x12 = compose(x11, x10)\n"
                                    "    x13 = argmax(x4, x12)\n"
                                    "    O = prapply(add, I, x13)\n"
                                    "    return O\n";

/* In tokpidjin: what is missing in all lanes alike, and a budget that is refused for the sake of the other program. */
static const char missing_for_all[] = "def p(I):\n"
                                      "    x1 = order(I, leastcommon)\n"
                                      "    x2 = argmin(x1, last)\n"
                                      "    x5 = prapply(product, x1, I)\n"
                                      "    return O\n"
                                      "def TWO(I):\n"
                                      "    x1 = order(I, leastcommon)\n"
                                      "    x2 = argmin(x1, size)\n"
                                      "    x3 = rbind(equality, x2)\n"
                                      "    x4 = sfilter(I, x3)\n"
                                      "    x8 = chain(identity(merge), initset, first)\n"
                                      "    x9 = x8(compress(x5))\n"
                                      "    return O\n";

/* ---- how many calls fail ---- */

/* The failures of lane 0 under the safe policy. */
static uint32_t failures_of(const char *program) {
    arcl_compile_options options = {.policy = ARCL_SAFE};
    arcl_source *source;
    arcl_program *p;
    arcl_result *r;
    if (arcl_source_parse(ways.plain, program, strlen(program), "p.py", &source, NULL)) abort();
    if (arcl_program_compile(ways.plain, source, 0, &options, &p, NULL)) abort();
    arcl_batch *batch = agreement_batch(ways.plain, &ways, "grid");
    if (arcl_run(ways.plain, p, batch, &r, NULL)) abort();
    uint32_t failures = arcl_result_failures(r, 0);
    arcl_result_free(r);
    arcl_batch_free(batch);
    arcl_program_free(p);
    arcl_source_free(source);
    return failures;
}

TEST equal_calls_fail_once(void) {
    static const char once[] = "def p(I):\n"
                               "    x1 = upscale(LEFT, RIGHT)\n"
                               "    x2 = lowermost(x1)\n"
                               "    return invert(x2)\n";
    static const char twice[] = "def p(I):\n"
                                "    x1 = upscale(LEFT, RIGHT)\n"
                                "    x2 = lowermost(x1)\n"
                                "    x3 = lowermost(x1)\n"
                                "    return invert(x3)\n";
    ASSERT_EQ_FMT(2u, failures_of(once), "%u");
    ASSERT_EQ_FMT(2u, failures_of(twice), "%u");
    PASS();
}

/* ---- random edits ---- */

static char *programs[MOST_PROGRAMS];
static int program_count;

/* The definitions of a file. */
static void read_definitions(const char *path) {
    FILE *f = fopen(path, "r");
    text one = {0};
    char *line = NULL;
    size_t room = 0;
    text_clear(&one);
    for (int more = 1; f && more;) {
        more = getline(&line, &room, f) > 0;
        int begins = more && strncmp(line, "def ", 4) == 0;
        if ((begins || !more) && strncmp(one.at, "def ", 4) == 0 && program_count < MOST_PROGRAMS)
            programs[program_count++] = strdup(one.at);
        if (begins) text_clear(&one);
        if (more) text_add(&one, line);
    }
    text_free(&one);
    free(line);
    if (f) fclose(f);
}

/* One program and some made of it, so that they have much in common, and nothing in common with others. */
TEST edited_programs_agree(uint64_t seed) {
    randomness r = {seed};
    text source = {0}, edited = {0};
    for (int n = 0; n < SOURCES; n++) {
        const char *from = programs[random_below(&r, (uint32_t)program_count)];
        text_clear(&source);
        for (int i = 0; i < MEMBERS; i++) {
            text_clear(&edited);
            text_add(&edited, from);
            for (uint32_t edits = random_below(&r, MOST_EDITS + 1); i && edits; edits--) mutate_program(&r, &edited);
            text_add(&source, edited.at);
            text_add(&source, "\n");
        }
        CHECK_CALL(agree(source.at));
    }
    text_free(&source);
    text_free(&edited);
    ASSERTm("hardly any program has run", ways.runs > 4 * SOURCES);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    read_definitions(EXAMPLES "/programs.py");
    read_vector_programs(VECTORS "/fused.jsonl", programs, MOST_PROGRAMS, &program_count);
    read_vector_programs(VECTORS "/programs.jsonl", programs, MOST_PROGRAMS, &program_count);
    if (program_count < 100) {
        fprintf(stderr, "hardly any programs in " VECTORS " and " EXAMPLES "\n");
        return EXIT_FAILURE;
    }
    agreement_open(&ways, BUDGET);
    RUN_TESTp(agree, statuses);
    RUN_TESTp(agree, pairs);
    RUN_TESTp(agree, unused);
    RUN_TESTp(agree, budget);
    RUN_TESTp(agree, shared_step);
    RUN_TESTp(agree, failure_below);
    RUN_TESTp(agree, missing_for_all);
    RUN_TEST(equal_calls_fail_once);
    RUN_TESTp(edited_programs_agree, 11);
    agreement_close(&ways);
    agreement_open(&ways, SMALL_BUDGET);
    RUN_TESTp(agree, two_types);
    RUN_TESTp(agree, shared_budget);
    RUN_TESTp(agree, shared_failure);
    RUN_TESTp(edited_programs_agree, 12);
    agreement_close(&ways);
    for (int i = 0; i < program_count; i++) free(programs[i]);
    GREATEST_MAIN_END();
}
