/* One op on a batch: two grids are turned by one run. */
#include <arcl.h>
#include <stdio.h>

int main(void) {
    static const char text[] = "def turn(I):\n    return rot90(I)\n";
    static const signed char wide[] = {1, 2, 3, 4, 5, 6}, tall[] = {7, 8, 9};
    arcl_error error;
    arcl_context *context = NULL;
    arcl_source *source = NULL;
    arcl_program *program = NULL;
    arcl_batch *batch = NULL;
    arcl_result *result = NULL;
    int h, w;
    int failed = arcl_context_create(NULL, &context, &error) ||
                 arcl_source_parse(context, text, sizeof text - 1, "turn.py", &source, &error) ||
                 arcl_program_compile(context, source, 0, NULL, &program, &error) ||
                 arcl_batch_create(context, "grid", &batch, &error) ||
                 arcl_batch_add_grid(batch, 2, 3, wide, &error) || /* lane 0: 2 rows of 3 */
                 arcl_batch_add_grid(batch, 3, 1, tall, &error) || /* lane 1: 3 rows of 1 */
                 arcl_run(context, program, batch, &result, &error);
    if (failed) fprintf(stderr, "%s\n", error.message);
    for (unsigned lane = 0; !failed && lane < arcl_result_lanes(result); lane++) {
        const signed char *cells = arcl_result_grid(result, lane, &h, &w);
        printf("lane %u is %dx%d:", lane, h, w);
        for (int n = 0; n < h * w; n++) printf("%s%d", n && n % w == 0 ? " / " : " ", cells[n]);
        putchar('\n');
    }
    arcl_result_free(result);
    arcl_batch_free(batch);
    arcl_program_free(program);
    arcl_source_free(source);
    arcl_context_free(context);
    return failed;
}
