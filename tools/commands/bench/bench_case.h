/* How an op is measured: the program in which it runs, and the kinds of its arguments. */
#ifndef ARCL_BENCH_CASE_H
#define ARCL_BENCH_CASE_H
#include "commands/bench/bench_inputs.h"

enum { BENCH_MOST_ARGUMENTS = 4 };

typedef struct bench_case {
    const char *op;
    char text[384];  /* of the program */
    int grid_result; /* what the program yields is made a grid, as for tasks */
    int count;
    bench_argument kinds[BENCH_MOST_ARGUMENTS];
} bench_case;

/* Returns 0, or -1 if nobody has said what that op should be given. */
int bench_case_make(int op, bench_case *one);

/* Programs that measure what no single op does: those of profile_cases.def, from index 0. Returns 0, or -1 behind the
 * last. */
int bench_case_special(int index, bench_case *one);

arcl_status bench_case_compile(arcl_context *context, const bench_case *one, arcl_program **program,
                               arcl_error *error) ARCL_CHECKED;

#endif
