/* The rows of commands.def, options.def and manual.def as data: what parsing, help, manual and completion have in
 * common. */
#ifndef ARCL_COMMAND_TABLE_H
#define ARCL_COMMAND_TABLE_H
#include <stddef.h>

#include "cli/options.h"

typedef struct command_row {
    const char *name, *arguments, *summary;
    int least, most; /* of the plain arguments */
    int (*run)(const cli_options *);
} command_row;

extern const command_row command_rows[CLI_COMMANDS];

typedef enum option_kind { FLAG, TEXT, INPUT, INPUTS, NUMBER } option_kind;

typedef struct option_row {
    const char *name, *argument, *help;
    size_t offset; /* of the field in cli_options */
    uint64_t largest;
    uint64_t commands; /* a bit for each that takes it, and 32 bits above for each that it matters to */
    option_kind kind;
    char letter; /* or 0 */
} option_row;

enum {
    OPTION_COUNT = 0
#define OPTION(field, name, letter, kind, argument, largest, commands, help) +1
#include "options.def"
#undef OPTION
};
extern const option_row option_rows[OPTION_COUNT];

/* Whether a command takes it, and whether that makes a difference. */
int option_belongs(const option_row *option, cli_command command);
int option_matters(const option_row *option, cli_command command);

/* An option of some commands; one that all take and that matters to many; and one that matters to all. */
typedef enum option_group { OPTION_OWN, OPTION_SHARED, OPTION_COMMON } option_group;
option_group option_group_of(const option_row *option);

/* What the manual says besides: about a command, an example of its use, an exit status, an environment variable, a
 * file. */
typedef enum manual_kind { MANUAL_ABOUT, MANUAL_EXAMPLE, MANUAL_STATUS, MANUAL_VARIABLE, MANUAL_FILE } manual_kind;

typedef struct manual_row {
    manual_kind kind;
    cli_command command; /* CLI_COMMANDS: about none in particular */
    const char *name, *text;
} manual_row;

enum {
    MANUAL_COUNT = 0
#define MANUAL(kind, command, name, text) +1
#include "manual.def"
#undef MANUAL
};
extern const manual_row manual_rows[MANUAL_COUNT];

#endif
