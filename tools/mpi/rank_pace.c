#include "mpi/rank_pace.h"

#define GROWTH 4          /* of pieces from one to the next */
#define SMALL 64          /* cost of a program that is not worth a trial: several are run at once */
enum { OF_A_WORKER = 4 }; /* portions that are given at once, at most */

rank_pace rank_pace_start(const portion_job *job) { return (rank_pace){.job = job, .each = UINT64_MAX}; }

static double cost_of(const rank_pace *p, portion units) { return p->job->cost(p->job->self, units); }

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Units from the first on, in one `each`, that cost so much; at least one. */
static uint64_t reach(const rank_pace *p, portion units, double cost) {
    uint64_t low = units.first + 1, high = units.end;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (cost_of(p, (portion){units.first, middle}) <= cost)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

uint64_t rank_pace_next(const rank_pace *p, portion units, double most) {
    uint64_t each = p->job->each, number = units.first / each;
    uint64_t end = smaller((number + 1) * each, units.end);
    double whole = cost_of(p, (portion){units.first, end});
    if (whole <= SMALL) { /* and those behind it, if they are small too */
        double sum = whole;
        while (end < units.end) {
            uint64_t next = smaller(end + each, units.end);
            sum += cost_of(p, (portion){end, next});
            if (sum > SMALL) break;
            end = next;
        }
        return end;
    }
    if (number != p->each) return units.first + 1;
    double wanted = GROWTH * p->cost;
    if (p->seconds > 0 && wanted * p->seconds > most) wanted = most / p->seconds;
    return wanted >= whole ? end : reach(p, (portion){units.first, end}, wanted);
}

void rank_pace_took(rank_pace *p, portion units, double seconds) {
    uint64_t number = units.first / p->job->each;
    if (units.end > (number + 1) * p->job->each) return; /* of several programs, which say nothing of the next */
    p->each = number;
    p->cost = cost_of(p, units);
    p->seconds = p->cost > 0 ? seconds / p->cost : 0;
}

portion_list rank_pace_divide(const rank_pace *p, portion units, double wanted, int workers) {
    portion_list all = {0};
    uint64_t each = p->job->each, end = smaller((units.first / each + 1) * each, units.end);
    double whole = cost_of(p, (portion){units.first, end});
    double least = whole / ((double)workers * OF_A_WORKER), cost = p->seconds > 0 ? wanted / p->seconds : whole;
    if (cost < least) cost = least;
    for (uint64_t next; units.first < end; units.first = next) {
        next = reach(p, (portion){units.first, end}, cost);
        portion_list_add(&all, (portion){units.first, next});
    }
    if (end < units.end) portion_list_add(&all, (portion){end, units.end});
    return all;
}
