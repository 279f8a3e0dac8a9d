"""Nothing grows with the number of calls: memory is looked at before and after many of them. CALLS says how many."""
import gc
import os
import sys
import unittest

from python_package import arcl

CALLS = int(os.environ.get("CALLS", 60000))
ALLOWED = 3 << 20  # bytes: of allocators that have not settled
GRID = ((0, 1, 1), (0, 0, 1), (2, 0, 0))


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Leaks(unittest.TestCase):
    def check(self, action, times):
        for _ in range(times // 10):
            action()
        gc.collect()
        before = resident()
        for _ in range(times):
            action()
        gc.collect()
        self.assertLess(resident() - before, ALLOWED)

    def test_calls(self):
        engine = arcl.Engine(device="host", threads=1, profile="")
        objects = arcl.program("def f(I):\n    return objects(I, T, F, T)\n", engine=engine)
        turn = arcl.program("def f(I):\n    return rot90(I)\n", engine=engine)
        self.check(lambda: (turn(GRID), objects(GRID)), CALLS // 2)

    def test_failures(self):
        engine = arcl.Engine(device="host", threads=1, profile="")
        first = arcl.program("def f(I):\n    return first(objects(I, T, F, T))\n", engine=engine)

        def failing():
            for wrong in (((0,),), "text", ((1, 2), (3,)), ((1000,),)):
                try:
                    first(wrong)
                except (arcl.Error, TypeError):
                    continue
                self.fail("nothing was raised")

        self.check(failing, CALLS // 30)

    def test_maps(self):
        engine = arcl.Engine(device="host", threads=2, profile="")
        turn = arcl.program("def f(I):\n    return rot90(I)\n", engine=engine)
        grids = [GRID] * 50
        self.check(lambda: list(turn.map(grids)), CALLS // 50)

    def test_texts_batteries_and_scores(self):
        engine = arcl.Engine(device="host", threads=2, profile="")
        task = {"train": [{"input": GRID, "output": GRID}]}

        def all_of_it():
            programs = arcl.compile("def f_a(I):\n    return rot90(I)\ndef g(I):\n    return objects(I, T, F, T)\n", engine=engine)
            arcl.Battery(programs).run([GRID], engine=engine)
            arcl.score(programs, {"a": task}, engine=engine)
            arcl.compile("def f(I):\n    return nothing(I)\n", strict=False, engine=engine)
            engine.report()

        self.check(all_of_it, CALLS // 100)

    def test_engines(self):
        def one():
            with arcl.Engine(device="host", threads=1, profile="") as engine:
                engine.submit(arcl.program("def f(I):\n    return rot90(I)\n", engine=engine), GRID).result()

        self.check(one, CALLS // 2000)


if __name__ == "__main__":
    if "san.so" in os.environ.get("LD_PRELOAD", ""):
        print("skipped: a sanitizer keeps memory that was freed")
        sys.exit(77)
    unittest.main()
