/* Tests of tools/data/json_reader.c: ordinary texts are read, all others are left to jansson, and what is read means
 * the same to both, in texts as they are in files and in those that differ from them a little. */
#include "greatest.h"
#include "support/json_agreement.h"
#include "support/randomness.h"

#define DEEP_10 "[[[[[[[[[["
#define ENDS_10 "]]]]]]]]]]"
#define DEEP_60 DEEP_10 DEEP_10 DEEP_10 DEEP_10 DEEP_10 DEEP_10
#define ENDS_60 ENDS_10 ENDS_10 ENDS_10 ENDS_10 ENDS_10 ENDS_10
#define MEMBERS                                                                                                        \
    "\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1,\"k\":1,\"l\":1,\"m\":1,\"n\":1"

static const char *const ordinary[] = {
    "{\"train\": [{\"input\": [[0, 1], [2, 3]], \"output\": [[9]]}], \"test\": []}",
    "{\"id\":\"x\",\"program\":\"def f(I):\\n    return \\\"\\\\/\\b\\f\\r\\t\",\"types\":[\"grid\"]}",
    "{\"lanes\":[{\"in\":[[[5,0]],{\"set\":[[1,[0,0]]]}],\"out\":true},{\"out\":false,\"error\":null}]}",
    "[]",
    "{}",
    " [ 1 , 2 ]\r\n\t",
    "[0,9,10,99,100,127]",
    "[0,128]",
    "[-1,1,-999999999999999999,999999999999999999]",
    "[1,[2,[3]],\"\",\"\x7f\"]",
    "{\"\":0,\"a\":0,\"aa\":0}",
    DEEP_60 "[[[[1]]]]" ENDS_60,
    "{" MEMBERS ",\"o\":1,\"p\":1,\"q\":1}",
};

static const char *const odd[] = {
    "[1.5]",          "[1e2]",   "[-0]",      "[9223372036854775807]",       "[\"\\u0041\"]",
    "[\"\xc3\xa4\"]", "[0,1.5]", "[127,1E0]", DEEP_60 "[[[[[1]]]]]" ENDS_60,
};

static const char *const wrong[] = {
    "",
    " ",
    "1",
    "\"a\"",
    "true",
    "[",
    "]",
    "{",
    "}",
    "[1",
    "[1,",
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1]]",
    "[1]x",
    "[1],",
    "[01]",
    "[00]",
    "[0,01]",
    "[1,007]",
    "[-]",
    "[- 1]",
    "[-01]",
    "[+1]",
    "[1.]",
    "[.5]",
    "[1e]",
    "[0x1]",
    "[9223372036854775808]",
    "[NaN]",
    "[Infinity]",
    "[tru]",
    "[truex]",
    "[True]",
    "[nul",
    "[nulll]",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{a:1}",
    "{1:1}",
    "{\"a\":1 \"b\":2}",
    "{\"a\":1,\"a\":2}",
    "{\"b\":{\"a\":1,\"\\u0061\":2}}",
    "{" MEMBERS ",\"o\":1,\"p\":1,\"c\":1}",
    "{" MEMBERS ",\"c\":1}",
    "[\"]",
    "[\"a",
    "[\"\\",
    "[\"\\\"]",
    "[\"\\x\"]",
    "[\"\\u12\"]",
    "[\"\\u0000\"]",
    "[\"\\ud800\"]",
    "[\"\n\"]",
    "[\"\\\n\"]",
    "[\"\x1f\"]",
    "[\"\xff\"]",
    "[\"\xc3\"]",
    "[1]\v",
    "[\f1]",
    "\xef\xbb\xbf[1]",
    "[1] // no",
    "['a']",
    "[1]\x01",
};

static json_verdict judge(const char *text) { return json_judge(text, strlen(text)); }

TEST ordinary_texts_are_read(void) {
    for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary; i++)
        ASSERT_EQm(ordinary[i], JSON_READ, judge(ordinary[i]));
    PASS();
}

TEST odd_texts_are_left(void) {
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) ASSERT_EQm(odd[i], JSON_LEFT, judge(odd[i]));
    PASS();
}

