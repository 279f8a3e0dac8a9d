/* Tests of the accumulator: many threads submit, every submission is answered once, with what a run of its own gives;
 * what fails touches nothing else; nothing is lost when it ends. And of the parts that decide: costs, waiting,
 * groups. */
#include "accumulator/accumulator.h"

#include <unistd.h>

#include "accumulator/waiting.h"
#include "greatest.h"
#include "support/evaluation.h"
#include "support/synthetic_profile.h"

/* ---- submissions with known answers ---- */

typedef struct known_program {
    const char *types, *body;
    const char *lanes[4];
} known_program;

static const known_program known[] = {
    {"grid", "rot90(a)", {"[[1,2],[3,4]]", "[[5]]", "[[1,2,3]]", "[[7],[8],[9]]"}},
    {"grid",
     "o = objects(a, T, F, T); f = first(o); m = mapply(lbind(shift, f), apply(ulcorner, o)); m",
     {"[[0,1],[0,0]]", "[[0,0],[0,0]]", "[[3,0],[0,3]]",
      "[[0,0,0],[4,4,0],[0,0,2]]"}}, /* the second has no first object */
    {"int int", "divide(a, b)", {"6 3", "1 0", "-7 2", "5 5"}},
    {"[[grid]] grid",
     "x = first(a); y = last(x); hconcat(y, b)",
     {"[[[[1]],[[2]]]] [[3]]", "[] [[1]]", "[[[[1]],[[4],[5]]]] [[6],[7]]", "[[[[1]],[[2]]]] [[8]]"}},
    {"{int} int", "insert(b, a)", {"[3,1] 2", "[] 5", "[1] 1", "[9,8,7] 0"}},
};
enum { PROGRAMS = sizeof known / sizeof *known, MOST_LANES = 6, SUBMITTERS = 8 };

static char answers[PROGRAMS][4][256];

typedef struct setting {
    arcl_context *context;
    arcl_program *program[PROGRAMS];
    arcl_accumulator *accumulator;
} setting;

static arcl_status compile_known(arcl_context *c, arcl_program **program, arcl_error *error) {
    for (int i = 0; i < PROGRAMS; i++) {
        arcl_status status = body_compile(c, known[i].types, known[i].body, 0, &program[i], error);
        if (status) return status;
    }
    return ARCL_SUCCESS;
}

static setting set_up(const arcl_accumulator_options *options) {
    setting s = {.context = NULL};
    arcl_error error;
    const arcl_options host = {.device = "host", .threads = 2};
    if (arcl_context_create(&host, &s.context, &error) || compile_known(s.context, s.program, &error) ||
        arcl_accumulator_create(s.context, options, &s.accumulator, &error)) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    return s;
}

static void tear_down(setting *s) {
    arcl_accumulator_free(s->accumulator);
    for (int i = 0; i < PROGRAMS; i++) arcl_program_free(s->program[i]);
    arcl_context_free(s->context);
}

/* What every lane gives on its own, by direct runs in a context that has no accumulator. */
static int find_answers(void) {
    setting s = {.context = NULL};
    if (arcl_context_create(NULL, &s.context, NULL)) return 0;
    for (int i = 0; i < PROGRAMS; i++)
        for (int n = 0; n < 4; n++)
            snprintf(answers[i][n], sizeof answers[i][n], "%s",
                     evaluate_in(s.context, known[i].types, known[i].body, known[i].lanes[n]));
    arcl_context_free(s.context);
    return 1;
}

typedef struct promise { /* a submission and what it should be answered with */
    arcl_ticket ticket;
    text expected;
} promise;

static arcl_status submit_lanes(setting *s, int program, const char *lanes, arcl_ticket *ticket, arcl_error *error) {
    arcl_batch *batch;
    arcl_status status = arcl_batch_create(s->context, known[program].types, &batch, error);
    if (!status) status = lanes_read(batch, lanes, error);
    if (!status) status = arcl_accumulator_submit(s->accumulator, s->program[program], batch, ticket, error);
    if (status) arcl_batch_free(batch);
    return status;
}

