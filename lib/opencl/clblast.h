/* The door to CLBlast, a library of matrix products for OpenCL devices. It is looked for when it is first wanted, so
 * that the library neither links to it nor needs its header. Only the one product that is used here is known. */
#ifndef ARCL_OPENCL_CLBLAST_H
#define ARCL_OPENCL_CLBLAST_H
#include "opencl/device.h"

/* Loads the library, once per process; a failure is not final. */
ARCL_CHECKED arcl_status clblast_load(arcl_error *error);

/* C[m][n] += the sum over k of A[m][k] * B[n][k]: floats in the device's arena, in rows without gaps, at these words.
 * Enqueues; the first product on a device compiles, which takes seconds. clblast_load must have succeeded. */
typedef struct clblast_product {
    size_t m, n, k;
    uint32_t a, b, c;
} clblast_product;
ARCL_CHECKED arcl_status clblast_multiply_add(opencl_device *d, const clblast_product *product, arcl_error *error);

/* Forgets what CLBlast has compiled for all devices: it would keep their contexts alive. */
void clblast_forget(void);

/* For tests: the library to look for, from the next clblast_load on; NULL for the system's. */
void clblast_library(const char *name);

/* CLBlast's C interface as far as it is used. Its enums are ints here; the names of the values are those of its
 * header. */
typedef int clblast_sgemm(int layout, int a_transpose, int b_transpose, size_t m, size_t n, size_t k, float alpha,
                          cl_mem a, size_t a_offset, size_t a_ld, cl_mem b, size_t b_offset, size_t b_ld, float beta,
                          cl_mem c, size_t c_offset, size_t c_ld, cl_command_queue *queue, cl_event *event);
typedef int clblast_clear_cache(void);
enum { CLBLAST_ROW_MAJOR = 101, CLBLAST_AS_IT_IS = 111, CLBLAST_TRANSPOSED = 112 };

#endif
