"""What the command says of itself: help, manual page and completion come from the same rows, and a misspelled name gets
a hint."""
import re
import shlex
import shutil
import subprocess

from command import PROGRAM, ROOT, TASK, CommandTest, main

COMMANDS = re.findall(r"(?m)^COMMAND\((\w+),", (ROOT / "tools" / "commands.def").read_text())
OPTIONS = re.findall(r'(?m)^OPTION\(\w+, "([\w-]+)"', (ROOT / "tools" / "options.def").read_text())
EXAMPLES = re.findall(r'(?m)^MANUAL\(EXAMPLE, \w+, "(.*?)"', (ROOT / "tools" / "manual.def").read_text())


class Help(CommandTest):
    def test_the_same_in_every_way(self):
        self.assertEqual(self.accepted("--help").stdout, self.accepted("help").stdout)
        for command in COMMANDS:
            self.assertEqual(self.accepted(command, "--help").stdout, self.accepted("help", command).stdout)

    def test_fits_a_terminal(self):
        for text in [self.accepted("help").stdout] + [self.accepted("help", command).stdout for command in COMMANDS]:
            self.assertEqual([line for line in text.splitlines() if len(line) > 80], [])

    def test_every_option_is_listed_where_it_is_taken(self):
        listed = set()
        for command in COMMANDS:
            listed |= set(re.findall(r"(?m)^  (?:-\w,|   ) --([\w-]+)", self.accepted("help", command).stdout))
        self.assertEqual(listed, set(OPTIONS))

    def test_only_what_matters_is_listed(self):
        for command, others in (("ops", ["device", "threads", "memory", "chunk", "report", "color"]),
                                ("fmt", ["device", "budget", "report"]), ("help", ["device", "json"]),
                                ("devices", ["threads", "chunk"]), ("check", ["color", "tasks"])):
            text = self.accepted("help", command).stdout
            for option in others:
                self.assertNotRegex(text, rf"--{option}\b", command)
        for option in ("device", "threads", "report", "json", "color", "quiet"):
            self.assertIn(f"--{option}", self.accepted("help", "run").stdout)
            self.assertIn(f"--{option}", self.accepted("help").stdout)
        self.accepted("ops", "rot90", "--device", "host", "--threads", "1")  # all take them all the same

    def test_examples_work(self):
        self.assertGreater(len(EXAMPLES), 4)
        for name in ("examples", "tests"):  # what they read; what they write stays here
            (self.folder / name).symlink_to(ROOT / name)
        for line in EXAMPLES:
            with self.subTest(line):
                self.accepted(*shlex.split(line)[1:])

    def test_without_a_command(self):
        done = self.arcl()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", self.accepted("help").stdout))


class Manual(CommandTest):
    def setUp(self):
        super().setUp()
        self.page = self.folder / "arcl.1"
        self.page.write_text(self.accepted("help", "--man").stdout)

    def run_tool(self, *command):
        if not shutil.which(command[0]):
            self.skipTest(f"needs {command[0]}")
        return subprocess.run([*command, str(self.page)], capture_output=True, text=True, timeout=60)

    def test_has_everything(self):
        text = self.page.read_text().replace("\\-", "-")
        for command in COMMANDS:
            self.assertIn(f".SS arcl {command}", text)
        for option in OPTIONS:
            self.assertIn(f"--{option}\\fR", text)
        for title in ("NAME", "SYNOPSIS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"):
            self.assertIn(f".SH {title}\n", text)

    def test_groff_has_nothing_to_say(self):
        done = self.run_tool("groff", "-man", "-ww", "-Tutf8")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("solve_fa11d043", done.stdout)

    def test_mandoc_finds_no_errors(self):
        done = self.run_tool("mandoc", "-T", "lint", "-W", "error")
        self.assertEqual((done.returncode, done.stdout), (0, ""))


