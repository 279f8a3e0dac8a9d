/* What a rank has to do, and which piece of it comes next. What programs cost differs by a factor of ten thousand and
 * is known only by running them; their units come in the order of what they are likely to cost (portion_job.h). So a
 * rank does not finish one program after the other: in a first round it runs a single unit of each, in the next a few
 * more, and so on. What turns out to take long is cut finely and given to all ranks, and what is left when others have
 * nothing to do is shared with them. bench/cluster_model.py simulates these rules. */
#ifndef ARCL_RANK_BLOCKS_H
#define ARCL_RANK_BLOCKS_H
#include "mpi/rank_queue.h"

/* A block has units of one program, or of a few that are small. */
typedef struct rank_block_list {
    rank_block *list;
    size_t count, room;
} rank_block_list;

typedef struct rank_blocks {
    const portion_job *job;
    uint64_t most;             /* units of a piece; 0: any number */
    portion_list fresh;        /* not cut into blocks yet; the last comes first */
    rank_block_list now, next; /* of this round, from the end on, and of the next */
} rank_blocks;

void rank_blocks_free(rank_blocks *all);
void rank_blocks_add(rank_blocks *all, portion units);
/* What another rank has begun; units of several programs are as if nothing was known of them. */
void rank_blocks_adopt(rank_blocks *all, rank_block block);

/* Begins the next round if this one is over. Returns whether there is anything to do. */
int rank_blocks_are_left(rank_blocks *all);
/* Whether a block comes next that was never tried. */
int rank_blocks_try(const rank_blocks *all);

/* Takes the next block out; and how many of its units are a piece that takes no longer than `patience`, by what is
 * known of it. */
rank_block rank_blocks_take(rank_blocks *all);
uint64_t rank_block_piece(const rank_blocks *all, const rank_block *block, double patience);
/* Notes that its first units were run, and removes these. */
void rank_block_took(rank_block *block, uint64_t units, double seconds);
/* Puts a block back, for the next round. */
void rank_blocks_put(rank_blocks *all, rank_block block);

/* Whether a unit of it takes many times what is usual for first units, and all of it longer than `patience`. */
int rank_block_is_long(const rank_block *block, double usual, double patience);

/* Cuts a block that is long into portions for all ranks, of `patience` by what is known, and finer where it may be
 * wrong: among the first units. */
void rank_block_divide(const rank_blocks *all, const rank_block *block, double patience, rank_given_list *to);

/* Takes out everything; or what leaves an equal part of all for this rank and for `others`. */
void rank_blocks_give_all(rank_blocks *all, rank_given_list *to);
void rank_blocks_share(rank_blocks *all, int others, rank_given_list *to);

#endif
