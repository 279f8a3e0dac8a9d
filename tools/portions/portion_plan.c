#include "portions/portion_plan.h"

#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"

/* Several workers: each portion is this part of what is left for one of them; and the smallest portions are this part
 * of a usual one. */
#define SHARE 0.25
#define SMALLEST (1.0 / 64)
/* Portions of each part of a job. */
enum { OF_A_PART = 16 };

void portion_list_add(portion_list *list, portion units) {
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->list = allocation_resize(list->list, list->room, sizeof *list->list);
    }
    list->list[list->count++] = units;
}

void portion_list_free(portion_list *list) {
    free(list->list);
    *list = (portion_list){0};
}

double portion_cost(const portion_job *job, const portion_sizes *sizes, portion units) {
    double factor = sizes->factors ? sizes->factors[units.first / job->each] : 1;
    return factor * job->cost(job->self, units);
}

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Where the `each` ends that a unit is in. */
static uint64_t end_of_each(const portion_job *job, uint64_t unit) { return (unit / job->each + 1) * job->each; }

static double cost_of(const portion_job *job, const portion_sizes *sizes, portion units) {
    double sum = 0;
    for (uint64_t next; units.first < units.end; units.first = next) {
        next = smaller(end_of_each(job, units.first), units.end);
        sum += portion_cost(job, sizes, (portion){units.first, next});
    }
    return sum;
}

/* How many units from the first on, within one `each`, cost as much as is wanted: at least one. */
static uint64_t split(const portion_job *job, const portion_sizes *sizes, portion units, double wanted) {
    uint64_t low = units.first + 1, high = units.end;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (portion_cost(job, sizes, (portion){units.first, middle}) <= wanted)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Where a portion ends that begins with the first of these units. It is cut between two `each`, unless that would make
 * it much smaller or larger than what is wanted. */
static uint64_t cut(const portion_job *job, const portion_sizes *sizes, portion units, double wanted, double *cost) {
    uint64_t at = units.first;
    *cost = 0;
    while (at < units.end) {
        uint64_t next = smaller(end_of_each(job, at), units.end);
        double more = portion_cost(job, sizes, (portion){at, next});
        if (at > units.first && *cost + more > wanted && *cost >= wanted / 2) break;
        if (*cost + more > 1.5 * wanted) {
            uint64_t end = split(job, sizes, (portion){at, next}, wanted - *cost);
            *cost += portion_cost(job, sizes, (portion){at, end});
            return end;
        }
        *cost += more;
        at = next;
        if (*cost >= wanted) break;
    }
    return at;
}

typedef struct planned {
    portion units;
    double cost;
    size_t number;
} planned;

static int longest_first(const void *a, const void *b) {
    const planned *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? 1 : -1;
    return x->number < y->number ? -1 : 1;
}

static portion_list ordered(planned *all, size_t count, int by_cost) {
    portion_list plan = {0};
    if (by_cost && count) qsort(all, count, sizeof *all, longest_first);
    for (size_t i = 0; i < count; i++) portion_list_add(&plan, all[i].units);
    return plan;
}

static double wanted_cost(const portion_job *job, const portion_sizes *sizes, double left) {
    if (!sizes->workers) return job->usual;
    double share = SHARE * left / sizes->workers;
    return share < SMALLEST * job->usual ? SMALLEST * job->usual : share < job->usual ? share : job->usual;
}

portion_list portion_plan(const portion_job *job, const portion_sizes *sizes, const portion_list *work) {
    planned *all = NULL;
    size_t count = 0, room = 0;
    double left = 0;
    for (size_t i = 0; i < work->count; i++) left += cost_of(job, sizes, work->list[i]);
    for (size_t i = 0; i < work->count; i++) {
        portion rest = work->list[i];
        while (rest.first < rest.end) {
            double cost = 0;
            uint64_t end = sizes->units ? smaller(rest.first + sizes->units, rest.end)
                                        : cut(job, sizes, rest, wanted_cost(job, sizes, left), &cost);
            if (sizes->units) cost = cost_of(job, sizes, (portion){rest.first, end});
            if (count == room) all = allocation_resize(all, room = room ? 2 * room : 64, sizeof *all);
            all[count] = (planned){{rest.first, end}, cost, count};
            count++;
            left -= cost;
            rest.first = end;
        }
    }
    portion_list plan = ordered(all, count, sizes->workers > 0);
    free(all);
    return plan;
}

portion_list portion_part(const portion_job *job, int part, int parts) {
    portion_list mine = {0};
    portion_sizes sizes = {0};
    portion rest = {0, job->units};
    double wanted = cost_of(job, &sizes, rest) / ((double)parts * OF_A_PART), cost;
    for (uint64_t number = 0; rest.first < rest.end; number++) {
        uint64_t end = cut(job, &sizes, rest, wanted, &cost);
        if ((int)(number % (uint64_t)parts) == part - 1) portion_list_add(&mine, (portion){rest.first, end});
        rest.first = end;
    }
    return mine;
}
