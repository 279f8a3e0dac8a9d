#include "search/cell_masks.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* The outputs, which lie elsewhere when there are more values. */
static arcl_status copy_outputs(const search_state *s, mask_layout *m, arcl_error *error) {
    size_t cells = 0, at = 0;
    for (int i = 0; i < s->train; i++) {
        m->output[i] = lane_grid(&s->bank.lanes, s->expected[i]);
        cells += (size_t)(m->output[i].h * m->output[i].w);
    }
    if (!(m->cells = malloc(cells))) return NO_MEMORY(error);
    for (int i = 0; i < s->train; i++) {
        size_t n = (size_t)(m->output[i].h * m->output[i].w);
        memcpy(m->cells + at, m->output[i].cells, n);
        m->output[i].cells = m->cells + at;
        at += n;
    }
    return ARCL_SUCCESS;
}

arcl_status masks_create(const search_state *s, mask_layout *m, arcl_error *error) {
    m->train = s->train;
    PROPAGATE(copy_outputs(s, m, error));
    for (int i = 0; i < s->train; i++) {
        m->first[i] = m->words;
        m->words += (m->output[i].h * m->output[i].w + 63) / 64;
    }
    m->first[s->train] = m->words;
    m->all = calloc((size_t)m->words * (COLOURS + 1), sizeof *m->all);
    if (!m->all) return NO_MEMORY(error);
    for (int c = 0; c < COLOURS; c++) {
        m->colour[c] = m->all + (size_t)m->words * (size_t)(c + 1);
        mask_of_colour(m, m->output, c, m->colour[c]);
        for (int w = 0; w < m->words; w++) m->all[w] |= m->colour[c][w];
    }
    return ARCL_SUCCESS;
}

void masks_free(mask_layout *m) {
    free(m->all);
    free(m->cells);
}

static void set_bit(mask_word *mask, int n) { mask[n / 64] |= (mask_word)1 << n % 64; }

void mask_of_patch(const search_state *s, const mask_layout *m, uint32_t value, mask_word *covered, mask_word *right,
                   patch_box *box) {
    memset(covered, 0, (size_t)m->words * sizeof *covered);
    memset(right, 0, (size_t)m->words * sizeof *right);
    for (int e = 0; e < m->train; e++) {
        uint32_t number = value_lanes(&s->bank, value)[e];
        arcl_value patch = lane_value(&s->bank.lanes, number);
        const word *cell = patch.storage + ref_offset(patch.word);
        arcl_grid out = m->output[e];
        int top = COORD_LIMIT, left = COORD_LIMIT, bottom = -COORD_LIMIT, edge = -COORD_LIMIT;
        for (uint n = 0; n < ref_length(patch.word); n++) {
            int i = loc_i(cell[n]), j = loc_j(cell[n]);
            top = i < top ? i : top;
            left = j < left ? j : left;
            bottom = i > bottom ? i : bottom;
            edge = j > edge ? j : edge;
            if (i < 0 || j < 0 || i >= out.h || j >= out.w) continue;
            set_bit(covered + m->first[e], i * out.w + j);
            if (loc_colour(cell[n]) == out.cells[i * out.w + j]) set_bit(right + m->first[e], i * out.w + j);
        }
        if (box)
            box[e] =
                ref_length(patch.word) ? (patch_box){top, left, bottom - top + 1, edge - left + 1} : (patch_box){0};
    }
}

void mask_of_colour(const mask_layout *m, const arcl_grid *grids, int colour, mask_word *mask) {
    memset(mask, 0, (size_t)m->words * sizeof *mask);
    for (int e = 0; e < m->train; e++)
        for (int n = 0; n < grids[e].h * grids[e].w; n++)
            if (grids[e].cells[n] == colour) set_bit(mask + m->first[e], n);
}

void mask_of_wrong(const mask_layout *m, const arcl_grid *grids, mask_word *mask) {
    memset(mask, 0, (size_t)m->words * sizeof *mask);
    for (int e = 0; e < m->train; e++)
        for (int n = 0; n < grids[e].h * grids[e].w; n++)
            if (grids[e].cells[n] != m->output[e].cells[n]) set_bit(mask + m->first[e], n);
}

int mask_count(const mask_word *a, int words) {
    int n = 0;
    for (int w = 0; w < words; w++) n += bits_in(a[w]);
    return n;
}

int mask_is_empty(const mask_word *a, int words) {
    for (int w = 0; w < words; w++)
        if (a[w]) return 0;
    return 1;
}

int mask_within(const mask_word *a, const mask_word *b, int words) {
    for (int w = 0; w < words; w++)
        if (a[w] & ~b[w]) return 0;
    return 1;
}

uint64_t mask_key(const mask_word *a, int words, uint64_t seed) {
    for (int w = 0; w < words; w++) seed = key_fold(seed, a[w]);
    return seed;
}
