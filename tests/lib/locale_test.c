/* A program in a locale with a decimal comma: what the library writes has points, and it reads that again. */
#define _GNU_SOURCE
#include <greatest.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arcl.h"
#include "support/synthetic_profile.h"

static char folder[] = "/tmp/arcl-locale-XXXXXX";

/* Where the system has no such locale, one is made. */
static int find_locale(void) {
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"};
    char command[256];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_ALL, names[i])) return 1;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", folder);
    int status = system(command);
    setenv("LOCPATH", folder, 1);
    return status == 0 && setlocale(LC_ALL, "de_DE.UTF-8");
}

static int has_comma(void) {
    char text[16];
    snprintf(text, sizeof text, "%.1f", 1.5);
    return strcmp(text, "1,5") == 0;
}

TEST profiles_have_points(void) {
    char path[64], line[4096];
    arcl_error error = {{0}};
    arcl_context *context;
    arcl_profile *again = NULL, *profile = NULL;
    if (!has_comma()) SKIPm("there is no locale with a decimal comma");
    ASSERT_EQ(ARCL_SUCCESS, arcl_context_create(&(arcl_options){.threads = 1, .device = "host"}, &context, &error));
    ASSERT_EQ(ARCL_SUCCESS, arcl_profile_create(&profile, &error));
    synthetic_host(profile, context)->overhead[OVERHEAD_run] = 1234.5;
    arcl_context_free(context);
    snprintf(path, sizeof path, "%s/profile.json", folder);
    ASSERT_EQm(error.message, ARCL_SUCCESS, arcl_profile_save(profile, path, &error));
    ASSERT(has_comma()); /* it is the program's own again */
    ASSERT_EQm(error.message, ARCL_SUCCESS, arcl_profile_load(path, &again, &error));
    ASSERT_EQ(1234.5, again->device[0]->overhead[OVERHEAD_run]);
    int found = 0;
    FILE *f = fopen(path, "r");
    ASSERT(f);
    while (fgets(line, sizeof line, f)) found |= strstr(line, "1234.5") != NULL;
    fclose(f);
    ASSERT(found);
    arcl_profile_free(profile);
    arcl_profile_free(again);
    PASS();
}

GREATEST_MAIN_DEFS();
int main(int argc, char **argv) {
    char command[64];
    GREATEST_MAIN_BEGIN();
    if (!mkdtemp(folder)) return 1;
    if (!find_locale()) fprintf(stderr, "no locale with a decimal comma\n");
    RUN_TEST(profiles_have_points);
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command)) return 1;
    GREATEST_MAIN_END();
}
