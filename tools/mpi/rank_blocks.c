#include "mpi/rank_blocks.h"

#include <stdlib.h>

#include "cli/allocation.h"

enum { WINDOW = 64 };      /* blocks that are begun at the same time */
enum { SMALL = 64 };       /* units of a block at least, if there are as many */
enum { GROWTH = 4 };       /* of pieces from one to the next, at most */
enum { LONG = 16 };        /* times what is usual: long */
enum { FINE = 64 };        /* a portion of a block that is long has this part of the units before it */
enum { FIRST_UNITS = 64 }; /* of a program, that are its first class; as many again are the next, and so on doubling */
#define SLOW 0.002         /* seconds of a unit that is long, if it is none of the tries */
#define MUCH 0.005         /* seconds that are too much for one rank, of a block that is long */
#define LONG_REST 0.2      /* seconds that go to the first of the ordinary queues; the half to the next, and so on */
#define LEAST 0.00075      /* seconds that are worth giving to another rank */

void rank_blocks_free(rank_blocks *all) {
    portion_list_free(&all->fresh);
    free(all->begun);
    *all = (rank_blocks){0};
}

void rank_blocks_add(rank_blocks *all, portion units) {
    if (units.first < units.end) portion_list_add(&all->fresh, units);
}

static void begin(rank_blocks *all, rank_block block) {
    if (all->count == all->room) {
        all->room = all->room ? 2 * all->room : WINDOW;
        all->begun = allocation_resize(all->begun, all->room, sizeof *all->begun);
    }
    all->begun[all->count++] = block;
}

void rank_blocks_put(rank_blocks *all, rank_block block) {
    if (!block.tried)
        rank_blocks_add(all, block.units);
    else if (block.units.first < block.units.end)
        begin(all, block);
}

/* ---- what is next ---- */

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Units that a block has at most: those of a program, or of as many as make it worth a block. */
static uint64_t span(const portion_job *job) { return job->each * ((SMALL + job->each - 1) / job->each); }

/* Units that come before one of these. */
static uint64_t position(const portion_job *job, uint64_t unit) { return unit % span(job); }

/* The units of a program are in classes, of which those of the first are likely to take longest. */
static int class_of(const portion_job *job, uint64_t unit) {
    int number = 0;
    for (uint64_t rest = position(job, unit) / FIRST_UNITS; rest && number < RANK_CLASSES - 1; rest /= 2) number++;
    return number;
}

static uint64_t class_end(const portion_job *job, uint64_t unit) {
    int number = class_of(job, unit);
    uint64_t end = number < RANK_CLASSES - 1 ? smaller((uint64_t)FIRST_UNITS << number, span(job)) : span(job);
    return unit - position(job, unit) + end;
}

static void cut_fresh(rank_blocks *all) {
    uint64_t size = span(all->job);
    while (all->count < WINDOW && all->fresh.count) {
        portion *from = &all->fresh.list[all->fresh.count - 1];
        uint64_t end = smaller(from->end, (from->first / size + 1) * size);
        begin(all, (rank_block){.units = {from->first, end}});
        from->first = end;
        if (from->first == from->end) all->fresh.count--;
    }
}

int rank_blocks_are_left(rank_blocks *all) {
    cut_fresh(all);
    return all->count > 0;
}

/* What was never tried, or has fewest units before it. */
static size_t next_block(const rank_blocks *all) {
    size_t best = 0;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < all->count; i++) {
        const rank_block *b = &all->begun[i];
        if (!b->tried) return i;
        uint64_t before = position(all->job, b->units.first);
        if (before < least) {
            least = before;
            best = i;
        }
    }
    return best;
}

int rank_blocks_try(const rank_blocks *all) { return all->count && !all->begun[next_block(all)].tried; }

int rank_blocks_queues_before(const rank_blocks *all) {
    return rank_queue_of_long(class_of(all->job, all->begun[next_block(all)].units.first)) + 1;
}

rank_block rank_blocks_take(rank_blocks *all) {
    size_t i = next_block(all);
    rank_block taken = all->begun[i];
    all->count--;
    for (; i < all->count; i++) all->begun[i] = all->begun[i + 1];
    return taken;
}

