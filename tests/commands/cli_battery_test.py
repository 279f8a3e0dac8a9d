"""arcl battery, batteries as text, and --safe, on the built command."""
import json
import random
import re
import unittest

from command import ROOT, CommandTest

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

SEVERAL_FAILURES = """
def solve_b1660b1e(I):
    x1 = difference(I, I)
    x2 = add((2, 2), difference(x1, x1))
    x3 = outbox(x1)
    return difference(x1, x1)

def solve_fa11d043(S, I):
    x1 = first(difference(S, S))
    x2 = outbox(difference(I, I))
    x3 = upscale(I, 65000)
    return last(first(S))
"""

MUTANTS = 5000
STATUSES = {"OK", "TYPE", "EMPTY", "BOUNDS", "DIVIDE", "SHAPE", "LIMIT", "BUDGET"}
OTHER_WORDS = ["1000000000", "-1", "unheard_of", "I", "T", "(0, 0)", "()", "first", "size", "ORIGIN", "65000", "identity", "((", "I I"]


def mutant(source, chance, name):
    """A definition with one to three edits: a word replaced, an argument added, a line doubled or left out."""
    head, *body = source.rstrip().split("\n")
    for _ in range(chance.randint(1, 3)):
        line = chance.randrange(len(body))
        words = list(re.finditer(r"\w+", body[line]))
        word = chance.choice(words)
        other = chance.choice(OTHER_WORDS + re.findall(r"\w+", chance.choice(body)))
        edit = chance.random()
        if edit < 0.7:
            body[line] = body[line][:word.start()] + other + body[line][word.end():]
        elif edit < 0.85:
            body[line] = body[line][:word.end()] + ", " + other + body[line][word.end():]
        elif edit < 0.95 or len(body) == 1:
            body.insert(line, body[line])
        else:
            del body[line]
    return "\n".join([re.sub(r"def \w+", f"def {name}", head)] + body) + "\n\n"


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

    def test_of_several_failures_the_same_one_counts(self):
        self.write("several.py", SEVERAL_FAILURES)
        self.written("several.py")
        for options in ([], ["--safe"]):
            self.assertEqual(self.scores("battery.py", *options), self.scores("several.py", *options))

    def everything(self, *arguments):
        """All that is known of a run but how long it took, and how often each kernel was launched."""
        done = self.arcl("score", *arguments, "--tasks", TASKS, "--top", "3", "--json", "all.json", "--report")
        found = json.loads((self.folder / "all.json").read_text())
        launches = sum(op["launches"] for op in found.pop("report")["ops"])
        del found["seconds"]
        return {"status": done.returncode, "lines": done.stdout, **found}, launches

    def test_programs_of_the_same_lanes_run_as_a_battery(self):
        for options in ([], ["--safe"], ["--safe", "--threads", "1"], ["--chunk", "1"], ["--budget", "2000"], ["--cache-dir", "kept"]):
            with self.subTest(options):
                alone, launches = self.everything(PROGRAMS, "--all-pairs", *options)
                together, fewer = self.everything(PROGRAMS, "--all-pairs", "--battery", *options)
                self.assertEqual(alone, together)
                if options in (["--safe", "--threads", "1"], ["--chunk", "1"]):  # threads take smaller portions of it
                    self.assertLess(fewer, launches)

    def test_the_text_of_a_battery_runs_as_one(self):
        self.written(PROGRAMS)
        read, launches = self.everything("battery.py", "--all-pairs", "--safe", "--threads", "1")
        asked_for, as_many = self.everything(PROGRAMS, "--all-pairs", "--safe", "--battery", "--threads", "1")
        self.assertEqual(launches, as_many)
        self.assertEqual(read["lines"], asked_for["lines"])

    def test_programs_named_after_the_same_task(self):
        text = PROGRAMS.read_text()
        self.write("many.py", text + "".join(re.sub(r"def solve_", f"def other{i}_", text) for i in range(3)))
        alone, launches = self.everything("many.py", "--safe")
        together, fewer = self.everything("many.py", "--safe", "--battery")
        self.assertEqual(alone, together)
        self.assertLess(fewer, launches)

    def test_parameters_that_no_task_has(self):
        self.write("odd.py", "def pairs(S):\n    return first(first(S))\n\ndef both(S, I, C):\n    return I\n\n"
                             "def input(I):\n    return I\n")
        alone, _ = self.everything("odd.py", "--all-pairs")
        together, _ = self.everything("odd.py", "--all-pairs", "--battery")
        self.assertEqual(alone, together)
        self.assertIn("the parameters of a program are", alone["programs"][0]["error"])

    def test_mutants(self):
        chance = random.Random(5)
        sources = re.findall(r"^def .*\n(?:(?:    .*)?\n)+", PROGRAMS.read_text(), re.M)
        self.assertEqual(len(sources), 12)
        mutants = [mutant(chance.choice(sources), chance, f"mutant{i}") for i in range(MUTANTS)]
        mixed = [text for i, text in enumerate(mutants) for text in mutants[i:i + 1] + sources[i // 30:][:i % 30 == 0]]
        self.write("mutants.py", "\n".join(mixed))
        valid = {(p["name"], p["task"]): p for p in self.everything(PROGRAMS, "--all-pairs", "--safe")[0]["programs"]}
        for battery in ([], ["--battery"]):
            with self.subTest(battery):
                found, _ = self.everything("mutants.py", "--all-pairs", "--safe", "--budget", "1M", *battery)
                self.assertIn(found["status"], (1, 2), "not a crash")
                self.assertEqual(len(found["programs"]), (MUTANTS + 12) * 12)
                failures = 0
                for p in found["programs"]:
                    self.assertNotEqual(p["error"] is None, p["examples"] == [], "either examples or a reason")
                    self.assertLessEqual({e["status"] for e in p["examples"]}, STATUSES)
                    failures += any(e["status"] != "OK" for e in p["examples"])
                    if not p["name"].startswith("mutant"):
                        expected = valid[p["name"], p["task"]]
                        self.assertEqual((p["examples"], p["words"]), (expected["examples"], expected["words"]))
                self.assertGreater(failures, 100)
                self.assertGreater(sum(p["error"] is not None for p in found["programs"]), 100)

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
        self.assertIn("broken.py:11:17:", done.stderr)
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
