/* arcl: runs programs of the ARC grid language over batches of grids.
 *
 * INTRODUCTION
 *   A *source* is the text of a file of programs. A *program* is one of its definitions, compiled. A *batch* holds
 *   inputs, one set of arguments per lane. Running a program over a batch gives a *result*: per lane a status and,
 *   where the status is ARCL_OK, a value.
 *
 *       arcl_context *ctx;   arcl_context_create(NULL, &ctx, &error);
 *       arcl_source *src;    arcl_source_parse(ctx, text, length, "my.py", &src, &error);
 *       arcl_program *prog;  arcl_program_compile(ctx, src, 0, NULL, &prog, &error);
 *       arcl_batch *batch;   arcl_batch_create(ctx, "grid", &batch, &error);
 *                            arcl_batch_add_grid(batch, 3, 3, cells, &error);
 *       arcl_result *res;    arcl_run(ctx, prog, batch, &res, &error);
 *
 * RULES
 *   - Functions that can fail return an arcl_status and explain themselves in an optional arcl_error (NULL is
 *     accepted). After a success its message is empty, also in arrays of errors.
 *   - Each object has one create function and one free function; free accepts NULL. A context is freed last: batches
 *     and results live in its memory.
 *   - The library prints nothing and never exits.
 *   - Threads: contexts are independent of each other. Within one context, parsing, compiling and building batches may
 *     go on in several threads at once, each with objects of its own, also while one of them runs something. Running,
 *     and everything else that is marked "one at a time", is one thread's business at a time: two such calls on one
 *     context must not overlap. What a call has returned (sources, programs, batteries, results, plans) may be read by
 *     any number of threads at once, and freed by any when no other uses it any more.
 *   - What belongs to no context is what OpenCL has once for a process: its loader and CLBlast, which stay loaded, and
 *     the folder in which PoCL keeps compiled kernels, with the notice about it (arcl_device_notice). It is made under
 *     a lock when devices are first looked for. The environment variable POCL_CACHE_DIR is set then: a program whose
 *     threads use the environment should list the devices before it starts them.
 *   - A lane's failure is data, not an error of the call.
 *   - Pointers to objects, texts and places for answers must not be NULL unless it is said that they may. Functions
 *     that return a status refuse such a NULL, and an index out of range, with ARCL_INVALID. The others give an empty
 *     answer: 0, NULL, "" for a text, none for a value, ARCL_LANE_STATUSES for the status of a lane that a result does
 *     not have. What is no array of the length that it should have, and what was freed, cannot be told.
 *   - Numbers in files have a decimal point, whatever the locale of the program.
 *   - In a forked child, contexts that run on the host go on, with one thread. OpenCL does not survive a fork: where it
 *     was used before, running on devices, and opening them with a new context, is ARCL_DEVICE_FAILED in the child. An
 *     accumulator of the parent's is ARCL_INVALID there. All may be freed, which leaves the drivers' objects alone.
 *     Fork while no other thread is in a call of the library: locks that are held stay so in the child.
 */
#ifndef ARCL_H
#define ARCL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ARCL_VERSION "0.1.0"

#if defined(__GNUC__)
#define ARCL_API __attribute__((visibility("default")))
#define ARCL_CHECKED __attribute__((warn_unused_result))
#else
#define ARCL_API
#define ARCL_CHECKED
#endif

/* ---- errors ---- */

typedef enum arcl_status {
    ARCL_SUCCESS = 0,
    ARCL_INVALID,       /* bad input: text, types, sizes */
    ARCL_NO_MEMORY,     /* out of memory, or above the memory limit */
    ARCL_DEVICE_FAILED, /* a device or its driver does not work */
    ARCL_CANCELLED      /* by arcl_cancel */
} arcl_status;

typedef struct arcl_error {
    char message[1024];
} arcl_error;

/* Why a lane has no value. */
typedef enum arcl_lane_status {
    ARCL_OK = 0,
    ARCL_LANE_TYPE,
    ARCL_LANE_EMPTY,
    ARCL_LANE_BOUNDS,
    ARCL_LANE_DIVIDE,
    ARCL_LANE_SHAPE,
    ARCL_LANE_LIMIT,
    ARCL_LANE_BUDGET,
    ARCL_LANE_STATUSES
} arcl_lane_status;

/* "EMPTY", and "an element of an empty container". */
ARCL_API const char *arcl_lane_status_name(arcl_lane_status status);
ARCL_API const char *arcl_lane_status_meaning(arcl_lane_status status);

ARCL_API const char *arcl_version(void);

/* ---- context ---- */

typedef struct arcl_context arcl_context;

