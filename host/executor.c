/* Runs a program over one chunk of lanes on the calling thread, in the worker's part of the arena, which is empty again
 * when the next chunk comes. */
#include <string.h>
#include <time.h>

#include "../lib/execute.h"
#include "../lib/image.h"
#include "host.h"

typedef struct host_target {
    target base; /* first: a target is its host_target */
    host_worker *w;
    const arcl_program *p;
} host_target;

static int go_on(const host_worker *w) { return !frame_at(w->arena, w->begin)->overflow; }

static int launch_plain(target *t, unsigned kernel, uint step, uint scope) {
    const host_worker *w = ((host_target *)t)->w;
    (void)scope;
    w->kernels[kernel](w->arena, w->begin, step);
    return go_on(w);
}

static uint64_t nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int launch_counted(target *t, unsigned kernel, uint step, uint scope) {
    host_target *h = (host_target *)t;
    op_count *count = &h->w->count[kernel];
    uint64_t before = nanoseconds();
    int alive = launch_plain(t, kernel, step, scope);
    count->nanoseconds += nanoseconds() - before;
    count->launches++;
    return alive;
}

static int look(target *t, run_frame *frame) {
    const host_worker *w = ((host_target *)t)->w;
    *frame = *frame_at(w->arena, w->begin);
    return !frame->overflow;
}

int host_run(host_worker *w, const arcl_program *p, host_chunk *chunk) {
    host_target h = {.base = {.launch = w->counting ? launch_counted : launch_plain,
                              .look = look,
                              .first_rounds = 1,
                              .most_rounds = 1},
                     .w = w,
                     .p = p};
    image_request image = {.program = p,
                           .at = w->begin,
                           .limit = w->end,
                           .lanes = chunk->lanes,
                           .items = 1,
                           .slab = ~0u, /* all there is: nobody else wants any */
                           .budget = w->budget,
                           .counting = w->counting};
    run_frame frame;
    memcpy(image.input, chunk->input, sizeof image.input);
    uint64_t image_size = image_words(&image);
    if (image_size > w->end - w->begin) return 0;
    guard_behind(w->arena, w->begin, (uint)image_size, w->end);
    if (!image_write(&image, w->arena + w->begin)) return 0;
    guard_behind(w->arena, w->begin, frame_at(w->arena, w->begin)->cursor - w->begin, w->end);
    if (!execute(&h.base, p, &frame)) return 0;
    if (w->counting) counts_add_steps(w->count, p, (const step_counter *)(w->arena + frame.counters));
    chunk->packed = w->arena + frame.packed;
    chunk->packed_words = frame.packed_words;
    chunk->used = frame.cursor - w->begin;
    return 1;
}