static int submit_random(setting *s, randomness *random, promise *p) {
    int program = (int)random_below(random, PROGRAMS);
    uint32_t count = 1 + random_below(random, MOST_LANES);
    text lanes = {0};
    text_clear(&p->expected);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = random_below(random, 4);
        if (i) text_add(&p->expected, "; ");
        text_add(&lanes, "; ");
        text_add(&lanes, known[program].lanes[n]);
        text_add(&p->expected, answers[program][n]);
    }
    arcl_error error;
    arcl_status status = submit_lanes(s, program, lanes.at, &p->ticket, &error);
    if (status) fprintf(stderr, "%s\n", error.message);
    text_free(&lanes);
    return status == ARCL_SUCCESS;
}

/* Takes the answer, which must be the one promised, and cannot be taken again. */
static int is_kept(arcl_accumulator *a, promise *p) {
    arcl_result *result, *again;
    arcl_error error;
    text found = {0};
    arcl_status status = arcl_accumulator_take(a, p->ticket, &result, &error);
    text_clear(&found);
    if (!status) result_write(result, &found);
    int kept = !status && strcmp(found.at, p->expected.at) == 0;
    if (!kept) fprintf(stderr, "expected %s, got %s\n", p->expected.at, status ? error.message : found.at);
    kept &= arcl_accumulator_poll(a, p->ticket) == -1;
    kept &= arcl_accumulator_take(a, p->ticket, &again, NULL) == ARCL_INVALID && !again;
    arcl_result_free(result);
    text_free(&found);
    text_free(&p->expected);
    return kept;
}

/* ---- many threads ---- */

typedef struct submitter {
    setting *setting;
    randomness random;
    int count, wrong;
    pthread_t thread;
} submitter;

/* What any thread may do while the accumulator runs. */
static int compiles(arcl_context *c) {
    arcl_program *p;
    if (body_compile(c, "grid", "hmirror(rot90(a))", 0, &p, NULL)) return 0;
    arcl_program_free(p);
    return 1;
}

/* Up to 20 submissions are on their way at a time; they are taken in any order. */
static void *submit_and_take(void *arg) {
    submitter *me = arg;
    promise open[20] = {{0}};
    int n = 0;
    for (int i = 0; i < me->count || n;) {
        if (i < me->count && n < 20 && (n == 0 || random_below(&me->random, 3))) {
            me->wrong += !submit_random(me->setting, &me->random, &open[n++]);
            if (i++ % 50 == 0) me->wrong += !compiles(me->setting->context);
            continue;
        }
        int at = (int)random_below(&me->random, (uint32_t)n);
        if (random_below(&me->random, 2))
            me->wrong += arcl_accumulator_poll(me->setting->accumulator, open[at].ticket) < 0;
        me->wrong += !is_kept(me->setting->accumulator, &open[at]);
        open[at] = open[--n];
        open[n] = (promise){0};
    }
    return NULL;
}

TEST every_submission_is_answered_once(const arcl_accumulator_options *options, int count) {
    setting s = set_up(options);
    submitter all[SUBMITTERS];
    int wrong = 0;
    for (int i = 0; i < SUBMITTERS; i++) {
        all[i] = (submitter){.setting = &s, .random = {(uint64_t)i + 1}, .count = count};
        ASSERT_EQ(0, pthread_create(&all[i].thread, NULL, submit_and_take, &all[i]));
    }
    for (int i = 0; i < SUBMITTERS; i++) {
        pthread_join(all[i].thread, NULL);
        wrong += all[i].wrong;
    }
    arcl_accumulator_report r = arcl_accumulator_report_get(s.accumulator);
    ASSERT_EQ(0, wrong);
    ASSERT_EQ((uint64_t)SUBMITTERS * (uint64_t)count, r.submissions);
    ASSERT_EQ(r.submissions, r.answered);
    ASSERT_EQ(0u, r.failed);
    ASSERT(r.groups > 0 && r.groups <= r.submissions);
    ASSERT_EQ(r.groups, r.by_cost + r.by_size + r.by_delay + r.by_request);
    tear_down(&s);
    PASS();
}

/* ---- the end ---- */

enum { SLOW_SIDE = 30, WAITING = 40 };

/* Keeps the accumulator busy for a while, so that what comes next has to wait. */
static arcl_ticket submit_slow(setting *s, arcl_program **program) {
    signed char cells[SLOW_SIDE * SLOW_SIDE];
    arcl_batch *batch;
    arcl_ticket ticket = 0;
    memset(cells, 1, sizeof cells);
    if (body_compile(s->context, "grid", "x = asindices(a); size(product(x, x))", 0, program, NULL) ||
        arcl_batch_create(s->context, "grid", &batch, NULL))
        return 0;
    for (int i = 0; i < 20; i++)
        if (arcl_batch_add_grid(batch, SLOW_SIDE, SLOW_SIDE, cells, NULL)) return 0;
    return arcl_accumulator_submit(s->accumulator, *program, batch, &ticket, NULL) ? 0 : ticket;
}

