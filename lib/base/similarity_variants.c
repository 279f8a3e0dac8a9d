#include "base/similarity_variants.h"

const char *similarity_variant_name(similarity_variant variant) {
    static const char *const names[] = {
#define VARIANT(name, on_host, compare) #name,
#include "base/similarity.def"
#undef VARIANT
    };
    return names[variant];
}
