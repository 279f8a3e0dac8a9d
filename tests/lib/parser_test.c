/* Tests of lib/language/parser.c, through the public entry. Definitions are compared as text:
 *
 *     name/PARAMETERS: v1=call(fill,v0,3,(1,2)); return v1
 *
 * with variables by number (the parameters are the first), ops by name, pairs like DOWN as <1,0>; a definition that was
 * rejected is "name!". */
#include "language/syntax.h"
#include "support/evaluation.h"

#include "greatest.h"

static arcl_context *context;

static void expression_write(const expression *e, text *to) {
    char number[40] = "";
    switch (e->kind) {
    case E_INT: snprintf(number, sizeof number, "%d", e->number); break;
    case E_BOOL: snprintf(number, sizeof number, "%s", e->number ? "true" : "false"); break;
    case E_PAIR: snprintf(number, sizeof number, "<%d,%d>", e->number, e->second); break;
    case E_NAME: snprintf(number, sizeof number, "v%d", e->number); break;
    case E_OP: text_add(to, op_rows[e->number].name); break;
    default:
        text_add(to, e->kind == E_CALL ? "call(" : "(");
        for (int i = 0; i < e->count; i++) {
            if (i) text_add(to, ",");
            expression_write(e->item[i], to);
        }
        text_add(to, ")");
    }
    text_add(to, number);
}

static void tree_write(const arcl_source *s, text *to) {
    char part[300];
    text_clear(to);
    for (int i = 0; i < s->count; i++) {
        const definition *d = s->definition[i];
        if (i) text_add(to, " | ");
        text_add(to, arcl_source_name(s, i, part, sizeof part));
        if (d->failed) {
            text_add(to, "!");
            continue;
        }
        snprintf(part, sizeof part, "/%.*s:", d->parameters, d->parameter);
        text_add(to, part);
        for (const statement *line = d->first; line; line = line->next) {
            snprintf(part, sizeof part, line->target < 0 ? " return " : " v%d=", line->target);
            text_add(to, part);
            expression_write(line->value, to);
            if (line->next) text_add(to, ";");
        }
    }
}

static arcl_source *parsed(const char *source, size_t length) {
    arcl_source *s = NULL;
    if (arcl_source_parse(context, source, length, "file.py", &s, NULL)) abort();
    return s;
}

/* The message with which definition `index` is rejected; "" if it is not. */
static const char *message_of(const arcl_source *s, int index) {
    static arcl_error error;
    arcl_program *p;
    error.message[0] = 0;
    if (arcl_program_compile(context, s, index, NULL, &p, &error) == ARCL_SUCCESS) error.message[0] = 0;
    arcl_program_free(p);
    return error.message;
}

TEST becomes(const char *source, const char *expected) {
    static text tree;
    arcl_source *s = parsed(source, strlen(source));
    tree_write(s, &tree);
    arcl_source_free(s);
    ASSERT_STR_EQ(expected, tree.at);
    PASS();
}

/* ---- what is understood ---- */

SUITE(definitions) {
    RUN_TESTp(becomes, "", "");
    RUN_TESTp(becomes, "# nothing\n\n", "");
    RUN_TESTp(becomes, "def f(I):\n    return I\n", "f/I: return v0");
    RUN_TESTp(becomes, "def f(I):\n    return I", "f/I: return v0");
    RUN_TESTp(becomes, "def f(I): \n\treturn I\n", "f/I: return v0");
    RUN_TESTp(becomes, "def f(I):\n return I\n\n\ndef g(I):\n  return rot90(I)\ndef h(I):\n return I",
              "f/I: return v0 | g/I: return call(rot90,v0) | h/I: return v0");
    RUN_TESTp(becomes, "def f(S, I, C):\n    return I\n", "f/SIC: return v1");
    RUN_TESTp(becomes, "def f(a, b, c, d,):\n    return d\n", "f/abcd: return v3");
    RUN_TESTp(becomes, "def f(grid):\n    return grid\n", "f/?: return v0");
    RUN_TESTp(becomes, "def f(I: Grid) -> Grid:\n    return I\n", "f/I: return v0");
    RUN_TESTp(becomes,
              "def f(I: Tuple[Tuple[int, int], ...], C: 'Container') -> Dict[str, Any]:\n    x: Grid = rot90(I)\n"
              "    return x\n",
              "f/IC: v2=call(rot90,v0); return v2");
    RUN_TESTp(becomes, "def f(\n    I,\n):\n    return I\n", "f/I: return v0");
    RUN_TESTp(becomes, "def f(I):\r\n    x = rot90(I)\r\n    return x\r\n", "f/I: v1=call(rot90,v0); return v1");
}

