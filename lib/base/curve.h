/* Piecewise linear curves: what something costs over how much of it there is, as measured at a few places. */
#ifndef ARCL_CURVE_H
#define ARCL_CURVE_H

#define CURVE_POINTS 16

typedef struct curve {
    int count;                               /* 0: nothing was measured */
    double x[CURVE_POINTS], y[CURVE_POINTS]; /* x ascends, y does not fall */
} curve;

/* Between points on the line between them; before the first as at the first; behind the last the last line goes on. */
double curve_at(const curve *c, double x);

/* Whether x lies where something was measured; otherwise curve_at is an extrapolation. */
int curve_covers(const curve *c, double x);

/* Adds a point behind the others. One that is not to the right of them, or one too many, is left out; a y below the one
 * before is raised to it: less work does not take longer, noise does. */
void curve_add(curve *c, double x, double y);

#endif
