/* Tests of whole programs on OpenCL devices: the host's results lane by lane, what moves between host and device, too
 * little memory, failures of any call, threads. They use what is installed, PoCL twice if it is there, and say what
 * they skip. Single launches and transfers are opencl_test's business. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>

#include "opencl/api.h"
#include "opencl/opencl.h"
#include "support/evaluation.h"

#include "greatest.h"

#define MIB ((uint64_t)1 << 20)
#define MOST_DEVICES 8

/* The devices that are ready. */
static struct {
    char id[16];
    int queues;
} devices[MOST_DEVICES];
static int device_count;

static void find_devices(void) {
    arcl_context *context;
    arcl_device_info info;
    if (arcl_context_create(NULL, &context, NULL)) abort();
    for (int i = 1; i < arcl_device_count(context) && device_count < MOST_DEVICES; i++) {
        if (arcl_device_get(context, i, &info, NULL) || info.state != ARCL_DEVICE_READY) continue;
        memcpy(devices[device_count].id, info.id, sizeof info.id);
        devices[device_count++].queues = opencl_queues(&info);
    }
    arcl_context_free(context);
}

/* ---- running ---- */

typedef struct outcome {
    arcl_status status;
    arcl_error error;
    text values; /* of all lanes */
} outcome;

/* Grids of up to side x side cells, the same for every context. */
static arcl_batch *make_grids(arcl_context *context, int lanes, uint32_t side, int exactly) {
    randomness r = {1};
    signed char cells[40 * 40];
    arcl_batch *b;
    if (arcl_batch_create(context, "grid", &b, NULL)) abort();
    for (int n = 0; n < lanes; n++) {
        uint32_t h = exactly ? side : 1 + random_below(&r, side), w = exactly ? side : 1 + random_below(&r, side);
        for (uint32_t i = 0; i < h * w; i++) cells[i] = (signed char)(random_below(&r, 4) ? 0 : random_below(&r, 10));
        if (arcl_batch_add_grid(b, (int)h, (int)w, cells, NULL)) abort();
    }
    return b;
}

static void run_body(arcl_context *context, const char *body, const arcl_batch *batch, outcome *o) {
    arcl_program *p;
    arcl_result *r = NULL;
    o->error = (arcl_error){{0}};
    text_clear(&o->values);
    o->status = body_compile(context, "grid", body, 0, &p, &o->error);
    if (!o->status) o->status = arcl_run(context, p, batch, &r, &o->error);
    if (!o->status) result_write(r, &o->values);
    arcl_result_free(r);
    arcl_program_free(p);
}

/* The same in a context of its own, over small grids. */
static void run_with(arcl_options options, const char *body, int lanes, outcome *o) {
    arcl_context *context;
    if ((o->status = arcl_context_create(&options, &context, &o->error))) return;
    arcl_batch *b = make_grids(context, lanes, 9, 0);
    run_body(context, body, b, o);
    arcl_batch_free(b);
    arcl_context_free(context);
}

static arcl_device_report report_of(const arcl_context *context) {
    arcl_device_report all = {0};
    for (int i = 0; i < arcl_report_device_count(context); i++) {
        arcl_device_report one = arcl_report_device(context, i);
        all.launches += one.launches;
        all.synchronisations += one.synchronisations;
        all.bytes_up += one.bytes_up;
        all.bytes_down += one.bytes_down;
    }
    return all;
}

/* ---- the host's results ---- */

