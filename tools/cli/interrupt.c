#include "cli/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "arcl.h"

enum { MOST_FILES = 8 }; /* more are never written at a time */

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
enum { SIGNALS = sizeof signals / sizeof *signals };

/* Changed on hold only, by the thread that the signals come to. */
static const char *volatile files[MOST_FILES];

static sigset_t all_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < SIGNALS; i++) sigaddset(&set, signals[i]);
    return set;
}

/* Nothing but what may be called in a handler. */
void interrupt_remove_files(void) {
    for (int i = 0; i < MOST_FILES; i++)
        if (files[i]) unlink(files[i]);
}

/* What is running, if anything, and the signal that has come meanwhile. */
static arcl_context *volatile running;
static volatile sig_atomic_t pending, deferred;

static void end_by(int number) {
    interrupt_remove_files();
    signal(number, SIG_DFL);
    raise(number); /* comes when the handler is done */
}

/* A run is given the time to end; what does not notice, as a driver that compiles, or a second signal, is not waited
 * for. */
#define PATIENCE_SECONDS 1
static void impatient(int number) {
    (void)number;
    end_by(pending);
}

static void clean_up(int number) {
    int defers = deferred && (number == SIGINT || number == SIGTERM);
    if ((!running && !defers) || pending) {
        end_by(number);
        return;
    }
    pending = number;
    if (running) arcl_cancel(running);
    if (defers) return;
    signal(SIGALRM, impatient);
    alarm(PATIENCE_SECONDS);
}

void interrupt_run_begins(arcl_context *context) { running = context; }

void interrupt_run_ends(void) {
    running = NULL;
    if (!pending || deferred) return;
    end_by(pending);
    interrupt_release(); /* should it be on hold */
}

void interrupt_defer(void) { deferred = 1; }
int interrupt_has_come(void) { return pending; }

void interrupt_defer_ends(void) {
    deferred = 0;
    if (pending) end_by(pending);
}

void interrupt_watch(void) {
    signal(SIGXFSZ, SIG_IGN); /* a file that would be too large is an error of writing it */
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction old, action = {.sa_handler = clean_up};
        action.sa_mask = all_signals();
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN) continue; /* as nohup wants it */
        sigaction(signals[i], &action, NULL);
    }
}

void interrupt_hold(void) {
    sigset_t set = all_signals();
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void interrupt_release(void) {
    sigset_t set = all_signals();
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void replace(const char *old, const char *new) {
    for (int i = 0; i < MOST_FILES; i++)
        if (files[i] == old) {
            files[i] = new;
            return;
        }
}

void interrupt_remember(const char *temporary) { replace(NULL, temporary); }
void interrupt_forget(const char *temporary) { replace(temporary, NULL); }
