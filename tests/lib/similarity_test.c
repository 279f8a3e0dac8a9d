/* Similarity on the host counts what a plain loop counts, on grids of all sizes; what cannot be had is an error;
 * measured costs decide. */
#include "greatest.h"
#include "similarity/similarity.h"
#include "support/grid_collection.h"
#include "support/synthetic_profile.h"

TEST the_host_counts_right(void (*make)(collection *, collection *), int thread_count) {
    static collection a, b;
    arcl_context *c = context_of("host", thread_count);
    arcl_similarity_report report;
    arcl_error error;
    a.count = b.count = 0;
    make(&a, &b);
    ASSERT(c);
    ASSERTm(error.message, counts_are_right(c, NULL, &a, &b, &report, &error));
    ASSERT_STR_EQ("host", report.variant);
    ASSERT_STR_EQ("host", report.device);
    ASSERT_EQ(0, report.measured);
    ASSERT_EQ(0u, (unsigned)report.bytes_moved);
    collection_free(&a);
    collection_free(&b);
    arcl_context_free(c);
    PASS();
}

/* More grids than a block has, on both sides. */
TEST blocks_do_not_show(void) {
    static collection a, b;
    arcl_context *c = context_of("host", 2);
    arcl_error error;
    a.count = b.count = 0;
    ASSERT(c);
    for (int n = 0; n < 1100; n++) {
        add_grid(&a, 1 + random_int(4), 1 + random_int(4), 0, 3);
        add_grid(&b, 1 + random_int(4), 1 + random_int(4), 0, 3);
    }
    ASSERTm(error.message, counts_are_right(c, "host", &a, &b, NULL, &error));
    collection_free(&a);
    collection_free(&b);
    arcl_context_free(c);
    PASS();
}

