/* Tests of lib/language/normal.c, lib/language/normal_inline.c and lib/language/tree_text.c, through the public entry:
 * what a normal form looks like, what it leaves out, and that random programs keep theirs, and their results, however
 * they are written. */
#include "support/evaluation.h"

#include "greatest.h"

static arcl_context *context;

/* The text of definition 0; "" and *error if it has none. To be freed. */
static char *formatted(const char *source, int inline_uses, arcl_error *error) {
    arcl_source *s;
    char *made;
    if (arcl_source_parse(context, source, strlen(source), "file.py", &s, error)) abort();
    if (arcl_source_format(context, s, 0, inline_uses, &made, NULL, error)) made = NULL;
    arcl_source_free(s);
    return made ? made : calloc(1, 1);
}

static arcl_key key_of(const char *source) {
    arcl_source *s;
    arcl_key key = {0};
    if (arcl_source_parse(context, source, strlen(source), "file.py", &s, NULL) ||
        arcl_source_key(context, s, 0, &key, NULL))
        abort();
    arcl_source_free(s);
    return key;
}

/* A definition "def f(I):" with that body, which is written as in evaluation.h, but with its return. */
static const char *with_head(const char *body) {
    static char whole[65536];
    size_t n = (size_t)snprintf(whole, sizeof whole, "def f(I):\n");
    for (const char *at = body; *at;) {
        size_t length = strcspn(at, ";");
        n += (size_t)snprintf(whole + n, sizeof whole - n, "    %.*s\n", (int)length, at);
        at += length + (at[length] == ';');
        while (*at == ' ') at++;
    }
    return whole;
}

TEST becomes(const char *body, const char *expected, int inline_uses) {
    arcl_error error = {{0}};
    char *first = formatted(with_head(body), inline_uses, &error), *again = formatted(first, inline_uses, &error);
    ASSERT_STR_EQ(with_head(expected), first);
    ASSERT_STR_EQ(first, again);
    free(first);
    free(again);
    PASS();
}

TEST agree(const char *one, const char *other, int expected) {
    arcl_error error;
    char *a = formatted(with_head(one), 0, &error), *b = formatted(with_head(other), 0, &error);
    arcl_key x = key_of(with_head(one)), y = key_of(with_head(other));
    ASSERT(*a && *b);
    ASSERT_EQ(expected, strcmp(a, b) == 0);
    ASSERT_EQ(expected, x.high == y.high && x.low == y.low);
    free(a);
    free(b);
    PASS();
}

/* ---- what it looks like ---- */

SUITE(texts) {
    RUN_TESTp(becomes, "return I", "return I", 0);
    RUN_TESTp(becomes, "return (1, F)", "x1 = (1, F); return x1", 0);
    RUN_TESTp(becomes, "O = rot90(I); return O", "x1 = rot90(I); return x1", 0);
    RUN_TESTp(becomes, "return hconcat(rot90(I), rot90(I))", "x1 = rot90(I); x2 = hconcat(x1, x1); return x2", 0);
    RUN_TESTp(becomes, "a = height(I); b = width(I); return astuple(b, a)",
              "x1 = width(I); x2 = height(I); x3 = (x1, x2); return x3", 0);
    RUN_TESTp(becomes, "f = compose(rot90, hmirror); return f(I)",
              "x1 = compose(rot90, hmirror); x2 = x1(I); return x2", 0);
    RUN_TESTp(becomes, "return fill(I, NEG_TWO, ((0, 1), (2, -3)))",
              "x1 = ((0, 1), (2, -3)); x2 = fill(I, -2, x1); return x2", 0);
    RUN_TESTp(becomes, "return ((), (I,), (T, True), DOWN)",
              "x1 = (); x2 = (I,); x3 = (T, T); x4 = (x1, x2, x3, (1, 0)); return x4", 0);
    RUN_TESTp(becomes, "I = rot90(I); I = rot90(I); return I", "x1 = rot90(I); x2 = rot90(x1); return x2", 0);
    RUN_TESTp(becomes, "size = rot90(I); T = hmirror(size); return T", "x1 = rot90(I); x2 = hmirror(x1); return x2", 0);
    RUN_TESTp(becomes, "return 3(I)(-2147483647)", "x1 = 3(I); x2 = x1(-2147483647); return x2", 0);
}

