/* Measures of grids and patches: sizes, corners, centers, and how two patches lie to each other.
 *
 * A patch is sorted by colour, then row, then column. Most have one colour, and then the first and the last word give
 * the rows. Distances between patches are found on bitmaps of the part of the plane that matters, so that they cost the
 * sum of the two sizes, not the product; only a few cells, or cells strewn over a huge box, are compared pair by pair.
 */
#include "mask.h"
#include "sort.h"

/* ---- sizes ---- */

/* The bounding box of a non-empty patch. */
LANE bounds box_around(list p) {
    if (!one_colour(p)) return patch_bounds(p);
    bounds b;
    b.top = loc_i(p.at[0]);
    b.bottom = loc_i(p.at[p.n - 1]);
    b.left = b.right = loc_j(p.at[0]);
    for (int n = 1; n < p.n; n++) {
        int j = loc_j(p.at[n]);
        b.left = j < b.left ? j : b.left;
        b.right = j > b.right ? j : b.right;
    }
    return b;
}

/* The same, counted. */
LANE bounds box_of(lane *k, list p) {
    k->work += (uint)p.n;
    return box_around(p);
}

/* An empty patch measures 0 by 0. */
LANE bounds box_or_nothing(lane *k, list p) {
    if (p.n) return box_of(k, p);
    bounds b;
    b.top = b.left = 0;
    b.bottom = b.right = -1;
    return b;
}

#ifdef ARCL_TEAM
LANE bounds team_box_of(lane *k, list p) {
    k->work += (uint)p.n;
    return team_bounds(k, p);
}
#else
#define team_box_of(k, p) box_of(k, p)
#endif

LANE int box_height(bounds b) { return b.bottom - b.top + 1; }
LANE int box_width(bounds b) { return b.right - b.left + 1; }

LANE word height_grid(lane *k, grid g) { return g.h; }
LANE word width_grid(lane *k, grid g) { return g.w; }
LANE word shape_grid(lane *k, grid g) { return loc_word(g.h, g.w); }
LANE word portrait_grid(lane *k, grid g) { return g.h > g.w; }
LANE word square_grid(lane *k, grid g) { return g.h ? g.h == g.w : fail(k, LANE_BOUNDS); }
ATOM1(height_grid, GRID)
ATOM1(width_grid, GRID)
ATOM1(shape_grid, GRID)
ATOM1(portrait_grid, GRID)
ATOM1(square_grid, GRID)

LANE word height_patch(lane *k, list p) {
    if (p.n && one_colour(p)) return loc_i(p.at[p.n - 1]) - loc_i(p.at[0]) + 1;
    return box_height(box_or_nothing(k, p));
}
LANE word width_patch(lane *k, list p) { return box_width(box_or_nothing(k, p)); }
LANE word shape_patch(lane *k, list p) {
    bounds b = box_or_nothing(k, p);
    return loc_result(k, box_height(b), box_width(b));
}
LANE word portrait_patch(lane *k, list p) {
    bounds b = box_or_nothing(k, p);
    return box_height(b) > box_width(b);
}
/* These three count elements, so that two colours at one place count twice. */
LANE word square_patch(lane *k, list p) {
    bounds b = box_or_nothing(k, p);
    return box_height(b) == box_width(b) && (word)box_height(b) * box_width(b) == p.n;
}
/* A patch in raster order is a line if each location comes right behind the one before, in the next column or row:
 * then so are the last and the first, and between those of one row there is no room for others. */
LANE int in_raster_order(list p) { return p.n && one_colour(p) && is_coloured_cell(p.at[0]); }
LANE word vline(lane *k, list p) {
    word down = (word)1 << 24;
    if (in_raster_order(p)) {
        int n = p.n - 1;
        if (p.at[n] - p.at[0] != n * down) return 0;
        while (n > 0 && p.at[n] - p.at[n - 1] == down) n--;
        return n == 0;
    }
    bounds b = box_or_nothing(k, p);
    return box_height(b) == p.n && box_width(b) == 1;
}
LANE word hline(lane *k, list p) {
    if (in_raster_order(p)) return p.at[p.n - 1] - p.at[0] == p.n - 1;
    bounds b = box_or_nothing(k, p);
    return box_width(b) == p.n && box_height(b) == 1;
}
COUNTED_ATOM1(height_patch, PATCH)
COUNTED_ATOM1(width_patch, PATCH)
COUNTED_ATOM1(shape_patch, PATCH)
COUNTED_ATOM1(portrait_patch, PATCH)
COUNTED_ATOM1(square_patch, PATCH)
COUNTED_ATOM1(vline, PATCH)
COUNTED_ATOM1(hline, PATCH)

