/* The edits. Each keeps the types of the draft's lines right, as far as it knows: a mutant that does not compile after
 * all is its caller's to drop. */
#include <string.h>

#include "base/error.h"
#include "ops/type.h"
#include "tree/mutator.h"
#include "tree/random_state.h"

#define OPS_TRIED 12 /* for one that takes the arguments */

static arcl_operand *operand_at(const draft *d, place at) {
    return at.line < 0 ? &d->tree->result : &d->tree->item[d->tree->line[at.line].first + (uint32_t)at.item];
}

static int is_callee(const draft *d, place at) {
    return at.line >= 0 && at.item == 0 && !d->tree->line[at.line].is_tuple;
}

/* Lines before which a line that is to be used there must come. */
static int lines_before(const draft *d, place at) { return at.line < 0 ? d->tree->lines : at.line; }

arcl_type draft_type(const draft *d, arcl_operand o) {
    switch (o.kind) {
    case ARCL_OPERAND_INT: return T_INT;
    case ARCL_OPERAND_BOOL: return T_BOOL;
    case ARCL_OPERAND_PAIR: return T_IJ;
    case ARCL_OPERAND_OP:
        return ARCL_TYPE_FUNCTION + op_rows[callable_op(dialect_first(d->tree->dialect) + o.number)].arity;
    case ARCL_OPERAND_PARAMETER:
        return d->mutator->compile && d->mutator->compile->types
                   ? d->mutator->given[o.number]
                   : d->mutator->parameter[(int)d->tree->letter[o.number]];
    case ARCL_OPERAND_LINE: return d->type[o.number];
    }
    return 0;
}

int draft_is_frozen(const draft *d, int line) {
    arcl_tree_line l = arcl_tree_line_get(d->tree, line);
    return !l.is_tuple && l.callee.kind == ARCL_OPERAND_OP && d->mutator->frozen[l.callee.number];
}

/* ---- lines that come and go ---- */

static int draft_has_room(const draft *d, int lines) { return d->tree->lines + lines <= DRAFT_LINES; }

static void put_type(draft *d, int before, arcl_type type) {
    memmove(d->type + before + 1, d->type + before, (size_t)(d->tree->lines - before) * sizeof *d->type);
    d->type[before] = type;
}

/* A line of another parent, with all that it needs, before line `before`; 0: it cannot be. Its types come with it. */
static int graft_line(draft *d, int before, donor_line from, arcl_operand *grafted) {
    const parent *p = d->mutator->parents[from.parent];
    arcl_type after[DRAFT_LINES];
    int lines = d->tree->lines;
    if (from.parent == d->parent || !draft_has_room(d, from.line + 1)) return 0;
    memcpy(after, d->type + before, (size_t)(lines - before) * sizeof *after);
    int number[ARCL_PARENT_LINES];
    arcl_status status = tree_graft(d->tree, before, p->tree, from.line, number, NULL);
    d->no_memory |= status == ARCL_NO_MEMORY;
    if (status != ARCL_SUCCESS) return 0;
    int added = d->tree->lines - lines;
    memcpy(d->type + before + added, after, (size_t)(lines - before) * sizeof *after);
    for (int i = 0; i <= from.line; i++)
        if (number[i] >= before) d->type[number[i]] = p->type[i];
    *grafted = operand_of_line(number[from.line]);
    return 1;
}

/* ---- what is put in ---- */

static int edit_variable(draft *d, place at) {
    arcl_operand *o = operand_at(d, at), found = *o;
    arcl_type type = draft_type(d, *o);
    int seen = 0;
    if (!type || is_callee(d, at)) return 0;
    for (int i = 0; i < d->tree->parameters + lines_before(d, at); i++) { /* each is as probable as the others */
        arcl_operand other = i < d->tree->parameters ? (arcl_operand){ARCL_OPERAND_PARAMETER, i, 0}
                                                     : operand_of_line(i - d->tree->parameters);
        if (draft_type(d, other) != type || same_operand(other, *o)) continue;
        if (random_below(d->random, ++seen) == 0) found = other;
    }
    *o = found;
    return seen > 0;
}

static int edit_graft(draft *d, place at) {
    const lines_of_type *l = donors_find(&d->mutator->donors, draft_type(d, *operand_at(d, at)));
    arcl_operand grafted;
    if (!l || is_callee(d, at)) return 0;
    int before = lines_before(d, at), lines = d->tree->lines;
    if (!graft_line(d, before, l->at[random_below(d->random, l->count)], &grafted)) return 0;
    if (at.line >= 0) at.line += d->tree->lines - lines;
    int differs = !same_operand(*operand_at(d, at), grafted);
    *operand_at(d, at) = grafted;
    return differs;
}

