/* The names of the ways to compare grids: for whoever speaks of them without comparing anything, as profiles do. */
#ifndef ARCL_SIMILARITY_VARIANTS_H
#define ARCL_SIMILARITY_VARIANTS_H

typedef enum similarity_variant {
#define VARIANT(name, on_host, compare) SIMILARITY_##name,
#include "base/similarity.def"
#undef VARIANT
    SIMILARITY_VARIANTS
} similarity_variant;

const char *similarity_variant_name(similarity_variant variant);

#endif
