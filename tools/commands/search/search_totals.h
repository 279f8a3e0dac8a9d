/* What a search amounts to over all its tasks: how many are solved, by which stages, after how many candidates. */
#ifndef ARCL_SEARCH_TOTALS_H
#define ARCL_SEARCH_TOTALS_H
#include "commands/score/score_solved.h"
#include "commands/search/found_task.h"

enum { TOTALS_STAGES = 16 };

typedef struct stage_total {
    const char *name;
    uint64_t candidates, answers;
    int solved; /* tasks whose best program it found, with all train examples right */
} stage_total;

typedef struct search_totals {
    int tasks, searched, solved; /* of the part; that were begun; whose train examples some program has all right */
    uint64_t candidates;
    stage_total stages[TOTALS_STAGES];
    int stage_count;
    score_solved tests; /* of those that were begun */
    double seconds;     /* of all searches of this run, added up */
    uint64_t now;       /* candidates of this run */
} search_totals;

void search_totals_add(search_totals *totals, const found_task *found);

/* The stage that the name belongs to, new or known; NULL if there are too many. */
stage_total *search_totals_stage(search_totals *totals, const char *name);

/* As members of the object that is being written. */
void search_totals_json(json_writer *w, const search_totals *totals);

/* A table of the stages, and the lines below it. */
void search_totals_print(const search_totals *totals, int quiet);

#endif
