/* Tests of the OpenCL layer: listing, the self-test, finding by name, data and launches, failures of any call, threads.
 * They use what is installed, PoCL twice if it is there, and say what they skip. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/device.h"

#include "greatest.h"

#define MIB ((uint64_t)1 << 20)
#define NO_DEVICE "no OpenCL device is ready"

/* The first device that works; -1 if none does. */
static int ready_device(opencl *o) {
    arcl_device_info info;
    for (int i = 0; i < opencl_count(o); i++) {
        opencl_info(o, i, &info);
        if (info.state == ARCL_DEVICE_READY) return i;
    }
    return -1;
}

/* ---- which devices there are ---- */

TEST every_entry_says_what_it_is(void) {
    opencl *o = opencl_create();
    int number = 0;
    ASSERT(o && opencl_count(o) > 0);
    for (int i = 0; i < opencl_count(o); i++) {
        arcl_device_info info;
        char id[16];
        opencl_info(o, i, &info);
        printf("  %-6s %-12s %s%s%s\n", info.id, info.platform, info.name, info.reason[0] ? ": " : "", info.reason);
        ASSERT(info.platform[0]);
        ASSERT_EQ(info.state == ARCL_DEVICE_READY, !info.reason[0]);
        ASSERT_EQ(info.state == ARCL_DEVICE_ABSENT, !info.id[0]);
        if (info.state == ARCL_DEVICE_ABSENT) continue;
        snprintf(id, sizeof id, "cl:%d", number++);
        ASSERT_STR_EQ(id, info.id);
        ASSERT(info.name[0] && info.kind[0] && info.compute_units && info.memory && info.largest_group);
        ASSERT_EQ(i, opencl_find(o, id, NULL));
    }
    opencl_free(o);
    PASS();
}

/* Mesa's rusticl stopped loops after 65,535 rounds, without an error. A version that does not may pass. */
TEST a_device_that_computes_wrongly_is_refused(void) {
    opencl *o = opencl_create();
    int found = 0;
    for (int i = 0; i < opencl_count(o); i++) {
        arcl_device_info info;
        opencl_device *d;
        arcl_error error;
        opencl_info(o, i, &info);
        if (strcmp(info.platform, "rusticl") != 0 || !info.id[0] || info.state == ARCL_DEVICE_READY) continue;
        found = 1;
        ASSERTm(info.reason, strncmp(info.reason, "self-test '", 11) == 0 && strstr(info.reason, "expected"));
        ASSERT_EQ(ARCL_DEVICE_FAILED, opencl_device_open(o, i, 16 * MIB, &d, &error));
        ASSERT(strstr(error.message, info.reason) && strstr(error.message, info.id));
    }
    opencl_free(o);
    if (!found) SKIPm("no driver is known here that computes wrongly");
    PASS();
}

TEST devices_are_found_by_name(void) {
    opencl *o = opencl_create();
    arcl_error error;
    arcl_device_info info;
    int at = ready_device(o);
    if (at >= 0) {
        opencl_describe(o, at, &info);
        for (char *c = info.name; *c; c++)
            if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
        ASSERT_EQ(at, opencl_find(o, info.name, &error));
    }
    ASSERT_EQ(-1, opencl_find(o, "cl:99", &error));
    ASSERT(strstr(error.message, "\"cl:99\""));
    ASSERT_EQ(-1, opencl_find(o, "no such name", &error));
    ASSERT(at < 0 || strstr(error.message, info.id));
    ASSERT_EQ(-1, opencl_find(o, "", &error));
    ASSERT_EQ(-1, opencl_find(o, "cl:", &error));
    opencl_free(o);
    if (at < 0) SKIPm(NO_DEVICE);
    PASS();
}

TEST an_ambiguous_name_lists_the_candidates(void) {
    opencl *o = opencl_create();
    arcl_error error;
    if (opencl_find(o, "cl:1", NULL) < 0 || opencl_find(o, "pthread-", NULL) < 0 ||
        opencl_find(o, "basic-", NULL) < 0) {
        opencl_free(o);
        SKIPm("PoCL is not there twice");
    }
    ASSERT_EQ(-2, opencl_find(o, "-", &error));
    ASSERT(strstr(error.message, "cl:0 (") && strstr(error.message, "cl:1 ("));
    opencl_free(o);
    PASS();
}

TEST without_a_loader_there_is_a_reason(const char *loader, const char *reason) {
    arcl_device_info info;
    arcl_error error;
    opencl_device *d;
    opencl *o = opencl_create();
    opencl_api_loader(loader);
    int count = opencl_count(o), found = opencl_find(o, "cl:0", &error);
    opencl_info(o, 0, &info);
    arcl_status status = opencl_device_open(o, 0, 16 * MIB, &d, NULL);
    opencl_api_loader(NULL);
    opencl_free(o);
    ASSERT_EQ(1, count);
    ASSERT_EQ(ARCL_DEVICE_ABSENT, info.state);
    ASSERT_STR_EQ(reason, info.reason);
    ASSERT_EQ(-1, found);
    ASSERT(strstr(error.message, reason));
    ASSERT_EQ(ARCL_DEVICE_FAILED, status);
    PASS();
}

