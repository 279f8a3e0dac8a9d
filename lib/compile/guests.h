/* What guests.c and guest_marks.c share: the values that numbers stand for, and which of them a column may have. */
#ifndef ARCL_GUESTS_H
#define ARCL_GUESTS_H
#include "cl/guest.h"
#include "compile/compiler.h"

struct guest {
    const value *what;  /* as it was, or a tuple of all that it may be */
    const value *shown; /* the same as data */
    int number;         /* of a list, the first of as many as the tuple is long */
};

#define MOST_GUESTS 31 /* a bit for each in a mark */

/* A bit for the guest that has the number, 0 if there is none; and for those that a value may have in it. */
uint32_t mark_of_number(const compiler *c, int64_t number);
uint32_t guests_in(const compiler *c, const value *v);

/* ---- guests_each.c ---- */
/* Whether a value is one of each element that a function of the text is mapped over, and here; its guest's number; and
 * the elements of all such containers. */
int is_of_each(compiler *c, const value *v);
const value *guest_of_each(compiler *c, const value *v);
const value *elements_of_each(compiler *c, const value *container);

#endif
