/* Running on OpenCL devices: each device takes lanes, brings them up, launches the program's steps one after the other,
 * and fetches what came of it. The host waits for the device where a loop may go on, and at the end. */
#include <stdlib.h>
#include <string.h>

#include "../error.h"
#include "../execute.h"
#include "../image.h"
#include "../run.h"
#include "worker.h"

#define FIRST_LANES 64u /* of a program of which nothing is known yet */
/* Words that a chunk may make on a device that shares the host's caches: enough for the launches not to count, few enough
 * to stay in the caches. */
#define CPU_CHUNK_WORDS (512u << 10)
#define MOST_ROUNDS 8u /* of a loop without looking whether there is one more */

typedef struct device_target {
    target base; /* first: a target is its device_target */
    device_worker *w;
    uint frame;
    uint lanes;
    arcl_status status; /* why the target cannot go on */
    arcl_error error;
} device_target;

static uint items_for(const device_target *t, unsigned kernel, uint scope) {
    uint all = opencl_items(t->w->device);
    if (kernel == KERNEL_scope_place || kernel == KERNEL_pack_place || scope == SCOPE_SHARED) return 1;
    return scope == SCOPE_LANES && t->lanes < all ? t->lanes : all;
}

static int launch_kernel(target *base, unsigned kernel, uint step, uint scope) {
    device_target *t = (device_target *)base;
    t->status = opencl_launch(t->w->device, kernel, t->frame, step, items_for(t, kernel, scope), &t->error);
    t->w->count[kernel].launches++;
    return t->status == ARCL_SUCCESS;
}

static int look(target *base, run_frame *frame) {
    device_target *t = (device_target *)base;
    t->status = opencl_read(t->w->device, t->frame, frame, WORDS_OF(run_frame), &t->error);
    return t->status == ARCL_SUCCESS;
}

/* ---- one chunk ---- */

static arcl_status upload_image(device_worker *w, const image_request *request, int *fits, arcl_error *error) {
    uint64_t words = image_words(request);
    *fits = 0;
    if (words > request->limit - request->at) return ARCL_SUCCESS;
    word *image = malloc(words * sizeof *image);
    if (!image) return NO_MEMORY(error);
    arcl_status status = ARCL_SUCCESS;
    *fits = image_write(request, image);
    if (*fits) status = opencl_write(w->device, request->at, image, (uint)words, error);
    free(image);
    return status;
}

static arcl_status add_counts(device_worker *w, const arcl_program *p, uint counters, arcl_error *error) {
    step_counter *steps = malloc((size_t)p->count * sizeof *steps);
    if (!steps) return NO_MEMORY(error);
    arcl_status status = opencl_read(w->device, counters, steps, (uint)p->count * WORDS_OF(step_counter), error);
    if (status == ARCL_SUCCESS) counts_add_steps(w->count, p, steps);
    free(steps);
    return status;
}

/* Runs lanes of the job that are on the device. *done is 0 if there was not enough memory for so many. */
static arcl_status run_chunk(run_state *r, device_worker *w, job *j, const resident_lanes *in, uint first, uint lanes,
                             int *done, arcl_error *error) {
    int interleaved = opencl_interleaved(w->device);
    device_target t = {.base = {.launch = launch_kernel, .look = look, .first_rounds = 1, .most_rounds = MOST_ROUNDS},
                       .w = w,
                       .frame = w->batches_end,
                       .lanes = lanes};
    image_request image = {.program = j->program,
                           .at = t.frame,
                           .limit = opencl_arena_words(w->device),
                           .lanes = lanes,
                           .items = opencl_items(w->device),
                           .interleaved = (uint)interleaved,
                           /* a single work-item may as well have all there is */
                           .slab = opencl_items(w->device) == 1 ? ~0u : 0,
                           .budget = r->context->options.budget,
                           .counting = w->counting};
    run_frame frame;
    for (int i = 0; i < j->batch->arguments; i++) image.input[i] = in->column[i] + (first - in->first);
    PROPAGATE(upload_image(w, &image, done, error));
    if (!*done) return ARCL_SUCCESS;
    *done = 0;
    if (!execute(&t.base, j->program, &frame)) {
        if (error) *error = t.error;
        return t.status;
    }
    if (frame.overflow) return ARCL_SUCCESS;
    segment *s = segment_get(&r->context->results, first, lanes, frame.packed_words);
    if (!s) return NO_MEMORY(error);
    arcl_status status = opencl_read(w->device, frame.packed, s->value, frame.packed_words, error);
    if (status == ARCL_SUCCESS && w->counting) status = add_counts(w, j->program, frame.counters, error);
    if (status != ARCL_SUCCESS) {
        storage_give(&r->context->results, s);
        return status;
    }
    run_done(j, s, frame.cursor - t.frame);
    *done = 1;
    return ARCL_SUCCESS;
}