/* How the work-items of an OpenCL device share the lanes of a kernel: each does lanes of its own, or a team of them
 * does a lane together. Some kernels can do both; which is faster depends on the device and on how many lanes there
 * are. */
typedef enum arcl_shape {
    ARCL_SHAPE_AUTO, /* as the profile says; without one, teams where they can on a GPU, and none on a CPU */
    ARCL_SHAPE_LANE, /* never teams */
    ARCL_SHAPE_TEAM  /* teams wherever a kernel can */
} arcl_shape;

typedef struct arcl_options {
    int threads; /* up to ARCL_MAX_THREADS; 0: as many as there are cores */
    /* Bytes that running may use; 0: ARCL_DEFAULT_MEMORY, or half of what the process may have, if that is less. Lanes
     * run in chunks so that they fit. */
    uint64_t memory;
    uint32_t budget; /* words that one lane may make; 0: ARCL_DEFAULT_BUDGET. The same on every device. */
    uint32_t chunk;  /* lanes per chunk at most; 0: chosen. Results do not depend on it. */
    /* Where everything runs: "auto", "host", "cl:0", or a part of a device's name; several, separated by commas, share
     * the lanes. NULL: "auto", by what a profile says; without one, on the host. Nothing ever runs elsewhere than
     * planned. */
    const char *device;
    const char *profile; /* file of measurements for "auto"; NULL: arcl_profile_default_path; "": none */
    int frozen;          /* do not learn from runs: the same profile gives the same plans */
    arcl_shape shape;    /* of the kernels that devices run. Results do not depend on it. */
} arcl_options;

#define ARCL_MAX_THREADS 1024
#define ARCL_DEFAULT_BUDGET (64u << 20)
#define ARCL_DEFAULT_MEMORY ((uint64_t)4 << 30)

/* options may be NULL. */
ARCL_API ARCL_CHECKED arcl_status arcl_context_create(const arcl_options *options, arcl_context **context,
                                                      arcl_error *error);
/* When no other thread uses the context or anything of it any more. */
ARCL_API void arcl_context_free(arcl_context *context);
ARCL_API int arcl_context_threads(const arcl_context *context);

/* Ends the call that runs, scores, measures or compiles all of a source in this context, or, if there is none, the next
 * one: may be called from any thread and from a signal handler, at any time between the context's creation and its
 * freeing.
 *
 * The call returns ARCL_CANCELLED as soon as every thread has come to the end of its launch, on a device of its chunk;
 * no lane's budget lets that take long. It gives out no results, whatever was done already. arcl_source_compile, which
 * returns no status, leaves programs[i] NULL for what was not compiled. Submissions to an accumulator of the context
 * that wait or are being run fail with ARCL_CANCELLED. The call that is ended uses the wish up: the one after it runs
 * as ever. Several wishes before that are one. */
ARCL_API void arcl_cancel(arcl_context *context);

/* Calls work(arg, index) for every index below count on the context's threads, and waits. One at a time; `work` must
 * not run anything in the context. */
ARCL_API void arcl_parallel(arcl_context *context, uint32_t count, void (*work)(void *arg, uint32_t index), void *arg);

/* ---- devices ---- */

typedef enum arcl_device_state {
    ARCL_DEVICE_READY,
    ARCL_DEVICE_REFUSED, /* it is there, but does not work or computes wrongly */
    ARCL_DEVICE_ABSENT   /* a driver without a device, or no driver at all */
} arcl_device_state;

typedef struct arcl_device_info {
    char id[16]; /* "host", or "cl:0", "cl:1", ..; "" where there is no device */
    char name[128], platform[128], driver[128];
    char kind[16]; /* "host", "cpu", "gpu" or "accelerator" */
    uint32_t compute_units;
    uint32_t largest_group;                               /* work-items that can wait for each other */
    uint64_t memory, largest_buffer, local_memory, cache; /* bytes */
    arcl_device_state state;
    char reason[256];          /* why it is not ready */
    uint64_t open_nanoseconds; /* that testing it took; 0: not tested by this process */
} arcl_device_info;

/* The host has index 0. OpenCL's devices follow, and drivers that have none. They are looked for when
 * somebody asks: one at a time, as arcl_device_get. */
ARCL_API int arcl_device_count(arcl_context *context);

/* Describes a device, and tests it if that has not been done yet: the first time this may take seconds. */
ARCL_API ARCL_CHECKED arcl_status arcl_device_get(arcl_context *context, int index, arcl_device_info *info,
                                                  arcl_error *error);

/* "", or a sentence that users should see: where compiled kernels are kept could not be used, or was damaged. It
 * is known once devices have been looked for, in any context, and is not to be asked for while that goes on. */
ARCL_API const char *arcl_device_notice(void);

/* ---- the language ---- */