SUITE(inlined) {
    RUN_TESTp(becomes, "return I", "return I", 1);
    RUN_TESTp(becomes, "O = rot90(I); return O", "return rot90(I)", 1);
    RUN_TESTp(becomes, "f = compose(rot90, hmirror); return f(I)", "return compose(rot90, hmirror)(I)", 1);
    RUN_TESTp(becomes, "a = rot90(I); b = hmirror(a); return hconcat(a, b)",
              "x1 = rot90(I); return hconcat(x1, hmirror(x1))", 1);
    RUN_TESTp(becomes, "a = rot90(I); b = hconcat(a, a); return hconcat(b, b)",
              "x1 = rot90(I); x2 = hconcat(x1, x1); return hconcat(x2, x2)", 1);
    RUN_TESTp(becomes, "d = first(asobject(I)); return rot90(I)", "x1 = first(asobject(I)); return rot90(I)", 1);
    RUN_TESTp(becomes, "d = rot90(I); e = hmirror(d); return d", "x1 = rot90(I); x2 = hmirror(x1); return x1", 1);
}

/* ---- what counts, and what does not ---- */

SUITE(same) {
    RUN_TESTp(agree, "x = rot90(I); return x", "O = rot90(I); return O", 1);
    RUN_TESTp(agree, "return fill(I, 2, I)", "return fill(I, TWO, I)", 1);
    RUN_TESTp(agree, "return shift(asobject(I), (1, 0))", "return shift(asobject(I), DOWN)", 1);
    RUN_TESTp(agree, "return shift(asobject(I), (1, 0))", "return shift(asobject(I), astuple(ONE, ZERO))", 1);
    RUN_TESTp(agree, "return objects(I, T, F, T)", "return objects(I, True, False, True)", 1);
    RUN_TESTp(agree, "return recolor(3, asobject(I))", "return recolor(patch=asobject(I), value=THREE)", 1);
    RUN_TESTp(agree, "return identity(rot90(I))", "return rot90(I)", 1);
    RUN_TESTp(agree, "a = rot90(I); b = hmirror(I); return hconcat(a, b)",
              "b = hmirror(I); a = rot90(I); return hconcat(a, b)", 1);
    RUN_TESTp(agree, "a = 3; b = a; return switch(I, b, a)", "return switch(I, 3, 3)", 1);
    RUN_TESTp(agree, "d = divide(1, height(I)); e = first(asobject(I)); return I",
              "e = first(asobject(I)); d = divide(1, height(I)); return I", 1);
}

SUITE(different) {
    RUN_TESTp(agree, "return rot90(I)", "return rot180(I)", 0);
    RUN_TESTp(agree, "return add(1, 2)", "return add(2, 1)", 0);
    RUN_TESTp(agree, "return add(1, 2)", "return add(1, T)", 0);
    RUN_TESTp(agree, "return initset(1)", "return initset(T)", 0);
    RUN_TESTp(agree, "return (1, 2)", "return (1, 2, 2)", 0);
    RUN_TESTp(agree, "return compose(rot90, hmirror)(I)", "return rot90(hmirror(I))", 0);
}

SUITE(dead_code) {
    RUN_TESTp(agree, "f = compose(rot90, first); g = lbind(fill, I); t = (f, g, I); s = initset(t); return I",
              "return I", 1);
    RUN_TESTp(agree, "e = equality(I, 3); return I", "return I", 1);
    RUN_TESTp(agree, "m = matcher(size, rot90); p = power(rot90, 3); c = chain(m, p, fork(add, m, m)); return I",
              "return I", 1);
    /* These may fail, in a lane or in the compiler. */
    RUN_TESTp(agree, "e = first(I); return I", "return I", 0);
    RUN_TESTp(agree, "e = initset(first(I)); return I", "e = first(I); return I", 1);
    RUN_TESTp(agree, "e = compose(3, rot90); return I", "return I", 0);
    RUN_TESTp(agree, "e = lbind(rot90, I); return I", "return I", 0);
    RUN_TESTp(agree, "e = power(rot90, I); return I", "return I", 0);
    RUN_TESTp(agree, "e = equality(I); return I", "return I", 0);
    RUN_TESTp(agree, "e = 3(I); return I", "return I", 0);
}

TEST parameters_keep_what_they_mean(void) {
    arcl_error error;
    char *made = formatted("def g(S: Pairs, I, other, C):\n    return (S, I, other, C)\n", 0, &error);
    ASSERT_STR_EQ("def g(S, I, p3, C):\n    x1 = (S, I, p3, C)\n    return x1\n", made);
    free(made);
    PASS();
}

