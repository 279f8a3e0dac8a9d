/* Ctrl-C while the library runs. Python's own handler of SIGINT only notes that one came, and a thread that is
 * inside of the library does not look at the note. So, for the time of such a call, another handler stands before
 * Python's, which also asks the library to end the call. What it means is Python's business still: usually a
 * KeyboardInterrupt. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "py_arcl.h"

static pthread_t main_thread;
static struct sigaction before;
static _Atomic(arcl_context *) watched; /* what runs in the main thread */
static _Atomic int came;

static void on_interrupt(int number, siginfo_t *info, void *place) {
    arcl_context *context = atomic_load(&watched);
    if (context) arcl_cancel(context);
    atomic_store(&came, 1);
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(number, info, place);
    else
        before.sa_handler(number);
}

static int is_left_alone(const struct sigaction *action) {
    return !(action->sa_flags & SA_SIGINFO) && (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN);
}

void interrupt_main_thread(void) { main_thread = pthread_self(); }

int interrupt_watch(arcl_context *context) {
    struct sigaction ours = {.sa_flags = SA_SIGINFO};
    if (!pthread_equal(pthread_self(), main_thread)) return 0;
    if (sigaction(SIGINT, NULL, &before) || is_left_alone(&before)) return 0;
    sigemptyset(&ours.sa_mask);
    ours.sa_sigaction = on_interrupt;
    atomic_store(&came, 0);
    atomic_store(&watched, context);
    return sigaction(SIGINT, &ours, NULL) == 0;
}

int interrupt_ignore(void) {
    sigaction(SIGINT, &before, NULL);
    atomic_store(&watched, NULL);
    return atomic_load(&came);
}
