/* How long comparing all grids with all takes on a device, in every variant that it has: for profiles. How grids are
 * compared is none of its business. */
#include <string.h>

#include "base/error.h"
#include "profile/profile_measure.h"
#include "run/context.h"
#include "similarity/similarity.h"

/* From what one call costs to what many cells cost. */
static const similarity_size sizes[] = {
    {4, 4, 10, 10}, {32, 32, 12, 12}, {128, 128, 16, 16}, {512, 512, 20, 20}, {1000, 1000, 20, 20}};
enum { SIZES = sizeof sizes / sizeof sizes[0], QUICK_SIZES = SIZES - 1, REPEATED = 5 };
#define LONG_ENOUGH 2e8 /* nanoseconds: after a size that takes so long comes no larger one */

static arcl_status measure_size(arcl_context *c, const similarity_candidate *k, const similarity_size *size,
                                double *median, arcl_error *error) {
    double took[REPEATED];
    int count = 0;
    do {
        if (context_take_cancel(c, error)) return ARCL_CANCELLED;
        PROPAGATE(similarity_measure(c, k, size, &took[count], error));
    } while (took[count++] < LONG_ENOUGH && count < REPEATED);
    *median = median_of(took, count);
    return ARCL_SUCCESS;
}

static arcl_status measure_variant(arcl_context *c, const similarity_candidate *k, int count, similarity_times *to,
                                   arcl_error *error) {
    similarity_times measured = {0};
    double first, ns = 0;
    PROPAGATE(similarity_measure(c, k, &sizes[0], &first, error));
    for (int i = 0; i < count && ns < LONG_ENOUGH; i++) {
        PROPAGATE(measure_size(c, k, &sizes[i], &ns, error));
        if (i == 0) measured.first = first > ns ? first - ns : 0;
        curve_add(&measured.compare, similarity_work(&sizes[i]), ns);
    }
    *to = measured;
    return ARCL_SUCCESS;
}

/* What a context's options rule out can be measured all the same. */
static int is_possible(const similarity_candidate *k, int quick) {
    char why[256];
    return k->variant != SIMILARITY_clblast || (!quick && similarity_clblast_found(why, sizeof why));
}

arcl_status arcl_profile_measure_similarity(arcl_profile *profile, arcl_context *c, const char *device, int quick,
                                            arcl_error *error) {
    error_clear(error);
    NEED(profile);
    NEED(c);
    NEED(device);
    measured_device m;
    similarity_candidate k;
    PROPAGATE(measured_device_open(profile, c, device, &m, error));
    for (int n = 0; similarity_candidate_get(c, n, &k); n++) {
        if (strcmp(k.id, device) != 0 || !is_possible(&k, quick)) continue;
        PROPAGATE(measure_variant(c, &k, quick ? QUICK_SIZES : SIZES, &m.profile->similarity[k.variant], error));
    }
    return ARCL_SUCCESS;
}
