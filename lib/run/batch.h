/* A batch as the library sees it: built in memory of its own, then placed in the context's arena. */
#ifndef ARCL_BATCH_H
#define ARCL_BATCH_H
#include "cl/word.h"
#include "ops/type.h"
#include "run/context.h"

typedef struct word_vector {
    word *at;
    size_t count, room;
} word_vector;

typedef struct open_part { /* a container that is being added */
    type_code type;
    size_t first;  /* of its parts on the stack */
    int row, h, w; /* of a grid */
} open_part;

#define MAX_FRAMES 32
struct arcl_batch {
    arcl_context *context;
    uint64_t serial; /* no other batch of the context has it, ever */
    int arguments;
    type_code type[4];
    type_code form[4]; /* the same, as the parts of arguments come: with cells or triples */
    uint32_t lanes;    /* complete ones */
    int next;          /* the argument that comes next */
    word_vector column[4];
    word_vector data;  /* what columns refer to; offsets count from here */
    word_vector stack; /* parts of the containers that are being added */
    open_part frame[MAX_FRAMES];
    int depth;
    region *region;        /* NULL until placed */
    uint32_t placed_lanes; /* how many lanes are there */
    uint placed[4];        /* where the columns are */
    uint masks[4];         /* where they are with masks, those of other types than sets of locations as they are */
    arcl_key *lane_key;    /* fingerprints of the first `lane_keys` lanes (batch_lanes.h) */
    uint32_t lane_keys;
};

/* Words of a lane beside its arguments: their masks. */
uint batch_mask_words(const arcl_batch *b);

/* The patch as a mask: what refers to it at `at`, if it is put to `to`. The list itself if it does not fit. */
word batch_mask(const word *storage, word patch, word *to, uint at);

/* Brings the batch into the arena, if it is not there as it is. */
arcl_status batch_place(arcl_batch *b, arcl_error *error);

/* For those that add parts in other ways: room for more words, the type of the part that comes next (0: none), and such
 * a part, whose references count from `data`. */
ARCL_CHECKED arcl_status words_reserve(word_vector *w, size_t more, arcl_error *error);
type_code batch_expected_type(const arcl_batch *b);
ARCL_CHECKED arcl_status batch_add_word(arcl_batch *b, word w, arcl_error *error);

/* A batch without lanes or arguments yet; NULL when there is no memory. */
arcl_batch *batch_create_bare(arcl_context *c);

/* A batch without lanes, of the same types as another. */
ARCL_CHECKED arcl_status batch_create_like(arcl_context *c, const arcl_batch *like, arcl_batch **batch,
                                           arcl_error *error);

/* Adds the lanes of a complete batch to another one of the same types. If that fails, neither has changed. */
ARCL_CHECKED arcl_status batch_append(arcl_batch *to, const arcl_batch *from, arcl_error *error);
#endif
