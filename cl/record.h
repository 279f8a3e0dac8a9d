/* Where a launch finds its values, in one piece. On the way from the frame to the step, to the steps of its arguments
 * and to their scopes, a work-item would wait for memory at each turn; where thousands begin a launch together that
 * takes longer than what most kernels do. So lib/program/image.c goes this way beforehand and leaves a record for each
 * step that is a kernel. What is in the two scopes that are open from the beginning is known then; of the others the
 * states are looked up.
 *
 * Only frames for launches of many work-items have records, right behind the frame, so that nothing has to be read to
 * find them.
 */
#ifndef ARCL_RECORD_H
#define ARCL_RECORD_H
#include "frame.h"

/* How lanes find their row of a column: by a map of their scope, ROW_MAPS for the first of these, or as follows. */
enum record_rows {
    ROW_OWN,  /* it has the lane's number */
    ROW_ONLY, /* there is one for all */
    ROW_MAPS
};

typedef struct {
    uint column; /* its offset; in a scope that is opened on the way, its slot */
    uint rows;   /* | scope:24 | one of enum record_rows:8 |; scope 0: the column's offset is known */
} record_column;

typedef struct {
    ulong imm;
    uint scope; /* 0: it is open from the beginning, so that these are known: */
    uint lanes;
    uint status; /* offset */
    uint spent;  /* offset, of the accounts of all lanes of the batch */
    uint notes;  /* of enum record_notes */
    uint budget;
    record_column out; /* its rows: the map to the lanes of the batch */
    record_column arg[4];
} launch_record;

/* The record of a step that opens a scope is one of the scope above. Its result are the ranges, and in place of the
 * arguments that it has not, there are: */
enum record_of_opener {
    OPENED_SCOPE = 2, /* column: the scope; rows: the kind of the step */
    OPENED_LANES = 3, /* column: the weight of a lane; rows: the slot of the elements */
};
/* That of a step that closes one: */
enum record_of_closer {
    CLOSED_COLUMN, /* in the scope below */
    CLOSED_RANGES  /* in the scope above */
};

enum record_notes {
    RECORD_APART = 1,    /* failures are kept apart: statuses and accounts are elsewhere */
    RECORD_COUNTED = 2,  /* somebody wants to know what launches do */
    RECORD_IN_SLABS = 4, /* memory is taken in slabs */
};

#define RECORD_ROWS(scope, rows) ((uint)(scope) << 8 | (uint)(rows))

#ifdef MANY_ITEMS
/* What is read so is asked for where it is written, in halves of a word: a compiler would put each off until it is
 * needed, and then they would be waited for one after the other. AMD's does not put them off, but would wait for each
 * that is volatile. */
#if defined(__AMDGCN__)
#define SOON
#else
#define SOON volatile
#endif
LANE uint2 read_soon(GLOBAL const word *p) { return as_uint2(*(SOON GLOBAL const ulong *)p); }
LANE record_column column_soon(GLOBAL const record_column *p) {
    uint2 v = read_soon((GLOBAL const word *)p);
    record_column c = {v.x, v.y};
    return c;
}

/* Reads a record of a step with so many arguments. */
INLINED launch_record record_read(GLOBAL const word *frame, uint step, int args) {
    GLOBAL const launch_record *from = (GLOBAL const launch_record *)(frame + WORDS_OF(run_frame)) + step;
    GLOBAL const word *at = (GLOBAL const word *)from;
    launch_record r;
    r.imm = as_ulong(read_soon(at));
    uint2 a = read_soon(at + 1), b = read_soon(at + 2), c = read_soon(at + 3);
    r.out = column_soon(&from->out);
    for (int n = 0; n < args; n++) r.arg[n] = column_soon(&from->arg[n]);
    r.scope = a.x;
    r.lanes = a.y;
    r.status = b.x;
    r.spent = b.y;
    r.notes = c.x;
    r.budget = c.y;
    return r;
}

/* A map's offset in place of its number. */
LANE uint recorded_map(uint rows, uint maps, uint count) {
    return rows < ROW_MAPS ? rows : maps + (rows - ROW_MAPS) * map_words(count);
}

/* Fills in what is known only now that the scope is open: then columns and maps are offsets, of whatever scope. */
INLINED void record_complete(launch_record *r, GLOBAL word *arena, uint states, int args) {
    GLOBAL const scope_state *all = (GLOBAL const scope_state *)(arena + states);
    GLOBAL const word *own = (GLOBAL const word *)(all + r->scope);
    uint2 counted = read_soon(own), placed = read_soon(own + 1), of[4];
    for (int n = 0; n < args; n++) of[n] = read_soon((GLOBAL const word *)(all + (r->arg[n].rows >> 8)));
    r->lanes = counted.x;
    r->status = placed.x;
    r->out.column = counted.y + r->out.column * counted.x;
    r->out.rows = recorded_map(r->out.rows & 255, placed.y, counted.x);
    for (int n = 0; n < args; n++) {
        record_column *c = &r->arg[n];
        if (c->rows >> 8) c->column = of[n].y + c->column * of[n].x;
        c->rows = recorded_map(c->rows & 255, placed.y, counted.x);
    }
}

LANE view recorded_view(GLOBAL word *arena, record_column c) {
    view v = {arena + c.column, c.rows < ROW_MAPS ? 0 : (GLOBAL const uint *)(arena + c.rows),
              c.rows == ROW_ONLY ? 0 : ~0u};
    return v;
}
#endif

#endif
