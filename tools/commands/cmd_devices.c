/* arcl devices: everything that programs can run on, and what is there but cannot be used, with the reason. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arcl.h"
#include "cli/allocation.h"
#include "cli/files.h"
#include "cli/json_text.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "data/session.h"

enum { WIDTH = 100, INDENT = 11 };

static const char *state_name(arcl_device_state state) {
    return state == ARCL_DEVICE_READY ? "ready" : state == ARCL_DEVICE_REFUSED ? "refused" : "no device";
}

/* ---- as text ---- */

/* "  label    text", the text in lines of at most WIDTH where it has blanks to break at. */
static void print_field(const char *label, const char *text) {
    char word[256];
    size_t column = INDENT;
    printf("  %-*s", INDENT - 2, label);
    while (*text) {
        size_t length = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        if (column > INDENT && column + 1 + length > WIDTH) {
            printf("\n%*s", INDENT, "");
            column = INDENT;
        } else if (column > INDENT) {
            putchar(' ');
            column++;
        }
        message_put_clean(stdout, word);
        column += length;
        text += length + strspn(text + length, " ");
    }
    putchar('\n');
}

/* 1536 is "1.5 KB". */
static const char *size_text(uint64_t bytes, char *to, size_t room) {
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    double value = (double)bytes;
    int unit = 0;
    for (; value >= 1024 && unit < 4; unit++) value /= 1024;
    snprintf(to, room, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return to;
}

static void print_state(const arcl_device_info *d) {
    char text[300];
    snprintf(text, sizeof text, "%s%s%s", state_name(d->state), d->reason[0] ? ": " : "", d->reason);
    print_field("state", text);
}

static void print_device(const arcl_device_info *d) {
    char text[300], memory[32], buffer[32];
    printf("%s ", d->id[0] ? d->id : "-");
    message_put_clean(stdout, d->name[0] ? d->name : d->platform);
    putchar('\n');
    print_state(d);
    if (d->state == ARCL_DEVICE_ABSENT) return;
    snprintf(text, sizeof text, "%s, driver %s", d->platform, d->driver);
    print_field("platform", text);
    snprintf(text, sizeof text, "%s, %u compute unit%s", d->kind, d->compute_units, d->compute_units == 1 ? "" : "s");
    print_field("kind", text);
    size_text(d->memory, memory, sizeof memory);
    snprintf(text, sizeof text, "%s, at most %s in one buffer", memory,
             size_text(d->largest_buffer, buffer, sizeof buffer));
    print_field("memory", d->largest_buffer < d->memory ? text : memory);
}

/* ---- as JSON ---- */

static json_t *or_null(const char *text) { return json_text_or_null(text[0] ? text : NULL); }

static json_t *device_json(const arcl_device_info *d) {
    return json_pack("{so so so so so ss so sI sI sI sI sI sI}", "id", or_null(d->id), "name", or_null(d->name),
                     "platform", json_text(d->platform), "driver", or_null(d->driver), "kind", or_null(d->kind),
                     "state", state_name(d->state), "reason", or_null(d->reason), "compute_units",
                     (json_int_t)d->compute_units, "largest_group", (json_int_t)d->largest_group, "memory",
                     (json_int_t)d->memory, "largest_buffer", (json_int_t)d->largest_buffer, "local_memory",
                     (json_int_t)d->local_memory, "cache", (json_int_t)d->cache);
}

static int write_json(const char *path, const arcl_device_info *devices, int count) {
    file_output out;
    if (file_create(&out, path)) return CLI_BAD;
    json_t *list = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(list, device_json(&devices[i]));
    json_t *object = json_pack("{so so}", "devices", list, "notice", or_null(arcl_device_notice()));
    json_dumpf(object, out.stream, JSON_INDENT(1));
    putc('\n', out.stream);
    json_decref(object);
    return file_commit(&out) ? CLI_BAD : CLI_DONE;
}

/* ---- all of them ---- */

/* Asks the library for its devices, which tests them. Without OpenCL in it there is the host alone; an entry says so,
 * as one does for a missing driver. free() them. */
static arcl_device_info *list_devices(arcl_context *context, int *count) {
    *count = arcl_device_count(context);
    arcl_device_info *devices = allocation_get((size_t)*count + 1, sizeof *devices);
    for (int i = 0; i < *count; i++) {
        arcl_error error;
        message_progress("devices tested", (uint64_t)i, (uint64_t)*count);
        if (arcl_device_get(context, i, &devices[i], &error)) message_error("%s", error.message);
    }
    if (*count == 1)
        devices[(*count)++] = (arcl_device_info){
            .platform = "OpenCL", .state = ARCL_DEVICE_ABSENT, .reason = "this arcl was built without OpenCL"};
    message_progress_end();
    return devices;
}

int cmd_devices(const cli_options *options) {
    arcl_context *context;
    cli_options any = *options;
    int count, status = CLI_DONE;
    any.device = NULL; /* one that cannot be opened is no reason not to list the others */
    any.require = any.report = 0;
    if (session_open(&any, &context)) return CLI_BAD;
    arcl_device_info *devices = list_devices(context, &count);
    if (*arcl_device_notice()) message_note("%s", arcl_device_notice());
    if (options->json)
        status = write_json(options->json, devices, count);
    else
        for (int i = 0; i < count; i++) print_device(&devices[i]);
    free(devices);
    return session_close(&any, context, status);
}
