/* Guests: values of other types among ints.
 *
 * Python paints a grid with anything, a set of objects or a function, and goes on with a grid that has it in some of
 * its cells. Here a column has one type. So such a value stays where it is, and what the grid gets is a number that
 * stands for it, a guest's number, which is above all colours: every op on grids, cells and ints does with it what it
 * does with any colour. What may have which guests in it is noted step by step (guest_marks.c). A word that is given an
 * int that may be a guest runs on each of the values that it may be, as on a choice; and a result is handed out
 * together with its guests, as a host from which those who look at it put them back (lib/run/value_parts.c).
 *
 * A guest that is nothing is none, as nothing is among ints. One that is equal to another has the number of the one
 * that came first. */
#include "compile/guests.h"

#include "cl/word.h"

#define MOST_RECORDED 15

static int is_int_set(const value *v) { return v->kind == V_DATA && v->type == type_set(T_INT); }

/* ---- coming in ---- */

const value *set_of_guests(compiler *c, int count, const value *const *part) {
    const value *item[MOST_GUESTS];
    if (!c->safe || !c->triples || count > MOST_GUESTS) return NULL;
    for (int i = 0; i < count; i++)
        if (!(item[i] = is_int(part[i]) ? part[i] : as_guest(c, part[i]))) return NULL;
    return make_tuple(c, 1, count, item);
}

/* A value as data for those who look at results: of a function only that it is one. NULL: it cannot be. */
static const value *as_shown(compiler *c, const value *v);

static int are_functions(compiler *c, const value *v) {
    if (v->kind != V_CHOICE) return v->kind == V_FUNCTION;
    return may_unfold(c) && are_functions(c, v->part[0]) && are_functions(c, v->part[1]);
}

/* What is in a container, which may be now this function, now that. */
static const value *element_as_shown(compiler *c, const value *v) {
    return are_functions(c, v) ? make_const(c, 0, T_FUNCTION) : as_shown(c, v);
}

/* The same of a container of functions that were made for each element of another one. */
static const value *each_as_shown(compiler *c, const value *v) {
    uint32_t saved = c->scope, outer = c->scopes[v->scope].parent;
    c->scope = v->scope;
    const value *item = element_as_shown(c, v->part[0]);
    c->scope = outer;
    uint32_t lists = item ? emit_close(c, item->step, v->scope, 0) : 0;
    c->scope = saved;
    return item ? make_data(c, lists, type_container(v->is_set ? T_SET : T_TUPLE, item->type)) : NULL;
}

/* A tuple of items: a list where they are of one type, else a record. */
static const value *items_as_shown(compiler *c, const value *v) {
    const value *item[MAX_STATIC];
    type_code fields[MOST_RECORDED], whole = 0;
    int is_list = 1;
    if (!v->count || v->count > MAX_STATIC) return NULL;
    for (int i = 0; i < v->count; i++) {
        if (!(item[i] = element_as_shown(c, v->part[i]))) return NULL;
        if (i < MOST_RECORDED) fields[i] = item[i]->type;
        is_list = is_list && item[i]->type == item[0]->type;
    }
    if (is_list)
        whole = type_tuple(item[0]->type);
    else if (v->count <= MOST_RECORDED)
        whole = type_record(fields, v->count);
    if (!whole) return NULL;
    uint32_t step = v->count == 1 ? emit_kernel1(c, KERNEL_initset, 0, item[0]->step)
                                  : emit_kernel2(c, KERNEL_pack_two, 0, item[0]->step, item[1]->step);
    for (int i = 2; i < v->count; i++) step = emit_kernel2(c, KERNEL_append, 0, step, item[i]->step);
    return make_data(c, step, whole);
}

static const value *number_instead(compiler *c, const value *function, const void *number) {
    (void)function;
    return make_data(c, emit_localise(c, ((const value *)number)->step), T_INT);
}

