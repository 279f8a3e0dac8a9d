/* Objects: sets of sets of cells. A result is the list of references to the objects, then all their cells.
 *
 * objects() works on runs, not on cells: for most grids as cl/flood_objects.h has it. The others become bit sets, one
 * bit a cell in raster order, 64 cells a word; a run is a stretch of joined cells, as long as possible within one row
 * and one such word. Runs are united where bits say that they touch; the root of a component is its first run. Reading
 * bytes as words takes the first byte of a word for its lowest: devices are little-endian.
 */
#define ROOM_PER_CELL (4 + ARCL_TEAM / 32) /* uints that a team has: see object_room */
#include "cells.h"
#include "colour_counts.h"
#include "flood_objects.h"
#include "rows_colour.h"
#include "sort.h"
#include "team_objects.h"

LANE word made_objects(lane *k, uint at, uint objects, uint cells) {
    k->used = objects + cells;
    return objects ? made_ref(at, objects) : 0;
}

/* ---- bit sets of cells ---- */

/* Bit p of word x tells whether cells 64 * x + p and `back` before it are equal, of those from cell `first` on, which
 * is no less than `back`. */
LANE ulong same_back(GLOBAL const cellbyte *cells, int n, int x, int back, int first) {
    int from = 64 * x < first ? first : 64 * x, end = n < 64 * (x + 1) ? n : 64 * (x + 1);
    if (from >= end) return 0;
    return same_cells(cells + from, cells + from - back, end - from) << (from - 64 * x);
}

/* ---- the forest of runs ---- */

/* The first cell of the run of cell p. */
LANE uint run_of(GLOBAL const ulong *start, int p) {
    return (uint)((p & ~63) + highest_bit(start[p >> 6] & (~(ulong)0 >> (63 - (p & 63)))));
}

/* Most paths are short: two steps without looking make the loop's end predictable. */
LANE uint root_of(GLOBAL uint *parent, uint p) {
    uint root = parent[parent[p]];
    while (parent[root] != root) root = parent[root];
    parent[p] = root;
    return root;
}

LANE void unite(GLOBAL const ulong *start, GLOBAL uint *parent, int p, int q) {
    uint a = root_of(parent, run_of(start, p)), b = root_of(parent, run_of(start, q));
    parent[a > b ? a : b] = a > b ? b : a;
}

/* Unites the runs of the cells p of word x that are in `touch` with the runs of p - back. */
LANE void unite_all(GLOBAL const ulong *start, GLOBAL uint *parent, ulong touch, int x, int back) {
    for (; touch; touch &= touch - 1) {
        int p = 64 * x + lowest_bit(touch);
        unite(start, parent, p, p - back);
    }
}

/* ---- objects ---- */

/* Where objects() keeps what, all of it behind the room for the result. Runs are named by their first cells. Those of
 * one component are chained in the order of their cells: the next one is link[p], unless p is the tail. */
typedef struct {
    GLOBAL uint *count;  /* cells of each colour */
    GLOBAL uint *next;   /* where the next run of each colour goes, in `sorted` */
    GLOBAL ulong *row;   /* bits of the first cells of rows */
    GLOBAL ulong *live;  /* bits of the cells that are not background */
    GLOBAL ulong *start; /* bits of the first cells of runs, and of all cells between runs */
    GLOBAL ulong *same;  /* bits of the cells that have the colour of the one before, in the row */
    GLOBAL uint *parent; /* of a run, never behind it */
    GLOBAL uint *tail;   /* of a root: the last run of its chain */
    GLOBAL uint *link;
    GLOBAL uint *sorted;  /* runs by colour */
    GLOBAL uchar *beyond; /* how many cells of a run follow the first */
    int cells, words;
} workshop;

#define MOST_CELLS (1 << 27) /* so that all of it has less than MOST_EXTENT */
#define NOWHERE 0xffffffffu  /* the tail of a chain that has not begun */
#define AT_ONCE 10           /* cells of a run that are written without counting: slack behind the result */

/* The words of zeros in front of the live cells: what lies a row and a cell before the first of them is read. */
LANE int zeros_before(grid g) { return (g.w + 1) / 64 + 2; }

