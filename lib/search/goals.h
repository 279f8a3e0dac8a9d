/* Stages c and d, what their files share: grids of the outputs' shapes, to draw on, and pieces, which are calls that
 * draw something that is right as far as it goes. */
#ifndef ARCL_GOALS_H
#define ARCL_GOALS_H
#include "search/cell_masks.h"
#include "search/targets.h"

typedef struct base { /* a grid of the outputs' shapes in every train example */
    arcl_tree *tree;
    int cost;
    int wrong_count;
    mask_word *wrong;      /* cells that are not as expected */
    mask_word *background; /* cells of its most frequent colour, which underfill and underpaint draw on */
} base;

typedef enum piece_kind { PIECE_FILL, PIECE_FILL_BY_VALUE, PIECE_PAINT } piece_kind;

typedef struct piece {
    piece_kind kind;
    int colour;
    arcl_tree *tree; /* of the patch; of PIECE_FILL_BY_VALUE a tuple of the colour and the patch */
    int cost;
    mask_word *covered;
} piece;

#define MAX_BASES 24
#define MAX_PIECES 2000

typedef struct goals {
    target_set targets;
    mask_layout masks;
    int is_same_shape; /* the inputs have the outputs' shapes */
    base base[MAX_BASES];
    int bases;
    key_table known_bases;
    piece *piece;
    int pieces, stacked; /* the latter: of these, that were stacked already, */
    int stacked_bases;   /* on so many bases */
    key_table known_pieces;
    key_table ints;     /* kept ints, by their train lanes */
    mask_word *scratch; /* room for several masks */
    int int_shelf, best_cells;
} goals;

#define SCRATCH_MASKS 6
static inline mask_word *scratch_mask(const goals *g, int n) { return g->scratch + (size_t)n * (size_t)g->masks.words; }

/* The value's key over the train lanes alone. */
uint64_t train_key(const search_state *s, uint32_t value);

/* The tree, with that result, is an answer of the goals, whatever stage has made the value that it lacked. */
ARCL_CHECKED arcl_status try_goal(search_state *s, arcl_tree *tree, arcl_operand result, arcl_error *error);

/* draw_goals.c: a patch that is new. */
ARCL_CHECKED arcl_status check_patch(search_state *s, uint32_t value, arcl_error *error);
/* recolour_goals.c: a grid of the outputs' shapes that is new. */
ARCL_CHECKED arcl_status check_recolouring(search_state *s, uint32_t value, const arcl_grid *grids, arcl_error *error);

/* pieces.c: keeps what can be stacked. */
ARCL_CHECKED arcl_status pieces_add(search_state *s, uint32_t value, piece_kind kind, int colour, uint32_t colour_value,
                                    const mask_word *covered, arcl_error *error);
ARCL_CHECKED arcl_status bases_add(search_state *s, uint32_t value, const arcl_grid *grids, arcl_error *error);
/* Puts the call that draws after a grid. */
ARCL_CHECKED arcl_status piece_draw(const search_state *s, const arcl_tree *patch, piece_kind kind, int colour,
                                    arcl_tree *tree, arcl_operand *grid, arcl_error *error);
void pieces_free(goals *g);

#endif