/* What each must have among its lanes' results, so that it tests what it is for. */
static const struct {
    const char *body, *has;
} bodies[] = {
    {"rot90(a)", "[["},
    {"apply(size, objects(a, T, F, T))", "{1,2"},
    {"mapply(neighbors, ofcolor(a, 1))", "{}"},
    {"apply(lbind(apply, lbind(add, 1)), a)", "[["},
    {"apply(first, order(partition(a), size))", "[[0,"},
    {"sfilter(asindices(a), compose(even, first))", "{[0,0]"},
    {"power(rot90, size(a))(a)", "[["},
    {"power(increment, multiply(size(a), 10))(0)", "; 90;"},
    {"power(compose(lbind(divide, 6), decrement), size(a))(7)", "DIVIDE"},
    {"branch(even(size(a)), a, palette(a))", "; {0"},
    {"x = branch(even(size(a)), a, asobject(a)); y = branch(even(size(a)), 1, (1, 1)); astuple(height(x), y)",
     ",[1,1]]"},
    {"divide(6, subtract(height(a), 2))", "DIVIDE"},
    {"x = divide(6, subtract(height(a), 2)); width(a)", "DIVIDE"},
    {"first(ofcolor(a, 2))", "EMPTY"},
    {"apply(lbind(divide, 6), palette(a))", "DIVIDE"},
    {"extract(objects(a, T, F, T), matcher(size, 2))", "EMPTY"},
    {"cellwise(a, rot90(a), 0)", "BOUNDS"},
    {"add(1, index(a, (3, 3)))", "TYPE"},
    {"power(double, multiply(size(a), 5))(1)", "LIMIT"},
};
enum { BODIES = sizeof bodies / sizeof *bodies, LANES = 150 };

TEST gives_what_the_host_gives(const char *device, uint32_t chunk) {
    outcome host = {0}, there = {0};
    arcl_options options = {.device = device, .chunk = chunk};
    arcl_context *context;
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &context, NULL));
    arcl_batch *b = make_grids(context, LANES, 9, 0);
    for (int i = 0; i < BODIES; i++) {
        run_with((arcl_options){.threads = 1}, bodies[i].body, LANES, &host);
        ASSERT_EQm(bodies[i].body, ARCL_SUCCESS, host.status);
        if (!strstr(host.values.at, bodies[i].has)) ASSERT_STR_EQm(bodies[i].body, bodies[i].has, host.values.at);
        run_body(context, bodies[i].body, b, &there);
        ASSERT_EQm(there.error.message, ARCL_SUCCESS, there.status);
        ASSERT_STR_EQm(bodies[i].body, host.values.at, there.values.at);
    }
    arcl_batch_free(b);
    arcl_context_free(context);
    ASSERT_EQ(0, opencl_api_alive());
    text_free(&host.values);
    text_free(&there.values);
    PASS();
}

static int lanes_with(const char *values, const char *status) {
    int n = 0;
    for (; (values = strstr(values, status)); values++) n++;
    return n;
}

/* With a budget that some of the lanes exceed, the same lanes do so everywhere. */
TEST a_budget_is_the_same_as_on_the_host(const char *device, const char *body) {
    outcome host = {0}, there = {0};
    uint32_t budget = 16;
    int exceeded = LANES;
    while (exceeded > LANES - 10) {
        budget += budget / 8;
        run_with((arcl_options){.threads = 1, .budget = budget}, body, LANES, &host);
        exceeded = lanes_with(host.values.at, "BUDGET");
    }
    ASSERTm(body, exceeded > 10);
    for (uint32_t chunk = 0; chunk <= 7; chunk += 7) {
        run_with((arcl_options){.device = device, .budget = budget, .chunk = chunk}, body, LANES, &there);
        ASSERT_EQm(there.error.message, ARCL_SUCCESS, there.status);
        ASSERT_STR_EQm(body, host.values.at, there.values.at);
    }
    text_free(&host.values);
    text_free(&there.values);
    PASS();
}

SUITE(results) {
    static const char *const dear[] = {
        "product(asindices(a), ((0, 0), (1, 1)))",
        "mapply(neighbors, asindices(a))",
        "mapply(compose(neighbors, increment), asindices(a))",
        "power(increment, multiply(size(a), multiply(10, size(a))))(0)",
        "branch(even(size(a)), rbind(upscale, 3), compose(trim, rbind(upscale, 6)))(a)",
    };
    for (int i = 0; i < device_count; i++) {
        RUN_TESTp(gives_what_the_host_gives, devices[i].id, 0);
        RUN_TESTp(gives_what_the_host_gives, devices[i].id, 7);
        for (size_t n = 0; n < sizeof dear / sizeof *dear; n++)
            RUN_TESTp(a_budget_is_the_same_as_on_the_host, devices[i].id, dear[n]);
    }
}

