/* Whether a text of programs means the same however it is run: alone, with other threads and chunks, cached, as a
 * battery, as the text of a battery, and as its normal form. Values, statuses, counts of failures, scores and words are
 * compared, under both policies. What tests and fuzzing share. */
#ifndef ARCL_AGREEMENT_H
#define ARCL_AGREEMENT_H
#include "support/evaluation.h"

enum { AGREEMENT_PROGRAMS = 8 }; /* of a text: more are left out */

typedef struct agreement {
    arcl_context *plain, *other, *cached;
    const char *grids; /* the lanes; each is also what is expected of itself */
    text problem;      /* what does not agree */
    int runs;          /* programs that were compared, with a result */
} agreement;

static inline arcl_context *agreement_context(int threads, uint32_t chunk, uint32_t budget, int cached) {
    arcl_options options = {.threads = threads, .chunk = chunk, .budget = budget, .device = "host", .memory = 1u << 27};
    arcl_context *c;
    if (arcl_context_create(&options, &c, NULL) || (cached && arcl_cache_enable(c, NULL, NULL))) abort();
    return c;
}

static inline void agreement_open(agreement *a, uint32_t budget) {
    *a = (agreement){.plain = agreement_context(1, 0, budget, 0),
                     .other = agreement_context(2, 2, budget, 0),
                     .cached = agreement_context(1, 0, budget, 1),
                     .grids = "[[0,0,1],[0,1,1],[2,0,0]]; [[5]]; [[0,0],[0,0]]; [[3,0,3,0],[0,3,0,3],[1,1,1,4]]; "
                              "[[8,8,0,0,2],[8,8,0,0,2],[0,0,0,0,2],[7,0,0,0,2],[7,7,0,0,2],[0,0,6,0,0]]"};
    text_clear(&a->problem);
}

static inline void agreement_close(agreement *a) {
    arcl_context_free(a->plain);
    arcl_context_free(a->other);
    arcl_context_free(a->cached);
    text_free(&a->problem);
}

/* ---- batches ---- */

/* Adds the lanes, of parameters that are grids (g) and train pairs (s). */
static inline int agreement_fill(arcl_batch *b, const char *grids, const char *kinds) {
    for (const char *at = skip_blanks(grids), *end; *at; at = skip_blanks(end)) {
        end = strchr(at, ';');
        if (!end) end = at + strlen(at);
        for (const char *kind = kinds; *kind; kind++) {
            char one[512], pairs[2048];
            snprintf(one, sizeof one, "%.*s", (int)(end - at), at);
            snprintf(pairs, sizeof pairs, "[[%s,[[0,1]]],[[[2]],%s]]", one, one);
            if (!value_read(b, *kind == 's' ? pairs : one, NULL)) return 0;
        }
    }
    return 1;
}

static inline arcl_batch *agreement_batch(arcl_context *c, const agreement *a, const char *types) {
    char kinds[8] = "";
    arcl_batch *b;
    if (arcl_batch_create(c, types, &b, NULL)) abort();
    for (const char *at = types; *at; at += strcspn(at, " ") + (at[strcspn(at, " ")] == ' '))
        strcat(kinds, *at == '[' ? "s" : "g");
    if (!agreement_fill(b, a->grids, kinds)) abort();
    return b;
}

/* ---- outcomes ---- */

/* All that there is to be known of a result. */
static inline void outcome_add(const arcl_result *r, text *to) {
    char line[160];
    result_write(r, to);
    for (uint32_t n = 0; n < arcl_result_lanes(r); n++) {
        arcl_score s = arcl_result_score(r, n);
        snprintf(line, sizeof line, "; %s %016llx words %u cells %u %d %d %d %d failures %u",
                 arcl_lane_status_name(s.status), (unsigned long long)s.fingerprint, s.words, s.cells, s.compared,
                 s.same_shape, s.match, s.usable, arcl_result_failures(r, n));
        text_add(to, line);
    }
}

