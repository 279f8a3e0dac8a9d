/* Help in the terminal. */
#include "cli/help_text.h"

#include <string.h>

#include "cli/command_table.h"

enum { LINE = 80, OPTION_COLUMN = 25, COMMAND_COLUMN = 12, VARIABLE_COLUMN = 18 };

/* Text in lines that end before column LINE, as far as its words allow. What has been printed of the first line ends at
 * `column`; the others begin at `indent`. */
static void put_wrapped(FILE *out, const char *text, int column, int indent) {
    for (int first = 1; *text; first = 0) {
        int word = (int)strcspn(text, " ");
        if (!first && column + 1 + word >= LINE) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            first = 1;
        }
        fprintf(out, "%s%.*s", first ? "" : " ", word, text);
        column += word + !first;
        text += word + (int)strspn(text + word, " ");
    }
    putc('\n', out);
}

/* An entry of a list: what it is about at the left, and the text at a column. */
static void put_entry(FILE *out, const char *left, int column, const char *text) {
    int width = column - 1;
    int printed = fprintf(out, "%-*s ", width, left);
    put_wrapped(out, text, printed, column);
}

static void put_option(FILE *out, const option_row *row) {
    char left[64];
    const char *argument = row->argument ? row->argument : "", *blank = row->argument ? " " : "";
    if (row->letter)
        snprintf(left, sizeof left, "  -%c, --%s%s%s", row->letter, row->name, blank, argument);
    else
        snprintf(left, sizeof left, "      --%s%s%s", row->name, blank, argument);
    put_entry(out, left, OPTION_COLUMN, row->help);
}

/* The options of one group that matter to a command, or to any (CLI_COMMANDS), if there are such. */
static void put_options(FILE *out, const char *title, option_group group, cli_command command) {
    for (int i = 0; i < OPTION_COUNT; i++) {
        const option_row *row = &option_rows[i];
        if (option_group_of(row) != group || (command != CLI_COMMANDS && !option_matters(row, command))) continue;
        if (title) fprintf(out, "\n%s\n", title);
        title = NULL;
        put_option(out, row);
    }
}

static void put_row(FILE *out, const manual_row *row) {
    char left[64];
    snprintf(left, sizeof left, "  %s", row->name);
    switch (row->kind) {
    case MANUAL_ABOUT: put_wrapped(out, row->text, 0, 0); break;
    case MANUAL_EXAMPLE: fprintf(out, "  %s\n      %s\n", row->name, row->text); break;
    case MANUAL_STATUS: fprintf(out, "  %s  %s\n", row->name, row->text); break;
    default: put_entry(out, left, VARIABLE_COLUMN, row->text);
    }
}

/* The rows of one kind about one command, if there are any; the title may be NULL. */
static void put_rows(FILE *out, const char *title, manual_kind kind, cli_command command) {
    for (int i = 0; i < MANUAL_COUNT; i++) {
        if (manual_rows[i].kind != kind || manual_rows[i].command != command) continue;
        if (title) fprintf(out, "\n%s\n", title);
        title = NULL;
        put_row(out, &manual_rows[i]);
    }
}

static void put_commands(FILE *out) {
    put_rows(out, NULL, MANUAL_ABOUT, CLI_COMMANDS);
    fputs("\nCommands:\n", out);
    for (int i = 0; i < CLI_COMMANDS; i++) {
        char left[32];
        snprintf(left, sizeof left, "  %s", command_rows[i].name);
        put_entry(out, left, COMMAND_COLUMN, command_rows[i].summary);
    }
    fputs("\n`arcl help COMMAND` explains a command and lists its options.\n", out);
}

static void put_command(FILE *out, cli_command command) {
    const command_row *row = &command_rows[command];
    fprintf(out, "usage: arcl %s%s%s [OPTIONS]\n\n", row->name, *row->arguments ? " " : "", row->arguments);
    put_wrapped(out, row->summary, 0, 0);
    put_rows(out, NULL, MANUAL_ABOUT, command);
    put_options(out, "Options:", OPTION_OWN, command);
    put_rows(out, "Example:", MANUAL_EXAMPLE, command);
}

void help_text(FILE *out, cli_command command) {
    if (command == CLI_COMMANDS)
        put_commands(out);
    else
        put_command(out, command);
    put_options(out, "Options of many commands:", OPTION_SHARED, command);
    put_options(out, "Common options:", OPTION_COMMON, command);
    put_rows(out, "Exit status:", MANUAL_STATUS, CLI_COMMANDS);
    if (command == CLI_COMMANDS) put_rows(out, "Environment:", MANUAL_VARIABLE, CLI_COMMANDS);
}
