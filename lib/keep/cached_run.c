/* Running with a cache: lanes whose results are known are not run. What is missing runs, and is kept: always with
 * outputs and scores, so that a run without scores keeps all that one with scores needs. What is expected is no part of
 * what is kept; finished results are compared with it here. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "cl/packed.h"
#include "keep/cache.h"
#include "plan/planned_run.h"
#include "run/batch_lanes.h"
#include "run/context.h"
#include "run/result.h"
#include "run/score_result.h"

typedef struct cached_job {
    const arcl_program *program;
    const arcl_batch *batch;
    const arcl_key *lane_key;
    kept_set *set;      /* NULL: its results are not kept, and all lanes run */
    uint32_t *place;    /* of every lane's result in the set; 0: it has none */
    uint32_t *missing;  /* lanes without a result */
    uint32_t to_run;    /* how many these are */
    arcl_batch *part;   /* of these lanes, if others have results; else NULL */
    arcl_result *fresh; /* their results */
    arcl_result *result;
} cached_job;

/* ---- looking up ---- */

/* Whether the batch is one that the program can be run on; if not, running says why. */
static int fits(const arcl_program *p, const arcl_batch *b) {
    if (p->graph->parameters != b->arguments || b->depth || b->next) return 0;
    for (int i = 0; i < p->graph->parameters; i++)
        if (p->graph->parameter[i] != b->type[i]) return 0;
    return 1;
}

static arcl_status look_up(struct cache *c, cached_job *j, arcl_error *error) {
    size_t room = j->batch->lanes + 1u;
    j->to_run = j->batch->lanes;
    if (!j->program->identity || !fits(j->program, j->batch)) return ARCL_SUCCESS;
    j->set = result_cache_set(&c->results, j->program);
    j->lane_key = batch_lane_keys((arcl_batch *)j->batch); /* noting them is its only change */
    j->missing = malloc(room * sizeof *j->missing);
    j->place = malloc(room * sizeof *j->place);
    if (!j->set || !j->lane_key || !j->missing || !j->place) return NO_MEMORY(error);
    j->to_run = 0;
    for (uint32_t n = 0; n < j->batch->lanes; n++)
        if ((j->place[n] = result_set_find(&j->set->results, j->lane_key[n])) == 0)
            j->missing[j->to_run++] = n;
        else
            c->nanoseconds_saved += result_set_get(&j->set->results, j->place[n]).nanoseconds;
    c->lane_hits += j->batch->lanes - j->to_run;
    c->lane_misses += j->to_run;
    if (j->to_run && j->to_run < j->batch->lanes) return batch_select(j->batch, j->missing, j->to_run, &j->part, error);
    return ARCL_SUCCESS;
}

static int must_run(const cached_job *j) { return !j->set || j->to_run || !j->batch->lanes; }

/* ---- running ---- */

typedef struct missing_jobs {
    const arcl_program **programs;
    const arcl_batch **batches;
    arcl_result **results;
    cached_job **jobs;
} missing_jobs;

static arcl_status run_listed(arcl_context *context, int count, cached_job *jobs, const missing_jobs *m,
                              arcl_error *error) {
    int n = 0;
    if (!m->programs || !m->batches || !m->results || !m->jobs) return NO_MEMORY(error);
    for (int i = 0; i < count; i++) {
        if (!must_run(&jobs[i])) continue;
        m->programs[n] = jobs[i].program;
        m->batches[n] = jobs[i].part ? jobs[i].part : jobs[i].batch;
        m->jobs[n++] = &jobs[i];
    }
    const run_request request = {n, m->programs, m->batches, YIELD_BOTH, NULL};
    PROPAGATE(planned_run(context, &request, m->results, error));
    for (int i = 0; i < n; i++) m->jobs[i]->fresh = m->results[i];
    return ARCL_SUCCESS;
}

static arcl_status run_missing(arcl_context *context, int count, cached_job *jobs, arcl_error *error) {
    size_t room = count > 0 ? (size_t)count : 0; /* it is; compilers that see all of the program doubt it */
    missing_jobs m = {calloc(room, sizeof *m.programs), calloc(room, sizeof *m.batches),
                      calloc(room, sizeof *m.results), calloc(room, sizeof *m.jobs)};
    arcl_status status = run_listed(context, count, jobs, &m, error);
    free(m.programs);
    free(m.batches);
    free(m.results);
    free(m.jobs);
    return status;
}

/* ---- putting together ---- */

/* Lane `number` of a result that was run: its value, if it has one, is *w, and refers to *storage. */
static kept_result fresh_result(const arcl_program *p, const arcl_result *from, uint32_t number, const word **storage,
                                word *w) {
    arcl_value v = arcl_result_value(from, number);
    kept_result r = {.status = arcl_result_status(from, number), .asked = arcl_result_score(from, number).words};
    while (p->graph->result_type[r.which] != type_as_cells(v.type)) r.which++;
    *storage = v.storage;
    *w = v.word;
    return r;
}

/* The result of lane n: the set's, or, if that has none, the one of lane *fresh of those that ran. What it refers to
 * takes `words` - 1 words. */
static kept_result lane_result(const cached_job *j, uint32_t n, uint32_t *fresh, const word **storage, word *w) {
    if (j->place[n]) {
        kept_result r = result_set_get(&j->set->results, j->place[n]);
        *storage = r.value;
        *w = r.value ? r.value[0] : 0;
        return r;
    }
    kept_result r = fresh_result(j->program, j->fresh, (*fresh)++, storage, w);
    if (r.status == ARCL_OK) r.words = packed_words(*storage, j->program->graph->result_type[r.which], *w);
    return r;
}

