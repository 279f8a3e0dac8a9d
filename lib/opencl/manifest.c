#define _GNU_SOURCE
#include "opencl/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A manifest is text: a line "SIZE HASH INODE PATH" per file, and a last line with the hash of the lines before it, so
 * that a manifest that was cut off or zeroed is known as such. Drivers write files under another name and rename them;
 * by the inode, a file that was replaced in that way is told from one whose content was damaged. */
#define LAST_LINE "end %016llx\n"
#define MOST_DEPTH 8
#define MOST_ENTRIES 100000

typedef struct entry {
    unsigned long long size, hash, inode;
    char *path; /* within the directory */
    int keep;   /* in the next manifest */
} entry;

typedef struct listing {
    entry *at;
    int count, room;
    int failed; /* for want of memory */
} listing;

/* Eight bytes at a time: a cache of many megabytes is hashed at every start. */
static unsigned long long hash_bytes(unsigned long long h, const unsigned char *at, size_t n) {
    for (; n >= 8; at += 8, n -= 8) {
        uint64_t eight;
        memcpy(&eight, at, 8);
        h = (h ^ eight) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    for (; n; at++, n--) h = (h ^ *at) * 0x100000001b3u;
    return h ^ h >> 32;
}
#define HASH_START 0xcbf29ce484222325u

/* As much as fits or is left; -1 on an error. Hashing in full blocks makes the hash independent of how reads are
 * cut. */
static ssize_t read_block(int file, unsigned char *to, size_t room) {
    size_t have = 0;
    while (have < room) {
        ssize_t n = read(file, to + have, room - have);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        have += (size_t)n;
    }
    return (ssize_t)have;
}

/* Fills in what the manifest says of a file, but for its path. */
static int hash_file(const char *path, entry *e) {
    unsigned char block[1 << 15];
    struct stat s;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t n = -1;
    e->size = 0;
    e->hash = HASH_START;
    if (file < 0) return 0;
    while ((n = read_block(file, block, sizeof block)) > 0) {
        e->hash = hash_bytes(e->hash, block, (size_t)n);
        e->size += (unsigned long long)n;
    }
    if (fstat(file, &s)) n = -1;
    if (n == 0) e->inode = (unsigned long long)s.st_ino;
    close(file);
    return n == 0;
}

/* ---- listings ---- */

static void listing_free(listing *l) {
    for (int i = 0; i < l->count; i++) free(l->at[i].path);
    free(l->at);
    *l = (listing){0};
}

static entry *listing_add(listing *l, const char *path) {
    if (l->count == l->room) {
        int room = l->room ? 2 * l->room : 64;
        entry *grown = room > MOST_ENTRIES ? NULL : realloc(l->at, (size_t)room * sizeof *grown);
        l->failed |= !grown;
        if (!grown) return NULL;
        l->at = grown;
        l->room = room;
    }
    char *copy = strdup(path);
    l->failed |= !copy;
    if (!copy) return NULL;
    l->at[l->count] = (entry){.path = copy};
    return &l->at[l->count++];
}

static int by_path(const void *a, const void *b) { return strcmp(((const entry *)a)->path, ((const entry *)b)->path); }

static void listing_sort(listing *l) {
    if (l->count) qsort(l->at, (size_t)l->count, sizeof *l->at, by_path);
}

static entry *listing_find(const listing *l, const char *path) {
    entry key = {.path = (char *)path};
    return l->count ? bsearch(&key, l->at, (size_t)l->count, sizeof *l->at, by_path) : NULL;
}

/* ---- the manifest ---- */

/* 1: read, or there is none; 0: it is damaged. */
static int manifest_read(const char *path, listing *l) {
    FILE *f = fopen(path, "re");
    char line[PATH_MAX + 64], name[PATH_MAX];
    unsigned long long hash = HASH_START, end = 0;
    entry next;
    int complete = 0;
    if (!f) return errno == ENOENT;
    while (!complete && fgets(line, sizeof line, f)) {
        if (sscanf(line, "end %16llx", &end) == 1) {
            complete = end == hash && fgetc(f) == EOF;
            break;
        }
        if (sscanf(line, "%llu %16llx %llu %4095s", &next.size, &next.hash, &next.inode, name) != 4) break;
        if (strstr(name, "..")) break;
        hash = hash_bytes(hash, (const unsigned char *)line, strlen(line));
        entry *e = listing_add(l, name);
        if (!e) break;
        next.path = e->path;
        next.keep = 0;
        *e = next;
    }
    fclose(f);
    if (!complete) listing_free(l);
    listing_sort(l);
    return complete;
}

static int manifest_write(const char *path, const listing *l) {
    char next[PATH_MAX], line[PATH_MAX + 64];
    unsigned long long hash = HASH_START;
    if (snprintf(next, sizeof next, "%s.%ld", path, (long)getpid()) >= (int)sizeof next) return 0;
    FILE *f = fopen(next, "we");
    if (!f) return 0;
    for (int i = 0; i < l->count; i++) {
        const entry *e = &l->at[i];
        if (!e->keep) continue;
        snprintf(line, sizeof line, "%llu %016llx %llu %s\n", e->size, e->hash, e->inode, e->path);
        hash = hash_bytes(hash, (const unsigned char *)line, strlen(line));
        fputs(line, f);
    }
    fprintf(f, LAST_LINE, hash);
    int written = !ferror(f);
    written &= fclose(f) == 0;
    if (written && rename(next, path) == 0) return 1;
    remove(next);
    return 0;
}

/* ---- walking the tree ---- */

typedef struct walk {
    void (*visit)(struct walk *w, const char *path); /* whatever is no directory */
    void (*leave)(struct walk *w, const char *path); /* each directory, after its files */
    size_t base; /* characters of a path before the part that is inside the directory */
    listing *known, *added;
    store_check check;
    int alone, changed;
} walk;

static int is_directory(const char *path, const struct dirent *e) {
    struct stat s;
    if (e->d_type != DT_UNKNOWN) return e->d_type == DT_DIR;
    return lstat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static void walk_tree(walk *w, const char *directory, int depth) {
    DIR *d = opendir(directory);
    char path[PATH_MAX];
    w->check.stuck += !d && errno != ENOENT; /* what is in it is not known */
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        if (snprintf(path, sizeof path, "%s/%s", directory, e->d_name) >= (int)sizeof path) continue;
        if (!is_directory(path, e)) {
            w->visit(w, path);
        } else if (depth < MOST_DEPTH) {
            walk_tree(w, path, depth + 1);
            if (w->leave) w->leave(w, path);
        }
    }
    closedir(d);
}

static void walk_store(walk *w, const char *directory) {
    w->base = strlen(directory) + 1;
    walk_tree(w, directory, 0);
}

/* PoCL touches this empty file at every use of a program. */
static int is_mark(const char *path) { return strcmp(strrchr(path, '/'), "/last_accessed") == 0; }

static int is_named_plainly(const char *inside) { return !strpbrk(inside, " \n\t\r\v\f") && !strstr(inside, ".."); }

static void remove_file(walk *w, const char *path) {
    if (unlink(path) && errno != ENOENT) w->check.stuck++;
}

/* ---- verifying ---- */

static void verify_file(walk *w, const char *path) {
    entry *e = listing_find(w->known, path + w->base), now = {0};
    if (!e) {
        if (!w->alone || is_mark(path)) return;
        w->check.unlisted++;
        remove_file(w, path);
        return;
    }
    e->keep =
        hash_file(path, &now) && ((now.size == e->size && now.hash == e->hash) || (!w->alone && now.inode != e->inode));
    if (e->keep) return;
    w->check.damaged++;
    remove_file(w, path);
}

static void verify_directory(walk *w, const char *path) {
    if (w->alone) rmdir(path); /* if nothing is left in it */
    if (!listing_find(w->known, path + w->base)) return;
    w->check.damaged++; /* it is where a file should be: PoCL would read it as one */
    store_remove(path);
}

store_check store_verify(const char *directory, const char *manifest, int alone) {
    listing known = {0};
    walk w = {.visit = verify_file, .leave = verify_directory, .known = &known, .alone = alone};
    int kept = 0;
    w.check.manifest_damaged = !manifest_read(manifest, &known);
    walk_store(&w, directory);
    for (int i = 0; i < known.count; i++) kept += known.at[i].keep;
    if ((w.check.manifest_damaged && remove(manifest)) || (kept < known.count && !manifest_write(manifest, &known)))
        w.check.stuck++;
    listing_free(&known);
    return w.check;
}

/* ---- recording ---- */

static void record_file(walk *w, const char *path) {
    const char *inside = path + w->base, *name = strrchr(path, '/') + 1;
    entry *e = listing_find(w->known, inside), now = {.keep = 1};
    struct stat s;
    if (is_mark(path) || !is_named_plainly(inside) || strncmp(name, "tempfile", 8) == 0) return;
    if (e && lstat(path, &s) == 0 && e->inode == (unsigned long long)s.st_ino) {
        e->keep = 1;
        return;
    }
    if (!hash_file(path, &now)) return;
    if (!e) e = listing_add(w->added, inside);
    if (!e) return;
    now.path = e->path;
    *e = now;
    w->changed = 1;
}

static int listing_append(listing *to, const listing *from) {
    for (int i = 0; i < from->count; i++) {
        entry *e = listing_add(to, from->at[i].path), copy = from->at[i];
        if (!e) return 0;
        copy.path = e->path;
        *e = copy;
    }
    return 1;
}

int store_record(const char *directory, const char *manifest) {
    listing known = {0}, added = {0};
    walk w = {.visit = record_file, .known = &known, .added = &added};
    manifest_read(manifest, &known);
    walk_store(&w, directory);
    int done = !added.failed && !w.check.stuck &&
               (!w.changed || (listing_append(&known, &added) && manifest_write(manifest, &known)));
    listing_free(&known);
    listing_free(&added);
    return done;
}

/* ---- removing ---- */

static void remove_directory(walk *w, const char *path) { w->check.stuck += rmdir(path) != 0; }

void store_remove(const char *directory) {
    walk w = {.visit = remove_file, .leave = remove_directory};
    walk_store(&w, directory);
    rmdir(directory);
}
