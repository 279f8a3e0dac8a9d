/* Guests of each element: a mapped function may put among ints what it makes for an element.
 *
 * What it makes for all of them is known to the lane once the elements are through, as a list. So that is a list of
 * guests, and the function goes on with the numbers of these, each element with its own. It is so for functions that
 * are mapped over what the text has, not for those that are mapped within. */
#include "cl/word.h"
#include "compile/guests.h"

/* ---- any value ---- */

int is_mapped_in_text(compiler *c) {
    uint32_t scope = c->scope;
    unsigned opener = scope > SCOPE_LANES ? c->steps[scope_opener(c, scope)].kind : STEP_CONST;
    if (opener != STEP_EACH && opener != STEP_ZIP && opener != STEP_CROSS) return 0;
    c->scope = c->scopes[scope].parent;
    int is = is_in_text(c);
    c->scope = scope;
    return is;
}

int is_of_each(compiler *c, const value *v) {
    return v->kind == V_DATA && c->steps[v->step].scope == c->scope && is_mapped_in_text(c);
}

/* What there is for all elements, in the scope above. */
static const value *lists_above(compiler *c, const value *v, uint32_t scope) {
    c->scope = c->scopes[scope].parent;
    return make_data(c, emit_close(c, v->step, scope, 0), type_tuple(v->type));
}

const value *elements_of_each(compiler *c, const value *container) {
    uint32_t scope = c->scope;
    const value *all = or_instead(c, STAND_IN_ZERO, container);
    if (all) all = call_one(c, OP_merge, lists_above(c, all, scope));
    c->scope = scope;
    return all;
}

/* Every element of a scope over the containers of lanes, as one of those that any element is. */
static const value *element_as_guest(compiler *c, const value *v, uint32_t scope) {
    if (is_int(v)) return v;
    if (v->kind == V_DATA && type_is_container(v->type) && type_element(v->type) == T_NEVER)
        return make_const(c, NONE, T_INT);
    if (v->kind != V_DATA || is_dead(v) || !(v = or_instead(c, STAND_IN_ZERO, v))) return NULL;
    uint32_t lists = 0;
    const value *all = lists_above(c, v, scope);
    const value *numbers = all && is_in_text(c) ? as_guests(c, all) : NULL;
    if (numbers) lists = emit_localise(c, numbers->step);
    c->scope = scope;
    if (!numbers) return NULL;
    graph_step s = {.kind = STEP_ALONG, .scope = scope, .args = 1, .arg = {lists}};
    return make_data(c, emit(c, s), T_INT);
}

const value *guest_of_each(compiler *c, const value *v) { return element_as_guest(c, v, c->scope); }

/* ---- choices ---- */

static const value *sides_as_guests(compiler *c, const value *v, uint32_t scope) {
    if (v->kind != V_CHOICE) return element_as_guest(c, v, scope);
    const value *yes = sides_as_guests(c, v->part[0], scope), *no = yes ? sides_as_guests(c, v->part[1], scope) : NULL;
    uint32_t step[3] = {v->step, yes ? yes->step : 0, no ? no->step : 0};
    return no ? make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_INT) : NULL;
}

const value *choice_as_guests(compiler *c, const value *choice, uint32_t scope) {
    uint32_t saved = c->scope;
    if (!c->safe || !c->triples) return NULL;
    c->scope = scope;
    const value *ints = sides_as_guests(c, choice, scope);
    c->scope = saved;
    return ints;
}
