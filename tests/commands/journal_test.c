/* Tests of tools/data/journal.c: lines come back in order, what was cut off at the end is dropped, and all else that is
 * not as it should be is refused: other jobs, damage in the middle, a second process. */
#define _DEFAULT_SOURCE
#include "data/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "greatest.h"

static char folder[] = "/tmp/journal_test.XXXXXX";
static char path[64];

/* Lines joined by commas. */
static char seen[4096];
static int see(void *arg, char *line, size_t length) {
    (void)arg;
    if (strlen(line) != length) return -1;
    if (*seen) strcat(seen, ",");
    strcat(seen, line);
    return 0;
}

static int open_it(journal *j, const char *job) {
    *seen = 0;
    return journal_open(j, path, job, see, NULL);
}

/* A journal with the lines a, b and c. */
static void make_abc(void) {
    journal j = {0};
    unlink(path);
    if (open_it(&j, "search seed=1") || journal_append(&j, "a") || journal_append(&j, "b") || journal_append(&j, "c"))
        abort();
    journal_close(&j);
}

static long size_of(void) {
    struct stat info;
    return stat(path, &info) ? -1 : (long)info.st_size;
}

TEST lines_come_back(void) {
    journal j = {0};
    make_abc();
    ASSERT_EQ(0, open_it(&j, "search seed=1"));
    ASSERT_STR_EQ("a,b,c", seen);
    ASSERT_EQ(0, journal_append(&j, "{\"d\": [1, 2]}"));
    journal_close(&j);
    journal_close(&j);
    *seen = 0;
    ASSERT_EQ(0, journal_read(path, "search seed=1", see, NULL));
    ASSERT_STR_EQ("a,b,c,{\"d\": [1, 2]}", seen);
    PASS();
}

/* Whatever the length at which it was cut off, the lines before are there, and what follows is appended to them. */
TEST what_was_cut_off_is_dropped(void) {
    make_abc();
    long whole = size_of(), line = 16 + 1 + 1 + 1;
    for (long left = 0; left < whole; left++) {
        journal j = {0};
        make_abc();
        ASSERT_EQ(0, truncate(path, left));
        ASSERT_EQ(0, open_it(&j, "search seed=1"));
        const char *expected = left >= whole - line ? "a,b" : left >= whole - 2 * line ? "a" : "";
        ASSERT_STR_EQ(expected, seen);
        ASSERT_EQ(0, journal_append(&j, "z"));
        journal_close(&j);
        ASSERT_EQ(0, open_it(&j, "search seed=1"));
        ASSERT_EQ('z', seen[strlen(seen) - 1]);
        journal_close(&j);
    }
    PASS();
}

/* Every byte that is neither of the last line nor the end of the one before, without which both are one line that may
 * have been cut off. */
TEST damage_is_refused(void) {
    make_abc();
    long whole = size_of(), line = 16 + 1 + 1 + 1;
    for (long at = 0; at < whole - line - 1; at++) {
        journal j = {0};
        make_abc();
        FILE *file = fopen(path, "r+b");
        ASSERT(file && fseek(file, at, SEEK_SET) == 0);
        ASSERT_EQ('~', putc('~', file));
        ASSERT_EQ(0, fclose(file));
        ASSERT_EQ(-1, open_it(&j, "search seed=1"));
        ASSERT_EQ(whole, size_of());
    }
    PASS();
}

TEST other_files_stay(void) {
    journal j = {0};
    FILE *file = fopen(path, "wb");
    ASSERT(file);
    ASSERT(fputs("dear diary", file) >= 0);
    ASSERT_EQ(0, fclose(file));
    ASSERT_EQ(-1, open_it(&j, "search seed=1"));
    ASSERT_EQ(10, size_of());
    PASS();
}

TEST other_jobs_are_refused(void) {
    journal j = {0};
    make_abc();
    ASSERT_EQ(-1, open_it(&j, "search seed=2"));
    ASSERT_EQ(-1, open_it(&j, "search seed=1 more"));
    ASSERT_EQ(-1, open_it(&j, "search"));
    ASSERT_EQ(-1, journal_read(path, "search seed=3", see, NULL));
    ASSERT_STR_EQ("", seen);
    PASS();
}

TEST one_process_at_a_time(void) {
    journal j = {0}, other = {0};
    make_abc();
    ASSERT_EQ(0, open_it(&j, "search seed=1"));
    ASSERT_EQ(-1, open_it(&other, "search seed=1"));
    ASSERT_EQ(-1, journal_read(path, "search seed=1", see, NULL));
    journal_close(&j);
    ASSERT_EQ(0, open_it(&other, "search seed=1"));
    journal_close(&other);
    PASS();
}

TEST it_is_put_in_order(void) {
    static const char *const lines[] = {"c", "a", "b"};
    journal j = {0};
    make_abc();
    ASSERT_EQ(0, open_it(&j, "search seed=1"));
    ASSERT_EQ(0, journal_replace(&j, "search seed=1", lines, 3));
    journal_close(&j);
    ASSERT_EQ(0, open_it(&j, "search seed=1"));
    ASSERT_STR_EQ("c,a,b", seen);
    journal_close(&j);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/journal", folder);
    RUN_TEST(lines_come_back);
    RUN_TEST(what_was_cut_off_is_dropped);
    RUN_TEST(damage_is_refused);
    RUN_TEST(other_files_stay);
    RUN_TEST(other_jobs_are_refused);
    RUN_TEST(one_process_at_a_time);
    RUN_TEST(it_is_put_in_order);
    unlink(path);
    rmdir(folder);
    GREATEST_MAIN_END();
}
