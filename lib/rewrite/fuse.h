/* What the passes share that replace steps by others which do less (fuse.c, unsorted.c). */
#ifndef ARCL_FUSE_H
#define ARCL_FUSE_H
#include "compile/compiler.h"

typedef struct fuser {
    arcl_program *p;
    uint32_t *readers;       /* per step: how many steps and results need it */
    uint32_t *together;      /* per scope: how many steps it has */
    unsigned char *is_loose; /* per step: its sets are only side by side, and need uniting */
} fuser;

static inline int is_kernel(const graph_step *s, unsigned kernel) {
    return s->kind == STEP_KERNEL && s->kernel_id == kernel;
}

static inline int makes_a_set(const graph_step *s) {
    return s->kind == STEP_KERNEL && kernel_has(s->kernel_id, MAKES_A_SET);
}

/* A step that nobody needs becomes a number, which is left out. */
static inline void forget(fuser *f, uint32_t step) {
    f->together[f->p->steps[step].scope]--;
    f->p->steps[step] = (graph_step){.kind = STEP_CONST, .scope = SCOPE_SHARED};
}

/* Whether nobody reads a column but as `allowed` says, which is asked for every argument that it is. */
typedef int allowed_reader(const fuser *f, uint32_t reader, int argument, uint32_t set);
int is_read_only_by(const fuser *f, uint32_t column, allowed_reader *allowed, uint32_t set);

int fuser_start(pool *memory, arcl_program *p, fuser *f); /* 0 when there is no memory */

#endif
