/* Draws what the lines of a vector file say. Nothing is run: programs are compiled for the type of their result. */
#include "commands/vector_show.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/files.h"
#include "cli/messages.h"
#include "commands/vector_case.h"
#include "draw/grid_drawing.h"
#include "draw/picture.h"
#include "draw/value_panel.h"

enum { MOST_ROWS = 60 }; /* of a picture */

typedef struct showing {
    const char *png;
    hoard memory; /* of the picture's rows */
    panel_row rows[MOST_ROWS];
    int count, left_out;
} showing;

static const char *argument_type(const vector_case *one, size_t index) {
    return node_text(node_item(node_member(one->json, "types"), index));
}

/* Arguments, an arrow, and what is expected. */
static void make_row(const vector_case *one, uint32_t lane, hoard *owner, panel_row *row) {
    json_node in = node_member(node_item(one->lanes, lane), "in"), out = vector_case_expected(one, lane);
    value_frame frame = {0};
    char type[128];
    arcl_program_result_type(one->work.program, type, sizeof type);
    *row = (panel_row){.count = 0};
    for (size_t i = 0; i < node_size(in); i++) value_frame_add(&frame, argument_type(one, i), node_item(in, i));
    if (node_is_there(out)) value_frame_add(&frame, type, out);
    for (size_t i = 0; i < node_size(in); i++)
        value_panel_add(row, owner, &frame, argument_type(one, i), node_item(in, i));
    int result = row->count;
    if (node_is_there(out))
        value_panel_add(row, owner, &frame, type, out);
    else if (row->count < PANEL_MOST)
        panel_add_text(row, owner, NULL, "an error");
    if (result < row->count) row->panels[result].arrow = result > 0;
}

static void show_lane(showing *all, const vector_case *one, uint32_t lane) {
    if (all->png && all->count == MOST_ROWS) {
        all->left_out++;
    } else if (all->png) {
        make_row(one, lane, &all->memory, &all->rows[all->count]);
        all->rows[all->count++].caption = hoard_text(&all->memory, one->id);
    } else {
        hoard memory = {0};
        panel_row row;
        make_row(one, lane, &memory, &row);
        message_put_clean(stdout, one->id);
        printf(" lane %u\n", lane);
        drawing_print(row.panels, row.count);
        hoard_free(&memory);
    }
}

static int show_text(showing *all, arcl_context *context, const char *path, const char *text, size_t length) {
    const char *at = text;
    vector_case one;
    int line = 0, status = CLI_DONE;
    while (status == CLI_DONE && vector_case_next(&at, text + length, &line, &one)) {
        vector_case_prepare(context, &one);
        if (one.state != VECTOR_READY) {
            message_error("%s:%d: %s", path, line, one.work.error.message);
            status = CLI_BAD;
        }
        for (uint32_t lane = 0; status == CLI_DONE && lane < vector_case_lanes(&one); lane++)
            show_lane(all, &one, lane);
        vector_case_free(&one);
    }
    return status;
}

int vector_show(arcl_context *context, const char *path, const char *png) {
    char why[1024];
    size_t length;
    char *text = file_read(path, &length, why, sizeof why);
    if (!text) {
        message_error("%s", why);
        return CLI_BAD;
    }
    showing *all = allocation_get(1, sizeof *all);
    all->png = png;
    int status = show_text(all, context, path, text, length);
    if (status == CLI_DONE && png && all->count == 0) {
        message_error("%s: no lanes to draw", path);
        status = CLI_BAD;
    } else if (status == CLI_DONE && png && picture_write(png, all->rows, all->count))
        status = CLI_BAD;
    if (all->left_out) message_note("%s: the first %d lanes; %d more are left out", png, all->count, all->left_out);
    hoard_free(&all->memory);
    free(all);
    free(text);
    return status;
}