TEST closing_answers_what_waits(int take) {
    setting s = set_up(NULL);
    arcl_program *slow;
    arcl_result *result;
    promise p[WAITING] = {0};
    randomness random = {5};
    arcl_error error;
    arcl_ticket ticket, late;
    int kept = 0;
    ASSERT((ticket = submit_slow(&s, &slow)) != 0);
    for (int i = 0; i < WAITING; i++) ASSERT(submit_random(&s, &random, &p[i]));
    if (take) {
        arcl_accumulator_close(s.accumulator);
        arcl_accumulator_report r = arcl_accumulator_report_get(s.accumulator);
        ASSERT_EQ(WAITING + 1u, r.submissions);
        ASSERT_EQ(r.submissions, r.answered);
        ASSERT(r.groups <= 1 + 4 * PROGRAMS); /* they have waited together: a group per program and size */
        ASSERT_EQ(ARCL_INVALID, submit_lanes(&s, 0, "[[1]]", &late, &error));
        ASSERTm(error.message, strstr(error.message, "closed"));
        for (int i = 0; i < WAITING; i++) {
            ASSERT_EQ(1, arcl_accumulator_poll(s.accumulator, p[i].ticket));
            kept += is_kept(s.accumulator, &p[i]);
        }
        ASSERT_EQ(WAITING, kept);
        ASSERT_EQ(ARCL_SUCCESS, arcl_accumulator_take(s.accumulator, ticket, &result, &error));
        arcl_result_free(result);
    }
    for (int i = 0; i < WAITING; i++) text_free(&p[i].expected);
    arcl_accumulator_free(s.accumulator); /* with all or none of the answers taken */
    s.accumulator = NULL;
    arcl_program_free(slow);
    tear_down(&s);
    PASS();
}

typedef struct taker {
    arcl_accumulator *accumulator;
    promise promise;
    int kept;
    _Atomic int done;
} taker;

static void *take_one(void *arg) {
    taker *t = arg;
    arcl_result *result;
    text found = {0};
    t->kept = !arcl_accumulator_take(t->accumulator, t->promise.ticket, &result, NULL);
    text_clear(&found);
    if (t->kept) result_write(result, &found);
    t->kept = t->kept && strcmp(found.at, t->promise.expected.at) == 0;
    arcl_result_free(result);
    text_free(&found);
    atomic_store(&t->done, 1);
    return NULL;
}

/* A thread that waits for its answer gets it, though the accumulator is being freed. */
TEST freeing_waits_for_those_who_wait(void) {
    setting s = set_up(NULL);
    arcl_program *slow;
    taker t = {.accumulator = s.accumulator};
    randomness random = {6};
    pthread_t thread;
    ASSERT(submit_slow(&s, &slow));
    ASSERT(submit_random(&s, &random, &t.promise));
    ASSERT_EQ(0, pthread_create(&thread, NULL, take_one, &t));
    while (!arcl_accumulator_report_get(s.accumulator).waiting && !atomic_load(&t.done)) continue;
    arcl_accumulator_free(s.accumulator);
    s.accumulator = NULL;
    pthread_join(thread, NULL);
    ASSERT(t.kept);
    text_free(&t.promise.expected);
    arcl_program_free(slow);
    tear_down(&s);
    PASS();
}

/* ---- what fails ---- */

/* Pairs of the cells of colour 1: of a grid full of them more than there is memory for. */
static arcl_ticket submit_pairs(arcl_accumulator *a, arcl_context *c, const arcl_program *pairs, int full) {
    signed char cells[40 * 40] = {1};
    arcl_batch *batch;
    arcl_ticket ticket;
    memset(cells, full, sizeof cells);
    cells[0] = 1;
    if (arcl_batch_create(c, "grid", &batch, NULL) || arcl_batch_add_grid(batch, 40, 40, cells, NULL) ||
        arcl_accumulator_submit(a, pairs, batch, &ticket, NULL))
        return 0;
    return ticket;
}

