#include "commands/batt/batt_run.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/files.h"
#include "cli/messages.h"
#include "commands/batt/batt_json.h"
#include "data/report_output.h"

typedef struct battery_run {
    batt battery;
    batt_lanes lanes;
    batt_tally *tally; /* of the only task */
} battery_run;

/* "t56 9172f3a0 3/4", and that the generator has changed it. */
static void print_results(const battery_run *run) {
    for (int i = 0; i < run->battery.count; i++) {
        const arcl_definition_info *info = &run->battery.infos[i];
        if (info->kind != ARCL_BATTERY_RESULT) continue;
        printf("t%d %s %d/%d%s", info->number, info->id, run->tally->right[i], run->tally->known,
               info->mutated ? " mutated" : "");
        puts(batt_rejection(&run->battery, i) ? " rejected" : "");
    }
}

/* "differ_24bc86.. 12700 for 33 results, 8000 for the input" */
static void print_differs(const battery_run *run) {
    const batt *b = &run->battery;
    for (int i = 0; i < b->count; i++) {
        int64_t score[2] = {0};
        int results = 0;
        if (b->infos[i].kind != ARCL_BATTERY_DIFFER || b->group[i] != i) continue;
        for (int k = i; k < b->count; k++) {
            if (b->group[k] != i || b->key[k] != k) continue;
            int of_input = b->infos[k].id[0] == 'N';
            score[of_input] += run->tally->score[k];
            results += !of_input;
        }
        printf("%s %lld for %d result%s, %lld for the input\n", b->infos[i].differ, (long long)score[0], results,
               results == 1 ? "" : "s", (long long)score[1]);
    }
}

static int write_json(const cli_options *options, const arcl_context *context, const battery_run *run) {
    file_output out;
    json_writer w = {0};
    if (file_create(&out, options->json)) return -1;
    w.out = out.stream;
    json_write_open(&w, '{');
    json_write_key(&w, "task");
    json_write_text(&w, run->tally->task->id);
    batt_json_examples(&w, &run->battery, &run->lanes);
    json_write_newline(&w);
    json_write_key(&w, "scores");
    json_write_open(&w, '{');
    batt_json_scores(&w, &run->battery, run->tally);
    json_write_close(&w, '}');
    batt_json_rejected(&w, &run->battery);
    if (options->report) {
        json_write_key(&w, "report");
        json_write_value(&w, report_json(context));
    }
    json_write_close(&w, '}');
    json_write_end(&w);
    return file_commit(&out);
}

static int run(arcl_context *context, const arc_task *const *task, int values, battery_run *run) {
    arcl_error error;
    batt_purpose purpose = values ? BATT_FOR_VALUES : BATT_FOR_SCORES;
    if (batt_compile(context, &run->battery, purpose, batt_lane_types, 3, &error)) {
        message_error("%s", error.message);
        return CLI_BAD;
    }
    if (batt_lanes_open(context, task, 1, &run->lanes)) return CLI_BAD;
    int status = batt_start(context, &run->battery, run->lanes.batch);
    if (status == CLI_DONE) run->tally = batt_lanes_tally(context, &run->lanes, &run->battery);
    return status;
}

static int show(const cli_options *options, const arcl_context *context, const battery_run *run) {
    int status = run->tally->solved ? CLI_DONE : CLI_MISMATCH;
    for (int i = 0; i < run->battery.count; i++)
        if (batt_rejection(&run->battery, i)) message_error("%s", batt_rejection(&run->battery, i));
    if (options->json && write_json(options, context, run)) return CLI_BAD;
    if (options->json) return status;
    print_results(run);
    print_differs(run);
    return status;
}

int batt_run_task(const cli_options *options, arcl_context *context, const arcl_source *source, const arc_task *task) {
    battery_run all = {.battery = batt_of(source)};
    if (options->png || options->show) {
        message_error("run: --png and --show draw the outputs of one program; --program NAME chooses one");
        batt_free(&all.battery);
        return CLI_BAD;
    }
    int status = run(context, &task, options->json != NULL, &all);
    if (status == CLI_DONE) status = show(options, context, &all);
    if (all.tally) batt_tally_free(all.tally);
    free(all.tally);
    batt_lanes_close(&all.lanes);
    batt_free(&all.battery);
    return status;
}
