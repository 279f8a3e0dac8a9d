/* Which word of a dialect does what a word of the other one does, for arguments of given kinds. */
#ifndef ARCL_WORD_CHOICE_H
#define ARCL_WORD_CHOICE_H
#include "language/kinds.h"

/* How a call changes besides the word. Those from FORM_DROP_LAST to FORM_OBJECTS can be functions only where the number
 * that they do without is bound. */
enum word_form {
    FORM_PLAIN,
    FORM_DROP_LAST,       /* the number that comes last has chosen the word */
    FORM_OBJECTS,         /* that number is three bools */
    FORM_SWAP,            /* two arguments change places */
    FORM_TUPLE_OF_CELL,   /* ascell(ij, c) is (c, ij) */
    FORM_TUPLE_OF_TRIPLE, /* astriple(i, j, c) is (c, (i, j)) */
    FORM_TUPLED_0,        /* the first argument is made a tuple */
    FORM_TUPLED_1,        /* the second is */
    FORM_SORTED           /* p_g: the palette in order */
};

/* Why there is no word. */
enum word_refusal {
    REFUSED_NOT,
    REFUSED_NO_WORD,  /* the dialect has none */
    REFUSED_KIND,     /* it depends on the kind of an argument, which the text does not tell */
    REFUSED_CELL,     /* a cell is another tuple there */
    REFUSED_NUMBER,   /* it depends on a number that is no constant */
    REFUSED_BOTH,     /* it is called with kinds of arguments that have different words */
    REFUSED_FUNCTION, /* no function does it there */
    REFUSED_FREE      /* nothing in the text calls it, and the word depends on how it is called */
};

typedef struct word_choice {
    uint8_t refused;
    uint8_t form;
    uint16_t callable;
    int32_t number; /* FORM_OBJECTS */
} word_choice;

/* Of a callable in the words of the dialect, which is not its own. With count -1 nothing is known of the arguments. */
word_choice word_choose(arcl_dialect dialect, int callable, int count, const kind *argument);

/* Whether (a, b), which is a cell in arc-dsl if it is of an int and an ij, is one: 1, 0, or -1 if that is not known. */
int word_pair_is_cell(type_code a, type_code b);

#endif
