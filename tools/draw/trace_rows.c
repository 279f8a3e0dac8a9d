/* Values are drawn as value_panel.h has it, patches where they lie in the input. A container of patches is drawn as one
 * picture, with how many there are. Where all examples have the same value, it is drawn once. */
#include "draw/trace_rows.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/value_json.h"
#include "draw/value_panel.h"

enum { MOST_PAIRS = PANEL_MOST / 2 - 1 };      /* of a mapped function that are drawn of an example */
enum { DEEPEST = 20, LONGEST_FUNCTION = 160 }; /* of functions in functions; of their text */

typedef struct row_maker {
    const arcl_trace *trace;
    const task_run *run;
    trace_rows *made;
    arcl_trace_line line;
    int number;
} row_maker;

static panel_row *add_row(row_maker *m, trace_row_kind kind, const char *caption) {
    trace_rows *r = m->made;
    if (r->count == r->room) {
        r->room = r->room ? 2 * r->room : 64;
        r->rows = allocation_resize(r->rows, (size_t)r->room, sizeof *r->rows);
    }
    r->rows[r->count] = (trace_row){.kind = kind, .row.caption = hoard_text(&r->memory, caption)};
    return &r->rows[r->count++].row;
}

static const char *example_name(row_maker *m, uint32_t lane) {
    const task_example *e = &m->run->task->examples[lane];
    char name[64];
    snprintf(name, sizeof name, "%s[%d]", e->part, e->index);
    return hoard_text(&m->made->memory, name);
}

/* ---- values ---- */

static json_node node_of(row_maker *m, arcl_value value) {
    json_t *json = value_json_make(value);
    json_node node = node_of_json(&m->made->memory, json);
    json_decref(json);
    return node;
}

static int is_patches(const char *type) {
    static const char *const cells[] = {"cell", "ijc", "ij"};
    size_t length = strlen(type);
    if (length < 6 || !strchr("{[", type[0]) || !strchr("{[", type[1])) return 0;
    for (int i = 0; i < 3; i++)
        if (length - 4 == strlen(cells[i]) && strncmp(type + 2, cells[i], length - 4) == 0) return 1;
    return 0;
}

static arcl_value item_of(arcl_value v, uint32_t i) { return arcl_value_item(v, i); }

/* The cells of all patches, as one. */
static json_node united(row_maker *m, arcl_value patches) {
    json_t *all = json_array();
    for (uint32_t i = 0; i < arcl_value_count(patches); i++)
        for (uint32_t n = 0; n < arcl_value_count(item_of(patches, i)); n++)
            json_array_append_new(all, value_json_make(item_of(item_of(patches, i), n)));
    json_node node = node_of_json(&m->made->memory, all);
    json_decref(all);
    return node;
}

static value_frame frame_of_input(const row_maker *m, uint32_t lane) {
    const task_grid *input = &m->run->task->examples[lane].input;
    return (value_frame){0, 0, input->h, input->w};
}

/* The panel of a lane's value, under its title; a value of several panels goes into a row of its own. */
static void add_value(row_maker *m, panel_row *row, uint32_t lane, const char *title) {
    hoard *memory = &m->made->memory;
    arcl_value value = arcl_trace_value(m->trace, m->number, lane);
    value_frame frame = frame_of_input(m, lane);
    int first = row->count;
    char text[160];
    if (arcl_trace_status(m->trace, m->number, lane) != ARCL_OK) {
        arcl_lane_status status = arcl_trace_status(m->trace, m->number, lane);
        panel_add_text(row, memory, title, arcl_lane_status_name(status));
        return;
    }
    const char *type = m->line.type;
    json_node node;
    if (is_patches(type)) {
        snprintf(text, sizeof text, "%s: %u", title, arcl_value_count(value));
        title = hoard_text(memory, text);
        node = united(m, value);
        type = "[cell]"; /* or what else a patch is made of: it is drawn by what it has */
    } else
        node = node_of(m, value);
    value_frame_add(&frame, type, node);
    value_panel_add(row, memory, &frame, type, node);
    if (first < row->count) row->panels[first].title = title;
}

