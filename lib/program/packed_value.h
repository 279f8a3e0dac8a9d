/* A value with everything that it refers to, as words that stand on their own: word 0 is the value, and references
 * count from word 0. Where the padding behind the cells of grids is zeros, as in batches, equal values are equal
 * words. */
#ifndef ARCL_PACKED_VALUE_H
#define ARCL_PACKED_VALUE_H
#include "cl/word.h"
#include "ops/type.h"

/* How many words the value w takes, whose references count from storage. */
size_t packed_words(const word *storage, type_code type, word w);
void packed_write(const word *storage, type_code type, word w, word *to);

/* Puts any such value to to[*end ..], with references that count from `to`. Returns the word that refers to it
 * there. */
word value_place(const word *storage, type_code type, word w, word *to, uint *end);

/* Puts zeros behind the cells of all grids in a value that nobody else refers to: what a run leaves there is
 * anything. */
void value_clear_padding(word *storage, type_code type, word w);

/* Whether these words are a packed value of that type: nothing in them refers to what is outside. For words that come
 * from somewhere else. */
int packed_is_sound(const word *packed, size_t words, type_code type);

#endif
