"""What the command is started in must not matter: closed standard files, names that are no UTF-8, signals, locales,
limits, and variables that are missing or odd."""
import json
import os
import resource
import shutil
import signal
import subprocess
import time
import unittest

import command

from command import ARCL, PROGRAM, TASK
from failing import is_sanitized

SCORE = ("score", "good.py", "--tasks", "tasks", "--device", "host")


class Environment(command.CommandTest):
    def setUp(self):
        super().setUp()
        self.write("tasks/good.json", TASK)
        self.write("good.py", PROGRAM)
        self.environment.update(HOME=str(self.folder), XDG_CACHE_HOME=str(self.folder / "cache"))

    def started(self, arguments, text=True, **how):
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": self.environment, **how}
        return subprocess.run([ARCL, *map(str, arguments)], cwd=self.folder, timeout=60, text=text, **how)

    def names(self):
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*") if not p.is_dir())


class ClosedFiles(Environment):
    """What is printed must not get into a file that happens to have the number of a closed one."""

    def closed(self, numbers, *arguments):
        redirections = " ".join(f"{n}{'<' if n == 0 else '>'}&-" for n in numbers)
        return subprocess.run(["sh", "-c", f'"$0" "$@" {redirections}', ARCL, *map(str, arguments)], cwd=self.folder,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, env=self.environment, timeout=60)

    def test_standard_output(self):
        for arguments in (("ops",), ("devices",), SCORE, ("help",), ("--version",)):
            done = self.closed([1], *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn("cannot write standard output", done.stderr)

    def test_standard_output_that_nothing_goes_to(self):
        done = self.closed([1], "show", "tasks/good.json", "--json", "o.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads((self.folder / "o.json").read_text()), TASK)

    def test_the_json_file_that_is_standard_output(self):
        done = self.closed([1], "show", "tasks/good.json", "--json", "-")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot write", done.stderr)

    def test_standard_error(self):
        self.write("bad.py", "def solve_good(I):\n    return frobnicate(I)\n")
        done = self.closed([2], "score", "bad.py", "--tasks", "tasks", "--json", "o.json", "--html", "o.html")
        self.assertEqual(done.returncode, 2)
        json.loads((self.folder / "o.json").read_text())
        self.assertNotIn("arcl: ", (self.folder / "o.html").read_text()[:20])

    def test_all_of_them(self):
        for numbers in ([0], [0, 1], [0, 2], [1, 2], [0, 1, 2]):
            done = self.closed(numbers, *SCORE, "--json", "o.json", "--report")
            self.assertEqual(done.returncode, 2 if 1 in numbers else 0, numbers)
            json.loads((self.folder / "o.json").read_text())


class Names(Environment):
    def test_names_that_are_no_utf8(self):
        """JSON stays JSON: the bytes that are not UTF-8 become U+FFFD, and a note says so."""
        odd = os.fsencode(self.folder) + b"/t\xff\xc3(\xed\xa0\x80.json"
        program = os.fsencode(self.folder) + b"/p\xfe\xc3\xa9.py"
        with open(odd, "w") as out:
            json.dump(TASK, out)
        with open(program, "w") as out:
            out.write(PROGRAM + "def solve_broken(I):\n    return frobnicate(I)\n")
        for arguments in ((b"run", program, b"--in", odd, b"--program", b"solve_good"),
                          (b"score", program, b"--tasks", odd, b"--all-pairs", b"--html", b"o.html"),
                          (b"score", program, b"--tasks", odd, b"--all-pairs", b"--submission", b"s.json"),
                          (b"similar", program, b"--tasks", odd), (b"fmt", program), (b"show", odd)):
            with self.subTest(arguments[0]):
                done = subprocess.run([os.fsencode(ARCL), *arguments, b"--json", b"o.json"], cwd=self.folder,
                                      capture_output=True, env=self.environment, timeout=60)
                self.assertIn(done.returncode, (0, 1, 2))
                out = json.loads((self.folder / "o.json").read_bytes().decode())
                if arguments[0] != b"show":
                    self.assertIn("\ufffd", json.dumps(out, ensure_ascii=False))
                    self.assertIn(b"not UTF-8", done.stderr)
                if arguments[0] == b"fmt":
                    self.assertTrue(out[0]["file"].endswith("/p\ufffdé.py"), out[0]["file"])
        json.loads((self.folder / "s.json").read_bytes().decode())

    # A character of each length; one that is longer than need be, one cut short, a surrogate.
    BEYOND_ASCII = ("é∀😀".encode(), b"\xc0\xaf", b"\xe2\x82", b"\xed\xa0\x80")

    def test_programs_with_such_bytes(self):
        """They do not matter where no program is; in one they are refused, in a message that JSON can hold."""
        for odd in self.BEYOND_ASCII:
            body = b"# " + odd + b'\ndef solve_good(I):\n    """' + odd + b'"""\n    x1 = rot90(I)  # ' + odd + b"\n    return x1\n"
            with self.subTest(odd):
                self.write("odd.py", body)
                done = self.started(("score", "odd.py", "--tasks", "tasks", "--device", "host"))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("tasks 1/1", done.stdout)
                for text in (body.replace(b"x1", b"x" + odd), body.replace(b"_good", b"_" + odd), body.replace(b"I)  ", b"I" + odd + b")")):
                    self.write("odd.py", text)
                    done = self.started(("fmt", "odd.py", "--json", "o.json"), text=False)
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertIn(odd, done.stderr)
                    said = json.loads((self.folder / "o.json").read_bytes().decode())[0]["error"]
                    self.assertIn(odd.decode(errors="ignore") or "\ufffd", said)

    def test_tasks_with_such_ids(self):
        """An id that is text stays what it is; a file of tasks with another one is no JSON."""
        for odd in self.BEYOND_ASCII:
            with self.subTest(odd):
                self.write("many.json", b'{"' + odd + b'": ' + json.dumps(TASK).encode() + b"}")
                done = self.started(("score", "good.py", "--tasks", "many.json", "--all-pairs", "--json", "o.json"), text=False)
                if odd.decode(errors="ignore"):
                    out = json.loads((self.folder / "o.json").read_bytes().decode())
                    self.assertEqual([task["id"] for task in out["tasks"]], [odd.decode()])
                else:
                    self.assertEqual(done.returncode, 2)
                    self.assertIn(b"cannot be read as JSON", done.stderr)

    def test_vectors_of_such_a_name(self):
        path = os.fsencode(self.folder) + b"/v\xff.jsonl"
        with open(path, "w") as out:
            out.write('{"id":"v","program":"def p(a):\\n    return a\\n","types":["int"],"lanes":[{"in":[1],"out":1}]}\n')
        done = subprocess.run([os.fsencode(ARCL), b"check", path, b"--json", b"o.json"], cwd=self.folder,
                              capture_output=True, env=self.environment, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        out = json.loads((self.folder / "o.json").read_bytes().decode())
        self.assertTrue(out["cases"][0]["file"].endswith("v\ufffd.jsonl"))


class Signals(Environment):
    def setUp(self):
        super().setUp()
        for i in range(400):
            self.write(f"many/t{i}.json", TASK)
        self.write("many.py", "".join(f"def solve_t{i}(I):\n    return rot180(I)\n" for i in range(400)))
        self.given = self.names()

    def test_a_reader_that_goes_away(self):
        process = subprocess.Popen([ARCL, "score", "many.py", "--tasks", "many", "--json", "o.json", "--html", "o.html"],
                                   cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.close()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGPIPE)
        self.assertEqual(self.names(), self.given)

    def test_a_file_that_may_not_grow(self):
        limit = (4096, 4096)
        done = self.started(("score", "many.py", "--tasks", "many", "--json", "o.json", "--html", "o.html"),
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit))
        self.assertEqual(done.returncode, 2)
        self.assertIn("File too large", done.stderr)
        self.assertEqual(self.names(), self.given)

    def test_being_ended(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            for delay in (0.01, 0.03):
                process = subprocess.Popen([ARCL, "score", "many.py", "--tasks", "many", "--all-pairs", "--json", "o.json",
                                            "--html", "o.html", "--quiet"], cwd=self.folder, env=self.environment,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                           preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
                time.sleep(delay)
                process.send_signal(number)
                process.wait(60)
                left = [name for name in self.names() if name not in self.given and name not in ("o.json", "o.html")]
                self.assertEqual(left, [])


class Matrix(Environment):
    """The same output and files whatever the environment is."""

    def outcome(self, **how):
        done = self.started((*SCORE, "--json", "o.json", "--all-pairs"), stdin=subprocess.DEVNULL, **how)
        self.assertEqual(done.returncode, 0, done.stderr)
        out = json.loads((self.folder / "o.json").read_text())
        shown = self.started(("show", "tasks/good.json", "good.py", "--program", "solve_good", "--device", "host"), **how)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        (self.folder / "o.json").unlink()
        return done.stdout, shown.stdout, out["programs"]

    def setUp(self):
        super().setUp()
        self.expected = self.outcome()

    def with_variables(self, **variables):
        environment = dict(self.environment)
        for name, value in variables.items():
            environment.pop(name, None) if value is None else environment.update({name: str(value)})
        return environment

    def test_variables(self):
        self.write("file", "x")
        for variables in ({"HOME": None}, {"HOME": None, "XDG_CACHE_HOME": None}, {"HOME": ""}, {"HOME": "relative"},
                          {"XDG_CACHE_HOME": "relative"}, {"XDG_CACHE_HOME": "/proc/nowhere"}, {"XDG_CACHE_HOME": "x" * 5000},
                          {"XDG_CACHE_HOME": self.folder / "file"}, {"TMPDIR": "/nowhere"}, {"TMPDIR": "relative"},
                          {"TMPDIR": ""}, {"NO_COLOR": "1"}, {"NO_COLOR": ""}, {"COLUMNS": "0"}, {"COLUMNS": "-5"},
                          {"COLUMNS": "wide"}, {"COLUMNS": "99999999999999999999"}, {"TERM": None}, {"TERM": "dumb"},
                          {"TERM": ""}, {"PATH": None}, {"LC_ALL": "nowhere"}, {"LANG": "\udcff"},
                          {"ARCL_PROFILE": None}, {"ARCL_PROFILE": "relative"}, {"ARCL_PROFILE": self.folder}):
            with self.subTest(**variables):
                self.assertEqual(self.outcome(env=self.with_variables(**variables)), self.expected)
        self.assertEqual(self.outcome(env={}), self.expected)

    def test_the_cache_without_a_place(self):
        for variables, says in (({"HOME": None, "XDG_CACHE_HOME": None}, "--cache-dir DIR"),
                                ({"HOME": "relative", "XDG_CACHE_HOME": "relative"}, "--cache-dir DIR")):
            done = self.started((*SCORE, "--cache"), env=self.with_variables(**variables))
            self.assertEqual(done.returncode, 2)
            self.assertIn(says, done.stderr)
        done = self.started((*SCORE, "--cache"), env=self.with_variables(XDG_CACHE_HOME="/proc/nowhere"))
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (0, "tasks 1/1 examples 2/2 errors 0"))
        self.assertIn("results cannot be kept", done.stderr)

    def test_a_locale_with_a_decimal_comma(self):
        if not shutil.which("localedef"):
            raise unittest.SkipTest("localedef is missing")
        place = self.folder / "locales"
        place.mkdir()
        if subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", place / "de_DE.UTF-8"], capture_output=True).returncode:
            raise unittest.SkipTest("there is no such locale to be made")
        self.assertEqual(self.outcome(env=self.with_variables(LOCPATH=place, LC_ALL="de_DE.UTF-8")), self.expected)

    def test_masks(self):
        for mask, mode in ((0o077, 0o600), (0, 0o666), (0o777, 0)):
            done = self.started(("show", "tasks/good.json", "--json", "o.json"), preexec_fn=lambda: os.umask(mask))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual((self.folder / "o.json").stat().st_mode & 0o777, mode)
            (self.folder / "o.json").unlink()

    def test_results_are_kept_for_their_owner(self):
        self.started((*SCORE, "--cache"), preexec_fn=lambda: os.umask(0))
        kept = self.folder / "cache" / "arcl" / "results"
        for path in (kept.parent, kept, *kept.iterdir()):
            self.assertEqual(path.stat().st_mode & 0o022, 0, path)

    def test_few_open_files(self):
        for most in (4, 5, 6, 8, 16):
            limit = (most, most)
            done = self.started((*SCORE, "--json", "o.json", "--html", "o.html", "--submission", "s.json", "--cache"),
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limit))
            self.assertIn(done.returncode, (0, 2), done.stderr)
            if done.returncode:
                self.assertRegex(done.stderr, "Too many open files|cannot open|libjansson|shared object|cannot read")
            self.assertEqual([name for name in self.names() if name[-7:-6] == "."], [])

    @unittest.skipIf(is_sanitized(), "a sanitizer reserves terabytes")
    def test_little_memory(self):
        for megabytes in (64, 128, 512):
            limit = (megabytes << 20, megabytes << 20)
            done = self.started((*SCORE, "--threads", "1"), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))
            self.assertIn(done.returncode, (0, 2), done.stderr)
            if done.returncode:
                self.assertIn("memory", done.stderr)
            else:
                self.assertIn("\ntasks 1/1", done.stdout)


if __name__ == "__main__":
    command.main()
