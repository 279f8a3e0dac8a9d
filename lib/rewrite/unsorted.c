/* Sets that are only steps on the way to a union, such as those of mfilter(apply(f, x), g): what they are united to is
 * sorted and without repeats in any case, so they need not be.
 */
#include "rewrite/fuse.h"

static int filters(const fuser *f, uint32_t reader, int argument, uint32_t set) {
    const graph_step *s = &f->p->steps[reader];
    return is_kernel(s, KERNEL_sfilter) && argument == 1 && s->arg[0] == set;
}

/* Whether the scope over the elements of a set has nothing but conditions for filtering it. */
static int has_only_conditions(const fuser *f, uint32_t scope, uint32_t set) {
    const arcl_program *p = f->p;
    for (uint32_t i = p->scopes[scope].opener; i < (uint32_t)p->count; i++) {
        const graph_step *s = &p->steps[i];
        if (s->scope != p->scopes[scope].parent) continue;
        for (int a = 0; a < s->args; a++) {
            if (p->steps[s->arg[a]].scope != scope) continue;
            if (s->kind != STEP_CLOSE || s->imm || !is_read_only_by(f, i, filters, set)) return 0;
        }
    }
    return 1;
}

static int unites_or_filters(const fuser *f, uint32_t reader, int argument, uint32_t set) {
    const graph_step *s = &f->p->steps[reader];
    if (s->kind == STEP_EACH) return !s->imm && has_only_conditions(f, s->scope, set);
    if (is_kernel(s, KERNEL_sfilter)) return argument == 0 && is_read_only_by(f, reader, unites_or_filters, reader);
    return is_kernel(s, KERNEL_merge_set);
}

/* Sorting a set of containers, and finding what is twice in it, takes longer than to filter and unite a little more. */
static void only_drop_empties(fuser *f, uint32_t set) {
    graph_step *s = &f->p->steps[set];
    uint64_t element = s->imm & 15;
    if (is_kernel(s, KERNEL_setify) && (element == T_SET || element == T_TUPLE) &&
        is_read_only_by(f, set, unites_or_filters, set))
        s->kernel_id = KERNEL_drop_empties;
}

/* Uniting what the set was made from. A step that yields defaults where it fails is more than that. */
static void skip_sorting(fuser *f, graph_step *s) {
    const graph_step *set = &f->p->steps[s->arg[0]];
    if (!is_kernel(s, KERNEL_merge_set) || !is_kernel(set, KERNEL_setify) || set->fails != FAILS_READERS) return;
    uint32_t lists = set->arg[0];
    if (--f->readers[s->arg[0]])
        f->readers[lists]++;
    else
        forget(f, s->arg[0]); /* who unites reads the lists in its place */
    s->arg[0] = lists;
}

static int unites(const fuser *f, uint32_t reader, int argument, uint32_t set) {
    (void)argument, (void)set;
    return is_kernel(&f->p->steps[reader], KERNEL_merge_set);
}

static int joins(const fuser *f, uint32_t reader, int argument, uint32_t set) {
    const graph_step *s = &f->p->steps[reader];
    (void)argument;
    if (s->kind == STEP_CLOSE) return !s->imm && is_read_only_by(f, reader, unites, set);
    return f->is_loose[reader];
}

/* Of sets that are united with those of other elements, it is enough to have the members side by side. Asked from the last
 * step to the first, so that combine(combine(a, b), c) is such as a whole. */
static void unite_later(fuser *f, uint32_t set) {
    graph_step *s = &f->p->steps[set];
    if (!is_kernel(s, KERNEL_unite) || !is_read_only_by(f, set, joins, set)) return;
    s->kernel_id = KERNEL_concat;
    f->is_loose[set] = 1;
}

int leave_unsorted(pool *memory, arcl_program *p) {
    fuser f;
    if (p->count > LARGE_PROGRAM) return 1;
    if (!fuser_start(memory, p, &f)) return 0;
    for (int i = 0; i < p->count; i++) skip_sorting(&f, &p->steps[i]);
    for (int i = 0; i < p->count; i++) only_drop_empties(&f, (uint32_t)i);
    for (int i = p->count - 1; i >= 0; i--) unite_later(&f, (uint32_t)i);
    return 1;
}
