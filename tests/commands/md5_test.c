/* Tests of tools/data/md5.c: the digests of RFC 1321, and lengths around the ends of blocks. */
#include "data/md5.h"

#include <string.h>

#include "greatest.h"

static const char *digits_of(const char *text, size_t length) {
    static char digits[MD5_DIGITS + 1];
    md5_text(text, length, digits);
    return digits;
}

TEST known_digests(void) {
    static const char *const known[][2] = {
        {"", "d41d8cd98f00b204e9800998ecf8427e"},
        {"a", "0cc175b9c0f1b6a831c399e269772661"},
        {"abc", "900150983cd24fb0d6963f7d28e17f72"},
        {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
        {"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
        {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
         "57edf4a22be3c955ac49da2e2107b67a"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        ASSERT_STR_EQ(known[i][1], digits_of(known[i][0], strlen(known[i][0])));
    PASS();
}

TEST ends_of_blocks(void) {
    static const struct {
        size_t length;
        const char *digits;
    } known[] = {
        {55, "04364420e25c512fd958a70738aa8f72"},  {56, "668a72d5ba17f08e62dabcafad6db14b"},
        {63, "7dc2ca208106a2f703567bdff99d8981"},  {64, "c1bb4f81d892b2d57947682aeb252456"},
        {65, "1bc932052302d074bdec39795fe00cf6"},  {119, "ab347a5f68c8a443cfcddc633f12c24f"},
        {120, "fb98667f98096de92620b64f46e1c5b5"}, {128, "d69cb61a6ee87200676eb0d4b90edbcb"},
    };
    char text[256];
    memset(text, 'x', sizeof text);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        ASSERT_STR_EQ(known[i].digits, digits_of(text, known[i].length));
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    RUN_TEST(known_digests);
    RUN_TEST(ends_of_blocks);
    GREATEST_MAIN_END();
}
