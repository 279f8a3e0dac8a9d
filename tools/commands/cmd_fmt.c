/* arcl fmt: programs in their normal form, on standard output, also in the words of another dialect. What cannot be
 * parsed or has no words there is reported and left out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arcl.h"
#include "cli/dialect_name.h"
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
    json_t *list;         /* with --json */
    arcl_dialect dialect; /* to print in */
    char *text;           /* all that was printed */
    size_t length;
    int printed, rejected, untranslated;
} formatting;

static void add_json(formatting *all, const program_entry *entry, const char *text, arcl_key key, const char *why) {
    char digits[33];
    snprintf(digits, sizeof digits, "%016llx%016llx", (unsigned long long)key.high, (unsigned long long)key.low);
    json_array_append_new(all->list, json_pack("{ss so so ss? so}", "name", entry->name, "file", json_text(entry->file),
                                               "text", json_text_or_null(text), "key", text ? digits : NULL, "error",
                                               json_text_or_null(why)));
}

/* Of a program that could not be printed: whether it could be in its own dialect. */
static int is_untranslated(const formatting *all, const program_entry *entry) {
    char *text = NULL;
    if (all->dialect == ARCL_DIALECT_AUTO) return 0;
    arcl_status status = arcl_source_format(all->context, entry->source, entry->index, 0, &text, NULL, NULL);
    arcl_text_free(text);
    return status == ARCL_SUCCESS;
}

static void print_text(formatting *all, const char *text) {
    size_t length = strlen(text);
    printf("%s%s", all->printed++ ? "\n" : "", text);
    all->text = allocation_resize(all->text, all->length + length + 1, 1);
    memcpy(all->text + all->length, text, length + 1);
    all->length += length;
}

/* What is tokpidjin's only by constants, which are numbers in a normal form, does not show that any more. */
static void warn_of_lost_dialect(const formatting *all) {
    arcl_source *source = NULL;
    arcl_dialect meant = all->dialect;
    if (!all->length || !all->programs.count) return;
    if (meant == ARCL_DIALECT_AUTO) meant = arcl_source_dialect(all->programs.entries[0].source);
    for (int i = 0; i < all->programs.count && all->dialect == ARCL_DIALECT_AUTO; i++)
        if (arcl_source_dialect(all->programs.entries[i].source) != meant) return;
    if (arcl_source_parse(all->context, all->text, all->length, "text", &source, NULL)) return;
    if (arcl_source_dialect(source) != meant)
        message_note("nothing in this text tells that it is %s's; to read it, say --dialect %s",
                     arcl_dialect_name(meant), arcl_dialect_name(meant));
    arcl_source_free(source);
}

static void format_program(formatting *all, const program_entry *entry) {
    arcl_error error;
    arcl_key key = {0};
    char *text = NULL;
    int inline_uses = all->options->inline_uses;
    arcl_status status = arcl_source_translate(all->context, entry->source, entry->index, all->dialect, inline_uses,
                                               &text, NULL, &error);
    if (!status && all->list) status = arcl_source_key(all->context, entry->source, entry->index, &key, &error);
    if (status) {
        allocation_check(&error);
        if (is_untranslated(all, entry))
            all->untranslated++;
        else
            all->rejected++;
        message_error("%s", error.message);
    } else if (!all->list)
        print_text(all, text);
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
    if (dialect_name_find(options->dialect, &all.dialect)) return CLI_BAD;
    int status = session_open(options, &all.context);
    if (status) return status;
    if (options->json) all.list = json_array();
    program_list_load(all.context, options->from, options->arguments, options->count, &all.programs);
    for (int i = 0; i < all.programs.count; i++) format_program(&all, &all.programs.entries[i]);
    warn_of_lost_dialect(&all);
    if (all.untranslated) status = CLI_MISMATCH;
    if (all.programs.bad || all.rejected) status = CLI_BAD;
    if (options->json && write_json(&all)) status = CLI_BAD;
    json_decref(all.list);
    free(all.text);
    program_list_free(&all.programs);
    return session_close(options, all.context, status);
}
