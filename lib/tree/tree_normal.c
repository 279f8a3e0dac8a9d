/* The normal form of a tree, as a tree. Searches ask for it millions of times, so that what most trees need of it is
 * done here, on flat arrays: lib/language/normal.h says what it is, and lib/language/normal.c makes it where a tree has
 * lines that its result does not need. tests/lib/tree_test.c compares the two. */
#include <string.h>

#include "base/error.h"
#include "language/normal.h"
#include "tree/tree.h"

#define MOST_LINES 127
#define SLOTS 256 /* more than twice as many, so that a line is found at once */
#define COORDINATES (1 << 23)

typedef struct forming {
    const arcl_tree *of;
    arcl_tree *made;          /* whose lines come in the order of `of` first */
    int lines, items;         /* so far */
    arcl_operand *stands_for; /* of each line of `of`: what it is */
    uint8_t slot[SLOTS];      /* lines that were made, hashed: number + 1, or 0 */
} forming;

static arcl_operand resolved(const forming *f, arcl_operand o) {
    return o.kind == ARCL_OPERAND_LINE ? f->stands_for[o.number] : o;
}

static int is_coordinate(arcl_operand o) {
    return o.kind == ARCL_OPERAND_INT && o.number > -COORDINATES && o.number < COORDINATES;
}

static uint64_t hash_line(int is_tuple, const arcl_operand *item, int count) {
    uint64_t h = (uint64_t)is_tuple;
    for (int i = 0; i < count; i++) {
        h ^= (uint64_t)item[i].kind << 60 ^ (uint64_t)(uint32_t)item[i].second << 32 ^ (uint32_t)item[i].number;
        h *= 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h >> 32;
}

/* The line of these operands, which stand behind all others: one that there is already, or this. */
static arcl_operand add_line(forming *f, int is_tuple, int count) {
    arcl_operand *item = f->made->item + f->items;
    uint64_t h = hash_line(is_tuple, item, count);
    for (; f->slot[h % SLOTS]; h++) {
        const tree_line *l = &f->made->line[f->slot[h % SLOTS] - 1];
        int same = l->count == count && l->is_tuple == is_tuple;
        for (int k = 0; k < count && same; k++) same = same_operand(f->made->item[l->first + (uint32_t)k], item[k]);
        if (same) return operand_of_line(f->slot[h % SLOTS] - 1);
    }
    f->slot[h % SLOTS] = (uint8_t)(f->lines + 1);
    f->made->line[f->lines] = (tree_line){(uint32_t)f->items, (uint16_t)count, (uint8_t)is_tuple};
    f->items += count;
    return operand_of_line(f->lines++);
}

static arcl_operand form_line(forming *f, const tree_line *l) {
    arcl_operand *item = f->made->item + f->items;
    int count = l->count, is_tuple = l->is_tuple;
    for (int i = 0; i < count; i++) item[i] = resolved(f, f->of->item[l->first + (uint32_t)i]);
    if (!is_tuple && item[0].kind == ARCL_OPERAND_OP) {
        int op = callable_op(dialect_first(f->of->dialect) + item[0].number);
        if (op == OP_identity && count == 2) return item[1];
        if (op == OP_astuple && count == 3) {
            is_tuple = 1;
            count = 2;
            item[0] = item[1];
            item[1] = item[2];
        }
    }
    if (is_tuple && count == 2 && is_coordinate(item[0]) && is_coordinate(item[1]))
        return (arcl_operand){ARCL_OPERAND_PAIR, item[0].number, item[1].number};
    return add_line(f, is_tuple, count);
}

/* Puts the lines in the order in which the result needs them. Returns 0 if it does not need all. */
static int order_lines(const forming *f, int *number, tree_line *ordered) {
    arcl_tree *t = f->made;
    int stack[MOST_LINES], depth = 0, written = 0;
    uint16_t next[MOST_LINES] = {0}; /* the item that was not looked at yet */
    for (int i = 0; i < f->lines; i++) number[i] = -1;
    if (t->result.kind == ARCL_OPERAND_LINE) stack[depth++] = t->result.number;
    while (depth) { /* each line stands after all that it needs, items from left to right */
        int line = stack[depth - 1], found = -1;
        const tree_line *l = &t->line[line];
        while (next[line] < l->count && found < 0) {
            const arcl_operand *o = &t->item[l->first + next[line]++];
            if (o->kind == ARCL_OPERAND_LINE && number[o->number] < 0) found = o->number;
        }
        if (found >= 0)
            stack[depth++] = found;
        else {
            ordered[written] = *l;
            number[line] = written++;
            depth--;
        }
    }
    return written == f->lines;
}

/* 1, or 0: the tree is not of those that can be done here; -1: there is no memory. */
static int form_quickly(pool *memory, const arcl_tree *t, arcl_tree *made) {
    int number[MOST_LINES], items = 0;
    arcl_operand stands_for[MOST_LINES];
    if (t->lines > MOST_LINES) return 0;
    for (int i = 0; i < t->lines; i++) items += t->line[i].count;
    tree_line *ordered = pool_take(memory, 2 * (size_t)(t->lines + 1) * sizeof *ordered);
    *made = *t;
    made->item = pool_take(memory, (size_t)(items + 1) * sizeof *made->item);
    if (!ordered || !made->item) return -1;
    made->line = ordered + t->lines + 1;
    forming f = {.of = t, .made = made, .stands_for = stands_for};
    for (int i = 0; i < t->lines; i++) stands_for[i] = form_line(&f, &t->line[i]);
    made->result = resolved(&f, t->result);
    if (!order_lines(&f, number, ordered)) return 0;
    for (int i = 0; i < f.items; i++)
        if (made->item[i].kind == ARCL_OPERAND_LINE) made->item[i].number = number[made->item[i].number];
    if (made->result.kind == ARCL_OPERAND_LINE) made->result.number = number[made->result.number];
    made->line = ordered;
    made->lines = f.lines;
    made->items = f.items;
    return 1;
}

/* By the definition that it is. */
static int form_by_definition(pool *memory, const arcl_tree *t, arcl_tree *made) {
    const definition *d = tree_definition(memory, t), *form = d ? normal_form(memory, d) : NULL;
    int lines = form ? form->variables - form->parameters : 0;
    *made = *t;
    made->lines = made->items = 0;
    made->line = form ? pool_take(memory, (size_t)(lines + 1) * sizeof *made->line) : NULL;
    made->item = form ? pool_take(memory, ((size_t)d->expressions + 1) * sizeof *made->item) : NULL;
    made->line_room = lines + 1;
    made->item_room = form ? (int)d->expressions + 1 : 0;
    return made->line && made->item && tree_read_form(made, form, NULL) == ARCL_SUCCESS ? 1 : -1;
}

const arcl_tree *tree_normal(pool *memory, const arcl_tree *t) {
    arcl_tree *made = pool_take(memory, sizeof *made);
    if (!made) return NULL;
    int done = form_quickly(memory, t, made);
    if (!done) done = form_by_definition(memory, t, made);
    return done > 0 ? made : NULL;
}
