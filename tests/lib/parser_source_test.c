/* Tests of lib/language/parser_source.c: a long text is the same definitions, with the same messages, however many
 * threads share it. What could go wrong is what swallows the places where a text is cut, so that is put everywhere. */
#include "language/syntax.h"
#include "support/evaluation.h"

#include "greatest.h"

enum { DEFINITIONS = 900 }; /* some sixty kilobytes, which are several parts */

static arcl_context *alone, *together;

static void add_definition(text *t, int number) {
    char line[200];
    snprintf(line, sizeof line, "def solve_%04d(I):\n    x1 = objects(I, T, F, %s)\n    return x%d\n\n", number,
             number % 3 ? "T" : "F", number % 50 == 7 ? 2 : 1);
    text_add(t, line);
}

static void add_error(text *t, const arcl_error *e) {
    text_add(t, e->message);
    text_add(t, "\n");
}

/* Everything that a source says: names, places, normal forms, messages. */
static void describe_source(arcl_context *c, const text *t, arcl_dialect dialect, text *to) {
    arcl_source *s = NULL;
    arcl_error error = {""};
    char line[200];
    text_clear(to);
    if (arcl_source_parse_dialect(c, t->at, t->length, "file.py", dialect, &s, &error)) {
        add_error(to, &error);
        return;
    }
    snprintf(line, sizeof line, "%d definitions in dialect %d\n", arcl_source_count(s), (int)arcl_source_dialect(s));
    text_add(to, line);
    for (int i = 0; i < arcl_source_count(s); i++) {
        const definition *d = s->definition[i];
        char *form = NULL;
        snprintf(line, sizeof line, "%.*s %u %u %d %d %u\n", (int)d->name_length, d->name ? d->name : "", d->at, d->end,
                 d->failed, d->unknown_names, d->expressions);
        text_add(to, line);
        if (arcl_source_format(c, s, i, 0, &form, NULL, &error))
            add_error(to, &error);
        else
            text_add(to, form);
        arcl_text_free(form);
    }
    arcl_source_free(s);
}

TEST is_the_same(const text *t, arcl_dialect dialect) {
    static text one, many;
    describe_source(alone, t, dialect, &one);
    describe_source(together, t, dialect, &many);
    ASSERT_STR_EQ(one.at, many.at);
    PASS();
}

/* A text with that between some of its definitions. */
TEST is_the_same_with(const char *odd, int every) {
    static text t;
    text_clear(&t);
    for (int i = 0; i < DEFINITIONS; i++) {
        add_definition(&t, i);
        if (every && i % every == every / 2) text_add(&t, odd);
    }
    CHECK_CALL(is_the_same(&t, ARCL_DIALECT_AUTO));
    CHECK_CALL(is_the_same(&t, ARCL_ARC_DSL));
    CHECK_CALL(is_the_same(&t, ARCL_TOKPIDJIN));
    PASS();
}

SUITE(odd_texts) {
    static const char *const odd[] = {
        "", "\"\"\"\nA text of several lines.\n\"\"\"\n", "\"\"\"\n", "'''\n", "\"no end\n", "'a line that goes on\\\n",
        "\"\"\"a text\"\"\" \\\n", "import dsl\n", "from dsl import *\n", "from dsl import ( \\\n", "x = (1,\n",
        "x = [\n", "def broken(I:\n", "def broken(I):\n    return add(1, (2\n",
        "def broken(I):\n    return add(1, \\\n", "def broken(I):\n    x1 = '''\n", "def\n", "def broken", "def \\\n",
        "# a comment \\\n", "    x3 = I\n", ")\n", "\\\n", "\f\n", "\r\n", "$ $\n",
        "battery(I):\n    t1 = size(I)\n    return a: t1\n    return b: t1\n",
        /* words that only tokpidjin has, and its batteries */
        "def other(S, I, C):\n    return mir_rot_t(I, R4)\n",
        ("def batt(task_id, S, I, C, log_path):\n    s = []\n    o = []\n    t1 = mir_rot_t(I, R4)\n"
         "    o.append((1, False, 'fa11d043', t1))\n    return o, s\n")};
    static const int every[] = {1, 7, DEFINITIONS / 2, DEFINITIONS};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        for (size_t n = 0; n < sizeof every / sizeof *every; n++) RUN_TESTp(is_the_same_with, odd[i], every[n]);
}

/* Places of the text, one after the other, are overwritten. */
TEST is_the_same_with_mishaps(const char *mishap) {
    static text t;
    uint32_t random = 1;
    text_clear(&t);
    for (int i = 0; i < DEFINITIONS; i++) add_definition(&t, i);
    for (int i = 0; i < 12; i++) {
        random = random * 1664525 + 1013904223;
        memcpy(t.at + random % (t.length - strlen(mishap)), mishap, strlen(mishap));
        CHECK_CALL(is_the_same(&t, ARCL_DIALECT_AUTO));
    }
    PASS();
}

/* Who parses on a thread of the context, as the work of arcl_parallel, does so alone. */
typedef struct inside {
    const text *t;
    int count[8];
} inside;

static void parse_inside(void *arg, uint32_t index) {
    inside *in = arg;
    arcl_source *s = NULL;
    if (arcl_source_parse(together, in->t->at, in->t->length, "file.py", &s, NULL)) return;
    in->count[index] = arcl_source_count(s);
    arcl_source_free(s);
}

TEST threads_of_the_context_can_parse(void) {
    text t = {0};
    inside in = {.t = &t};
    for (int i = 0; i < DEFINITIONS; i++) add_definition(&t, i);
    arcl_parallel(together, 8, parse_inside, &in);
    for (int i = 0; i < 8; i++) ASSERT_EQ_FMT((int)DEFINITIONS, in.count[i], "%d");
    text_free(&t);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    arcl_options options = {.threads = 1, .device = "host", .profile = ""};
    if (arcl_context_create(&options, &alone, NULL)) return 1;
    options.threads = 4;
    if (arcl_context_create(&options, &together, NULL)) return 1;
    RUN_SUITE(odd_texts);
    RUN_TESTp(is_the_same_with_mishaps, "\"\"\"");
    RUN_TESTp(is_the_same_with_mishaps, "(");
    RUN_TESTp(is_the_same_with_mishaps, "\\\n");
    RUN_TESTp(is_the_same_with_mishaps, "\ndef ");
    RUN_TEST(threads_of_the_context_can_parse);
    arcl_context_free(alone);
    arcl_context_free(together);
    GREATEST_MAIN_END();
}
