/* arcl score: every program on the task it is named after, or on every task. */
#include "cli/options.h"
#include "commands/score/score_command.h"
#include "portions/portions_here.h"

int cmd_score(const cli_options *options) { return score_command(options, &portions_here); }