/* ---- threads ---- */

enum { THREADS = 8, STRIDE = 3 /* some of the bodies are enough: every context has to build their kernels */ };
static char *expected[BODIES];

typedef struct caller {
    pthread_t thread;
    const char *device;
    int first, wrong;
} caller;

static void *run_all(void *arg) {
    caller *c = arg;
    arcl_options options = {.device = c->device, .memory = 64 * MIB};
    arcl_context *context;
    outcome o = {0};
    c->wrong = 1;
    if (arcl_context_create(&options, &context, NULL)) return NULL;
    arcl_batch *b = make_grids(context, LANES, 9, 0);
    c->wrong = 0;
    for (int i = 0; i < 2 * BODIES; i++) { /* each begins with another one, and comes back to it */
        int n = (c->first + i * STRIDE) % (BODIES / STRIDE * STRIDE);
        run_body(context, bodies[n].body, b, &o);
        c->wrong += o.status || strcmp(o.values.at, expected[n]) != 0;
    }
    text_free(&o.values);
    arcl_batch_free(b);
    arcl_context_free(context);
    return NULL;
}

TEST threads_do_not_disturb_each_other(int from, int step) {
    caller callers[THREADS];
    outcome o = {0};
    for (int i = 0; i < BODIES; i++) {
        run_with((arcl_options){.threads = 1}, bodies[i].body, LANES, &o);
        expected[i] = strdup(o.values.at);
    }
    for (int i = 0; i < THREADS; i++) {
        callers[i] = (caller){.device = devices[(from + i * step) % device_count].id, .first = i * STRIDE};
        ASSERT_EQ(0, pthread_create(&callers[i].thread, NULL, run_all, &callers[i]));
    }
    for (int i = 0; i < THREADS; i++) pthread_join(callers[i].thread, NULL);
    for (int i = 0; i < THREADS; i++) ASSERT_EQ_FMT(0, callers[i].wrong, "%d");
    ASSERT_EQ(0, opencl_api_alive());
    for (int i = 0; i < BODIES; i++) free(expected[i]);
    text_free(&o.values);
    PASS();
}

SUITE(threads) {
    for (int i = 0; i < device_count; i++) RUN_TESTp(threads_do_not_disturb_each_other, i, 0);
    if (device_count > 1) RUN_TESTp(threads_do_not_disturb_each_other, 0, 1); /* on all of them */
}

/* ---- what moves ---- */

enum { SIDE = 30, CELLS = SIDE * SIDE, MANY = 1000, AROUND = 64 /* bytes that a grid may take besides its cells */ };

/* Counts of one run. */
static arcl_status count_run(arcl_context *context, const arcl_program *p, const arcl_batch *b,
                             arcl_device_report *counted, arcl_error *error) {
    arcl_result *r = NULL;
    arcl_report_reset(context);
    arcl_status status = arcl_run(context, p, b, &r, error);
    *counted = report_of(context);
    arcl_result_free(r);
    return status;
}

