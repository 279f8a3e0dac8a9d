/* Compiling for those parts of the library that look into what programs do: past all caches, and of definitions that no
 * text has as they are. */
#ifndef ARCL_PROGRAM_TEXT_H
#define ARCL_PROGRAM_TEXT_H
#include "language/syntax.h"
#include "program/compiled.h"

typedef struct program_text {
    const arcl_source *source; /* that positions are of, for messages */
    const definition *definition;
    int is_normal; /* it is to be compiled as it is: every call is a statement of its own */
    int notes;     /* its graph is to say what steps were made for */
} program_text;

ARCL_CHECKED arcl_status program_compile_text(arcl_context *context, const program_text *text,
                                              const arcl_compile_options *options, arcl_program **program,
                                              arcl_error *error);

#endif