SUITE(listing) {
    RUN_TEST(every_entry_says_what_it_is);
    RUN_TEST(a_device_that_computes_wrongly_is_refused);
    RUN_TEST(devices_are_found_by_name);
    RUN_TEST(an_ambiguous_name_lists_the_candidates);
    RUN_TESTp(without_a_loader_there_is_a_reason, "libno-such-loader.so.1",
              "no OpenCL loader (libno-such-loader.so.1) is installed");
    RUN_TESTp(without_a_loader_there_is_a_reason, "libm.so.6",
              "the OpenCL loader libm.so.6 has no clGetPlatformIDs: it is older than OpenCL 1.2");
}

/* ---- an open device ---- */

#define WITH_DEVICE(memory)                                                                                            \
    opencl *o = opencl_create();                                                                                       \
    opencl_device *d = NULL;                                                                                           \
    arcl_error error = {""};                                                                                           \
    int at_ = ready_device(o);                                                                                         \
    if (at_ < 0) {                                                                                                     \
        opencl_free(o);                                                                                                \
        SKIPm(NO_DEVICE);                                                                                              \
    }                                                                                                                  \
    ASSERT_EQ(ARCL_SUCCESS, opencl_device_open(o, at_, memory, &d, &error))
#define END_DEVICE()                                                                                                   \
    opencl_device_close(d);                                                                                            \
    opencl_free(o);                                                                                                    \
    ASSERT_EQ(0, opencl_api_alive());                                                                                  \
    PASS()

TEST data_goes_up_and_comes_down(void) {
    enum { SMALL = 100, LARGE = 20000 };
    static uint64_t up[LARGE], down[LARGE];
    WITH_DEVICE(32 * MIB);
    uint32_t words = opencl_arena_words(d);
    ASSERT_EQ_FMT((uint32_t)(32 * MIB / 8), words, "%u");
    ASSERT_EQ(ARCL_SUCCESS, opencl_read(d, 0, down, OPENCL_ZERO_WORDS, &error));
    for (uint32_t i = 0; i < OPENCL_ZERO_WORDS; i++) ASSERT_EQ(0u, down[i]);
    opencl_counters_reset(d);
    for (uint32_t i = 0; i < LARGE; i++) up[i] = i * 0x123456789abcu;
    ASSERT_EQ(ARCL_SUCCESS, opencl_write(d, 5000, up, LARGE, &error));
    ASSERT_EQ(ARCL_SUCCESS, opencl_write(d, words - SMALL, up, SMALL, &error));
    memset(up, 0, SMALL * sizeof *up); /* the copy is what counts */
    ASSERT_EQ(ARCL_SUCCESS, opencl_write(d, 6000, up, 1, &error));
    ASSERT_EQ(ARCL_SUCCESS, opencl_read(d, 5000, down, LARGE, &error));
    for (uint32_t i = 0; i < LARGE; i++) ASSERT_EQ(i == 1000 ? 0 : i * 0x123456789abcu, down[i]);
    ASSERT_EQ(ARCL_SUCCESS, opencl_read(d, words - SMALL, down, SMALL, &error));
    for (uint32_t i = 0; i < SMALL; i++) ASSERT_EQ(i * 0x123456789abcu, down[i]);
    opencl_counters c = opencl_counted(d);
    ASSERT_EQ(8u * (LARGE + SMALL + 1), c.bytes_up);
    ASSERT_EQ(8u * (LARGE + SMALL), c.bytes_down);
    ASSERT_EQ(2u, c.synchronisations);
    ASSERT_EQ(ARCL_INVALID, opencl_write(d, words, up, 1, &error));
    ASSERT_EQ(ARCL_INVALID, opencl_read(d, words - 1, up, 2, &error));
    ASSERT_EQ(ARCL_INVALID, opencl_read(d, UINT32_MAX, up, UINT32_MAX, &error));
    ASSERT_EQ(ARCL_SUCCESS, opencl_write(d, words, up, 0, &error));
    END_DEVICE();
}

/* The frame at 8192 asks for `count` words, each its index times step: from word 32 of the frame on. */
enum { FRAME = 8192, COUNT = 1000, RESULTS = 32 };

