#include "program/step_words.h"

#include <string.h>

/* What a kernel is called: by words of its own, by the op that has it, or by the one that is spelled like its
 * beginning. */
static const char *words_of_kernel(unsigned kernel) {
    static const char *const own[KERNEL_COUNT] = {
#define WORDS(name, text) [KERNEL_##name] = text,
#include "ops/kernel_words.def"
#undef WORDS
    };
    const char *name = kernel_names[kernel];
    if (own[kernel]) return own[kernel];
    for (int i = 0; i < OP_COUNT; i++)
        if (op_rows[i].kernel[0] == kernel || op_rows[i].kernel[1] == kernel) return op_rows[i].name;
    for (int i = 0; i < OP_COUNT; i++) {
        size_t length = strlen(op_rows[i].name);
        if (strncmp(name, op_rows[i].name, length) == 0 && (name[length] == 0 || name[length] == '_'))
            return op_rows[i].name;
    }
    return "";
}

/* Steps that are no ops, in words. */
static const char *const words[STEP_KINDS] = {[STEP_EACH] = "for each element",
                                              [STEP_ZIP] = "for each pair",
                                              [STEP_CROSS] = "for each combination",
                                              [STEP_ALONG] = "the element of another list",
                                              [STEP_AGAIN] = "as found above",
                                              [STEP_CLOSE] = "all as a list",
                                              [STEP_JOIN] = "either",
                                              [STEP_SPREAD] = "for those lanes",
                                              [STEP_LOOP] = "repeat",
                                              [STEP_REPEAT] = "until done"};

const char *step_words(const graph_step *s) {
    if (s->kind == STEP_KERNEL) return words_of_kernel(s->kernel_id);
    if (s->kind == STEP_WHEN) return s->imm ? "where true" : "where false";
    return words[s->kind];
}
