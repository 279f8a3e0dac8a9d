/* The plan for people: first in sentences, then how each device would do alone, then op by op. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "cli/number_text.h"
#include "cli/text_table.h"
#include "commands/explain/explain.h"

enum { TEXT = 48, WIDEST_PROSE = 100 };

/* ---- words ---- */

char *explain_op_text(const arcl_plan_op *op, char *to, size_t room) {
    int is_scope = strncmp(op->kernel, "scope_", 6) == 0 || strncmp(op->kernel, "loop_", 5) == 0;
    if (!*op->op)
        snprintf(to, room, "[%s]", op->kernel);
    else if (is_scope || strcmp(op->op, op->kernel) == 0)
        snprintf(to, room, "%s", op->op);
    else
        snprintf(to, room, "%s [%s]", op->op, op->kernel);
    return to;
}

char *explain_flip_text(const arcl_plan *plan, const arcl_plan_op *op, char *to, size_t room) {
    char lanes[TEXT];
    *to = 0;
    if (op->flips_at)
        snprintf(to, room, "%s %s lanes on %s", op->flips_at > arcl_plan_get(plan).lanes ? "from" : "up to",
                 rounded_text(op->flips_at, lanes, sizeof lanes), op->flips_to);
    return to;
}

const char *explain_basis(const arcl_plan_op *op) {
    return !op->measured ? "unmeasured" : op->extrapolated ? "extrapolated" : "measured";
}

static const char *device_words(const char *id) { return strcmp(id, "host") == 0 ? "the host" : id; }

static int is_parts(const arcl_plan *plan) { return strcmp(arcl_plan_get(plan).device, "parts") == 0; }

/* ---- prose ---- */

typedef struct prose {
    char text[4096];
    size_t used;
} prose;

__attribute__((format(printf, 2, 3))) static void say(prose *p, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(p->text + p->used, sizeof p->text - p->used, format, arguments);
    va_end(arguments);
    p->used += (size_t)length < sizeof p->text - p->used ? (size_t)length : sizeof p->text - p->used - 1;
}

/* Prints what was said, in lines that fit, and forgets it. */
static void print_prose(prose *p, int width, FILE *out) {
    size_t room = (size_t)(width && width < WIDEST_PROSE ? width : WIDEST_PROSE), column = 0;
    for (char *word = strtok(p->text, " "); word; word = strtok(NULL, " ")) {
        if (column && column + 1 + strlen(word) > room) {
            putc('\n', out);
            column = 0;
        }
        if (column) putc(' ', out);
        message_put_clean(out, word);
        column += (column > 0) + strlen(word);
    }
    if (column) putc('\n', out);
    *p = (prose){.used = 0};
}

static void say_source(prose *p, const explained *e) {
    arcl_plan_info info = arcl_plan_get(e->plan);
    say(p, "%s of %s", e->program, e->file);
    if (e->profile)
        say(p, ", for the machine that %s was measured on: %s", e->profile, info.machine);
    else
        say(p, ", on this machine");
    for (int i = 1; e->profile && i < arcl_plan_devices(e->plan); i++) {
        arcl_plan_device d = arcl_plan_device_get(e->plan, i);
        say(p, ", %s %s", d.device, d.name);
    }
    say(p, " (profile of %.10s). ", info.created);
    if (info.sampled)
        say(p, "Sizes are those of %u lanes that were looked at.", info.sampled);
    else
        say(p, "Sizes are typical ones; --in TASK.json looks at real ones.");
}

static void say_workers(prose *p, const arcl_plan_info *info) {
    int on_host = strcmp(info->device, "host") == 0;
    char chunk[TEXT];
    if (info->workers == 1)
        say(p, on_host ? ", with one thread" : "");
    else
        say(p, ", with %d %s", info->workers, on_host ? "threads" : "queues");
    if (info->chunk < info->lanes) say(p, " in chunks of %s lanes", count_text(info->chunk, chunk, sizeof chunk));
}

/* "host and cl:0": the devices that ops run on, in the profile's order. */
static void say_parts(prose *p, const arcl_plan *plan) {
    int said = 0;
    for (int i = 0; i < arcl_plan_devices(plan); i++) {
        const char *id = arcl_plan_device_get(plan, i).device;
        int used = 0;
        for (int n = 0; n < arcl_plan_ops(plan); n++) used |= strcmp(arcl_plan_op_get(plan, n).device, id) == 0;
        if (used) say(p, "%s%s", said++ ? " and " : "", device_words(id));
    }
}

static void say_choice(prose *p, const arcl_plan *plan) {
    arcl_plan_info info = arcl_plan_get(plan);
    char lanes[TEXT], time[TEXT];
    say(p, "%s %s ", count_text(info.lanes, lanes, sizeof lanes), info.lanes == 1 ? "lane runs" : "lanes run");
    if (is_parts(plan)) {
        say(p, "in parts, on ");
        say_parts(p, plan);
    } else {
        say(p, "on %s", device_words(info.device));
        say_workers(p, &info);
    }
    say(p, ": predicted %s%s. ", time_text(info.predicted, time, sizeof time),
        info.unmeasured ? ", without what was never measured" : "");
}

