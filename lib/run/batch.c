#include "run/batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cl/compare.h"
#include "cl/mask.h"

arcl_status words_reserve(word_vector *w, size_t more, arcl_error *error) {
    size_t room = w->room ? w->room : 64;
    while (room < w->count + more) room *= 2;
    if (room == w->room) return ARCL_SUCCESS;
    word *grown = realloc(w->at, room * sizeof *grown);
    if (!grown) return NO_MEMORY(error);
    w->at = grown;
    w->room = room;
    return ARCL_SUCCESS;
}

static arcl_status push(word_vector *w, word value, arcl_error *error) {
    if (w->count == w->room) PROPAGATE(words_reserve(w, 1, error));
    w->at[w->count++] = value;
    return ARCL_SUCCESS;
}

static arcl_status parse_types(arcl_batch *b, const char *types, arcl_error *error) {
    char one[64];
    while (*types) {
        size_t n = strcspn(types, " ");
        if (n == 0) {
            types++;
            continue;
        }
        if (b->arguments == 4) return error_set(error, ARCL_INVALID, "a batch has at most 4 arguments per lane");
        memcpy(one, types, n < sizeof one ? n : 0);
        one[n < sizeof one ? n : 0] = 0;
        type_code t = type_parse(one);
        if (!t) return error_set(error, ARCL_INVALID, "'%.*s' is no type", (int)(n > 60 ? 60 : n), types);
        b->form[b->arguments] = t;
        b->type[b->arguments++] = type_as_cells(t);
        types += n;
    }
    if (!b->arguments) return error_set(error, ARCL_INVALID, "a batch needs at least one argument type");
    return ARCL_SUCCESS;
}

arcl_batch *batch_create_bare(arcl_context *context) {
    arcl_batch *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    b->context = context;
    b->serial = atomic_fetch_add(&context->batch_serial, 1);
    return b;
}

arcl_status batch_create_like(arcl_context *context, const arcl_batch *like, arcl_batch **batch, arcl_error *error) {
    *batch = batch_create_bare(context);
    if (!*batch) return NO_MEMORY(error);
    (*batch)->arguments = like->arguments;
    memcpy((*batch)->type, like->type, sizeof like->type);
    memcpy((*batch)->form, like->form, sizeof like->form);
    return ARCL_SUCCESS;
}

arcl_status arcl_batch_create(arcl_context *context, const char *types, arcl_batch **batch, arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(types);
    NEED(batch);
    arcl_batch *b = batch_create_bare(context);
    *batch = NULL;
    if (!b) return NO_MEMORY(error);
    arcl_status status = parse_types(b, types, error);
    if (status != ARCL_SUCCESS) {
        arcl_batch_free(b);
        return status;
    }
    *batch = b;
    return ARCL_SUCCESS;
}

void arcl_batch_free(arcl_batch *b) {
    if (!b) return;
    if (b->region) context_region_give(b->context, b->region);
    for (int i = 0; i < 4; i++) free(b->column[i].at);
    free(b->data.at);
    free(b->stack.at);
    free(b->lane_key);
    free(b);
}

uint32_t arcl_batch_lanes(const arcl_batch *b) { return b ? b->lanes : 0; }

/* ---- adding ---- */

type_code batch_expected_type(const arcl_batch *b) {
    if (!b->depth) return b->form[b->next];
    const open_part *f = &b->frame[b->depth - 1];
    size_t n = b->stack.count - f->first;
    switch (type_head(f->type)) {
    case T_IJ: return n < 2 ? T_INT : 0;
    case T_TRIPLE: return n < 3 ? T_INT : 0;
    case T_CELL: return n == 0 ? T_INT : n == 1 ? T_IJ : 0;
    case T_RECORD: return (int)n < type_fields(f->type) ? type_field(f->type, (int)n) : 0;
    case T_GRID: return f->row ? T_INT : T_GRID;
    default: return type_element(f->type);
    }
}

