/* Plans, as dicts: where a program would run, what that would take, and from how many lanes on it would be
 * elsewhere. */
#include "py_arcl.h"

static PyObject *device_dict(arcl_plan_device d) {
    return Py_BuildValue("{s:s,s:s,s:i,s:s,s:i,s:i,s:i,s:I,s:d,s:d,s:d,s:d,s:d,s:d}", "device", d.device, "name",
                         d.name, "able", d.able, "reason", d.reason, "unmeasured", d.unmeasured, "extrapolated",
                         d.extrapolated, "workers", d.workers, "chunk", d.chunk, "fixed", d.fixed, "queue", d.queue,
                         "execution", d.execution, "transfer", d.transfer, "total", d.total, "open", d.open);
}

static PyObject *op_dict(const arcl_plan_op *o) {
    return Py_BuildValue("{s:s,s:s,s:I,s:i,s:i,s:d,s:d,s:d,s:s,s:s,s:d,s:d,s:d,s:d,s:s,s:d,s:i,s:i,s:I,s:s}", "op",
                         o->op, "kernel", o->kernel, "step", o->step, "is_result", o->is_result, "depth", o->depth,
                         "launches", o->launches, "lanes", o->lanes, "elements", o->elements, "device", o->device,
                         "variant", o->variant, "queue", o->queue, "execution", o->execution, "bytes", o->bytes,
                         "transfer", o->transfer, "next_device", o->next_device, "next_extra", o->next_extra,
                         "measured", o->measured, "extrapolated", o->extrapolated, "flips_at", o->flips_at, "flips_to",
                         o->flips_to);
}

static PyObject *plan_dict(const arcl_plan *plan) {
    arcl_plan_info p = arcl_plan_get(plan);
    PyObject *devices = PyList_New(0), *ops = PyList_New(0), *made;
    for (int i = 0; devices && i < arcl_plan_devices(plan); i++) {
        made = device_dict(arcl_plan_device_get(plan, i));
        if (!made || PyList_Append(devices, made)) Py_CLEAR(devices);
        Py_XDECREF(made);
    }
    for (int i = 0; ops && i < arcl_plan_ops(plan); i++) {
        arcl_plan_op op = arcl_plan_op_get(plan, i);
        made = op_dict(&op);
        if (!made || PyList_Append(ops, made)) Py_CLEAR(ops);
        Py_XDECREF(made);
    }
    made = devices && ops
               ? Py_BuildValue("{s:s,s:s,s:s,s:i,s:d,s:d,s:d,s:d,s:I,s:I,s:I,s:i,s:i,s:i,s:O,s:O}", "device", p.device,
                               "machine", p.machine, "created", p.created, "here", p.here, "predicted", p.predicted,
                               "fixed", p.fixed, "input_bytes", p.input_bytes, "input_transfer", p.input_transfer,
                               "lanes", p.lanes, "chunk", p.chunk, "sampled", p.sampled, "workers", p.workers, "exact",
                               p.exact, "unmeasured", p.unmeasured, "devices", devices, "ops", ops)
               : NULL;
    Py_XDECREF(devices);
    Py_XDECREF(ops);
    return made;
}

/* explain(program, lanes, batch=None, profile=None): a profile is the path of one. */
PyObject *context_explain(context_object *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"program", "lanes", "batch", "profile", NULL};
    compiled_object *program;
    PyObject *batch_given = Py_None;
    const char *path = NULL;
    unsigned lanes;
    arcl_profile *profile = NULL;
    arcl_plan *plan = NULL;
    arcl_error error;
    library_call call;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!I|Oz", names, types.compiled, &program, &lanes, &batch_given,
                                     &path))
        return NULL;
    arcl_batch *batch = PyObject_TypeCheck(batch_given, types.batch) ? ((batch_object *)batch_given)->batch : NULL;
    if (call_begin(&call, self, 0)) return NULL;
    arcl_status status = path ? arcl_profile_load(path, &profile, &error) : ARCL_SUCCESS;
    if (!status) status = arcl_plan_create(self->context, profile, program->program, batch, lanes, &plan, &error);
    call_end(&call, status);
    PyObject *made = status ? raise_status(status, &error) : plan_dict(plan);
    arcl_plan_free(plan);
    arcl_profile_free(profile);
    return made;
}