/* ---- pieces ---- */

static uint64_t length(const rank_block *b) { return b->units.end - b->units.first; }

static double rate(const rank_block *b) { return b->tried ? b->seconds / (double)b->tried : 0; }

static double rest(const rank_block *b) { return rate(b) * (double)length(b); }

/* Units that take so long, at least one. */
static uint64_t reach(double seconds, double each) {
    double count = each > 0 ? seconds / each : 1e15;
    return count < 1 ? 1 : count > 1e15 ? (uint64_t)1e15 : (uint64_t)count;
}

/* Whether all that is known of it comes from its tries. */
static int is_only_tried(const rank_blocks *all, const rank_block *b) {
    return position(all->job, b->units.first) <= (all->job->tries ? all->job->tries : 1);
}

/* Units of a piece: what is not yet run of the tries; then one, which is likely to take longest, and of which the tries
 * may have told nothing; then by what the last piece took. */
static uint64_t wanted_units(const rank_blocks *all, const rank_block *b, double patience) {
    uint64_t before = position(all->job, b->units.first), tries = all->job->tries;
    if (!b->tried) return before < tries ? tries - before : 1;
    if (is_only_tried(all, b)) return 1;
    return smaller(GROWTH * b->tried, reach(patience, rate(b)));
}

static uint64_t allowed_units(const rank_blocks *all, const rank_block *b, uint64_t units) {
    if (units < all->job->together) units = all->job->together;
    if (all->most) units = smaller(units, all->most);
    return smaller(units, length(b));
}

uint64_t rank_block_piece(const rank_blocks *all, const rank_block *b, double patience) {
    return allowed_units(all, b, wanted_units(all, b, patience));
}

/* One by one, but for the last class: among the others is what takes longest of all. */
uint64_t rank_block_long_piece(const rank_blocks *all, const rank_block *b, double patience) {
    int is_last = class_of(all->job, b->units.first) == RANK_CLASSES - 1;
    return allowed_units(all, b, is_last ? wanted_units(all, b, patience) : 1);
}

void rank_block_took(rank_block *b, uint64_t units, double seconds) {
    b->units.first += units;
    b->tried = units;
    b->seconds = seconds;
}

/* ---- for others ---- */

int rank_block_is_long(const rank_blocks *all, const rank_block *b, double usual) {
    if (!b->tried || !length(b) || usual <= 0 || rate(b) <= LONG * usual || rest(b) <= MUCH) return 0;
    return is_only_tried(all, b) || rate(b) > SLOW;
}

/* What is known to take long goes with what is otherwise likely to take longer: as if half as many were before it. */
static void give_long(const rank_blocks *all, portion units, rank_given_list *to) {
    int number = class_of(all->job, units.first - position(all->job, units.first) / 2);
    rank_given_add(to, (rank_block){.units = units}, rank_queue_of_long(number));
}

void rank_block_divide(rank_blocks *all, const rank_block *b, rank_given_list *to) {
    portion left = b->units;
    if (!is_only_tried(all, b)) left.end = smaller(left.end, class_end(all->job, left.first));
    rank_block kept = *b;
    kept.units.first = left.end;
    rank_blocks_put(all, kept);
    while (left.first < left.end) {
        uint64_t before = position(all->job, left.first) / FINE, units = before > 1 ? before : 1;
        portion part = {left.first, smaller(left.end, left.first + units)};
        give_long(all, part, to);
        left.first = part.end;
    }
}

void rank_block_scatter(const rank_blocks *all, const rank_block *b, rank_given_list *to) {
    for (uint64_t unit = b->units.first; unit < b->units.end; unit++) give_long(all, (portion){unit, unit + 1}, to);
}

/* What was not tried far enough goes by its class; of the last class, the longer it is likely to take, the earlier. */
static int ordinary_queue(const rank_blocks *all, const rank_block *b) {
    int number = class_of(all->job, b->units.first), queue = RANK_ORDINARY;
    if (number < RANK_CLASSES - 1) return rank_queue_of_class(number);
    for (double most = LONG_REST; b->tried && queue < RANK_QUEUES - 1 && rest(b) <= most; most /= 2) queue++;
    return queue;
}

