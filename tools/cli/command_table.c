/* Makes tables of the rows. Knows nothing of how they are used. */
#include "cli/command_table.h"

#include <limits.h>

#include "arcl.h"

const command_row command_rows[CLI_COMMANDS] = {
#define COMMAND(name, arguments, least, most, summary) {#name, arguments, summary, least, most, cmd_##name},
#include "commands.def"
#undef COMMAND
};

#define ON(command) (1u << CLI_##command)
#define EVERY (ON(COMMANDS) - 1)

const option_row option_rows[OPTION_COUNT] = {
#define OPTION(field, name, letter, kind, argument, largest, commands, help)                                           \
    {name, argument, help, offsetof(cli_options, field), largest, commands, kind, letter},
#include "options.def"
#undef OPTION
};

int option_belongs(const option_row *option, cli_command command) { return (option->commands & 1u << command) != 0; }
int option_is_common(const option_row *option) { return option->commands == EVERY; }

const manual_row manual_rows[MANUAL_COUNT] = {
#define MANUAL(kind, command, name, text) {MANUAL_##kind, CLI_##command, name, text},
#include "manual.def"
#undef MANUAL
};
