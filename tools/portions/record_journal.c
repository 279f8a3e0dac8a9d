/* File: a head (magic, key), then records, each with a head that says which units it has, how long it is and what its
 * bytes add up to. A record that is not whole, because its writer was killed, is the end of the file. */
#define _XOPEN_SOURCE 700
#include "portions/record_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "cli/allocation.h"
#include "cli/messages.h"

typedef struct file_head {
    char magic[16];
    uint64_t key[2];
} file_head;

typedef struct record_head {
    uint64_t first, end, nanoseconds, length;
    uint64_t checksum; /* of the above and the bytes */
} record_head;

#define FORMAT_AT 13 /* where the magic has the number of the format, which is another for other fingerprints, too */
static const char magic[16] = "arcl journal 2\n";

static uint64_t checksum_of(const record_head *head, const unsigned char *bytes) {
    uint64_t seed = XXH64(head, offsetof(record_head, checksum), 0);
    return XXH64(bytes, (size_t)head->length, seed);
}

/* ---- reading and writing whole pieces ---- */

/* How many of the bytes were read; -1: an error. */
static ssize_t read_at(int file, void *to, size_t length, uint64_t offset) {
    size_t have = 0;
    while (have < length) {
        ssize_t got = pread(file, (char *)to + have, length - have, (off_t)(offset + have));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        have += (size_t)got;
    }
    return (ssize_t)have;
}

static int write_at(int file, const void *from, size_t length, uint64_t offset) {
    size_t have = 0;
    while (have < length) {
        ssize_t put = pwrite(file, (const char *)from + have, length - have, (off_t)(offset + have));
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return -1;
        have += (size_t)put;
    }
    return 0;
}

static const char *name_of(const record_journal *j, int file) {
    return j->paths ? j->paths[file] : "the temporary file";
}

static int refuse(const record_journal *j, int file, const char *what) {
    message_error("journal %s: cannot %s: %s", name_of(j, file), what, strerror(errno));
    return -1;
}

/* ---- opening ---- */

static void add_entry(record_journal *j, record_entry entry) {
    if (j->count == j->room) {
        j->room = j->room ? 2 * j->room : 256;
        j->entries = allocation_resize(j->entries, j->room, sizeof *j->entries);
    }
    j->entries[j->count++] = entry;
    j->done += entry.units.end - entry.units.first;
}

/* Reads the records; *end is behind the last that is whole. Returns 0, or -1 after a message. */
static int scan(record_journal *j, int file, const portion_job *job, uint64_t *end) {
    record_head head;
    ssize_t got;
    for (*end = sizeof(file_head);; *end += sizeof head + head.length) {
        got = read_at(j->files[file], &head, sizeof head, *end);
        if (got < (ssize_t)sizeof head) break;
        if (head.first >= head.end || head.end > job->units || head.length > UINT32_MAX) break;
        if (head.length > j->scratch.room) {
            j->scratch.bytes = allocation_resize(j->scratch.bytes, head.length, 1);
            j->scratch.room = head.length;
        }
        got = read_at(j->files[file], j->scratch.bytes, head.length, *end + sizeof head);
        if (got < (ssize_t)head.length || checksum_of(&head, j->scratch.bytes) != head.checksum) break;
        add_entry(j, (record_entry){.units = {head.first, head.end},
                                    .nanoseconds = head.nanoseconds,
                                    .offset = *end + sizeof head,
                                    .length = (uint32_t)head.length,
                                    .file = file});
    }
    return got < 0 ? refuse(j, file, "read it") : 0;
}

/* Takes up what is there. */
static int take_up(record_journal *j, int file, const portion_job *job, uint64_t *end) {
    file_head head;
    ssize_t got = read_at(j->files[file], &head, sizeof head, 0);
    if (got < 0) return refuse(j, file, "read it");
    if (got < (ssize_t)sizeof head || memcmp(head.magic, magic, FORMAT_AT) != 0)
        message_error("%s: this is no journal of arcl", j->paths[file]);
    else if (memcmp(head.magic, magic, sizeof magic) != 0)
        message_error("journal %s is of another version of arcl, which this one cannot go on with", j->paths[file]);
    else if (memcmp(head.key, job->key, sizeof head.key) != 0)
        message_error("journal %s is of another job: other programs, tasks or options that change results, or another "
                      "version of arcl",
                      j->paths[file]);
    else
        return scan(j, file, job, end);
    return -1;
}