/* Two dialects of it are known: that of arc-dsl, and that of its fork tokpidjin (docs/tokpidjin.md). */
typedef enum arcl_dialect {
    ARCL_DIALECT_AUTO, /* by what a text says */
    ARCL_ARC_DSL,
    ARCL_TOKPIDJIN
} arcl_dialect;

/* "arc-dsl", "tokpidjin"; "auto". And which one that is: -1 if none. */
ARCL_API const char *arcl_dialect_name(arcl_dialect dialect);
ARCL_API int arcl_dialect_find(const char *name);

typedef struct arcl_op_info {
    const char *name;
    const char *family;
    const char *parameters; /* names, separated by blanks */
    const char *meaning;
    int arity;
    char signature[96];
    /* of words of the tokpidjin dialect; else "" */
    const char *op;       /* what it is another name of, if it is */
    const char *manner;   /* how it takes its arguments: "of a grid", "into a tuple" */
    const char *missing;  /* what a call yields that lacks something, because it is empty; "": it fails */
    const char *fallback; /* what a call that fails yields under the safe policy */
} arcl_op_info;

/* The ops of arc-dsl, and those of either dialect. */
ARCL_API int arcl_op_count(void);
ARCL_API arcl_op_info arcl_op_get(int index);
ARCL_API int arcl_dialect_op_count(arcl_dialect dialect);
ARCL_API arcl_op_info arcl_dialect_op_get(arcl_dialect dialect, int index);

/* For messages that guess what was meant: how many letters have to be changed, added, left out or exchanged with their
 * neighbour to make one name of the other, at most 32; and whether that is little enough for a guess. */
ARCL_API int arcl_name_distance(const char *a, const char *b);
ARCL_API int arcl_name_is_near(const char *wanted, const char *name);

/* ---- programs ---- */

typedef struct arcl_source arcl_source;
typedef struct arcl_program arcl_program;

/* Parses a file of programs; `name` is for messages, and may be NULL. A definition with a syntax error does not spoil
 * the others: its error comes back when it is compiled. The text is copied. A long one is parsed on the context's
 * threads, unless they are at work: from several threads, parsing is as safe as compiling. */
ARCL_API ARCL_CHECKED arcl_status arcl_source_parse(arcl_context *context, const char *text, size_t length,
                                                    const char *name, arcl_source **source, arcl_error *error);
/* The same in a dialect that is said; ARCL_DIALECT_AUTO recognises it, as arcl_source_parse does. */
ARCL_API ARCL_CHECKED arcl_status arcl_source_parse_dialect(arcl_context *context, const char *text, size_t length,
                                                            const char *name, arcl_dialect dialect,
                                                            arcl_source **source, arcl_error *error);
ARCL_API arcl_dialect arcl_source_dialect(const arcl_source *source);
ARCL_API void arcl_source_free(arcl_source *source);
/* How many programs it has. Constants of the text are none, and a definition that others of the text use is none unless
 * its name begins with solve or verify: what is used is a part of who uses it. */
ARCL_API int arcl_source_count(const arcl_source *source);

/* The name of a definition, copied into buf. Returns buf. */
ARCL_API char *arcl_source_name(const arcl_source *source, int index, char *buf, size_t size);

/* Whether a definition is a program of a battery's text (see below), which shares what it computes with others. */
ARCL_API int arcl_source_is_battery(const arcl_source *source, int index);

/* What a definition is. Those of a battery of tokpidjin, def batt(task_id, S, I, C, log_path), are what it appends to
 * its lists o and s, in the order of its text: a result for the task at hand, named solve_<id>, or what a differ says
 * of one, named like the differ. */
typedef enum arcl_definition_kind { ARCL_SOLVER, ARCL_BATTERY_RESULT, ARCL_BATTERY_DIFFER } arcl_definition_kind;

typedef struct arcl_definition_info { /* the texts live as long as the source; of a solver, all is empty */
    arcl_definition_kind kind;
    int number;         /* of the battery's line that makes the value */
    int mutated;        /* the generator has changed the last call of this result's solver */
    const char *id;     /* the task that the solver was written for; of a differ "None" if it judges the input */
    const char *differ; /* "" for a result */
} arcl_definition_info;
ARCL_API arcl_definition_info arcl_source_describe(const arcl_source *source, int index);

/* The normal form of a definition, as text: variables are x1, x2, .. in the order in which the result needs them, every
 * call has a line of its own, numbers stand for constants, and what nobody uses and cannot fail is gone. Definitions
 * that differ in nothing else than names, the order of independent statements, the spelling of constants and arguments,
 * or in what is written twice or inlined have the same normal form; it compiles to the same steps. With inline_uses,
 * values that are used once stand where they are used. length may be NULL. Free the text. */
