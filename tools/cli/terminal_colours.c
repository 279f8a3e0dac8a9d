#include "cli/terminal_colours.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    int said;
    colour_depth depth;
} chosen;

static int says(const char *variable, const char *part) {
    const char *value = getenv(variable);
    return value && strstr(value, part);
}

/* Terminals that know 24 bits say so; others that know colours at all know 256 of them. */
static colour_depth terminal_depth(void) {
    int direct = says("COLORTERM", "truecolor") || says("COLORTERM", "24bit") || says("TERM", "direct");
    return direct ? COLOURS_24_BIT : COLOURS_256;
}

int terminal_colours_set(const char *when) {
    if (!when || strcmp(when, "auto") == 0) return 0;
    chosen.said = 1;
    if (strcmp(when, "always") == 0)
        chosen.depth = terminal_depth();
    else if (strcmp(when, "256") == 0)
        chosen.depth = COLOURS_256;
    else if (strcmp(when, "never") != 0)
        return -1;
    return 0;
}

colour_depth terminal_colours(void) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if (chosen.said) return chosen.depth;
    if (!isatty(STDOUT_FILENO) || (no && *no) || (term && strcmp(term, "dumb") == 0)) return NO_COLOUR;
    return terminal_depth();
}
