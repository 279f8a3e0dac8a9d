/* Libraries as JSON. Patterns are definitions, so that the language is all that one has to know to read them, and ops
 * are named. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tree/library.h"

#define FORMAT "arcl library"
#define VERSION 1
#define MOST_COUNT ((json_int_t)1 << 31)

/* ---- writing ---- */

/* What jansson makes of NULL is NULL: so it is enough to look at the end. */
static json_t *pattern_json(arcl_context *context, const kept_pattern *p, arcl_error *error) {
    char *text, type[100];
    json_t *holes = json_array();
    if (arcl_tree_format(context, p->tree, "pattern", ARCL_DIALECT_AUTO, 1, &text, NULL, error) != ARCL_SUCCESS) {
        json_decref(holes);
        return NULL;
    }
    for (int i = 0; i < p->holes; i++)
        json_array_append_new(holes, json_string(arcl_type_text(p->hole[i], type, sizeof type)));
    json_t *made = json_pack("{s:s, s:o, s:s, s:I}", "text", text, "holes", holes, "result",
                             arcl_type_text(p->result, type, sizeof type), "count", (json_int_t)p->count);
    arcl_text_free(text);
    return made;
}

static json_t *operand_json(arcl_dialect dialect, arcl_operand o) {
    switch (o.kind) {
    case ARCL_OPERAND_INT: return json_integer(o.number);
    case ARCL_OPERAND_BOOL: return json_boolean(o.number);
    case ARCL_OPERAND_PAIR: return json_pack("[ii]", (int)o.number, (int)o.second);
    default: return json_string(arcl_dialect_op_get(dialect, o.number).name);
    }
}

static json_t *use_json(arcl_dialect dialect, const arcl_use *u) {
    return json_pack("{s:s, s:i, s:s, s:o, s:I}", "op", arcl_dialect_op_get(dialect, u->op).name, "argument",
                     u->argument, "is", u->is_made ? "made by" : "value", "value", operand_json(dialect, u->value),
                     "count", (json_int_t)u->count);
}

static int add_patterns(arcl_context *context, const arcl_library *l, json_t *patterns, arcl_error *error) {
    for (int i = 0; i < l->patterns; i++)
        if (json_array_append_new(patterns, pattern_json(context, &l->pattern[i], error))) return 0;
    return 1;
}

static int add_uses(const arcl_library *l, json_t *uses) {
    for (int i = 0; i < l->uses; i++)
        if (json_array_append_new(uses, use_json(l->dialect, &l->use[i]))) return 0;
    return 1;
}

arcl_status arcl_library_write(arcl_context *context, const arcl_library *library, char **text, size_t *length,
                               arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(library);
    NEED(text);
    *text = NULL;
    json_t *patterns = json_array(), *uses = json_array();
    int complete = add_patterns(context, library, patterns, error) && add_uses(library, uses);
    json_t *root = json_pack("{s:s, s:i, s:s, s:i, s:o, s:o}", "format", FORMAT, "version", VERSION, "dialect",
                             arcl_dialect_name(library->dialect), "programs", library->programs, "patterns", patterns,
                             "uses", uses);
    if (root && complete) *text = json_dumps(root, JSON_INDENT(1));
    json_decref(root);
    if (!*text) return NO_MEMORY(error);
    if (length) *length = strlen(*text);
    return ARCL_SUCCESS;
}

/* ---- reading ---- */

typedef struct reader {
    arcl_context *context;
    arcl_library *library;
    arcl_error *error;
} reader;

static arcl_status wrong(const reader *r, const char *what, size_t index) {
    return error_set(r->error, ARCL_INVALID, "%s %zu is none of a library", what, index);
}

static int read_count(const json_t *from, uint32_t *count) {
    json_int_t number = json_integer_value(json_object_get(from, "count"));
    *count = (uint32_t)number;
    return number > 0 && number < MOST_COUNT;
}

static int read_type(const json_t *from, arcl_type *type) {
    *type = arcl_type_parse(json_string_value(from));
    return *type != 0;
}

static arcl_status read_tree(const reader *r, const char *text, arcl_tree **tree) {
    arcl_source *source;
    PROPAGATE(
        arcl_source_parse_dialect(r->context, text, strlen(text), "pattern", r->library->dialect, &source, r->error));
    arcl_status status = ARCL_INVALID;
    if (arcl_source_count(source) == 1)
        status = arcl_tree_from_source(r->context, source, 0, tree, r->error);
    else
        error_set(r->error, status, "a pattern is one definition");
    arcl_source_free(source);
    return status;
}

static arcl_status read_pattern(const reader *r, const json_t *from, size_t index) {
    kept_pattern p = {0};
    const json_t *holes = json_object_get(from, "holes");
    const char *text = json_string_value(json_object_get(from, "text"));
    size_t count = json_array_size(holes);
    int right = json_object_size(from) == 4 && text && count && count <= ARCL_PATTERN_HOLES &&
                read_count(from, &p.count) && read_type(json_object_get(from, "result"), &p.result);
    p.holes = (int)count;
    for (size_t i = 0; i < count && right; i++) right = read_type(json_array_get(holes, i), &p.hole[i]);
    if (!right) return wrong(r, "pattern", index);
    PROPAGATE(read_tree(r, text, &p.tree));
    arcl_status status = ARCL_SUCCESS;
    if (strncmp(p.tree->letter, PATTERN_LETTERS, count) != 0 || p.tree->parameters != p.holes)
        status = wrong(r, "pattern", index);
    if (status == ARCL_SUCCESS) status = arcl_tree_key(r->context, p.tree, &p.key, r->error);
    if (status == ARCL_SUCCESS && !library_count_pattern(r->library, p)) status = NO_MEMORY(r->error);
    if (status != ARCL_SUCCESS) arcl_tree_free(p.tree);
    return status;
}

