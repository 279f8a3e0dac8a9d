/* Every value that a lane has had, once: a number stands for it, so that equal values are equal numbers. They lie in
 * the context's arena, where programs find them as arguments without anything being copied. A shelf is a type; what is
 * put in while the store is *trying* is gone when that ends. */
#ifndef ARCL_LANE_STORE_H
#define ARCL_LANE_STORE_H
#include "run/context.h"
#include "search/key_table.h"

#define ARCL_SEARCH_SIDE 60 /* of grids that are given to it, at most */

typedef struct shelf {
    type_code type;
    char text[64]; /* of the type */
} shelf;

typedef struct stored_lane {
    uint64_t fingerprint;
    word value; /* whose references count from the arena */
    uint32_t shelf;
    uint32_t words; /* that it takes */
} stored_lane;

typedef struct lane_store {
    arcl_context *context;
    region *region; /* of the arena, where they are */
    uint end;       /* of what is taken of it */
    shelf *shelf;
    int shelves;
    uint32_t shelf_room;
    stored_lane *lane;
    uint32_t lanes, room;
    uint32_t kept;          /* lanes when trying began, */
    uint kept_end;          /* and the end */
    key_table known, tried; /* by fingerprint */
    int trying;
} lane_store;

/* With room for values of so many bytes. */
ARCL_CHECKED arcl_status lane_store_create(lane_store *s, arcl_context *context, uint64_t bytes, arcl_error *error);
void lane_store_free(lane_store *s);
size_t lane_store_bytes(const lane_store *s);

/* The shelf for a type; -1 if no argument has that type. */
ARCL_CHECKED arcl_status lane_store_shelf(lane_store *s, type_code type, int *number, arcl_error *error);

/* The number of the value with that fingerprint; KEY_ABSENT if there is none. */
uint32_t lane_store_find(const lane_store *s, uint64_t fingerprint);
/* Says that it will be looked for soon. */
static inline void lane_store_prefetch(const lane_store *s, uint64_t fingerprint) {
    key_table_prefetch(&s->known, fingerprint);
    if (s->trying) key_table_prefetch(&s->tried, fingerprint);
}
/* Puts a value in that is not there yet and whose type is the shelf's, but for triples. KEY_ABSENT if it is too large,
 * or if there is no room left. */
ARCL_CHECKED arcl_status lane_store_add(lane_store *s, uint64_t fingerprint, int shelf_number, arcl_value value,
                                        uint32_t *number, arcl_error *error);
/* Finds or puts in a grid, or an int. */
ARCL_CHECKED arcl_status lane_store_grid(lane_store *s, arcl_grid g, uint32_t *number, arcl_error *error);
ARCL_CHECKED arcl_status lane_store_int(lane_store *s, int n, uint32_t *number, arcl_error *error);

void lane_store_try(lane_store *s);
void lane_store_forget(lane_store *s);

/* A value, as results have them. */
static inline arcl_value lane_value(const lane_store *s, uint32_t number) {
    return (arcl_value){s->context->arena, s->shelf[s->lane[number].shelf].type, s->lane[number].value, -1};
}
/* Of a grid whose cells are bytes; others have no cells. */
arcl_grid lane_grid(const lane_store *s, uint32_t number);

#endif