/* Two jobs that add to one journal would not know of each other's records. */
static int lock(const record_journal *j, int file) {
    struct flock wanted = {.l_type = F_WRLCK, .l_whence = SEEK_SET}, holder = wanted;
    if (fcntl(j->files[file], F_SETLK, &wanted) == 0) return 0;
    if (errno != EACCES && errno != EAGAIN) return refuse(j, file, "lock it");
    if (fcntl(j->files[file], F_GETLK, &holder) || holder.l_type == F_UNLCK) holder.l_pid = 0;
    if (holder.l_pid > 0)
        message_error("journal %s is in use by another job, process %ld", j->paths[file], (long)holder.l_pid);
    else
        message_error("journal %s is in use by another job", j->paths[file]);
    return -1;
}

static int begin(record_journal *j, int file, const portion_job *job) {
    file_head head = {.key = {job->key[0], job->key[1]}};
    memcpy(head.magic, magic, sizeof magic);
    j->end = sizeof head;
    return write_at(j->files[file], &head, sizeof head, 0) ? refuse(j, file, "write to it") : 0;
}

static int open_first(record_journal *j, const portion_job *job, int resume) {
    struct stat info;
    const char *path = j->paths[0];
    j->files[0] = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (j->files[0] < 0 || fstat(j->files[0], &info)) return refuse(j, 0, "open it");
    if (!S_ISREG(info.st_mode)) {
        message_error("%s: a journal is a plain file", path);
        return -1;
    }
    if (lock(j, 0)) return -1;
    if (info.st_size == 0) return begin(j, 0, job);
    if (!resume) {
        message_error("journal %s is there already: --resume goes on with it, or remove it", path);
        return -1;
    }
    if (take_up(j, 0, job, &j->end)) return -1;
    if ((uint64_t)info.st_size > j->end) {
        message_note("journal %s: its last %llu bytes are no whole record and are cut off", path,
                     (unsigned long long)((uint64_t)info.st_size - j->end));
        if (ftruncate(j->files[0], (off_t)j->end)) return refuse(j, 0, "cut it");
    }
    return 0;
}

static int open_other(record_journal *j, int file, const portion_job *job) {
    uint64_t end;
    j->files[file] = open(j->paths[file], O_RDONLY | O_CLOEXEC);
    if (j->files[file] < 0) return refuse(j, file, "open it");
    return take_up(j, file, job, &end);
}

/* Removed at once: it is there as long as it is open. */
static int open_temporary(record_journal *j, const portion_job *job) {
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/arcl-journal.XXXXXX", folder && *folder ? folder : "/tmp");
    j->files[0] = mkstemp(path);
    if (j->files[0] < 0 || unlink(path)) {
        message_error(
            "cannot make a temporary file in %s for results: %s; TMPDIR names another folder, --journal a file",
            folder && *folder ? folder : "/tmp", strerror(errno));
        return -1;
    }
    return begin(j, 0, job);
}

int record_journal_open(record_journal *j, const char **paths, int count, const portion_job *job, int resume) {
    *j = (record_journal){.paths = count ? paths : NULL, .file_count = count ? count : 1};
    j->files = allocation_get((size_t)j->file_count, sizeof *j->files);
    for (int i = 0; i < j->file_count; i++) j->files[i] = -1;
    int status = count ? open_first(j, job, resume) : open_temporary(j, job);
    for (int i = 1; i < count && !status; i++) status = open_other(j, i, job);
    return status ? status : record_journal_order(j);
}

void record_journal_close(record_journal *j) {
    for (int i = 0; i < j->file_count; i++)
        if (j->files[i] >= 0) close(j->files[i]);
    free(j->files);
    free(j->entries);
    bytes_free(&j->unwritten);
    bytes_free(&j->scratch);
    *j = (record_journal){0};
}

/* ---- records ---- */

