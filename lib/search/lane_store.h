/* Every value that a lane has had, once: a number stands for it, so that equal values are equal numbers. Values of a
 * type lie on a shelf, which is a batch, from which others are gathered. What is put in while it is *trying* is gone
 * when that ends. */
#ifndef ARCL_LANE_STORE_H
#define ARCL_LANE_STORE_H
#include "run/batch.h"
#include "search/key_table.h"

#define ARCL_SEARCH_SIDE 60 /* of grids that are given to it, at most */

typedef struct shelf {
    type_code type;
    char text[64]; /* of the type */
    arcl_batch *batch;
    uint32_t kept_lanes; /* when trying began */
    size_t kept_words;
} shelf;

typedef struct stored_lane {
    uint64_t fingerprint;
    uint32_t shelf, at; /* a lane of the shelf's batch */
    uint32_t words;     /* that it takes */
} stored_lane;

typedef struct lane_store {
    arcl_context *context;
    shelf *shelf;
    int shelves, shelf_room;
    stored_lane *lane;
    uint32_t lanes, room, kept;
    key_table known, tried; /* by fingerprint */
    int trying;
    size_t words; /* that all values take */
} lane_store;

void lane_store_free(lane_store *s);

/* The shelf for a type; -1 if no argument has that type. */
ARCL_CHECKED arcl_status lane_store_shelf(lane_store *s, type_code type, int *number, arcl_error *error);

/* The number of the value with that fingerprint; KEY_ABSENT if there is none. */
uint32_t lane_store_find(const lane_store *s, uint64_t fingerprint);
/* Puts a value in that is not there yet. */
ARCL_CHECKED arcl_status lane_store_add(lane_store *s, uint64_t fingerprint, int shelf_number, arcl_value value,
                                        uint32_t *number, arcl_error *error);
/* Finds or puts in a grid, or an int. */
ARCL_CHECKED arcl_status lane_store_grid(lane_store *s, arcl_grid g, uint32_t *number, arcl_error *error);
ARCL_CHECKED arcl_status lane_store_int(lane_store *s, int n, uint32_t *number, arcl_error *error);

void lane_store_try(lane_store *s);
void lane_store_forget(lane_store *s);

/* The word of a value, and what its references count from. */
static inline word lane_word(const lane_store *s, uint32_t number) {
    return s->shelf[s->lane[number].shelf].batch->column[0].at[s->lane[number].at];
}
static inline const word *lane_data(const lane_store *s, uint32_t number) {
    return s->shelf[s->lane[number].shelf].batch->data.at;
}
/* Of a grid whose cells are bytes; others have no cells. */
arcl_grid lane_grid(const lane_store *s, uint32_t number);

#endif
