"""arcl search: what it finds and keeps, and that files do not depend on threads, devices, chunks, interruptions or parts,
nor on outputs of tests."""
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

import failing
import pocl

from command import ARCL, ROOT, CommandTest, main

EXAMPLES = ROOT / "examples"
ENOUGH = ("--candidates", 3000)
FOREVER = ("--seconds", 600)


def turned(grid):
    return [list(row) for row in zip(*grid[::-1])]


def mirrored(grid):
    return [row[::-1] for row in grid]


def grid(seed, h, w):
    return [[(seed * 7 + i * 5 + j * 3 + i * j * seed) % 10 for j in range(w)] for i in range(h)]


def task(change, tests=1):
    examples = [{"input": grid(seed, 2 + seed, 3), "output": change(grid(seed, 2 + seed, 3))} for seed in range(1, 5)]
    return {"train": examples[:-tests], "test": examples[-tests:]}


SOLVERS = '''def solve_turn(I):
    return rot90(I)
def solve_other(I):
    x1 = vmirror(I)
    return x1
'''


class SearchTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.environment["ARCL_PROFILE"] = ""
        self.write("p.py", SOLVERS)
        self.write("tasks/turn.json", task(turned))
        self.write("tasks/mirror.json", task(mirrored))

    def search(self, *arguments, out="found", tasks="tasks", solvers="p.py"):
        return self.accepted("search", "--tasks", tasks, "--solvers", solvers, "--out", out, *arguments)

    def start(self, *arguments, out="found", tasks="tasks", solvers="p.py"):
        command = ["search", "--tasks", tasks, "--solvers", solvers, "--out", out, *arguments]
        process = subprocess.Popen([ARCL, *map(str, command)], cwd=self.folder, env=self.environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def files(self, out="found"):
        folder = self.folder / out
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def programs(self, out="found"):
        return {name: text for name, text in self.files(out).items() if name.endswith(".py")}

    def lines(self, out="found", name="journal"):
        """Of the journal, without the one that says whose it is."""
        path = self.folder / out / name
        return path.read_text().splitlines()[1:] if path.exists() else []

    def waited(self, process, until):
        end = time.monotonic() + 60
        while not until():
            self.assertIsNone(process.poll(), "it is over already")
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)


