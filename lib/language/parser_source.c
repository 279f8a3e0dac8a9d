/* Whole texts. A long one is cut where lines begin with `def`, and its parts are parsed side by side. Whether a part
 * ends where the next one was begun is known only then: a string or a line that goes on may have swallowed that place.
 * If one has, the text is parsed again as a whole, so that it does not matter who else had time. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "language/own_names.h"
#include "language/parser.h"
#include "language/resolve.h"

#define PART_BYTES 16384u /* a part takes longer than it takes to wake a thread for it */
#define PARTS_PER_THREAD 4
#define MOST_PARTS 256

typedef struct reading {
    const parse_means *means;
    struct arcl_source *src;
    arcl_dialect dialect;
    int recognising; /* the dialect is yet to be found out */
    own_names own;   /* that tell nothing of it, if there are such */
    int count;
    parser *part[MOST_PARTS];
    arcl_status status[MOST_PARTS]; /* of each */
} reading;

/* ---- parts ---- */

/* The first line from `at` on that a definition begins with; the end of the text if there is none. */
static uint32_t next_definition(const struct arcl_source *src, uint32_t at) {
    const char *end = src->text + src->length, *found = src->text + at;
    while ((found = memchr(found, '\n', (size_t)(end - found)))) {
        found++;
        if (strncmp(found, "def ", 4) == 0) return (uint32_t)(found - src->text);
    }
    return (uint32_t)src->length;
}

static int add_part(reading *r, uint32_t begin, uint32_t stop) {
    parser *p = malloc(sizeof *p);
    if (!p) return 0;
    r->part[r->count++] = p;
    p->src = r->src;
    p->memory = (pool){0};
    p->definition = NULL;
    p->count = p->room = 0;
    p->begin = begin;
    p->stop = stop;
    p->ops = r->means->ops;
    p->dialect = r->dialect;
    p->evidence = (struct evidence){.wanted = r->recognising};
    p->no_memory = 0;
    p->own = r->own.count ? &r->own : NULL;
    p->battery_slot = NULL;
    p->battery_name = NULL;
    return 1;
}

static int add_parts(reading *r, uint32_t most) {
    uint32_t length = (uint32_t)r->src->length, wanted = length / PART_BYTES, begin = 0, stop;
    if (wanted > most) wanted = most;
    for (uint32_t i = 1; i < wanted; i++, begin = stop) {
        stop = next_definition(r->src, begin + (length - begin) / (wanted - i + 1));
        if (stop == length) break;
        if (!add_part(r, begin, stop)) return 0;
    }
    return add_part(r, begin, UINT32_MAX);
}

static void parse_index(void *arg, uint32_t index) {
    reading *r = arg;
    r->status[index] = parse_part(r->part[index], NULL);
}

static void drop_parts(reading *r) {
    for (int i = 0; i < r->count; i++) {
        parser *p = r->part[i];
        pool_free(&p->memory);
        free(p->definition);
        free(p->battery_slot);
        free(p->battery_name);
        free(p);
    }
    r->count = 0;
}

/* Whether what comes next after a part is the token that the next one was begun with, as it was then. */
static int is_at_joint(const parser *p) {
    const lexer *l = &p->lex;
    return l->kind == TK_NAME && l->at == p->stop && l->indent == 0 && l->brackets == 0;
}

static int fits_together(const reading *r) {
    for (int i = 0; i < r->count - 1; i++)
        if (!is_at_joint(r->part[i])) return 0;
    return 1;
}

/* ---- a whole text ---- */

static arcl_status parse_parts(reading *r, uint32_t most, arcl_error *error) {
    drop_parts(r);
    if (!add_parts(r, most)) return NO_MEMORY(error);
    if (r->count == 1)
        parse_index(r, 0);
    else
        r->means->run(r->means->with, (uint32_t)r->count, parse_index, r);
    for (int i = 0; i < r->count; i++)
        if (r->status[i] != ARCL_SUCCESS) return NO_MEMORY(error); /* nothing else ends a parser */
    return ARCL_SUCCESS;
}

static arcl_status parse_text(reading *r, arcl_error *error) {
    uint32_t threads = (uint32_t)(r->means->threads > 1 ? r->means->threads : 0), most = PARTS_PER_THREAD * threads;
    r->src->dialect = r->dialect;
    PROPAGATE(parse_parts(r, most < MOST_PARTS ? most : MOST_PARTS, error));
    return fits_together(r) ? ARCL_SUCCESS : parse_parts(r, 1, error);
}

