/* Objects by flooding rows of bits: what objects() does with grids of at most 64 rows and 63 columns and no colours but
 * 0 to 15, which is nearly all of them.
 *
 * A colour is a word of bits per row. A component is found from its first cell: a run of bits touches runs of the rows
 * next to it, down and up again until nothing is added. So components come in the order of their first cells, colour by
 * colour, which is the order that is wanted, and the cells of each lie in rows already. Where registers and private
 * memory are scarce there is none of it.
 */
#ifndef ARCL_FLOOD_OBJECTS_H
#define ARCL_FLOOD_OBJECTS_H
#include "colour_counts.h"

#ifndef MANY_ITEMS
#define FLOOD_ROWS (BIT_ROWS + 2) /* rows are counted from 1, between two that are empty */

typedef struct {
    ulong rows[FEW_COLOURS][FLOOD_ROWS]; /* of the colours that count, in their order */
    ulong part[FLOOD_ROWS];              /* the component at hand: only rows from top to bottom mean anything */
    int top, bottom;
    ulong some[FEW_COLOURS]; /* which rows have cells of each colour, before any are taken: bit 0 is the first row */
    int colour[FEW_COLOURS];
    int colours, h, diagonal;
} flood;

/* The most frequent of the colours that are present; ties go to the smallest. */
LANE int most_frequent(grid g, uint present) {
    int best = 0;
    uint left = (uint)(g.h * g.w), most = 0;
    for (; left > most; present &= present - 1) {
        int colour = lowest_bit(present);
        uint n = present & (present - 1) ? count_byte(g.at, g.h * g.w, (cellbyte)colour) : left;
        best = n > most ? colour : best;
        most = n > most ? n : most;
        left -= n;
    }
    return best;
}

/* The cells of every colour that counts. */
LANE void flood_cells(flood *f, grid g) {
    for (int c = 0; c < f->colours; c++) f->rows[c][0] = f->rows[c][g.h + 1] = 0;
#ifdef HAS_WIDE_ROWS
    cellbyte few[WIDE_CELLS];
    g = wide_grid(g, few);
    for (int c = 0; c < f->colours; c++) f->some[c] = rows_of_colour(f->rows[c] + 1, g, (cellbyte)f->colour[c]);
#else
    for (int c = 0; c < f->colours; c++) f->some[c] = 0;
    for (int i = 0; i < g.h; i++)
        for (int c = 0; c < f->colours; c++) {
            ulong bits = equal_cells(row_of(g, i), g.w, (cellbyte)f->colour[c]);
            f->rows[c][i + 1] = bits;
            f->some[c] |= (ulong)(bits != 0) << i;
        }
#endif
}

/* What bits touch in a row next to theirs. */
LANE ulong beside(ulong bits, int diagonal) { return bits | bits << diagonal | bits >> diagonal; }

/* The first run of bits, of which there are some. */
LANE ulong first_run(ulong bits) { return bits & ~(bits + (bits & (~bits + 1))); }

/* The runs of `bits` that have some of `touch`, which is part of them and not nothing. */
LANE ulong runs_at(ulong bits, ulong touch) {
    ulong runs = 0;
    do {
        ulong first = touch & (~touch + 1), gaps = (~bits & (first - 1)) | 1;
        ulong before = (first - 1) & (~(ulong)0 << highest_bit(gaps)) & bits;
        runs |= (bits & ~(bits + first)) | before;
        touch &= ~runs;
    } while (touch);
    return runs;
}

/* Adds to row i of the component what `touch` has in it; returns whether there is any. */
LANE int flood_row(flood *f, ulong *left, int i, ulong touch) {
    touch &= left[i];
    if (!touch) return 0;
    ulong runs = runs_at(left[i], touch);
    left[i] ^= runs;
    f->part[i] |= runs;
    return 1;
}

/* Goes on with rows that were not part of the component yet, down (step 1) or up (step -1) from row i; returns the last
 * one that is. */
LANE int flood_on(flood *f, ulong *left, int i, int step) {
    int diagonal = f->diagonal;
    ulong part = f->part[i];
    for (ulong touch; (touch = beside(part, diagonal) & left[i + step]);) {
        i += step;
        part = runs_at(left[i], touch);
        left[i] ^= part;
        f->part[i] = part;
    }
    return i;
}

