/* Reading and atomic writing. A new file keeps the mode of the one it replaces, or gets the usual one. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/allocation.h"
#include "cli/interrupt.h"
#include "cli/messages.h"
#include "cli/nearest.h"

/* Nothing this command reads is that large; endless devices are. */
#define LARGEST ((size_t)1 << 30)

/* Names a file of the same folder that may have been meant, or where it was looked for. */
static void explain_missing(const char *path, char *why, size_t size) {
    char folder[PATH_MAX], hint[2 * NAME_MAX];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    DIR *entries = opendir(slash == path ? "/" : folder);
    if (!entries) {
        snprintf(why, size, "%s: cannot open: there is no directory %s", path, folder);
        return;
    }
    char found[NAME_MAX + 1] = "";
    nearest search = nearest_to(name);
    for (struct dirent *entry; (entry = readdir(entries));) {
        nearest_offer(&search, entry->d_name);
        if (search.best == entry->d_name) search.best = strcpy(found, entry->d_name);
    }
    closedir(entries);
    if (!slash && !getcwd(folder, sizeof folder)) *folder = 0;
    char looked[PATH_MAX + 16];
    snprintf(looked, sizeof looked, "looked in %s", folder);
    snprintf(why, size, "%s: there is no such file or directory%s", path,
             nearest_hint(&search, looked, hint, sizeof hint));
}

static void explain_open(const char *path, int reason, char *why, size_t size) {
    if (reason == ENOMEM)
        allocation_none();
    else if (reason == ENOENT)
        explain_missing(path, why, size);
    else
        snprintf(why, size, "%s: cannot open: %s", path, strerror(reason));
}

int file_is_standard_input(const char *path) { return strcmp(path, "-") == 0; }

const char *file_shown_name(const char *path) { return file_is_standard_input(path) ? "standard input" : path; }

/* A descriptor to read from and close; -1 with the reason in why. */
static int open_input(const char *path, char *why, size_t size) {
    static atomic_int taken; /* what is read is gone, so that a second reader would see an empty file */
    if (file_is_standard_input(path) && atomic_exchange(&taken, 1)) {
        snprintf(why, size, "standard input can be read once: only one file can be -");
        return -1;
    }
    int in = file_is_standard_input(path) ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (in < 0) explain_open(file_shown_name(path), errno, why, size);
    return in;
}

static const file_contents *known;
static size_t known_count;

void file_set_known(const file_contents *list, size_t count) {
    known = list;
    known_count = count;
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const file_contents *)a)->path, ((const file_contents *)b)->path);
}

static const file_contents *find_known(const char *path) {
    file_contents wanted = {.path = path};
    return known_count ? bsearch(&wanted, known, known_count, sizeof *known, by_path) : NULL;
}

static char *copy_known(const file_contents *file, size_t *length, char *why, size_t size) {
    if (file->why) {
        snprintf(why, size, "%s", file->why);
        return NULL;
    }
    char *text = allocation_get(file->length + 1, 1);
    memcpy(text, file->bytes, file->length);
    *length = file->length;
    return text;
}

char *file_read(const char *path, size_t *length, char *why, size_t size) {
    const file_contents *file = find_known(path);
    if (file) return copy_known(file, length, why, size);
    char *text = NULL;
    size_t room = 0, used = 0;
    int in = open_input(path, why, size);
    if (in < 0) return NULL;
    struct stat info;
    int is_known = fstat(in, &info) == 0;
    if (is_known && S_ISDIR(info.st_mode)) {
        snprintf(why, size, "%s: this is a directory; a file is expected here", file_shown_name(path));
        close(in);
        return NULL;
    }
    if (is_known && S_ISREG(info.st_mode) && (size_t)info.st_size < LARGEST) room = (size_t)info.st_size;
    int reason = 0;
    for (;;) {
        if (used == room || !text) {
            room = text ? room * 2 : room + 4096;
            text = allocation_resize(text, room + 1, 1);
        }
        ssize_t got = read(in, text + used, room - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) reason = errno;
        if (got <= 0) break;
        used += (size_t)got;
        if (used > LARGEST) break;
    }
    close(in);
    if (!reason && used <= LARGEST) {
        text[used] = 0;
        *length = used;
        return text;
    }
    snprintf(why, size, "%s: cannot read: %s", file_shown_name(path), reason ? strerror(reason) : "larger than 1 GB");
    free(text);
    return NULL;
}

