/* What the results of a compiled program depend on besides the lane, as text, and a key of it. Results that are kept go
 * by it, so whatever can change a result must be in it:
 *
 *     arcl 0.1.0
 *     kernels 0123456789abcdef           their text and what compiled it
 *     policy strict                      what a failed op does to its lane
 *     budget 67108864
 *     result grid                        or `any`: whether it was converted to a grid
 *     types grid
 *     steps 00112233445566778899aabbccddeeff     what the compiler made: no other compiler's results are taken
 *     def (I):
 *         ..                             the normal form
 */
#ifndef ARCL_PROGRAM_IDENTITY_H
#define ARCL_PROGRAM_IDENTITY_H
#include "base/hash.h"
#include "program/graph.h"

typedef struct program_identity {
    arcl_key key; /* of the text */
    size_t length;
    char text[];
} program_identity;

/* NULL when there is no memory. free() it. */
program_identity *program_identity_make(const program_graph *p, int grid_result, uint32_t budget,
                                        const char *normal_form, size_t length);
program_identity *program_identity_copy(const program_identity *from);

#endif