LANE uint workshop_words(grid g) {
    uint words = ((uint)g.h * (uint)g.w + 63) / 64;
    return 2 * COLOUR_COUNTS + 4 * (words + 2) + (uint)zeros_before(g) + (4 * 32 + 8) * words;
}

LANE workshop workshop_at(grid g, GLOBAL word *room) {
    workshop s;
    s.cells = g.h * g.w;
    s.words = (s.cells + 63) / 64;
    s.count = (GLOBAL uint *)room;
    s.next = s.count + 2 * COLOUR_COUNTS;
    s.row = (GLOBAL ulong *)room + 2 * COLOUR_COUNTS;
    s.live = s.row + s.words + 2 + zeros_before(g);
    s.start = s.live + s.words + 2;
    s.same = s.start + s.words + 2;
    s.parent = (GLOBAL uint *)(s.same + s.words + 2);
    s.tail = s.parent + 64 * s.words;
    s.link = s.tail + 64 * s.words;
    s.sorted = s.link + 64 * s.words;
    s.beyond = (GLOBAL uchar *)(s.sorted + 64 * s.words);
    return s;
}

/* Marks the first cells of the rows, and the one behind the last. */
LANE void mark_rows(grid g, workshop s) {
    for (int x = 0; x < s.words + 2; x++) s.row[x] = 0;
    for (int i = 0, p = 0; i <= g.h; i++, p += g.w) s.row[p >> 6] |= (ulong)1 << (p & 63);
}

/* Finds the runs and unites those that touch. A run touches the one above where it has a cell below one of its cells;
 * of several such cells in a row only the first counts. Diagonally it is enough to look at the ends of runs. */
LANE void label_runs(grid g, workshop s, int background, int univalued, int diagonal) {
    int n = s.cells;
    for (int p = 0; p < n; p++) s.parent[p] = s.tail[p] = (uint)p;
    for (int x = -zeros_before(g); x < 0; x++) s.live[x] = 0;
    for (int x = 0; x < s.words; x++) {
        int first = 64 * x; /* cell of the word */
        int count = n - first < 64 ? n - first : 64;
        ulong row = s.row[x], row_last = (row >> 1) | (s.row[x + 1] << 63);
        ulong valid = ~(ulong)0 >> (64 - count), same = same_back(g.at, n, x, 1, 1) & ~row;
        ulong live = ~equal_cells(g.at + first, count, (cellbyte)background) & valid;
        s.live[x] = live;
        s.same[x] = same;
        ulong left = live & (univalued ? same : bits_from(s.live, first - 1) & ~row);
        ulong above = live & (univalued ? same_back(g.at, n, x, g.w, g.w) : bits_from(s.live, first - g.w));
        s.start[x] = ~left | 1;
        if (left & 1) unite(s.start, s.parent, first, first - 1);
        unite_all(s.start, s.parent, above & ~(left & (above << 1)), x, g.w);
        if (diagonal) {
            ulong back = univalued ? same_back(g.at, n, x, g.w + 1, g.w + 1) : bits_from(s.live, first - g.w - 1);
            ulong ahead = univalued ? same_back(g.at, n, x, g.w - 1, g.w) : bits_from(s.live, first - g.w + 1);
            unite_all(s.start, s.parent, back & live & ~(above | left | row), x, g.w + 1);
            unite_all(s.start, s.parent, ahead & live & ~(above | (left >> 1) | row_last), x, g.w - 1);
        }
    }
}

/* The ends of the runs that start at `start`, which are also the cells before gaps. */
LANE ulong run_ends(ulong start) { return (start >> 1) | ((ulong)1 << 63); }

/* Makes each run's parent its root, chains the runs of a component, and sorts the roots by colour, in raster order
 * within. Returns the number of components. No branch asks what a run is: on noise nobody could predict the answer. */
LANE uint gather_univalued(grid g, workshop s, colours range) {
    uint components = 0, from = 0;
    for (int x = 0; x < s.words; x++) {
        ulong first = s.start[x] & s.live[x], last = run_ends(s.start[x]) & s.live[x];
        for (; first; first &= first - 1, last &= last - 1) {
            int bit = lowest_bit(first);
            uint p = 64 * (uint)x + (uint)bit, root = s.parent[s.parent[p]];
            s.parent[p] = root;
            s.link[s.tail[root]] = p;
            s.tail[root] = p;
            s.beyond[p] = (uchar)(lowest_bit(last) - bit);
            GLOBAL uint *next = s.next + (g.at[p] + 128);
            s.sorted[*next] = p;
            *next += root == p;
        }
    }
    for (int c = range.low + 128; c <= range.high + 128; c++) {
        components += s.next[c] - from;
        from += s.count[c];
    }
    return components;
}