typedef struct outcomes {
    text of[AGREEMENT_PROGRAMS]; /* empty: rejected */
    int count;
    int no_memory; /* somewhere: nothing can be said */
} outcomes;

static inline void outcomes_clear(outcomes *o, int count) {
    for (int i = 0; i < AGREEMENT_PROGRAMS; i++) text_clear(&o->of[i]);
    o->count = count;
}

static inline void outcomes_free(outcomes *o) {
    for (int i = 0; i < AGREEMENT_PROGRAMS; i++) text_free(&o->of[i]);
}

static inline void note_error(outcomes *o, int i, arcl_status status, const arcl_error *error) {
    o->no_memory |= status == ARCL_NO_MEMORY;
    text_add(&o->of[i], "error: ");
    text_add(&o->of[i], error->message);
}

/* The outcome of a program without parameters. */
static const char no_lanes[] = "no lanes";

static inline int parameter_types(int count, char *types, char *(*name)(const void *, int, char *, size_t),
                                  const void *of) {
    char type[64];
    *types = 0;
    for (int n = 0; n < count; n++) {
        strcat(types, n ? " " : "");
        strcat(types, name(of, n, type, sizeof type));
    }
    return count > 0;
}

static inline char *program_type(const void *p, int n, char *buf, size_t size) {
    return arcl_program_parameter_type(p, n, buf, size);
}

static inline char *battery_type(const void *b, int n, char *buf, size_t size) {
    return arcl_battery_parameter_type(b, n, buf, size);
}

static inline void run_alone(const agreement *a, arcl_context *c, const arcl_source *source, int index,
                             const arcl_compile_options *options, outcomes *o, int i) {
    arcl_program *p = NULL;
    arcl_error error = {{0}};
    char types[256];
    arcl_status status = arcl_program_compile(c, source, index, options, &p, &error);
    if (status == ARCL_NO_MEMORY) o->no_memory = 1;
    if (!p) return;
    if (parameter_types(arcl_program_parameters(p), types, program_type, p)) {
        arcl_batch *batch = agreement_batch(c, a, types), *expected = agreement_batch(c, a, "grid");
        arcl_result *r = NULL;
        const arcl_program *one = p;
        const arcl_batch *in = batch, *out = expected;
        status = arcl_score_many(c, 1, &one, &in, &out, 1, &r, &error);
        if (status)
            note_error(o, i, status, &error);
        else
            outcome_add(r, &o->of[i]);
        arcl_result_free(r);
        arcl_batch_free(batch);
        arcl_batch_free(expected);
    } else
        text_add(&o->of[i], no_lanes);
    arcl_program_free(p);
}

static inline void run_all_alone(const agreement *a, arcl_context *c, const arcl_source *source,
                                 const arcl_compile_options *options, outcomes *o) {
    outcomes_clear(o, o->count);
    for (int i = 0; i < o->count; i++) run_alone(a, c, source, i, options, o, i);
}

static inline void run_as_battery(const agreement *a, arcl_context *c, const arcl_source *source,
                                  const arcl_compile_options *options, outcomes *o) {
    arcl_definition definitions[AGREEMENT_PROGRAMS];
    arcl_result *results[AGREEMENT_PROGRAMS] = {NULL};
    arcl_error errors[AGREEMENT_PROGRAMS] = {{{0}}}, error = {{0}};
    arcl_battery *battery = NULL;
    char types[256];
    outcomes_clear(o, o->count);
    for (int i = 0; i < o->count; i++) definitions[i] = (arcl_definition){source, i};
    arcl_status status = arcl_battery_compile(c, definitions, o->count, options, &battery, NULL, &error);
    if (status) note_error(o, 0, status, &error);
    if (!battery) return;
    if (parameter_types(arcl_battery_parameters(battery), types, battery_type, battery)) {
        arcl_batch *batch = agreement_batch(c, a, types), *expected = agreement_batch(c, a, "grid");
        status = arcl_battery_score(c, battery, batch, expected, 1, results, errors, &error);
        for (int i = 0; i < o->count; i++) {
            const arcl_program *p = arcl_battery_program(battery, i);
            if (status)
                note_error(o, i, status, &error);
            else if (p && !arcl_program_parameters(p))
                text_add(&o->of[i], no_lanes);
            else if (results[i])
                outcome_add(results[i], &o->of[i]);
            else if (p)
                note_error(o, i, ARCL_NO_MEMORY, &errors[i]);
            arcl_result_free(results[i]);
        }
        arcl_batch_free(batch);
        arcl_batch_free(expected);
    } else
        for (int i = 0; i < o->count; i++)
            if (arcl_battery_program(battery, i)) text_add(&o->of[i], no_lanes);
    arcl_battery_free(battery);
}

