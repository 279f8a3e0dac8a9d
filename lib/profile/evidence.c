#include "profile/evidence.h"

#include <math.h>

#include "profile/profile.h"

#define WORTH_MENDING 0.1 /* relative: smaller errors change no choice that matters */
#define CERTAINTY 3.0     /* standard errors of the median */

void evidence_add(evidence *e, double ratio) {
    if (!isfinite(ratio) || ratio <= 0) return;
    e->ratio[e->next] = (float)ratio;
    e->next = (unsigned char)((e->next + 1) % EVIDENCE_KEPT);
    if (e->count < EVIDENCE_KEPT) e->count++;
}

int evidence_speaks(const evidence *e, double *factor) {
    double values[EVIDENCE_KEPT], median;
    if (e->count < EVIDENCE_LEAST) return 0;
    /* Twice as long and half as long are equally far from what was expected. */
    for (int i = 0; i < e->count; i++) values[i] = log((double)e->ratio[i]);
    median = median_of(values, e->count);
    for (int i = 0; i < e->count; i++) values[i] = fabs(log((double)e->ratio[i]) - median);
    /* 1.4826 makes a standard deviation of the median deviation, 1.2533 its error of that of the mean. */
    double uncertain = 1.4826 * 1.2533 * median_of(values, e->count) / sqrt(e->count);
    *factor = exp(median);
    return fabs(median) > CERTAINTY * uncertain && fabs(median) > WORTH_MENDING;
}

void evidence_clear(evidence *e) { e->count = e->next = 0; }