SUITE(lines) {
    RUN_TESTp(becomes, "def f(I):\n    \"\"\" what\n it does \"\"\"\n    'more'\n    return I\n", "f/I: return v0");
    RUN_TESTp(becomes, "\"\"\"The file\ndef x(I):\n\"\"\"\ndef f(I):\n    return I\n", "f/I: return v0");
    RUN_TESTp(becomes, "import dsl\nfrom dsl import *\nimport a.b, c as d\ndef f(I):\n    return I\n",
              "f/I: return v0");
    RUN_TESTp(becomes, "from dsl import (\n    fill,\n  paint, # and\n)\ndef f(I):\n    return I\n", "f/I: return v0");
    RUN_TESTp(becomes,
              "# one\ndef f(I): # two\n    # three\n\n# four\n    x = rot90(I) # five\n    return x # six\n# end",
              "f/I: v1=call(rot90,v0); return v1");
    RUN_TESTp(becomes, "def f(I):\n    x = \\\n      rot90(I)\n    return x\n", "f/I: v1=call(rot90,v0); return v1");
    RUN_TESTp(becomes, "def f(I):\n    x = fill(I,\n1, # colour\n\n  x2)\n    return x\n", "f!");
    RUN_TESTp(becomes, "def f(I):\n    x = switch(I,\n1, # colour\n\n  2)\n    return x\n",
              "f/I: v1=call(switch,v0,1,2); return v1");
    RUN_TESTp(becomes, "def f(I):\n    x = rot90(I); y = rot90(x); return y\n",
              "f/I: v1=call(rot90,v0); v2=call(rot90,v1); return v2");
}

SUITE(values) {
    RUN_TESTp(becomes, "def f(I):\n    return (T, F, True, False)", "f/I: return (true,false,true,false)");
    RUN_TESTp(becomes, "def f(I):\n    return (ZERO, TEN, NEG_ONE, NEG_TWO, 0, 12, -3, 2147483647)",
              "f/I: return (0,10,-1,-2,0,12,-3,2147483647)");
    RUN_TESTp(becomes, "def f(I):\n    return (DOWN, RIGHT, UP, LEFT, ORIGIN, UNITY, NEG_UNITY, UP_RIGHT, DOWN_LEFT)",
              "f/I: return (<1,0>,<0,1>,<-1,0>,<0,-1>,<0,0>,<1,1>,<-1,-1>,<-1,1>,<1,-1>)");
    RUN_TESTp(becomes, "def f(I):\n    return (ZERO_BY_TWO, TWO_BY_ZERO, TWO_BY_TWO, THREE_BY_THREE)",
              "f/I: return (<0,2>,<2,0>,<2,2>,<3,3>)");
    RUN_TESTp(becomes, "def f(I):\n    return ((1, 2), (3,), (), (4), (I, rot90))",
              "f/I: return ((1,2),(3),(),4,(v0,rot90))");
    RUN_TESTp(becomes, "def f(I):\n    return fill(I, first(palette(I)), ofcolor(I, 3))",
              "f/I: return call(fill,v0,call(first,call(palette,v0)),call(ofcolor,v0,3))");
    RUN_TESTp(becomes, "def f(I):\n    return lbind(lbind, shift)(I)(DOWN,)",
              "f/I: return call(call(call(lbind,lbind,shift),v0),<1,0>)");
    RUN_TESTp(becomes, "def f(I):\n    return (rot90)(I)", "f/I: return call(rot90,v0)");
    RUN_TESTp(becomes, "def f(I):\n    rot90 = rot180\n    T = 3\n    return rot90(T)",
              "f/I: v1=rot180; v2=3; return call(v1,v2)");
    RUN_TESTp(becomes, "def f(I):\n    x = I\n    x = rot90(x)\n    return x",
              "f/I: v1=v0; v1=call(rot90,v1); return v1");
    RUN_TESTp(becomes, "def rot90(I):\n    return rot90(I)", "rot90/I: return call(rot90,v0)");
}

