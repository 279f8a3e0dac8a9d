/* The machine that something is measured on, and what else it is doing: without that, a time says little. */
#ifndef ARCL_BENCH_MACHINE_H
#define ARCL_BENCH_MACHINE_H

typedef struct bench_machine {
    char processor[128], host[256], system[256];
    int processors;   /* that are there */
    double megahertz; /* of the first; 0: unknown */
    int scaling;      /* its frequency changes */
    double load[3];   /* of the last 1, 5 and 15 minutes, before measuring */
} bench_machine;

/* What can be found out; `processor` is what the library calls the host. */
void bench_machine_look(bench_machine *machine, const char *processor);

#endif