TEST names_do_not_count_for_keys(void) {
    arcl_key a = key_of("def f(I):\n    return rot90(I)\n"), b = key_of("def solve(I):\n    return rot90(I)\n");
    arcl_key c = key_of("def f(S):\n    return rot90(S)\n");
    ASSERT(a.high == b.high && a.low == b.low);
    ASSERT_FALSE(a.high == c.high && a.low == c.low);
    ASSERT_EQ_FMT(0x0ull, (unsigned long long)(a.high ^ b.high), "%llx");
    PASS();
}

/* ---- what cannot be formatted ---- */

TEST a_syntax_error_has_its_place(void) {
    static const char source[] = "def f(I):\n    x = rot91(I)\n    return x\n";
    arcl_error error = {{0}};
    char *made = formatted(source, 0, &error);
    ASSERT_STR_EQ("", made);
    ASSERT_EQ(NULL, message_problem(error.message, "file.py", source, sizeof source - 1));
    free(made);
    PASS();
}

/* ---- large ones ---- */

/* A chain of calls, each used once, of which every line has `nested`. */
static void write_chain(text *to, int lines, int nested) {
    char line[64];
    text_clear(to);
    text_add(to, "def f(I):\n    x = I\n");
    for (int i = 0; i < lines; i++) {
        text_add(to, "    x = ");
        for (int n = 0; n < nested; n++) text_add(to, n % 2 ? "rot90(" : "add(1, ");
        text_add(to, "x");
        for (int n = 0; n < nested; n++) text_add(to, ")");
        snprintf(line, sizeof line, "\n    y%d = first(add(x, %d))\n", i % 300, i);
        text_add(to, line);
    }
    text_add(to, "    return x\n");
}

/* Whether the text is one that can be read again and is final. */
static int is_final(const char *made, int inline_uses) {
    arcl_error error = {{0}};
    char *again = formatted(made, inline_uses, &error);
    int same = strcmp(made, again) == 0;
    if (!same) printf("%s\n", error.message);
    free(again);
    return same;
}

TEST deep_chains_are_cut(int lines, int nested) {
    text source = {0};
    arcl_error error = {{0}};
    write_chain(&source, lines, nested);
    for (int inline_uses = 0; inline_uses < 2; inline_uses++) {
        char *made = formatted(source.at, inline_uses, &error);
        ASSERTm(error.message, *made);
        ASSERT(is_final(made, inline_uses));
        free(made);
    }
    text_free(&source);
    PASS();
}

TEST too_many_variables_are_reported(void) {
    text source = {0};
    arcl_error error = {{0}};
    write_chain(&source, 5000, 150);
    char *made = formatted(source.at, 0, &error);
    ASSERT_STR_EQ("", made);
    ASSERT(strstr(error.message, "variables") && strstr(error.message, "400"));
    free(made);
    text_free(&source);
    PASS();
}

/* ---- random programs, written in many ways ---- */

enum { GRID, INT, FUNCTION, KINDS, STATEMENTS = 24, MOST_ARGUMENTS = 3 };

typedef struct call_kind {
    const char *op, *keyword[MOST_ARGUMENTS];
    int result, arguments, argument[MOST_ARGUMENTS];
} call_kind;

static const call_kind calls[] = {
    {"rot90", {"grid"}, GRID, 1, {GRID}},
    {"hmirror", {"piece"}, GRID, 1, {GRID}},
    {"tophalf", {"grid"}, GRID, 1, {GRID}},
    {"hconcat", {"a", "b"}, GRID, 2, {GRID, GRID}},
    {"replace", {"grid", "replacee", "replacer"}, GRID, 3, {GRID, INT, INT}},
    {"upscale", {NULL}, GRID, 2, {GRID, INT}},
    {"height", {"piece"}, INT, 1, {GRID}},
    {"colorcount", {NULL}, INT, 2, {GRID, INT}},
    {"leastcolor", {NULL}, INT, 1, {GRID}},
    {"divide", {"a", "b"}, INT, 2, {INT, INT}},
    {"subtract", {"a", "b"}, INT, 2, {INT, INT}},
    {"compose", {NULL}, FUNCTION, 2, {FUNCTION, FUNCTION}},
    {NULL, {NULL}, GRID, 2, {FUNCTION, GRID}}, /* a call of a function */
};

typedef struct random_statement {
    const call_kind *call;
    int argument[MOST_ARGUMENTS]; /* a statement; or -1 - n: leaf n of its kind */
    int uses;
} random_statement;