class Found(SearchTest):
    def test_programs_are_found_and_kept(self):
        done = self.search(*ENOUGH)
        self.assertEqual(done.stdout.splitlines()[-1].split()[:2], ["tasks", "2/2"])
        self.assertIn("two attempts: 2 test grids, 2 right; 2 of 2 tasks solved", done.stdout)
        found = self.programs()
        best = [name for name in found if name.startswith("solve_turn/3/")]
        self.assertTrue(best, sorted(found))
        for name, text in found.items():
            with self.subTest(name=name):
                self.assertRegex(name, r"^solve_(turn|mirror)/[0-3]/\d+/[0-9a-f]{32}\.py$")
                self.assertEqual(pathlib.Path(name).stem, hashlib.md5(text).hexdigest())
                self.assertIn(b"def solve(I):\n", text)
        self.assertEqual(len(self.lines()), 2)

    def test_score_reads_what_was_found(self):
        self.search(*ENOUGH, "--submission", "s.json")
        scored = self.arcl("score", "found", "--tasks", "tasks")
        self.assertIn("solved by some program: 2 of 2 tasks", scored.stdout)
        judged = self.accepted("score", "--submission-file", "s.json", "--tasks", "tasks")
        self.assertEqual(judged.stdout.splitlines()[-1], "tasks 2/2 examples 2/2 errors 0")

    def test_what_was_found_can_be_begun_with(self):
        self.search(*ENOUGH)
        self.write("more/flip.json", task(mirrored))
        done = self.search(*ENOUGH, out="again", tasks="more", solvers="found")
        self.assertIn("tasks 1/1", done.stdout)

    def test_normal_form(self):
        self.search(*ENOUGH)
        for name in self.programs():
            with self.subTest(name=name):
                self.assertEqual(self.accepted("fmt", self.folder / "found" / name).stdout.strip(),
                                 (self.folder / "found" / name).read_text().strip())

    def test_own_solvers_are_left_out(self):
        one = EXAMPLES / "tasks" / "fa11d043.json"
        for own, solved in ((["--leave-own-out"], "0/1"), ([], "1/1")):
            done = self.search("--candidates", 100, *own, out=f"found{len(own)}", tasks=one, solvers=EXAMPLES / "programs.py")
            self.assertIn(f"tasks {solved}", done.stdout)

    def test_libraries(self):
        """What other programs have is known from a library, and is a part of what a folder is about."""
        self.write("others.py", "def a(I):\n    return trim(I)\n")
        self.write("one.py", "def solve_one(I):\n    return replace(I, 1, 2)\n")
        self.write("trimmed/trimmed.json", task(lambda grid: [row[1:-1] for row in grid[1:-1]]))
        self.accepted("learn", "others.py", "--out", "library.json")
        job = {"tasks": "trimmed", "solvers": "one.py"}
        self.assertIn("tasks 0/1", self.search(*ENOUGH, **job).stdout)
        self.assertIn("tasks 1/1", self.search(*ENOUGH, "--library", "library.json", out="taught", **job).stdout)
        again = ("search", "--tasks", "trimmed", "--solvers", "one.py", *ENOUGH, "--out")
        self.refused(*again, "taught", "--resume", says=["library"])
        self.refused(*again, "new", "--library", "one.py", says=["one.py"])
        self.refused(*again, "new", "--library", "absent.json", says=["absent.json"])

    def test_outputs_of_tests_are_not_used(self):
        for name, change in (("turn", turned), ("mirror", mirrored)):
            blind = task(change)
            blind["test"] = [{"input": example["input"]} for example in blind["test"]]
            self.write(f"blind/{name}.json", blind)
        self.search(*ENOUGH)
        done = self.search(*ENOUGH, out="blindly", tasks="blind")
        self.assertTrue(self.files("found") == self.files("blindly"))
        self.assertNotIn("two attempts", done.stdout)
        self.write("solutions.json", {name: [task(change)["test"][0]["output"]]
                                      for name, change in (("turn", turned), ("mirror", mirrored))})
        judged = self.search(*ENOUGH, "--resume", "--solutions", "solutions.json", out="blindly", tasks="blind")
        self.assertIn("2 of 2 tasks solved", judged.stdout)

    def test_page_and_json(self):
        self.search(*ENOUGH, "--html", "o.html", "--json", "o.json")
        page = (self.folder / "o.html").read_text()
        self.assertIn("What was found", page)
        self.assertIn("<svg", page)
        self.assertIn("solve_turn/3/", page)
        found = json.loads((self.folder / "o.json").read_text())
        self.assertEqual([entry["task"] for entry in found["tasks"]], ["mirror", "turn"])
        self.assertEqual(found["solved"]["by_two_attempts"], 2)
        self.assertEqual(sum(stage["candidates"] for stage in found["stages"]), found["totals"]["candidates"])
        for entry in found["tasks"]:
            self.assertTrue(entry["train_solved"] and entry["finished"])
            self.assertEqual(len(entry["files"]), len(entry["programs"]))
            for name, program in zip(entry["files"], entry["programs"]):
                self.assertEqual((self.folder / "found" / name).read_text(), program["text"])

    def test_progress(self):
        main_end, end = self.open_terminal()
        process = subprocess.Popen([ARCL, "search", "--tasks", "tasks", "--solvers", "p.py", "--out", "found", "--candidates",
                                    "3000"], cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL, stderr=end)
        os.close(end)
        shown = b""
        try:
            while chunk := os.read(main_end, 4096):
                shown += chunk
        except OSError:  # the other end is closed
            pass
        os.close(main_end)
        self.assertEqual(process.wait(60), 0)
        self.assertRegex(shown.decode(), r"\[[#.]+\] \d/2.* \d solved, \S+ candidates/s")


