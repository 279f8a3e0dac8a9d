/* Draws arguments from scenes and puts them into a batch. All arguments of a lane come from one scene, so that a patch
 * lies in its grid and a colour occurs there. */
#include "commands/bench/bench_inputs.h"

#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "commands/bench/bench_scene.h"

enum { NUMBERS = 10, SEED = 2019 };
enum { SCENES = 1024 }; /* different ones: more would take longer to make than to measure */

/* A batch being filled. The first error stays, and nothing is added after it: makers need not look. */
typedef struct bench_sink {
    arcl_batch *batch;
    arcl_status status;
    arcl_error *error;
    bench_amount amount;
} bench_sink;

static void add(bench_sink *to, int value) {
    to->amount.bytes += sizeof(int64_t);
    if (!to->status) to->status = arcl_batch_add_int(to->batch, value, to->error);
}

static void open_part(bench_sink *to) {
    if (!to->status) to->status = arcl_batch_open(to->batch, to->error);
}

static void close_part(bench_sink *to) {
    if (!to->status) to->status = arcl_batch_close(to->batch, to->error);
}

static void add_ij(bench_sink *to, int i, int j) {
    open_part(to);
    add(to, i);
    add(to, j);
    close_part(to);
}

static void add_cells(bench_sink *to, const bench_scene *s, const signed char *cells) {
    to->amount.cells += (uint64_t)(s->side * s->side);
    to->amount.bytes += (uint64_t)(s->side * s->side);
    if (!to->status) to->status = arcl_batch_add_grid(to->batch, s->side, s->side, cells, to->error);
}

/* The locations of one object, with their colour or without. */
static void add_object(bench_sink *to, const bench_scene *s, int object, int with_colour) {
    open_part(to);
    for (int n = 0; n < s->side * s->side; n++) {
        if (s->owner[n] != object) continue;
        if (with_colour) {
            open_part(to);
            add(to, s->colours[object]);
        }
        add_ij(to, n / s->side, n % s->side);
        if (with_colour) close_part(to);
    }
    close_part(to);
}

/* ---- a maker for each row of bench_arguments.def ---- */

static void make_grid(bench_sink *to, bench_scene *s) { add_cells(to, s, s->cells); }

static void make_grid2(bench_sink *to, bench_scene *s) {
    signed char cells[sizeof s->cells];
    memcpy(cells, s->cells, sizeof cells);
    for (int n = s->side; n > 0; n--)
        cells[bench_scene_draw(s, 0, s->side * s->side - 1)] = (signed char)bench_scene_draw(s, 0, SCENE_COLOURS - 1);
    add_cells(to, s, cells);
}

static void make_colour(bench_sink *to, bench_scene *s) { add(to, s->colours[0]); }
static void make_colour2(bench_sink *to, bench_scene *s) { add(to, bench_scene_draw(s, 0, SCENE_COLOURS - 1)); }
static void make_number(bench_sink *to, bench_scene *s) { add(to, bench_scene_draw(s, -9, 9)); }
static void make_small(bench_sink *to, bench_scene *s) { add(to, bench_scene_draw(s, 1, 5)); }
static void make_many(bench_sink *to, bench_scene *s) { add(to, bench_scene_draw(s, 10, 30)); }
static void make_factor(bench_sink *to, bench_scene *s) { add(to, bench_scene_draw(s, 2, 3)); }
static void make_bool(bench_sink *to, bench_scene *s) { add(to, bench_scene_draw(s, 0, 1)); }

static int count_cells(const bench_scene *s, int object) {
    int count = 0;
    for (int n = 0; n < s->side * s->side; n++) count += s->owner[n] == object;
    return count;
}

static void make_cells(bench_sink *to, bench_scene *s) { add(to, count_cells(s, 0)); }

static void make_place(bench_sink *to, bench_scene *s) {
    int i = bench_scene_draw(s, 0, s->side - 1);
    add_ij(to, i, bench_scene_draw(s, 0, s->side - 1));
}

/* The corner is drawn from a copy of the scene, so that place2 can find out what it was. */
static void draw_corner(bench_scene s, int *i, int *j) {
    *i = bench_scene_draw(&s, 0, s.side / 2 - 1);
    *j = bench_scene_draw(&s, 0, s.side / 2 - 1);
}

static void make_corner(bench_sink *to, bench_scene *s) {
    int i, j;
    draw_corner(*s, &i, &j);
    add_ij(to, i, j);
}

