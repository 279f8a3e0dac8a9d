"""Arrays in and out: NumPy's where it is installed, and whatever else has the buffer protocol."""
import array
import unittest

from python_package import arcl, numpy

TURN = arcl.program("def turn(I):\n    return rot90(I)\n")
SHAPE = arcl.program("def f(I):\n    return shape(I)\n")


class Buffers(unittest.TestCase):
    def test_memoryviews(self):
        cells = memoryview(bytes(range(12))).cast("B", (2, 2, 3))
        out = TURN.map(cells)
        self.assertEqual(list(out), [((3, 0), (4, 1), (5, 2)), ((9, 6), (10, 7), (11, 8))])
        self.assertEqual(TURN(memoryview(bytes(range(4))).cast("B", (2, 2))), ((2, 0), (3, 1)))

    def test_wide_ints(self):
        wide = memoryview(array.array("q", range(4))).cast("B").cast("q", (1, 2, 2))
        self.assertEqual(TURN.map(wide)[0], ((2, 0), (3, 1)))

    def test_what_is_no_array_of_grids(self):
        flat = memoryview(bytes(4))
        self.assertRaisesRegex(arcl.InvalidError, "1 dimensions where one of 3", TURN.map, flat)
        self.assertRaisesRegex(arcl.InvalidError, "1 dimensions where one of 2", TURN, flat)
        self.assertRaisesRegex(TypeError, "array of ints", TURN.map, memoryview(array.array("d", [0.5])).cast("B").cast("d", (1, 1, 1)))

    def test_status_without_numpy_is_an_array_too(self):
        out = TURN.map([((1,),)])
        self.assertEqual((len(out.status), out.status[0]), (1, 0))


@unittest.skipUnless(numpy, "NumPy is not installed")
class Numpy(unittest.TestCase):
    def setUp(self):
        self.grids = numpy.random.default_rng(7).integers(0, 10, (50, 4, 6)).astype(numpy.int8)
        self.expected = numpy.rot90(self.grids, 3, (1, 2))

    def check(self, grids):
        out = TURN.map(grids).numpy()
        self.assertEqual((out.dtype, out.shape), (numpy.int8, (50, 6, 4)))
        numpy.testing.assert_array_equal(out, self.expected)

    def test_all_kinds_of_ints(self):
        for kind in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"):
            with self.subTest(kind=kind):
                self.check(self.grids.astype(kind))

    def test_layouts(self):
        self.check(numpy.asfortranarray(self.grids))
        self.check(numpy.repeat(self.grids, 2, axis=0)[::2])
        self.check(numpy.repeat(self.grids, 2, axis=2)[:, :, ::2])
        self.check(self.grids[::-1][::-1])
        self.check(numpy.pad(self.grids, ((0, 0), (1, 2), (3, 4)))[:, 1:-2, 3:-4])
        self.check(list(self.grids))

    def test_read_only_arrays(self):
        self.grids.flags.writeable = False
        self.check(self.grids)

    def test_cells_out_of_range(self):
        for value in (128, 200, 255):
            with self.subTest(value=value), self.assertRaisesRegex(arcl.InvalidError, f"{value} is outside"):
                TURN.map(numpy.full((1, 2, 2), value, numpy.uint8))
        self.assertRaises(arcl.InvalidError, TURN.map, numpy.full((1, 2, 2), -128, numpy.int8))
        self.assertRaises(arcl.InvalidError, TURN.map, numpy.full((1, 2, 2), 1 << 40))
        self.assertRaisesRegex(TypeError, "array of ints", TURN.map, self.grids.astype(float))

    def test_shapes_that_differ(self):
        out = TURN.map([((1, 2),), ((3,),)])
        self.assertRaisesRegex(arcl.InvalidError, r"pad=-1", out.numpy)
        self.assertEqual(out.numpy(pad=-1).tolist(), [[[1], [2]], [[3], [-1]]])

    def test_other_values(self):
        numpy.testing.assert_array_equal(SHAPE.map(self.grids).numpy(), [[4, 6]] * 50)
        self.assertEqual(arcl.program("def f(I):\n    return height(I)\n").map(self.grids).numpy().sum(), 200)
        self.assertEqual(arcl.program("def f(I):\n    return portrait(I)\n").map(self.grids).numpy().dtype, bool)
        self.assertRaisesRegex(arcl.InvalidError, "make no array", arcl.program(
            "def f(I):\n    return asindices(I)\n").map(self.grids).numpy)
        self.assertEqual(numpy.asarray(TURN.map(self.grids)).shape, (50, 6, 4))

    def test_failed_lanes(self):
        first = arcl.program("def f(I):\n    return subgrid(first(objects(I, T, F, T)), I)\n")
        out = first.map(numpy.array([[[0, 0], [0, 3]], [[0, 0], [0, 0]]], numpy.int8))
        self.assertEqual(out.status.tolist(), [0, 2])
        self.assertRaisesRegex(arcl.InvalidError, "1 lanes have failed", out.numpy)
        self.assertEqual(out.numpy(pad=-1).tolist(), [[[3]], [[-1]]])

    def test_one_grid(self):
        numpy.testing.assert_array_equal(TURN(self.grids[0]), self.expected[0])
        self.assertEqual(TURN([[numpy.int64(1), numpy.uint8(2)]]), ((1,), (2,)))


if __name__ == "__main__":
    if not numpy:
        print("NumPy is not installed: what needs it is skipped here; py_wheel_test.py installs it where it can")
    unittest.main()
