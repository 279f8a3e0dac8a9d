/* arcl help: of a command or of all, and in the forms that are installed with it. */
#include <stdio.h>
#include <string.h>

#include "cli/command_line.h"
#include "cli/help_text.h"
#include "cli/messages.h"

static int put_completion(const char *shell) {
    static const struct {
        const char *name;
        void (*put)(FILE *out);
    } shells[] = {{"bash", help_completion}, {"zsh", help_completion_zsh}, {"fish", help_completion_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].put(stdout);
            return CLI_DONE;
        }
    message_error("help: --completion is for bash, zsh and fish, not for %s", shell);
    return CLI_BAD;
}

int cmd_help(const cli_options *options) {
    cli_command command = CLI_COMMANDS;
    if (options->completion) return put_completion(options->count ? options->arguments[0] : "bash");
    if (options->count) {
        command = cli_find(options->arguments[0]);
        if (command == CLI_COMMANDS) return CLI_BAD;
    }
    if (options->man)
        help_manual(stdout);
    else
        help_text(stdout, command);
    return CLI_DONE;
}
