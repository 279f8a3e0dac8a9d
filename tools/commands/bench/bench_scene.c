/* Objects are drawn one by one where there is room, with a free cell around each, so that they are also what `objects`
 * finds. */
#include "commands/bench/bench_scene.h"

#include <string.h>

enum { TRIES = 40 };

typedef enum scene_shape { SHAPE_FULL, SHAPE_OUTLINE, SHAPE_ROW, SHAPE_COLUMN, SHAPE_BLOB, SHAPES } scene_shape;

typedef struct scene_box {
    int top, left, h, w;
} scene_box;

/* splitmix64 */
static uint64_t next(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int bench_scene_draw(bench_scene *scene, int low, int high) {
    return low + (int)(next(&scene->random) % (uint64_t)(high - low + 1));
}

static int is_free(const bench_scene *scene, scene_box box) {
    for (int i = box.top - 1; i <= box.top + box.h; i++)
        for (int j = box.left - 1; j <= box.left + box.w; j++)
            if (i >= 0 && j >= 0 && i < scene->side && j < scene->side && scene->owner[i * scene->side + j] >= 0)
                return 0;
    return 1;
}

static void put(bench_scene *scene, int i, int j) {
    scene->owner[i * scene->side + j] = (signed char)scene->objects;
    scene->cells[i * scene->side + j] = (signed char)scene->colours[scene->objects];
}

/* A walk that leaves cells of the box behind: connected, and of no regular shape. */
static void put_blob(bench_scene *scene, scene_box box) {
    int i = box.h / 2, j = box.w / 2;
    for (int steps = box.h * box.w; steps > 0; steps--) {
        put(scene, box.top + i, box.left + j);
        int *along = bench_scene_draw(scene, 0, 1) ? &i : &j;
        int to = *along + (bench_scene_draw(scene, 0, 1) ? 1 : -1);
        if (to >= 0 && to < (along == &i ? box.h : box.w)) *along = to;
    }
}

static void put_shape(bench_scene *scene, scene_box box, scene_shape shape) {
    if (shape == SHAPE_BLOB) {
        put_blob(scene, box);
        return;
    }
    for (int i = 0; i < box.h; i++)
        for (int j = 0; j < box.w; j++)
            if (shape != SHAPE_OUTLINE || i == 0 || j == 0 || i == box.h - 1 || j == box.w - 1)
                put(scene, box.top + i, box.left + j);
}

static void add_object(bench_scene *scene) {
    int largest = scene->side / 3 < 2 ? 2 : scene->side / 3;
    for (int tries = 0; tries < TRIES; tries++) {
        scene_shape shape = (scene_shape)bench_scene_draw(scene, 0, SHAPES - 1);
        scene_box box = {.h = shape == SHAPE_ROW ? 1 : bench_scene_draw(scene, 1, largest),
                         .w = shape == SHAPE_COLUMN ? 1 : bench_scene_draw(scene, 1, largest)};
        box.top = bench_scene_draw(scene, 0, scene->side - box.h);
        box.left = bench_scene_draw(scene, 0, scene->side - box.w);
        if (!is_free(scene, box)) continue;
        int colour = bench_scene_draw(scene, 0, SCENE_COLOURS - 2);
        scene->colours[scene->objects] = colour + (colour >= scene->background);
        put_shape(scene, box, shape);
        scene->objects++;
        return;
    }
}

void bench_scene_make(bench_scene *scene, uint64_t seed, int side) {
    *scene = (bench_scene){.random = seed, .side = side};
    if (bench_scene_draw(scene, 0, 3) == 0) scene->background = bench_scene_draw(scene, 1, SCENE_COLOURS - 1);
    memset(scene->cells, scene->background, sizeof scene->cells);
    memset(scene->owner, -1, sizeof scene->owner);
    int most = side < 20 ? 6 : 14;
    for (int wanted = bench_scene_draw(scene, most / 2, most); wanted > 0; wanted--) add_object(scene);
}
