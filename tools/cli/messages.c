/* Standard error: see messages.h. The bar is drawn over itself and wiped before anything else is printed. */
#include "cli/messages.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/stopwatch.h"

static struct {
    int quiet;
    int bar;      /* something is drawn: the bar, or what is waited for */
    double drawn; /* when the bar was; 0: it is not there */
} state;

void message_set_quiet(int quiet) { state.quiet = quiet; }

static int drives_terminals(unsigned char c) { return (c < 32 && c != '\n' && c != '\t') || c == 127; }

void message_put_clean(FILE *out, const char *text) {
    while (*text) { /* standard error has no buffer: in as few pieces as there can be */
        char piece[512];
        size_t n = 0;
        for (; n < sizeof piece && *text; text++)
            piece[n++] = (char)(drives_terminals((unsigned char)*text) ? '?' : *text);
        fwrite(piece, 1, n, out);
    }
}

static void say(const char *format, va_list arguments) {
    char text[4096], line[4096 + 16];
    vsnprintf(text, sizeof text, format, arguments);
    snprintf(line, sizeof line, "arcl: %s\n", text);
    message_progress_end();
    fflush(stdout);
    message_put_clean(stderr, line);
}

void message_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void message_note(const char *format, ...) {
    if (state.quiet) return;
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

/* Only a terminal can wipe what was drawn. */
static int may_draw(void) {
    const char *term = getenv("TERM");
    return !state.quiet && isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

void message_progress(const char *what, uint64_t done, uint64_t total) {
    enum { WIDTH = 30 };
    double now = stopwatch_now();
    if (total == 0 || !may_draw() || (state.drawn > 0 && now - state.drawn < 0.1)) return;
    char bar[WIDTH + 1];
    int filled = (int)(done * WIDTH / total);
    for (int i = 0; i < WIDTH; i++) bar[i] = i < filled ? '#' : '.';
    bar[WIDTH] = 0;
    fflush(stdout);
    fprintf(stderr, "\r[%s] %llu/%llu %s\033[K", bar, (unsigned long long)done, (unsigned long long)total, what);
    fflush(stderr);
    state.bar = 1;
    state.drawn = now;
}

void message_wait(const char *format, ...) {
    char text[256];
    va_list arguments;
    if (state.bar || !may_draw()) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fflush(stdout);
    message_put_clean(stderr, text);
    fflush(stderr);
    state.bar = 1;
}

void message_progress_end(void) {
    if (state.bar) fputs("\r\033[K", stderr);
    state.bar = 0;
    state.drawn = 0;
}