/* Does the same for components of several colours: cuts their runs where the colour changes, sorts all the pieces by
 * colour, and then chains them in that order. The heads of the chains replace the sorted pieces. */
LANE uint gather_mixed(grid g, workshop s, colours range) {
    uint components = 0, root = 0, from = 0;
    for (int x = 0; x < s.words; x++) {
        ulong cut = ~s.same[x] | 1, first = cut & s.live[x], last = run_ends(cut) & s.live[x];
        for (; first; first &= first - 1, last &= last - 1) {
            int bit = lowest_bit(first);
            uint p = 64 * (uint)x + (uint)bit, own = s.parent[s.parent[p]];
            root = (s.start[x] >> bit) & 1 ? own : root;
            s.parent[p] = root;
            s.tail[root] = NOWHERE;
            s.beyond[p] = (uchar)(lowest_bit(last) - bit);
            s.sorted[s.next[g.at[p] + 128]++] = p;
        }
    }
    for (int c = range.low + 128; c <= range.high + 128; c++) {
        for (uint n = from; n < s.next[c]; n++) {
            uint p = s.sorted[n], tail = s.tail[s.parent[p]], fresh = tail == NOWHERE;
            s.tail[s.parent[p]] = p;
            s.link[fresh ? p : tail] = p;
            s.sorted[components] = p;
            components += fresh;
        }
        from += s.count[c];
    }
    return components;
}

/* Writes the components whose chains begin at head[0..n): their cells from arena[place] on, and where they are to
 * `reference`. Returns where the cells end. A few cells are written at once; the next replace what was too many. */
LANE uint write_chains(lane *k, grid g, workshop s, int univalued, GLOBAL const uint *head, uint n,
                       GLOBAL word *reference, uint place) {
    ulong inverse = (((ulong)1 << 44) / (ulong)g.w) + 1; /* p * inverse >> 44 is p / g.w, as p * g.w < 2^44 */
    word wrap = (1 << 24) - g.w, colour = n ? colour_word(colour_of_byte(g.at[head[0]])) : 0;
    for (uint m = 0; m < n; m++) {
        uint p = head[m], begin = place, tail = s.tail[univalued ? p : s.parent[p]];
        for (;; p = s.link[p]) {
            uint beyond = s.beyond[p];
            if (!univalued) colour = colour_word(colour_of_byte(g.at[p]));
            word cell = colour + (word)p + (word)((p * inverse) >> 44) * wrap;
            GLOBAL word *out = k->arena + place;
            out[0] = cell;
            out[1] = cell + 1;
            if (beyond > 1)
                for (uint x = 2; x < AT_ONCE; x++) out[x] = cell + x;
            for (uint x = AT_ONCE; x <= beyond; x++) out[x] = cell + x;
            place += beyond + 1;
            if (p == tail) break;
        }
        reference[m] = made_ref(begin, place - begin);
    }
    return place;
}

LANE uint objects_extent(lane *k, grid g, int univalued, int diagonal, int without_bg) {
    word cells = (word)g.h * g.w;
    if (g.rows) return objects_rows_extent(k, g);
    if (g.h == 0) return (uint)fail(k, without_bg ? LANE_EMPTY : LANE_BOUNDS);
    if (g.w == 0) return without_bg ? (uint)fail(k, LANE_EMPTY) : 0;
    if (cells > MOST_CELLS) return MOST_EXTENT;
    return 2 * (uint)cells + AT_ONCE + workshop_words(g);
}
/* Gives each colour its part of `sorted`; returns the background: the most frequent colour, or none. */
LANE int share_room(workshop s, colours range, int without_bg) {
    uint most = 0, start = 0;
    int background = NO_CELL;
    for (int c = range.low; c <= range.high; c++) {
        uint n = s.count[c + 128];
        background = n > most && without_bg ? c : background;
        most = n > most ? n : most;
        s.next[c + 128] = start;
        start += n;
    }
    return background;
}

