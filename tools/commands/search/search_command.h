/* `arcl search`, whoever runs it. */
#ifndef ARCL_SEARCH_COMMAND_H
#define ARCL_SEARCH_COMMAND_H
#include "cli/options.h"
#include "portions/portion_engine.h"

/* Returns the exit status; what went wrong has been printed. */
int search_command(const cli_options *options, const portion_engine *engine);

#endif