TEST a_failure_is_its_own(void) {
    const arcl_options small = {.device = "host", .threads = 1, .memory = 16 << 20};
    enum { COUNT = 30, BAD = 7 };
    arcl_ticket ticket[COUNT];
    arcl_context *c;
    arcl_program *pairs;
    arcl_accumulator *a;
    arcl_result *result;
    arcl_error error;
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&small, &c, NULL));
    ASSERT_EQ(ARCL_SUCCESS, body_compile(c, "grid", "x = ofcolor(a, 1); size(product(x, x))", 0, &pairs, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_accumulator_create(c, NULL, &a, NULL));
    for (int i = 0; i < COUNT; i++) ASSERT((ticket[i] = submit_pairs(a, c, pairs, i % BAD == 0)) != 0);
    for (int i = 0; i < COUNT; i++) {
        arcl_status status = arcl_accumulator_take(a, ticket[i], &result, &error);
        ASSERT_EQ(i % BAD ? ARCL_SUCCESS : ARCL_NO_MEMORY, status);
        if (status)
            ASSERTm(error.message, !result && strstr(error.message, "one lane alone needs more memory"));
        else
            ASSERT_EQ(1, arcl_value_int(arcl_result_value(result, 0)));
        arcl_result_free(result);
    }
    ASSERT_EQ((COUNT + BAD - 1u) / BAD, arcl_accumulator_report_get(a).failed);
    arcl_accumulator_free(a);
    arcl_program_free(pairs);
    arcl_context_free(c);
    PASS();
}

TEST bad_submissions_are_refused(void) {
    setting s = set_up(NULL), other = set_up(NULL);
    arcl_batch *batch;
    arcl_ticket ticket;
    arcl_result *result;
    arcl_error error;
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(s.context, "int", &batch, NULL));
    ASSERT_EQ(ARCL_INVALID, arcl_accumulator_submit(s.accumulator, s.program[0], batch, &ticket, &error));
    ASSERTm(error.message, strstr(error.message, "differ in type"));
    ASSERT_EQ(0u, (unsigned)ticket);
    arcl_batch_free(batch);
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(s.context, "int int", &batch, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_int(batch, 1, NULL));
    ASSERT_EQ(ARCL_INVALID, arcl_accumulator_submit(s.accumulator, s.program[2], batch, &ticket, &error));
    ASSERTm(error.message, strstr(error.message, "not complete"));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_int(batch, 1, NULL));
    ASSERT_EQ(ARCL_INVALID, arcl_accumulator_submit(other.accumulator, other.program[2], batch, &ticket, &error));
    ASSERTm(error.message, strstr(error.message, "another context"));
    ASSERT_EQ(ARCL_SUCCESS, arcl_accumulator_submit(s.accumulator, s.program[2], batch, &ticket, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_accumulator_take(s.accumulator, ticket + 1, &result, &error));
    ASSERT_EQ(ARCL_INVALID, arcl_accumulator_take(s.accumulator, 0, &result, &error));
    ASSERTm(error.message, strstr(error.message, "no such submission"));
    ASSERT_EQ(ARCL_SUCCESS, arcl_accumulator_take(s.accumulator, ticket, &result, &error));
    arcl_result_free(result);
    tear_down(&s);
    tear_down(&other);
    PASS();
}

TEST a_batch_without_lanes_is_answered(void) {
    setting s = set_up(NULL);
    arcl_ticket ticket;
    arcl_result *result;
    arcl_error error;
    ASSERT_EQ(ARCL_SUCCESS, submit_lanes(&s, 0, "", &ticket, &error));
    arcl_accumulator_flush(s.accumulator);
    ASSERT_EQ(ARCL_SUCCESS, arcl_accumulator_take(s.accumulator, ticket, &result, &error));
    ASSERT_EQ(0u, arcl_result_lanes(result));
    arcl_accumulator_free(s.accumulator);
    s.accumulator = NULL;
    arcl_result_free(result); /* which outlives the accumulator */
    tear_down(&s);
    PASS();
}

/* ---- the parts that decide ---- */

