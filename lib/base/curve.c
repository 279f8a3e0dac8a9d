#include "base/curve.h"

double curve_at(const curve *c, double x) {
    int i = 1;
    if (c->count == 0) return 0;
    if (c->count == 1 || x <= c->x[0]) {
        /* With a single point, the cost of something else is in proportion. */
        return c->count == 1 && x > c->x[0] && c->x[0] > 0 ? c->y[0] * x / c->x[0] : c->y[0];
    }
    while (i < c->count - 1 && x > c->x[i]) i++;
    return c->y[i - 1] + (c->y[i] - c->y[i - 1]) * (x - c->x[i - 1]) / (c->x[i] - c->x[i - 1]);
}

int curve_covers(const curve *c, double x) { return c->count && x >= c->x[0] && x <= c->x[c->count - 1]; }

void curve_add(curve *c, double x, double y) {
    if (c->count == CURVE_POINTS || (c->count && x <= c->x[c->count - 1])) return;
    if (c->count && y < c->y[c->count - 1]) y = c->y[c->count - 1];
    c->x[c->count] = x;
    c->y[c->count++] = y;
}