/* Functions, of which no more is shown than that, have one number. */
static const value *functions_as_ints(compiler *c, const value *shown) {
    const value *number = as_guest(c, make_op(c, OP_identity));
    return number ? map_each_of(c, shown, number_instead, number) : NULL;
}

static const value *row_of_numbers(compiler *c, const value *row, const void *number) {
    return map_each_of(c, row, number_instead, number);
}

const value *functions_as_grid(compiler *c, const value *v) {
    if (!c->safe || !c->triples || v->kind != V_EACH || v->is_set || !is_in_text(c)) return NULL;
    const value *shown = as_shown(c, v);
    if (!shown || shown->type != type_tuple(type_tuple(T_FUNCTION))) return NULL;
    const value *number = as_guest(c, make_op(c, OP_identity));
    return number ? convert_to(c, map_each_of(c, shown, row_of_numbers, number), T_GRID) : NULL;
}

/* A container as one of ints that stand for what they are not. */
static const value *part_as_ints(compiler *c, const value *v) {
    const value *item[MAX_STATIC];
    if (v->kind != V_TUPLE) {
        const value *shown = as_shown(c, v), *container = shown ? as_container(c, shown) : NULL;
        if (container && type_element(container->type) == T_FUNCTION) return functions_as_ints(c, container);
        return container ? as_guests(c, container) : NULL;
    }
    if (!static_fits(c, v->count)) return NULL;
    for (int i = 0; i < v->count; i++)
        if (!(item[i] = is_int(v->part[i]) ? v->part[i] : as_guest(c, v->part[i]))) return NULL;
    return make_list(c, v->count, item);
}

const value *functions_as_data(compiler *c, const value *v) {
    return c->safe && c->triples ? part_as_ints(c, v) : NULL;
}

/* Containers of what is not alike, as ints that stand for it. */
static const value *union_as_ints(compiler *c, const value *v) {
    const value *all = NULL;
    if (!c->safe || !c->triples) return NULL;
    for (int i = 0; i < v->count; i++) {
        const value *part = part_as_ints(c, v->part[i]);
        if (!part) return NULL;
        uint32_t step = all ? emit_kernel2(c, KERNEL_concat, 0, all->step, part->step) : part->step;
        all = make_data(c, step, type_container(v->is_set ? T_SET : T_TUPLE, T_INT));
    }
    return all;
}

/* Containers taken together, one after the other. */
static const value *union_as_shown(compiler *c, const value *v) {
    const value *all = NULL;
    for (int i = 0; i < v->count; i++) {
        const value *part = as_shown(c, v->part[i]);
        type_code e = part && type_is_container(part->type) ? type_element(part->type) : 0;
        if (!e || (all && type_element(all->type) != e)) return union_as_ints(c, v);
        uint32_t step = all ? emit_kernel2(c, KERNEL_concat, 0, all->step, part->step) : part->step;
        all = make_data(c, step, type_container(v->is_set ? T_SET : T_TUPLE, e));
    }
    return all;
}

/* A set of more than there are numbers for, where all are of one type. */
static const value *set_as_shown(compiler *c, const value *v) {
    const value *guests = set_of_guests(c, v->count, v->part);
    if (guests || c->failed) return guests;
    const value *items = items_as_shown(c, v);
    return items && type_is_container(items->type) ? as_set(c, items) : NULL;
}

static const value *as_shown(compiler *c, const value *v) {
    switch (v->kind) {
    case V_EACH: return each_as_shown(c, v);
    case V_UNION: return union_as_shown(c, v);
    case V_FUNCTION: return make_const(c, 0, T_FUNCTION);
    case V_DATA: return is_dead(v) ? NULL : v;
    case V_TUPLE: return v->is_set ? set_as_shown(c, v) : items_as_shown(c, v);
    default: return NULL;
    }
}

