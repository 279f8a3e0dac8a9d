/* arcl ops: the op table of a dialect, by family, or one op in detail. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "arcl.h"
#include "cli/dialect_name.h"
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

/* What a word of tokpidjin is another name of, and how: "as height, of a grid". */
static void print_as(const arcl_op_info *op) {
    if (*op->op) printf("as %s", op->op);
    printf("%s%s", *op->op && *op->manner ? ", " : "", op->manner);
}

static void print_one(arcl_dialect dialect, const arcl_op_info *op) {
    print_call(op);
    printf("\n  type    %s\n  family  %s\n  meaning %s\n", op->signature, op->family, op->meaning);
    if (dialect != ARCL_TOKPIDJIN) return;
    printf("  dialect %s%s", arcl_dialect_name(dialect), *op->op || *op->manner ? ": " : "");
    print_as(op);
    if (*op->missing) printf("\n  empty   yields %s where something is empty that it needs", op->missing);
    printf("\n  failure fails the lane; with --safe, yields %s\n", op->fallback);
}

static void print_family(arcl_dialect dialect, const char *family) {
    for (int i = 0; i < arcl_dialect_op_count(dialect); i++) {
        arcl_op_info op = arcl_dialect_op_get(dialect, i);
        if (strcmp(op.family, family) != 0) continue;
        printf("  %-17s %-33s ", op.name, op.signature);
        if (*op.op) {
            print_as(&op);
            printf(": ");
        }
        printf("%s", op.meaning);
        if (*op.missing) printf(" [empty: %s]", op.missing);
        putchar('\n');
    }
}

/* Families are in the order in which the table has them first. */
static void print_all(arcl_dialect dialect) {
    for (int i = 0; i < arcl_dialect_op_count(dialect); i++) {
        const char *family = arcl_dialect_op_get(dialect, i).family;
        int first = 0;
        while (strcmp(arcl_dialect_op_get(dialect, first).family, family) != 0) first++;
        if (first != i) continue;
        printf("%s%s\n", i ? "\n" : "", family);
        print_family(dialect, family);
    }
}

static json_t *op_json(arcl_dialect dialect, const arcl_op_info *op) {
    json_t *object = json_pack("{ss ss ss si ss ss}", "name", op->name, "family", op->family, "parameters",
                               op->parameters, "arity", op->arity, "type", op->signature, "meaning", op->meaning);
    json_t *word =
        json_pack("{ss ss ss ss}", "op", op->op, "manner", op->manner, "missing", op->missing, "default", op->fallback);
    if (dialect == ARCL_TOKPIDJIN) json_object_update(object, word);
    json_decref(word);
    return object;
}

static int write_json(const char *path, arcl_dialect dialect, const char *name) {
    file_output out;
    if (file_create(&out, path)) return -1;
    json_t *list = json_array();
    for (int i = 0; i < arcl_dialect_op_count(dialect); i++) {
        arcl_op_info op = arcl_dialect_op_get(dialect, i);
        if (!name || strcmp(op.name, name) == 0) json_array_append_new(list, op_json(dialect, &op));
    }
    json_dumpf(list, out.stream, JSON_INDENT(1));
    putc('\n', out.stream);
    json_decref(list);
    return file_commit(&out);
}

int cmd_ops(const cli_options *options) {
    const char *name = options->count ? options->arguments[0] : NULL;
    arcl_dialect dialect;
    if (dialect_name_find(options->dialect, &dialect)) return CLI_BAD;
    if (dialect == ARCL_DIALECT_AUTO) dialect = name ? op_name_dialect(name) : ARCL_ARC_DSL;
    int found = name ? op_name_find(dialect, name) : -1;
    if (name && found < 0) return CLI_BAD;
    if (options->json) return write_json(options->json, dialect, name) ? CLI_BAD : CLI_DONE;
    if (name) {
        arcl_op_info op = arcl_dialect_op_get(dialect, found);
        print_one(dialect, &op);
    } else
        print_all(dialect);
    return CLI_DONE;
}
