/* The table and the JSON of `arcl similar`. */
#ifndef ARCL_SIMILAR_OUTPUT_H
#define ARCL_SIMILAR_OUTPUT_H
#include <jansson.h>
#include <stdio.h>

#include "commands/similar/similar_rank.h"

/* What all comparisons together have been. */
typedef struct similar_totals {
    uint64_t outputs, expected;    /* grids */
    int compared;                  /* 0: nothing was, and there is no report */
    arcl_similarity_report report; /* of the last; the times and bytes of all */
} similar_totals;

/* The table: how wide the columns of names are, and whether there is one for `own`. */
typedef struct similar_table {
    int outputs, expected;
    int with_own;
} similar_table;
void similar_table_fit(int *column, const char *name); /* widens a column for a name, within reason */
void similar_print_head(const similar_table *table);
void similar_print_entry(const similar_table *table, const similar_entry *entry);
void similar_print_totals(const similar_totals *totals);

/* {"nearest":[..],"rejected":[..],..}: begin, entries, and the end with what was rejected, which it takes. */
void similar_json_begin(FILE *out);
void similar_json_entry(FILE *out, const similar_entry *entry, int *written);
void similar_json_end(FILE *out, const similar_totals *totals, json_t *rejected, json_t *report);

#endif
