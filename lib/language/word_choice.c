#include "language/word_choice.h"

#include <string.h>

static word_choice choose(int callable) { return (word_choice){.callable = (uint16_t)callable}; }
static word_choice choose_form(int callable, unsigned form) {
    return (word_choice){.callable = (uint16_t)callable, .form = (uint8_t)form};
}
static word_choice refuse(unsigned why) { return (word_choice){.refused = (uint8_t)why}; }

static type_code element_of(type_code t) { return type_is_container(t) ? type_element(t) : 0; }
static int is_grid(type_code t) { return t == T_GRID || t == TYPE_ROWS; }

/* ---- cells ---- */

int word_pair_is_cell(type_code a, type_code b) {
    if ((a && a != T_INT && a != T_BOOL) || (b && b != T_IJ)) return 0;
    return a && b ? 1 : -1;
}

/* pair and product make cells in arc-dsl, of ints and ijs. */
static int makes_cells(const kind *argument) {
    return word_pair_is_cell(element_of(argument[0].type), element_of(argument[1].type));
}

/* An op that takes any container, also the two or three parts of a cell, of which the first two may be a location. */
static int takes_cell_apart(const op_row *row, int count, const kind *argument) {
    for (int i = 0; i < count; i++) {
        unsigned code = row->argument[i];
        int takes = code == SIG_C_A || code == SIG_C_B || code == SIG_C_INT || code == SIG_IJ || code == SIG_IJ_LONG;
        if (argument[i].type == T_CELL && takes) return 1;
    }
    return 0;
}

/* Ops that see what a cell is made of, if they are given one. */
static int looks_inside(int op) {
    return op == OP_first || op == OP_last || op == OP_contained || op == OP_other || op == OP_pair ||
           op == OP_product || op == OP_astuple;
}

/* ---- to tokpidjin ---- */

static int find_word(const char *name) {
    for (int i = 0; i < WORD_COUNT; i++)
        if (strcmp(word_rows[i].name, name) == 0) return OP_COUNT + i;
    return -1;
}

/* Whether a word is for such an argument. A tuple of locations is a patch, but not to ops that ask for its height. */
static int word_takes(const word_row *w, type_code t) {
    type_code e = element_of(t);
    if (word_kind(w) == WORD_OF_GRID) return is_grid(t);
    if (type_head(t) != T_SET && (type_head(t) != T_TUPLE || w->op != OP_recolor)) return 0;
    switch (word_kind(w)) {
    case WORD_OF_PATCH: return e == T_IJ || e == T_CELL || e == 0;
    case WORD_OF_INDICES: return e == T_IJ;
    case WORD_OF_OBJECT: return e == T_CELL;
    default: return 0;
    }
}

/* An op that has several words, by the kind of its argument. */
static word_choice choose_by_kind(int op, int count, const kind *argument) {
    int found = -1, last = -1, words = 0;
    for (int i = 0; i < WORD_COUNT; i++) {
        const word_row *w = &word_rows[i];
        int position = word_position(w);
        if (word_meant_op(w) != op) continue;
        words++;
        last = i;
        if (found < 0 && position < count && word_takes(w, argument[position].type)) found = i;
    }
    if (words == 0) return refuse(REFUSED_NO_WORD);
    if (words == 1) found = last;
    return found < 0 ? refuse(count < 0 ? REFUSED_FREE : REFUSED_KIND) : choose(OP_COUNT + found);
}

/* What makes pairs: one that is a cell has words of its own. */
static word_choice choose_pairs(int op, int is_cell) {
    if (is_cell < 0) return refuse(REFUSED_KIND);
    if (!is_cell) return choose(find_word(op_rows[op].name));
    return op == OP_pair ? choose_form(find_word("celltuple"), FORM_SWAP) : refuse(REFUSED_CELL);
}