/* Takes the component of a run of row i out of what is left: down and up, again and again as long as there is more. */
LANE void flood_from(flood *f, ulong *left, int i, ulong run) {
    int more, top = i, bottom = i, diagonal = f->diagonal;
    left[i] ^= run;
    f->part[i] = run;
    do {
        more = 0;
        bottom = flood_on(f, left, bottom, 1);
        for (int r = bottom - 1; r >= top; r--) more |= flood_row(f, left, r, beside(f->part[r + 1], diagonal));
        int higher = flood_on(f, left, top, -1);
        more |= higher < top;
        top = higher;
        for (int r = top + 1; r <= bottom && more; r++) flood_row(f, left, r, beside(f->part[r - 1], diagonal));
    } while (more);
    f->top = top;
    f->bottom = bottom;
}

/* Writes the component of the first run of row i, which is that of its cell `row`, if it has more rows than this. */
APART GLOBAL word *write_flooded(flood *f, ulong *left, int i, ulong run, word row, GLOBAL word *out) {
    flood_from(f, left, i, run);
    for (int r = i, bottom = f->bottom; r <= bottom; r++, row += loc_word(1, 0)) out = write_bits(out, f->part[r], row);
    return out;
}

/* The components of each colour. */
LANE GLOBAL word *flood_univalued(lane *k, flood *f, GLOBAL word *out, GLOBAL word **references) {
    int diagonal = f->diagonal;
    GLOBAL word *reference = *references;
    GLOBAL word *arena = k->arena;
    for (int c = 0; c < f->colours; c++) {
        ulong *left = f->rows[c] + 1;
        for (ulong some = f->some[c]; some; some &= some - 1) {
            int i = lowest_bit(some);
            word row = colour_word(f->colour[c]) + loc_word(i, 0);
            for (ulong cells; (cells = left[i]);) {
                GLOBAL word *object = out;
                ulong run = first_run(cells);
                if (beside(run, diagonal) & left[i + 1])
                    out = write_flooded(f, f->rows[c], i + 1, run, row, out);
                else {
                    left[i] = cells ^ run;
                    out = write_bits(out, run, row);
                }
                *reference++ = made_ref((uint)(object - arena), (uint)(out - object));
            }
        }
    }
    *references = reference;
    return out;
}

/* Writes a component, whose first colour is the one by which it was found. */
LANE GLOBAL word *write_mixed(flood *f, int first, GLOBAL word *out) {
    ulong others = 1;
    for (int c = first; others; c++) {
        word row = colour_word(f->colour[c]) + loc_word(f->top - 1, 0);
        others = 0;
        for (int r = f->top; r <= f->bottom; r++, row += loc_word(1, 0)) {
            ulong some = f->part[r] & f->rows[c][r];
            others |= f->part[r] ^= some;
            out = write_bits(out, some, row);
        }
    }
    return out;
}

/* The components of all colours together. */
LANE GLOBAL word *flood_mixed(lane *k, flood *f, GLOBAL word *out, GLOBAL word **references) {
    ulong left[FLOOD_ROWS];
    GLOBAL word *reference = *references;
    for (int i = 0; i <= f->h + 1; i++) {
        ulong all = 0;
        for (int c = 0; c < f->colours; c++) all |= f->rows[c][i];
        left[i] = all;
    }
    for (int c = 0; c < f->colours; c++)
        for (ulong some = f->some[c]; some; some &= some - 1) {
            int i = lowest_bit(some) + 1;
            for (ulong cells; (cells = left[i] & f->rows[c][i]);) {
                GLOBAL word *object = out;
                flood_from(f, left, i, runs_at(left[i], cells & (~cells + 1)));
                out = write_mixed(f, c, out);
                *reference++ = made_ref((uint)(object - k->arena), (uint)(out - object));
            }
        }
    *references = reference;
    return out;
}

/* The components, from arena[at] on: first all cells, then the references to them, which are kept in `room`
 * meanwhile. There is slack behind the cells. */
LANE word flood_objects(lane *k, grid g, uint present, int univalued, int diagonal, int without_bg, uint at,
                        GLOBAL word *room) {
    flood f;
    GLOBAL word *end = room;
    if (without_bg) present &= ~(1u << most_frequent(g, present));
    f.h = g.h;
    f.diagonal = diagonal != 0;
    for (f.colours = 0; present; present &= present - 1) f.colour[f.colours++] = lowest_bit(present);
    flood_cells(&f, g);
    GLOBAL word *out = k->arena + at;
    out = univalued ? flood_univalued(k, &f, out, &end) : flood_mixed(k, &f, out, &end);
    uint objects = (uint)(end - room), first = (uint)(out - k->arena);
    for (uint n = 0; n < objects; n++) out[n] = room[n];
    k->used = first + objects - at;
    return objects ? made_ref(first, objects) : 0;
}
#endif

#endif
