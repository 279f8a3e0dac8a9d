"""What `arcl score` makes of scores: train and test, behaviours, --top, --submission, --solutions, --json; being
interrupted.

Fingerprints are compared with a model of what docs/scoring.md says, and runs on PoCL's devices with those on the host.
"""
import functools
import json
import os
import signal
import subprocess
import time

import pocl
from command import ARCL, ROOT, CommandTest, main

EXAMPLES = ROOT / "examples"


TURN, FAIL = "return rot90(I)", "return canvas(divide(1, 0), (2, 2))"
HALF = "x1 = equality(I, ((1, 2), (3, 4))); x2 = branch(x1, rot90, rot180); return x2(I)"  # only the first train pair


def program(name, body):
    """A definition of these statements, which are separated by semicolons."""
    return f"def {name}(I):\n" + "".join(f"    {line.strip()}\n" for line in body.split(";")) + "\n"


def pair(grid, output=None):
    return {"input": grid, "output": output} if output else {"input": grid}


def task(train, test):
    return {"train": [pair(*p) for p in train], "test": [pair(*p) for p in test]}


A, B, C = [[1, 2], [3, 4]], [[5, 6], [7, 8]], [[1, 2, 3]]


def turned(grid):
    return [list(row) for row in zip(*grid[::-1])]


def turning(tests=((C,),)):
    """A task that rot90 solves; its test inputs have outputs only if they are given."""
    return task([(A, turned(A)), (B, turned(B))], tests)


# ---- the model of fingerprints ----

MASK, FACTOR = (1 << 64) - 1, 0xd6e8feb86659fd93
STATUSES = ["OK", "TYPE", "EMPTY", "BOUNDS", "DIVIDE", "SHAPE", "LIMIT", "BUDGET"]
GRID = 7


def fold(h, word):
    h ^= word & MASK
    h = (h ^ h >> 32) * FACTOR & MASK
    h = (h ^ h >> 32) * FACTOR & MASK
    return h ^ h >> 32


def fold_run(h, words):
    chained = len(words) // 4 * 4 if len(words) >= 8 else 0
    if chained:
        chains = [h + n & MASK for n in range(4)]
        for n in range(chained):
            chains[n % 4] = fold(chains[n % 4], words[n])
        h = functools.reduce(fold, chains)
    return functools.reduce(fold, words[chained:], h)


def fingerprint(status, grid):
    h = fold(0, STATUSES.index(status))
    if status != "OK":
        return h
    h = fold(fold(h, GRID), len(grid) << 16 | len(grid[0]) if grid else 0)
    cells = bytes(cell for row in grid for cell in row)
    words = [int.from_bytes(cells[at:at + 8], "little") for at in range(0, len(cells), 8)]
    whole = len(cells) // 8
    return functools.reduce(fold, words[whole:], fold_run(h, words[:whole]))


class ScoreTest(CommandTest):
    def programs(self, **bodies):
        self.write("p.py", "".join(program(name, body) for name, body in bodies.items()))

    def score(self, *arguments, tasks="tasks.json", programs="p.py"):
        """The JSON of a run that may find mistakes, and what it printed."""
        done = self.arcl("score", programs, "--tasks", tasks, "--json", "out.json", *arguments)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads((self.folder / "out.json").read_text()), done.stdout

    def submission(self, *arguments):
        self.score("--all-pairs", "--submission", "sub.json", *arguments)
        return json.loads((self.folder / "sub.json").read_text())

    def leftovers(self, *known):
        return sorted(set(os.listdir(self.folder)) - set(known))