static word_choice choose_tokpidjin(int op, int count, const kind *argument) {
    int word = find_word(op_rows[op].name);
    int is_end = op == OP_first || op == OP_last;
    if (word < 0) return choose_by_kind(op, count, argument);
    if (count < 0) return looks_inside(op) ? refuse(REFUSED_FREE) : choose(word);
    if (op == OP_astuple) return choose_pairs(op, word_pair_is_cell(argument[0].type, argument[1].type));
    if (op == OP_pair || op == OP_product) return choose_pairs(op, makes_cells(argument));
    if (!is_end) return takes_cell_apart(&op_rows[op], count, argument) ? refuse(REFUSED_CELL) : choose(word);
    if (!argument[0].type) return refuse(REFUSED_KIND);
    if (argument[0].type == T_CELL) return choose(find_word(op == OP_first ? "last" : "toij"));
    return choose(word);
}

/* ---- to arc-dsl ---- */

/* The words that a number stands for. */
static const struct {
    uint16_t op;
    int8_t number;
    uint16_t word;
} numbered[] = {{OP_mir_rot_t, 0, OP_hmirror},   {OP_mir_rot_t, 1, OP_dmirror},   {OP_mir_rot_t, 2, OP_vmirror},
                {OP_mir_rot_t, 3, OP_cmirror},   {OP_mir_rot_t, 4, OP_rot90},     {OP_mir_rot_t, 5, OP_rot180},
                {OP_mir_rot_t, 6, OP_rot270},    {OP_mir_rot_f, 0, OP_hmirror},   {OP_mir_rot_f, 1, OP_dmirror},
                {OP_mir_rot_f, 2, OP_vmirror},   {OP_mir_rot_f, 3, OP_cmirror},   {OP_corner, 0, OP_ulcorner},
                {OP_corner, 1, OP_urcorner},     {OP_corner, 2, OP_llcorner},     {OP_corner, 3, OP_lrcorner},
                {OP_col_row, 0, OP_lowermost},   {OP_col_row, 1, OP_uppermost},   {OP_col_row, 2, OP_leftmost},
                {OP_col_row, 3, OP_rightmost},   {OP_get_nth, 0, OP_first},       {OP_get_nth, -1, OP_last},
                {OP_get_rank, 0, OP_maximum},    {OP_get_rank, -1, OP_minimum},   {OP_get_arg_rank, 0, OP_argmax},
                {OP_get_val_rank, 0, OP_valmin}, {OP_get_val_rank, -1, OP_valmax}};

/* Numbers beyond those of the table. */
static int word_of_other_number(int op) {
    return op == OP_mir_rot_t || op == OP_mir_rot_f ? (int)OP_identity : op == OP_corner ? (int)OP_ulcorner : -1;
}

static int is_numbered(int op) {
    size_t i = 0;
    while (i < sizeof numbered / sizeof *numbered && numbered[i].op != op) i++;
    return i < sizeof numbered / sizeof *numbered || op == OP_o_g;
}

/* Keys of which one is always above the other, unless they are equal: sets are not. */
static int has_order(type_code t) { return t == T_INT || t == T_BOOL || t == T_IJ; }

/* Whether the argument that counts is of the one kind for which both words mean the same. */
static int is_as_named(int op, const kind *argument) {
    type_code t = argument[0].type;
    if (op == OP_mir_rot_t) return is_grid(t);
    if (op == OP_mir_rot_f) return type_head(t) == T_SET;
    return (op != OP_get_arg_rank && op != OP_get_val_rank) || has_order(argument[1].type);
}

static word_choice choose_numbered(int op, int count, const kind *argument) {
    if (count < 1) return refuse(REFUSED_FREE);
    if (!is_as_named(op, argument)) return refuse(REFUSED_KIND);
    const kind *last = &argument[count - 1];
    if (!last->is_number) return refuse(REFUSED_NUMBER);
    if (op == OP_o_g) {
        word_choice objects = choose_form(OP_objects, FORM_OBJECTS);
        objects.number = last->number;
        return last->number < 0 || last->number > 7 ? refuse(REFUSED_NO_WORD) : objects;
    }
    int word = word_of_other_number(op);
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++)
        if (numbered[i].op == op && numbered[i].number == last->number) word = numbered[i].word;
    if (op == OP_get_nth && argument[0].type == T_IJ && last->number == 1) word = OP_last;
    return word < 0 ? refuse(REFUSED_NO_WORD) : choose_form(word, FORM_DROP_LAST);
}