static arcl_status fill_result(arcl_context *context, const cached_job *j, arcl_result *made, arcl_error *error) {
    const word *storage;
    word w;
    const uint storage_at = made->lanes + entry_byte_words(made->lanes);
    uint64_t words = storage_at;
    for (uint32_t n = 0, fresh = 0; n < made->lanes; n++) {
        kept_result r = lane_result(j, n, &fresh, &storage, &w);
        if (r.words) words += r.words - 1;
    }
    if (words > 0x7fffffff)
        return error_set(error, ARCL_NO_MEMORY, "the results take %llu bytes: run fewer lanes at once",
                         (unsigned long long)(words * sizeof(word)));
    segment *s = segment_get(&context->results, j->program->graph, YIELD_BOTH, 0, made->lanes, (uint)words);
    if (!s) return NO_MEMORY(error);
    uint end = storage_at;
    for (uint32_t n = 0, fresh = 0; n < made->lanes; n++) {
        kept_result r = lane_result(j, n, &fresh, &storage, &w);
        s->status[n] = (uchar)r.status;
        s->which[n] = (uchar)r.which;
        s->value[n] = r.words ? value_place(storage, made->type[r.which], w, s->value, &end) : 0;
        s->score[n] = (lane_score){.words = r.asked};
        made->of_lane[n] = s;
    }
    return ARCL_SUCCESS;
}

/* A result of all lanes, known and fresh. */
static arcl_status put_together(arcl_context *context, cached_job *j, arcl_error *error) {
    if (!j->set || j->to_run == j->batch->lanes) {
        j->result = j->fresh;
        j->fresh = NULL;
        return ARCL_SUCCESS;
    }
    j->result = result_create(context, j->program->graph, j->batch->lanes, error);
    return j->result ? fill_result(context, j, j->result, error) : ARCL_NO_MEMORY;
}

/* Of all that was found out, what was asked for. */
static void finish(cached_job *j, const run_request *request, int number) {
    if (request->yield != YIELD_OUTPUTS) score_result(j->result, request->expected ? request->expected[number] : NULL);
    result_keep_only(j->result, request->yield);
}

/* ---- keeping ---- */

/* What running took is shared out over lanes by how many steps their programs have: nobody has timed them one by
 * one. */
static void keep(struct cache *c, cached_job *j, double nanoseconds_per_step) {
    uint64_t nanoseconds = (uint64_t)(nanoseconds_per_step * j->program->graph->count);
    const arcl_result *from = j->fresh ? j->fresh : j->result;
    if (!j->set || !j->to_run) return;
    for (uint32_t n = 0; n < j->to_run; n++) {
        const word *storage;
        word w;
        kept_result r = fresh_result(j->program, from, n, &storage, &w);
        r.lane = j->lane_key[j->missing[n]];
        r.nanoseconds = nanoseconds;
        if (!result_set_add(&j->set->results, r, storage, j->program->graph->result_type[r.which], w)) break;
    }
    result_cache_resized(&c->results, j->set);
}

static double steps_to_run(int count, const cached_job *jobs) {
    double steps = 0;
    for (int i = 0; i < count; i++)
        if (must_run(&jobs[i])) steps += (double)jobs[i].to_run * jobs[i].program->graph->count;
    return steps > 0 ? steps : 1;
}

static arcl_status run_jobs(arcl_context *context, cached_job *jobs, const run_request *request, arcl_error *error) {
    struct cache *c = context->cache;
    int count = request->count;
    int64_t start = clock_nanoseconds();
    for (int i = 0; i < count; i++)
        if (request->expected && request->expected[i])
            PROPAGATE(run_check_expected(request->expected[i], jobs[i].batch, error));
    for (int i = 0; i < count; i++) PROPAGATE(look_up(c, &jobs[i], error));
    int64_t looked_up = clock_nanoseconds();
    PROPAGATE(run_missing(context, count, jobs, error));
    int64_t ran = clock_nanoseconds();
    for (int i = 0; i < count; i++) PROPAGATE(put_together(context, &jobs[i], error));
    double each = (double)(ran - looked_up) / steps_to_run(count, jobs);
    for (int i = 0; i < count; i++) keep(c, &jobs[i], each);
    result_cache_trim(&c->results);
    for (int i = 0; i < count; i++) finish(&jobs[i], request, i);
    c->nanoseconds_spent += (uint64_t)(looked_up - start) + clock_since(ran);
    return ARCL_SUCCESS;
}

arcl_status cache_run(arcl_context *context, const run_request *request, arcl_result **results, arcl_error *error) {
    int count = request->count;
    for (int i = 0; i < count; i++) results[i] = NULL;
    if (count <= 0) return ARCL_SUCCESS;
    cached_job *jobs = calloc((size_t)count, sizeof *jobs);
    if (!jobs) return NO_MEMORY(error);
    for (int i = 0; i < count; i++) {
        jobs[i].program = request->programs[i];
        jobs[i].batch = request->batches[i];
    }
    arcl_status status = run_jobs(context, jobs, request, error);
    for (int i = 0; i < count; i++) {
        if (status == ARCL_SUCCESS)
            results[i] = jobs[i].result;
        else
            arcl_result_free(jobs[i].result);
        arcl_result_free(jobs[i].fresh);
        arcl_batch_free(jobs[i].part);
        free(jobs[i].missing);
        free(jobs[i].place);
    }
    free(jobs);
    return status;
}
