/* Elsewhere `--device cl:0,cl:1` shares the lanes; here each is measured alone, so the list is taken apart. */
#include "commands/bench/bench_devices.h"

#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "cli/messages.h"
#include "data/session.h"

static int open_reference(const cli_options *options, bench_devices *devices) {
    cli_options host = *options;
    host.device = "host";
    host.require = host.report = 0;
    return session_open(&host, &devices->reference);
}

/* What the device is called; a context without OpenCL devices runs on the host. */
static void describe(arcl_context *context, bench_device *device) {
    const char *id = arcl_report_device_count(context) ? arcl_report_device(context, 0).device : "host";
    arcl_device_info info;
    snprintf(device->id, sizeof device->id, "%s", id);
    for (int i = 0; !*device->name && !arcl_device_get(context, i, &info, NULL); i++)
        if (strcmp(info.id, id) == 0) snprintf(device->name, sizeof device->name, "%s", info.name);
}

static int add_device(const cli_options *options, const char *name, bench_devices *devices, bench_table *table) {
    cli_options one = *options;
    one.device = name;
    if (table->device_count == BENCH_MOST_DEVICES) {
        message_error("--device: at most %d devices can be measured at once", BENCH_MOST_DEVICES);
        return CLI_BAD;
    }
    int n = table->device_count, status = session_open(&one, &devices->contexts[n]);
    if (status) return status;
    describe(devices->contexts[n], &table->devices[n]);
    table->device_count++; /* from here on it will be closed */
    for (int i = 0; i < n; i++)
        if (strcmp(table->devices[i].id, table->devices[n].id) == 0) {
            message_error("--device %s: %s is listed twice", options->device, table->devices[n].id);
            return CLI_BAD;
        }
    return CLI_DONE;
}

static int add_listed(const cli_options *options, bench_devices *devices, bench_table *table) {
    size_t size = strlen(options->device) + 1;
    char *list = allocation_get(size, 1), *rest = list;
    int status = CLI_DONE;
    memcpy(list, options->device, size);
    while (!status && rest) {
        char *name = rest;
        rest = strchr(name, ',');
        if (rest) *rest++ = 0;
        status = add_device(options, name, devices, table);
    }
    free(list);
    return status;
}

static int add_ready(const cli_options *options, bench_devices *devices, bench_table *table) {
    int status = CLI_DONE, count = arcl_device_count(devices->reference);
    arcl_device_info info;
    for (int i = 0; !status && i < count && table->device_count < BENCH_MOST_DEVICES; i++)
        if (!arcl_device_get(devices->reference, i, &info, NULL) && info.state == ARCL_DEVICE_READY)
            status = add_device(options, info.id, devices, table);
    return status;
}

int bench_devices_open(const cli_options *options, bench_devices *devices, bench_table *table) {
    *devices = (bench_devices){.report = options->report};
    int status = open_reference(options, devices);
    if (!status) status = options->device ? add_listed(options, devices, table) : add_ready(options, devices, table);
    if (status) return status;
    arcl_device_info host = {.name = ""};
    if (arcl_device_get(devices->reference, 0, &host, NULL)) *host.name = 0;
    bench_machine_look(&table->machine, host.name);
    table->threads = arcl_context_threads(devices->reference);
    return CLI_DONE;
}

int bench_devices_close(const cli_options *options, bench_devices *devices, bench_table *table, int status) {
    for (int i = 0; i < table->device_count; i++) {
        cli_options one = *options;
        one.device = table->devices[i].id;
        status = session_close(&one, devices->contexts[i], status);
    }
    arcl_context_free(devices->reference);
    return status;
}