LANE word write_objects(lane *k, grid g, int univalued, int diagonal, int without_bg, uint at) {
    uint cells = (uint)g.h * (uint)g.w, start = 0, done = 0;
    if (cells == 0) return 0;
    if (g.rows) return objects_rows(k, g, univalued, diagonal, without_bg, at);
#ifndef MANY_ITEMS
    uint present = fits_bit_rows(g) ? colours_present(g.at, g.h * g.w) : OTHER_COLOURS;
    if (present != OTHER_COLOURS)
        return flood_objects(k, g, present, univalued, diagonal, without_bg, at, k->arena + at + 2 * cells + AT_ONCE);
#endif
    workshop s = workshop_at(g, k->arena + at + 2 * cells + AT_ONCE);
    colours range = grid_counts(g, s.count);
    if (mixes_none(range) && (without_bg != 0) > (int)k->imm)
        return fail(k, LANE_TYPE); /* there is no most frequent colour */
    int background = share_room(s, range, without_bg);
    mark_rows(g, s);
    label_runs(g, s, background, univalued, diagonal);
    uint components = univalued ? gather_univalued(g, s, range) : gather_mixed(g, s, range);
    uint place = at + components;
    if (!univalued) place = write_chains(k, g, s, 0, s.sorted, components, k->arena + at, place);
    for (int c = range.low + 128; univalued && c <= range.high + 128; c++) {
        uint n = s.next[c] - start;
        place = write_chains(k, g, s, 1, s.sorted + start, n, k->arena + at + done, place);
        done += n;
        start += s.count[c];
    }
    return made_objects(k, at, components, place - at - components);
}

LANE word objects_write(lane *k, grid g, int univalued, int diagonal, int without_bg, uint at) {
#ifdef ARCL_TEAM
    return team_objects(k, g, univalued, diagonal, without_bg, at);
#else
    return write_objects(k, g, univalued, diagonal, without_bg, at);
#endif
}
TEAM_ALLOC4(objects, GRID, INT, INT, INT)

/* The same by a number whose bits are the three conditions. Nothing has no objects, whatever its background. */
LANE int is_univalued(int number) { return number >> 2; }
LANE int is_diagonal(int number) { return number >> 1 & 1; }
LANE int is_without_bg(int number) { return number & 1; }

LANE int names_conditions(lane *k, int number) {
    if (number == NONE) return (int)fail(k, LANE_TYPE);
    return number >= 0 && number < 8 ? 1 : (int)fail(k, LANE_EMPTY);
}
LANE int has_no_cells(grid g) { return !g.rows && (g.h == 0 || g.w == 0); }

LANE uint objects_numbered_extent(lane *k, grid g, int number) {
    if (!names_conditions(k, number) || has_no_cells(g)) return 0;
    return objects_extent(k, g, is_univalued(number), is_diagonal(number), is_without_bg(number));
}
LANE word objects_numbered_write(lane *k, grid g, int number, uint at) {
    return objects_write(k, g, is_univalued(number), is_diagonal(number), is_without_bg(number), at);
}
TEAM_ALLOC2(objects_numbered, GRID, INT)

/* ---- objects as tuples ----
 *
 * Their order, and that of their cells, is what a search finds: objects by their first cells, row by row; from there a
 * ring of neighbours after the other, each row by row. A ring is found as locations, sorted, and gets its colours when
 * the next one has been found from it. The cells come first in the result, then the references to the objects.
 */
typedef struct {
    GLOBAL word *found; /* cells of all objects so far, then the locations of this ring and the next */
    GLOBAL word *room;  /* to sort a ring */
    GLOBAL uchar *seen; /* which cells of the grid are among the found ones */
    int univalued, diagonal, background;
} search;

/* The most frequent colour, as share_room finds it. */
LANE int ground_of(lane *k, grid g, uint at) {
    if (g.rows) return extreme_colour(k, g, 1, at);
    GLOBAL uint *count = (GLOBAL uint *)(k->arena + at);
    colours range = grid_counts(g, count);
    int best = range.low;
    for (int c = range.low; c <= range.high; c++) best = count[c + 128] > count[best + 128] ? c : best;
    return int_of_byte(best);
}

