/* The report as a chart: a bar for each kernel on each device, as long as the time that it took. */
#include <stdlib.h>
#include <string.h>

#include "data/report_output.h"
#include "draw/page.h"

enum { MOST_BARS = 30, MOST_DEVICES = 8 };

/* Tell apart also by those who do not see all colours; the table names the device as well. */
static const char *const colours[MOST_DEVICES] = {"#3b82c4", "#e08214", "#8a6fc2", "#4d9221",
                                                  "#c51b7d", "#12938f", "#a6761d", "#7f7f7f"};

typedef struct placement {
    const char *devices[MOST_DEVICES];
    uint64_t sums[MOST_DEVICES], all;
    int count;
} placement;

/* The place of a device in the list; those beyond its end share the last. */
static int device_place(placement *p, const char *device) {
    int i = 0;
    while (i < p->count && strcmp(p->devices[i], device) != 0) i++;
    if (i == p->count && p->count < MOST_DEVICES) p->devices[p->count++] = device;
    return i < MOST_DEVICES ? i : MOST_DEVICES - 1;
}

static void put_key(FILE *out, const placement *p) {
    fputs("<p class=\"key\">", out);
    for (int i = 0; i < p->count; i++) {
        fprintf(out, "<i style=\"background:%s\"></i>", colours[i]);
        page_text(out, p->devices[i]);
        fprintf(out, " %.3f ms, %.0f %%", (double)p->sums[i] * 1e-6,
                p->all ? 100 * (double)p->sums[i] / (double)p->all : 0);
    }
    fputs("</p>\n", out);
}

static void put_bar(FILE *out, const arcl_op_report *e, const char *colour, uint64_t longest) {
    double ms = (double)e->nanoseconds * 1e-6, part = longest ? 100 * (double)e->nanoseconds / (double)longest : 0;
    fputs("<tr><td>", out);
    page_text(out, e->name);
    fputs("</td><td>", out);
    page_text(out, e->device);
    fprintf(out,
            "</td><td class=\"n\">%llu</td><td class=\"n\">%llu</td><td class=\"n\">%llu</td><td class=\"n\">%.3f</td>"
            "<td data-key=\"%.6f\"><div class=\"bar\"><i style=\"background:%s;width:%.1f%%\"></i></div></td></tr>\n",
            (unsigned long long)e->launches, (unsigned long long)e->lanes, (unsigned long long)e->failures, ms, ms,
            colour, part);
}

void page_placement(FILE *out, const arcl_context *context) {
    static const char *const heads[] = {"kernel", "device", "launches", "lanes", "failures", "time ms", ""};
    int count;
    placement p = {.count = 0};
    arcl_op_report *entries = report_sorted(context, &count);
    for (int i = 0; i < count; i++) {
        p.sums[device_place(&p, entries[i].device)] += entries[i].nanoseconds;
        p.all += entries[i].nanoseconds;
    }
    fputs("<h2>What ran where</h2>\n", out);
    put_key(out, &p);
    fputs("<div class=\"scroll tall\"><table>\n<thead><tr>", out);
    for (int i = 0; i < 7; i++)
        fprintf(out, "<th%s>%s%s%s</th>", i > 1 && i < 6 ? " class=\"n\"" : "", *heads[i] ? "<button>" : "", heads[i],
                *heads[i] ? "</button>" : "");
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int i = 0; i < count && i < MOST_BARS; i++)
        put_bar(out, &entries[i], colours[device_place(&p, entries[i].device)], entries[0].nanoseconds);
    fputs("</tbody></table></div>\n", out);
    if (count > MOST_BARS) fprintf(out, "<p class=\"dim\">%d more, all shorter.</p>\n", count - MOST_BARS);
    fputs(
        "<p class=\"dim\">The times of kernels, added up over threads and queues. Not all of these are ops of the "
        "language: "
        "<code>scope_</code>, <code>loop_</code>, <code>pack_</code> and <code>run_start</code> are what running takes "
        "besides.</p>\n",
        out);
    free(entries);
}
