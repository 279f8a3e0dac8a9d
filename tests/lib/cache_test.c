/* Tests of the caches (lib/keep/cache.h and what is below it), through the public interface: what is found again, what
 * is not, that results are the same with and without, and that files which are not as they were written are never
 * used. */
#define _GNU_SOURCE
#include "support/evaluation.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "greatest.h"

static char folder[64]; /* of one test */

static arcl_context *open_context(const arcl_cache_options *cache, uint32_t budget) {
    arcl_context *c;
    arcl_options options = {.threads = 2, .budget = budget};
    if (arcl_context_create(&options, &c, NULL) || (cache && arcl_cache_enable(c, cache, NULL))) abort();
    return c;
}

static void clear_folder(void) {
    char path[400];
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (e->d_name[0] != '.' && unlink(path)) rmdir(path);
    }
    if (d) closedir(d);
}

/* The only file of results; how many there are. */
static int find_file(char *path, size_t size) {
    int count = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        if (strstr(e->d_name, ".results") && ++count) snprintf(path, size, "%s/%s", folder, e->d_name);
    if (d) closedir(d);
    return count;
}

/* ---- compiled programs ---- */

static int compiles(arcl_context *c, const char *body, int grid_result) {
    arcl_program *p;
    int done = body_compile(c, "grid", body, grid_result, &p, NULL) == ARCL_SUCCESS;
    arcl_program_free(p);
    return done;
}

TEST programs_are_found_by_normal_form(void) {
    arcl_context *c = open_context(&(arcl_cache_options){0}, 0);
    ASSERT(compiles(c, "x = rot90(a); hmirror(x)", 0));
    ASSERT(compiles(c, "hmirror(rot90(a))", 0));
    ASSERT_EQ(1, arcl_report_cache(c).program_hits);
    ASSERT(compiles(c, "hmirror(rot90(a))", 1));
    ASSERT_FALSE(compiles(c, "first(3)", 0));
    ASSERT_FALSE(compiles(c, "first(3)", 0));
    ASSERT_EQ(1, arcl_report_cache(c).program_hits);
    ASSERT_EQ(4, arcl_report_cache(c).program_misses);
    ASSERT_EQ(2, arcl_report_cache(c).programs);
    ASSERT(arcl_report_cache(c).compile_nanoseconds_saved > 0);
    arcl_context_free(c);
    PASS();
}

TEST types_are_part_of_the_key(void) {
    arcl_context *c = open_context(&(arcl_cache_options){0}, 0);
    ASSERT_STR_EQ("2", evaluate_in(c, "[int]", "first(a)", "[2,3]"));
    ASSERT_STR_EQ("[2,5]", evaluate_in(c, "[ij]", "first(a)", "[[2,5]]"));
    ASSERT_STR_EQ("2", evaluate_in(c, "{int}", "first(a)", "[3,2]"));
    ASSERT_EQ(0, arcl_report_cache(c).program_hits);
    ASSERT_EQ(0, arcl_report_cache(c).lane_hits);
    arcl_context_free(c);
    PASS();
}

TEST the_least_recently_used_program_goes(void) {
    arcl_context *c = open_context(&(arcl_cache_options){.programs = 2}, 0);
    ASSERT(compiles(c, "rot90(a)", 0) && compiles(c, "rot180(a)", 0) && compiles(c, "rot90(a)", 0));
    ASSERT_EQ(1, arcl_report_cache(c).program_hits);
    ASSERT(compiles(c, "hmirror(a)", 0)); /* rot180 goes */
    ASSERT_EQ(2, arcl_report_cache(c).programs);
    ASSERT(compiles(c, "rot90(a)", 0));
    ASSERT_EQ(2, arcl_report_cache(c).program_hits);
    ASSERT(compiles(c, "rot180(a)", 0));
    ASSERT_EQ(2, arcl_report_cache(c).program_hits);
    ASSERT_EQ(2, arcl_report_cache(c).programs);
    arcl_context_free(c);
    PASS();
}

