/* A line is 16 digits, the checksum of its text, then a blank and the text. */
#define _DEFAULT_SOURCE /* flock, getline, fsync */
#include "data/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cli/allocation.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "data/checksum.h"

enum { DIGITS = 16, PREFIX = DIGITS + 1 };

static int refuse(const char *path, const char *doing) {
    if (errno == ENOMEM) allocation_none();
    message_error("%s: cannot %s: %s", path, doing, strerror(errno));
    return -1;
}

/* ---- lines ---- */

/* The line of a text, with its end. Free it. */
static char *make_line(const char *text, size_t *length) {
    size_t n = strlen(text);
    char *line = allocation_get(PREFIX + n + 2, 1);
    snprintf(line, PREFIX + 1, "%016" PRIx64 " ", checksum_add(CHECKSUM_START, text, n));
    memcpy(line + PREFIX, text, n);
    line[PREFIX + n] = '\n';
    *length = PREFIX + n + 1;
    return line;
}

static int is_whole(const char *line, size_t length) {
    char digits[PREFIX + 1];
    if (length < PREFIX + 1 || line[length - 1] != '\n') return 0;
    snprintf(digits, sizeof digits, "%016" PRIx64 " ",
             checksum_add(CHECKSUM_START, line + PREFIX, length - PREFIX - 1));
    return memcmp(digits, line, PREFIX) == 0;
}

/* ---- which job ---- */

static size_t word_length(const char *at) { return strcspn(at, " "); }

/* Says in which word they differ. */
static int refuse_job(const char *path, const char *there, const char *here) {
    while (*there && *here && word_length(there) == word_length(here) && memcmp(there, here, word_length(there)) == 0) {
        there += word_length(there);
        here += word_length(here);
        there += *there == ' ';
        here += *here == ' ';
    }
    message_error("%s: this is the journal of another job: it has %.*s, and this one %.*s; give it its own place, or "
                  "the options of that job",
                  path, *there ? (int)word_length(there) : 7, *there ? there : "nothing",
                  *here ? (int)word_length(here) : 7, *here ? here : "nothing");
    return -1;
}

/* ---- reading ---- */

typedef struct reading {
    const char *path, *job;
    journal_reader *read;
    void *arg;
    int64_t length; /* of the lines that are whole */
    int lines;
} reading;

/* Returns 0, or -1 after a message. */
static int read_line(reading *r, char *line, size_t length) {
    char *text = line + PREFIX;
    text[length - PREFIX - 1] = 0;
    r->length += (int64_t)length;
    if (r->lines++) return r->read(r->arg, text, length - PREFIX - 1);
    return strcmp(text, r->job) == 0 ? 0 : refuse_job(r->path, text, r->job);
}

/* Whether a line that is not whole may be one that was cut off. */
static int may_be_cut(const char *line, size_t length) {
    size_t digits = strspn(line, "0123456789abcdef");
    return digits >= (length < DIGITS ? length : DIGITS);
}

static int refuse_line(const reading *r, int is_last) {
    if (is_last)
        message_error("%s: this is not a journal", r->path);
    else
        message_error("%s: line %d is damaged; without it the rest can be used", r->path, r->lines + 1);
    return -1;
}

/* Stops at a line that is not whole, which is fine if it is the last one. */
static int read_lines(reading *r, FILE *in) {
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    int status = 0;
    errno = 0;
    while (status == 0 && (length = getline(&line, &room, in)) > 0 && is_whole(line, (size_t)length))
        status = read_line(r, line, (size_t)length);
    if (status == 0 && length < 0 && !feof(in)) status = refuse(r->path, "read");
    if (status == 0 && length > 0) { /* the line that is not whole */
        int is_last = getc(in) == EOF;
        if (!is_last || !may_be_cut(line, (size_t)length)) status = refuse_line(r, is_last && r->lines == 0);
    }
    free(line);
    return status;
}

/* A file of which others may hold the lock. */
static int read_file(reading *r, int file) {
    int copy = dup(file);
    FILE *in = copy < 0 ? NULL : fdopen(copy, "rb");
    if (!in) {
        int status = refuse(r->path, "read");
        if (copy >= 0) close(copy);
        return status;
    }
    int status = read_lines(r, in);
    fclose(in);
    return status;
}

static int lock(const char *path, int file, int how) {
    if (flock(file, how | LOCK_NB) == 0) return 0;
    if (errno != EWOULDBLOCK) return refuse(path, "lock");
    message_error("%s: another process is working on this", path);
    return -1;
}

int journal_read(const char *path, const char *job, journal_reader *read, void *arg) {
    reading r = {.path = path, .job = job, .read = read, .arg = arg};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return refuse(path, "open");
    int status = lock(path, file, LOCK_SH);
    if (status == 0) status = read_file(&r, file);
    close(file);
    return status;
}

/* ---- writing ---- */

/* Returns 0, or -1 with errno. */
static int write_all(int file, const char *bytes, size_t size, int64_t at) {
    if (lseek(file, (off_t)at, SEEK_SET) < 0) return -1;
    while (size) {
        ssize_t n = write(file, bytes, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        bytes += n;
        size -= (size_t)n;
    }
    return fsync(file);
}

int journal_append(journal *j, const char *text) {
    size_t size;
    char *line = make_line(text, &size);
    int status = write_all(j->file, line, size, j->length);
    free(line);
    if (status == 0) {
        j->length += (int64_t)size;
        return 0;
    }
    refuse(j->path, "write");
    if (ftruncate(j->file, (off_t)j->length)) return -1; /* then a later reader drops what is not whole */
    return -1;
}

static int begin(journal *j, reading *r) {
    off_t end = lseek(j->file, 0, SEEK_END);
    if (end < 0) return refuse(j->path, "read");
    j->length = r->length;
    if (end > r->length) {
        message_note("%s: its last line was cut off, and is dropped", j->path);
        if (ftruncate(j->file, (off_t)r->length)) return refuse(j->path, "write");
    }
    return r->lines ? 0 : journal_append(j, r->job);
}

int journal_open(journal *j, const char *path, const char *job, journal_reader *read, void *arg) {
    reading r = {.path = path, .job = job, .read = read, .arg = arg};
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return refuse(path, "open");
    *j = (journal){allocation_text(path), file, 0};
    if (lock(path, file, LOCK_EX) == 0 && read_file(&r, file) == 0 && begin(j, &r) == 0) return 0;
    journal_close(j);
    return -1;
}

void journal_close(journal *j) {
    if (!j->path) return;
    close(j->file); /* what counts is on the disk */
    free(j->path);
    *j = (journal){0};
}

int journal_replace(journal *j, const char *job, const char *const *lines, int count) {
    file_output file;
    if (file_create(&file, j->path)) return -1;
    for (int i = -1; i < count; i++) {
        size_t size;
        char *line = make_line(i < 0 ? job : lines[i], &size);
        fwrite(line, 1, size, file.stream);
        free(line);
    }
    return file_commit(&file);
}
