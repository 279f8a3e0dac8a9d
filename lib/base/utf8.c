#include "base/utf8.h"

/* How many bytes the character at `at` has; 0 if that is none. Shorter encodings of larger ones, surrogates and what
 * lies beyond the last character are none. */
static int length_at(const unsigned char *at) {
    if (at[0] < 0x80) return 1;
    int more = at[0] >= 0xf0 ? 3 : at[0] >= 0xe0 ? 2 : 1;
    if (at[0] < 0xc2 || at[0] > 0xf4) return 0;
    for (int i = 1; i <= more; i++)
        if ((at[i] & 0xc0) != 0x80) return 0; /* also the end of the text */
    int second = at[1];
    if ((at[0] == 0xe0 && second < 0xa0) || (at[0] == 0xed && second > 0x9f)) return 0;
    if ((at[0] == 0xf0 && second < 0x90) || (at[0] == 0xf4 && second > 0x8f)) return 0;
    return more + 1;
}

int utf8_is_valid(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    for (int n = 1; *at && n; at += n) n = length_at(at);
    return !*at;
}

void utf8_clean(char *text) {
    for (unsigned char *at = (unsigned char *)text; *at;) {
        int n = length_at(at);
        if (!n) *at = '?';
        at += n ? n : 1;
    }
}
