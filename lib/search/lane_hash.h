/* A number of 64 bits for a value of a lane, the same wherever it lies. The search asks for it more often than for
 * anything else, so that it is quicker to make than the fingerprints of scores (cl/fingerprint.h), which it says as
 * much as; nobody outside a search sees it. */
#ifndef ARCL_LANE_HASH_H
#define ARCL_LANE_HASH_H
#include "cl/word.h"
#include "ops/type.h"

uint64_t lane_hash(const word *storage, type_code type, word w);

#endif
