/* Mutators for users. */
#include "tree/mutator.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/growth.h"
#include "tree/random_state.h"

#define MOST_TRIES 32 /* to make an edit */

static const char *const edit_names[ARCL_EDITS] = {"variable", "function", "constant", "swap",
                                                   "insert",   "delete",   "graft"};

const char *arcl_edit_name(arcl_edit edit) {
    for (unsigned i = 0; i < ARCL_EDITS; i++)
        if ((unsigned)edit == 1u << i) return edit_names[i];
    return "";
}

arcl_edit arcl_edit_find(const char *name) {
    for (unsigned i = 0; name && i < ARCL_EDITS; i++)
        if (strcmp(name, edit_names[i]) == 0) return (arcl_edit)(1u << i);
    return (arcl_edit)0;
}

/* ---- made ---- */

static arcl_status list_ops(arcl_mutator *m, arcl_error *error) {
    int ops = dialect_count(m->dialect), first = dialect_first(m->dialect);
    for (int arity = 1; arity <= MAX_ARITY; arity++) {
        if (!(m->by_arity[arity] = malloc((size_t)ops * sizeof **m->by_arity))) return NO_MEMORY(error);
        for (int i = 0; i < ops; i++)
            if (op_rows[callable_op(first + i)].arity == arity) m->by_arity[arity][m->arity_count[arity]++] = i;
    }
    m->frozen = calloc((size_t)ops, 1);
    return m->frozen && donors_start(&m->donors, ops) ? ARCL_SUCCESS : NO_MEMORY(error);
}

static arcl_status take_options(arcl_mutator *m, const arcl_mutator_options *o, arcl_error *error) {
    if (!(o->rate >= 0 && o->rate <= 1))
        return error_set(error, ARCL_INVALID, "a rate is from 0 to 1, not %g", o->rate);
    if (o->dialect != ARCL_ARC_DSL && o->dialect != ARCL_TOKPIDJIN)
        return error_set(error, ARCL_INVALID, "parents are of a dialect that is known, not of %d", (int)o->dialect);
    m->dialect = o->dialect;
    m->always = o->rate >= 1;
    m->rate = m->always ? 0 : (uint32_t)(o->rate * 4294967296.0);
    m->allowed = ~o->frozen & ((1u << ARCL_EDITS) - 1);
    m->compile = o->compile;
    m->parameter['I'] = arcl_type_parse("grid");
    m->parameter['S'] = arcl_type_parse("[[grid]]");
    for (int i = 0; o->compile && o->compile->types && i < o->compile->type_count && i < MAX_PARAMETERS; i++)
        m->given[i] = arcl_type_parse(o->compile->types[i]);
    PROPAGATE(list_ops(m, error));
    if (o->frozen_op_count > 0) NEED(o->frozen_ops);
    for (int i = 0; i < o->frozen_op_count; i++) {
        if (o->frozen_ops[i] < 0 || o->frozen_ops[i] >= m->donors.ops)
            return error_set(error, ARCL_INVALID, "there is no op %d", o->frozen_ops[i]);
        m->frozen[o->frozen_ops[i]] = 1;
    }
    return ARCL_SUCCESS;
}

arcl_status arcl_mutator_create(arcl_context *context, const arcl_mutator_options *options, arcl_mutator **mutator,
                                arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(options);
    NEED(mutator);
    *mutator = NULL;
    arcl_mutator *m = calloc(1, sizeof *m);
    if (!m) return NO_MEMORY(error);
    m->context = context;
    arcl_status status = take_options(m, options, error);
    if (status == ARCL_SUCCESS)
        *mutator = m;
    else
        arcl_mutator_free(m);
    return status;
}

static void free_parent(parent *p) {
    if (p) arcl_tree_free(p->tree);
    free(p);
}

void arcl_mutator_free(arcl_mutator *m) {
    if (!m) return;
    for (int i = 0; i < m->count; i++) free_parent(m->parents[i]);
    free(m->parents);
    donors_end(&m->donors);
    for (int i = 0; i <= MAX_ARITY; i++) free(m->by_arity[i]);
    free(m->frozen);
    free(m);
}

/* ---- parents ---- */

static arcl_status fill_parent(const arcl_mutator *m, const arcl_tree *tree, parent *p, arcl_error *error) {
    PROPAGATE(arcl_tree_copy(tree, &p->tree, error));
    arcl_tree_prune(p->tree);
    if (p->tree->lines > ARCL_PARENT_LINES)
        return error_set(error, ARCL_INVALID, "a parent has %d lines at most, not %d", ARCL_PARENT_LINES,
                         p->tree->lines);
    PROPAGATE(arcl_tree_types(m->context, p->tree, m->compile, p->type, error));
    for (int i = 0; i < p->tree->lines; i++)
        if (arcl_type_arity(p->type[i])) p->type[i] = ARCL_TYPE_FUNCTION + (arcl_type)arcl_type_arity(p->type[i]);
    return ARCL_SUCCESS;
}