typedef struct random_program {
    random_statement at[STATEMENTS];
    int result;
} random_program;

static const char *const leaves[KINDS][4][2] = {
    {{"I", "I"}, {"I", "I"}, {"I", "I"}, {"I", "I"}},
    {{"2", "TWO"}, {"0", "ZERO"}, {"-1", "NEG_ONE"}, {"3", "THREE"}},
    {{"vmirror", "vmirror"}, {"rot180", "rot180"}, {"dmirror", "dmirror"}, {"identity", "identity"}},
};

static void make_program(randomness *r, random_program *p) {
    enum { CALLS = sizeof calls / sizeof *calls };
    *p = (random_program){.result = -1};
    for (int i = 0; i < STATEMENTS; i++) {
        random_statement *s = &p->at[i];
        s->call = &calls[random_below(r, CALLS)];
        for (int a = 0; a < s->call->arguments; a++) {
            s->argument[a] = -1 - (int)random_below(r, 4);
            for (int tries = 0; tries < 4 && s->argument[a] < 0 && i; tries++) {
                int other = (int)random_below(r, (uint32_t)i);
                if (p->at[other].call->result == s->call->argument[a]) s->argument[a] = other;
            }
            if (s->argument[a] >= 0) p->at[s->argument[a]].uses++;
        }
        if (s->call->result == GRID) p->result = i;
    }
    if (p->result >= 0) p->at[p->result].uses++;
}

/* One way of writing the program: which statements are inlined, how they are named, in what order they come. */
typedef struct writing {
    randomness *r;
    const random_program *p;
    int plain; /* nothing is done to it */
    int inlined[STATEMENTS], written[STATEMENTS], name[STATEMENTS];
} writing;

static int chance(writing *w, uint32_t of) { return !w->plain && random_below(w->r, of) == 0; }

static void write_call(writing *w, int number, text *to);

static void write_argument(writing *w, int kind, int argument, text *to) {
    char name[16];
    int wrap = kind != FUNCTION && chance(w, 8);
    if (wrap) text_add(to, "identity(");
    if (argument < 0)
        text_add(to, leaves[kind][-1 - argument][chance(w, 2)]);
    else if (w->inlined[argument])
        write_call(w, argument, to);
    else {
        snprintf(name, sizeof name, "v%d", w->name[argument]);
        text_add(to, name);
    }
    if (wrap) text_add(to, ")");
}

static void write_call(writing *w, int number, text *to) {
    const random_statement *s = &w->p->at[number];
    const call_kind *c = s->call;
    int first = 0, keywords = c->op && c->keyword[0] && chance(w, 3);
    if (!c->op) write_argument(w, FUNCTION, s->argument[first++], to);
    text_add(to, c->op ? c->op : "");
    text_add(to, "(");
    for (int n = first; n < c->arguments; n++) {
        int a = keywords ? c->arguments - 1 - n : n;
        if (n > first) text_add(to, ", ");
        if (keywords) text_add(to, c->keyword[a]);
        if (keywords) text_add(to, "=");
        write_argument(w, c->argument[a], s->argument[a], to);
    }
    text_add(to, ")");
}

/* Whether all that a statement needs has been written; what is inlined needs what it is made of. */
static int is_ready(const writing *w, int number) {
    const random_statement *s = &w->p->at[number];
    for (int a = 0; a < s->call->arguments; a++) {
        int n = s->argument[a];
        if (n >= 0 && (w->inlined[n] ? !is_ready(w, n) : !w->written[n])) return 0;
    }
    return 1;
}

static void write_statement(writing *w, int number, text *to) {
    char head[32];
    snprintf(head, sizeof head, "    v%d = ", w->name[number]);
    text_add(to, head);
    write_call(w, number, to);
    text_add(to, "\n");
    w->written[number] = 1;
    if (chance(w, 10)) text_add(to, "    unused = (I, lbind(add, 3))\n");
}

static void write_program(randomness *r, const random_program *p, int plain, text *to) {
    writing w = {.r = r, .p = p, .plain = plain};
    int left = 0;
    for (int i = 0; i < STATEMENTS; i++) {
        w.name[i] = plain ? i : (i * 7 + 5) % STATEMENTS + 100;
        w.inlined[i] = i != p->result && p->at[i].uses == 1 && chance(&w, 2);
        left += !w.inlined[i];
    }
    text_clear(to);
    text_add(to, plain ? "def f(I):\n" : "# another\ndef g(I: Grid) -> Grid:\n    \"\"\"text\"\"\"\n");
    while (left) {
        int i = plain ? 0 : (int)random_below(r, STATEMENTS);
        while (w.inlined[i] || w.written[i] || !is_ready(&w, i)) i = (i + 1) % STATEMENTS;
        write_statement(&w, i, to);
        left--;
    }
    text_add(to, "    return ");
    write_argument(&w, GRID, p->result, to);
    text_add(to, "\n");
}

