/* The door to OpenCL: every call of the library goes through `cl_api`, whose functions are found in the system's loader
 * when they are first needed. So the library neither links to OpenCL nor needs it to run, and a test can make any call
 * fail. The only file that includes <CL/cl.h>; knows nothing of devices or kernels.
 */
#ifndef ARCL_OPENCL_API_H
#define ARCL_OPENCL_API_H
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include "base/error.h"

typedef struct opencl_api {
#define CALL(name, parameters, arguments) cl_int(*name) parameters;
#define MAKE(type, name, parameters, arguments) type(*name) parameters;
#define DROP(name, parameters, arguments, made) cl_int(*name) parameters;
#include "opencl/api.def"
#undef CALL
#undef MAKE
#undef DROP
} opencl_api;

extern const opencl_api cl_api;

/* Finds the loader and the functions in it, once per process, after making the drivers' kernel cache safe. Must have
 * succeeded before anything in cl_api is called. A failure is not final. */
ARCL_CHECKED arcl_status opencl_api_load(arcl_error *error);

/* For tests: the nth call of cl_api from now that can fail does so, with INJECTED_CODE and without reaching the driver;
 * 0 for none. Returns how many such calls there have been since the last time; the first time, 0. */
#define INJECTED_CODE CL_OUT_OF_RESOURCES
unsigned long opencl_api_fail_nth(unsigned long n);

/* For tests: how many objects have been made and not been given back. */
long opencl_api_alive(void);

/* For tests: the loader to look for, from the next opencl_api_load on; NULL for the system's. */
void opencl_api_loader(const char *name);

/* "CL_OUT_OF_RESOURCES"; a code that no header knows comes back as its number. */
typedef struct code_text {
    char text[48];
} code_text;
code_text opencl_code_name(cl_int code);

/* Whether a code says that there was too little memory. */
int opencl_code_is_memory(cl_int code);

#endif
