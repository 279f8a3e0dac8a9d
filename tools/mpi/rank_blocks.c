#include "mpi/rank_blocks.h"

#include <stdlib.h>

#include "cli/allocation.h"

enum { WINDOW = 64 };      /* blocks that are in rounds at the same time */
enum { SMALL = 64 };       /* units of a block at least, if there are as many */
enum { GROWTH = 4 };       /* of pieces from one to the next */
enum { LONG = 32 };        /* times what is usual: long */
enum { FINE = 64 };        /* a portion of a block that is long has this part of the units before it, at least */
enum { FIRST_UNITS = 64 }; /* that go to the first queue, of a program; as many again to the next, and so on doubling */
#define LONG_REST 0.2      /* seconds that go to the first of the ordinary queues; the half to the next, and so on */
#define LEAST 0.00075      /* seconds that are worth giving to another rank */

void rank_blocks_free(rank_blocks *all) {
    portion_list_free(&all->fresh);
    free(all->now.list);
    free(all->next.list);
    *all = (rank_blocks){0};
}

static void put(rank_block_list *to, rank_block block) {
    if (to->count == to->room) {
        to->room = to->room ? 2 * to->room : WINDOW;
        to->list = allocation_resize(to->list, to->room, sizeof *to->list);
    }
    to->list[to->count++] = block;
}

void rank_blocks_add(rank_blocks *all, portion units) {
    if (units.first < units.end) portion_list_add(&all->fresh, units);
}

void rank_blocks_adopt(rank_blocks *all, rank_block block) {
    if (block.tried)
        put(&all->next, block);
    else
        rank_blocks_add(all, block.units);
}

void rank_blocks_put(rank_blocks *all, rank_block block) {
    if (block.units.first < block.units.end) put(&all->next, block);
}

/* ---- rounds ---- */

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Units that a block has at most: those of a program, or of as many as make it worth a block. */
static uint64_t span(const portion_job *job) { return job->each * ((SMALL + job->each - 1) / job->each); }

static void cut_fresh(rank_blocks *all) {
    uint64_t size = span(all->job);
    while (all->next.count < WINDOW && all->fresh.count) {
        portion *from = &all->fresh.list[all->fresh.count - 1];
        uint64_t end = smaller(from->end, (from->first / size + 1) * size);
        put(&all->next, (rank_block){.units = {from->first, end}});
        from->first = end;
        if (from->first == from->end) all->fresh.count--;
    }
}

int rank_blocks_are_left(rank_blocks *all) {
    if (all->now.count) return 1;
    if (!all->next.count) cut_fresh(all);
    while (all->next.count) put(&all->now, all->next.list[--all->next.count]);
    return all->now.count > 0;
}

int rank_blocks_try(const rank_blocks *all) { return all->now.count && !all->now.list[all->now.count - 1].tried; }

rank_block rank_blocks_take(rank_blocks *all) { return all->now.list[--all->now.count]; }

/* ---- pieces ---- */

static uint64_t length(const rank_block *b) { return b->units.end - b->units.first; }

static double rate(const rank_block *b) { return b->tried ? b->seconds / (double)b->tried : 0; }

static double rest(const rank_block *b) { return rate(b) * (double)length(b); }

/* Units that take so long, at least one. */
static uint64_t reach(double seconds, double each) {
    double count = each > 0 ? seconds / each : 1e15;
    return count < 1 ? 1 : count > 1e15 ? (uint64_t)1e15 : (uint64_t)count;
}

uint64_t rank_block_piece(const rank_blocks *all, const rank_block *b, double patience) {
    uint64_t units = b->tried ? smaller(GROWTH * b->tried, reach(patience, rate(b))) : 1;
    if (units < all->job->together) units = all->job->together;
    if (all->most) units = smaller(units, all->most);
    return smaller(units, length(b));
}

void rank_block_took(rank_block *b, uint64_t units, double seconds) {
    b->units.first += units;
    b->tried = units;
    b->seconds = seconds;
}

/* ---- for others ---- */

int rank_block_is_long(const rank_block *b, double usual, double patience) {
    return b->tried && length(b) && usual > 0 && rate(b) > LONG * usual && rest(b) > patience;
}

static int urgent_queue(const portion_job *job, portion units) {
    uint64_t position = units.first % job->each / FIRST_UNITS;
    int queue = 0;
    for (; position && queue < RANK_ORDINARY - 1; position /= 2) queue++;
    return queue;
}

