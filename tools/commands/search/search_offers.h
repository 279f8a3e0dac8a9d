/* What one round of a search hands to the next: the best program of each task that has one with all train examples
 * right, in the order of tasks. So what a round begins with does not depend on who has found what, or when. */
#ifndef ARCL_SEARCH_OFFERS_H
#define ARCL_SEARCH_OFFERS_H
#include "commands/search/found_task.h"
#include "commands/search/search_job.h"
#include "portions/bytes.h"

/* Puts the texts of what is offered to a list. */
void search_offers_put(const search_job *job, found_task *const *found, byte_list *offers);

/* Makes the job that of the next round: what is offered and not there yet is added to its donors. *added is how many
 * that are. Returns CLI_DONE, or another exit status after a message. */
int search_offers_take(search_job *job, const byte_list *offers, int *added);

#endif
