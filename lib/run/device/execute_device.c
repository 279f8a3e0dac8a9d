/* Runs a program, or a part of one, over a chunk of lanes on one queue of a device: its image goes up, its steps are
 * launched one after the other, and what came of it waits in the device's memory. The host waits where a loop may go
 * on, and at the end. */
#include <stdlib.h>

#include "base/error.h"
#include "cl/type_codes.h"
#include "program/execute.h"
#include "program/image.h"
#include "run/device/worker.h"

#define MOST_ROUNDS 8u /* of a loop without looking whether there is one more */

typedef struct device_target {
    target base; /* first: a target is its device_target */
    device_worker *w;
    const program_graph *program;
    uint frame;
    uint lanes;
    uint largest;         /* as of the chunk */
    const uchar *is_team; /* likewise */
    arcl_status status;   /* why the target cannot go on */
    arcl_error error;
} device_target;

/* How many lanes a scope below the batch has only the device knows. So many for each of the batch's are what most have
 * at most, and some for each of those in what is below it; where there are more, a work-item, or a team, has
 * several. */
#define LANES_BELOW 128u
#define LANES_BELOW_TEAMS 16u
#define LANES_FURTHER_BELOW 16u

static uint lanes_in(const device_target *t, uint scope, uint below) {
    if (scope == SCOPE_SHARED) return 1;
    uint64_t lanes = t->lanes;
    for (uint depth = t->program->scopes[scope].depth; depth > 1 && lanes <= UINT32_MAX; depth--)
        lanes *= depth == 2 ? below : LANES_FURTHER_BELOW;
    return lanes < UINT32_MAX ? (uint)lanes : UINT32_MAX;
}

static uint items_for(const device_target *t, uint scope) {
    uint all = opencl_items(t->w->device), lanes = lanes_in(t, scope, LANES_BELOW);
    return lanes < all ? lanes : all;
}

static uint teams_for(const device_target *t, uint scope) {
    uint all = opencl_teams(t->w->device), lanes = lanes_in(t, scope, LANES_BELOW_TEAMS);
    return lanes < all ? lanes : all;
}

static int wants_teams(const device_worker *w) {
    return w->shape == ARCL_SHAPE_AUTO ? opencl_interleaved(w->device) : w->shape == ARCL_SHAPE_TEAM;
}

static int is_word(uint64_t type) { return (type & 15) <= T_ATOM_MAX; }

/* Some kernels compare values of the type that their immediate tells, and teams compare words alone. */
static int suits_teams(unsigned kernel, uint64_t type) {
    if (kernel_has(kernel, TEAM_OF_WORDS)) return (type & 15) == T_SET && is_word(type >> 4);
    return is_word(type);
}

/* The plan's word, which is the user's where there is one; without a plan the user's, or what suits the device. What is
 * made on the way may be larger than the inputs: then a team does without room for it. */
static opencl_shape shape_for(const device_target *t, unsigned kernel, uint step) {
    int is_team = t->is_team ? t->is_team[kernel] : wants_teams(t->w);
    if (kernel_has(kernel, TEAM_OF_WORDS | TEAM_OF_ATOMS) && !suits_teams(kernel, t->program->steps[step].imm))
        return SHAPE_LANE;
    if (!is_team || !kernel_has(kernel, TEAM) || !opencl_teams(t->w->device)) return SHAPE_LANE;
    if (!kernel_has(kernel, ROOMY)) return SHAPE_TEAM;
    /* a lane's first word is the grid's column */
    return opencl_team_shape(t->w->device, t->largest ? (t->largest - 1) * sizeof(word) : UINT64_MAX);
}

static int launch_kernel(target *base, unsigned kernel, uint step, uint scope) {
    device_target *t = (device_target *)base;
    opencl_shape shape = shape_for(t, kernel, step);
    if (shape == SHAPE_LANE)
        t->status = opencl_launch(t->w->device, kernel, t->frame, step, items_for(t, scope), &t->error);
    else
        t->status = opencl_launch_teams(t->w->device, kernel, shape, t->frame, step, teams_for(t, scope), &t->error);
    t->w->count[kernel].launches++;
    t->w->count[kernel].teams += shape != SHAPE_LANE;
    return t->status == ARCL_SUCCESS;
}