TEST wrong_texts_are_refused(void) {
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) ASSERT_EQm(wrong[i], JSON_LEFT_REFUSED, judge(wrong[i]));
    ASSERT_EQ(JSON_LEFT_REFUSED, json_judge("[1]\0", 4));
    ASSERT_EQ(JSON_LEFT_REFUSED, json_judge("[1,\0]", 5));
    ASSERT_EQ(JSON_LEFT_REFUSED, json_judge("[\"a\0\"]", 6));
    PASS();
}

/* A row that is longer than any grid's is still an array. */
TEST long_rows_are_read(void) {
    char text[4096];
    for (int count = 250; count < 260; count++) {
        size_t at = 0;
        for (int i = 0; i < count; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%c%d", i ? ',' : '[', i % 128);
        snprintf(text + at, sizeof text - at, "]");
        ASSERT_EQ(JSON_READ, judge(text));
    }
    PASS();
}

TEST rows_are_one_node(void) {
    hoard memory = {0};
    json_node root;
    const char *text = "[[1,2,127],[1,128],[]]";
    ASSERT_EQ(0, json_reader_read(text, strlen(text), &memory, &root));
    ASSERT_EQ(3, node_size(root));
    ASSERT_EQ(NODE_ROW, node_item(root, 0).kind);
    ASSERT_EQ(NODE_ARRAY, node_item(root, 1).kind);
    ASSERT_EQ(127, node_int(node_item(node_item(root, 0), 2)));
    ASSERT_FALSE(node_is_there(node_item(node_item(root, 0), 3)));
    ASSERT_FALSE(node_is_there(node_item(node_item(root, 7), 0)));
    ASSERT_FALSE(node_is_there(node_member(root, "a")));
    hoard_free(&memory);
    PASS();
}

/* ---- texts that are nearly right ---- */

/* Replaces, removes or inserts a character; those that JSON is made of are the most likely to matter. */
static size_t mutate(randomness *r, char *text, size_t length) {
    static const char letters[] = "[]{}:,\"\\ \n\t0123456789-+.eEtruefalsnu/bx\x7f\x80\xc3\xa4\x01";
    size_t at = random_below(r, (uint32_t)length);
    char c = letters[random_below(r, sizeof letters)]; /* the zero at the end is one of them */
    switch (random_below(r, 3)) {
    case 0: text[at] = c; return length;
    case 1: memmove(text + at, text + at + 1, length - at - 1); return length - 1;
    default:
        memmove(text + at + 1, text + at, length - at);
        text[at] = c;
        return length + 1;
    }
}

TEST nearly_right_texts(void) {
    enum { ROUNDS = 4000, EDITS = 4, ROOM = 512 };
    randomness r = {1};
    int counts[JSON_DISAGREED + 1] = {0};
    for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary; i++)
        for (int round = 0; round < ROUNDS; round++) {
            char text[ROOM];
            size_t length = strlen(ordinary[i]);
            ASSERT(length + EDITS < ROOM);
            memcpy(text, ordinary[i], length);
            for (uint32_t edits = 1 + random_below(&r, EDITS); edits && length; edits--)
                length = mutate(&r, text, length);
            json_verdict verdict = json_judge(text, length);
            if (verdict == JSON_DISAGREED) fprintf(stderr, "%.*s\n", (int)length, text);
            ASSERT(verdict != JSON_DISAGREED);
            counts[verdict]++;
        }
    for (int i = JSON_READ; i < JSON_DISAGREED; i++) ASSERT(counts[i] > 100);
    PASS();
}

/* Lines of every vector file: most are read without jansson, or all of this were in vain. */
TEST vectors_are_read(void) {
    static const char *const files[] = {VECTORS "/ops.jsonl", VECTORS "/safe.jsonl", VECTORS "/dialect.jsonl"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *in = fopen(files[i], "rb");
        char *line = NULL;
        size_t room = 0;
        ASSERT(in);
        for (ssize_t length; (length = getline(&line, &room, in)) > 0;)
            ASSERT_EQ(JSON_READ, json_judge(line, (size_t)length));
        free(line);
        fclose(in);
    }
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_TEST(ordinary_texts_are_read);
    RUN_TEST(odd_texts_are_left);
    RUN_TEST(wrong_texts_are_refused);
    RUN_TEST(long_rows_are_read);
    RUN_TEST(rows_are_one_node);
    RUN_TEST(nearly_right_texts);
    RUN_TEST(vectors_are_read);
    GREATEST_MAIN_END();
}
