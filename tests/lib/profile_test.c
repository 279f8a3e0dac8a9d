/* Tests of what profiles are made of: curves, fitting them to samples, and files. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/curve.h"
#include "greatest.h"
#include "support/synthetic_profile.h"

/* ---- curves ---- */

TEST curves_are_straight_between_points(void) {
    curve c = {0};
    curve_add(&c, 1, 10);
    curve_add(&c, 11, 30);
    curve_add(&c, 21, 130);
    ASSERT_EQ_FMT(10.0, curve_at(&c, 0), "%g"); /* before the first as at the first */
    ASSERT_EQ_FMT(10.0, curve_at(&c, 1), "%g");
    ASSERT_EQ_FMT(20.0, curve_at(&c, 6), "%g");
    ASSERT_EQ_FMT(30.0, curve_at(&c, 11), "%g");
    ASSERT_EQ_FMT(80.0, curve_at(&c, 16), "%g");
    ASSERT_EQ_FMT(230.0, curve_at(&c, 31), "%g"); /* behind the last the last line goes on */
    ASSERT(!curve_covers(&c, 0.5) && curve_covers(&c, 1) && curve_covers(&c, 21) && !curve_covers(&c, 21.5));
    PASS();
}

TEST curves_with_few_points(void) {
    curve none = {0}, one = {0};
    curve_add(&one, 5, 7);
    ASSERT_EQ_FMT(0.0, curve_at(&none, 3), "%g");
    ASSERT(!curve_covers(&none, 3));
    ASSERT_EQ_FMT(7.0, curve_at(&one, 5), "%g");
    ASSERT_EQ_FMT(7.0, curve_at(&one, 1), "%g");
    ASSERT(curve_at(&one, 500) >= 7);
    PASS();
}

TEST curves_never_fall(void) {
    curve c = {0};
    curve_add(&c, 1, 10);
    curve_add(&c, 2, 5);  /* raised to 10 */
    curve_add(&c, 2, 99); /* not to the right */
    curve_add(&c, 1, 99);
    ASSERT_EQ(2, c.count);
    ASSERT_EQ_FMT(10.0, curve_at(&c, 2), "%g");
    for (int i = 0; i < 2 * CURVE_POINTS; i++) curve_add(&c, 3 + i, 20);
    ASSERT_EQ(CURVE_POINTS, c.count);
    PASS();
}

/* ---- fitting ---- */

enum { LEVELS = 6, PER_LEVEL = 10, SAMPLES = LEVELS * PER_LEVEL };

static uint64_t random_state;
static double random_part(void) { /* from 0 to 1 */
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 40) / (double)(1 << 24);
}

/* What a launch costs in truth. */
typedef struct truth {
    double base, lane, element, row;
} truth;

static double cost_in_truth(const truth *t, double lanes, double elements) {
    return t->base + t->lane * lanes + t->element * elements + t->row * elements / lanes;
}

/* Lanes from 1 to 100,000, elements from 2 to 100 a lane; every time is off by up to `noise`, and a share of them, at
 * random, is a hundred times as long. */
static void make_samples(profile_sample *s, const truth *t, double noise, double inflated) {
    for (int i = 0; i < SAMPLES; i++) {
        double lanes = pow(10, i % LEVELS), elements = lanes * (2 + 98 * random_part());
        double ns = cost_in_truth(t, lanes, elements) * (1 + noise * (2 * random_part() - 1));
        if (random_part() < inflated) ns *= 100;
        s[i] = (profile_sample){0, 1, lanes, elements, ns};
    }
}

static double cost_as_fitted(const kernel_cost *c, double lanes, double elements) {
    return curve_at(&c->launch, lanes) + c->per_element * elements + c->in_a_row * elements / lanes;
}

