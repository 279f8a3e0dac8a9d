/* arcl mutate: programs that differ a little from those of files, each once, as a file or as a battery. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arcl.h"
#include "cli/allocation.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/nearest.h"
#include "cli/op_name.h"
#include "cli/options.h"
#include "data/program_files.h"
#include "data/program_trees.h"
#include "data/session.h"

#define USUAL_COUNT 1000
#define USUAL_RATE 0.01
#define MOST_IDLE                                                                                                      \
    100 /* mutants one after the other, for each parent, of which none is new: there are hardly any left */

typedef struct key_table { /* of programs that there are already */
    arcl_key *at;
    size_t slots, count;
} key_table;

typedef struct mutation {
    const cli_options *options;
    arcl_context *context;
    const program_trees *parents;
    arcl_mutator *mutator;
    key_table known;
    char *text; /* of all mutants */
    size_t length, room;
    uint64_t tried, repeats, rejected;
    int made, wanted;
} mutation;

/* ---- what is not to be changed ---- */

/* One name of --freeze: an edit or an op. Returns 0, or -1 after a message. */
static int freeze_name(const char *name, arcl_dialect dialect, arcl_mutator_options *to, int *ops) {
    arcl_edit edit = arcl_edit_find(name);
    char hint[100];
    to->frozen |= (unsigned)edit;
    if (edit) return 0;
    int op = arcl_operand_op(dialect, name).number;
    if (op >= 0) {
        ops[to->frozen_op_count++] = op;
        return 0;
    }
    nearest near = nearest_to(name);
    for (unsigned i = 0; i < ARCL_EDITS; i++) nearest_offer(&near, arcl_edit_name((arcl_edit)(1u << i)));
    for (int i = 0; i < arcl_dialect_op_count(dialect); i++) nearest_offer(&near, arcl_dialect_op_get(dialect, i).name);
    message_error("mutate: --freeze takes edits and ops, '%s' is neither%s", name,
                  nearest_hint(&near, "edits are variable, function, constant, swap, insert, delete and graft", hint,
                               sizeof hint));
    return -1;
}

static int freeze(const char *names, arcl_dialect dialect, arcl_mutator_options *to, int *ops) {
    char *copy = allocation_text(names), *rest = copy, *name;
    int wrong = 0;
    while (!wrong && (name = strsep(&rest, ",")))
        if (*name) wrong = freeze_name(name, dialect, to, ops);
    free(copy);
    return wrong;
}

static int read_rate(const char *text, double *rate) {
    char *end;
    *rate = strtod(text, &end);
    if (end != text && !*end && *rate >= 0 && *rate <= 1) return 0;
    message_error("mutate: --rate is a number from 0 to 1, not '%s'", text);
    return -1;
}

/* ---- which are new ---- */

static size_t slot_of(const key_table *t, arcl_key key) {
    size_t at = (size_t)key.low & (t->slots - 1);
    while ((t->at[at].high || t->at[at].low) && (t->at[at].high != key.high || t->at[at].low != key.low))
        at = (at + 1) & (t->slots - 1);
    return at;
}

/* 1 if it was not there. */
static int remember(key_table *t, arcl_key key) {
    if (2 * (t->count + 1) > t->slots) {
        key_table larger = {.slots = t->slots ? 2 * t->slots : 1024, .count = t->count};
        larger.at = allocation_get(larger.slots, sizeof *larger.at);
        for (size_t i = 0; i < t->slots; i++)
            if (t->at[i].high || t->at[i].low) larger.at[slot_of(&larger, t->at[i])] = t->at[i];
        free(t->at);
        *t = larger;
    }
    size_t at = slot_of(t, key);
    if (t->at[at].high || t->at[at].low) return 0;
    t->at[at] = key;
    t->count++;
    return 1;
}

/* ---- mutants ---- */

static int fails(arcl_status status, const arcl_error *error) {
    if (status) {
        allocation_check(error);
        message_error("mutate: %s", error->message);
    }
    return status != ARCL_SUCCESS;
}

static int add_parents(mutation *m) {
    arcl_error error;
    arcl_key key;
    for (int i = 0; i < m->parents->count; i++) {
        const arcl_tree *tree = m->parents->trees[i];
        if (fails(arcl_mutator_add(m->mutator, tree, &error), &error) ||
            fails(arcl_tree_key(m->context, tree, &key, &error), &error))
            return -1;
        remember(&m->known, key);
    }
    return 0;
}

static void add_text(mutation *m, const char *text, size_t length) {
    if (m->length + length + 2 > m->room) {
        m->room = 2 * (m->length + length + 2);
        m->text = allocation_resize(m->text, m->room, 1);
    }
    if (m->length) m->text[m->length++] = '\n';
    memcpy(m->text + m->length, text, length + 1);
    m->length += length;
}

/* Names differ by their numbers, but in a battery of tokpidjin, whose results have the names of tasks. */
static int keep(mutation *m, const arcl_tree *mutant, const program_entry *parent) {
    arcl_error error;
    char *text, name[200];
    size_t length;
    if (m->options->battery && m->parents->dialect == ARCL_TOKPIDJIN)
        snprintf(name, sizeof name, "%s", parent->program);
    else
        snprintf(name, sizeof name, "m%d_%s", m->made + 1, parent->program);
    if (fails(arcl_tree_format(m->context, mutant, name, ARCL_DIALECT_AUTO, 0, &text, &length, &error), &error))
        return -1;
    add_text(m, text, length);
    arcl_text_free(text);
    m->made++;
    return 0;
}

