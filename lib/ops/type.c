#include "ops/type.h"

#include <string.h>

static type_code rest(type_code t) { /* what follows the first type of a string of types */
    int open = 1;
    while (open) {
        unsigned head = type_head(t);
        t >>= 4;
        if (head == T_RECORD) {
            open += (int)(t & 15) - 1;
            t >>= 4;
        } else if (head != T_SET && head != T_TUPLE)
            open--;
    }
    return t;
}

type_code type_storage(type_code t) {
    type_code common = 0;
    for (int at = 0; t; t >>= 4, at += 4) {
        unsigned head = type_head(t);
        common |= (type_code)(head <= T_MIX ? T_INT : head == T_SET ? T_TUPLE : head) << at;
        if (head != T_RECORD) continue;
        t >>= 4;
        at += 4;
        common |= (type_code)type_head(t) << at;
    }
    return common;
}

static type_code replace_nibble(type_code t, unsigned from, unsigned to) {
    type_code made = 0;
    for (int at = 0; t; t >>= 4, at += 4) {
        unsigned head = type_head(t);
        made |= (type_code)(head == from ? to : head) << at;
        if (head != T_RECORD) continue;
        t >>= 4;
        at += 4;
        made |= (type_code)type_head(t) << at; /* how many fields there are */
    }
    return made;
}

type_code type_as_triples(type_code t) {
    return replace_nibble(replace_nibble(t, T_CELL, T_TRIPLE), T_MIX, T_TRIPLE_MIX);
}

type_code type_as_cells(type_code t) {
    return replace_nibble(replace_nibble(t, T_TRIPLE, T_CELL), T_TRIPLE_MIX, T_MIX);
}

int type_length(type_code t) {
    int n = 0;
    for (; t; t >>= 4) n++;
    return n;
}

/* The first type of a string of types, alone. */
static type_code first(type_code t) {
    int n = type_length(t) - type_length(rest(t));
    return n >= 16 ? t : t & (((type_code)1 << 4 * n) - 1);
}

type_code type_record(const type_code *fields, int n) {
    type_code t = 0;
    int length = 2;
    if (n > 15) return 0;
    for (int i = n - 1; i >= 0; i--) {
        int l = type_length(fields[i]);
        length += l;
        if (length > 15) return 0;
        t = t << 4 * l | fields[i];
    }
    return t << 8 | (type_code)n << 4 | T_RECORD;
}

int type_fields(type_code record) { return (int)(record >> 4 & 15); }

type_code type_field(type_code record, int index) {
    type_code t = record >> 8;
    while (index--) t = rest(t);
    return first(t);
}

static char *put(char *at, char *end, const char *text) {
    while (*text && at < end) *at++ = *text++;
    return at;
}

static char *write_type(type_code *t, char *at, char *end) {
    static const char *const names[] = {"?", "never", "bool", "int", "ij", "cell", "ij|cell", "grid"};
    unsigned head = type_head(*t);
    *t >>= 4;
    if (head == T_TRIPLE) return put(at, end, "ijc");
    if (head == T_TRIPLE_MIX) return put(at, end, "ij|ijc");
    if (head == T_FUNCTION) return put(at, end, "function");
    if (head == T_HOST) return put(write_type(t, at, end), end, " with guests");
    if (head < T_SET) return put(at, end, head == T_NEVER ? "" : names[head]);
    if (head == T_RECORD) {
        int n = (int)(*t & 15);
        *t >>= 4;
        at = put(at, end, "(");
        for (int i = 0; i < n; i++) {
            if (i) at = put(at, end, ",");
            at = write_type(t, at, end);
        }
        return put(at, end, ")");
    }
    at = put(at, end, head == T_SET ? "{" : "[");
    at = write_type(t, at, end);
    return put(at, end, head == T_SET ? "}" : "]");
}

char *type_text(type_code t, char *buf, size_t size) {
    if (size) *write_type(&t, buf, buf + size - 1) = 0;
    return buf;
}

static type_code parse(const char **text, int depth) {
    static const struct {
        const char *name;
        type_code t;
    } atoms[] = {{"bool", T_BOOL}, {"int", T_INT}, {"ijc", T_TRIPLE}, {"ij", T_IJ}, {"cell", T_CELL}, {"grid", T_GRID}};
    char open = **text, close = open == '{' ? '}' : ']';
    if (depth > 12) return 0;
    if (open == '{' || open == '[') {
        ++*text;
        type_code element = **text == close ? T_NEVER : parse(text, depth + 1);
        if (!element || **text != close) return 0;
        ++*text;
        return type_length(element) > 14 ? 0 : type_container(open == '{' ? T_SET : T_TUPLE, element);
    }
    if (open == '(') {
        type_code fields[15];
        int n = 0;
        do {
            ++*text;
            if (n == 15 || !(fields[n++] = parse(text, depth + 1))) return 0;
        } while (**text == ',');
        if (**text != ')') return 0;
        ++*text;
        return type_record(fields, n);
    }
    for (size_t i = 0; i < sizeof atoms / sizeof *atoms; i++) {
        size_t n = strlen(atoms[i].name);
        if (strncmp(*text, atoms[i].name, n) == 0) {
            *text += n;
            return atoms[i].t;
        }
    }
    return 0;
}

type_code type_parse(const char *text) {
    type_code t = parse(&text, 0);
    return *text ? 0 : t;
}

type_code type_join(type_code a, type_code b) {
    unsigned x = type_head(a), y = type_head(b);
    if (a == b) return a;
    if (a == T_NEVER) return b;
    if (b == T_NEVER) return a;
    if ((x == T_BOOL || x == T_INT) && (y == T_BOOL || y == T_INT)) return T_INT;
    if (x != y) return 0;
    if (x == T_SET || x == T_TUPLE) {
        type_code e = type_join(type_element(a), type_element(b));
        return e ? type_container(x, e) : 0;
    }
    if (x == T_RECORD && type_fields(a) == type_fields(b)) {
        type_code fields[15];
        int n = type_fields(a);
        for (int i = 0; i < n; i++)
            if (!(fields[i] = type_join(type_field(a, i), type_field(b, i)))) return 0;
        return type_record(fields, n);
    }
    return 0;
}
