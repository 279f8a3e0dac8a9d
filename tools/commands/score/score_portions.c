/* A record begins with how many units it has, so that several, one behind the other, are one. What it has for every
 * program in it, of the units that are in the portion: that it is rejected and why; nothing,
 * if it has no tasks; or for every lane
 *   a byte: flags, whether the fingerprint is that of the last lane that failed likewise, and the status above these
 *   the cells that are as expected, if the shape is; the words; and the fingerprint, 8 bytes */
#include "commands/score/score_portions.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "cli/allocation.h"
#include "cli/options.h"
#include "commands/score/score_order.h"
#include "commands/score/score_range.h"

enum { NO_TASKS, REJECTED, SCORES };
enum { COMPARED = 1, SAME_SHAPE = 2, MATCH = 4, USABLE = 8, SAME_FINGERPRINT = 16, STATUS = 32 };
#define USUAL_LANES 16384 /* of a group that is run together (score_range.c) */

struct score_portions {
    const score_inputs *in;
    score_times *times;
    score_results *results;
    byte_list *record; /* that is being made */
    /* a program of which not all is there yet */
    arcl_score *scores;
    uint32_t lanes;
    int is_rejected;
    byte_list rejection;
};

score_portions *score_portions_create(const score_inputs *in, score_times *times, score_results *results) {
    score_portions *all = allocation_get(1, sizeof *all);
    *all = (score_portions){.in = in, .times = times, .results = results};
    uint32_t most = 0;
    for (int i = 0; i < in->target_count; i++)
        if (in->targets[i].of.lanes > most) most = in->targets[i].of.lanes;
    all->scores = allocation_get(most, sizeof *all->scores);
    return all;
}

void score_portions_free(score_portions *all) {
    if (!all) return;
    free(all->scores);
    bytes_free(&all->rejection);
    free(all);
}

/* ---- making records ---- */

typedef struct encoding {
    byte_list *record;
    uint64_t failure[ARCL_LANE_STATUSES]; /* the last fingerprint of each status */
} encoding;

static void put_score(encoding *e, const arcl_score *s) {
    int again = s->status != ARCL_OK && e->failure[s->status] == s->fingerprint;
    unsigned char head =
        (unsigned char)((s->compared ? COMPARED : 0) | (s->same_shape ? SAME_SHAPE : 0) | (s->match ? MATCH : 0) |
                        (s->usable ? USABLE : 0) | (again ? SAME_FINGERPRINT : 0) | (int)s->status * STATUS);
    bytes_put(e->record, &head, 1);
    if (s->same_shape) bytes_put_number(e->record, s->cells);
    bytes_put_number(e->record, s->words);
    if (!again) bytes_put(e->record, &s->fingerprint, sizeof s->fingerprint);
    if (s->status != ARCL_OK) e->failure[s->status] = s->fingerprint;
}

static void put_outcome(void *arg, const score_outcome *outcome) {
    score_portions *all = arg;
    encoding e = {.record = all->record};
    const score_lane *order = all->in->order;
    bytes_put_number(e.record, outcome->rejection ? REJECTED : outcome->scores ? SCORES : NO_TASKS);
    if (outcome->rejection) bytes_put_text(e.record, outcome->rejection);
    if (!outcome->scores) return;
    int is_ordered = !order || outcome->tasks->lanes < score_inputs_units_each(all->in); /* as the units are */
    for (uint32_t i = 0; i < outcome->tasks->lanes; i++)
        put_score(&e, &outcome->scores[is_ordered ? i : order[i].number]);
}

static int run(void *self, portion units, byte_list *record) {
    score_portions *all = self;
    all->record = record;
    bytes_put_number(record, units.end - units.first);
    return score_range_run(all->in, units.first, units.end, 0, all->times, put_outcome, all);
}

/* ---- taking them ---- */

static arcl_score get_score(byte_reader *from, uint64_t failure[ARCL_LANE_STATUSES]) {
    arcl_score s = {0};
    const unsigned char *head = bytes_get(from, 1);
    if (!head) return s;
    s.compared = (*head & COMPARED) != 0;
    s.same_shape = (*head & SAME_SHAPE) != 0;
    s.match = (*head & MATCH) != 0;
    s.usable = (*head & USABLE) != 0;
    s.status = (arcl_lane_status)(*head / STATUS);
    if (s.same_shape) s.cells = (uint32_t)bytes_get_number(from);
    s.words = (uint32_t)bytes_get_number(from);
    const unsigned char *fingerprint = *head & SAME_FINGERPRINT ? NULL : bytes_get(from, sizeof s.fingerprint);
    if (fingerprint)
        memcpy(&s.fingerprint, fingerprint, sizeof s.fingerprint);
    else
        s.fingerprint = failure[s.status];
    if (s.status != ARCL_OK) failure[s.status] = s.fingerprint;
    return s;
}

/* Lanes that units of one program have. */
static uint32_t lanes_of(const score_portions *all, const score_target *target, uint64_t units) {
    return !target ? 0 : all->in->options->all_pairs ? (uint32_t)units : target->of.lanes;
}

