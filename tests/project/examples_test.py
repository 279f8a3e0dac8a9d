"""The examples do what they say: every task is solved by its program, and the C programs print what is expected."""
import json
import pathlib
import re
import subprocess
import unittest

from command import ARCL, ROOT, CommandTest

EXAMPLES = ROOT / "examples"
BUILT = pathlib.Path(ARCL).parent / "examples"


class Programs(CommandTest):
    def test_solve_every_example(self):
        tasks = [json.loads(path.read_text()) for path in (EXAMPLES / "tasks").iterdir()]
        examples = sum(len(task["train"]) + len(task["test"]) for task in tasks)
        done = self.accepted("score", EXAMPLES / "programs.py", "--tasks", EXAMPLES / "tasks")
        self.assertEqual(done.stdout.splitlines()[-1],
                         f"tasks {len(tasks)}/{len(tasks)} examples {examples}/{examples} errors 0")
        self.assertEqual(done.stderr, "")

    def test_there_is_one_program_for_each_task(self):
        ids = [path.stem for path in (EXAMPLES / "tasks").iterdir()]
        programs = re.findall(r"^def solve_(\w+)\(I\):$", (EXAMPLES / "programs.py").read_text(), re.M)
        self.assertEqual(sorted(programs), sorted(ids))
        self.assertTrue(all(re.fullmatch("[0-9a-f]{8}", i) for i in ids))


class CPrograms(unittest.TestCase):
    PRINT = {
        "one_op": "lane 0 is 3x2: 4 1 / 5 2 / 6 3\nlane 1 is 1x3: 9 8 7\n",
        "variants": "14 ops make a grid of a grid; two of them: 196 programs, which do 36 different things\n",
        "lane_errors": "lane 0: colour 3 covers 50 %\n"
                       "lane 1: largest.py:3:10: EMPTY in argmax: an element of an empty container\n"
                       "        x2 = argmax(x1, size)\n"
                       "             ^\n"
                       "lane 2: colour 2 covers 16 %\n",
        "accumulate": "turn: 0 of 250 equal, 0 failed\nmirror: 10 of 250 equal, 0 failed\n"
                      "keep: 10 of 250 equal, 0 failed\nobject: 0 of 250 equal, 50 failed\n",
    }

    def test_print_what_is_expected(self):
        if not BUILT.is_dir():
            self.skipTest("this build has no examples")
        for name, text in self.PRINT.items():
            with self.subTest(name):
                done = subprocess.run([BUILT / name], capture_output=True, text=True, timeout=120)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, text, ""))

    def test_none_is_left_out(self):
        self.assertEqual({path.stem for path in EXAMPLES.glob("*.c")}, set(self.PRINT))


if __name__ == "__main__":
    unittest.main()
