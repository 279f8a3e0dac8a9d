/* Completion for fish: a line for each command, and for each option of it; names of ops where a command takes them.
 * Files are fish's own business. */
#include "arcl.h"
#include "cli/command_table.h"
#include "cli/help_text.h"

/* Inside '..' of the shell. */
static void put_quoted(FILE *out, const char *text) {
    putc('\'', out);
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') putc('\\', out);
        putc(*text, out);
    }
    putc('\'', out);
}

static void put_option(FILE *out, const char *command, const option_row *row) {
    fprintf(out, "complete -c arcl -n '__fish_seen_subcommand_from %s' -l %s", command, row->name);
    if (row->letter) fprintf(out, " -s %c", row->letter);
    if (row->kind != FLAG) fputs(row->kind == NUMBER ? " -x" : " -r", out);
    fputs(" -d ", out);
    put_quoted(out, row->help);
    putc('\n', out);
}

void help_completion_fish(FILE *out) {
    fputs("# Completion of arcl for fish. Made by `arcl help --completion fish`.\n", out);
    for (int i = 0; i < CLI_COMMANDS; i++) {
        fprintf(out, "complete -c arcl -n __fish_use_subcommand -f -a %s -d ", command_rows[i].name);
        put_quoted(out, command_rows[i].summary);
        putc('\n', out);
    }
    for (int i = 0; i < CLI_COMMANDS; i++)
        for (int k = 0; k < OPTION_COUNT; k++)
            if (option_matters(&option_rows[k], (cli_command)i)) put_option(out, command_rows[i].name, &option_rows[k]);
    fputs("complete -c arcl -n '__fish_seen_subcommand_from ops bench' -f -a '", out);
    for (int i = 0; i < arcl_op_count(); i++) fprintf(out, "%s%s", i ? " " : "", arcl_op_get(i).name);
    fputs("'\ncomplete -c arcl -n '__fish_seen_subcommand_from help' -f -a '", out);
    for (int i = 0; i < CLI_COMMANDS; i++) fprintf(out, "%s%s", i ? " " : "", command_rows[i].name);
    fputs("'\n", out);
}
