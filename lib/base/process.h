/* Which process this is. After a fork, the child has the memory of its parent but none of its threads, and drivers do not
 * work any more; whoever depends on either remembers the generation and compares. */
#ifndef ARCL_PROCESS_H
#define ARCL_PROCESS_H

/* Counts forks: the same number in a process, another in its children. From the first call on. */
unsigned process_generation(void);

#endif
