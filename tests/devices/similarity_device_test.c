/* Similarity on OpenCL devices, by a kernel and by CLBlast: the counts are those of a plain loop, and what cannot be
 * had is named. The first use of CLBlast on a device compiles for seconds; drivers keep what they compiled. */
#include <stdio.h>
#include <unistd.h>

#include "greatest.h"
#include "opencl/clblast.h"
#include "support/grid_collection.h"
#include "support/synthetic_profile.h"

static arcl_context *device_context(void) { return context_of("cl:0", 2); }

TEST a_device_counts_right(const char *variant, void (*make)(collection *, collection *)) {
    static collection a, b;
    arcl_context *c = device_context();
    arcl_similarity_report report;
    arcl_error error;
    if (!c) SKIPm("there is no OpenCL device");
    if (strcmp(variant, "clblast") == 0 && clblast_load(&error)) {
        arcl_context_free(c);
        printf("%s: ", error.message);
        SKIPm("CLBlast is not installed");
    }
    a.count = b.count = 0;
    make(&a, &b);
    ASSERTm(error.message, counts_are_right(c, variant, &a, &b, &report, &error));
    ASSERT_STR_EQ(variant, report.variant);
    ASSERT_STR_EQ("cl:0", report.device);
    ASSERT(report.bytes_moved > a.count * (uint64_t)b.count * sizeof(uint32_t));
    collection_free(&a);
    collection_free(&b);
    arcl_context_free(c);
    PASS();
}

/* Any value that a byte has is a colour of its own; small, since each costs a product. */
static void make_all_colours(collection *a, collection *b) {
    for (int n = 0; n < 3; n++) {
        add_grid(a, 1 + random_int(9), 1 + random_int(9), -20, 40);
        add_similar(b, &a->grids[a->count - 1]);
    }
}

/* In a context that is on a device, nothing else compares; in one that leaves it open, the device that is named
 * does. */
TEST nothing_runs_elsewhere(void) {
    arcl_context *c = device_context(), *open = context_of(NULL, 1);
    signed char cell = 1;
    arcl_grid one = {1, 1, &cell};
    arcl_similarity_report report;
    uint32_t count;
    arcl_error error;
    if (!c) {
        arcl_context_free(open);
        SKIPm("there is no OpenCL device");
    }
    ASSERT_EQ(ARCL_INVALID, arcl_similarity(c, "host", &one, 1, &one, 1, &count, NULL, &error));
    ASSERTm(error.message, strstr(error.message, "everything runs on cl:0"));
    ASSERT_EQ(ARCL_SUCCESS, arcl_similarity(c, "auto", &one, 1, &one, 1, &count, &report, &error));
    ASSERT_STR_EQ("opencl", report.variant);
    ASSERT_EQ(ARCL_SUCCESS, arcl_similarity(open, "opencl", &one, 1, &one, 1, &count, &report, &error));
    ASSERT_STR_EQ("opencl", report.variant);
    ASSERT_STR_EQ("cl:", (report.device[3] = 0, report.device));
    ASSERT_EQ(ARCL_SUCCESS, arcl_similarity(open, "auto", &one, 1, &one, 1, &count, &report, &error));
    ASSERT_STR_EQ("host", report.variant);
    arcl_context_free(c);
    arcl_context_free(open);
    PASS();
}

TEST clblast_that_is_missing_is_named(void) {
    arcl_context *c = device_context();
    signed char cell = 1;
    arcl_grid one = {1, 1, &cell};
    uint32_t count;
    arcl_error error;
    if (!c) SKIPm("there is no OpenCL device");
    clblast_library("libno-such-clblast.so.1");
    ASSERT_EQ(ARCL_INVALID, arcl_similarity(c, "clblast", &one, 1, &one, 1, &count, NULL, &error));
    ASSERTm(error.message, strstr(error.message, "CLBlast (libno-such-clblast.so.1) is not installed; Debian's package "
                                                 "is libclblast1"));
    clblast_library(NULL);
    arcl_context_free(c);
    PASS();
}

/* Writes a profile in which the device compares for nothing, once it has been used, and the host is slow. */
static int write_profile(const char *path, double first) {
    arcl_context *c = context_of("host", 1);
    arcl_profile *p;
    arcl_device_info info;
    if (!c || arcl_profile_create(&p, NULL) || arcl_device_get(c, 1, &info, NULL)) return 0;
    profile_identity identity = profile_identity_of(&info);
    profile_device *host = synthetic_host(p, c), *device = profile_device_get(p, info.id, info.kind, &identity);
    if (!host || !device) return 0;
    synthetic_costs(device, 20, 10, 1);
    synthetic_similarity(host, SIMILARITY_host, 0, 1000);
    synthetic_similarity(device, SIMILARITY_opencl, first, 0);
    int written = arcl_profile_save(p, path, NULL) == ARCL_SUCCESS;
    arcl_profile_free(p);
    arcl_context_free(c);
    return written;
}

