/* Tests of lib/program/packed_value.c and lib/keep/result_set.c: values survive being packed, equal inputs have equal
 * fingerprints, and words that somebody made up are either refused or harmless. */
#include "support/evaluation.h"

#include "cl/guest.h"
#include "keep/result_set.h"
#include "run/batch_lanes.h"

#include "greatest.h"

static arcl_context *context;

/* A batch of the lanes in the text. */
static arcl_batch *batch_of(const char *types, const char *lanes) {
    arcl_batch *b;
    if (arcl_batch_create(context, types, &b, NULL) || lanes_read(b, lanes, NULL)) abort();
    return b;
}

static const struct {
    const char *type, *value;
} values[] = {
    {"int", "7"},
    {"ij", "[3,4]"},
    {"cell", "[5,[1,2]]"},
    {"grid", "[[1,2,3],[4,5,6],[7,8,9]]"},
    {"grid", "[]"},
    {"[int]", "[1,2,3]"},
    {"{ij}", "[[3,4],[1,2]]"},
    {"{{cell}}", "[[[1,[0,0]],[1,[0,1]]],[[2,[5,5]]],[]]"},
    {"[grid]", "[[[1,2]],[[3],[4]],[]]"},
    {"[[grid]]", "[[[[1]],[[2,2]]],[]]"},
    {"(int,{cell},grid)", "[3,[[1,[2,3]]],[[1,2],[3,4]]]"},
    {"[(ij,[int])]", "[[[1,2],[3]],[[4,5],[]]]"},
};
enum { VALUES = sizeof values / sizeof *values };

static word *packed_of(const arcl_batch *b, uint32_t number, size_t *words) {
    word w = b->column[0].at[number];
    *words = packed_words(b->data.at, b->type[0], w);
    word *made = malloc(*words * sizeof *made);
    if (!made) abort();
    packed_write(b->data.at, b->type[0], w, made);
    return made;
}

/* A host of one guest, which is a set of two ints: its parts are of the types that descriptions tell. */
TEST hosts_are_packed_with_their_guests(void) {
    type_code type = type_host(T_INT), of_guest = type_set(T_INT);
    word host[] = {made_ref(1, 3), GUEST_FIRST, (word)guest_description(GUEST_FIRST, of_guest, 1),
                   made_ref(4, 2), 8,           9};
    word copy[6];
    ASSERT_EQ(6, packed_words(host, type, host[0]));
    packed_write(host, type, host[0], copy);
    ASSERT_EQ(0, memcmp(host, copy, sizeof host));
    ASSERT(packed_is_sound(host, 6, type));
    ASSERT_FALSE(packed_is_sound(host, 5, type));
    host[2] = (word)guest_description(GUEST_FIRST, type_host(of_guest), 1); /* nothing has a host in it */
    ASSERT_FALSE(packed_is_sound(host, 6, type));
    PASS();
}

TEST packed_values_are_sound_and_equal(int number) {
    char lanes[400];
    snprintf(lanes, sizeof lanes, "%s; %s", values[number].value, values[number].value);
    arcl_batch *b = batch_of(values[number].type, lanes);
    size_t first, second;
    word *one = packed_of(b, 0, &first), *two = packed_of(b, 1, &second);
    ASSERT_EQ(first, second);
    ASSERT_EQ(0, memcmp(one, two, first * sizeof *one));
    ASSERT(packed_is_sound(one, first, b->type[0]));
    for (size_t n = 0; n < first; n++) ASSERT_FALSE(packed_is_sound(one, n, b->type[0]));
    free(one);
    free(two);
    arcl_batch_free(b);
    PASS();
}

