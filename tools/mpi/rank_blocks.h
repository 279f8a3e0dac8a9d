/* What a rank has to do, and which piece of it comes next. What programs cost differs by a factor of ten thousand and
 * is known only by running them; their units come in the order of what they are likely to cost, after a few that are
 * tried first (portion_job.h). So a rank does not finish one program after the other: it tries all of them, and then
 * always goes on with the one of which least is done. What turns out to take long is cut finely and given to all ranks,
 * and what is left when others have nothing to do is shared with them. bench/cluster_model.py simulates these rules. */
#ifndef ARCL_RANK_BLOCKS_H
#define ARCL_RANK_BLOCKS_H
#include "mpi/rank_queue.h"

typedef struct rank_blocks {
    const portion_job *job;
    uint64_t most;      /* units of a piece; 0: any number */
    portion_list fresh; /* not cut into blocks yet; the last comes first */
    rank_block *begun;  /* each has units of one program, or of a few that are small */
    size_t count, room;
} rank_blocks;

void rank_blocks_free(rank_blocks *all);
void rank_blocks_add(rank_blocks *all, portion units);
/* What was begun here or by another rank; one that was never tried need not be of one program. */
void rank_blocks_put(rank_blocks *all, rank_block block);

/* Whether there is anything to do. */
int rank_blocks_are_left(rank_blocks *all);
/* What is next, if anything is left: whether it was never tried; and how many of the queues have what should be done
 * before it. */
int rank_blocks_try(const rank_blocks *all);
int rank_blocks_queues_before(const rank_blocks *all);

/* Takes the next block out; and how many of its units are a piece that takes no longer than `patience`, by what is
 * known of it. */
rank_block rank_blocks_take(rank_blocks *all);
uint64_t rank_block_piece(const rank_blocks *all, const rank_block *block, double patience);
/* The same of a block that was given because it takes long. */
uint64_t rank_block_long_piece(const rank_blocks *all, const rank_block *block, double patience);
/* Notes that its first units were run, and removes these. */
void rank_block_took(rank_block *block, uint64_t units, double seconds);

/* Whether a unit of it takes many times what is usual for tries, and it is too much for one rank. */
int rank_block_is_long(const rank_blocks *all, const rank_block *block, double usual);

/* Cuts a block that is long into portions for all ranks: all of it if that is known by its tries, and otherwise the
 * units that are likely to be of the kind that took long, while the rest stays here. */
void rank_block_divide(rank_blocks *all, const rank_block *block, rank_given_list *to);
/* Cuts it into single units. */
void rank_block_scatter(const rank_blocks *all, const rank_block *block, rank_given_list *to);

/* Takes out everything, and divides what is long; or takes out what leaves an equal part of all for this rank and for
 * `others`. */
void rank_blocks_give_all(rank_blocks *all, double usual, rank_given_list *to);
void rank_blocks_share(rank_blocks *all, int others, rank_given_list *to);

#endif
