/* Work that comes in small pieces from several threads: an accumulator runs it in large ones.
 *
 * Four searchers each try a program on one grid at a time and count what is equal to the grid that they look for. None
 * of them has to wait for the others, or to know of them.
 */
#include <arcl.h>
#include <pthread.h>
#include <stdio.h>

enum { SEARCHERS = 4, GRIDS = 250 };

static const char text[] = "def turn(I):\n    return rot90(I)\n"
                           "def mirror(I):\n    return vmirror(I)\n"
                           "def keep(I):\n    return I\n"
                           "def object(I):\n    return subgrid(first(objects(I, T, F, T)), I)\n";

typedef struct searcher {
    arcl_context *context;
    arcl_accumulator *accumulator;
    arcl_program *program;
    pthread_t thread;
    int equal, failed;
    arcl_error error; /* "": none */
} searcher;

/* Grid number n is 1 by 2; the one that is looked for is 3, 1. */
static arcl_status submit(searcher *s, int n, arcl_ticket *ticket) {
    const signed char cells[2] = {(signed char)(n % 5), (signed char)(n / 5 % 5)};
    arcl_batch *batch;
    arcl_status status = arcl_batch_create(s->context, "grid", &batch, &s->error);
    if (!status) status = arcl_batch_add_grid(batch, 1, 2, cells, &s->error);
    if (!status) status = arcl_accumulator_submit(s->accumulator, s->program, batch, ticket, &s->error);
    if (status) arcl_batch_free(batch);
    return status;
}

static arcl_status take(searcher *s, arcl_ticket ticket) {
    arcl_result *result;
    int h, w;
    arcl_status status = arcl_accumulator_take(s->accumulator, ticket, &result, &s->error);
    if (status) return status;
    if (arcl_result_status(result, 0) == ARCL_OK) {
        const signed char *cells = arcl_result_grid(result, 0, &h, &w);
        s->equal += h == 1 && w == 2 && cells[0] == 3 && cells[1] == 1;
    } else
        s->failed++;
    arcl_result_free(result);
    return ARCL_SUCCESS;
}

/* Submits all, then takes all: the answers come when they come. */
static void *search(void *arg) {
    searcher *s = arg;
    arcl_ticket tickets[GRIDS];
    arcl_status status = ARCL_SUCCESS;
    s->error.message[0] = 0;
    for (int n = 0; n < GRIDS && !status; n++) status = submit(s, n, &tickets[n]);
    for (int n = 0; n < GRIDS && !status; n++) status = take(s, tickets[n]);
    return NULL;
}

int main(void) {
    static const char *const names[SEARCHERS] = {"turn", "mirror", "keep", "object"};
    searcher all[SEARCHERS] = {{.context = NULL}};
    arcl_error error;
    arcl_context *context = NULL;
    arcl_source *source = NULL;
    arcl_accumulator *accumulator = NULL;
    int failed = arcl_context_create(NULL, &context, &error) ||
                 arcl_source_parse(context, text, sizeof text - 1, "search.py", &source, &error) ||
                 arcl_accumulator_create(context, NULL, &accumulator, &error);
    for (int i = 0; i < SEARCHERS && !failed; i++)
        failed = arcl_program_compile(context, source, i, NULL, &all[i].program, &error) != ARCL_SUCCESS;
    if (failed) fprintf(stderr, "%s\n", error.message);
    for (int i = 0; i < SEARCHERS && !failed; i++) {
        all[i].context = context;
        all[i].accumulator = accumulator;
        if (pthread_create(&all[i].thread, NULL, search, &all[i])) return 1;
    }
    for (int i = 0; i < SEARCHERS && !failed; i++) {
        pthread_join(all[i].thread, NULL);
        printf("%s: %d of %d equal, %d failed%s\n", names[i], all[i].equal, GRIDS, all[i].failed, all[i].error.message);
    }
    arcl_accumulator_free(accumulator);
    for (int i = 0; i < SEARCHERS; i++) arcl_program_free(all[i].program);
    arcl_source_free(source);
    arcl_context_free(context);
    return failed;
}
