/* Natural order and equality for values of any type, and stable sorting by it.
 *
 * Values that share storage may be much longer than the words that they are made of, so comparing counts its work: a
 * kernel that compares has a COUNTED definer. When it gives up, answers are wrong, but come at once.
 *
 * A type is a string of nibbles, outermost first: a set of cells is T_SET, T_CELL. The compiler makes these codes
 * (lib/ops/type.h); kernels only read them, with loops and a small stack instead of recursion. Loops here are few, flat
 * and have one way out, because everything is copied to wherever it is used: on a GPU every level of nesting and every
 * early return takes registers that say which work-items are still in it.
 */
#ifndef ARCL_COMPARE_H
#define ARCL_COMPARE_H
#include "lane.h"
#include "rows.h"
#include "sort.h"
#include "type_codes.h"

LANE int order_of(word a, word b) { return (a > b) - (a < b); }

LANE int compare_words(lane *k, list a, list b) {
    int n = gives_up(k) ? 0 : a.n < b.n ? a.n : b.n, m = 0;
    while (m < n && a.at[m] == b.at[m]) m++;
    k->work += (uint)m;
    return m < n ? order_of(a.at[m], b.at[m]) : order_of(a.n, b.n);
}

/* Whether to give up is asked once per row, where that takes no register of a GPU's. */
RARE int compare_rows(lane *k, grid a, grid b) {
    int h = gives_up(k) ? 0 : a.h < b.h ? a.h : b.h, order = 0;
    for (int i = 0, j = 0; i < h && !order;) {
        int x = row_length(a, i), y = row_length(b, i);
        k->work++;
        if (j < x && j < y) {
            order = order_of(cell_at(k, a, i, j), cell_at(k, b, i, j));
            j++;
        } else {
            order = order_of(x, y);
            i = gives_up(k) ? h : i + 1;
            j = 0;
        }
    }
    return order ? order : order_of(a.h, b.h);
}

/* What is not copied to where it is used is given a lane of its own: the user's would else have to stay in memory, and
 * so would what it counts for values that need no such call. */
LANE int compare_rows_apart(lane *k, grid a, grid b) {
    lane own = *k;
    int order = compare_rows(&own, a, b);
    k->work = own.work;
    return order;
}

/* As tuples of tuples: row by row. Where rows differ in length, the first of each decides. */
LANE int compare_grids(lane *k, grid a, grid b) {
    if (a.rows || b.rows) return compare_rows_apart(k, a, b);
    int h = gives_up(k) ? 0 : a.h < b.h ? a.h : b.h;
    word n = 0, cells = a.w == b.w ? (word)h * a.w : h == 0 ? 0 : a.w < b.w ? a.w : b.w;
    while (n < cells && a.at[n] == b.at[n]) n++;
    k->work += (uint)(n / 4);
    return n < cells ? order_of(a.at[n], b.at[n]) : h && a.w != b.w ? order_of(a.w, b.w) : order_of(a.h, b.h);
}

/* A pair and a cell compare by their first ints, i against colour; the pair comes first where these agree. */
LANE int compare_mixed(word a, word b) {
    int plain_a = loc_colour(a) == BARE, plain_b = loc_colour(b) == BARE;
    if (plain_a == plain_b) return order_of(a, b);
    int first_a = plain_a ? loc_i(a) : loc_colour(a), first_b = plain_b ? loc_i(b) : loc_colour(b);
    return first_a != first_b ? order_of(first_a, first_b) : plain_b - plain_a;
}

/* Types without parts of their own that need the stack. */
LANE int compare_flat(lane *k, ulong type, word a, word b) {
    uint t = (uint)(type & 15);
    if (a == b) return 0;
    if (t <= T_ATOM_MAX) return a < b ? -1 : 1;
    if (t == T_MIX) return compare_mixed(a, b);
    if (t == T_GRID) return compare_grids(k, grid_of(k, a), grid_of(k, b));
    return compare_words(k, list_of(k, a), list_of(k, b));
}

