/* The manifest of a directory tree: checks the files against it, and brings it up to date. Knows nothing of who writes
 * the files, or of locks. */
#ifndef ARCL_OPENCL_STORE_H
#define ARCL_OPENCL_STORE_H

typedef struct store_check {
    int damaged;  /* files that were not as the manifest says */
    int unlisted; /* removed because the manifest does not name them */
    int stuck;    /* should have been removed or looked at, but could not be */
    int manifest_damaged;
} store_check;

/* Removes files that differ from the manifest, and what it says of them. If nobody else uses the directory, `alone`,
 * also removes all that it does not name; if somebody does, spares files that have been replaced, since those are
 * new. */
store_check store_verify(const char *directory, const char *manifest, int alone);

/* Adds to the manifest files that are new or have been replaced. What it says of others stays: a file that was damaged
 * since will be found. The manifest is replaced as a whole. 0 if that could not be done. */
int store_record(const char *directory, const char *manifest);

/* Removes a directory and all in it, as far as possible. */
void store_remove(const char *directory);

#endif
