/* Tests of lib/language/parser_batt.c, through the public entry: what the programs of a battery of tokpidjin are, and
 * which texts are none. */
#include "language/syntax.h"
#include "support/evaluation.h"

#include "greatest.h"

static arcl_context *context;

#define HEAD "def batt(task_id, S, I, C, log_path):\n    s = []\n    o = []\n"
#define TAIL "    return o, s\n"
#define TRIED "    except (TypeError, AttributeError, ValueError, IndexError, KeyError):\n"
#define O1 "    o.append((1, False, 'fa11d043', t1))\n"

static arcl_source *parsed(const char *source) {
    arcl_source *s = NULL;
    if (arcl_source_parse(context, source, strlen(source), "batt.py", &s, NULL)) abort();
    return s;
}

/* ---- what is understood ---- */

/* "name number mutated id differ: lines of the normal form; .. | ..", of each program. */
static void programs_write(const arcl_source *s, text *to) {
    char part[300];
    text_clear(to);
    for (int i = 0; i < arcl_source_count(s); i++) {
        arcl_definition_info info = arcl_source_describe(s, i);
        char *form = NULL;
        if (i) text_add(to, " | ");
        text_add(to, arcl_source_name(s, i, part, sizeof part));
        snprintf(part, sizeof part, " %s %d %d '%s' '%s':",
                 info.kind == ARCL_BATTERY_RESULT   ? "o"
                 : info.kind == ARCL_BATTERY_DIFFER ? "s"
                                                    : "-",
                 info.number, info.mutated, info.id, info.differ);
        text_add(to, part);
        if (arcl_source_format(context, s, i, 0, &form, NULL, NULL)) {
            text_add(to, " rejected");
            continue;
        }
        for (char *line = strchr(form, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
            snprintf(part, sizeof part, " %.*s;", (int)strcspn(line + 5, "\n"), line + 5);
            text_add(to, part);
        }
        arcl_text_free(form);
    }
}

TEST becomes(const char *source, const char *expected) {
    static text got;
    arcl_source *s = parsed(source);
    ASSERT_EQ(ARCL_TOKPIDJIN, arcl_source_dialect(s));
    programs_write(s, &got);
    for (int i = 0; i < arcl_source_count(s); i++)
        ASSERT_EQ(arcl_source_describe(s, i).kind != ARCL_SOLVER, arcl_source_is_battery(s, i));
    arcl_source_free(s);
    ASSERT_STR_EQ(expected, got.at);
    PASS();
}

SUITE(programs) {
    RUN_TESTp(becomes, HEAD "    t1 = mir_rot_t(I, R4)\n" O1 TAIL,
              "solve_fa11d043 o 1 0 'fa11d043' '': x1 = mir_rot_t(I, 4); return x1;");
    RUN_TESTp(becomes, HEAD "    t1 = size(I)\n    s.append((1, 'None', 'differ_a', t1))\n" TAIL,
              "differ_a s 1 0 'None' 'differ_a': x1 = size(I); return x1;");
    /* lines that a program does not need are not its own */
    RUN_TESTp(becomes,
              HEAD "    t1 = mir_rot_t(I, R4)\n    t2 = mir_rot_t(t1, R4)\n    o.append((2, True, 'x', t2))\n"
                   "    t3 = size(C)\n    s.append((3, 'x', 'differ_a', t3))\n" O1 TAIL,
              "solve_x o 2 1 'x' '': x1 = mir_rot_t(I, 4); x2 = mir_rot_t(x1, 4); return x2; | "
              "differ_a s 3 0 'x' 'differ_a': x1 = size(C); return x1; | "
              "solve_fa11d043 o 1 0 'fa11d043' '': x1 = mir_rot_t(I, 4); return x1;");
    RUN_TESTp(becomes,
              HEAD "    try:\n        t1 = rbind(o_g, R5)\n" TRIED "        t1 = _get_safe_default(rbind)\n"
                   "    try:\n        t2 = t1(I)\n" TRIED "        t2 = _get_safe_default(t1)\n"
                   "    o.append((2, False, 'x', t2))\n" TAIL,
              "solve_x o 2 0 'x' '': x1 = rbind(o_g, 5); x2 = x1(I); return x2;");
    RUN_TESTp(becomes,
              HEAD "    try:\n        t1 = size(I)\n    except:\n        t1 = _get_safe_default(size)\n" O1 TAIL,
              "solve_fa11d043 o 1 0 'fa11d043' '': x1 = size(I); return x1;");
    RUN_TESTp(becomes,
              HEAD "    t1, t2, t3, t4 = batch_process_samples_gpu(S)\n    o.append((1, False, 'a', t1))\n"
                   "    o.append((2, False, 'b', t2))\n    o.append((3, False, 'c', t3))\n"
                   "    o.append((4, False, 'd', t4))\n" TAIL,
              "solve_a o 1 0 'a' '': x1 = apply(first, S); return x1; | "
              "solve_b o 2 0 'b' '': x1 = apply(second, S); return x1; | "
              "solve_c o 3 0 'c' '': x1 = apply(first, S); x2 = mapply(p_g, x1); return x2; | "
              "solve_d o 4 0 'd' '': x1 = apply(second, S); x2 = mapply(p_g, x1); return x2;");
}

SUITE(text_around) {
    RUN_TESTp(becomes,
              "# Generated\n\nfrom dsl import *\nfrom safe_dsl import _get_safe_default\n\n" HEAD
              "    # - Arg change: t5 -> NEG_TEN\n    try:\n        # within\n        t1 = size( # a call\n"
              "            # between its lines\n            I)\n# at the margin\n" TRIED
              "        # here too\n        t1 = _get_safe_default(size)\n" O1 "    # last\n" TAIL "# end\n",
              "solve_fa11d043 o 1 0 'fa11d043' '': x1 = size(I); return x1;");
    RUN_TESTp(becomes, HEAD "    \"\"\"what it is\"\"\"\n    t1 = size(I)\n" O1 "    return o, s",
              "solve_fa11d043 o 1 0 'fa11d043' '': x1 = size(I); return x1;");
    /* programs beside it, and a battery that is none */
    RUN_TESTp(becomes, "def solve(S, I, C):\n    return I\n\n" HEAD "    t1 = size(I)\n" O1 TAIL,
              "solve - 0 0 '' '': return I; | solve_fa11d043 o 1 0 'fa11d043' '': x1 = size(I); return x1;");
    RUN_TESTp(becomes, "def batt(S, I):\n    return mir_rot_t(I, R4)\n",
              "batt - 0 0 '' '': x1 = mir_rot_t(I, 4); return x1;");
    /* no bound on lines that programs of other texts have */
    text many = {0};
    char line[80];
    text_add(&many, HEAD "    t1 = size(I)\n");
    for (int i = 2; i <= 5000; i++) {
        snprintf(line, sizeof line, "    t%d = increment(t%d)\n", i, i / 2);
        text_add(&many, line);
    }
    text_add(&many, "    o.append((5000, False, 'x', t2))\n" TAIL);
    RUN_TESTp(becomes, many.at, "solve_x o 5000 0 'x' '': x1 = size(I); x2 = increment(x1); return x2;");
    text_free(&many);
}

TEST the_dialect_can_be_said(void) {
    static const char source[] = HEAD "    t1 = size(I)\n" O1 TAIL;
    arcl_source *s = NULL;
    arcl_program *p = NULL;
    arcl_error error;
    ASSERT_EQ(0, arcl_source_parse_dialect(context, source, sizeof source - 1, "batt.py", ARCL_TOKPIDJIN, &s, NULL));
    ASSERT_EQ(ARCL_BATTERY_RESULT, arcl_source_describe(s, 0).kind);
    arcl_source_free(s);
    ASSERT_EQ(0, arcl_source_parse_dialect(context, source, sizeof source - 1, "batt.py", ARCL_ARC_DSL, &s, NULL));
    ASSERT_EQ(1, arcl_source_count(s));
    ASSERT_EQ(ARCL_INVALID, arcl_program_compile(context, s, 0, NULL, &p, &error));
    ASSERTm(error.message, strstr(error.message, "batt.py:1:5: such a battery is of the dialect tokpidjin"));
    arcl_source_free(s);
    PASS();
}

/* ---- names that stand for nothing ---- */

TEST unknown_names_spoil_their_programs_only(void) {
    arcl_compile_options safe = {.policy = ARCL_SAFE};
    arcl_error error = {{0}};
    arcl_program *p = NULL;
    arcl_source *s = parsed(HEAD "    t1 = make_all_dsl_safe(I)\n    t2 = siz(t1)\n    t3 = size(I)\n" O1
                                 "    o.append((2, False, 'x', t2))\n    o.append((3, False, 'y', t3))\n" TAIL);
    ASSERT_EQ(3, arcl_source_count(s));
    for (int i = 0; i < 3; i++) {
        ASSERT_EQ(i < 2 ? ARCL_INVALID : ARCL_SUCCESS, arcl_program_compile(context, s, i, NULL, &p, &error));
        if (i < 2) ASSERTm(error.message, strstr(error.message, i ? "'siz' is no op" : "'make_all_dsl_safe' is no op"));
        arcl_program_free(p);
        ASSERT_EQ(ARCL_SUCCESS, arcl_program_compile(context, s, i, &safe, &p, &error));
        arcl_program_free(p);
    }
    arcl_source_free(s);
    PASS();
}

/* ---- what is rejected ---- */

TEST rejected_at(const char *source, int line, int column, const char *says) {
    char where[32];
    arcl_error error = {{0}};
    arcl_program *p = NULL;
    arcl_compile_options safe = {.policy = ARCL_SAFE};
    arcl_source *s = parsed(source);
    ASSERT_EQ_FMT(1, arcl_source_count(s), "%d");
    ASSERT_EQ(ARCL_SOLVER, arcl_source_describe(s, 0).kind);
    ASSERT_EQ(ARCL_INVALID, arcl_program_compile(context, s, 0, &safe, &p, &error));
    arcl_source_free(s);
    snprintf(where, sizeof where, "batt.py:%d:%d: ", line, column);
    if (strncmp(where, error.message, strlen(where)) != 0) ASSERT_STR_EQ(where, error.message);
    if (!strstr(error.message, says)) ASSERT_STR_EQ(says, error.message);
    const char *problem = message_problem(error.message, "batt.py", source, strlen(source));
    ASSERTm(problem, !problem);
    PASS();
}

SUITE(rejections) {
    RUN_TESTp(rejected_at, "def batt(task_id, S, I, C):\n    return o, s\n", 1, 26, "',' is expected");
    RUN_TESTp(rejected_at, "def batt(task_id, I, S, C, log_path):\n    return o, s\n", 1, 19, "the parameters of a");
    RUN_TESTp(rejected_at, "def batt(task_id, S, I, C, log_path)\n    return o, s\n", 1, 37, "':' is expected");
    RUN_TESTp(rejected_at, "def batt(task_id, S, I, C, log_path):\n", 1, 1, "no body");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)\n" TAIL, 1, 1, "appends nothing");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)\n" O1, 1, 1, "does not end with 'return o, s'");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)\n" O1 "    return s, o\n", 6, 12, "'o' is expected");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)\n" O1 TAIL "    t2 = size(I)\n", 7, 5, "nothing can follow");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)\n      t2 = size(I)\n" O1 TAIL, 5, 7, "not indented like");
    /* lines */
    RUN_TESTp(rejected_at, HEAD "    x1 = size(I)\n" TAIL, 4, 5, "lines of a battery are");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)\n    t1 = size(C)\n" O1 TAIL, 5, 5, "assigned once");
    RUN_TESTp(rejected_at, HEAD "    t1 = I\n" O1 TAIL, 4, 10, "a line of a battery is a call");
    RUN_TESTp(rejected_at, HEAD "    t1 = 3\n" O1 TAIL, 4, 10, "the name of a function");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)(I)\n" O1 TAIL, 4, 10, "a line of a battery is a call");
    RUN_TESTp(rejected_at, HEAD "    t1 = unheard_of(I\n" O1 TAIL, 4, 20, "this '(' is not closed");
    RUN_TESTp(rejected_at, HEAD "    task_id = size(I)\n" O1 TAIL, 4, 5, "lines of a battery are");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I) size\n" O1 TAIL, 4, 18, "the end of the line");
    RUN_TESTp(rejected_at, HEAD "    t1, t2, t3 = batch_process_samples_gpu(S)\n" O1 TAIL, 4, 16, "',' is expected");
    RUN_TESTp(rejected_at, HEAD "    t1, t2, t3, t4 = size(S)\n" O1 TAIL, 4, 22, "'batch_process_samples_gpu'");
    /* tries */
    RUN_TESTp(rejected_at, HEAD "    try:\n    t1 = size(I)\n" TRIED, 5, 5, "an indented line");
    RUN_TESTp(rejected_at, HEAD "    try:\n        t1 = size(I)\n        t2 = size(I)\n", 6, 9, "'except' follows");
    RUN_TESTp(rejected_at, HEAD "    try:\n        t1 = size(I)\n" O1 TAIL, 6, 5, "'except' is expected");
    RUN_TESTp(rejected_at, HEAD "    try:\n        t1 = size(I)\n" TRIED "        t2 = _get_safe_default(size)\n", 7, 9,
              "the name that was tried");
    RUN_TESTp(rejected_at, HEAD "    try:\n        t1 = size(I)\n" TRIED "        t1 = _get_safe_default(first)\n", 7,
              32, "the function that was tried");
    RUN_TESTp(rejected_at, HEAD "    try:\n        t1 = size(I)\n" TRIED "        t1 = size(C)\n", 7, 14,
              "'_get_safe_default'");
    /* appends */
    RUN_TESTp(rejected_at, HEAD "    o.append((1, False, 'x', t1))\n" TAIL, 4, 30, "the name of a line before this");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)\n    o.append((1, False, 'x', I))\n", 5, 30, "the name of a line");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)\n    o.append((1, 0, 'x', t1))\n" TAIL, 5, 18, "True or False");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)\n    o.append((t1, True, 'x', t1))\n", 5, 15, "the number of a line");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)\n    o.append((1, True, x, t1))\n" TAIL, 5, 24, "the id of a task");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)\n    o.append((1, True, '../x', t1))\n" TAIL, 5, 24, "an id is made");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)\n    o.append((1, True, '', t1))\n" TAIL, 5, 24, "an id is made");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)\n    o.append((1, True, 'x'))\n" TAIL, 5, 27, "',' is expected");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)\n    o.append(1, True, 'x', t1)\n" TAIL, 5, 14, "'(' is expected");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)\n    s.append((1, 'x', t1))\n" TAIL, 5, 23, "the name of a differ");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)\n    s.append((1, None, 'd', t1))\n", 5, 18, "or None, in quotes");
    RUN_TESTp(rejected_at, HEAD "    t1 = size(I)\n    s.extend((1, 'x', 'd', t1))\n" TAIL, 5, 7, "'append'");
    RUN_TESTp(rejected_at, HEAD "    s = []\n" TAIL, 4, 9, "this list is there already");
    RUN_TESTp(rejected_at, HEAD "    s = ()\n" TAIL, 4, 9, "this list is there already");
    RUN_TESTp(rejected_at, "def batt(task_id, S, I, C, log_path):\n    t1 = size(I)\n" O1 TAIL, 3, 5,
              "is not there yet");
}