/* ---- edges, corners and centers ---- */

LANE word uppermost(lane *k, list p) {
    if (p.n == 0) return fail_empty(k);
    return one_colour(p) ? loc_i(p.at[0]) : box_of(k, p).top;
}
LANE word lowermost(lane *k, list p) {
    if (p.n == 0) return fail_empty(k);
    return one_colour(p) ? loc_i(p.at[p.n - 1]) : box_of(k, p).bottom;
}
COUNTED_ATOM1(uppermost, PATCH)
COUNTED_ATOM1(lowermost, PATCH)

LANE word box_center(bounds b) { return loc_word(b.top + box_height(b) / 2, b.left + box_width(b) / 2); }

#define OF_BOX(name, if_empty, expression)                                                                             \
    LANE word name(lane *k, list p) {                                                                                  \
        if (p.n == 0) return if_empty;                                                                                 \
        bounds b = box_of(k, p);                                                                                       \
        return expression;                                                                                             \
    }                                                                                                                  \
    COUNTED_ATOM1(name, PATCH)

OF_BOX(leftmost, fail_empty(k), b.left)
OF_BOX(rightmost, fail_empty(k), b.right)
OF_BOX(ulcorner, EMPTY_IJ, loc_word(b.top, b.left))
OF_BOX(urcorner, EMPTY_IJ, loc_word(b.top, b.right))
OF_BOX(llcorner, EMPTY_IJ, loc_word(b.bottom, b.left))
OF_BOX(lrcorner, EMPTY_IJ, loc_word(b.bottom, b.right))
OF_BOX(center, fail_empty(k), box_center(b))

/* The bounds of a mask that is not empty. */
#ifdef ARCL_TEAM
LANE bounds mask_box(lane *k, mask m) {
    int4 edges = (int4)((int2)(INT_MAX), (int2)(-1));
    TEAM_FOR(n, m.n) {
        uint row = m.row[n];
        if (!row) continue;
        edges = (int4)(min(edges.lo, (int2)(n, lowest_bit(row))), max(edges.hi, (int2)(n, highest_bit(row))));
    }
    edges = desk_edges(k->desk, edges);
    bounds b = {edges.x, edges.y, edges.z, edges.w};
    return b;
}
#else
LANE bounds mask_box(lane *k, mask m) {
    GLOBAL const ulong *rows = (GLOBAL const ulong *)m.row; /* two at a time */
    int top = 0, bottom = m.n - 1;
    ulong both = 0;
    for (int n = 0; n < m.n / 2; n++) both |= rows[n];
    uint columns = (uint)both | (uint)(both >> 32);
    while (!m.row[top]) top++;
    while (!m.row[bottom]) bottom--;
    bounds b = {top, lowest_bit(columns), bottom, highest_bit(columns)};
    return b;
}
#endif

/* A patch of at most two locations that has the bounds of a mask, for all that asks for nothing else. A list is left as
 * it is. */
LANE uint mask_bounds_extent(lane *k, word patch) { return 0; }
LANE uint mask_bounds_more(lane *k, word patch) { return is_mask(patch) ? 2 : 0; }
LANE word mask_bounds_write(lane *k, word patch, uint at) {
    if (!is_mask(patch)) return patch;
    bounds b = mask_box(k, mask_of(k, patch));
    if (LEADS) {
        k->arena[at] = loc_word(b.top, b.left);
        k->arena[at + 1] = loc_word(b.bottom, b.right);
    }
    return made_list(k, at, b.top == b.bottom && b.left == b.right ? 1 : 2);
}
TEAM_MASKED_ALLOC1(mask_bounds, ANY)

