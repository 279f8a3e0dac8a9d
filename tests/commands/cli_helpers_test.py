"""Programs that use other definitions of their file, and constants, through every command that reads programs."""
import json

from command import ROOT, CommandTest, main

TASKS = ROOT / "examples" / "tasks"

# The example program of this task, taken apart.
HELPERS = """from dsl import *
LINE = (1, 0)
lowest = rbind(argmax, lowermost)

def solve_fa11d043(I):
    x1 = objects(I, T, F, T)
    x2 = lowest(x1)
    x3 = remove(x2, x1)
    return repainted(I, x3, apply(FALL(x2), x3))

def repainted(grid, before, after):
    return paint(uncovered(grid, merge(before)), merge(after))

def uncovered(grid, patch):
    return cover(grid, patch)

def fallen(bar, thing):
    return shift(thing, gravitate(thing, bar))

FALL = lbind(lbind, fallen)
"""

PLAIN = """def solve_fa11d043(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, lowermost)
    x3 = remove(x2, x1)
    x4 = rbind(gravitate, x2)
    x5 = fork(shift, identity, x4)
    x6 = mapply(x5, x3)
    x7 = merge(x3)
    x8 = cover(I, x7)
    return paint(x8, x6)
"""


class Helpers(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("p.py", HELPERS)
        self.write("plain.py", PLAIN)

    def scored(self, *arguments):
        done = self.accepted("score", *arguments, "--tasks", TASKS, "--quiet")
        return done.stdout

    def test_they_are_no_programs(self):
        self.assertEqual(self.scored("plain.py"), "tasks 1/1 examples 3/3 errors 0\n")
        self.assertEqual(self.scored("p.py"), self.scored("plain.py"))
        done = self.arcl("score", "p.py", "--tasks", TASKS, "--all-pairs", "--json", "o.json")
        names = {entry["name"] for entry in json.loads((self.folder / "o.json").read_text())["programs"]}
        self.assertEqual((names, done.returncode), ({"solve_fa11d043"}, 1))
        self.write("used.py", PLAIN + "def solve_b1660b1e(I):\n    return solve_fa11d043(I)\n")
        done = self.arcl("score", "used.py", "--tasks", TASKS)
        self.assertEqual(done.stdout.splitlines()[-1], "tasks 1/2 examples 3/7 errors 0")

    def test_every_way_gives_the_same(self):
        right = self.scored("plain.py")
        self.assertEqual(self.scored("p.py", "--safe"), right)
        self.write("formatted.py", self.accepted("fmt", "p.py").stdout)
        self.assertEqual(self.scored("formatted.py"), right)
        self.assertEqual(self.accepted("fmt", "formatted.py").stdout, self.accepted("fmt", "p.py").stdout)
        self.accepted("battery", "p.py", "--out", "b.py")
        self.assertEqual(self.scored("b.py"), right)
        self.assertEqual(self.scored("b.py", "--battery"), right)
        for _ in range(2):
            self.assertEqual(self.scored("p.py", "--cache-dir", "kept"), right)
        self.accepted("run", "p.py", "--in", TASKS / "fa11d043.json")

    def test_another_body_is_another_program(self):
        """What is kept of a program is not taken for one whose helper differs."""
        self.scored("p.py", "--cache-dir", "kept")
        self.write("p.py", HELPERS.replace("gravitate(thing, bar)", "DOWN"))
        done = self.arcl("score", "p.py", "--tasks", TASKS, "--cache-dir", "kept")
        self.assertEqual(done.returncode, 1)

    def test_messages_say_who_uses_what(self):
        self.write("p.py", HELPERS.replace("cover(grid, patch)", "cover(grid, ONE)"))
        self.refused("score", "p.py", "--tasks", TASKS, says=[
            "p.py:15:12: cover: argument 2 is int", "(in what solve_fa11d043 uses)", "return cover(grid, ONE)"])
        self.write("p.py", HELPERS.replace("cover(grid, patch)", "repainted(grid, patch, patch)"))
        self.refused("score", "p.py", "--tasks", TASKS, says=[
            "recursion is not in the language: repainted calls uncovered, which calls repainted"])
        self.write("p.py", HELPERS.replace("def fallen(bar, thing)", "def fallen(bar, thing, more)"))
        self.refused("score", "p.py", "--tasks", TASKS, says=["takes"])

    def test_tokpidjin(self):
        self.write("t.py", "TURN = R4\n\ndef turned(g):\n    return mir_rot_t(g, TURN)\n\n"
                   "def solve_mine(S, I, C):\n    return turned(I)\n\ndef solve_each(S, I, C):\n"
                   "    x1 = apply(turned, (I, I))\n    return first_t(x1)\n")
        formatted = self.accepted("fmt", "t.py").stdout
        self.assertIn("def solve_mine(S, I, C):\n    x1 = mir_rot_t(I, 4)\n    return x1\n", formatted)
        done = self.arcl("fmt", "t.py", "--dialect", "arc-dsl")
        self.assertIn("rot90", done.stdout)
        self.assertIn("a definition that is used as a function is not translated", done.stderr)
        self.write("task.json", {"train": [{"input": [[1, 2], [3, 4]], "output": [[3, 1], [4, 2]]}], "test": []})
        for name in ("solve_mine", "solve_each"):
            self.accepted("run", "t.py", "--in", "task.json", "--program", name)

    def test_a_word_of_the_other_dialect_as_a_name(self):
        self.write("p.py", PLAIN.replace("merge(x3)", "merge_f(x3)") + "def merge_f(x):\n    return merge(x)\n")
        self.assertEqual(self.scored("p.py"), self.scored("plain.py"))


if __name__ == "__main__":
    main()
