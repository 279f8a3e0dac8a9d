/* Files of results that are kept. The first byte of an input says what the others are: a whole file; the data of a
 * section, around which a file is made that is right otherwise; or a file whose hashes are made right, so that what
 * they cover is looked at. */
#include <stddef.h>

#include "fuzz/fuzz_file.h"
#include "fuzz/fuzz_target.h"
#include "keep/result_file.h"
#include "keep/result_format.h"

enum { WHOLE_FILE, SECTION_DATA, RIGHT_HASHES, WAYS };

static program_identity *identity(void) {
    static program_identity *made;
    static const char text[] = "arcl\ndef (I):\n";
    if (made) return made;
    made = calloc(1, sizeof *made + sizeof text);
    if (!made) abort();
    made->length = sizeof text - 1;
    memcpy(made->text, text, sizeof text);
    made->key = hash_bytes(text, sizeof text - 1);
    return made;
}

/* A file of that data alone. */
static void write_data(const char *path, const uint8_t *data, size_t size) {
    word *words = calloc(size / sizeof *words + 1, sizeof *words);
    result_writer w;
    if (!words) abort();
    memcpy(words, data, size / sizeof *words * sizeof *words);
    if (!result_writer_begin(&w, path)) abort();
    if (!result_writer_add(&w, identity(), words, size / sizeof *words)) abort();
    if (!result_writer_end(&w)) abort();
    free(words);
}

/* Every hash of a file as far as the file says where they are; and sections are called what is asked for. */
static void make_right(uint8_t *data, size_t size) {
    file_end end;
    if (size < sizeof(file_head) + sizeof end) return;
    memcpy(data, result_magic, sizeof result_magic);
    memcpy(&end, data + size - sizeof end, sizeof end);
    memcpy(end.magic, result_end_magic, sizeof end.magic);
    size_t room = size - sizeof end;
    if (end.index_at > room) end.index_at = room;
    end.sections = (room - end.index_at) / sizeof(result_section);
    for (uint64_t i = 0; i < end.sections; i++) {
        result_section s;
        uint8_t *at = data + end.index_at + i * sizeof s;
        memcpy(&s, at, sizeof s);
        if (s.at > end.index_at || s.bytes > end.index_at - s.at || s.bytes < sizeof(arcl_key)) continue;
        arcl_key hash = hash_bytes(data + s.at, (size_t)s.bytes - sizeof hash);
        memcpy(data + s.at + s.bytes - sizeof hash, &hash, sizeof hash);
        s.key = identity()->key;
        memcpy(at, &s, sizeof s);
    }
    end.hash = hash_bytes(data + end.index_at, (size_t)end.sections * sizeof(result_section));
    memcpy(data + size - sizeof end, &end, sizeof end);
}

static void write_input(const char *path, int way, const uint8_t *data, size_t size) {
    if (way == SECTION_DATA) {
        write_data(path, data, size);
        return;
    }
    uint8_t *copy = malloc(size + 1);
    if (!copy) abort();
    memcpy(copy, data, size);
    if (way == RIGHT_HASHES) make_right(copy, size);
    fuzz_file("input.results", copy, size);
    free(copy);
}

/* Results are taken over whole or not at all, and the same again are none that are new. */
static void read_all(result_file *f, const type_code *types, int count) {
    result_owner owner = {identity(), types, count};
    section_buffer buffer = {0};
    result_set set = {0};
    kept_result r;
    result_file_read(f, &owner, 1 << 20, &buffer, &set);
    size_t words = set.count;
    for (size_t at = 0; result_set_next(&set, &at, &r);)
        if (!result_set_find(&set, r.lane)) abort();
    if (set.data && result_set_merge(&set, set.data, 0, types, count) != 1) abort();
    result_file_read(f, &owner, 1 << 20, &buffer, &set);
    if (set.count != words) abort();
    free(buffer.at);
    result_set_free(&set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    char path[128];
    result_file f;
    snprintf(path, sizeof path, "%s", fuzz_path("input.results"));
    write_input(path, data[0] % WAYS, data + 1, size - 1);
    if (result_file_open(path, &f) != FILE_DONE) return 0;
    const type_code types[] = {T_GRID, type_set(TYPE_OBJECT), type_tuple(type_tuple(T_INT)), T_IJ};
    for (int count = 1; count <= 4; count++) read_all(&f, types, count);
    result_file_close(&f);
    return 0;
}
