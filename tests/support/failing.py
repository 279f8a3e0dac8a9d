"""Runs the command on a system that fails (failing_calls.c, preloaded), and says what must hold all the same: either it
succeeds and everything is as it is otherwise, or it fails with a sentence, and files are as they were before. Besides
what the tests run of it, `tests/support/failing.py` tries every call of every command: it takes a quarter of an hour."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import command
import preload

from command import ARCL, ROOT

PRECIOUS = b"precious"  # what outputs hold before
OUTPUTS = ("o.json", "o.html", "o.png", "o.py", "o.svg", "o.dot", "submission.json")
HOST = ("--device", "host", "--threads", "1")
SCORE = ("score", "p.py", "--tasks", "tasks", *HOST)
BOX = ("run", "p.py", "--in", "tasks/fa11d043.json", *HOST)

# What measures writes other numbers every time.
MEASURING = (
    ("bench", "rot90", "--lanes", "1", *HOST, "--json", "o.json", "--svg", "o.svg", "--repetitions", "2", "--min-time", "0",
     "--compare", "a.json"),
    ("profile", "--quick", "--fresh", "--op", "rot90", *HOST, "--profile", "o.json"),
)

# Every command, with the files that it can write.
COMMANDS = (
    *MEASURING,
    ("check", "v.jsonl", *HOST, "--json", "o.json", "--report"),
    (*SCORE, "--json", "o.json", "--html", "o.html", "--submission", "submission.json", "--report"),
    (*SCORE, "--battery", "--safe", "--all-pairs", "--json", "o.json", "--top", "2"),
    (*SCORE, "--cache-dir", "kept", "--json", "o.json"),
    (*BOX, "--json", "o.json", "--report"),
    (*BOX, "--png", "o.png"),
    (*BOX, "--show", "--safe", "--cache-dir", "kept"),
    ("similar", "p.py", "--tasks", "tasks", *HOST, "--json", "o.json"),
    ("battery", "p.py", "--out", "o.py"),
    ("mutate", "p.py", "--count", "5", "--out", "o.py"),
    ("mutate", "p.py", "--count", "5", "--battery", "--freeze", "graft,fill", "--out", "o.py"),
    ("learn", "p.py", "--out", "o.json"),
    ("search", "--tasks", "tasks", "--solvers", "p.py", "--candidates", "100", "--out", "kept", "--resume", *HOST, "--json", "o.json",
     "--html", "o.html", "--submission", "submission.json"),
    ("fmt", "p.py", "--inline", "--json", "o.json"),
    ("fmt", "p.py", "--dialect", "tokpidjin", "--json", "o.json"),
    ("explain", "p.py", "--program", "solve_fa11d043", "--profile", "profile.json", "--json", "o.json", "--dot", "o.dot"),
    ("explain", "p.py", "--in", "tasks/fa11d043.json", "--profile", "profile.json"),
    ("bench", "--compare", "a.json", "a.json"),
    ("show", "tasks/fa11d043.json", "p.py", *HOST, "--png", "o.png"),
    ("show", "tasks/fa11d043.json", "--json", "o.json"),
    ("show", "tasks", "--html", "o.html"),
    ("show", "tasks/fa11d043.json", "p.py", *HOST, "--html", "o.html"),
    ("show", "v.jsonl"),
    ("devices", "--json", "o.json"),
    ("ops", "--json", "o.json"),
    ("help", "--man"),
)

PROGRAMS = '''def solve_fa11d043(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, lowermost)
    x3 = remove(x2, x1)
    x4 = rbind(gravitate, x2)
    x5 = fork(shift, identity, x4)
    x6 = mapply(x5, x3)
    return paint(cover(I, merge(x3)), x6)
def solve_74244590(I):
    return rot90(I)
def solve_b_74244590(I):
    return power(rot90, colorcount(I, FIVE))(I)
'''
VECTOR = ('{"id":"v%d","program":"def p(a):\\n    return divide(SIX, a)\\n","types":["int"],'
          '"lanes":[{"in":[2],"out":3},{"in":[0],"error":"DIVIDE"}]}\n')
MEASURED = ('{"benchmarks":[{"name":"rot90/host/1","run_type":"iteration","real_time":1.5,"cpu_time":1.5,'
            '"time_unit":"ns"}]}')


def is_sanitized():
    """Sanitizers have a malloc of their own and must come first."""
    return re.search(rb"__(asan|tsan|msan)_init", pathlib.Path(ARCL).read_bytes()) is not None


class FailingTest(command.CommandTest):
    @classmethod
    def setUpClass(cls):
        if is_sanitized():
            raise unittest.SkipTest("built with a sanitizer")
        cls.kept = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.kept.cleanup)
        cls.library = preload.compiled("failing_calls.c", cls.kept.name)

    def setUp(self):
        super().setUp()
        for name in ("fa11d043", "74244590"):
            self.write(f"tasks/{name}.json", (ROOT / "examples" / "tasks" / f"{name}.json").read_bytes())
        self.write("p.py", PROGRAMS)
        self.write("v.jsonl", VECTOR % 1 + VECTOR % 2)
        self.write("a.json", MEASURED)
        subprocess.run([sys.executable, ROOT / "tests" / "support" / "synthetic_profile.py", self.folder / "profile.json"],
                       check=True)
        self.environment.update(ARCL_PROFILE="", OCL_ICD_VENDORS=str(self.folder), HOME=str(self.folder))
        self.environment.pop("XDG_CACHE_HOME", None)

    def failing(self, arguments, **how):
        """Runs with the library: FAIL_* of its settings are `how`. Returns what is printed and the files after that."""
        for name in OUTPUTS:
            (self.folder / name).write_bytes(PRECIOUS)
        environment = {**self.environment, "LD_PRELOAD": str(self.library)}
        environment.update({"FAIL_" + name.upper(): str(value) for name, value in how.items()})
        done = subprocess.run([ARCL, *arguments], capture_output=True, text=True, errors="replace", cwd=self.folder,
                              env=environment, timeout=60, stdin=subprocess.DEVNULL)
        return done, self.take_files()

    def take_files(self):
        """What is new in the folder, which goes; of kept results and kernels, what is not finished."""
        files = {}
        for path in sorted(self.folder.rglob("*")):
            inside = str(path.relative_to(self.folder))
            if path.is_dir() or inside in self.given:
                continue
            if inside.startswith((".cache/", "kept/")):
                if re.search(r"\.[A-Za-z0-9]{6}$", inside):
                    files[inside] = b""
            else:
                content = path.read_bytes()
                if content == PRECIOUS:
                    path.unlink()
                    continue
                if path.suffix == ".json":
                    json.loads(content)
                files[inside] = self.plain(content)
            path.unlink()
        for path in sorted(self.folder.glob("kept/**/"), reverse=True):
            path.rmdir()
        return files

    @staticmethod
    def plain(content):
        """Without what differs from run to run: times, how often something was tried, and an order by these."""
        content = re.sub(rb',?\n?"report":.*', b"", content, flags=re.DOTALL)
        content = re.sub(rb'"date": ?"[^"]*"', b"", content)
        content = re.sub(rb"<dt>(date|device)</dt>.*", b"", content)  # which name what can be found out
        content = re.sub(rb"\d+\.\d+(e[-+]?\d+)?", b"#", content)
        content = re.sub(rb">\d+ [num]?s</text>", b"></text>", content)  # of an axis
        content = re.sub(rb'(nanoseconds\w*"|data-key=)(: ?)?"?[#\d]+"?', b"", content)
        return re.sub(rb'<div class="scroll tall">.*?</table>', b"", content, flags=re.DOTALL)

    def tried(self, arguments, kind, most=None, words="memory|could not be started", **how):
        """The command with each call of that kind failing, or with so many of them, evenly spread. Returns how many."""
        self.given = {str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if not path.is_dir()}
        count = self.folder / "count"
        right, files = self.failing(arguments, kind=kind, count=count)
        self.assertIn(right.returncode, (0, 1), right.stderr)
        self.files = files
        calls = int(files.pop("count"))
        self.assertLessEqual(set(files), set(OUTPUTS))
        step = 1 if most is None else max(1, -(-calls // most))
        tries = range(1 + len(" ".join(arguments)) % step, calls + 1, step)  # not the same ones of every command
        for at in tries:
            with self.subTest(arguments=" ".join(arguments), kind=kind, at=at, **how):
                done, left = self.failing(arguments, kind=kind, at=at, **how)
                if "thread-local data: ABORT" in done.stderr:  # it is the dynamic loader that ends the process
                    continue
                self.assertIn(done.returncode, (right.returncode, 2, 3), f"ended by {done.returncode}: {done.stderr}")
                # A device's reason for not being there, or the notice about kernels; or what is wrong with a file of several.
                told = arguments[0] == "devices" and re.search(b"memory|cannot be used|\"processor\"", b"".join(left.values()))
                told = told or (arguments[0] == "fmt" and re.search("p.py: cannot", done.stderr))
                if arguments in MEASURING:
                    self.assertLessEqual(set(left), set(files))
                    self.assertTrue(set(left) == set(files) or re.search(words, done.stderr), done.stderr)
                elif done.returncode == right.returncode and not told:
                    self.assertEqual(self.plain(done.stdout.encode()), self.plain(right.stdout.encode()))
                    self.assertEqual(left, files)
                elif not told:
                    self.assertRegex(done.stderr, words)
                    for name, content in left.items():  # of several files, some may be done: as they should be, or not at all
                        self.assertEqual(content, files.get(name), name)
        return len(tries)


class EveryCall(FailingTest):
    def test_memory(self):
        for arguments in COMMANDS:
            print(*arguments, self.tried(arguments, "memory"), flush=True)
            self.tried(arguments, "memory", most=100, on=1)


if __name__ == "__main__":
    unittest.main()