static arcl_status multiples(opencl_device *d, uint32_t step, int64_t *out, arcl_error *error) {
    const int64_t count = COUNT;
    PROPAGATE(opencl_write(d, FRAME, &count, 1, error));
    PROPAGATE(opencl_launch(d, SELFTEST_exact_bounds, FRAME, step, opencl_items(d), error));
    return opencl_read(d, FRAME + RESULTS, out, COUNT, error);
}

static int are_multiples(const int64_t *out, uint32_t step) {
    for (int64_t i = 0; i < COUNT; i++)
        if (out[i] != i * step) return 0;
    return 1;
}

TEST kernels_run(void) {
    int64_t out[COUNT];
    WITH_DEVICE(16 * MIB);
    ASSERT(opencl_items(d) > 0);
    for (uint32_t step = 1; step < 100; step++) {
        ASSERT_EQ(ARCL_SUCCESS, multiples(d, step, out, &error));
        ASSERT(are_multiples(out, step));
    }
    opencl_counters c = opencl_counted(d);
    ASSERT_EQ(99u, c.launches);
    ASSERT_EQ(99u, c.synchronisations);
    ASSERT_EQ(1u, c.builds);
    ASSERT(c.build_nanoseconds > 0);
    ASSERT_EQ(ARCL_INVALID, opencl_launch(d, KERNEL_none, FRAME, 1, 1, &error));
    ASSERT_EQ(ARCL_INVALID, opencl_launch(d, ALL_KERNELS, FRAME, 1, 1, &error));
    ASSERT_EQ(ARCL_SUCCESS, multiples(d, 7, out, &error));
    END_DEVICE();
}

TEST launches_are_measured_on_demand(void) {
    int64_t out[COUNT];
    WITH_DEVICE(16 * MIB);
    ASSERT_EQ(ARCL_SUCCESS, multiples(d, 3, out, &error));
    ASSERT_EQ(0u, opencl_timed(d, SELFTEST_exact_bounds).launches);
    ASSERT_EQ(ARCL_SUCCESS, opencl_timing(d, 1, &error));
    for (int i = 0; i < 300; i++)
        ASSERT_EQ(ARCL_SUCCESS, opencl_launch(d, SELFTEST_exact_bounds, FRAME, 5, opencl_items(d), &error));
    ASSERT_EQ(ARCL_SUCCESS, opencl_finish(d, &error));
    ASSERT_EQ(300u, opencl_timed(d, SELFTEST_exact_bounds).launches);
    ASSERT(opencl_timed(d, SELFTEST_exact_bounds).nanoseconds > 0);
    ASSERT_EQ(ARCL_SUCCESS, opencl_launch(d, SELFTEST_exact_bounds, FRAME, 5, 1, &error)); /* closed while it runs */
    END_DEVICE();
}

TEST the_arena_has_what_the_device_can_give(void) {
    WITH_DEVICE((uint64_t)1 << 50);
    ASSERT((uint64_t)opencl_arena_words(d) * 8 <= d->entry->info.largest_buffer);
    ASSERT(opencl_arena_words(d) <= 1u << 31 && opencl_arena_words(d) >= 2 * MIB);
    opencl_device_close(d);
    ASSERT_EQ(ARCL_INVALID, opencl_device_open(o, at_, 1000, &d, &error));
    END_DEVICE();
}

/* A context each, as the library's users have. */
static void *use_alone(void *arg) {
    opencl *o = opencl_create();
    opencl_device *d = NULL;
    int64_t out[COUNT];
    arcl_error error;
    int at = ready_device(o), right = at >= 0 && opencl_device_open(o, at, 16 * MIB, &d, &error) == ARCL_SUCCESS;
    for (uint32_t step = 1; right && step < 200; step++)
        right = multiples(d, step, out, &error) == ARCL_SUCCESS && are_multiples(out, step);
    opencl_device_close(d);
    opencl_free(o);
    *(int *)arg = right;
    return NULL;
}

TEST threads_do_not_disturb_each_other(void) {
    enum { THREADS = 8 };
    pthread_t thread[THREADS];
    int right[THREADS];
    opencl *o = opencl_create();
    arcl_device_info info;
    int at = ready_device(o);
    opencl_describe(o, at, &info);
    opencl_free(o);
    if (at < 0) SKIPm(NO_DEVICE);
    if (strcmp(info.platform, "Oclgrind") == 0) SKIPm("Oclgrind is for one thread at a time");
    for (int i = 0; i < THREADS; i++) ASSERT_EQ(0, pthread_create(&thread[i], NULL, use_alone, &right[i]));
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) ASSERT(right[i]);
    ASSERT_EQ(0, opencl_api_alive());
    PASS();
}

SUITE(using) {
    RUN_TEST(data_goes_up_and_comes_down);
    RUN_TEST(kernels_run);
    RUN_TEST(launches_are_measured_on_demand);
    RUN_TEST(the_arena_has_what_the_device_can_give);
    RUN_TEST(threads_do_not_disturb_each_other);
}

