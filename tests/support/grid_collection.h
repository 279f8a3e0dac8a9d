/* Collections of grids for tests of similarity, and what a plain loop finds that two of them have in common. */
#ifndef ARCL_GRID_COLLECTION_H
#define ARCL_GRID_COLLECTION_H
#include "support/evaluation.h"

enum { MOST_GRIDS = 1200 };

static randomness random_state = {1};

typedef struct collection {
    arcl_grid grids[MOST_GRIDS];
    uint32_t count;
} collection;

static inline int random_int(int below) { return (int)random_below(&random_state, (uint32_t)below); }

static inline void add_grid(collection *to, int h, int w, int lowest, int values) {
    signed char *cells = malloc((size_t)(h * w) + 1);
    for (int n = 0; n < h * w; n++) cells[n] = (signed char)(lowest + random_int(values));
    to->grids[to->count++] = (arcl_grid){h, w, cells};
}

/* A copy of a grid in which some cells are others: random grids alone would have little in common. */
static inline void add_similar(collection *to, const arcl_grid *from) {
    size_t size = (size_t)from->h * (size_t)from->w;
    signed char *cells = malloc(size + 1);
    memcpy(cells, from->cells, size);
    for (int n = random_int(10); n > 0 && size > 0; n--) cells[random_int((int)size)] = (signed char)random_int(10);
    to->grids[to->count++] = (arcl_grid){from->h, from->w, cells};
}

static inline void add_failed(collection *to) { to->grids[to->count++] = (arcl_grid){0, 0, NULL}; }

static inline void collection_free(collection *c) {
    for (uint32_t n = 0; n < c->count; n++) free((void *)c->grids[n].cells);
}

static inline uint32_t plain_count(const arcl_grid *a, const arcl_grid *b) {
    uint32_t count = 0;
    for (int i = 0; i < a->h && i < b->h; i++)
        for (int j = 0; j < a->w && j < b->w; j++) count += a->cells[i * a->w + j] == b->cells[i * b->w + j];
    return count;
}

static inline int counts_are_right(arcl_context *context, const char *variant, const collection *a, const collection *b,
                                   arcl_similarity_report *report, arcl_error *error) {
    size_t all = (size_t)a->count * b->count;
    uint32_t *matrix = malloc(all * sizeof *matrix + 1);
    memset(matrix, 0xee, all * sizeof *matrix + 1);
    error->message[0] = 0;
    int right = !arcl_similarity(context, variant, a->grids, a->count, b->grids, b->count, matrix, report, error);
    for (uint32_t i = 0; right && i < a->count; i++)
        for (uint32_t j = 0; right && j < b->count; j++)
            right = matrix[(size_t)i * b->count + j] == plain_count(&a->grids[i], &b->grids[j]);
    free(matrix);
    return right;
}

/* ---- collections ---- */

/* Every height and every width from 1 to 30, and empty grids. */
static inline void make_all_sizes(collection *a, collection *b) {
    for (int side = 1; side <= 30; side++) {
        add_grid(a, side, 1 + random_int(30), 0, 10);
        add_grid(a, 1 + random_int(30), side, 0, 10);
        add_similar(b, &a->grids[a->count - 1]);
        add_similar(b, &a->grids[a->count - 2]);
        add_grid(b, side, 31 - side, 0, 2);
    }
    add_failed(a);
    add_failed(b);
    add_grid(b, 3, 0, 0, 1);
}

/* More columns than a vector has, more rows than a counter of a byte takes, all values that a byte has. */
static inline void make_unusual(collection *a, collection *b) {
    const int sides[][2] = {{1, 31},  {2, 32},  {2, 33},  {3, 64},  {5, 65},
                            {254, 3}, {255, 2}, {256, 2}, {600, 1}, {300, 70}};
    for (size_t n = 0; n < sizeof sides / sizeof *sides; n++) {
        add_grid(a, sides[n][0], sides[n][1], 0, 1);
        add_grid(b, sides[n][0], sides[n][1], 0, 1);
        add_grid(a, sides[n][0], sides[n][1], -1, 3);
        add_similar(b, &a->grids[a->count - 1]);
    }
    add_grid(a, 40, 40, -128, 256);
    add_similar(b, &a->grids[a->count - 1]);
}

static inline arcl_context *context_of(const char *device, int thread_count) {
    arcl_context *c;
    arcl_options options = {.device = device, .threads = thread_count};
    return arcl_context_create(&options, &c, NULL) ? NULL : c;
}

#endif
