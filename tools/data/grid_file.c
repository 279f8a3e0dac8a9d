#include "data/grid_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "data/json_file.h"

enum { LONGEST_NAME = 256 };

typedef struct reading {
    grid_file *file;
    uint32_t room;
    char why[1024];
} reading;

static int is_grid(const json_t *json) {
    const json_t *row = json_array_get(json, 0);
    return json_is_array(row) && !json_is_array(json_array_get(row, 0));
}

static int add_grid(reading *r, const json_t *json, const char *name) {
    grid_file *f = r->file;
    task_grid grid;
    if (grid_json_read(&f->memory, name, json, &grid, r->why, sizeof r->why)) return -1;
    if (f->count == r->room) {
        r->room = r->room ? 2 * r->room : 64;
        f->grids = allocation_resize(f->grids, r->room, sizeof *f->grids);
        f->names = allocation_resize(f->names, r->room, sizeof *f->names);
    }
    f->grids[f->count] = (arcl_grid){grid.h, grid.w, grid.cells};
    f->names[f->count++] = hoard_text(&f->memory, name);
    return 0;
}

/* The reader of JSON bounds how deep it is. */
static int read_value(reading *r, json_t *json, const char *name) {
    char inner[LONGEST_NAME], buf[64];
    const char *key;
    size_t index;
    json_t *value;
    if (is_grid(json)) return add_grid(r, json, name);
    if (json_is_object(json)) {
        json_object_foreach(json, key, value) {
            snprintf(inner, sizeof inner, "%s%s%s", name, *name ? "." : "", key);
            if (read_value(r, value, inner)) return -1;
        }
        return 0;
    }
    if (!json_is_array(json)) {
        snprintf(r->why, sizeof r->why, "%s is %s; expected grids, in arrays or objects", *name ? name : "this",
                 json_describe(json, buf, sizeof buf));
        return -1;
    }
    json_array_foreach(json, index, value) {
        snprintf(inner, sizeof inner, "%.200s[%zu]", name, index);
        if (read_value(r, value, inner)) return -1;
    }
    return 0;
}

int grid_file_load(const char *path, grid_file *file) {
    reading r = {.file = file};
    *file = (grid_file){0};
    json_t *root = json_file_open(path, r.why, sizeof r.why);
    if (!root) {
        message_error("%s", r.why);
        return -1;
    }
    int failed = read_value(&r, root, "");
    json_file_close(root);
    if (failed)
        message_error("%s: %s", path, r.why);
    else if (!file->count)
        message_error("%s: no grids; expected rows of numbers, in arrays or objects", path);
    return failed || !file->count ? -1 : 0;
}

void grid_file_free(grid_file *file) {
    free(file->grids);
    free(file->names);
    hoard_free(&file->memory);
    *file = (grid_file){0};
}
