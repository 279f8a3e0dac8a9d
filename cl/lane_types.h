/* The scalar types of OpenCL C, for both compilers, how the two languages mark functions and memory, and for what
 * launches the text is compiled. */
#ifndef ARCL_LANE_TYPES_H
#define ARCL_LANE_TYPES_H

/* A driver for the host's own processor, whose launches have one work-item, is given the very text that the host is:
 * whatever kinds of memory OpenCL has, there it is one, and the compiler knows the processor's instructions. */
#if defined(ARCL_ONE_ITEM) && defined(__clang__) && defined(__x86_64__)
#define LIKE_HOST
#elif defined(__OPENCL_C_VERSION__)
#define OPENCL_TEXT
#endif

/* Launches of one work-item share nothing while they run: those of the host, and those of a CPU's queues, for which the
 * driver is told so (lib/opencl/kernel_build.c). */
#if defined(OPENCL_TEXT) && !defined(ARCL_ONE_ITEM)
#define MANY_ITEMS
#endif

#ifdef OPENCL_TEXT
typedef long word;
typedef char cellbyte;
#define GLOBAL global
#define LANE static
#define INLINED static
#define RARE static
#define APART static
#else
#ifdef LIKE_HOST
typedef long word;
#else
#include <stdint.h>
typedef int64_t word;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#endif
typedef signed char cellbyte;
#define GLOBAL
#define LANE static inline __attribute__((unused))
#define INLINED static inline __attribute__((always_inline)) /* what would else keep values in memory */
#define RARE static __attribute__((unused, cold, noinline))  /* kept out of the way of the usual case */
#define APART static __attribute__((unused, noinline))       /* likewise, but often called where it is called at all */
#endif

/* Before a loop that clang would make wide with gathers, which take longer than loads one by one. */
#ifdef LIKE_HOST
#define NOT_WIDE _Pragma("clang loop vectorize(disable)")
#else
#define NOT_WIDE
#endif

/* Where all work-items of a wave need the same, AMD's compiler keeps it in scalar registers. These are few, and loops
 * need them for their masks. So it is told of values that they are in the other registers, which are many; and what is
 * asked of such a value later on is not asked before, which would take a mask until then. */
#if defined(__AMDGCN__)
#define NOT_SCALAR(value) __asm__ volatile("" : "+v"(value))
#else
#define NOT_SCALAR(value)
#endif

#endif
