/* Finding commands and parsing options, both by the rows of the tables. Knows nothing of what the commands do. */
#include "cli/command_line.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "cli/command_table.h"
#include "cli/messages.h"
#include "cli/nearest.h"

enum { FIRST_CODE = 256 };

cli_command cli_find(const char *name) {
    char hint[64];
    nearest search = nearest_to(name);
    if (*name == '-') {
        message_error("the command comes first: arcl COMMAND [OPTIONS]; `arcl --help` lists the commands");
        return CLI_COMMANDS;
    }
    for (int i = 0; i < CLI_COMMANDS; i++) {
        if (strcmp(command_rows[i].name, name) == 0) return (cli_command)i;
        nearest_offer(&search, command_rows[i].name);
    }
    message_error("there is no command %s%s", name,
                  nearest_hint(&search, "`arcl --help` lists the commands", hint, sizeof hint));
    return CLI_COMMANDS;
}

int cli_run(cli_command command, const cli_options *options) { return command_rows[command].run(options); }

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
    else if (row->kind == TEXT || row->kind == INPUT)
        *(cli_TEXT *)field = text;
    else if (row->kind == INPUTS) {
        cli_INPUTS *list = field;
        list->texts = allocation_resize(list->texts, (size_t)list->count + 1, sizeof *list->texts);
        list->texts[list->count++] = text;
    } else if (parse_number(text, row->largest, field)) {
        char most[32] = "";
        if (row->largest < UINT64_MAX) snprintf(most, sizeof most, " up to %llu", (unsigned long long)row->largest);
        message_error("%s: --%s %s: expected a whole number%s, which may end in K, M or G", command_rows[command].name,
                      row->name, text, most);
        return -1;
    }
    return 0;
}

/* The first command that takes an option of that name; CLI_COMMANDS if there is none. */
static int command_with(const char *option) {
    int command = CLI_COMMANDS;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (strcmp(option_rows[i].name, option) == 0)
            for (command = 0; !option_belongs(&option_rows[i], (cli_command)command);) command++;
    return command;
}

/* An option that this command does not have: misspelled, or another's. */
static void complain_unknown(cli_command command, const char *word) {
    const char *name = command_rows[command].name;
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    nearest search = nearest_to(wanted);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_belongs(&option_rows[i], command)) nearest_offer(&search, option_rows[i].name);
    int other = command_with(wanted);
    if (other < CLI_COMMANDS)
        message_error("%s: --%s is an option of `arcl %s`; `arcl %s --help` lists those of this command", name, wanted,
                      command_rows[other].name, name);
    else if (search.best)
        message_error("%s: there is no option --%s; did you mean --%s?", name, wanted, search.best);
    else
        message_error("%s: there is no option --%s; `arcl %s --help` lists the options", name, wanted, name);
}

/* getopt also fails on the beginning of several names. */
static int is_ambiguous(cli_command command, const char *word) {
    int found = 0;
    for (int i = 0; i < OPTION_COUNT; i++)
        found += option_belongs(&option_rows[i], command) &&
                 strncmp(option_rows[i].name, word + 2, strcspn(word + 2, "=")) == 0;
    return found > 1;
}

static void complain(cli_command command, int code, int letter, const char *word) {
    const char *name = command_rows[command].name;
    if (code == ':')
        message_error("%s: option %s needs an argument; see `arcl %s --help`", name, word, name);
    else if (letter >= FIRST_CODE)
        message_error("%s: option --%s takes no argument", name, option_rows[letter - FIRST_CODE].name);
    else if (letter > 0)
        message_error("%s: there is no option -%c; `arcl %s --help` lists the options", name, letter, name);
    else if (is_ambiguous(command, word))
        message_error("%s: several options begin with %s; `arcl %s --help` lists them", name, word, name);
    else
        complain_unknown(command, word);
}

int cli_parse(cli_command command, int argc, char **argv, cli_options *options) {
    struct option longs[OPTION_COUNT + 1];
    char shorts[OPTION_COUNT + 2] = ":";
    size_t used = 1;
    int n = 0;
    for (int i = 0; i < OPTION_COUNT; i++) {
        const option_row *row = &option_rows[i];
        if (!option_belongs(row, command)) continue;
        longs[n++] =
            (struct option){row->name, row->kind == FLAG ? no_argument : required_argument, NULL, FIRST_CODE + i};
        if (row->letter) shorts[used++] = row->letter;
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
            for (i = 0; option_rows[i].letter != code; i++) continue;
        if (store(command, &option_rows[i], optarg, options)) return -1;
    }
    options->count = argc - optind;
    options->arguments = argv + optind;
    if (options->help || options->version) return 0;
    if (options->count < command_rows[command].least || options->count > command_rows[command].most) {
        message_error("%s: %s; usage: arcl %s%s%s", command_rows[command].name,
                      options->count < command_rows[command].least ? "an argument is missing" : "too many arguments",
                      command_rows[command].name, *command_rows[command].arguments ? " " : "",
                      command_rows[command].arguments);
        return -1;
    }
    return 0;
}

void cli_forget(cli_options *options) {
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_rows[i].kind == INPUTS) free(((cli_INPUTS *)((char *)options + option_rows[i].offset))->texts);
}

int cli_names_standard_output(const cli_options *options) {
    for (int i = 0; i < OPTION_COUNT; i++) {
        const void *field = (const char *)options + option_rows[i].offset;
        if (option_rows[i].kind == TEXT && *(const cli_TEXT *)field && strcmp(*(const cli_TEXT *)field, "-") == 0)
            return 1;
    }
    return 0;
}