TEST inputs_go_up_once_and_results_come_down_once(const char *device, uint32_t chunks) {
    arcl_options options = {.device = device, .chunk = MANY / chunks};
    arcl_device_report first, second, small;
    arcl_context *context;
    arcl_program *p, *q;
    arcl_error error = {""};
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &context, NULL));
    arcl_batch *b = make_grids(context, MANY, SIDE, 1);
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "grid", "rot90(a)", 0, &p, NULL));
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "grid", "height(a)", 0, &q, NULL));
    ASSERT_EQm(error.message, ARCL_SUCCESS, count_run(context, p, b, &first, &error));
    ASSERT_EQm(error.message, ARCL_SUCCESS, count_run(context, p, b, &second, &error));
    ASSERT_EQm(error.message, ARCL_SUCCESS, count_run(context, q, b, &small, &error)); /* another program, same batch */
    uint64_t input = first.bytes_up - second.bytes_up;
    ASSERT(input >= MANY * CELLS && input <= MANY * (CELLS + AROUND));
    /* the program's steps, and what lanes begin with, each time */
    ASSERT(second.bytes_up <= MANY * 5 + chunks * 4096 && small.bytes_up <= MANY * 5 + chunks * 4096);
    ASSERT(first.bytes_down >= MANY * CELLS && first.bytes_down <= MANY * (CELLS + AROUND) + chunks * 4096);
    ASSERT_EQ(first.bytes_down, second.bytes_down);
    ASSERT(small.bytes_down <= MANY * 16 + chunks * 4096);
    /* Once for each chunk and once for the last results. A first run looks at its first chunk before it goes on, and
     * also waits for the inputs if they are too many to be copied. */
    ASSERT_EQ_FMT((uint64_t)chunks + 1, second.synchronisations, "%" PRIu64);
    ASSERT(small.synchronisations - second.synchronisations <= 1);
    ASSERT(first.synchronisations - second.synchronisations <= 2);
    /* rot90 itself, and one to pack. */
    ASSERT_EQ_FMT((uint64_t)2 * chunks, second.launches, "%" PRIu64);
    ASSERT_EQ(first.launches, second.launches);
    arcl_batch_free(b);
    arcl_program_free(p);
    arcl_program_free(q);
    arcl_context_free(context);
    PASS();
}

/* Inputs that are also what is expected of them. */
typedef struct score_case {
    arcl_context *context;
    arcl_program *program;
    arcl_batch *batch, *same;
} score_case;

static arcl_status score_case_make(score_case *s, arcl_options options) {
    *s = (score_case){0};
    if (arcl_context_create(&options, &s->context, NULL)) return ARCL_INVALID;
    s->batch = make_grids(s->context, MANY, SIDE, 1);
    s->same = make_grids(s->context, MANY, SIDE, 1);
    return body_compile(s->context, "grid", "identity(a)", 0, &s->program, NULL);
}

/* Returns how many lanes match; -1 if scoring fails. */
static int score_case_run(const score_case *s) {
    const arcl_program *programs[] = {s->program};
    const arcl_batch *batches[] = {s->batch}, *grids[] = {s->same};
    arcl_result *r;
    int matches = 0;
    if (arcl_score_many(s->context, 1, programs, batches, grids, 0, &r, NULL)) return -1;
    for (uint32_t n = 0; n < MANY; n++) matches += arcl_result_score(r, n).cells == CELLS;
    arcl_result_free(r);
    return matches;
}

static void score_case_free(score_case *s) {
    arcl_batch_free(s->batch);
    arcl_batch_free(s->same);
    arcl_program_free(s->program);
    arcl_context_free(s->context);
}

/* With scores alone, three words per lane come down and no output does; what is expected goes up once. */
TEST scores_leave_outputs_on_the_device(const char *device, uint32_t chunks) {
    arcl_device_report first, second;
    score_case s;
    ASSERT_EQ(ARCL_SUCCESS, score_case_make(&s, (arcl_options){.device = device, .chunk = MANY / chunks}));
    arcl_report_reset(s.context);
    ASSERT_EQ(MANY, score_case_run(&s));
    first = report_of(s.context);
    arcl_report_reset(s.context);
    ASSERT_EQ(MANY, score_case_run(&s));
    second = report_of(s.context);
    uint64_t input = first.bytes_up - second.bytes_up;
    ASSERT(input >= 2 * MANY * CELLS && input <= 2 * MANY * (CELLS + AROUND));
    ASSERT(second.bytes_down <= MANY * 24 + chunks * 4096);
    ASSERT_EQ(first.bytes_down, second.bytes_down);
    ASSERT_EQ_FMT((uint64_t)chunks + 1, second.synchronisations, "%" PRIu64);
    ASSERT_EQ_FMT((uint64_t)chunks, second.launches, "%" PRIu64); /* one to score: identity is none */
    score_case_free(&s);
    PASS();
}

