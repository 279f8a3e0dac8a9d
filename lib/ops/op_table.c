#include "ops/op_table.h"

#include <stdio.h>
#include <string.h>

const op_row op_rows[OP_COUNT] = {
#define OP(name, family, parameters, arity, a, b, c, d, result, rule, kernel, second, meaning)                         \
    {#name,        FAMILY_##family,                                                                                    \
     arity,        {SIG_##a, SIG_##b, SIG_##c, SIG_##d},                                                               \
     SIG_##result, {KERNEL_##kernel, KERNEL_##second},                                                                 \
     parameters,   meaning},
#include "ops/all_ops.def"
#undef OP
};

const char *const op_family_names[FAMILY_COUNT] = {"number",  "logic",  "container", "function", "higher",
                                                   "measure", "colour", "patch",     "grid"};

const char *const kernel_names[KERNEL_COUNT] = {
    "none",
#define KERNEL(family, name, traits) #name,
#include "ops/kernels.def"
#undef KERNEL
};

const uint32_t kernel_traits[KERNEL_COUNT] = {
    PLAIN,
#define KERNEL(family, name, traits) traits,
#include "ops/kernels.def"
#undef KERNEL
};

static const struct {
    const char *text, *description;
} signatures[SIG_COUNT] = {
#define SIGNATURE(code, text, description) {text, description},
#include "ops/signature.def"
#undef SIGNATURE
};

const char *signature_text(unsigned code) { return signatures[code].text; }
const char *signature_description(unsigned code) { return signatures[code].description; }

char *op_signature(const op_row *row, char *buf, size_t size) {
    size_t at = 0;
    buf[0] = 0;
    for (int i = 0; i < row->arity && at < size; i++)
        at += (size_t)snprintf(buf + at, size - at, "%s ", signature_text(row->argument[i]));
    if (at < size) snprintf(buf + at, size - at, "-> %s", signature_text(row->result));
    return buf;
}

int op_parameter(const op_row *row, const char *name, size_t length) {
    const char *at = row->parameters;
    for (int i = 0; i < row->arity; i++) {
        size_t n = strcspn(at, " ");
        if (n == length && memcmp(at, name, n) == 0) return i;
        at += n + (at[n] == ' ');
    }
    return -1;
}