/* Hands what the parts have made to the source. */
static arcl_status join_parts(reading *r, arcl_error *error) {
    struct arcl_source *src = r->src;
    size_t count = 0;
    for (int i = 0; i < r->count; i++) count += (size_t)r->part[i]->count;
    src->definition = malloc((count ? count : 1) * sizeof *src->definition);
    if (!src->definition) return NO_MEMORY(error);
    for (int i = 0; i < r->count; i++) {
        parser *p = r->part[i];
        if (p->count) memcpy(src->definition + src->count, p->definition, (size_t)p->count * sizeof *p->definition);
        src->count += p->count;
        pool_adopt(&src->memory, &p->memory);
    }
    return ARCL_SUCCESS;
}

/* ---- the dialect ---- */

static void gather_evidence(const reading *r, struct evidence *all) {
    for (int i = 0; i < r->count; i++) {
        const struct evidence *e = &r->part[i]->evidence;
        if (!all->arc_dsl.length) all->arc_dsl = e->arc_dsl;
        if (!all->tokpidjin.length) all->tokpidjin = e->tokpidjin;
        all->train_pairs |= e->train_pairs;
    }
}

static arcl_status mixed_dialects(const struct arcl_source *s, const struct evidence *e, arcl_error *error) {
    const variable_name *a = &e->tokpidjin, *b = &e->arc_dsl;
    return error_set(
        error, ARCL_INVALID,
        "%s has words of two dialects: '%.*s' in line %u is tokpidjin's alone, '%.*s' in line %u arc-dsl's. "
        "Say which it is (--dialect; of fmt --from), or make two files of it",
        s->file, a->length > 60 ? 60 : (int)a->length, s->text + a->at, source_line(s, a->at),
        b->length > 60 ? 60 : (int)b->length, s->text + b->at, source_line(s, b->at));
}

static int defines(const reading *r, const variable_name *name) {
    for (int i = 0; i < r->count && name->length; i++)
        for (int j = 0; j < r->part[i]->count; j++) {
            const definition *d = r->part[i]->definition[j];
            if (d->name && d->name_length == name->length &&
                memcmp(d->name, r->src->text + name->at, name->length) == 0)
                return 1;
        }
    return 0;
}

/* Whether it is a name that the text gives a meaning of its own. */
static int is_own(const reading *r, const struct evidence *e) {
    return defines(r, &e->tokpidjin) || defines(r, &e->arc_dsl);
}

/* Reads the text again, without regard to its own names. */
static arcl_status gather_other_evidence(reading *r, struct evidence *found, arcl_error *error) {
    size_t count = 0;
    for (int i = 0; i < r->count; i++) count += (size_t)r->part[i]->count;
    definition **all = malloc((count + 1) * sizeof *all);
    if (!all) return NO_MEMORY(error);
    count = 0;
    for (int i = 0; i < r->count; i++)
        for (int j = 0; j < r->part[i]->count; j++) all[count++] = r->part[i]->definition[j];
    int made = own_names_make(&r->own, all, (int)count);
    free(all);
    if (!made) return NO_MEMORY(error);
    reading again = *r;
    again.count = 0;
    arcl_status status = parse_text(&again, error);
    if (status == ARCL_SUCCESS) {
        *found = (struct evidence){0};
        gather_evidence(&again, found);
    }
    drop_parts(&again);
    own_names_free(&r->own);
    return status;
}

/* Most files are arc-dsl's, so that is how a text is read, which shows what it is. */
static arcl_status parse_recognising(reading *r, arcl_error *error) {
    struct evidence found = {0};
    r->dialect = ARCL_ARC_DSL;
    r->recognising = 1;
    PROPAGATE(parse_text(r, error));
    gather_evidence(r, &found);
    if (is_own(r, &found)) PROPAGATE(gather_other_evidence(r, &found, error));
    r->recognising = 0;
    if (found.tokpidjin.length && found.arc_dsl.length) return mixed_dialects(r->src, &found, error);
    if (found.arc_dsl.length || !(found.tokpidjin.length || found.train_pairs)) return ARCL_SUCCESS;
    r->dialect = ARCL_TOKPIDJIN;
    return parse_text(r, error);
}

arcl_status parse_source(const parse_means *means, struct arcl_source *src, arcl_dialect dialect, arcl_error *error) {
    reading *r = malloc(sizeof *r);
    if (!r) return NO_MEMORY(error);
    r->means = means;
    r->src = src;
    r->dialect = dialect;
    r->recognising = r->count = 0;
    r->own = (own_names){0};
    arcl_status status = dialect == ARCL_DIALECT_AUTO ? parse_recognising(r, error) : parse_text(r, error);
    if (status == ARCL_SUCCESS) status = join_parts(r, error);
    drop_parts(r);
    free(r);
    return status == ARCL_SUCCESS ? resolve_names(src, means->ops, error) : status;
}
