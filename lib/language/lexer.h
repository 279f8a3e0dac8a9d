/* Cuts program text into tokens, one at a time. Knows nothing of grammar beyond lines, indentation and brackets. */
#ifndef ARCL_LEXER_H
#define ARCL_LEXER_H
#include <stddef.h>
#include <stdint.h>

enum token_kind { TK_NAME, TK_INT, TK_STRING, TK_SYMBOL, TK_NEWLINE, TK_END, TK_BAD };

typedef struct lexer {
    const char *text;
    uint32_t length, next; /* where the next token is looked for */
    int brackets;          /* open ones: line ends do not count inside */
    /* the current token */
    uint8_t kind;
    char symbol;    /* of TK_SYMBOL; '>' for -> */
    uint32_t at, n; /* its place */
    uint32_t hash;  /* of TK_NAME (base/name_hash.h) */
    int64_t number;
    uint32_t indent;     /* columns before the first token of its line */
    const char *problem; /* of TK_BAD */
} lexer;

/* The text ends with a 0 that is not counted. */
void lexer_start(lexer *l, const char *text, uint32_t length, uint32_t at);
void lexer_next(lexer *l);

/* Moves on to the first token of the next line that is not indented. */
void lexer_skip_definition(lexer *l);

#endif