/* Corners by number: 0 upper left, 1 upper right, 2 lower left, 3 lower right. Any other is the first. */
LANE word corner(lane *k, list p, int number) {
    if (number == NONE) return fail(k, LANE_TYPE);
    if (p.n == 0) return EMPTY_IJ;
    bounds b = box_of(k, p);
    return loc_word(number == 2 || number == 3 ? b.bottom : b.top, number == 1 || number == 3 ? b.right : b.left);
}
COUNTED_ATOM2(corner, PATCH, INT)

/* Edges by number: 0 lowermost, 1 uppermost, 2 leftmost, 3 rightmost. */
LANE word col_row(lane *k, list p, int number) {
    if (number == NONE) return fail(k, LANE_TYPE);
    if (p.n == 0 || number < 0 || number > 3) return fail_empty(k);
    bounds b = box_of(k, p);
    return number == 0 ? b.bottom : number == 1 ? b.top : number == 2 ? b.left : b.right;
}
COUNTED_ATOM2(col_row, PATCH, INT)

/* The mean is taken over distinct locations but divided by the number of elements. */
LANE uint centerofmass_extent(lane *k, list p) { return p.n == 0 || one_colour(p) ? 0 : 2 * (uint)p.n; }
LANE word centerofmass_write(lane *k, list p, uint at) {
    if (p.n == 0) return EMPTY_IJ;
    k->work += (uint)p.n;
    list distinct = p;
    if (!one_colour(p)) {
        distinct.n = patch_locations(p, k->arena + at, k->arena + at + p.n);
        distinct.at = k->arena + at;
    }
    word i = 0, j = 0;
    for (int n = 0; n < distinct.n; n++) {
        i += loc_i(distinct.at[n]);
        j += loc_j(distinct.at[n]);
    }
    return loc_word(floor_div(i, p.n), floor_div(j, p.n));
}
COUNTED_ALLOC1(centerofmass, PATCH)

LANE word position(lane *k, list a, list b) {
    if (a.n == 0 || b.n == 0) return fail_empty(k);
    word from = box_center(box_of(k, a)), to = box_center(box_of(k, b));
    int down = loc_i(to) - loc_i(from), right = loc_j(to) - loc_j(from);
    if (down == 0) return loc_word(0, right > 0 ? 1 : -1);
    if (right == 0) return loc_word(down > 0 ? 1 : -1, 0);
    return loc_word(down > 0 ? 1 : -1, right > 0 ? 1 : -1);
}
COUNTED_ATOM2(position, PATCH, PATCH)

/* An empty grid has a last row, -1, but no last column to ask for. */
LANE word bordering(lane *k, list p, grid g) {
    if (p.n == 0) return fail_empty(k);
    bounds b = team_box_of(k, p);
    if (b.top == 0 || b.left == 0 || b.bottom == g.h - 1) return 1;
    if (g.h == 0) return fail(k, LANE_BOUNDS);
    return b.right == g.w - 1;
}
TEAM_COUNTED_ATOM2(bordering, PATCH, GRID)

/* ---- common rows and columns ---- */

LANE int coordinate(word w, int column) { return column ? loc_j(w) : loc_i(w); }

/* Whether two patches share a row (column = 0) or a column, looking at 64 lines at a time: windows start where the
 * first patch has a line, so there are hardly more of them than it has elements. */
LANE int share_line(lane *k, list a, list b, int column) {
    if (a.n == 1 && b.n == 1) return coordinate(a.at[0], column) == coordinate(b.at[0], column);
    if (a.n == 0 || b.n == 0) return 0;
    bounds s = box_of(k, a), t = box_of(k, b);
    int first = column ? (s.left > t.left ? s.left : t.left) : (s.top > t.top ? s.top : t.top);
    int last = column ? (s.right < t.right ? s.right : t.right) : (s.bottom < t.bottom ? s.bottom : t.bottom);
    while (first <= last && count_work(k, (ulong)a.n + (ulong)b.n)) {
        ulong lines = 0, hits = 0;
        int next = COORD_LIMIT;
        for (int n = 0; n < a.n; n++) {
            int line = coordinate(a.at[n], column), d = line - first;
            if (d >= 0 && d < 64) lines |= (ulong)1 << d;
            if (d >= 64 && line < next) next = line;
        }
        for (int n = 0; n < b.n; n++) {
            int d = coordinate(b.at[n], column) - first;
            if (d >= 0 && d < 64) hits |= (ulong)1 << d;
        }
        if (lines & hits) return 1;
        first = next;
    }
    return 0;
}