int record_journal_put(record_journal *j, portion units, uint64_t nanoseconds, const unsigned char *record,
                       size_t length) {
    record_head head = {.first = units.first, .end = units.end, .nanoseconds = nanoseconds, .length = length};
    head.checksum = checksum_of(&head, record);
    if (length > UINT32_MAX) {
        message_error("journal %s: a record of %zu bytes is too large", name_of(j, 0), length);
        return -1;
    }
    bytes_put(&j->unwritten, &head, sizeof head);
    add_entry(j, (record_entry){.units = units,
                                .nanoseconds = nanoseconds,
                                .offset = j->end + j->unwritten.length,
                                .length = (uint32_t)length});
    bytes_put(&j->unwritten, record, length);
    return 0;
}

static void forget_unwritten(record_journal *j) {
    while (j->count && j->entries[j->count - 1].file == 0 && j->entries[j->count - 1].offset > j->end) {
        portion units = j->entries[--j->count].units;
        j->done -= units.end - units.first;
    }
}

/* One write, which may end in the middle of a record: that its sum is wrong then is known by reading it. */
int record_journal_write(record_journal *j) {
    size_t length = j->unwritten.length;
    j->unwritten.length = 0;
    if (write_at(j->files[0], j->unwritten.bytes, length, j->end)) {
        int reason = errno;
        if (ftruncate(j->files[0], (off_t)j->end)) reason = errno; /* then it is cut off when it is taken up */
        forget_unwritten(j);
        errno = reason;
        return refuse(j, 0, "write to it");
    }
    j->end += length;
    return 0;
}

static int by_units(const void *a, const void *b) {
    const record_entry *x = a, *y = b;
    return (x->units.first > y->units.first) - (x->units.first < y->units.first);
}

int record_journal_order(record_journal *j) {
    if (j->count) qsort(j->entries, j->count, sizeof *j->entries, by_units);
    for (size_t i = 1; i < j->count; i++)
        if (j->entries[i].units.first < j->entries[i - 1].units.end) {
            message_error("journal %s and %s have results of the same work; leave one out",
                          name_of(j, j->entries[i - 1].file), name_of(j, j->entries[i].file));
            return -1;
        }
    return 0;
}

const unsigned char *record_journal_read(record_journal *j, const record_entry *entry) {
    if (entry->length >= j->scratch.room) {
        j->scratch.room = (size_t)entry->length + 1;
        j->scratch.bytes = allocation_resize(j->scratch.bytes, j->scratch.room, 1);
    }
    ssize_t got = read_at(j->files[entry->file], j->scratch.bytes, entry->length, entry->offset);
    if (got == (ssize_t)entry->length) return j->scratch.bytes;
    if (got < 0)
        refuse(j, entry->file, "read it");
    else
        message_error("journal %s has become shorter meanwhile", name_of(j, entry->file));
    return NULL;
}

portion *record_journal_gaps(const record_journal *j, portion of, size_t *count) {
    portion *gaps = allocation_get(j->count + 1, sizeof *gaps);
    uint64_t at = of.first;
    *count = 0;
    for (size_t i = 0; i < j->count && at < of.end; i++) {
        uint64_t first = j->entries[i].units.first < of.end ? j->entries[i].units.first : of.end;
        if (first > at) gaps[(*count)++] = (portion){at, first};
        if (j->entries[i].units.end > at) at = j->entries[i].units.end;
    }
    if (at < of.end) gaps[(*count)++] = (portion){at, of.end};
    return gaps;
}

void record_journal_tell(const record_journal *j, const portion_job *job) {
    if (job->kept_in)
        message_error("%llu of %llu %s were done now and are in %s: the same command with --resume goes on from there",
                      (unsigned long long)j->done, (unsigned long long)job->units, job->what, job->kept_in);
    else if (j->paths)
        message_error("%llu of %llu %s are in journal %s: the same command with --resume goes on from there",
                      (unsigned long long)j->done, (unsigned long long)job->units, job->what, j->paths[0]);
    else
        message_error("%llu of %llu %s were done and are lost; with --journal FILE a job can be taken up",
                      (unsigned long long)j->done, (unsigned long long)job->units, job->what);
}
