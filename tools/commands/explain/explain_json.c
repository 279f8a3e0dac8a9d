/* The plan as JSON: everything that the library says of it. docs/file-formats.md describes it. */
#include <jansson.h>

#include "cli/files.h"
#include "cli/json_text.h"
#include "commands/explain/explain.h"

static json_t *text_or_null(const char *text) { return json_text_or_null(*text ? text : NULL); }

static json_t *device_json(const arcl_plan_device *d) {
    json_t *object =
        json_pack("{ss so sb so si si}", "device", d->device, "name", json_text(d->name), "able", d->able, "reason",
                  text_or_null(d->reason), "unmeasured", d->unmeasured, "extrapolated", d->extrapolated);
    if (!d->able) return object;
    json_object_update_new(object, json_pack("{sf sf sf sf sf sf si sI}", "total", d->total, "fixed", d->fixed, "queue",
                                             d->queue, "execution", d->execution, "transfer", d->transfer, "open",
                                             d->open, "workers", d->workers, "chunk", (json_int_t)d->chunk));
    return object;
}

static json_t *inputs_json(const arcl_plan_op *op) {
    json_t *list = json_array();
    for (int i = 0; i < op->inputs; i++)
        json_array_append_new(list,
                              op->input[i] == ARCL_PLAN_INPUT ? json_string("input") : json_integer(op->input[i]));
    return list;
}

static json_t *op_json(const arcl_plan_op *op) {
    json_t *object = json_pack("{ss ss sI si so}", "op", op->op, "kernel", op->kernel, "step", (json_int_t)op->step,
                               "depth", op->depth, "inputs", inputs_json(op));
    json_object_update_new(object, json_pack("{sf sf sf ss ss}", "launches", op->launches, "lanes", op->lanes,
                                             "elements", op->elements, "device", op->device, "variant", op->variant));
    json_object_update_new(object, json_pack("{sf sf sf sf ss}", "queue", op->queue, "execution", op->execution,
                                             "transfer", op->transfer, "bytes", op->bytes, "basis", explain_basis(op)));
    json_object_set_new(object, "next",
                        *op->next_device ? json_pack("{ss sf}", "device", op->next_device, "extra", op->next_extra)
                                         : json_null());
    json_object_set_new(object, "flips",
                        op->flips_at ? json_pack("{sI ss}", "lanes", (json_int_t)op->flips_at, "device", op->flips_to)
                                     : json_null());
    return object;
}

static json_t *launches_json(const arcl_plan *plan) {
    json_t *list = json_array();
    for (int i = 0; i < arcl_plan_launches(plan); i++) {
        arcl_plan_launch l = arcl_plan_launch_get(plan, i);
        json_array_append_new(list, json_pack("{ss sf sf sf sb}", "kernel", l.kernel, "launches", l.launches, "lanes",
                                              l.lanes, "elements", l.elements, "team", l.is_team));
    }
    return list;
}

int explain_json(const explained *e, const char *path) {
    file_output out;
    arcl_plan_info info = arcl_plan_get(e->plan);
    if (file_create(&out, path)) return -1;
    json_t *object = json_pack("{ss so so so sb}", "program", e->program, "file", json_text(e->file), "machine",
                               json_text(info.machine), "created", json_text(info.created), "here", info.here);
    json_object_update_new(object, json_pack("{ss sf sf sf sf}", "device", info.device, "predicted", info.predicted,
                                             "fixed", info.fixed, "input_bytes", info.input_bytes, "input_transfer",
                                             info.input_transfer));
    json_object_update_new(object, json_pack("{sI sI sI si sb si}", "lanes", (json_int_t)info.lanes, "chunk",
                                             (json_int_t)info.chunk, "sampled", (json_int_t)info.sampled, "workers",
                                             info.workers, "exact", info.exact, "unmeasured", info.unmeasured));
    json_t *devices = json_array(), *ops = json_array();
    for (int i = 0; i < arcl_plan_devices(e->plan); i++) {
        arcl_plan_device d = arcl_plan_device_get(e->plan, i);
        json_array_append_new(devices, device_json(&d));
    }
    for (int i = 0; i < arcl_plan_ops(e->plan); i++) {
        arcl_plan_op op = arcl_plan_op_get(e->plan, i);
        json_array_append_new(ops, op_json(&op));
    }
    json_object_set_new(object, "devices", devices);
    json_object_set_new(object, "ops", ops);
    json_object_set_new(object, "launches", launches_json(e->plan));
    json_dumpf(object, out.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    putc('\n', out.stream);
    json_decref(object);
    return file_commit(&out);
}
