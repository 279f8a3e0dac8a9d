#include "language/lexer.h"

#include <string.h>

#include "base/name_hash.h"

/* From C_NAME on, letters of names. */
enum { C_OTHER, C_BLANK, C_LINE, C_OPEN, C_CLOSE, C_SYMBOL, C_QUOTE, C_NAME, C_DIGIT };

/* A battery is half a megabyte of text, in which every character is asked for: a table answers at once. */
#define TEN(x, of)                                                                                                     \
    [x] = of, [x + 1] = of, [x + 2] = of, [x + 3] = of, [x + 4] = of, [x + 5] = of, [x + 6] = of, [x + 7] = of,        \
    [x + 8] = of, [x + 9] = of
static const unsigned char classes[256] = {
    TEN('0', C_DIGIT), TEN('a', C_NAME), TEN('k', C_NAME), ['u'] = C_NAME,   ['v'] = C_NAME,   ['w'] = C_NAME,
    ['x'] = C_NAME,    ['y'] = C_NAME,   ['z'] = C_NAME,   TEN('A', C_NAME), TEN('K', C_NAME), ['U'] = C_NAME,
    ['V'] = C_NAME,    ['W'] = C_NAME,   ['X'] = C_NAME,   ['Y'] = C_NAME,   ['Z'] = C_NAME,   ['_'] = C_NAME,
    [' '] = C_BLANK,   ['\t'] = C_BLANK, ['\r'] = C_BLANK, ['\f'] = C_BLANK, ['\n'] = C_LINE,  ['#'] = C_LINE,
    ['\\'] = C_LINE,   ['('] = C_OPEN,   ['['] = C_OPEN,   ['{'] = C_OPEN,   [')'] = C_CLOSE,  [']'] = C_CLOSE,
    ['}'] = C_CLOSE,   [','] = C_SYMBOL, [':'] = C_SYMBOL, ['='] = C_SYMBOL, ['.'] = C_SYMBOL, ['-'] = C_SYMBOL,
    ['*'] = C_SYMBOL,  ['>'] = C_SYMBOL, [';'] = C_SYMBOL, ['"'] = C_QUOTE,  ['\''] = C_QUOTE};
#undef TEN

/* Names and symbols are most tokens: what the others need would only be in their way. */
#define SELDOM __attribute__((noinline))

static int class_of(char ch) { return classes[(unsigned char)ch]; }

void lexer_start(lexer *l, const char *text, uint32_t length, uint32_t at) {
    *l = (lexer){.text = text, .length = length, .next = at, .kind = TK_NEWLINE};
}

/* No further than one character behind the text, which is 0. */
static char peek(const lexer *l, uint32_t at) { return at < l->length ? l->text[at] : 0; }

static void bad(lexer *l, const char *problem) {
    l->kind = TK_BAD;
    l->problem = problem;
}

static void lex_number(lexer *l) {
    uint32_t at = l->at;
    l->number = 0;
    while (class_of(l->text[at]) == C_DIGIT) {
        if (l->number < (int64_t)1 << 40) l->number = l->number * 10 + (l->text[at] - '0');
        at++;
    }
    l->kind = TK_INT;
    if (class_of(l->text[at]) == C_NAME || l->text[at] == '.') bad(l, "only whole decimal numbers are understood");
    l->n = at - l->at;
    l->next = at;
}

static void lex_string(lexer *l) {
    uint32_t at = l->at;
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
    return l->length - at > 3 && memcmp(l->text + at, "def", 3) == 0 && class_of(l->text[at + 3]) == C_BLANK;
}

/* Goes past blanks, comments, continued and empty lines. Most tokens have none of that before them, or one blank. */
SELDOM static uint32_t skip_blanks(lexer *l, uint32_t at) {
    int fresh_line = l->kind == TK_NEWLINE && l->brackets == 0;
    uint32_t line_start = at;
    for (;;) {
        while (l->text[at] == ' ') at++;
        char ch = l->text[at];
        if (class_of(ch) == C_BLANK)
            at++;
        else if (ch == '#') {
            const char *end = memchr(l->text + at, '\n', l->length - at);
            at = end ? (uint32_t)(end - l->text) : l->length;
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
    return at;
}

static void lex_name(lexer *l, uint32_t begin) {
    const char *text = l->text;
    uint32_t at = begin + 1;
    while (class_of(text[at]) >= C_NAME) at++;
    l->kind = TK_NAME;
    l->at = begin;
    l->n = at - begin;
    l->hash = name_hash(text + begin, at - begin);
    l->next = at;
}

static void lex_symbol(lexer *l, char ch) {
    l->kind = TK_SYMBOL;
    l->symbol = ch;
    if (ch == '-' && l->text[l->at + 1] == '>') {
        l->symbol = '>';
        l->n = 2;
        l->next++;
    }
}

/* The end of the text ends its last line, too. */
static void lex_end(lexer *l) {
    l->kind = l->kind == TK_NEWLINE || l->kind == TK_END ? TK_END : TK_NEWLINE;
    l->brackets = 0;
    l->n = 0;
    l->next = l->at;
}

SELDOM static void lex_seldom(lexer *l, char ch) {
    int class = class_of(ch);
    if (ch == '\n')
        l->kind = TK_NEWLINE;
    else if (class == C_DIGIT)
        lex_number(l);
    else if (class == C_QUOTE)
        lex_string(l);
    else if (l->at >= l->length)
        lex_end(l);
    else {
        l->symbol = ch;
        bad(l, "a character that has no meaning here");
    }
}

/* Whether that is to be gone past, here where nothing has been seen but a blank since the last token of the line. */
static int is_skipped(const lexer *l, char ch) {
    int class = class_of(ch);
    return class == C_BLANK || (class == C_LINE && (ch != '\n' || l->brackets));
}

void lexer_next(lexer *l) {
    const char *text = l->text;
    uint32_t at = l->next;
    at += text[at] == ' ' && l->kind != TK_NEWLINE;
    if (l->kind == TK_NEWLINE || is_skipped(l, text[at])) at = skip_blanks(l, at);
    char ch = text[at];
    int class = class_of(ch);
    if (class == C_NAME) {
        lex_name(l, at);
        return;
    }
    l->at = at;
    l->n = 1;
    l->next = at + 1;
    switch (class) {
    case C_OPEN: l->brackets++; break;
    case C_CLOSE: l->brackets -= l->brackets > 0; break;
    case C_SYMBOL: break;
    default: lex_seldom(l, ch); return;
    }
    lex_symbol(l, ch);
}

void lexer_skip_definition(lexer *l) {
    const char *at = l->text + l->next, *end = l->text + l->length;
    if (l->kind == TK_NEWLINE && l->next > 0) at--; /* its line end is what is looked for */
    while ((at = memchr(at, '\n', (size_t)(end - at)))) {
        at++;
        char ch = at < end ? *at : 0;
        if (ch && ch != ' ' && ch != '\t' && ch != '\n' && ch != '#' && ch != ')' && ch != ']' && ch != '}' &&
            ch != '\r')
            break;
    }
    l->next = at ? (uint32_t)(at - l->text) : l->length;
    l->kind = TK_NEWLINE;
    l->brackets = 0;
    lexer_next(l);
}
