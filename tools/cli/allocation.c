/* A hoard is a list of blocks; the newest is filled from its start, `used` is how far. */
#include "cli/allocation.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/messages.h"
#include "cli/options.h"

_Noreturn void allocation_none(void) {
    static pthread_mutex_t ending = PTHREAD_MUTEX_INITIALIZER; /* never unlocked: only one thread may end the process */
    pthread_mutex_lock(&ending);
    message_error("out of memory");
    interrupt_remove_files();
    exit(CLI_BAD);
}

static void *need(void *memory) {
    if (!memory) allocation_none();
    return memory;
}

void allocation_check(const arcl_error *error) {
    if (strcmp(error->message, "out of memory") == 0) allocation_none();
}

char *allocation_text(const char *text) { return need(strdup(text)); }
void *allocation_get(size_t count, size_t size) { return need(calloc(count ? count : 1, size)); }

void *allocation_resize(void *old, size_t count, size_t size) {
    if (count == 0) count = 1;
    if (count > SIZE_MAX / size) allocation_none();
    return need(realloc(old, count * size));
}

/* There may be hundreds of hoards, most of them small, and large ones should not have many blocks. */
enum { FIRST_BLOCK = 2 << 10, LARGEST_BLOCK = 64 << 10 };

struct hoard_block {
    struct hoard_block *next;
    size_t size;
    _Alignas(max_align_t) char bytes[];
};

void *hoard_take(hoard *owner, size_t size) {
    size_t align = _Alignof(max_align_t);
    if (size > SIZE_MAX / 2) allocation_none();
    size = (size + align - 1) / align * align;
    if (!owner->blocks || owner->blocks->size - owner->used < size) {
        size_t room = owner->blocks ? 2 * owner->blocks->size : FIRST_BLOCK;
        if (room > LARGEST_BLOCK) room = LARGEST_BLOCK;
        if (room < size) room = size;
        struct hoard_block *block = need(malloc(sizeof *block + room)); /* much of it may never be touched */
        block->next = owner->blocks;
        block->size = room;
        owner->blocks = block;
        owner->used = 0;
    }
    void *memory = owner->blocks->bytes + owner->used;
    owner->used += size;
    return memory;
}

void *hoard_get(hoard *owner, size_t size) { return memset(hoard_take(owner, size), 0, size); }

char *hoard_text(hoard *owner, const char *text) {
    size_t length = strlen(text) + 1;
    return memcpy(hoard_take(owner, length), text, length);
}

void hoard_free(hoard *owner) {
    while (owner->blocks) {
        struct hoard_block *next = owner->blocks->next;
        free(owner->blocks);
        owner->blocks = next;
    }
    owner->used = 0;
}