LANE int type_is_flat(ulong type) {
    uint t = (uint)(type & 15), e = (uint)(type >> 4 & 15);
    return t <= T_GRID || (t <= T_TUPLE && e <= T_ATOM_MAX);
}

#define COMPARE_DEPTH 12
typedef struct {
    ulong type[COMPARE_DEPTH];               /* of the elements; of a record, its remaining fields */
    uint a[COMPARE_DEPTH], b[COMPARE_DEPTH]; /* where the next elements are */
    int left[COMPARE_DEPTH];                 /* common elements still to compare */
    int tail[COMPARE_DEPTH];                 /* the answer when these are all equal */
} compare_stack;

LANE ulong type_rest(ulong type) { /* what follows the first type of a string of types */
    int open = 1;
    while (open) {
        uint t = (uint)(type & 15);
        type >>= 4;
        if (t == T_RECORD) {
            open += (int)(type & 15) - 1;
            type >>= 4;
        } else if (t != T_SET && t != T_TUPLE)
            open--;
    }
    return type;
}

LANE void compare_enter(compare_stack *s, int depth, ulong type, word a, word b) {
    int is_record = (type & 15) == T_RECORD;
    int na = (int)ref_length(a), nb = (int)ref_length(b);
    s->type[depth] = is_record ? type >> 8 : type >> 4;
    s->a[depth] = ref_offset(a);
    s->b[depth] = ref_offset(b);
    /* A record at offset 0 is the default one: as many zero words as there are fields. */
    s->left[depth] = is_record ? (int)(type >> 4 & 15) : na < nb ? na : nb;
    s->tail[depth] = is_record ? 0 : order_of(na, nb);
    s->type[depth] |= is_record ? (ulong)1 << 63 : 0;
}

/* Of any type. */
APART int compare_nested(lane *k, ulong type, word a, word b) {
    compare_stack s;
    int depth = -1, order = 0;
    for (;;) {
        if (type_is_flat(type))
            order = compare_flat(k, type, a, b);
        else if (a != b)
            compare_enter(&s, ++depth, type, a, b);
        while (!order && depth >= 0 && s.left[depth] == 0) order = s.tail[depth--];
        if (order || depth < 0 || gives_up(k)) return order;
        k->work++;
        type = s.type[depth] & ~((ulong)1 << 63);
        a = k->arena[s.a[depth]++];
        b = k->arena[s.b[depth]++];
        s.left[depth]--;
        if (s.type[depth] >> 63 && s.left[depth]) s.type[depth] = type_rest(type) | (ulong)1 << 63;
    }
}

LANE int compare_apart(lane *k, ulong type, word a, word b) {
    lane own = *k;
    int order = compare_nested(&own, type, a, b);
    k->work = own.work;
    return order;
}

/* Most answers are to be had at once. On a GPU only the simplest are: a second copy of compare_flat would take more
 * registers than there are. */
LANE int compare(lane *k, ulong type, word a, word b) {
    if ((type & 15) <= T_ATOM_MAX) return order_of(a, b);
#ifndef MANY_ITEMS
    if (type_is_flat(type)) return compare_flat(k, type, a, b);
#endif
    return compare_apart(k, type, a, b);
}

/* Whether two values may be equal, which lengths mostly decide. */
LANE int alike(ulong type, word a, word b) {
    uint t = (uint)(type & 15);
    return a == b || (t > T_MIX && (t == T_RECORD || ref_length(a) == ref_length(b)));
}

/* Equality alone. */
LANE int same(lane *k, ulong type, word a, word b) {
    return a == b || (alike(type, a, b) && compare(k, type, a, b) == 0);
}

/* Stable merge sort of values[0..n) by keys[0..n) of the given type, both moved; tmp has room for 2n words. Where
 * values and keys are the same array, pass keys as values too: it is moved once. */
