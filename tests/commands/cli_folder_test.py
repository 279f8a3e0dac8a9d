"""Folders of programs on the built binary: solver_dir/solve_TASK/SCORE/TIME/HASH.py, and plain ones."""
import hashlib
import json
import os

import command

ONE_LINER = "def solve(S, I, C):\n    return %s\n"


class Folders(command.CommandTest):
    def setUp(self):
        super().setUp()
        self.write("tasks/good.json", command.TASK)
        self.write("tasks/other.json", {**command.TASK, "test": []})

    def add(self, task, call, suffix=".py"):
        text = ONE_LINER % call
        name = hashlib.md5(text.encode()).hexdigest()
        path = "solver_dir/solve_%s/10/2.5/%s%s" % (task, name, suffix)
        self.write(path, text)
        return path, name[:8]

    def test_one_liners_are_for_the_task_of_their_folder(self):
        right, _ = self.add("good", "mir_rot_t(I, R4)")
        _, wrong = self.add("good", "mir_rot_t(I, R5)", ".def")
        self.add("other", "rot90(I)")
        self.write("solver_dir/solve_good/notes.txt", "no program")
        self.write("solver_dir/.git/solve_good/x.py", "nothing")
        done = self.arcl("score", "solver_dir", "--tasks", "tasks")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stdout, "solve_good:%s 0/2 train[0]:differs test[0]:differs\n"
                         "solved by some program: 2 of 2 tasks\n"
                         "two attempts: 1 test grid, 1 right; 1 of 1 tasks solved\n"
                         "tasks 2/3 examples 3/5 errors 0\n" % wrong)
        self.assertIn("as expected", self.accepted("run", right, "--in", "tasks/good.json").stdout)
        self.assertIn("as expected", self.accepted("run", right, "--in", "tasks/good.json", "--program", "solve").stdout)
        self.assertIn("as expected", self.accepted("run", right, "--in", "tasks").stdout)

    def test_plain_folders(self):
        self.write("mine/b.py", command.PROGRAM)
        self.write("mine/more/a.py", command.PROGRAM.replace("solve_good", "solve_other"))
        self.write("mine/solve_good.py", ONE_LINER % "rot90(I)")
        self.accepted("score", "mine/", "--tasks", "tasks", "--json", "out.json")
        programs = json.loads((self.folder / "out.json").read_text())["programs"]
        self.assertEqual([(p["file"], p["name"]) for p in programs],
                         [("mine/b.py", "solve_good"), ("mine/more/a.py", "solve_other"), ("mine/solve_good.py", "solve_good")])
        self.assertIn("def solve_other", self.accepted("fmt", "mine").stdout)

    def test_many_files_in_order(self):
        names = [self.add("good", "canvas(%d, (1, %d))" % (n % 10, n + 1))[0] for n in range(500)]
        self.arcl("score", "solver_dir", "--tasks", "tasks", "--json", "out.json", "--quiet")
        programs = json.loads((self.folder / "out.json").read_text())["programs"]
        self.assertEqual([p["file"] for p in programs], sorted(names))

    def test_what_cannot_be_read(self):
        self.write("mine/a.py", command.PROGRAM)
        os.symlink("..", self.folder / "mine" / "back")
        os.symlink("nowhere.py", self.folder / "mine" / "gone.py")
        (self.folder / "empty").mkdir()
        done = self.refused("score", "mine", "--tasks", "tasks",
                            says=["mine/back/mine: this link leads to a folder that it is in", "mine/gone.py: there is no such file"])
        self.assertIn("tasks 1/1", done.stdout)
        self.refused("score", "empty", "--tasks", "tasks", says=["empty: no programs in this folder", ".def"])
        (self.folder / "empty").chmod(0)
        if not os.access(self.folder / "empty", os.R_OK):
            self.refused("score", "empty", "--tasks", "tasks", says=["empty: cannot open this folder"])
        (self.folder / "empty").chmod(0o700)

    def test_many_bad_files(self):
        for n in range(40):
            self.write("mine/%d.py" % n, "def f(I):\n    return height(mir_rot_t(I, 1))\n")
        done = self.arcl("score", "mine", "--tasks", "tasks")
        self.assertEqual(done.returncode, 2)
        self.assertIn("and 20 more files like these", done.stderr)


if __name__ == "__main__":
    command.main()
