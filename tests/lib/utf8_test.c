/* Tests of lib/base/utf8.h: what is a character and what is not, at every edge of the encoding. */
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

#include "greatest.h"

static const struct {
    const char *text, *cleaned; /* equal: it is valid */
} texts[] = {
    {"", ""},
    {"plain", "plain"},
    {"\x7f", "\x7f"},
    /* the first and the last character of every length */
    {"\xc2\x80 \xdf\xbf", "\xc2\x80 \xdf\xbf"},
    {"\xe0\xa0\x80 \xef\xbf\xbf", "\xe0\xa0\x80 \xef\xbf\xbf"},
    {"\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf"},
    /* beside the surrogates */
    {"\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80"},
    {"\xed\xa0\x80", "???"},
    {"\xed\xbf\xbf.", "???."},
    /* longer than need be */
    {"\xc0\x80", "??"},
    {"\xc1\xbf", "??"},
    {"\xe0\x9f\xbf", "???"},
    {"\xf0\x8f\xbf\xbf", "????"},
    /* beyond the last character */
    {"\xf4\x90\x80\x80", "????"},
    {"\xf5\x80\x80\x80", "????"},
    {"\xfe\xff", "??"},
    /* cut short by the end, and by another character */
    {"a\xc3", "a?"},
    {"a\xe2\x82", "a??"},
    {"a\xf0\x9f\x98", "a???"},
    {"\xe2\x82z", "??z"},
    {"\xe2\xc3\xa9", "?\xc3\xa9"},
    {"\xf0\x9f\xc3\xa9", "??\xc3\xa9"},
    /* a continuation of nothing */
    {"\x80", "?"},
    {"\xc3\xa9\xbf", "\xc3\xa9?"},
};

/* Each text is on the heap and as long as it is, so that a sanitizer sees who reads beyond it. */
TEST what_is_no_character_is_told_and_replaced(void) {
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char *text = strdup(texts[i].text);
        ASSERT(text);
        int valid = utf8_is_valid(text);
        utf8_clean(text);
        ASSERT_STR_EQ(texts[i].cleaned, text);
        ASSERT_EQ_FMT(strcmp(texts[i].text, texts[i].cleaned) == 0, valid, "%d");
        ASSERT(utf8_is_valid(text));
        free(text);
    }
    PASS();
}

GREATEST_MAIN_DEFS();
int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_TEST(what_is_no_character_is_told_and_replaced);
    GREATEST_MAIN_END();
}