/* How far, as a factor, a prediction is off at worst where it was measured. */
static double worst_error(const truth *t, const kernel_cost *c) {
    double worst = 1;
    for (double lanes = 1; lanes <= 1e5; lanes *= 10)
        for (double per_lane = 2; per_lane <= 100; per_lane *= 7) {
            double ratio = cost_as_fitted(c, lanes, lanes * per_lane) / cost_in_truth(t, lanes, lanes * per_lane);
            worst = fmax(worst, fmax(ratio, 1 / ratio));
        }
    return worst;
}

static const truth truths[] = {
    {20, 5, 0.5, 0}, {5000, 2, 0.05, 0}, {50, 300, 0, 0}, {10, 1, 3, 0}, {1000, 0.1, 0.01, 0}};
enum { TRUTHS = sizeof truths / sizeof truths[0] };

TEST fitting_finds_what_samples_were_made_of(double noise, double most) {
    profile_sample s[SAMPLES];
    random_state = 42;
    for (int i = 0; i < TRUTHS; i++) {
        kernel_cost c;
        make_samples(s, &truths[i], noise, 0);
        profile_fit(s, SAMPLES, 0, &c);
        double off = worst_error(&truths[i], &c);
        if (off > most) printf("  truth %d is off by %.3f\n", i, off);
        ASSERT(off <= most);
        ASSERT_EQ(SAMPLES, (int)c.samples);
        ASSERT_EQ_FMT(1.0, c.correction, "%g");
        ASSERT(c.least_elements >= 2 && c.most_elements <= 100 && c.most_elements > 50);
    }
    PASS();
}

/* A GPU does few lanes at once, each of them one thing after the other. Other devices do not, and are not fitted so. */
TEST fitting_tells_what_is_done_in_a_row(double noise, double most) {
    static const truth gpu[] = {
        {2000, 0.1, 0.01, 150}, {3000, 1, 0.001, 20}, {1000, 0.1, 0.01, 0}, {2000, 0.5, 0, 300}};
    profile_sample s[SAMPLES];
    random_state = 11;
    for (size_t i = 0; i < sizeof gpu / sizeof gpu[0]; i++) {
        kernel_cost c;
        make_samples(s, &gpu[i], noise, 0);
        profile_fit(s, SAMPLES, 1, &c);
        double off = worst_error(&gpu[i], &c);
        if (off > most) printf("  truth %zu is off by %.3f\n", i, off);
        ASSERT(off <= most);
        ASSERT(c.in_a_row >= 0 && c.per_element >= 0);
        profile_fit(s, SAMPLES, 0, &c);
        ASSERT_EQ_FMT(0.0, c.in_a_row, "%g");
    }
    PASS();
}

TEST bad_samples_change_little(void) {
    enum { ROUNDS = 200 };
    profile_sample s[SAMPLES];
    double off[ROUNDS];
    random_state = 7;
    for (int round = 0; round < ROUNDS; round++) {
        const truth *t = &truths[round % TRUTHS];
        kernel_cost c;
        make_samples(s, t, 0.05, 0.1);
        profile_fit(s, SAMPLES, 0, &c);
        off[round] = worst_error(t, &c);
    }
    double middle = median_of(off, ROUNDS);
    printf("  one in ten a hundred times as long: off by %.3f in the middle, %.3f at worst\n", middle, off[ROUNDS - 1]);
    ASSERT(middle <= 1.15);
    ASSERT(off[ROUNDS - 1] <= 3);
    PASS();
}

TEST fitting_with_little_to_go_by(void) {
    profile_sample one = {0, 1, 10, 100, 500},
                   same[3] = {{0, 1, 10, 100, 500}, {0, 1, 10, 100, 510}, {0, 1, 10, 100, 505}};
    kernel_cost c;
    profile_fit(NULL, 0, 0, &c);
    ASSERT_EQ(0, c.launch.count);
    profile_fit(&one, 1, 0, &c);
    ASSERT(fabs(cost_as_fitted(&c, 10, 100) - 500) < 0.01);
    profile_fit(same, 3, 0, &c);
    ASSERT(fabs(cost_as_fitted(&c, 10, 100) - 505) < 1);
    PASS();
}