SUITE(keywords) {
    RUN_TESTp(becomes, "def f(I):\n    return fill(grid=I, value=1, patch=asindices(I))",
              "f/I: return call(fill,v0,1,call(asindices,v0))");
    RUN_TESTp(becomes, "def f(I):\n    return fill(patch=asindices(grid=I), value=1, grid=I)",
              "f/I: return call(fill,v0,1,call(asindices,v0))");
    RUN_TESTp(becomes, "def f(I):\n    return fill(I, patch=asindices(I), value=ONE,)",
              "f/I: return call(fill,v0,1,call(asindices,v0))");
    RUN_TESTp(becomes, "def f(I):\n    return fill(I, patch=asindices(I))", "f!");
    RUN_TESTp(becomes, "def f(I):\n    return fill(grid=I, 1, asindices(I))", "f!");
    RUN_TESTp(becomes, "def f(I):\n    x = rot90\n    return x(grid=I)", "f!");
}

/* ---- what is rejected ---- */

TEST rejected_at(const char *source, int line, int column, const char *says) {
    char where[32];
    arcl_source *s = parsed(source, strlen(source));
    ASSERT_EQ_FMT(1, arcl_source_count(s), "%d");
    const char *message = message_of(s, 0);
    arcl_source_free(s);
    snprintf(where, sizeof where, "file.py:%d:%d: ", line, column);
    if (strncmp(where, message, strlen(where)) != 0) ASSERT_STR_EQ(where, message);
    if (!strstr(message, says)) ASSERT_STR_EQ(says, message);
    const char *problem = message_problem(message, "file.py", source, strlen(source));
    ASSERTm(problem, !problem);
    PASS();
}

SUITE(rejections) {
    RUN_TESTp(rejected_at, "print(1)\nmore(2)\n", 1, 1, "only definitions");
    RUN_TESTp(rejected_at, "  def f(I):\n    return frob(I)\n", 2, 12, "'frob' is no op");
    RUN_TESTp(rejected_at, "def 3(I):\n    return I\n", 1, 5, "'3' where the definition's name is expected");
    RUN_TESTp(rejected_at, "def f:\n    return I\n", 1, 6, "':' where '(' is expected");
    RUN_TESTp(rejected_at, "def f(I, 3):\n    return I\n", 1, 10, "a parameter's name");
    RUN_TESTp(rejected_at, "def f(I, I):\n    return I\n", 1, 10, "another parameter's name");
    RUN_TESTp(rejected_at, "def f(a, b, c, d, e):\n    return a\n", 1, 19, "the end of the parameters");
    RUN_TESTp(rejected_at, "def f(I)\n    return I\n", 1, 9, "the line ends where ':' is expected");
    RUN_TESTp(rejected_at, "def f(I):\n", 1, 1, "no body");
    RUN_TESTp(rejected_at, "def f(I):\n\n# but a comment\n", 1, 1, "no body");
    RUN_TESTp(rejected_at, "def f(I):\n    x = I\n", 1, 1, "returns nothing");
    RUN_TESTp(rejected_at, "def f(I):\n    return I\n    x = I\n", 3, 5, "nothing can follow the return");
    RUN_TESTp(rejected_at, "def f(I):\n    x = I\n      y = I\n    return I\n", 3, 7, "not indented like");
    RUN_TESTp(rejected_at, "def f(I):\n    x = I\n  y = I\n    return I\n", 3, 3, "not indented like");
    RUN_TESTp(rejected_at, "def f(I):\n    x = rot90(y)\n    return x\n", 2, 15, "'y' is no op, no constant and no");
    RUN_TESTp(rejected_at, "def f(I):\n    x = rot90(I)) \n    return x\n", 2, 17, "')' where the end of the line");
    RUN_TESTp(rejected_at, "def f(I):\n    x = rot90(I I)\n    return x\n", 2, 17, "'I' where ',' or ')' is expected");
    RUN_TESTp(rejected_at, "def f(I):\n    x = rot90(I\n    return x\n", 2, 14, "this '(' is not closed");
    RUN_TESTp(rejected_at, "def f(I):\n    x = fill(I,\n    1 2)\n    return x\n", 3, 7,
              "'2' where ',' or ')' is expected");
    RUN_TESTp(rejected_at, "def f(I):\n    x =\n    return x\n", 2, 8, "the line ends where a value is expected");
    RUN_TESTp(rejected_at, "def f(I):\n    x = -I\n    return x\n", 2, 10, "'I' where a number is expected");
    RUN_TESTp(rejected_at, "def f(I):\n    x = 2147483648\n    return x\n", 2, 9, "2147483647");
    RUN_TESTp(rejected_at, "def f(I):\n    rot90(I)\n    return I\n", 2, 5, "only 'name = value' and 'return value'");
    RUN_TESTp(rejected_at, "def f(I):\n    x = 'a'\n    return I\n", 2, 9, "strings are not in the language");
    RUN_TESTp(rejected_at, "def f(I):\n\tx = rot90(\ty)\n\treturn x\n", 2, 13, "'y'");
    RUN_TESTp(rejected_at, "def f(I):\n    x = fill(I, color=1, patch=I)\n    return x\n", 2, 17,
              "no parameter of that");
    RUN_TESTp(rejected_at, "def f(I):\n    x = fill(I, grid=I)\n    return x\n", 2, 17, "given twice");
    RUN_TESTp(rejected_at, "def f(I):\n    x = fill(I, patch=I)\n    return x\n", 2, 9, "is missing");
    RUN_TESTp(rejected_at, "def f(I):\n    x = \"\"\"two\nlines\"\"\"\n    return x\n", 2, 9,
              "strings are not in the language");
}

