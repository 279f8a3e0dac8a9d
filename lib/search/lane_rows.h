/* Many applications of a pattern as the lanes that have to be run for them: a row is the arguments of a single lane,
 * and those that look alike there are run once. What a row yields is a lane of the store, or nothing. */
#ifndef ARCL_LANE_ROWS_H
#define ARCL_LANE_ROWS_H
#include "search/lane_store.h"

#define MOST_ROWS (1u << 14)
#define MOST_COLUMNS 4
#define ROW_FAILED (UINT32_MAX - 1) /* the program has */
#define ROW_UNKEPT (UINT32_MAX - 2) /* its value is too large, of another type than expected, or finds no room */
static inline int row_is_lane(uint32_t yielded) { return yielded < ROW_UNKEPT; }

typedef struct row_slot {
    uint64_t key;
    uint32_t row, stamp; /* the latter: the rows that it is of */
} row_slot;

typedef struct rows {
    lane_store *store;
    region *region; /* of the arena, where the columns are */
    int columns;
    uint32_t count;
    uint32_t yielded[MOST_ROWS];
    row_slot slot[2 * MOST_ROWS];
    uint32_t stamp, slots; /* that these rows use, a power of two */
    /* while they are run: */
    int shelf;
    const word *storage; /* of what they yield */
    arcl_status status;
    arcl_error *error;
} rows;

ARCL_CHECKED arcl_status rows_create(lane_store *store, rows **made, arcl_error *error);
void rows_free(rows *r);

/* Begins with so many columns, for `most` rows at most. */
void rows_clear(rows *r, int columns, uint32_t most);
/* The row of these lanes, found or made. */
uint32_t rows_add(rows *r, const uint32_t *lanes);
/* Runs them. What they yield belongs on that shelf. `lane_words` is known from run to run. */
ARCL_CHECKED arcl_status rows_run(rows *r, const arcl_program *program, int shelf_number, uint32_t *lane_words,
                                  arcl_error *error);

#endif
