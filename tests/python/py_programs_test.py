"""Programs in Python: where they come from, how they are called, what their errors say, and that they can be pickled."""
import doctest
import importlib
import os
import pathlib
import pickle
import pkgutil
import subprocess
import sys
import tempfile
import traceback
import types
import unittest

from python_package import EXAMPLES, ROOT, arcl

TURN = "def turn(I):\n    return rot90(I)\n"
GRID = ((1, 2), (3, 4))


def mirrored(I):
    x1 = vmirror(I)  # noqa: F821
    return x1


class Sources(unittest.TestCase):
    def test_file(self):
        programs = arcl.load(EXAMPLES / "programs.py")
        self.assertEqual(len(programs), 12)
        self.assertEqual(list(programs)[0], programs[0].name)
        self.assertEqual(programs.errors, {})
        self.assertIn("12 programs", repr(programs))
        self.assertIn("solve_2ec01042", programs._repr_html_())

    def test_several_files_and_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "solve_0a1b2c3d").mkdir()
            (pathlib.Path(folder) / "solve_0a1b2c3d" / "first.def").write_text("def solve(S, I, C):\n    return vmirror(I)\n")
            (pathlib.Path(folder) / "other.py").write_text(TURN)
            programs = arcl.load([folder, EXAMPLES / "programs.py"])
        self.assertEqual(len(programs), 14)
        self.assertEqual(programs["solve_0a1b2c3d"](GRID), ((2, 1), (4, 3)))

    def test_an_empty_folder_is_refused(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(arcl.InvalidError, "no programs in this folder"):
            arcl.load(folder)

    def test_module(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "my_solvers.py").write_text("from math import *\n\n" + TURN)
            sys.path.insert(0, folder)
            try:
                programs = arcl.from_module(importlib.import_module("my_solvers"))
            finally:
                sys.path.remove(folder)
                del sys.modules["my_solvers"]
        self.assertEqual(programs["turn"](GRID), ((3, 1), (4, 2)))

    def test_function_objects(self):
        self.assertEqual(arcl.program(mirrored)(GRID), ((2, 1), (4, 3)))
        self.assertEqual(list(arcl.compile([mirrored])), ["mirrored"])
        self.assertRaisesRegex(arcl.InvalidError, "lambda", arcl.compile, lambda I: I)
        self.assertRaisesRegex(arcl.InvalidError, "not to be had", arcl.compile, len)

    def test_a_name_that_is_not_there(self):
        with self.assertRaisesRegex(KeyError, "did you mean turn"):
            arcl.compile(TURN)["turm"]


class Calls(unittest.TestCase):
    def test_tuples_and_lists(self):
        turn = arcl.program(TURN)
        self.assertEqual(turn(GRID), ((3, 1), (4, 2)))
        self.assertEqual(turn([[1, 2], [3, 4]]), ((3, 1), (4, 2)))
        self.assertIsInstance(turn(GRID), tuple)
        self.assertEqual(turn.result_type, "grid")

    def test_several_arguments_of_types_that_are_found_out(self):
        fill = arcl.program("def f(g, c, p):\n    return fill(g, c, p)\n")
        self.assertEqual(fill(GRID, 9, frozenset({(0, 1)})), ((1, 9), (3, 4)))
        self.assertEqual(list(fill.map([GRID, GRID], [8, 9], [{(0, 0)}, {(1, 1)}])), [((8, 2), (3, 4)), ((1, 2), (3, 9))])
        self.assertEqual(fill.with_types("grid", "int", "{cell}")(GRID, 7, {(1, (1, 0))}), ((1, 2), (7, 4)))

    def test_arguments_that_a_program_does_not_use(self):
        solve = arcl.program("def solve(S, I, C):\n    return vmirror(I)\n")
        self.assertEqual(solve([(GRID, GRID)], GRID, None), ((2, 1), (4, 3)))
        self.assertEqual(solve(GRID), ((2, 1), (4, 3)))
        last = arcl.program("def solve(S, I):\n    return last(first(S))\n")
        self.assertEqual(last([(GRID, ((5,),))], GRID), ((5,),))

    def test_wrong_arguments(self):
        turn = arcl.program(TURN)
        for _ in range(2):  # when it is compiled, and when it was
            self.assertRaisesRegex(TypeError, "takes 1 arguments", turn, GRID, GRID)
            self.assertRaisesRegex(TypeError, "cannot be an argument", turn, "text")
            self.assertRaisesRegex(TypeError, "cannot be an argument", turn, None)
            self.assertRaisesRegex(arcl.InvalidError, "row 2 has 1 cells", turn, ((1, 2), (3,)))
            self.assertRaisesRegex(arcl.InvalidError, "300 is outside", turn, ((1, 300),))
            self.assertRaisesRegex(arcl.InvalidError, "outside the range", turn, ((1, 10 ** 30),))
            self.assertEqual(turn(GRID), ((3, 1), (4, 2)))
        self.assertRaisesRegex(arcl.InvalidError, "for 1 lanes, the first one for 2", arcl.program(
            "def f(a, b):\n    return add(a, b)\n").map, [1, 2], [3])

    def test_a_value_that_contains_itself(self):
        endless = []
        endless.append(endless)
        with self.assertRaises((arcl.InvalidError, RecursionError)):
            arcl.program("def f(a):\n    return size(a)\n", types=["[[int]]"])(endless)

    def test_failures_are_data_or_raised(self):
        first = arcl.program("def f(I):\n    return first(objects(I, T, F, T))\n")
        empty = ((0, 0), (0, 0))
        with self.assertRaisesRegex(arcl.LaneError, "f has failed in lane 0: EMPTY") as caught:
            first(empty)
        self.assertEqual(caught.exception.status, "EMPTY")
        self.assertIsNone(first(empty, strict=False))
        out = first.map([empty, ((1, 0), (0, 0))])
        self.assertEqual(list(out.status), [2, 0])
        self.assertEqual(out[-1], frozenset({(1, (0, 0))}))
        self.assertIsNone(out[0])
        self.assertEqual(out.failure(0).status, "EMPTY")
        self.assertIsNone(out.failure(1))
        self.assertEqual(len(out.failures()), 1)
        self.assertIn("1 failed", repr(out))
        self.assertIn("EMPTY", out._repr_html_())
        self.assertRaises(arcl.LaneError, first.map, [empty], strict=True)
        self.assertRaises(IndexError, lambda: out[2])
        safe = first.with_policy(True).map([empty])
        self.assertEqual((safe[0], safe.mishaps(0)), (frozenset(), 1))

    def test_where_a_lane_has_failed(self):
        text = "def f(I):\n    x1 = objects(I, T, F, T)\n    x2 = compose(first, delta)\n    x3 = apply(x2, x1)\n    return x3\n"
        grid = ((1, 1, 1, 0), (1, 0, 1, 0), (1, 1, 1, 0), (0, 0, 0, 5))
        program = arcl.program(text, name="mine.py")
        found = program.map([((0, 0), (0, 0)), grid]).failure(1)
        with self.assertRaises(arcl.LaneError) as caught:
            program(grid)
        together = arcl.Battery([program]).run([grid])["f"].failure(0)
        for failure in (found, caught.exception.failure, pickle.loads(pickle.dumps(found)), together):
            self.assertEqual((failure.status, failure.op, failure.line), ("EMPTY", "first", 4))
            self.assertEqual([(level.kind, level.count) for level in failure.levels], [("element", 4)])
            self.assertIn("mine.py:4:", str(failure))
            self.assertIn("^", str(failure))
        typed = arcl.program("def f(a, b):\n    return divide(a, b)\n")
        self.assertEqual(typed.map([7, 7], [2, 0]).failure(1).op, "divide")

    def test_traces(self):
        text = "def f(I):\n    x1 = objects(I, T, F, T)\n    x2 = lbind(shift, x1)\n    x3 = first(x1)\n    return subgrid(x3, I)\n"
        steps = arcl.program(text).trace(((0, 0), (0, 7)))
        self.assertEqual([(s.name, s.line, s.note) for s in steps],
                         [("x1", 2, ""), ("x2", 3, "a function"), ("x3", 4, ""), ("return", 5, "")])
        self.assertEqual((steps[2].value, steps[3].value), (frozenset({(7, (1, 1))}), ((7,),)))
        self.assertIn("return subgrid(x3, I)", repr(steps))
        failing = arcl.program(text).trace(((0, 0), (0, 0)))
        self.assertEqual((failing[-1].text, failing[-1].failure.status, failing[-1].failure.line), ("first(x1)", "EMPTY", 4))
        self.assertIn("first(x1)", failing._repr_html_())
        self.assertIn("EMPTY", repr(failing))
        self.assertIn("<svg", steps._repr_html_())

    def test_traces_of_other_programs(self):
        mapped = arcl.program("def f(I):\n    x = objects(I, T, F, T)\n    y = apply(size, x)\n    return maximum(y)\n")
        self.assertEqual(mapped.trace(((3, 0), (0, 7)))[1].elements, ((frozenset({(3, (0, 0))}), 1), (frozenset({(7, (1, 1))}), 1)))
        typed = arcl.program("def f(a, b):\n    x = add(a, b)\n    return double(x)\n")
        self.assertEqual([s.value for s in typed.trace(2, 3)], [5, 10])
        self.assertEqual([s.value for s in typed.with_types("int", "int").trace(2, 3)], [5, 10])
        self.assertRaises(TypeError, mapped.trace, ((1,),), ((2,),))
        safe = arcl.program("def f(I):\n    x = first(objects(I, T, F, T))\n    return size(x)\n", safe=True)
        self.assertEqual([s.failure for s in safe.trace(((0, 0),))], [None, None])

    def test_normal_form(self):
        one, other = arcl.program(TURN), arcl.program("def f(I):\n    y = rot90(I)\n    return y\n")
        self.assertEqual(one.key, other.key)
        self.assertEqual(one.format(), "def turn(I):\n    x1 = rot90(I)\n    return x1\n")

    def test_no_lanes(self):
        self.assertEqual(len(arcl.program(TURN).map([])), 0)

    def test_generators(self):
        self.assertEqual(len(arcl.program(TURN).map(GRID for _ in range(3))), 3)


class Errors(unittest.TestCase):
    BAD = "def good(I):\n    return I\n\ndef bad(I):\n    x1 = objcts(I, T, F, T)\n    return x1\n"

    def test_file_line_and_caret(self):
        with self.assertRaises(arcl.ProgramError) as caught:
            arcl.compile(self.BAD, name="mine.py")
        error = caught.exception
        self.assertEqual((error.filename, error.lineno, error.offset), ("mine.py", 5, 10))
        self.assertEqual(error.text, "    x1 = objcts(I, T, F, T)")
        shown = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        self.assertIn('File "mine.py", line 5', shown)
        self.assertIn("x1 = objcts(I, T, F, T)\n", shown)
        self.assertIn("^", shown)
        self.assertIn("did you mean objects", str(error))
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))

    def test_others_are_not_spoiled(self):
        programs = arcl.compile(self.BAD, strict=False)
        self.assertEqual(list(programs), ["good"])
        self.assertEqual(list(programs.errors), ["bad"])
        with self.assertRaises(arcl.ProgramError):
            programs["bad"]

    def test_lines_of_functions_are_those_of_their_file(self):
        def broken(I):
            return nothing_of_the_kind(I)  # noqa: F821
        with self.assertRaises(arcl.ProgramError) as caught:
            arcl.compile(broken)
        self.assertEqual(caught.exception.filename, __file__)
        self.assertEqual(caught.exception.lineno, broken.__code__.co_firstlineno + 1)

    def test_engines_that_cannot_be(self):
        self.assertRaisesRegex(arcl.InvalidError, "no amount of memory", arcl.Engine, memory="much")
        self.assertRaises(arcl.Error, arcl.Engine, device="cl:99", profile="")
        self.assertRaisesRegex(arcl.InvalidError, "no dialect", arcl.compile, TURN, dialect="latin")


