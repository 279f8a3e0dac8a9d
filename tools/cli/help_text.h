/* What `arcl help` prints: for the terminal, as a manual page, as completion for bash. All come from the same rows. */
#ifndef ARCL_HELP_TEXT_H
#define ARCL_HELP_TEXT_H
#include <stdio.h>

#include "cli/options.h"

/* Help for one command, or for all with CLI_COMMANDS. */
void help_text(FILE *out, cli_command command);

/* The page arcl(1), in the man macros. */
void help_manual(FILE *out);

/* A script that bash reads to complete commands, options, and names of ops. */
void help_completion(FILE *out); /* for bash */
void help_completion_zsh(FILE *out);
void help_completion_fish(FILE *out);

#endif