/* A value of a side of a choice, for all lanes to see: a guest is in a column that all have. */
static const value *for_all_lanes(compiler *c, const value *v) {
    uint32_t saved = c->scope, column = v->step;
    if (v->kind != V_DATA || c->steps[column].scope <= SCOPE_LANES) return v;
    c->scope = c->steps[column].scope;
    int is_side = is_in_text(c);
    while (is_side && c->scope > SCOPE_LANES) {
        c->scope = c->scopes[c->scope].parent;
        column = emit(c, (graph_step){.kind = STEP_SPREAD, .scope = c->scope, .args = 1, .arg = {column}});
    }
    c->scope = saved;
    return is_side ? make_data(c, column, v->type) : v;
}

/* Of a type that can be told beside the number, in a column that all lanes have. */
static int may_come(const compiler *c, const value *shown) {
    return c->steps[shown->step].scope <= SCOPE_LANES && type_length(shown->type) * 4 <= GUEST_TYPE_BITS;
}

/* The first number of the kind that a value of the type is. */
static int first_of_kind(type_code t) {
    unsigned head = type_head(t);
    return GUEST_FIRST + GUEST_KIND_ROOM * (head == T_FUNCTION ? 2 : head == T_SET ? 1 : 0);
}

static int has_number(const compiler *c, int number) { return mark_of_number(c, number) != 0; }

/* A number that no guest has yet; 0: there is none left. */
static int next_number(const compiler *c, type_code t, int is_list) {
    int number = first_of_kind(is_list ? type_element(t) : t) + (is_list ? GUEST_SINGLES : 0);
    int step = is_list ? GUEST_LIST_ROOM : 1, most = is_list ? GUEST_LISTS : GUEST_SINGLES, n = 0;
    while (n < most && has_number(c, number)) {
        number += step;
        n++;
    }
    return n < most && c->guest_count < MOST_GUESTS ? number : 0;
}

static const struct guest *find_or_add(compiler *c, const value *v, int is_list) {
    for (int i = 0; i < c->guest_count; i++)
        if (may_be_same(c, c->guests[i].what, v) && GUEST_IS_OF_LIST(c->guests[i].number) == is_list)
            return &c->guests[i];
    const value *shown = or_instead(c, STAND_IN_ZERO, as_shown(c, v));
    int number = shown && may_come(c, shown) ? next_number(c, shown->type, is_list) : 0;
    if (!number) return NULL;
    if (!c->guests && !(c->guests = pool_get(c->memory, MOST_GUESTS * sizeof *c->guests))) {
        reject_memory(c);
        return NULL;
    }
    struct guest *made = &c->guests[c->guest_count++];
    *made = (struct guest){v, shown, number};
    return made;
}

/* None where the value is nothing, and where it is not there. */
static const value *none_if_nothing(compiler *c, const value *v, const value *number) {
    int64_t known;
    const value *some = as_truth(c, v);
    if (!number || !some) return NULL;
    if (step_is_const(c, some->step, &known) && known) return number;
    uint32_t step[3] = {some->step, number->step, emit_const(c, NONE)};
    return or_instead(c, STAND_IN_MISSING_INT, make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_INT));
}

/* Where it is nothing, a value that cannot be a guest need not be one. */
static const value *nothing_or_fail(compiler *c, const value *v) {
    const value *some = v->kind == V_DATA ? as_truth(c, v) : NULL;
    if (!some) return NULL;
    uint32_t nothing = emit_kernel1(c, KERNEL_flip, 0, some->step);
    return make_data(c, emit_kernel2(c, KERNEL_demand, LANE_TYPE, emit_const(c, NONE), nothing), T_INT);
}

static const value *numbers_among(compiler *c, const value *container, const struct guest *all);

/* Whether a value of the type may be equal to a guest, or to one of a list. */
static int may_equal(type_code t, const struct guest *guest) {
    type_code other = GUEST_IS_OF_LIST(guest->number) ? type_element(guest->shown->type) : guest->shown->type;
    return t != T_FUNCTION && other != T_FUNCTION && type_unify(t, other);
}

