/* Whether two samples differ by more than chance: the rank-sum test of Mann, Whitney and Wilcoxon, which asks only
 * which values are larger, and so does not mind outliers nor how times are distributed. */
#ifndef ARCL_RANK_TEST_H
#define ARCL_RANK_TEST_H

/* The probability that samples of one and the same thing would be as far apart, or farther, in either direction. Exact
 * for small samples without ties; else by the normal distribution. 1 for an empty sample. */
double rank_test(const double *a, int a_count, const double *b, int b_count);

#endif
