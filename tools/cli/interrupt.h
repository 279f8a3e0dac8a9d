/* Being interrupted (SIGINT, SIGTERM, SIGHUP, SIGPIPE): files that are being written are removed, and the signal then
 * ends the command as it would have without this, so that whoever started it sees why. A signal can come at any time,
 * hence the only state of the command besides that of messages.h. */
#ifndef ARCL_INTERRUPT_H
#define ARCL_INTERRUPT_H
#include "arcl.h"

/* From now on. */
void interrupt_watch(void);

/* Puts signals off, and lets those come that have been put off. Threads that are started in between never see any: they
 * are all the main thread's. */
void interrupt_hold(void);
void interrupt_release(void);

/* Around a run: a signal that comes meanwhile cancels it first, and ends the command when the run has ended, at once or
 * after a second. */
void interrupt_run_begins(arcl_context *context);
void interrupt_run_ends(void);

/* From now on a first SIGINT or SIGTERM only ends the run that goes on, if there is one: the command looks whether one
 * has come, finishes what it has, and ends by it with interrupt_defer_ends, which returns if none has come. A second
 * one ends it at once. */
void interrupt_defer(void);
int interrupt_has_come(void);
void interrupt_defer_ends(void);

/* A file that is to be removed, until it is forgotten. Call both on hold. The name is the caller's and stays in use. */
void interrupt_remember(const char *temporary);
void interrupt_forget(const char *temporary);

/* Removes them all: the command ends here, for want of memory or by a signal. */
void interrupt_remove_files(void);

#endif
