#include "commands/check/check_lines.h"

#include <stdlib.h>

#include "cli/allocation.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "commands/vector_case.h"

static void add_lines(check_lines *lines, int file, const char *text, size_t length) {
    const char *at = text;
    vector_case one;
    for (int number = 0; vector_case_next(&at, text + length, &number, &one);) {
        if (lines->count == lines->room) {
            lines->room = lines->room ? 2 * lines->room : 256;
            lines->list = allocation_resize(lines->list, lines->room, sizeof *lines->list);
        }
        lines->list[lines->count++] = (check_line){one.text, one.length, file, one.line};
    }
}

int check_lines_read(check_lines *lines, const char *const *paths, int count) {
    char why[1024];
    *lines = (check_lines){.paths = paths};
    lines->texts = allocation_get((size_t)count, sizeof *lines->texts);
    for (int i = 0; i < count; i++) {
        size_t length;
        lines->texts[i] = file_read(paths[i], &length, why, sizeof why);
        if (!lines->texts[i]) {
            message_error("%s", why);
            return -1;
        }
        lines->file_count++;
        add_lines(lines, i, lines->texts[i], length);
    }
    return 0;
}

void check_lines_free(check_lines *lines) {
    for (int i = 0; i < lines->file_count; i++) free(lines->texts[i]);
    free(lines->texts);
    free(lines->list);
    *lines = (check_lines){0};
}