/* The variants that compare one grid with one grid, in a context with a profile; the first letter of each. */
static int variants_chosen(const char *path, char *chosen, int count) {
    signed char cell = 1;
    arcl_grid one = {1, 1, &cell};
    arcl_options options = {.threads = 1, .profile = path};
    arcl_context *c;
    arcl_similarity_report report;
    uint32_t found;
    if (arcl_context_create(&options, &c, NULL)) return 0;
    for (int i = 0; i < count; i++) {
        if (arcl_similarity(c, "auto", &one, 1, &one, 1, &found, &report, NULL) || !report.measured || found != 1)
            return 0;
        chosen[i] = report.variant[0];
    }
    chosen[count] = 0;
    arcl_context_free(c);
    return 1;
}

TEST a_profile_decides(void) {
    arcl_context *c = device_context();
    char path[] = "/tmp/arcl_similarity_test_XXXXXX", chosen[8];
    if (!c) SKIPm("there is no OpenCL device");
    arcl_context_free(c);
    int file = mkstemp(path);
    ASSERT(file >= 0 && !close(file));
    ASSERT(write_profile(path, 0) && variants_chosen(path, chosen, 2));
    ASSERT_STR_EQ("oo", chosen);
    ASSERT(write_profile(path, 2500) && variants_chosen(path, chosen, 4)); /* each on the host takes 1000 more */
    ASSERT_STR_EQ("hhoo", chosen);
    unlink(path);
    PASS();
}

/* Whatever call fails: an error, or the right counts; and everything is given back. */
TEST failing_calls_are_reported(void) {
    static collection a, b;
    arcl_error error;
    arcl_context *c = device_context();
    if (!c) SKIPm("there is no OpenCL device");
    a.count = b.count = 0;
    make_all_sizes(&a, &b);
    arcl_context_free(c);
    long before = opencl_api_alive();
    int failures = 0, n = 0;
    for (unsigned long calls = 1; (unsigned long)n < calls; n++) {
        c = device_context();
        ASSERT(c);
        opencl_api_fail_nth((unsigned long)n);
        int right = counts_are_right(c, "opencl", &a, &b, NULL, &error);
        unsigned long made = opencl_api_fail_nth(0);
        if (n == 0) calls = made;
        failures += !right;
        ASSERT(right || error.message[0]);
        arcl_context_free(c);
        ASSERT_EQ(before, opencl_api_alive());
    }
    ASSERT(failures > 10);
    collection_free(&a);
    collection_free(&b);
    PASS();
}

#if __has_include(<clblast_c.h>)
#include <clblast_c.h>
/* What clblast.h says of CLBlast's interface is what its own header says. */
TEST clblast_is_called_as_it_wants(void) {
    ASSERT_EQ((int)CLBlastLayoutRowMajor, (int)CLBLAST_ROW_MAJOR);
    ASSERT_EQ((int)CLBlastTransposeNo, (int)CLBLAST_AS_IT_IS);
    ASSERT_EQ((int)CLBlastTransposeYes, (int)CLBLAST_TRANSPOSED);
    ASSERT_EQ(sizeof(int), sizeof(CLBlastLayout));
    ASSERT_EQ(sizeof(int), sizeof(CLBlastTranspose));
    ASSERT_EQ(sizeof(int), sizeof(CLBlastStatusCode));
    CLBlastStatusCode (*theirs)(CLBlastLayout, CLBlastTranspose, CLBlastTranspose, size_t, size_t, size_t, float,
                                cl_mem, size_t, size_t, cl_mem, size_t, size_t, float, cl_mem, size_t, size_t,
                                cl_command_queue *, cl_event *);
    ASSERT(__builtin_types_compatible_p(__typeof__(theirs), __typeof__(&CLBlastSgemm)));
    PASS();
}
#else
TEST clblast_is_called_as_it_wants(void) { SKIPm("CLBlast's header is not installed"); }
#endif

SUITE(devices) {
    RUN_TESTp(a_device_counts_right, "opencl", make_all_sizes);
    RUN_TESTp(a_device_counts_right, "opencl", make_unusual);
    RUN_TESTp(a_device_counts_right, "clblast", make_all_sizes);
    RUN_TESTp(a_device_counts_right, "clblast", make_all_colours);
    RUN_TEST(clblast_is_called_as_it_wants);
    RUN_TEST(clblast_that_is_missing_is_named);
    RUN_TEST(nothing_runs_elsewhere);
    RUN_TEST(a_profile_decides);
    RUN_TEST(failing_calls_are_reported);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(devices);
    GREATEST_MAIN_END();
}
