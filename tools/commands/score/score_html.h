/* The page that `arcl score --html` writes: a table of all programs, what went wrong, drawn, and what ran where. */
#ifndef ARCL_SCORE_HTML_H
#define ARCL_SCORE_HTML_H
#include "commands/score/score_json.h"
#include "commands/score/score_output.h"
#include "commands/score/score_tally.h"

typedef struct score_html score_html;

/* Opens the file, which appears when the page is complete. NULL after a message. With all pairs of programs and tasks
 * most are not solved, and those that come near are shown first. */
score_html *score_html_create(const char *path, int all_pairs);
/* Without score_html_write before it, the file is forgotten. */
void score_html_free(score_html *html);

/* Notes what came of a program; one without tasks has no tallies. Program and tasks must outlive the page; the outcome
 * itself need not. */
void score_html_program(score_html *html, const score_outcome *outcome, const score_tally *tallies);

/* Writes the page. Programs that it draws are run once more, on the same context, and not reported. Returns 0, or -1
 * after a message. */
int score_html_write(score_html *html, arcl_context *context, const score_solved *solved, const score_totals *totals,
                     const score_times *times);

#endif