/* The number of a guest, or if the value is equal to one of the first `count` guests, the number of that. */
static const value *first_number(compiler *c, const value *v, const value *number, int count) {
    for (int i = count - 1; i >= 0 && number; i--) {
        const struct guest *other = &c->guests[i];
        if (!may_equal(v->type, other)) continue;
        int is_list = GUEST_IS_OF_LIST(other->number);
        const value *equal =
            is_list ? call_two(c, OP_contained, v, other->shown) : call_two(c, OP_equality, v, other->shown);
        const value *known = make_const(c, other->number, T_INT);
        if (is_list && equal) {
            const value *one = convert_to(c, call_one(c, OP_initset, v), other->shown->type);
            if (!(known = one ? numbers_among(c, one, other) : NULL)) continue;
            known = or_instead(c, STAND_IN_ZERO, call_one(c, OP_first, known));
        }
        if (!(equal = or_instead(c, STAND_IN_ZERO, equal)) || !known) return NULL;
        uint32_t step[3] = {equal->step, known->step, number->step};
        number = make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_INT);
    }
    return number;
}

const value *as_guest(compiler *c, const value *v) {
    if (!c->safe || !c->triples || v->kind == V_CHOICE || !(v = as_seen(c, v))) return NULL;
    if (v->kind == V_DATA && type_is_container(v->type) && type_element(v->type) == T_NEVER)
        return make_const(c, NONE, T_INT);
    if (is_of_each(c, v)) return none_if_nothing(c, v, guest_of_each(c, v));
    if (!(v = for_all_lanes(c, v))) return NULL;
    const struct guest *guest = find_or_add(c, v, 0);
    if (c->failed) return NULL;
    if (!guest) return nothing_or_fail(c, v);
    const value *number = make_const(c, guest->number, T_INT);
    return none_if_nothing(c, v, number ? first_number(c, guest->shown, number, (int)(guest - c->guests)) : NULL);
}

/* The numbers of the elements of a container, which are among those of a set. */
static const value *numbers_among(compiler *c, const value *container, const struct guest *all) {
    uint64_t imm = guest_description(all->number, type_element(container->type), 0);
    uint32_t step = emit_kernel2(c, KERNEL_numbers_in, imm, container->step, all->what->step);
    return make_data(c, step, type_container(type_head(container->type), T_INT));
}

/* Values of a type of which all are empty are none each, so that a list of them has no number. */
static int are_nothing(type_code t) { return type_is_container(t) && type_element(t) == T_NEVER; }

static const value *as_nones(compiler *c, const value *container) {
    if (!c->safe || !c->triples) return NULL;
    return map_each_of(c, container, number_instead, make_const(c, NONE, T_INT));
}

/* All elements that there may be, to be guests; NULL: they cannot. All that is nothing is in one list. */
static const struct guest *guests_of(compiler *c, const value *container) {
    type_code e = type_element(container->type);
    if (are_nothing(e)) container = make_const(c, 0, type_set(e));
    uint32_t saved = enter_scope_of(c, container);
    const value *set = c->safe && c->triples ? as_set(c, container) : NULL;
    c->scope = saved;
    return set && type_length(set->type) * 4 <= GUEST_TYPE_BITS ? find_or_add(c, set, 1) : NULL;
}

const value *record_as_guests(compiler *c, const value *v) {
    const value *item[MOST_RECORDED] = {NULL};
    int count = type_fields(v->type);
    if (!c->safe || !c->triples) return NULL;
    uint32_t saved = enter_scope_of(c, v);
    for (int i = 0; i < count; i++) {
        const value *field = field_of(c, v, i);
        item[i] = !field || is_int(field) ? field : as_guest(c, field);
        if (!item[i]) break;
    }
    c->scope = saved;
    return item[count - 1] ? make_list(c, count, item) : NULL;
}

