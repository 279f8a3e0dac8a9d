/* Batches made of what runs have yielded: values are copied with all they refer to, many at once or one by one. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cl/mask.h"
#include "program/packed_value.h"
#include "run/batch.h"
#include "run/result.h"

static arcl_status refuse(const char *what, type_code type, arcl_error *error) {
    char text[64];
    return error_set(error, ARCL_INVALID, "a value of type %s %s", type_text(type, text, sizeof text), what);
}

/* The locations of a mask, as the list that columns of batches have. */
static arcl_status copy_mask(arcl_batch *b, arcl_value v, word *copy, arcl_error *error) {
    uint32_t n = patch_length(v.word);
    if (b->data.count + n > UINT32_MAX) return NO_MEMORY(error);
    PROPAGATE(words_reserve(&b->data, n, error));
    mask_walk m = mask_walk_start(v.storage, v.word);
    for (uint32_t i = 0; i < n; i++) b->data.at[b->data.count + i] = mask_walk_next(&m);
    *copy = made_ref((uint)b->data.count, n);
    b->data.count += n;
    return ARCL_SUCCESS;
}

/* Copies a value behind what the batch has; the word that refers to it there. */
static arcl_status copy_in(arcl_batch *b, arcl_value v, word *copy, arcl_error *error) {
    type_code type = type_as_cells(v.type);
    if (type == TYPE_IJ_SET && is_mask(v.word)) return copy_mask(b, v, copy, error);
    size_t words = packed_words(v.storage, type, v.word) - 1;
    if (b->data.count + words > UINT32_MAX) return NO_MEMORY(error);
    PROPAGATE(words_reserve(&b->data, words, error));
    uint end = (uint)b->data.count;
    *copy = value_place(v.storage, type, v.word, b->data.at, &end);
    value_clear_padding(b->data.at, type, *copy);
    b->data.count = end;
    return ARCL_SUCCESS;
}

/* A row of a grid, which lies there as bytes, as the tuple of ints that it is. */
static arcl_status copy_row(arcl_batch *b, arcl_value v, word *copy, arcl_error *error) {
    uint32_t n = arcl_value_count(v);
    if (b->data.count + n > UINT32_MAX) return NO_MEMORY(error);
    PROPAGATE(words_reserve(&b->data, n, error));
    for (uint32_t j = 0; j < n; j++) b->data.at[b->data.count + j] = arcl_value_int(arcl_value_item(v, j));
    *copy = n ? made_ref((uint)b->data.count, n) : 0;
    b->data.count += n;
    return ARCL_SUCCESS;
}

arcl_status arcl_batch_add_value(arcl_batch *b, arcl_value value, arcl_error *error) {
    error_clear(error);
    NEED(b);
    type_code expected = type_as_cells(batch_expected_type(b)), type = type_as_cells(value.type);
    int is_row = type == T_GRID && value.row >= 0;
    word copy;
    if (value_has_guests(value)) return error_set(error, ARCL_INVALID, "a part of a value that has guests");
    if (is_row) type = TYPE_INT_TUPLE;
    if (!expected || type_join(expected, type) != expected)
        return refuse("where another type is expected", type, error);
    if (b->depth && b->frame[b->depth - 1].type == T_GRID)
        return error_set(error, ARCL_INVALID, "a value where the row of a grid is expected");
    PROPAGATE(is_row ? copy_row(b, value, &copy, error) : copy_in(b, value, &copy, error));
    return batch_add_word(b, copy, error);
}

/* ---- many at once ---- */

static arcl_status value_of(const arcl_column *c, uint32_t n, arcl_value *v, arcl_error *error) {
    uint32_t lane_number = c->lanes[n];
    if (!c->result) {
        if (lane_number >= c->batch->lanes)
            return error_set(error, ARCL_INVALID, "the batch has no lane %u", lane_number);
        *v = (arcl_value){c->batch->data.at, c->batch->type[c->argument], c->batch->column[c->argument].at[lane_number],
                          -1};
        return ARCL_SUCCESS;
    }
    if (lane_number >= arcl_result_lanes(c->result))
        return error_set(error, ARCL_INVALID, "the result has no lane %u", lane_number);
    if (arcl_result_status(c->result, lane_number) != ARCL_OK)
        return error_set(error, ARCL_INVALID, "lane %u of the result has failed", lane_number);
    *v = arcl_result_value(c->result, lane_number);
    if (!v->storage) return error_set(error, ARCL_INVALID, "the outputs of the result were not kept");
    v->type = type_as_cells(v->type);
    return ARCL_SUCCESS;
}

static arcl_status check_column(const arcl_column *c, uint32_t count, arcl_error *error) {
    if (!c->result && !c->batch) return error_set(error, ARCL_INVALID, "a column of neither a result nor a batch");
    if (!c->result && (c->argument < 0 || c->argument >= c->batch->arguments))
        return error_set(error, ARCL_INVALID, "the batch has no argument %d", c->argument);
    if (count) NEED(c->lanes);
    return ARCL_SUCCESS;
}

static arcl_status gather_column(arcl_batch *b, int argument, const arcl_column *c, uint32_t count, arcl_error *error) {
    char text[64];
    PROPAGATE(check_column(c, count, error));
    b->type[argument] = T_INT; /* of no lanes at all */
    PROPAGATE(words_reserve(&b->column[argument], count, error));
    for (uint32_t n = 0; n < count; n++) {
        arcl_value v = {0};
        PROPAGATE(value_of(c, n, &v, error));
        if (n == 0) b->type[argument] = v.type;
        if (v.type != b->type[argument]) return refuse("in a column of another type", v.type, error);
        PROPAGATE(copy_in(b, v, &b->column[argument].at[n], error));
    }
    b->column[argument].count = count;
    b->form[argument] = b->type[argument];
    if (!type_parse(type_text(b->type[argument], text, sizeof text)))
        return refuse("cannot be an argument", b->type[argument], error);
    return ARCL_SUCCESS;
}

arcl_status arcl_batch_gather(arcl_context *context, const arcl_column *columns, int arguments, uint32_t count,
                              arcl_batch **batch, arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(columns);
    NEED(batch);
    *batch = NULL;
    if (arguments < 1 || arguments > 4)
        return error_set(error, ARCL_INVALID, "a batch has 1 to 4 arguments per lane, not %d", arguments);
    arcl_batch *b = batch_create_bare(context);
    arcl_status status = b ? ARCL_SUCCESS : NO_MEMORY(error);
    for (int i = 0; i < arguments && status == ARCL_SUCCESS; i++) {
        b->arguments = i + 1;
        status = gather_column(b, i, &columns[i], count, error);
    }
    if (status == ARCL_SUCCESS) {
        b->lanes = count;
        *batch = b;
    } else
        arcl_batch_free(b);
    return status;
}
