/* Cuts a range of units into groups of jobs. */
#include "commands/score/score_range.h"

#include <stdlib.h>

#include "cli/allocation.h"
#include "cli/messages.h"
#include "commands/score/score_group.h"

/* Programs, and lanes of all of them, that are run together at most. A battery shares more the more there are, and only
 * the scores of its lanes are kept, which are of 24 bytes. */
typedef struct group_size {
    int programs;
    uint32_t lanes;
} group_size;
static const group_size alone_size = {256, 16384}, battery_size = {4096, 2u << 20};

typedef struct range {
    const score_inputs *in;
    score_times *times;
    score_taker *take;
    void *arg;
    score_target parts[2]; /* of the first and of the last program, if not all of its lanes are in the range */
    int part_count;
    score_job *jobs; /* of one group */
    int count;
    uint32_t lanes;
    arcl_score *scores; /* of one job */
    uint32_t room;
} range;

static void put_out(range *r, score_job *job) {
    score_job_judge(job);
    if (job->target && job->target->of.lanes > r->room) {
        r->room = job->target->of.lanes;
        r->scores = allocation_resize(r->scores, r->room, sizeof *r->scores);
    }
    score_outcome outcome = score_job_outcome(job, r->scores);
    r->take(r->arg, &outcome);
}

static int run_group(range *r) {
    int status = score_group_run(r->in->context, r->jobs, r->count, r->in->as_batteries, r->times);
    for (int i = 0; i < r->count; i++) {
        if (status == CLI_DONE) put_out(r, &r->jobs[i]);
        score_job_free(&r->jobs[i]);
    }
    r->count = 0;
    r->lanes = 0;
    return status;
}

/* The units first .. end of a program's, of which there are `each`. */
static score_target *target_of(range *r, int program, uint64_t first, uint64_t end, uint64_t each) {
    score_target *whole = score_inputs_target(r->in, program);
    if (!whole || (first == 0 && end == each)) return whole;
    score_target *part = &r->parts[r->part_count++];
    *part = (score_target){.of = whole->of, .some = r->in->order + first};
    part->of.lanes = part->of.counting = (uint32_t)(end - first);
    return part;
}

int score_range_run(const score_inputs *in, uint64_t first, uint64_t end, int progress, score_times *times,
                    score_taker *take, void *arg) {
    range r = {.in = in, .times = times, .take = take, .arg = arg};
    group_size most = in->as_batteries ? battery_size : alone_size;
    uint64_t each = score_inputs_units_each(in);
    int status = CLI_DONE;
    r.jobs = allocation_get((size_t)most.programs, sizeof *r.jobs);
    for (uint64_t at = first, next; at < end && status == CLI_DONE; at = next) {
        int program = (int)(at / each);
        next = (uint64_t)(program + 1) * each < end ? (uint64_t)(program + 1) * each : end;
        uint64_t begin = (uint64_t)program * each;
        score_target *target = target_of(&r, program, at - begin, next - begin, each);
        r.jobs[r.count++] = (score_job){.program = &in->programs.entries[program], .number = program, .target = target};
        r.lanes += target ? target->of.counting : 0;
        if (r.count < most.programs && r.lanes < most.lanes && next < end) continue;
        status = run_group(&r);
        if (progress) message_progress("programs", (uint64_t)program + 1, (uint64_t)in->programs.count);
    }
    for (int i = 0; i < r.part_count; i++) score_target_close(&r.parts[i]);
    free(r.jobs);
    free(r.scores);
    return status;
}
