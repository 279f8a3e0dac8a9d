/* arcl battery: picks programs of files and writes them as the text of one battery, which the other commands read. */
#include <stdio.h>
#include <stdlib.h>

#include "arcl.h"
#include "cli/allocation.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "data/program_files.h"
#include "data/session.h"

typedef struct picking {
    const cli_options *options;
    arcl_context *context;
    program_list programs;
    arcl_definition *picked;
    arcl_error *errors; /* of those picked */
    int count;
} picking;

/* SplitMix64: seeds that follow each other, which is what people use, have nothing in common. */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* The first ones, or with --seed some at random, in the order of the files. */
static void pick(picking *p) {
    int all = p->programs.count, left;
    uint64_t state = p->options->seed, wanted = p->options->number ? p->options->number : (uint64_t)all;
    left = p->count = wanted < (uint64_t)all ? (int)wanted : all;
    p->picked = allocation_get((size_t)p->count + 1, sizeof *p->picked);
    p->errors = allocation_get((size_t)p->count + 1, sizeof *p->errors);
    for (int i = 0, n = 0; n < p->count; i++) {
        int take = !p->options->seed || next_random(&state) % (uint64_t)(all - i) < (uint64_t)left;
        if (!take) continue;
        p->picked[n++] = (arcl_definition){p->programs.entries[i].source, p->programs.entries[i].index};
        left--;
    }
}

/* What sharing brings: in the text, and in what the programs are compiled to. */
static int describe(picking *p, const arcl_battery_text *text, int left_out) {
    arcl_error error;
    arcl_battery *battery;
    arcl_compile_options options = {.grid_result = 1};
    if (arcl_battery_compile(p->context, p->picked, p->count, &options, &battery, p->errors, &error)) {
        message_error("%s", error.message);
        return CLI_BAD;
    }
    arcl_battery_info info = arcl_battery_describe(battery);
    for (int i = 0; i < p->count; i++)
        if (!arcl_battery_program(battery, i)) message_note("%s", p->errors[i].message);
    arcl_battery_free(battery);
    printf("%d programs, %d rejected: %d ops, %d after sharing; %llu steps, %llu after sharing, in %d graph%s\n",
           info.programs + left_out, info.rejected + left_out, text->ops_before, text->ops_after,
           (unsigned long long)info.steps_before, (unsigned long long)info.steps_after, info.graphs,
           info.graphs == 1 ? "" : "s");
    return info.rejected + left_out ? CLI_BAD : CLI_DONE;
}

/* Says why programs are not in the text, and takes them off the list. Returns how many. */
static int leave_out(picking *p) {
    int kept = 0, count = p->count;
    for (int i = 0; i < count; i++) {
        if (p->errors[i].message[0])
            message_note("%s", p->errors[i].message);
        else
            p->picked[kept++] = p->picked[i];
    }
    p->count = kept;
    return count - kept;
}

static int write_battery(picking *p) {
    arcl_error error;
    arcl_battery_text text;
    file_output out = {0};
    int status = CLI_BAD;
    if (arcl_battery_write(p->picked, p->count, &text, p->errors, &error)) {
        message_error("%s", error.message);
        return CLI_BAD;
    }
    if (text.rejected == text.programs) {
        message_error("battery: none of the programs can be read");
        goto done;
    }
    if (file_create(&out, p->options->out)) goto done;
    fprintf(out.stream, "# %d programs: %d ops, %d after sharing\n\n", text.programs - text.rejected, text.ops_before,
            text.ops_after);
    fwrite(text.text, 1, text.length, out.stream);
    if (!file_commit(&out)) {
        int left_out = leave_out(p);
        status = describe(p, &text, left_out);
    }
done:
    file_discard(&out);
    arcl_battery_text_free(&text);
    return status;
}

int cmd_battery(const cli_options *options) {
    picking p = {.options = options};
    if (!options->out) {
        message_error("battery: --out is missing: the file to write");
        return CLI_BAD;
    }
    int status = session_open(options, &p.context);
    if (status) return status;
    program_list_load(p.context, options->dialect, options->arguments, options->count, &p.programs);
    status = CLI_BAD;
    if (!p.programs.bad && p.programs.count) {
        pick(&p);
        status = write_battery(&p);
    } else if (!p.programs.bad)
        message_error("battery: there are no programs in these files");
    free(p.picked);
    free(p.errors);
    program_list_free(&p.programs);
    return session_close(options, p.context, status);
}
