#include "language/python_words.h"

#include <string.h>

typedef struct python_word {
    const char *word, *advice;
} python_word;

#define NOT(what, instead) what " not in the language: " instead

static const python_word values[] = {
    {"lambda", NOT("lambda is", "write compose, chain, fork, lbind, rbind or matcher, or a definition of its own")},
    {"not", NOT("not is", "write flip(x)")},
    {"None", NOT("None is", "a value that may be missing has no name here")},
    {"await", NOT("await is", "calls are written as they are")},
    {"yield", NOT("yield is", "end the definition with one return")},
};

static const python_word behind[] = {
    {"if", NOT("if is", "write branch(condition, a, b)")},
    {"else", NOT("else is", "write branch(condition, a, b)")},
    {"for",
     NOT("for is", "write apply(function, container), sfilter(container, condition) or mapply(function, container)")},
    {"and", NOT("and is", "write both(a, b)")},
    {"or", NOT("or is", "write either(a, b)")},
    {"in", NOT("in is", "write contained(value, container)")},
    {"not", NOT("not is", "write flip(contained(value, container))")},
    {"is", NOT("is is", "write equality(a, b)")},
};

static const python_word statements[] = {
    {"if", NOT("if is", "write branch(condition, a, b)")},
    {"elif", NOT("elif is", "write branch(condition, a, b)")},
    {"else", NOT("else is", "write branch(condition, a, b)")},
    {"for", NOT("for is", "write apply, mapply, sfilter or power instead of a loop")},
    {"while", NOT("while is", "write power(function, n) to call a function again and again")},
    {"def", "a definition cannot stand in another one: put it beside, and give it what it needs as parameters"},
    {"class", NOT("class is", "write definitions")},
    {"try", NOT("try is", "--safe runs every call as if it were in one")},
    {"except", NOT("except is", "--safe runs every call as if it were in a try")},
    {"with", NOT("with is", "write assignments and a return")},
    {"assert", NOT("assert is", "leave the line out")},
    {"raise", NOT("raise is", "leave the line out")},
    {"pass", NOT("pass is", "leave the line out")},
    {"print", NOT("print is", "`arcl run` draws what is returned")},
    {"global", NOT("global is", "a definition can read what its file assigns, and assign its own names")},
    {"nonlocal", NOT("nonlocal is", "write assignments and a return")},
    {"del", NOT("del is", "leave the line out")},
    {"import", NOT("import in a definition is", "leave the line out")},
    {"from", NOT("import in a definition is", "leave the line out")},
    {"break", NOT("break is", "there are no loops")},
    {"continue", NOT("continue is", "there are no loops")},
    {"yield", NOT("yield is", "end the definition with one return")},
};

static const python_word operators[] = {
    {"==", NOT("== is", "write equality(a, b)")},
    {"!=", NOT("!= is", "write flip(equality(a, b))")},
    {"<=", NOT("<= is", "write flip(greater(a, b))")},
    {">=", NOT(">= is", "write flip(greater(b, a))")},
    {"//", NOT("// is", "write divide(a, b)")},
    {"**", NOT("** is", "write multiply(a, b)")},
    {"+", NOT("+ is", "write add(a, b) for numbers, combine(a, b) for containers")},
    {"-", NOT("- is", "write subtract(a, b) for numbers, difference(a, b) for sets")},
    {"*", NOT("* is", "write multiply(a, b)")},
    {"/", NOT("/ is", "write divide(a, b), which yields an int")},
    {"%", NOT("% is", "write subtract(a, multiply(b, divide(a, b)))")},
    {"<", NOT("< is", "write greater(b, a)")},
    {">", NOT("> is", "write greater(a, b)")},
    {"&", NOT("& is", "write intersection(a, b) for sets, both(a, b) for truth values")},
    {"|", NOT("| is", "write combine(a, b) for sets, either(a, b) for truth values")},
    {"^", NOT("^ is", "write difference(combine(a, b), intersection(a, b)) for sets")},
    {"~", NOT("~ is", "write flip(x)")},
    {"@", NOT("@ is", "write calls of ops")},
    {"[", NOT("indexing with [ ] is", "write first(x), last(x), index(grid, location) or crop(grid, start, size)")},
    {".", NOT("a dot behind a value is", "write ops as functions, as in size(x)")},
};

static const python_word displays[] = {
    {"[", NOT("lists are", "write a tuple, (a, b), or apply(function, container)")},
    {"{", NOT("sets and dicts in braces are", "write initset(a), insert(b, set) or apply(function, container)")},
    {"*", NOT("* before a value is", "write combine(a, b)")},
    {"~", NOT("~ is", "write flip(x)")},
    {"\"", NOT("strings are", "programs compute with numbers and grids")},
    {"'", NOT("strings are", "programs compute with numbers and grids")},
};

static const python_word functions[] = {
    {"len", "size"},
    {"sorted", "order"},
    {"max", "maximum, valmax or argmax"},
    {"min", "minimum, valmin or argmin"},
    {"tuple", "totuple"},
    {"frozenset", "initset or apply"},
    {"set", "initset or apply"},
    {"list", "totuple"},
    {"range", "interval"},
    {"zip", "pair"},
    {"map", "apply"},
    {"filter", "sfilter"},
    {"abs", "multiply(sign(x), x)"},
    {"sum", "size or add"},
    {"any", "either or extract"},
    {"all", "both or sfilter"},
    {"reversed", "hmirror"},
    {"enumerate", "pair and interval"},
    {"isinstance", "two definitions, one for each type"},
    {"print", "return, and `arcl run` draws it"},
    {"dict", "pair"},
    {"partial", "lbind or rbind"},
    {"reduce", "power"},
};

static const char *find_word(const python_word *words, size_t count, const char *text, size_t length) {
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i].word) == length && memcmp(words[i].word, text, length) == 0) return words[i].advice;
    return NULL;
}

/* The first that the text begins with: longer ones come first. */
static const char *find_symbol(const python_word *words, size_t count, const char *text) {
    for (size_t i = 0; i < count; i++)
        if (strncmp(text, words[i].word, strlen(words[i].word)) == 0) return words[i].advice;
    return NULL;
}

#define FIND(find, words, ...) find(words, sizeof words / sizeof *words, __VA_ARGS__)

const char *python_advice(const lexer *l, enum python_place place) {
    const char *text = l->text + l->at;
    if (l->kind == TK_NEWLINE || l->kind == TK_END) return NULL;
    if (l->kind == TK_NAME) {
        if (place == PYTHON_VALUE) return FIND(find_word, values, text, l->n);
        return place == PYTHON_STATEMENT ? FIND(find_word, statements, text, l->n)
                                         : FIND(find_word, behind, text, l->n);
    }
    if (l->kind == TK_INT) return NULL;
    return place == PYTHON_BEHIND_VALUE ? FIND(find_symbol, operators, text) : FIND(find_symbol, displays, text);
}

const char *python_function_advice(const char *name, size_t length) { return FIND(find_word, functions, name, length); }
