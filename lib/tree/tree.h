/* Trees from inside: lines over one array of operands. A line's operands are neighbours in it, what is called first;
 * where in the array they are means nothing, so that putting a line in moves no operands but renames some. */
#ifndef ARCL_TREE_INSIDE_H
#define ARCL_TREE_INSIDE_H
#include "arcl.h"
#include "language/syntax.h"

typedef struct tree_line {
    uint32_t first;   /* its operands: item[first], .. */
    uint16_t count;   /* with what is called */
    uint8_t is_tuple; /* nothing is called */
} tree_line;

struct arcl_tree {
    arcl_dialect dialect;
    int parameters;
    char letter[MAX_PARAMETERS + 1]; /* of each parameter */
    int lines, items;
    int line_room, item_room;
    arcl_operand result;
    tree_line *line;    /* one allocation, with the operands behind */
    arcl_operand *item; /* those of lines that were taken out stay until the tree is copied */
};

static inline int same_operand(arcl_operand a, arcl_operand b) {
    return a.kind == b.kind && a.number == b.number && a.second == b.second;
}

static inline arcl_operand operand_of_line(int line) { return (arcl_operand){ARCL_OPERAND_LINE, line, 0}; }

/* Room for so many lines and operands more; 0 when there is no memory. */
int tree_reserve(arcl_tree *t, int lines, int items);

/* A line of operands that are right, before line `before`, for which there is room. */
void tree_put(arcl_tree *t, int before, int is_tuple, const arcl_operand *item, int count);

/* An equal line before line `before`, or -1. */
int tree_find(const arcl_tree *t, int before, int is_tuple, const arcl_operand *item, int count);

/* Takes the line out, with `instead` in its place, which is right there. */
void tree_take_out(arcl_tree *t, int line, arcl_operand instead);

/* arcl_tree_graft of what is right. number[i], for all lines up to `line`, is what line i of `from` has become; -1: it
 * is not needed. */
ARCL_CHECKED arcl_status tree_graft(arcl_tree *t, int before, const arcl_tree *from, int line, int *number,
                                    arcl_error *error);

/* Its normal form, in the pool's memory, to be read alone; NULL when there is none. */
const arcl_tree *tree_normal(pool *memory, const arcl_tree *t);

/* Adds the lines of a normal form, and its result, to a tree of the same parameters without lines. */
ARCL_CHECKED arcl_status tree_read_form(arcl_tree *t, const definition *form, arcl_error *error);

/* The tree as a definition without positions, in the pool's memory; NULL when there is none. */
const definition *tree_definition(pool *memory, const arcl_tree *t);

#endif
