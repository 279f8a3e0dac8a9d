/* The manual page arcl(1), written in the man macros from the same rows as the help. */
#include "arcl.h"
#include "cli/command_table.h"
#include "cli/help_text.h"

/* Text as roff reads it: backslashes and hyphens of options are meant, and no line may begin like a request. */
static void put_text(FILE *out, const char *text) {
    if (*text == '.' || *text == '\'') fputs("\\&", out);
    for (; *text; text++) {
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else if (*text == '"')
            fputs("\\(dq", out);
        else
            putc(*text, out);
    }
}

static void put_line(FILE *out, const char *request, const char *text) {
    fputs(request, out);
    put_text(out, text);
    putc('\n', out);
}

/* An entry of a list: what is in bold, its argument in italics, and the text. */
static void put_entry(FILE *out, const char *bold, const char *argument, const char *text) {
    fputs(".TP\n\\fB", out);
    put_text(out, bold);
    fputs("\\fR", out);
    if (argument) {
        fputs(" \\fI", out);
        put_text(out, argument);
        fputs("\\fR", out);
    }
    putc('\n', out);
    put_line(out, "", text);
}

static void put_option(FILE *out, const option_row *row) {
    char names[64];
    if (row->letter)
        snprintf(names, sizeof names, "-%c, --%s", row->letter, row->name);
    else
        snprintf(names, sizeof names, "--%s", row->name);
    put_entry(out, names, row->argument, row->help);
}

static void put_rows(FILE *out, const char *title, manual_kind kind) {
    put_line(out, ".SH ", title);
    for (int i = 0; i < MANUAL_COUNT; i++)
        if (manual_rows[i].kind == kind) put_entry(out, manual_rows[i].name, NULL, manual_rows[i].text);
}

static void put_about(FILE *out, cli_command command) {
    for (int i = 0; i < MANUAL_COUNT; i++)
        if (manual_rows[i].kind == MANUAL_ABOUT && manual_rows[i].command == command)
            put_line(out, "", manual_rows[i].text);
}

static void put_command(FILE *out, cli_command command) {
    const command_row *row = &command_rows[command];
    fputs(".SS ", out);
    put_text(out, "arcl ");
    put_text(out, row->name);
    put_line(out, *row->arguments ? " " : "", row->arguments);
    put_line(out, "", row->summary);
    put_about(out, command);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_group_of(&option_rows[i]) == OPTION_OWN && option_belongs(&option_rows[i], command))
            put_option(out, &option_rows[i]);
}

static void put_group(FILE *out, const char *title, option_group group) {
    fprintf(out, ".SH %s\n", title);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_group_of(&option_rows[i]) == group) put_option(out, &option_rows[i]);
}

void help_manual(FILE *out) {
    fprintf(out, ".\\\" Made by `arcl help --man`.\n.TH ARCL 1 \"\" \"arcl %s\" \"User commands\"\n.nh\n.ad l\n",
            arcl_version());
    fputs(".SH NAME\narcl \\- run programs of the ARC grid language over batches of grids\n"
          ".SH SYNOPSIS\n\\fBarcl\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n",
          out);
    put_about(out, CLI_COMMANDS);
    fputs(".SH COMMANDS\n", out);
    for (int i = 0; i < CLI_COMMANDS; i++) put_command(out, (cli_command)i);
    put_group(out, "OPTIONS OF MANY COMMANDS", OPTION_SHARED);
    put_group(out, "COMMON OPTIONS", OPTION_COMMON);
    put_rows(out, "EXIT STATUS", MANUAL_STATUS);
    put_rows(out, "ENVIRONMENT", MANUAL_VARIABLE);
    put_rows(out, "FILES", MANUAL_FILE);
    put_rows(out, "EXAMPLES", MANUAL_EXAMPLE);
}
