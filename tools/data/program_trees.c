#include "data/program_trees.h"

#include <stdlib.h>

#include "cli/messages.h"

int program_trees_make(arcl_context *context, const program_list *programs, program_trees *made) {
    *made = (program_trees){.trees = allocation_get((size_t)programs->count + 1, sizeof *made->trees),
                            .entries = allocation_get((size_t)programs->count + 1, sizeof *made->entries)};
    for (int i = 0; i < programs->count; i++) {
        const program_entry *entry = &programs->entries[i];
        arcl_error error;
        arcl_tree *tree;
        if (arcl_tree_from_source(context, entry->source, entry->index, &tree, &error)) {
            allocation_check(&error);
            message_note("%s", error.message);
            continue;
        }
        made->trees[made->count] = tree;
        made->entries[made->count++] = entry;
        if (made->count == 1) made->dialect = arcl_tree_dialect(tree);
        if (arcl_tree_dialect(tree) == made->dialect) continue;
        message_error("%s is in the dialect %s, %s in %s: take files of one dialect, or translate some with arcl fmt",
                      made->entries[0]->file, arcl_dialect_name(made->dialect), entry->file,
                      arcl_dialect_name(arcl_tree_dialect(tree)));
        return -1;
    }
    return 0;
}

void program_trees_free(program_trees *made) {
    for (int i = 0; i < made->count; i++) arcl_tree_free(made->trees[i]);
    free(made->trees);
    free(made->entries);
}