TEST costs_are_medians(void) {
    run_costs c = {0};
    ASSERT(run_costs_at(&c, 5) < 0);
    for (int i = 0; i < 4; i++) run_costs_add(&c, 10, 1000);
    for (int i = 0; i < 3; i++) run_costs_add(&c, 10, 1000000); /* three outliers */
    ASSERT_EQ(1000, (int)run_costs_at(&c, 10));
    ASSERT_EQ(500, (int)run_costs_at(&c, 5)); /* nothing is known of fewer lanes, and none of more */
    ASSERT_EQ(2000, (int)run_costs_at(&c, 20));
    run_costs_add(&c, 110, 2000);
    ASSERT_EQ(1500, (int)run_costs_at(&c, 60));
    run_costs_add(&c, 0, 5);
    ASSERT_EQ(1500, (int)run_costs_at(&c, 60));
    PASS();
}

TEST waiting_ends_when_it_costs_more_than_it_saves(void) {
    int limited;
    waiting_group g = {.submissions = 4, .first = 100, .last = 1000, .gap = 50, .saved = 400, .longest = 5000};
    ASSERT_EQ(1100, waiting_end(&g, &limited)); /* the four lose as much as is saved if nobody comes for 100 */
    ASSERT_EQ(0, limited);
    g.gap = 100;
    ASSERT_EQ(1000, waiting_end(&g, &limited)); /* as a rule nobody comes that soon */
    g.gap = -1;
    ASSERT_EQ(1100, waiting_end(&g, &limited));
    g.saved = 0;
    ASSERT_EQ(1000, waiting_end(&g, &limited));
    g.saved = -5;
    ASSERT_EQ(1000, waiting_end(&g, &limited));
    g.saved = 1e9;
    ASSERT_EQ(5100, waiting_end(&g, &limited));
    ASSERT_EQ(1, limited);
    PASS();
}

typedef struct made_up { /* a submission that is never run */
    submission submission;
    arcl_batch batch;
} made_up;

static void make_up(made_up *m, const void *program, uint32_t lanes, size_t words) {
    memset(m, 0, sizeof *m);
    m->batch.lanes = lanes;
    m->batch.data.count = words;
    m->submission = (submission){.program = program, .batch = &m->batch, .lanes = lanes};
}

TEST groups_are_by_program_and_size(void) {
    group_table t = {.most_lanes = 100, .longest = 1000};
    made_up m[6];
    int64_t earliest;
    make_up(&m[0], "p", 2, 200);
    make_up(&m[1], "q", 2, 200);
    make_up(&m[2], "p", 3, 330);
    m[2].submission.program = m[0].submission.program;
    make_up(&m[3], m[0].submission.program, 2, 2000); /* larger arguments */
    for (int i = 0; i < 4; i++) ASSERT(groups_add(&t, &m[i].submission, 10 + i));
    ASSERT(!groups_take(&t, 9, &earliest));
    ASSERT_EQ(11, earliest); /* nothing is known of what they cost, so nobody waits */
    group *g = groups_take(&t, 100, &earliest);
    ASSERT_EQ(2u, g->waiting.count);
    ASSERT_EQ(5u, g->waiting.lanes);
    ASSERT_EQ(&m[0].submission, g->waiting.first);
    ASSERT_EQ(BY_COST, g->reason);
    g->waiting = (submission_list){0};
    run_costs_add(&g->costs, 1, 1000);
    run_costs_add(&g->costs, 200, 1200); /* nearly all of it is overhead */
    groups_give(&t, g);
    make_up(&m[4], m[0].submission.program, 1, 100);
    ASSERT(groups_add(&t, &m[4].submission, 14));
    ASSERT_EQ(1u, g->waiting.count);
    ASSERT_EQ(14 + 998, g->due); /* saved: 1000 + 1000 - 1001, and the next comes after 2 as a rule */
    make_up(&m[5], m[0].submission.program, 99, 9900);
    ASSERT(groups_add(&t, &m[5].submission, 15));
    ASSERT_EQ(BY_SIZE, g->reason);
    ASSERT_EQ(0, g->due);
    groups_hurry(&t, BY_REQUEST);
    for (int i = 0; i < 3; i++) {
        g = groups_take(&t, 0, &earliest);
        ASSERT(g && g->reason == BY_REQUEST);
        g->waiting = (submission_list){0};
        groups_give(&t, g);
    }
    ASSERT(!groups_take(&t, INT64_MAX, &earliest));
    groups_free(&t);
    PASS();
}

