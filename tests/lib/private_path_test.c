/* Directories that others could have put something into. */
#define _XOPEN_SOURCE 700
#include <greatest.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/private_path.h"

enum { SOMEBODY = 12345 };

static char folder[] = "/tmp/arcl-private-XXXXXX";
static char why[512];

static const char *in(const char *name) {
    static char path[4][128];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static int is_private(const char *name) {
    why[0] = 0;
    return path_is_private(in(name), why, sizeof why);
}

TEST modes(void) {
    static const int refused[] = {0777, 0770, 0720, 0702, 01777}, accepted[] = {0700, 0755, 0500};
    ASSERT_EQ(0, mkdir(in("modes"), 0700));
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) {
        ASSERT_EQ(0, chmod(in("modes"), (mode_t)accepted[i]));
        ASSERTm(why, is_private("modes"));
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ASSERT_EQ(0, chmod(in("modes"), (mode_t)refused[i]));
        ASSERT_FALSE(is_private("modes"));
        ASSERTm(why, strstr(why, "others may write to"));
    }
    PASS();
}

TEST above(void) {
    ASSERT(mkdir(in("above"), 0700) == 0 && mkdir(in("above/own"), 0700) == 0);
    ASSERTm(why, is_private("above/own"));
    ASSERT_EQ(0, chmod(in("above"), 0777));
    ASSERT_FALSE(is_private("above/own"));
    ASSERT_EQ(0, chmod(in("above"), 01777)); /* as /tmp: nobody may rename what is not theirs */
    ASSERTm(why, is_private("above/own"));
    ASSERT_EQ(0, chmod(in("above"), 0775)); /* for the user's own group */
    ASSERTm(why, is_private("above/own"));
    ASSERT_FALSE(is_private("above/nowhere"));
    ASSERTm(why, strstr(why, "No such file"));
    PASS();
}

TEST links(void) {
    ASSERT(mkdir(in("target"), 0700) == 0 && symlink("target", in("near")) == 0 && symlink(in("near"), in("far")) == 0);
    ASSERTm(why, is_private("far"));
    ASSERT_EQ(0, symlink("round", in("round")));
    ASSERT_FALSE(is_private("round"));
    if (geteuid()) SKIPm("only root can give files away");
    ASSERT_EQ(0, lchown(in("near"), SOMEBODY, SOMEBODY));
    ASSERT_FALSE(is_private("near"));
    ASSERT_FALSE(is_private("far"));
    ASSERTm(why, strstr(why, "link") && strstr(why, "near belongs to another user"));
    PASS();
}

TEST owners(void) {
    if (geteuid()) SKIPm("only root can give files away");
    ASSERT(mkdir(in("given"), 0755) == 0 && mkdir(in("given/own"), 0755) == 0);
    ASSERT_EQ(0, chown(in("given"), SOMEBODY, SOMEBODY));
    ASSERT_FALSE(is_private("given"));
    ASSERTm(why, strstr(why, "given belongs to another user"));
    ASSERT_FALSE(is_private("given/own"));
    ASSERT_EQ(0, chown(in("given"), geteuid(), SOMEBODY));
    ASSERTm(why, is_private("given/own"));
    ASSERT_EQ(0, chmod(in("given"), 0775)); /* for another group */
    ASSERT_FALSE(is_private("given/own"));
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    char command[64];
    GREATEST_MAIN_BEGIN();
    if (!mkdtemp(folder)) return 1;
    RUN_TEST(modes);
    RUN_TEST(above);
    RUN_TEST(links);
    RUN_TEST(owners);
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command)) return 1;
    GREATEST_MAIN_END();
}