/* ---- failures ---- */

/* Everything that can be done with a device. */
static arcl_status do_all(opencl_device *d, int64_t *out, arcl_error *error) {
    static const uint64_t large[20000];
    PROPAGATE(multiples(d, 3, out, error));
    PROPAGATE(opencl_timing(d, 1, error));
    PROPAGATE(opencl_write(d, 20000, large, 20000, error));
    PROPAGATE(multiples(d, 4, out, error));
    PROPAGATE(opencl_timing(d, 0, error));
    PROPAGATE(multiples(d, 5, out, error));
    return opencl_finish(d, error);
}

/* It names the code, or that there is no OpenCL device left to open. */
static int says_something(const arcl_error *e) { return strstr(e->message, "CL") != NULL; }

/* The nth call of a whole session fails: whatever it was, there is a message, and what can go on goes on. */
TEST a_failing_call_is_reported(unsigned long n, int wanted, int *over) {
    int64_t out[COUNT];
    arcl_error error = {""}, again = {""};
    opencl_device *d = NULL;
    opencl *o = opencl_create();
    opencl_api_fail_nth(n);
    arcl_status status = opencl_device_open(o, wanted, 16 * MIB, &d, &error);
    if (status == ARCL_SUCCESS) {
        status = do_all(d, out, &error);
        *over = opencl_api_fail_nth(0) < n;
        if (status == ARCL_NO_MEMORY) {
            ASSERT_EQm(error.message, ARCL_SUCCESS, do_all(d, out, &again));
            ASSERT(are_multiples(out, 5));
        } else if (status == ARCL_SUCCESS) {
            ASSERT(are_multiples(out, 5));
        } else {
            ASSERT_EQ(ARCL_DEVICE_FAILED, status);
            ASSERT_EQ(ARCL_DEVICE_FAILED, opencl_launch(d, SELFTEST_exact_bounds, FRAME, 1, 1, &again));
            ASSERT_STR_EQ(error.message, again.message);
            ASSERT_EQ(ARCL_DEVICE_FAILED, opencl_finish(d, &again));
            ASSERT_STR_EQ(error.message, again.message);
        }
        opencl_device_close(d);
    } else {
        *over = opencl_api_fail_nth(0) < n;
        ASSERT(!d);
    }
    ASSERTm(error.message, status == ARCL_SUCCESS || says_something(&error));
    opencl_free(o);
    ASSERT_EQ(0, opencl_api_alive());
    PASS();
}

TEST any_call_may_fail(void) {
    opencl *o = opencl_create();
    int wanted = ready_device(o), over = 0;
    unsigned long n = 0;
    opencl_free(o);
    if (wanted < 0) SKIPm(NO_DEVICE);
    while (!over) CHECK_CALL(a_failing_call_is_reported(++n, wanted, &over));
    printf("  %lu calls failed, one after the other\n", n - 1);
    ASSERT(n > 50);
    PASS();
}

/* A device that failed to open for another reason than its own is not refused for good. */
TEST a_failed_opening_is_no_verdict(void) {
    opencl_device *d;
    arcl_error error;
    opencl *o = opencl_create();
    int at = ready_device(o);
    if (at < 0) {
        opencl_free(o);
        SKIPm(NO_DEVICE);
    }
    opencl_api_fail_nth(1);
    ASSERT_EQ(ARCL_NO_MEMORY, opencl_device_open(o, at, 16 * MIB, &d, &error));
    ASSERT(strstr(error.message, "clCreateContext") && strstr(error.message, "CL_OUT_OF_RESOURCES"));
    opencl_api_fail_nth(0);
    ASSERT_EQ(ARCL_SUCCESS, opencl_device_open(o, at, 16 * MIB, &d, &error));
    END_DEVICE();
}

TEST codes_have_names(void) {
    ASSERT_STR_EQ("CL_OUT_OF_RESOURCES", opencl_code_name(CL_OUT_OF_RESOURCES).text);
    ASSERT_STR_EQ("CL_INVALID_PROPERTY", opencl_code_name(CL_INVALID_PROPERTY).text);
    ASSERT_STR_EQ("error -4711", opencl_code_name(-4711).text);
    PASS();
}

SUITE(failing) {
    RUN_TEST(codes_have_names);
    RUN_TEST(a_failed_opening_is_no_verdict);
    RUN_TEST(any_call_may_fail);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    setenv("POCL_DEVICES", "pthread basic", 0);
    setenv("RUSTICL_ENABLE", "llvmpipe", 0);
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(listing);
    RUN_SUITE(using);
    RUN_SUITE(failing);
    if (opencl_notice()[0]) printf("notice: %s\n", opencl_notice());
    GREATEST_MAIN_END();
}