ARCL_API ARCL_CHECKED arcl_status arcl_source_format(arcl_context *context, const arcl_source *source, int index,
                                                     int inline_uses, char **text, size_t *length, arcl_error *error);

/* The same in the words of a dialect (ARCL_DIALECT_AUTO: its own). ARCL_INVALID if the dialect has no words for what
 * the definition does, or if the text does not tell which: the message names the line and the word. docs/tokpidjin.md
 * has what is translated. */
ARCL_API ARCL_CHECKED arcl_status arcl_source_translate(arcl_context *context, const arcl_source *source, int index,
                                                        arcl_dialect dialect, int inline_uses, char **text,
                                                        size_t *length, arcl_error *error);
ARCL_API void arcl_text_free(char *text);

/* Whether the text of a definition is right: ARCL_INVALID, and what is wrong with it, if not. With ARCL_SAFE a
 * definition is compiled all the same if only names are wrong, which stand for nothing: what is done with them always
 * fails. */
ARCL_API ARCL_CHECKED arcl_status arcl_source_check(const arcl_source *source, int index, arcl_error *error);

/* A hash of the normal form, without the definition's name: equal for equal programs, on every machine. */
typedef struct arcl_key {
    uint64_t high, low;
} arcl_key;
ARCL_API ARCL_CHECKED arcl_status arcl_source_key(arcl_context *context, const arcl_source *source, int index,
                                                  arcl_key *key, arcl_error *error);

typedef struct arcl_definition { /* one of a source's */
    const arcl_source *source;
    int index;
} arcl_definition;

/* What an op that fails means for its lane. */
typedef enum arcl_policy {
    ARCL_STRICT, /* the lane has failed, and nothing later runs for it */
    ARCL_SAFE    /* the op yields the default of its result's type, the failure is counted, and the lane goes on */
} arcl_policy;

typedef struct arcl_compile_options {
    const char *const *types; /* of the parameters: "grid", "{cell}", ..; NULL: by their names: I is the grid, S the
                               * train pairs ([[grid]], left out where it is not used), C none (no input) */
    int type_count;           /* how many there are */
    int grid_result;          /* convert the result to a grid: what tasks need */
    int expected_input;       /* C, without types, is an input: the grid that is expected */
    int expected_absent;      /* C is absent, though it has a type: programs of one battery may differ in that */
    /* Of a definition that is a battery's (arcl_source_describe), compiled with types: what counts of it alone. That
     * is, of a result, whether it is equal to C, though C may be absent from its lines; of a differ, whose result is
     * (score, anything), the score, and none where it is something else. A tuple of ints stays what it is. */
    int counts_only;
    arcl_policy policy; /* with ARCL_SAFE an op whose arguments cannot be right fails in every lane, instead of
                               * having the definition rejected */
} arcl_compile_options;

/* Compiles one definition of a source, which must outlive the call only. options may be NULL. Safe to call from several
 * threads at once with one context. */
ARCL_API ARCL_CHECKED arcl_status arcl_program_compile(arcl_context *context, const arcl_source *source, int index,
                                                       const arcl_compile_options *options, arcl_program **program,
                                                       arcl_error *error);

/* Compiles all definitions of a source on the context's threads: programs[i] is NULL where definition i was rejected,
 * and errors[i], if errors is not NULL, says why. Both have arcl_source_count entries. Returns how many were
 * rejected. One at a time: it takes all of the context's threads. */
ARCL_API int arcl_source_compile(arcl_context *context, const arcl_source *source, const arcl_compile_options *options,
                                 arcl_program **programs, arcl_error *errors);
ARCL_API void arcl_program_free(arcl_program *program);

/* Steps of the compiled program (kernels, scopes, joins), and the type of its result. */
ARCL_API int arcl_program_steps(const arcl_program *program);
ARCL_API int arcl_program_parameters(const arcl_program *program);
ARCL_API char *arcl_program_parameter_type(const arcl_program *program, int index, char *buf, size_t size);
ARCL_API char *arcl_program_result_type(const arcl_program *program, char *buf, size_t size);

/* ---- batches ---- */

typedef struct arcl_batch arcl_batch;

/* A batch of lanes whose arguments have the given types, separated by blanks: "grid", or "{cell} int". Several threads
 * may build batches at once, but each a batch of its own; nothing is added to a batch while it is run. */
ARCL_API ARCL_CHECKED arcl_status arcl_batch_create(arcl_context *context, const char *types, arcl_batch **batch,
                                                    arcl_error *error);
ARCL_API void arcl_batch_free(arcl_batch *batch);
ARCL_API uint32_t arcl_batch_lanes(const arcl_batch *batch);