TEST more_work_never_costs_less(void) {
    profile_sample s[SAMPLES];
    random_state = 99;
    for (int round = 0; round < 100; round++) {
        kernel_cost c;
        make_samples(s, &truths[round % TRUTHS], 0.5, 0.2);
        profile_fit(s, SAMPLES, 0, &c);
        ASSERT(c.per_element >= 0);
        for (double lanes = 1; lanes < 1e6; lanes *= 1.7)
            ASSERT(curve_at(&c.launch, lanes) <= curve_at(&c.launch, lanes * 1.7));
    }
    PASS();
}

/* More different numbers of lanes than a curve has points: it still reaches from the first to the last. */
TEST curves_reach_as_far_as_the_samples(void) {
    enum { MANY = 60 };
    profile_sample s[MANY];
    kernel_cost c;
    for (int i = 0; i < MANY; i++) {
        double lanes = pow(1.3, i);
        s[i] = (profile_sample){0, 1, lanes, 0, 100 + lanes};
    }
    profile_fit(s, MANY, 0, &c);
    ASSERT(c.launch.x[0] < 3 && c.launch.x[c.launch.count - 1] > pow(1.3, MANY - 8));
    for (int i = 0; i < MANY; i++) ASSERT(fabs(curve_at(&c.launch, pow(1.3, i)) / (100 + pow(1.3, i)) - 1) < 0.3);
    PASS();
}

TEST medians(void) {
    double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2}, one[] = {7};
    ASSERT_EQ_FMT(3.0, median_of(odd, 3), "%g");
    ASSERT_EQ_FMT(2.5, median_of(even, 4), "%g");
    ASSERT_EQ_FMT(7.0, median_of(one, 1), "%g");
    PASS();
}

/* ---- files ---- */

static int curves_equal(const curve *a, const curve *b) {
    if (a->count != b->count) return 0;
    for (int i = 0; i < a->count; i++)
        if (a->x[i] != b->x[i] || a->y[i] != b->y[i]) return 0;
    return 1;
}

/* Files have six digits of most numbers. */
static int is_close(double a, double b) { return fabs(a - b) <= 1e-5 * fabs(b); }

static int costs_equal(const kernel_cost *a, const kernel_cost *b) {
    return curves_equal(&a->launch, &b->launch) && is_close(a->per_element, b->per_element) &&
           is_close(a->in_a_row, b->in_a_row) && is_close(a->least_elements, b->least_elements) &&
           is_close(a->most_elements, b->most_elements) && a->samples == b->samples &&
           is_close(a->correction, b->correction);
}

static int devices_equal(const profile_device *a, const profile_device *b) {
    char why[512];
    profile_identity_compare(&a->identity, &b->identity, why, sizeof why);
    int equal = !*why && strcmp(a->id, b->id) == 0 && strcmp(a->kind, b->kind) == 0 && a->variants == b->variants &&
                curves_equal(&a->up, &b->up) && curves_equal(&a->down, &b->down) && a->chunk_words == b->chunk_words &&
                strcmp(a->cases ? a->cases : "", b->cases ? b->cases : "") == 0;
    for (int i = 0; i < OVERHEADS; i++) equal &= is_close(a->overhead[i], b->overhead[i]);
    for (int v = 0; equal && v < a->variants; v++) {
        equal &= strcmp(a->variant[v], b->variant[v]) == 0;
        for (unsigned k = 1; k < KERNEL_COUNT; k++) equal &= costs_equal(&a->cost[v][k], &b->cost[v][k]);
    }
    for (int v = 0; v < SIMILARITY_VARIANTS; v++)
        equal &= a->similarity[v].first == b->similarity[v].first &&
                 curves_equal(&a->similarity[v].compare, &b->similarity[v].compare);
    return equal;
}

