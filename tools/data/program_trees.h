/* The programs of files as trees, for commands that change them or learn from them. */
#ifndef ARCL_PROGRAM_TREES_H
#define ARCL_PROGRAM_TREES_H
#include "data/program_files.h"

typedef struct program_trees {
    arcl_tree **trees;
    const program_entry **entries; /* that they are of */
    int count;
    arcl_dialect dialect; /* of all; ARCL_DIALECT_AUTO: there are none */
} program_trees;

/* Of those programs that are trees; of the others a note says why not. Returns 0, or -1 after a message if they are of
 * different dialects. Free them in any case. */
int program_trees_make(arcl_context *context, const program_list *programs, program_trees *made);
void program_trees_free(program_trees *made);

#endif
