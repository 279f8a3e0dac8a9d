/* The rules for odd calls: what words of the tokpidjin dialect yield of values that they were not made for.
 *
 * words.c asks odd_calls.c, which knows which rule is for which op; rules are in a file for each kind of values. All of
 * them yield NULL where a call is not for them, or with a message. None has a meaning outside of a word. */
#ifndef ARCL_ODD_H
#define ARCL_ODD_H
#include "compile/compiler.h"

/* ---- odd_calls.c: as many arguments as the word takes ---- */
const value *odd_given(compiler *c, const word_row *w, const value *const *given);
/* The same once they were taken as the word wants them, as `arg`. */
const value *odd_taken(compiler *c, const word_row *w, const value *const *arg, const value *const *given);
/* A call that cannot be right, because of what a container has in it by its type, may be right where it has nothing in
 * it: Python sees no types. `wrong` is what comes of it elsewhere; of a word that maps a function so is it there. */
const value *odd_where_empty(compiler *c, int callable, int count, const value *const *given, const value *wrong);

/* ---- odd_kinds.c ---- */
int is_nothing(const value *v);  /* an empty container for certain */
int may_be_int(const value *v);  /* or of which that is not known here */
int is_grid(const value *v);     /* of ints */
int is_odd_grid(const value *v); /* a tuple of tuples of what are no ints */
int is_tuple_type(type_code t);
int is_no_patch(const value *v);                 /* nor empty */
int may_lack(const compiler *c, const value *v); /* a pair, which may be missing */
const value *empty_set(compiler *c);
const value *as_tuple(compiler *c, const value *container); /* these two yield NULL of NULL */
const value *distinct(compiler *c, const value *container);
/* A choice by whether there is something in a value; NULL if one of them is. */
const value *where_some(compiler *c, const value *v, const value *yes, const value *no);
const value *itself_or_empty(compiler *c, const value *v); /* that value, or an empty set */
/* Whether rows are a patch, as they are if they have two or three items each, which only the lane knows; NULL: the
 * value has no rows of ints. */
const value *rows_are_patch(compiler *c, const value *v);
const value *pair_or_tuple(compiler *c, const value *ints); /* a choice by how many they are */

/* ---- odd_pairs.c ---- */
/* Arithmetic: `pairs` are the arguments as pairs, `given` as they were. */
const value *odd_int_or_pair(compiler *c, const word_row *w, const value *const *pairs, const value *const *given);
const value *odd_index(compiler *c, const value *grid, const value *place);
const value *odd_frontier(compiler *c, int op, const value *v);
const value *odd_cell(compiler *c, const word_row *w, const value *const *arg);
const value *odd_cell_of_any(compiler *c, const value *const *arg);
const value *odd_toij(compiler *c, const value *v);
const value *odd_vector(compiler *c, int op, const value *v);
const value *odd_number(compiler *c, int op, const value *const *arg);

/* ---- odd_numbers.c ---- */
const value *odd_arithmetic(compiler *c, const word_row *w, const value *const *arg);

/* ---- odd_colours.c ---- */
/* Of arguments, those whose bits are set in `colours` are to paint with; that at `sought` is looked for. */
const value *odd_paint(compiler *c, int op, const value *const *arg, unsigned colours);
const value *odd_look_for(compiler *c, const word_row *w, const value *const *arg, int sought);
const value *odd_asked_for_grid(compiler *c, int op, const value *grid);
const value *odd_filled(compiler *c, const value *const *arg);
/* What is in the rows of a container whose rows are no ints, in order. */
const value *odd_items_of_rows(compiler *c, const value *v);
const value *odd_colours(compiler *c, const word_row *w, const value *v);
const value *odd_common_colour(compiler *c, const word_row *w, const value *v);
const value *odd_colour_count(compiler *c, const word_row *w, const value *const *given);
const value *odd_color_rank(compiler *c, const value *const *arg);
const value *odd_color_rank_of_rows(compiler *c, const value *const *given);

/* ---- odd_unpack.c ---- */
/* The word with sets of ints as pairs, where it unpacks them. */
const value *odd_unpacked_sets(compiler *c, const word_row *w, const value *const *given);
/* A container, which fails unless each element has so many items; and one of these. */
const value *demand_items(compiler *c, const value *container, int count);
const value *item_of(compiler *c, const value *element, int place);
const value *odd_recolor(compiler *c, const word_row *w, const value *const *arg);
const value *odd_toindices(compiler *c, const word_row *w, const value *v);
const value *odd_palette(compiler *c, const value *v); /* of what is an object to Python */
const value *odd_color(compiler *c, const value *v);
const value *odd_dedupe_pairs(compiler *c, const value *v);
const value *odd_asindices(compiler *c, const value *v);
const value *odd_side(compiler *c, const word_row *w, const value *v);
const value *odd_side_by_number(compiler *c, const value *const *given);
const value *odd_corners(compiler *c, const value *v);

