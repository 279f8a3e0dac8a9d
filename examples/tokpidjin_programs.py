"""Some programs of examples/programs.py in the words of the tokpidjin dialect. Score them with

    build/arcl score examples/tokpidjin_programs.py --tasks examples/tasks
"""


# Objects: the number of o_g says which; a rank of 0 is the largest.
def solve_b1660b1e(S, I, C):
    x1 = o_g(I, R5)
    x2 = get_arg_rank_f(x1, size, F0)
    O = subgrid(x2, I)
    return O


# Symmetry: the number of mir_rot_t says which.
def solve_5a3e51de(S, I, C):
    x1 = mir_rot_t(I, R2)
    x2 = asobject(x1)
    O = underpaint(I, x2)
    return O


# Cells are (i, j, c), so the colour comes last.
def solve_9a77e243(S, I, C):
    x1 = asobject(I)
    x2 = rbind(get_nth_f, L1)
    x3 = matcher(x2, BLACK)
    x4 = compose(flip, x3)
    x5 = sfilter_f(x1, x4)
    x6 = hperiod(x5)
    x7 = width_t(I)
    x8 = interval(ZERO, x7, x6)
    x9 = apply_t(tojvec, x8)
    x10 = lbind(shift, x5)
    x11 = mapply(x10, x9)
    O = paint(I, x11)
    return O


# Functions: what is portrait is turned upside down, anything else is mirrored.
def solve_e17e2042(S, I, C):
    x1 = portrait_t(I)
    x2 = branch(x1, hmirror_t, vmirror_t)
    O = x2(I)
    return O
