/* The text of programs: read, compiled, run in every way, and compared (support/agreement.h). */
#include "fuzz/fuzz_target.h"
#include "support/agreement.h"
#include "support/mutation.h"

enum { MOST_BYTES = 2000, SMALL_BUDGET = 300, BUDGET = 1 << 12, RENEWED_AFTER = 2000 };

/* Bytes that are changed one by one are hardly ever programs: every other input has words and lines changed instead. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    randomness r = {seed};
    if (random_below(&r, 4) == 0 || memchr(data, 0, size)) return LLVMFuzzerMutate(data, size, most);
    text program = {0};
    text_clear(&program);
    text_add_bytes(&program, (const char *)data, size);
    for (uint32_t edits = 1 + random_below(&r, 3); edits; edits--) mutate_program(&r, &program);
    size = program.length < most ? program.length : most;
    memcpy(data, program.at, size);
    text_free(&program);
    return size;
}

/* One of two budgets, as the length says: with the small one, hardly any program comes to its end. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static agreement budgets[2];
    static int used;
    if (size > MOST_BYTES) return 0;
    if (used % RENEWED_AFTER == 0) /* what is kept is to stay small */
        for (int i = 0; i < 2; i++) {
            if (used) agreement_close(&budgets[i]);
            agreement_open(&budgets[i], i ? BUDGET : SMALL_BUDGET);
        }
    used++;
    agreement *a = &budgets[size % 3 != 0];
    if (!programs_agree(a, (const char *)data, size)) {
        fprintf(stderr, "%.*s\n%s", (int)size, (const char *)data, a->problem.at);
        abort();
    }
    return 0;
}
