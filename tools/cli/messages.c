/* Standard error: see messages.h. The bar is drawn over itself and wiped before anything else is printed. */
#define _DEFAULT_SOURCE
#include "cli/messages.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/stopwatch.h"

static struct {
    int quiet, mute;
    const char *speaker;
    int bar;      /* something is drawn: the bar, or what is waited for */
    double drawn; /* when the bar was; 0: it is not there */
    double begun; /* when what it is about was; 0: nothing is */
} state;

void message_set_quiet(int quiet) { state.quiet = quiet; }

void message_set_speaker(const char *name) { state.speaker = name; }

void message_set_mute(int mute) { state.mute = mute; }

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
    char text[4096], line[4096 + 64];
    if (state.mute) return;
    vsnprintf(text, sizeof text, format, arguments);
    snprintf(line, sizeof line, "%.60s: %s\n", state.speaker ? state.speaker : "arcl", text);
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

/* Columns that can be drawn in: a terminal that is filled to the last one goes on in the next line. */
static int room(void) {
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
}

/* "2:05", or "1:00:30" */
static void put_seconds(char *to, size_t size, double seconds) {
    long all = (long)(seconds + 0.5);
    if (all < 3600)
        snprintf(to, size, "%ld:%02ld", all / 60, all % 60);
    else
        snprintf(to, size, "%ld:%02ld:%02ld", all / 3600, all / 60 % 60, all % 60);
}

/* How long it has taken, and will take if it goes on like that; "" in the beginning, when that is not known. */
static void put_times(char *to, size_t size, double taken, uint64_t done, uint64_t total) {
    char since[32], left[32];
    *to = 0;
    if (taken < 1) return;
    put_seconds(since, sizeof since, taken);
    if (done) put_seconds(left, sizeof left, taken * (double)(total - done) / (double)done);
    snprintf(to, size, done ? " %s, %s left" : " %s", since, left);
}

void message_progress(const char *what, uint64_t done, uint64_t total) {
    enum { WIDTH = 30, LEAST_WIDTH = 5 };
    double now = stopwatch_now();
    if (total == 0 || done > total) return;
    if (state.begun == 0 || done == 0) state.begun = now;
    if (!may_draw() || (state.drawn > 0 && now - state.drawn < 0.1)) return;
    char bar[WIDTH + 1], counts[128], times[80], line[1024];
    snprintf(counts, sizeof counts, "%llu/%llu", (unsigned long long)done, (unsigned long long)total);
    put_times(times, sizeof times, now - state.begun, done, total);
    /* What is too much goes in this order: columns of the bar, the end of what it is about, everything. */
    int columns = room(), others = (int)(strlen(counts) + strlen(times) + strlen(what)) + 4, width = columns - others;
    width = width > WIDTH ? WIDTH : width < LEAST_WIDTH ? LEAST_WIDTH : width;
    int filled = (int)((double)done * width / (double)total);
    for (int i = 0; i < width; i++) bar[i] = i < filled ? '#' : '.';
    bar[width] = 0;
    snprintf(line, sizeof line, "[%s] %s%s %s", bar, counts, times, what);
    fflush(stdout);
    fputs("\r", stderr);
    if ((size_t)columns < sizeof line) line[columns] = 0;
    message_put_clean(stderr, line);
    fputs("\033[K", stderr);
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
