"""`--journal`, `--resume` and `--part` of `arcl score`: results are those of a run without, whatever became of the journal."""
import fcntl
import os
import signal
import struct
import subprocess
import time

import score_job
from command import ARCL, CommandTest, main

HEAD, RECORD = 32, 40  # bytes before the first record, and of a record before its own


def records(data):
    """Where each record of a journal ends."""
    ends, at = [], HEAD
    while at < len(data):
        at += RECORD + struct.unpack_from("<5Q", data, at)[3]
        ends.append(at)
    return ends


class Journal(CommandTest):
    def setUp(self):
        super().setUp()
        self.job = score_job.write(self.folder)
        self.files = "--json", "o.json", "--html", "o.html", "--submission", "s.json", "--top", "2"
        self.expected = self.results()

    def results(self, *options):
        done = self.arcl(*self.job, *self.files, *options)
        outputs = [score_job.comparable(self.folder / name) for name in ("o.json", "o.html", "s.json")]
        for name in ("o.json", "o.html", "s.json"):
            (self.folder / name).unlink()
        return done.returncode, done.stdout, outputs

    def test_results_are_the_same(self):
        for portion in (0, 1, 7, 10**6):
            with self.subTest(portion=portion):
                (self.folder / "j").unlink(missing_ok=True)
                options = "--journal", "j", "--portion", portion
                self.assertEqual(self.results(*options), self.expected)
                self.assertEqual(self.results("--journal", "j", "--resume"), self.expected)

    def test_without_all_pairs(self):
        self.job = self.job[:-1]
        expected = self.results()
        self.assertEqual(self.results("--journal", "j"), expected)
        self.assertEqual(self.results("--journal", "j", "--resume"), expected)

    def test_a_torn_journal_is_taken_up(self):
        self.results("--journal", "j", "--portion", "50")
        whole = (self.folder / "j").read_bytes()
        ends = records(whole)
        self.assertGreater(len(ends), 4)
        for cut in (HEAD, ends[0], ends[0] + 1, ends[1] + RECORD, ends[2] - 1, len(whole) - 1):
            with self.subTest(cut=cut):
                self.write("j", whole[:cut])
                self.assertEqual(self.results("--journal", "j", "--resume", "--portion", "50"), self.expected)
        damaged = bytearray(whole)
        damaged[ends[1] + RECORD + 3] ^= 1
        self.write("j", bytes(damaged))
        self.assertEqual(self.results("--journal", "j", "--resume"), self.expected)

    def test_what_is_refused(self):
        self.assertEqual(self.arcl(*self.job, "--journal", "j", "--quiet").returncode, 2)  # a program is rejected
        again = self.arcl(*self.job, "--journal", "j")
        self.assertRegex(again.stderr, "journal j is there already: --resume goes on with it")
        for changed in (("--safe",), ("--budget", "1000")):
            other = self.arcl(*self.job, *changed, "--journal", "j", "--resume")
            self.assertRegex(other.stderr, "journal j is of another job")
        self.write("text", "no journal " * 10)
        self.assertRegex(self.arcl(*self.job, "--journal", "text", "--resume").stderr, "text: this is no journal of arcl")
        (self.folder / "older").write_bytes(b"arcl journal 1\n" + bytes(17))
        self.assertRegex(self.arcl(*self.job, "--journal", "older", "--resume").stderr, "journal older is of another version of arcl")
        self.assertRegex(self.arcl(*self.job, "--resume").stderr, "--resume needs --journal")
        self.assertRegex(self.arcl(*self.job, "--part", "1/2").stderr, "--part needs --journal")
        for part in ("0/2", "3/2", "2", "1/2x"):
            self.assertRegex(self.arcl(*self.job, "--journal", "k", "--part", part).stderr, "expected K/N")
        self.assertRegex(self.arcl(*self.job, "--journal", "k", "--part", "1/2", "--json", "x").stderr, "--part writes its")

    def test_parts_make_the_whole(self):
        journals = []
        for part in (3, 1, 2):
            done = self.arcl(*self.job, "--journal", f"j{part}", "--part", f"{part}/3")
            self.assertEqual((done.returncode, done.stdout), (0, ""))
            self.assertRegex(done.stderr, f"part {part}/3: [1-9][0-9]* of 1440 examples are in journal j{part}")
            journals += "--journal", f"j{part}"
        sizes = [(self.folder / f"j{part}").stat().st_size for part in (1, 2, 3)]
        self.assertEqual(self.results(*journals, "--resume"), self.expected)
        self.assertEqual(sizes, [(self.folder / f"j{part}").stat().st_size for part in (1, 2, 3)])
        self.assertEqual(self.results(*journals[2:], "--resume"), self.expected)  # what a part has not got is run
        twice = self.arcl(*self.job, *journals, "--journal", "j1", "--resume")
        self.assertRegex(twice.stderr, "have results of the same work")

    def test_two_jobs_on_one_journal(self):
        self.results("--journal", "j")
        with open(self.folder / "j", "r+b") as held:
            fcntl.lockf(held, fcntl.LOCK_EX)  # as a job that is on has it
            second = self.arcl(*self.job, "--journal", "j", "--resume")
            self.assertEqual(second.returncode, 2)
            self.assertRegex(second.stderr, f"journal j is in use by another job, process {os.getpid()}")
        self.assertEqual(self.results("--journal", "j", "--resume"), self.expected)

    def test_signals_leave_a_whole_journal(self):
        self.job = score_job.write(self.folder, programs=60, tasks=60)
        expected = self.results()
        for number in (signal.SIGTERM, signal.SIGINT):
            process = subprocess.Popen([ARCL, *self.job, "--journal", "j", "--resume", "--portion", "40", "--threads", "1"],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder)
            deadline = time.monotonic() + 60
            begun = (self.folder / "j").stat().st_size if (self.folder / "j").exists() else 0
            while process.poll() is None and time.monotonic() < deadline:
                if (self.folder / "j").exists() and (self.folder / "j").stat().st_size > begun + 2000:
                    break
                time.sleep(0.001)
            process.send_signal(number)
            _, err = process.communicate(timeout=60)
            if process.returncode == -number:
                self.assertRegex(err, r"[0-9]+ of 10800 examples are in journal j: the same command with --resume")
                data = (self.folder / "j").read_bytes()
                self.assertEqual(records(data)[-1], len(data))
        self.assertEqual(self.results("--journal", "j", "--resume"), expected)

    def test_a_full_disk(self):
        self.results("--journal", "j", "--portion", "50")
        whole = (self.folder / "j").read_bytes()
        ends = records(whole)
        self.write("j", whole[:ends[2]])
        limited = "import os, resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); " \
                  f"resource.setrlimit(resource.RLIMIT_FSIZE, ({ends[3] + 60},) * 2); os.execv(sys.argv[1], sys.argv[1:])"
        done = subprocess.run(["python3", "-c", limited, ARCL, *self.job, "--journal", "j", "--resume", "--portion", "50"],
                              capture_output=True, text=True, cwd=self.folder, env=dict(os.environ))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "journal j: cannot write to it: File too large")
        self.assertRegex(done.stderr, "200 of 1440 examples are in journal j")
        self.assertEqual((self.folder / "j").stat().st_size, ends[3])
        self.assertEqual(self.results("--journal", "j", "--resume"), self.expected)


if __name__ == "__main__":
    main()
