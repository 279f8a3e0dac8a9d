"""arcl mutate and arcl learn, on the built command."""
import json
import re
import unittest

from command import ROOT, CommandTest

PROGRAMS = ROOT / "examples" / "programs.py"
TOKPIDJIN = ROOT / "examples" / "tokpidjin_programs.py"
TASKS = ROOT / "examples" / "tasks"


class Case(CommandTest):
    def run_arcl(self, *arguments, status=0):
        done = self.arcl(*arguments)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done


class Mutate(Case):
    def mutants(self, *arguments, status=0, programs=PROGRAMS):
        """What was written, and what was said of it."""
        said = self.run_arcl("mutate", programs, "--out", self.folder / "o.py", *arguments, status=status)
        return (self.folder / "o.py").read_text(), said

    def definitions(self, text):
        return re.findall(r"(?m)^def (\w+)\(", text)

    def test_mutants_are_programs_of_their_own(self):
        text, said = self.mutants("--count", "200", "--seed", "3")
        names = self.definitions(text)
        self.assertEqual(len(names), 200)
        self.assertEqual(len(set(names)), 200)
        self.assertRegex(names[0], r"^m1_solve_[0-9a-f]{8}$")
        self.assertRegex(said.stdout, r"^200 mutants of 12 programs, of \d+ that were made: \d+ were there already, \d+ do not compile\n$")
        listed = json.loads(self.run_arcl("fmt", self.folder / "o.py", "--json", "-").stdout)
        own = json.loads(self.run_arcl("fmt", PROGRAMS, "--json", "-").stdout)
        self.assertEqual(len({one["key"] for one in listed + own}), 212)
        scored = self.run_arcl("score", self.folder / "o.py", "--tasks", TASKS, "--quiet", status=1)
        self.assertRegex(scored.stdout, r"^tasks \d+/200 examples ")

    def test_a_seed_says_which(self):
        one, again, other = (self.mutants("--count", "50", "--seed", seed)[0] for seed in ("1", "1", "2"))
        self.assertEqual(one, again)
        self.assertNotEqual(one, other)
        self.assertEqual(one, self.mutants("--count", "50", "--seed", "1", "--threads", "2")[0])

    def test_freeze(self):
        text, _ = self.mutants("--count", "20", "--freeze", "variable,function,swap,insert,delete,graft", "--rate", "0.2")
        shape = re.compile(r"-?\b(?:[TF]|\d+)\b|x\d+")
        bodies = {shape.sub("n", body.split("\n", 1)[1].strip()) for body in text.split("\ndef ")}
        own = {shape.sub("n", body.split("\n", 1)[1].strip())
               for body in self.run_arcl("fmt", PROGRAMS).stdout.split("\ndef ")}
        self.assertLessEqual(bodies, own)
        said = self.run_arcl("mutate", PROGRAMS, "--freeze", "grafts", "--out", self.folder / "x.py", status=2).stderr
        self.assertIn("'grafts' is neither; did you mean graft?", said)
        self.assertFalse((self.folder / "x.py").exists())

    def test_few_are_different(self):
        (self.folder / "one.py").write_text("def f(I):\n    return upscale(I, 2)\n")
        text, said = self.mutants("--count", "500", "--freeze", "insert,graft", programs=self.folder / "one.py", status=1)
        self.assertIn("no more than", said.stderr)
        self.assertLess(len(self.definitions(text)), 500)

    def test_as_a_battery(self):
        text, _ = self.mutants("--count", "30", "--battery")
        self.assertIn("30", self.run_arcl("battery", self.folder / "o.py", "--out", self.folder / "p.py").stdout)
        self.assertIn("return m30_solve_", text)

    def test_the_other_dialect(self):
        text, _ = self.mutants("--count", "30", programs=TOKPIDJIN)
        self.assertEqual(len(self.definitions(text)), 30)
        self.run_arcl("fmt", self.folder / "o.py", "--from", "tokpidjin", "--quiet")
        text, _ = self.mutants("--count", "10", "--battery", programs=TOKPIDJIN)
        self.assertIn("def batt(task_id, S, I, C, log_path):", text)
        self.assertEqual(len(re.findall(r"o\.append\(\(\d+, False, '[0-9a-f]{8}', t\d+\)\)", text)), 10)
        said = self.run_arcl("mutate", PROGRAMS, TOKPIDJIN, "--out", self.folder / "x.py", status=2).stderr
        self.assertIn("take files of one dialect", said)

    def test_bad_usage(self):
        out = ("--out", self.folder / "x.py")
        self.assertIn("--out is missing", self.run_arcl("mutate", PROGRAMS, status=2).stderr)
        for rate in ("2", "-1", "much", ""):
            self.assertIn("a number from 0 to 1", self.run_arcl("mutate", PROGRAMS, "--rate", rate, *out, status=2).stderr)
        (self.folder / "none.py").write_text("# nothing\n")
        self.assertIn("no programs", self.run_arcl("mutate", self.folder / "none.py", *out, status=2).stderr)
        self.run_arcl("mutate", self.folder / "absent.py", *out, status=2)
        self.assertFalse((self.folder / "x.py").exists())


class Learn(Case):
    def test_what_is_learned(self):
        said = self.run_arcl("learn", PROGRAMS, "--out", self.folder / "l.json").stdout
        library = json.loads((self.folder / "l.json").read_text())
        self.assertEqual((library["format"], library["version"], library["dialect"], library["programs"]),
                         ("arcl library", 1, "arc-dsl", 12))
        self.assertEqual(said, f"12 programs: {len(library['patterns'])} patterns of calls, {len(library['uses'])} uses of arguments\n")
        counts = [pattern["count"] for pattern in library["patterns"]]
        self.assertEqual(counts, sorted(counts, reverse=True))
        texts = "".join(pattern["text"] for pattern in library["patterns"])
        self.assertIn("objects(p1, T, F, T)", texts)
        (self.folder / "p.py").write_text(texts)
        self.run_arcl("fmt", self.folder / "p.py")
        self.assertTrue(any(use["op"] == "objects" and use["value"] is True for use in library["uses"]))

    def test_the_same_in_any_order(self):
        parts = PROGRAMS.read_text().split("\ndef ")
        (self.folder / "back.py").write_text("\n".join("def " + part for part in reversed(parts[1:])))
        (self.folder / "forth.py").write_text("\n".join("def " + part for part in parts[1:]))
        for name in ("back", "forth"):
            self.run_arcl("learn", self.folder / f"{name}.py", "--out", self.folder / f"{name}.json")
        self.assertEqual((self.folder / "back.json").read_text(), (self.folder / "forth.json").read_text())

    def test_bad_usage(self):
        self.assertIn("--out is missing", self.run_arcl("learn", PROGRAMS, status=2).stderr)
        self.assertIn("take files of one dialect",
                      self.run_arcl("learn", PROGRAMS, TOKPIDJIN, "--out", self.folder / "l.json", status=2).stderr)
        (self.folder / "none.py").write_text("# nothing\n")
        self.assertIn("no programs", self.run_arcl("learn", self.folder / "none.py", "--out", self.folder / "l.json", status=2).stderr)
        self.assertFalse((self.folder / "l.json").exists())


if __name__ == "__main__":
    unittest.main()