void rank_block_divide(const rank_blocks *all, const rank_block *b, double patience, rank_given_list *to) {
    uint64_t size = reach(patience, rate(b));
    portion left = b->units;
    while (left.first < left.end) {
        uint64_t before = left.first % all->job->each / FINE, units = size > before ? size : before;
        portion part = {left.first, smaller(left.end, left.first + units)};
        rank_given_add(to, (rank_block){.units = part}, urgent_queue(all->job, part));
        left.first = part.end;
    }
}

/* The longer it is likely to take, the earlier; what nobody knows anything of comes first. */
static int ordinary_queue(const rank_block *b) {
    int queue = RANK_ORDINARY;
    for (double most = LONG_REST; b->tried && queue < RANK_QUEUES - 1 && rest(b) <= most; most /= 2) queue++;
    return queue;
}

void rank_blocks_give_all(rank_blocks *all, rank_given_list *to) {
    for (size_t i = 0; i < all->next.count; i++)
        rank_given_add(to, all->next.list[i], ordinary_queue(&all->next.list[i]));
    for (size_t i = all->now.count; i-- > 0;) rank_given_add(to, all->now.list[i], ordinary_queue(&all->now.list[i]));
    for (size_t i = 0; i < all->fresh.count; i++) { /* in a few parts, for several to begin with it */
        enum { PARTS = 4 };
        portion units = all->fresh.list[i];
        uint64_t each = (units.end - units.first + PARTS - 1) / PARTS;
        for (; units.first < units.end; units.first = smaller(units.first + each, units.end))
            rank_given_add(to, (rank_block){.units = {units.first, smaller(units.first + each, units.end)}},
                           RANK_ORDINARY);
    }
    all->next.count = all->now.count = all->fresh.count = 0;
}

/* Gives units away, from the end of a block, that take `wanted` seconds together if each takes so long, in portions of
 * `size` seconds. Returns what they take. */
static double give_end(rank_block *b, double each, double wanted, double size, rank_given_list *to) {
    uint64_t units = each > 0 && wanted < each * (double)length(b) ? (uint64_t)(wanted / each) : length(b);
    rank_block part = *b;
    b->units.end -= units;
    for (portion given = {b->units.end, part.units.end}; given.first < given.end; given.first = part.units.end) {
        part.units = (portion){given.first, smaller(given.end, given.first + reach(size, each))};
        rank_given_add(to, part, ordinary_queue(&part));
    }
    return (double)units * each;
}

static void drop_empty(rank_block_list *blocks) {
    size_t left = 0;
    for (size_t i = 0; i < blocks->count; i++)
        if (length(&blocks->list[i])) blocks->list[left++] = blocks->list[i];
    blocks->count = left;
}

/* Seconds a unit takes in the mean, over what was tried. */
static double mean_rate(const rank_blocks *all) {
    double sum = 0;
    size_t count = 0;
    const rank_block_list *lists[] = {&all->now, &all->next};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++)
            if (lists[k]->list[i].tried) {
                sum += rate(&lists[k]->list[i]);
                count++;
            }
    return count ? sum / (double)count : 0;
}

/* What was not begun goes first, then what would be run last. */
void rank_blocks_share(rank_blocks *all, int others, rank_given_list *to) {
    double mean = mean_rate(all), sum = 0;
    for (size_t i = 0; i < all->next.count; i++) sum += rest(&all->next.list[i]);
    for (size_t i = 0; i < all->now.count; i++) sum += rest(&all->now.list[i]);
    for (size_t i = 0; i < all->fresh.count; i++)
        sum += mean * (double)(all->fresh.list[i].end - all->fresh.list[i].first);
    double size = sum / (others + 1), wanted = size * others;
    if (mean <= 0 || sum < LEAST) return;
    if (size < LEAST) size = LEAST;
    for (size_t i = 0; i < all->fresh.count && wanted > 0; i++) {
        rank_block fresh = {.units = all->fresh.list[i]};
        wanted -= give_end(&fresh, mean, wanted, size, to);
        all->fresh.list[i] = fresh.units;
    }
    while (all->fresh.count && all->fresh.list[all->fresh.count - 1].first == all->fresh.list[all->fresh.count - 1].end)
        all->fresh.count--;
    for (size_t i = all->next.count; i-- > 0 && wanted > 0;)
        wanted -= give_end(&all->next.list[i], rate(&all->next.list[i]), wanted, size, to);
    for (size_t i = 0; i < all->now.count && wanted > 0; i++)
        if (all->now.list[i].tried) wanted -= give_end(&all->now.list[i], rate(&all->now.list[i]), wanted, size, to);
    drop_empty(&all->next);
    drop_empty(&all->now);
}
