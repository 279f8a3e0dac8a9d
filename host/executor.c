/* Runs a program over one chunk of lanes on the calling thread, in the worker's part of the arena, which is empty again
 * when the next chunk comes. */
#include <string.h>

#include "base/clock.h"
#include "host/host.h"
#include "program/execute.h"
#include "program/image.h"

typedef struct host_target {
    target base; /* first: a target is its host_target */
    host_worker *w;
    word *arena;
    const _Atomic int *cancelled;
    const host_chunk *chunk;
    host_kernel *const *kernels;
    uint frame;
} host_target;

static int launch_plain(target *t, unsigned kernel, uint step, uint scope) {
    const host_target *h = (host_target *)t;
    (void)scope;
    h->kernels[kernel](h->arena, h->frame, step);
    return !((uint)atomic_load_explicit(h->cancelled, memory_order_relaxed) | frame_at(h->arena, h->frame)->overflow);
}

static int launch_timed(target *t, unsigned kernel, uint step, uint scope) {
    host_target *h = (host_target *)t;
    op_count *count = &h->w->count[kernel];
    int64_t before = clock_nanoseconds();
    int alive = launch_plain(t, kernel, step, scope);
    count->nanoseconds += clock_since(before);
    count->launches++;
    return alive;
}

static int launch_watched(target *t, unsigned kernel, uint step, uint scope) {
    const host_target *h = (host_target *)t;
    int alive = launch_plain(t, kernel, step, scope);
    if (alive) h->w->watch(h->w->watcher, h->w->arena, h->frame, kernel, step);
    return alive;
}

static int look(target *t, run_frame *frame) {
    const host_target *h = (host_target *)t;
    *frame = *frame_at(h->w->arena, h->frame);
    return !frame->overflow;
}

static int make_room(target *t) {
    const host_target *h = (host_target *)t;
    run_frame *frame = frame_at(h->arena, h->frame);
    word *room = h->chunk->make_room(h->chunk->owner, frame->packed_words);
    frame->leaves_to = (uintptr_t)room;
    return room != NULL;
}

int host_run(host_worker *w, const program_graph *p, host_chunk *chunk) {
    host_target h = {.base = {.launch = w->watch    ? launch_watched
                                        : w->timing ? launch_timed
                                                    : launch_plain,
                              .look = look,
                              .first_rounds = 1,
                              .most_rounds = 1,
                              .make_room = chunk->make_room ? make_room : NULL,
                              .is_carried = chunk->piece != 0},
                     .w = w,
                     .arena = w->arena,
                     .cancelled = w->cancelled,
                     .chunk = chunk,
                     .kernels = chunk->kernels ? chunk->kernels : w->kernels,
                     .frame = w->begin + chunk->piece};
    uint limit = chunk->most && chunk->most < w->end - w->begin ? w->begin + chunk->most : w->end;
    image_request image = {.program = p,
                           .at = h.frame,
                           .limit = limit,
                           .lanes = chunk->lanes,
                           .slab = ~0u, /* all there is: nobody else wants any */
                           .budget = w->budget,
                           .counting = w->counting,
                           .input = chunk->input,
                           .carried = chunk->piece ? w->begin + (uint)p->carried * chunk->lanes : 0,
                           .out_base = chunk->out_base,
                           .scores = yields_scores(chunk->yield),
                           .expected = chunk->expected};
    run_frame frame;
    uint64_t image_size = image_words(&image);
    if (chunk->piece > limit - w->begin || image_size > limit - h.frame) return 0;
    guard_behind(w->arena, h.frame, (uint)image_size, limit);
    if (!image_write(&image, w->arena + h.frame)) return 0;
    frame_at(w->arena, h.frame)->leaves = chunk->make_room != NULL;
    guard_behind(w->arena, h.frame, frame_at(w->arena, h.frame)->cursor - h.frame, limit);
    if (!execute(&h.base, p, chunk->yield, &frame)) return 0;
    if (w->counting) counts_add_steps(w->count, p, (const step_counter *)(w->arena + frame.counters));
    chunk->packed = frame.leaves ? (const word *)frame.leaves_to : w->arena + frame.packed;
    chunk->packed_words = frame.packed_words;
    chunk->scores = frame.scores;
    chunk->frame = h.frame;
    chunk->used = frame.cursor - w->begin + (frame.packed ? frame.packed_words : 0);
    return 1;
}