/* A mask that has as many locations as its word says, and some that have not, or are of another type. */
TEST masks_are_what_their_words_say(void) {
    word mask[] = {made_ref(1, IS_MASK | 2u << 16 | 3), 5, (word)((ulong)1 << 63)};
    ASSERT(packed_is_sound(mask, 3, TYPE_IJ_SET));
    ASSERT_FALSE(packed_is_sound(mask, 2, TYPE_IJ_SET));
    ASSERT_FALSE(packed_is_sound(mask, 3, TYPE_OBJECT));
    ASSERT_FALSE(packed_is_sound(mask, 3, TYPE_INT_TUPLE));
    arcl_value v = {mask, TYPE_IJ_SET, mask[0], -1}, last = arcl_value_item(v, 2);
    ASSERT_EQ(3, arcl_value_count(v));
    ASSERT_EQ(3, arcl_value_int(arcl_value_item(last, 0)));
    ASSERT_EQ(31, arcl_value_int(arcl_value_item(last, 1)));
    mask[1] = 4;
    ASSERT_FALSE(packed_is_sound(mask, 3, TYPE_IJ_SET));
    mask[0] = made_ref(1, IS_MASK | 17u << 16 | 3);
    ASSERT_FALSE(packed_is_sound(mask, 3, TYPE_IJ_SET));
    PASS();
}

/* Reads all of a value that was found sound: the sanitizers look on. */
static void read_value(const word *packed, size_t words, type_code type) {
    word *room = malloc((words + 1) * sizeof *room);
    uint end = 0;
    if (!room || packed_words(packed, type, packed[0]) != words) abort();
    value_place(packed, type, packed[0], room, &end);
    if (end + 1 != words) abort();
    free(room);
}

TEST made_up_words_are_harmless(int number) {
    arcl_batch *b = batch_of(values[number].type, values[number].value);
    randomness r = {(uint64_t)number};
    size_t words;
    int refused = 0;
    word *good = packed_of(b, 0, &words), *bad = malloc(words * sizeof *bad); /* exactly: beyond is no man's land */
    for (int i = 0; i < 3000 && words > 1; i++) {
        memcpy(bad, good, words * sizeof *bad);
        for (uint32_t n = 0; n < 1 + random_below(&r, 3); n++) {
            word *at = &bad[random_below(&r, (uint32_t)words)];
            switch (random_below(&r, 4)) {
            case 0: *at ^= (word)1 << random_below(&r, 63); break;
            case 1: *at = made_ref(random_below(&r, (uint32_t)words + 2), random_below(&r, 5)); break;
            case 2: *at = made_ref(random_below(&r, (uint32_t)words + 2), random_below(&r, 4) << 16 | 0xffff); break;
            default: *at = bad[random_below(&r, (uint32_t)words)]; break;
            }
        }
        if (packed_is_sound(bad, words, b->type[0]))
            read_value(bad, words, b->type[0]);
        else
            refused++;
    }
    ASSERT(words == 1 || refused > 100);
    free(good);
    free(bad);
    arcl_batch_free(b);
    PASS();
}

SUITE(packed) {
    RUN_TEST(masks_are_what_their_words_say);
    for (int i = 0; i < VALUES; i++) {
        RUN_TESTp(packed_values_are_sound_and_equal, i);
        RUN_TESTp(made_up_words_are_harmless, i);
    }
}

/* ---- fingerprints ---- */

TEST equal_lanes_have_equal_fingerprints(void) {
    arcl_batch *a = batch_of("grid int", "[[1,2],[3,4]] 5; [[1,2,3,4]] 5; [[1,2],[3,4]] 6; [[1,2],[3,4]] 5");
    arcl_batch *b = batch_of("grid int", "[[9]] 9; [[1,2],[3,4]] 5; [[1],[2],[3],[4]] 5");
    const arcl_key *x = batch_lane_keys(a), *y = batch_lane_keys(b);
    ASSERT(same_key(x[0], x[3]) && same_key(x[0], y[1]));
    ASSERT_FALSE(same_key(x[0], x[1]) || same_key(x[0], x[2]) || same_key(x[1], y[2]) || same_key(x[0], y[0]));
    arcl_batch_free(a);
    arcl_batch_free(b);
    PASS();
}