/* A loop of n rounds looks whether it goes on after 1, 2, 4 and then every 8 rounds. */
TEST loops_seldom_wait(const char *device) {
    enum { ROUNDS = 100 };
    arcl_options options = {.device = device, .chunk = MANY};
    arcl_device_report counted;
    arcl_context *context;
    arcl_program *p;
    arcl_error error = {""};
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &context, NULL));
    arcl_batch *b = make_grids(context, MANY, 10, 1);
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "grid", "power(increment, size(asindices(a)))(0)", 0, &p, NULL));
    ASSERT_EQm(error.message, ARCL_SUCCESS, count_run(context, p, b, &counted, &error));
    ASSERT(counted.synchronisations <= 2 + 3 + (ROUNDS + 7) / 8);
    ASSERT(counted.launches >= ROUNDS);
    arcl_batch_free(b);
    arcl_program_free(p);
    arcl_context_free(context);
    PASS();
}

/* With several queues, which of them gets which lanes is a matter of chance, and so is what goes up again. */
SUITE(transfers) {
    for (int i = 0; i < device_count; i++)
        if (devices[i].queues == 1) {
            RUN_TESTp(inputs_go_up_once_and_results_come_down_once, devices[i].id, 1);
            RUN_TESTp(inputs_go_up_once_and_results_come_down_once, devices[i].id, 4);
            RUN_TESTp(scores_leave_outputs_on_the_device, devices[i].id, 1);
            RUN_TESTp(scores_leave_outputs_on_the_device, devices[i].id, 4);
            RUN_TESTp(loops_seldom_wait, devices[i].id);
        }
}

/* ---- memory ---- */

/* Twenty megabytes of grids through a fraction of that, however they are cut. */
TEST inputs_that_do_not_fit_come_in_pieces(const char *device, uint64_t memory) {
    enum { GRIDS = 20000 };
    outcome host = {0}, there = {0};
    arcl_context *context[2];
    arcl_batch *b[2];
    arcl_options options[2] = {{.threads = 1}, {.threads = 1, .device = device, .memory = memory}};
    for (int i = 0; i < 2; i++) {
        ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options[i], &context[i], NULL));
        b[i] = make_grids(context[i], GRIDS, SIDE, 1);
    }
    run_body(context[0], "colorcount(a, 1)", b[0], &host);
    run_body(context[1], "colorcount(a, 1)", b[1], &there);
    ASSERT_EQm(there.error.message, ARCL_SUCCESS, there.status);
    ASSERT_STR_EQ(host.values.at, there.values.at);
    ASSERT(report_of(context[1]).bytes_up >= GRIDS * CELLS);
    run_body(context[0], "colorcount(a, 2)", b[0], &host);
    run_body(context[1], "colorcount(a, 2)", b[1], &there); /* what was kept of the first run is of no use any more */
    ASSERT_EQm(there.error.message, ARCL_SUCCESS, there.status);
    ASSERT_STR_EQ(host.values.at, there.values.at);
    ASSERT(report_of(context[1]).bytes_up >= 2 * GRIDS * CELLS);
    for (int i = 0; i < 2; i++) {
        arcl_batch_free(b[i]);
        arcl_context_free(context[i]);
    }
    text_free(&host.values);
    text_free(&there.values);
    PASS();
}

/* All pairs of the cells: of 15x15 cells these are 50,625 words or more, of 40x40 two million. */
#define HUNGRY "size(product(asindices(a), asindices(a)))"