/* Definitions that are the same, compiled by several threads at once, and run. */
TEST threads_share_the_cache(void) {
    enum { COUNT = 400 };
    arcl_context *c = open_context(&(arcl_cache_options){.programs = 5}, 0);
    arcl_program *programs[COUNT];
    arcl_source *source;
    text all = {0};
    char one[100];
    text_clear(&all);
    for (int i = 0; i < COUNT; i++) {
        snprintf(one, sizeof one, "def f%d(I):\n    v%d = canvas(%d, (2, 3))\n    return v%d\n", i, i, i % 4, i);
        text_add(&all, one);
    }
    ASSERT_EQ(ARCL_SUCCESS, arcl_source_parse(c, all.at, all.length, "f.py", &source, NULL));
    ASSERT_EQ(0, arcl_source_compile(c, source, NULL, programs, NULL));
    arcl_cache_report r = arcl_report_cache(c);
    ASSERT_EQ(COUNT, r.program_hits + r.program_misses);
    ASSERT(r.program_hits > 0 && r.programs <= 5);
    for (int i = 4; i < COUNT; i++) ASSERT_EQ(arcl_program_steps(programs[i % 4]), arcl_program_steps(programs[i]));
    for (int i = 0; i < COUNT; i++) arcl_program_free(programs[i]);
    arcl_source_free(source);
    text_free(&all);
    arcl_context_free(c);
    PASS();
}

/* ---- results: the same with and without ---- */

static const struct {
    const char *types, *body, *lanes, *more; /* more: other lanes, and some of the first */
} cases[] = {
    {"int int", "divide(a, b)", "7 2; 7 0; -9 4", "7 0; 1 1; 7 2; 8 3"},
    {"int", "equality(a, 3)", "3; 4", "4; 5; 3"},
    {"ij", "add(a, (1, 2))", "[3,4]; [0,0]", "[0,0]; [5,6]"},
    {"{cell}", "first(a)", "[[3,[1,2]],[4,[0,0]]]; []", "[]; [[3,[1,2]],[4,[0,0]]]; [[7,[1,1]]]"},
    {"grid", "rot90(a)", "[[1,2,3],[4,5,6]]; [[7]]", "[[7]]; [[1,2,3],[4,5,6]]; [[1,2],[3,4]]"},
    {"grid", "vconcat(a, ((1, 2), (3, 4)))", "[[1,2,3]]; [[7,7]]", "[[7,7]]; [[1,2,3]]; [[8]]"}, /* rows that differ */
    {"grid", "objects(a, F, F, T)", "[[1,2,0],[0,0,1]]; [[0]]", "[[0]]; [[1,2,0],[0,0,1]]; [[0,1],[2,0]]"},
    {"grid", "(a, height(a), asobject(a))", "[[1,2,3],[4,5,6]]; [[7]]", "[[7]]; [[1,1]]"},
    {"grid", "index(a, (5, 5))", "[[1]]; [[2]]", "[[2]]; [[3]]"},
    {"grid int", "branch(positive(b), height(a), asobject(a))", "[[1]] 1; [[2]] 0", "[[2]] 0; [[2]] 1; [[1]] 1"},
    {"[[grid]] grid", "(first(first(a)), b)", "[[[[1,2]],[[3]]]] [[4]]; [] [[4]]", "[] [[4]]; [[[[1,2]],[[3]]]] [[4]]"},
    {"grid", "frontiers(a)", "[[1,1],[0,2]]; [[1,2],[3,4]]", "[[1,2],[3,4]]; [[1,1],[0,2]]; [[5,5]]"},
    {"{{ij}}", "merge(a)", "[[[1,2]],[[1,2],[0,5]]]; []", "[]; [[[1,2]],[[1,2],[0,5]]]; [[[9,9]]]"},
    {"{(int,ij)}", "a", "[[1,[2,3]]]; []", "[]; [[4,[5,6]]]; [[1,[2,3]]]"},
};
enum { CASES = sizeof cases / sizeof *cases };

