/* The arcl command: finds the command, parses its options, runs it. Results go to standard output, the rest to standard
 * error. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arcl.h"
#include "cli/command_line.h"
#include "cli/files.h"
#include "cli/help_text.h"
#include "cli/interrupt.h"
#include "cli/messages.h"
#include "cli/standard_files.h"
#include "cli/terminal_colours.h"
#include "data/json_file.h"

/* Output that did not reach its file is a failure even if everything else went well. */
static int finish(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    message_error("cannot write standard output: %s", strerror(errno));
    return CLI_BAD;
}

static int run(cli_command command, const cli_options *options) {
    if (options->help) {
        help_text(stdout, command);
        return finish(CLI_DONE);
    }
    if (options->version) {
        printf("arcl %s\n", arcl_version());
        return finish(CLI_DONE);
    }
    if (cli_names_standard_output(options) && file_reserve_standard_output()) return CLI_BAD;
    message_set_quiet(options->quiet);
    if (terminal_colours_set(options->color)) {
        message_error("--color %s: expected auto, always, never or 256", options->color);
        return CLI_BAD;
    }
    interrupt_watch();
    json_file_prepare();
    return finish(cli_run(command, options));
}

int main(int argc, char **argv) {
    cli_options options;
    if (standard_files_open()) return CLI_BAD;
    if (argc < 2) {
        help_text(stderr, CLI_COMMANDS);
        return CLI_BAD;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help_text(stdout, CLI_COMMANDS);
        return finish(CLI_DONE);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("arcl %s\n", arcl_version());
        return finish(CLI_DONE);
    }
    cli_command command = cli_find(argv[1]);
    if (command == CLI_COMMANDS) return CLI_BAD;
    int status = cli_parse(command, argc - 1, argv + 1, &options) ? CLI_BAD : run(command, &options);
    cli_forget(&options);
    return status;
}
