#include "cli/standard_files.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int standard_files_open(void) {
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) {
        if (fcntl(file, F_GETFD) >= 0 || errno != EBADF) continue;
        int mode = file == STDIN_FILENO ? O_WRONLY : O_RDONLY; /* the other way round: reading and writing fail */
        if (open("/dev/null", mode) != file) return -1;        /* all below are open, so this is the number it gets */
    }
    return 0;
}