/* What most of the time goes into, where it is no surprise to see it: "of which 120 us are launches". */
static void say_main_part(prose *p, const arcl_plan_device *d) {
    const struct {
        double time;
        const char *words;
    } parts[] = {{d->queue, "launches"},
                 {d->execution, "kernels"},
                 {d->transfer, "transfers"},
                 {d->fixed, "for calls and chunks"}};
    char time[TEXT];
    int most = 0;
    for (int i = 1; i < 4; i++)
        if (parts[i].time > parts[most].time) most = i;
    if (parts[most].time > 0.95 * d->total)
        say(p, ", nearly all of it %s", parts[most].words);
    else
        say(p, ", of which %s are %s", time_text(parts[most].time, time, sizeof time), parts[most].words);
}

static void say_others(prose *p, const arcl_plan *plan) {
    char time[TEXT];
    for (int i = 0; i < arcl_plan_devices(plan); i++) {
        arcl_plan_device d = arcl_plan_device_get(plan, i);
        if (strcmp(d.device, arcl_plan_get(plan).device) == 0) continue;
        char first[TEXT];
        snprintf(first, sizeof first, "%s", device_words(d.device));
        if (first[0] == 't') first[0] = 'T';
        if (d.able) {
            say(p, "%s %swould take %s", first, is_parts(plan) ? "alone " : "", time_text(d.total, time, sizeof time));
            say_main_part(p, &d);
            say(p, ". ");
        } else if (*d.reason)
            say(p, "What was measured of %s is not used: %s. ", d.device, d.reason);
        else
            say(p, "%s cannot run all of it: %d of its launches %s not measured there. ", first, d.unmeasured,
                d.unmeasured == 1 ? "was" : "were");
    }
}

/* Where all ops flip at once, that is a sentence; otherwise it is in the table. */
static void say_flips(prose *p, const arcl_plan *plan) {
    int count = arcl_plan_ops(plan), some = 0, same = 1;
    arcl_plan_op first = arcl_plan_op_get(plan, 0);
    char lanes[TEXT];
    for (int i = 0; i < count; i++) {
        arcl_plan_op op = arcl_plan_op_get(plan, i);
        some |= op.flips_at != 0;
        same &= op.flips_at == first.flips_at && strcmp(op.flips_to, first.flips_to) == 0;
    }
    if (some && same)
        say(p, "%s %s lanes%s, %s is better. ", first.flips_at > arcl_plan_get(plan).lanes ? "From" : "Up to",
            rounded_text(first.flips_at, lanes, sizeof lanes), first.flips_at > arcl_plan_get(plan).lanes ? " on" : "",
            device_words(first.flips_to));
    else if (some)
        say(p, "With other numbers of lanes some ops run elsewhere: see the last column. ");
    else if (arcl_plan_devices(plan) > 1)
        say(p, "Other numbers of lanes, up to a million, would change nothing. ");
}

static void say_doubts(prose *p, const arcl_plan *plan) {
    arcl_plan_info info = arcl_plan_get(plan);
    int extrapolated = 0;
    for (int i = 0; i < arcl_plan_ops(plan); i++) extrapolated += arcl_plan_op_get(plan, i).extrapolated;
    if (info.unmeasured)
        say(p,
            "Of the launches, %d %s never measured; ops like that run on the host. "
            "`arcl profile` measures what is missing. ",
            info.unmeasured, info.unmeasured == 1 ? "was" : "were");
    if (extrapolated)
        say(p, "Where the last column but one says extrapolated, there is more to do than was measured. ");
    if (!info.exact) say(p, "There may be a better plan that was not found. ");
}

static void say_opening(prose *p, const arcl_plan *plan) {
    char time[TEXT];
    for (int i = 1; i < arcl_plan_devices(plan); i++) {
        arcl_plan_device d = arcl_plan_device_get(plan, i);
        int used = strcmp(arcl_plan_get(plan).device, d.device) == 0;
        for (int n = 0; is_parts(plan) && n < arcl_plan_ops(plan); n++)
            used |= strcmp(arcl_plan_op_get(plan, n).device, d.device) == 0;
        if (used)
            say(p, "Opening %s takes %s, once: a process does so when running without it has cost as much. ", d.device,
                time_text(d.open, time, sizeof time));
    }
}

/* ---- tables ---- */

static void put_time(char *cell, double nanoseconds) {
    if (nanoseconds > 0) time_text(nanoseconds, cell, TEXT_TABLE_CELL);
}

