"""Scores through Python are those of the command, lane by lane, and so are submissions; tasks come from everywhere they may."""
import json
import pathlib
import subprocess
import tempfile
import unittest

from command import ARCL
from python_package import EXAMPLES, arcl, numpy

PROGRAMS, TASKS = EXAMPLES / "programs.py", EXAMPLES / "tasks"


class Tasks(unittest.TestCase):
    def test_folder_file_and_dict(self):
        folder = arcl.tasks(TASKS)
        self.assertEqual(len(folder), 12)
        one = arcl.tasks(TASKS / "fa11d043.json")
        self.assertEqual(one["fa11d043"], folder["fa11d043"])
        as_dict = {path.stem: json.loads(path.read_text()) for path in TASKS.glob("*.json")}
        self.assertEqual(dict(arcl.tasks(as_dict)), dict(folder))
        self.assertEqual(arcl.tasks(as_dict["fa11d043"])["task"].train, folder["fa11d043"].train)
        self.assertIn("12 tasks", repr(folder))
        self.assertIn("<svg", folder["fa11d043"]._repr_html_())

    def test_kaggle(self):
        whole = {path.stem: json.loads(path.read_text()) for path in TASKS.glob("*.json")}
        solutions = {id: [e.pop("output") for e in task["test"]] for id, task in whole.items()}
        with tempfile.TemporaryDirectory() as folder:
            for name, value in (("challenges", whole), ("solutions", solutions)):
                (pathlib.Path(folder) / f"{name}.json").write_text(json.dumps(value))
            tasks = arcl.tasks(f"{folder}/challenges.json", solutions=f"{folder}/solutions.json")
            self.assertEqual(dict(tasks), dict(arcl.tasks(TASKS)))
            self.assertIsNone(arcl.tasks(f"{folder}/challenges.json")["fa11d043"].test[0].output)
            both = arcl.tasks([f"{folder}/challenges.json", TASKS])
            self.assertEqual(dict(both), dict(arcl.tasks(TASKS)))
            for name in ("challenges", "solutions"):
                pathlib.Path(folder, f"{name}.json").rename(f"{folder}/arc-agi_training_{name}.json")
            self.assertEqual(dict(arcl.tasks(folder)), dict(arcl.tasks(TASKS)))

    def test_other_folders(self):
        one = json.loads((TASKS / "fa11d043.json").read_text())
        with tempfile.TemporaryDirectory() as folder:
            for name in ("tasks", "data/evaluation"):
                below = pathlib.Path(folder, name.replace("/", "-"), name)
                below.mkdir(parents=True)
                (below / "fa11d043.json").write_text(json.dumps(one["train"] if name == "tasks" else one))
            self.assertEqual(arcl.tasks(f"{folder}/tasks")["fa11d043"].train, arcl.tasks(TASKS)["fa11d043"].train)
            self.assertEqual(arcl.tasks(f"{folder}/data-evaluation")["fa11d043"], arcl.tasks(TASKS)["fa11d043"])
        other = json.loads(json.dumps(one))
        other["train"][0]["input"][0][0] = 9
        self.assertRaisesRegex(arcl.InvalidError, "which differ", arcl.tasks, [arcl.tasks({"a": one}), arcl.tasks({"a": other})])

    def test_names(self):
        tasks = arcl.tasks(TASKS)
        self.assertEqual([tasks.match(n) for n in ("solve_fa11d043", "fa11d043", "a_b_fa11d043", "fa11d04", "xfa11d043")],
                         ["fa11d043", "fa11d043", "fa11d043", None, None])
        with self.assertRaisesRegex(KeyError, "did you mean fa11d043"):
            tasks["fa11d044"]

    def test_what_is_wrong_is_said(self):
        for task, said in (({"train": []}, "no examples"), ({"train": [{"input": [[1, 2], [3]]}]}, r"train\[0\] input: row 2 has 1 cells"),
                           ({"train": [{"input": [[12]]}]}, "no int from 0 to 9"), ({"train": [{}]}, r"train\[0\] has no input"),
                           ({"train": 3}, "array of examples"), ([], "expected a task"), ({"train": [{"input": 5}]}, "no grid"),
                           ({"a": 3}, 'task "a": a task is an object')):
            with self.subTest(task=task):
                self.assertRaisesRegex(arcl.InvalidError, said, arcl.tasks, task)
        with tempfile.TemporaryDirectory() as folder:
            self.assertRaisesRegex(arcl.InvalidError, "no tasks in this directory", arcl.tasks, folder)
        self.assertRaisesRegex(arcl.InvalidError, "looks like a file of programs", arcl.tasks, PROGRAMS)
        self.assertRaises(FileNotFoundError, arcl.tasks, "/nowhere/at/all")
        self.assertRaisesRegex(arcl.InvalidError, "none of these tasks", arcl.tasks, TASKS, solutions={})


