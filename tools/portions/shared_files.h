/* Files that the writing process finds and reads once, for all processes of a job. */
#ifndef ARCL_SHARED_FILES_H
#define ARCL_SHARED_FILES_H
#include "cli/files.h"
#include "portions/portion_engine.h"

enum { SHARED_LISTS = 4 };

/* Lists of paths, in the order in which they were put, and what their files hold. */
typedef struct shared_files {
    struct {
        const char **paths;
        int count;
    } lists[SHARED_LISTS];
    int list_count;
    byte_list bytes; /* that the texts and the contents are in */
    file_contents *contents;
    size_t count;
} shared_files;

/* A zeroed struct has none. Free it when no file is read any more. */
void shared_files_free(shared_files *files);

/* The writer puts its lists, and shares them; to the others the same calls give these. From then on file_read knows the
 * files, in every process. */
void shared_files_put(shared_files *files, const char *const *paths, int count);
void shared_files_share(shared_files *files, const portion_engine *engine);

/* A copy of the list that was put as number `list`; free() it, its texts are the files'. */
const char **shared_files_list(const shared_files *files, int list, int *count);

#endif
