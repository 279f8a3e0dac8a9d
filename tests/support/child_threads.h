/* How many threads a context of a forked child has in tests. The thread sanitizer does not know threads that a child of
 * a process with threads starts, and ends the child. */
#ifndef ARCL_CHILD_THREADS_H
#define ARCL_CHILD_THREADS_H

#ifdef __SANITIZE_THREAD__
enum { CHILD_THREADS = 1 };
#else
enum { CHILD_THREADS = 2 };
#endif

#endif
