/* The accumulator: tickets for submissions, and a thread that runs groups of them. One lock guards everything but what
 * is being run. Nobody holds it while running, and the thread that runs waits for nobody: so whoever waits for it, for
 * an answer or for room, gets on. */
#include "accumulator/accumulator.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "run/run.h"

typedef struct slot {
    submission *submission; /* NULL: free */
    uint32_t generation;    /* how often it has been used; a part of the ticket */
    uint32_t next_free;
} slot;

struct arcl_accumulator {
    arcl_context *context;
    pid_t owner; /* the process that has its thread */
    uint32_t most_pending;
    pthread_mutex_t lock;
    pthread_cond_t work;     /* for the thread: something may be due earlier */
    pthread_cond_t answered; /* for those who wait for answers */
    pthread_cond_t room;     /* for those who wait to submit */
    pthread_t thread;
    group_table groups;
    slot *slots;
    uint32_t slot_count, first_free; /* the latter: slot_count for none */
    uint32_t pending;                /* lanes that wait */
    int running;
    int callers; /* threads inside take or submit */
    int blocked; /* of these, wait for room */
    int closed, stop;
    int cancelling; /* the thread's own: a run was cancelled, and whatever waits is not run either */
    arcl_accumulator_report report;
};

/* In a forked child its thread is not there, and the lock may be held by one that is not there either. */
static int is_inherited(const arcl_accumulator *a) { return a->owner != getpid(); }

static arcl_status refuse_inherited(arcl_error *error) {
    return error_set(error, ARCL_INVALID,
                     "the accumulator belongs to the process that this one was forked from: make another one here");
}

/* ---- tickets ---- */

static arcl_ticket ticket_of(const arcl_accumulator *a, uint32_t at) {
    return (arcl_ticket)a->slots[at].generation << 32 | at;
}

static slot *find_slot(arcl_accumulator *a, arcl_ticket ticket) {
    uint32_t at = (uint32_t)ticket;
    if (at >= a->slot_count || !a->slots[at].submission || ticket_of(a, at) != ticket) return NULL;
    return &a->slots[at];
}

static int grow_slots(arcl_accumulator *a) {
    uint32_t count = a->slot_count ? 2 * a->slot_count : 64;
    slot *grown = count > a->slot_count ? realloc(a->slots, count * sizeof *grown) : NULL;
    if (!grown) return 0;
    a->slots = grown;
    for (uint32_t at = a->slot_count; at < count; at++) grown[at] = (slot){.next_free = at + 1};
    a->slot_count = count;
    return 1;
}

/* There must be a free one. */
static arcl_ticket take_slot(arcl_accumulator *a, submission *s) {
    uint32_t at = a->first_free;
    a->first_free = a->slots[at].next_free;
    a->slots[at].submission = s;
    a->slots[at].generation++;
    return ticket_of(a, at);
}

static void give_slot(arcl_accumulator *a, slot *of) {
    of->submission = NULL;
    of->next_free = a->first_free;
    a->first_free = (uint32_t)(of - a->slots);
}

/* ---- the thread ---- */

static void wait_until(arcl_accumulator *a, int64_t time) {
    struct timespec t = {(time_t)(time / 1000000000), (long)(time % 1000000000)};
    if (time == INT64_MAX)
        pthread_cond_wait(&a->work, &a->lock);
    else
        pthread_cond_timedwait(&a->work, &a->lock, &t);
}

static void count_group(arcl_accumulator_report *r, group_reason reason) {
    uint64_t *const counters[GROUP_REASONS] = {&r->by_cost, &r->by_size, &r->by_delay, &r->by_request};
    r->groups++;
    ++*counters[reason];
}

/* Takes the groups that are due; how many, and when the next will be. */
static int take_due(arcl_accumulator *a, group_run *runs, int64_t *earliest) {
    int64_t now = clock_nanoseconds();
    int count = 0;
    group *g;
    if (a->closed || a->cancelling) groups_hurry(&a->groups, BY_REQUEST);
    if (a->blocked) groups_hurry(&a->groups, BY_SIZE);
    while (count < MOST_RUNS && (g = groups_take(&a->groups, now, earliest)) != NULL) {
        runs[count++] = (group_run){.group = g, .submissions = g->waiting};
        a->pending -= g->waiting.lanes;
        g->waiting = (submission_list){0};
        count_group(&a->report, g->reason);
    }
    return count;
}