static arcl_profile *synthetic_profile(void) {
    arcl_context *c;
    arcl_profile *p;
    if (arcl_context_create(&(arcl_options){.threads = 1, .profile = ""}, &c, NULL)) abort();
    if (arcl_profile_create(&p, NULL) || !synthetic_host(p, c) || !synthetic_gpu(p, "cl:0")) abort();
    arcl_context_free(c);
    return p;
}

#define AWKWARD "a \"case\" \\ \t"

/* A profile with something in every member, and awkward names. */
static arcl_profile *rich_profile(void) {
    arcl_profile *p = synthetic_profile();
    profile_device *host = p->device[0], *gpu = p->device[1];
    strcpy(p->created, "2026-01-01T00:00:00Z");
    random_state = 3;
    strcpy(host->identity.name, "quotes \" and \\ and \t");
    strcpy(gpu->identity.driver, "gr\303\274n");
    host->identity.compute_units = 64;
    host->variants = 2;
    strcpy(host->variant[1], "a\n\"\\");
    host->chunk_words = 12345.678;
    for (unsigned k = 1; k < KERNEL_COUNT; k += 3) {
        host->cost[1][k] = synthetic_kernel(random_part() * 1e-3, random_part() * 1e3, random_part());
        host->cost[1][k].samples = k;
        host->cost[1][k].correction = 0.5 + random_part();
    }
    synthetic_teams(gpu, 20, 3, 0.1);
    for (unsigned k = 1; k < KERNEL_COUNT; k += 2) gpu->cost[PROFILE_LANE][k].in_a_row = 100 * random_part();
    synthetic_similarity(host, SIMILARITY_host, 0, 0.1);
    synthetic_similarity(gpu, SIMILARITY_opencl, 1e8 / 3, 0.01);
    synthetic_similarity(gpu, SIMILARITY_clblast, 8e9, 0.7);
    if (arcl_profile_add_case(p, "host", "rot90", NULL) || arcl_profile_add_case(p, "host", "fill?", NULL) ||
        arcl_profile_add_case(p, "host", AWKWARD, NULL))
        abort();
    return p;
}

static int read_file(const char *path, char **text) {
    FILE *f = fopen(path, "r");
    if (!f) return -1;
    *text = calloc(1, 1 << 20);
    size_t n = *text ? fread(*text, 1, (1 << 20) - 1, f) : 0;
    fclose(f);
    return (int)n;
}

TEST what_is_saved_is_loaded(void) {
    char path[] = "/tmp/arcl-profile-test-XXXXXX", *first, *second;
    int file = mkstemp(path);
    arcl_profile *p = rich_profile(), *q, *r;
    arcl_error error;
    ASSERT(file >= 0);
    close(file);
    ASSERT_EQ(ARCL_SUCCESS, arcl_profile_save(p, path, &error));
    ASSERT_EQm(error.message, ARCL_SUCCESS, arcl_profile_load(path, &q, &error));
    ASSERT_EQ(p->devices, q->devices);
    ASSERT_STR_EQ(p->created, q->created);
    for (int i = 0; i < p->devices; i++) ASSERT(devices_equal(p->device[i], q->device[i]));
    ASSERT(arcl_profile_has_case(q, "host", "rot90") && arcl_profile_has_case(q, "host", "fill?"));
    ASSERT(arcl_profile_has_case(q, "host", AWKWARD));
    ASSERT(!arcl_profile_has_case(q, "host", "fill") && !arcl_profile_has_case(q, "cl:0", "rot90"));
    ASSERT(read_file(path, &first) > 0); /* saved again it is the same file */
    ASSERT_EQ(ARCL_SUCCESS, arcl_profile_save(q, path, &error));
    ASSERT(read_file(path, &second) > 0);
    ASSERT_STR_EQ(first, second);
    ASSERT_EQ(ARCL_SUCCESS, arcl_profile_load(path, &r, &error));
    free(first);
    free(second);
    arcl_profile_free(p);
    arcl_profile_free(q);
    arcl_profile_free(r);
    unlink(path);
    PASS();
}

