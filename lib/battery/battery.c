/* Batteries: compiling many programs and deciding which of them share a graph. What a graph is made of is merge.c's
 * business, running it battery_run.c's. */
#include "battery/battery.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "program/step_table.h"
#include "rewrite/merge.h"
#include "run/batch_lanes.h"

/* Programs per graph, and steps of all of them: with more, the state of a chunk of lanes outgrows the caches, and there
 * is little left to share. */
#define GRAPH_PROGRAMS MAX_PROGRAMS
#define GRAPH_STEPS 16384

/* ---- programs by themselves ---- */

typedef struct compilation {
    arcl_context *context;
    const arcl_definition *definitions;
    const arcl_compile_options *options; /* of all; or as many as definitions: */
    int each;
    arcl_battery *battery;
    arcl_error *errors;
    _Atomic int no_memory;
} compilation;

static void compile_one(void *arg, uint32_t index) {
    compilation *c = arg;
    const arcl_definition *d = &c->definitions[index];
    const arcl_compile_options *options = c->each ? &c->options[index] : c->options;
    arcl_status status = arcl_program_compile(c->context, d->source, d->index, options, &c->battery->alone[index],
                                              c->errors ? &c->errors[index] : NULL);
    if (status == ARCL_NO_MEMORY) c->no_memory = 1;
}

/* ---- parameters ---- */

/* Parameters typed by their names: the train pairs come before the grid, whatever a definition's order is. */
static void unite_parameters(arcl_battery *b, const arcl_compile_options *options) {
    int named = !options || !options->types;
    for (int i = 0; i < b->count; i++) {
        const program_graph *p = b->alone[i] ? b->alone[i]->graph : NULL;
        for (int n = 0; p && n < p->parameters; n++) {
            int known = 0;
            if (!named) known = n < b->parameters;
            for (int k = 0; named && k < b->parameters; k++) known |= b->parameter[k] == p->parameter[n];
            if (!known) b->parameter[b->parameters++] = p->parameter[n];
        }
    }
    if (named && b->parameters == 2 && b->parameter[0] == T_GRID) {
        b->parameter[0] = b->parameter[1];
        b->parameter[1] = T_GRID;
    }
}

int battery_parameter(const arcl_battery *b, type_code type, int index) {
    return batch_find_argument(b->parameter, b->parameters, type, index);
}

/* ---- which programs share a graph ---- */

/* A program by what it computes: numbers of its steps that are equal if and only if, as good as certainly, they compute
 * the same. */
typedef struct fingerprint {
    int program;
    uint32_t count;
    const uint64_t *step;
} fingerprint;

static const uint64_t *step_numbers(pool *memory, const program_graph *p) {
    uint64_t *number = pool_get(memory, (size_t)p->count * sizeof *number);
    for (int i = 0; number && i < p->count; i++) {
        const graph_step *s = &p->steps[i];
        uint64_t arg[4] = {0};
        uint32_t scope = s->parent ? s->parent : s->scope;
        for (int a = 0; a < s->args; a++) arg[a] = number[s->arg[a]];
        number[i] = step_hash(s, scope <= SCOPE_LANES ? scope : number[p->scopes[scope].opener], arg);
    }
    return number;
}

static int compare_fingerprints(const void *x, const void *y) {
    const fingerprint *a = x, *b = y;
    uint32_t common = a->count < b->count ? a->count : b->count;
    for (uint32_t i = 0; i < common; i++)
        if (a->step[i] != b->step[i]) return a->step[i] < b->step[i] ? -1 : 1;
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    return a->program - b->program;
}

/* A battery of tokpidjin has the differs of a result behind it. They end with all that they share, and begin with what
 * the differs of other results begin with. */
static int is_ordered(const compilation *c) {
    for (int i = 0; i < c->battery->count; i++)
        if (arcl_source_describe(c->definitions[i].source, c->definitions[i].index).kind == ARCL_SOLVER) return 0;
    return 1;
}

/* Programs that begin alike become neighbours: where not all fit into one graph, that is where most is shared. */
static arcl_status order_programs(const compilation *c, pool *memory, arcl_error *error) {
    arcl_battery *b = c->battery;
    fingerprint *all = pool_get(memory, (size_t)(b->count + 1) * sizeof *all);
    if (!all) return NO_MEMORY(error);
    for (int i = 0; i < b->count; i++) {
        if (!b->alone[i]) continue;
        const program_graph *p = b->alone[i]->graph;
        b->steps_before += (uint64_t)p->count;
        all[b->ordered] = (fingerprint){i, (uint32_t)p->count, step_numbers(memory, p)};
        if (!all[b->ordered++].step) return NO_MEMORY(error);
    }
    if (b->ordered > GRAPH_PROGRAMS && !is_ordered(c))
        qsort(all, (size_t)b->ordered, sizeof *all, compare_fingerprints);
    for (int i = 0; i < b->ordered; i++) b->order[i] = all[i].program;
    return ARCL_SUCCESS;
}