/* So many units of a program. */
static void get_outcome(score_portions *all, byte_reader *from, const score_target *target, uint64_t units) {
    uint64_t kind = bytes_get_number(from), failure[ARCL_LANE_STATUSES] = {0};
    if (kind == REJECTED) {
        const char *why = bytes_get_text(from);
        all->is_rejected = 1;
        all->rejection.length = 0;
        if (why) bytes_put(&all->rejection, why, strlen(why) + 1);
        return;
    }
    from->is_bad |= kind != (target ? SCORES : NO_TASKS);
    uint32_t lanes = lanes_of(all, target, units);
    for (uint32_t i = 0; i < lanes && !from->is_bad; i++, all->lanes++)
        all->scores[all->in->order ? all->in->order[all->lanes].number : all->lanes] = get_score(from, failure);
}

static void finish_program(score_portions *all, int program, const score_target *target) {
    int is_whole = target && !all->is_rejected;
    score_outcome outcome = {.program = &all->in->programs.entries[program],
                             .number = program,
                             .tasks = target ? &target->of : NULL,
                             .scores = is_whole ? all->scores : NULL,
                             .rejection = all->is_rejected ? (const char *)all->rejection.bytes : NULL};
    score_results_take(all->results, &outcome);
    all->lanes = 0;
    all->is_rejected = 0;
}

static void take_piece(score_portions *all, portion units, byte_reader *from) {
    uint64_t each = score_inputs_units_each(all->in);
    for (uint64_t at = units.first, next; at < units.end; at = next) {
        uint64_t program = at / each, begin = program * each;
        next = begin + each < units.end ? begin + each : units.end;
        const score_target *target = score_inputs_target(all->in, (int)program);
        get_outcome(all, from, target, next - at);
        if (from->is_bad) return;
        if (next == begin + each) finish_program(all, (int)program, target);
    }
}

static int take(void *self, portion units, const unsigned char *record, size_t length) {
    byte_reader from = {.at = record, .end = record + length};
    for (uint64_t count; units.first < units.end; units.first += count) {
        count = bytes_get_number(&from);
        if (from.is_bad || count == 0 || count > units.end - units.first) return -1;
        take_piece(self, (portion){units.first, units.first + count}, &from);
        if (from.is_bad) return -1;
    }
    return from.at == from.end ? 0 : -1;
}

/* ---- the job ---- */

/* In lanes; what has none is compiled, too. */
static double cost(const void *self, portion units) {
    const score_portions *all = self;
    int program = (int)(units.first / score_inputs_units_each(all->in));
    const score_target *target = score_inputs_target(all->in, program);
    return target ? lanes_of(all, target, units.end - units.first) : 1;
}

static void add_text(XXH3_state_t *state, const char *text) { XXH3_128bits_update(state, text, strlen(text) + 1); }

static void add_grid(XXH3_state_t *state, const task_grid *grid) {
    int size[2] = {grid->cells ? grid->h : 0, grid->cells ? grid->w : 0};
    XXH3_128bits_update(state, size, sizeof size);
    if (grid->cells) XXH3_128bits_update(state, grid->cells, (size_t)size[0] * (size_t)size[1]);
}

static void add_tasks(XXH3_state_t *state, const task_set *tasks) {
    for (int i = 0; i < tasks->count; i++) {
        add_text(state, tasks->tasks[i]->id);
        for (int k = 0; k < tasks->tasks[i]->count; k++) {
            const task_example *example = &tasks->tasks[i]->examples[k];
            add_text(state, example->part);
            add_grid(state, &example->input);
            add_grid(state, &example->output);
        }
    }
}

/* A text that has no normal form is rejected, for a reason that is the same as long as it is. */
static void add_program(XXH3_state_t *state, arcl_context *context, const program_entry *program) {
    arcl_key key = {0};
    arcl_error error = {{0}};
    add_text(state, program->program);
    if (arcl_source_key(context, program->source, program->index, &key, &error)) add_text(state, error.message);
    XXH3_128bits_update(state, &key, sizeof key);
}

static void make_key(const score_inputs *in, uint64_t key[2]) {
    XXH3_state_t *state = XXH3_createState();
    if (!state) allocation_none();
    XXH3_128bits_reset(state);
    uint64_t numbers[] = {(uint64_t)in->programs.count, (uint64_t)in->tasks.count, (uint64_t)in->options->all_pairs,
                          (uint64_t)in->options->safe,  in->options->budget,       score_inputs_units(in)};
    add_text(state, "score");
    add_text(state, arcl_version());
    XXH3_128bits_update(state, numbers, sizeof numbers);
    for (int i = 0; i < in->programs.count; i++) add_program(state, in->context, &in->programs.entries[i]);
    add_tasks(state, &in->tasks);
    for (uint32_t i = 0; in->order && i < in->targets->of.lanes; i++)
        XXH3_128bits_update(state, &in->order[i].number, sizeof in->order[i].number);
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    key[0] = hash.high64;
    key[1] = hash.low64;
}

portion_job score_portions_job(score_portions *all, int keyed) {
    portion_job job = {.self = all,
                       .context = all->in->context,
                       .what = all->in->options->all_pairs ? "examples" : "programs",
                       .units = score_inputs_units(all->in),
                       .each = score_inputs_units_each(all->in),
                       .tries = all->in->order ? score_order_tries(all->in->targets->of.lanes) : 0,
                       .usual = USUAL_LANES,
                       .cost = cost,
                       .run = run,
                       .take = take};
    if (keyed) make_key(all->in, job.key);
    return job;
}