/* Adds an argument that is a grid of h rows and w columns; cells row by row. */
ARCL_API ARCL_CHECKED arcl_status arcl_batch_add_grid(arcl_batch *batch, int h, int w, const signed char *cells,
                                                      arcl_error *error);

/* Adds `count` grids of one size, for those who have them in one array: the cell of grid n in row i and column j is
 * cells[n * grid_stride + i * row_stride + j]. Without gaps that is grid_stride = h * w and row_stride = w; strides may
 * be 0, or negative. To a batch of "grid" they are a lane each; where a lane has several grids, they follow each other
 * as arguments do. If one cannot be added, none is. */
ARCL_API ARCL_CHECKED arcl_status arcl_batch_add_grids(arcl_batch *batch, uint32_t count, int h, int w,
                                                       const signed char *cells, ptrdiff_t grid_stride,
                                                       ptrdiff_t row_stride, arcl_error *error);

/* Adds any argument, part by part: a number; or open, parts, close. An ij is opened and has two numbers, a cell has a
 * number and an ij, a grid is rows of numbers, a set may come in any order. Arguments follow each other lane by
 * lane. */
ARCL_API ARCL_CHECKED arcl_status arcl_batch_add_int(arcl_batch *batch, int64_t value, arcl_error *error);
ARCL_API ARCL_CHECKED arcl_status arcl_batch_open(arcl_batch *batch, arcl_error *error);
ARCL_API ARCL_CHECKED arcl_status arcl_batch_close(arcl_batch *batch, arcl_error *error);

/* ---- running ---- */

typedef struct arcl_result arcl_result;

/* Runs a program over all lanes. One at a time, as all that runs, scores, compares or measures in a context: threads
 * that would run at once need a context each, or an accumulator. */
ARCL_API ARCL_CHECKED arcl_status arcl_run(arcl_context *context, const arcl_program *program, const arcl_batch *batch,
                                           arcl_result **result, arcl_error *error);

/* Many programs, each on a batch of its own, in one go: the context's threads share the lanes of all. results[i]
 * belongs to programs[i] on batches[i]. */
ARCL_API ARCL_CHECKED arcl_status arcl_run_many(arcl_context *context, int count, const arcl_program *const *programs,
                                                const arcl_batch *const *batches, arcl_result **results,
                                                arcl_error *error);
ARCL_API void arcl_result_free(arcl_result *result);
ARCL_API uint32_t arcl_result_lanes(const arcl_result *result);
ARCL_API arcl_lane_status arcl_result_status(const arcl_result *result, uint32_t lane);

/* How many calls have failed in a lane of a program that was compiled with ARCL_SAFE, equal calls counted once; else 0,
 * and 0 too for a lane that its budget has ended. */
ARCL_API uint32_t arcl_result_failures(const arcl_result *result, uint32_t lane);

/* Where a lane has failed. */
#define ARCL_FAILURE_LEVELS 8
typedef enum arcl_level_kind {
    ARCL_LEVEL_ELEMENT, /* `index` is an element of the container that a function was mapped over, as of apply */
    ARCL_LEVEL_PAIR,    /* `index` and `other` are elements of two containers, as of prapply */
    ARCL_LEVEL_ROUND    /* `index` is how often the function of power has been called before */
} arcl_level_kind;
typedef struct arcl_failure_level {
    arcl_level_kind kind;
    uint32_t index, other; /* from 0 on, in the order of the container: sets are sorted */
    uint32_t count;        /* elements, or pairs, that there are; 0: not known */
} arcl_failure_level;

typedef struct arcl_failure {
    arcl_lane_status status;
    char op[32];           /* that failed, as the text names it; "" where it is no op, but what becomes of the result */
    uint32_t step;         /* of the compiled program */
    uint32_t position;     /* in the text, in bytes, of the call that it is part of; */
    uint32_t line, column; /* and the same from 1 on */
    int depth;             /* of mapped functions, the levels below: which element of which call, the outermost first */
    arcl_failure_level level[ARCL_FAILURE_LEVELS];
    char message[1024]; /* all of it, as the message about a text that is rejected: with the line and a caret */
} arcl_failure;

/* Tells where a lane has failed, by running it once more, on the host; what nobody asks about costs nothing. The
 * definition, options and batch are those that the result is from; the batch may be that of a battery. The result may
 * be NULL: then the lane is run to see whether it fails. If it does not, the status is ARCL_OK and all else is 0. Of a
 * lane that has failed more than once, it is the failure that the status is from. Of a program that was compiled with
 * ARCL_SAFE and goes on, it is the first call that has failed. One at a time. */
ARCL_API ARCL_CHECKED arcl_status arcl_result_failure(arcl_context *context, const arcl_result *result, uint32_t lane,
                                                      arcl_definition definition, const arcl_compile_options *options,
                                                      const arcl_batch *batch, arcl_failure *failure,
                                                      arcl_error *error);

