"""arcl similar: the table, the JSON, grids of files, every variant, and what is refused."""
import json
import unittest

import pocl
from command import PROGRAM, ROOT, CommandTest

EXAMPLES = ROOT / "examples"
TURNED = {"input": [[1, 2], [3, 4]], "output": [[3, 1], [4, 2]]}
WIDE = {"input": [[5, 5, 5]], "output": [[5, 5, 6]]}
GOOD, OTHER = {"train": [TURNED], "test": [TURNED]}, {"train": [WIDE], "test": [{"input": [[7]]}]}


class Similar(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("good.py", PROGRAM)
        self.write("tasks/good.json", GOOD)
        self.write("tasks/other.json", OTHER)

    def entries(self, *arguments):
        """What --json says, after the same in a table that has a line for each entry."""
        done = self.accepted("similar", *arguments, "--json", "out.json")
        found = json.loads((self.folder / "out.json").read_text())
        self.assertEqual(len(done.stdout.splitlines()), len(found["nearest"]) + 2)
        return found

    def test_programs(self):
        found = self.entries("good.py", "--tasks", "tasks")
        self.assertEqual((found["outputs"], found["expected"], found["rejected"]), (4, 3, []))
        solved, other = found["nearest"]
        self.assertEqual(solved, {"outputs": "solve_good", "expected": "good", "mean": 1.0, "own": 1.0, "equal": 2, "grids": 2,
                                  "grid": {"output": "good train[0]", "expected": "train[0]", "cells": 4, "all_cells": 4,
                                           "same_shape": True}})
        # its own output is 5, 5, 5 in a column: one cell of five; 3, 1 and 7 have nothing of 5, 5, 6
        self.assertEqual(other, {"outputs": "solve_good", "expected": "other", "mean": 0.2, "own": 0.2, "equal": 0, "grids": 1,
                                 "grid": {"output": "other train[0]", "expected": "train[0]", "cells": 1, "all_cells": 5,
                                          "same_shape": False}})

    def test_the_table(self):
        done = self.accepted("similar", "good.py", "--tasks", "tasks", "--top", 1)
        self.assertEqual(done.stdout.splitlines()[1].split(),
                         "solve_good good 1.000 1.000 2/2 train[0] 4/4 from good train[0]".split())
        self.assertEqual(done.stdout.splitlines()[2], "compared 4 outputs with 3 expected grids by host on host")
        quiet = self.accepted("similar", "good.py", "--tasks", "tasks", "--quiet")
        self.assertEqual(quiet.stdout, "compared 4 outputs with 3 expected grids by host on host\n")

    def test_by_expected(self):
        self.write("two.py", PROGRAM + "def keep(I):\n    return I\n")
        found = self.entries("two.py", "--tasks", "tasks", "--by-expected", "--top", 1)
        self.assertEqual([(e["expected"], e["outputs"]) for e in found["nearest"]], [("good", "solve_good"), ("other", "keep")])
        self.assertAlmostEqual(found["nearest"][1]["own"], 2 / 3)

    def test_an_output_of_another_input_may_be_nearer(self):
        self.write("tasks/other.json", {"train": [{"input": [[1, 1], [1, 1]], "output": [[3, 1], [4, 0]]}]})
        entry = self.entries("good.py", "--tasks", "tasks")["nearest"][1]
        self.assertEqual((entry["mean"], entry["own"]), (0.75, 0.25))
        self.assertEqual(entry["grid"]["output"], "good train[0]")

    def test_lanes_that_fail_have_nothing_in_common(self):
        self.write("fails.py", "def f(I):\n    return crop(I, (0, 0), (height(first(objects(I, T, F, T))), 1))\n")
        found = self.entries("fails.py", "--tasks", "tasks/other.json")
        self.assertEqual((found["nearest"][0]["mean"], found["nearest"][0]["grid"]["cells"]), (0.0, 0))

    def test_files_of_grids(self):
        self.write("a.json", {"x": [{"attempt_1": [[1, 2]], "attempt_2": [[1], [3]]}], "y": [[0]]})
        self.write("b.json", [[[1, 2], [3, 4]], [[1, 0]]])
        found = self.entries("a.json", "b.json", "--top", 1)
        self.assertEqual([(e["outputs"], e["expected"], e["grid"]["cells"], e["grid"]["all_cells"], e["own"])
                          for e in found["nearest"]],
                         [("x[0].attempt_1", "[0]", 2, 4, None), ("x[0].attempt_2", "[0]", 2, 4, None), ("y", "[0]", 0, 4, None)])
        found = self.entries("a.json", "--tasks", "tasks", "--top", 1)
        self.assertEqual({e["expected"] for e in found["nearest"]}, {"good"})

    def test_a_rejected_program_does_not_stop_the_others(self):
        self.write("some.py", "def bad(I):\n    return undefined(I)\n" + PROGRAM)
        done = self.refused("similar", "some.py", "--tasks", "tasks", "--json", "out.json", says=["undefined"])
        found = json.loads((self.folder / "out.json").read_text())
        self.assertEqual([r["name"] for r in found["rejected"]], ["bad"])
        self.assertIn("solve_good", done.stdout)

    def test_what_is_refused(self):
        for arguments in (["good.py"], ["a.json"], ["good.py", "a.json", "--tasks", "tasks"], ["a.json", "b.json", "c.json"],
                          ["a.json", "b.json", "--tasks", "tasks"]):
            self.refused("similar", *arguments, says=["expected PROGRAMS.py"])
        self.refused("similar", "good.py", "--tasks", "tasks", "--variant", "best", says=["'best'", "auto, host, opencl, clblast"])
        self.refused("similar", "good.py", "--tasks", "tasks", "--device", "host", "--variant", "opencl",
                     says=["variant opencl cannot be had"])
        self.write("none.json", {"a": []})
        self.write("number.json", {"a": {"b": 3}})
        self.write("wrong.json", [[[1, 2], [3]]])
        self.write("broken.json", "[")
        for name, says in (("none", "no grids"), ("number", "a.b is 3; expected grids"), ("wrong", "[0][1] has 1 cells"),
                           ("broken", "cannot be read as JSON"), ("absent", "there is no such file")):
            self.refused("similar", f"{name}.json", "--tasks", "tasks", says=[f"{name}.json", says])
        self.write("blind/t.json", {"test": [{"input": [[1]]}]})
        self.refused("similar", "good.py", "--tasks", "blind", says=["no task has an output"])


class Variants(CommandTest):
    def test_all_agree(self):
        arguments = ["similar", str(EXAMPLES / "programs.py"), "--tasks", str(EXAMPLES / "tasks"), "--top", "12"]
        expected = self.accepted(*arguments).stdout.splitlines()
        self.assertEqual(len(expected), 2 + 12 * 12)
        if len(pocl.ids()) < 2:
            self.skipTest("PoCL is not installed, or arcl was built without OpenCL")
        for variant in ("opencl", "clblast"):
            with self.subTest(variant):
                done = pocl.run(*arguments, "--variant", variant)
                if "is not installed" in done.stderr:
                    self.skipTest(done.stderr)
                self.assertEqual(done.returncode, 0, done.stderr)
                lines = done.stdout.splitlines()
                self.assertEqual(lines[:-1], expected[:-1])
                self.assertEqual(lines[-1], f"compared 564 outputs with 47 expected grids by {variant} on cl:0")


if __name__ == "__main__":
    unittest.main()
