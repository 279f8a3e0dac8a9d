/* Python that the language does not have, and what to write instead: for messages alone. */
#ifndef ARCL_PYTHON_WORDS_H
#define ARCL_PYTHON_WORDS_H
#include "language/lexer.h"

/* Where a token stands that does not belong there. */
enum python_place { PYTHON_VALUE, PYTHON_BEHIND_VALUE, PYTHON_STATEMENT };

/* What to say about the present token, if it is one of Python's: "lambda is not in the language: write ..". Else
 * NULL. */
const char *python_advice(const lexer *l, enum python_place place);

/* What to write instead of a function of Python's, "size" for "len"; NULL if it is none. */
const char *python_function_advice(const char *name, size_t length);

#endif
