#include "ops/op_table.h"

#include <stdio.h>
#include <string.h>

#include "arcl.h"

const op_row op_rows[OP_COUNT] = {
#define OP(name, family, parameters, arity, a, b, c, d, result, rule, kernel, second, meaning)                         \
    {#name,        FAMILY_##family,                                                                                    \
     arity,        {SIG_##a, SIG_##b, SIG_##c, SIG_##d},                                                               \
     SIG_##result, {KERNEL_##kernel, KERNEL_##second},                                                                 \
     parameters,   meaning},
#include "ops/ops.def"
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

const uint16_t kernel_traits[KERNEL_COUNT] = {
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

static unsigned hash_name(const char *name, size_t length) {
    unsigned h = (unsigned)length;
    for (size_t i = 0; i < length; i++) h = h * 31 + (unsigned char)name[i];
    return h ^ h >> 9;
}

void op_index_build(op_index *index) {
    memset(index->slot, 0, sizeof index->slot);
    for (int op = 0; op < OP_COUNT; op++) {
        unsigned h = hash_name(op_rows[op].name, strlen(op_rows[op].name));
        while (index->slot[h % OP_INDEX_SLOTS]) h++;
        index->slot[h % OP_INDEX_SLOTS] = (uint8_t)(op + 1);
    }
}

int op_find(const op_index *index, const char *name, size_t length) {
    for (unsigned h = hash_name(name, length);; h++) {
        unsigned op = index->slot[h % OP_INDEX_SLOTS];
        if (op == 0) return -1;
        const char *candidate = op_rows[op - 1].name;
        if (strncmp(candidate, name, length) == 0 && candidate[length] == 0) return (int)op - 1;
    }
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

/* ---- the op table, for users ---- */

int arcl_op_count(void) { return OP_COUNT; }

arcl_op_info arcl_op_get(int index) {
    arcl_op_info info = {.name = "", .family = "", .parameters = "", .meaning = ""};
    if (index < 0 || index >= OP_COUNT) return info;
    const op_row *row = &op_rows[index];
    info.name = row->name;
    info.family = op_family_names[row->family];
    info.parameters = row->parameters;
    info.meaning = row->meaning;
    info.arity = row->arity;
    op_signature(row, info.signature, sizeof info.signature);
    return info;
}