TEST results_are_the_same(int number, const arcl_cache_options *options) {
    arcl_context *plain = open_context(NULL, 0), *kept = open_context(options, 0);
    const char *lanes[] = {cases[number].lanes, cases[number].more, cases[number].lanes, cases[number].more};
    for (int i = 0; i < 4; i++) {
        char *expected = strdup(evaluate_in(plain, cases[number].types, cases[number].body, lanes[i]));
        uint64_t before = arcl_report_cache(kept).lane_misses;
        ASSERT_STR_EQ(expected, evaluate_in(kept, cases[number].types, cases[number].body, lanes[i]));
        if (i > 1) ASSERT_EQ(before, arcl_report_cache(kept).lane_misses);
        free(expected);
    }
    ASSERT(arcl_report_cache(kept).lane_hits > 3);
    ASSERT(arcl_report_cache(kept).run_nanoseconds_saved > 0);
    ASSERT_STR_EQ("", arcl_cache_notice(kept));
    arcl_context_free(plain);
    arcl_context_free(kept);
    PASS();
}

/* The same through files: every run is in a context of its own. */
TEST files_give_the_same(int number) {
    arcl_context *plain = open_context(NULL, 0);
    const char *lanes[] = {cases[number].lanes, cases[number].more, cases[number].lanes, cases[number].more};
    clear_folder();
    for (int i = 0; i < 4; i++) {
        arcl_context *kept = open_context(&(arcl_cache_options){.directory = folder}, 0);
        char *expected = strdup(evaluate_in(plain, cases[number].types, cases[number].body, lanes[i]));
        ASSERT_STR_EQ(expected, evaluate_in(kept, cases[number].types, cases[number].body, lanes[i]));
        arcl_cache_report r = arcl_report_cache(kept);
        if (i > 1) ASSERT_EQ(0, r.lane_misses);
        if (i > 1) ASSERT(r.sections_read >= 1);
        ASSERT_EQ(0, r.refused);
        free(expected);
        arcl_context_free(kept);
    }
    arcl_context_free(plain);
    PASS();
}

SUITE(same_results) {
    for (int i = 0; i < CASES; i++) {
        RUN_TESTp(results_are_the_same, i, &(arcl_cache_options){0});
        RUN_TESTp(files_give_the_same, i);
    }
}

TEST a_batch_that_grows(void) {
    arcl_context *c = open_context(&(arcl_cache_options){0}, 0);
    arcl_program *p;
    arcl_batch *b;
    arcl_result *r;
    ASSERT_EQ(ARCL_SUCCESS, body_compile(c, "int", "double(a)", 0, &p, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(c, "int", &b, NULL));
    for (int n = 0; n < 50; n++) {
        ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_int(b, n / 2, NULL));
        ASSERT_EQ(ARCL_SUCCESS, arcl_run(c, p, b, &r, NULL));
        for (int i = 0; i <= n; i++) ASSERT_EQ(i / 2 * 2, arcl_value_int(arcl_result_value(r, (uint32_t)i)));
        arcl_result_free(r);
    }
    ASSERT_EQ(25, arcl_report_cache(c).lane_misses);
    arcl_batch_free(b);
    arcl_program_free(p);
    arcl_context_free(c);
    PASS();
}