/* Adds the neighbours of a cell that belong to its object and have not been found; returns the new end. Of the nine
 * places around a cell, row by row, the odd ones share a side with it. */
LANE int add_neighbours(lane *k, grid g, search s, int i, int j, int end) {
    int colour = cell_at(k, g, i, j);
    for (int d = s.diagonal ? 0 : 1; d < 9; d += s.diagonal ? 1 : 2) {
        int y = i - 1 + d / 3, x = j - 1 + d % 3;
        if (y < 0 || x < 0 || y >= g.h || x >= g.w || s.seen[(uint)y * (uint)g.w + (uint)x]) continue;
        int other = cell_at(k, g, y, x);
        if (other == s.background || (s.univalued && other != colour)) continue;
        s.seen[(uint)y * (uint)g.w + (uint)x] = 1;
        s.found[end++] = loc_word(y, x);
    }
    return end;
}

/* Finds the object of which found[first] is the first location; returns where it ends. */
LANE int search_object(lane *k, grid g, search s, int first) {
    int end = first + 1, ring_end = end;
    for (int n = first; n < end; n++) {
        if (n == ring_end) {
            sort_words(s.found + n, s.room, end - n);
            ring_end = end;
        }
        int i = loc_i(s.found[n]), j = loc_j(s.found[n]);
        end = add_neighbours(k, g, s, i, j, end);
        s.found[n] += colour_word(colour_of_int(k, cell_at(k, g, i, j)));
    }
    return end;
}

LANE uint objects_tuple_extent(lane *k, grid g, int univalued, int diagonal, int without_bg) {
    word cells = (word)g.h * g.w;
    if (has_no_cells(g)) return 0;
    return g.rows ? objects_rows_extent(k, g) : extent_of(3 * cells + cells / 8 + 1 + COLOUR_COUNTS);
}
LANE word objects_tuple_write(lane *k, grid g, int univalued, int diagonal, int without_bg, uint at) {
    int cells = g.h * g.w, objects = 0, end = 0;
    if (cells == 0) return 0;
    GLOBAL word *found = k->arena + at;
    GLOBAL word *reference = found + cells;
    search s = {found, reference + cells, (GLOBAL uchar *)(reference + 2 * cells), univalued, diagonal, NONE};
    if (without_bg) s.background = ground_of(k, g, at);
    if (k->status) return 0;
    for (int p = 0; p < cells; p++) s.seen[p] = 0;
    for (int p = 0; p < cells; p++) {
        int i = p / g.w, j = p % g.w, first = end;
        if (s.seen[p] || cell_at(k, g, i, j) == s.background) continue;
        s.seen[p] = 1;
        found[first] = loc_word(i, j);
        end = search_object(k, g, s, first);
        reference[objects++] = made_ref(at + (uint)first, (uint)(end - first));
    }
    for (int n = 0; n < objects; n++) found[end + n] = reference[n];
    k->used = (uint)end + (uint)objects;
    return objects ? made_ref(at + (uint)end, (uint)objects) : 0;
}
ALLOC4(objects_tuple, GRID, INT, INT, INT)

LANE uint objects_tuple_numbered_extent(lane *k, grid g, int number) {
    return names_conditions(k, number) ? objects_tuple_extent(k, g, 0, 0, 0) : 0;
}
LANE word objects_tuple_numbered_write(lane *k, grid g, int number, uint at) {
    return objects_tuple_write(k, g, is_univalued(number), is_diagonal(number), is_without_bg(number), at);
}
ALLOC2(objects_tuple_numbered, GRID, INT)

/* ---- one object a colour ---- */