/* Whether a value may take more than one panel. */
static int is_wide(const char *type) { return strcmp(type, "[grid]") == 0 || strcmp(type, "{grid}") == 0; }

static void add_values(row_maker *m, panel_row *row) {
    uint32_t lanes = (uint32_t)m->run->task->count;
    if (m->line.same) {
        m->made->rows[m->made->count - 1].is_same = 1;
        add_value(m, row, 0, "all examples");
        return;
    }
    for (uint32_t lane = 0; lane < lanes; lane++) {
        if (row->count == PANEL_MOST || (row->count && is_wide(m->line.type))) row = add_row(m, TRACE_ROW_MORE, "");
        add_value(m, row, lane, example_name(m, lane));
    }
}

/* ---- mapped functions ---- */

static void add_pairs(row_maker *m, uint32_t lane) {
    arcl_value pairs = arcl_trace_elements(m->trace, m->number, lane);
    uint32_t count = arcl_value_count(pairs);
    hoard *memory = &m->made->memory;
    char caption[120];
    if (!count) return;
    snprintf(caption, sizeof caption, "  %s, %u element%s and what becomes of %s:", example_name(m, lane), count,
             count == 1 ? "" : "s", count == 1 ? "it" : "each");
    panel_row *row = add_row(m, TRACE_ROW_MORE, caption);
    value_frame frame = {0};
    for (uint32_t i = 0; i < count && i < MOST_PAIRS; i++) {
        value_frame_add(&frame, m->line.element_type, node_of(m, item_of(item_of(pairs, i), 0)));
        value_frame_add(&frame, m->line.mapped_type, node_of(m, item_of(item_of(pairs, i), 1)));
    }
    for (uint32_t i = 0; i < count && i < MOST_PAIRS && row->count + 2 < PANEL_MOST; i++) {
        value_panel_add(row, memory, &frame, m->line.element_type, node_of(m, item_of(item_of(pairs, i), 0)));
        int result = row->count;
        if (result < PANEL_MOST)
            value_panel_add(row, memory, &frame, m->line.mapped_type, node_of(m, item_of(item_of(pairs, i), 1)));
        if (result < row->count) row->panels[result].arrow = 1;
    }
    if (count > MOST_PAIRS && row->count < PANEL_MOST) {
        snprintf(caption, sizeof caption, "and %u more", count - MOST_PAIRS);
        panel_add_text(row, memory, NULL, caption);
    }
}

/* ---- failures ---- */

/* A failure is told where it happens; lines that come of that one only name it. "" if there is nothing to tell. */
static void describe_failure(const row_maker *m, uint32_t lane, char *text, size_t size) {
    arcl_failure f;
    arcl_error error;
    text[0] = 0;
    if (arcl_trace_failure(m->trace, m->number, lane, &f, &error)) {
        allocation_check(&error);
        return;
    }
    if (f.status != ARCL_OK && f.line == m->line.line)
        snprintf(text, size, "%s", f.message);
    else if (arcl_trace_status(m->trace, m->number, lane) != ARCL_OK)
        snprintf(text, size, "%s because of line %u", arcl_lane_status_name(f.status), f.line);
}

/* Examples that fail alike are told of together. */
static void add_failures(row_maker *m) {
    enum { LONGEST = 1024 };
    uint32_t lanes = (uint32_t)m->run->task->count;
    char(*text)[LONGEST] = allocation_get(lanes, sizeof *text);
    for (uint32_t lane = 0; lane < lanes; lane++) describe_failure(m, lane, text[lane], sizeof *text);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        char told[2 * LONGEST] = "";
        size_t length = 0;
        for (uint32_t other = lane; other < lanes && *text[lane]; other++) {
            if (strcmp(text[lane], text[other]) != 0) continue;
            if (length < LONGEST / 2)
                length +=
                    (size_t)snprintf(told + length, LONGEST / 2, "%s%s", length ? ", " : "", example_name(m, other));
            if (other > lane) *text[other] = 0;
        }
        if (!*text[lane]) continue;
        snprintf(told + length, sizeof told - length, ": %s", text[lane]);
        add_row(m, TRACE_ROW_FAILURE, told);
    }
    free(text);
}

