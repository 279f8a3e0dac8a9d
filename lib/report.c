/* What a context has run, per kernel and device. */
#include <string.h>

#include "devices.h"

/* The host is device -1. */
static arcl_op_report entry(const arcl_context *c, int device, int kernel) {
    op_count sum = {0};
    arcl_op_report r = {.name = kernel_names[kernel], .device = "host"};
    if (device >= 0)
        sum = device_count_of(c, device, kernel, &r.device);
    else
        for (int i = 0; i < c->thread_count; i++) {
            const op_count *n = &c->worker[i].count[kernel];
            sum.launches += n->launches;
            sum.lanes += n->lanes;
            sum.words += n->words;
            sum.failures += n->failures;
            sum.nanoseconds += n->nanoseconds;
        }
    r.launches = sum.launches;
    r.lanes = sum.lanes;
    r.words = sum.words;
    r.failures = sum.failures;
    r.nanoseconds = sum.nanoseconds;
    return r;
}

void arcl_report_enable(arcl_context *c, int on) {
    for (int i = 0; i < c->thread_count; i++) c->worker[i].counting = on;
    devices_count(c, on);
}

void arcl_report_reset(arcl_context *c) {
    for (int i = 0; i < c->thread_count; i++) memset(c->worker[i].count, 0, sizeof c->worker[i].count);
    devices_reset_counts(c);
}

int arcl_report_count(const arcl_context *c) {
    int n = 0;
    for (int device = -1; device < c->device_count; device++)
        for (int i = 0; i < KERNEL_COUNT; i++) n += entry(c, device, i).launches != 0;
    return n;
}

arcl_op_report arcl_report_get(const arcl_context *c, int index) {
    for (int device = -1; device < c->device_count; device++)
        for (int i = 0; i < KERNEL_COUNT; i++) {
            arcl_op_report r = entry(c, device, i);
            if (r.launches && index-- == 0) return r;
        }
    return (arcl_op_report){0};
}

int arcl_report_device_count(const arcl_context *c) { return c->device_count; }

arcl_device_report arcl_report_device(const arcl_context *c, int index) {
    return index >= 0 && index < c->device_count ? device_report(c, index) : (arcl_device_report){0};
}