class SameFiles(SearchTest):
    """Tasks of the examples, each without its own program."""

    def found(self, out, *arguments, tasks=EXAMPLES / "tasks"):
        self.search("--leave-own-out", *ENOUGH, "--seed", 5, *arguments, out=out, tasks=tasks,
                    solvers=EXAMPLES / "programs.py")
        return self.files(out)

    def test_threads_and_chunks(self):
        one = self.found("one", "--threads", 1, "--submission", "one.json")
        self.assertGreater(len(one), 12)
        self.assertTrue(one == self.found("two", "--threads", 2, "--submission", "two.json"))
        self.assertTrue(one == self.found("three", "--threads", 3, "--chunk", 7))
        self.assertTrue(one == self.found("less", "--threads", 2, "--memory", "512M"))
        self.assertEqual((self.folder / "one.json").read_bytes(), (self.folder / "two.json").read_bytes())

    def edited(self, out, seed, *arguments):
        """With so many candidates that the stages which use the seed have their turns."""
        self.search("--leave-own-out", "--candidates", 20000, "--seed", seed, *arguments, out=out, tasks="few",
                    solvers=EXAMPLES / "programs.py")
        return self.programs(out)

    def test_seeds(self):
        for name in ("e17e2042", "9a77e243"):
            self.write(f"few/{name}.json", (EXAMPLES / "tasks" / f"{name}.json").read_bytes())
        one = self.edited("one", 5, "--threads", 1)
        self.assertTrue(one == self.edited("two", 5, "--threads", 2, "--chunk", 7))
        self.assertFalse(one == self.edited("three", 6))

    def test_devices(self):
        for name in ("fa11d043", "e17e2042", "9a77e243"):
            self.write(f"few/{name}.json", (EXAMPLES / "tasks" / f"{name}.json").read_bytes())
        host = self.found("host", "--device", "host", tasks="few")
        for device in pocl.ids("pthread"):
            done = pocl.run("search", "--tasks", "few", "--solvers", EXAMPLES / "programs.py", "--leave-own-out", *ENOUGH,
                            "--seed", 5, "--out", "device", "--device", device, "--require", devices="pthread",
                            folder=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(host == self.files("device"))

    def test_killed(self):
        whole = self.found("whole")
        for least in (1, 4, 9):
            with self.subTest(least=least):
                process = self.start("--leave-own-out", *ENOUGH, "--seed", 5, "--threads", 2, out=f"killed{least}",
                                     tasks=EXAMPLES / "tasks", solvers=EXAMPLES / "programs.py")
                self.waited(process, lambda: len(self.lines(f"killed{least}")) >= least)
                process.kill()
                process.wait()
                self.assertTrue(whole == self.found(f"killed{least}", "--resume", "--threads", 2))

    def test_what_was_cut_off_is_done_again(self):
        whole = self.found("whole")
        journal = self.folder / "whole" / "journal"
        journal.write_bytes(journal.read_bytes()[:-100])
        for path in list((self.folder / "whole").rglob("*.py"))[::3]:
            path.unlink()
        stray = self.folder / "whole" / "solve_fa11d043" / "0" / "1" / ("0" * 32 + ".py")
        stray.parent.mkdir(parents=True)
        stray.write_text("def solve(I):\n    return I\n")
        stray.with_name(stray.name + ".aB3dE9").write_text("def so")
        (self.folder / "whole" / "journal.aB3dE9").write_text("0")
        done = self.arcl("search", "--tasks", EXAMPLES / "tasks", "--solvers", EXAMPLES / "programs.py", "--leave-own-out",
                         *ENOUGH, "--seed", 5, "--out", "whole", "--resume")
        self.assertIn("its last line was cut off", done.stderr)
        self.assertIn("11 of 12 tasks are finished already", done.stderr)
        self.assertTrue(whole == self.files("whole"))

    def test_parts(self):
        whole = self.found("whole")
        for part in (1, 2, 3):
            self.found("parts", "--part", f"{part}/3")
            self.found(f"part{part}", "--part", f"{part}/3")
        self.assertEqual([len(self.lines("parts", f"journal-{part}-of-3")) for part in (1, 2, 3)], [4, 4, 4])
        # In one folder; and only the journals, from folders of their own.
        (self.folder / "copied").mkdir()
        for part in (1, 2, 3):
            shutil.copy(self.folder / f"part{part}" / f"journal-{part}-of-3", self.folder / "copied")
        for out in ("parts", "copied"):
            with self.subTest(out=out):
                done = self.search("--leave-own-out", *ENOUGH, "--seed", 5, "--resume", out=out, tasks=EXAMPLES / "tasks",
                                   solvers=EXAMPLES / "programs.py")
                self.assertIn("12 of 12 tasks are finished already", done.stderr)
                merged = {name: text for name, text in self.files(out).items() if "-of-" not in name}
                self.assertTrue(whole == merged)


class Ended(SearchTest):
    def test_interrupted(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number=number):
                out = f"found{int(number)}"
                process = self.start(*FOREVER, "--leave-own-out", "--submission", "s.json", "--threads", 2, out=out,
                                     tasks=EXAMPLES / "tasks", solvers=EXAMPLES / "programs.py")
                self.waited(process, (self.folder / out / "journal").exists)
                time.sleep(1)
                begin = time.monotonic()
                process.send_signal(number)
                _, told = process.communicate(timeout=60)
                self.assertEqual(process.returncode, -number, told)
                self.assertLess(time.monotonic() - begin, 20)
                self.assertIn(f"what was found is in {out}, and --resume goes on", told)
                self.assertTrue(self.programs(out))
                self.assertEqual(len(json.loads((self.folder / "s.json").read_text())), 12)
                (self.folder / "s.json").unlink()

    def test_interrupted_and_resumed(self):
        process = self.start(*ENOUGH, "--seed", 5, "--leave-own-out", tasks=EXAMPLES / "tasks",
                             solvers=EXAMPLES / "programs.py")
        self.waited(process, lambda: self.lines())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        for out in ("found", "whole"):
            self.search(*ENOUGH, "--seed", 5, "--leave-own-out", "--resume", out=out, tasks=EXAMPLES / "tasks",
                        solvers=EXAMPLES / "programs.py")
        self.assertTrue(self.files("whole") == self.files("found"))

    def test_a_clock_ends(self):
        begin = time.monotonic()
        self.search("--seconds", 1, "--leave-own-out", "--threads", 2)
        self.assertLess(time.monotonic() - begin, 30)
        self.assertEqual(len(self.lines()), 2)

    @unittest.skipIf(failing.is_sanitized(), "a sanitizer takes memory of its own")
    def test_memory(self):
        self.search("--leave-own-out", "--seconds", 3, "--threads", 2, "--memory", "512M", tasks=EXAMPLES / "tasks",
                    solvers=EXAMPLES / "programs.py")
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 512 << 10)