/* ---- what has to agree ---- */

static inline int agree_on(agreement *a, const char *way, const outcomes *expected, const outcomes *got) {
    if (expected->no_memory || got->no_memory) return 1;
    for (int i = 0; i < expected->count; i++) {
        if (strcmp(expected->of[i].at, got->of[i].at) == 0) continue;
        if (strcmp(expected->of[i].at, no_lanes) == 0) continue; /* the text of a battery has some for everybody */
        char head[128];
        snprintf(head, sizeof head, "program %d, %s\nalone ", i, way);
        text_add(&a->problem, head);
        text_add(&a->problem, expected->of[i].at);
        text_add(&a->problem, "\nhere  ");
        text_add(&a->problem, got->of[i].at);
        text_add(&a->problem, "\n");
        return 0;
    }
    return 1;
}

/* The programs of the source that the text of a battery can have, as such a text; their outcomes move up in *expected.
 */
static inline arcl_source *as_battery_text(const agreement *a, const arcl_source *source, outcomes *expected) {
    arcl_definition definitions[AGREEMENT_PROGRAMS];
    arcl_error errors[AGREEMENT_PROGRAMS] = {{{0}}};
    arcl_battery_text written;
    arcl_source *made = NULL;
    int kept = 0;
    for (int i = 0; i < expected->count; i++) definitions[i] = (arcl_definition){source, i};
    if (arcl_battery_write(definitions, expected->count, &written, errors, NULL)) return NULL;
    for (int i = 0; i < expected->count; i++)
        if (!errors[i].message[0]) {
            text swap = expected->of[kept];
            expected->of[kept++] = expected->of[i];
            expected->of[i] = swap;
        }
    expected->count = kept;
    if (kept &&
        arcl_source_parse_dialect(a->plain, written.text, written.length, "battery.py", ARCL_ARC_DSL, &made, NULL))
        made = NULL;
    arcl_battery_text_free(&written);
    return made;
}

static inline int battery_texts_agree(agreement *a, const arcl_source *source, const arcl_compile_options *options,
                                      outcomes *expected, outcomes *got) {
    arcl_source *made = as_battery_text(a, source, expected);
    int agree = 1;
    got->count = expected->count;
    if (made && arcl_source_count(made) != expected->count) {
        text_add(&a->problem, "the text of a battery has another number of programs\n");
        agree = 0;
    }
    if (made && agree) {
        run_all_alone(a, a->plain, made, options, got);
        agree = agree_on(a, "one of the text of a battery", expected, got);
    }
    if (made && agree) {
        run_as_battery(a, a->other, made, options, got);
        agree = agree_on(a, "battery of the text of a battery", expected, got);
    }
    arcl_source_free(made);
    return agree;
}

