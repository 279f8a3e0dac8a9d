/* Completion for zsh: commands and options with what they do, names of ops where a command takes them, files
 * elsewhere. */
#include "arcl.h"
#include "cli/command_table.h"
#include "cli/help_text.h"

/* Inside '..' of the shell, and before a colon or bracket that _arguments would take for its own. */
static void put_quoted(FILE *out, const char *text, const char *special) {
    for (; *text; text++) {
        for (const char *s = special; *s; s++)
            if (*text == *s) putc('\\', out);
        if (*text == '\'')
            fputs("'\\''", out);
        else
            putc(*text, out);
    }
}

static void put_option(FILE *out, const option_row *row) {
    fprintf(out, "            '--%s[", row->name);
    put_quoted(out, row->help, ":[]");
    putc(']', out);
    if (row->argument) {
        putc(':', out);
        put_quoted(out, row->argument, ":[]");
        fputs(row->kind == NUMBER ? ":" : ":_files", out);
    }
    fputs("' \\\n", out);
}

static int takes_ops(int command) { return command == CLI_ops || command == CLI_bench; }

static void put_command(FILE *out, int command) {
    fprintf(out, "    %s)\n        _arguments -s \\\n", command_rows[command].name);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_matters(&option_rows[i], (cli_command)command)) put_option(out, &option_rows[i]);
    const char *what = takes_ops(command) ? "($ops)" : command == CLI_help ? "($names)" : "_files";
    fprintf(out, "            \"*:argument:%s\" ;;\n", what);
}

void help_completion_zsh(FILE *out) {
    fputs("#compdef arcl\n# Completion of arcl for zsh. Made by `arcl help --completion zsh`.\n"
          "_arcl() {\n    local -a commands names ops\n    commands=(\n",
          out);
    for (int i = 0; i < CLI_COMMANDS; i++) {
        fprintf(out, "        '%s:", command_rows[i].name);
        put_quoted(out, command_rows[i].summary, "");
        fputs("'\n", out);
    }
    fputs("    )\n    names=(", out);
    for (int i = 0; i < CLI_COMMANDS; i++) fprintf(out, "%s%s", i ? " " : "", command_rows[i].name);
    fputs(")\n    ops=(", out);
    for (int i = 0; i < arcl_op_count(); i++) fprintf(out, "%s%s", i ? " " : "", arcl_op_get(i).name);
    fputs(")\n"
          "    if (( CURRENT == 2 )); then\n"
          "        _describe -t commands command commands\n"
          "        return\n"
          "    fi\n"
          "    local command=${words[2]}\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    case $command in\n",
          out);
    for (int i = 0; i < CLI_COMMANDS; i++) put_command(out, i);
    fputs("    esac\n}\n_arcl \"$@\"\n", out);
}
