/* Programs built without text: all that turn a grid into a grid by two ops of one argument, and how many different
 * things they do to one grid. */
#include <arcl.h>
#include <stdio.h>
#include <stdlib.h>

static const signed char cells[] = {0, 1, 0, 2, 1, 0, 3, 0, 0};

/* The ops that make a grid of a grid. Returns how many. */
static int find_ops(arcl_context *context, arcl_type grid, int *ops, int room) {
    int count = 0;
    for (int op = 0; op < arcl_op_count() && count < room; op++) {
        arcl_type made;
        if (arcl_op_type(context, ARCL_ARC_DSL, op, 1, &grid, &made, NULL)) continue;
        if (made == grid) ops[count++] = op;
    }
    return count;
}

/* outer(inner(I)), compiled. */
static arcl_program *build(arcl_context *context, int outer, int inner, arcl_error *error) {
    arcl_tree *tree = NULL;
    arcl_program *program = NULL;
    arcl_operand f = {ARCL_OPERAND_OP, inner, 0}, g = {ARCL_OPERAND_OP, outer, 0}, x = {ARCL_OPERAND_PARAMETER, 0, 0};
    int failed = arcl_tree_create(ARCL_ARC_DSL, "I", &tree, error) || arcl_tree_add(tree, &f, &x, 1, &x, error) ||
                 arcl_tree_add(tree, &g, &x, 1, &x, error) || arcl_tree_set_result(tree, x, error) ||
                 arcl_tree_compile(context, tree, NULL, &program, error);
    arcl_tree_free(tree);
    return failed ? NULL : program;
}

/* What the program does to the grid, as a number; 0: it fails. */
static uint64_t behaviour(arcl_context *context, const arcl_program *program, const arcl_batch *batch,
                          arcl_error *error) {
    arcl_result *result = NULL;
    uint64_t print = 0;
    if (arcl_score_many(context, 1, &program, &batch, NULL, 0, &result, error)) return 0;
    if (arcl_result_status(result, 0) == ARCL_OK) print = arcl_result_score(result, 0).fingerprint;
    arcl_result_free(result);
    return print;
}

int main(void) {
    arcl_error error = {{0}};
    arcl_context *context = NULL;
    arcl_batch *batch = NULL;
    uint64_t seen[1024];
    int ops[32], count = 0, programs = 0, different = 0;
    int failed = arcl_context_create(NULL, &context, &error) || arcl_batch_create(context, "grid", &batch, &error) ||
                 arcl_batch_add_grid(batch, 3, 3, cells, &error);
    if (!failed) count = find_ops(context, arcl_type_parse("grid"), ops, 32);
    for (int i = 0; i < count * count && !failed; i++) {
        arcl_program *program = build(context, ops[i / count], ops[i % count], &error);
        uint64_t print = program ? behaviour(context, program, batch, &error) : 0;
        failed = !program;
        int known = 0;
        while (known < different && seen[known] != print) known++;
        if (print && known == different) seen[different++] = print;
        programs++;
        arcl_program_free(program);
    }
    if (failed)
        fprintf(stderr, "%s\n", error.message);
    else
        printf("%d ops make a grid of a grid; two of them: %d programs, which do %d different things\n", count,
               programs, different);
    arcl_batch_free(batch);
    arcl_context_free(context);
    return failed;
}