LANE word hmatching(lane *k, list a, list b) { return share_line(k, a, b, 0); }
LANE word vmatching(lane *k, list a, list b) { return share_line(k, a, b, 1); }
COUNTED_ATOM2(hmatching, PATCH, PATCH)
COUNTED_ATOM2(vmatching, PATCH, PATCH)

/* ---- contact: adjacent and gravitate ----
 *
 * Patch a slides along one axis, a step at a time. In coordinates (u along, v across) with u growing in the direction
 * of the slide, a cell of a and a cell of b with the same v meet after t = b.u - a.u steps: their distance is 0 after t
 * steps and 1 a step before and after; with neighbouring v it is 1 after t steps. Two masks over t collect this for all
 * pairs; a touches b after those steps for which some pair has distance 1 and none has 0. Bit t + 1 stands for t.
 */
typedef struct {
    int column;    /* whether it goes along the columns' axis, that is, sideways */
    int direction; /* 1 or -1 */
    int steps;     /* the most that matter, below 60 */
} slide;

typedef struct {
    ulong zero, one;
} meetings;

LANE int slide_u(slide s, word w) { return s.direction * coordinate(w, s.column); }
LANE int slide_v(slide s, word w) { return coordinate(w, !s.column); }

/* The box in (v, u) coordinates: rows are v. */
LANE bounds slide_box(slide s, bounds b) {
    bounds r;
    int lowest = s.column ? b.left : b.top, highest = s.column ? b.right : b.bottom;
    r.top = s.column ? b.top : b.left;
    r.bottom = s.column ? b.bottom : b.right;
    r.left = s.direction > 0 ? lowest : -highest;
    r.right = s.direction > 0 ? highest : -lowest;
    return r;
}

/* The part of b that a can touch, as a bitmap of one line per v. Two empty lines on each side and an empty word at each
 * end of a line let a's cells look around without a check. */
typedef struct {
    bounds box; /* of b's cells that matter; empty if bottom < top or right < left */
    int stride; /* words per line */
    uint words; /* of the bitmap; 0: none, compare pairs */
} window;

#define FEW_PAIRS 24

LANE int most(int a, int b) { return a > b ? a : b; }
LANE int least(int a, int b) { return a < b ? a : b; }
LANE int nothing_in(bounds b) { return b.bottom < b.top || b.right < b.left; }

/* Bitmaps must stay in proportion to what they stand for. */
LANE uint bitmap_words(list a, list b, word words) { return words > 4 * ((word)a.n + b.n) + 256 ? 0 : (uint)words; }

LANE window window_of(list a, list b, bounds abox, bounds bbox, slide s) {
    window w;
    bounds p = slide_box(s, abox), q = slide_box(s, bbox);
    w.box.top = most(q.top, p.top - 1);
    w.box.bottom = least(q.bottom, p.bottom + 1);
    w.box.left = most(q.left, p.left - 1);
    w.box.right = least(q.right, p.right + s.steps + 1);
    w.stride = 0;
    w.words = 0;
    if (nothing_in(w.box)) return w;
    w.stride = (box_width(w.box) + 63) / 64 + 2;
    w.words = bitmap_words(a, b, (word)w.stride * (box_height(w.box) + 4));
    return w;
}

LANE void draw_window(window w, list b, slide s, GLOBAL ulong *map) {
    for (uint n = 0; n < w.words; n++) map[n] = 0;
    for (int n = 0; n < b.n; n++) {
        int u = slide_u(s, b.at[n]), v = slide_v(s, b.at[n]);
        if (v < w.box.top || v > w.box.bottom || u < w.box.left || u > w.box.right) continue;
        int bit = u - w.box.left + 64;
        map[(v - w.box.top + 2) * w.stride + (bit >> 6)] |= (ulong)1 << (bit & 63);
    }
}