#define SHORT_RUN 16
/* The same of words, which compare as numbers: short runs are put in order in place before they are merged. */
LANE void sort_runs(GLOBAL word *keys, GLOBAL word *values, int paired, int n) {
    for (int a = 1; a < n; a++) {
        word key = keys[a], value = values[a];
        int b = a, lo = a - a % SHORT_RUN;
        for (; b > lo && keys[b - 1] > key; b--) {
            keys[b] = keys[b - 1];
            if (paired) values[b] = values[b - 1];
        }
        keys[b] = key;
        if (paired) values[b] = value;
    }
}

LANE void sort_by(lane *k, ulong type, GLOBAL word *keys, GLOBAL word *values, GLOBAL word *tmp, int n) {
    int paired = keys != values;
    GLOBAL word *fk = keys;
    GLOBAL word *fv = values;
    GLOBAL word *tk = tmp;
    GLOBAL word *tv = paired ? tmp + n : tmp;
    int width = 1;
#ifndef MANY_ITEMS /* there it takes registers that some kernels have not got */
    if ((type & 15) <= T_ATOM_MAX) {
        width = SHORT_RUN;
        sort_runs(keys, values, paired, n);
    }
#endif
    for (; width < n; width *= 2) {
        int a = 0, b = 0, mid = 0, hi = 0;
        for (int o = 0; o < n; o++) {
            if (o == hi) { /* the next two runs */
                a = o;
                b = mid = o + width < n ? o + width : n;
                hi = mid + width < n ? mid + width : n;
            }
            int left = a < mid && (b >= hi || compare(k, type, fk[a], fk[b]) <= 0);
            int from = left ? a++ : b++;
            tk[o] = fk[from];
            if (paired) tv[o] = fv[from];
        }
        GLOBAL word *swap = fk;
        fk = tk;
        tk = swap;
        swap = fv;
        fv = tv;
        tv = swap;
    }
    if (fk != keys)
        for (int m = 0; m < n; m++) {
            keys[m] = fk[m];
            if (paired) values[m] = fv[m];
        }
}

/* Sorts at[0..n) into natural order and drops repeats; tmp has room for n words. Returns how many are left. */
LANE int sort_unique(lane *k, ulong type, GLOBAL word *at, GLOBAL word *tmp, int n) {
    if ((type & 15) <= T_ATOM_MAX) {
        sort_words(at, tmp, n);
        return unique_words(at, n);
    }
    int m = 0, sorted = 1;
    for (int i = 1; i < n && sorted; i++) sorted = compare(k, type, at[i - 1], at[i]) < 0;
    if (sorted) return n;
    sort_by(k, type, at, at, tmp, n);
    for (int i = 0; i < n; i++)
        if (m == 0 || compare(k, type, at[m - 1], at[i]) != 0) at[m++] = at[i];
    return m;
}

/* Where `value` is in a container, or would be in a set: the first position that is not below it. */
LANE int lower_bound(lane *k, ulong type, list set, word value) {
    int lo = 0, hi = set.n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (compare(k, type, set.at[mid], value) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Membership among elements of a type; those in order are searched faster. */
LANE int is_among(lane *k, ulong type, list c, int in_order, word value) {
    int halved = in_order && c.n > 8, lo = 0, hi = gives_up(k) ? 0 : c.n, found = 0;
    while (lo < hi && !found) {
        int at = halved ? (lo + hi) / 2 : lo;
        int order = halved || alike(type, c.at[at], value) ? compare(k, type, c.at[at], value) : -1;
        found = order == 0;
        if (order < 0 || !halved)
            lo = at + 1;
        else
            hi = at;
    }
    k->work += halved ? 0 : (uint)lo;
    return found;
}

/* The same in a container of a type. */
LANE int is_member(lane *k, ulong container, list c, word value) {
    return is_among(k, container >> 4, c, (container & 15) == T_SET, value);
}

#endif