/* One mutant, which is kept if it is new and compiles. Returns whether it was, or -1 after a message. */
static int try_one(mutation *m, int parent, uint64_t *random) {
    static const arcl_compile_options compile = {.grid_result = 1};
    arcl_error error;
    arcl_tree *mutant;
    arcl_key key;
    arcl_program *program = NULL;
    arcl_status compiled = ARCL_SUCCESS;
    int made = m->made, failed = 0;
    if (fails(arcl_mutator_mutate(m->mutator, parent, random, &mutant, NULL, &error), &error)) return -1;
    m->tried++;
    if (fails(arcl_tree_key(m->context, mutant, &key, &error), &error))
        failed = 1;
    else if (!remember(&m->known, key))
        m->repeats++;
    else if ((compiled = arcl_tree_compile(m->context, mutant, &compile, &program, &error)) == ARCL_INVALID)
        m->rejected++;
    else
        failed = fails(compiled, &error) || keep(m, mutant, m->parents->entries[parent]);
    arcl_program_free(program);
    arcl_tree_free(mutant);
    return failed ? -1 : m->made > made;
}

static int make_all(mutation *m) {
    uint64_t random = m->options->seed, idle = 0, most = (uint64_t)MOST_IDLE * (uint64_t)m->parents->count;
    for (int parent = 0; m->made < m->wanted && idle < most; parent = (parent + 1) % m->parents->count) {
        int kept = try_one(m, parent, &random);
        if (kept < 0) return -1;
        idle = kept ? 0 : idle + 1;
        message_progress("mutants", (uint64_t)m->made, (uint64_t)m->wanted);
    }
    message_progress_end();
    if (m->made < m->wanted) message_note("no more than %d different mutants were found", m->made);
    return 0;
}

/* ---- the file ---- */

static int write_battery(mutation *m, FILE *to) {
    arcl_error error;
    arcl_source *source = NULL;
    arcl_battery_text written = {0};
    arcl_definition *all = allocation_get((size_t)m->made + 1, sizeof *all);
    int failed = fails(
        arcl_source_parse_dialect(m->context, m->text, m->length, "mutants", m->parents->dialect, &source, &error),
        &error);
    for (int i = 0; i < m->made; i++) all[i] = (arcl_definition){source, i};
    if (!failed) failed = fails(arcl_battery_write(all, m->made, &written, NULL, &error), &error);
    if (!failed) fwrite(written.text, 1, written.length, to);
    arcl_battery_text_free(&written);
    arcl_source_free(source);
    free(all);
    return failed;
}

static int write_all(mutation *m) {
    file_output out = {0};
    int failed = file_create(&out, m->options->out);
    if (failed) return CLI_BAD;
    if (m->options->battery && m->made)
        failed = write_battery(m, out.stream);
    else
        fwrite(m->text, 1, m->length, out.stream);
    if (!failed) failed = file_commit(&out);
    file_discard(&out);
    if (failed) return CLI_BAD;
    printf("%d mutants of %d programs, of %llu that were made: %llu were there already, %llu do not compile\n", m->made,
           m->parents->count, (unsigned long long)m->tried, (unsigned long long)m->repeats,
           (unsigned long long)m->rejected);
    return m->made < m->wanted ? CLI_MISMATCH : CLI_DONE;
}

static int mutate(mutation *m) {
    arcl_error error;
    arcl_mutator_options options = {.dialect = m->parents->dialect, .rate = USUAL_RATE};
    int *ops = allocation_get(m->options->freeze ? strlen(m->options->freeze) + 1 : 1, sizeof *ops), status = CLI_BAD;
    options.frozen_ops = ops;
    if ((!m->options->rate || !read_rate(m->options->rate, &options.rate)) &&
        (!m->options->freeze || !freeze(m->options->freeze, options.dialect, &options, ops)) &&
        !fails(arcl_mutator_create(m->context, &options, &m->mutator, &error), &error) && !add_parents(m) &&
        !make_all(m))
        status = write_all(m);
    arcl_mutator_free(m->mutator);
    free(m->known.at);
    free(m->text);
    free(ops);
    return status;
}

int cmd_mutate(const cli_options *options) {
    mutation m = {.options = options, .wanted = options->number ? (int)options->number : USUAL_COUNT};
    program_list programs;
    program_trees trees = {0};
    if (!options->out) {
        message_error("mutate: --out is missing: the file to write");
        return CLI_BAD;
    }
    int status = session_open(options, &m.context);
    if (status) return status;
    program_list_load(m.context, options->dialect, options->arguments, options->count, &programs);
    status = CLI_BAD;
    m.parents = &trees;
    if (!programs.bad && !program_trees_make(m.context, &programs, &trees)) {
        if (trees.count)
            status = mutate(&m);
        else
            message_error("mutate: there are no programs in these files");
    }
    program_trees_free(&trees);
    program_list_free(&programs);
    return session_close(options, m.context, status);
}
