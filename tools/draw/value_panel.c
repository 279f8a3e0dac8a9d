/* From types and JSON to panels. A value that is not what its type says is written as text. */
#include "draw/value_panel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FARTHEST = 30, ROOM = PANEL_MOST - 2, LONGEST_TEXT = 60 };

static int is_one_of(const char *type, const char *const *types) {
    for (; *types; types++)
        if (strcmp(type, *types) == 0) return 1;
    return 0;
}

static int is_grid(const char *type) { return strcmp(type, "grid") == 0; }

static int is_patch(const char *type) {
    static const char *const types[] = {"{cell}", "{ij}", "[cell]", "[ij]", "cell", "{ijc}", "[ijc]", "ijc", NULL};
    return is_one_of(type, types);
}

static int is_one_cell(const char *type) { return strcmp(type, "cell") == 0 || strcmp(type, "ijc") == 0; }

/* The type of the elements of a container, in buf, if they are drawn one by one; else NULL. */
static const char *drawn_elements(const char *type, char *buf, size_t size) {
    size_t length = strlen(type);
    if (length < 3 || !strchr("{[", *type)) return NULL;
    snprintf(buf, size, "%.*s", (int)(length - 2), type + 1);
    return is_grid(buf) || (is_patch(buf) && !is_one_cell(buf)) ? buf : NULL;
}

/* The items of a tuple or set. */
static json_node items(json_node value) { return node_is_object(value) ? node_member(value, "set") : value; }

/* ---- cells of patches: [colour, [i, j]], in tokpidjin [i, j, colour], or [i, j] ---- */

typedef struct place {
    int colour, i, j;
} place;

/* Places that are too far away for any frame are passed over. */
static int read_place(json_node item, place *p) {
    int is_triple = node_size(item) == 3, has_colour = is_triple || node_is_array(node_item(item, 1));
    json_node ij = has_colour && !is_triple ? node_item(item, 1) : item, colour = node_item(item, is_triple ? 2 : 0);
    int64_t i = node_int(node_item(ij, 0)), j = node_int(node_item(ij, 1));
    if (node_size(ij) != (is_triple ? 3 : 2) || i < -FARTHEST || i > FARTHEST || j < -FARTHEST || j > FARTHEST)
        return -1;
    p->colour = has_colour && node_is_int(colour) ? (int)node_int(colour) : PANEL_PLACE;
    p->i = (int)i;
    p->j = (int)j;
    return 0;
}

/* A cell alone is a patch of one. */
static size_t place_count(const char *type, json_node value) { return is_one_cell(type) ? 1 : node_size(items(value)); }

static json_node place_item(const char *type, json_node value, size_t index) {
    return is_one_cell(type) ? value : node_item(items(value), index);
}

/* ---- the frame ---- */

static void frame_reach(value_frame *f, int i, int j) {
    int bottom = f->top + f->h, right = f->left + f->w;
    f->top = i < f->top ? i : f->top;
    f->left = j < f->left ? j : f->left;
    f->h = (i + 1 > bottom ? i + 1 : bottom) - f->top;
    f->w = (j + 1 > right ? j + 1 : right) - f->left;
}

static int grid_width(json_node value) {
    size_t widest = 0;
    for (size_t i = 0; i < node_size(value); i++)
        if (node_size(node_item(value, i)) > widest) widest = node_size(node_item(value, i));
    return (int)widest;
}

void value_frame_add(value_frame *frame, const char *type, json_node value) {
    char element[64];
    place p;
    if (is_grid(type) && node_size(value))
        frame_reach(frame, (int)node_size(value) - 1, grid_width(value) - 1);
    else if (is_patch(type)) {
        for (size_t i = 0; i < place_count(type, value); i++)
            if (read_place(place_item(type, value, i), &p) == 0) frame_reach(frame, p.i, p.j);
    } else if (drawn_elements(type, element, sizeof element) && !is_grid(element))
        for (size_t i = 0; i < node_size(items(value)); i++)
            value_frame_add(frame, element, node_item(items(value), i));
}

/* ---- panels ---- */

static void add_grid(panel_row *row, hoard *owner, json_node value) {
    panel *p = panel_add(row, owner, NULL, (int)node_size(value), grid_width(value));
    for (int i = 0; i < p->h; i++)
        for (int j = 0; j < p->w; j++) {
            json_node cell = node_item(node_item(value, (size_t)i), (size_t)j);
            if (node_is_int(cell)) p->cells[i * p->w + j] = (short)node_int(cell);
        }
}

static int is_inside(const value_frame *f, const place *p) {
    return p->i >= f->top && p->i < f->top + f->h && p->j >= f->left && p->j < f->left + f->w;
}

static void add_patch(panel_row *row, hoard *owner, const value_frame *f, const char *type, json_node value) {
    panel *p = panel_add(row, owner, NULL, f->h, f->w);
    place at;
    for (size_t i = 0; i < place_count(type, value); i++)
        if (read_place(place_item(type, value, i), &at) == 0 && is_inside(f, &at))
            p->cells[(at.i - f->top) * p->w + at.j - f->left] = (short)at.colour;
}

/* As the language would write it: (1, 2), {3}, T. */
static void put_value(FILE *out, json_node value) {
    json_node list = items(value);
    if (node_is_boolean(value))
        fputs(value.kind == NODE_TRUE ? "T" : "F", out);
    else if (node_is_int(value))
        fprintf(out, "%lld", (long long)node_int(value));
    else if (!node_is_array(list))
        fputs("none", out);
    else {
        fputc(node_is_object(value) ? '{' : '(', out);
        for (size_t i = 0; i < node_size(list); i++) {
            if (i) fputs(", ", out);
            put_value(out, node_item(list, i));
        }
        fputs(node_is_object(value) ? "}" : node_size(list) == 1 ? ",)" : ")", out);
    }
}

static void add_written(panel_row *row, hoard *owner, json_node value) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out) allocation_none();
    put_value(out, value);
    if (fclose(out) || !text) allocation_none(); /* nothing else can go wrong in memory */
    if (length > LONGEST_TEXT) memcpy(text + LONGEST_TEXT - 2, "..", 3);
    panel_add_text(row, owner, NULL, text);
    free(text);
}

void value_panel_add(panel_row *row, hoard *owner, const value_frame *frame, const char *type, json_node value) {
    char element[64];
    const char *drawn = drawn_elements(type, element, sizeof element);
    size_t count = drawn ? node_size(items(value)) : 0;
    if (row->count >= PANEL_MOST) return;
    if (is_grid(type) && node_size(value))
        add_grid(row, owner, value);
    else if (is_patch(type) && place_count(type, value))
        add_patch(row, owner, frame, type, value);
    else if (count == 0)
        add_written(row, owner, value);
    for (size_t i = 0; i < count && row->count < PANEL_MOST; i++)
        if (row->count < ROOM || i + 1 == count)
            value_panel_add(row, owner, frame, drawn, node_item(items(value), i));
        else {
            panel_add_text(row, owner, NULL, "..");
            break;
        }
}
