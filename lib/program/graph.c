/* Programs as values: made, copied, freed and asked. What they mean is the business of others. */
#include "program/graph.h"

#include <stdlib.h>
#include <string.h>

#include "program/program_identity.h"

arcl_program *program_create(void) {
    arcl_program *p = calloc(1, sizeof *p);
    if (p) p->programs = 1;
    return p;
}

void arcl_program_free(arcl_program *p) {
    if (!p) return;
    free(p->steps);
    free(p->scopes);
    free(p->out);
    if (p->plans) p->plans->forget(p->plans);
    free(p->identity);
    free(p->output);
    free(p->sets);
    free(p->charges);
    free(p);
}

static void *copy_of(const void *from, size_t bytes, int *failed) {
    void *to = from ? malloc(bytes ? bytes : 1) : NULL;
    *failed |= from && !to;
    if (to && bytes) memcpy(to, from, bytes);
    return to;
}

/* Whatever arcl_program_free frees has to be copied here. */
arcl_program *program_copy(const arcl_program *p) {
    int failed = 0;
    arcl_program *made = copy_of(p, sizeof *p, &failed);
    if (!made) return NULL;
    made->steps = copy_of(p->steps, (size_t)p->count * sizeof *p->steps, &failed);
    made->scopes = copy_of(p->scopes, (size_t)p->scope_count * sizeof *p->scopes, &failed);
    made->out = copy_of(p->out, (size_t)p->outs * sizeof *p->out, &failed);
    made->output = copy_of(p->output, p->output ? (size_t)p->programs * sizeof *p->output : 0, &failed);
    made->sets = copy_of(p->sets, (size_t)p->set_count * sizeof *p->sets, &failed);
    made->charges = copy_of(p->charges, (size_t)p->charge_count * sizeof *p->charges, &failed);
    made->plans = NULL; /* they are made when it runs */
    made->identity = p->identity ? program_identity_copy(p->identity) : NULL;
    failed |= p->identity && !made->identity;
    if (!failed) return made;
    arcl_program_free(made);
    return NULL;
}

void program_drop_unused_parameters(arcl_program *p) {
    int number[MAX_PARAMETERS], used[MAX_PARAMETERS] = {0}, kept = 0;
    for (int i = 0; i < p->count; i++)
        if (p->steps[i].kind == STEP_INPUT) used[p->steps[i].imm] = 1;
    for (int i = 0; i < p->parameters; i++) {
        number[i] = kept;
        if (used[i] || p->parameter[i] == T_GRID) p->parameter[kept++] = p->parameter[i];
    }
    p->parameters = kept;
    for (int i = 0; i < p->count; i++)
        if (p->steps[i].kind == STEP_INPUT) p->steps[i].imm = (uint64_t)number[p->steps[i].imm];
}

int arcl_program_steps(const arcl_program *p) { return p->count; }
int arcl_program_parameters(const arcl_program *p) { return p->parameters; }

char *arcl_program_parameter_type(const arcl_program *p, int index, char *buf, size_t size) {
    return type_text(index >= 0 && index < p->parameters ? p->parameter[index] : T_NEVER, buf, size);
}

char *arcl_program_result_type(const arcl_program *p, char *buf, size_t size) {
    return type_text(p->result_type[0], buf, size);
}