/* Of a line that is too long to show, the part around the place is shown. */
TEST a_long_line_is_cut(void) {
    text line = {0};
    text_add(&line, "def f(I):\n    return (");
    for (int i = 0; i < 40; i++) text_add(&line, "rot90, ");
    text_add(&line, "frob");
    for (int i = 0; i < 40; i++) text_add(&line, ", rot90");
    text_add(&line, ")\n");
    CHECK_CALL(rejected_at(line.at, 2, 13 + 40 * 7, "'frob' is no op"));
    text_free(&line);
    PASS();
}

TEST too_much_is_refused(const char *before, const char *again, int times, const char *after, const char *says) {
    text source = {0};
    text_add(&source, "def f(I):\n");
    text_add(&source, before);
    for (int i = 0; i < times; i++) {
        char one[64];
        snprintf(one, sizeof one, again, i, i);
        text_add(&source, one);
    }
    text_add(&source, after);
    text_add(&source, "\n    return I\n\ndef g(I):\n    return I\n");
    arcl_source *s = parsed(source.at, source.length);
    ASSERT_EQ_FMT(2, arcl_source_count(s), "%d");
    const char *message = message_of(s, 0);
    if (!strstr(message, says)) ASSERT_STR_EQ(says, message);
    const char *problem = message_problem(message, "file.py", source.at, source.length);
    ASSERTm(problem, !problem);
    ASSERT_STR_EQ("", message_of(s, 1));
    arcl_source_free(s);
    text_free(&source);
    PASS();
}

SUITE(limits) {
    RUN_TEST(a_long_line_is_cut);
    RUN_TESTp(too_much_is_refused, "    x = ", "(", 300, "", "nested too deeply");
    RUN_TESTp(too_much_is_refused, "    x = ", "rot90(", 300, "", "nested too deeply");
    RUN_TESTp(too_much_is_refused, "    x = (", "1, ", 300, ")", "too many values");
    RUN_TESTp(too_much_is_refused, "    x = (", "1, ", 100000, ")", "too many values");
    RUN_TESTp(too_much_is_refused, "", "    x%d = I\n", 500, "", "too many variables");
    /* a keyword argument that comes when the parser's stack of values is nearly full */
    for (int i = 700; i < 715; i++)
        RUN_TESTp(too_much_is_refused, "    x = (", "1, ", i, "fill(patch=I, value=1, grid=I))", "too many values");
}

/* ---- an error spoils one definition only ---- */

