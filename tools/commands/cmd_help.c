/* arcl help: of a command or of all, and in the forms that are installed with it. */
#include <stdio.h>

#include "cli/command_line.h"
#include "cli/help_text.h"

int cmd_help(const cli_options *options) {
    cli_command command = CLI_COMMANDS;
    if (options->count) {
        command = cli_find(options->arguments[0]);
        if (command == CLI_COMMANDS) return CLI_BAD;
    }
    if (options->man)
        help_manual(stdout);
    else if (options->completion)
        help_completion(stdout);
    else
        help_text(stdout, command);
    return CLI_DONE;
}
