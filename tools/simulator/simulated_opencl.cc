/* An OpenCL 1.2 loader of one simulated GPU, for LD_PRELOAD: as much of OpenCL as arcl calls, on GPGPU-Sim, of which this is
 * compiled as a part (build-simulator). Kernels are compiled by compile-ptx when programs are built.
 *
 *   SIMCL_TIMED   kernels that the timing model runs: names without arcl_ and team_, separated by commas, or "all"; the others
 *                 run without, which is a hundred times as fast
 *   SIMCL_CACHE   where compiled kernels are kept
 *   SIMCL_LOG     a file for a line of JSON per launch
 *
 * The configuration of the GPU is gpgpusim.config in the current directory.
 */
#include "builtin_types.h"
#include "libcuda/gpgpu_context.h"
#include "src/abstract_hardware_model.h"
#include "src/cuda-sim/cuda-sim.h"
#include "src/cuda-sim/ptx_ir.h"
#include "src/cuda-sim/ptx_loader.h"
#include "src/gpgpu-sim/gpu-sim.h"
#include "src/gpgpu-sim/shader.h"
#include "src/gpgpusim_entrypoint.h"
#include <CL/cl.h>
#include <chrono>
#include <map>
#include <set>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <unistd.h>
#include <vector>

static std::map<std::string, function_info *> functions;
void register_ptx_function(const char *name, function_info *impl) { functions[name] = impl; }
void ptxinfo_data::ptxinfo_addinfo() {}
gpgpu_context *GPGPU_Context() {
    static gpgpu_context *c;
    if (!c) c = new gpgpu_context();
    return c;
}
static gpgpu_sim *the_gpu;
static FILE *log_file;
static unsigned long long total_cycles;
static void start() {
    if (the_gpu) return;
    unsetenv("LD_PRELOAD");
    the_gpu = GPGPU_Context()->gpgpu_ptx_sim_init_perf();
    if (getenv("SIMCL_LOG")) log_file = fopen(getenv("SIMCL_LOG"), "a");
}

struct _cl_platform_id {
    int x;
};
struct _cl_device_id {
    int x;
};
struct _cl_context {
    int x;
};
struct _cl_command_queue {
    int x;
};
struct _cl_mem {
    size_t at, size;
};
struct info {
    unsigned regs, smem, lmem, group;
};
struct _cl_program {
    std::string text;
    std::string suffix; // of its kernels' names: the simulator has one name space for all programs
    std::map<std::string, function_info *> kernels;
    std::map<std::string, info> infos;
};
struct _cl_kernel {
    std::string name;
    function_info *f;
    info i;
    std::vector<std::vector<char>> args;
};
struct _cl_event {
    unsigned long long begin, end;
};
static _cl_platform_id platform;
static _cl_device_id device;
static std::set<cl_mem> mems;
static void code_set(cl_int *code, cl_int to) {
    if (code) *code = to;
}

