/* Puts values that are used once where they are used. Lines of text can be nested only so deep, and have only so many
 * values in one expression: what would go beyond that keeps its variable. */
#include "language/normal.h"

/* Well within what the parser takes (parser.c: MAX_DEPTH and `pending`). */
#define MOST_NESTED 100
#define MOST_PENDING 400

typedef struct variable {
    int uses;
    expression *value; /* with what was put into it */
    int inlined;
    int nested, pending; /* of the value: calls in calls, and values that are waiting while the last one is read */
    int32_t number;      /* the variable that it becomes; parameters stay what they are */
} variable;

static void count_uses(const definition *d, variable *v) {
    for (const statement *s = d->first; s; s = s->next) {
        if (s->value->kind == E_NAME) v[s->value->number].uses++;
        for (int i = 0; i < s->value->count; i++)
            if (s->value->item[i]->kind == E_NAME) v[s->value->item[i]->number].uses++;
    }
}

static int fits(const variable *v, int before) {
    return v->uses == 1 && v->value && v->nested < MOST_NESTED && v->pending + before < MOST_PENDING;
}

static expression *renamed(pool *memory, const expression *name, const variable *v) {
    expression *e = pool_get(memory, sizeof *e);
    if (!e) return NULL;
    *e = *name;
    e->number = v->number;
    return e;
}

/* The value of a statement, with the values of its items put in. Those come before it, so they are final. */
static int build(pool *memory, variable *all, variable *v, const expression *e) {
    v->value = pool_get(memory, sizeof *v->value);
    if (!v->value) return 0;
    *v->value = *e;
    v->pending = e->count;
    if (!e->count) return 1;
    v->value->item = pool_get(memory, e->count * sizeof *v->value->item);
    if (!v->value->item) return 0;
    for (int i = 0; i < e->count; i++) {
        variable *part = e->item[i]->kind == E_NAME ? &all[e->item[i]->number] : NULL;
        if (part && fits(part, i)) {
            part->inlined = 1;
            if (part->nested >= v->nested) v->nested = part->nested + 1;
            if (part->pending + i > v->pending) v->pending = part->pending + i;
        }
        v->value->item[i] = part && part->inlined ? part->value : e->item[i];
    }
    return 1;
}

/* Gives the variables that are left their numbers, in order. */
static int rename_items(pool *memory, const variable *all, expression *e) {
    for (int i = 0; i < e->count; i++) {
        expression *item = e->item[i];
        if (item->kind == E_NAME && !(e->item[i] = renamed(memory, item, &all[item->number]))) return 0;
        if (item->count && !rename_items(memory, all, item)) return 0;
    }
    return 1;
}

static int add_statement(pool *memory, statement ***tail, int32_t target, expression *value) {
    statement *s = pool_get(memory, sizeof *s);
    if (!s) return 0;
    s->target = target;
    s->value = value;
    **tail = s;
    *tail = &s->next;
    return 1;
}

static int write_statements(pool *memory, const definition *normal, variable *all, definition *made) {
    statement **tail = &made->first;
    for (const statement *s = normal->first; s; s = s->next) {
        variable *v = s->target < 0 ? NULL : &all[s->target];
        expression *value = v ? v->value : s->value;
        if (v && v->inlined) continue;
        if (!v && value->kind == E_NAME) {
            variable *result = &all[value->number];
            value = result->inlined ? result->value : renamed(memory, value, result);
        }
        if (!value || !rename_items(memory, all, value)) return 0;
        if (v) v->number = made->variables++;
        if (!add_statement(memory, &tail, v ? v->number : -1, value)) return 0;
    }
    return 1;
}

const definition *normal_inline(pool *memory, const definition *normal) {
    variable *all = pool_get(memory, (size_t)(normal->variables + 1) * sizeof *all);
    definition *made = pool_get(memory, sizeof *made);
    if (!all || !made) return NULL;
    *made = *normal;
    made->variables = normal->parameters;
    made->first = NULL;
    for (int i = 0; i < normal->parameters; i++) all[i].number = i;
    count_uses(normal, all);
    for (const statement *s = normal->first; s; s = s->next) {
        if (s->target >= 0 && !build(memory, all, &all[s->target], s->value)) return NULL;
        if (s->target < 0 && s->value->kind == E_NAME && fits(&all[s->value->number], 0))
            all[s->value->number].inlined = 1;
    }
    return write_statements(memory, normal, all, made) ? made : NULL;
}
