/* Completion for bash: commands, then the options of the command, and names of ops where a command takes them.
 * Everything else is completed as a file's name, which is bash's own business. */

#include "arcl.h"
#include "cli/command_table.h"
#include "cli/help_text.h"

static void put_options(FILE *out, int command) {
    const char *before = "";
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!option_matters(&option_rows[i], (cli_command)command)) continue;
        fprintf(out, "%s--%s", before, option_rows[i].name);
        before = " ";
    }
}

static void put_commands(FILE *out) {
    for (int i = 0; i < CLI_COMMANDS; i++) fprintf(out, "%s%s", i ? " " : "", command_rows[i].name);
}

void help_completion(FILE *out) {
    fputs("# Completion of arcl for bash. Made by `arcl help --completion`.\n"
          "_arcl() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
          "    local commands='",
          out);
    put_commands(out);
    fputs("'\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        words=\"$commands --help --version\"\n"
          "    elif [ \"$before\" = --device ]; then\n"
          "        words='auto host cl:0'\n"
          "    elif [ \"${word#-}\" != \"$word\" ]; then\n"
          "        case ${COMP_WORDS[1]} in\n",
          out);
    for (int i = 0; i < CLI_COMMANDS; i++) {
        fprintf(out, "        %s) words='", command_rows[i].name);
        put_options(out, i);
        fputs("' ;;\n", out);
    }
    fputs("        esac\n"
          "    else\n"
          "        case ${COMP_WORDS[1]} in\n"
          "        help) words=$commands ;;\n"
          "        ops | bench) words='",
          out);
    for (int i = 0; i < arcl_op_count(); i++) fprintf(out, "%s%s", i ? " " : "", arcl_op_get(i).name);
    fputs("' ;;\n"
          "        esac\n"
          "    fi\n"
          "    [ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "}\n"
          "complete -o bashdefault -o default -F _arcl arcl\n",
          out);
}