TEST a_small_memory_makes_smaller_chunks(const char *device, int queues, uint32_t chunk) {
    enum { GRIDS = 100, PAIRS = 15 * 15 * 15 * 15 };
    arcl_options options = {.threads = 1, .device = device, .memory = 8 * MIB * (uint64_t)queues, .chunk = chunk};
    arcl_context *context;
    outcome o = {0};
    char first[32];
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &context, NULL));
    arcl_batch *b = make_grids(context, GRIDS, 15, 1), *large = make_grids(context, 3, 40, 1);
    snprintf(first, sizeof first, "%d; %d;", PAIRS, PAIRS);
    for (int i = 0; i < 2; i++) {
        run_body(context, HUNGRY, b, &o);
        ASSERT_EQm(o.error.message, ARCL_SUCCESS, o.status);
        ASSERT(strncmp(o.values.at, first, strlen(first)) == 0 && lanes_with(o.values.at, "50625") == GRIDS);
        run_body(context, HUNGRY, large, &o); /* and now one that can never fit */
        ASSERT_EQ(ARCL_NO_MEMORY, o.status);
        ASSERTm(o.error.message, strstr(o.error.message, "one lane alone needs more memory") &&
                                     strstr(o.error.message, device) && strstr(o.error.message, "raise the memory"));
    }
    arcl_batch_free(b);
    arcl_batch_free(large);
    arcl_context_free(context);
    text_free(&o.values);
    PASS();
}

/* What a lane takes is guessed by those before it: two chunks that are on their way when it turns out to be much more
 * find no room, and run again in pieces. */
TEST chunks_that_do_not_fit_run_again(const char *device, int queues) {
    enum { SMALL = 120, LARGE = 60 };
    signed char cells[16 * 16] = {0};
    arcl_options options[] = {{.threads = 1}, {.device = device, .memory = 8 * MIB * (uint64_t)queues, .chunk = 10}};
    outcome o[2] = {{0}};
    for (int i = 0; i < 2; i++) {
        arcl_context *context;
        arcl_batch *b;
        ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options[i], &context, NULL));
        ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "grid", &b, NULL));
        for (int n = 0; n < 2 * (SMALL + LARGE); n++) /* each of two queues has both */
            if (n % (SMALL + LARGE) < SMALL)
                ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grid(b, 1, 1 + n % 3, cells, NULL));
            else
                ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_grid(b, 15 + n % 2, 15, cells, NULL));
        for (int again = 0; again < 2; again++) run_body(context, HUNGRY, b, &o[i]);
        ASSERT_EQm(o[i].error.message, ARCL_SUCCESS, o[i].status);
        arcl_batch_free(b);
        arcl_context_free(context);
    }
    ASSERT_STR_EQ(o[0].values.at, o[1].values.at);
    for (int i = 0; i < 2; i++) text_free(&o[i].values);
    PASS();
}

TEST an_input_that_cannot_fit_is_an_error(const char *device, int queues) {
    arcl_options options = {.threads = 1, .device = device, .memory = MIB * (uint64_t)queues};
    arcl_context *context;
    arcl_batch *b, *small;
    outcome o = {0};
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &context, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(context, "[int]", &b, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_open(b, NULL));
    for (int i = 0; i < 100000; i++) ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_int(b, i, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_close(b, NULL));
    arcl_program *p;
    arcl_result *r;
    ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "[int]", "size(a)", 0, &p, NULL));
    ASSERT_EQ(ARCL_NO_MEMORY, arcl_run(context, p, b, &r, &o.error));
    ASSERTm(o.error.message, !r && strstr(o.error.message, "one lane of the input") && strstr(o.error.message, device));
    small = make_grids(context, 1, 3, 1);
    run_body(context, "size(a)", small, &o);
    ASSERT_STR_EQ("3", o.values.at); /* the context goes on */
    arcl_program_free(p);
    arcl_batch_free(small);
    arcl_batch_free(b);
    arcl_context_free(context);
    text_free(&o.values);
    PASS();
}

/* Inputs and what is expected fit one by one, or not even that; both together never do. */
TEST scores_need_both_on_the_device(const char *device, uint64_t memory) {
    score_case s;
    ASSERT_EQ(ARCL_SUCCESS, score_case_make(&s, (arcl_options){.threads = 1, .device = device, .memory = memory}));
    ASSERT_EQ(MANY, score_case_run(&s));
    score_case_free(&s);
    PASS();
}

