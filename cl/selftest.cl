/* Known answers: what a device must get right before it may run anything else. Drivers have been seen to stop loops
 * early, and to say nothing. lib/opencl/selftest.c writes the inputs and knows the answers; nothing here includes the
 * kernels' headers, so that a driver that cannot digest those is told from one that computes wrongly.
 *
 * Each kernel has a region of the arena: inputs in its words 0 to 15, results from word 32 on. All other words of the
 * region must stay as they are, and so must the words of results that a kernel is not asked for.
 */
#define RESULTS 32

uint next_random(uint x) { return x * 1664525u + 1013904223u; }

/* Rounds until the generator reaches a value: no compiler knows how many that takes. */
kernel void arcl_selftest_long_loop(global long *arena, uint frame, uint step) {
    global long *region = arena + frame;
    uint x = (uint)region[0], wanted = (uint)region[1], most = (uint)region[2], rounds = 0;
    if (get_global_id(0)) return;
    while (x != wanted && rounds < most) {
        x = next_random(x);
        rounds++;
    }
    region[RESULTS] = rounds;
}

kernel void arcl_selftest_nested_loops(global long *arena, uint frame, uint step) {
    global long *region = arena + frame;
    uint x = (uint)region[0], outer = (uint)region[1], inner = (uint)region[2], rounds = 0, odd = 0;
    if (get_global_id(0)) return;
    for (uint i = 0; i < outer; i++)
        for (uint j = 0; j < inner; j++) {
            x = next_random(x);
            odd += x >> 31;
            rounds++;
        }
    region[RESULTS] = rounds;
    region[RESULTS + 1] = odd;
    region[RESULTS + 2] = x;
}

kernel void arcl_selftest_integers(global long *arena, uint frame, uint step) {
    global long *region = arena + frame;
    global long *out = region + RESULTS;
    long a = region[0], b = region[1], c = region[2];
    int n = (int)region[3], m = (int)region[4];
    if (get_global_id(0)) return;
    out[0] = a >> 7;
    out[1] = (long)((ulong)a >> 7);
    out[2] = (long)((ulong)a << 23);
    out[3] = (long)((ulong)a * (ulong)c);
    out[4] = (long)((ulong)c + (ulong)c);
    out[5] = a / b;
    out[6] = a % b;
    out[7] = n / m;
    out[8] = n % m;
    out[9] = n >> 3;
    out[10] = (long)clz((ulong)region[5]);
    out[11] = clz((uint)region[5]);
    out[12] = (int)a;
    out[13] = (uint)a;
    out[14] = (char)region[6];
    out[15] = (uchar)region[6];
    out[16] = (short)region[7];
    out[17] = (a < b) + 2 * ((ulong)a < (ulong)b) + 4 * (n < m) + 8 * ((uint)n < (uint)m);
    out[18] = (long)((ulong)a << 40) >> 40;
    out[19] = (int)((uint)n * (uint)m);
    out[20] = min(a, c);
    out[21] = max(a, c);
}

/* Each work-item writes one byte, or two, beside those of its neighbours: none may disturb the others. */
kernel void arcl_selftest_bytes(global long *arena, uint frame, uint step) {
    global long *region = arena + frame;
    global uchar *bytes = (global uchar *)(region + RESULTS);
    global ushort *shorts = (global ushort *)(region + RESULTS + 9);
    uint item = (uint)get_global_id(0), count = (uint)region[0];
    if (item >= count) return;
    bytes[item] = (uchar)(item * 37u + 1u);
    shorts[item] = (ushort)(item * 997u + 5u);
}

struct mixed {
    char a;
    int b;
    uchar c, d;
    long e;
    short f;
};

kernel void arcl_selftest_layout(global long *arena, uint frame, uint step) {
    global long *region = arena + frame;
    global struct mixed *out = (global struct mixed *)(region + RESULTS);
    uint item = (uint)get_global_id(0), count = (uint)region[0];
    if (item >= count) return;
    struct mixed m[2];
    m[item & 1].a = (char)(item - 3);
    m[item & 1].b = -7 * (int)item;
    m[item & 1].c = (uchar)item;
    m[item & 1].d = 255;
    m[item & 1].e = (long)item << 33;
    m[item & 1].f = (short)(-300 - (int)item);
    out[item].a = m[item & 1].a;
    out[item].b = m[item & 1].b;
    out[item].c = m[item & 1].c;
    out[item].d = m[item & 1].d;
    out[item].e = m[item & 1].e;
    out[item].f = m[item & 1].f;
}

kernel void arcl_selftest_vectors(global long *arena, uint frame, uint step) {
    global long *region = arena + frame;
    global const uchar *from = (global const uchar *)region; /* words 0 to 5 */
    global uchar *to = (global uchar *)(region + RESULTS);
    if (get_global_id(0)) return;
    uchar8 low = vload8(0, from), high = vload8(1, from), mask = vload8(2, from);
    vstore8(shuffle2(low, high, mask), 0, to);
    vstore8(shuffle(low, mask & (uchar8)(7)), 1, to);
    vstore8(vload8(0, from + 3), 2, to); /* not aligned */
    vstore8(select(low, high, low < high), 3, to);
    vstore8(low + high, 4, to);
}

/* Sums of all before, within each group of up to 64. */
kernel void arcl_selftest_group_scan(global long *arena, uint frame, uint step) {
    global long *region = arena + frame;
    local long sum[64];
    uint item = (uint)get_local_id(0), size = (uint)get_local_size(0);
    sum[item] = region[0] + (long)get_global_id(0) * region[1];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint reach = 1; reach < size; reach *= 2) {
        long before = item >= reach ? sum[item - reach] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum[item] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    region[RESULTS + get_global_id(0)] = sum[size - 1 - item];
}

/* Tickets from a counter, one each; and a sum by compare and exchange. */
kernel void arcl_selftest_atomics(global long *arena, uint frame, uint step) {
    global long *region = arena + frame;
    volatile global uint *counter = (volatile global uint *)(region + RESULTS);
    global uint *taken = (global uint *)(region + RESULTS + 1);
    uint item = (uint)get_global_id(0), count = (uint)region[0];
    if (item >= count) return;
    uint ticket = atomic_add(&counter[0], 1u);
    if (ticket < count) taken[ticket] = 1;
    uint seen = atomic_add(&counter[1], 0u);
    for (int tries = 0; tries < 60000; tries++) {
        uint found = atomic_cmpxchg(&counter[1], seen, seen + item);
        if (found == seen) break;
        seen = found;
    }
}

/* As many words as asked for, by more work-items than that. */
kernel void arcl_selftest_exact_bounds(global long *arena, uint frame, uint step) {
    global long *region = arena + frame;
    uint item = (uint)get_global_id(0), items = (uint)get_global_size(0), count = (uint)region[0];
    for (uint n = item; n < count; n += items) region[RESULTS + n] = (long)n * (long)step;
}
