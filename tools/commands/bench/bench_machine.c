#define _DEFAULT_SOURCE
#include "commands/bench/bench_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The clock of the first processor, as Linux tells it. */
static double find_megahertz(void) {
    char line[256];
    double found = 0;
    FILE *f = fopen("/proc/cpuinfo", "re");
    while (f && found == 0 && fgets(line, sizeof line, f)) {
        const char *colon = strncmp(line, "cpu MHz", 7) == 0 ? strchr(line, ':') : NULL;
        if (colon) found = strtod(colon + 1, NULL);
    }
    if (f) fclose(f);
    return found;
}

/* As google-benchmark has it: whatever governs the frequency, if it is not "performance", changes it. */
static int find_scaling(void) {
    char line[64] = "performance";
    FILE *f = fopen("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "re");
    if (f && !fgets(line, sizeof line, f)) *line = 0;
    if (f) fclose(f);
    return strncmp(line, "performance", 11) != 0;
}

void bench_machine_look(bench_machine *m, const char *processor) {
    struct utsname name;
    *m = (bench_machine){
        .processors = (int)sysconf(_SC_NPROCESSORS_ONLN), .megahertz = find_megahertz(), .scaling = find_scaling()};
    snprintf(m->processor, sizeof m->processor, "%s", processor);
    gethostname(m->host, sizeof m->host - 1);
    if (uname(&name) == 0)
        snprintf(m->system, sizeof m->system, "%.64s %.64s %.64s", name.sysname, name.release, name.machine);
    if (getloadavg(m->load, 3) != 3) memset(m->load, 0, sizeof m->load);
}
