/* Sets that are only steps on the way to a union, such as those of mfilter(apply(f, x), g): what they are united to is
 * sorted and without repeats in any case, so they need not be. Who reads a step comes behind it, so that going from the
 * last step to the first finds out about readers before it asks what becomes of what they read.
 */
#include "rewrite/passes.h"
#include "rewrite/uses.h"

typedef struct unsorter {
    uses uses;
    unsigned char *is_united; /* per step: a set that is filtered at most, and then united with others */
    unsigned char *is_loose;  /* per step: its sets are only side by side, and need uniting */
} unsorter;

/* Uniting what the set was made from. A step that yields defaults where it fails is more than that. */
static void skip_sorting(uses *u, uint32_t union_step) {
    if (!is_kernel(&u->p->steps[union_step], KERNEL_merge_set)) return;
    graph_step s = u->p->steps[union_step];
    uint32_t set = s.arg[0];
    const graph_step *sorting = &u->p->steps[set];
    if (!is_kernel(sorting, KERNEL_setify) || sorting->fails != FAILS_READERS) return;
    s.arg[0] = sorting->arg[0];
    uses_replace(u, union_step, s);
    if (!u->count[set]) uses_forget(u, set);
}

/* ---- sets that are filtered and united ---- */

static int only_filter(const uses *u, uint32_t conditions, uint32_t set) {
    if (u->is_result[conditions]) return 0;
    for (uint32_t use = u->first[conditions]; use; use = u->next[use]) {
        const graph_step *s = &u->p->steps[use_reader(use)];
        if (!is_kernel(s, KERNEL_sfilter) || use_argument(use) != 1 || s->arg[0] != set) return 0;
    }
    return 1;
}

/* Whether what leaves the scope over the elements of a set is nothing but conditions for filtering it. */
static int has_only_conditions(const uses *u, uint32_t scope, uint32_t set) {
    for (uint32_t i = u->first_in[scope]; i; i = u->next_in[i])
        for (uint32_t use = u->first[i - 1]; use; use = u->next[use]) {
            const graph_step *s = &u->p->steps[use_reader(use)];
            if (s->scope != u->p->scopes[scope].parent) continue;
            if (s->kind != STEP_CLOSE || s->imm || !only_filter(u, use_reader(use), set)) return 0;
        }
    return 1;
}

static int unites_or_filters(const unsorter *n, uint32_t use, uint32_t set) {
    const graph_step *s = &n->uses.p->steps[use_reader(use)];
    if (s->kind == STEP_EACH) return !s->imm && has_only_conditions(&n->uses, s->scope, set);
    if (is_kernel(s, KERNEL_sfilter)) return use_argument(use) == 0 && n->is_united[use_reader(use)];
    return is_kernel(s, KERNEL_merge_set);
}

static int is_only_united(const unsorter *n, uint32_t set) {
    if (n->uses.is_result[set]) return 0;
    for (uint32_t use = n->uses.first[set]; use; use = n->uses.next[use])
        if (!unites_or_filters(n, use, set)) return 0;
    return 1;
}

static void change_kernel(unsorter *n, uint32_t step, unsigned kernel) {
    graph_step s = n->uses.p->steps[step];
    s.kernel_id = (uint16_t)kernel;
    uses_replace(&n->uses, step, s);
}

/* Of a step that makes a set: whether its elements are containers. */
static int makes_containers(const graph_step *s) { return (s->imm & 15) == T_SET || (s->imm & 15) == T_TUPLE; }

/* Sorting a set of containers, and finding what is twice in it, takes longer than to filter and unite a little more. */
static void only_drop_empties(unsorter *n, uint32_t set) {
    graph_step *s = &n->uses.p->steps[set];
    if (is_kernel(s, KERNEL_sfilter)) n->is_united[set] = (unsigned char)is_only_united(n, set);
    if (is_kernel(s, KERNEL_setify) && makes_containers(s) && is_only_united(n, set))
        change_kernel(n, set, KERNEL_drop_empties);
}

/* ---- sets that are united with those of other elements ---- */

static int only_united(const uses *u, uint32_t lists) {
    if (u->is_result[lists]) return 0;
    for (uint32_t use = u->first[lists]; use; use = u->next[use])
        if (!is_kernel(&u->p->steps[use_reader(use)], KERNEL_merge_set)) return 0;
    return 1;
}

static int joins(const unsorter *n, uint32_t reader) {
    const graph_step *s = &n->uses.p->steps[reader];
    return s->kind == STEP_CLOSE ? !s->imm && only_united(&n->uses, reader) : n->is_loose[reader];
}

/* Of these it is enough to have the members side by side; combine(combine(a, b), c) is such as a whole. */
static void unite_later(unsorter *n, uint32_t set) {
    graph_step *s = &n->uses.p->steps[set];
    if (!is_kernel(s, KERNEL_unite) || n->uses.is_result[set]) return;
    for (uint32_t use = n->uses.first[set]; use; use = n->uses.next[use])
        if (!joins(n, use_reader(use))) return;
    change_kernel(n, set, KERNEL_concat);
    n->is_loose[set] = 1;
}

/* ---- all steps ---- */

/* Without any such step nothing can be left unsorted: sets of containers, and what is united, right after sorting if it
 * is more than two. */
static int is_candidate(const program_graph *p, const graph_step *s) {
    if (s->kind != STEP_KERNEL) return 0;
    switch (s->kernel_id) {
    case KERNEL_setify: return makes_containers(s);
    case KERNEL_merge_set: return is_kernel(&p->steps[s->arg[0]], KERNEL_setify);
    case KERNEL_unite: return 1;
    default: return 0;
    }
}

static int has_candidates(const program_graph *p) {
    int i = 0;
    while (i < p->count && !is_candidate(p, &p->steps[i])) i++;
    return i < p->count;
}

int leave_unsorted(pool *memory, program_graph *p) {
    if (!has_candidates(p)) return PASS_DONE;
    unsorter n = {.is_united = pool_get(memory, (size_t)p->count), .is_loose = pool_get(memory, (size_t)p->count)};
    if (!n.is_united || !n.is_loose || !uses_find(memory, p, &n.uses)) return PASS_NO_MEMORY;
    for (int i = 0; i < p->count; i++) skip_sorting(&n.uses, (uint32_t)i);
    for (uint32_t i = (uint32_t)p->count; i-- > 0;) {
        only_drop_empties(&n, i);
        unite_later(&n, i);
    }
    return uses_result(&n.uses);
}
