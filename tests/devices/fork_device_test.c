/* OpenCL in a forked child of a process that has used it: an error with a sentence, at once, and the host goes on. */
#define _GNU_SOURCE
#include <greatest.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arcl.h"
#include "support/child_threads.h"

static const char text[] = "def a(I):\n    return rot90(I)\n";
static const signed char cells[] = {1, 2, 3, 4};

typedef struct things {
    arcl_context *context;
    arcl_source *source;
    arcl_program *program;
    arcl_batch *batch;
} things;

static arcl_status make(things *t, const char *device, arcl_error *error) {
    arcl_options options = {.threads = CHILD_THREADS, .device = device, .profile = "", .memory = 64 << 20};
    arcl_status status = arcl_context_create(&options, &t->context, error);
    if (!status) status = arcl_source_parse(t->context, text, sizeof text - 1, NULL, &t->source, error);
    if (!status) status = arcl_program_compile(t->context, t->source, 0, NULL, &t->program, error);
    if (!status) status = arcl_batch_create(t->context, "grid", &t->batch, error);
    if (!status) status = arcl_batch_add_grid(t->batch, 2, 2, cells, error);
    return status;
}

static arcl_status run(const things *t, arcl_error *error) {
    arcl_result *result = NULL;
    arcl_status status = arcl_run(t->context, t->program, t->batch, &result, error);
    arcl_result_free(result);
    return status;
}

static void end(things *t) {
    arcl_batch_free(t->batch);
    arcl_program_free(t->program);
    arcl_source_free(t->source);
    arcl_context_free(t->context);
}

static int is_told(arcl_status status, const arcl_error *error) {
    return status == ARCL_DEVICE_FAILED && strstr(error->message, "forked");
}

/* 0, or the number of what went wrong. */
static int use(things *inherited) {
    arcl_error error = {{0}};
    things own = {0}, host = {0};
    arcl_grid grid = {2, 2, cells};
    arcl_device_info info;
    uint32_t common;
    if (!is_told(run(inherited, &error), &error)) return 1;
    if (!is_told(arcl_similarity(inherited->context, "opencl", &grid, 1, &grid, 1, &common, NULL, &error), &error))
        return 2;
    if (!is_told(make(&own, "cl:0", &error), &error)) return 3;
    if (make(&host, "host", &error) || run(&host, &error)) return 4;
    if (arcl_device_count(host.context) != 2 || arcl_device_get(host.context, 1, &info, NULL)) return 5;
    if (info.state != ARCL_DEVICE_ABSENT || !strstr(info.reason, "forked")) return 6;
    end(&own);
    end(&host);
    end(inherited);
    return 0;
}

TEST a_child_is_told(void) {
    things t = {0};
    arcl_error error = {{0}};
    int status = -1;
    if (make(&t, "cl:0", &error)) SKIPm(error.message);
    ASSERT_EQm(error.message, ARCL_SUCCESS, run(&t, &error));
    settle_threads();
    pid_t child = fork();
    if (child == 0) {
        alarm(60); /* which ends it if it hangs */
        _exit(use(&t));
    }
    waitpid(child, &status, 0);
    ASSERT(WIFEXITED(status));
    ASSERT_EQ_FMT(0, WEXITSTATUS(status), "%d");
    ASSERT_EQm(error.message, ARCL_SUCCESS, run(&t, &error)); /* the parent's is as it was */
    end(&t);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_TEST(a_child_is_told);
    GREATEST_MAIN_END();
}
