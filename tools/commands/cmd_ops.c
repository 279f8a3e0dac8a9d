/* arcl ops: the op table, by family, or one op in detail. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "arcl.h"
#include "cli/files.h"
#include "cli/op_name.h"
#include "cli/options.h"

/* "fill(grid, value, patch)" */
static void print_call(const arcl_op_info *op) {
    printf("%s(", op->name);
    for (const char *c = op->parameters; *c; c++) {
        if (*c == ' ') putchar(',');
        putchar(*c);
    }
    putchar(')');
}

static void print_one(const arcl_op_info *op) {
    print_call(op);
    printf("\n  type    %s\n  family  %s\n  meaning %s\n", op->signature, op->family, op->meaning);
}

/* Families are in the order of the table, in which their ops stand together. */
static void print_all(void) {
    const char *family = "";
    for (int i = 0; i < arcl_op_count(); i++) {
        arcl_op_info op = arcl_op_get(i);
        if (strcmp(op.family, family) != 0) printf("%s%s\n", i ? "\n" : "", op.family);
        family = op.family;
        printf("  %-16s %-34s %s\n", op.name, op.signature, op.meaning);
    }
}

static int write_json(const char *path, const char *name) {
    file_output out;
    if (file_create(&out, path)) return -1;
    json_t *list = json_array();
    for (int i = 0; i < arcl_op_count(); i++) {
        arcl_op_info op = arcl_op_get(i);
        if (!name || strcmp(op.name, name) == 0)
            json_array_append_new(list, json_pack("{ss ss ss si ss ss}", "name", op.name, "family", op.family,
                                                  "parameters", op.parameters, "arity", op.arity, "type", op.signature,
                                                  "meaning", op.meaning));
    }
    json_dumpf(list, out.stream, JSON_INDENT(1));
    putc('\n', out.stream);
    json_decref(list);
    return file_commit(&out);
}

int cmd_ops(const cli_options *options) {
    const char *name = options->count ? options->arguments[0] : NULL;
    int found = name ? op_name_find(name) : -1;
    if (name && found < 0) return CLI_BAD;
    if (options->json) return write_json(options->json, name) ? CLI_BAD : CLI_DONE;
    if (name) {
        arcl_op_info op = arcl_op_get(found);
        print_one(&op);
    } else
        print_all();
    return CLI_DONE;
}
