/* How results leave a run: as one piece of memory, the only one that a host has to fetch. It begins with what has a
 * place for each lane, so that what the results refer to may come in any order, as work-items get to it:
 *
 *   | a word per program and lane | a status byte per program and lane | a `which` byte per program and lane
 *   | safe: a uint each, failed ops | what the words refer to, by offsets from the beginning
 *
 * A part of a program that is not the last leaves several columns, and what its lanes have asked for so far:
 *
 *   | the columns | a status byte per lane | a free byte per lane | a uint per lane | what the columns refer to |
 *
 * Its references are made for the place where the next part will find it.
 */
#ifndef ARCL_PACKED_H
#define ARCL_PACKED_H
#include "apart.h"

/* Words for two bytes per entry. */
LANE uint entry_byte_words(uint entries) { return entries / 4 + 1; }

LANE uint columns_out(GLOBAL const run_frame *f) { return f->is_part ? f->outs : f->programs; }
LANE uint packed_status(GLOBAL const run_frame *f) { return columns_out(f) * f->lanes; }
LANE uint packed_counts(GLOBAL const run_frame *f) {
    return packed_status(f) + entry_byte_words(f->programs * f->lanes);
}
/* Where the storage begins. */
LANE uint packed_storage(GLOBAL const run_frame *f) {
    uint counts = f->apart == APART_SAFE ? f->programs * f->lanes : f->lanes;
    return packed_counts(f) + (f->apart == APART_SAFE || f->is_part ? map_words(counts) : 0);
}

#endif
