/* Layout, in pixels: a head with the title, what to look for, and the legend; below it panels of equal size and with
 * equal axes, COLUMNS in a row, so that ops can be compared by eye:
 *
 *     title, and which device is the fastest from how many lanes
 *     LEFT  plot, both axes logarithmic        RIGHT
 *     numbers and names of the axes below and beside it
 *
 * Devices differ in lightness, dashes and markers as well as in colour, so that the picture can be printed in grey.
 */
#include "commands/bench/bench_svg.h"

#include <math.h>
#include <stdarg.h>

#include "cli/files.h"
#include "cli/number_text.h"

enum { COLUMNS = 3, PANEL_W = 350, PANEL_H = 270, LEFT = 66, RIGHT = 18, TOP = 48, BOTTOM = 50, MARGIN = 16, RING = 7 };
enum {
    HEAD = 74,
    LEGEND = 20,
    SUMMARY_FROM = 6 /* ops */,
    PLOT_W = PANEL_W - LEFT - RIGHT,
    PLOT_H = PANEL_H - TOP - BOTTOM
};

/* Another device is called the fastest when it takes less than this part of the time: the rest is noise. */
static const double clearly = 0.95;

static const struct {
    const char *colour, *dash;
} looks[BENCH_MOST_DEVICES] = {{"#14213d", "none"}, {"#e06c00", "7 3"}, {"#1a936f", "2 3"},  {"#c2185b", "9 3 2 3"},
                               {"#5e60ce", "4 2"},  {"#a0a000", "1 2"}, {"#00a5cf", "12 4"}, {"#888888", "none"}};

typedef struct drawing {
    FILE *out;
    const bench_table *table;
    int lanes;                           /* points of a curve */
    double x_low, x_high, y_low, y_high; /* of the axes, as powers of ten */
} drawing;

/* ---- parts of SVG ---- */

static void put_escaped(FILE *out, const char *text) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '<' || c == '>' || c == '&')
            fprintf(out, "&#%d;", c);
        else if (c < 32 || c > 126) /* a driver's name need not be UTF-8 */
            putc('?', out);
        else
            putc(c, out);
    }
}

__attribute__((format(printf, 5, 6))) static void put_text(FILE *out, double x, double y, const char *style,
                                                           const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, style);
    put_escaped(out, text);
    fputs("</text>\n", out);
}

static void put_line(FILE *out, double x1, double y1, double x2, double y2, const char *style) {
    fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1, y1, x2, y2, style);
}

/* Discs, squares, triangles and diamonds. */
static void put_marker(FILE *out, double x, double y, int device) {
    const char *colour = looks[device].colour;
    switch (device % 4) {
    case 0: fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\" fill=\"%s\"/>\n", x, y, colour); break;
    case 1:
        fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"6\" height=\"6\" fill=\"%s\"/>\n", x - 3, y - 3, colour);
        break;
    case 2: fprintf(out, "<path d=\"M%.1f %.1fl4 7h-8z\" fill=\"%s\"/>\n", x, y - 4, colour); break;
    default: fprintf(out, "<path d=\"M%.1f %.1fl4 4l-4 4l-4-4z\" fill=\"%s\"/>\n", x, y - 4, colour);
    }
}

/* ---- axes ---- */

static double x_at(const drawing *d, double lanes) {
    return LEFT + (log10(lanes) - d->x_low) / (d->x_high - d->x_low) * PLOT_W;
}

static double y_at(const drawing *d, double cost) {
    return TOP + PLOT_H - (log10(cost) - d->y_low) / (d->y_high - d->y_low) * PLOT_H;
}

