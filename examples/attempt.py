"""A first attempt that does not solve its task: everything falls by one row. It shows what differences look like:

    build/arcl show examples/tasks/fa11d043.json examples/attempt.py
"""


def solve_fa11d043(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, lowermost)
    x3 = remove(x2, x1)
    x4 = merge(x3)
    O = move(I, x4, DOWN)
    return O
