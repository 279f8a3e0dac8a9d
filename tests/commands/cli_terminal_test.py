"""What the command does with terminals: progress in one line with its times, colours as many as there are, or none."""
import fcntl
import os
import re
import signal
import struct
import subprocess
import termios
import time
import unittest

from command import ARCL, EXAMPLE, PROGRAM, CommandTest


class Terminal(CommandTest):
    def drawn(self, *arguments, stream, columns, seconds=None, **environment):
        """What appears on a terminal of so many columns that is standard output (1) or standard error (2)."""
        ours, theirs = self.open_terminal()
        fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        clean = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLORTERM")}
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, ("stdout", "stderr")[stream - 1]: theirs}
        process = subprocess.Popen([ARCL, *map(str, arguments)], cwd=self.folder,
                                   env={**clean, "TERM": "xterm", **environment}, **streams)
        os.close(theirs)
        printed, end = b"", time.monotonic() + seconds if seconds else None
        try:
            while chunk := os.read(ours, 4096):
                printed += chunk
                if end and time.monotonic() > end:
                    process.send_signal(signal.SIGINT)
                    end = None
        except OSError:  # how a terminal says that the other side is gone
            pass
        os.close(ours)
        process.wait(60)
        return printed.decode()

    def bars(self, columns):
        text = self.drawn("bench", "--device", "host", "--lanes", "1", "--repetitions", "20", "--min-time", "0.01", stream=2,
                          columns=columns, seconds=3)
        return [bar for bar in re.findall(r"\r([^\r]*?)\x1b\[K", text) if bar]

    def test_progress_has_times(self):
        bars = self.bars(100)
        self.assertRegex(bars[0], r"^\[[#.]{30}\] \d+/\d+ \w+$")
        self.assertRegex(bars[-1], r"^\[[#.]{30}\] \d+/\d+ 0:\d\d, \d+:\d\d left \w+$")

    def test_progress_fits(self):
        for columns in (60, 40, 20):
            bars = self.bars(columns)
            self.assertLess(max(map(len, bars)), columns, bars)
            self.assertTrue(all(bar.startswith("[") for bar in bars))
            if columns == 20:
                break

    def show(self, *arguments, **environment):
        self.write("task.json", {"train": [EXAMPLE], "test": []})
        return self.drawn("show", "task.json", *arguments, stream=1, columns=80, **environment)

    def test_as_many_colours_as_there_are(self):
        self.assertIn("\x1b[48;2;0;116;217m", self.show(COLORTERM="truecolor"))
        self.assertIn("\x1b[48;2;0;116;217m", self.show(TERM="xterm-direct"))
        self.assertIn("\x1b[48;5;32m", self.show(TERM="xterm-256color"))
        self.assertNotIn("48;2", self.show(TERM="screen"))

    def test_no_colours(self):
        for environment in ({"TERM": "dumb"}, {"NO_COLOR": "1"}, {"TERM": "dumb", "COLORTERM": "truecolor"}):
            self.assertNotIn("\x1b", self.show(**environment))
        self.assertNotIn("\x1b", self.show("--color", "never", COLORTERM="truecolor"))

    def test_colours_for_a_file(self):
        self.write("task.json", {"train": [EXAMPLE], "test": []})
        self.environment.pop("COLORTERM", None)
        self.assertNotIn("\x1b", self.accepted("show", "task.json").stdout)
        self.assertIn("\x1b[48;5;", self.accepted("show", "task.json", "--color", "always").stdout)
        self.environment["COLORTERM"] = "truecolor"
        self.assertIn("\x1b[48;2;", self.accepted("show", "task.json", "--color", "always").stdout)
        self.assertIn("\x1b[48;5;", self.accepted("show", "task.json", "--color", "256").stdout)
        self.environment["NO_COLOR"] = "1"
        self.assertIn("\x1b[48;2;", self.accepted("show", "task.json", "--color", "always").stdout, "who says it means it")
        self.refused("show", "task.json", "--color", "blue", says=["--color blue", "auto, always, never or 256"])


class Words(CommandTest):
    def test_a_parenthesis_that_is_not_closed(self):
        for body, column in (("x1 = rot90(fill(I, ONE, asindices(I))\n    x2 = rot90(x1)\n    return x2", 15),
                             ("x1 = rot90(I\n    return x1", 15), ("x1 = (ONE, TWO\n    return I", 10),
                             ("return rot90(", 17), ("x1 = rot90(I,\n    x2 = rot90(I)\n    return x2", 15)):
            self.write("p.py", f"def solve_a(I):\n    {body}\n\n{PROGRAM}")
            with self.subTest(body):
                done = self.refused("fmt", "p.py", says=[f"p.py:2:{column}: this '(' is not closed"])
                line, caret = done.stderr.splitlines()[1:3]
                self.assertEqual(line[caret.index("^")], "(")
                self.assertIn("def solve_good", done.stdout, "the next definition is not spoiled")

    def test_other_mistakes_in_calls_are_where_they_were(self):
        for body, says in (("return fill(I ONE, I)", "2:19: 'ONE' where ',' or ')' is expected"),
                           ("return fill(I,\n        valeu=ONE,\n        patch=I)", "3:9: no parameter of that name"),
                           ("return fill(I,\n        ONE TWO)", "3:13: 'TWO' where ',' or ')' is expected")):
            self.write("p.py", f"def solve_a(I):\n    {body}\n")
            self.refused("fmt", "p.py", says=[says])

    def test_safe_programs_with_names_that_are_no_op(self):
        self.write("task.json", {"train": [EXAMPLE], "test": []})
        self.write("p.py", "def solve_task(I):\n    x1 = rot09(I)\n    return rot90(I)\n")
        for command in (["run", "p.py", "--in", "task.json"], ["score", "p.py", "--tasks", "task.json"]):
            done = self.accepted(*command, "--safe")
            self.assertIn("warning: this always fails: p.py:2:10: 'rot09' is no op", done.stderr)
            self.assertIn("did you mean rot90?", done.stderr)
            self.assertNotIn("warning", self.accepted(*command, "--safe", "--quiet").stderr)
            self.refused(*command, says=["'rot09' is no op"])
        self.write("p.py", "def solve_task(I):\n    return rot90(I))\n")
        self.assertNotIn("warning", self.arcl("run", "p.py", "--in", "task.json", "--safe").stderr)


if __name__ == "__main__":
    unittest.main()