/* Several programs, of which some are the same, on one batch and on others, in one run. */
TEST many_at_once(void) {
    enum { COUNT = 12 };
    arcl_context *c = open_context(&(arcl_cache_options){0}, 0);
    arcl_program *programs[COUNT];
    arcl_batch *batches[COUNT];
    arcl_result *results[COUNT];
    char body[32];
    for (int i = 0; i < COUNT; i++) {
        snprintf(body, sizeof body, "add(a, %d)", i % 5);
        ASSERT_EQ(ARCL_SUCCESS, body_compile(c, "int", body, 0, &programs[i], NULL));
        ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(c, "int", &batches[i], NULL));
        for (int n = 0; n < 20; n++) ASSERT_EQ(ARCL_SUCCESS, arcl_batch_add_int(batches[i], n + i / 6, NULL));
    }
    for (int round = 0; round < 2; round++) {
        const arcl_batch *given[COUNT];
        for (int i = 0; i < COUNT; i++) given[i] = batches[i < 10 ? i / 6 : i]; /* shared, and equal ones */
        ASSERT_EQ(ARCL_SUCCESS, arcl_run_many(c, COUNT, (const arcl_program *const *)programs, given, results, NULL));
        for (int i = 0; i < COUNT; i++) {
            for (uint32_t n = 0; n < 20; n++)
                ASSERT_EQ((int)n +
                              (given[i] == batches[0] ? 0
                               : i < 10               ? 0
                                                      : 1) +
                              i % 5,
                          arcl_value_int(arcl_result_value(results[i], n)));
            arcl_result_free(results[i]);
        }
    }
    ASSERT_EQ(240, arcl_report_cache(c).lane_misses); /* of the first round: nothing was known when it began */
    ASSERT_EQ(240, arcl_report_cache(c).lane_hits);
    for (int i = 0; i < COUNT; i++) {
        arcl_program_free(programs[i]);
        arcl_batch_free(batches[i]);
    }
    arcl_context_free(c);
    PASS();
}

TEST what_cannot_run_is_refused_as_always(void) {
    arcl_context *c = open_context(&(arcl_cache_options){0}, 0);
    arcl_error error;
    arcl_program *p;
    arcl_batch *b;
    arcl_result *r;
    ASSERT_EQ(ARCL_SUCCESS, body_compile(c, "int", "double(a)", 0, &p, NULL));
    ASSERT_EQ(ARCL_SUCCESS, arcl_batch_create(c, "grid", &b, NULL));
    ASSERT_EQ(ARCL_INVALID, arcl_run(c, p, b, &r, &error));
    ASSERT(strstr(error.message, "differ in type"));
    ASSERT_EQ(NULL, r);
    ASSERT_EQ(ARCL_INVALID, arcl_cache_enable(c, NULL, &error));
    arcl_batch_free(b);
    arcl_program_free(p);
    arcl_context_free(c);
    PASS();
}

/* ---- what is not found ---- */

TEST another_budget_is_another_result(void) {
    static const char body[] = "merge(repeat(a, 100))", grids[] = "[[1,2,3],[4,5,6],[7,8,9]]";
    arcl_context *c;
    clear_folder();
    c = open_context(&(arcl_cache_options){.directory = folder}, 20);
    ASSERT_STR_EQ("BUDGET", evaluate_in(c, "grid", body, grids));
    arcl_context_free(c);
    for (int i = 0; i < 2; i++) {
        c = open_context(&(arcl_cache_options){.directory = folder}, 0);
        ASSERT_EQ('[', *evaluate_in(c, "grid", body, grids));
        ASSERT_EQ(i, (int)arcl_report_cache(c).lane_hits);
        arcl_context_free(c);
    }
    PASS();
}

/* ---- bounds ---- */

static void run_many_programs(arcl_context *c, int count) {
    char body[64];
    for (int i = 0; i < count; i++) {
        snprintf(body, sizeof body, "upscale(canvas(%d, (a, 9)), 3)", i);
        if (*evaluate_in(c, "int", body, "3; 4; 5") != '[') abort();
    }
}

TEST memory_is_bounded(void) {
    enum { LIMIT = 50000 };
    arcl_context *c = open_context(&(arcl_cache_options){.memory = LIMIT}, 0);
    run_many_programs(c, 100);
    arcl_cache_report r = arcl_report_cache(c);
    ASSERT(r.bytes <= LIMIT && r.sets < 100 && r.sets > 5);
    run_many_programs(c, 3);
    ASSERT_EQ(r.lane_misses + 9, arcl_report_cache(c).lane_misses);
    run_many_programs(c, 3);
    ASSERT_EQ(r.lane_hits + 9, arcl_report_cache(c).lane_hits);
    arcl_context_free(c);
    PASS();
}

