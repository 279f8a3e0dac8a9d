/* Similarity on an OpenCL device: packed grids go up, counts come back. The counts are made by a kernel, or, as sums of
 * products of zeros and ones, by CLBlast. The device is opened for this alone, with a queue and an arena of its own:
 *
 *   | zeros | frames | outputs: table, cells | expected: table, cells | counts | numbers of outputs | of expected |
 *
 * CLBlast counts in floats, which are exact below 2^24.
 */
#include "similarity/similarity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/clblast.h"
#include "opencl/opencl.h"

#define ARENA_BYTES ((uint64_t)256 << 20) /* at most: all that blocks of the sizes below need */
#define MOST_GRIDS 1024u
#define GROUPS_PER_UNIT 16u
#define FRAME_WORDS 16u
#define EXACT_FLOATS ((uint64_t)1 << 24)

enum { FRAME_COUNT, FRAME_OUTPUTS, FRAME_EXPECTED, FRAMES };

struct similarity_place {
    opencl_device *device;
    int multiplies; /* whether CLBlast has been used */
};

arcl_status similarity_place_open(arcl_context *c, int device, struct similarity_place **place, arcl_error *error) {
    struct similarity_place *p = calloc(1, sizeof *p);
    *place = NULL;
    if (!p) return NO_MEMORY(error);
    uint64_t memory = c->options.memory < ARENA_BYTES ? c->options.memory : ARENA_BYTES;
    arcl_status status = opencl_device_open(c->opencl, device - 1, memory, &p->device, error);
    if (status != ARCL_SUCCESS) {
        free(p);
        return status;
    }
    *place = p;
    return ARCL_SUCCESS;
}

void similarity_place_close(struct similarity_place *p) {
    if (!p) return;
    if (p->multiplies) {
        (void)!opencl_finish(p->device, NULL);
        clblast_forget();
    }
    opencl_device_close(p->device);
    free(p);
}

uint64_t similarity_place_bytes(const struct similarity_place *p) {
    opencl_counters n = opencl_counted(p->device);
    return n.bytes_up + n.bytes_down;
}

int similarity_clblast_found(char *why, size_t room) {
    arcl_error error;
    if (clblast_load(&error) == ARCL_SUCCESS) return 1;
    snprintf(why, room, "%.200s", error.message);
    return 0;
}

/* An eighth of the arena for either side's cells, and for either side's numbers; a quarter or less for the counts. */
similarity_limits similarity_place_limits(const struct similarity_place *p, similarity_variant variant, int h, int w) {
    size_t eighth = (size_t)opencl_arena_words(p->device);
    similarity_limits limits = {MOST_GRIDS, eighth};
    uint64_t numbers = (uint64_t)h * (uint64_t)w * sizeof(float);
    while (limits.grids > 1 && (uint64_t)limits.grids * limits.grids * sizeof(uint32_t) > 2 * (uint64_t)eighth)
        limits.grids /= 2;
    if (variant == SIMILARITY_clblast && numbers && eighth / numbers < limits.grids)
        limits.grids = eighth < 2 * numbers ? 1 : (uint32_t)(eighth / numbers);
    return limits;
}

/* ---- where everything is ---- */

typedef struct side {
    uint32_t table, cells, numbers;
} side;

typedef struct arrangement {
    side outputs, expected;
    uint32_t counts, count_words;
    uint64_t end;
} arrangement;

#define ROW_WORDS (PACK_ROW / 8)

/* Words from *end on, which a packed row may begin at. */
static uint32_t reserve(uint64_t *end, uint64_t words) {
    uint64_t at = *end;
    *end += (words + ROW_WORDS - 1) / ROW_WORDS * ROW_WORDS;
    return (uint32_t)at;
}

static void arrange_side(side *s, const grid_pack *pack, uint64_t *end) {
    s->table = reserve(end, pack->count);
    s->cells = reserve(end, pack->rows * ROW_WORDS);
}

/* `cells` is how many numbers a grid has for CLBlast; 0 without. */
static arcl_status arrange(const struct similarity_place *p, const similarity_block *b, uint64_t cells, arrangement *a,
                           arcl_error *error) {
    uint64_t words = opencl_arena_words(p->device);
    a->end = OPENCL_ZERO_WORDS + FRAMES * FRAME_WORDS;
    arrange_side(&a->outputs, &b->outputs, &a->end);
    arrange_side(&a->expected, &b->expected, &a->end);
    a->count_words = (uint32_t)(((uint64_t)b->outputs.count * b->expected.count + 1) / 2);
    a->counts = reserve(&a->end, a->count_words);
    a->outputs.numbers = reserve(&a->end, (cells * b->outputs.count + 1) / 2);
    a->expected.numbers = reserve(&a->end, (cells * b->expected.count + 1) / 2);
    if (a->end <= words && cells < EXACT_FLOATS) return ARCL_SUCCESS;
    return error_set(error, ARCL_INVALID,
                     "grids of %d by %d cells are too large to be compared by %s on %s: use the variant host", b->h,
                     b->w, cells ? "CLBlast" : "OpenCL", opencl_device_id(p->device));
}

static arcl_status write_side(opencl_device *d, const side *s, const grid_pack *pack, arcl_error *error) {
    uint64_t *table = malloc((pack->count + 1) * sizeof *table);
    if (!table) return NO_MEMORY(error);
    for (uint32_t n = 0; n < pack->count; n++)
        table[n] = (uint64_t)pack->grids[n].at * ROW_WORDS << 32 | (uint64_t)pack->grids[n].h << 16 | pack->grids[n].w;
    arcl_status status = opencl_write(d, s->table, table, pack->count, error);
    free(table);
    return status ? status : opencl_write(d, s->cells, pack->cells, (uint32_t)pack->rows * ROW_WORDS, error);
}