static void make_place2(bench_sink *to, bench_scene *s) {
    int i, j, direction, steps;
    draw_corner(*s, &i, &j);
    direction = bench_scene_draw(s, 1, 3);
    steps = bench_scene_draw(s, 1, s->side / 2);
    add_ij(to, i + (direction & 1) * steps, j + (direction >> 1) * steps);
}

static void make_direction(bench_sink *to, bench_scene *s) {
    int way = bench_scene_draw(s, 0, 7);
    way += way >= 4; /* the middle of the 3 by 3 is no direction */
    add_ij(to, way / 3 - 1, way % 3 - 1);
}

static void make_offset(bench_sink *to, bench_scene *s) {
    int i = bench_scene_draw(s, -3, 3);
    add_ij(to, i, bench_scene_draw(s, -3, 3));
}

static void make_dimensions(bench_sink *to, bench_scene *s) {
    int i = bench_scene_draw(s, 2, s->side / 2);
    add_ij(to, i, bench_scene_draw(s, 2, s->side / 2));
}

static void make_member(bench_sink *to, bench_scene *s) {
    int skipped = bench_scene_draw(s, 0, count_cells(s, 0) - 1), n = 0;
    while (s->owner[n] != 0 || skipped-- > 0) n++;
    add_ij(to, n / s->side, n % s->side);
}

static void make_patch(bench_sink *to, bench_scene *s) { add_object(to, s, 0, 0); }
static void make_patch2(bench_sink *to, bench_scene *s) { add_object(to, s, s->objects - 1, 0); }
static void make_object(bench_sink *to, bench_scene *s) { add_object(to, s, 0, 1); }

static void make_region(bench_sink *to, bench_scene *s) {
    open_part(to);
    for (int n = 0; n < s->side / 2 * s->side; n++) add_ij(to, n / s->side, n % s->side);
    close_part(to);
}

static void make_objects(bench_sink *to, bench_scene *s) {
    open_part(to);
    for (int object = 0; object < s->objects; object++) add_object(to, s, object, 1);
    close_part(to);
}

static void make_ints(bench_sink *to, bench_scene *s) {
    unsigned there = 1u << s->background;
    for (int object = 0; object < s->objects; object++) there |= 1u << s->colours[object];
    open_part(to);
    for (int colour = 0; colour < SCENE_COLOURS; colour++)
        if (there >> colour & 1) add(to, colour);
    close_part(to);
}

static void make_numbers(bench_sink *to, bench_scene *s) {
    open_part(to);
    for (int n = 0; n < NUMBERS; n++) add(to, bench_scene_draw(s, 0, 5));
    close_part(to);
}

/* ---- all of them ---- */

static const struct {
    const char *name, *type;
    void (*make)(bench_sink *to, bench_scene *scene);
} arguments[BENCH_ARGUMENTS] = {
#define ARGUMENT(kind, type) {#kind, type, make_##kind},
#include "commands/bench/bench_arguments.def"
#undef ARGUMENT
};

bench_argument bench_argument_find(const char *name) {
    size_t length = strcspn(name, " ");
    int i = 0;
    while (i < BENCH_ARGUMENTS &&
           (strlen(arguments[i].name) != length || strncmp(arguments[i].name, name, length) != 0))
        i++;
    return (bench_argument)i;
}

const char *bench_argument_type(bench_argument kind) { return arguments[kind].type; }

arcl_status bench_inputs_make(arcl_context *context, int count, const bench_argument *kinds, uint32_t lanes, int side,
                              arcl_batch **batch, bench_amount *amount, arcl_error *error) {
    char types[128] = "";
    for (int i = 0; i < count; i++) {
        if (i) strcat(types, " ");
        strcat(types, arguments[kinds[i]].type);
    }
    *batch = NULL;
    bench_sink to = {.status = arcl_batch_create(context, types, batch, error), .error = error};
    to.batch = *batch;
    bench_scene *scenes = allocation_get(SCENES, sizeof *scenes);
    for (uint32_t lane = 0; !to.status && lane < lanes; lane++) {
        if (lane < SCENES) bench_scene_make(&scenes[lane], SEED + lane, side);
        bench_scene scene = scenes[lane % SCENES]; /* arguments draw on it */
        for (int i = 0; i < count; i++) arguments[kinds[i]].make(&to, &scene);
    }
    free(scenes);
    if (amount) {
        amount->cells += to.amount.cells;
        amount->bytes += to.amount.bytes;
    }
    return to.status;
}