/* The grid of a lane whose result type is grid. The cells stay valid as long as the result. NULL, and 0 by 0, for
 * another type and for a grid whose rows differ in length, which only a program without grid_result yields. h and w may
 * be NULL. */
ARCL_API const signed char *arcl_result_grid(const arcl_result *result, uint32_t lane, int *h, int *w);

/* Any value, to be looked at part by part. */
typedef enum arcl_kind {
    ARCL_INT,
    ARCL_BOOL,
    ARCL_NONE,
    ARCL_TUPLE,
    ARCL_SET,
    ARCL_FUNCTION /* of which nothing more is known: in what batteries of the tokpidjin dialect yield */
} arcl_kind;
typedef struct arcl_value { /* its fields are the library's own */
    const int64_t *storage;
    uint64_t type;
    int64_t word;
    int64_t row; /* of a grid, when the value is one of its rows; else -1 */
} arcl_value;
/* None if the outputs were not kept. */
ARCL_API arcl_value arcl_result_value(const arcl_result *result, uint32_t lane);
ARCL_API arcl_kind arcl_value_kind(arcl_value value);
ARCL_API int64_t arcl_value_int(arcl_value value);
ARCL_API uint32_t arcl_value_count(arcl_value value);
ARCL_API arcl_value arcl_value_item(arcl_value value, uint32_t index);

/* ---- batches from results ----
 *
 * What one program yields is what the next one takes, without being taken apart. */

/* Adds an argument, or a part of one, that is a value of a result or a part of such; it is copied. Its type must be the
 * one that comes next, or one that may stand there: an empty set for any, a bool for an int. */
ARCL_API ARCL_CHECKED arcl_status arcl_batch_add_value(arcl_batch *batch, arcl_value value, arcl_error *error);

/* An argument of a batch that is gathered: where its lanes come from. */
typedef struct arcl_column {
    const arcl_result *result; /* whose outputs were kept, or */
    const arcl_batch *batch;   /* if there is no result, one of a batch's arguments */
    int argument;              /* of the batch */
    const uint32_t *lanes;     /* the lane there, for every lane that is gathered: in any order, also repeatedly */
} arcl_column;

/* Makes a batch of `count` lanes whose arguments are the columns, at most 4, each of one type. ARCL_INVALID for lanes
 * that have failed. Nothing refers to the columns afterwards. */
ARCL_API ARCL_CHECKED arcl_status arcl_batch_gather(arcl_context *context, const arcl_column *columns, int arguments,
                                                    uint32_t count, arcl_batch **batch, arcl_error *error);

/* ---- similarity ---- */

/* A grid that somebody else owns, cells row by row; without cells it has no sides either. */
typedef struct arcl_grid {
    int h, w;
    const signed char *cells;
} arcl_grid;

/* Which variant has made a matrix, and where. */
typedef struct arcl_similarity_report {
    const char *variant; /* "host", "opencl" or "clblast" */
    char device[16];     /* "host", "cl:0", .. */
    int measured;        /* it was chosen by measured costs; 0: it was named, or nothing was measured */
    uint64_t nanoseconds, bytes_moved;
} arcl_similarity_report;

/* Compares every output with every expected grid: matrix[i * expected_count + j] is the number of cells that output i
 * and expected grid j have in common. A cell is in common if both grids have one at its row and column and these are
 * equal. Grids may differ in shape: what only one of them has is not in common. Two grids are equal if they have the
 * same shape and all their cells in common.
 *
 * `variant` is "host" (the threads of the CPU), "opencl" (a kernel), "clblast" (products of matrices; needs the library
 * CLBlast), or "auto" or NULL. All give the same numbers. It runs where the context's options say; where these leave it
 * open, a variant that is named runs on the first device that has it, and "auto" is the one that costs least by what
 * was measured, or the host if nothing was. That is decided before anything runs: what cannot be had is an error, and
 * nothing else runs in its place. report may be NULL. One at a time, with runs. */
ARCL_API ARCL_CHECKED arcl_status arcl_similarity(arcl_context *context, const char *variant, const arcl_grid *outputs,
                                                  uint32_t output_count, const arcl_grid *expected,
                                                  uint32_t expected_count, uint32_t *matrix,
                                                  arcl_similarity_report *report, arcl_error *error);

/* ---- scores ---- */

