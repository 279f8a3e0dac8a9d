"""Files as they come: folders of Kaggle, re-arc and ARC-AGI-2, several --tasks, standard input, files given in the place of
others; and submissions that are judged."""
import json
import subprocess

from command import ARCL, EXAMPLE, PROGRAM, TASK, CommandTest, main

A, B, C = [[1, 2], [3, 4]], [[5, 6], [7, 8]], [[1, 2, 3]]


def turned(grid):
    return [list(row) for row in zip(*grid[::-1])]


def task(*tests, solved=False):
    """A task that rot90 solves, whose tests have outputs or not."""
    test = [{"input": grid, "output": turned(grid)} if solved else {"input": grid} for grid in tests]
    return {"train": [EXAMPLE], "test": test}


def solver(*ids):
    return "".join(PROGRAM.replace("solve_good", f"solve_{id}") + "\n" for id in ids)


class FilesTest(CommandTest):
    def last(self, *arguments):
        return self.accepted("score", *arguments).stdout.splitlines()[-1]

    def fed(self, text, *arguments):
        """The command with that text on its standard input."""
        return subprocess.run([ARCL, *map(str, arguments)], input=text, capture_output=True, text=True, cwd=self.folder,
                              env=self.environment, timeout=120)


class Layouts(FilesTest):
    def setUp(self):
        super().setUp()
        self.write("p.py", solver("aa", "bb", "cc"))

    def test_kaggle(self):
        self.write("k/arc_training_challenges.json", {"aa": task(A, B), "bb": task(C)})
        self.write("k/arc_training_solutions.json", {"aa": [turned(A), turned(B)], "bb": [C]})
        self.write("k/arc_test_challenges.json", {"aa": task(A, B), "cc": task(C)})
        self.write("k/sample_submission.json", {"aa": [{"attempt_1": A, "attempt_2": A}]})
        done = self.arcl("score", "p.py", "--tasks", "k/", "--submission", "s.json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stdout.splitlines()[1:], [
            "solved by some program: 2 of 3 tasks", "two attempts: 3 test grids, 2 right; 1 of 2 tasks solved",
            "tasks 2/3 examples 5/6 errors 0"])
        self.assertIn("k: challenges with solutions: arc_training; without: arc_test", done.stderr)
        self.assertEqual(sorted(json.loads((self.folder / "s.json").read_text())), ["aa", "bb", "cc"])

    def test_training_and_evaluation(self):
        for above in ("v2", "v2/data"):
            self.write(f"{above}/training/aa.json", TASK)
            self.write(f"{above}/evaluation/bb.json", TASK)
            self.assertEqual(self.last("p.py", "--tasks", "v2"), "tasks 2/2 examples 4/4 errors 0")
            if above == "v2":
                (self.folder / "v2/training/aa.json").unlink()
                (self.folder / "v2/evaluation/bb.json").unlink()

    def test_lists_of_examples(self):
        self.write("re/metadata.json", {"aa": {"n_verified": 3}})
        self.write("re/tasks/aa.json", [EXAMPLE] * 3)
        self.write("re/tasks/bb.json", [EXAMPLE] * 2)
        self.assertEqual(self.last("p.py", "--tasks", "re"), "tasks 2/2 examples 5/5 errors 0")
        self.write("one.json", {"aa": [EXAMPLE], "cc": [EXAMPLE] * 4})
        self.assertEqual(self.last("p.py", "--tasks", "one.json"), "tasks 2/2 examples 5/5 errors 0")
        self.write("re/tasks/bb.json", [EXAMPLE, 3])
        self.refused("score", "p.py", "--tasks", "re", says=["re/tasks/bb.json: train[1] is"])

    def test_files_beside_folders_are_what_is_read(self):
        self.write("d/aa.json", TASK)
        self.write("d/training/bb.json", TASK)
        self.assertEqual(self.last("p.py", "--tasks", "d"), "tasks 1/1 examples 2/2 errors 0")


