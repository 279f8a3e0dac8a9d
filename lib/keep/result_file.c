/* Reading files of results. They are looked at as if somebody had made them up. */
#define _GNU_SOURCE
#include "keep/result_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keep/result_format.h"

static int read_at(int file, void *to, size_t size, uint64_t at) {
    unsigned char *next = to;
    while (size) {
        ssize_t n = pread(file, next, size, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return 0;
        next += n;
        at += (uint64_t)n;
        size -= (size_t)n;
    }
    return 1;
}

/* ---- opening ---- */

/* Whether nobody else than this user can have written the file. */
static int is_trusted(const struct stat *s) {
    return S_ISREG(s->st_mode) && s->st_uid == geteuid() && !(s->st_mode & (S_IWGRP | S_IWOTH)) && s->st_size >= 0;
}

static int by_key(const void *a, const void *b) {
    const arcl_key *x = &((const result_section *)a)->key, *y = &((const result_section *)b)->key;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return (x->low > y->low) - (x->low < y->low);
}

static int is_inside(const result_section *s, uint64_t index_at) {
    return s->at >= sizeof(file_head) && s->at % sizeof(word) == 0 && s->bytes % sizeof(word) == 0 &&
           s->at <= index_at && s->bytes <= index_at - s->at && s->bytes >= sizeof(section_head) + sizeof(arcl_key);
}

/* The index of a file, if all that it says of the file can be true. */
static int read_index(result_file *f) {
    file_head head;
    file_end end;
    if (f->bytes < sizeof head + sizeof end || !read_at(f->file, &head, sizeof head, 0) ||
        !read_at(f->file, &end, sizeof end, f->bytes - sizeof end))
        return 0;
    if (memcmp(head.magic, result_magic, sizeof head.magic) != 0 || head.order != BYTE_ORDER_MARK ||
        memcmp(end.magic, result_end_magic, sizeof end.magic) != 0)
        return 0;
    uint64_t room = f->bytes - sizeof end;
    if (end.index_at < sizeof head || end.index_at > room || (room - end.index_at) % sizeof *f->section ||
        (room - end.index_at) / sizeof *f->section != end.sections)
        return 0;
    f->sections = (size_t)end.sections;
    f->section = malloc(f->sections * sizeof *f->section + 1);
    if (!f->section || !read_at(f->file, f->section, f->sections * sizeof *f->section, end.index_at)) return 0;
    if (!same_key(end.hash, hash_bytes(f->section, f->sections * sizeof *f->section))) return 0;
    for (size_t i = 0; i < f->sections; i++)
        if (!is_inside(&f->section[i], end.index_at)) return 0;
    qsort(f->section, f->sections, sizeof *f->section, by_key);
    return 1;
}

file_outcome result_file_open(const char *path, result_file *f) {
    struct stat info;
    *f = (result_file){.file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), .path = strdup(path)};
    if (f->file < 0) {
        int why = errno;
        free(f->path);
        errno = why;
        return why == ENOENT ? FILE_ABSENT : why == ELOOP ? FILE_REFUSED : FILE_FAILED;
    }
    int trusted = f->path && fstat(f->file, &info) == 0 && is_trusted(&info);
    f->bytes = trusted ? (uint64_t)info.st_size : 0;
    if (trusted && read_index(f)) return FILE_DONE;
    result_file_close(f);
    return trusted ? FILE_DAMAGED : FILE_REFUSED;
}

void result_file_close(result_file *f) {
    close(f->file);
    free(f->path);
    free(f->section);
    *f = (result_file){.file = -1};
}

/* ---- sections ---- */

int result_section_load(const result_file *f, const result_section *s, section_buffer *b) {
    arcl_key end;
    size_t bytes = (size_t)s->bytes;
    if (bytes > b->room) {
        free(b->at);
        b->at = malloc(2 * bytes);
        b->room = b->at ? 2 * bytes : 0;
    }
    if (!b->at || !read_at(f->file, b->at, bytes, s->at)) return 0;
    memcpy(&end, b->at + bytes - sizeof end, sizeof end);
    return same_key(end, hash_bytes(b->at, bytes - sizeof end));
}

/* The data of a section that was checked, if it is for that program. */
static const word *section_data(const unsigned char *all, size_t bytes, const program_identity *identity,
                                size_t *words) {
    section_head head;
    size_t before = sizeof head + padded(identity->length);
    memcpy(&head, all, sizeof head);
    if (head.identity_bytes != identity->length || bytes < before + sizeof(arcl_key) ||
        head.data_words != (bytes - before - sizeof(arcl_key)) / sizeof(word) ||
        memcmp(all + sizeof head, identity->text, identity->length) != 0)
        return NULL;
    *words = (size_t)head.data_words;
    return (const word *)(const void *)(all + before);
}

static file_outcome read_section(const result_file *f, const result_section *at, const result_owner *owner,
                                 section_buffer *b, result_set *s) {
    size_t words = 0;
    const word *data =
        result_section_load(f, at, b) ? section_data(b->at, (size_t)at->bytes, owner->identity, &words) : NULL;
    int merged = data ? result_set_merge(s, data, words, owner->types, owner->type_count) : 0;
    return merged > 0 ? FILE_DONE : merged < 0 ? FILE_FAILED : FILE_DAMAGED;
}

file_outcome result_file_read(result_file *f, const result_owner *owner, size_t most_bytes, section_buffer *b,
                              result_set *s) {
    result_section wanted = {.key = owner->identity->key};
    const result_section *at = bsearch(&wanted, f->section, f->sections, sizeof wanted, by_key);
    file_outcome outcome = FILE_ABSENT;
    if (!at) return outcome;
    while (at > f->section && same_key(at[-1].key, wanted.key)) at--;
    for (; at < f->section + f->sections && same_key(at->key, wanted.key); at++) {
        if (at->bytes > most_bytes) continue; /* it could not be kept */
        file_outcome one = read_section(f, at, owner, b, s);
        if (outcome != FILE_DAMAGED) outcome = one;
    }
    if (!f->used) futimens(f->file, NULL); /* files that nobody uses go first when there are too many */
    f->used = 1;
    f->damaged |= outcome == FILE_DAMAGED;
    return outcome;
}