static int look(target *base, run_frame *frame) {
    device_target *t = (device_target *)base;
    t->status = opencl_read(t->w->device, t->frame, frame, WORDS_OF(run_frame), &t->error);
    return t->status == ARCL_SUCCESS;
}

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

static arcl_status add_counts(device_worker *w, const program_graph *p, uint counters, arcl_error *error) {
    step_counter *steps = malloc((size_t)p->count * sizeof *steps);
    if (!steps) return NO_MEMORY(error);
    arcl_status status = opencl_read(w->device, counters, steps, (uint)p->count * WORDS_OF(step_counter), error);
    if (status == ARCL_SUCCESS) counts_add_steps(w->count, p, steps);
    free(steps);
    return status;
}

uint device_room(const device_worker *w, int half) {
    uint room = opencl_arena_words(w->device) - w->batches_end;
    return half == WHOLE_ROOM ? room : room / 2;
}

static device_target target_of(device_worker *w, const device_chunk *c) {
    return (device_target){.base = {.launch = launch_kernel,
                                    .look = look,
                                    .first_rounds = 1,
                                    .most_rounds = MOST_ROUNDS,
                                    .is_carried = c->piece != 0},
                           .w = w,
                           .program = c->program,
                           .frame = c->frame,
                           .lanes = c->lanes,
                           .largest = c->largest,
                           .is_team = c->is_team};
}

/* What a run begins with; `fits` is 0 where there is no room for it. */
static arcl_status upload(device_worker *w, device_chunk *c, int *fits, arcl_error *error) {
    uint begin = w->batches_end + (c->half == SECOND_HALF ? device_room(w, SECOND_HALF) : 0);
    c->frame = begin + c->piece;
    uint room = begin + device_room(w, c->half) - c->frame;
    image_request image = {.program = c->program,
                           .at = c->frame,
                           .limit = c->most && c->most < room ? c->frame + c->most : c->frame + room,
                           .lanes = c->lanes,
                           .interleaved = (uint)opencl_interleaved(w->device),
                           /* a single work-item may as well have all there is */
                           .slab = opencl_items(w->device) == 1 ? ~0u : 0,
                           .budget = c->budget,
                           /* one work-item's launches have none */
                           .records = opencl_interleaved(w->device) || w->shape == ARCL_SHAPE_TEAM || c->is_team,
                           .counting = w->counting,
                           .input = c->input,
                           .carried = c->piece ? begin + (uint)c->program->carried * c->lanes : 0,
                           .out_base = c->out_base,
                           .scores = c->yield != YIELD_OUTPUTS,
                           .expected = c->expected};
    return upload_image(w, &image, fits, error);
}

static arcl_status why_stopped(const device_target *t, arcl_error *error) {
    if (error) *error = t->error;
    return t->status;
}

void device_chunk_landed(device_chunk *c, const run_frame *frame) {
    c->done = !frame->overflow;
    c->packed = frame->packed;
    c->packed_words = frame->packed_words;
    c->scores = frame->scores;
    c->used = frame->cursor - c->frame + (frame->packed ? frame->packed_words : 0);
}

arcl_status device_execute(device_worker *w, device_chunk *c, arcl_error *error) {
    run_frame frame;
    int fits;
    c->done = 0;
    PROPAGATE(upload(w, c, &fits, error));
    if (!fits) return ARCL_SUCCESS;
    device_target t = target_of(w, c);
    if (!execute(&t.base, c->program, c->yield, &frame)) return why_stopped(&t, error);
    device_chunk_landed(c, &frame);
    if (c->done && w->counting) return add_counts(w, c->program, frame.counters, error);
    return ARCL_SUCCESS;
}

arcl_status device_launch_chunk(device_worker *w, device_chunk *c, run_frame *frame, opencl_mark *mark,
                                arcl_error *error) {
    int fits;
    *mark = (opencl_mark){0};
    PROPAGATE(upload(w, c, &fits, error));
    if (!fits) return error_set(error, ARCL_NO_MEMORY, "a chunk finds no room on %s", opencl_device_id(w->device));
    device_target t = target_of(w, c);
    if (!execute_launches(&t.base, c->program, c->yield)) return why_stopped(&t, error);
    return opencl_read_later(w->device, c->frame, frame, WORDS_OF(run_frame), mark, error);
}