/* A battery that is none leaves what follows alone. */
TEST the_next_definition_is_read(void) {
    char name[40];
    arcl_source *s = parsed(HEAD "    t1 = size(I\n" TAIL "\ndef solve_x(S, I, C):\n    return mir_rot_t(I, R4)\n");
    ASSERT_EQ(2, arcl_source_count(s));
    ASSERT_STR_EQ("batt", arcl_source_name(s, 0, name, sizeof name));
    ASSERT_STR_EQ("solve_x", arcl_source_name(s, 1, name, sizeof name));
    arcl_source_free(s);
    PASS();
}

/* ---- a program of it alone ---- */

TEST what_counts(const char *line, const char *expected) {
    char source[400], type[40];
    static const char *const types[] = {"[[grid]]", "grid", "grid"};
    arcl_compile_options options = {.types = types, .type_count = 3, .policy = ARCL_SAFE, .counts_only = 1};
    arcl_program *p = NULL;
    snprintf(source, sizeof source,
             HEAD "    t1 = size(I)\n    t2 = %s\n    s.append((2, 'None', 'd', t2))\n"
                  "    o.append((2, True, 'x', t2))\n" TAIL,
             line);
    arcl_source *s = parsed(source);
    ASSERT_EQ(ARCL_SUCCESS, arcl_program_compile(context, s, 0, &options, &p, NULL));
    ASSERT_STR_EQ(expected, arcl_program_result_type(p, type, sizeof type));
    arcl_program_free(p);
    ASSERT_EQ(ARCL_SUCCESS, arcl_program_compile(context, s, 1, &options, &p, NULL));
    ASSERT_STR_EQ("bool", arcl_program_result_type(p, type, sizeof type));
    arcl_program_free(p);
    arcl_source_free(s);
    PASS();
}

SUITE(scores) {
    RUN_TESTp(what_counts, "astuple(t1, I)", "int");
    RUN_TESTp(what_counts, "astuple(t1, t1)", "int");
    RUN_TESTp(what_counts, "astuple(I, t1)", "int");
    RUN_TESTp(what_counts, "size(I)", "int");
    RUN_TESTp(what_counts, "initset(t1)", "int");
    RUN_TESTp(what_counts, "totuple(p_g)", "int");
    RUN_TESTp(what_counts, "p_g(I)", "[int]");
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    arcl_options options = {.threads = 1, .device = "host", .profile = ""};
    if (arcl_context_create(&options, &context, NULL)) return 1;
    RUN_SUITE(programs);
    RUN_SUITE(text_around);
    RUN_TEST(the_dialect_can_be_said);
    RUN_TEST(unknown_names_spoil_their_programs_only);
    RUN_SUITE(rejections);
    RUN_TEST(the_next_definition_is_read);
    RUN_SUITE(scores);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
