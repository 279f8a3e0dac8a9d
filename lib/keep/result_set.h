/* Results of one program that are kept, by the fingerprints of the lanes that they are results for. They are words that
 * hold nothing of where they are, so that the same words are what a file has (result_file.h).
 *
 *   | an entry | an entry | ..            data
 *
 *   entry: | status:8 which:8 words:32 | nanoseconds | asked | fingerprint, high | low | packed value, `words` words |
 */
#ifndef ARCL_RESULT_SET_H
#define ARCL_RESULT_SET_H
#include "base/hash.h"
#include "program/graph.h"
#include "program/packed_value.h"

#define ENTRY_HEAD 5 /* words before the value */

typedef struct result_set { /* starts out zeroed */
    word *data;
    size_t count, room; /* words */
    uint32_t *slot;     /* hashed by fingerprint: where the entry is, + 1; or 0 */
    uint32_t slots, entries;
} result_set;

typedef struct kept_result {
    arcl_key lane;
    unsigned status, which;
    uint64_t nanoseconds; /* that it took to compute */
    uint32_t asked;       /* words that the lane has asked for on the way: a part of its score */
    const word *value;    /* packed; NULL for a lane that failed */
    size_t words;
} kept_result;

/* The place of the result for that fingerprint; 0 if there is none. It stays the same while results are added. */
uint32_t result_set_find(const result_set *s, arcl_key key);
kept_result result_set_get(const result_set *s, uint32_t place);

/* Adds a result, if there is none yet: its value is w, whose references count from storage. 0 when there is no
 * memory. */
int result_set_add(result_set *s, kept_result r, const word *storage, type_code type, word w);

/* Reads entries one after the other: 1, and *at moves on; or 0 at the end. Only for data that is sound. */
int result_set_next(const result_set *s, size_t *at, kept_result *found);

/* Takes over entries that come from somewhere else, if all of them are sound results of a program whose result has one
 * of these types, and leaves out those that are there already. 0: they are not sound, and none was taken; -1: no
 * memory. */
int result_set_merge(result_set *s, const word *data, size_t count, const type_code *types, int type_count);

size_t result_set_bytes(const result_set *s);
void result_set_free(result_set *s);

#endif