/* How good the output of a lane is. It is made where the output is, and is the same on every device. */
typedef struct arcl_score {
    /* Of the output, its type and all of its value, or of the status of a lane that has failed: different for different
     * outputs, but for one chance in 2^64. docs/scoring.md tells how it is made. */
    uint64_t fingerprint;
    uint32_t words; /* that the lane has asked for; more than its budget if it was refused some; 0 if what failed is the
                     * same in all lanes */
    uint32_t cells; /* that are as expected, where the shape is */
    arcl_lane_status status;
    int compared;          /* there was something to compare with */
    int same_shape, match; /* of the output and what was expected */
    int usable;            /* the output is a grid as tasks have them: 1 to 30 rows and columns, colours 0 to 9 */
} arcl_score;

/* As arcl_run_many, with scores. expected[i] has a grid for every lane of batches[i], which it is compared with; an
 * empty one where it is not known. It may be NULL, and so may `expected`: then there are fingerprints and words alone.
 * An output that is not a grid matches none. Unless `outputs`, the results have no outputs, and these never leave the
 * device. One at a time, with runs. */
ARCL_API ARCL_CHECKED arcl_status arcl_score_many(arcl_context *context, int count, const arcl_program *const *programs,
                                                  const arcl_batch *const *batches, const arcl_batch *const *expected,
                                                  int outputs, arcl_result **results, arcl_error *error);

/* Of a result of arcl_score_many or arcl_battery_score; of another, all but the status is 0. */
ARCL_API arcl_score arcl_result_score(const arcl_result *result, uint32_t lane);

/* ---- caches ----
 *
 * All of it is one at a time, with runs. */

typedef struct arcl_cache_options {
    uint32_t programs; /* compiled programs that are kept at most; 0: 10,000 */
    uint64_t memory;   /* bytes of results that are kept at most; 0: 256 MiB */
    /* Where results are kept for other processes. NULL: nowhere. "": arcl/results in $XDG_CACHE_HOME or ~/.cache.
     * Several processes may use it at once, and it may be removed at any time. */
    const char *directory;
    uint64_t disk; /* bytes that it may take; 0: 1 GiB */
} arcl_cache_options;

/* From now on the context keeps what it compiles and what its runs yield. A program is not compiled again if one with
 * the same normal form and options was, and a lane is not run again if the same program was run on the same input, with
 * the same budget, by the same kernels. Everything else stays as it is, results included. Only programs that are
 * compiled from now on take part: no other thread may be compiling. options may be NULL. */
ARCL_API ARCL_CHECKED arcl_status arcl_cache_enable(arcl_context *context, const arcl_cache_options *options,
                                                    arcl_error *error);

/* Writes results that are new to the directory. Freeing the context does it too, but cannot tell of a failure. */
ARCL_API ARCL_CHECKED arcl_status arcl_cache_flush(arcl_context *context, arcl_error *error);

/* "", or a sentence that users should see: files of results are damaged, or could not be written. */
ARCL_API const char *arcl_cache_notice(const arcl_context *context);

/* ---- batteries ----
 *
 * A battery is many programs that run over the same lanes, compiled together: what several of them compute is computed
 * once. Results, statuses and budgets are those of each program run alone: no program's failure touches another's
 * result. */

typedef struct arcl_battery arcl_battery;

/* Compiles the definitions, whose sources must outlive the call only. One that is rejected does not spoil the others:
 * arcl_battery_program is NULL for it, and errors[i], if errors is not NULL, says why. errors has `count` entries. One
 * at a time, with runs. */
ARCL_API ARCL_CHECKED arcl_status arcl_battery_compile(arcl_context *context, const arcl_definition *definitions,
                                                       int count, const arcl_compile_options *options,
                                                       arcl_battery **battery, arcl_error *errors, arcl_error *error);

/* The same with options for each definition, which have the policy and the types in common. */
ARCL_API ARCL_CHECKED arcl_status arcl_battery_compile_each(arcl_context *context, const arcl_definition *definitions,
                                                            const arcl_compile_options *options, int count,
                                                            arcl_battery **battery, arcl_error *errors,
                                                            arcl_error *error);
ARCL_API void arcl_battery_free(arcl_battery *battery);

typedef struct arcl_battery_info {
    int programs, rejected;
    int graphs;                         /* that the programs were put into */
    uint64_t steps_before, steps_after; /* of all programs by themselves, and of the graphs */
} arcl_battery_info;
ARCL_API arcl_battery_info arcl_battery_describe(const arcl_battery *battery);

/* A program as it would be run alone, for its types; NULL if it was rejected. It lives as long as the battery. */
ARCL_API const arcl_program *arcl_battery_program(const arcl_battery *battery, int index);

/* What a batch for the battery has: the parameters of all its programs, each with its type, as arcl_batch_create takes
 * it. */
ARCL_API int arcl_battery_parameters(const arcl_battery *battery);
ARCL_API char *arcl_battery_parameter_type(const arcl_battery *battery, int index, char *buf, size_t size);