LANE meetings meet_in_window(window w, list a, slide s, GLOBAL const ulong *map) {
    meetings m;
    m.zero = m.one = 0;
    int first = 64 - s.steps - 2, last = box_width(w.box) + 63; /* a's cells before or after these meet nothing */
    NOT_WIDE for (int n = 0; n < a.n; n++) {
        int v = slide_v(s, a.at[n]), bit = slide_u(s, a.at[n]) - 1 - w.box.left + 64;
        if (v < w.box.top - 1 || v > w.box.bottom + 1 || bit < first || bit > last) continue;
        GLOBAL const ulong *line = map + (v - w.box.top + 2) * w.stride;
        ulong same = bits_from(line, bit);
        m.zero |= same;
        m.one |= (same << 1) | (same >> 1) | bits_from(line - w.stride, bit) | bits_from(line + w.stride, bit);
    }
    return m;
}

LANE int few_pairs(list a, list b) { return (word)a.n * b.n <= FEW_PAIRS; }

/* Few pairs are always within what is free of a call, so that nobody needs to count them. */
LANE int count_pairs(lane *k, list a, list b) { return few_pairs(a, b) || count_work(k, (ulong)a.n * (ulong)b.n); }

LANE meetings meet_in_pairs(lane *k, list a, list b, slide s) {
    meetings m;
    m.zero = m.one = 0;
    if (!count_pairs(k, a, b)) return m;
    for (int n = 0; n < a.n; n++) {
        int u = slide_u(s, a.at[n]) - 1, v = slide_v(s, a.at[n]);
        for (int o = 0; o < b.n; o++) {
            int t = slide_u(s, b.at[o]) - u, across = slide_v(s, b.at[o]) - v;
            if (t < 0 || t > 63 || across < -1 || across > 1) continue;
            ulong bit = (ulong)1 << t;
            m.zero |= across ? 0 : bit;
            m.one |= across ? bit : (bit << 1) | (bit >> 1);
        }
    }
    return m;
}

/* Bit c is set if a touches b after c steps, for c up to s.steps. */
INLINED ulong contacts(lane *k, list a, list b, slide s, uint at) {
    meetings m;
    window w;
    w.words = 0;
    if (!few_pairs(a, b)) {
        w = window_of(a, b, box_of(k, a), box_of(k, b), s);
        if (nothing_in(w.box)) return 0;
    }
    if (w.words) {
        GLOBAL ulong *map = (GLOBAL ulong *)(k->arena + at);
        draw_window(w, b, s, map);
        m = meet_in_window(w, a, s, map);
    } else
        m = meet_in_pairs(k, a, b, s);
    return ((m.one & ~m.zero) >> 1) & (((ulong)2 << s.steps) - 1);
}

LANE slide made_slide(int column, int direction, int steps) {
    slide s;
    s.column = column;
    s.direction = direction;
    s.steps = steps;
    return s;
}

LANE uint adjacent_extent(lane *k, list a, list b) {
    if (a.n == 0 || b.n == 0) return (uint)fail_empty(k);
    return few_pairs(a, b) ? 0 : window_of(a, b, box_of(k, a), box_of(k, b), made_slide(1, 1, 0)).words;
}
LANE word adjacent_write(lane *k, list a, list b, uint at) { return (word)contacts(k, a, b, made_slide(1, 1, 0), at); }
COUNTED_ALLOC2(adjacent, PATCH, PATCH)

#define GRAVITY_STEPS 42

/* In tokpidjin a patch with a missing pair in it, which comes first, is one to nobody but who asks whether it is empty:
 * its center is the origin, it shares no line with another and never touches it. */
LANE int lacks_pair(lane *k, list p) { return k->imm && p.n && is_missing_ij(p.at[0]); }
LANE int center_column(lane *k, list p) { return lacks_pair(k, p) ? 0 : loc_j(box_center(box_of(k, p))); }