class Scores(ScoreTest):
    def test_train_and_test(self):
        self.write("tasks.json", {"aa": turning([(C, turned(C)), (A, A), (B,)])})
        self.programs(solve_aa=TURN)
        out, _ = self.score()
        [entry] = out["programs"]
        self.assertEqual(entry["train"], {"right": 2, "all": 2})
        self.assertEqual(entry["test"], {"right": 1, "all": 2})
        self.assertEqual((entry["right"], entry["all"]), (3, 4))
        self.assertEqual([e["match"] for e in entry["examples"]], [True, True, True, False, None])
        self.assertEqual([e["cells"] for e in entry["examples"]], [4, 4, 3, 0, 0])
        self.assertEqual(entry["words"], sum(e["words"] for e in entry["examples"]))
        self.assertGreater(entry["words"], 0)
        self.assertEqual(out["totals"], {"tasks_right": 0, "tasks": 1, "examples_right": 3, "examples": 4, "errors": 0})

    def test_fingerprints_are_the_model_s(self):
        wide = [[n % 10 for n in range(17)] for _ in range(9)]  # 19 words, of which 16 are folded in chains
        self.write("tasks.json", {"aa": task([(A, A), (wide, wide), ([[0]], A), ([[0] * 9] * 9, B)], [(C, C)])})
        self.programs(solve_aa="return fill(I, 3, initset(first(ofcolor(I, 2))))")
        self.arcl("run", "p.py", "--in", "tasks.json", "--task", "aa", "--json", "run.json")
        ran = json.loads((self.folder / "run.json").read_text())["outputs"]
        scored = self.score()[0]["programs"][0]["examples"]
        self.assertEqual([e["status"] for e in scored], ["OK", "OK", "EMPTY", "EMPTY", "OK"])
        self.assertEqual([e["fingerprint"] for e in scored],
                         [f"{fingerprint(o['status'], o['output']):016x}" for o in ran])

    def test_standard_output_is_one_file_s_alone(self):
        self.write("tasks.json", {"aa": turning([(C, turned(C))])})
        self.programs(solve_aa=TURN, other=TURN)
        arguments = "score", "p.py", "--tasks", "tasks.json", "--all-pairs", "--top", 2, "--report"
        done = self.accepted(*arguments, "--json", "-")
        self.assertEqual(len(json.loads(done.stdout)["programs"]), 2)
        self.assertIn("pairs 2/2 examples 6/6 errors 0", done.stderr)
        done = self.accepted(*arguments, "--submission", "-")
        self.assertEqual(list(json.loads(done.stdout)), ["aa"])
        done = self.refused(*arguments, "--json", "-", "--submission", "-", says=["only one file can be -"])
        self.assertEqual(done.stdout, "")

    def test_where_and_how_it_runs_does_not_matter(self):
        def entries(*arguments):
            done = self.arcl("score", EXAMPLES / "programs.py", "--tasks", EXAMPLES / "tasks", "--all-pairs", "--json",
                             "out.json", "--submission", "sub.json", "--top", 3, *arguments)
            self.assertEqual(done.returncode, 1, done.stderr)
            out = json.loads((self.folder / "out.json").read_text())
            return out["programs"], out["tasks"], (self.folder / "sub.json").read_bytes(), done.stdout

        expected = entries("--device", "host", "--threads", 1)
        self.assertEqual(expected, entries("--device", "host", "--threads", 2))
        for chunk in (1, 7):
            self.assertEqual(expected, entries("--device", "host", "--chunk", chunk))
        for device in pocl.ids("pthread"):
            self.assertEqual(expected, entries("--device", device, "--require"))
            self.assertEqual(expected, entries("--device", device, "--require", "--chunk", 7))

    def test_the_diagonal_of_all_pairs(self):
        own = self.score(programs=EXAMPLES / "programs.py", tasks=EXAMPLES / "tasks")[0]["programs"]
        pairs = self.score("--all-pairs", programs=EXAMPLES / "programs.py", tasks=EXAMPLES / "tasks")[0]["programs"]
        self.assertEqual(len(pairs), len(own) ** 2)
        for entry in own:
            [same] = [p for p in pairs if (p["name"], p["task"]) == (entry["name"], entry["task"])]
            self.assertEqual({**same, "behaviour": None}, {**entry, "behaviour": None})

    def test_outputs_stay_on_the_device(self):
        """A large output takes no more than a small one to be scored."""
        ids = pocl.ids("pthread")
        if not ids:
            self.skipTest("PoCL is not installed")
        self.write("tasks.json", {"aa": task([(A, A)] * 200, [])})
        moved = []
        for factor in (1, 15):
            self.programs(solve_aa=f"return upscale(I, {factor})")
            report = self.score("--report", "--device", ids[0])[0]["report"]
            moved.append(report["devices"][0]["bytes_down"] // 200)
        self.assertLess(moved[1], 100)
        self.assertLess(abs(moved[0] - moved[1]), 30)

    def test_odd_names_make_valid_json(self):
        ids = ['quo"te', "back\\slash", "tab\t", "é", "\u2028"]
        self.write("tasks.json", {name: turning() for name in ids})
        self.programs(any=TURN)
        self.assertEqual(sorted(self.submission()), sorted(ids))
        self.assertEqual(sorted(p["task"] for p in self.score("--all-pairs")[0]["programs"]), sorted(ids))


class Behaviours(ScoreTest):
    def setUp(self):
        super().setUp()
        self.write("tasks.json", {"aa": turning([(C, turned(C))])})

    def test_programs_that_behave_alike_are_one(self):
        self.programs(first_aa="x1 = rot180(I); return rot270(x1)", other_aa="return rot180(I)", second_aa=TURN,
                      failing_aa=FAIL)
        out, printed = self.score("--top", 10)
        self.assertEqual([p["behaviour"] for p in out["programs"]], [0, 1, 0, 2])
        [entry] = out["tasks"]
        self.assertEqual((entry["id"], entry["programs"], entry["behaviours"]), ("aa", 4, 3))
        best = entry["best"]
        self.assertEqual([b["name"] for b in best], ["second_aa", "other_aa", "failing_aa"])
        self.assertEqual([b["programs"] for b in best], [2, 1, 1])
        self.assertEqual(best[0]["train"], {"right": 2, "all": 2})
        lines = printed.splitlines()
        self.assertIn("task aa: 4 programs, 3 behaviours", lines)
        [best] = [line for line in lines if line.startswith("  1. ")]
        self.assertRegex(best, r"^  1. second_aa train 2/2 test 1/1 cells 11/11 words \d+ and 1 alike$")

    def test_other_outputs_of_the_test_are_another_behaviour(self):
        """Even where nobody knows what the output should be."""
        self.write("tasks.json", {"aa": turning([(C,)])})
        self.programs(one_aa=TURN,
                      two_aa="x1 = height(I); x2 = equality(x1, 1); x3 = branch(x2, identity, rot90); return x3(I)")
        self.assertEqual([p["behaviour"] for p in self.score()[0]["programs"]], [0, 1])

    def test_the_order(self):
        """Train examples, then train cells, failures, words, and the order of the files; tests do not count."""
        self.programs(nothing_aa="return canvas(9, (2, 2))", cells_aa="return fill(I, 5, asindices(I))", one_aa=HALF,
                      wordy_aa="x1 = rot90(I); x2 = rot180(x1); return rot180(x2)",
                      test_aa="x1 = height(I); x2 = equality(x1, 1); x3 = branch(x2, rot90, rot180); return x3(I)",
                      failing_aa=FAIL, same_aa=TURN, again_aa=TURN)
        best = self.score("--top", 10)[0]["tasks"][0]["best"]
        self.assertEqual([b["name"] for b in best], ["same_aa", "one_aa", "cells_aa", "nothing_aa", "test_aa",
                                                      "failing_aa"])
        self.assertEqual([b["programs"] for b in best], [3, 1, 1, 1, 1, 1])

    def test_top(self):
        self.programs(**{f"p{n}_aa": f"return canvas({n}, (1, 1))" for n in range(5)})
        for top, count in ((2, 2), (5, 5), (9, 5)):
            out, printed = self.score("--top", top)
            self.assertEqual(len(out["tasks"][0]["best"]), count)
            self.assertEqual(sum(line.startswith("  ") for line in printed.splitlines()), count)
        out, printed = self.score()
        self.assertEqual(len(out["tasks"][0]["best"]), 1)
        self.assertNotIn("task aa", printed)
        self.refused("score", "p.py", "--tasks", "tasks.json", "--top", "x", says=["--top"])

    def test_rejected_programs_have_no_behaviour(self):
        self.programs(solve_aa=TURN, bad_aa="return frobnicate(I)")
        done = self.arcl("score", "p.py", "--tasks", "tasks.json", "--json", "out.json", "--top", 3)
        out = json.loads((self.folder / "out.json").read_text())
        self.assertEqual(done.returncode, 2)
        self.assertEqual([p["behaviour"] for p in out["programs"]], [0, None])
        self.assertEqual(out["tasks"][0]["programs"], 1)


class Submission(ScoreTest):
    def test_two_different_attempts(self):
        self.write("tasks.json", {"aa": turning([(C,), (A,)])})
        self.programs(worst="return canvas(9, (2, 2))", half=HALF, best=TURN, twin="x1 = rot180(I); return rot270(x1)")
        self.assertEqual(self.submission(), {"aa": [{"attempt_1": turned(C), "attempt_2": [[3, 2, 1]]},
                                                    {"attempt_1": turned(A), "attempt_2": [[9, 9], [9, 9]]}]})

    def test_outputs_of_the_test_do_not_count(self):
        """Neither program solves a train example: the first one wins, although the second one has the test right."""
        self.programs(one="return canvas(1, (1, 1))", two="return canvas(2, (1, 1))")
        for test in [(C,)], [(C, [[2]])]:
            self.write("tasks.json", {"aa": turning(test)})
            self.assertEqual(self.submission(), {"aa": [{"attempt_1": [[1]], "attempt_2": [[2]]}]})

    def test_too_few_outputs(self):
        """The input itself stands in: where one output is missing, or both, or there is no program for the task."""
        self.write("tasks.json", {"aa": turning(), "bb": turning([(A,), (B,)])})
        self.programs(solve_aa=TURN, failing_aa=FAIL)
        self.score("--submission", "sub.json")
        self.assertEqual(json.loads((self.folder / "sub.json").read_text()),
                         {"aa": [{"attempt_1": turned(C), "attempt_2": C}],
                          "bb": [{"attempt_1": A, "attempt_2": A}, {"attempt_1": B, "attempt_2": B}]})

    def test_what_no_task_can_want_is_left_out(self):
        self.write("tasks.json", {"aa": turning()})
        self.programs(large="return canvas(1, (31, 31))", bright="return canvas(10, (2, 2))",
                      empty="return canvas(1, (0, 0))", failing=FAIL, ragged="return vconcat(I, rot90(I))",
                      largest="return canvas(4, (30, 30))")
        [attempts] = self.submission()["aa"]
        self.assertEqual(attempts, {"attempt_1": [[4] * 30] * 30, "attempt_2": C})

    def test_programs_that_take_the_train_pairs(self):
        self.write("tasks.json", {"aa": turning([(C,), (A,)])})
        self.write("p.py", "def solve_aa(S, I):\n    return last(first(S))\n\n" + program("two", TURN))
        self.assertEqual(self.submission()["aa"][0], {"attempt_1": turned(C), "attempt_2": turned(A)})

    def test_where_it_cannot_be_written(self):
        self.write("tasks.json", {"aa": turning()})
        self.programs(solve_aa=TURN)
        self.refused("score", "p.py", "--tasks", "tasks.json", "--submission", "absent/s.json", says=["absent/s.json"])


class Kaggle(ScoreTest):
    def setUp(self):
        super().setUp()
        self.write("arc_challenges.json", {"aa": turning([(C,), (A,)]), "bb": turning([(B,)])})
        self.programs(solve_aa=TURN, solve_bb=TURN)

    def test_challenges_alone(self):
        out, printed = self.score(tasks="arc_challenges.json")
        self.assertEqual(printed, "solved by some program: 2 of 2 tasks, as far as train examples tell\n"
                         "tasks 2/2 examples 4/4 errors 0\n")
        self.assertEqual([p["test"] for p in out["programs"]], [{"right": 0, "all": 0}] * 2)

    def test_challenges_with_solutions(self):
        self.write("arc_solutions.json", {"aa": [turned(C), A], "bb": [turned(B)]})
        out, printed = self.score("--solutions", "arc_solutions.json", tasks="arc_challenges.json")
        self.assertEqual(printed.splitlines()[-1], "tasks 1/2 examples 6/7 errors 0")
        self.assertEqual([p["test"] for p in out["programs"]], [{"right": 1, "all": 2}, {"right": 1, "all": 1}])

    def test_solutions_of_other_tasks_are_mentioned(self):
        self.write("s.json", {"bb": [turned(B)], "cc": [A]})
        done = self.accepted("score", "p.py", "--tasks", "arc_challenges.json", "--solutions", "s.json")
        self.assertIn("s.json: 1 of 2 ids are those of no task here", done.stderr)

    def test_bad_solutions(self):
        bad = [("{", ["s.json:1:", "JSON"]), ("[]", ["s.json", "an array", "{ID: [GRID, ..]}"]),
               ({}, ["none of its 0 ids"]), ({"cc": [A]}, ["none of its 1 ids"]),
               ({"bb": B}, ['task "bb"', "2 outputs for 1 test examples"]), ({"bb": []}, ["0 outputs"]),
               ({"bb": {"a": 1}}, ['task "bb"', "an object"]), ({"bb": [7]}, ['"bb": [0] is 7']),
               ({"bb": [[[1, 2], [3]]]}, ["[0][1] has 1 cells"]), ({"bb": [[[10]]]}, ["[0][0][0] is 10"]),
               ({"bb": [[]]}, ["[0] is empty"]), ('{"bb": [[[1]]], "bb": [[[1]]]}', ["JSON", "duplicate"]),
               (b"\xff\xfe\x00", ["s.json"]), ({"aa": [turned(C), A], "bb": None}, ['task "bb"', "null"])]
        for content, says in bad:
            with self.subTest(content=content):
                self.write("s.json", content)
                self.refused("score", "p.py", "--tasks", "arc_challenges.json", "--solutions", "s.json", "--json",
                             "out.json", "--submission", "sub.json", says=says)
                self.assertEqual(self.leftovers("arc_challenges.json", "p.py", "s.json"), [])
        self.refused("score", "p.py", "--tasks", "arc_challenges.json", "--solutions", "absent", says=["absent"])

    def test_solutions_that_contradict_the_task(self):
        self.write("tasks.json", {"bb": turning([(B, turned(B))])})
        self.write("s.json", {"bb": [A]})
        self.refused("score", "p.py", "--tasks", "tasks.json", "--solutions", "s.json",
                     says=["[0] differs", "tasks.json"])
        self.write("s.json", {"bb": [turned(B)]})
        self.accepted("score", "p.py", "--tasks", "tasks.json", "--solutions", "s.json")


class Interrupted(ScoreTest):
    def start_slow(self, **streams):
        """A run that takes minutes; waits until it has begun to write."""
        grid = [[n % 10 for n in range(30)]] * 30
        self.write("tasks.json", {"aa": task([(grid, grid)] * 60, [(grid,)])})
        slow = ("x1 = asindices(I); x2 = product(x1, x1); x3 = fork(subtract, first, last); x4 = apply(x3, x2); "
                "return fill(I, {}, x4)")
        self.programs(**{f"p{n}_aa": slow.format(n % 10) for n in range(100)})
        self.write("out.json", "old")
        command = [ARCL, "score", "p.py", "--tasks", "tasks.json", "--json", "out.json", "--submission", "sub.json"]
        process = subprocess.Popen(command, cwd=self.folder, env=self.environment, **streams)
        self.addCleanup(process.kill)
        for _ in range(1000):
            if self.leftovers("out.json", "p.py", "tasks.json"):
                return process
            time.sleep(0.01)
        self.fail("it has not begun")

    def test_no_file_is_left_half_written(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start_slow(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.2)
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=20), -number)  # a shell calls it 130 and 143
            self.assertEqual(self.leftovers("p.py", "tasks.json"), ["out.json"])
            self.assertEqual((self.folder / "out.json").read_text(), "old")

    def test_a_bar_is_drawn_on_a_terminal_only(self):
        terminal, inner = self.open_terminal()
        self.environment.pop("TERM", None)
        self.write("tasks.json", {"aa": turning()})
        self.programs(**{f"p{n}_aa": TURN for n in range(600)})
        command = [ARCL, "score", "p.py", "--tasks", "tasks.json"]
        done = subprocess.run(command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=inner,
                              text=True)
        os.close(inner)
        drawn = os.read(terminal, 65536).decode()
        os.close(terminal)
        self.assertRegex(drawn, r"\[#+\.*\] \d+/600 programs")
        self.assertTrue(drawn.endswith("\r\033[K"), drawn[-30:])  # and wiped
        self.assertEqual(done.stdout.splitlines()[-1], "tasks 600/600 examples 1200/1200 errors 0")
        self.assertEqual(self.accepted(*command[1:]).stderr, "")


if __name__ == "__main__":
    main()