/* Whole powers of ten around all points; at least one decade, so that there is an axis. */
static void choose_axes(drawing *d) {
    double least = INFINITY, most = 0, first = INFINITY, last = 0;
    for (size_t i = 0; i < d->table->count; i++) {
        const bench_row *row = &d->table->rows[i];
        least = fmin(least, bench_row_cost(row));
        most = fmax(most, bench_row_cost(row));
        first = fmin(first, row->lanes);
        last = fmax(last, row->lanes);
    }
    d->x_low = floor(log10(first));
    d->x_high = fmax(ceil(log10(last)), d->x_low + 1);
    d->y_low = floor(log10(least));
    d->y_high = fmax(ceil(log10(most)), d->y_low + 1);
}

/* "10 ns", "100 us": a power of ten, so never with a fraction. */
static void put_time(FILE *out, double x, double y, double power) {
    static const char *const units[] = {"ns", "us", "ms", "s"};
    int unit = power < 0 ? 0 : power >= 9 ? 3 : (int)power / 3;
    put_text(out, x, y, "tick end", "%g %s", pow(10, power - 3 * unit), units[unit]);
}

static void put_count(FILE *out, double x, double y, double power) {
    int unit = (int)(power + 1e-9) / 3;
    put_text(out, x, y, "tick middle", "%.3g%s", pow(10, power - 3 * unit), unit == 0 ? "" : unit == 1 ? "k" : "M");
}

static void draw_axes(const drawing *d) {
    for (double p = d->y_low; p <= d->y_high; p++) {
        double y = y_at(d, pow(10, p));
        put_line(d->out, LEFT, y, LEFT + PLOT_W, y, p > d->y_low ? "grid" : "axis");
        put_time(d->out, LEFT - 6, y + 4, p);
    }
    for (double p = d->x_low; p <= d->x_high; p++) {
        double x = x_at(d, pow(10, p));
        put_line(d->out, x, TOP, x, TOP + PLOT_H, p > d->x_low ? "grid" : "axis");
        put_count(d->out, x, TOP + PLOT_H + 16, p);
    }
    put_text(d->out, LEFT + PLOT_W / 2.0, TOP + PLOT_H + 34, "label middle", "lanes in a batch");
    fprintf(d->out, "<text transform=\"translate(14 %.1f) rotate(-90)\" class=\"label middle\">time per lane</text>\n",
            TOP + PLOT_H / 2.0);
}

/* ---- a panel ---- */

static void draw_curve(const drawing *d, const bench_row *rows, int device) {
    fprintf(d->out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\" points=\"",
            looks[device].colour, looks[device].dash);
    for (int n = 0; n < d->lanes; n++)
        fprintf(d->out, "%.1f,%.1f ", x_at(d, rows[n].lanes), y_at(d, bench_row_cost(&rows[n])));
    fputs("\"/>\n", d->out);
    for (int n = 0; n < d->lanes; n++)
        put_marker(d->out, x_at(d, rows[n].lanes), y_at(d, bench_row_cost(&rows[n])), device);
}

static double cost_at(const drawing *d, const bench_row *rows, int device, int n) {
    return bench_row_cost(&rows[device * d->lanes + n]);
}

static int fastest(const drawing *d, const bench_row *rows, int n, int before) {
    int best = before;
    for (int device = 0; device < d->table->device_count; device++)
        if (cost_at(d, rows, device, n) < cost_at(d, rows, best, n)) best = device;
    return cost_at(d, rows, best, n) < clearly * cost_at(d, rows, before, n) ? best : before;
}

/* Where the curves of two devices meet between point n - 1 and point n: both are straight lines in the picture. If they
 * do not, the other one was ahead before, but by no more than noise: then it is point n - 1. */
static void find_crossing(const drawing *d, const bench_row *rows, int n, int a, int b, double *lanes, double *cost) {
    double gap0 = log10(cost_at(d, rows, b, n - 1) / cost_at(d, rows, a, n - 1));
    double gap1 = log10(cost_at(d, rows, b, n) / cost_at(d, rows, a, n));
    double part = gap0 > 0 ? gap0 / (gap0 - gap1) : 0;
    double from = log10(rows[n - 1].lanes), to = log10(rows[n].lanes);
    double y0 = log10(cost_at(d, rows, a, n - 1)), y1 = log10(cost_at(d, rows, a, n));
    *lanes = pow(10, from + part * (to - from));
    *cost = pow(10, y0 + part * (y1 - y0));
}