class Several(FilesTest):
    def setUp(self):
        super().setUp()
        self.write("p.py", solver("aa", "bb"))
        self.write("aa.json", task(A, solved=True))

    def test_they_add_up(self):
        self.write("more/bb.json", TASK)
        self.assertEqual(self.last("p.py", "--tasks", "aa.json", "--tasks", "more"), "tasks 2/2 examples 4/4 errors 0")

    def test_the_same_task_counts_once_with_what_is_known_of_it(self):
        self.write("all.json", {"aa": task(A), "bb": TASK})
        for order in (("aa.json", "all.json"), ("all.json", "aa.json")):
            arguments = [a for path in order for a in ("--tasks", path)]
            self.assertEqual(self.last("p.py", *arguments), "tasks 2/2 examples 4/4 errors 0")

    def test_another_task_of_that_id_is_refused(self):
        for other in (task(B), task(A, A), {"train": [], "test": [{"input": A, "output": A}]}):
            self.write("all.json", {"aa": other})
            self.refused("score", "p.py", "--tasks", "aa.json", "--tasks", "all.json",
                         says=["task aa is in two files and not the same in both", "aa.json", "all.json"])

    def test_similar_takes_several_too(self):
        self.write("more/bb.json", TASK)
        done = self.accepted("similar", "p.py", "--tasks", "aa.json", "--tasks", "more", "--top", 9)
        self.assertIn("aa", done.stdout)
        self.assertIn("bb", done.stdout)