/* The directions follow from the centers alone, the axis does not: enough for either. */
LANE uint gravitate_extent(lane *k, word from_patch, word to_patch) {
    list a = list_of(k, from_patch), b = list_of(k, to_patch);
    if (a.n == 0 || b.n == 0) return (uint)fail_empty(k);
    if (lacks_pair(k, a) || lacks_pair(k, b)) return 0;
    if (!patch_argument(k, from_patch) || !patch_argument(k, to_patch)) return 0;
    if (few_pairs(a, b)) return 0;
    bounds s = box_of(k, a), t = box_of(k, b);
    word from = box_center(s), to = box_center(t);
    int down = loc_i(from) < loc_i(to) ? 1 : -1, right = loc_j(from) < loc_j(to) ? 1 : -1;
    uint vertical = window_of(a, b, s, t, made_slide(0, down, GRAVITY_STEPS - 1)).words;
    uint sideways = window_of(a, b, s, t, made_slide(1, right, GRAVITY_STEPS - 1)).words;
    return vertical > sideways ? vertical : sideways;
}
LANE word gravitate_write(lane *k, word from_patch, word to_patch, uint at) {
    list a = list_of(k, from_patch), b = list_of(k, to_patch);
    if (lacks_pair(k, a) || lacks_pair(k, b))
        return loc_word(0, center_column(k, a) < center_column(k, b) ? GRAVITY_STEPS : -GRAVITY_STEPS);
    word from = box_center(box_of(k, a)), to = box_center(box_of(k, b));
    int column = !share_line(k, a, b, 1);
    int direction = coordinate(from, column) < coordinate(to, column) ? 1 : -1;
    ulong touching = contacts(k, a, b, made_slide(column, direction, GRAVITY_STEPS - 1), at);
    int c = touching ? lowest_bit(touching) : GRAVITY_STEPS;
    return column ? loc_word(0, direction * c) : loc_word(direction * c, 0);
}
COUNTED_ALLOC2(gravitate, ANY, ANY)

/* ---- manhattan ----
 *
 * Both patches are drawn into bitmaps of their common box, and the first is grown step by step until it meets the
 * second. A bit at the end of each line stays clear, so that nothing grows from one line into the next.
 */
typedef struct {
    bounds box;
    int stride;
    uint words; /* of one bitmap, with an empty line above and below; 0: compare pairs */
} plane;

LANE int gap(int last, int first) { return first > last ? first - last : 0; }

LANE plane plane_of(lane *k, list a, list b) {
    plane p;
    bounds s = box_of(k, a), t = box_of(k, b);
    p.box.top = least(s.top, t.top);
    p.box.bottom = most(s.bottom, t.bottom);
    p.box.left = least(s.left, t.left);
    p.box.right = most(s.right, t.right);
    p.stride = box_width(p.box) / 64 + 1;
    word words = (word)p.stride * (box_height(p.box) + 2);
    word steps = (word)gap(s.bottom, t.top) + gap(t.bottom, s.top) + gap(s.right, t.left) + gap(t.right, s.left);
    p.words = 0;
    /* Growing takes at least `steps` passes over the bitmaps, a pass about as much per word as a pair. */
    if ((word)a.n * b.n > (steps + 4) * words && bitmap_words(a, b, 3 * words)) p.words = (uint)words;
    return p;
}

LANE void draw_plane(plane p, list patch, GLOBAL ulong *map) {
    for (uint n = 0; n < p.words; n++) map[n] = 0;
    for (int n = 0; n < patch.n; n++) {
        int i = loc_i(patch.at[n]) - p.box.top + 1, j = loc_j(patch.at[n]) - p.box.left;
        map[i * p.stride + (j >> 6)] |= (ulong)1 << (j & 63);
    }
}

#ifndef MANY_ITEMS
/* The same where a line is a word, as it nearly always is: a loop that is made wide. */
LANE int grow_words(int lines, const ulong *restrict from, ulong *restrict to, const ulong *restrict goal) {
    ulong met = 0;
    for (int x = 1; x <= lines; x++) {
        ulong grown = (from[x] | from[x] << 1 | from[x] >> 1 | from[x - 1] | from[x + 1]) & ~(ulong)0 >> 1;
        met |= grown & goal[x];
        to[x] = grown;
    }
    return met != 0;
}
#endif

