/* What a fuzz target is: one function, called with bytes that may be anything. It ends the process where something is
 * wrong. libFuzzer calls it with inputs that it makes, replay.c with those of files. */
#ifndef ARCL_FUZZ_TARGET_H
#define ARCL_FUZZ_TARGET_H
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
