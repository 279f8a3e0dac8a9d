/* From samples to curves. A launch over n lanes with e elements took t; the model is
 * t = launch(n) + per_element * e + in_a_row * e / n, where the last part is for devices that run lanes at once.
 *
 * Samples with about as many lanes form a level. Within a level, only elements differ, so their slopes tell what an
 * element costs, and that they differ from level to level what it costs in a row. What is left after that is the
 * level's point of the curve. Least squares of relative errors decide
 * both: a launch over small values is to be predicted as well as one over large ones, and a sample that took much too
 * long counts little.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

#define LEVEL_RATIO 2.2  /* lanes of one level are within this factor, or more if there were too many levels */
#define LEAST_SHARE 0.02 /* of a launch's time that does not depend on elements, whatever the slope says */

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median_of(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, by_value);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static int by_lanes(const void *a, const void *b) {
    const profile_sample *x = a, *y = b;
    return (x->lanes > y->lanes) - (x->lanes < y->lanes);
}

/* Where the level that begins at `first` ends. */
static size_t level_end(const profile_sample *s, size_t count, size_t first, double ratio) {
    size_t end = first;
    while (end < count && s[end].lanes <= s[first].lanes * ratio) end++;
    return end;
}

/* The ratio with which there are no more levels than a curve has points. */
static double level_ratio(const profile_sample *s, size_t count) {
    for (double ratio = LEVEL_RATIO;; ratio *= 1.25) {
        int levels = 0;
        for (size_t first = 0; first < count; first = level_end(s, count, first, ratio)) levels++;
        if (levels <= CURVE_POINTS) return ratio;
    }
}

static double weight(const profile_sample *s) { return s->ns > 1 ? 1 / (s->ns * s->ns) : 1; }

/* Of a lane. */
static double row_of(const profile_sample *s) { return s->lanes > 0 ? s->elements / s->lanes : 0; }

typedef struct weighted_means {
    double weights, elements, row, ns, lanes;
} weighted_means;

static weighted_means means_of(const profile_sample *s, size_t count) {
    weighted_means m = {0};
    for (size_t i = 0; i < count; i++) {
        double w = weight(&s[i]);
        m.weights += w;
        m.elements += w * s[i].elements;
        m.row += w * row_of(&s[i]);
        m.ns += w * s[i].ns;
        m.lanes += w * s[i].lanes;
    }
    m.elements /= m.weights;
    m.row /= m.weights;
    m.ns /= m.weights;
    m.lanes /= m.weights;
    return m;
}

/* Sums of products of deviations from the levels' means: of elements, elements in a row, and time. */
typedef struct level_sums {
    double ee, er, rr, et, rt;
} level_sums;

static void add_level(const profile_sample *s, size_t count, level_sums *sums) {
    weighted_means m = means_of(s, count);
    for (size_t i = 0; i < count; i++) {
        double w = weight(&s[i]), e = s[i].elements - m.elements, r = row_of(&s[i]) - m.row, t = s[i].ns - m.ns;
        sums->ee += w * e * e;
        sums->er += w * e * r;
        sums->rr += w * r * r;
        sums->et += w * e * t;
        sums->rt += w * r * t;
    }
}

typedef struct slopes {
    double element, row;
} slopes;

static slopes one_slope(const level_sums *s) { return (slopes){.element = s->ee > 0 && s->et > 0 ? s->et / s->ee : 0}; }

/* Both slopes, or, if one of them would be negative, or nothing tells them apart, the one that explains more alone. */
static slopes both_slopes(const level_sums *s) {
    double determinant = s->ee * s->rr - s->er * s->er;
    slopes both = {0}, row = {.row = s->rr > 0 && s->rt > 0 ? s->rt / s->rr : 0}, element = one_slope(s);
    if (determinant > 1e-6 * s->ee * s->rr) {
        both.element = (s->et * s->rr - s->rt * s->er) / determinant;
        both.row = (s->rt * s->ee - s->et * s->er) / determinant;
        if (both.element >= 0 && both.row >= 0) return both;
    }
    return row.row * s->rt > element.element * s->et ? row : element;
}

/* No level may be explained by its elements alone: the lanes are worth something too. */
static slopes limit(const profile_sample *s, size_t count, double ratio, slopes found) {
    double most = 1;
    for (size_t first = 0, end; first < count; first = end) {
        end = level_end(s, count, first, ratio);
        weighted_means m = means_of(s + first, end - first);
        double explained = found.element * m.elements + found.row * m.row;
        if (explained > 0) most = fmin(most, (1 - LEAST_SHARE) * m.ns / explained);
    }
    return (slopes){found.element * most, found.row * most};
}

