/* Batches on a device: brought up once, kept until the room is needed for others. */
#include <stdlib.h>

#include "base/error.h"
#include "cl/copy.h"
#include "run/device/worker.h"

static const resident_lanes *find(device_worker *w, const arcl_batch *b, uint first, uint wanted) {
    for (int i = 0; i < w->residents; i++) {
        resident_lanes *r = &w->resident[i];
        if (r->batch != b->serial || first < r->first || first - r->first >= r->lanes) continue;
        if (wanted > r->lanes - (first - r->first)) continue;
        return r;
    }
    return NULL;
}

/* Words that a lane takes on the device. */
static uint64_t lane_words(const arcl_batch *b, uint lane_number) {
    uint64_t words = (uint64_t)b->arguments + batch_mask_words(b);
    for (int i = 0; i < b->arguments; i++)
        words += copy_extent(b->data.at, b->type[i], b->column[i].at[lane_number], ANY_EXTENT);
    return words;
}

/* How many lanes from `first` on fit into `room` words, the words they take, and those that the largest takes. */
static uint lanes_that_fit(const arcl_batch *b, uint first, uint wanted, uint64_t room, uint64_t *words,
                           uint *largest) {
    uint lanes = 0;
    *words = *largest = 0;
    for (; lanes < wanted; lanes++) {
        uint64_t more = lane_words(b, first + lanes);
        if (more > room - *words) break;
        *words += more;
        if (more > *largest) *largest = (uint)more;
    }
    return lanes;
}

/* A column of lanes that are at arena[at ..] with masks, behind what is there already; returns where that ends. */
static uint write_masks(const arcl_batch *b, int argument, resident_lanes *r, uint at, word *to, uint end) {
    uint column = end;
    r->masks[argument] = r->column[argument];
    if (b->type[argument] != TYPE_IJ_SET) return end;
    r->masks[argument] = at + column;
    end += r->lanes;
    for (uint n = 0; n < r->lanes; n++, end += MASK_WORDS) {
        word patch = to[(uint)argument * r->lanes + n];
        word here = patch ? made_ref(ref_offset(patch) - at, ref_length(patch)) : 0,
             mask = batch_mask(to, here, to + end, at + end);
        to[column + n] = is_mask(mask) ? mask : patch;
    }
    return end;
}

/* The lanes as they will be at arena[at ..]: columns first, then what they refer to. */
static void write_lanes(const arcl_batch *b, resident_lanes *r, uint at, word *to) {
    uint end = (uint)b->arguments * r->lanes;
    for (int i = 0; i < b->arguments; i++) {
        r->column[i] = at + (uint)i * r->lanes;
        for (uint n = 0; n < r->lanes; n++)
            to[(uint)i * r->lanes + n] =
                copy_value(b->data.at, b->type[i], b->column[i].at[r->first + n], to, at, &end);
    }
    for (int i = 0; i < b->arguments; i++) end = write_masks(b, i, r, at, to, end);
}

arcl_status residency_get(device_worker *w, const arcl_batch *b, lanes_wanted wanted, const resident_lanes **found,
                          arcl_error *error) {
    uint64_t words;
    uint first = wanted.first, largest;
    *found = find(w, b, first, wanted.now);
    if (*found) return ARCL_SUCCESS;
    uint lanes = lanes_that_fit(b, first, wanted.soon, w->batches_end - w->batches_cursor, &words, &largest);
    if (lanes < wanted.now || w->residents == RESIDENTS) { /* begin anew: what is wanted again comes up again */
        w->beginnings++;
        w->batches_cursor = w->batches_begin;
        w->residents = 0;
        lanes = lanes_that_fit(b, first, wanted.soon, w->batches_end - w->batches_begin, &words, &largest);
    }
    if (!lanes)
        return error_set(
            error, ARCL_NO_MEMORY,
            "one lane of the input alone takes %llu bytes, more than %s has for inputs: use another device",
            (unsigned long long)(lane_words(b, first) * sizeof(word)), opencl_device_id(w->device));
    word *staging = malloc((words ? words : 1) * sizeof *staging);
    if (!staging) return NO_MEMORY(error);
    resident_lanes *r = &w->resident[w->residents];
    *r = (resident_lanes){.batch = b->serial, .first = first, .lanes = lanes, .words = largest};
    write_lanes(b, r, w->batches_cursor, staging);
    arcl_status status = opencl_write(w->device, w->batches_cursor, staging, (uint)words, error);
    free(staging);
    PROPAGATE(status);
    w->residents++;
    w->batches_cursor += (uint)words;
    *found = r;
    return ARCL_SUCCESS;
}

arcl_status residency_get_both(device_worker *w, const arcl_batch *a, const arcl_batch *b, lanes_wanted wanted,
                               resident_lanes *found_a, resident_lanes *found_b, arcl_error *error) {
    const resident_lanes *found;
    for (int tries = 0;; tries++) { /* bringing up one may drive out the other */
        PROPAGATE(residency_get(w, a, wanted, &found, error));
        *found_a = *found;
        uint64_t beginnings = w->beginnings;
        uint here = found->lanes - (wanted.first - found->first);
        lanes_wanted same = {wanted.first, here < wanted.now ? here : wanted.now,
                             here < wanted.soon ? here : wanted.soon};
        PROPAGATE(residency_get(w, b, same, &found, error));
        *found_b = *found;
        if (beginnings == w->beginnings) return ARCL_SUCCESS;
        wanted.soon = wanted.now;
        if (tries == 0) continue;
        if (wanted.now == 1)
            return error_set(error, ARCL_NO_MEMORY,
                             "one lane of the input and what is expected of it are together more than %s has room for: "
                             "use another device",
                             opencl_device_id(w->device));
        wanted.now /= 2;
        wanted.soon = wanted.now;
    }
}
