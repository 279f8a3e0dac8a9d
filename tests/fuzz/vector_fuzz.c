/* Files of vectors, as `arcl check` reads and runs them, with the JSON that it writes. */
#include <jansson.h>

#include "cli/messages.h"
#include "cli/options.h"
#include "data/json_file.h"
#include "fuzz/fuzz_file.h"
#include "fuzz/fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int prepared;
    static char path[128], out[128];
    if (!prepared++) {
        json_file_prepare();
        message_set_quiet(1);
        fuzz_keep_quiet();
        snprintf(out, sizeof out, "%s", fuzz_path("out.json"));
    }
    snprintf(path, sizeof path, "%s", fuzz_file("input.jsonl", data, size));
    cli_options options = {.device = "host", .threads = 1, .budget = 1 << 12, .quiet = 1, .profile = "", .json = out};
    char *arguments[] = {path};
    options.count = 1;
    options.arguments = arguments;
    int status = cmd_check(&options);
    if (status == CLI_DONE || status == CLI_MISMATCH) { /* then there is a file, and it is JSON */
        json_t *written = json_load_file(out, 0, NULL);
        if (!json_is_object(written)) abort();
        json_decref(written);
    }
    return 0;
}
