/* Vectors, drawn: the arguments of each lane and what is expected. */
#ifndef ARCL_VECTOR_SHOW_H
#define ARCL_VECTOR_SHOW_H
#include "arcl.h"

/* In the terminal, or as a picture if png is not NULL. Returns an exit status, after a message if it is not CLI_DONE.
 * */
int vector_show(arcl_context *context, const char *path, const char *png);

#endif