/* Grows `from` by one step into `to`; says whether that meets `goal`. The empty lines stay empty. */
LANE int grow(plane p, GLOBAL const ulong *from, GLOBAL ulong *to, GLOBAL const ulong *goal) {
    ulong met = 0;
    int stride = p.stride, lines = box_height(p.box);
#ifndef MANY_ITEMS
    if (stride == 1) return grow_words(lines, from, to, goal);
#endif
    for (int q = 0; q < stride; q++) {
        ulong keep = q == stride - 1 ? ~(ulong)0 >> 1 : ~(ulong)0;
        for (int line = 1; line <= lines; line++) {
            int x = line * stride + q;
            ulong sideways = from[x] << 1 | from[x] >> 1 | from[x - 1] >> 63 | from[x + 1] << 63;
            ulong grown = (from[x] | sideways | from[x - stride] | from[x + stride]) & keep;
            met |= grown & goal[x];
            to[x] = grown;
        }
    }
    return met != 0;
}

LANE int steps_between(word a, word b) {
    int di = loc_i(b) - loc_i(a), dj = loc_j(b) - loc_j(a);
    return (di < 0 ? -di : di) + (dj < 0 ? -dj : dj);
}

LANE word manhattan_in_pairs(lane *k, list a, list b) {
    int nearest = 0x7fffffff;
    if (a.n == 1 && b.n == 1) return steps_between(a.at[0], b.at[0]); /* the loops are made for more */
    if (!count_pairs(k, a, b)) return 0;
    for (int n = 0; n < a.n && nearest; n++)
        for (int o = 0; o < b.n; o++) {
            int d = steps_between(a.at[n], b.at[o]);
            nearest = d < nearest ? d : nearest;
        }
    return nearest;
}

/* Of initset(a) and initset(b), which need not be made for that. */
LANE word manhattan_ij(lane *k, word a, word b) {
    if (loc_i(a) == NO_COORD || loc_i(b) == NO_COORD) return fail(k, LANE_TYPE); /* as patch_argument */
    return steps_between(a, b);
}
ATOM2(manhattan_ij, ANY, ANY)

/* Large patches that lie apart, which is when growing takes long. Where no row is common to their boxes, the cells of
 * the first are drawn into a line: per column, how far down the nearest cell reaches, less the steps sideways to it.
 * Where no column is common either, each step sideways is one towards the other patch, and no line is needed. */
#define MANY_PAIRS (1 << 20) /* more than patches of the usual grids have */

typedef struct {
    int column;    /* whether they are apart along the columns' axis, that is, sideways */
    int direction; /* 1: b comes behind a on that axis; 0: they are not apart */
    int sideways;  /* likewise on the other axis */
    int first;     /* on the other axis, of both */
    uint words;    /* of the line */
} strait;

LANE int direction_to(int first, int last, int other_first, int other_last) {
    return other_first > last ? 1 : first > other_last ? -1 : 0;
}

LANE strait strait_between(lane *k, list a, list b) {
    strait s = {0, 0, 0, 0, 0};
    if ((ulong)a.n * (ulong)b.n <= MANY_PAIRS) return s;
    bounds p = box_of(k, a), q = box_of(k, b);
    int down = direction_to(p.top, p.bottom, q.top, q.bottom), right = direction_to(p.left, p.right, q.left, q.right);
    s.column = !down;
    s.direction = down ? down : right;
    s.sideways = down ? right : 0;
    s.first = s.column ? least(p.top, q.top) : least(p.left, q.left);
    word length = (word)(s.column ? most(p.bottom, q.bottom) : most(p.right, q.right)) - s.first + 1;
    if (s.direction && !s.sideways && !(s.words = bitmap_words(a, b, length))) s.direction = 0;
    return s;
}

/* How far a cell is on its way from a to b. */
LANE int way_along(strait s, word w) {
    return s.direction * coordinate(w, s.column) + s.sideways * coordinate(w, !s.column);
}

