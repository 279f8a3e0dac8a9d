/* The two attempts at each test input that Kaggle takes, as files of submissions have them. */
#ifndef ARCL_ATTEMPTS_H
#define ARCL_ATTEMPTS_H
#include "cli/json_writer.h"
#include "data/grid_json.h"

enum { ATTEMPTS = 2 };

extern const char *const attempt_keys[ATTEMPTS];

/* {"attempt_1": GRID, "attempt_2": GRID}. Where there are too few (without cells), it is the test input: that is a grid
 * for sure, and some outputs are not far from it. */
void attempts_write(json_writer *w, const task_grid attempts[ATTEMPTS], const task_grid *input);

#endif
