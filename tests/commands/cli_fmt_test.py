"""arcl fmt on the built binary: its output is final, does what the input does, and broken definitions do not stop it."""
import json

import command


class Fmt(command.CommandTest):
    def formatted(self, text, *options):
        self.write("in.py", text)
        return self.accepted("fmt", "in.py", *options).stdout

    def test_one_text_for_one_program(self):
        one = self.formatted("from dsl import *\n# a comment\ndef f(I):\n    b = rot90(I)\n    a = height(I)\n"
                             "    O = replace(b, TWO, a)  # TWO is 2\n    return O\n")
        two = self.formatted("def f(I):\n    return replace(rot90(I), replacer=height(I), replacee=2)\n")
        self.assertEqual(one, two)
        self.assertEqual(one, "def f(I):\n    x1 = rot90(I)\n    x2 = height(I)\n    x3 = replace(x1, 2, x2)\n    return x3\n")
        self.assertEqual(self.formatted(one, "--inline"), "def f(I):\n    return replace(rot90(I), 2, height(I))\n")

    def test_broken_definitions_do_not_stop_the_others(self):
        self.write("broken.py", "def a(I):\n    return rot90(I)\ndef b(I):\n    x = nothing(I)\n    return x\n"
                   "more\nx = 3\ndef c(I):\n    return hmirror(I)\n")
        done = self.refused("fmt", "broken.py", says=["broken.py:4:9: 'nothing' is no op", "\n            ^",
                                                      "broken.py:6:1: only definitions"])
        self.assertEqual(done.stdout, "def a(I):\n    x1 = rot90(I)\n    return x1\n\n"
                         "def c(I):\n    x1 = hmirror(I)\n    return x1\n")

    def test_files_that_are_not_there(self):
        self.write("good.py", command.PROGRAM)
        done = self.refused("fmt", "absent.py", "good.py", says=["absent.py"])
        self.assertIn("rot90", done.stdout)
        self.refused("fmt", says=["an argument is missing"])

    def test_what_does_not_type_check_is_formatted(self):
        self.assertIn("fill(3, I)", self.formatted("def f(I):\n    return fill(THREE, I)\n"))

    def test_json(self):
        self.write("in.py", "def f(I):\n    O = rot90(I)\n    return O\ndef g(I):\n    return rot90(I)\ndef h(I):\n    return 1 +\n")
        self.refused("fmt", "in.py", "--json", "out.json", says=["in.py:7"])
        f, g, h = json.loads((self.folder / "out.json").read_text())
        self.assertEqual([f["name"], f["file"], f["error"]], ["f", "in.py", None])
        self.assertEqual(f["text"], "def f(I):\n    x1 = rot90(I)\n    return x1\n")
        self.assertRegex(f["key"], "^[0-9a-f]{32}$")
        self.assertEqual(f["key"], g["key"])
        self.assertEqual([h["text"], h["key"]], [None, None])
        self.assertIn("in.py:7:", h["error"])


class Vectors(command.CommandTest):
    """Every program of the vectors, in both forms, does what the vectors say."""

    def check(self, *options):
        for path in sorted(command.VECTORS.glob("*.jsonl")):
            if path.name == "wide.jsonl":  # large inputs, few programs
                continue
            cases = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
            cases = [case for case in cases if "def batt(" not in case["program"]]  # of which each is many programs
            self.write("given.jsonl", "\n".join(map(json.dumps, cases)) + "\n")
            self.write("all.py", "\n".join(case["program"] for case in cases))
            words = ("--from", cases[0].get("dialect", "arc-dsl"))  # a file has vectors of one dialect
            self.arcl("fmt", "all.py", "--json", "once.json", *words, *options)
            entries = json.loads((self.folder / "once.json").read_text())
            self.assertEqual(len(entries), len(cases))
            texts = [entry["text"] for entry in entries]
            self.write("again.py", "\n".join(text for text in texts if text))
            self.arcl("fmt", "again.py", "--json", "again.json", *words, *options)
            again = [entry["text"] for entry in json.loads((self.folder / "again.json").read_text())]
            self.assertEqual([text for text in texts if text], again, path.name)
            for case, text in zip(cases, texts):
                case["program"] = text or case["program"]
            self.write("all.jsonl", "\n".join(map(json.dumps, cases)) + "\n")
            expected = self.accepted("check", "given.jsonl").stdout.splitlines()[-1]
            self.assertEqual(self.accepted("check", "all.jsonl").stdout.splitlines()[-1], expected)

    def test_a_call_a_line(self):
        self.check()

    def test_inlined(self):
        self.check("--inline")


if __name__ == "__main__":
    command.main()