void rank_blocks_give_all(rank_blocks *all, double usual, rank_given_list *to) {
    for (size_t i = 0; i < all->count; i++) {
        rank_block b = all->begun[i];
        if (is_only_tried(all, &b) && rank_block_is_long(all, &b, usual))
            rank_block_divide(all, &b, to);
        else
            rank_given_add(to, b, ordinary_queue(all, &b));
    }
    for (size_t i = 0; i < all->fresh.count; i++) { /* in a few parts, for several to begin with it */
        enum { PARTS = 4 };
        portion units = all->fresh.list[i];
        uint64_t each = (units.end - units.first + PARTS - 1) / PARTS;
        for (; units.first < units.end; units.first = smaller(units.first + each, units.end))
            rank_given_add(to, (rank_block){.units = {units.first, smaller(units.first + each, units.end)}},
                           rank_queue_of_class(0));
    }
    all->count = all->fresh.count = 0;
}

/* Gives units away, from the end of a block, that take `wanted` seconds together if each takes so long, in portions of
 * `size` seconds. Returns what they take. */
static double give_end(const rank_blocks *all, rank_block *b, double each, double wanted, double size,
                       rank_given_list *to) {
    uint64_t units = each > 0 && wanted < each * (double)length(b) ? (uint64_t)(wanted / each) : length(b);
    rank_block part = *b;
    b->units.end -= units;
    for (portion given = {b->units.end, part.units.end}; given.first < given.end; given.first = part.units.end) {
        part.units = (portion){given.first, smaller(given.end, given.first + reach(size, each))};
        rank_given_add(to, part, ordinary_queue(all, &part));
    }
    return (double)units * each;
}

static void drop_empty(rank_blocks *all) {
    size_t left = 0;
    for (size_t i = 0; i < all->count; i++)
        if (length(&all->begun[i])) all->begun[left++] = all->begun[i];
    all->count = left;
    while (all->fresh.count && all->fresh.list[all->fresh.count - 1].first == all->fresh.list[all->fresh.count - 1].end)
        all->fresh.count--;
}

/* What was tried and has most units before it: it would be run last. -1: nothing was tried. */
static int64_t last_block(const rank_blocks *all) {
    int64_t last = -1;
    for (size_t i = 0; i < all->count; i++) {
        const rank_block *b = &all->begun[i];
        if (b->tried && length(b) &&
            (last < 0 || position(all->job, b->units.first) > position(all->job, all->begun[last].units.first)))
            last = (int64_t)i;
    }
    return last;
}

/* What was not begun goes first, then what would be run last. */
void rank_blocks_share(rank_blocks *all, int others, rank_given_list *to) {
    double rates = 0, sum = 0;
    size_t tried = 0;
    for (size_t i = 0; i < all->count; i++) {
        rates += rate(&all->begun[i]);
        sum += rest(&all->begun[i]);
        tried += all->begun[i].tried > 0;
    }
    double mean = tried ? rates / (double)tried : 0;
    for (size_t i = 0; i < all->fresh.count; i++)
        sum += mean * (double)(all->fresh.list[i].end - all->fresh.list[i].first);
    double size = sum / (others + 1), wanted = size * others;
    if (mean <= 0 || sum < LEAST) return;
    if (size < LEAST) size = LEAST;
    for (size_t i = 0; i < all->fresh.count && wanted > 0; i++) {
        rank_block fresh = {.units = all->fresh.list[i]};
        wanted -= give_end(all, &fresh, mean, wanted, size, to);
        all->fresh.list[i] = fresh.units;
    }
    for (int64_t i; wanted > 0 && (i = last_block(all)) >= 0;) {
        rank_block *b = &all->begun[i];
        wanted -= give_end(all, b, rate(b), wanted, size, to);
        if (length(b)) break; /* a part of it was enough */
    }
    drop_empty(all);
}
