#include "host.h"

#define KERNEL(name) host_kernel host_##name;
#include "../lib/kernels.def"
#undef KERNEL

static host_kernel *const plain_kernels[KERNEL_COUNT] = {
    NULL,
#define KERNEL(name) host_##name,
#include "../lib/kernels.def"
#undef KERNEL
};

#ifdef ARCL_HAVE_V3
#define KERNEL(name) host_kernel host_v3_##name;
#include "../lib/kernels.def"
#undef KERNEL

static host_kernel *const v3_kernels[KERNEL_COUNT] = {
    NULL,
#define KERNEL(name) host_v3_##name,
#include "../lib/kernels.def"
#undef KERNEL
};
#endif

host_kernel *const *host_kernels(void) {
#ifdef ARCL_HAVE_V3
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("fma"))
        return v3_kernels;
#endif
    return plain_kernels;
}

int host_kernel_folds(unsigned kernel) {
    switch (kernel) {
    case KERNEL_add_int:
    case KERNEL_subtract_int:
    case KERNEL_multiply_int:
    case KERNEL_divide_int:
    case KERNEL_invert_int:
    case KERNEL_double_int:
    case KERNEL_halve_int:
    case KERNEL_increment_int:
    case KERNEL_decrement_int:
    case KERNEL_crement_int:
    case KERNEL_sign_int:
    case KERNEL_even:
    case KERNEL_positive:
    case KERNEL_greater:
    case KERNEL_flip:
    case KERNEL_both:
    case KERNEL_either:
    case KERNEL_truth_int:
    case KERNEL_splat:
    case KERNEL_pack_ij:
    case KERNEL_ij_first:
    case KERNEL_ij_last: return 1;
    default: return 0;
    }
}

int host_fold(unsigned kernel, uint64_t imm, int args, const int64_t *arg, int64_t *result) {
    uchar status = 0;
    word out = 0;
    launch l = {.count = 1, .imm = imm, .out = &out, .status = &status};
    for (int i = 0; i < args; i++) l.column[i] = &arg[i];
    plain_kernels[kernel](&l);
    *result = out;
    return !l.failures;
}