static int refuse(file_output *output, const char *path) {
    message_error("%s: cannot write: %s", path, strerror(errno));
    file_discard(output);
    return -1;
}

static int reserved = -1; /* standard output, for the file that "-" stands for */

int file_reserve_standard_output(void) {
    reserved = dup(STDOUT_FILENO);
    if (reserved >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) return 0;
    message_error("cannot write to standard output: %s", strerror(errno));
    return -1;
}

static int create_standard_output(file_output *output) {
    output->path = allocation_text("standard output");
    if (reserved < 0) {
        message_error("only one file can be -, standard output");
        file_discard(output);
        return -1;
    }
    output->stream = fdopen(reserved, "wb");
    if (!output->stream) return refuse(output, output->path);
    reserved = -1; /* it is closed with the stream */
    return 0;
}

static const char temporary_end[] = ".XXXXXX"; /* of the file that is written first; mkstemp changes the letters */

int file_is_temporary(const char *name) {
    size_t length = strlen(name), end = sizeof temporary_end - 1;
    return length > end && name[length - end] == '.' && !strpbrk(name + length - end + 1, "./");
}

int file_create(file_output *output, const char *path) {
    struct stat info;
    mode_t mode;
    *output = (file_output){0};
    if (strcmp(path, "-") == 0) return create_standard_output(output);
    if (stat(path, &info) == 0) {
        if (!S_ISREG(info.st_mode)) {
            output->path = allocation_text(path);
            output->stream = fopen(path, "wb");
            return output->stream ? 0 : refuse(output, path);
        }
        mode = info.st_mode & 0777;
        output->path = realpath(path, NULL); /* a link stays one */
    } else {
        mode_t mask = umask(0);
        umask(mask);
        mode = 0666 & ~mask;
        output->path = allocation_text(path);
    }
    if (!output->path) return refuse(output, path);
    size_t length = strlen(output->path);
    output->temporary = allocation_get(length + sizeof temporary_end, 1);
    memcpy(output->temporary, output->path, length);
    memcpy(output->temporary + length, temporary_end, sizeof temporary_end);
    interrupt_hold();
    int fd = mkstemp(output->temporary);
    if (fd >= 0) interrupt_remember(output->temporary);
    interrupt_release();
    if (fd < 0) {
        free(output->temporary); /* there is no such file to remove */
        output->temporary = NULL;
        return refuse(output, path);
    }
    if (fchmod(fd, mode) || !(output->stream = fdopen(fd, "wb"))) {
        int reason = errno;
        close(fd);
        errno = reason;
        return refuse(output, path);
    }
    return 0;
}

int file_commit(file_output *output) {
    int failed = fflush(output->stream) || ferror(output->stream);
    failed = fclose(output->stream) || failed;
    output->stream = NULL;
    if (!failed && output->temporary) {
        interrupt_hold();
        failed = rename(output->temporary, output->path);
        if (!failed) interrupt_forget(output->temporary);
        interrupt_release();
    }
    if (failed) return refuse(output, output->path);
    free(output->temporary);
    free(output->path);
    *output = (file_output){0};
    return 0;
}

void file_discard(file_output *output) {
    if (output->stream) fclose(output->stream);
    if (output->temporary) {
        interrupt_hold();
        unlink(output->temporary);
        interrupt_forget(output->temporary);
        interrupt_release();
    }
    free(output->temporary);
    free(output->path);
    *output = (file_output){0};
}