/* What parents have where this op has this argument, of the same kind; 0: nothing else, and `found` stays as it is. */
static int seen_there(const draft *d, place at, arcl_operand *found) {
    const tree_line *l = at.line < 0 ? NULL : &d->tree->line[at.line];
    arcl_operand own = *operand_at(d, at);
    if (!l || l->is_tuple || at.item < 1 || at.item > MAX_ARITY) return 0;
    arcl_operand callee = d->tree->item[l->first];
    if (callee.kind != ARCL_OPERAND_OP) return 0;
    const seen_operands *s = &d->mutator->donors.seen[callee.number * MAX_ARITY + at.item - 1];
    for (int tries = 0; tries < 4 && s->count; tries++) {
        arcl_operand seen = s->at[random_below(d->random, s->count)];
        if (seen.kind != own.kind || same_operand(seen, own)) continue;
        *found = seen;
        return 1;
    }
    return 0;
}

static int edit_constant(draft *d, place at) {
    arcl_operand *o = operand_at(d, at), found = *o;
    if (o->kind >= ARCL_OPERAND_OP) return 0;
    if (o->kind == ARCL_OPERAND_BOOL) {
        o->number = !o->number;
        return 1;
    }
    if (random_below(d->random, 2) && seen_there(d, at, &found)) {
        *o = found;
        return 1;
    }
    int step = random_below(d->random, 2) ? 1 : -1;
    if (o->kind == ARCL_OPERAND_INT) /* a colour, or a neighbour */
        found.number = random_below(d->random, 2) ? random_below(d->random, 10) : o->number + step;
    else if (random_below(d->random, 3) == 0)
        found = (arcl_operand){ARCL_OPERAND_PAIR, o->second, o->number};
    else if (random_below(d->random, 2))
        found.number += step;
    else
        found.second += step;
    int differs = !same_operand(found, *o);
    int too_large =
        found.number > 1 << 20 || found.number < -(1 << 20) || found.second > 1 << 20 || found.second < -(1 << 20);
    if (differs && !too_large) *o = found;
    return differs && !too_large;
}

/* ---- calls ---- */

/* What the op makes of the arguments of a line, in place of what is called there; 0: it does not take them, or that is
 * not known. */
static arcl_type type_of_call(draft *d, int op, const arcl_operand *argument, int count) {
    arcl_type given[MAX_ARITY], result;
    if (count > MAX_ARITY) return 0;
    for (int i = 0; i < count; i++) {
        given[i] = argument[i].kind == ARCL_OPERAND_OP ? arcl_type_of_op(d->tree->dialect, argument[i].number)
                                                       : draft_type(d, argument[i]);
        if (!given[i]) return 0;
    }
    arcl_status status = arcl_op_type(d->mutator->context, d->tree->dialect, op, count, given, &result, NULL);
    d->no_memory |= status == ARCL_NO_MEMORY;
    if (status != ARCL_SUCCESS) return 0;
    int arity = arcl_type_arity(result);
    return arity ? ARCL_TYPE_FUNCTION + (arcl_type)arity : result;
}

static int has_function(const draft *d, const arcl_operand *argument, int count) {
    for (int i = 0; i < count; i++)
        if (arcl_type_arity(draft_type(d, argument[i]))) return 1;
    return 0;
}

/* Whether two ops take functions in the same places. */
static int alike(const draft *d, int a, int b) {
    int first = dialect_first(d->tree->dialect);
    const op_row *x = &op_rows[callable_op(first + a)], *y = &op_rows[callable_op(first + b)];
    return x->arity == y->arity && memcmp(x->argument, y->argument, sizeof x->argument) == 0;
}

static int edit_callee(draft *d, place at) {
    const tree_line *l = &d->tree->line[at.line];
    arcl_operand *callee = operand_at(d, at);
    int count = l->count - 1;
    if (callee->kind != ARCL_OPERAND_OP || count > MAX_ARITY || !d->mutator->arity_count[count]) return 0;
    for (int tries = 0; tries < OPS_TRIED; tries++) {
        int op = d->mutator->by_arity[count][random_below(d->random, d->mutator->arity_count[count])];
        if (op == callee->number) continue;
        arcl_type type = type_of_call(d, op, callee + 1, count);
        int unknown = type == ARCL_TYPE_OTHER && has_function(d, callee + 1, count) && alike(d, op, callee->number);
        if (type != d->type[at.line] && !unknown) continue;
        callee->number = op;
        return 1;
    }
    return 0;
}

static int edit_function(draft *d, place at) {
    arcl_operand *o = operand_at(d, at), found = *o;
    if (o->kind != ARCL_OPERAND_OP) return 0;
    if (is_callee(d, at)) return edit_callee(d, at);
    int arity = arcl_type_arity(draft_type(d, *o));
    if (!seen_there(d, at, &found) || arcl_type_arity(draft_type(d, found)) != arity || random_below(d->random, 4) == 0)
        found.number = d->mutator->by_arity[arity][random_below(d->random, d->mutator->arity_count[arity])];
    int differs = o->number != found.number;
    o->number = found.number;
    return differs;
}