static void publish(arcl_accumulator *a, group_run *runs, int count) {
    for (int i = 0; i < count; i++) {
        if (runs[i].nanoseconds >= 0)
            run_costs_add(&runs[i].group->costs, runs[i].submissions.lanes, runs[i].nanoseconds);
        runs[i].group->predicted = runs[i].predicted;
        runs[i].group->runs++;
        for (submission *s = runs[i].submissions.first, *next; s; s = next) {
            next = s->next; /* whoever takes the answer frees it */
            a->report.answered++;
            a->report.failed += s->status != ARCL_SUCCESS;
            s->answered = 1;
        }
        groups_give(&a->groups, runs[i].group);
    }
    pthread_cond_broadcast(&a->answered);
}

static void *live(void *arg) {
    arcl_accumulator *a = arg;
    group_run runs[MOST_RUNS];
    int64_t earliest;
    pthread_mutex_lock(&a->lock);
    for (;;) {
        int count = take_due(a, runs, &earliest);
        if (!count) {
            a->cancelling = 0;
            if (a->stop) break;
            wait_until(a, earliest);
            continue;
        }
        a->running = 1;
        pthread_cond_broadcast(&a->room);
        pthread_mutex_unlock(&a->lock);
        int cancelled = a->cancelling || !runs_execute(a->context, runs, count);
        if (a->cancelling)
            runs_cancel(runs, count);
        else
            runs_predict(a->context, runs, count);
        pthread_mutex_lock(&a->lock);
        a->cancelling = cancelled; /* those that have waited meanwhile are not run either */
        a->running = 0;
        publish(a, runs, count);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* ---- creating and freeing ---- */

/* Deadlines are times of the clock that only goes forward. */
static void start_waiting(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void release(arcl_accumulator *a) {
    groups_free(&a->groups);
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->work);
    pthread_cond_destroy(&a->answered);
    pthread_cond_destroy(&a->room);
    free(a->slots);
    free(a);
}

arcl_status arcl_accumulator_create(arcl_context *context, const arcl_accumulator_options *options,
                                    arcl_accumulator **accumulator, arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(accumulator);
    arcl_accumulator_options o = options ? *options : (arcl_accumulator_options){0};
    arcl_accumulator *a = calloc(1, sizeof *a);
    *accumulator = NULL;
    if (!a) return NO_MEMORY(error);
    a->context = context;
    a->owner = getpid();
    a->most_pending = o.pending ? o.pending : ARCL_ACCUMULATOR_PENDING;
    a->groups.most_lanes = o.lanes ? o.lanes : ARCL_ACCUMULATOR_LANES;
    uint64_t longest = o.delay ? o.delay : ARCL_ACCUMULATOR_DELAY;
    a->groups.longest = longest < INT64_MAX / 4 ? (int64_t)longest : INT64_MAX / 4;
    pthread_mutex_init(&a->lock, NULL);
    start_waiting(&a->work);
    pthread_cond_init(&a->answered, NULL);
    pthread_cond_init(&a->room, NULL);
    if (pthread_create(&a->thread, NULL, live, a)) {
        release(a);
        return error_set(error, ARCL_NO_MEMORY, "the accumulator's thread could not be started");
    }
    *accumulator = a;
    return ARCL_SUCCESS;
}

void arcl_accumulator_close(arcl_accumulator *a) {
    if (!a || is_inherited(a)) return;
    pthread_mutex_lock(&a->lock);
    a->closed = 1;
    pthread_cond_signal(&a->work);
    pthread_cond_broadcast(&a->room);
    while (a->groups.waiting.first || a->running) pthread_cond_wait(&a->answered, &a->lock);
    pthread_mutex_unlock(&a->lock);
}

static void submission_free(submission *s) {
    arcl_result_free(s->result);
    free(s->error);
    free(s);
}

void arcl_accumulator_free(arcl_accumulator *a) {
    if (!a || is_inherited(a)) return; /* what it has is left: others may be in the middle of using it */
    arcl_accumulator_close(a);
    pthread_mutex_lock(&a->lock);
    a->stop = 1;
    pthread_cond_signal(&a->work);
    while (a->callers) pthread_cond_wait(&a->answered, &a->lock);
    pthread_mutex_unlock(&a->lock);
    pthread_join(a->thread, NULL);
    for (uint32_t at = 0; at < a->slot_count; at++)
        if (a->slots[at].submission) submission_free(a->slots[at].submission);
    release(a);
}

/* ---- submitting ---- */

static void leave(arcl_accumulator *a) {
    if (!--a->callers && a->stop) pthread_cond_broadcast(&a->answered);
}

static void wait_for_room(arcl_accumulator *a, uint32_t lanes) {
    while (!a->closed && a->pending && (uint64_t)a->pending + lanes > a->most_pending) {
        a->blocked++;
        pthread_cond_signal(&a->work);
        pthread_cond_wait(&a->room, &a->lock);
        a->blocked--;
    }
}

/* With the lock. */
static arcl_status add(arcl_accumulator *a, submission *s, arcl_ticket *ticket, arcl_error *error) {
    wait_for_room(a, s->lanes);
    if (a->closed) return error_set(error, ARCL_INVALID, "the accumulator is closed");
    if (a->first_free == a->slot_count && !grow_slots(a)) return NO_MEMORY(error);
    if (!groups_add(&a->groups, s, clock_nanoseconds())) return NO_MEMORY(error);
    *ticket = take_slot(a, s);
    a->pending += s->lanes;
    a->report.submissions++;
    a->report.lanes += s->lanes;
    pthread_cond_signal(&a->work);
    return ARCL_SUCCESS;
}

arcl_status arcl_accumulator_submit(arcl_accumulator *a, const arcl_program *program, arcl_batch *batch,
                                    arcl_ticket *ticket, arcl_error *error) {
    error_clear(error);
    NEED(a);
    NEED(program);
    NEED(batch);
    NEED(ticket);
    *ticket = 0;
    if (is_inherited(a)) return refuse_inherited(error);
    PROPAGATE(run_check(program, batch, error));
    if (batch->context != a->context)
        return error_set(error, ARCL_INVALID, "the batch belongs to another context than the accumulator");
    submission *s = calloc(1, sizeof *s);
    if (!s) return NO_MEMORY(error);
    *s = (submission){.program = program, .batch = batch, .lanes = batch->lanes};
    pthread_mutex_lock(&a->lock);
    a->callers++;
    arcl_status status = add(a, s, ticket, error);
    leave(a);
    pthread_mutex_unlock(&a->lock);
    if (status != ARCL_SUCCESS) free(s);
    return status;
}

void arcl_accumulator_flush(arcl_accumulator *a) {
    if (!a || is_inherited(a)) return;
    pthread_mutex_lock(&a->lock);
    groups_hurry(&a->groups, BY_REQUEST);
    pthread_cond_signal(&a->work);
    pthread_mutex_unlock(&a->lock);
}

/* ---- answers ---- */

int arcl_accumulator_poll(arcl_accumulator *a, arcl_ticket ticket) {
    if (!a || is_inherited(a)) return -1;
    pthread_mutex_lock(&a->lock);
    const slot *of = find_slot(a, ticket);
    int answer = of ? of->submission->answered : -1;
    pthread_mutex_unlock(&a->lock);
    return answer;
}

/* Takes the submission out when it is answered; NULL: there is none, or another thread was quicker. */
static submission *wait_for_answer(arcl_accumulator *a, arcl_ticket ticket) {
    slot *of;
    while ((of = find_slot(a, ticket)) != NULL && !of->submission->answered) pthread_cond_wait(&a->answered, &a->lock);
    submission *s = of ? of->submission : NULL;
    if (of) give_slot(a, of);
    return s;
}

arcl_status arcl_accumulator_take(arcl_accumulator *a, arcl_ticket ticket, arcl_result **result, arcl_error *error) {
    error_clear(error);
    NEED(a);
    NEED(result);
    *result = NULL;
    if (is_inherited(a)) return refuse_inherited(error);
    pthread_mutex_lock(&a->lock);
    a->callers++;
    submission *s = wait_for_answer(a, ticket);
    leave(a);
    pthread_mutex_unlock(&a->lock);
    if (!s) return error_set(error, ARCL_INVALID, "there is no such submission, or its answer was taken already");
    arcl_status status = s->status;
    *result = s->result;
    s->result = NULL;
    if (status != ARCL_SUCCESS) error_set(error, status, "%s", s->error ? s->error->message : "out of memory");
    submission_free(s);
    return status;
}

arcl_accumulator_report arcl_accumulator_report_get(arcl_accumulator *a) {
    if (!a || is_inherited(a)) return (arcl_accumulator_report){0};
    pthread_mutex_lock(&a->lock);
    arcl_accumulator_report report = a->report;
    report.waiting = a->callers - a->blocked;
    pthread_mutex_unlock(&a->lock);
    return report;
}
