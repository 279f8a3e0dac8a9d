/* The kernels by number, and arithmetic with them at compile time. */
#include "host/host.h"
#include "program/image.h"

#define FOLD_WORDS 128

#define KERNEL(family, name, traits) host_kernel host_##name;
#include "ops/kernels.def"
#undef KERNEL

static host_kernel *const plain_kernels[KERNEL_COUNT] = {
    NULL,
#define KERNEL(family, name, traits) host_##name,
#include "ops/kernels.def"
#undef KERNEL
};

#ifdef ARCL_HAVE_V3
#define KERNEL(family, name, traits) host_kernel host_v3_##name;
#include "ops/kernels.def"
#undef KERNEL

static host_kernel *const v3_kernels[KERNEL_COUNT] = {
    NULL,
#define KERNEL(family, name, traits) host_v3_##name,
#include "ops/kernels.def"
#undef KERNEL
};
#endif

typedef struct build {
    const char *name;
    host_kernel *const *kernels;
} build;

#ifdef ARCL_HAVE_V3
static const build builds[] = {{"avx2", v3_kernels}, {"any", plain_kernels}};

static int first_build(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                   __builtin_cpu_supports("fma")
               ? 0
               : 1;
}
#else
static const build builds[] = {{"any", plain_kernels}};
static int first_build(void) { return 0; }
#endif

int host_builds(void) { return (int)(sizeof builds / sizeof builds[0]) - first_build(); }
const char *host_build_name(int number) { return builds[first_build() + number].name; }
host_kernel *const *host_kernels(int number) { return builds[first_build() + number].kernels; }

/* A program of constants and one kernel, in the scope that all lanes share, run over no lanes. */
int host_fold(unsigned kernel, uint64_t imm, int args, const int64_t *arg, int64_t *result) {
    graph_step steps[5] = {{.kind = STEP_KERNEL, .args = (uint8_t)args, .kernel_id = (uint16_t)kernel, .imm = imm}};
    graph_scope scopes[2] = {{.slots = 1}, {.depth = 1}};
    program_graph p = {.steps = steps, .count = 1 + args, .scopes = scopes, .scope_count = 2};
    for (int i = 0; i < args; i++) {
        steps[i + 1] = (graph_step){.kind = STEP_CONST, .imm = (uint64_t)arg[i]};
        steps[0].arg[i] = (uint32_t)i + 1;
    }
    word arena[FOLD_WORDS];
    image_request image = {.program = &p, .limit = FOLD_WORDS, .budget = 1};
    if (!image_write(&image, arena)) return 0;
    plain_kernels[kernel](arena, 0, 0);
    const scope_state *shared = state_at(arena, frame_at(arena, 0), SCOPE_SHARED);
    *result = arena[shared->columns];
    return !shared->failures;
}
