/* The nibbles that type codes are made of; shared by the kernels and the compiler (lib/ops/type.h). */
#ifndef ARCL_TYPE_CODES_H
#define ARCL_TYPE_CODES_H

enum type_nibble {
    T_NEVER = 1, /* the elements of a container that is always empty */
    T_BOOL,
    T_INT,
    T_IJ,
    T_CELL,
    T_MIX, /* an ij or a cell: a cell that may be BARE */
    T_GRID,
    T_SET,     /* then the element's type */
    T_TUPLE,   /* then the element's type */
    T_RECORD,  /* then the number of fields, then their types */
    T_VARIOUS, /* not of a value: of a column that is taken for types that are stored differently */
    /* Of arguments and results, where these are read part by part: */
    T_TRIPLE,     /* a cell whose parts are i, j and the colour */
    T_TRIPLE_MIX, /* an ij or such a cell */
    /* Of results: */
    T_HOST,    /* then the type of a value with guests (cl/guest.h); nothing has such a value in it */
    T_FUNCTION /* of which only the compiler knows more, and the word is 0 */
};

#define T_ATOM_MAX T_CELL /* types up to here compare as words */

/* How two values are one. A record, or a tuple of two, is in memory. */
enum pair_form { PAIR_IJ, PAIR_CELL, PAIR_RECORD };

/* Which cells of a patch are filled, and with what: all, as fill does; those of the background, as underfill; all with
 * the background, as cover. */
enum fill_manner { FILL_ALL, FILL_BACKGROUND, FILL_COVERS };

/* Of copies that are painted, above the type of their cells: of two at one place the later stays, not the larger. */
#define PAINT_IN_ORDER 4

/* Beside the immediate of a kernel whose result may be a mask (cl/mask.h): it has to be a list. */
#define RESULT_AS_LIST (1ul << 32)

/* Beside the type of what is stamped: its copies need neither be in order nor without repeats. */
#define STAMP_LOOSE 16

/* Which rows of a grid are locations, in tokpidjin: of two ints, of three, of two and more; whether those of three are
 * made cells; and whether a grid with other rows is the origin alone. */
enum row_places { ROWS_OF_TWO = 1, ROWS_OF_THREE = 2, ROWS_OF_MORE = 4, ROWS_AS_CELLS = 8, ROWS_OR_ORIGIN = 16 };

#endif
