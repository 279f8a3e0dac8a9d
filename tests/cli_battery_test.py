"""arcl battery, batteries as text, and --safe, on the built command."""
import json
import pathlib
import re
import unittest

from command import CommandTest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "examples" / "programs.py"
TASKS = ROOT / "examples" / "tasks"

BROKEN = """
def solve_b1660b1e(I):
    x1 = objects(I, T, F, T)
    x2 = first(sizefilter(x1, 1000))
    x3 = fill(I, x1, x1)
    x4 = unheard_of(x3)
    x5 = argmax(x1, size)
    return subgrid(x5, I)

def solve_5a3e51de(I):
    return rot90(I

def solve_fa11d043(I):
    return size(I)
"""


class Battery(CommandTest):
    def written(self, *arguments):
        return self.accepted("battery", *arguments, "--out", "battery.py"), (self.folder / "battery.py").read_text()

    def scores(self, *arguments):
        self.arcl("score", *arguments, "--tasks", TASKS, "--json", "scores.json")
        found = json.loads((self.folder / "scores.json").read_text())["programs"]
        return sorted((p["name"], p.get("right"), p.get("all"), [e["status"] for e in p.get("examples", [])]) for p in found)

    def test_scores_are_those_of_the_programs(self):
        self.written(PROGRAMS)
        for options in ([], ["--safe"], ["--chunk", "1"]):
            self.assertEqual(self.scores("battery.py", *options), self.scores(PROGRAMS, *options))

    def test_what_is_written(self):
        done, text = self.written(PROGRAMS)
        counts = re.search(r"^12 programs, 0 rejected: (\d+) ops, (\d+) after sharing; (\d+) steps, (\d+) after", done.stdout)
        self.assertTrue(counts, done.stdout)
        before, after, steps_before, steps_after = map(int, counts.groups())
        self.assertLess(after, before)
        self.assertLess(steps_after, steps_before)
        calls = re.findall(r"^    t\d+ = (.*)$", text, re.M)
        self.assertEqual(len(calls), after)
        self.assertEqual(len(set(calls)), after, "a call is written twice")
        self.assertEqual(len(re.findall(r"^    return solve_\w+: t\d+", text, re.M)), 12)

    def test_a_battery_of_a_battery_is_the_same(self):
        _, first = self.written(PROGRAMS)
        (self.folder / "first.py").write_text(first)
        _, second = self.written("first.py")
        self.assertEqual(first, second)

    def test_count_and_seed(self):
        def names(*options):
            return re.findall(r"return (\w+):", self.written(PROGRAMS, *options)[1])
        self.assertEqual(names("--count", "4"), names()[:4])
        self.assertEqual(len(set(names("--count", "5", "--seed", "1"))), 5)
        self.assertEqual(names("--count", "5", "--seed", "1"), names("--count", "5", "--seed", "1"))
        self.assertNotEqual(names("--count", "5", "--seed", "1"), names("--count", "5", "--seed", "2"))

    def test_what_nobody_uses_still_runs(self):
        self.write("unused.py", "def solve_b1660b1e(I):\n    x = first(sizefilter(objects(I, T, F, T), 1000))\n    return I\n")
        _, text = self.written("unused.py")
        self.assertRegex(text, r"return solve_b1660b1e: I, t3\n")
        self.assertEqual(self.scores("battery.py"), self.scores("unused.py"))
        self.assertEqual(set(self.scores("battery.py")[0][3]), {"EMPTY"})

    def test_broken_programs(self):
        self.write("broken.py", BROKEN)
        done = self.arcl("battery", "broken.py", "--out", "battery.py")
        self.assertEqual(done.returncode, 2)
        self.assertIn("3 programs, 3 rejected", done.stdout)
        self.assertIn("broken.py:12:", done.stderr)
        strict, safe = self.scores("broken.py"), self.scores("broken.py", "--safe")
        self.assertEqual([right for _, right, _, _ in strict], [0, 0, 0])
        self.assertEqual([(name, right) for name, right, _, _ in safe],
                         [("solve_5a3e51de", 0), ("solve_b1660b1e", 4), ("solve_fa11d043", 0)])
        self.assertEqual(set(safe[2][3]), {"TYPE"}, "it returns no grid")
        self.assertEqual(self.scores("battery.py", "--safe"), [score for score in safe if score[0] != "solve_5a3e51de"])

    def test_bad_usage(self):
        self.refused("battery", PROGRAMS, says=["--out is missing"])
        self.write("empty.py", "# nothing\n")
        self.refused("battery", "empty.py", "--out", "x.py", says=["no programs"])
        self.assertFalse((self.folder / "x.py").exists())


if __name__ == "__main__":
    unittest.main()