SUITE(memory) {
    for (int i = 0; i < device_count; i++) {
        const char *id = devices[i].id;
        int queues = devices[i].queues;
        RUN_TESTp(inputs_that_do_not_fit_come_in_pieces, id, (uint64_t)queues * 2 * MIB);
        RUN_TESTp(inputs_that_do_not_fit_come_in_pieces, id, (uint64_t)queues * 16 * MIB);
        RUN_TESTp(scores_need_both_on_the_device, id, (uint64_t)queues * MIB);
        RUN_TESTp(scores_need_both_on_the_device, id, (uint64_t)queues * 2 * MIB);
        RUN_TESTp(scores_need_both_on_the_device, id, (uint64_t)queues * 3 * MIB);
        RUN_TESTp(a_small_memory_makes_smaller_chunks, id, queues, 0);
        RUN_TESTp(a_small_memory_makes_smaller_chunks, id, queues, 100);
        RUN_TESTp(chunks_that_do_not_fit_run_again, id, queues);
        RUN_TESTp(an_input_that_cannot_fit_is_an_error, id, queues);
    }
}

/* ---- failures ---- */

/* Each of the first calls fails once, then one of a few: where an attempt builds kernels anew, it takes its time. */
static unsigned long call_after(unsigned long n) { return n + 1 + n / 8; }

TEST any_call_may_fail_while_a_context_is_made(const char *device) {
    arcl_options options = {.device = device, .memory = 64 * MIB};
    arcl_context *context;
    unsigned long n = 0, attempts = 0, failed = 0;
    do {
        arcl_error error = {""};
        n = call_after(n);
        attempts++;
        opencl_api_fail_nth(n);
        arcl_status status = arcl_context_create(&options, &context, &error);
        failed += status != ARCL_SUCCESS; /* some calls only describe other devices, and builds are tried again */
        ASSERT_EQ(status == ARCL_SUCCESS, context != NULL);
        ASSERTm(error.message, status == ARCL_SUCCESS || strstr(error.message, "CL"));
        arcl_context_free(context);
        ASSERT_EQ(0, opencl_api_alive());
    } while (opencl_api_fail_nth(0) >= n);
    printf("  %lu calls failed, one after the other, %lu of them for good\n", attempts - 1, failed);
    ASSERT(failed > 10 && context);
    PASS();
}

enum { FEW = 8 };

/* A context with a device whose nth call of a run is to fail. */
typedef struct sweep {
    const char *device, *body;
    int queues, report;
    int fresh; /* a context for every run, which has all kernels to build; else only after the device has failed */
    text right;
    unsigned long n;
    int over;
    arcl_context *context;
} sweep;

/* A run may go on with smaller chunks. If it fails for want of memory, the next one works; if the device has failed,
 * all that follow say the same. */
TEST a_failing_call_is_reported(sweep *s) {
    arcl_options options = {.device = s->device, .memory = 64 * MIB, .chunk = 2};
    outcome o = {0}, again = {0};
    if (!s->context) ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &s->context, NULL));
    arcl_batch *b = make_grids(s->context, FEW, 3, 0);
    opencl_api_fail_nth(s->n);
    arcl_report_enable(s->context, s->report);
    run_body(s->context, s->body, b, &o);
    s->over = opencl_api_fail_nth(0) < s->n;
    run_body(s->context, s->body, b, &again);
    arcl_report_enable(s->context, 0);
    arcl_batch_free(b);
    ASSERTm(o.error.message, !o.status || strstr(o.error.message, "CL_OUT_OF_RESOURCES"));
    if (o.status == ARCL_DEVICE_FAILED) {
        ASSERTm(o.error.message, strstr(o.error.message, s->device));
        ASSERT(again.status || s->queues > 1); /* another queue may be quick enough to do it all */
        if (again.status) ASSERT_STR_EQ(o.error.message, again.error.message);
    } else {
        ASSERTm(o.error.message, !o.status || o.status == ARCL_NO_MEMORY);
        ASSERT_EQm(again.error.message, ARCL_SUCCESS, again.status);
    }
    if (!o.status) ASSERT_STR_EQ(s->right.at, o.values.at);
    if (!again.status) ASSERT_STR_EQ(s->right.at, again.values.at);
    if (s->fresh || s->over || o.status == ARCL_DEVICE_FAILED) {
        arcl_context_free(s->context);
        s->context = NULL;
        ASSERT_EQ(0, opencl_api_alive());
    }
    text_free(&o.values);
    text_free(&again.values);
    PASS();
}