LANE word manhattan_apart(lane *k, list a, list b, strait s, uint at) {
    GLOBAL word *line = k->arena + at;
    int length = (int)s.words, nearest = 0x7fffffff, furthest = NONE;
    if (!count_work(k, 2 * ((ulong)a.n + (ulong)b.n) + 4 * (ulong)length)) return 0;
    for (int n = 0; n < length; n++) line[n] = -(word)0x7fffffff;
    for (int n = 0; n < a.n; n++) {
        int along = way_along(s, a.at[n]);
        furthest = most(furthest, along);
        if (!length) continue;
        GLOBAL word *to = line + (coordinate(a.at[n], !s.column) - s.first);
        if (*to < along) *to = along;
    }
    for (int n = 1; n < length; n++)
        if (line[n] < line[n - 1] - 1) line[n] = line[n - 1] - 1;
    for (int n = length - 2; n >= 0; n--)
        if (line[n] < line[n + 1] - 1) line[n] = line[n + 1] - 1;
    for (int n = 0; n < b.n; n++) {
        int from = length ? (int)line[coordinate(b.at[n], !s.column) - s.first] : furthest;
        nearest = least(nearest, way_along(s, b.at[n]) - from);
    }
    return nearest;
}

LANE uint manhattan_extent(lane *k, list a, list b) {
    if (a.n == 0 || b.n == 0) return (uint)fail_empty(k);
    if (few_pairs(a, b)) return 0;
    strait s = strait_between(k, a, b);
    return s.direction ? s.words : 3 * plane_of(k, a, b).words;
}
LANE word manhattan_write(lane *k, list a, list b, uint at) {
    if (few_pairs(a, b)) return manhattan_in_pairs(k, a, b);
    strait s = strait_between(k, a, b);
    if (s.direction) return manhattan_apart(k, a, b, s, at);
    plane p = plane_of(k, a, b);
    if (p.words == 0) return manhattan_in_pairs(k, a, b);
    GLOBAL ulong *goal = (GLOBAL ulong *)(k->arena + at);
    GLOBAL ulong *from = goal + p.words;
    GLOBAL ulong *to = from + p.words;
    draw_plane(p, b, goal);
    draw_plane(p, a, from);
    ulong met = 0;
    for (uint n = 0; n < p.words; n++) {
        met |= from[n] & goal[n];
        to[n] = 0;
    }
    word distance = 0;
    while (!met && count_work(k, p.words)) {
        distance++;
        met = (ulong)grow(p, from, to, goal);
        GLOBAL ulong *swap = from;
        from = to;
        to = swap;
    }
    return distance;
}
COUNTED_ALLOC2(manhattan, PATCH, PATCH)

/* ---- periods ---- */

/* Whether every cell at least p lines past `low`, moved back by p lines (the word `step`), is a cell of the object.
 * Moving keeps the order, so one pointer follows the other. */
LANE int repeats(lane *k, list obj, int column, int low, int p, word step) {
    int m = 0, n = 0, same = 1;
    for (; n < obj.n && same; n++) {
        if (coordinate(obj.at[n], column) - low < p) continue;
        word back = obj.at[n] - step;
        while (obj.at[m] < back) m++;
        same = obj.at[m] == back;
    }
    return count_work(k, (ulong)n) && same;
}

/* The last line's cells move for every p, so only the distances from one of them to cells of its colour in its own row
 * (or column) can be periods; going backwards from it meets them in ascending order. */
LANE word period(lane *k, list obj, int column) {
    if (obj.n == 0) return 0;
    bounds b = box_of(k, obj);
    int low = column ? b.left : b.top, high = column ? b.right : b.bottom, anchor = 0;
    while (coordinate(obj.at[anchor], column) != high) anchor++;
    word end = obj.at[anchor];
    for (int n = anchor - 1; n >= 0 && !gives_up(k); n--) {
        word w = obj.at[n];
        if (loc_colour(w) != loc_colour(end) || (column && loc_i(w) != loc_i(end))) break;
        if (!column && loc_j(w) != loc_j(end)) continue;
        int p = high - coordinate(w, column);
        if (repeats(k, obj, column, low, p, end - w)) return p;
    }
    return (word)high - low + 1;
}

LANE word hperiod(lane *k, list obj) { return period(k, obj, 1); }
LANE word vperiod(lane *k, list obj) { return period(k, obj, 0); }
COUNTED_ATOM1(hperiod, PATCH)
COUNTED_ATOM1(vperiod, PATCH)
