/* How much the library has done, as a number that is the same every time. The parser and the compiler are compiled once
 * more for the test that includes this (tests/CMakeLists.txt): each basic block of theirs calls the function below.
 * What they copy, clear and compare by functions of the C library counts by its length.
 */
#ifndef ARCL_WORK_COUNT_H
#define ARCL_WORK_COUNT_H
#include <stddef.h>
#include <stdint.h>

static uint64_t work_count;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) { work_count++; }

#define BYTES_PER_BLOCK 64 /* that such a function does in the time of a block */

#define COUNT_BYTES(result, name, parameters, arguments, bytes)                                                        \
    result __real_##name parameters;                                                                                   \
    result __wrap_##name parameters;                                                                                   \
    result __wrap_##name parameters {                                                                                  \
        work_count += (bytes) / BYTES_PER_BLOCK;                                                                       \
        return __real_##name arguments;                                                                                \
    }

COUNT_BYTES(void *, memcpy, (void *to, const void *from, size_t n), (to, from, n), n)
COUNT_BYTES(void *, memmove, (void *to, const void *from, size_t n), (to, from, n), n)
COUNT_BYTES(void *, memset, (void *to, int byte, size_t n), (to, byte, n), n)
COUNT_BYTES(int, memcmp, (const void *a, const void *b, size_t n), (a, b, n), n)
COUNT_BYTES(void *, realloc, (void *old, size_t n), (old, n), n)

size_t __real_strlen(const char *s);
size_t __wrap_strlen(const char *s);
size_t __wrap_strlen(const char *s) {
    size_t n = __real_strlen(s);
    work_count += n / BYTES_PER_BLOCK;
    return n;
}

#endif