TEST saving_where_it_is_not_possible(void) {
    arcl_profile *p = synthetic_profile();
    arcl_error error;
    ASSERT_EQ(ARCL_INVALID, arcl_profile_save(p, "/dev/null/profile.json", &error));
    ASSERT(strstr(error.message, "/dev/null/profile.json") && strstr(error.message, "cannot be written"));
    arcl_profile_free(p);
    PASS();
}

/* A small profile with one text in place of a member: %s. */
#define OVERHEAD(name, meaning) "\"" #name "\":1,"
static const char head[] =
    "{\"format\":2,\"created\":\"\",\"devices\":[{\"id\":\"host\",\"kind\":\"host\",\"identity\":{\"platform\":\"\","
    "\"name\":\"\",\"driver\":\"\",\"kernels\":\"\",\"compute_units\":1},\"cases\":[],\"overheads\":{"
#include "profile/overheads.def"
#undef OVERHEAD
    "\"unknown\":0},";
static const char *const places[] = {
    "\"chunk_words\":%s,\"up\":[],\"down\":[],\"costs\":{\"any\":{}}}]}",
    "\"chunk_words\":0,\"up\":[[1,%s]],\"down\":[],\"costs\":{\"any\":{}}}]}",
    "\"chunk_words\":0,\"up\":[],\"down\":[],\"costs\":{\"any\":{\"rot90\":{\"launch\":[[1,1]],\"per_element\":%s,"
    "\"in_a_row\":0,\"least_elements\":0,\"most_elements\":1,\"samples\":1,\"correction\":1}}}}]}",
    "\"chunk_words\":0,\"up\":[],\"down\":[],\"costs\":{\"any\":{\"rot90\":{\"launch\":[[1,1]],\"per_element\":0,"
    "\"in_a_row\":%s,\"least_elements\":0,\"most_elements\":1,\"samples\":1,\"correction\":1}}}}]}",
    "\"chunk_words\":0,\"up\":[],\"down\":[],\"similarity\":{\"host\":{\"first\":%s,\"compare\":[[1,1]]}},"
    "\"costs\":{\"any\":{}}}]}",
    "\"chunk_words\":0,\"up\":[],\"down\":[],\"similarity\":{\"host\":{\"first\":0,\"compare\":[[1,%s]]}},"
    "\"costs\":{\"any\":{}}}]}",
};

static arcl_status parse_with(const char *place, const char *member, arcl_profile **p, arcl_error *error) {
    char text[2048];
    const char *at = strstr(place, "%s");
    int length = snprintf(text, sizeof text, "%s%.*s%s%s", head, (int)(at - place), place, member, at + 2);
    arcl_status status = profile_parse(text, (size_t)length, p, error);
    if ((status == ARCL_SUCCESS) != (*p != NULL)) abort();
    return status;
}

TEST numbers_are_checked(const char *place) {
    static const char *const good[] = {"0", "1", "0.5", "1e3", "123456789"};
    static const char *const bad[] = {"NaN",  "nan", "Infinity", "-Infinity", "1e999", "-1e999",
                                      "1e16", "-1",  "-0.001",   "\"1\"",     "null",  "true",
                                      "[]",   "{}",  "[1]",      "",          "1 1",   "0x1"};
    arcl_error error;
    arcl_profile *p;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        ASSERT_EQm(good[i], ARCL_SUCCESS, parse_with(place, good[i], &p, &error));
        arcl_profile_free(p);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        memset(&error, 0, sizeof error);
        ASSERT_EQm(bad[i], ARCL_INVALID, parse_with(place, bad[i], &p, &error));
        ASSERTm(bad[i], strstr(error.message, "line 1") || strstr(error.message, "devices[0]"));
    }
    PASS();
}