/* The number stands at the top, where curves that fall leave room; those of several crossings stand below each
 * other. */
static void draw_crossing(const drawing *d, double lanes, double cost, const char *label, int before) {
    double x = x_at(d, lanes), y = y_at(d, cost);
    int is_right = x > LEFT + PLOT_W * 0.8; /* where the text would leave the panel */
    put_line(d->out, x, TOP, x, y - RING, "crossing");
    fprintf(d->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" class=\"ring\"/>\n", x, y, RING);
    put_text(d->out, is_right ? x - 4 : x + 4, TOP + 13 * (before + 1), is_right ? "number end" : "number", "%s",
             label);
}

/* "host; cl:0 from 800; ..": a change as it is added to the sentence. There is room for two; the rings show all. */
static int describe_change(char *to, size_t room, int before, const char *label, const char *device) {
    if (before > 2) return 0;
    if (before == 2) return snprintf(to, room, "; ...");
    return snprintf(to, room, "; %s from %s", device, label);
}

/* The sentence below the title, and a ring where another device takes over. */
static void draw_crossings(const drawing *d, const bench_row *rows) {
    char sentence[200];
    int best = 0, changes = 0;
    for (int device = 1; device < d->table->device_count; device++)
        if (cost_at(d, rows, device, 0) < cost_at(d, rows, best, 0)) best = device;
    int used = snprintf(sentence, sizeof sentence, "fastest: %s", d->table->devices[best].id);
    for (int n = 1; n < d->lanes; n++) {
        char label[32];
        double lanes, cost;
        int now = fastest(d, rows, n, best);
        if (now == best) continue;
        find_crossing(d, rows, n, best, now, &lanes, &cost);
        rounded_text(lanes, label, sizeof label);
        draw_crossing(d, lanes, cost, label, changes);
        used += describe_change(sentence + used, sizeof sentence - (size_t)used, changes++, label,
                                d->table->devices[now].id);
        best = now;
    }
    if (d->table->device_count == 1) return;
    put_text(d->out, LEFT, TOP - 12, "note", "%s%s", sentence,
             changes == 0   ? " throughout"
             : changes == 1 ? " lanes"
                            : "");
}

/* ---- all ops in one ---- */

/* Where the panel at a place among all begins. */
static void open_panel(const drawing *d, int place, const char *title) {
    fprintf(d->out, "<g transform=\"translate(%d %d)\">\n", MARGIN + place % COLUMNS * PANEL_W,
            HEAD + LEGEND * d->table->device_count + place / COLUMNS * PANEL_H);
    put_text(d->out, LEFT, TOP - 28, "op", "%s", title);
}

/* For how many ops each device is the fastest, as bars on top of each other. Ops that are as fast on two devices count
 * for the one that comes first. */
static void draw_shares(const drawing *d, int panels) {
    double step = (double)PLOT_W / d->lanes, width = step * 0.6;
    for (int n = 0; n < d->lanes; n++) {
        double bottom = TOP + PLOT_H, middle = LEFT + step * (n + 0.5);
        for (int device = 0; device < d->table->device_count; device++) {
            int wins = 0;
            for (int i = 0; i < panels; i++)
                wins += fastest(d, d->table->rows + i * d->lanes * d->table->device_count, n, 0) == device;
            double height = (double)PLOT_H * wins / panels;
            if (!wins) continue;
            fprintf(d->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                    middle - width / 2, bottom - height, width, height, looks[device].colour);
            if (height > 12) put_text(d->out, middle, bottom - height / 2 + 4, "count middle", "%d", wins);
            bottom -= height;
        }
        put_count(d->out, middle, TOP + PLOT_H + 16, log10(d->table->rows[n].lanes));
    }
}