static uint32_t frame_word(int frame) { return OPENCL_ZERO_WORDS + (uint32_t)frame * FRAME_WORDS; }

/* A launch of about as many groups as there are pieces of work, or as keep the device busy. */
static arcl_status launch_groups(opencl_device *d, unsigned kernel, int frame, uint32_t step, uint64_t pieces,
                                 arcl_error *error) {
    uint64_t groups = (uint64_t)d->entry->info.compute_units * GROUPS_PER_UNIT;
    if (groups > pieces) groups = pieces;
    return device_launch(d, kernel, frame_word(frame), step, (uint32_t)(groups * d->local), 0, error);
}

/* ---- by a kernel ---- */

static arcl_status read_counts(opencl_device *d, const arrangement *a, const similarity_block *b, int floats,
                               arcl_error *error) {
    uint32_t *counts = malloc((size_t)a->count_words * 8);
    if (!counts) return NO_MEMORY(error);
    arcl_status status = opencl_read(d, a->counts, counts, a->count_words, error);
    for (uint32_t i = 0; status == ARCL_SUCCESS && i < b->outputs.count; i++) {
        const uint32_t *from = counts + (size_t)i * b->expected.count;
        uint32_t *to = b->counts + (size_t)i * b->columns;
        for (uint32_t j = 0; j < b->expected.count; j++) {
            float number;
            memcpy(&number, &from[j], sizeof number);
            to[j] = floats ? (uint32_t)number : from[j];
        }
    }
    free(counts);
    return status;
}

arcl_status similarity_on_opencl(arcl_context *c, struct similarity_place *p, const similarity_block *b,
                                 arcl_error *error) {
    opencl_device *d = p->device;
    arrangement a;
    (void)c;
    PROPAGATE(arrange(p, b, 0, &a, error));
    const int64_t frame[FRAME_WORDS] = {b->outputs.count, b->expected.count, a.outputs.table, a.outputs.cells,
                                        a.expected.table, a.expected.cells,  a.counts};
    PROPAGATE(write_side(d, &a.outputs, &b->outputs, error));
    PROPAGATE(write_side(d, &a.expected, &b->expected, error));
    PROPAGATE(opencl_write(d, frame_word(FRAME_COUNT), frame, FRAME_WORDS, error));
    uint64_t tiles = ((uint64_t)b->outputs.count / 8 + 1) * (b->expected.count / 8 + 1);
    PROPAGATE(launch_groups(d, DEVICE_similarity_count, FRAME_COUNT, 0, tiles, error));
    return read_counts(d, &a, b, 0, error);
}

/* ---- by CLBlast ---- */

static void find_colours(const grid_pack *pack, unsigned char *found) {
    for (uint32_t n = 0; n < pack->count; n++) {
        packed_grid g = pack->grids[n];
        const unsigned char *row = pack->cells + (size_t)g.at * PACK_ROW;
        for (int i = 0; i < g.h; i++, row += (size_t)pack_rows_of(1, g.w) * PACK_ROW)
            for (int j = 0; j < g.w; j++) found[row[j]] = 1;
    }
}

static arcl_status write_encoding(opencl_device *d, int frame, const side *s, const grid_pack *pack,
                                  const similarity_block *b, arcl_error *error) {
    const int64_t words[FRAME_WORDS] = {pack->count, s->table, s->cells, (int64_t)b->h * b->w, b->w, s->numbers};
    PROPAGATE(write_side(d, s, pack, error));
    return opencl_write(d, frame_word(frame), words, FRAME_WORDS, error);
}

static arcl_status clear_counts(opencl_device *d, const arrangement *a, arcl_error *error) {
    void *zeros = calloc(a->count_words, 8);
    if (!zeros) return NO_MEMORY(error);
    arcl_status status = opencl_write(d, a->counts, zeros, a->count_words, error);
    free(zeros);
    return status;
}

/* Grids with cells of one colour are zeros and ones; the product of two is the number of cells where both have that
 * colour. The sum over the colours that both sides have is wanted. */
arcl_status similarity_on_clblast(arcl_context *c, struct similarity_place *p, const similarity_block *b,
                                  arcl_error *error) {
    opencl_device *d = p->device;
    unsigned char in_outputs[256] = {0}, in_expected[256] = {0};
    arrangement a;
    (void)c;
    PROPAGATE(arrange(p, b, (uint64_t)b->h * (uint64_t)b->w, &a, error));
    const clblast_product product = {b->outputs.count,  b->expected.count,  (size_t)b->h * (size_t)b->w,
                                     a.outputs.numbers, a.expected.numbers, a.counts};
    PROPAGATE(write_encoding(d, FRAME_OUTPUTS, &a.outputs, &b->outputs, b, error));
    PROPAGATE(write_encoding(d, FRAME_EXPECTED, &a.expected, &b->expected, b, error));
    PROPAGATE(clear_counts(d, &a, error));
    find_colours(&b->outputs, in_outputs);
    find_colours(&b->expected, in_expected);
    p->multiplies = 1;
    for (uint32_t colour = 0; colour < 256; colour++) {
        if (!in_outputs[colour] || !in_expected[colour]) continue;
        PROPAGATE(launch_groups(d, DEVICE_similarity_encode, FRAME_OUTPUTS, colour, b->outputs.count, error));
        PROPAGATE(launch_groups(d, DEVICE_similarity_encode, FRAME_EXPECTED, colour, b->expected.count, error));
        PROPAGATE(clblast_multiply_add(d, &product, error));
    }
    return read_counts(d, &a, b, 1, error);
}