TEST what_memory_lost_is_on_disk(void) {
    clear_folder();
    arcl_context *c = open_context(&(arcl_cache_options){.memory = 50000, .directory = folder}, 0);
    run_many_programs(c, 100);
    run_many_programs(c, 100);
    ASSERT_EQ(300, arcl_report_cache(c).lane_hits);
    ASSERT_EQ(300, arcl_report_cache(c).lane_misses);
    arcl_context_free(c);
    PASS();
}

TEST small_files_are_joined(void) {
    char path[400];
    clear_folder();
    for (int i = 0; i < 40; i++) {
        arcl_context *c = open_context(&(arcl_cache_options){.directory = folder}, 0);
        run_many_programs(c, i + 1);
        ASSERT_EQ(3 * i, (int)arcl_report_cache(c).lane_hits);
        ASSERT_EQ(3, arcl_report_cache(c).lane_misses);
        ASSERT_EQ(ARCL_SUCCESS, arcl_cache_flush(c, NULL));
        arcl_context_free(c);
    }
    ASSERT(find_file(path, sizeof path) <= 17);
    PASS();
}

TEST the_disk_is_bounded(void) {
    char path[400];
    clear_folder();
    for (int i = 0; i < 8; i++) {
        arcl_context *c = open_context(&(arcl_cache_options){.directory = folder, .disk = 6000}, 0);
        run_many_programs(c, i + 1);
        arcl_context_free(c);
    }
    ASSERT(find_file(path, sizeof path) < 8);
    PASS();
}

/* ---- files that are not as they were written ---- */

static const char program[] = "(a, objects(a, T, F, F))", grids[] = "[[1,2],[0,1]]; [[3]]";

/* What a context says that finds the folder as it is; its results must be right. */
static arcl_cache_report look(const char *expected, char *notice, size_t size) {
    arcl_context *c = open_context(&(arcl_cache_options){.directory = folder}, 0);
    if (strcmp(evaluate_in(c, "grid", program, grids), expected) != 0) abort();
    arcl_cache_report r = arcl_report_cache(c);
    snprintf(notice, size, "%s", arcl_cache_notice(c));
    arcl_context_free(c);
    return r;
}

static unsigned char *read_whole(const char *path, size_t *size) {
    unsigned char *all = malloc(1 << 16);
    FILE *f = fopen(path, "rb");
    if (!all || !f) abort();
    *size = fread(all, 1, 1 << 16, f);
    fclose(f);
    return all;
}

/* As the only file of the folder. */
static void write_whole(const char *path, const unsigned char *from, size_t size) {
    clear_folder();
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(from, 1, size, f) != size || fclose(f) || chmod(path, 0600)) abort();
}

TEST no_damage_is_overlooked(void) {
    char path[400], notice[600], *expected = strdup(evaluate("grid", program, grids));
    size_t size;
    clear_folder();
    ASSERT_EQ(0, look(expected, notice, sizeof notice).lane_hits);
    ASSERT_EQ(1, find_file(path, sizeof path));
    unsigned char *good = read_whole(path, &size);
    ASSERT_EQ(2, look(expected, notice, sizeof notice).lane_hits);
    ASSERT_STR_EQ("", notice);
    for (size_t at = 0; at < size; at++) { /* a bit of every byte */
        good[at] ^= (unsigned char)(1u << at % 8);
        write_whole(path, good, size);
        good[at] ^= (unsigned char)(1u << at % 8);
        arcl_cache_report r = look(expected, notice, sizeof notice);
        if (r.lane_hits || !r.refused) printf("byte %zu of %zu\n", at, size);
        ASSERT_EQ(0, r.lane_hits);
        /* Where the index names another program, nobody has asked for that. */
        ASSERT(r.refused == 1 || r.sections_read == 0);
        ASSERT(strstr(notice, "damaged"));
    }
    for (size_t n = 0; n < size; n += n < 64 || size - n < 64 ? 1 : 13) { /* cut off, and longer */
        write_whole(path, good, n);
        ASSERT_EQ(0, look(expected, notice, sizeof notice).lane_hits);
        ASSERT(strstr(notice, "damaged"));
    }
    good[size] = 0;
    write_whole(path, good, size + 1);
    ASSERT_EQ(0, look(expected, notice, sizeof notice).lane_hits);
    /* What was damaged has been replaced. */
    ASSERT_EQ(2, look(expected, notice, sizeof notice).lane_hits);
    ASSERT_STR_EQ("", notice);
    free(good);
    free(expected);
    PASS();
}

