/* Which guests a column may have in it, and that no other int is taken for one.
 *
 * Marks go from step to step: what is made of a column that may have a guest may have it too, unless it only measures.
 * A program may compute an int that is a guest's number. So where a column with marks meets one without, that one is
 * looked through first, and a lane in which it has such an int fails: that is the limit of ints beside guests. */
#include "compile/guests.h"

#include "cl/word.h"

static int may_have_ints(type_code t) {
    for (; t; t >>= 4)
        if (type_head(t) == T_INT || (type_head(t) >= T_CELL && type_head(t) <= T_GRID)) return 1;
    return 0;
}

/* Of a column without ints there is nothing to be said; of one without a type, what it is made of is. */
static uint32_t mark_of_column(const compiler *c, uint32_t step) {
    type_code t = c->steps[step].type;
    int may_have = step < c->guest_mark_room && (!t || t == TYPE_VARIOUS || may_have_ints(t));
    return may_have ? c->guest_marks[step] : 0;
}

uint32_t mark_of_number(const compiler *c, int64_t number) {
    for (int i = 0; i < c->guest_count; i++)
        if (c->guests[i].number == number) return 1u << i;
    return 0;
}

/* The guest that a step itself brings in, by its number: a constant, or many of a list. */
static uint32_t mark_of_step(const compiler *c, const graph_step *s) {
    if (s->kind == STEP_CONST) return mark_of_number(c, (int64_t)s->imm);
    if (s->kind != STEP_KERNEL || s->kernel_id != KERNEL_numbers_in) return 0;
    return mark_of_number(c, guest_number(s->imm));
}

/* Of a cell, only whether its coordinates are guests' numbers is asked by that kernel as for an ij. */
static int keeps_marks(const graph_step *s) {
    if (s->kind != STEP_KERNEL) return 1;
    return s->kernel_id == KERNEL_unguested ? s->imm == T_IJ : !kernel_has(s->kernel_id, MEASURES);
}

void guests_note(compiler *c, uint32_t step) {
    const graph_step *s = &c->steps[step];
    uint32_t mark = mark_of_step(c, s);
    if (step >= c->guest_mark_room) {
        uint32_t *grown = pool_get(c->memory, c->room * sizeof *grown);
        if (!grown) {
            reject_memory(c);
            return;
        }
        for (uint32_t i = 0; i < c->guest_mark_room; i++) grown[i] = c->guest_marks[i];
        c->guest_marks = grown;
        c->guest_mark_room = c->room;
    }
    for (int a = 0; a < s->args && keeps_marks(s); a++) mark |= mark_of_column(c, s->arg[a]);
    if (s->kind == STEP_SECOND) mark |= mark_of_column(c, c->steps[s->arg[0]].arg[1]); /* of what the scope is over */
    c->guest_marks[step] = mark;
}

uint32_t guests_in(const compiler *c, const value *v) {
    return v->kind == V_DATA && may_have_ints(v->type) ? mark_of_column(c, v->step) : 0;
}

int may_have_guests(const compiler *c, const value *v) { return c->guest_count && guests_in(c, v); }

int may_be_guest(const compiler *c, const value *v) {
    return v->kind == V_DATA && v->type == T_INT && may_have_guests(c, v);
}

/* ---- ints that are no guests ---- */

/* A column that has failed where, as a value of that type, it has such an int. */
static uint32_t without_guests(compiler *c, uint32_t step, type_code t) {
    graph_step s = {.kind = STEP_KERNEL, .kernel_id = KERNEL_unguested, .args = 1, .arg = {step}, .imm = t};
    s.scope = c->steps[step].scope;
    s.type = c->steps[step].type;
    return emit(c, s);
}

/* Constants are no guests' numbers but where they are guests (emit.c, compiler.c), and of what the compiler has no type
 * for, it knows the ints. */
static int is_doubtful(const compiler *c, uint32_t step) {
    const graph_step *s = &c->steps[step];
    int is_checked = s->kind == STEP_KERNEL && s->kernel_id == KERNEL_unguested;
    return s->kind != STEP_CONST && !is_checked && !mark_of_column(c, step) && may_have_ints(s->type);
}

void guests_keep_apart(compiler *c, graph_step *s) {
    uint32_t marks = 0;
    if (s->kind != STEP_KERNEL && s->kind != STEP_JOIN) return;
    for (int a = 0; a < s->args; a++) marks |= mark_of_column(c, s->arg[a]);
    if (!marks) return;
    for (int a = 0; a < s->args; a++)
        if (is_doubtful(c, s->arg[a])) s->arg[a] = without_guests(c, s->arg[a], c->steps[s->arg[a]].type);
    /* A cell's coordinates come among ints of which its colour is one. */
    if (s->kind == STEP_KERNEL && s->kernel_id == KERNEL_int_triple_list)
        s->arg[0] = without_guests(c, s->arg[0], T_IJ);
}

int is_guests_number(int64_t number) { return number >= GUEST_FIRST && number < GUEST_END; }

const value *value_without_guests(compiler *c, const value *v) {
    return make_data(c, without_guests(c, v->step, v->type), v->type);
}