/* The number of an element of a list of guests, or of the guest that was there before. */
static const value *first_among(compiler *c, const value *element, const void *arg) {
    const struct guest *all = arg;
    const value *one = numbers_among(c, call_one(c, OP_initset, element), all);
    const value *number = or_instead(c, STAND_IN_ZERO, call_one(c, OP_first, one));
    return number ? first_number(c, element, number, (int)(all - c->guests)) : NULL;
}

const value *as_guests(compiler *c, const value *container) {
    type_code e = type_element(container->type);
    if (e == T_INT || e == T_BOOL || e == T_NEVER)
        return make_data(c, container->step, type_container(type_head(container->type), T_INT));
    const value *elements = is_of_each(c, container) ? elements_of_each(c, container) : container;
    if (!elements || !(elements = for_all_lanes(c, elements))) return NULL;
    const struct guest *all = guests_of(c, elements);
    if (!all && are_nothing(e) && type_head(container->type) == T_TUPLE) return as_nones(c, container);
    if (!all) return NULL;
    if (!is_of_each(c, container)) container = elements;
    int earlier = (int)(all - c->guests);
    while (earlier && !may_equal(e, &c->guests[earlier - 1])) earlier--;
    if (!earlier) return numbers_among(c, container, all);
    const value *numbers = map_each_of(c, container, first_among, all);
    return numbers && type_head(container->type) == T_SET ? as_set(c, numbers) : numbers;
}

/* A row as ints, which are none if there is no list of guests. */
static const value *row_among(compiler *c, const value *row, const void *all) {
    const value *cells = as_container(c, row);
    if (!cells) return NULL;
    cells = make_data(c, cells->step, type_tuple(type_element(cells->type)));
    return all ? numbers_among(c, cells, all) : as_nones(c, cells);
}

/* The type of what is in the rows of a container; 0: they are none of a container's. */
static type_code type_in_rows(const value *rows) {
    type_code row = type_is_container(rows->type) ? type_element(rows->type) : T_NEVER;
    return type_is_container(row) ? type_element(row) : 0;
}

/* All that is in the rows. */
static const struct guest *guests_of_rows(compiler *c, const value *rows) {
    uint32_t saved = enter_scope_of(c, rows);
    const value *all = call_one(c, OP_merge, as_container(c, rows));
    c->scope = saved;
    return all ? guests_of(c, all) : NULL;
}

static const value *field_at(compiler *c, const value *record, const void *place) {
    return field_of(c, record, *(const int *)place);
}

/* Records as rows of a grid: a column of it for each field. */
static const value *records_as_grid(compiler *c, const value *records) {
    const value *column[MOST_RECORDED];
    int count = type_fields(type_element(records->type));
    for (int i = 0; i < count; i++) {
        const value *all = map_each_of(c, records, field_at, &i);
        if (!all || all->kind != V_DATA || !(column[i] = as_guests(c, all))) return NULL;
    }
    const value *columns = convert_to(c, make_tuple(c, 0, count, column), T_GRID);
    return columns ? call_one(c, OP_dmirror, columns) : NULL;
}

const value *as_grid_of_guests(compiler *c, const value *rows) {
    if (type_is_container(rows->type) && type_head(type_element(rows->type)) == T_RECORD)
        return records_as_grid(c, rows);
    const struct guest *all = guests_of_rows(c, rows);
    if (!all && !are_nothing(type_in_rows(rows))) return NULL;
    return convert_to(c, map_each_of(c, rows, row_among, all), T_GRID);
}

/* Whether an int is that guest, or one of that list. */
static uint32_t is_that_guest(compiler *c, const value *v, const struct guest *guest) {
    if (!GUEST_IS_OF_LIST(guest->number))
        return emit_kernel2(c, KERNEL_equality, T_INT, v->step, emit_const(c, guest->number));
    uint32_t from = emit_kernel2(c, KERNEL_greater, 0, v->step, emit_const(c, guest->number - 1));
    uint32_t to = emit_kernel2(c, KERNEL_greater, 0, emit_const(c, guest->number + GUEST_LIST_ROOM), v->step);
    return emit_kernel2(c, KERNEL_both, 0, from, to);
}

