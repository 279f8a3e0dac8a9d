#include "language/lexer.h"

#include <string.h>

enum { C_OTHER, C_SPACE, C_NAME, C_DIGIT };

/* A battery is half a megabyte of text, in which every character is asked for: a table answers at once. */
#define TEN(x, of)                                                                                                     \
    [x] = of, [x + 1] = of, [x + 2] = of, [x + 3] = of, [x + 4] = of, [x + 5] = of, [x + 6] = of, [x + 7] = of,        \
    [x + 8] = of, [x + 9] = of
static const unsigned char classes[256] = {
    TEN('0', C_DIGIT), TEN('a', C_NAME), TEN('k', C_NAME), ['u'] = C_NAME,   ['v'] = C_NAME,   ['w'] = C_NAME,
    ['x'] = C_NAME,    ['y'] = C_NAME,   ['z'] = C_NAME,   TEN('A', C_NAME), TEN('K', C_NAME), ['U'] = C_NAME,
    ['V'] = C_NAME,    ['W'] = C_NAME,   ['X'] = C_NAME,   ['Y'] = C_NAME,   ['Z'] = C_NAME,   ['_'] = C_NAME,
    [' '] = C_SPACE,   ['\t'] = C_SPACE, ['\r'] = C_SPACE, ['\f'] = C_SPACE};
#undef TEN

static int class_of(char ch) { return classes[(unsigned char)ch]; }

void lexer_start(lexer *l, const char *text, uint32_t length, uint32_t at) {
    *l = (lexer){.text = text, .length = length, .next = at, .kind = TK_NEWLINE};
}

static char peek(const lexer *l, uint32_t at) { return at < l->length ? l->text[at] : 0; }

static void bad(lexer *l, const char *problem) {
    l->kind = TK_BAD;
    l->problem = problem;
}

static void lex_number(lexer *l) {
    uint32_t at = l->next;
    l->number = 0;
    while (class_of(peek(l, at)) == C_DIGIT) {
        if (l->number < (int64_t)1 << 40) l->number = l->number * 10 + (l->text[at] - '0');
        at++;
    }
    l->kind = TK_INT;
    if (class_of(peek(l, at)) == C_NAME || peek(l, at) == '.') bad(l, "only whole decimal numbers are understood");
    l->n = at - l->at;
    l->next = at;
}

static void lex_string(lexer *l) {
    uint32_t at = l->next;
    char quote = l->text[at];
    int triple = peek(l, at + 1) == quote && peek(l, at + 2) == quote;
    at += triple ? 3 : 1;
    for (;; at++) {
        if (at >= l->length || (!triple && l->text[at] == '\n')) {
            l->n = 1;
            l->next = at;
            bad(l, "this string has no end");
            return;
        }
        if (l->text[at] == '\\' && at + 1 < l->length)
            at++;
        else if (l->text[at] == quote && (!triple || (peek(l, at + 1) == quote && peek(l, at + 2) == quote)))
            break;
    }
    at += triple ? 3 : 1;
    l->kind = TK_STRING;
    l->n = at - l->at;
    l->next = at;
}

/* Whether a definition begins at this line start: then brackets that are still open were forgotten in the one
 * before. */
static int begins_definition(const lexer *l, uint32_t at) {
    return l->length - at > 3 && memcmp(l->text + at, "def", 3) == 0 && class_of(l->text[at + 3]) == C_SPACE;
}

void lexer_next(lexer *l) {
    uint32_t at = l->next;
    int fresh_line = l->kind == TK_NEWLINE && l->brackets == 0;
    uint32_t line_start = at;
    for (;;) { /* blanks, comments, continued and empty lines */
        char ch = peek(l, at);
        if (class_of(ch) == C_SPACE)
            at++;
        else if (ch == '#') {
            while (at < l->length && l->text[at] != '\n') at++;
        } else if (ch == '\\' && peek(l, at + 1) == '\n')
            at += 2;
        else if (ch == '\n' && (fresh_line || l->brackets)) {
            if (l->brackets && begins_definition(l, at + 1)) {
                l->brackets = 0;
                break;
            }
            at++;
            line_start = at;
        } else
            break;
    }
    if (fresh_line) l->indent = at - line_start;
    l->at = l->next = at;
    l->n = 1;
    if (at >= l->length) {
        l->kind = l->kind == TK_NEWLINE || l->kind == TK_END ? TK_END : TK_NEWLINE;
        l->brackets = 0;
        l->n = 0;
        return;
    }
    char ch = l->text[at];
    switch (class_of(ch)) {
    case C_NAME:
        while (class_of(peek(l, at)) >= C_NAME) at++;
        l->kind = TK_NAME;
        l->n = at - l->at;
        l->next = at;
        return;
    case C_DIGIT: lex_number(l); return;
    default: break;
    }
    if (ch == '"' || ch == '\'') {
        lex_string(l);
        return;
    }
    l->next = at + 1;
    if (ch == '\n') {
        l->kind = TK_NEWLINE;
        return;
    }
    l->kind = TK_SYMBOL;
    l->symbol = ch;
    if (ch == '(' || ch == '[' || ch == '{') l->brackets++;
    if ((ch == ')' || ch == ']' || ch == '}') && l->brackets) l->brackets--;
    if (ch == '-' && peek(l, at + 1) == '>') {
        l->symbol = '>';
        l->n = 2;
        l->next = at + 2;
    }
    if (!ch || !strchr("()[]{},:=.-*>;", ch)) bad(l, "a character that has no meaning here");
}

void lexer_skip_definition(lexer *l) {
    const char *at = l->text + l->next, *end = l->text + l->length;
    if (l->kind == TK_NEWLINE && l->next > 0) at--; /* its line end is what is looked for */
    while ((at = memchr(at, '\n', (size_t)(end - at)))) {
        at++;
        char ch = at < end ? *at : 0;
        if (ch && ch != ' ' && ch != '\t' && ch != '\n' && ch != '#' && ch != ')' && ch != '\r') break;
    }
    l->next = at ? (uint32_t)(at - l->text) : l->length;
    l->kind = TK_NEWLINE;
    l->brackets = 0;
    lexer_next(l);
}