static slopes find_slopes(const profile_sample *s, size_t count, double ratio, int at_once) {
    level_sums sums = {0};
    for (size_t first = 0, end; first < count; first = end) {
        end = level_end(s, count, first, ratio);
        add_level(s + first, end - first, &sums);
    }
    return limit(s, count, ratio, at_once ? both_slopes(&sums) : one_slope(&sums));
}

static void note_range(const profile_sample *s, size_t count, kernel_cost *to) {
    to->least_elements = INFINITY;
    to->most_elements = 0;
    for (size_t i = 0; i < count; i++) {
        to->least_elements = fmin(to->least_elements, row_of(&s[i]));
        to->most_elements = fmax(to->most_elements, row_of(&s[i]));
    }
}

void profile_fit(profile_sample *s, size_t count, int at_once, kernel_cost *to) {
    memset(to, 0, sizeof *to);
    to->correction = 1;
    if (!count) return;
    qsort(s, count, sizeof *s, by_lanes);
    to->samples = (uint32_t)count;
    double ratio = level_ratio(s, count);
    slopes found = find_slopes(s, count, ratio, at_once);
    to->per_element = found.element;
    to->in_a_row = found.row;
    note_range(s, count, to);
    for (size_t first = 0, end; first < count; first = end) {
        end = level_end(s, count, first, ratio);
        weighted_means m = means_of(s + first, end - first);
        double rest = m.ns - to->per_element * m.elements - to->in_a_row * m.row;
        curve_add(&to->launch, m.lanes, fmax(rest, LEAST_SHARE * m.ns));
    }
}

int profile_add_sample(profile_device *d, const profile_sample *sample) {
    if (d->samples == d->sample_room) {
        size_t room = d->sample_room ? 2 * d->sample_room : 1024;
        profile_sample *grown = realloc(d->sample, room * sizeof *grown);
        if (!grown) return 0;
        d->sample = grown;
        d->sample_room = room;
    }
    d->sample[d->samples++] = *sample;
    return 1;
}

static int by_kernel(const void *a, const void *b) {
    const profile_sample *x = a, *y = b;
    if (x->variant != y->variant) return x->variant < y->variant ? -1 : 1;
    return (x->kernel > y->kernel) - (x->kernel < y->kernel);
}

/* What was measured before counts as well: the curve as samples at its points, with few elements and with many. */
static void recall(profile_device *d, uint8_t variant, uint16_t kernel) {
    const kernel_cost *c = &d->cost[variant][kernel];
    for (int i = 0; i < c->launch.count; i++)
        for (int many = 0; many < 2; many++) {
            double elements = c->launch.x[i] * (many ? c->most_elements : c->least_elements);
            double row = c->launch.x[i] > 0 ? elements / c->launch.x[i] : 0;
            profile_sample sample = {variant, kernel, c->launch.x[i], elements,
                                     c->launch.y[i] + c->per_element * elements + c->in_a_row * row};
            (void)profile_add_sample(d, &sample); /* without memory for it, the new samples have to do */
        }
}

static void recall_all(profile_device *d) {
    size_t measured = d->samples;
    char seen[PROFILE_VARIANTS][KERNEL_COUNT] = {{0}};
    for (size_t i = 0; i < measured; i++) {
        char *once = &seen[d->sample[i].variant][d->sample[i].kernel];
        if (!*once) recall(d, d->sample[i].variant, d->sample[i].kernel);
        *once = 1;
    }
}

static void finish_device(profile_device *d) {
    int at_once = strcmp(d->kind, "host") != 0 && strcmp(d->kind, "cpu") != 0;
    recall_all(d);
    qsort(d->sample, d->samples, sizeof *d->sample, by_kernel);
    for (size_t first = 0, end; first < d->samples; first = end) {
        profile_sample *s = &d->sample[first];
        for (end = first; end < d->samples && by_kernel(&d->sample[end], s) == 0;) end++;
        profile_fit(s, end - first, at_once, &d->cost[s->variant][s->kernel]);
    }
    free(d->sample);
    d->sample = NULL;
    d->samples = d->sample_room = 0;
}

void profile_draw(arcl_profile *p) {
    for (int i = 0; i < p->devices; i++)
        if (p->device[i]->samples) finish_device(p->device[i]);
}

void arcl_profile_finish(arcl_profile *p) {
    if (!p) return;
    profile_draw(p);
    profile_stamp(p);
}
