#include "profile/run_costs.h"

#include <string.h>

#include "profile/profile.h"

void recent_add(recent_values *r, double value) { r->value[r->count++ % RECENT] = value; }

double recent_median(const recent_values *r) {
    double values[RECENT];
    memcpy(values, r->value, sizeof values);
    return r->count ? median_of(values, r->count < RECENT ? (int)r->count : RECENT) : -1;
}

void run_costs_add(run_costs *c, uint32_t lanes, double nanoseconds) {
    int at = 0;
    if (!lanes) return;
    while (at < CURVE_POINTS - 1 && lanes >> (at + 1)) at++;
    recent_add(&c->lanes[at], lanes);
    recent_add(&c->nanoseconds[at], nanoseconds);
    c->medians.count = 0;
    for (int i = 0; i < CURVE_POINTS; i++)
        if (c->lanes[i].count) curve_add(&c->medians, recent_median(&c->lanes[i]), recent_median(&c->nanoseconds[i]));
}

double run_costs_at(const run_costs *c, double lanes) {
    const curve *m = &c->medians;
    int end = m->count - 1;
    if (end < 0) return -1;
    if (curve_covers(m, lanes)) return curve_at(m, lanes);
    if (lanes > m->x[0]) return m->y[end] * lanes / m->x[end];
    return m->y[0] * lanes / m->x[0];
}