SUITE(recovery) {
    RUN_TESTp(becomes, "def f(I):\n    x = frob(I)\n    return x\n\ndef g(I):\n    return I\n", "f! | g/I: return v0");
    RUN_TESTp(becomes, "def f(I):\n    x = rot90(I\n    return x\n\ndef g(I):\n    return I\n", "f! | g/I: return v0");
    RUN_TESTp(becomes, "def f(I):\n    x = rot90(\n\ndef g(I):\n    return I\n", "f! | g/I: return v0");
    RUN_TESTp(becomes, "def f(I):\n    return rot90(I\n\ndef g(I):\n    return I\n", "f! | g/I: return v0");
    RUN_TESTp(becomes, "def f(I):\n    return (rot90, (I,\ndef g(I):\n    return I\n", "f! | g/I: return v0");
    RUN_TESTp(becomes, "def f(I\n\ndef g(I):\n    return I\n", "f! | g/I: return v0");
    RUN_TESTp(becomes, "def f(\ndef g(I):\n    return I\n", "f! | g/I: return v0");
    RUN_TESTp(becomes, "def f(I: Tuple[\ndef g(I):\n    return I\n", "f! | g/I: return v0");
    RUN_TESTp(becomes, "def f(I):\ndef g(I):\n    return I\n", "f! | g/I: return v0");
    RUN_TESTp(becomes, "def f(I):\n    x = 'open\n    return x\ndef g(I):\n    return I\n", "f! | g/I: return v0");
    RUN_TESTp(becomes, "def f(I):\n    x = I\ndef g(I):\n    return I\n", "f! | g/I: return v0");
    RUN_TESTp(becomes, "def\ndef g(I):\n    return I\n", "! | g/I: return v0");
    RUN_TESTp(becomes, "x = 1\ny = 2\ndef g(I):\n    return I\n", "g/I: return v0");
    RUN_TESTp(becomes, "x 1\ny 2\ndef g(I):\n    return I\nz 3\n", "! | g/I: return v0 | !");
    RUN_TESTp(becomes, "class A:\n    def f(self):\n        return I\ndef g(I):\n    return I\n", "! | g/I: return v0");
    RUN_TESTp(becomes, "from a import (b,\ndef g(I):\n    return I\n", "g/I: return v0");
    RUN_TESTp(becomes, "def f(I):\n    return I\n\ndef g(I):\n    return ]\n\ndef h(I):\n    return I\n",
              "f/I: return v0 | g! | h/I: return v0");
}

TEST names_are_cut_to_their_buffer(void) {
    static const char source[] = "def solve_abc(I):\n    return I\n";
    char buf[6];
    arcl_source *s = parsed(source, sizeof source - 1);
    ASSERT_STR_EQ("solve", arcl_source_name(s, 0, buf, sizeof buf));
    ASSERT_STR_EQ("", arcl_source_name(s, 1, buf, sizeof buf));
    ASSERT_STR_EQ("", arcl_source_name(s, -1, buf, sizeof buf));
    arcl_source_free(s);
    PASS();
}

TEST the_text_is_copied(void) {
    char source[] = "def solve(I):\n    return frob(I)\n";
    arcl_source *s = parsed(source, sizeof source - 1);
    memset(source, 'x', sizeof source);
    ASSERT(strstr(message_of(s, 0), "    return frob(I)"));
    arcl_source_free(s);
    PASS();
}

/* ---- random damage ---- */

