#include "portions/portion_plan.h"

#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"

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

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Where the `each` ends that a unit is in. */
static uint64_t end_of_each(const portion_job *job, uint64_t unit) { return (unit / job->each + 1) * job->each; }

static double cost_of(const portion_job *job, portion units) {
    double sum = 0;
    for (uint64_t next; units.first < units.end; units.first = next) {
        next = smaller(end_of_each(job, units.first), units.end);
        sum += job->cost(job->self, (portion){units.first, next});
    }
    return sum;
}

/* How many units from the first on, within one `each`, cost as much as is wanted: at least one. */
static uint64_t split(const portion_job *job, portion units, double wanted) {
    uint64_t low = units.first + 1, high = units.end;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (job->cost(job->self, (portion){units.first, middle}) <= wanted)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Where a portion ends that begins with the first of these units. It is cut between two `each`, unless that would make
 * it much smaller or larger than what is wanted. */
static uint64_t cut(const portion_job *job, portion units, double wanted, double *cost) {
    uint64_t at = units.first;
    *cost = 0;
    while (at < units.end) {
        uint64_t next = smaller(end_of_each(job, at), units.end);
        double more = job->cost(job->self, (portion){at, next});
        if (at > units.first && *cost + more > wanted && *cost >= wanted / 2) break;
        if (*cost + more > 1.5 * wanted) {
            uint64_t end = split(job, (portion){at, next}, wanted - *cost);
            *cost += job->cost(job->self, (portion){at, end});
            return end;
        }
        *cost += more;
        at = next;
        if (*cost >= wanted) break;
    }
    return at;
}

portion_list portion_plan(const portion_job *job, uint64_t units, const portion_list *work) {
    portion_list plan = {0};
    for (size_t i = 0; i < work->count; i++)
        for (portion rest = work->list[i]; rest.first < rest.end;) {
            double cost;
            uint64_t end = units ? smaller(rest.first + units, rest.end) : cut(job, rest, job->usual, &cost);
            portion_list_add(&plan, (portion){rest.first, end});
            rest.first = end;
        }
    return plan;
}

portion_list portion_part(const portion_job *job, int part, int parts) {
    portion_list mine = {0};
    portion rest = {0, job->units};
    double wanted = cost_of(job, rest) / ((double)parts * OF_A_PART), cost;
    for (uint64_t number = 0; rest.first < rest.end; number++) {
        uint64_t end = cut(job, rest, wanted, &cost);
        if ((int)(number % (uint64_t)parts) == part - 1) portion_list_add(&mine, (portion){rest.first, end});
        rest.first = end;
    }
    return mine;
}