/* ---- odd_mixes.c ---- */
/* An element that is a location or a cell as a choice of both, and whether a word takes it as such. */
const value *location_or_cell(compiler *c, const value *mix);
int is_mix_to_tell(const compiler *c, const word_row *w, int position, const value *v);
/* A container of these as a grid that has their ints as rows, as a patch where it is one, and as a tuple of tuples. */
const value *mixes_as_rows(compiler *c, const value *container);
const value *places_of_mixes(compiler *c, const value *container);
const value *mixes_as_tuples(compiler *c, const value *container);

/* ---- odd_sizes.c, odd_corners.c ---- */
const value *odd_measure(compiler *c, int op, const value *v);
const value *odd_square(compiler *c, const value *v);
const value *odd_corner(compiler *c, const word_row *w, const value *const *arg);

/* ---- odd_moves.c ---- */
const value *odd_shift(compiler *c, const value *const *arg, const value *offset);
const value *odd_normalize(compiler *c, const word_row *w, const value *v, const value *given);
const value *odd_move(compiler *c, const value *const *arg);
const value *odd_gravitate(compiler *c, const value *const *arg);
const value *odd_turn(compiler *c, const value *const *arg);
const value *odd_mirror(compiler *c, const word_row *w, const value *const *given);
int is_no_mirror(const compiler *c, const value *v); /* a number that is known and is that of no mirror */
const value *odd_moved_rows(compiler *c, const word_row *w, const value *const *given);
const value *odd_shifted_rows(compiler *c, const word_row *w, const value *const *given);
const value *odd_mirrored_rows(compiler *c, const word_row *w, const value *const *given);

/* ---- odd_patches.c ---- */
const value *odd_places(compiler *c, const word_row *w, const value *v);
const value *odd_bordering(compiler *c, const value *const *arg);
const value *odd_delta(compiler *c, const value *v);
const value *odd_centerofmass(compiler *c, const value *v);
const value *odd_position(compiler *c, const value *const *arg);
const value *odd_manhattan(compiler *c, const value *const *arg);
const value *odd_period(compiler *c, int op, const value *v);
const value *odd_occurrences(compiler *c, const value *const *arg);
const value *odd_subgrid(compiler *c, const value *const *arg);

/* ---- odd_containers.c, odd_order.c ---- */
const value *odd_difference(compiler *c, const value *const *arg);
const value *odd_merged(compiler *c, const value *v);
/* Whether a value is in a container of functions, or that without it; NULL: it may be. */
const value *odd_sought_among_functions(compiler *c, const value *v, const value *container, int is_asked);
const value *odd_insert(compiler *c, const value *const *arg);
const value *odd_sizefilter(compiler *c, const word_row *w, const value *const *arg);
const value *odd_colorfilter(compiler *c, const value *objects, const value *colour);
const value *odd_extreme(compiler *c, int op, const value *v);
const value *odd_rank(compiler *c, const value *const *arg);
const value *odd_greater(compiler *c, const value *const *arg);
const value *odd_equality(compiler *c, const value *const *arg);

/* ---- odd_guests.c ---- */
const value *odd_guests_merged(compiler *c, const value *v);

/* ---- odd_functions.c ---- */
const value *odd_power(compiler *c, const value *const *arg);
const value *odd_pick(compiler *c, int op, const value *const *arg);
const value *odd_uncalled(compiler *c, const word_row *w, const value *f, const value *v);

/* ---- odd_tuples.c ---- */
const value *odd_rows_joined(compiler *c, const value *const *arg);
const value *odd_tuples_joined(compiler *c, const value *const *given);
const value *odd_joined(compiler *c, const value *const *given);
const value *odd_repeated(compiler *c, const value *const *arg);
const value *odd_reversed(compiler *c, const value *v);
const value *odd_half(compiler *c, int op, const value *v);
const value *odd_nth(compiler *c, const word_row *w, const value *v);

/* ---- odd_objects.c, odd_grids.c ---- */
const value *odd_celltuple(compiler *c, const value *const *given);
/* The word on cells that have guests in the place of what is no colour. */
const value *odd_run_on_cells(compiler *c, const word_row *w, const value *const *given);
const value *odd_empty_rows(compiler *c, const value *v);
/* The op is replace or switch. */
const value *odd_replaced(compiler *c, int op, const value *const *given);
/* The word on a grid that has guests in the place of what is no int. */
const value *odd_run_on_guests(compiler *c, const word_row *w, const value *const *given);

#endif
