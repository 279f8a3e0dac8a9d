#include "cli/json_writer.h"

#include <string.h>

#include "cli/json_text.h"

static void flush(json_writer *w) {
    fwrite(w->buffer, 1, w->used, w->out);
    w->used = 0;
}

static void put(json_writer *w, const char *text, size_t length) {
    if (length > sizeof w->buffer - w->used) flush(w);
    if (length > sizeof w->buffer) {
        fwrite(text, 1, length, w->out);
        return;
    }
    memcpy(w->buffer + w->used, text, length);
    w->used += length;
}

static void put_one(json_writer *w, char c) {
    if (w->used == sizeof w->buffer) flush(w);
    w->buffer[w->used++] = c;
}

/* Before a value. */
static void begin(json_writer *w) {
    if (w->comma) put_one(w, ',');
    w->comma = 1;
}

void json_write_end(json_writer *w) {
    put_one(w, '\n');
    flush(w);
}

void json_write_newline(json_writer *w) {
    if (w->comma) put_one(w, ',');
    w->comma = 0;
    put_one(w, '\n');
}

void json_write_open(json_writer *w, char bracket) {
    begin(w);
    put_one(w, bracket);
    w->comma = 0;
}

void json_write_close(json_writer *w, char bracket) {
    put_one(w, bracket);
    w->comma = 1;
}

void json_write_key(json_writer *w, const char *key) {
    begin(w);
    put_one(w, '"');
    put(w, key, strlen(key));
    put(w, "\":", 2);
    w->comma = 0;
}

void json_write_text(json_writer *w, const char *text) {
    const char *plain = text;
    while (*plain && *plain != '"' && *plain != '\\' && (unsigned char)*plain >= 32 && (unsigned char)*plain < 127)
        plain++;
    if (*plain) { /* what needs care is rare */
        json_write_value(w, json_text(text));
        return;
    }
    begin(w);
    put_one(w, '"');
    put(w, text, (size_t)(plain - text));
    put_one(w, '"');
}

void json_write_name(json_writer *w, const char *key) {
    json_write_text(w, key);
    put_one(w, ':');
    w->comma = 0;
}

void json_write_text_or_null(json_writer *w, const char *text) {
    if (text)
        json_write_text(w, text);
    else
        json_write_null(w);
}

void json_write_int(json_writer *w, int64_t number) {
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    begin(w);
    do digits[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0) digits[--at] = '-';
    put(w, digits + at, sizeof digits - at);
}

static void put_word(json_writer *w, const char *word) {
    begin(w);
    put(w, word, strlen(word));
}

void json_write_int_member(json_writer *w, const char *key, uint64_t number) {
    json_write_key(w, key);
    json_write_int(w, (int64_t)number);
}

void json_write_bool(json_writer *w, int truth) { put_word(w, truth ? "true" : "false"); }
void json_write_null(json_writer *w) { put_word(w, "null"); }

void json_write_seconds(json_writer *w, double seconds) {
    char text[32];
    snprintf(text, sizeof text, "%.6f", seconds);
    put_word(w, text);
}

void json_write_hex(json_writer *w, uint64_t number) {
    char text[19] = "\"0000000000000000\"";
    for (int i = 0; i < 16; i++) text[1 + i] = "0123456789abcdef"[number >> (60 - 4 * i) & 15];
    put_word(w, text);
}

void json_write_grid(json_writer *w, int h, int wide, const signed char *cells) {
    json_write_open(w, '[');
    for (int i = 0; i < h; i++) {
        json_write_open(w, '[');
        for (int j = 0; j < wide; j++) json_write_int(w, cells[i * wide + j]);
        json_write_close(w, ']');
    }
    json_write_close(w, ']');
}

void json_write_value(json_writer *w, json_t *value) {
    begin(w);
    flush(w);
    if (value) json_dumpf(value, w->out, JSON_COMPACT | JSON_ENCODE_ANY);
    json_decref(value);
}
