/* A grid as ARC has them, to measure ops on: a background and a few objects that do not touch. Made from a seed, so
 * that every device and every later run gets the same. Knows nothing of ops. */
#ifndef ARCL_BENCH_SCENE_H
#define ARCL_BENCH_SCENE_H
#include <stdint.h>

enum { SCENE_SIDE = 30, SCENE_OBJECTS = 16, SCENE_COLOURS = 10 };

typedef struct bench_scene {
    uint64_t random; /* the generator's state: what is drawn later continues from here */
    int side;
    int objects;                                /* at least one; they are numbered from 0 */
    int background, colours[SCENE_OBJECTS];     /* of the objects */
    signed char cells[SCENE_SIDE * SCENE_SIDE]; /* row by row, `side` in a row */
    signed char owner[SCENE_SIDE * SCENE_SIDE]; /* the object that a cell belongs to, or -1 */
} bench_scene;

/* side is from 4 to SCENE_SIDE. */
void bench_scene_make(bench_scene *scene, uint64_t seed, int side);

/* A number from low to high, both included. */
int bench_scene_draw(bench_scene *scene, int low, int high);

#endif
