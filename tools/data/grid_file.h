/* Collections of grids: every grid in a JSON file, however deep it is in arrays and objects. So lists of grids,
 * solutions by task and predictions by task and attempt are read alike. */
#ifndef ARCL_GRID_FILE_H
#define ARCL_GRID_FILE_H
#include "arcl.h"
#include "data/grid_json.h"

typedef struct grid_file {
    arcl_grid *grids;
    const char **names; /* where each is in the file: a1b2c3d4[0].attempt_1 */
    uint32_t count;
    hoard memory;
} grid_file;

/* Returns 0, or -1 after a message. Nothing is skipped: a file with anything else in it is refused. Free it in both
 * cases. */
int grid_file_load(const char *path, grid_file *file);
void grid_file_free(grid_file *file);

#endif