/* Numbers come one by one, so that a call for each would be noticed. */
static inline arcl_status add_word(arcl_batch *b, word w, arcl_error *error) {
    if (b->depth) return push(&b->stack, w, error);
    PROPAGATE(push(&b->column[b->next], w, error));
    if (++b->next == b->arguments) {
        b->next = 0;
        b->lanes++;
    }
    return ARCL_SUCCESS;
}

arcl_status batch_add_word(arcl_batch *b, word w, arcl_error *error) { return add_word(b, w, error); }

arcl_status arcl_batch_add_int(arcl_batch *b, int64_t value, arcl_error *error) {
    error_clear(error);
    NEED(b);
    type_code t = batch_expected_type(b);
    if (t != T_INT && t != T_BOOL) {
        char text[64];
        return error_set(error, ARCL_INVALID, "a number where %s is expected",
                         t ? type_text(t, text, sizeof text) : "the end");
    }
    if (value > 2147483647 || value < -2147483647)
        return error_set(error, ARCL_INVALID, "%lld is outside the range of int", (long long)value);
    return add_word(b, t == T_BOOL ? value != 0 : value, error);
}

arcl_status arcl_batch_open(arcl_batch *b, arcl_error *error) {
    error_clear(error);
    NEED(b);
    type_code t = batch_expected_type(b);
    open_part *f = b->depth ? &b->frame[b->depth - 1] : NULL;
    if (f && f->type == T_GRID && !f->row) { /* a row */
        f->row = 1;
        return ARCL_SUCCESS;
    }
    if (!t || t == T_INT || t == T_BOOL)
        return error_set(error, ARCL_INVALID, "a container where a number is expected");
    if (b->depth == MAX_FRAMES) return error_set(error, ARCL_INVALID, "containers are nested too deeply");
    b->frame[b->depth++] = (open_part){.type = t, .first = b->stack.count, .w = -1};
    return ARCL_SUCCESS;
}

static arcl_status close_row(arcl_batch *b, open_part *f, arcl_error *error) {
    int cells = (int)(b->stack.count - f->first) - f->h * (f->w < 0 ? 0 : f->w);
    if (f->w >= 0 && cells != f->w)
        return error_set(error, ARCL_INVALID, "row %d has %d cells, the rows before have %d", f->h + 1, cells, f->w);
    f->w = cells;
    f->h++;
    f->row = 0;
    return ARCL_SUCCESS;
}

static arcl_status check_sides(int h, int w, arcl_error *error) {
    if (h < 0 || w < 0) return error_set(error, ARCL_INVALID, "a grid of %d by %d", h, w);
    if (h > MAX_SIDE || w > MAX_SIDE) return error_set(error, ARCL_INVALID, "a grid of %d by %d is too large", h, w);
    return ARCL_SUCCESS;
}

static arcl_status add_cells(arcl_batch *b, int h, int w, const signed char *bytes, const word *numbers, word *ref,
                             arcl_error *error) {
    PROPAGATE(check_sides(h, w, error));
    size_t at = b->data.count, cells = (size_t)h * (size_t)w, words = grid_words(h, w);
    PROPAGATE(words_reserve(&b->data, words, error));
    signed char *to = words ? (signed char *)(b->data.at + at) : NULL; /* there may be no data at all */
    if (words) b->data.at[at + words - 1] = 0;
    if (bytes && cells) {
        if (memchr(bytes, (unsigned char)NO_CELL, cells))
            return error_set(error, ARCL_INVALID, "%d is outside the range of a grid's cell", NO_CELL);
        memcpy(to, bytes, cells);
    }
    for (size_t i = 0; numbers && i < cells; i++) {
        if (numbers[i] > 127 || numbers[i] < -127)
            return error_set(error, ARCL_INVALID, "%lld is outside the range of a grid's cell", (long long)numbers[i]);
        to[i] = (signed char)numbers[i];
    }
    b->data.count += words;
    *ref = h ? made_ref((uint)at, (uint)h << 16 | (uint)w) : 0;
    return ARCL_SUCCESS;
}