class Engines(unittest.TestCase):
    def test_plans(self):
        solve = arcl.load(EXAMPLES / "programs.py")["solve_2ec01042"]
        engine = arcl.Engine(profile="")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "gpu.json")
            subprocess.run([sys.executable, ROOT / "tests" / "support" / "synthetic_profile.py", path], check=True)
            few, many = engine.explain(solve, lanes=10, profile=path), engine.explain(solve, lanes=100000, profile=path)
            sampled = engine.explain(solve, lanes=10, profile=path, grids=[((0, 1), (1, 1))])
        self.assertEqual((few.device, few.lanes, many.device), ("host", 10, "cl:0"))
        self.assertGreater(many.predicted, few.predicted)
        self.assertEqual(sampled.info["sampled"], 1)
        self.assertIn("10 lanes run on host", repr(few))
        self.assertIn("objects", few._repr_html_())
        self.assertRaises(arcl.Error, engine.explain, solve)  # there is no profile

    def test_reports(self):
        engine = arcl.Engine(device="host", report=True)
        turn = arcl.program(TURN, engine=engine)
        turn.map([GRID] * 5)
        row = next(row for row in engine.report().ops if row["op"] == "rot90")
        self.assertEqual((row["device"], row["lanes"]), ("host", 5))
        self.assertIn("rot90", repr(engine.report()))
        self.assertIn("rot90", engine.report()._repr_html_())
        engine.reset_report()
        self.assertEqual(engine.report().ops, [])
        self.assertIn("not timed", repr(arcl.Engine(device="host").report()))

    def test_devices(self):
        host = arcl.Engine(profile="").devices()[0]
        self.assertEqual((host.id, host.kind, host.state), ("host", "host", "ready"))
        self.assertIn("Device host", repr(host))

    def test_cache(self):
        with tempfile.TemporaryDirectory() as folder:
            for hits in (0, 1):
                engine = arcl.Engine(device="host", cache=folder)
                arcl.program(TURN, engine=engine).map([GRID])
                engine.flush()
                self.assertEqual(engine.report().cache["lane_hits"], hits)

    def test_inputs(self):
        engine = arcl.Engine(device="host")
        inputs = engine.inputs([GRID] * 3)
        turn = arcl.program(TURN, engine=engine)
        self.assertEqual(list(turn.map(inputs)), [((3, 1), (4, 2))] * 3)
        self.assertEqual(list(arcl.Battery([turn], engine=engine).run(inputs)["turn"]), [((3, 1), (4, 2))] * 3)
        self.assertRaisesRegex(arcl.InvalidError, "another engine", turn.map, inputs, engine=arcl.Engine(device="host"))
        self.assertRaisesRegex(arcl.InvalidError, "cannot run on inputs of int", turn.map, engine.inputs([1, 2]))
        found = arcl.compile(TURN + "def same(I):\n    return I\n").run({"turn": [GRID], "same": [GRID] * 2}, engine=engine)
        self.assertEqual({name: len(out) for name, out in found.items()}, {"turn": 1, "same": 2})

    def test_many_in_one_go(self):
        engine = arcl.Engine(device="host")
        programs = arcl.compile(TURN + "def none(I):\n    return first(objects(I, T, F, F))\n", engine=engine)
        found = programs.run({"none": engine.inputs([((),)]), "turn": [GRID]}, engine=engine)
        self.assertEqual(list(found), ["none", "turn"])
        self.assertIs(found["turn"], found["turn"])
        self.assertEqual(found["none"].failure(0).op, programs["none"].map([((),)]).failure(0).op)
        self.assertEqual(found, {"none": [None], "turn": [((3, 1), (4, 2))]})
        self.assertRaises(KeyError, lambda: found["other"])
        self.assertRaises(KeyError, programs.run, {"other": [GRID]})

    def test_many_on_inputs_that_are_ready(self):
        engine, other = arcl.Engine(device="host"), arcl.Engine(device="host")
        grids, ints = engine.inputs([GRID] * 2), engine.inputs([1, 2])
        programs = arcl.compile("def f(I):\n    return I\n" + TURN + "def f(I):\n    return hmirror(I)\n", engine=engine)
        found = programs.run({"turn": grids, "f": grids}, engine=engine)
        self.assertEqual(list(found), ["turn", "f"])
        self.assertEqual(found, {"turn": [((3, 1), (4, 2))] * 2, "f": [((3, 4), (1, 2))] * 2})  # of two f, the last
        programs = arcl.compile(TURN + "def same(I):\n    return I\n", engine=engine)
        found = programs.run({"same": grids, "turn": grids}, engine=engine)
        self.assertEqual(list(found.items()), [("same", [GRID] * 2), ("turn", [((3, 1), (4, 2))] * 2)])
        self.assertIs(found["turn"], found["turn"])
        self.assertEqual(programs.run({"turn": grids}, engine=engine), {"turn": [((3, 1), (4, 2))] * 2})
        self.assertRaises(KeyError, lambda: programs.run({"turn": grids}, engine=engine)["same"])
        self.assertRaises(KeyError, programs.run, {"turn": grids, "other": grids}, engine=engine)
        self.assertRaisesRegex(arcl.InvalidError, "cannot run on inputs of int", programs.run, {"turn": ints}, engine=engine)
        self.assertRaisesRegex(arcl.InvalidError, "another engine", programs.run, {"turn": grids}, engine=other)

    def test_a_budget(self):
        engine = arcl.Engine(device="host", budget=100)
        out = arcl.program("def f(I):\n    return product(asindices(I), asindices(I))\n").map([((1,) * 20,) * 20], engine=engine)
        self.assertEqual(out.failure(0).status, "BUDGET")


