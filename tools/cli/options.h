/* What the command line can say: the commands (commands.def) and their options (options.def) as types. */
#ifndef ARCL_OPTIONS_H
#define ARCL_OPTIONS_H
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
typedef const char *cli_INPUT;
typedef struct cli_INPUTS {
    const char **texts;
    int count;
} cli_INPUTS;
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

#endif
