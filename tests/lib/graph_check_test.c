/* Tests of lib/program/graph_check.c: graphs that were compiled keep the rules, and one that is broken in any of the
 * ways that passes could break it is known as such. */
#include "program/graph_check.h"

#include "program/compiled.h"
#include "support/evaluation.h"

#include "greatest.h"

static arcl_context *context;

/* A scope over objects with another in it, a choice and a loop. */
static arcl_program *compiled(void) {
    static const char program[] = "def p(I):\n"
                                  "    x1 = objects(I, T, F, T)\n"
                                  "    x2 = apply(lbind(apply, first), x1)\n"
                                  "    x3 = branch(portrait(I), hmirror, rot90)\n"
                                  "    x4 = power(x3, height(I))\n"
                                  "    x5 = mapply(fork(shift, identity, ulcorner), x1)\n"
                                  "    return paint(x4(I), x5)\n";
    arcl_source *source;
    arcl_program *p;
    if (arcl_source_parse(context, program, sizeof program - 1, "p.py", &source, NULL)) abort();
    if (arcl_program_compile(context, source, 0, NULL, &p, NULL)) p = NULL;
    arcl_source_free(source);
    return p;
}

static int step_of_kind(const program_graph *p, int kind) {
    for (int i = 0; i < p->count; i++)
        if (p->steps[i].kind == kind) return i;
    return -1;
}

TEST compiled_graphs_are_sound(void) {
    arcl_program *p = compiled();
    ASSERT(p);
    ASSERT_EQ(NULL, graph_problem(p->graph));
    arcl_program_free(p);
    PASS();
}

/* What one change of a step does. */
typedef struct damage {
    int kind; /* of the step that is changed: the first one */
    enum { ARGUMENT, SCOPE, PARENT, ARGUMENTS, RESULT } what;
    int of; /* the argument becomes the first step of that kind; -1: the step itself */
} damage;

static const damage damages[] = {
    {STEP_KERNEL, ARGUMENT, -1},
    {STEP_CLOSE, ARGUMENT, STEP_CONST},
    {STEP_CLOSE, ARGUMENT, STEP_INPUT},
    {STEP_CLOSE, SCOPE, 0},
    {STEP_EACH, PARENT, 0},
    {STEP_INPUT, SCOPE, 0},
    {STEP_REPEAT, ARGUMENT, -1},
    {STEP_CLOSE, ARGUMENTS, 0},
    {STEP_EACH, RESULT, 0},
};

TEST damage_is_found(const damage *d) {
    arcl_program *p = compiled();
    program_graph *g = p->graph;
    int at = step_of_kind(g, d->kind), of = d->of < 0 ? at : step_of_kind(g, d->of);
    ASSERT(at >= 0 && of >= 0);
    graph_step *s = &g->steps[at];
    switch (d->what) {
    case ARGUMENT: s->arg[0] = (uint32_t)of; break;
    case SCOPE: s->scope = SCOPE_SHARED; break;
    case PARENT: s->parent = SCOPE_SHARED; break;
    case ARGUMENTS: s->args = 0; break;
    default: g->result[0] = (uint32_t)at;
    }
    ASSERT(graph_problem(g));
    arcl_program_free(p);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    if (arcl_context_create(NULL, &context, NULL)) return EXIT_FAILURE;
    RUN_TEST(compiled_graphs_are_sound);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) RUN_TESTp(damage_is_found, &damages[i]);
    arcl_context_free(context);
    GREATEST_MAIN_END();
}