static void draw_summary(const drawing *d, int panels) {
    char title[64];
    snprintf(title, sizeof title, "all %d ops", panels);
    open_panel(d, 0, title);
    put_text(d->out, LEFT, TOP - 12, "note", "for how many of them each device is the fastest");
    put_line(d->out, LEFT, TOP + PLOT_H, LEFT + PLOT_W, TOP + PLOT_H, "axis");
    draw_shares(d, panels);
    put_text(d->out, LEFT + PLOT_W / 2.0, TOP + PLOT_H + 34, "label middle", "lanes in a batch");
    fputs("</g>\n", d->out);
}

static void draw_panel(const drawing *d, const bench_row *rows, int place) {
    open_panel(d, place, rows->op);
    draw_axes(d);
    for (int device = 0; device < d->table->device_count; device++) draw_curve(d, rows + device * d->lanes, device);
    draw_crossings(d, rows);
    fputs("</g>\n", d->out);
}

/* ---- the picture ---- */

static void draw_head(const drawing *d, int w, int h) {
    fprintf(
        d->out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n<style>\n"
        "text{font-size:12px;fill:#222} .title{font-size:20px;font-weight:bold} .op{font-size:15px;font-weight:bold}\n"
        ".note{font-size:11px;fill:#444} .tick{font-size:11px;fill:#444} .label{fill:#222}\n"
        ".middle{text-anchor:middle} .end{text-anchor:end}\n"
        ".number{font-size:11px;font-weight:bold;paint-order:stroke;stroke:#fff;stroke-width:4px}\n"
        ".count{font-size:11px;font-weight:bold;paint-order:stroke;stroke:#fff;stroke-width:3px}\n"
        ".grid{stroke:#ddd} .axis{stroke:#555} .crossing{stroke:#555;stroke-dasharray:2 2}\n"
        ".ring{fill:none;stroke:#222;stroke-width:1.5}\n</style>\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
        w, h, w, h, w, h);
    put_text(d->out, MARGIN, 34, "title", "arcl: what one lane costs");
    put_text(d->out, MARGIN, 56, "label", "Grids of %d by %d. Lower is better.%s", d->table->side, d->table->side,
             d->table->device_count > 1 ? " A ring marks from how many lanes on another device is the fastest." : "");
    for (int device = 0; device < d->table->device_count; device++) {
        double y = HEAD + LEGEND * device + 4;
        fprintf(d->out, "<path d=\"M%d %.1fh44\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"/>\n", MARGIN,
                y, looks[device].colour, looks[device].dash);
        put_marker(d->out, MARGIN + 22, y, device);
        put_text(d->out, MARGIN + 54, y + 4, "label", "%s  %s", d->table->devices[device].id,
                 d->table->devices[device].name);
    }
}

/* Every op has a row for each device and number of lanes. */
static int count_lanes(const bench_table *table) {
    size_t n = 0;
    while (n < table->count && table->rows[n].op == table->rows[0].op && table->rows[n].device == 0) n++;
    return (int)n;
}

int bench_svg(const bench_table *table, const char *path) {
    file_output out;
    if (file_create(&out, path)) return -1;
    drawing d = {.out = out.stream, .table = table, .lanes = count_lanes(table)};
    int rows = d.lanes * table->device_count, panels = rows ? (int)table->count / rows : 0;
    int summary = panels >= SUMMARY_FROM && table->device_count > 1, places = panels + summary;
    int across = places < 2 ? 2 : places < COLUMNS ? places : COLUMNS; /* the head needs the width of two */
    int down = (places + COLUMNS - 1) / COLUMNS;
    if (panels) choose_axes(&d);
    draw_head(&d, 2 * MARGIN + across * PANEL_W, HEAD + LEGEND * table->device_count + down * PANEL_H + MARGIN);
    if (summary) draw_summary(&d, panels);
    for (int i = 0; i < panels; i++) draw_panel(&d, table->rows + i * rows, i + summary);
    fputs("</svg>\n", out.stream);
    return file_commit(&out);
}
