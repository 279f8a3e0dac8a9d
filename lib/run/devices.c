/* The devices of a context, as its user sees them: the host first, then what OpenCL offers, if arcl was built with
 * it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "run/devices.h"

static uint64_t system_value(int name) {
    long value = sysconf(name);
    return value > 0 ? (uint64_t)value : 0;
}

/* "model name : AMD EPYC", from where Linux tells it. */
static void processor_name(char *to, size_t room) {
    char text[4096] = ""; /* of the first processor; without stdio, so that want of memory changes no names */
    int file = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    text[length > 0 ? length : 0] = 0;
    const char *line = strstr(text, "model name"), *value = line ? strchr(line, ':') : NULL;
    value = value ? value + 1 + strspn(value + 1, " ") : "processor";
    snprintf(to, room, "%.*s", (int)strcspn(value, "\n"), value);
}

static void describe_host(arcl_device_info *info) {
    snprintf(info->id, sizeof info->id, "host");
    snprintf(info->platform, sizeof info->platform, "arcl");
    snprintf(info->driver, sizeof info->driver, ARCL_VERSION);
    snprintf(info->kind, sizeof info->kind, "host");
    processor_name(info->name, sizeof info->name);
    info->compute_units = (uint32_t)system_value(_SC_NPROCESSORS_ONLN);
    info->memory = info->largest_buffer = system_value(_SC_PHYS_PAGES) * system_value(_SC_PAGESIZE);
#ifdef _SC_LEVEL3_CACHE_SIZE
    info->cache = system_value(_SC_LEVEL3_CACHE_SIZE);
#endif
    info->largest_group = 1;
    info->state = ARCL_DEVICE_READY;
}

arcl_status devices_open(arcl_context *c, arcl_error *error) {
    const char *device = c->options.device;
    c->host_only = device && strcmp(device, "host") == 0;
    if (!device || strcmp(device, "auto") == 0 || c->host_only) return ARCL_SUCCESS;
    PROPAGATE(devices_open_list(c, device, error));
    c->named_count = c->device_count;
    return ARCL_SUCCESS;
}

int arcl_device_count(arcl_context *c) { return c ? 1 + devices_others(c) : 0; }

arcl_status arcl_device_get(arcl_context *c, int index, arcl_device_info *info, arcl_error *error) {
    error_clear(error);
    NEED(c);
    NEED(info);
    memset(info, 0, sizeof *info);
    if (index < 0 || (index > 0 && index >= arcl_device_count(c))) /* who asks for the host needs no drivers */
        return error_set(error, ARCL_INVALID, "there is no device %d", index);
    if (index == 0)
        describe_host(info);
    else
        devices_other_info(c, index - 1, info);
    return ARCL_SUCCESS;
}
