/* Two files that `arcl bench --json` has written: what became faster, what slower. */
#ifndef ARCL_BENCH_COMPARE_H
#define ARCL_BENCH_COMPARE_H

/* Prints the ratios of the times of b over those of a. Returns an exit status. */
int bench_compare(const char *a, const char *b);

#endif
