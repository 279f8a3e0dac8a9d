/* Every function returns 0 with the place behind what it has read, or -1 at the first thing that is out of the
 * ordinary: an error, a number that is no int or a long one, text that is not ASCII or has \u in it, deep nesting. */
#include "data/json_reader.h"

#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST = 64,
    LONGEST_INT = 18,  /* digits that surely fit into an int64_t */
    LONGEST_ROW = 255, /* a longer array of numbers is an array as any other */
    FEW_MEMBERS = 16   /* so few keys are compared with each other */
};

typedef struct reader {
    const char *at, *end;
    hoard *memory;
    json_node *stack; /* the parts of what is open: elements, or keys and values in turn */
    size_t used, room;
    int depth; /* of what is open */
} reader;

static int read_value(reader *r, json_node *node);

static inline int is_digit(char c) { return c >= '0' && c <= '9'; }

static inline int is_blank(char c) { return c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r'); }

/* The next character that is no blank, or 0, which stands nowhere in JSON. */
static inline char look(reader *r) {
    while (r->at < r->end && is_blank(*r->at)) r->at++;
    return r->at < r->end ? *r->at : 0;
}

static inline int take(reader *r, char c) {
    if (look(r) != c) return 0;
    r->at++;
    return 1;
}

static void push(reader *r, json_node node) {
    if (r->used == r->room) {
        r->room = r->room ? 2 * r->room : 64;
        r->stack = allocation_resize(r->stack, r->room, sizeof *r->stack);
    }
    r->stack[r->used++] = node;
}

/* ---- numbers ---- */

static int read_int(reader *r, json_node *node) {
    int negative = *r->at == '-';
    const char *first = r->at += negative;
    int64_t value = 0;
    while (r->at < r->end && is_digit(*r->at) && r->at - first < LONGEST_INT) value = 10 * value + (*r->at++ - '0');
    if (r->at == first || (*first == '0' && (negative || r->at - first > 1))) return -1;
    *node = (json_node){.kind = NODE_INT, .integer = negative ? -value : value};
    return 0; /* another digit, a point or an exponent may follow, which is nothing that could stand here */
}

/* Small numbers and what is between them, from behind the bracket to behind its end. */
static int read_numbers(reader *r, signed char *row, uint32_t *count) {
    for (uint32_t n = 0; n < LONGEST_ROW;) {
        char c = look(r);
        if (!is_digit(c)) return -1;
        int value = c - '0', is_zero = c == '0';
        while (++r->at < r->end && is_digit(*r->at)) {
            value = 10 * value + (*r->at - '0');
            if (is_zero || value > ROW_LARGEST) return -1;
        }
        row[n++] = (signed char)value;
        c = look(r);
        if (c != ',' && c != ']') return -1;
        r->at++;
        *count = n;
        if (c == ']') return 0;
    }
    return -1;
}

/* An array of small numbers; if it is another, nothing has been read. */
static int read_row(reader *r, json_node *node) {
    signed char row[LONGEST_ROW];
    const char *start = r->at;
    uint32_t count = 0;
    if (read_numbers(r, row, &count)) {
        r->at = start;
        return -1;
    }
    signed char *numbers = hoard_take(r->memory, count);
    memcpy(numbers, row, count);
    *node = (json_node){.kind = NODE_ROW, .count = count, .row = numbers};
    return 0;
}

/* ---- texts ---- */

/* What stands for a character behind a backslash; 0: out of the ordinary. */
static char unescape(char c) {
    switch (c) {
    case '"':
    case '\\':
    case '/': return c;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return 0;
    }
}

static int read_text(reader *r, json_node *node) {
    const char *from = ++r->at, *stop = from;
    while (stop < r->end && *stop != '"') {
        if ((unsigned char)*stop < ' ' || (unsigned char)*stop > 0x7f) return -1;
        stop += *stop == '\\' ? 2 : 1;
    }
    if (stop >= r->end) return -1;
    char *text = hoard_take(r->memory, (size_t)(stop - from) + 1), *to = text;
    for (; from < stop; from++)
        if (*from != '\\')
            *to++ = *from;
        else if (!(*to++ = unescape(*++from)))
            return -1;
    *to = 0;
    r->at = stop + 1;
    *node = (json_node){.kind = NODE_TEXT, .text = text};
    return 0;
}

/* ---- containers ---- */

static int read_array(reader *r, json_node *node) {
    size_t first = r->used;
    r->at++;
    if (is_digit(look(r)) && read_row(r, node) == 0) return 0;
    if (!take(r, ']')) {
        do {
            json_node item;
            if (read_value(r, &item)) return -1;
            push(r, item);
        } while (take(r, ','));
        if (!take(r, ']')) return -1;
    }
    size_t count = r->used - first;
    json_node *items = hoard_take(r->memory, count * sizeof *items);
    if (count) memcpy(items, r->stack + first, count * sizeof *items);
    r->used = first;
    *node = (json_node){.kind = NODE_ARRAY, .count = (uint32_t)count, .items = items};
    return 0;
}

static int by_key(const void *a, const void *b) {
    return strcmp(((const json_member *)a)->key, ((const json_member *)b)->key);
}

static int has_repeated_key(const json_member *members, size_t count) {
    int found = 0;
    if (count <= FEW_MEMBERS) {
        for (size_t i = 1; i < count; i++)
            for (size_t j = 0; j < i; j++) found |= by_key(&members[i], &members[j]) == 0;
        return found;
    }
    json_member *sorted = allocation_get(count, sizeof *sorted);
    memcpy(sorted, members, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_key);
    for (size_t i = 1; i < count; i++) found |= by_key(&sorted[i - 1], &sorted[i]) == 0;
    free(sorted);
    return found;
}

static int read_object(reader *r, json_node *node) {
    size_t first = r->used;
    r->at++;
    if (!take(r, '}')) {
        do {
            json_node key, value;
            if (look(r) != '"' || read_text(r, &key) || !take(r, ':') || read_value(r, &value)) return -1;
            push(r, key);
            push(r, value);
        } while (take(r, ','));
        if (!take(r, '}')) return -1;
    }
    size_t count = (r->used - first) / 2;
    json_member *members = hoard_take(r->memory, count * sizeof *members);
    for (size_t i = 0; i < count; i++)
        members[i] = (json_member){r->stack[first + 2 * i].text, r->stack[first + 2 * i + 1]};
    r->used = first;
    *node = (json_node){.kind = NODE_OBJECT, .count = (uint32_t)count, .members = members};
    return has_repeated_key(members, count) ? -1 : 0;
}

static int read_container(reader *r, json_node *node) {
    if (r->depth == DEEPEST) return -1;
    r->depth++;
    int status = *r->at == '[' ? read_array(r, node) : read_object(r, node);
    r->depth--;
    return status;
}

static int read_word(reader *r, const char *word, json_kind kind, json_node *node) {
    size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0) return -1;
    r->at += length;
    *node = (json_node){.kind = kind};
    return 0;
}

static int read_value(reader *r, json_node *node) {
    switch (look(r)) {
    case '[':
    case '{': return read_container(r, node);
    case '"': return read_text(r, node);
    case 't': return read_word(r, "true", NODE_TRUE, node);
    case 'f': return read_word(r, "false", NODE_FALSE, node);
    case 'n': return read_word(r, "null", NODE_NULL, node);
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9': return read_int(r, node);
    default: return -1;
    }
}

int json_reader_read(const char *text, size_t length, hoard *memory, json_node *root) {
    reader r = {.at = text, .end = text + length, .memory = memory};
    json_node node;
    char first = look(&r);
    int status = (first == '[' || first == '{') && read_value(&r, &node) == 0 ? 0 : -1;
    if (look(&r) || r.at < r.end) status = -1; /* something follows, be it a zero */
    if (status == 0) *root = node;
    free(r.stack);
    return status;
}
