#include "program/program_identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kernel_identity.h"
#include "language/tree_text.h"

static void add_digits(text_buffer *t, arcl_key key) {
    char digits[40];
    snprintf(digits, sizeof digits, "%016llx%016llx\n", (unsigned long long)key.high, (unsigned long long)key.low);
    buffer_add_string(t, digits);
}

static void add_steps(text_buffer *t, const program_graph *p) {
    arcl_key part[4] = {hash_bytes(p->steps, (size_t)p->count * sizeof *p->steps),
                        hash_bytes(p->scopes, (size_t)p->scope_count * sizeof *p->scopes),
                        hash_bytes(p->result, (size_t)p->results * sizeof *p->result),
                        hash_bytes(p->result_type, (size_t)p->results * sizeof *p->result_type)};
    buffer_add_string(t, "steps ");
    add_digits(t, hash_bytes(part, sizeof part));
}

static void write_identity(text_buffer *t, const program_graph *p, int grid_result, uint32_t budget) {
    char type[128];
    buffer_add_string(t, "arcl " ARCL_VERSION "\nkernels ");
    buffer_add_string(t, kernel_identity);
    buffer_add_string(t, "\npolicy strict\nbudget ");
    buffer_add_number(t, budget);
    buffer_add_string(t, grid_result ? "\nresult grid\ntypes" : "\nresult any\ntypes");
    for (int i = 0; i < p->parameters; i++) {
        buffer_add_string(t, " ");
        buffer_add_string(t, type_text(p->parameter[i], type, sizeof type));
    }
    buffer_add_string(t, "\n");
    add_steps(t, p);
}

static program_identity *identity_of(const char *text, size_t length) {
    program_identity *made = malloc(sizeof *made + length);
    if (!made) return NULL;
    made->key = hash_bytes(text, length);
    made->length = length;
    memcpy(made->text, text, length);
    return made;
}

program_identity *program_identity_make(const program_graph *p, int grid_result, uint32_t budget,
                                        const char *normal_form, size_t length) {
    text_buffer t = {0};
    write_identity(&t, p, grid_result, budget);
    buffer_add(&t, normal_form, length);
    program_identity *made = t.failed ? NULL : identity_of(t.at, t.length);
    free(t.at);
    return made;
}

program_identity *program_identity_copy(const program_identity *from) { return identity_of(from->text, from->length); }
