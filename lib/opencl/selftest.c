/* The self-test of a device: each kernel of cl/selftest.cl runs in a region of the arena whose every word is known
 * before and after. Here are the inputs and the right answers; a device that gives any other is refused, and the reason
 * names the test. */
#include <string.h>

#include "opencl/device.h"

#define REGION 512u
#define RESULTS 32
#define AT OPENCL_ZERO_WORDS
#define UNTOUCHED 0x5eed5eed5eed5eed
#define ITEMS 200u /* that have work; more are launched */

typedef struct known {
    int64_t before[REGION], after[REGION];
    uint32_t items, step;
    size_t local;
    size_t group; /* most work-items in a group of the device, up to 64 */
} known;

static void input(known *k, int at, int64_t value) { k->before[at] = k->after[at] = value; }
static void expect(known *k, int at, int64_t value) { k->after[RESULTS + at] = value; }
static uint32_t next_random(uint32_t x) { return x * 1664525u + 1013904223u; }

/* ---- the right answers, by kernel ---- */

static void long_loop(known *k) {
    enum { ROUNDS = 131072 + 1000 };
    uint32_t x = 12345;
    input(k, 0, x);
    for (int i = 0; i < ROUNDS; i++) x = next_random(x);
    input(k, 1, x);
    input(k, 2, 4 * ROUNDS);
    expect(k, 0, ROUNDS);
}

static void nested_loops(known *k) {
    enum { OUTER = 300, INNER = 301 };
    uint32_t x = 54321, odd = 0;
    input(k, 0, x);
    input(k, 1, OUTER);
    input(k, 2, INNER);
    for (int i = 0; i < OUTER * INNER; i++) {
        x = next_random(x);
        odd += x >> 31;
    }
    expect(k, 0, OUTER * INNER);
    expect(k, 1, odd);
    expect(k, 2, x);
}

/* A function, since gcc takes the same written out for a shift of a negative number. */
static int64_t left(uint64_t x, int by) { return (int64_t)(x << by); }

static void integers(known *k) {
    const uint64_t u = 0xedcba9876543210f, v = 0x7edcba9876543210;
    const int64_t a = (int64_t)u, b = 0x1000f, c = (int64_t)v;
    const int32_t n = -1000003, m = 4096;
    const int64_t inputs[] = {a, b, c, n, m, 0x00012345, 0x1f3, 0x1fffe};
    const int64_t answers[] = {
        a >> 7,
        (int64_t)(u >> 7),
        left(u, 23),
        (int64_t)(u * v),
        (int64_t)(v + v),
        a / b,
        a % b,
        n / m,
        n % m,
        n >> 3,
        47,
        15,
        (int32_t)(uint32_t)u,
        (uint32_t)u,
        -13,
        0xf3,
        -2,
        (a < b) + 2 * (u < (uint64_t)b) + 4 * (n < m) + 8 * ((uint32_t)n < (uint32_t)m),
        left(u, 40) >> 40,
        (int32_t)((uint32_t)n * (uint32_t)m),
        a,
        c,
    };
    for (int i = 0; i < (int)(sizeof inputs / sizeof *inputs); i++) input(k, i, inputs[i]);
    for (int i = 0; i < (int)(sizeof answers / sizeof *answers); i++) expect(k, i, answers[i]);
}

static void bytes(known *k) {
    enum { COUNT = 67 }; /* the last word of either kind is written in part */
    uint8_t byte[COUNT];
    uint16_t two[COUNT];
    input(k, 0, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        byte[i] = (uint8_t)(i * 37u + 1u);
        two[i] = (uint16_t)(i * 997u + 5u);
    }
    memcpy(k->after + RESULTS, byte, sizeof byte);
    memcpy(k->after + RESULTS + 9, two, sizeof two);
    k->items = COUNT;
}

/* Laid out as C does it. The kernel writes field by field, so what lies between the fields stays as it was. */
static void layout(known *k) {
    enum { COUNT = 5, BYTES = 32 };
    uint8_t *at = (uint8_t *)(k->after + RESULTS);
    input(k, 0, COUNT);
    for (int i = 0; i < COUNT; i++, at += BYTES) {
        const int32_t b = -7 * i;
        const int64_t e = (int64_t)i << 33;
        const int16_t f = (int16_t)(-300 - i);
        at[0] = (uint8_t)(i - 3);
        memcpy(at + 4, &b, sizeof b);
        at[8] = (uint8_t)i;
        at[9] = 255;
        memcpy(at + 16, &e, sizeof e);
        memcpy(at + 24, &f, sizeof f);
    }
    k->items = COUNT;
}

