"""Grids as tuples and lists: what their cells may be, and that no short cut by which they are read or made changes a value."""
import collections
import random
import unittest

from python_package import arcl

SAME = arcl.program("def same(I):\n    return vmirror(vmirror(I))\n")


def grid_of(h, w, seed, cells=range(10)):
    chosen = random.Random(seed)
    return tuple(tuple(chosen.choice(cells) for _ in range(w)) for _ in range(h))


class Evil:
    """A cell that does something while it is asked for its value."""

    def __init__(self, action):
        self.action = action

    def __index__(self):
        self.action()
        return 1


class Cells(unittest.TestCase):
    def check(self, grids):
        expected = [tuple(tuple(int(cell) for cell in row) for row in grid) for grid in grids]
        self.assertEqual(list(SAME.map(grids)), expected)
        for grid, plain in zip(grids, expected):
            self.assertEqual(SAME(grid), plain)

    def test_every_width(self):
        for make in (tuple, list):
            self.check([make(make(row) for row in grid_of(h, w, h * w)) for w in range(1, 31) for h in (1, 2, 5)])

    def test_every_cell_at_every_place(self):
        for value in (-127, -1, 0, 9, 10, 15, 16, 17, 31, 99, 127):
            self.check([((0,) * at + (value,) + (1,) * (17 - at), (2,) * 18) for at in range(18)])

    def test_what_is_like_an_int(self):
        class Number(int):
            pass

        self.check([((True, False, Number(3)), (Number(100), 4, 5))])

    def test_ints_that_are_not_the_usual_objects(self):
        self.check([((int("1000") - 999, 2), (int("-5") + 5, int("90")))])

    def test_classes_that_are_derived_from_tuple_and_list(self):
        class Rows(tuple):
            pass

        class Row(list):
            pass

        pair = collections.namedtuple("pair", "a b")
        self.check([Rows([pair(1, 2), pair(3, 4)]), [Row([5, 6]), pair(7, 8)], arcl.Grid([(1, 2), (3, 4)])])

    def test_shapes_that_change_and_large_grids(self):
        shapes = [(2, 3)] * 40 + [(3, 2), (30, 30), (1, 1), (30, 30), (150, 150), (2, 9), (200, 1), (1, 200)] + [(30, 30)] * 40
        self.check([grid_of(h, w, n) for n, (h, w) in enumerate(shapes)])

    def test_equal_rows(self):
        rows = ((1, 2, 3), (1, 2, 3), (1, 2, 4), (1, 2, 3), (1, 2, 3))
        self.check([rows, rows[::-1], ((7,) * 30,) * 30])

    def test_references_are_counted(self):
        """Whether what comes out has its own: if not, the ints would be gone when the last grid is."""
        big = 120
        for _ in range(3000):
            out = SAME(((big, big, 5), (big, big, 5)))
            del out
        self.assertEqual(SAME(((big, 5),)), ((120, 5),))


class Wrong(unittest.TestCase):
    def test_cells(self):
        for cell in (128, -128, 1 << 70, -1 << 70):
            for place in range(9):
                row = (0,) * place + (cell,) + (0,) * (8 - place)
                self.assertRaisesRegex(arcl.InvalidError, "range", SAME, (row,))
                self.assertRaisesRegex(arcl.InvalidError, "range", SAME.map, [((0,) * 9,), (row,)])
        for cell in (None, "1", 1.0):
            self.assertRaises(TypeError, SAME, ((0, cell),))
            self.assertRaises(TypeError, SAME.map, [((0, 0),), ((0, cell),)])

    def test_rows(self):
        for grid in (((1, 2), (3,)), ((1, 2), 3), (1, 2), [[1], [2, 3]]):
            self.assertRaises(ValueError, SAME, grid)
            self.assertRaises(ValueError, SAME.map, [((1,),), grid])

    def test_lists_that_shrink_while_they_are_read(self):
        row, rows, grids = [], [], []
        for shrinking in (row, rows, grids):
            for call, argument in ((SAME.map, grids), (SAME, rows)):
                row[:] = [0] * 5 + [Evil(shrinking.clear)] + [0] * 6
                rows[:] = [row, [0] * 12]
                grids[:] = [rows, ((0,) * 12,)]
                try:
                    call(argument)
                except (ValueError, IndexError):
                    pass  # what is left is no grid any more


if __name__ == "__main__":
    unittest.main()
