"""Grids to try kernels on, the same ones each time."""
import random


def grids(lanes, size, seed=1, noise=True):
    """Grids that look like those of ARC: rectangles and some noise on a background."""
    r = random.Random(seed)
    made = []
    for _ in range(lanes):
        g = [[0] * size for _ in range(size)]
        for _ in range(r.randint(3, max(4, size // 2))):
            colour, high, wide = r.randint(1, 9), r.randint(1, max(2, size // 4)), r.randint(1, max(2, size // 4))
            top, left = r.randint(0, size - high), r.randint(0, size - wide)
            for i in range(high):
                g[top + i][left:left + wide] = [colour] * wide
        for _ in range(size if noise else 0):
            g[r.randrange(size)][r.randrange(size)] = r.randint(1, 9)
        made.append(g)
    return made
