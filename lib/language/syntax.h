/* Program text as a tree: what the parser makes and the compiler reads. */
#ifndef ARCL_SYNTAX_H
#define ARCL_SYNTAX_H
#include <stdint.h>

#include "arcl.h"
#include "base/pool.h"
#include "ops/word_table.h"

enum expression_kind {
    E_INT,     /* number */
    E_BOOL,    /* number */
    E_PAIR,    /* a constant pair: number, second */
    E_OP,      /* number: the op or word (a callable of lib/ops/word_table.h), as a value */
    E_NAME,    /* number: the variable */
    E_TUPLE,   /* items */
    E_UNKNOWN, /* a name of `number` characters that stands for nothing */
    E_DEFINED, /* defined: a constant of the text, or one of its definitions as a function */
    E_CALL     /* items[0] is called with the others */
};

typedef struct expression {
    uint8_t kind;
    uint16_t count; /* of items */
    uint32_t at;    /* position in the text */
    union {         /* texts have many expressions, so they are small: tuples and calls have no numbers */
        struct {
            int32_t number, second;
        };
        struct expression **item;
        const struct definition *defined; /* its normal form, which is the source's */
    };
} expression;

typedef struct statement {
    struct statement *next;
    int32_t target; /* variable; -1 for return */
    expression *value;
} statement;

#define MAX_PARAMETERS 4
#define MAX_VARIABLES 400 /* of a definition in a text */
typedef struct definition {
    const char *name; /* not terminated; in the text */
    uint32_t name_length;
    int of_battery;                 /* one of the programs that a battery's text returns */
    arcl_definition_info info;      /* what a battery says of it; its texts are the source's */
    arcl_dialect dialect;           /* whose words it has */
    uint32_t at, end;               /* the definition's text */
    int parameters;                 /* they are variables 0, 1, .. */
    char parameter[MAX_PARAMETERS]; /* the first letter of each parameter's name */
    int variables;
    uint32_t expressions; /* that its statements are made of, together */
    statement *first;
    int failed;        /* it could not be parsed; the message is error */
    int unknown_names; /* that is only because of names that stand for nothing, which the safe policy can do with */
    const arcl_error *error; /* NULL: no message */
    /* names that the text defines itself (resolve.h): */
    uint8_t is_constant;  /* NAME = value: it has no parameters, and one statement */
    uint8_t shadows;      /* the language has its name, too */
    uint8_t uses_defined; /* it has an E_DEFINED */
    uint8_t is_used;      /* there is an E_DEFINED of it */
    uint8_t resolving, resolved;
    expression *noted;             /* of a battery's program: a name that stood for nothing when it was parsed */
    const char *recursion;         /* why it cannot be used, if that is why */
    const struct definition *form; /* where it is used */
    arcl_key key;                  /* of a form: what it says */
} definition;

#define LINE_BLOCK 4096u

struct arcl_source {
    pool memory;
    char *text;
    size_t length;
    uint32_t *lines; /* that end before every LINE_BLOCK bytes: there may be many messages, and all name a line */
    char *file;
    arcl_dialect dialect; /* of all definitions */
    definition **definition;
    int count;
};

/* What a text is parsed with. */
typedef struct parse_means {
    const op_index *ops;
    int threads; /* that may share the work; 1: whoever calls does it all */
    void (*run)(void *with, uint32_t count, void (*work)(void *arg, uint32_t index), void *arg); /* on them */
    void *with;
} parse_means;

/* A source of this text, whose name is for messages. */
ARCL_CHECKED arcl_status source_parse(const parse_means *means, const char *text, size_t length, const char *name,
                                      arcl_dialect dialect, struct arcl_source **source, arcl_error *error);

/* Parses the text of src in a dialect; definitions with errors are kept, with their messages. */
arcl_status parse_source(const parse_means *means, struct arcl_source *src, arcl_dialect dialect, arcl_error *error);

/* The number of the line at a position of the text, from 1 on. */
uint32_t source_line(const struct arcl_source *src, uint32_t at);

/* A definition that was parsed, or the message about it. */
ARCL_CHECKED arcl_status source_definition(const struct arcl_source *src, int index, const definition **d,
                                           arcl_error *error);

/* The message about a definition that has failed. */
void definition_error(const definition *d, arcl_error *error);

/* A message with file, line, column, the source line and a caret under position `at`. */
void syntax_message(const struct arcl_source *src, uint32_t at, const char *text, arcl_error *error);

#endif