TEST a_bounded_number_of_programs_is_remembered(void) {
    group_table t = {.most_lanes = 100, .longest = 1000};
    static const char programs[5000];
    made_up m;
    int64_t earliest;
    for (int i = 0; i < 5000; i++) {
        make_up(&m, &programs[i], 1, 10);
        ASSERT(groups_add(&t, &m.submission, i));
        group *g = groups_take(&t, i, &earliest);
        ASSERT(g);
        g->waiting = (submission_list){0};
        groups_give(&t, g);
    }
    ASSERT_EQ(1024u, t.idle_count);
    groups_free(&t);
    ASSERT_EQ(0u, t.idle_count);
    PASS();
}

/* With a profile of the host that says what a call costs besides its lanes, the third submission of a program waits for
 * others as long as it may, or not at all; whatever the first two have really taken. */
TEST predictions_decide(double per_call) {
    char path[] = "/tmp/arcl_accumulator_test_XXXXXX";
    arcl_options plain = {.device = "host", .profile = ""}, options = {.device = "host", .profile = path};
    const arcl_accumulator_options limits = {.delay = 3000000};
    int file = mkstemp(path);
    arcl_context *c;
    arcl_profile *p;
    arcl_program *program;
    arcl_batch *batch;
    arcl_result *result;
    arcl_ticket ticket;
    setting s = {0};
    ASSERT(file >= 0 && !close(file));
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&plain, &c, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_profile_create(&p, NULL));
    profile_device *host = synthetic_host(p, c);
    ASSERT(host);
    synthetic_costs(host, 0, 10, 1);
    host->overhead[OVERHEAD_chunk] = 0;
    host->overhead[OVERHEAD_run] = per_call;
    ASSERT_EQ(ARCL_SUCCESS, arcl_profile_save(p, path, NULL));
    arcl_profile_free(p);
    arcl_context_free(c);
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&options, &s.context, NULL));
    ASSERT_EQ(ARCL_SUCCESS, body_compile(s.context, "grid", "rot90(a)", 0, &program, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_accumulator_create(s.context, &limits, &s.accumulator, NULL));
    for (int i = 0; i < 3; i++) {
        ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(s.context, "grid", &batch, NULL));
        ASSERT_EQ(ARCL_SUCCESS, lanes_read(batch, "[[1,2]]", NULL));
        ASSERT_EQ(ARCL_SUCCESS, arcl_accumulator_submit(s.accumulator, program, batch, &ticket, NULL));
        ASSERT_EQ(ARCL_SUCCESS, arcl_accumulator_take(s.accumulator, ticket, &result, NULL));
        arcl_result_free(result);
    }
    arcl_accumulator_report r = arcl_accumulator_report_get(s.accumulator);
    ASSERT_EQ(per_call > 0 ? 2 : 3, r.by_cost); /* runs of one size promise no saving */
    ASSERT_EQ(per_call > 0 ? 1 : 0, r.by_delay);
    ASSERT_STR_EQ("", arcl_profile_notice(s.context));
    arcl_accumulator_free(s.accumulator);
    arcl_program_free(program);
    arcl_context_free(s.context);
    unlink(path);
    PASS();
}

SUITE(accumulator) {
    static const arcl_accumulator_options tight = {.lanes = 8, .pending = 12, .delay = 100000},
                                          loose = {.delay = 1000000};
    RUN_TEST(costs_are_medians);
    RUN_TEST(waiting_ends_when_it_costs_more_than_it_saves);
    RUN_TEST(groups_are_by_program_and_size);
    RUN_TEST(a_bounded_number_of_programs_is_remembered);
    RUN_TESTp(predictions_decide, 0);
    RUN_TESTp(predictions_decide, 60e9);
    RUN_TESTp(every_submission_is_answered_once, NULL, 300);
    RUN_TESTp(every_submission_is_answered_once, &tight, 150);
    RUN_TESTp(every_submission_is_answered_once, &loose, 150);
    RUN_TESTp(closing_answers_what_waits, 1);
    RUN_TESTp(closing_answers_what_waits, 0);
    RUN_TEST(freeing_waits_for_those_who_wait);
    RUN_TEST(a_failure_is_its_own);
    RUN_TEST(bad_submissions_are_refused);
    RUN_TEST(a_batch_without_lanes_is_answered);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    if (!find_answers()) return EXIT_FAILURE;
    RUN_SUITE(accumulator);
    GREATEST_MAIN_END();
}
