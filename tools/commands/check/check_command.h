/* `arcl check`, whoever runs it. */
#ifndef ARCL_CHECK_COMMAND_H
#define ARCL_CHECK_COMMAND_H
#include "cli/options.h"
#include "portions/portion_engine.h"

/* Returns the exit status; what went wrong has been printed. */
int check_command(const cli_options *options, const portion_engine *engine);

#endif
