/* Parsing and help, both from the rows of commands.def and options.def. Knows nothing of what the commands do. */
#include "command_line.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"

typedef struct command_row {
    const char *name, *arguments, *summary;
    int least, most;
    int (*run)(const cli_options *);
} command_row;

static const command_row commands[CLI_COMMANDS] = {
#define COMMAND(name, arguments, least, most, summary) {#name, arguments, summary, least, most, cmd_##name},
#include "commands.def"
#undef COMMAND
};

typedef enum option_kind { FLAG, TEXT, NUMBER } option_kind;

typedef struct option_row {
    const char *name, *argument, *help;
    size_t offset; /* of the field in cli_options */
    uint64_t largest;
    unsigned commands;
    option_kind kind;
    char letter;
} option_row;

#define ON(command) (1u << CLI_##command)
#define EVERY (ON(COMMANDS) - 1)

static const option_row rows[] = {
#define OPTION(field, name, letter, kind, argument, largest, commands, help)                                           \
    {name, argument, help, offsetof(cli_options, field), largest, commands, kind, letter},
#include "options.def"
#undef OPTION
};

enum { ROWS = sizeof rows / sizeof rows[0], FIRST_CODE = 256 };

cli_command cli_find(const char *name) {
    int i = 0;
    while (i < CLI_COMMANDS && strcmp(commands[i].name, name) != 0) i++;
    return (cli_command)i;
}

int cli_run(cli_command command, const cli_options *options) { return commands[command].run(options); }

/* A whole number that may end in K, M or G (of 1024). Returns 0, or -1 if it is none or is above the largest. */
static int parse_number(const char *text, uint64_t largest, uint64_t *value) {
    char *end;
    if (*text < '0' || *text > '9') return -1;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno) return -1;
    static const char suffixes[] = "KMG";
    const char *suffix = *end ? strchr(suffixes, *end & ~32) : NULL;
    int shift = suffix ? (int)(suffix - suffixes + 1) * 10 : 0;
    if (end[suffix != NULL] || number > largest >> shift) return -1;
    *value = (uint64_t)number << shift;
    return 0;
}

static int store(cli_command command, const option_row *row, const char *text, cli_options *options) {
    void *field = (char *)options + row->offset;
    if (row->kind == FLAG)
        *(cli_FLAG *)field = 1;
    else if (row->kind == TEXT)
        *(cli_TEXT *)field = text;
    else if (parse_number(text, row->largest, field)) {
        message_error("%s: --%s %s: expected a whole number from 0 to %llu, which may end in K, M or G",
                      commands[command].name, row->name, text, (unsigned long long)row->largest);
        return -1;
    }
    return 0;
}

static void complain(cli_command command, int code, int letter, const char *word) {
    const char *name = commands[command].name;
    if (code == ':')
        message_error("%s: option %s needs an argument; see `arcl %s --help`", name, word, name);
    else if (letter >= FIRST_CODE)
        message_error("%s: option --%s takes no argument", name, rows[letter - FIRST_CODE].name);
    else if (letter > 0)
        message_error("%s: unknown option -%c; see `arcl %s --help`", name, letter, name);
    else
        message_error("%s: unknown or ambiguous option %s; see `arcl %s --help`", name, word, name);
}

int cli_parse(cli_command command, int argc, char **argv, cli_options *options) {
    struct option longs[ROWS + 1];
    char shorts[2 * ROWS + 2] = ":";
    size_t used = 1;
    int n = 0;
    for (int i = 0; i < ROWS; i++) {
        if (!(rows[i].commands & 1u << command)) continue;
        int has = rows[i].kind == FLAG ? no_argument : required_argument;
        longs[n++] = (struct option){rows[i].name, has, NULL, FIRST_CODE + i};
        if (rows[i].letter) shorts[used++] = rows[i].letter;
    }
    longs[n] = (struct option){0};
    shorts[used] = 0;

    memset(options, 0, sizeof *options);
    opterr = 0;
    optind = 0;
    for (int code; (code = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        if (code == '?' || code == ':') {
            complain(command, code, optopt, argv[optind - 1]);
            return -1;
        }
        int i = code - FIRST_CODE;
        if (code < FIRST_CODE)
            for (i = 0; rows[i].letter != code; i++) continue;
        if (store(command, &rows[i], optarg, options)) return -1;
    }
    options->count = argc - optind;
    options->arguments = argv + optind;
    if (options->help || options->version) return 0;
    if (options->count < commands[command].least || options->count > commands[command].most) {
        message_error("%s: %s; usage: arcl %s %s", commands[command].name,
                      options->count < commands[command].least ? "an argument is missing" : "too many arguments",
                      commands[command].name, commands[command].arguments);
        return -1;
    }
    return 0;
}

static void help_option(FILE *out, const option_row *row) {
    char left[64];
    snprintf(left, sizeof left, "--%s%s%s", row->name, row->argument ? " " : "", row->argument ? row->argument : "");
    if (row->letter)
        fprintf(out, "  -%c, %-18s %s\n", row->letter, left, row->help);
    else
        fprintf(out, "      %-18s %s\n", left, row->help);
}

void cli_help(FILE *out, cli_command command) {
    if (command == CLI_COMMANDS) {
        fputs("arcl runs programs of the ARC grid language over batches of grids.\n\nCommands:\n", out);
        for (int i = 0; i < CLI_COMMANDS; i++)
            fprintf(out, "  arcl %-7s %-31s %s\n", commands[i].name, commands[i].arguments, commands[i].summary);
        fputs("\n`arcl COMMAND --help` lists all options of a command.\n", out);
    } else {
        fprintf(out, "usage: arcl %s%s%s [OPTIONS]\n\n%s\n", commands[command].name,
                *commands[command].arguments ? " " : "", commands[command].arguments, commands[command].summary);
        for (int i = 0, first = 1; i < ROWS; i++) {
            if (rows[i].commands == EVERY || !(rows[i].commands & 1u << command)) continue;
            if (first) fputs("\nOptions:\n", out);
            first = 0;
            help_option(out, &rows[i]);
        }
    }
    fputs("\nCommon options:\n", out);
    for (int i = 0; i < ROWS; i++)
        if (rows[i].commands == EVERY) help_option(out, &rows[i]);
    fputs("\nExit status: 0 done; 1 done, but something did not match; 2 bad usage or input; 3 a device failed.\n"
          "NO_COLOR in the environment turns colours off.\n",
          out);
}
