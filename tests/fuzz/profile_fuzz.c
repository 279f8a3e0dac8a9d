/* Files of measurements: what is read can be planned with, and is written as it was read. */
#include "arcl.h"
#include "fuzz/fuzz_file.h"
#include "fuzz/fuzz_target.h"

static char *text_of(const char *path) {
    static char texts[2][1 << 20];
    static int next;
    FILE *f = fopen(path, "rb");
    next = !next;
    if (!f) abort();
    texts[next][fread(texts[next], 1, sizeof texts[next] - 1, f)] = 0;
    fclose(f);
    return texts[next];
}

/* Whatever was measured, a plan comes of it, or a message. */
static void plan_with(const arcl_profile *profile) {
    static const char text[] = "def f(I):\n    x = objects(I, T, F, T)\n    return paint(I, mapply(identity, x))\n";
    static arcl_context *c;
    static arcl_program *p;
    static arcl_batch *batch;
    if (!c) {
        arcl_options options = {.threads = 1, .device = "host"};
        arcl_source *source;
        const signed char cells[4] = {0, 1, 2, 0};
        if (arcl_context_create(&options, &c, NULL)) abort();
        if (arcl_source_parse(c, text, sizeof text - 1, "f.py", &source, NULL)) abort();
        if (arcl_program_compile(c, source, 0, NULL, &p, NULL)) abort();
        if (arcl_batch_create(c, "grid", &batch, NULL) || arcl_batch_add_grid(batch, 2, 2, cells, NULL)) abort();
        arcl_source_free(source);
    }
    arcl_plan *plan = NULL;
    if (arcl_plan_create(c, profile, p, batch, 1000, &plan, NULL) == ARCL_SUCCESS)
        for (int i = 0; i < arcl_plan_ops(plan); i++) arcl_plan_op_get(plan, i);
    arcl_plan_free(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    arcl_profile *first = NULL, *second = NULL;
    char path[128], again[128];
    snprintf(path, sizeof path, "%s", fuzz_file("profile.json", data, size));
    snprintf(again, sizeof again, "%s", fuzz_path("again.json"));
    if (arcl_profile_load(path, &first, NULL) == ARCL_SUCCESS) {
        if (arcl_profile_save(first, again, NULL)) abort();
        if (arcl_profile_load(again, &second, NULL)) abort(); /* what we write, we read */
        if (arcl_profile_save(second, path, NULL)) abort();
        if (strcmp(text_of(again), text_of(path)) != 0) abort();
        plan_with(second);
    }
    arcl_profile_free(first);
    arcl_profile_free(second);
    return 0;
}
