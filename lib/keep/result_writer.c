/* Writing files of results. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keep/result_file.h"
#include "keep/result_format.h"

static int put(result_writer *w, const void *from, size_t size) {
    if (!w->failed && size && fwrite(from, 1, size, w->out) != size) w->failed = errno ? errno : EIO;
    w->at += size;
    return !w->failed;
}

int result_writer_begin(result_writer *w, const char *path) {
    file_head head = {.order = BYTE_ORDER_MARK};
    size_t room = strlen(path) + sizeof ".XXXXXX";
    *w = (result_writer){.path = strdup(path), .temporary = malloc(room)};
    if (!w->path || !w->temporary) return w->failed = errno = ENOMEM, 0;
    snprintf(w->temporary, room, "%s.XXXXXX", path);
    int file = mkostemp(w->temporary, O_CLOEXEC); /* only its owner may read and write it */
    w->out = file < 0 ? NULL : fdopen(file, "wb");
    if (!w->out) {
        w->failed = errno;
        if (file >= 0) {
            close(file);
            unlink(w->temporary);
        }
        return 0;
    }
    memcpy(head.magic, result_magic, sizeof head.magic);
    return put(w, &head, sizeof head);
}

static int note_section(result_writer *w, arcl_key key, size_t bytes) {
    if (w->sections == w->room) {
        size_t room = w->room ? 2 * w->room : 64;
        result_section *grown = realloc(w->section, room * sizeof *grown);
        if (!grown) return w->failed = errno = ENOMEM, 0;
        w->section = grown;
        w->room = room;
    }
    w->section[w->sections++] = (result_section){key, w->at, bytes};
    return 1;
}

int result_writer_add(result_writer *w, const program_identity *identity, const word *data, size_t words) {
    section_head head = {identity->length, words};
    size_t before = sizeof head + padded(identity->length), bytes = before + words * sizeof *data;
    unsigned char *all = calloc(1, bytes);
    if (!all || w->failed || !note_section(w, identity->key, bytes + sizeof(arcl_key))) {
        if (!all) w->failed = errno = ENOMEM;
        free(all);
        return 0;
    }
    memcpy(all, &head, sizeof head);
    memcpy(all + sizeof head, identity->text, identity->length);
    if (words) memcpy(all + before, data, words * sizeof *data);
    arcl_key end = hash_bytes(all, bytes);
    put(w, all, bytes);
    free(all);
    return put(w, &end, sizeof end);
}

int result_writer_add_section(result_writer *w, const result_file *from, const result_section *s, section_buffer *b) {
    if (!result_section_load(from, s, b)) return 1; /* what is damaged is left out */
    if (!w->failed && note_section(w, s->key, (size_t)s->bytes)) put(w, b->at, (size_t)s->bytes);
    return !w->failed;
}

static void put_index(result_writer *w) {
    file_end end = {.index_at = w->at, .sections = w->sections};
    size_t bytes = w->sections * sizeof *w->section;
    end.hash = hash_bytes(w->section, bytes);
    memcpy(end.magic, result_end_magic, sizeof end.magic);
    put(w, w->section, bytes);
    put(w, &end, sizeof end);
}

int result_writer_end(result_writer *w) {
    if (w->out) {
        put_index(w);
        if (fclose(w->out) && !w->failed) w->failed = errno;
        if (!w->failed && rename(w->temporary, w->path)) w->failed = errno;
        if (w->failed) unlink(w->temporary);
    }
    free(w->section);
    free(w->temporary);
    free(w->path);
    errno = w->failed;
    return !w->failed;
}
