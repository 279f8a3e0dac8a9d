/* Trees that are changed at random: the first eight bytes are the seed of the changes, the rest is the text of the
 * programs that they begin with. Mutants and trees of arbitrary operands are typed, written, read again, compiled and
 * run: what is written is read as the same program, what has no type does not compile, and what has one does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arcl.h"
#include "fuzz/fuzz_target.h"
#include "support/randomness.h"

enum { MOST_BYTES = 2000, MOST_PROGRAMS = 8, MUTANTS = 12, SCRAWLS = 12, BUDGET = 1 << 12, RENEWED_AFTER = 500 };

static arcl_context *context;
static arcl_batch *batch;

static void open_context(void) {
    arcl_options options = {.threads = 1, .device = "host", .budget = BUDGET};
    const signed char cells[6] = {0, 1, 2, 0, 5, 5};
    arcl_batch_free(batch);
    arcl_context_free(context);
    if (arcl_context_create(&options, &context, NULL) || arcl_batch_create(context, "grid", &batch, NULL)) abort();
    if (arcl_batch_add_grid(batch, 2, 3, cells, NULL) || arcl_batch_add_grid(batch, 1, 1, cells, NULL)) abort();
}

/* ---- what must hold of any tree ---- */

/* What is written is the same program. */
static void check_text(const arcl_tree *tree, const char *text, size_t length) {
    arcl_source *source;
    arcl_tree *again;
    arcl_key key, key_again;
    if (arcl_source_parse_dialect(context, text, length, "t.py", arcl_tree_dialect(tree), &source, NULL)) abort();
    if (arcl_tree_from_source(context, source, 0, &again, NULL)) abort();
    if (arcl_tree_key(context, tree, &key, NULL) || arcl_tree_key(context, again, &key_again, NULL)) abort();
    if (memcmp(&key, &key_again, sizeof key) != 0) abort();
    arcl_tree_free(again);
    arcl_source_free(source);
}

static void run(const arcl_tree *tree, const arcl_program *program) {
    arcl_result *result;
    if (strcmp(arcl_tree_parameters(tree), "I") != 0) return;
    if (arcl_run(context, program, batch, &result, NULL)) abort();
    arcl_result_free(result);
}

/* Whether all its parameters have types: without these there are none of lines, and no mutants. */
static int is_taken(const arcl_tree *tree) {
    arcl_type types[MOST_BYTES];
    return arcl_tree_types(context, tree, NULL, types, NULL) == ARCL_SUCCESS;
}

static int is_typed(const arcl_tree *tree) {
    arcl_operand result = arcl_tree_result(tree);
    arcl_type types[256];
    if (arcl_tree_lines(tree) > 256) return 0;
    if (arcl_tree_types(context, tree, NULL, types, NULL)) abort();
    for (int i = 0; i < arcl_tree_lines(tree); i++)
        if (types[i] == ARCL_TYPE_FAILS) return 0;
    return result.kind == ARCL_OPERAND_LINE && types[result.number] != ARCL_TYPE_OTHER &&
           !arcl_type_arity(types[result.number]);
}

static void check(const arcl_tree *tree) {
    arcl_program *program = NULL;
    arcl_error error;
    char *text;
    size_t length;
    int typed = is_typed(tree);
    arcl_status status = arcl_tree_compile(context, tree, NULL, &program, &error);
    if (arcl_tree_format(context, tree, "t", ARCL_DIALECT_AUTO, 0, &text, &length, NULL)) abort();
    if (typed && status) {
        fprintf(stderr, "%s%s\n", text, error.message);
        abort();
    }
    check_text(tree, text, length);
    if (!status) run(tree, program);
    arcl_program_free(program);
    arcl_text_free(text);
}

/* ---- changes ---- */

