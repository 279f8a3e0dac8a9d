"""`arcl-mpi search`: the folder of `arcl search`, for any number of ranks; ranks that die, and going on from the folder."""
import filecmp
import signal

import ranks
from command import ROOT, CommandTest, main


class Ranks(CommandTest):
    job = ("search", "--tasks", ROOT / "examples" / "tasks", "--solvers", ROOT / "examples" / "programs.py", "--leave-own-out",
           "--candidates", "500")

    def folder_files(self, name):
        top = self.folder / name
        return {str(path.relative_to(top)): path.read_bytes() for path in top.rglob("*") if path.is_file()}

    def expected(self):
        self.accepted(*self.job, "--out", "expected", "--submission", "expected.json")
        return self.folder_files("expected")

    def test_folders_are_those_of_one_process(self):
        expected = self.expected()
        for count in (1, 2, 4):
            with self.subTest(ranks=count):
                out = f"out{count}"
                done = ranks.run(count, *self.job, "--threads", "1", "--out", out, "--submission", "s.json", cwd=self.folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.folder_files(out), expected)
                self.assertTrue(filecmp.cmp(self.folder / "s.json", self.folder / "expected.json", shallow=False))
        done = ranks.run(2, *self.job, "--out", "out2", cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("a search was here before; --resume goes on with it"), 1, done.stderr)

    def test_a_rank_that_dies_ends_the_job_and_it_goes_on(self):
        expected = self.expected()
        for count, at, victim in ((3, 4, 0), (2, 2, 1)):
            process, all_ranks = ranks.start_and_stop(count, at, *self.job, "--threads", "1", "--out", "out", "--resume",
                                                      cwd=self.folder)
            ranks.send(all_ranks[victim], signal.SIGKILL)
            _, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 3, err)
            self.assertRegex(err, "rank [0-9] was ended by signal 9 .*is in folder out: the same command with --resume")
        done = ranks.run(4, *self.job, "--threads", "1", "--out", "out", "--resume", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.folder_files("out"), expected)

    def test_rounds(self):
        rounds = (*self.job, "--rounds", "3")
        self.accepted(*rounds, "--out", "expected")
        expected = self.folder_files("expected")
        self.assertTrue(any(name.startswith("round-2/") for name in expected))
        for count in (1, 2, 4):
            with self.subTest(ranks=count):
                done = ranks.run(count, *rounds, "--threads", "1", "--out", f"out{count}", cwd=self.folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.folder_files(f"out{count}"), expected)
        process, all_ranks = ranks.start_and_stop(3, 16, *rounds, "--threads", "1", "--out", "killed", cwd=self.folder)
        ranks.send(all_ranks[1], signal.SIGKILL)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, err)
        done = ranks.run(2, *rounds, "--threads", "1", "--out", "killed", "--resume", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.folder_files("killed"), expected)

    def test_what_is_wrong_is_said_once(self):
        done = ranks.run(2, "search", "--tasks", "none", "--solvers", "p.py", "--candidates", "1", "--out", "o", cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("arcl: none: "), 1, done.stderr)


if __name__ == "__main__":
    ranks.require()
    main()
