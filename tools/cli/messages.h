/* Everything the command says on standard error: errors, notes and the progress bar, which must not get in each other's
 * way. There is one standard error, so its state (quiet, a bar drawn) is the only global state of the command. */
#ifndef ARCL_MESSAGES_H
#define ARCL_MESSAGES_H
#include <stdint.h>
#include <stdio.h>

void message_set_quiet(int quiet);
/* One of several processes that do the same says who it is ("arcl" otherwise), or nothing at all while others say the
 * same. The name must stay. */
void message_set_speaker(const char *name);
void message_set_mute(int mute);

/* "arcl: ..." and a newline. Notes are left out with --quiet, errors never. */
__attribute__((format(printf, 1, 2))) void message_error(const char *format, ...);
__attribute__((format(printf, 1, 2))) void message_note(const char *format, ...);

/* Draws the bar if standard error is a terminal and --quiet is off, in one line, with the time that has passed and that
 * is left; at most a few times a second. */
void message_progress(const char *what, uint64_t done, uint64_t total);

/* Says what is being waited for where the bar would be, unless there is a bar. */
__attribute__((format(printf, 1, 2))) void message_wait(const char *format, ...);

/* Wipes either. */
void message_progress_end(void);

/* Prints text that came from a file: control characters, which could drive the terminal, become '?'. */
void message_put_clean(FILE *out, const char *text);

#endif
