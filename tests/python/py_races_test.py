"""Eight threads of Python that do everything at once: compile, run on engines of their own and on a shared one, submit, score, trace, look
at results and reports, cancel. Values are compared with those of one thread; whether there are data races is for the thread sanitizer to
say: `tools/test --preset tsan -R py_` (docs/python.md)."""
import os
import pathlib
import threading
import unittest

from python_package import EXAMPLES, arcl

THREADS = 8
ROUNDS = 6
TEXT = (EXAMPLES / "programs.py").read_text()
TASKS = arcl.tasks(EXAMPLES / "tasks")
GRIDS = [example.input for task in TASKS.values() for example in task.examples]
FAILS = "def f(I):\n    return first(objects(I, T, F, T))\n"
EMPTY = ((0, 0), (0, 0))


def engine_of(threads):
    return arcl.Engine(device="host", threads=threads, profile="")


def together(work):
    """Lets all threads do `work(number)` at the same time; raises what one of them has raised."""
    start, raised = threading.Barrier(THREADS), []

    def guarded(number):
        start.wait()
        try:
            for round in range(ROUNDS):
                work(number, round)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=guarded, args=(n,)) for n in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


class Races(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.engine = engine_of(2)
        cls.programs = arcl.compile(TEXT, engine=cls.engine)
        cls.names = list(cls.programs)
        cls.expected = {name: list(p.map(GRIDS)) for name, p in cls.programs.items()}

    def name(self, number, round):
        return self.names[(number + 3 * round) % len(self.names)]

    def test_the_sanitizer_is_there_if_it_is_asked_for(self):
        if os.environ.get("ARCL_SANITIZER") != "thread":
            self.skipTest("this is no build with the thread sanitizer")
        self.assertIn("libtsan", pathlib.Path("/proc/self/maps").read_text())

    def test_compiling(self):
        """On a shared engine, and for another one."""
        other = engine_of(1)

        def work(number, round):
            name = self.name(number, round)
            programs = arcl.compile(TEXT, safe=bool(round % 2), engine=self.engine if number % 2 else other)
            self.assertEqual(programs[name].key, self.programs[name].key)
            self.assertEqual(programs[name].format(), self.programs[name].format())
            self.assertRaises(arcl.ProgramError, arcl.compile, f"def f(I):\n    return unknown{number}(I)\n", engine=other)

        together(work)

    def test_a_shared_engine(self):
        """One program, one batch, for all threads; failures are looked for while others run."""
        inputs = self.engine.inputs(GRIDS)
        fails = arcl.program(FAILS, engine=self.engine)

        def work(number, round):
            name = self.name(number, round)
            self.assertEqual(list(self.programs[name].map(inputs)), self.expected[name])
            self.assertEqual(self.programs[name](GRIDS[number], strict=False), self.expected[name][number])
            self.assertEqual(fails.map([EMPTY, ((0, 1),)]).failure(0).op, "first")
            self.assertEqual(len(self.programs[name].trace(GRIDS[number], engine=self.engine)) > 0, True)
            self.engine.report()

        self.engine.reporting = True
        together(work)
        self.engine.reporting = False

    def test_engines_of_their_own(self):
        """Programs of one text; every engine compiles them anew."""
        def work(number, round):
            mine = engine_of(1 + number % 2)
            many = {name: GRIDS for name in self.names[number % 3::3]}
            for name, out in self.programs.run(many, engine=mine).items():
                self.assertEqual(list(out), self.expected[name])

        together(work)

    def test_results_that_threads_share(self):
        results = {name: p.map(GRIDS) for name, p in self.programs.items()}

        def work(number, round):
            out = results[self.name(number, round)]
            self.assertEqual([out[i] for i in range(len(out))], self.expected[out.program])
            self.assertEqual(out.ok, sum(value is not None for value in self.expected[out.program]))

        together(work)

    def test_submitting(self):
        with engine_of(2) as engine:
            turn = arcl.program("def turn(I):\n    return rot90(I)\n", engine=engine)
            fails = arcl.program(FAILS, engine=engine)

            def work(number, round):
                futures = [engine.submit(turn, grid) for grid in GRIDS[:10]]
                failed = engine.submit(fails, EMPTY)
                if round % 2:
                    engine.flush()
                self.assertEqual([f.result(120) for f in futures], [tuple(zip(*grid[::-1])) for grid in GRIDS[:10]])
                self.assertRaises(arcl.LaneError, failed.result, 120)

            together(work)

    def test_scores_and_batteries(self):
        expected = arcl.score(self.programs, TASKS, engine=self.engine)
        battery = arcl.Battery(self.programs)

        def work(number, round):
            self.assertEqual(repr(arcl.score(self.programs, TASKS, engine=self.engine)), repr(expected))
            out = battery.run(GRIDS[:4], safe=bool(number % 2), engine=self.engine)
            self.assertEqual(len(out), len(self.names))

        together(work)

    def test_cancelling(self):
        """Some run, others end what runs; nothing is left over that would end the next run."""
        def work(number, round):
            if number % 4 == 0:
                self.engine.cancel()
                return
            try:
                self.assertEqual(list(self.programs[self.name(number, round)].map(GRIDS)), self.expected[self.name(number, round)])
            except arcl.Cancelled:
                pass

        together(work)

    def test_many_engines_come_and_go(self):
        def work(number, round):
            engine = engine_of(2)
            turned = arcl.program("def turn(I):\n    return rot90(I)\n", engine=engine).map(GRIDS[:3])
            del engine
            self.assertEqual(turned[0], tuple(zip(*GRIDS[0][::-1])))

        together(work)


if __name__ == "__main__":
    unittest.main()
