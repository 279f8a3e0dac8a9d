/* Of each program a few examples that have failed are run again, and of all programs so many that it takes no time that
 * anybody would notice. */
#include "commands/score/score_failures.h"

#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "cli/messages.h"
#include "data/task_batch.h"

enum { OF_A_PROGRAM = 40, OF_ALL = 400, TOLD = 3 };

/* Failures of one status at one place of a text. */
typedef struct failure_place {
    const arcl_source *source;
    uint32_t position;
    arcl_lane_status status;
    int count;
    char message[sizeof((arcl_failure *)0)->message]; /* of the first */
} failure_place;

static void note(score_failures *f, const arcl_source *source, const arcl_failure *failure) {
    for (int i = 0; i < f->count; i++) {
        failure_place *p = &f->places[i];
        if (p->source != source || p->position != failure->position || p->status != failure->status) continue;
        p->count++;
        return;
    }
    if (f->count == f->room) {
        f->room = f->room ? 2 * f->room : 16;
        f->places = allocation_resize(f->places, (size_t)f->room, sizeof *f->places);
    }
    failure_place *p = &f->places[f->count++];
    *p = (failure_place){source, failure->position, failure->status, 1, ""};
    memcpy(p->message, failure->message, sizeof p->message);
}

/* Runs a lane once more, in a batch of its own, which serves programs of all forms as that of a battery does. Returns
 * whether that tells where it fails: one that cannot be told, for want of memory for example, is none of the
 * commonest. */
static int look_at(arcl_context *context, const program_entry *program, const arc_task *task,
                   const task_example *example, arcl_failure *failure) {
    arcl_compile_options options = {.grid_result = 1, .policy = program->policy};
    arcl_definition definition = {program->source, program->index};
    arcl_batch *batch;
    int told = !task_batch_create(context, TASK_WITH_PAIRS, &batch, NULL) &&
               !task_batch_add(batch, TASK_WITH_PAIRS, task, example, NULL) &&
               !arcl_result_failure(context, NULL, 0, definition, &options, batch, failure, NULL);
    arcl_batch_free(batch);
    return told;
}

void score_failures_add(score_failures *f, arcl_context *context, const score_outcome *outcome) {
    int found = 0;
    const arcl_score *score = outcome->scores;
    for (int i = 0; score && i < outcome->tasks->count; i++) {
        const arc_task *task = outcome->tasks->tasks[i];
        for (int j = 0; j < task->count; j++, score++) {
            arcl_failure failure;
            if (score->status == ARCL_OK) continue;
            if (found == OF_A_PROGRAM || f->looked_at == OF_ALL) {
                f->left_out++;
                continue;
            }
            if (!look_at(context, outcome->program, task, &task->examples[j], &failure)) continue;
            note(f, outcome->program->source, &failure);
            f->looked_at++;
            found++;
        }
    }
}

static int more_first(const void *a, const void *b) {
    const failure_place *x = a, *y = b;
    if (x->count != y->count) return y->count - x->count;
    return x->position < y->position ? -1 : x->position > y->position;
}

void score_failures_tell(score_failures *f) {
    if (!f->count) return;
    qsort(f->places, (size_t)f->count, sizeof *f->places, more_first);
    message_note("where examples fail%s:", f->left_out ? ", of some that were looked at" : "");
    for (int i = 0; i < f->count && i < TOLD; i++)
        message_note("%d of %d: %s", f->places[i].count, f->looked_at, f->places[i].message);
    if (f->count > TOLD) message_note("and %d more places; `arcl run` shows those of a program", f->count - TOLD);
}

void score_failures_free(score_failures *f) {
    free(f->places);
    *f = (score_failures){0};
}
