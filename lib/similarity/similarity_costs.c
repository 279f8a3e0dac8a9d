#include "similarity/similarity_costs.h"

int similarity_costs_known(const arcl_profile *p) {
    for (int d = 1; d < p->devices; d++)
        for (int v = 0; v < SIMILARITY_VARIANTS; v++)
            if (p->device[d]->similarity[v].compare.count) return 1;
    return 0;
}

int similarity_costs_device(const arcl_profile *p, const arcl_device_info *info) {
    profile_identity found = profile_identity_of(info);
    char why[512];
    for (int d = 0; d < p->devices; d++) {
        profile_identity_compare(&p->device[d]->identity, &found, why, sizeof why);
        if (!*why) return d;
    }
    return -1;
}

double similarity_costs_run(const arcl_profile *p, int device, similarity_variant variant,
                            const similarity_size *size) {
    if (device < 0 || !p->device[device]->similarity[variant].compare.count) return -1;
    return curve_at(&p->device[device]->similarity[variant].compare, similarity_work(size));
}

double similarity_costs_now(const similarity_costs *s, const arcl_profile *p, int device, similarity_variant variant,
                            const similarity_size *size) {
    double cost = similarity_costs_run(p, device, variant, size);
    if (cost < 0 || s->of[device][variant].used) return cost;
    double first = p->device[device]->similarity[variant].first - s->of[device][variant].missed;
    return first > 0 ? cost + first : cost;
}

void similarity_costs_miss(similarity_costs *s, const arcl_profile *p, int device, similarity_variant variant,
                           const similarity_size *size, double chosen) {
    double cost = similarity_costs_run(p, device, variant, size);
    if (cost >= 0 && cost < chosen) s->of[device][variant].missed += chosen - cost;
}

void similarity_costs_use(similarity_costs *s, int device, similarity_variant variant) {
    if (device >= 0) s->of[device][variant].used = 1;
}
