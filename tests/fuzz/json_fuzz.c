/* JSON: whatever the reader of ordinary texts reads, jansson reads too, and the same. */
#include "fuzz/fuzz_target.h"
#include "support/json_agreement.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (json_judge(data, size) == JSON_DISAGREED) abort();
    return 0;
}
