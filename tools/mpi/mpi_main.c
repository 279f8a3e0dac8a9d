/* The command arcl-mpi: what `arcl` does, over the ranks of MPI. */
#include <stdio.h>
#include <string.h>

#include "arcl.h"
#include "cli/command_line.h"
#include "cli/files.h"
#include "cli/help_text.h"
#include "cli/interrupt.h"
#include "cli/messages.h"
#include "cli/standard_files.h"
#include "commands/check/check_command.h"
#include "commands/score/score_command.h"
#include "commands/search/search_command.h"
#include "data/json_file.h"
#include "mpi/keeper.h"
#include "mpi/ranks.h"

typedef int run_command(const cli_options *options, const portion_engine *engine);

static const struct {
    cli_command command;
    run_command *run;
} commands[] = {{CLI_check, check_command}, {CLI_score, score_command}, {CLI_search, search_command}};

static run_command *find_command(cli_command command) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (commands[i].command == command) return commands[i].run;
    return NULL;
}

static void print_help(cli_command command) {
    if (command != CLI_COMMANDS)
        help_text(stdout, command);
    else
        puts("usage: mpirun -n RANKS arcl-mpi check|score|search ..\n"
             "The options are those of `arcl`, and the results too; `arcl help COMMAND` has them.\n"
             "docs/cluster.md tells how to run it on a cluster.");
}

static int run_ranks(int argc, char **argv, cli_command command, cli_options *options) {
    ranks *all;
    if (keeper_start(options)) return CLI_BAD;
    interrupt_watch();
    json_file_prepare();
    if (ranks_begin(&all, &argc, &argv, options)) return CLI_BAD;
    portion_engine engine = ranks_engine(all);
    int status = find_command(command)(options, &engine);
    if (fflush(stdout) || ferror(stdout)) {
        message_error("cannot write standard output");
        status = CLI_BAD;
    }
    return ranks_end(all, status);
}

/* Ranks that are not started by MPI's own know nothing of each other, so one that cannot tell is the first. */
static int is_first(void) { return keeper_rank() <= 0; }

static void refuse(const char *name) {
    if (is_first())
        message_error("arcl-mpi runs check, score and search; `arcl %s` runs on one machine, without MPI", name);
}

int main(int argc, char **argv) {
    cli_options options;
    if (standard_files_open()) return CLI_BAD;
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        if (is_first()) print_help(CLI_COMMANDS);
        return argc < 2 ? CLI_BAD : CLI_DONE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        if (is_first()) printf("arcl %s\n", arcl_version());
        return CLI_DONE;
    }
    message_set_mute(!is_first());
    cli_command command = cli_find(argv[1]);
    int status = is_first() ? CLI_BAD : CLI_DONE; /* mpirun ends all when one fails: the first must have spoken */
    if (command != CLI_COMMANDS && !find_command(command))
        refuse(argv[1]);
    else if (command != CLI_COMMANDS && cli_parse(command, argc - 1, argv + 1, &options) == 0) {
        message_set_mute(0);
        message_set_quiet(options.quiet);
        if (options.help || options.version) {
            if (is_first() && options.help) print_help(command);
            if (is_first() && options.version) printf("arcl %s\n", arcl_version());
            status = CLI_DONE;
        } else if (is_first() && cli_names_standard_output(&options) && file_reserve_standard_output())
            status = CLI_BAD;
        else
            status = run_ranks(argc, argv, command, &options);
        cli_forget(&options);
    }
    return status;
}