/* ---- all lanes ---- */

/* Half the lanes at a time until they fit. */
static arcl_status run_lanes(run_state *r, device_worker *w, job *j, const resident_lanes *in, uint first, uint lanes,
                             arcl_error *error) {
    int done;
    arcl_error why = {{0}};
    arcl_status status = run_chunk(r, w, j, in, first, lanes, &done, &why);
    if (status == ARCL_SUCCESS && done) return ARCL_SUCCESS;
    if ((status == ARCL_SUCCESS || status == ARCL_NO_MEMORY) && lanes > 1) {
        PROPAGATE(run_lanes(r, w, j, in, first, lanes / 2, error));
        return run_lanes(r, w, j, in, first + lanes / 2, lanes - lanes / 2, error);
    }
    if (status != ARCL_SUCCESS) return error_set(error, status, "%s", why.message);
    return error_set(error, ARCL_NO_MEMORY,
                     "one lane alone needs more memory than the %llu bytes that %s has for it: raise the memory limit "
                     "or use another device",
                     (unsigned long long)(opencl_arena_words(w->device) - w->batches_end) * sizeof(word),
                     opencl_device_id(w->device));
}

static uint chunk_size(const run_state *r, const device_worker *w, job *j, uint left) {
    uint taken = atomic_load_explicit(&j->words, memory_order_relaxed), size = FIRST_LANES;
    uint room = opencl_arena_words(w->device) - w->batches_end;
    if (!opencl_interleaved(w->device) && room > CPU_CHUNK_WORDS) room = CPU_CHUNK_WORDS;
    if (taken) size = taken < room ? room / taken : 1;
    if (r->context->options.chunk) size = r->context->options.chunk; /* the user's word */
    return size < left ? size : left;
}

/* Lanes of a job for this device: all of them if it is the only one, else some chunks at a time. */
static uint take_lanes(run_state *r, const device_worker *w, job *j, uint *first) {
    uint32_t next = atomic_load(&j->next), take;
    do {
        if (next >= j->batch->lanes) return 0;
        take = j->batch->lanes - next;
        if (r->context->device_count > 1) take = chunk_size(r, w, j, take);
    } while (!atomic_compare_exchange_weak(&j->next, &next, next + take));
    *first = next;
    return take;
}

static arcl_status run_job(run_state *r, device_worker *w, job *j, arcl_error *error) {
    uint first, left;
    while ((left = take_lanes(r, w, j, &first)) != 0)
        while (left && !atomic_load(&r->failed)) {
            const resident_lanes *in;
            PROPAGATE(residency_get(w, j->batch, first, left, &in, error));
            uint here = in->lanes - (first - in->first);
            if (here > left) here = left;
            left -= here;
            while (here && !atomic_load(&r->failed)) {
                uint lanes = chunk_size(r, w, j, here);
                PROPAGATE(run_lanes(r, w, j, in, first, lanes, error));
                first += lanes;
                here -= lanes;
            }
        }
    return ARCL_SUCCESS;
}

static void run_device(void *arg, int thread, uint32_t index) {
    run_state *r = arg;
    arcl_error error;
    (void)thread;
    for (int i = 0; i < r->count && !atomic_load(&r->failed); i++) {
        arcl_status status = run_job(r, &r->context->device[index], &r->jobs[i], &error);
        if (status != ARCL_SUCCESS) run_fail(r, status, &error);
    }
}

void run_on_devices(run_state *r) {
    threads_run(r->context->threads, (uint32_t)r->context->device_count, run_device, r);
}
