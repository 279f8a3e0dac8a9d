#include "commands/bench/rank_test.h"

#include <math.h>
#include <stdlib.h>

#include "cli/allocation.h"

enum { MOST_EXACT = 20 }; /* of either sample */

/* In which part of all orders of n and m values at most u pairs have the value of the first sample behind. */
static double tail_exact(int n, int m, double u) {
    int most = n * m;
    double *ways = allocation_get((size_t)(most + 1), sizeof *ways), all = 0, tail = 0;
    ways[0] = 1;
    /* The product of (1 - q^(m+i)) / (1 - q^i) for i = 1..n counts them, by the power of q. */
    for (int i = 1; i <= n; i++) {
        for (int k = most; k >= m + i; k--) ways[k] -= ways[k - m - i];
        for (int k = i; k <= most; k++) ways[k] += ways[k - i];
    }
    for (int k = 0; k <= most; k++) {
        all += ways[k];
        if (k <= u) tail += ways[k];
    }
    free(ways);
    return tail / all;
}

static double tail_normal(int n, int m, double u, double ties) {
    double all = n + m, variance = (double)n * m / 12 * (all + 1 - ties / (all * (all - 1)));
    if (variance <= 0) return 0.5;
    return 0.5 * erfc((0.5 * n * m - u - 0.5) / sqrt(2 * variance)); /* 0.5: u goes in steps */
}

/* The sum of t^3 - t over groups of t equal values. */
static double count_ties(const double *a, int n, const double *b, int m) {
    double ties = 0;
    for (int i = 0; i < n + m; i++) {
        double value = i < n ? a[i] : b[i - n], same = 0;
        int seen = 0;
        for (int k = 0; k < n + m; k++)
            if ((k < n ? a[k] : b[k - n]) == value) {
                same++;
                seen |= k < i;
            }
        if (!seen) ties += same * same * same - same;
    }
    return ties;
}

double rank_test(const double *a, int n, const double *b, int m) {
    double u = 0;
    if (n < 1 || m < 1) return 1;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) u += a[i] > b[k] ? 1 : a[i] == b[k] ? 0.5 : 0;
    if (u > (double)n * m - u) u = (double)n * m - u;
    double ties = count_ties(a, n, b, m);
    double tail = ties == 0 && n <= MOST_EXACT && m <= MOST_EXACT ? tail_exact(n, m, u) : tail_normal(n, m, u, ties);
    return fmin(1, 2 * tail);
}
