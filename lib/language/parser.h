/* What the files of the parser share: lib/language/parser.c has definitions,
 * lib/language/parser_expression.c names and expressions, lib/language/parser_battery.c batteries,
 * lib/language/parser_batt.c those of tokpidjin, lib/language/parser_source.c whole texts. What names of the
 * text's own mean is found when all of it is parsed (resolve.h). The outside sees parse_source (syntax.h). */
#ifndef ARCL_PARSER_H
#define ARCL_PARSER_H
#include <string.h>

#include "language/lexer.h"
#include "language/syntax.h"

#define NAME_SLOTS 512
#define MAX_DEPTH 200
#define MAX_ITEMS 255

typedef struct variable_name {
    uint32_t at, length;
} variable_name;

typedef struct parser {
    lexer lex;
    const struct arcl_source *src; /* what it says of the text; what is made of that is here: */
    pool memory;
    definition **definition;
    int count, room;
    uint32_t begin, stop; /* the part of the text that this parser parses */
    const op_index *ops;
    arcl_dialect dialect; /* whose words names are looked up among */
    struct evidence {     /* of the dialect that the text is in: the first name that only the one or the other has */
        int wanted;
        variable_name arc_dsl, tokpidjin; /* length 0: none so far */
        int train_pairs;                  /* a definition's parameters begin with S, I */
    } evidence;
    definition *def;
    int failed;    /* the current definition */
    int no_memory; /* which is no fault of the definition: all of the source is given up */
    int depth;
    const struct own_names *own; /* names that tell nothing of the dialect, since the text defines them; NULL: none */
    int shares_lines; /* the lines are those of several programs: a name that stands for nothing is noted with these */
    /* the names of the current definition, hashed: variable + 1, or 0 */
    uint16_t *slot;
    variable_name *name;
    unsigned slots; /* a power of two */
    int most_names;
    uint16_t definition_slot[NAME_SLOTS];
    variable_name definition_name[MAX_VARIABLES];
    uint16_t *battery_slot; /* made when the first battery comes */
    variable_name *battery_name;
    expression *pending[2 * MAX_ITEMS + MAX_DEPTH]; /* items of the calls being parsed */
    int pending_count;
    expression lost; /* stands in when memory ran out: a parser that has failed is only unwound */
} parser;

/* ---- tokens and messages (parser.c) ---- */

/* Room for the message about a definition; NULL, which is noted, when there is no memory. */
arcl_error *make_message(parser *p, definition *d);

/* The first message of a definition stays; nothing that is parsed after it counts. */
void fail_at(parser *p, uint32_t at, const char *text);
void fail_here(parser *p, const char *expected);

static inline int sees_symbol(const parser *p, char symbol) {
    return p->lex.kind == TK_SYMBOL && p->lex.symbol == symbol;
}

static inline int sees_word(const parser *p, const char *word) {
    size_t n = strlen(word);
    return p->lex.kind == TK_NAME && p->lex.n == n && memcmp(p->lex.text + p->lex.at, word, n) == 0;
}

/* Goes past the symbol if it is there; expect complains if it is not. */
static inline int accept_symbol(parser *p, char symbol) {
    if (!sees_symbol(p, symbol)) return 0;
    lexer_next(&p->lex);
    return 1;
}
void expect_symbol(parser *p, char symbol);

/* ---- names and expressions (parser_expression.c) ---- */

/* The variable of that name, which has that hash, or -1; *slot is where it is or would be. */
int find_variable(const parser *p, uint32_t hash, const char *name, uint32_t n, unsigned *slot);
/* The variable of the name at that place of the text, which has that hash. */
int define_variable(parser *p, uint32_t hash, uint32_t at, uint32_t n);

expression *make_expression(parser *p, int kind, uint32_t at);
expression *parse_expression(parser *p);

/* Items wait until their expression is complete: it takes those that were pushed since `from`. */
void push_item(parser *p, expression *e);
void take_items(parser *p, expression *e, int from);

/* What stands for nothing in the lines that a battery's program has fails it, unless the text defines it. */
void note_unknown_name(parser *p, definition *d, expression *e);

/* ---- definitions (parser.c) ---- */

/* A new definition that begins here, for the parser to fill. */
arcl_status add_definition(parser *p, arcl_error *error);
void parse_parameters(parser *p);

/* All that begins in the parser's part of the text. Afterwards, the token is the first one behind that. */
arcl_status parse_part(parser *p, arcl_error *error);

/* One line of the body; 1 if it was the return. */
int parse_statement(parser *p, statement ***tail);

/* Where a value is expected, or the end of one, and something else is there. */
void fail_at_value(parser *p, const char *expected);
void fail_behind_value(parser *p, const char *expected);

/* After a definition that could not be parsed. */
void recover_after(parser *p);

/* ---- batteries (parser_battery.c) ---- */

arcl_status parse_battery(parser *p, arcl_error *error);

/* Makes room for as many names as a battery may have; 0 when there is no memory. */
int name_battery_variables(parser *p);

/* ---- tokpidjin's batteries (parser_batt.c) ---- */

/* Whether the definition that begins here is one: def batt(task_id, .. */
int begins_batt(const parser *p);
arcl_status parse_batt(parser *p, arcl_error *error);

/* ---- slices (battery_slice.c) ---- */

/* Takes programs out of a battery, one after the other. */
typedef struct slicer {
    pool *memory;                /* of what they consist of */
    const statement **assigning; /* per variable, the statement that makes it; NULL: a parameter */
    uint32_t *taken;             /* per variable, the last slice that it was found for, from 1 on */
    const statement **needed;    /* statements found */
    int count;
    uint32_t slices, expressions;
    expression *unknown; /* a name that stands for nothing */
} slicer;

/* 0 when there is no memory. End it in both cases. */
int slicer_start(slicer *s, pool *memory, const definition *battery);
void slicer_end(slicer *s);

/* The statements that the values of a tuple need, in order, and then the return of its first, become those of d; and a
 * name among them that stands for nothing, if there is one. */
arcl_status slice_statements(slicer *s, expression *values, definition *d, expression **unknown, arcl_error *error);

#endif