class Refused(SearchTest):
    def refused_search(self, *arguments, says, out="found", tasks="tasks", solvers="p.py"):
        return self.refused("search", "--tasks", tasks, "--solvers", solvers, "--out", out, *arguments, says=says)

    def test_folders(self):
        self.write("full/note.txt", "mine")
        self.refused_search(*ENOUGH, out="full", says=["full: there is something in this folder"])
        self.refused_search(*ENOUGH, "--resume", out="full", says=["full: there is something in this folder"])
        self.assertEqual(self.files("full"), {"note.txt": b"mine"})
        self.refused_search(*ENOUGH, out="p.py", says=["p.py: cannot open this folder"])
        self.refused_search(*ENOUGH, out="no/such", says=["no/such: cannot make this folder"])
        self.write("odd/journal", "dear diary")
        self.refused_search(*ENOUGH, "--resume", out="odd", says=["odd/journal: this is not a journal"])

    def test_other_jobs(self):
        self.search(*ENOUGH)
        before = self.files()
        self.refused_search(*ENOUGH, says=["found: a search was here before; --resume goes on with it"])
        self.refused_search(*ENOUGH, "--resume", "--seed", 2,
                            says=["this is the journal of another job", "it has seed=0, and this one seed=2"])
        self.refused_search("--candidates", 5, "--resume", says=["candidates=3000", "candidates=5"])
        self.write("p.py", SOLVERS.replace("rot90", "rot270"))
        self.refused_search(*ENOUGH, "--resume", says=["it has solvers="])
        self.write("p.py", SOLVERS)
        self.write("tasks/turn.json", task(mirrored))
        self.refused_search(*ENOUGH, "--resume", says=["it has tasks="])
        self.assertTrue(before == self.files())

    def test_two_processes(self):
        job = {"tasks": EXAMPLES / "tasks", "solvers": EXAMPLES / "programs.py"}
        process = self.start(*FOREVER, **job)
        self.waited(process, (self.folder / "found" / "journal").exists)
        time.sleep(0.2)
        for part in ([], ["--part", "1/2"]):
            self.refused_search(*FOREVER, "--resume", *part, **job,
                                says=["found/journal: another process is working on this"])
        process.kill()
        process.wait()
        process = self.start(*FOREVER, "--part", "1/2", out="parts", **job)
        self.waited(process, (self.folder / "parts" / "journal-1-of-2").exists)
        time.sleep(0.2)
        self.refused_search(*FOREVER, "--resume", out="parts", **job, says=["journal-1-of-2: another process"])

    def test_damage(self):
        self.search(*ENOUGH)
        journal = self.folder / "found" / "journal"
        text = journal.read_text()
        journal.write_text(text.replace('"distinct":', '"distinct":1', 1))
        self.refused_search(*ENOUGH, "--resume", says=["found/journal: line 2 is damaged"])
        lines = text.splitlines(keepends=True)
        journal.write_text(lines[0] + lines[2])  # without it, that task is searched again
        self.search(*ENOUGH, "--resume")
        self.assertEqual(journal.read_text(), text)

    def test_usage(self):
        tasks, solvers, out = ("--tasks", "tasks"), ("--solvers", "p.py"), ("--out", "found")
        self.refused("search", *solvers, *out, *ENOUGH, says=["--tasks is missing"])
        self.refused("search", *tasks, *solvers, *ENOUGH, says=["--out is missing"])
        self.refused("search", *tasks, *solvers, *out, says=["how long?", "--candidates", "--seconds"])
        self.refused("search", *tasks, *out, *ENOUGH, says=["nothing to begin with"])
        self.refused("search", "p.py", *tasks, *out, *ENOUGH, says=["--solvers"])
        for part in ("0/2", "3/2", "2", "a/b", "1/2/3", "1/0", "-1/2"):
            self.refused("search", *tasks, *solvers, *out, *ENOUGH, "--part", part, says=["as in 2/8"])
        self.write("bad/..json", task(turned))
        self.write("odd.json", {"../up": task(turned)})
        self.refused("search", "--tasks", "odd.json", *solvers, *out, *ENOUGH, says=["cannot be the name of a folder"])
        self.write("none.json", {"none": {"train": [{"input": [[1]]}], "test": [{"input": [[1]]}]}})
        self.refused("search", "--tasks", "none.json", *solvers, *out, *ENOUGH, says=["no train example with an output"])
        self.refused("search", *tasks, *solvers, *out, *ENOUGH, "--submission", "no/such.json", says=["no/such.json"])
        self.assertFalse((self.folder / "found").exists())


