/* Instead of lib/opencl and device/, where arcl is built without OpenCL: there is only the host. */
#include "base/error.h"
#include "run/device/run_mixed.h"
#include "run/devices.h"
#include "run/runners.h"

int devices_others(arcl_context *c) { return (void)c, 0; }
void devices_other_info(arcl_context *c, int index, arcl_device_info *info) { (void)c, (void)index, (void)info; }
const char *arcl_device_notice(void) { return ""; }

arcl_status devices_open_list(arcl_context *c, const char *names, arcl_error *error) {
    (void)c;
    return error_set(error, ARCL_INVALID,
                     "there is no device '%s': this arcl was built without OpenCL and has only the host", names);
}
arcl_status devices_open_another(arcl_context *c, const char *id, int *worker, int *workers, arcl_error *error) {
    (void)worker, (void)workers;
    return devices_open_list(c, id, error);
}
arcl_status devices_check_process(arcl_error *error) { return (void)error, ARCL_SUCCESS; }
void devices_close(arcl_context *c) { (void)c; }
void run_on_devices(run_state *r, int worker, int workers) { (void)r, (void)worker, (void)workers; }
void run_in_parts(run_state *r, job *j) { (void)r, (void)j; }
arcl_status mixed_plan_make(arcl_context *c, const program_graph *p, const int *device, mixed_plan *plan,
                            arcl_error *error) {
    (void)c, (void)p, (void)device, (void)plan;
    return error_set(error, ARCL_INVALID, "this arcl was built without OpenCL and has only the host");
}
void mixed_plan_free(mixed_plan *plan) { (void)plan; }
void devices_count(arcl_context *c, int on) { (void)c, (void)on; }
void devices_reset_counts(arcl_context *c) { (void)c; }
int devices_are(const arcl_context *c, const char *id) { return (void)c, (void)id, 0; }
int device_shapes(const arcl_context *c, int worker) { return (void)c, (void)worker, 1; }
op_count device_count_of(const arcl_context *c, int device, int kernel, const char **id) {
    (void)c, (void)device, (void)kernel, (void)id;
    return (op_count){0};
}
arcl_device_report device_report(const arcl_context *c, int device) {
    (void)c, (void)device;
    return (arcl_device_report){0};
}