/* The normal form of definition i says the same, and its normal form is itself. */
static inline int normal_form_agrees(agreement *a, const arcl_source *source, int i, int inline_uses,
                                     const arcl_compile_options *options, const outcomes *expected, outcomes *got) {
    char *once = NULL, *twice = NULL;
    arcl_source *made = NULL;
    arcl_key first = {0}, second = {0};
    int agree = 1;
    if (arcl_source_format(a->plain, source, i, inline_uses, &once, NULL, NULL)) return 1;
    arcl_dialect dialect = arcl_source_dialect(source); /* of which a normal form may not have a word */
    if (arcl_source_parse_dialect(a->plain, once, strlen(once), "form.py", dialect, &made, NULL) ||
        arcl_source_count(made) != 1 || arcl_source_format(a->plain, made, 0, inline_uses, &twice, NULL, NULL) ||
        strcmp(once, twice) != 0 || arcl_source_key(a->plain, source, i, &first, NULL) ||
        arcl_source_key(a->plain, made, 0, &second, NULL) || first.high != second.high || first.low != second.low) {
        text_add(&a->problem, "the normal form of a normal form is another\n");
        text_add(&a->problem, once);
        text_add(&a->problem, twice ? twice : "(none)\n");
        agree = 0;
    } else {
        outcomes_clear(got, expected->count);
        for (int n = 0; n < expected->count; n++)
            if (n != i) text_add(&got->of[n], expected->of[n].at);
        run_alone(a, a->plain, made, 0, options, got, i);
        agree = agree_on(a, inline_uses ? "normal form, inlined" : "normal form", expected, got);
    }
    arcl_text_free(once);
    arcl_text_free(twice);
    arcl_source_free(made);
    return agree;
}

static inline int policy_agrees(agreement *a, const arcl_source *source, const arcl_compile_options *options) {
    outcomes expected = {.count = arcl_source_count(source)}, got = {0};
    if (expected.count > AGREEMENT_PROGRAMS) expected.count = AGREEMENT_PROGRAMS;
    got.count = expected.count;
    run_all_alone(a, a->plain, source, options, &expected);
    for (int i = 0; i < expected.count; i++) a->runs += expected.of[i].length > 0;
    run_all_alone(a, a->other, source, options, &got);
    int agree = agree_on(a, "other threads and chunks", &expected, &got);
    for (int again = 0; agree && again < 2; again++) {
        run_all_alone(a, a->cached, source, options, &got);
        agree = agree_on(a, again ? "kept results" : "with a cache", &expected, &got);
    }
    for (int other = 0; agree && other < 2; other++) {
        run_as_battery(a, other ? a->other : a->plain, source, options, &got);
        agree = agree_on(a, "battery", &expected, &got);
    }
    for (int i = 0; agree && i < 2 * expected.count; i++)
        agree = normal_form_agrees(a, source, i / 2, i % 2, options, &expected, &got);
    /* A battery of tokpidjin has no place for what runs besides a result. */
    if (arcl_source_dialect(source) == ARCL_ARC_DSL)
        agree = agree && battery_texts_agree(a, source, options, &expected, &got);
    outcomes_free(&expected);
    outcomes_free(&got);
    return agree;
}

static inline int dialect_agrees(agreement *a, const char *programs, size_t length, arcl_dialect dialect) {
    arcl_source *source;
    int agree = 1;
    if (arcl_source_parse_dialect(a->plain, programs, length, "programs.py", dialect, &source, NULL)) return 1;
    for (int policy = ARCL_STRICT; agree && policy <= ARCL_SAFE; policy++) {
        arcl_compile_options options = {.policy = (arcl_policy)policy, .grid_result = (int)(length % 2)};
        agree = policy_agrees(a, source, &options);
        if (!agree) text_add(&a->problem, policy == ARCL_SAFE ? "(safe)\n" : "(strict)\n");
    }
    arcl_source_free(source);
    return agree;
}

/* Whether the text means one thing in each dialect; otherwise a->problem says what differs. */
static inline int programs_agree(agreement *a, const char *programs, size_t length) {
    text_clear(&a->problem);
    return dialect_agrees(a, programs, length, ARCL_ARC_DSL) && dialect_agrees(a, programs, length, ARCL_TOKPIDJIN);
}

#endif