class Scores(unittest.TestCase):
    def command(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([ARCL, "score", PROGRAMS, "--tasks", TASKS, "--json", f"{folder}/score.json", "--submission",
                                   f"{folder}/submission.json", "--quiet", *options], capture_output=True, text=True)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            return done.stdout, json.loads(pathlib.Path(folder, "score.json").read_text()), json.loads(
                pathlib.Path(folder, "submission.json").read_text())

    def check(self, table, rows):
        lanes = table.lanes
        columns = {name: list(table[name]) for name in table.columns}
        lane = 0
        for row, said in enumerate(rows):
            self.assertEqual((table.programs[columns["program"][row]], table.tasks[columns["task"][row]]), (said["name"], said["task"]))
            for part in ("train", "test"):
                self.assertEqual((columns[f"{part}_right"][row], columns[f"{part}_all"][row]), (said[part]["right"], said[part]["all"]))
            self.assertEqual([columns[n][row] for n in ("cells", "all_cells", "words")],
                             [said[n] for n in ("cells", "all_cells", "words")])
            for example in said["examples"]:
                self.assertEqual((arcl.STATUSES[lanes["status"][lane]][0], bool(lanes["match"][lane]), bool(lanes["same_shape"][lane]),
                                  lanes["cells"][lane], lanes["words"][lane], f"{int(lanes['fingerprint'][lane]):016x}",
                                  ("train", "test")[lanes["part"][lane]], lanes["example"][lane]),
                                 (example["status"], example["match"], example["same_shape"], example["cells"], example["words"],
                                  example["fingerprint"], example["part"], example["index"]))
                lane += 1
        self.assertEqual(lane, len(lanes["status"]))

    def test_own_tasks(self):
        said, made, submission = self.command()
        table = arcl.score(arcl.load(PROGRAMS), arcl.tasks(TASKS))
        self.assertEqual(repr(table), said.splitlines()[-1])
        self.assertEqual(len(table.solved), 12)
        self.check(table, made["programs"])
        self.assertEqual(table.totals, made["totals"])
        self.assertEqual(table.submission(), submission)

    def test_all_pairs_with_every_number_of_threads(self):
        said, made, submission = self.command("--all-pairs")
        for threads in (1, 2):
            seen = []
            table = arcl.score(arcl.load(PROGRAMS), TASKS, all_pairs=True, engine=arcl.Engine(threads=threads, profile=""),
                               progress=lambda done, total: seen.append((done, total)))
            self.assertEqual(seen, [(12, 12)])
            self.assertEqual(repr(table), said.splitlines()[-1])
            self.assertEqual(table.totals, made["totals"])
            self.check(table, made["programs"])
            self.assertEqual(table.submission(), submission)
            best = {t["id"]: t["best"][0]["name"] for t in made["tasks"]}
            self.assertEqual({t: table.best(t, 1)[0].program for t in table.tasks}, best)
            self.assertEqual(len(table.failures()), table.totals["errors"])

    def test_safe(self):
        said, made, _ = self.command("--all-pairs", "--safe")
        self.check(arcl.score(arcl.load(PROGRAMS), TASKS, all_pairs=True, safe=True), made["programs"])

    def test_programs_that_see_the_train_pairs(self):
        programs = arcl.compile("def solve_fa11d043(S, I, C):\n    return last(first(S))\n")
        table = arcl.score(programs, TASKS)
        self.assertEqual(table.totals["examples_right"], 1)

    def test_submission_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "submission.json")
            made = arcl.score(arcl.load(PROGRAMS), TASKS).submission(path)
            self.assertEqual(json.loads(path.read_text()), made)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [path])

    def test_rejected_programs(self):
        programs = arcl.compile("def solve_fa11d043(I):\n    return add(I, ONE, ONE)\ndef solve_2ec01042(I):\n    return I\n", strict=False)
        self.assertEqual(list(programs.errors), ["solve_fa11d043"])
        two = arcl.compile("def solve_fa11d043(I):\n    return I\ndef else_(I):\n    return I\n")
        table = arcl.score(two, TASKS)
        self.assertEqual(table.homeless, ["else_"])
        self.assertIn("named after no task", repr(table))
        self.assertRaisesRegex(arcl.InvalidError, "nothing to score", arcl.score, arcl.compile("def other(I):\n    return I\n"), TASKS)

    def test_tables(self):
        table = arcl.score(arcl.load(PROGRAMS), TASKS)
        self.assertIn("solve_fa11d043", table.show())
        self.assertIn("<table>", table._repr_html_())
        with self.assertRaisesRegex(KeyError, "the columns are"):
            table["nothing"]
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = table.to_pandas()
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual(int(frame["train_right"].sum() + frame["test_right"].sum()), 47)
        self.assertEqual(len(table.to_pandas(lanes=True)), 47)
        self.assertIsInstance(table["words"], numpy.ndarray)


class Batteries(unittest.TestCase):
    def test_results_are_those_of_each_alone(self):
        programs = arcl.load(PROGRAMS)
        grids = [e.input for task in arcl.tasks(TASKS).values() for e in task.examples]
        for safe in (False, True):
            together = arcl.Battery(programs).run(grids, safe=safe)
            self.assertEqual(list(together), list(programs))
            for name, out in together.items():
                alone = programs[name].with_policy(safe).map(grids)
                self.assertEqual(list(out), list(alone))
                self.assertEqual(list(out.status), list(alone.status))
        info = arcl.Battery(programs).info
        self.assertLess(info["steps_after"], info["steps_before"])


if __name__ == "__main__":
    unittest.main()