/* The guest that an int is, in lanes where it is that one. */
static const value *that_guest(compiler *c, const value *v, const struct guest *guest) {
    if (!GUEST_IS_OF_LIST(guest->number)) return guest->what;
    uint32_t place = emit_kernel2(c, KERNEL_subtract_int, 0, v->step, emit_const(c, guest->number));
    uint32_t found = emit_kernel2(c, KERNEL_nth, 0, guest->what->step, place);
    return make_data(c, found, type_element(guest->what->type));
}

/* Each int of a grid as the guest that it is. */
static const value *cell_as_guest(compiler *c, const value *number, const void *guest) {
    return or_instead(c, STAND_IN_ZERO, that_guest(c, number, guest)); /* which is empty where there is none */
}
static const value *row_as_guests(compiler *c, const value *row, const void *guest) {
    return map_each_of(c, row, cell_as_guest, guest);
}

/* The same of what can only be empty. */
static const value *cell_as_empty(compiler *c, const value *number, const void *type) {
    (void)number;
    return make_data(c, emit_localise(c, emit_const(c, 0)), *(const type_code *)type);
}
static const value *row_as_empty(compiler *c, const value *row, const void *type) {
    return map_each_of(c, row, cell_as_empty, type);
}

const value *grid_of_guests_apart(compiler *c, const value *grid, const value *rows) {
    type_code cell = type_in_rows(rows);
    const struct guest *all = are_nothing(cell) ? NULL : guests_of_rows(c, rows);
    const value *made = NULL;
    if (are_nothing(cell)) made = map_each_of(c, grid, row_as_empty, &cell);
    if (all) made = map_each_of(c, grid, row_as_guests, all);
    return made ? convert_to(c, made, rows->type) : NULL;
}

/* The list of guests of that type which a container may have; NULL: it has none. */
static const struct guest *list_in(const compiler *c, const value *container, type_code t) {
    uint32_t marks = guests_in(c, container);
    for (int i = 0; i < c->guest_count; i++)
        if (marks >> i & 1 && GUEST_IS_OF_LIST(c->guests[i].number) && c->guests[i].what->type == type_set(t))
            return &c->guests[i];
    return NULL;
}

/* Among more guests than it was, an int has another number: per number of the old list, `to` has it. */
typedef struct renumbering {
    const struct guest *from;
    uint32_t to;
} renumbering;

static const value *renumbered(compiler *c, const value *v, const void *arg) {
    const renumbering *r = arg;
    uint32_t is_of_list = is_that_guest(c, v, r->from);
    uint32_t place = emit_kernel2(c, KERNEL_subtract_int, 0, v->step, emit_const(c, r->from->number));
    uint32_t other = emit_kernel2(c, KERNEL_nth, 0, r->to, place);
    uint32_t step[3] = {is_of_list, or_instead(c, STAND_IN_ZERO, make_data(c, other, T_INT))->step, v->step};
    return make_data(c, emit_kernel(c, KERNEL_branch, 0, 3, step), T_INT);
}

const value *insert_guest(compiler *c, const value *v, const value *set) {
    const struct guest *old = v->kind == V_DATA && is_int_set(set) ? list_in(c, set, v->type) : NULL, *all;
    uint32_t saved = old ? enter_scope_of(c, v) : c->scope;
    const value *more = old ? call_two(c, OP_insert, v, old->what) : NULL;
    c->scope = saved;
    if (!more || !(all = guests_of(c, more))) {
        const value *guest = is_int(v) ? v : as_guest(c, v);
        return guest ? call_two(c, OP_insert, guest, as_guests(c, set)) : NULL;
    }
    const value *numbers = numbers_among(c, old->what, all), *one = numbers_among(c, call_one(c, OP_initset, v), all);
    if (!numbers || !one) return NULL;
    const value *moved = map_each_of(c, set, renumbered, &(renumbering){old, numbers->step});
    if (!moved) return NULL;
    uint32_t marks = guests_in(c, moved) & ~mark_of_number(c, old->number);
    moved = as_set(c, moved);
    if (moved) c->guest_marks[moved->step] = marks;
    return moved ? call_two(c, OP_combine, moved, one) : NULL;
}