static arcl_status close_list(arcl_batch *b, const open_part *f, word *ref, arcl_error *error) {
    size_t n = b->stack.count - f->first, at = b->data.count;
    for (size_t i = 0; i < n; i++) PROPAGATE(push(&b->data, b->stack.at[f->first + i], error));
    if (type_head(f->type) == T_SET && n > 1) {
        word *room = malloc(n * sizeof *room);
        lane k = {.arena = b->data.at};
        if (!room) return NO_MEMORY(error);
        n = (size_t)sort_unique(&k, type_as_cells(type_element(f->type)), b->data.at + at, room, (int)n);
        free(room);
        b->data.count = at + n;
    }
    *ref = n ? made_ref((uint)at, (uint)n) : 0;
    return ARCL_SUCCESS;
}

static arcl_status close_location(const arcl_batch *b, const open_part *f, word *ref, arcl_error *error) {
    lane k = {0};
    size_t parts = f->type == T_TRIPLE ? 3 : 2;
    if (b->stack.count - f->first != parts)
        return error_set(error, ARCL_INVALID, parts == 2 ? "a pair has two parts" : "a cell has three parts");
    const word *part = b->stack.at + f->first; /* before anything was added there is no stack to point into */
    if (f->type == T_TRIPLE)
        *ref = colour_word(colour_of_int(&k, (int)part[2])) + loc_result(&k, part[0], part[1]);
    else
        *ref =
            f->type == T_IJ ? loc_result(&k, part[0], part[1]) : colour_word(colour_of_int(&k, (int)part[0])) + part[1];
    return k.status ? error_set(error, ARCL_INVALID, "a location or colour is outside the range") : ARCL_SUCCESS;
}

arcl_status arcl_batch_close(arcl_batch *b, arcl_error *error) {
    error_clear(error);
    NEED(b);
    open_part *f = b->depth ? &b->frame[b->depth - 1] : NULL;
    word ref = 0;
    if (!f) return error_set(error, ARCL_INVALID, "nothing is open");
    if (f->type == T_GRID && f->row) return close_row(b, f, error);
    if (f->type == T_GRID)
        PROPAGATE(add_cells(b, f->h, f->h ? f->w : 0, NULL, b->stack.at ? b->stack.at + f->first : NULL, &ref, error));
    else if (f->type == T_IJ || f->type == T_CELL || f->type == T_TRIPLE)
        PROPAGATE(close_location(b, f, &ref, error));
    else if (type_head(f->type) == T_RECORD && (int)(b->stack.count - f->first) != type_fields(f->type))
        return error_set(error, ARCL_INVALID, "a record has %d parts", type_fields(f->type));
    else
        PROPAGATE(close_list(b, f, &ref, error));
    b->stack.count = f->first;
    b->depth--;
    return add_word(b, ref, error);
}

arcl_status arcl_batch_add_grid(arcl_batch *b, int h, int w, const signed char *cells, arcl_error *error) {
    error_clear(error);
    word ref;
    NEED(b);
    if (h > 0 && w > 0) NEED(cells);
    if (batch_expected_type(b) != T_GRID || (b->depth && b->frame[b->depth - 1].type == T_GRID))
        return error_set(error, ARCL_INVALID, "a grid where another type is expected");
    PROPAGATE(add_cells(b, h, w, cells, NULL, &ref, error));
    return add_word(b, ref, error);
}

/* ---- many grids ---- */

/* Grids of one size, as the caller has them. */
typedef struct grid_block {
    uint32_t count;
    int h, w;
    const signed char *cells;
    ptrdiff_t grid_stride, row_stride;
    size_t words; /* that each takes here */
} grid_block;

/* Whether the next `count` parts may all be grids: of a list of them, or of lanes whose arguments are all grids. */
static int expects_grids(const arcl_batch *b, uint32_t count) {
    if (b->depth) {
        const open_part *f = &b->frame[b->depth - 1];
        size_t given = b->stack.count - f->first;
        if (type_head(f->type) != T_RECORD) return f->type != T_GRID && batch_expected_type(b) == T_GRID;
        if (given + count > (size_t)type_fields(f->type)) return 0;
        for (uint32_t i = 0; i < count; i++)
            if (type_field(f->type, (int)(given + i)) != T_GRID) return 0;
        return 1;
    }
    for (uint32_t i = 0; i < count && i < (uint32_t)b->arguments; i++)
        if (b->form[((uint32_t)b->next + i) % (uint32_t)b->arguments] != T_GRID) return 0;
    return 1;
}

