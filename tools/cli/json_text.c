#include "cli/json_text.h"

#include <stdlib.h>
#include <string.h>

#include "cli/allocation.h"
#include "cli/messages.h"

enum { LONGEST = 4 }; /* bytes of a character */
static const char replacement[] = "\xef\xbf\xbd";

/* How many bytes at the text are one character; 0: none. What UTF-8 is, jansson knows. */
static size_t character(const char *text, size_t left) {
    for (size_t n = 1; n <= LONGEST && n <= left; n++) {
        json_t *one = json_stringn(text, n);
        json_decref(one);
        if (one) return n;
    }
    return 0;
}

static json_t *repaired(const char *text) {
    size_t left = strlen(text), used = 0;
    char *clean = allocation_get(left + 1, sizeof replacement - 1);
    while (left) {
        size_t n = character(text, left), kept = n ? n : sizeof replacement - 1, taken = n ? n : 1;
        memcpy(clean + used, n ? text : replacement, kept);
        used += kept;
        text += taken;
        left -= taken;
    }
    json_t *value = json_stringn(clean, used);
    free(clean);
    return value;
}

json_t *json_text(const char *text) {
    static int told;
    json_t *value = json_string(text);
    if (value) return value;
    if (!told++)
        message_note("a text is not UTF-8, as JSON has it: \"%s\" is written with U+FFFD for other bytes", text);
    return repaired(text);
}

json_t *json_text_or_null(const char *text) { return text ? json_text(text) : json_null(); }