static int is_small(json_int_t number) { return number > -(1 << 23) && number < 1 << 23; }

static int read_op(const reader *r, const json_t *from, int *number) {
    *number = arcl_operand_op(r->library->dialect, json_string_value(from)).number;
    return *number >= 0;
}

static int read_operand(const reader *r, const json_t *from, arcl_operand *o) {
    const json_t *first = json_array_get(from, 0), *second = json_array_get(from, 1);
    json_int_t number = json_integer_value(json_is_array(from) ? first : from), other = json_integer_value(second);
    *o = (arcl_operand){ARCL_OPERAND_INT, (int32_t)number, 0};
    if (json_is_integer(from)) return number >= INT32_MIN && number <= INT32_MAX;
    if (json_is_boolean(from)) {
        *o = (arcl_operand){ARCL_OPERAND_BOOL, json_is_true(from), 0};
        return 1;
    }
    if (json_is_array(from)) {
        *o = (arcl_operand){ARCL_OPERAND_PAIR, (int32_t)number, (int32_t)other};
        return json_array_size(from) == 2 && json_is_integer(first) && json_is_integer(second) && is_small(number) &&
               is_small(other);
    }
    o->kind = ARCL_OPERAND_OP;
    return read_op(r, from, &o->number);
}

static arcl_status read_use(const reader *r, const json_t *from, size_t index) {
    arcl_use u = {0};
    const char *is = json_string_value(json_object_get(from, "is"));
    json_int_t argument = json_integer_value(json_object_get(from, "argument"));
    u.argument = (int)argument;
    u.is_made = is && strcmp(is, "made by") == 0;
    int right = json_object_size(from) == 5 && is && (u.is_made || strcmp(is, "value") == 0) &&
                json_is_integer(json_object_get(from, "argument")) && argument >= 0 && argument < ARCL_TREE_ARGUMENTS &&
                read_count(from, &u.count) && read_op(r, json_object_get(from, "op"), &u.op) &&
                read_operand(r, json_object_get(from, "value"), &u.value) &&
                (!u.is_made || u.value.kind == ARCL_OPERAND_OP);
    if (!right) return wrong(r, "use", index);
    return library_count_use(r->library, u) ? ARCL_SUCCESS : NO_MEMORY(r->error);
}

static arcl_status read_all(reader *r, const json_t *root) {
    const json_t *patterns = json_object_get(root, "patterns"), *uses = json_object_get(root, "uses"), *one;
    const char *format = json_string_value(json_object_get(root, "format"));
    json_int_t programs = json_integer_value(json_object_get(root, "programs"));
    const char *dialect_name = json_string_value(json_object_get(root, "dialect"));
    int dialect = arcl_dialect_find(dialect_name ? dialect_name : "");
    size_t i;
    if (!format || strcmp(format, FORMAT) != 0) return error_set(r->error, ARCL_INVALID, "this is no library");
    if (json_integer_value(json_object_get(root, "version")) != VERSION)
        return error_set(r->error, ARCL_INVALID, "a library of another version than %d", VERSION);
    if ((dialect != ARCL_ARC_DSL && dialect != ARCL_TOKPIDJIN) || programs < 1 || programs >= MOST_COUNT ||
        !json_is_array(patterns) || !json_is_array(uses) || json_object_size(root) != 6)
        return error_set(r->error, ARCL_INVALID, "a library has a dialect, programs, patterns and uses");
    if (!(r->library = library_create((arcl_dialect)dialect))) return NO_MEMORY(r->error);
    r->library->programs = (int)programs;
    json_array_foreach(patterns, i, one) PROPAGATE(read_pattern(r, one, i));
    json_array_foreach(uses, i, one) PROPAGATE(read_use(r, one, i));
    library_sort(r->library);
    return ARCL_SUCCESS;
}

arcl_status arcl_library_read(arcl_context *context, const char *text, size_t length, const char *name,
                              arcl_library **library, arcl_error *error) {
    error_clear(error);
    NEED(context);
    NEED(text);
    NEED(library);
    *library = NULL;
    arcl_error why = {{0}};
    json_error_t where;
    reader r = {.context = context, .error = &why};
    errno = 0;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
    arcl_status status = ARCL_INVALID;
    if (!root && errno == ENOMEM) return NO_MEMORY(error); /* where jansson blames the text, if anything */
    if (root)
        status = read_all(&r, root);
    else
        error_set(&why, status, "line %d: %s", where.line, where.text);
    json_decref(root);
    if (status == ARCL_SUCCESS) {
        *library = r.library;
        return ARCL_SUCCESS;
    }
    arcl_library_free(r.library);
    return error_set(error, status, "%s: %s", name ? name : "library", why.message);
}