static int edit_swap(draft *d, place at) {
    if (!is_callee(d, at)) return 0;
    arcl_operand *callee = operand_at(d, at), *argument = callee + 1;
    int count = d->tree->line[at.line].count - 1;
    if (count < 2) return 0;
    int a = random_below(d->random, count), b = random_below(d->random, count - 1);
    if (b >= a) b++;
    arcl_operand first = argument[a], second = argument[b];
    if (same_operand(first, second)) return 0;
    argument[a] = second;
    argument[b] = first;
    if (draft_type(d, first) == draft_type(d, second)) return 1;
    if (callee->kind == ARCL_OPERAND_OP && type_of_call(d, callee->number, argument, count) == d->type[at.line])
        return 1;
    argument[a] = first;
    argument[b] = second;
    return 0;
}

/* One op of one argument around it. */
static int insert_op(draft *d, place at, arcl_type type) {
    arcl_operand own = *operand_at(d, at);
    int before = lines_before(d, at);
    for (int tries = 0; tries < OPS_TRIED; tries++) {
        int op = d->mutator->by_arity[1][random_below(d->random, d->mutator->arity_count[1])];
        if (type_of_call(d, op, &own, 1) != type) continue;
        arcl_operand item[2] = {{ARCL_OPERAND_OP, op, 0}, own};
        if (!tree_reserve(d->tree, 1, 2)) {
            d->no_memory = 1;
            return 0;
        }
        put_type(d, before, type);
        tree_put(d->tree, before, 0, item, 2);
        if (at.line >= 0) at.line++;
        *operand_at(d, at) = operand_of_line(before);
        return 1;
    }
    return 0;
}

/* A line of another parent around it, in the place of an argument that has the type. */
static int insert_line(draft *d, place at, arcl_type type) {
    const lines_of_type *l = donors_find(&d->mutator->donors, type);
    arcl_operand own = *operand_at(d, at), grafted;
    int before = lines_before(d, at), lines = d->tree->lines, fitting[MAX_ARITY], fits = 0;
    if (!l || !graft_line(d, before, l->at[random_below(d->random, l->count)], &grafted)) return 0;
    if (at.line >= 0) at.line += d->tree->lines - lines;
    if (grafted.number < before) return 0; /* it was there already, and others may use it */
    const tree_line *line = &d->tree->line[grafted.number];
    arcl_operand *item = &d->tree->item[line->first];
    for (int i = 1; i < line->count && fits < MAX_ARITY && !line->is_tuple; i++)
        if (draft_type(d, item[i]) == type) fitting[fits++] = i;
    if (!fits) return 0;
    item[fitting[random_below(d->random, fits)]] = own;
    *operand_at(d, at) = grafted;
    return 1;
}

static int edit_insert(draft *d, place at) {
    arcl_type type = draft_type(d, *operand_at(d, at));
    if (!type || is_callee(d, at) || !draft_has_room(d, 1)) return 0;
    return random_below(d->random, 2) ? insert_op(d, at, type) : insert_line(d, at, type);
}

/* Of a line that is called or used: one of its arguments, of its type, is used there instead. */
static int edit_delete(draft *d, place at) {
    arcl_operand own = *operand_at(d, at);
    if (is_callee(d, at)) own = operand_of_line(at.line);
    if (own.kind != ARCL_OPERAND_LINE || draft_is_frozen(d, own.number)) return 0;
    const tree_line *l = &d->tree->line[own.number];
    const arcl_operand *item = &d->tree->item[l->first];
    arcl_operand found = own;
    for (int i = !l->is_tuple, seen = 0; i < l->count; i++)
        if (draft_type(d, item[i]) == d->type[own.number] && random_below(d->random, ++seen) == 0) found = item[i];
    if (same_operand(found, own)) return 0;
    memmove(d->type + own.number, d->type + own.number + 1,
            (size_t)(d->tree->lines - own.number - 1) * sizeof *d->type);
    tree_take_out(d->tree, own.number, found);
    return 1;
}

int edit_make(draft *d, arcl_edit edit, place at) {
    switch (edit) {
    case ARCL_EDIT_VARIABLE: return edit_variable(d, at);
    case ARCL_EDIT_FUNCTION: return edit_function(d, at);
    case ARCL_EDIT_CONSTANT: return edit_constant(d, at);
    case ARCL_EDIT_SWAP: return edit_swap(d, at);
    case ARCL_EDIT_INSERT: return edit_insert(d, at);
    case ARCL_EDIT_DELETE: return edit_delete(d, at);
    case ARCL_EDIT_GRAFT: return edit_graft(d, at);
    }
    return 0;
}