/* Steps, and what they yield for a few grids; or the message, if the program is rejected. */
static void behaviour(const char *source, text *to) {
    static const signed char cells[] = {1, 2, 0, 2, 3, 3, 0, 2, 1, 5, 5, 5};
    arcl_error error = {{0}};
    arcl_source *s = NULL;
    arcl_program *p = NULL;
    arcl_batch *b = NULL;
    arcl_result *r = NULL;
    char steps[32];
    text_clear(to);
    if (arcl_source_parse(context, source, strlen(source), "file.py", &s, &error) ||
        arcl_program_compile(context, s, 0, NULL, &p, &error)) {
        text_add(to, "rejected");
    } else if (arcl_batch_create(context, "grid", &b, &error) || arcl_batch_add_grid(b, 3, 4, cells, &error) ||
               arcl_batch_add_grid(b, 2, 2, cells, &error) || arcl_batch_add_grid(b, 1, 1, cells, &error) ||
               arcl_run(context, p, b, &r, &error)) {
        text_add(to, error.message);
    } else {
        snprintf(steps, sizeof steps, "%d steps: ", arcl_program_steps(p));
        text_add(to, steps);
        result_write(r, to);
    }
    arcl_result_free(r);
    arcl_batch_free(b);
    arcl_program_free(p);
    arcl_source_free(s);
}

static int ran, failed;

/* Both forms of both texts are the same but for the name, final, and do what the text does. */
static const char *compare_writings(const char *plain, const char *other) {
    static text expected, got;
    const char *problem = NULL;
    arcl_error error = {{0}};
    behaviour(plain, &expected);
    behaviour(other, &got);
    if (strcmp(expected.at, got.at) != 0) problem = "it does something else";
    ran += strstr(expected.at, "[[") != NULL;
    failed += strstr(expected.at, "DIVIDE") != NULL || strstr(expected.at, "SHAPE") != NULL;
    for (int inline_uses = 0; inline_uses < 2 && !problem; inline_uses++) {
        char *a = formatted(plain, inline_uses, &error), *b = formatted(other, inline_uses, &error);
        behaviour(a, &got);
        if (!*a || !*b || strcmp(strchr(a, '('), strchr(b, '(')) != 0) problem = "another normal form";
        if (!problem && strcmp(expected.at, got.at) != 0) problem = "the normal form does something else";
        if (!problem && !is_final(a, inline_uses)) problem = "the normal form of the normal form";
        free(a);
        free(b);
    }
    return problem;
}

TEST random_programs_keep_their_normal_form(void) {
    randomness r = {2026};
    text plain = {0}, other = {0};
    random_program p;
    for (int i = 0; i < 1500; i++) {
        make_program(&r, &p);
        if (p.result < 0) continue;
        write_program(&r, &p, 1, &plain);
        for (int way = 0; way < 3; way++) {
            write_program(&r, &p, 0, &other);
            const char *problem = compare_writings(plain.at, other.at);
            if (problem) printf("\n%s\n%s", plain.at, other.at);
            ASSERT_EQm(problem, NULL, problem);
        }
    }
    ASSERT(ran > 100 && failed > 100);
    text_free(&plain);
    text_free(&other);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    arcl_options options = {.threads = 1};
    if (arcl_context_create(&options, &context, NULL)) return EXIT_FAILURE;
    RUN_SUITE(texts);
    RUN_SUITE(inlined);
    RUN_SUITE(same);
    RUN_SUITE(different);
    RUN_SUITE(dead_code);
    RUN_TEST(parameters_keep_what_they_mean);
    RUN_TEST(names_do_not_count_for_keys);
    RUN_TEST(a_syntax_error_has_its_place);
    RUN_TESTp(deep_chains_are_cut, 150, 1);
    RUN_TESTp(deep_chains_are_cut, 40, 190);
    RUN_TESTp(deep_chains_are_cut, 10, 199);
    RUN_TEST(too_many_variables_are_reported);
    RUN_TEST(random_programs_keep_their_normal_form);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
