/* arcl check: golden vectors. */
#include "cli/options.h"
#include "commands/check/check_command.h"
#include "portions/portions_here.h"

int cmd_check(const cli_options *options) { return check_command(options, &portions_here); }