/* The definitions, all of one dialect, as the text of a battery, which arcl_source_parse reads: every call that they
 * have in common is written once. For tokpidjin that is its `def batt`, in which solve_ID is the result of ID.
 * Definitions with errors are left out, and errors[i] says why, if errors is not NULL. */
typedef struct arcl_battery_text {
    char *text;
    size_t length;
    int programs, rejected;
    int ops_before, ops_after; /* calls in the definitions, and in the text */
} arcl_battery_text;
ARCL_API ARCL_CHECKED arcl_status arcl_battery_write(const arcl_definition *definitions, int count,
                                                     arcl_battery_text *text, arcl_error *errors, arcl_error *error);
ARCL_API void arcl_battery_text_free(arcl_battery_text *text);

/* Runs all programs over all lanes. results[i] is program i's, to be freed like any other; NULL if the program was
 * rejected, or if it needs more memory for one lane than there is, which errors[i] then says if errors is not NULL.
 * One at a time, with runs. */
ARCL_API ARCL_CHECKED arcl_status arcl_battery_run(arcl_context *context, const arcl_battery *battery,
                                                   const arcl_batch *batch, arcl_result **results, arcl_error *errors,
                                                   arcl_error *error);

/* The same with scores, which are those that arcl_score_many makes of each program alone. `expected`, which may be
 * NULL, has a grid for every lane of the batch. Lanes in which a strict program fails cost more than in
 * arcl_battery_run: how many words it had asked for until then is found out by running it alone. */
ARCL_API ARCL_CHECKED arcl_status arcl_battery_score(arcl_context *context, const arcl_battery *battery,
                                                     const arcl_batch *batch, const arcl_batch *expected, int outputs,
                                                     arcl_result **results, arcl_error *errors, arcl_error *error);

/* ---- report ----
 *
 * All of it is one at a time, with runs: what is counted changes while something runs. */

typedef struct arcl_op_report {
    const char *name;   /* of the kernel or of the executor's step */
    const char *device; /* where it ran: if that is not where it was planned, the run has failed */
    uint64_t launches, lanes, words, failures, nanoseconds;
    uint64_t teams; /* of the launches, those in which teams of work-items did the lanes */
} arcl_op_report;

/* What the context has run since it was created or the report was reset. Timing each launch costs time of its own: it
 * is done only after arcl_report_enable. */
ARCL_API void arcl_report_enable(arcl_context *context, int on);
ARCL_API void arcl_report_reset(arcl_context *context);
ARCL_API int arcl_report_count(const arcl_context *context);
ARCL_API arcl_op_report arcl_report_get(const arcl_context *context, int index);

/* What runs were predicted to take, and took, in nanoseconds. A run without a profile has no prediction. */
typedef struct arcl_run_report {
    uint64_t runs;
    double predicted, taken;
    double unpredicted; /* the part of `taken` that nothing was predicted for */
    double planning;    /* before: deciding where and how */
} arcl_run_report;
ARCL_API arcl_run_report arcl_report_runs(const arcl_context *context);

/* What each OpenCL device of the context had to do with its host. All but the last is always counted. */
typedef struct arcl_device_report {
    const char *device;
    uint64_t launches, synchronisations; /* the latter: how often the host waited for the device */
    uint64_t bytes_up, bytes_down;
    uint64_t builds, build_nanoseconds; /* of kernel families */
    uint64_t transfer_nanoseconds;      /* of the bytes, by the device's clock, after arcl_report_enable */
} arcl_device_report;
ARCL_API int arcl_report_device_count(const arcl_context *context);
ARCL_API arcl_device_report arcl_report_device(const arcl_context *context, int index);

/* What the caches were good for; all zero where they are not enabled. Time saved is what it took to compile, and to
 * run, when that was done; time spent is that of looking up, copying, reading and writing. */
typedef struct arcl_cache_report {
    int enabled;
    uint64_t program_hits, program_misses, compile_nanoseconds_saved;
    uint64_t lane_hits, lane_misses, run_nanoseconds_saved;
    uint64_t nanoseconds_spent;
    uint64_t programs, sets, bytes; /* kept now: compiled programs, programs with results, and the size of these */
    uint64_t sections_read, files_written, refused; /* of the directory: results of a program; the last: not used */
} arcl_cache_report;
ARCL_API arcl_cache_report arcl_report_cache(const arcl_context *context);

#ifdef __cplusplus
}
#endif

#include "arcl_accumulator.h" /* work that comes in small pieces */
#include "arcl_plan.h"        /* where programs run, and why */
#include "arcl_search.h"      /* searching for programs */
#include "arcl_trace.h"       /* what every line makes */
#include "arcl_tree.h"        /* programs built without text */

#endif
