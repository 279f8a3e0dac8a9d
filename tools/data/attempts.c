#include "data/attempts.h"

const char *const attempt_keys[ATTEMPTS] = {"attempt_1", "attempt_2"};

void attempts_write(json_writer *w, const task_grid attempts[ATTEMPTS], const task_grid *input) {
    json_write_open(w, '{');
    for (int i = 0; i < ATTEMPTS; i++) {
        const task_grid *grid = attempts[i].cells ? &attempts[i] : input;
        json_write_key(w, attempt_keys[i]);
        json_write_grid(w, grid->h, grid->w, grid->cells);
    }
    json_write_close(w, '}');
}
