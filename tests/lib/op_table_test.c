/* Tests of lib/ops/op_table.h: that the rows agree with themselves, are found by name, and say what the language
 * says. */
#include "ops/op_table.h"

#include "arcl.h"
#include "greatest.h"
#include "ops/word_table.h"

static op_index names;

static int find(const char *name) { return op_find(&names, ARCL_ARC_DSL, name, strlen(name)); }

TEST every_family_has_ops(void) {
    int found[FAMILY_COUNT] = {0};
    for (int op = 0; op < OP_COUNT; op++) found[op_rows[op].family]++;
    for (int f = 0; f < FAMILY_COUNT; f++) ASSERTm(op_family_names[f], found[f] > 0);
    PASS();
}

TEST every_op_is_found_by_its_name(void) {
    for (int op = 0; op < OP_LANGUAGE_COUNT; op++) ASSERT_EQm(op_rows[op].name, op, find(op_rows[op].name));
    PASS();
}

TEST other_names_are_not_found(void) {
    static const char *const none[] = {"", "fil", "fills", "Fill", "rot", "rot900", "identity_", "x1", "none"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) ASSERT_EQm(none[i], -1, find(none[i]));
    ASSERT_EQ(-1, op_find(&names, ARCL_ARC_DSL, "add", 2));
    ASSERT_EQ((int)OP_add, op_find(&names, ARCL_ARC_DSL, "adder", 3));
    PASS();
}

TEST signature_is(const char *name, const char *expected) {
    char buf[96];
    int op = find(name);
    ASSERTm(name, op >= 0);
    ASSERT_STR_EQm(name, expected, op_signature(&op_rows[op], buf, sizeof buf));
    PASS();
}

/* One of each kind of row: every family, every arity, and the codes that are easy to mistake for each other. */
SUITE(signatures) {
    RUN_TESTp(signature_is, "add", "num num -> num");
    RUN_TESTp(signature_is, "even", "int -> bool");
    RUN_TESTp(signature_is, "interval", "int int int -> [int]");
    RUN_TESTp(signature_is, "branch", "bool A A -> A");
    RUN_TESTp(signature_is, "contained", "A C<A> -> bool");
    RUN_TESTp(signature_is, "merge", "C<C<A>> -> C<A>");
    RUN_TESTp(signature_is, "insert", "A {A} -> {A}");
    RUN_TESTp(signature_is, "astuple", "A B -> (A,B)");
    RUN_TESTp(signature_is, "pair", "[A] [B] -> [(A,B)]");
    RUN_TESTp(signature_is, "fork", "(B D->E) (A->B) (A->D) -> (A->E)");
    RUN_TESTp(signature_is, "lbind", "f v -> f'");
    RUN_TESTp(signature_is, "mapply", "(A->C<B>) C<A> -> C<B>");
    RUN_TESTp(signature_is, "argmax", "C<A> (A->K) -> A");
    RUN_TESTp(signature_is, "height", "piece -> int");
    RUN_TESTp(signature_is, "bordering", "patch grid -> bool");
    RUN_TESTp(signature_is, "palette", "element -> {int}");
    RUN_TESTp(signature_is, "colorfilter", "{{cell}} int -> {{cell}}");
    RUN_TESTp(signature_is, "sizefilter", "C<C<A>> int -> {C<A>}");
    RUN_TESTp(signature_is, "neighbors", "ij -> {ij}");
    RUN_TESTp(signature_is, "objects", "grid bool bool bool -> {{cell}}");
    RUN_TESTp(signature_is, "occurrences", "grid {cell} -> {ij}");
    RUN_TESTp(signature_is, "fill", "grid int patch -> grid");
    RUN_TESTp(signature_is, "paint", "grid {cell} -> grid");
    RUN_TESTp(signature_is, "hsplit", "grid int -> [grid]");
    RUN_TESTp(signature_is, "index", "grid ij -> int");
}

TEST signatures_are_cut_to_their_buffer(void) {
    char buf[12];
    ASSERT_STR_EQ("grid int pa", op_signature(&op_rows[OP_fill], buf, sizeof buf));
    PASS();
}

static int words(const char *text) {
    int n = *text != 0;
    for (; *text; text++) n += *text == ' ';
    return n;
}

TEST rows_agree_with_themselves(void) {
    for (int op = 0; op < OP_COUNT; op++) {
        const op_row *row = &op_rows[op];
        ASSERTm(row->name, row->arity >= 1 && row->arity <= 4);
        ASSERT_EQm(row->name, row->arity, words(row->parameters));
        for (int i = 0; i < 4; i++) ASSERT_EQm(row->name, i < row->arity, row->argument[i] != SIG_NO);
        ASSERTm(row->name, row->result != SIG_NO);
        ASSERT_EQm(row->name, row->kernel[0] == KERNEL_none, row->kernel[1] == KERNEL_none);
        size_t n = strlen(row->meaning);
        ASSERTm(row->name, n > 1 && row->meaning[n - 1] == '.');
    }
    PASS();
}

TEST parameters_are_found_by_name(void) {
    const op_row *fill = &op_rows[OP_fill];
    ASSERT_EQ(0, op_parameter(fill, "grid", 4));
    ASSERT_EQ(1, op_parameter(fill, "value", 5));
    ASSERT_EQ(2, op_parameter(fill, "patch", 5));
    ASSERT_EQ(-1, op_parameter(fill, "patches", 7));
    ASSERT_EQ(-1, op_parameter(fill, "val", 3));
    ASSERT_EQ(-1, op_parameter(fill, "", 0));
    ASSERT_EQ(3, op_parameter(&op_rows[OP_objects], "without_bg", 10));
    for (int op = 0; op < OP_COUNT; op++) { /* each at its place, so no name occurs twice */
        const char *at = op_rows[op].parameters;
        for (int i = 0; i < op_rows[op].arity; i++) {
            size_t n = strcspn(at, " ");
            ASSERT_EQm(op_rows[op].name, i, op_parameter(&op_rows[op], at, n));
            at += n + 1;
        }
    }
    PASS();
}

TEST the_public_list_is_the_table(void) {
    char buf[256];
    ASSERT_EQ_FMT((int)OP_LANGUAGE_COUNT, arcl_op_count(), "%d");
    for (int op = 0; op < OP_LANGUAGE_COUNT; op++) {
        arcl_op_info info = arcl_op_get(op);
        ASSERT_STR_EQ(op_rows[op].name, info.name);
        ASSERT_STR_EQ(op_family_names[op_rows[op].family], info.family);
        ASSERT_STR_EQ(op_rows[op].parameters, info.parameters);
        ASSERT_STR_EQ(op_signature(&op_rows[op], buf, sizeof buf), info.signature);
        ASSERT_EQ(op_rows[op].arity, info.arity);
    }
    PASS();
}

SUITE(table) {
    RUN_TEST(every_family_has_ops);
    RUN_TEST(every_op_is_found_by_its_name);
    RUN_TEST(other_names_are_not_found);
    RUN_TEST(signatures_are_cut_to_their_buffer);
    RUN_TEST(rows_agree_with_themselves);
    RUN_TEST(parameters_are_found_by_name);
    RUN_TEST(the_public_list_is_the_table);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    op_index_fill(&names);
    RUN_SUITE(table);
    RUN_SUITE(signatures);
    GREATEST_MAIN_END();
}
