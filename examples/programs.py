"""Programs that solve the tasks in examples/tasks, each showing another part of the language. Score them with

    build/arcl score examples/programs.py --tasks examples/tasks
"""


# Objects: cut out the largest one.
def solve_b1660b1e(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    O = subgrid(x2, I)
    return O


# Symmetry: what is drawn on the left appears on the right, mirrored. underpaint leaves what is there already.
def solve_5a3e51de(I):
    x1 = vmirror(I)
    x2 = asobject(x1)
    O = underpaint(I, x2)
    return O


# Gravity: everything falls onto the bar at the bottom. The bar is captured by the function that is mapped.
def solve_fa11d043(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, lowermost)
    x3 = remove(x2, x1)
    x4 = rbind(gravitate, x2)
    x5 = fork(shift, identity, x4)
    x6 = mapply(x5, x3)
    x7 = merge(x3)
    x8 = cover(I, x7)
    O = paint(x8, x6)
    return O


# Counting: one cell for every object, in a row.
def solve_c0047a11(I):
    x1 = objects(I, T, F, T)
    x2 = size(x1)
    x3 = astuple(ONE, x2)
    x4 = leastcolor(I)
    O = canvas(x4, x3)
    return O


# Patterns: go on to the right edge. The period is measured; the object is painted again at each multiple of it.
def solve_9a77e243(I):
    x1 = asobject(I)
    x2 = matcher(first, ZERO)
    x3 = compose(flip, x2)
    x4 = sfilter(x1, x3)
    x5 = hperiod(x4)
    x6 = width(I)
    x7 = interval(ZERO, x6, x5)
    x8 = apply(tojvec, x7)
    x9 = lbind(shift, x4)
    x10 = mapply(x9, x8)
    O = paint(I, x10)
    return O


# Recolouring: an object's colour is the number of its cells.
def solve_2ec01042(I):
    x1 = objects(I, T, F, T)
    x2 = fork(recolor, size, identity)
    x3 = mapply(x2, x1)
    O = paint(I, x3)
    return O


# A choice between functions: a tall grid is turned upside down, a wide one left to right.
def solve_e17e2042(I):
    x1 = portrait(I)
    x2 = branch(x1, hmirror, vmirror)
    O = x2(I)
    return O


# A computed count: a quarter turn for every grey cell.
def solve_74244590(I):
    x1 = colorcount(I, FIVE)
    x2 = power(rot90, x1)
    O = x2(I)
    return O


# Lines: join the two cells of each colour. Functions made of functions, applied to one object per colour.
def solve_c0442ec7(I):
    x1 = fgpartition(I)
    x2 = fork(connect, ulcorner, lrcorner)
    x3 = fork(recolor, color, x2)
    x4 = mapply(x3, x1)
    O = paint(I, x4)
    return O


# Filtering by size: single cells are noise.
def solve_de401500(I):
    x1 = objects(I, T, F, T)
    x2 = sizefilter(x1, ONE)
    x3 = merge(x2)
    O = cover(I, x3)
    return O


# Filtering by a condition: black areas that do not touch the border are filled.
def solve_f1110e5d(I):
    x1 = objects(I, T, F, F)
    x2 = colorfilter(x1, ZERO)
    x3 = rbind(bordering, I)
    x4 = compose(flip, x3)
    x5 = mfilter(x2, x4)
    O = fill(I, FOUR, x5)
    return O


# Searching: mark every object that looks like a given shape, wherever it is. A literal tuple of pairs is a patch.
def solve_f14d5a3e(I):
    x1 = ((0, 0), (0, 1), (1, 1), (1, 2))
    x2 = recolor(TWO, x1)
    x3 = objects(I, T, F, T)
    x4 = matcher(normalize, x2)
    x5 = mfilter(x3, x4)
    O = fill(I, EIGHT, x5)
    return O