static void check_mutants(const arcl_tree *const *trees, int count, randomness *r) {
    arcl_mutator *mutator;
    arcl_mutator_options options = {
        .dialect = arcl_tree_dialect(trees[0]), .rate = random_below(r, 40) / 100.0, .frozen = random_below(r, 128)};
    if (arcl_mutator_create(context, &options, &mutator, NULL)) abort();
    for (int i = 0; i < count; i++)
        if (arcl_tree_dialect(trees[i]) == options.dialect && arcl_mutator_add(mutator, trees[i], NULL)) abort();
    uint64_t random = random_below(r, UINT32_MAX);
    for (int i = 0; i < MUTANTS; i++) {
        arcl_tree *mutant;
        if (arcl_mutator_mutate(mutator, i % arcl_mutator_parents(mutator), &random, &mutant, NULL, NULL)) abort();
        check(mutant);
        arcl_tree_free(mutant);
    }
    arcl_mutator_free(mutator);
}

/* Any operand, also such as no tree accepts. */
static arcl_operand some_operand(const arcl_tree *tree, randomness *r) {
    arcl_operand o = {(arcl_operand_kind)random_below(r, 6), (int32_t)random_below(r, 16) - 3, 0};
    if (o.kind == ARCL_OPERAND_OP)
        o.number = (int32_t)random_below(r, (uint32_t)arcl_dialect_op_count(arcl_tree_dialect(tree)) + 2) - 1;
    if (o.kind == ARCL_OPERAND_LINE) o.number = (int32_t)random_below(r, (uint32_t)arcl_tree_lines(tree) + 2) - 1;
    if (o.kind == ARCL_OPERAND_PAIR) o.second = (int32_t)random_below(r, 9) - 4;
    return o;
}

/* A call that fails leaves the tree as it was, so that none has to be looked at. */
static void scrawl(arcl_tree *tree, const arcl_tree *other, randomness *r) {
    arcl_operand callee = some_operand(tree, r), argument[4], made;
    int count = (int)random_below(r, 5), lines = arcl_tree_lines(tree);
    int line = (int)random_below(r, (uint32_t)lines + 2) - 1;
    for (int i = 0; i < 4; i++) argument[i] = some_operand(tree, r);
    const arcl_operand *called = random_below(r, 4) ? &callee : NULL;
    arcl_status ignored = ARCL_SUCCESS;
    switch (random_below(r, 6)) {
    case 0: ignored = arcl_tree_add(tree, called, argument, count, &made, NULL); break;
    case 1: ignored = arcl_tree_insert(tree, line, called, argument, count, NULL); break;
    case 2: ignored = arcl_tree_set(tree, line, (int)random_below(r, 5) - 1, argument[0], NULL); break;
    case 3: ignored = arcl_tree_set_result(tree, argument[0], NULL); break;
    case 4: ignored = arcl_tree_remove(tree, line, argument[0], NULL); break;
    default:
        ignored =
            arcl_tree_graft(tree, line, other, (int)random_below(r, (uint32_t)arcl_tree_lines(other) + 1), &made, NULL);
    }
    (void)ignored;
}

static void check_scrawls(const arcl_tree *tree, const arcl_tree *other, randomness *r) {
    arcl_tree *changed;
    if (arcl_tree_copy(tree, &changed, NULL)) abort();
    for (int i = 0; i < SCRAWLS; i++) {
        scrawl(changed, other, r);
        check(changed);
    }
    arcl_tree_prune(changed);
    check(changed);
    arcl_tree_free(changed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int used;
    uint64_t seed;
    arcl_source *source;
    arcl_tree *trees[MOST_PROGRAMS];
    int count = 0;
    if (size < sizeof seed || size > MOST_BYTES) return 0;
    if (used++ % RENEWED_AFTER == 0) open_context(); /* what is kept is to stay small */
    memcpy(&seed, data, sizeof seed);
    randomness r = {seed};
    if (arcl_source_parse(context, (const char *)data + sizeof seed, size - sizeof seed, "f.py", &source, NULL))
        return 0;
    for (int i = 0; i < arcl_source_count(source) && count < MOST_PROGRAMS; i++)
        if (arcl_tree_from_source(context, source, i, &trees[count], NULL) == ARCL_SUCCESS) {
            if (is_taken(trees[count]))
                count++;
            else
                arcl_tree_free(trees[count]);
        }
    arcl_source_free(source);
    if (count) {
        check_mutants((const arcl_tree *const *)trees, count, &r);
        check_scrawls(trees[0], trees[count - 1], &r);
    }
    for (int i = 0; i < count; i++) arcl_tree_free(trees[i]);
    return 0;
}
