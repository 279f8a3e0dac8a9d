/* Where PoCL's threads may run. It makes them once for a process, so each case is a child's, forked before drivers are
 * used. */
#define _GNU_SOURCE
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "opencl/opencl.h"

#include "greatest.h"

enum { FINE, WRONG, NO_POCL };

typedef struct where {
    int threads, fixed; /* all of this process; those that have one processor only */
    int on_first;       /* those that may use the first processor */
} where;

static where look_at_threads(void) {
    where w = {0};
    DIR *d = opendir("/proc/self/task");
    cpu_set_t allowed;
    for (struct dirent *e; d && (e = readdir(d));) {
        pid_t thread = (pid_t)atoi(e->d_name);
        if (thread <= 0 || sched_getaffinity(thread, sizeof allowed, &allowed)) continue;
        w.threads++;
        w.fixed += CPU_COUNT(&allowed) == 1;
        w.on_first += CPU_ISSET(0, &allowed) != 0;
    }
    if (d) closedir(d);
    return w;
}

static int starts_pocl(void) {
    opencl *o = opencl_create();
    int found = 0;
    for (int n = 0; o && n < opencl_count(o); n++) {
        arcl_device_info info;
        opencl_describe(o, n, &info);
        found |= strcmp(info.platform, "Portable Computing Language") == 0 && info.id[0];
    }
    opencl_free(o);
    return found;
}

static int each_has_a_processor(void) {
    int processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
    unsetenv("POCL_AFFINITY");
    if (!starts_pocl()) return NO_POCL;
    return look_at_threads().fixed >= processors && !getenv("POCL_AFFINITY") ? FINE : WRONG;
}

static int the_user_decides(void) {
    setenv("POCL_AFFINITY", "0", 1);
    if (!starts_pocl()) return NO_POCL;
    return look_at_threads().fixed == 0 && strcmp(getenv("POCL_AFFINITY"), "0") == 0 ? FINE : WRONG;
}

static int fewer_threads_stay_free(void) {
    unsetenv("POCL_AFFINITY");
    setenv("POCL_MAX_PTHREAD_COUNT", "1", 1);
    if (!starts_pocl()) return NO_POCL;
    return look_at_threads().fixed == 0 ? FINE : WRONG;
}

/* What was left to this process is the last processor. */
static int others_processors_stay_theirs(void) {
    cpu_set_t last;
    CPU_ZERO(&last);
    CPU_SET((size_t)sysconf(_SC_NPROCESSORS_CONF) - 1, &last);
    unsetenv("POCL_AFFINITY");
    if (sched_setaffinity(0, sizeof last, &last) || !starts_pocl()) return NO_POCL;
    return look_at_threads().on_first == 0 ? FINE : WRONG;
}

/* What a child says; a parent that has all processors, and more than one, may ask it. */
static int in_child(int (*answer)(void)) {
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) _exit(answer());
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return WRONG;
    return WEXITSTATUS(status);
}

static int is_free_to_choose(void) {
    cpu_set_t allowed;
    long all = sysconf(_SC_NPROCESSORS_CONF);
    return !getenv("POCL_MAX_PTHREAD_COUNT") && !getenv("POCL_CPU_MAX_CU_COUNT") && all > 1 &&
           all == sysconf(_SC_NPROCESSORS_ONLN) && !sched_getaffinity(0, sizeof allowed, &allowed) &&
           CPU_COUNT(&allowed) == all;
}

TEST pocl_threads(const char *what, int (*answer)(void)) {
    if (!is_free_to_choose()) SKIPm("needs all of several processors");
    int said = in_child(answer);
    if (said == NO_POCL) SKIPm("no PoCL");
    ASSERT_EQm(what, FINE, said);
    PASS();
}

SUITE(threads) {
    RUN_TESTp(pocl_threads, "each has a processor", each_has_a_processor);
    RUN_TESTp(pocl_threads, "the user decides", the_user_decides);
    RUN_TESTp(pocl_threads, "fewer threads stay free", fewer_threads_stay_free);
    RUN_TESTp(pocl_threads, "others' processors stay theirs", others_processors_stay_theirs);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    setenv("POCL_DEVICES", "pthread", 1);
    GREATEST_MAIN_BEGIN();
    RUN_SUITE(threads);
    GREATEST_MAIN_END();
}
