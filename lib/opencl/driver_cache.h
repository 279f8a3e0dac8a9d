/* Where drivers keep what they compile. PoCL ends the process when its cache is damaged, full or not writable, so it
 * gets a directory of its own that is checked before it sees it. Knows files, not OpenCL.
 *
 *   $XDG_CACHE_HOME/arcl/pocl/KERNELHASH/   lock       held (shared) by every process that uses the store
 *                                           building   held while a program is built
 *                                           recording  held while the manifest is read and changed
 *                                           manifest   size and hash of what the store should hold
 *                                           store/     POCL_CACHE_DIR
 *
 * Drivers load shared objects from it, so it is used only if it is private: base/private_path.h.
 *
 * If a file differs from the manifest, it is removed, and the driver builds it again. What the manifest does not name
 * was left behind by a process that ended early: it is removed too, unless another process is at work.
 */
#ifndef ARCL_OPENCL_CACHE_H
#define ARCL_OPENCL_CACHE_H
#include "base/error.h"

/* Sees to it that drivers find a usable cache; once per process, before its first OpenCL call. Changes the environment
 * (POCL_CACHE_DIR). Never fails: the worst case is a notice. */
void cache_prepare(void);

/* "", or what a user should know: that the cache could not be used, or that parts of it were damaged. */
const char *cache_notice(void);

/* Around building a program: one process and one thread at a time, since drivers race for the same files. Fails if
 * there is no room for what will be built. */
ARCL_CHECKED arcl_status cache_build_begin(arcl_error *error);
void cache_build_end(void);

/* Notes in the manifest what the drivers have added. To be called when they are not writing. */
void cache_record(void);

#endif