class StandardInput(FilesTest):
    def test_programs(self):
        self.write("aa.json", TASK)
        done = self.fed(solver("aa"), "score", "-", "--tasks", "aa.json")
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (0, "tasks 1/1 examples 2/2 errors 0"))
        done = self.fed("def f(I):\n    return frob(I)\n", "run", "-", "--in", "aa.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("standard input:2:12: 'frob' is no op", done.stderr)
        self.assertIn("x1 = rot90(I)", self.fed(solver("aa"), "fmt", "-").stdout)

    def test_tasks(self):
        self.write("p.py", solver("aa"))
        for arguments in (("score", "p.py", "--tasks", "-"), ("run", "p.py", "--in", "-"), ("show", "-")):
            done = self.fed(json.dumps({"aa": TASK}), *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("3 1", self.fed(json.dumps(TASK), "run", "p.py", "--in", "-").stdout)
        done = self.fed("{", "show", "-")
        self.assertIn("standard input:1:", done.stderr)

    def test_it_is_read_once(self):
        done = self.fed(json.dumps(TASK), "score", "-", "--tasks", "-")
        self.assertEqual(done.returncode, 2)
        self.assertIn("standard input can be read once: only one file can be -", done.stderr)


class MistakenFiles(FilesTest):
    def test_json_as_programs(self):
        self.write("aa.json", TASK)
        kinds = [(TASK, "a task", "--tasks"), ({"aa": TASK}, "a file of tasks", "--tasks"),
                 ([EXAMPLE], "a list of examples", "--tasks"), ({"aa": [A]}, "a file of solutions", "--solutions"),
                 ({"aa": [{"attempt_1": A, "attempt_2": A}]}, "a submission", "--submission-file"), ({"a": 1}, "JSON", "")]
        for content, name, place in kinds:
            with self.subTest(name):
                text = "\n " + json.dumps(content, indent=1)
                self.write("wrong.json", text)
                for command in (["score", "wrong.json", "--tasks", "aa.json"], ["run", "wrong.json", "--in", "aa.json"],
                                ["fmt", "wrong.json"], ["battery", "wrong.json", "--out", "x"]):
                    done = self.refused(*command, says=[f"wrong.json: this is {name}, and programs are expected here", place])
                    self.assertNotIn("^", done.stderr)
                    self.assertEqual(done.stderr.count("expected"), 1)

    def test_others_as_tasks(self):
        self.write("p.py", PROGRAM)
        for content, says in (({"aa": [A, B]}, ["a file of solutions", "--solutions"]),
                              ({"aa": [{"attempt_2": A}]}, ["a submission", "--submission-file"])):
            self.write("wrong.json", content)
            self.refused("score", "p.py", "--tasks", "wrong.json", says=says)
            self.refused("show", "wrong.json", says=says)

    def test_a_battery_is_of_all_programs(self):
        self.write("p.py", solver(*(f"t{n}" for n in range(50))))
        self.assertIn("50 programs,", self.accepted("battery", "p.py", "--out", "b.py").stdout)
        self.assertIn("7 programs,", self.accepted("battery", "p.py", "--out", "b.py", "--count", 7).stdout)


class Submissions(FilesTest):
    def setUp(self):
        super().setUp()
        self.write("tasks.json", {"aa": task(A, B, solved=True), "bb": task(C, solved=True), "cc": task(C)})

    def judged(self, submission, status, *arguments):
        self.write("s.json", submission)
        done = self.arcl("score", "--submission-file", "s.json", "--tasks", "tasks.json", *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def attempts(self, first, second=A):
        return {"attempt_1": first, "attempt_2": second}

    def whole(self):
        return {"aa": [self.attempts(turned(A)), self.attempts(A, turned(B))], "bb": [self.attempts(turned(C))],
                "cc": [self.attempts(C)]}

    def test_all_right(self):
        done = self.judged(self.whole(), 0)
        self.assertEqual(done.stdout, "two attempts: 3 test grids, 3 right; 2 of 2 tasks solved\n"
                         "tasks 2/2 examples 3/3 errors 0\n")
        self.assertEqual(done.stderr, "")

    def test_some_wrong(self):
        done = self.judged(self.whole() | {"aa": [self.attempts(turned(A)), self.attempts(A, A)]}, 1, "--json", "o.json")
        self.assertEqual(done.stdout, "aa 1/2 test[1]:wrong\ntwo attempts: 3 test grids, 2 right; 1 of 2 tasks solved\n"
                         "tasks 1/2 examples 2/3 errors 0\n")
        out = json.loads((self.folder / "o.json").read_text())
        self.assertEqual(out["tasks"], [
            {"id": "aa", "test": [{"attempt_1": True, "attempt_2": False}, {"attempt_1": False, "attempt_2": False}],
             "solved": False}, {"id": "bb", "test": [{"attempt_1": True, "attempt_2": False}], "solved": True}])
        self.assertEqual(out["solved"], {"tasks_with_test_outputs": 2, "by_two_attempts": 1, "test_grids": 3,
                                         "test_grids_right": 2})

    def test_what_is_written_is_judged_as_it_was_scored(self):
        self.write("p.py", solver("aa", "bb", "cc"))
        self.accepted("score", "p.py", "--tasks", "tasks.json", "--submission", "s.json")
        self.accepted("score", "--submission-file", "s.json", "--tasks", "tasks.json")

    def test_what_kaggle_would_refuse(self):
        cases = [({"bb": None}, 'task "bb" is missing', "bb 0/1 test[0]:missing"),
                 ({"bb": 3}, 'task "bb": this is', "missing"),
                 ({"aa": [self.attempts(turned(A))]}, 'task "aa": 1 entry for 2 test inputs', "aa 1/2 test[1]:missing"),
                 ({"bb": [[A, A]]}, 'task "bb": [0] is an array; expected {"attempt_1": GRID', "missing"),
                 ({"bb": [{"attempt_1": A}]}, 'task "bb": [0].attempt_2 is missing', "bb 0/1 test[0]:wrong"),
                 ({"bb": [self.attempts([[1], [2, 3]])]}, 'task "bb": [0].attempt_1[1]', "wrong"),
                 ({"bb": [self.attempts([[11]])]}, 'task "bb": [0].attempt_1[0][0]', "wrong"),
                 ({"bb": [self.attempts([[0] * 31])]}, 'has 1 rows and 31 columns; outputs have at most 30', "wrong")]
        for change, says, line in cases:
            with self.subTest(says):
                submission = {id: entry for id, entry in (self.whole() | change).items() if entry is not None}
                done = self.judged(submission, 2)
                self.assertIn(says, done.stderr)
                self.assertIn(line, done.stdout)

    def test_ids(self):
        self.assertIn('1 of 4 ids are those of no task here, "dd"',
                      self.judged(self.whole() | {"dd": [self.attempts(A)]}, 0).stderr)
        self.assertIn('none of its 1 ids is that of a task here, "dd"', self.judged({"dd": [self.attempts(A)]}, 2).stderr)

    def test_other_files_and_usage(self):
        self.assertIn("this is a file of solutions; a submission is {ID:", self.judged({"aa": [A]}, 2).stderr)
        self.write("s.json", self.whole())
        self.write("bare.json", {"aa": task(A, B)})
        self.refused("score", "--submission-file", "s.json", "--tasks", "bare.json", says=["no task here has an output of its test"])
        self.refused("score", "p.py", "--submission-file", "s.json", "--tasks", "tasks.json", says=["leave p.py out"])
        self.refused("score", "--tasks", "tasks.json", says=["programs are missing"])
        self.refused("score", "--submission-file", "s.json", says=["--tasks is missing"])


if __name__ == "__main__":
    main()