class Pickling(unittest.TestCase):
    def test_programs(self):
        programs = arcl.load(EXAMPLES / "programs.py")
        again = pickle.loads(pickle.dumps(programs))
        self.assertEqual(list(again), list(programs))
        one = pickle.loads(pickle.dumps(programs["solve_2ec01042"]))
        self.assertEqual(one.key, programs["solve_2ec01042"].key)
        self.assertEqual(one(((0, 1), (1, 1))), programs["solve_2ec01042"](((0, 1), (1, 1))))
        self.assertEqual(pickle.loads(pickle.dumps(arcl.Grid(GRID))), GRID)


class Fallbacks(unittest.TestCase):
    TEXT = "def own(I):\n    x1 = twofold(I)\n    O = upscale(x1, TWO)\n    return O\n\ndef usual(I):\n    return I\n"

    def setUp(self):
        self.module = types.ModuleType("own_dsl")
        self.module.TWO = 2
        self.module.twofold = lambda g: tuple(tuple(2 * c for c in r) for r in g)
        self.module.upscale = lambda g, n: tuple(tuple(c for c in r for _ in range(n)) for r in g for _ in range(n))

    def test_never_silently(self):
        self.assertRaisesRegex(arcl.ProgramError, "twofold", arcl.compile, self.TEXT)
        self.assertEqual(list(arcl.compile(self.TEXT, strict=False).errors), ["own"])

    def test_where_it_is_asked_for(self):
        engine = arcl.Engine(device="host")
        programs = arcl.compile(self.TEXT, fallback=self.module, engine=engine)
        self.assertEqual([p.name for p in programs.fallbacks], ["own"])
        self.assertIn("in Python: arcl knows no twofold", repr(programs["own"]))
        self.assertEqual(programs["own"](((1,),)), ((2, 2), (2, 2)))
        out = programs["own"].map([((1,),), None])
        self.assertEqual((out[0], out[1]), (((2, 2), (2, 2)), None))
        self.assertIn("TypeError", str(out.failure(1)))
        self.assertRaises(arcl.LaneError, programs["own"], None)
        row = engine.report().python[0]
        self.assertEqual((row["program"], row["calls"], row["failures"]), ("own", 4, 2))
        self.assertIn("ran in Python", repr(engine.report()))

    def test_a_module_without_the_function_does_not_help(self):
        del self.module.twofold
        self.assertRaises(arcl.ProgramError, arcl.compile, self.TEXT, fallback=self.module)

    def test_scores(self):
        task = {"train": [{"input": [[1]], "output": [[2, 2], [2, 2]]}], "test": [{"input": [[3]]}]}
        text = self.TEXT.replace("own", "solve_a").replace("usual", "solve_b")
        programs = arcl.compile(text, fallback=self.module)
        table = arcl.score(programs, {"a": task, "b": task}, all_pairs=True)
        self.assertEqual(table.solved, {"a": ["solve_a"], "b": ["solve_a"]})
        self.assertEqual(table.submission()["b"][0]["attempt_1"], [[6, 6], [6, 6]])


class Documentation(unittest.TestCase):
    def test_doctests(self):
        tried = 0
        for module in ["arcl"] + [f"arcl.{m.name}" for m in pkgutil.iter_modules(arcl.__path__) if not m.name.startswith("_")]:
            done = doctest.testmod(importlib.import_module(module))
            self.assertEqual(done.failed, 0)
            tried += done.attempted
        self.assertGreater(tried, 20)

    def test_every_public_name_says_what_it_is(self):
        for name in arcl.__all__:
            self.assertTrue(name == "STATUSES" or getattr(arcl, name).__doc__, name)

    def test_stub_has_what_the_extension_has(self):
        stub = (pathlib.Path(arcl.__file__).parent / "_arcl.pyi").read_text()
        missing = [name for name in dir(arcl._arcl) if not name.startswith("_") and name not in stub]
        self.assertEqual(missing, [])
        for kind in ("Context", "Source", "Compiled", "Batch", "Result", "Battery", "Accumulator"):
            for name in vars(getattr(arcl._arcl, kind)):
                self.assertTrue(name.startswith("_") or name in stub, f"{kind}.{name}")


if __name__ == "__main__":
    os.environ.pop("PYTHONSTARTUP", None)
    unittest.main()