TEST any_call_may_fail_while_it_runs(sweep s) {
    outcome host = {0};
    arcl_context *context;
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(NULL, &context, NULL));
    arcl_batch *b = make_grids(context, FEW, 3, 0);
    run_body(context, s.body, b, &host);
    arcl_batch_free(b);
    arcl_context_free(context);
    ASSERT_EQ(ARCL_SUCCESS, host.status);
    s.right = host.values;
    unsigned long attempts = 0;
    for (s.n = 1; !s.over; s.n = s.fresh ? call_after(s.n) : s.n + 1) {
        CHECK_CALL(a_failing_call_is_reported(&s));
        attempts++;
    }
    printf("  %lu calls failed, one after the other\n", attempts - 1);
    ASSERT(s.n > 30);
    text_free(&host.values);
    PASS();
}

/* Each queue has a chunk on its way, which takes a while, when a call fails: the device writes to the host after it. */
TEST a_chunk_that_cannot_be_waited_for_is_left_alone(const char *device, int queues) {
    arcl_options options = {.device = device, .memory = 256 * MIB, .chunk = 2};
    arcl_status status = ARCL_SUCCESS;
    int over = 0;
    for (unsigned long n = 1; !over; n++) {
        arcl_context *context;
        arcl_program *p;
        arcl_result *r = NULL;
        ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &context, NULL));
        arcl_batch *b = make_grids(context, (int)options.chunk * queues, 24, 1);
        ASSERT_EQ(ARCL_SUCCESS, body_compile(context, "grid", HUNGRY, 0, &p, NULL));
        for (int i = 0; i < 2; i++) { /* what a lane takes is known the second time */
            arcl_result_free(r);
            r = NULL;
            if (i) opencl_api_fail_nth(n);
            status = arcl_run(context, p, b, &r, NULL);
            if (!i) ASSERT_EQ(ARCL_SUCCESS, status);
        }
        over = opencl_api_fail_nth(0) < n;
        ASSERT(!status || status == ARCL_DEVICE_FAILED || status == ARCL_NO_MEMORY);
        arcl_result_free(r);
        arcl_program_free(p);
        arcl_batch_free(b);
        arcl_context_free(context);
        ASSERT_EQ(0, opencl_api_alive());
    }
    ASSERT_EQ(ARCL_SUCCESS, status);
    PASS();
}

SUITE(failing) {
    for (int i = 0; i < device_count; i++) {
        sweep build = {.device = devices[i].id, .body = "rot90(a)", .queues = 1, .report = 1, .fresh = 1};
        sweep loop = {.device = devices[i].id, .body = "power(rot90, size(a))(a)", .queues = devices[i].queues};
        RUN_TESTp(any_call_may_fail_while_a_context_is_made, devices[i].id);
        RUN_TESTp(any_call_may_fail_while_it_runs, loop);
        RUN_TESTp(a_chunk_that_cannot_be_waited_for_is_left_alone, devices[i].id, devices[i].queues);
        if (devices[i].queues == 1)
            RUN_TESTp(any_call_may_fail_while_it_runs, build); /* the nth call is always the same */
    }
}

TEST a_device_is_there(void) {
    if (!device_count) SKIPm("no OpenCL device is ready");
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    setenv("POCL_DEVICES", "pthread basic", 0);
    setenv("RUSTICL_ENABLE", "", 0);
    find_devices();
    GREATEST_MAIN_BEGIN();
    RUN_TEST(a_device_is_there);
    RUN_SUITE(results);
    RUN_SUITE(threads);
    RUN_SUITE(transfers);
    RUN_SUITE(memory);
    RUN_SUITE(failing);
    GREATEST_MAIN_END();
}
