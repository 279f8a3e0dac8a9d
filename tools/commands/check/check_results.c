#include "commands/check/check_results.h"

#include <stdio.h>
#include <string.h>

#include "cli/messages.h"
#include "data/report_output.h"

int check_results_open(check_results *all, const cli_options *options) {
    *all = (check_results){.options = options};
    if (!options->json) return 0;
    if (file_create(&all->json, options->json)) return -1;
    fputs("{\"cases\":[\n", all->json.stream);
    return 0;
}

void check_results_free(check_results *all) { file_discard(&all->json); }

/* Whether one more failure may be printed. */
static int may_show(check_results *all) {
    int may = all->options->verbose || all->shown < CHECK_MOST_FAILURES;
    ++*(may ? &all->shown : &all->hidden);
    return may;
}

static void print_outcome(check_results *all, const check_outcome *o) {
    if (o->state == VECTOR_MALFORMED) {
        all->bad = 1;
        if (++all->malformed <= CHECK_MOST_FAILURES || all->options->verbose)
            message_error("%s:%d: %s", o->path, o->line, o->error);
        return;
    }
    all->passed += o->lanes - o->failed;
    all->failed += o->failed;
    if (o->state == VECTOR_REJECTED) {
        all->bad = 1;
        if (may_show(all)) message_error("%s:%d: %u lanes failed: %s", o->path, o->line, o->lanes, o->error);
        return;
    }
    const char *text = o->failures.texts;
    for (uint32_t i = 0; i < o->failed; i++) {
        int may = may_show(all);
        if (i >= o->failures.count) continue;
        if (may && !all->options->quiet) {
            message_progress_end();
            fputs(text, stdout);
        }
        text += strlen(text) + 1;
    }
}

void check_results_take(check_results *all, const check_outcome *outcome) {
    print_outcome(all, outcome);
    if (!all->json.stream) return;
    fputs(all->written++ ? ",\n" : "", all->json.stream);
    if (outcome->json) fputs(outcome->json, all->json.stream);
}

static void finish_json(check_results *all, const arcl_context *context) {
    fprintf(all->json.stream, "],\n\"passed\":%llu,\"failed\":%llu", (unsigned long long)all->passed,
            (unsigned long long)all->failed);
    if (all->options->report) {
        json_t *report = report_json(context);
        fputs(",\n\"report\":", all->json.stream);
        json_dumpf(report, all->json.stream, JSON_COMPACT);
        json_decref(report);
    }
    fputs("}\n", all->json.stream);
    if (file_commit(&all->json)) all->bad = 1;
}

int check_results_finish(check_results *all, const arcl_context *context) {
    const cli_options *options = all->options;
    if (all->hidden && !options->quiet)
        printf("... and %llu more failures; --verbose prints all\n", (unsigned long long)all->hidden);
    if (all->malformed > CHECK_MOST_FAILURES && !options->verbose)
        message_error("... and %llu more lines like these; a vector file has a JSON object on every line",
                      (unsigned long long)(all->malformed - CHECK_MOST_FAILURES));
    if (all->passed + all->failed == 0 && !all->bad) {
        message_error("nothing to check: no vectors in what was given; a vector file has a JSON object on every line");
        all->bad = 1;
    }
    if (all->json.stream) finish_json(all, context);
    printf("%llu passed, %llu failed\n", (unsigned long long)all->passed, (unsigned long long)all->failed);
    return all->bad ? CLI_BAD : all->failed ? CLI_MISMATCH : CLI_DONE;
}
