/* How many colours standard output has: a property of the one that there is. */
#ifndef ARCL_TERMINAL_COLOURS_H
#define ARCL_TERMINAL_COLOURS_H

typedef enum colour_depth { NO_COLOUR, COLOURS_256, COLOURS_24_BIT } colour_depth;

/* What --color says: "auto" or NULL, "always", "never", or "256", for a terminal that has no more. Returns 0, or -1 if
 * it is something else. */
int terminal_colours_set(const char *when);

/* As was said; else none where standard output is no terminal, TERM is dumb or NO_COLOR is set, and otherwise as many
 * as the terminal says. */
colour_depth terminal_colours(void);

#endif
