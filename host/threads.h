/* A pool of threads that share the indices of a loop. */
#ifndef ARCL_THREADS_H
#define ARCL_THREADS_H
#include <stdint.h>

typedef struct threads threads;

/* `count` workers in all, the caller of threads_run among them. NULL if it cannot be had. */
threads *threads_create(int count);
void threads_free(threads *t);

/* work(arg, worker, index) for every index below count, and waits for the last one. In a child of the process that made
 * the pool, where its threads are not, the caller does it all. */
void threads_run(threads *t, uint32_t count, void (*work)(void *arg, int worker, uint32_t index), void *arg);

/* The same from anywhere, also from the work of a loop and while another thread runs one: then the caller does it
 * all, as worker 0, though another may be that. */
void threads_share(threads *t, uint32_t count, void (*work)(void *arg, int worker, uint32_t index), void *arg);

#endif
