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

static int is_grid(json_node json) {
    json_node row = node_item(json, 0);
    return node_is_array(row) && !node_is_array(node_item(row, 0));
}

static int add_grid(reading *r, json_node json, const char *name) {
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
static int read_value(reading *r, json_node json, const char *name) {
    char inner[LONGEST_NAME], buf[64];
    if (is_grid(json)) return add_grid(r, json, name);
    for (size_t i = 0; i < node_member_count(json); i++) {
        snprintf(inner, sizeof inner, "%s%s%s", name, *name ? "." : "", json.members[i].key);
        if (read_value(r, json.members[i].value, inner)) return -1;
    }
    if (!node_is_array(json) && !node_is_object(json)) {
        snprintf(r->why, sizeof r->why, "%s is %s; expected grids, in arrays or objects", *name ? name : "this",
                 node_describe(json, buf, sizeof buf));
        return -1;
    }
    for (size_t i = 0; i < node_size(json); i++) {
        snprintf(inner, sizeof inner, "%.200s[%zu]", name, i);
        if (read_value(r, node_item(json, i), inner)) return -1;
    }
    return 0;
}

int grid_file_load(const char *path, grid_file *file) {
    reading r = {.file = file};
    *file = (grid_file){0};
    hoard memory = {0};
    json_node root;
    int unread = json_file_read(path, &memory, &root, r.why, sizeof r.why), failed = unread;
    if (!unread) failed = read_value(&r, root, "");
    hoard_free(&memory);
    if (unread) {
        message_error("%s", r.why);
        return -1;
    }
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