/* The cells as they are kept: without gaps. */
static void copy_cells(word *to, const grid_block *g) {
    size_t w = (size_t)g->w, cells = (size_t)g->h * w;
    int whole = g->row_stride == g->w || g->h == 1;
    if (whole && cells % sizeof *to == 0 && g->grid_stride == (ptrdiff_t)cells) {
        memcpy(to, g->cells, cells * g->count);
        return;
    }
    for (uint32_t n = 0; n < g->count; n++, to += g->words) {
        const signed char *from = g->cells + (ptrdiff_t)n * g->grid_stride;
        to[g->words - 1] = 0;
        if (whole)
            memcpy(to, from, cells);
        else
            for (int i = 0; i < g->h; i++) memcpy((char *)to + (size_t)i * w, from + i * g->row_stride, w);
    }
}

/* All grids, behind what the batch has and not yet a part of it: one that has a wrong cell spoils none. */
static arcl_status append_cells(arcl_batch *b, const grid_block *g, arcl_error *error) {
    size_t words = g->words * g->count;
    if (!words) return ARCL_SUCCESS;
    PROPAGATE(words_reserve(&b->data, words, error));
    word *to = b->data.at + b->data.count;
    copy_cells(to, g);
    const char *wrong = memchr(to, (unsigned char)NO_CELL, words * sizeof *to);
    if (!wrong) return ARCL_SUCCESS;
    return error_set(error, ARCL_INVALID, "grid %zu: %d is outside the range of a grid's cell",
                     (size_t)(wrong - (const char *)to) / (g->words * sizeof *to), NO_CELL);
}

arcl_status arcl_batch_add_grids(arcl_batch *b, uint32_t count, int h, int w, const signed char *cells,
                                 ptrdiff_t grid_stride, ptrdiff_t row_stride, arcl_error *error) {
    error_clear(error);
    NEED(b);
    if (count && h > 0 && w > 0) NEED(cells);
    PROPAGATE(check_sides(h, w, error));
    if (!expects_grids(b, count)) return error_set(error, ARCL_INVALID, "grids where another type is expected");
    grid_block g = {count, h, w, cells, grid_stride, row_stride, grid_words(h, w)};
    size_t at = b->data.count, lanes = b->depth ? 0 : ((size_t)b->next + count) / (size_t)b->arguments;
    if (at + g.words * count > UINT32_MAX || b->lanes + lanes > UINT32_MAX) return NO_MEMORY(error);
    PROPAGATE(append_cells(b, &g, error));
    if (b->depth) PROPAGATE(words_reserve(&b->stack, count, error));
    for (int i = 0; !b->depth && i < b->arguments; i++) PROPAGATE(words_reserve(&b->column[i], lanes + 1, error));
    b->data.count = at + g.words * count;
    for (uint32_t n = 0; n < count; n++, at += g.words) {
        word_vector *to = b->depth ? &b->stack : &b->column[b->next];
        to->at[to->count++] = h ? made_ref((uint)at, (uint)h << 16 | (uint)w) : 0;
        if (!b->depth && ++b->next == b->arguments) b->next = 0;
    }
    b->lanes += (uint32_t)lanes;
    return ARCL_SUCCESS;
}

/* ---- placing ---- */

/* Moves the references in at[0..n), all of type t, by `by` words; what they refer to is at `data`. */
static void move_references(type_code t, word *at, size_t n, word *data, uint by) {
    unsigned head = type_head(t);
    if (head <= T_MIX || !data) return; /* without data there is nothing to refer to: all are empty */
    for (size_t i = 0; i < n; i++) {
        uint offset = ref_offset(at[i]), length = ref_length(at[i]);
        if (head == T_RECORD) {
            for (int f = 0; f < type_fields(t); f++) move_references(type_field(t, f), data + offset + f, 1, data, by);
        } else if (head != T_GRID)
            move_references(type_element(t), data + offset, length, data, by);
        if (length) at[i] = made_ref(offset + by, length);
    }
}

