/* Counting equal cells of packed grids (lib/similarity/similarity.h), for OpenCL devices; host/match_cells.c is the
 * host's own way. lib/similarity/similarity_device.c writes the frames and reads the counts. Nothing here includes the
 * kernels' headers: there are no lanes, and no state but a frame.
 *
 * A work-group takes a piece of work after the other, and its work-items share it. So one text suits CPUs, where a
 * group is one work-item, and GPUs.
 */
#define ROW 32        /* bytes of a packed row, or of a part of one */
#define TILE 8u       /* grids of either side of a tile */
#define MOST_ROWS 255 /* that a counter of one byte can take */

/* What a grid's entry says: | words from the first cell of all:32 | h:16 | w:16 |. */
typedef struct {
    global const char *cells;
    int h, w;
} packed_grid;

packed_grid grid_at(global const long *table, global const long *cells, uint n) {
    packed_grid g;
    ulong entry = (ulong)table[n];
    g.cells = (global const char *)(cells + (uint)(entry >> 32));
    g.h = (int)(entry >> 16 & 0xffff);
    g.w = (int)(entry & 0xffff);
    return g;
}

int stride_of(packed_grid g) { return (g.w + ROW - 1) / ROW * ROW; }

/* The sum of the counters of the first `columns` columns. */
uint sum_of(uchar16 counters, int columns) {
    const uchar16 number = (uchar16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    uchar16 inside = as_uchar16(number < (uchar16)(uchar)min(columns, 16));
    ushort16 wide = convert_ushort16(counters & inside);
    ushort8 by_8 = wide.lo + wide.hi;
    ushort4 by_4 = by_8.lo + by_8.hi;
    ushort2 by_2 = by_4.lo + by_4.hi;
    return (uint)by_2.x + (uint)by_2.y;
}

/* A comparison of vectors yields -1 where cells are equal. */
uint match_rows(global const char *a, int a_stride, global const char *b, int b_stride, int rows, int columns) {
    uchar16 counters = (uchar16)(0);
    for (int i = 0; i < rows; i++) {
        counters -= as_uchar16(vload16(0, a) == vload16(0, b));
        a += a_stride;
        b += b_stride;
    }
    return sum_of(counters, columns);
}

uint match_pair(packed_grid x, packed_grid y) {
    int h = min(x.h, y.h), w = min(x.w, y.w), x_stride = stride_of(x), y_stride = stride_of(y);
    uint count = 0;
    for (int column = 0; column < w; column += 16)
        for (int row = 0; row < h; row += MOST_ROWS)
            count += match_rows(x.cells + (size_t)row * (size_t)x_stride + column, x_stride,
                                y.cells + (size_t)row * (size_t)y_stride + column, y_stride, min(h - row, MOST_ROWS),
                                w - column);
    return count;
}

/* The frame: how many outputs, how many expected grids; where the outputs' table, their cells, the expected grids'
 * table, their cells and the counts are. */
kernel void arcl_similarity_count(global long *arena, uint frame, uint step) {
    global const long *f = arena + frame;
    uint outputs = (uint)f[0], expected = (uint)f[1];
    global uint *counts = (global uint *)(arena + f[6]);
    uint across = (expected + TILE - 1) / TILE, tiles = (outputs + TILE - 1) / TILE * across;
    for (uint tile = (uint)get_group_id(0); tile < tiles; tile += (uint)get_num_groups(0))
        for (uint pair = (uint)get_local_id(0); pair < TILE * TILE; pair += (uint)get_local_size(0)) {
            uint i = tile / across * TILE + pair / TILE, j = tile % across * TILE + pair % TILE;
            if (i < outputs && j < expected)
                counts[(size_t)i * expected + j] =
                    match_pair(grid_at(arena + f[2], arena + f[3], i), grid_at(arena + f[4], arena + f[5], j));
        }
}

#define ONE 0x3f800000u /* 1.0f: the numbers are CLBlast's, no arithmetic is done with them here */

/* One row of 0 and 1 per grid: where its cells have the colour that `step` is. The frame: how many grids; where their
 * table and their cells are; how many numbers a row has and how many of them are a row of a grid; where the numbers
 * go. */
kernel void arcl_similarity_encode(global long *arena, uint frame, uint step) {
    global const long *f = arena + frame;
    uint count = (uint)f[0], cells = (uint)f[3], w = (uint)f[4];
    global uint *numbers = (global uint *)(arena + f[5]);
    for (uint n = (uint)get_group_id(0); n < count; n += (uint)get_num_groups(0)) {
        packed_grid g = grid_at(arena + f[1], arena + f[2], n);
        uint stride = (uint)stride_of(g);
        for (uint at = (uint)get_local_id(0); at < cells; at += (uint)get_local_size(0)) {
            uint i = at / w, j = at % w;
            int equal = i < (uint)g.h && j < (uint)g.w && (uchar)g.cells[(size_t)i * stride + j] == (uchar)step;
            numbers[(size_t)n * cells + at] = equal ? ONE : 0u;
        }
    }
}
