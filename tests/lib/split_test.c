/* Tests of cutting programs: whatever vectors have, and under both policies, each part is a graph that can be run and
 * reads what the part before it leaves, and together they launch what the program does. mixed_test runs parts on
 * devices. */
#include "program/compiled.h"
#include "program/graph_check.h"
#include "program/split.h"
#include "support/evaluation.h"
#include "support/vector_programs.h"

#include "greatest.h"

enum { MOST = 3000 };
static char *programs[MOST];
static int program_count;

static const char *const files[] = {VECTORS "/programs.jsonl", VECTORS "/functions.jsonl", VECTORS "/tuples.jsonl",
                                    VECTORS "/safe.jsonl",     VECTORS "/fused.jsonl",     VECTORS "/odd.jsonl"};

static arcl_program *compile(arcl_context *c, const char *body, arcl_policy policy) {
    arcl_compile_options options = {.policy = policy};
    arcl_source *source;
    arcl_program *p = NULL;
    if (arcl_source_parse(c, body, strlen(body), "p.py", &source, NULL)) return NULL;
    if (arcl_program_compile(c, source, 0, &options, &p, NULL)) p = NULL;
    arcl_source_free(source);
    return p;
}

static int launches(const program_graph *p) {
    int n = 0;
    for (int i = 0; i < p->count; i++) n += p->steps[i].kind != STEP_CONST && p->steps[i].kind != STEP_INPUT;
    return n;
}

/* What all lanes share is made again in each part that reads it, so the sum may be larger. */
static int check_parts(const program_graph *p, pool *memory, uint32_t *cut, const char **problem) {
    int units = split_units(p, memory, cut), carried = 0, sum = 0;
    *problem = units < 1 || cut[0] != 0 || cut[units] != (uint32_t)p->count ? "the units are not all of it" : NULL;
    for (int i = 0; i < units && !*problem; i++) {
        program_graph *part;
        if (cut[i] >= cut[i + 1])
            *problem = "a unit is empty";
        else if (split_part(p, cut[i], cut[i + 1], memory, &part, NULL))
            *problem = "a unit is no part";
        if (*problem) break;
        int is_last = i + 1 == units;
        *problem = graph_problem(part);
        if (part->carried != carried) *problem = "a part reads other columns than the one before it leaves";
        if (part->is_part == is_last || (is_last && part->results != p->results)) *problem = "a result is misplaced";
        carried = part->outs;
        sum += launches(part);
        graph_free(part);
    }
    if (!*problem && sum < launches(p)) *problem = "steps are lost";
    return units;
}

TEST every_part_can_be_run(arcl_policy policy) {
    arcl_context *c;
    int compiled = 0, most_units = 0;
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(NULL, &c, NULL));
    for (int i = 0; i < program_count; i++) {
        arcl_program *p = compile(c, programs[i], policy);
        pool memory = {0};
        const char *problem;
        if (!p) continue;
        uint32_t *cut = pool_get(&memory, ((size_t)p->graph->count + 1) * sizeof *cut);
        ASSERT(cut);
        int units = check_parts(p->graph, &memory, cut, &problem);
        if (problem) printf("%s: %s\n", problem, programs[i]);
        ASSERTm(problem, !problem);
        if (units > most_units) most_units = units;
        compiled++;
        pool_free(&memory);
        arcl_program_free(p);
    }
    ASSERT(compiled > 300);
    if (policy == ARCL_SAFE) /* failures are kept apart: no program is cut */
        ASSERT_EQ_FMT(1, most_units, "%d");
    else
        ASSERT(most_units > 20);
    arcl_context_free(c);
    PASS();
}

SUITE(split) {
    RUN_TESTp(every_part_can_be_run, ARCL_STRICT);
    RUN_TESTp(every_part_can_be_run, ARCL_SAFE);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        read_vector_programs(files[i], programs, MOST, &program_count);
    RUN_SUITE(split);
    for (int i = 0; i < program_count; i++) free(programs[i]);
    GREATEST_MAIN_END();
}