TEST what_others_may_have_written_is_not_used(void) {
    char path[400], other[400], notice[600], *expected = strdup(evaluate("grid", program, grids));
    clear_folder();
    look(expected, notice, sizeof notice);
    ASSERT_EQ(1, find_file(path, sizeof path));
    ASSERT_EQ(0, chmod(path, 0666));
    ASSERT_EQ(0, look(expected, notice, sizeof notice).lane_hits);
    ASSERT(strstr(notice, "somebody else"));
    /* Links, pipes and directories. */
    clear_folder();
    look(expected, notice, sizeof notice);
    ASSERT_EQ(1, find_file(path, sizeof path));
    snprintf(other, sizeof other, "%s/elsewhere", folder);
    ASSERT_EQ(0, rename(path, other));
    ASSERT_EQ(0, symlink(other, path));
    ASSERT_EQ(0, look(expected, notice, sizeof notice).lane_hits);
    clear_folder();
    ASSERT_EQ(0, mkfifo(path, 0600));
    ASSERT_EQ(0, look(expected, notice, sizeof notice).lane_hits);
    clear_folder();
    ASSERT_EQ(0, mkdir(path, 0700));
    ASSERT_EQ(0, look(expected, notice, sizeof notice).lane_hits);
    ASSERT(strstr(notice, "not used"));
    clear_folder();
    free(expected);
    PASS();
}

TEST a_place_that_cannot_be_written(void) {
    char path[400];
    arcl_error error;
    clear_folder();
    snprintf(path, sizeof path, "%s/file", folder);
    write_whole(path, (const unsigned char *)"", 0);
    strcat(path, "/below");
    arcl_context *c = open_context(&(arcl_cache_options){.directory = path}, 0);
    ASSERT_STR_EQ("6", evaluate_in(c, "int", "double(a)", "3"));
    ASSERT_EQ(ARCL_INVALID, arcl_cache_flush(c, &error));
    ASSERT(strstr(error.message, "cannot be kept"));
    ASSERT_STR_EQ(error.message, arcl_cache_notice(c));
    ASSERT_STR_EQ("6", evaluate_in(c, "int", "double(a)", "3"));
    ASSERT_EQ(1, arcl_report_cache(c).lane_hits);
    arcl_context_free(c);
    PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
    GREATEST_MAIN_BEGIN();
    snprintf(folder, sizeof folder, P_tmpdir "/arcl-cache-test-XXXXXX");
    if (!mkdtemp(folder)) return EXIT_FAILURE;
    RUN_TEST(programs_are_found_by_normal_form);
    RUN_TEST(types_are_part_of_the_key);
    RUN_TEST(the_least_recently_used_program_goes);
    RUN_TEST(threads_share_the_cache);
    RUN_SUITE(same_results);
    RUN_TEST(a_batch_that_grows);
    RUN_TEST(many_at_once);
    RUN_TEST(what_cannot_run_is_refused_as_always);
    RUN_TEST(another_budget_is_another_result);
    RUN_TEST(memory_is_bounded);
    RUN_TEST(what_memory_lost_is_on_disk);
    RUN_TEST(small_files_are_joined);
    RUN_TEST(the_disk_is_bounded);
    RUN_TEST(no_damage_is_overlooked);
    RUN_TEST(what_others_may_have_written_is_not_used);
    RUN_TEST(a_place_that_cannot_be_written);
    clear_folder();
    rmdir(folder);
    GREATEST_MAIN_END();
}
