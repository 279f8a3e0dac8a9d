/* arcl learn: what the programs of files have in common, as a file. */
#include <stdio.h>

#include "arcl.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "data/program_files.h"
#include "data/program_trees.h"
#include "data/session.h"

static int write_library(arcl_context *context, const arcl_library *library, const char *path) {
    arcl_error error;
    char *text;
    size_t length;
    file_output out = {0};
    int status = CLI_BAD;
    if (arcl_library_write(context, library, &text, &length, &error)) {
        allocation_check(&error);
        message_error("%s", error.message);
        return CLI_BAD;
    }
    if (!file_create(&out, path)) {
        fwrite(text, 1, length, out.stream);
        putc('\n', out.stream);
        if (!file_commit(&out)) status = CLI_DONE;
        file_discard(&out);
    }
    arcl_text_free(text);
    return status;
}

static int learn(arcl_context *context, const program_trees *programs, const char *path) {
    arcl_error error;
    arcl_library *library;
    if (arcl_library_learn(context, (const arcl_tree *const *)programs->trees, programs->count, &library, &error)) {
        allocation_check(&error);
        message_error("learn: %s", error.message);
        return CLI_BAD;
    }
    int status = write_library(context, library, path);
    if (status == CLI_DONE)
        printf("%d programs: %d patterns of calls, %d uses of arguments\n", arcl_library_programs(library),
               arcl_library_patterns(library), arcl_library_uses(library));
    arcl_library_free(library);
    return status;
}

int cmd_learn(const cli_options *options) {
    arcl_context *context;
    program_list programs;
    program_trees trees = {0};
    if (!options->out) {
        message_error("learn: --out is missing: the file to write");
        return CLI_BAD;
    }
    int status = session_open(options, &context);
    if (status) return status;
    program_list_load(context, options->dialect, options->arguments, options->count, &programs);
    status = CLI_BAD;
    if (!programs.bad && !program_trees_make(context, &programs, &trees)) {
        if (trees.count)
            status = learn(context, &trees, options->out);
        else
            message_error("learn: there are no programs in these files");
    }
    program_trees_free(&trees);
    program_list_free(&programs);
    return session_close(options, context, status);
}