/* ---- being one ---- */

/* An int that is no guest, where it is none; elsewhere it fails. */
static const value *as_int_alone(compiler *c, const value *v, uint32_t is_guest) {
    uint32_t step = emit_kernel2(c, KERNEL_demand, LANE_TYPE, v->step, emit_kernel1(c, KERNEL_flip, 0, is_guest));
    if (c->failed) return NULL;
    c->guest_marks[step] = 0;
    return make_data(c, step, T_INT);
}

const value *guest_or_int(compiler *c, const value *v) {
    uint32_t marks = guests_in(c, v), is_guest = 0, is[MOST_GUESTS];
    for (int i = 0; i < c->guest_count; i++) {
        if (!(marks >> i & 1)) continue;
        is[i] = or_instead(c, STAND_IN_ZERO, make_data(c, is_that_guest(c, v, &c->guests[i]), T_BOOL))->step;
        is_guest = is_guest ? emit_kernel2(c, KERNEL_either, 0, is_guest, is[i]) : is[i];
    }
    const value *found = as_int_alone(c, v, is_guest);
    for (int i = 0; i < c->guest_count && found; i++)
        if (marks >> i & 1) found = make_choice(c, is[i], that_guest(c, v, &c->guests[i]), found);
    return found;
}

const value *has_guest(compiler *c, const value *grid) {
    uint32_t colours = emit_kernel1(c, KERNEL_palette_grid, 0, grid->step);
    uint32_t largest = emit_kernel1(c, KERNEL_maximum, 0, colours);
    const value *number = or_instead(c, STAND_IN_ZERO, make_data(c, largest, T_INT));
    return number
               ? make_data(c, emit_kernel2(c, KERNEL_greater, 0, number->step, emit_const(c, GUEST_FIRST - 1)), T_BOOL)
               : NULL;
}

/* ---- going out ---- */

/* The guests that a value has in it, and those that these have. */
static uint32_t all_guests_in(const compiler *c, const value *v) {
    uint32_t marks = guests_in(c, v), before;
    do {
        before = marks;
        for (int i = 0; i < c->guest_count; i++)
            if (marks >> i & 1) marks |= guests_in(c, c->guests[i].shown);
    } while (marks != before);
    return marks;
}

/* A value with those guests: what it is, and each guest behind a description of it. */
static const value *as_host(compiler *c, const value *v, uint32_t marks) {
    uint32_t step = 0;
    for (int i = 0, first = 1; i < c->guest_count; i++) {
        if (!(marks >> i & 1)) continue;
        const struct guest *guest = &c->guests[i];
        ulong text = guest_description(guest->number, guest->shown->type, !(marks >> i >> 1));
        uint32_t described = emit_const(c, (int64_t)text);
        step = first ? emit_kernel2(c, KERNEL_pack_two, 0, v->step, described)
                     : emit_kernel2(c, KERNEL_append, 0, step, described);
        step = emit_kernel2(c, KERNEL_append, 0, step, guest->shown->step);
        first = 0;
    }
    return c->failed ? NULL : make_data(c, step, type_host(v->type));
}

const value *with_guests(compiler *c, const value *v) {
    if (v->kind != V_DATA && c->safe && c->triples) {
        const value *shown = as_shown(c, v);
        if (shown) v = shown;
    }
    uint32_t marks = c->guest_count ? all_guests_in(c, v) : 0;
    if (!marks) return v;
    return type_length(v->type) < 15 ? as_host(c, v, marks) : dead_value(c);
}
