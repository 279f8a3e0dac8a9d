/* The scalar types of OpenCL C, for both compilers, and how the two languages mark functions and memory. */
#ifndef ARCL_LANE_TYPES_H
#define ARCL_LANE_TYPES_H

#ifdef __OPENCL_C_VERSION__
typedef long word;
typedef char cellbyte;
#define GLOBAL global
#define LANE static
#define INLINED static
#define RARE static
#define APART static
#else
#include <stdint.h>
typedef int64_t word;
typedef signed char cellbyte;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#define GLOBAL
#define LANE static inline __attribute__((unused))
#define INLINED static inline __attribute__((always_inline)) /* what would else keep values in memory */
#define RARE static __attribute__((unused, cold, noinline))  /* kept out of the way of the usual case */
#define APART static __attribute__((unused, noinline))       /* likewise, but often called where it is called at all */
#endif

#endif