extern "C" {
cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *ids, cl_uint *count) {
    if (count) *count = 1;
    if (ids && room) ids[0] = &platform;
    return CL_SUCCESS;
}
static cl_int answer(const void *from, size_t n, size_t room, void *to, size_t *size) {
    if (size) *size = n;
    if (to && room < n) return CL_INVALID_VALUE;
    if (to) memcpy(to, from, n);
    return CL_SUCCESS;
}
static cl_int text(const char *t, size_t room, void *to, size_t *size) {
    return answer(t, strlen(t) + 1, room, to, size);
}
cl_int clGetPlatformInfo(cl_platform_id, cl_platform_info, size_t room, void *to, size_t *size) {
    return text("GPGPU-Sim", room, to, size);
}
cl_int clGetDeviceIDs(cl_platform_id, cl_device_type, cl_uint room, cl_device_id *ids, cl_uint *count) {
    if (count) *count = 1;
    if (ids && room) ids[0] = &device;
    return CL_SUCCESS;
}
cl_int clGetDeviceInfo(cl_device_id, cl_device_info what, size_t room, void *to, size_t *size) {
    start();
    cl_ulong u;
    cl_uint n;
    size_t s;
    cl_bool yes = CL_TRUE;
    cl_device_type type = CL_DEVICE_TYPE_GPU;
    switch (what) {
    case CL_DEVICE_NAME: return text("simulated GPU", room, to, size);
    case CL_DRIVER_VERSION: return text("4.2.0", room, to, size);
    case CL_DEVICE_TYPE: return answer(&type, sizeof type, room, to, size);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        n = getenv("SIMCL_UNITS") ? atoi(getenv("SIMCL_UNITS")) : the_gpu->get_config().num_shader();
        return answer(&n, sizeof n, room, to, size);
    case CL_DEVICE_GLOBAL_MEM_SIZE: u = 16ull << 30; return answer(&u, sizeof u, room, to, size);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: u = 4ull << 30; return answer(&u, sizeof u, room, to, size);
    case CL_DEVICE_LOCAL_MEM_SIZE: u = 48 << 10; return answer(&u, sizeof u, room, to, size);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE: u = 6 << 20; return answer(&u, sizeof u, room, to, size);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: s = 1024; return answer(&s, sizeof s, room, to, size);
    case CL_DEVICE_COMPILER_AVAILABLE:
    case CL_DEVICE_ENDIAN_LITTLE:
    case CL_DEVICE_AVAILABLE: return answer(&yes, sizeof yes, room, to, size);
    }
    return CL_INVALID_VALUE;
}
cl_context clCreateContext(const cl_context_properties *, cl_uint, const cl_device_id *,
                           void (*)(const char *, const void *, size_t, void *), void *, cl_int *code) {
    start();
    code_set(code, CL_SUCCESS);
    return new _cl_context();
}
cl_command_queue clCreateCommandQueue(cl_context, cl_device_id, cl_command_queue_properties, cl_int *code) {
    code_set(code, CL_SUCCESS);
    return new _cl_command_queue();
}
cl_mem clCreateBuffer(cl_context, cl_mem_flags, size_t bytes, void *, cl_int *code) {
    cl_mem m = new _cl_mem();
    m->at = (size_t)the_gpu->gpu_malloc(bytes);
    m->size = bytes;
    mems.insert(m);
    code_set(code, CL_SUCCESS);
    return m;
}
cl_int clReleaseContext(cl_context) { return CL_SUCCESS; }
cl_int clReleaseCommandQueue(cl_command_queue) { return CL_SUCCESS; }
cl_int clReleaseMemObject(cl_mem m) {
    mems.erase(m);
    return CL_SUCCESS;
}
cl_int clReleaseProgram(cl_program) { return CL_SUCCESS; }
cl_int clReleaseKernel(cl_kernel) { return CL_SUCCESS; }
cl_int clReleaseEvent(cl_event e) {
    delete e;
    return CL_SUCCESS;
}
cl_program clCreateProgramWithSource(cl_context, cl_uint count, const char **texts, const size_t *lengths,
                                     cl_int *code) {
    cl_program p = new _cl_program();
    for (cl_uint i = 0; i < count; i++)
        p->text += lengths && lengths[i] ? std::string(texts[i], lengths[i]) : std::string(texts[i]);
    code_set(code, CL_SUCCESS);
    return p;
}
static std::string file_text(const char *path) {
    std::string found;
    FILE *f = fopen(path, "r");
    for (int c; f && (c = getc(f)) != EOF;) found += (char)c;
    if (f) fclose(f);
    return found;
}
/* What is kept goes by all that it was made of: the program, how it was to be built, and what compiled it. */
cl_int clBuildProgram(cl_program p, cl_uint, const cl_device_id *, const char *options, void (*)(cl_program, void *),
                      void *) {
    const char *cache = getenv("SIMCL_CACHE") ? getenv("SIMCL_CACHE") : "simcl-kernels";
    const char *script = SIMCL_COMPILER;
    std::string defines, given = options ? options : "";
    for (size_t at = 0, end; at < given.size(); at = end + 1) {
        end = given.find(' ', at);
        if (end == std::string::npos) end = given.size();
        if (given.compare(at, 2, "-D") == 0) defines += " " + given.substr(at, end - at);
    }
    std::string key = p->text + defines + file_text(script);
    char base[512], hash[32], command[2048];
    snprintf(hash, sizeof hash, "%016zx", std::hash<std::string>()(key));
    snprintf(base, sizeof base, "%s/%s", cache, hash);
    p->suffix = std::string("_") + hash;
    if (access((std::string(base) + ".ptx").c_str(), F_OK)) {
        snprintf(command, sizeof command, "mkdir -p %s", cache);
        if (system(command)) return CL_BUILD_PROGRAM_FAILURE;
        FILE *f = fopen((std::string(base) + ".cl").c_str(), "w");
        fwrite(p->text.data(), 1, p->text.size(), f);
        fclose(f);
        snprintf(command, sizeof command, "%s %s.cl %s%s >&2", script, base, base, defines.c_str());
        if (system(command)) return CL_BUILD_PROGRAM_FAILURE;
    }
    functions.clear();
    GPGPU_Context()->gpgpu_ptx_sim_load_ptx_from_filename(strdup((std::string(base) + ".ptx").c_str()));
    p->kernels = functions;
    FILE *f = fopen((std::string(base) + ".info").c_str(), "r");
    char name[256];
    info i;
    while (fscanf(f, "%255s %u %u %u %u", name, &i.regs, &i.smem, &i.lmem, &i.group) == 5) {
        p->infos[name] = i;
        gpgpu_ptx_sim_info g = {};
        g.regs = i.regs;
        g.smem = i.smem;
        g.lmem = i.lmem;
        if (p->kernels.count(name)) p->kernels[name]->set_kernel_info(g);
    }
    fclose(f);
    return CL_SUCCESS;
}
cl_int clGetProgramBuildInfo(cl_program, cl_device_id, cl_program_build_info, size_t room, void *to, size_t *size) {
    return text("", room, to, size);
}
cl_kernel clCreateKernel(cl_program p, const char *name, cl_int *code) {
    std::string whole = name + p->suffix;
    if (!p->kernels.count(whole) || !p->infos.count(whole)) {
        code_set(code, CL_INVALID_KERNEL_NAME);
        return NULL;
    }
    cl_kernel k = new _cl_kernel();
    k->name = name;
    k->f = p->kernels[whole];
    k->i = p->infos[whole];
    code_set(code, CL_SUCCESS);
    return k;
}
cl_int clSetKernelArg(cl_kernel k, cl_uint index, size_t size, const void *value) {
    if (k->args.size() <= index) k->args.resize(index + 1);
    std::vector<char> v(size);
    if (value) memcpy(v.data(), value, size);
    if (size == sizeof(cl_mem) && value) {
        cl_mem m;
        memcpy(&m, value, size);
        if (mems.count(m)) memcpy(v.data(), &m->at, size);
    }
    k->args[index] = v;
    return CL_SUCCESS;
}
cl_int clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id, cl_kernel_work_group_info what, size_t room, void *to,
                                size_t *size) {
    size_t three[3] = {k->i.group, k->i.group ? 1u : 0u, k->i.group ? 1u : 0u}, most = 1024;
    return what == CL_KERNEL_COMPILE_WORK_GROUP_SIZE ? answer(three, sizeof three, room, to, size)
                                                     : answer(&most, sizeof most, room, to, size);
}
static bool is_timed(const std::string &name) {
    const char *list = getenv("SIMCL_TIMED");
    if (!list) return false;
    if (!strcmp(list, "all")) return name.find("selftest") == std::string::npos;
    std::string l = std::string(",") + list + ",", n = name.substr(0, 5) == "arcl_" ? name.substr(5) : name;
    if (n.substr(0, 5) == "team_") n = n.substr(5);
    return l.find("," + n + ",") != std::string::npos;
}
cl_int clEnqueueNDRangeKernel(cl_command_queue, cl_kernel k, cl_uint, const size_t *, const size_t *global,
                              const size_t *local, cl_uint, const cl_event *, cl_event *done) {
    gpgpu_context *c = GPGPU_Context();
    gpgpu_ptx_sim_arg_list_t params;
    size_t offset = 0;
    for (auto &a : k->args) {
        if (offset % a.size()) offset += a.size() - offset % a.size();
        params.push_front(gpgpu_ptx_sim_arg(a.data(), a.size(), offset));
        offset += a.size();
    }
    dim3 grid(global[0] / local[0], 1, 1), block(local[0], 1, 1);
    kernel_info_t *g = c->func_sim->gpgpu_opencl_ptx_sim_init_grid(k->f, params, grid, block, the_gpu);
    if (!k->f->is_pdom_set()) {
        k->f->do_pdom();
        k->f->set_pdom();
    }
    bool timed = is_timed(k->name);
    auto t0 = std::chrono::steady_clock::now();
    unsigned long long cycles = 0, insn = 0, begin = total_cycles;
    if (!timed) {
        c->func_sim->g_ptx_sim_mode = 1;
        c->func_sim->gpgpu_opencl_ptx_sim_main_func(g);
    } else {
        c->func_sim->g_ptx_sim_mode = 0;
        printf("SIMCL BEGIN %s %zu %zu\n", k->name.c_str(), global[0], local[0]);
        the_gpu->launch(g);
        the_gpu->init();
        while (the_gpu->active()) {
            the_gpu->cycle();
            the_gpu->deadlock_check();
        }
        the_gpu->print_stats();
        cycles = the_gpu->gpu_sim_cycle;
        insn = the_gpu->gpu_sim_insn;
        the_gpu->update_stats();
        printf("SIMCL END %s\n", k->name.c_str());
        total_cycles += cycles;
    }
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
    if (log_file) {
        fprintf(log_file,
                "{\"kernel\": \"%s\", \"timed\": %d, \"items\": %zu, \"local\": %zu, \"regs\": %u, \"smem\": %u, "
                "\"cycles\": %llu, \"insn\": %llu, \"sim_seconds\": %.2f}\n",
                k->name.c_str(), timed, global[0], local[0], k->i.regs, k->i.smem, cycles, insn, seconds);
        fflush(log_file);
    }
    if (done) {
        *done = new _cl_event();
        double ns = 1e9 / (the_gpu->shader_clock() * 1e3);
        (*done)->begin = begin * ns;
        (*done)->end = total_cycles * ns;
    }
    return CL_SUCCESS;
}
cl_int clEnqueueReadBuffer(cl_command_queue, cl_mem m, cl_bool, size_t at, size_t bytes, void *to, cl_uint,
                           const cl_event *, cl_event *) {
    the_gpu->get_global_memory();
    for (size_t n = 0; n < bytes; n += 8) {
        size_t s = bytes - n < 8 ? bytes - n : 8;
        the_gpu->get_global_memory()->read(m->at + at + n, s, (char *)to + n);
    }
    return CL_SUCCESS;
}
cl_int clEnqueueWriteBuffer(cl_command_queue, cl_mem m, cl_bool, size_t at, size_t bytes, const void *from, cl_uint,
                            const cl_event *, cl_event *) {
    for (size_t n = 0; n < bytes; n += 8) {
        size_t s = bytes - n < 8 ? bytes - n : 8;
        the_gpu->get_global_memory()->write(m->at + at + n, s, (const char *)from + n, NULL, NULL);
    }
    return CL_SUCCESS;
}
cl_int clFinish(cl_command_queue) { return CL_SUCCESS; }
cl_int clWaitForEvents(cl_uint, const cl_event *) { return CL_SUCCESS; }
cl_int clGetEventProfilingInfo(cl_event e, cl_profiling_info what, size_t room, void *to, size_t *size) {
    cl_ulong v = what == CL_PROFILING_COMMAND_END ? e->end : e->begin;
    return answer(&v, sizeof v, room, to, size);
}
}
