/* Static types, as the compiler and the kernels see them: a string of nibbles (cl/type_codes.h), outermost first, in
 * one 64-bit number. Equal types are equal numbers; the element of a container is `type >> 4`. */
#ifndef ARCL_TYPE_H
#define ARCL_TYPE_H
#include <stddef.h>
#include <stdint.h>

#include "cl/type_codes.h"

typedef uint64_t type_code;

static inline unsigned type_head(type_code t) { return (unsigned)(t & 15); }
static inline type_code type_set(type_code element) { return element << 4 | T_SET; }
static inline type_code type_tuple(type_code element) { return element << 4 | T_TUPLE; }
static inline int type_is_container(type_code t) { return type_head(t) == T_SET || type_head(t) == T_TUPLE; }
static inline type_code type_element(type_code t) { return t >> 4; }
static inline type_code type_host(type_code value) { return value << 4 | T_HOST; }
static inline type_code type_container(unsigned kind, type_code element) { return element << 4 | kind; }

#define TYPE_IJ_SET ((type_code)T_IJ << 4 | T_SET)
#define TYPE_OBJECT ((type_code)T_CELL << 4 | T_SET)
#define TYPE_MIX_SET ((type_code)T_MIX << 4 | T_SET)
#define TYPE_INT_TUPLE ((type_code)T_INT << 4 | T_TUPLE)
#define TYPE_ROWS ((type_code)T_INT << 8 | T_TUPLE << 4 | T_TUPLE)

#define TYPE_VARIOUS ((type_code)T_VARIOUS)

/* The type with cells as triples, as users of the tokpidjin dialect see them, and the other way round. */
type_code type_as_triples(type_code t);
type_code type_as_cells(type_code t);

/* What two types have in common if and only if their values are stored alike. */
type_code type_storage(type_code t);

/* Nibbles of a type. No value has more than 15, so that there is room for one container around it. */
int type_length(type_code t);
static inline int type_is_too_long(type_code t) { return t >> 60 != 0; }

/* A record of n fields; 0 if there are more than 15, or it would have more than 15 nibbles. */
type_code type_record(const type_code *fields, int n);
int type_fields(type_code record);
type_code type_field(type_code record, int index);

/* The type in the notation of the language, "{{cell}}", into buf; a set that is always empty is "{}". Returns buf. */
char *type_text(type_code t, char *buf, size_t size);

/* Reads that notation; 0 if it is none, or the type of no argument: "ij|cell" is only written. */
type_code type_parse(const char *text);

/* The common type of two values that may stand in one place without loss: equal types, bool and int, an empty container
 * with any of its kind, the same inside containers and records. 0 if there is none. */
type_code type_join(type_code a, type_code b);

#endif