/* The ends of a cell (i, j, c) are its row, for which (c, (i, j)) has no word, and its colour. */
static word_choice choose_end(word_choice made, const kind *argument) {
    if (made.refused) return made;
    if (!argument[0].type) return refuse(REFUSED_KIND);
    if (argument[0].type != T_CELL) return made;
    if (made.callable == OP_first) return refuse(REFUSED_CELL);
    made.callable = OP_first;
    return made;
}

/* A word that is an op of arc-dsl, by how it takes its arguments. */
static word_choice choose_in_manner(const word_row *w, int count, const kind *argument) {
    int position = word_position(w), op = word_meant_op(w);
    type_code t = position < count ? argument[position].type : 0;
    unsigned head = t == T_GRID || t == T_IJ ? T_TUPLE : type_is_container(t) ? type_head(t) : 0;
    unsigned wanted = w->manner == MANNER_SET_0 || w->manner == MANNER_ONLY_SET ? T_SET : T_TUPLE;
    unsigned unclear = count < 0 ? REFUSED_FREE : REFUSED_KIND;
    if (word_kind(w)) return word_takes(w, t) ? choose(op) : refuse(unclear);
    switch (w->manner) {
    case MANNER_TUPLE_0:
    case MANNER_TUPLE_1:
    case MANNER_SET_0:
    case MANNER_ONLY_TUPLE:
    case MANNER_ONLY_SET: break;
    default: return choose(op);
    }
    if (!head) return refuse(unclear);
    if (head == wanted) return choose(op);
    if (w->manner == MANNER_TUPLE_0) return choose_form(op, FORM_TUPLED_0);
    return w->manner == MANNER_TUPLE_1 ? choose_form(op, FORM_TUPLED_1) : refuse(REFUSED_NO_WORD);
}

static word_choice choose_of_dialect(int op) {
    switch (op) {
    case OP_ascell: return choose_form(OP_astuple, FORM_TUPLE_OF_CELL);
    case OP_astriple: return choose_form(OP_astuple, FORM_TUPLE_OF_TRIPLE);
    case OP_toij: return choose(OP_last);
    case OP_celltuple: return choose_form(OP_pair, FORM_SWAP);
    case OP_p_g: return choose_form(OP_palette, FORM_SORTED);
    case OP_crop_inside: return choose(OP_crop);
    case OP_subgrid_inside: return choose(OP_subgrid);
    case OP_hsplit_inside: return choose(OP_hsplit);
    case OP_vsplit_inside: return choose(OP_vsplit);
    case OP_cellwise_filled: return choose(OP_cellwise);
    default: return refuse(REFUSED_NO_WORD);
    }
}

static word_choice choose_arc_dsl(const word_row *w, int count, const kind *argument) {
    int op = w->op;
    if (op == OP_get_nth) {
        word_choice made = choose_numbered(op, count, argument);
        return made.refused ? made : choose_end(made, argument);
    }
    if (is_numbered(op)) return choose_numbered(op, count, argument);
    if (op >= OP_LANGUAGE_COUNT && op != OP_second) return choose_of_dialect(op);
    if (op == OP_second) /* a pair has it at its end */
        return count == 1 && argument[0].type == T_IJ ? choose(OP_last) : refuse(REFUSED_NO_WORD);
    if (count < 0 && looks_inside(op)) return refuse(REFUSED_FREE);
    if (op == OP_first || op == OP_last) return choose_end(choose(op), argument);
    if (op == OP_pair || op == OP_product || op == OP_astuple) {
        int is_cell = op == OP_astuple ? word_pair_is_cell(argument[0].type, argument[1].type) : makes_cells(argument);
        return is_cell ? refuse(is_cell < 0 ? REFUSED_KIND : REFUSED_CELL) : choose(op);
    }
    if (takes_cell_apart(&op_rows[op], count, argument)) return refuse(REFUSED_CELL);
    return choose_in_manner(w, count, argument);
}

word_choice word_choose(arcl_dialect dialect, int callable, int count, const kind *argument) {
    if (count != op_rows[callable_op(callable)].arity) count = -1;
    if (dialect == ARCL_TOKPIDJIN) return choose_tokpidjin(callable, count, argument);
    return choose_arc_dsl(callable_word(callable), count, argument);
}
