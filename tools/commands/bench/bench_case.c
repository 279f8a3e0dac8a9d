/* From an op's signature to a program: by the rules of bench_rules.def, or as bench_programs.def says. */
#include "commands/bench/bench_case.h"

#include <stdio.h>
#include <string.h>

static const char *const names[BENCH_MOST_ARGUMENTS] = {"a", "b", "c", "d"};

/* Whether a word, which ends at a blank or at its end, is that text. */
static int is_word(const char *word, const char *text) {
    size_t length = strcspn(word, " ");
    return strlen(text) == length && strncmp(word, text, length) == 0;
}

static const char *next_word(const char *word) {
    word += strcspn(word, " ");
    return word + strspn(word, " ");
}

static bench_argument choose(const char *type, const char *parameter) {
    static const struct {
        const char *type, *parameter;
        bench_argument kind;
    } rules[] = {
#define RULE(type, parameter, kind) {type, parameter, BENCH_##kind},
#include "commands/bench/bench_rules.def"
#undef RULE
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (is_word(type, rules[i].type) && (!*rules[i].parameter || is_word(parameter, rules[i].parameter)))
            return rules[i].kind;
    return BENCH_ARGUMENTS;
}

/* "def bench(a, b):\n    " and the body */
static void write_program(bench_case *one, const char *body) {
    int used = snprintf(one->text, sizeof one->text, "def bench(");
    for (int i = 0; i < one->count; i++)
        used += snprintf(one->text + used, sizeof one->text - (size_t)used, "%s%s", i ? ", " : "", names[i]);
    snprintf(one->text + used, sizeof one->text - (size_t)used, "):\n    %s\n", body);
}

typedef struct program_row {
    const char *op, *arguments;
    int grid_result;
    const char *body;
} program_row;

static void from_row(const program_row *row, bench_case *one) {
    *one = (bench_case){.op = row->op, .grid_result = row->grid_result};
    for (const char *word = row->arguments; *word; word = next_word(word))
        one->kinds[one->count++] = bench_argument_find(word);
    write_program(one, row->body);
}

static int from_program(bench_case *one) {
    static const program_row programs[] = {
#define PROGRAM(op, arguments, body) {#op, arguments, 0, body},
#include "commands/bench/bench_programs.def"
#undef PROGRAM
    };
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        if (strcmp(programs[i].op, one->op) != 0) continue;
        from_row(&programs[i], one);
        return 0;
    }
    return -1;
}

int bench_case_special(int index, bench_case *one) {
    static const program_row specials[] = {
#define CASE(name, arguments, grid_result, body) {name, arguments, grid_result, body},
#include "commands/bench/profile_cases.def"
#undef CASE
    };
    if (index < 0 || index >= (int)(sizeof specials / sizeof specials[0])) return -1;
    from_row(&specials[index], one);
    return 0;
}

static int from_signature(const arcl_op_info *op, bench_case *one) {
    char body[128];
    const char *type = op->signature, *parameter = op->parameters;
    int used = snprintf(body, sizeof body, "return %s(", op->name);
    for (int i = 0; i < op->arity; i++, type = next_word(type), parameter = next_word(parameter)) {
        one->kinds[i] = choose(type, parameter);
        if (one->kinds[i] == BENCH_ARGUMENTS) return -1;
        used += snprintf(body + used, sizeof body - (size_t)used, "%s%s", i ? ", " : "", names[i]);
    }
    snprintf(body + used, sizeof body - (size_t)used, ")");
    one->count = op->arity;
    write_program(one, body);
    return 0;
}

int bench_case_make(int op, bench_case *one) {
    arcl_op_info info = arcl_op_get(op);
    *one = (bench_case){.op = info.name};
    return from_program(one) == 0 ? 0 : from_signature(&info, one);
}

arcl_status bench_case_compile(arcl_context *context, const bench_case *one, arcl_program **program,
                               arcl_error *error) {
    const char *types[BENCH_MOST_ARGUMENTS];
    arcl_source *source = NULL;
    arcl_compile_options options = {.types = types, .type_count = one->count, .grid_result = one->grid_result};
    for (int i = 0; i < one->count; i++) types[i] = bench_argument_type(one->kinds[i]);
    arcl_status status = arcl_source_parse(context, one->text, strlen(one->text), one->op, &source, error);
    if (!status) status = arcl_program_compile(context, source, 0, &options, program, error);
    arcl_source_free(source);
    return status;
}
