/* What a context has run, per kernel and device. A device may have several workers: they are reported as one. */
#include <string.h>

#include "run/devices.h"

static void add(arcl_op_report *r, op_count n) {
    r->launches += n.launches;
    r->lanes += n.lanes;
    r->words += n.words;
    r->failures += n.failures;
    r->nanoseconds += n.nanoseconds;
    r->teams += n.teams;
}

/* The workers of one device are neighbours, in the order in which they were opened. */
static int begins_device(const arcl_context *c, int worker) {
    return worker == 0 || strcmp(device_report(c, worker).device, device_report(c, worker - 1).device) != 0;
}

/* The next device's first worker; the number of workers after the last. */
static int next_device(const arcl_context *c, int worker) {
    do worker++;
    while (worker < c->device_count && !begins_device(c, worker));
    return worker;
}

/* The host is worker -1. */
static arcl_op_report entry(const arcl_context *c, int worker, int kernel) {
    arcl_op_report r = {.name = kernel_names[kernel], .device = "host"};
    if (worker < 0)
        for (int i = 0; i < c->thread_count; i++) add(&r, c->worker[i].count[kernel]);
    else
        for (int i = worker, end = next_device(c, worker); i < end; i++)
            add(&r, device_count_of(c, i, kernel, &r.device));
    return r;
}

void arcl_report_enable(arcl_context *c, int on) {
    if (!c) return;
    for (int i = 0; i < c->thread_count; i++) c->worker[i].counting = c->worker[i].timing = on;
    devices_count(c, on);
}

arcl_run_report arcl_report_runs(const arcl_context *c) {
    if (!c) return (arcl_run_report){0};
    return (arcl_run_report){c->totals.runs, c->totals.predicted, c->totals.taken, c->totals.unpredicted,
                             c->totals.planning};
}

void arcl_report_reset(arcl_context *c) {
    if (!c) return;
    c->totals = (run_totals){0};
    for (int i = 0; i < c->thread_count; i++) memset(c->worker[i].count, 0, sizeof c->worker[i].count);
    devices_reset_counts(c);
}

/* Entry `index` of the report, and how many there are. */
static int find_entry(const arcl_context *c, int index, arcl_op_report *found) {
    int n = 0;
    for (int worker = -1; worker < c->device_count; worker = next_device(c, worker))
        for (int i = 0; i < KERNEL_COUNT; i++) {
            arcl_op_report r = entry(c, worker, i);
            if (r.launches && n++ == index) *found = r;
        }
    return n;
}

int arcl_report_count(const arcl_context *c) {
    arcl_op_report unused;
    return !c ? 0 : find_entry(c, -1, &unused);
}

arcl_op_report arcl_report_get(const arcl_context *c, int index) {
    arcl_op_report r = {.name = "", .device = ""};
    if (c) find_entry(c, index, &r);
    return r;
}

int arcl_report_device_count(const arcl_context *c) {
    int n = 0;
    for (int worker = 0; c && worker < c->device_count; worker = next_device(c, worker)) n++;
    return n;
}

arcl_device_report arcl_report_device(const arcl_context *c, int index) {
    arcl_device_report sum = {.device = ""};
    int worker = 0;
    if (!c || index < 0) return sum;
    while (worker < c->device_count && index-- > 0) worker = next_device(c, worker);
    if (worker >= c->device_count) return sum;
    for (int i = worker, end = next_device(c, worker); i < end; i++) {
        arcl_device_report r = device_report(c, i);
        sum.device = r.device;
        sum.launches += r.launches;
        sum.synchronisations += r.synchronisations;
        sum.bytes_up += r.bytes_up;
        sum.bytes_down += r.bytes_down;
        sum.builds += r.builds;
        sum.build_nanoseconds += r.build_nanoseconds;
        sum.transfer_nanoseconds += r.transfer_nanoseconds;
    }
    return sum;
}