static void print_devices(const arcl_plan *plan, int width, FILE *out) {
    enum { DEVICE, TOTAL, FIXED, QUEUE, EXECUTION, TRANSFER, WORKERS, CHUNK, NAME, COLUMNS };
    static const text_column columns[COLUMNS] = {{"alone on", 0, 0}, {"total", 1, 0},     {"fixed", 1, 5},
                                                 {"queue", 1, 6},    {"execution", 1, 7}, {"transfer", 1, 4},
                                                 {"workers", 1, 2},  {"chunk", 1, 1},     {"name", 0, 3}};
    text_table table;
    text_table_start(&table, columns, COLUMNS, arcl_plan_devices(plan));
    for (int i = 0; i < table.rows; i++) {
        arcl_plan_device d = arcl_plan_device_get(plan, i);
        snprintf(text_table_cell(&table, i, DEVICE), TEXT_TABLE_CELL, "%s", d.device);
        snprintf(text_table_cell(&table, i, NAME), TEXT_TABLE_CELL, "%s", d.name);
        if (!d.able) {
            strcpy(text_table_cell(&table, i, TOTAL), *d.reason ? "not used" : "cannot");
            continue;
        }
        put_time(text_table_cell(&table, i, TOTAL), d.total);
        put_time(text_table_cell(&table, i, FIXED), d.fixed);
        put_time(text_table_cell(&table, i, QUEUE), d.queue);
        put_time(text_table_cell(&table, i, EXECUTION), d.execution);
        put_time(text_table_cell(&table, i, TRANSFER), d.transfer);
        count_text(d.workers, text_table_cell(&table, i, WORKERS), TEXT_TABLE_CELL);
        count_text(d.chunk, text_table_cell(&table, i, CHUNK), TEXT_TABLE_CELL);
    }
    text_table_print(&table, width, out);
    text_table_free(&table);
}

enum { OP, LANES, DEVICE, VARIANT, QUEUE, EXECUTION, TRANSFER, NEXT, BASIS, FLIP, OP_COLUMNS };

static void fill_op(text_table *table, int row, const arcl_plan *plan, const arcl_plan_op *op) {
    char name[TEXT_TABLE_CELL], time[TEXT];
    int indent = op->depth > 1 ? 2 * (op->depth - 1) : 0;
    snprintf(text_table_cell(table, row, OP), TEXT_TABLE_CELL, "%*s%s", indent < 32 ? indent : 32, "",
             explain_op_text(op, name, 60));
    count_text(op->lanes, text_table_cell(table, row, LANES), TEXT_TABLE_CELL);
    snprintf(text_table_cell(table, row, DEVICE), TEXT_TABLE_CELL, "%s", op->device);
    snprintf(text_table_cell(table, row, VARIANT), TEXT_TABLE_CELL, "%s", op->variant);
    put_time(text_table_cell(table, row, QUEUE), op->queue);
    put_time(text_table_cell(table, row, EXECUTION), op->execution);
    put_time(text_table_cell(table, row, TRANSFER), op->transfer);
    if (*op->next_device)
        snprintf(text_table_cell(table, row, NEXT), TEXT_TABLE_CELL, "%s +%s", op->next_device,
                 time_text(op->next_extra > 0 ? op->next_extra : 0, time, sizeof time));
    snprintf(text_table_cell(table, row, BASIS), TEXT_TABLE_CELL, "%s", explain_basis(op));
    explain_flip_text(plan, op, text_table_cell(table, row, FLIP), TEXT_TABLE_CELL);
}

static void print_ops(const arcl_plan *plan, int width, FILE *out) {
    static const text_column columns[OP_COLUMNS] = {
        {"op", 0, 0},        {"lanes", 1, 7},    {"device", 0, 0},    {"variant", 0, 1}, {"queue", 1, 3},
        {"execution", 1, 5}, {"transfer", 1, 4}, {"next best", 0, 6}, {"basis", 0, 2},   {"elsewhere", 0, 8}};
    arcl_plan_info info = arcl_plan_get(plan);
    int before = info.input_transfer > 0;
    char time[TEXT];
    text_table table;
    text_table_start(&table, columns, OP_COLUMNS, arcl_plan_ops(plan) + before);
    if (before) {
        strcpy(text_table_cell(&table, 0, OP), "(input)");
        put_time(text_table_cell(&table, 0, TRANSFER), info.input_transfer);
    }
    for (int i = 0; i < arcl_plan_ops(plan); i++) {
        arcl_plan_op op = arcl_plan_op_get(plan, i);
        fill_op(&table, i + before, plan, &op);
    }
    text_table_print(&table, width, out);
    text_table_free(&table);
    fprintf(out, "and %s for the call, its chunks and gathering results\n",
            time_text(info.fixed > 0 ? info.fixed : 0, time, sizeof time));
}

void explain_text(const explained *e, FILE *out) {
    int width = text_table_width();
    prose p = {.used = 0};
    say_source(&p, e);
    print_prose(&p, width, out);
    putc('\n', out);
    say_choice(&p, e->plan);
    say_others(&p, e->plan);
    say_flips(&p, e->plan);
    print_prose(&p, width, out);
    say_doubts(&p, e->plan);
    say_opening(&p, e->plan);
    print_prose(&p, width, out);
    putc('\n', out);
    print_devices(e->plan, width, out);
    putc('\n', out);
    print_ops(e->plan, width, out);
}
