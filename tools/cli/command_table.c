/* Makes tables of the rows. Knows nothing of how they are used. */
#include "cli/command_table.h"

#include <limits.h>

#include "arcl.h"

const command_row command_rows[CLI_COMMANDS] = {
#define COMMAND(name, arguments, least, most, summary) {#name, arguments, summary, least, most, cmd_##name},
#include "commands.def"
#undef COMMAND
};

/* Two sets of commands: those that take an option, and above them those that it matters to. */
#define LISTED 32
#define BOTH(set) ((uint64_t)(set) << LISTED | (uint64_t)(set))
#define ON(command) BOTH(1u << CLI_##command)
#define EVERY BOTH((1u << CLI_COMMANDS) - 1)
#define FOR(listed) ((uint64_t)(EVERY & UINT32_MAX) | ((uint64_t)(listed) & ~(uint64_t)UINT32_MAX))

/* The commands that run programs, and those that draw in the terminal. */
#define TASKS (ON(score) | ON(similar) | ON(run) | ON(trace) | ON(show))
#define RUNNING (TASKS | ON(search) | ON(check) | ON(bench) | ON(profile) | ON(explain))
#define DRAWING (ON(run) | ON(trace) | ON(show))

const option_row option_rows[OPTION_COUNT] = {
#define OPTION(field, name, letter, kind, argument, largest, commands, help)                                           \
    {name, argument, help, offsetof(cli_options, field), largest, commands, kind, letter},
#include "options.def"
#undef OPTION
};

int option_belongs(const option_row *option, cli_command command) {
    return (option->commands & (uint64_t)1 << command) != 0;
}

int option_matters(const option_row *option, cli_command command) {
    return (option->commands >> LISTED & (uint64_t)1 << command) != 0;
}

option_group option_group_of(const option_row *option) {
    if (option->commands == EVERY) return OPTION_COMMON;
    return (option->commands & UINT32_MAX) == (EVERY & UINT32_MAX) ? OPTION_SHARED : OPTION_OWN;
}

const manual_row manual_rows[MANUAL_COUNT] = {
#define MANUAL(kind, command, name, text) {MANUAL_##kind, CLI_##command, name, text},
#include "manual.def"
#undef MANUAL
};
