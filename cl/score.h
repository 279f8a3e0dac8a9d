/* How good the output of one program in one lane is: compared with the grid that is expected, and put into a number.
 * Knows nothing of frames and lanes, so that it serves whatever has outputs.
 */
#ifndef ARCL_SCORE_H
#define ARCL_SCORE_H
#include "fingerprint.h"

#define ANSWER_SIDE 30 /* of the grids that tasks have for answers, at most */
#define ANSWER_COLOUR 9

/* How many of n bytes are equal. Blocks of less than 256 keep the count in a byte, so that it is done 16 at a time. */
LANE uint equal_bytes(GLOBAL const cellbyte *a, GLOBAL const cellbyte *b, uint n) {
    uint total = 0;
    for (uint from = 0; from < n; from += 240) {
        uint to = n - from < 240 ? n : from + 240;
        uchar some = 0;
        for (uint x = from; x < to; x++) some = (uchar)(some + (a[x] == b[x]));
        total += some;
    }
    return total;
}

/* The same for a grid in the form of rows that all have the length of b's. */
RARE uint equal_cells_of_rows(lane *k, grid a, grid b) {
    uint total = 0;
    for (int i = 0; i < a.h; i++)
        for (int j = 0; j < b.w; j++) total += cell_at(k, a, i, j) == cell_at(k, b, i, j);
    return total;
}

LANE int has_shape(grid g, int h, int w) {
    if (g.h != h || g.w != w) return 0;
    for (int i = 0; g.rows && i < h; i++)
        if (row_length(g, i) != w) return 0;
    return 1;
}

/* What is expected is a rectangle of bytes. */
LANE void score_against(lane *k, lane_score *s, grid g, grid expected) {
    s->same_shape = (uchar)has_shape(g, expected.h, expected.w);
    if (!s->same_shape) return;
    uint all = (uint)expected.h * (uint)expected.w;
    s->cells = g.rows ? equal_cells_of_rows(k, g, expected) : equal_bytes(g.at, expected.at, all);
    s->match = s->cells == all;
}

LANE int is_answer(grid g) {
    if (g.rows || g.h < 1 || g.h > ANSWER_SIDE || g.w < 1 || g.w > ANSWER_SIDE) return 0;
    uchar all = 1;
    for (int n = 0; n < g.h * g.w; n++) all &= g.at[n] >= 0 && g.at[n] <= ANSWER_COLOUR;
    return all;
}

/* The score of an output of that type, or of a failure; an empty grid is expected where it is not known what is. */
LANE lane_score score_output(GLOBAL word *arena, int status, ulong type, word output, word expected) {
    lane k = {.arena = arena};
    lane_score s = {0, 0, 0, (uchar)status, expected != 0, 0, 0, 0, {0, 0, 0}};
    s.fingerprint = fingerprint_fold(0, (ulong)status);
    if (status) return s;
    s.fingerprint = fingerprint_value(arena, type, output, s.fingerprint);
    if (type != T_GRID) return s;
    s.usable = (uchar)is_answer(grid_of(&k, output));
    if (expected) score_against(&k, &s, grid_of(&k, output), grid_of(&k, expected));
    return s;
}

#endif