static void cut_into_graphs(arcl_battery *b) {
    battery_graph *g = NULL;
    int steps = 0;
    for (int i = 0; i < b->ordered; i++) {
        int more = b->alone[b->order[i]]->graph->count;
        if (!g || g->count == GRAPH_PROGRAMS || steps + more > GRAPH_STEPS) {
            g = &b->graphs[b->graph_count++];
            g->first = i;
            steps = 0;
        }
        g->count++;
        steps += more;
    }
}

static void merge_one(void *arg, uint32_t index) {
    compilation *c = arg;
    arcl_battery *b = c->battery;
    battery_graph *g = &b->graphs[index];
    merge_member members[GRAPH_PROGRAMS] = {{0}};
    pool *memory = context_pool_take(c->context);
    for (int i = 0; i < g->count; i++) {
        const program_graph *p = members[i].program = b->alone[b->order[g->first + i]]->graph;
        for (int n = 0; n < p->parameters; n++) members[i].parameter[n] = battery_parameter(b, p->parameter[n], n);
    }
    program_graph *merged = NULL;
    if (!memory || merge_programs(memory, members, g->count, b->parameters, b->parameter, &merged, NULL) ||
        !(g->program = program_of(merged)))
        c->no_memory = 1;
    if (memory) context_pool_give(c->context, memory);
}

/* ---- all of it ---- */

static arcl_status build(compilation *c, arcl_error *error) {
    arcl_battery *b = c->battery;
    size_t room = (size_t)b->count + 1;
    b->alone = calloc(room, sizeof *b->alone);
    b->order = calloc(room, sizeof *b->order);
    b->graphs = calloc(room, sizeof *b->graphs);
    if (!b->alone || !b->order || !b->graphs) return NO_MEMORY(error);
    arcl_parallel(c->context, (uint32_t)b->count, compile_one, c);
    unite_parameters(b, c->options);
    pool *memory = context_pool_take(c->context);
    arcl_status status = memory && !c->no_memory ? order_programs(c, memory, error) : NO_MEMORY(error);
    if (memory) context_pool_give(c->context, memory);
    PROPAGATE(status);
    cut_into_graphs(b);
    arcl_parallel(c->context, (uint32_t)b->graph_count, merge_one, c);
    for (int i = 0; i < b->graph_count; i++)
        if (b->graphs[i].program) b->steps_after += (uint64_t)b->graphs[i].program->graph->count;
    return c->no_memory ? NO_MEMORY(error) : ARCL_SUCCESS;
}

static arcl_status compile_battery(compilation *c, int count, arcl_battery **battery, arcl_error *error) {
    arcl_battery *b = c->battery = calloc(1, sizeof *b);
    *battery = NULL;
    if (!b) return NO_MEMORY(error);
    b->count = count > 0 ? count : 0;
    arcl_status status = build(c, error);
    if (status == ARCL_SUCCESS)
        *battery = b;
    else
        arcl_battery_free(b);
    return status;
}

arcl_status arcl_battery_compile(arcl_context *context, const arcl_definition *definitions, int count,
                                 const arcl_compile_options *options, arcl_battery **battery, arcl_error *errors,
                                 arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(battery);
    if (count > 0) NEED(definitions);
    compilation c = {context, definitions, options, 0, NULL, errors, 0};
    return compile_battery(&c, count, battery, error);
}

arcl_status arcl_battery_compile_each(arcl_context *context, const arcl_definition *definitions,
                                      const arcl_compile_options *options, int count, arcl_battery **battery,
                                      arcl_error *errors, arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(battery);
    if (count > 0) NEED(definitions);
    if (count > 0) NEED(options);
    compilation c = {context, definitions, options, 1, NULL, errors, 0};
    return compile_battery(&c, count, battery, error);
}

void arcl_battery_free(arcl_battery *b) {
    if (!b) return;
    for (int i = 0; b->alone && i < b->count; i++) arcl_program_free(b->alone[i]);
    for (int i = 0; b->graphs && i < b->graph_count; i++) arcl_program_free(b->graphs[i].program);
    free(b->alone);
    free(b->order);
    free(b->graphs);
    free(b);
}

arcl_battery_info arcl_battery_describe(const arcl_battery *b) {
    if (!b) return (arcl_battery_info){0};
    return (arcl_battery_info){b->count, b->count - b->ordered, b->graph_count, b->steps_before, b->steps_after};
}

const arcl_program *arcl_battery_program(const arcl_battery *b, int index) {
    return b && index >= 0 && index < b->count ? b->alone[index] : NULL;
}

int arcl_battery_parameters(const arcl_battery *b) { return b ? b->parameters : 0; }

char *arcl_battery_parameter_type(const arcl_battery *b, int index, char *buf, size_t size) {
    return type_text(b && index >= 0 && index < b->parameters ? b->parameter[index] : T_NEVER, buf, size);
}