/* All cells by colour; those of the background may be written too, but behind the end. */
LANE word write_partition(lane *k, grid g, int foreground, uint at) {
    uint cells = (uint)g.h * (uint)g.w, objects = 0, place = 0, hidden = 0;
    int background = NO_CELL - 1;
    if (g.rows) return partition_rows(k, g, foreground, at);
    if (cells == 0) return 0;
    GLOBAL uint *count = (GLOBAL uint *)(k->arena + at + cells + 256);
    colours range = grid_counts(g, count);
    if (!k->imm && mixes_none(range)) return fail(k, LANE_TYPE);
    for (int c = range.low; c <= range.high; c++) {
        if (foreground && count[c + 128] > hidden) {
            hidden = count[c + 128];
            background = c;
        }
        objects += count[c + 128] > 0;
    }
    objects -= hidden > 0;
    GLOBAL word *reference = k->arena + at;
    for (int c = range.low; c <= range.high; c++) { /* the background goes behind the others */
        uint n = count[c + 128];
        count[c + 128] = c == background ? cells - hidden : place;
        if (n == 0 || c == background) continue;
        *reference++ = made_ref(at + objects + place, n);
        place += n;
    }
    cells_by_colour(g, count, background, k->arena + at + objects);
    return made_objects(k, at, objects, cells - hidden);
}

LANE uint partition_extent(lane *k, grid g) {
    word need = total_cells(g) + 256 + COLOUR_COUNTS;
    if (g.rows) return partition_rows_extent(g);
    if (total_cells(g) == 0) return 0;
    return extent_of(need);
}
#ifdef ARCL_TEAM
#define partition_by(k, g, foreground, at) team_partition(k, g, foreground, at)
LANE word team_partition(lane *k, grid g, int foreground, uint at) {
    colour_order order;
    int cells = g.h * g.w;
    if (g.rows || cells == 0 || cells > ARCL_TEAM_CELLS || !order_by_colour(k, g, k->desk->room, &order))
        return ALONE(k, write_partition(k, g, foreground, at));
    return ordered_partition(k, g, &order, foreground ? most_frequent(k, &order) : -1, at);
}
#else
#define partition_by(k, g, foreground, at) write_partition(k, g, foreground, at)
#endif

LANE word partition_write(lane *k, grid g, uint at) { return partition_by(k, g, 0, at); }
TEAM_ALLOC1(partition, GRID)

LANE uint fgpartition_extent(lane *k, grid g) {
    if (total_cells(g) == 0) return (uint)fail(k, LANE_EMPTY);
    return partition_extent(k, g);
}
LANE word fgpartition_write(lane *k, grid g, uint at) { return partition_by(k, g, 1, at); }
TEAM_ALLOC1(fgpartition, GRID)

/* ---- rows and columns of one colour ---- */

/* A line is kept as colour | i:16 | j:16 | kind:8, with i and j its first cell, which sorts lines in natural
 * order: where a row and a column start in one cell the row comes first, unless the column is that cell alone. */
#define LINE_ROW 1
LANE word line_key(int colour, int i, int j, int kind) {
    return ((word)colour * ((word)1 << 40)) | ((word)i << 24) | ((word)j << 8) | kind;
}

/* Writes the keys of the lines, sorted; there is room for twice h + w words, and w bytes. */
LANE int find_lines(grid g, GLOBAL word *lines, GLOBAL uchar *differs) {
    int n = 0;
    GLOBAL const cellbyte *row = g.at;
    for (int j = 0; j < g.w; j++) differs[j] = 0;
    for (int i = 0; i < g.h; i++) {
        int j = 1;
        while (j < g.w && row[j] == row[0]) j++;
        if (j == g.w) lines[n++] = line_key(colour_of_byte(row[0]), i, 0, LINE_ROW);
        for (j = 0; j < g.w; j++) differs[j] |= (uchar)(row[j] ^ g.at[j]);
        row += g.w;
    }
    if (g.h == 1 && g.w == 1) return n;
    for (int j = 0; j < g.w; j++)
        if (!differs[j]) lines[n++] = line_key(colour_of_byte(g.at[j]), 0, j, g.h == 1 ? LINE_ROW - 1 : LINE_ROW + 1);
    sort_words(lines, lines + g.h + g.w, n);
    return n;
}

/* The same for a grid that has rows. A row is judged by all its cells, but taken up to the end of the first row, which
 * a shorter one does not reach; columns are those that all rows have. */