class FullDisk(failing.FailingTest):
    """Whatever fails while a search writes: a sentence, what was there stays, and --resume makes all of it."""

    def searched(self, out, *more, **how):
        environment = {**self.environment, **{"FAIL_" + name.upper(): str(value) for name, value in how.items()}}
        if how:
            environment["LD_PRELOAD"] = str(self.library)
        return subprocess.run([ARCL, "search", "--tasks", "tasks", "--solvers", "p.py", "--candidates", "500", "--threads", "1",
                               "--device", "host", "--out", out, *more], capture_output=True, text=True, cwd=self.folder,
                              env=environment, timeout=60)

    def files(self, out):
        folder = self.folder / out
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def test_files_that_fail(self):
        self.assertEqual(self.searched("whole").returncode, 0)
        whole = self.files("whole")
        for kind in ("open", "write", "sync", "close", "rename"):
            self.searched("counted" + kind, kind=kind, count=self.folder / "count")
            calls = int((self.folder / "count").read_text())
            for at in sorted({1, 2, 3, calls // 3, calls // 2, calls - 1, calls} - {0}):
                for on in (0, 1):
                    out = f"{kind}{at}on{on}"
                    with self.subTest(out=out):
                        done = self.searched(out, kind=kind, at=at, error=28, **({"on": 1} if on else {}))
                        self.assertIn(done.returncode, (0, 2), done.stderr)
                        if done.returncode:
                            self.assertRegex(done.stderr, "(?m)^arcl: .*(No space left|cannot)")
                        self.assertFalse([name for name in self.files(out) if re.search(r"\.[A-Za-z0-9]{6}$", name)])
                        again = self.searched(out, "--resume")
                        self.assertEqual(again.returncode, 0, again.stderr)
                        self.assertTrue(whole == self.files(out))


if __name__ == "__main__":
    main()