TEST nothing_to_compare(void) {
    arcl_context *c = context_of(NULL, 1);
    signed char cell = 1;
    arcl_grid one = {1, 1, &cell}, none = {0, 0, NULL};
    uint32_t count = 77;
    ASSERT(c);
    ASSERT_EQ(ARCL_SUCCESS, arcl_similarity(c, "auto", NULL, 0, &one, 1, &count, NULL, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_similarity(c, "auto", &one, 1, NULL, 0, &count, NULL, NULL));
    ASSERT_EQ(77u, count);
    ASSERT_EQ(ARCL_SUCCESS, arcl_similarity(c, "auto", &one, 1, &none, 1, &count, NULL, NULL));
    ASSERT_EQ(0u, count);
    arcl_context_free(c);
    PASS();
}

TEST what_cannot_be_had_is_an_error(void) {
    arcl_context *c = context_of("host", 1);
    signed char cell = 1;
    arcl_grid one = {1, 1, &cell}, wrong = {2, 2, NULL};
    uint32_t count;
    arcl_error error;
    ASSERT(c);
    ASSERT_EQ(ARCL_INVALID, arcl_similarity(c, "fastest", &one, 1, &one, 1, &count, NULL, &error));
    ASSERTm(error.message, strstr(error.message, "'fastest'; there are: auto, host, opencl, clblast"));
    ASSERT_EQ(ARCL_INVALID, arcl_similarity(c, "opencl", &one, 1, &one, 1, &count, NULL, &error));
    ASSERTm(error.message, strstr(error.message, "variant opencl cannot be had: "));
    ASSERT_EQ(ARCL_INVALID, arcl_similarity(c, "host", &wrong, 1, &one, 1, &count, NULL, &error));
    ASSERTm(error.message, strstr(error.message, "grid 0 is 2 by 2 without cells"));
    arcl_context_free(c);
    PASS();
}

/* ---- choosing ---- */

typedef struct known_costs {
    double host;
    int asked;
} known_costs;

static double known_cost(void *arg, const similarity_candidate *k, const similarity_size *size) {
    known_costs *known = arg;
    known->asked++;
    if (size->outputs != 1 || size->expected != 1 || size->h != 1) return -1;
    return k->variant == SIMILARITY_host ? known->host : -1;
}

TEST measured_costs_are_asked_for(void) {
    arcl_context *c = context_of("host", 1);
    signed char cell = 1;
    arcl_grid one = {1, 1, &cell};
    arcl_similarity_report report;
    uint32_t count;
    known_costs known = {.host = 1000};
    ASSERT(c);
    ASSERT_EQ(ARCL_SUCCESS, similarity_use_costs(c, known_cost, &known, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_similarity(c, NULL, &one, 1, &one, 1, &count, &report, NULL));
    ASSERT_EQ(1, known.asked);
    ASSERT_EQ(1, report.measured);
    known.host = -1;
    ASSERT_EQ(ARCL_SUCCESS, arcl_similarity(c, NULL, &one, 1, &one, 1, &count, &report, NULL));
    ASSERT_EQ(0, report.measured);
    ASSERT_EQ(1u, count);
    arcl_context_free(c);
    PASS();
}

/* A host that takes a nanosecond for a pair of cells, and a GPU that takes a tenth but 10,000 to begin with. */
TEST a_first_use_has_to_pay(void) {
    arcl_context *c = context_of("host", 1);
    arcl_profile *p;
    arcl_device_info info;
    similarity_size size = {10, 10, 5, 10};
    similarity_costs s = {0};
    int runs = 0;
    ASSERT(c);
    ASSERT_EQ(ARCL_SUCCESS, arcl_profile_create(&p, NULL));
    profile_device *host = synthetic_host(p, c), *gpu = synthetic_gpu(p, "cl:7");
    ASSERT(host && gpu);
    synthetic_similarity(host, SIMILARITY_host, 0, 1);
    ASSERT_FALSE(similarity_costs_known(p)); /* there is nothing to choose from */
    synthetic_similarity(gpu, SIMILARITY_opencl, 10000, 0.1);
    ASSERT(similarity_costs_known(p));
    ASSERT_EQ(ARCL_SUCCESS, arcl_device_get(c, 0, &info, NULL));
    ASSERT_EQ(0, similarity_costs_device(p, &info));
    info.compute_units++;
    ASSERT_EQ(-1, similarity_costs_device(p, &info));
    ASSERT_EQ_FMT(5000.0, similarity_costs_run(p, 0, SIMILARITY_host, &size), "%g");
    ASSERT_EQ_FMT(500.0, similarity_costs_run(p, 1, SIMILARITY_opencl, &size), "%g");
    ASSERT_EQ_FMT(-1.0, similarity_costs_run(p, 1, SIMILARITY_clblast, &size), "%g");
    ASSERT_EQ_FMT(-1.0, similarity_costs_now(&s, p, -1, SIMILARITY_opencl, &size), "%g");
    ASSERT_EQ_FMT(10500.0, similarity_costs_now(&s, p, 1, SIMILARITY_opencl, &size), "%g");
    while (similarity_costs_now(&s, p, 1, SIMILARITY_opencl, &size) > 5000 && runs++ < 100)
        similarity_costs_miss(&s, p, 1, SIMILARITY_opencl, &size, 5000);
    ASSERT_EQ(2, runs); /* each has missed 4500 of the 5500 that are too much */
    similarity_costs_use(&s, 1, SIMILARITY_opencl);
    ASSERT_EQ_FMT(500.0, similarity_costs_now(&s, p, 1, SIMILARITY_opencl, &size), "%g");
    ASSERT_EQ_FMT(500.0, similarity_costs_run(p, 1, SIMILARITY_opencl, &size), "%g");
    arcl_profile_free(p);
    arcl_context_free(c);
    PASS();
}

TEST profiles_measure_what_the_host_does(void) {
    arcl_context *c = context_of("host", 1);
    arcl_profile *p;
    arcl_error error;
    ASSERT(c);
    ASSERT_EQ(ARCL_SUCCESS, arcl_profile_create(&p, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_profile_measure_similarity(p, c, "host", 1, &error));
    const similarity_times *t = p->device[0]->similarity;
    ASSERT(t[SIMILARITY_host].compare.count >= 3);
    ASSERT(t[SIMILARITY_host].compare.y[0] > 0 && t[SIMILARITY_host].first >= 0);
    ASSERT_EQ(0, t[SIMILARITY_opencl].compare.count);
    ASSERT_EQ(0, t[SIMILARITY_clblast].compare.count);
    ASSERT_EQ(ARCL_INVALID, arcl_profile_measure_similarity(p, c, "cl:99", 1, &error));
    ASSERTm(error.message, strstr(error.message, "cl:99"));
    arcl_profile_free(p);
    arcl_context_free(c);
    PASS();
}

TEST candidates_can_be_measured(void) {
    arcl_context *c = context_of("host", 1);
    similarity_candidate k;
    similarity_size size = {20, 30, 10, 10};
    double nanoseconds = -1;
    int n = 0;
    ASSERT(c);
    ASSERT(similarity_candidate_get(c, 0, &k));
    ASSERT_STR_EQ("host", k.id);
    ASSERT_STR_EQ("host", similarity_variant_name(k.variant));
    ASSERT_STR_EQ("", k.reason);
    ASSERT_EQ(ARCL_SUCCESS, similarity_measure(c, &k, &size, &nanoseconds, NULL));
    ASSERT(nanoseconds > 0);
    while (similarity_candidate_get(c, n, &k)) n++;
    ASSERT(n >= 3); /* one of each variant at least, be it with a reason why not */
    arcl_context_free(c);
    PASS();
}

SUITE(host) {
    RUN_TESTp(the_host_counts_right, make_all_sizes, 1);
    RUN_TESTp(the_host_counts_right, make_all_sizes, 3);
    RUN_TESTp(the_host_counts_right, make_unusual, 2);
    RUN_TEST(blocks_do_not_show);
    RUN_TEST(nothing_to_compare);
    RUN_TEST(what_cannot_be_had_is_an_error);
    RUN_TEST(measured_costs_are_asked_for);
    RUN_TEST(candidates_can_be_measured);
    RUN_TEST(a_first_use_has_to_pay);
    RUN_TEST(profiles_measure_what_the_host_does);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(host);
    GREATEST_MAIN_END();
}
