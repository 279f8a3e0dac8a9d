/* arcl fmt: programs in their normal form, on standard output. What cannot be parsed is reported and left out. */
#include <stdio.h>

#include "arcl.h"
#include "cli/files.h"
#include "cli/json_text.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "data/program_files.h"
#include "data/session.h"
#include "data/value_json.h"

typedef struct formatting {
    const cli_options *options;
    arcl_context *context;
    program_list programs;
    json_t *list; /* with --json */
    int printed, rejected;
} formatting;

static void add_json(formatting *all, const program_entry *entry, const char *text, arcl_key key, const char *why) {
    char digits[33];
    snprintf(digits, sizeof digits, "%016llx%016llx", (unsigned long long)key.high, (unsigned long long)key.low);
    json_array_append_new(all->list, json_pack("{ss so so ss? so}", "name", entry->name, "file", json_text(entry->file),
                                               "text", json_text_or_null(text), "key", text ? digits : NULL, "error",
                                               json_text_or_null(why)));
}

static void format_program(formatting *all, const program_entry *entry) {
    arcl_error error;
    arcl_key key = {0};
    char *text = NULL;
    arcl_status status =
        arcl_source_format(all->context, entry->source, entry->index, all->options->inline_uses, &text, NULL, &error);
    if (!status && all->list) status = arcl_source_key(all->context, entry->source, entry->index, &key, &error);
    if (status) {
        allocation_check(&error);
        all->rejected++;
        message_error("%s", error.message);
    } else if (!all->list)
        printf("%s%s", all->printed++ ? "\n" : "", text);
    if (all->list) add_json(all, entry, status ? NULL : text, key, status ? error.message : NULL);
    arcl_text_free(text);
}

static int write_json(const formatting *all) {
    file_output out;
    if (file_create(&out, all->options->json)) return -1;
    json_dumpf(all->list, out.stream, JSON_INDENT(1));
    putc('\n', out.stream);
    return file_commit(&out);
}

int cmd_fmt(const cli_options *options) {
    formatting all = {.options = options};
    int status = session_open(options, &all.context);
    if (status) return status;
    if (options->json) all.list = json_array();
    program_list_load(all.context, options->arguments, options->count, &all.programs);
    for (int i = 0; i < all.programs.count; i++) format_program(&all, &all.programs.entries[i]);
    if (all.programs.bad || all.rejected) status = CLI_BAD;
    if (options->json && write_json(&all)) status = CLI_BAD;
    json_decref(all.list);
    program_list_free(&all.programs);
    return session_close(options, all.context, status);
}