arcl_status arcl_mutator_add(arcl_mutator *m, const arcl_tree *tree, arcl_error *error) {
    error_clear(error);
    arcl_mutator *mutator = m;
    NEED(mutator);
    NEED(tree);
    if (tree->dialect != m->dialect) return error_set(error, ARCL_INVALID, "the tree is of another dialect");
    if (!ARRAY_HAS_ROOM(m->parents, (uint32_t)m->count, m->room, 64)) return NO_MEMORY(error);
    parent *p = calloc(1, sizeof *p);
    arcl_status status = p ? fill_parent(m, tree, p, error) : NO_MEMORY(error);
    if (status == ARCL_SUCCESS && !donors_add(&m->donors, m->count, p)) status = NO_MEMORY(error);
    if (status == ARCL_SUCCESS)
        m->parents[m->count++] = p;
    else
        free_parent(p);
    return status;
}

int arcl_mutator_parents(const arcl_mutator *m) { return m ? m->count : 0; }

/* ---- mutants ---- */

/* An operand of any line, or the result. */
static place choose_place(const draft *d) {
    int operands = 1;
    for (int i = 0; i < d->tree->lines; i++) operands += d->tree->line[i].count;
    int chosen = random_below(d->random, operands), line = 0;
    if (chosen == operands - 1) return (place){-1, 0};
    while (chosen >= d->tree->line[line].count) chosen -= d->tree->line[line++].count;
    return (place){line, chosen};
}

/* Which edits are for what stands there, each as often as it is to be tried. */
static arcl_edit choose_edit(const draft *d, place at) {
    static const arcl_edit for_callee[] = {ARCL_EDIT_FUNCTION, ARCL_EDIT_FUNCTION, ARCL_EDIT_SWAP, ARCL_EDIT_DELETE};
    static const arcl_edit for_constant[] = {ARCL_EDIT_CONSTANT, ARCL_EDIT_CONSTANT, ARCL_EDIT_CONSTANT,
                                             ARCL_EDIT_VARIABLE, ARCL_EDIT_GRAFT};
    static const arcl_edit for_op[] = {ARCL_EDIT_FUNCTION, ARCL_EDIT_FUNCTION, ARCL_EDIT_FUNCTION, ARCL_EDIT_GRAFT};
    static const arcl_edit for_value[] = {ARCL_EDIT_VARIABLE, ARCL_EDIT_VARIABLE, ARCL_EDIT_GRAFT, ARCL_EDIT_INSERT,
                                          ARCL_EDIT_DELETE};
#define ONE_OF(edits) edits[random_below(d->random, (int)(sizeof edits / sizeof *edits))]
    if (at.line < 0) return ONE_OF(for_value);
    const tree_line *l = &d->tree->line[at.line];
    arcl_operand o = d->tree->item[l->first + (uint32_t)at.item];
    if (at.item == 0 && !l->is_tuple) return ONE_OF(for_callee);
    if (o.kind < ARCL_OPERAND_OP) return ONE_OF(for_constant);
    return o.kind == ARCL_OPERAND_OP ? ONE_OF(for_op) : ONE_OF(for_value);
#undef ONE_OF
}

/* Which edit was made; 0: none could be. */
static unsigned mutate_once(draft *d) {
    for (int tries = 0; tries < MOST_TRIES && !d->no_memory; tries++) {
        place at = choose_place(d);
        arcl_edit edit = choose_edit(d, at);
        if (!((unsigned)edit & d->mutator->allowed) || (at.line >= 0 && draft_is_frozen(d, at.line))) continue;
        if (edit_make(d, edit, at)) return edit;
    }
    return 0;
}

/* How many edits are made: one, and as many more as operands would be edited by chance. */
static int count_edits(const draft *d) {
    const arcl_mutator *m = d->mutator;
    int operands = 0, edits = 1;
    for (int i = 0; i < d->tree->lines; i++) operands += d->tree->line[i].count;
    if (m->always) return operands > 1 ? operands : 1;
    for (int i = 1; i < operands && m->rate; i++) edits += (uint32_t)(random_next(d->random) >> 32) < m->rate;
    return edits;
}

arcl_status arcl_mutator_mutate(const arcl_mutator *mutator, int parent_number, uint64_t *random, arcl_tree **mutant,
                                unsigned *edits, arcl_error *error) {
    error_clear(error);
    NEED(mutator);
    NEED(random);
    NEED(mutant);
    *mutant = NULL;
    if (parent_number < 0 || parent_number >= mutator->count)
        return error_set(error, ARCL_INVALID, "there is no parent %d", parent_number);
    const parent *p = mutator->parents[parent_number];
    draft d = {.mutator = mutator, .parent = parent_number, .random = random};
    unsigned made = 0;
    PROPAGATE(arcl_tree_copy(p->tree, &d.tree, error));
    memcpy(d.type, p->type, (size_t)p->tree->lines * sizeof *p->type);
    for (int left = count_edits(&d); left > 0 && !d.no_memory; left--) made |= mutate_once(&d);
    if (d.no_memory) {
        arcl_tree_free(d.tree);
        return NO_MEMORY(error);
    }
    arcl_tree_prune(d.tree);
    *mutant = d.tree;
    if (edits) *edits = made;
    return ARCL_SUCCESS;
}