RARE int find_lines_in_rows(lane *k, grid g, GLOBAL word *lines) {
    int n = 0, columns = shortest_row(g);
    for (int i = 0; i < g.h; i++) {
        if (!row_has_one_colour(k, g, i)) continue;
        if (row_length(g, i) < g.w) return (int)fail(k, LANE_BOUNDS);
        lines[n++] = line_key(colour_of_int(k, cell_at(k, g, i, 0)), i, 0, LINE_ROW);
    }
    if (g.h == 1 && g.w == 1) return n;
    for (int j = 0; j < columns; j++)
        if (column_has_one_colour(k, g, j))
            lines[n++] = line_key(colour_of_int(k, cell_at(k, g, 0, j)), 0, j, g.h == 1 ? LINE_ROW - 1 : LINE_ROW + 1);
    sort_words(lines, lines + g.h + g.w, n);
    return n;
}

LANE uint frontiers_extent(lane *k, grid g) {
    if (g.h == 0) return (uint)fail(k, LANE_BOUNDS);
    if (g.w == 0 && !g.rows) return 0;
    word need = 2 * (word)g.h * g.w + 3 * ((word)g.h + g.w) + g.w / 8 + 1;
    return extent_of(need);
}
LANE word frontiers_write(lane *k, grid g, uint at) {
    if (g.w == 0 && !g.rows) return 0;
    uint most = 2 * (uint)g.h * (uint)g.w + (uint)g.h + (uint)g.w;
    GLOBAL word *lines = k->arena + at + most;
    int n = g.rows ? find_lines_in_rows(k, g, lines) : find_lines(g, lines, (GLOBAL uchar *)(lines + 2 * (g.h + g.w)));
    int mixes = n > 1 && (lines[0] >> 40) == NO_COLOUR && (lines[n - 1] >> 40) != NO_COLOUR;
    if (mixes && !k->imm) return fail(k, LANE_TYPE);
    if (g.w == 0 && n > 1) n = 1; /* rows taken up to nothing are the same object */
    uint place = at + (uint)n;
    for (int x = 0; x < n; x++) {
        int row = (lines[x] & 255) == LINE_ROW, length = row ? g.w : g.h;
        int i = (int)(lines[x] >> 24) & 0xffff, j = (int)(lines[x] >> 8) & 0xffff;
        word cell = colour_word((int)(lines[x] >> 40)) + loc_word(i, j);
        word step = row ? 1 : loc_word(1, 0);
        for (int y = 0; y < length; y++) k->arena[place + (uint)y] = cell + step * y;
        k->arena[at + (uint)x] = length ? made_ref(place, (uint)length) : 0;
        place += (uint)length;
    }
    return made_objects(k, at, (uint)n, place - at - (uint)n);
}
ALLOC1(frontiers, GRID)

/* ---- where an object occurs ---- */

/* Clears, for the positions p < n, hit[p] where at[p] is not c. Returns whether some are left. */
LANE int keep_matches(GLOBAL uchar *restrict hit, int n, GLOBAL const cellbyte *restrict at, cellbyte c) {
    uchar some = 0;
    for (int p = 0; p < n; p++) {
        hit[p] &= at[p] == c;
        some |= hit[p];
    }
    return some;
}

/* The locations of the hits: one word is written before it is known to stay. */
LANE int write_hits(GLOBAL const uchar *hit, int stride, int high, int wide, GLOBAL word *out) {
    int m = 0;
    for (int i = 0; i < high; i++) {
        for (int j = 0; j < wide; j++) {
            out[m] = loc_word(i, j);
            m += hit[j];
        }
        hit += stride;
    }
    return m;
}

#ifndef MANY_ITEMS
/* The same for grids of the usual size with a bit a cell, 64 cells a word in raster order. */
#define HIT_WORDS 16
LANE int fits_hits(grid g) { return g.w < 64 && g.h * g.w >= 8 && g.h * g.w <= 64 * HIT_WORDS; }