static void vectors(known *k) {
    static const uint8_t mask[8] = {15, 0, 8, 7, 3, 12, 9, 1};
    uint8_t from[24], to[40];
    for (int i = 0; i < 16; i++) from[i] = (uint8_t)(i * 91 + 200);
    memcpy(from + 16, mask, sizeof mask);
    for (int i = 0; i < 8; i++) {
        to[i] = from[mask[i]];
        to[8 + i] = from[mask[i] & 7];
        to[16 + i] = from[3 + i];
        to[24 + i] = from[i] < from[8 + i] ? from[8 + i] : from[i];
        to[32 + i] = (uint8_t)(from[i] + from[8 + i]);
    }
    memcpy(k->before, from, sizeof from);
    memcpy(k->after, from, sizeof from);
    memcpy(k->after + RESULTS, to, sizeof to);
}

static void group_scan(known *k) {
    uint32_t size = (uint32_t)k->group;
    input(k, 0, 3);
    input(k, 1, 5000000000);
    k->local = size;
    k->items = 4 * size;
    for (uint32_t group = 0; group < 4; group++) {
        int64_t sum = 0;
        for (uint32_t i = 0; i < size; i++) {
            sum += 3 + (int64_t)(group * size + i) * 5000000000;
            expect(k, (int)(group * size + size - 1 - i), sum);
        }
    }
}

static void atomics(known *k) {
    input(k, 0, ITEMS);
    k->before[RESULTS] = 0;
    expect(k, 0, (int64_t)(ITEMS * (ITEMS - 1) / 2) << 32 | ITEMS); /* the sum, and the counter */
    for (int i = 0; i < (int)ITEMS / 2; i++) expect(k, 1 + i, (int64_t)1 << 32 | 1);
    k->items = ITEMS;
}

static void exact_bounds(known *k) {
    input(k, 0, ITEMS);
    k->step = 77;
    for (int i = 0; i < (int)ITEMS; i++) expect(k, i, (int64_t)i * 77);
    k->items = ITEMS + 50;
}

/* ---- running them ---- */

static const struct {
    const char *title;
    void (*prepare)(known *k);
} tests[] = {
#define SELFTEST(name, title) {title, name},
#include "opencl/selftest.def"
#undef SELFTEST
};

/* Answers are compared from the first result on, since what it gave says more than what else it overwrote. */
static void compare(opencl_entry *e, const char *title, const known *k, const int64_t *got) {
    for (uint32_t i = 0; i < REGION; i++) {
        uint32_t at = (i + RESULTS) % REGION;
        if (got[at] == k->after[at]) continue;
        if (k->before[at] == k->after[at])
            opencl_entry_refuse(e, "self-test '%s' wrote where it should not", title);
        else
            opencl_entry_refuse(e, "self-test '%s' gave %lld, expected %lld", title, (long long)got[at],
                                (long long)k->after[at]);
        return;
    }
}

arcl_status device_selftest(opencl_device *d, arcl_error *error) {
    opencl_entry *e = d->entry;
    int64_t got[REGION];
    known k;
    for (unsigned t = 0; t < sizeof tests / sizeof *tests; t++) {
        memset(&k, 0, sizeof k);
        for (uint32_t i = 0; i < REGION; i++) k.before[i] = k.after[i] = UNTOUCHED;
        k.items = 1;
        k.group = e->info.largest_group < 64 ? e->info.largest_group : 64;
        tests[t].prepare(&k);
        PROPAGATE(opencl_write(d, AT, k.before, REGION, error));
        PROPAGATE(device_launch(d, SELFTEST_first + 1 + t, AT, k.step, k.items, k.local, error));
        PROPAGATE(opencl_read(d, AT, got, REGION, error));
        compare(e, tests[t].title, &k, got);
        if (e->verdict == REFUSED)
            return error_set(error, ARCL_DEVICE_FAILED, "%s (%s) is refused: %s", e->info.id, e->info.name,
                             e->info.reason);
    }
    e->verdict = PASSED;
    return ARCL_SUCCESS;
}
