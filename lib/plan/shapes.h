/* In which shape a device runs the kernels of a program: lanes, or teams (arcl_shape). One answer for all launches of a
 * kernel in a chunk, by what they take together. */
#ifndef ARCL_SHAPES_H
#define ARCL_SHAPES_H
#include "plan/cost.h"

/* For a chunk of so many lanes: is_team[kernel], of KERNEL_COUNT kernels, is 1 where teams take less. What was not
 * measured as a team runs as lanes. */
void shapes_choose(const profile_device *d, const program_sizes *s, double lanes, uchar *is_team);

/* What a plan says of the shapes on one device. */
typedef uchar shape_table[KERNEL_COUNT];

/* The shapes on every device of the profile; NULL if there is nothing to say: there are only CPUs, or the user has said
 * it, or there is no memory, without which devices do as suits them. To be freed. */
shape_table *shapes_of_devices(const arcl_profile *p, const program_sizes *s, double lanes);

#endif