static const char *const samples[] = {
    "from dsl import (\n    fill,\n)\n\n# a comment\ndef solve_a(I: Grid) -> Grid:\n    \"\"\" doc\n    string \"\"\"\n"
    "    x1 = objects(I, T, F, T)\n    x2 = colorfilter(x1, EIGHT)\n    x3 = mapply(delta, x2)\n"
    "    O = fill(grid=I, value=TWO, patch=x3)\n    return O\n",
    "def solve_b(S, I):\n    x1 = lbind(lbind, shift)(asindices(I))(DOWN)\n    x2 = fork(combine, identity, identity)\n"
    "    x3 = power(last, TWO)(((1, 2), (3, 4)))\n    x4 = astuple(x3, -5)\n    return (x2(I), x1, x4, ())\n",
    "def solve_c(I):\n    x1 = height(I); x2 = branch(greater(x1, 3), rot90, \\\n        hmirror)\n    return x2(I)\n\n"
    "def solve_d(I):\n    x1 = matcher(color, 3)\n    x2 = extract(objects(I, T, T, T), x1)\n    return subgrid(x2, "
    "I)\n",
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static const char *const pieces[] = {
    "(",    ")",       "[",     "]",           ",",    "=",  ":",           "\n",     "\n    ", "    ",
    "def ", "return ", "'",     "\"\"\"",      "#",    "\\", "\\\n",        "-",      "->",     "I",
    "x1",   "T",       "rot90", "fill(patch=", "fork", "9",  "99999999999", "value=", ";",      "import ",
    "\t",   "\r",      "\xc3",  "?",           ".",    "{",  "lambda"};
enum { PIECES = sizeof pieces / sizeof *pieces };

/* Some of the text is taken out, doubled, moved or replaced by pieces of syntax. */
static void damage(randomness *r, text *t) {
    static text before;
    text_clear(&before);
    text_add(&before, t->at);
    uint32_t n = (uint32_t)before.length, from = random_below(r, n + 1), count = random_below(r, 12);
    if (from + count > n) count = n - from;
    text_clear(t);
    char *at = before.at;
    char kept = at[from];
    at[from] = 0;
    text_add(t, at);
    at[from] = kept;
    switch (random_below(r, 4)) {
    case 0: text_add(t, pieces[random_below(r, PIECES)]); break;
    case 1: text_add(t, pieces[random_below(r, PIECES)]); /* falls through */
    case 2: from += count; break;
    default: from = random_below(r, n + 1); break; /* what follows comes from elsewhere */
    }
    text_add(t, at + from);
    if (t->length > 4000) {
        t->at[4000] = 0;
        t->length = 4000;
    }
}

/* Nothing may crash, and whatever is rejected must be explained. */
TEST damaged_text_is_survived(uint64_t seed) {
    randomness r = {seed};
    text t = {0};
    int rejected = 0, accepted = 0;
    for (int round = 0; round < 4000; round++) {
        text_clear(&t);
        text_add(&t, samples[random_below(&r, SAMPLES)]);
        for (uint32_t i = 1 + random_below(&r, 4); i > 0; i--) damage(&r, &t);
        if (random_below(&r, 8) == 0 && t.length) t.at[random_below(&r, (uint32_t)t.length)] = 0; /* its length stays */
        arcl_source *s = parsed(t.at, t.length);
        for (int i = 0; i < arcl_source_count(s); i++) {
            const char *message = message_of(s, i);
            accepted += !*message;
            rejected += *message != 0;
            if (!*message && !s->definition[i]->failed) continue;
            const char *problem = message_problem(message, "file.py", t.at, t.length);
            if (problem && !memchr(t.at, 0, t.length)) {
                printf("\n%s\n---\n%s\n", t.at, message);
                FAILm(problem);
            }
            ASSERT(*message);
        }
        arcl_source_free(s);
    }
    text_free(&t);
    ASSERT(rejected > 1000); /* the damage is neither too little nor too much */
    ASSERT(accepted > 500);
    PASS();
}

SUITE(robustness) {
    RUN_TEST(names_are_cut_to_their_buffer);
    RUN_TEST(the_text_is_copied);
    for (uint64_t seed = 1; seed <= 3; seed++) RUN_TESTp(damaged_text_is_survived, seed);
}

/* ---- batteries ---- */

SUITE(batteries) {
    RUN_TESTp(becomes, "battery (I):\n    t1 = rot90(I)\n    t2 = rot180(t1)\n    return f: t2\n    return g: t1\n",
              "f/I: v1=call(rot90,v0); v2=call(rot180,v1); return v2 | g/I: v1=call(rot90,v0); return v1");
    /* what is not needed is left out, what is named after the result is not; a result may be any expression */
    RUN_TESTp(becomes,
              "battery (I):\n    a = rot90(I)\n    b = first(I)\n    return f: rot180(a), b\n    return g: I\n",
              "f/I: v1=call(rot90,v0); v2=call(first,v0); return call(rot180,v1) | g/I: return v0");
    RUN_TESTp(becomes,
              "battery (S, I, C):\n    return f: I\n\ndef g(I):\n    return I\n\nbattery (I):\n    return h: I\n",
              "f/SIC: return v1 | g/I: return v0 | h/I: return v0");
    RUN_TESTp(rejected_at, "battery (I):\n", 1, 1, "this battery has no body");
    RUN_TESTp(rejected_at, "battery (I):\n    t1 = rot90(I)\n", 1, 1, "this battery returns nothing");
    RUN_TESTp(rejected_at, "battery (I):\n    t1 = rot90(I)\n    t1 = I\n    return f: t1\n", 3, 5, "is assigned once");
    RUN_TESTp(rejected_at, "battery (I):\n    return I\n", 2, 13, "the line ends where ':' is expected");
    RUN_TESTp(rejected_at, "battery (I):\n    return 3: I\n", 2, 12, "'3' where a program's name is expected");
    RUN_TESTp(rejected_at, "battery (I):\n    return f: I, 3\n", 2, 18, "the name of what runs besides the result");
    RUN_TESTp(rejected_at, "battery (I):\n    return f: I, rot90(I)\n", 2, 18, "only names follow the result");
    RUN_TESTp(rejected_at, "battery f(I):\n    return f: I\n", 1, 9, "'f' where '(' is expected");
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    if (arcl_context_create(NULL, &context, NULL)) return EXIT_FAILURE;
    RUN_SUITE(definitions);
    RUN_SUITE(lines);
    RUN_SUITE(values);
    RUN_SUITE(keywords);
    RUN_SUITE(rejections);
    RUN_SUITE(limits);
    RUN_SUITE(recovery);
    RUN_SUITE(batteries);
    RUN_SUITE(robustness);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
