/* The kernels' text, made from cl/ by cl/embed.cmake when arcl is built: one text per family, its headers included and
 * every line numbered as in cl/, so that a driver's messages point there. */
#ifndef ARCL_OPENCL_SOURCES_H
#define ARCL_OPENCL_SOURCES_H
#include <stddef.h>
#include <stdint.h>

typedef struct opencl_source {
    const char *family;
    const char *text; /* not a string: it has no end mark */
    size_t length;
} opencl_source;

extern const opencl_source opencl_sources[];
extern const int opencl_source_count;
extern const uint64_t opencl_sources_hash;

#endif