/* What was read once is written as it was. */
TEST numbers_are_written_as_they_are_read(const char *place) {
    static const char *const numbers[] = {"0", "-0", "-0.0", "0.1", "1e-320", "123456789", "999999999999999.9", "1e15"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char path[] = "/tmp/arcl-profile-test-XXXXXX", *first, *second;
        int file = mkstemp(path);
        arcl_profile *p, *q;
        ASSERT(file >= 0);
        close(file);
        ASSERT_EQm(numbers[i], ARCL_SUCCESS, parse_with(place, numbers[i], &p, NULL));
        ASSERT_EQ(ARCL_SUCCESS, arcl_profile_save(p, path, NULL));
        ASSERT(read_file(path, &first) > 0);
        ASSERT_EQm(numbers[i], ARCL_SUCCESS, arcl_profile_load(path, &q, NULL));
        ASSERT_EQ(ARCL_SUCCESS, arcl_profile_save(q, path, NULL));
        ASSERT(read_file(path, &second) > 0);
        ASSERT_STR_EQm(numbers[i], first, second);
        free(first);
        free(second);
        arcl_profile_free(p);
        arcl_profile_free(q);
        unlink(path);
    }
    PASS();
}

/* Names of cases are between newlines here, and between quotes of JSON in files. */
TEST cases_are_names(void) {
    static const char *const bad[] = {"a\nb", "a\n", "gr\374n", "\355\240\200"};
    arcl_profile *p = synthetic_profile();
    arcl_error error;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ASSERT_EQm(bad[i], ARCL_INVALID, arcl_profile_add_case(p, "host", bad[i], &error));
        ASSERT_FALSE(arcl_profile_has_case(p, "host", bad[i]));
    }
    ASSERT_EQ(ARCL_SUCCESS, arcl_profile_add_case(p, "host", "gr\303\274n", &error));
    ASSERT(arcl_profile_has_case(p, "host", "gr\303\274n"));
    arcl_profile_free(p);
    PASS();
}

TEST identities(void) {
    profile_identity a = {.platform = "p", .name = "n", .driver = "d", .compute_units = 4, .kernels = "k"}, b;
    char why[512];
    profile_identity_compare(&a, &a, why, sizeof why);
    ASSERT_STR_EQ("", why);
    for (int i = 0; i < 5; i++) {
        static const char *const words[] = {"the platform: 'p' was measured, 'x' is there", "the device: 'n'",
                                            "the driver: 'd'", "the kernels: 'k'",
                                            "the compute units: 4 were measured, 5"};
        b = a;
        strcpy(i == 0 ? b.platform : i == 1 ? b.name : i == 2 ? b.driver : i == 3 ? b.kernels : why, "x");
        b.compute_units += i == 4;
        profile_identity_compare(&a, &b, why, sizeof why);
        ASSERTm(why, strstr(why, words[i]));
    }
    PASS();
}

SUITE(curves) {
    RUN_TEST(curves_are_straight_between_points);
    RUN_TEST(curves_with_few_points);
    RUN_TEST(curves_never_fall);
}

SUITE(fitting) {
    RUN_TESTp(fitting_finds_what_samples_were_made_of, 0, 1.03);
    RUN_TESTp(fitting_finds_what_samples_were_made_of, 0.05, 1.35);
    RUN_TESTp(fitting_tells_what_is_done_in_a_row, 0.0, 1.02);
    RUN_TESTp(fitting_tells_what_is_done_in_a_row, 0.05, 1.2);
    RUN_TEST(bad_samples_change_little);
    RUN_TEST(fitting_with_little_to_go_by);
    RUN_TEST(more_work_never_costs_less);
    RUN_TEST(curves_reach_as_far_as_the_samples);
    RUN_TEST(medians);
}

SUITE(files) {
    RUN_TEST(what_is_saved_is_loaded);
    RUN_TEST(saving_where_it_is_not_possible);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        RUN_TESTp(numbers_are_checked, places[i]);
        RUN_TESTp(numbers_are_written_as_they_are_read, places[i]);
    }
    RUN_TEST(cases_are_names);
    RUN_TEST(identities);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(curves);
    RUN_SUITE(fitting);
    RUN_SUITE(files);
    GREATEST_MAIN_END();
}
