/* A task as a PNG picture: a row per example, input, arrow, output, in the official colours with grid lines. */
#ifndef ARCL_PICTURE_H
#define ARCL_PICTURE_H
#include "task_file.h"

/* Returns 0, or -1 after a message. */
int picture_write(const char *path, const arc_task *task);

#endif
