/* How long a group of submissions waits for more before it is run. Pure arithmetic, so that it can be tested without a
 * clock.
 *
 *   n       lanes that wait, of m submissions
 *   k       lanes that the next submission will bring: as many as those so far brought on average, n / m
 *   cost(x) nanoseconds that running x lanes takes: as the selector predicts by the context's profile; without one,
 *           as earlier runs of the group have taken
 *   gap     nanoseconds until the next submission: the median gap between the last ones, or the time since the last
 *           came if that is longer already
 *
 * Whoever waits saves running the next lanes on their own, and delays all who wait:
 *
 *   saved = cost(n) + cost(k) - cost(n + k)          delay = m * gap
 *
 * Waiting pays while saved > delay. That is over at once if m times the median gap is not less than what is saved, and
 * otherwise when no one has come for saved / m. Nobody waits longer than the caller's limit. Where no costs are known,
 * nothing is known to be saved, and nobody waits.
 */
#ifndef ARCL_WAITING_H
#define ARCL_WAITING_H
#include <stdint.h>

typedef struct waiting_group {
    uint32_t submissions; /* m */
    int64_t first, last;  /* when the first and the last of them came, in nanoseconds */
    double gap;           /* the median; below 0: not known */
    double saved;         /* may be negative, or below 0 for unknown */
    int64_t longest;      /* that anyone may wait */
} waiting_group;

/* When the group is to be run; *limited says whether that is because of the limit. */
static inline int64_t waiting_end(const waiting_group *g, int *limited) {
    int64_t limit = g->first + g->longest, end = g->last;
    double patience = g->saved / g->submissions;
    if (patience > 0 && (g->gap < 0 || g->gap < patience))
        end = patience < (double)g->longest ? g->last + (int64_t)patience : limit;
    *limited = end >= limit;
    return *limited ? limit : end;
}

#endif
