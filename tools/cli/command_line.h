/* The command line: finding the command, and parsing its options. */
#ifndef ARCL_COMMAND_LINE_H
#define ARCL_COMMAND_LINE_H
#include "cli/options.h"

/* The command of that name, or CLI_COMMANDS after a message. */
cli_command cli_find(const char *name);
int cli_run(cli_command command, const cli_options *options);

/* Reads the arguments that follow the command's name (argv[0]). Returns 0, or -1 after a message. With --help or
 * --version among them the rest is not looked at closely. */
int cli_parse(cli_command command, int argc, char **argv, cli_options *options);
/* Frees what options that were parsed have. */
void cli_forget(cli_options *options);
/* Whether one of the files to write is "-". */
int cli_names_standard_output(const cli_options *options);

#endif
