/* The devices that a context runs on. */
#ifndef ARCL_DEVICES_H
#define ARCL_DEVICES_H
#include "run/context.h"

/* Opens the devices that the context's options name; none if these name the host. */
ARCL_CHECKED arcl_status devices_open(arcl_context *c, arcl_error *error);
void devices_close(arcl_context *c);

/* ARCL_DEVICE_FAILED in a child of the process that has used them, where they do not work. */
ARCL_CHECKED arcl_status devices_check_process(arcl_error *error);

/* Opens one more, or finds it open already: its workers are `workers` of the context's, from `worker` on. */
ARCL_CHECKED arcl_status devices_open_another(arcl_context *c, const char *id, int *worker, int *workers,
                                              arcl_error *error);

/* Besides the host: how many there are, what is known of each, and opening those that are named, between commas. */
int devices_others(arcl_context *c);
void devices_other_info(arcl_context *c, int index, arcl_device_info *info);
ARCL_CHECKED arcl_status devices_open_list(arcl_context *c, const char *names, arcl_error *error);

/* Whether all devices that are open are that one. */
int devices_are(const arcl_context *c, const char *id);

/* In how many shapes a device's kernels may run, by its worker: 2 where teams may, and are not only a test there. */
int device_shapes(const arcl_context *c, int worker);

/* What they have done, for reports: whether launches are measured, and what came of it. */
void devices_count(arcl_context *c, int on);
void devices_reset_counts(arcl_context *c);
op_count device_count_of(const arcl_context *c, int worker, int kernel, const char **id);
arcl_device_report device_report(const arcl_context *c, int worker);

#endif