TEST some_lanes_of_a_batch(void) {
    arcl_batch *a = batch_of("grid [int]", "[[1]] []; [[1,2]] [3]; [[4],[5]] [6,7]; [[8]] [9]"), *b;
    const uint32_t lanes[] = {1, 2};
    ASSERT_EQ(ARCL_SUCCESS, batch_select(a, lanes, 2, &b, NULL));
    ASSERT_EQ(2, arcl_batch_lanes(b));
    const arcl_key *x = batch_lane_keys(a), *y = batch_lane_keys(b);
    ASSERT(same_key(x[1], y[0]) && same_key(x[2], y[1]));
    ASSERT(a->serial != b->serial);
    arcl_batch_free(a);
    arcl_batch_free(b);
    PASS();
}

/* ---- sets of results ---- */

static kept_result result_for(uint64_t lane_number) {
    return (kept_result){.lane = {lane_number * 77, lane_number}, .nanoseconds = lane_number};
}

static void fill_set(result_set *s, uint64_t from, uint64_t to) {
    for (uint64_t n = from; n < to; n++) {
        kept_result r = result_for(n);
        word storage[2] = {(word)n, (word)(n + 1)};
        if (n % 5 == 0) r.status = ARCL_LANE_EMPTY;
        if (!result_set_add(s, r, storage, TYPE_INT_TUPLE, made_ref(0, 2))) abort();
    }
}

TEST results_are_found_again(void) {
    result_set s = {0};
    fill_set(&s, 0, 500);
    fill_set(&s, 300, 1000);
    ASSERT_EQ(1000, s.entries);
    for (uint64_t n = 0; n < 1000; n++) {
        uint32_t place = result_set_find(&s, result_for(n).lane);
        ASSERT(place);
        kept_result found = result_set_get(&s, place);
        ASSERT_EQ(n, found.nanoseconds);
        ASSERT_EQ(n % 5 == 0, found.status == ARCL_LANE_EMPTY);
        if (n % 5) ASSERT(found.words == 3 && found.value[1] == (word)n && found.value[2] == (word)n + 1);
    }
    ASSERT_EQ(0, result_set_find(&s, result_for(1000).lane));
    result_set_free(&s);
    PASS();
}

TEST merging_takes_all_or_nothing(void) {
    const type_code types[] = {TYPE_INT_TUPLE};
    result_set a = {0}, b = {0};
    fill_set(&a, 0, 20);
    fill_set(&b, 15, 30);
    ASSERT_EQ(1, result_set_merge(&a, b.data, b.count, types, 1));
    ASSERT_EQ(30, a.entries);
    size_t count = a.count;
    for (size_t n = 1; n < b.count;
         n++) /* cut off within an entry, or between two, of which the rest is there already */
        ASSERT(result_set_merge(&a, b.data, n, types, 1) == 0 || a.count == count);
    b.data[b.count - 3] = made_ref(1, 1000); /* the last value */
    ASSERT_EQ(0, result_set_merge(&a, b.data, b.count, types, 1));
    b.data[b.count - 3] = made_ref(1, 2);
    b.data[0] |= 200; /* no such status */
    ASSERT_EQ(0, result_set_merge(&a, b.data, b.count, types, 1));
    ASSERT_EQ(count, a.count);
    ASSERT(result_set_find(&a, result_for(29).lane));
    result_set_free(&a);
    result_set_free(&b);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    arcl_options options = {.threads = 1};
    if (arcl_context_create(&options, &context, NULL)) return EXIT_FAILURE;
    RUN_SUITE(packed);
    RUN_TEST(hosts_are_packed_with_their_guests);
    RUN_TEST(equal_lanes_have_equal_fingerprints);
    RUN_TEST(some_lanes_of_a_batch);
    RUN_TEST(results_are_found_again);
    RUN_TEST(merging_takes_all_or_nothing);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
