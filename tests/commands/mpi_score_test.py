"""`arcl-mpi score`: the files of `arcl score`, for any number of ranks; ranks that die, and going on afterwards with another
number of ranks or none."""
import signal
import subprocess
import time

import ranks
import score_job
from command import CommandTest, main


class Ranks(CommandTest):
    files = ("--json", "o.json", "--html", "o.html", "--submission", "s.json", "--top", "2")

    def outputs(self):
        found = [score_job.comparable(self.folder / name) for name in ("o.json", "o.html", "s.json")]
        for name in ("o.json", "o.html", "s.json"):
            (self.folder / name).unlink()
        return found

    def expected(self, job):
        done = self.arcl(*job, *self.files)
        return done.returncode, done.stdout, self.outputs()

    def results(self, count, job, *options):
        done = ranks.run(count, *job, *self.files, *options, cwd=self.folder)
        return done.returncode, done.stdout, self.outputs()

    def test_results_are_those_of_one_process(self):
        job = score_job.write(self.folder)
        expected = self.expected(job)
        for count in (1, 2, 4, 8):
            with self.subTest(ranks=count):
                self.assertEqual(self.results(count, job, "--threads", "1"), expected)
        self.assertEqual(self.results(3, job, "--portion", "1"), expected)
        self.assertEqual(self.results(3, job, "--battery"), expected)

    def test_own_tasks_folders_and_batteries(self):
        job = score_job.write(self.folder)[:-1]
        self.assertEqual(self.results(3, job), self.expected(job))
        (self.folder / "tasks").mkdir()
        (self.folder / "tasks.json").rename(self.folder / "tasks" / "a_challenges.json")
        (self.folder / "programs").mkdir()
        (self.folder / "p.py").rename(self.folder / "programs" / "p.py")
        job = "score", "programs", "--tasks", "tasks"
        self.assertEqual(self.results(2, job), self.expected(job))

    def test_what_is_wrong_is_said_once(self):
        job = score_job.write(self.folder)
        for wrong, sentence in ((("score", "none.py", "--tasks", "tasks.json"), "none.py: there is no such file"),
                                ((*job, "--device", "cl:77"), "there is no OpenCL device"),
                                ((*job[:2],), "--tasks is missing"),
                                ((*job, "--json", "no/o.json"), "no/o.json: cannot write")):
            with self.subTest(wrong=wrong):
                done = ranks.run(2, *wrong, cwd=self.folder)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertGreaterEqual(done.stderr.count(sentence), 1, done.stderr)
        self.assertEqual(done.stderr.count(sentence), 1)
        self.assertRegex(ranks.run(2, "fmt", "p.py", cwd=self.folder).stderr, "arcl-mpi runs")

    def test_the_report_has_a_row_for_every_rank(self):
        job = score_job.write(self.folder)
        done = ranks.run(3, *job, "--report", "--quiet", cwd=self.folder)
        table = done.stderr[done.stderr.index(" rank node"):].splitlines()
        rows = [line.split() for line in table[1:4]]
        self.assertEqual([row[0] for row in rows], ["0", "1", "2"], done.stderr)
        self.assertEqual(sum(int(row[4]) for row in rows), 1440)
        self.assertIn("3 ranks; the busiest ran", done.stderr)

    def kill(self, job, count, at, victim):
        """Kills a rank while rank 0 stands before a write to the journal. Returns the status of the job, how long it took to end,
        and what it said."""
        process, all_ranks = ranks.start_and_stop(count, at, *job, "--journal", "journal", "--resume", "--portion", "5", "--threads",
                                                  "1", cwd=self.folder)
        self.assertEqual(len(all_ranks), count)
        start = time.monotonic()
        ranks.send(all_ranks[victim], signal.SIGKILL)
        _, err = process.communicate(timeout=60)
        return process.returncode, time.monotonic() - start, err

    def test_a_rank_that_dies_ends_the_job_and_it_goes_on(self):
        job = score_job.write(self.folder)
        expected = self.expected(job)
        # Where it is another than rank 0 that is killed, mpirun lets rank 0 go on for a moment, which may be enough for all the
        # rest: so that comes last.
        for count, at, victim in ((3, 7, 0), (4, 6, 0), (2, 8, 1)):
            with self.subTest(ranks=count, victim=victim):
                status, seconds, err = self.kill(job, count, at, victim)
                self.assertEqual(status, 3, err)
                self.assertLess(seconds, 10)
                self.assertRegex(err, r"arcl: rank [0-9] was ended by signal 9 .*is in journal journal: the same command with "
                                      r"--resume goes on from there, with any number of ranks")
        self.assertEqual(self.results(3, job, "--journal", "journal", "--resume"), expected)
        done = self.arcl(*job, *self.files, "--journal", "journal", "--resume")
        self.assertEqual((done.returncode, done.stdout, self.outputs()), expected)

    def test_sigterm_leaves_a_whole_journal(self):
        job = score_job.write(self.folder)
        process, all_ranks = ranks.start_and_stop(2, 8, *job, "--journal", "journal", "--portion", "20", "--threads", "1",
                                                  cwd=self.folder)
        process.send_signal(signal.SIGTERM)
        ranks.go_on(all_ranks[0])
        _, err = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(self.results(2, job, "--journal", "journal", "--resume"), self.expected(job), err)

    def test_two_jobs_on_one_journal(self):
        job = score_job.write(self.folder)
        options = "--journal", "journal", "--portion", "20"
        process, all_ranks = ranks.start_and_stop(2, 8, *job, *options, cwd=self.folder)
        try:
            second = ranks.run(2, *job, *options, "--resume", cwd=self.folder)
            self.assertEqual(second.returncode, 2)
            self.assertRegex(second.stderr, "journal journal is in use by another job")
        finally:
            ranks.go_on(all_ranks[0])
            _, err = process.communicate(timeout=100)
        self.assertEqual(self.results(2, job, *options, "--resume"), self.expected(job), err)

    def test_a_full_disk(self):
        job = score_job.write(self.folder)
        small = self.folder / "small"
        small.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "none", str(small)], capture_output=True).returncode:
            self.skipTest("a small file system cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", str(small)], check=True)
        options = "--journal", "small/journal", "--portion", "20", "--resume"
        done = ranks.run(2, *job, *options, cwd=self.folder)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, "journal small/journal: cannot write to it: No space left on device")
        self.assertRegex(done.stderr, "[1-9][0-9]* of 1440 examples are in journal small/journal")
        subprocess.run(["mount", "-o", "remount,size=1m", str(small)], check=True)
        self.assertEqual(self.results(2, job, *options), self.expected(job))


if __name__ == "__main__":
    ranks.require()
    main()
