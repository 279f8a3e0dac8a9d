/* What a page is about: files, when it was made, and the devices that things ran on. */
#include <string.h>
#include <time.h>

#include "draw/page.h"

void page_facts_begin(FILE *out) { fputs("<dl class=\"facts\">\n", out); }
void page_facts_end(FILE *out) { fputs("</dl>\n", out); }

void page_fact(FILE *out, const char *name, const char *value) {
    fprintf(out, "<dt>%s</dt><dd>", name);
    page_text(out, value);
    fputs("</dd>\n", out);
}

void page_fact_date(FILE *out) {
    char date[64];
    time_t now = time(NULL);
    struct tm parts;
    strftime(date, sizeof date, "%Y-%m-%d %H:%M %Z", localtime_r(&now, &parts));
    page_fact(out, "date", date);
}

/* "cl:0, AMD EPYC" of a device that the context has; the host is the first. */
static void put_device(FILE *out, arcl_context *context, const char *id) {
    arcl_device_info info;
    for (int i = 0; arcl_device_get(context, i, &info, NULL) == ARCL_SUCCESS; i++) {
        if (strcmp(info.id, id) != 0) continue;
        page_text(out, id);
        fputs(", ", out);
        page_text(out, info.name);
        return;
    }
}

void page_fact_devices(FILE *out, arcl_context *context) {
    int count = arcl_report_device_count(context);
    fprintf(out, "<dt>%s</dt><dd>", count > 1 ? "devices" : "device");
    if (!count) put_device(out, context, "host");
    for (int i = 0; i < count; i++) {
        if (i) fputs("; ", out);
        put_device(out, context, arcl_report_device(context, i).device);
    }
    fputs("</dd>\n", out);
}
