/* Ratios that runs have shown, and what may be concluded from them: nothing from a few, nothing from scattered ones,
 * and nothing from a minority, however extreme. */
#ifndef ARCL_EVIDENCE_H
#define ARCL_EVIDENCE_H

#define EVIDENCE_KEPT 31
#define EVIDENCE_LEAST 21 /* a tenth of wild ones then has the majority once in a million times */

typedef struct evidence {
    unsigned char count, next;
    float ratio[EVIDENCE_KEPT]; /* the last ones */
} evidence;

/* Adds one; what is not a positive number is left out. */
void evidence_add(evidence *e, double ratio);

/* 1: what happens is not what was expected, by `factor`. There are enough ratios, and their median is further from 1
 * than its own uncertainty, as told by the median deviation, and than what is worth mending. */
int evidence_speaks(const evidence *e, double *factor);
void evidence_clear(evidence *e);

#endif
