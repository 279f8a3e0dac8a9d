/* The command line: which commands and options exist (commands.def, options.def), how they are parsed. */
#ifndef ARCL_COMMAND_LINE_H
#define ARCL_COMMAND_LINE_H
#include <stdint.h>

/* Exit statuses of the command. */
enum { CLI_DONE = 0, CLI_MISMATCH = 1, CLI_BAD = 2, CLI_DEVICE = 3 };

typedef enum cli_command {
#define COMMAND(name, arguments, least, most, summary) CLI_##name,
#include "commands.def"
#undef COMMAND
    CLI_COMMANDS
} cli_command;

typedef int cli_FLAG;
typedef const char *cli_TEXT;
typedef uint64_t cli_NUMBER;

typedef struct cli_options {
#define OPTION(field, name, letter, kind, argument, largest, commands, help) cli_##kind field;
#include "options.def"
#undef OPTION
    int count; /* of the plain arguments */
    char **arguments;
} cli_options;

/* Each command runs and returns its exit status; what went wrong has been printed. */
#define COMMAND(name, arguments, least, most, summary) int cmd_##name(const cli_options *options);
#include "commands.def"
#undef COMMAND

/* The command of that name, or CLI_COMMANDS after a message. */
cli_command cli_find(const char *name);
int cli_run(cli_command command, const cli_options *options);

/* Reads the arguments that follow the command's name (argv[0]). Returns 0, or -1 after a message. With --help or
 * --version among them the rest is not looked at closely. */
int cli_parse(cli_command command, int argc, char **argv, cli_options *options);
/* Whether one of the files is "-". */
int cli_names_standard_output(const cli_options *options);

#endif