class Completion(CommandTest):
    def complete(self, *words):
        """What bash offers for the last of the words that follow the command's name."""
        if not shutil.which("bash"):
            self.skipTest("needs bash")
        script = self.accepted("help", "--completion").stdout
        line = " ".join(map(shlex.quote, ("arcl", *words)))
        script += f'COMP_WORDS=({line}) COMP_CWORD={len(words)}\n_arcl\nprintf "%s\\n" "${{COMPREPLY[@]}}"\n'
        done = subprocess.run(["bash", "-euc", script], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_commands(self):
        self.assertEqual(self.complete("sc"), ["score"])
        self.assertEqual(set(COMMANDS) - set(self.complete("")), set())

    def test_options_of_a_command(self):
        self.assertEqual(self.complete("score", "p.py", "--ta"), ["--tasks"])
        self.assertEqual(self.complete("run", "--ta"), ["--task"])

    def test_names(self):
        self.assertEqual(self.complete("ops", "rot"), ["rot90", "rot180", "rot270"])
        self.assertEqual(self.complete("help", "dev"), ["devices"])
        self.assertEqual(self.complete("run", "--device", "h"), ["host"])

    def shell(self, name, *arguments):
        if not shutil.which(name):
            self.skipTest(f"needs {name}")
        (self.folder / "_arcl").write_text(self.accepted("help", "--completion", name).stdout)
        done = subprocess.run([name, *arguments], capture_output=True, text=True, timeout=60, cwd=self.folder,
                              env={**self.environment, "HOME": str(self.folder)})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_fish(self):
        def complete(line):
            offered = self.shell("fish", "--no-config", "-c", f"source _arcl; complete -C {shlex.quote(line)}")
            return [row.split("\t")[0] for row in offered.splitlines()]
        self.assertEqual(complete("arcl sc"), ["score"])
        self.assertEqual(complete("arcl score p.py --tas"), ["--tasks"])
        self.assertEqual(complete("arcl fmt --devi"), [], "an option that does not matter")
        self.assertEqual(set(complete("arcl ops rot")), {"rot90", "rot180", "rot270"})
        self.assertEqual(set(COMMANDS) - set(complete("arcl ")), set())

    def test_zsh(self):
        self.shell("zsh", "-fn", "_arcl")  # it can be read
        text = self.accepted("help", "--completion", "zsh").stdout
        self.assertTrue(text.startswith("#compdef arcl\n"))
        # What zsh would offer: its own functions for that, replaced by ones that print what they are given.
        script = '''_describe() { print -rl -- ${(P)4} }
_arguments() { print -rl -- "$@" }
words=(arcl "$@") CURRENT=$#words
. ./_arcl'''
        offered = self.shell("zsh", "-fc", script, "zsh", "sc")
        self.assertIn("score:Run programs", offered)
        offered = self.shell("zsh", "-fc", script, "zsh", "score", "")
        self.assertIn("--tasks[tasks\\: a directory", offered)
        self.assertIn("*:argument:_files", offered)
        self.assertNotIn("--repetitions", offered)
        self.assertRegex(self.shell("zsh", "-fc", script, "zsh", "ops", ""), r"\*:argument:\(.*rot90.*\)")

    def test_other_shells(self):
        self.assertEqual(self.accepted("help", "--completion").stdout, self.accepted("help", "--completion", "bash").stdout)
        self.refused("help", "--completion", "tcsh", says=["bash, zsh and fish", "tcsh"])

    def test_files_are_left_to_bash(self):
        self.assertEqual(self.complete("run", "examp"), [])


class Hints(CommandTest):
    def test_commands(self):
        self.refused("scroe", says=["there is no command scroe; did you mean score?"])
        self.refused("help", "sho", says=["there is no command sho; did you mean show?"])
        self.refused("frobnicate", says=["there is no command frobnicate; `arcl --help` lists the commands"])

    def test_options(self):
        self.refused("run", "--inn", "x", says=["there is no option --inn; did you mean --in?"])
        self.refused("run", "--deivce=host", says=["there is no option --deivce; did you mean --device?"])
        self.refused("run", "--tasks", "x", says=["--tasks is an option of `arcl score`"])
        self.refused("run", "--frobnicate", says=["there is no option --frobnicate; `arcl run --help`"])
        self.refused("run", "-x", says=["there is no option -x"])
        self.refused("run", "--re", says=["several options begin with --re"])
        self.refused("run", "--device", says=["--device needs an argument"])
        self.refused("show", "--quiet=3", says=["--quiet takes no argument"])

    def test_ops(self):
        self.refused("ops", "fil", says=["no op is named fil; did you mean fill?"])
        self.refused("bench", "rto90", says=["no op is named rto90; did you mean rot90?"])
        self.refused("ops", "frobnicate", says=["`arcl ops` lists them all"])

    def test_ops_in_programs(self):
        self.write("p.py", "def p(I):\n    return fil(I, ONE, I)\n")
        self.write("task.json", TASK)
        self.refused("run", "p.py", "--in", "task.json", says=["p.py:2:12: 'fil' is no op", "; did you mean fill?\n"])

    def test_files(self):
        self.write("task.json", TASK)
        self.refused("show", "tsak.json", says=["tsak.json: there is no such file or directory; did you mean task.json?"])
        self.refused("show", "other", says=["other: there is no such file or directory; looked in ", str(self.folder)])
        self.refused("show", self.folder / "task.jso", says=["did you mean task.json?"])
        self.refused("show", "absent/task.json", says=["there is no directory absent"])
        self.refused("check", ".", says=[".: this is a directory; a file is expected here"])

    def test_tasks(self):
        self.write("many.json", {"fa11d043": TASK, "b1660b1e": TASK})
        self.write("p.py", PROGRAM)
        for command in (["run", "p.py", "--in", "many.json"], ["show", "many.json", "p.py"], ["show", "many.json"]):
            self.refused(*command, "--task", "fa11d04", says=["no task fa11d04; did you mean fa11d043?"])
            self.refused(*command, "--task", "nonsense", says=["no task nonsense; there is for example b1660b1e"])
        self.refused("run", "p.py", "--in", "many.json", says=["2 tasks; choose one with --task ID, for example --task b1660b1e"])
        self.write("data/mine/a.json", TASK)
        self.refused("show", "data", says=["no tasks in this directory", "as there are in data/mine"])
        self.refused("show", "p.py", says=["this looks like a file of programs, but tasks are expected here"])

    def test_programs(self):
        self.write("aa.json", TASK)
        self.write("p.py", PROGRAM)
        self.write("empty.py", "# nothing\n")
        self.refused("run", "p.py", "--in", "aa.json", "--program", "solve_goood", says=["did you mean solve_good?"])
        self.refused("score", "p.py", "--tasks", "aa.json", says=["as solve_aa would be; --all-pairs runs"])
        self.refused("score", "empty.py", "--tasks", "aa.json", says=["no programs; expected definitions such as `def solve_aa(I):`"])

    def test_vectors(self):
        self.write("long.jsonl", "nonsense\n" * 1000)
        done = self.refused("check", "long.jsonl", says=["long.jsonl:20:", "... and 980 more lines like these"])
        self.assertNotIn("long.jsonl:21:", done.stderr)
        self.write("empty.jsonl", "\n")
        self.refused("check", "empty.jsonl", says=["nothing to check", "a JSON object on every line"])

    def test_an_option_before_the_command(self):
        self.refused("--device", "host", "ops", says=["the command comes first: arcl COMMAND [OPTIONS]"])


if __name__ == "__main__":
    main()
