/* Arrays that grow by doubling, so that putting in n elements takes about n steps. */
#ifndef ARCL_GROWTH_H
#define ARCL_GROWTH_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Doubles the room of an array, or makes one of `first` elements. `array` is the address of the pointer to it. 0, and
 * nothing has changed, if there is no memory. */
static inline int array_double(void *array, size_t size, uint32_t *room, uint32_t first) {
    void *old, *grown;
    uint32_t larger = *room ? 2 * *room : first;
    memcpy(&old, array, sizeof old);
    if (larger <= *room || !(grown = realloc(old, (size_t)larger * size))) return 0;
    memcpy(array, &grown, sizeof grown);
    *room = larger;
    return 1;
}

/* Whether there is room for one more element, which may have to be made. */
#define ARRAY_HAS_ROOM(array, count, room, first)                                                                      \
    ((count) < (room) || array_double(&(array), sizeof *(array), &(room), first))

#endif
