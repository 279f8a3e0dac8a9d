#define _DEFAULT_SOURCE
#include "mpi/keeper.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "cli/messages.h"

static pid_t volatile child;
static volatile sig_atomic_t forwarded; /* a signal that was meant for the rank */

int keeper_rank(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value >= '0' && *value <= '9') return atoi(value);
    }
    return -1;
}

static void forward(int number) {
    forwarded = number;
    if (child > 0) kill(child, number);
}

/* Without its keeper a rank would go on unseen. */
static void follow(pid_t keeper) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (getppid() != keeper) _exit(CLI_DEVICE);
}

static _Noreturn void end_by(int number) {
    signal(number, SIG_DFL);
    raise(number);
    _exit(128 + number);
}

/* Says what became of the rank, if it did not do that itself. */
static _Noreturn void explain(int number, const cli_options *options) {
    char who[32] = "a rank";
    if (keeper_rank() >= 0) snprintf(who, sizeof who, "rank %d", keeper_rank());
    const char *kept = options->journal.count ? options->journal.texts[0] : options->out;
    if (kept)
        message_error("%s was ended by signal %d (%s), and with it the job; what is done is in %s %s: the same "
                      "command with --resume goes on from there, with any number of ranks",
                      who, number, strsignal(number), options->journal.count ? "journal" : "folder", kept);
    else
        message_error("%s was ended by signal %d (%s), and with it the job; with --journal FILE, a job can be taken up "
                      "where it ended",
                      who, number, strsignal(number));
    exit(CLI_DEVICE);
}

static _Noreturn void keep(const cli_options *options) {
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) _exit(CLI_DEVICE);
    if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
    if (WTERMSIG(status) == forwarded) end_by(forwarded);
    explain(WTERMSIG(status), options);
}

int keeper_start(const cli_options *options) {
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    pid_t keeper = getpid();
    sigset_t set, before;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&set, signals[i]);
    sigprocmask(SIG_BLOCK, &set, &before); /* until it is known who is who */
    child = fork();
    if (child < 0) {
        message_error("cannot start a process: %s", strerror(errno));
        return -1;
    }
    if (child > 0)
        for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], forward);
#ifdef __linux__
    if (child > 0) prctl(PR_SET_NAME, "arcl-keeper");
#endif
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (child > 0) keep(options);
    follow(keeper);
    return 0;
}