/* The cells of a colour; behind them are none. */
LANE void hits_of_colour(ulong *cells, grid g, cellbyte colour) {
    int n = g.h * g.w, x = 0;
    for (; 64 * x < n; x++) cells[x] = equal_cells(g.at + 64 * x, n - 64 * x < 64 ? n - 64 * x : 64, colour);
    cells[x] = cells[x + 1] = 0;
}
LANE ulong keep_hits(ulong *restrict hit, int words, const ulong *restrict cells, int off) {
    ulong some = 0;
    const ulong *from = cells + (off >> 6);
    int by = off & 63;
    for (int x = 0; x < words; x++) {
        hit[x] &= from[x] >> by | from[x + 1] << 1 << (63 - by);
        some |= hit[x];
    }
    return some;
}
LANE word write_hit_bits(lane *k, const ulong *hit, int w, int high, int wide, uint at) {
    GLOBAL word *out = k->arena + at;
    for (int i = 0, p = 0; i < high; i++, p += w) {
        ulong row = hit[p >> 6] >> (p & 63) | hit[(p >> 6) + 1] << 1 << (63 - (p & 63));
        out = write_bits(out, row & (((ulong)1 << wide) - 1), loc_word(i, 0));
    }
    return made_list(k, at, (int)(out - (k->arena + at)));
}
LANE word occurrences_by_bits(lane *k, grid g, list object, bounds b, uint at) {
    ulong cells[HIT_WORDS + 2], hit[HIT_WORDS + 1];
    int high = g.h - (b.bottom - b.top), wide = g.w - (b.right - b.left), n = (high - 1) * g.w + wide;
    int words = (n + 63) / 64, drawn = NONE;
    for (int x = 0; x < words; x++) hit[x] = ~(ulong)0;
    hit[words - 1] = ~(ulong)0 >> (64 * words - n);
    hit[words] = 0;
    for (int x = object.n - 1; x >= 0; x--) {
        int colour = loc_colour(object.at[x]);
        if (colour != NO_COLOUR && (colour > 127 || colour < -127)) return 0;
        if (colour != drawn) hits_of_colour(cells, g, (cellbyte)(colour == NO_COLOUR ? NO_CELL : colour));
        drawn = colour;
        k->work += (uint)n / 16;
        if (gives_up(k)) return 0;
        if (!keep_hits(hit, words, cells, (loc_i(object.at[x]) - b.top) * g.w + loc_j(object.at[x]) - b.left)) return 0;
    }
    return write_hit_bits(k, hit, g.w, high, wide, at);
}
#endif

/* An object of no cells is everywhere, as a box of 0 by 0: also in the row and the column behind the last. */
LANE uint occurrences_extent(lane *k, grid g, list object) {
    if (g.h == 0) return (uint)fail(k, LANE_BOUNDS);
    word need = object.n ? (word)g.h * g.w + (word)g.h * g.w / 8 + 2 : ((word)g.h + 1) * (g.w + 1);
    return extent_of(need);
}
LANE word occurrences_write(lane *k, grid g, list object, uint at) {
    GLOBAL word *out = k->arena + at;
    if (object.n == 0) {
        for (int i = 0; i <= g.h; i++)
            for (int j = 0; j <= g.w; j++) *out++ = loc_word(i, j);
        return made_list(k, at, (g.h + 1) * (g.w + 1));
    }
    bounds b = patch_bounds(object);
    if (b.bottom - b.top >= g.h || b.right - b.left >= g.w) return 0;
    if (g.rows) return occurrences_in_rows(k, g, object, b, at);
#ifndef MANY_ITEMS
    if (fits_hits(g)) return occurrences_by_bits(k, g, object, b, at);
#endif
    int high = g.h - (b.bottom - b.top), wide = g.w - (b.right - b.left), n = (high - 1) * g.w + wide;
    GLOBAL uchar *hit = (GLOBAL uchar *)(out + g.h * g.w + 1);
    uint work = k->work;
    for (int p = 0; p < n; p++) hit[p] = 1;
    for (int x = object.n - 1; x >= 0; x--) { /* the last first: a high colour is rarely the background */
        int colour = loc_colour(object.at[x]);
        if (colour != NO_COLOUR && (colour > 127 || colour < -127)) return 0;
        int off = (loc_i(object.at[x]) - b.top) * g.w + loc_j(object.at[x]) - b.left;
        k->work = work += (uint)n / 16;
        if (work > MOST_WORK) return 0;
        if (!keep_matches(hit, n, g.at + off, (cellbyte)(colour == NO_COLOUR ? NO_CELL : colour))) return 0;
    }
    return made_list(k, at, write_hits(hit, g.w, high, wide, out));
}
COUNTED_ALLOC2(occurrences, GRID, PATCH)
