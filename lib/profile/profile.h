/* A profile: what kernels cost on the devices of a machine, as measured there. The selector predicts with it.
 *
 *   device 0 is the host
 *     identity      what was measured; a profile speaks of nothing else
 *     overheads     what running costs besides kernels (overheads.def)
 *     up, down      nanoseconds over bytes; empty for the host, whose memory it is
 *     costs         per variant and kernel: nanoseconds of a launch over lanes, and per element. The host's variants
 *                   are builds of its kernels, another device's are their shapes: lanes, and teams (arcl_shape)
 *     similarity    per variant: nanoseconds of a comparison of all grids with all, over pairs of cells
 *
 * A launch over n lanes whose values have e elements in all takes launch(n) + per_element * e + in_a_row * e / n.
 * Elements are words: of the lists and grids that a launch reads, and of what it makes. The last part is a GPU's: it
 * does all lanes at once as long as there are few, and then what counts is how much one of them has to do, one thing
 * after the other.
 */
#ifndef ARCL_PROFILE_H
#define ARCL_PROFILE_H
#include <stdint.h>

#include "arcl.h"
#include "base/curve.h"
#include "base/kernel_identity.h"
#include "base/similarity_variants.h"
#include "ops/op_table.h"

#define PROFILE_FORMAT 2
#define PROFILE_DEVICES 8
#define PROFILE_VARIANTS 2

/* The variants of a device that is not the host. All kernels have the first, those with the trait TEAM the second. */
enum { PROFILE_LANE, PROFILE_TEAM };
extern const char *const profile_shapes[PROFILE_VARIANTS]; /* their names in files */

enum overhead {
#define OVERHEAD(name, meaning) OVERHEAD_##name,
#include "profile/overheads.def"
#undef OVERHEAD
    OVERHEADS
};
extern const char *const overhead_names[OVERHEADS];

/* What a measurement is valid for. */
typedef struct profile_identity {
    char platform[128], name[128], driver[128];
    uint32_t compute_units;
    char kernels[64]; /* of this build of arcl */
} profile_identity;

typedef struct kernel_cost {
    curve launch; /* nanoseconds over lanes; empty: not measured */
    double per_element;
    double in_a_row;                      /* per element of a lane, however many lanes there are; 0 but on GPUs */
    double least_elements, most_elements; /* of a lane, in what was measured */
    uint32_t samples;
    double correction; /* by what runs have shown since (refine.h); 1: none */
} kernel_cost;

/* Comparisons (similarity.h) in one variant. */
typedef struct similarity_times {
    double first;  /* nanoseconds that the first one takes longer: opening, compiling */
    curve compare; /* nanoseconds over pairs of cells; empty: not measured */
} similarity_times;

/* What a launch took, on average over those of one run. */
typedef struct profile_sample {
    uint8_t variant;
    uint16_t kernel;
    double lanes, elements, ns;
} profile_sample;

typedef struct profile_device {
    char id[16], kind[16];
    profile_identity identity;
    double overhead[OVERHEADS];
    curve up, down;
    double chunk_words; /* that a chunk should make, so that it stays in the caches */
    int workers;      /* that plans may count on: as many as were measured, or fewer if the context has fewer threads */
    arcl_shape shape; /* likewise, of a device: the only one, where the context's options say so */
    int variants;
    char variant[PROFILE_VARIANTS][16];
    kernel_cost cost[PROFILE_VARIANTS][KERNEL_COUNT];
    similarity_times similarity[SIMILARITY_VARIANTS];
    char *cases;            /* what the profile was measured with: names between newlines; NULL: nothing */
    profile_sample *sample; /* that no curve has been drawn from yet */
    size_t samples, sample_room;
} profile_device;

struct arcl_profile {
    int devices;
    profile_device *device[PROFILE_DEVICES]; /* the host first */
    char created[32];
};

/* The device of that identity, added if it is not there; NULL when there is no memory or room. */
profile_device *profile_device_get(arcl_profile *p, const char *id, const char *kind, const profile_identity *identity);

/* "" if both are the same, otherwise what differs, as a sentence's end: "the driver is X, it was Y". */
void profile_identity_compare(const profile_identity *measured, const profile_identity *found, char *why, size_t size);

/* What an arcl_device_info says. */
profile_identity profile_identity_of(const arcl_device_info *info);

typedef struct cost_estimate {
    double ns;
    int measured;     /* 0: nobody knows; ns is 0 */
    int extrapolated; /* beyond what was measured */
} cost_estimate;

/* One launch. */
cost_estimate profile_cost(const profile_device *d, int variant, unsigned kernel, double lanes, double elements);

/* The variant in which the launch costs least, of those that plans may count on. */
int profile_best_variant(const profile_device *d, unsigned kernel, double lanes, double elements);

/* ---- measuring: profile_measure.c, profile_fit.c ---- */

/* 0 when there is no memory. */
int profile_add_sample(profile_device *d, const profile_sample *sample);

/* The curve and the slopes that fit the samples of one kernel in one variant, in_a_row only if lanes run at once. The
 * samples may be sorted on the way. */
void profile_fit(profile_sample *sample, size_t count, int at_once, kernel_cost *to);

/* Draws the curves of what there are samples of, which are forgotten. */
void profile_draw(arcl_profile *p);

/* The middle one; the values are sorted on the way. */
double median_of(double *values, int count);

/* Notes the time as that of the profile. */
void profile_stamp(arcl_profile *p);

/* ---- files: profile_json.c, profile_file.c ---- */

/* Reads the text of a profile. Everything in it is checked; what is wrong is named. */
ARCL_CHECKED arcl_status profile_parse(const char *text, size_t length, arcl_profile **profile, arcl_error *error);

#endif