arcl_status batch_append(arcl_batch *to, const arcl_batch *from, arcl_error *error) {
    size_t base = to->data.count;
    if (base + from->data.count > UINT32_MAX || (uint64_t)to->lanes + from->lanes > UINT32_MAX) return NO_MEMORY(error);
    PROPAGATE(words_reserve(&to->data, from->data.count, error));
    for (int i = 0; i < to->arguments; i++) PROPAGATE(words_reserve(&to->column[i], from->lanes, error));
    if (from->data.count) memcpy(to->data.at + base, from->data.at, from->data.count * sizeof *to->data.at);
    to->data.count += from->data.count;
    for (int i = 0; i < to->arguments; i++) {
        if (!from->lanes) continue; /* there may be no column to point into */
        word *column = to->column[i].at + to->column[i].count, *data = to->data.at ? to->data.at + base : NULL;
        memcpy(column, from->column[i].at, from->lanes * sizeof *column);
        move_references(to->type[i], column, from->lanes, data, (uint)base);
        to->column[i].count += from->lanes;
    }
    to->lanes += from->lanes;
    return ARCL_SUCCESS;
}

uint batch_mask_words(const arcl_batch *b) {
    uint words = 0;
    for (int i = 0; i < b->arguments; i++) words += b->type[i] == TYPE_IJ_SET ? 1 + MASK_WORDS : 0;
    return words;
}

word batch_mask(const word *storage, word patch, word *to, uint at) {
    list p = {storage + ref_offset(patch), (int)ref_length(patch)};
    uint words = mark_rows((uint *)to, p);
    return words ? made_ref(at, IS_MASK | words << 16 | (uint)p.n) : patch;
}

/* Of a column that is in the arena, the same with masks, at the next free words. */
static word *place_masks(arcl_batch *b, int argument, word *next) {
    word *arena = b->context->arena, *column = next;
    b->masks[argument] = b->placed[argument];
    if (b->type[argument] != TYPE_IJ_SET) return next;
    b->masks[argument] = (uint)(column - arena);
    next += b->lanes;
    for (uint32_t n = 0; n < b->lanes; n++, next += MASK_WORDS)
        column[n] = batch_mask(arena, arena[b->placed[argument] + n], next, (uint)(next - arena));
    return next;
}

arcl_status batch_place(arcl_batch *b, arcl_error *error) {
    if (b->region && b->placed_lanes == b->lanes) return ARCL_SUCCESS;
    if (b->region) context_region_give(b->context, b->region);
    uint64_t total = b->data.count + (uint64_t)b->lanes * ((uint64_t)b->arguments + batch_mask_words(b));
    errno = 0;
    b->region = total < 0xffffffffu ? context_region_take(b->context, (uint)total + 1) : NULL;
    if (!b->region && errno == ENOMEM) return NO_MEMORY(error); /* for what describes the region */
    if (!b->region)
        return error_set(error, ARCL_NO_MEMORY, "the batch needs %llu bytes, which are not to be had",
                         (unsigned long long)(total * sizeof(word)));
    word *at = b->context->arena + b->region->begin;
    if (b->data.count) memcpy(at, b->data.at, b->data.count * sizeof *at);
    word *column = at + b->data.count;
    for (int i = 0; i < b->arguments; i++) {
        b->placed[i] = (uint)(column - b->context->arena);
        if (b->lanes) memcpy(column, b->column[i].at, b->lanes * sizeof *column);
        move_references(b->type[i], column, b->lanes, at, b->region->begin);
        column += b->lanes;
    }
    for (int i = 0; i < b->arguments; i++) column = place_masks(b, i, column);
    b->placed_lanes = b->lanes;
    return ARCL_SUCCESS;
}