/* ---- functions ---- */

/* What stands to the right of the name that a line gives a value to. */
static const char *right_side(const char *text) {
    const char *at = strstr(text, " = ");
    return at ? at + 3 : strncmp(text, "return ", 7) == 0 ? text + 7 : text;
}

static int is_part_of_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The text of the line before this one that gave a function that name; NULL: none did. */
static const char *function_named(const row_maker *m, int before, const char *name, size_t length, int *line) {
    for (*line = before - 1; *line >= 0; --*line) {
        arcl_trace_line l = arcl_trace_line_get(m->trace, *line);
        if (strncmp(l.text, name, length) == 0 && strncmp(l.text + length, " = ", 3) == 0)
            return l.kind == ARCL_TRACE_FUNCTION ? right_side(l.text) : NULL;
    }
    return NULL;
}

/* The text with the texts of functions in place of their names. */
static void put_function(FILE *out, const row_maker *m, int line, const char *text, int depth) {
    while (*text) {
        size_t length = 0;
        int found;
        while (is_part_of_name(text[length])) length++;
        const char *body = length && depth < DEEPEST ? function_named(m, line, text, length, &found) : NULL;
        if (body)
            put_function(out, m, found, body, depth + 1);
        else
            fprintf(out, "%.*s", (int)(length ? length : 1), text);
        text += length ? length : 1;
    }
}

static void add_function(row_maker *m, panel_row *row) {
    char text[LONGEST_FUNCTION + 1] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    if (!out) allocation_none();
    put_function(out, m, m->number, right_side(m->line.text), 0);
    fclose(out); /* what does not fit is left out */
    if (strlen(text) > LONGEST_FUNCTION - 2) memcpy(text + LONGEST_FUNCTION - 2, "..", 3);
    panel_add_text(row, &m->made->memory, "a function", text);
}

/* ---- lines ---- */

static void add_line(row_maker *m) {
    char caption[400];
    const char *type = m->line.type, *same = m->line.same ? "  (the same in all examples)" : "";
    snprintf(caption, sizeof caption, "%u: %s%s%s%s", m->line.line, m->line.text, *type ? "  :: " : "", type, same);
    panel_row *row = add_row(m, TRACE_ROW_LINE, caption);
    if (m->line.kind == ARCL_TRACE_FUNCTION) {
        add_function(m, row);
        return;
    }
    if (m->line.kind == ARCL_TRACE_UNUSED) {
        panel_add_text(row, &m->made->memory, NULL, "not used");
        return;
    }
    add_values(m, row);
    if (*m->line.element_type)
        for (uint32_t lane = 0; lane < (uint32_t)(m->line.same ? 1 : m->run->task->count); lane++) add_pairs(m, lane);
    add_failures(m);
}

void trace_rows_make(const arcl_trace *trace, const task_run *run, trace_rows *made) {
    row_maker m = {.trace = trace, .run = run, .made = made};
    *made = (trace_rows){0};
    m.line = (arcl_trace_line){.text = "the input", .type = "grid"};
    panel_row *row = add_row(&m, TRACE_ROW_LINE, "I, the input, and what is expected");
    for (int i = 0; i < run->task->count; i++) {
        const task_example *e = &run->task->examples[i];
        if (row->count + 2 > PANEL_MOST) row = add_row(&m, TRACE_ROW_MORE, "");
        panel_add_grid(row, &made->memory, example_name(&m, (uint32_t)i), &e->input);
        if (e->output.cells) panel_add_grid(row, &made->memory, NULL, &e->output)->arrow = 1;
    }
    for (m.number = 0; m.number < arcl_trace_lines(trace); m.number++) {
        m.line = arcl_trace_line_get(trace, m.number);
        add_line(&m);
    }
}

void trace_rows_free(trace_rows *rows) {
    free(rows->rows);
    hoard_free(&rows->memory);
    *rows = (trace_rows){0};
}
