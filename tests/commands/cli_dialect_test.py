"""The dialects on the built binary: which one a file is in, how it is said, and what messages know of both."""
import json
import re

import command

TOKPIDJIN = "def solve_good(S, I, C):\n    x1 = mir_rot_t(I, R4)\n    return x1\n"
MIXED = "def solve_good(I):\n    x1 = height(I)\n    return mir_rot_t(I, x1)\n"


class Choosing(command.CommandTest):
    def test_a_file_of_both(self):
        self.write("mixed.py", MIXED)
        self.write("tasks/good.json", command.TASK)
        says = ["mixed.py", "'mir_rot_t' in line 3", "'height' in line 2", "--dialect"]
        self.refused("fmt", "mixed.py", says=says)
        self.refused("score", "mixed.py", "--tasks", "tasks", says=says)
        self.refused("run", "mixed.py", "--in", "tasks/good.json", says=says)
        self.refused("run", "mixed.py", "--in", "tasks/good.json", "--dialect", "tokpidjin",
                     says=["mixed.py:2:10: 'height' is a word of arc-dsl", "did you mean height_t?"])
        self.refused("fmt", "mixed.py", "--from", "arc-dsl", says=["mixed.py:3:12: 'mir_rot_t' is a word of tokpidjin"])

    def test_names_of_dialects(self):
        self.write("good.py", command.PROGRAM)
        self.write("good.json", command.TASK)
        for arguments in (("score", "good.py", "--tasks", "good.json"), ("similar", "good.py", "--tasks", "good.json"),
                          ("battery", "good.py", "--out", "out.py"), ("run", "good.py", "--in", "good.json"),
                          ("explain", "good.py"), ("show", "good.json", "good.py"), ("fmt", "good.py"), ("ops",)):
            self.refused(*arguments, "--dialect", "tokpijin", says=["no dialect tokpijin; did you mean tokpidjin?"])
            self.refused(*arguments, "--dialect", "", says=["there are arc-dsl and tokpidjin"])
        for name in ("auto", "arc-dsl", "tokpidjin"):
            self.accepted("run", "good.py", "--in", "good.json", "--dialect", name)

    def test_hints_are_of_the_dialect(self):
        self.write("wrong.py", TOKPIDJIN + "def f(S, I, C):\n    return fill(I, REDD, I)\n"
                   "def g(S, I, C):\n    return get_nth(I, F0)\n")
        self.refused("fmt", "wrong.py", says=["'REDD' is no op", "did you mean RED?", "did you mean get_nth_"])
        self.write("wrong.py", "def f(I):\n    return fill(I, TWOO, height(I))\n")
        self.refused("fmt", "wrong.py", says=["did you mean TWO?"])


class Ops(command.CommandTest):
    def says(self, *arguments):
        return self.accepted("ops", *arguments).stdout

    def test_one_word(self):
        height = self.says("--dialect", "tokpidjin", "height_t")
        self.assertIn("type    grid -> int\n", height)
        self.assertIn("dialect tokpidjin: as height, of a grid\n", height)
        self.assertIn("with --safe, yields 0\n", height)
        self.assertEqual(height, self.says("height_t"))  # no other dialect has it
        self.assertIn("empty   yields a missing value", self.says("first", "--dialect", "tokpidjin"))
        self.assertNotIn("dialect", self.says("first"))
        self.assertIn("type    C<A> (A->bool) -> {A}\n", self.says("mfilter_t"))
        self.assertIn("type    [A] [A] -> [A]\n", self.says("combine_t"))

    def test_all_words(self):
        listed = self.says("--dialect", "tokpidjin")
        self.accepted("ops", "--dialect", "tokpidjin", "--json", "words.json")
        words = json.loads((self.folder / "words.json").read_text())
        self.assertEqual(len({word["name"] for word in words}), 292)
        for word in words:
            self.assertIn("\n  %s " % word["name"], listed)
            self.assertTrue(word["default"], word["name"])
        self.assertEqual([word["op"] for word in words if word["name"] == "p_f"], ["palette"])
        self.assertEqual(self.says(), self.says("--dialect", "arc-dsl"))

    def test_names_that_are_not_there(self):
        self.refused("ops", "height", "--dialect", "tokpidjin",
                     says=["no op is named height in tokpidjin, it is a word of arc-dsl; did you mean height_t?"])
        self.refused("ops", "get_nth_x", says=["did you mean get_nth_"])
        self.refused("ops", "o_g", "--dialect", "arc-dsl", says=["in arc-dsl, it is a word of tokpidjin"])


class Translation(command.CommandTest):
    """Programs in the words of the other dialect, and back."""

    def translated(self, text, dialect, *options):
        self.write("in.py", text)
        return self.accepted("fmt", "in.py", "--dialect", dialect, *options).stdout

    def untranslated(self, text, dialect, *says):
        self.write("in.py", text)
        return self.refused("fmt", "in.py", "--dialect", dialect, says=says, status=1).stdout

    def line(self, text, dialect):
        return self.translated(text, dialect, "--inline").splitlines()[-1].strip()

    def to_tokpidjin(self, call):
        return self.line("def f(I):\n    return %s\n" % call, "tokpidjin")

    def to_arc_dsl(self, call):
        return self.line("def f(S, I, C):\n    return %s\n" % call, "arc-dsl")

    def test_the_examples_there_and_back(self):
        programs = command.ROOT / "examples" / "programs.py"
        tasks = command.ROOT / "examples" / "tasks"
        there = self.translated(programs.read_text(), "tokpidjin")
        self.write("there.py", there)
        self.assertIn("tasks 12/12 examples 47/47", self.accepted("score", "there.py", "--tasks", tasks).stdout)
        self.assertEqual(self.translated(there, "arc-dsl"), self.accepted("fmt", programs).stdout)
        self.assertEqual(self.translated(there, "tokpidjin"), there)

    def test_programs_of_the_vectors(self):
        """In either dialect they do what the vectors say, except for what is cut beyond the edge of a grid."""
        cases = [json.loads(line) for line in (command.VECTORS / "programs.jsonl").read_text().splitlines()]
        cases = [case for case in cases if case["types"] == ["grid"]]
        self.write("in.py", "\n".join(case["program"] for case in cases))
        self.arcl("fmt", "in.py", "--from", "arc-dsl", "--dialect", "tokpidjin", "--json", "there.json")
        there = json.loads((self.folder / "there.json").read_text())
        pairs = [(case, entry["text"]) for case, entry in zip(cases, there) if entry["text"]]
        self.assertGreater(len(pairs), 0.8 * len(cases))
        vectors = [{**case, "program": text.replace("(S, I, C):", "(I):", 1), "dialect": "tokpidjin", "policy": "strict",
                    "lanes": [lane for lane in case["lanes"] if is_grid(lane.get("out"))]} for case, text in pairs]
        vectors = [case for case in vectors if case["lanes"] and not re.search("crop|subgrid|split", case["program"])]
        self.assertGreater(len(vectors), 100)
        self.write("there.jsonl", "".join(json.dumps(case) + "\n" for case in vectors))
        self.assertIn(" 0 failed", self.accepted("check", "there.jsonl").stdout)
        self.write("there.py", "\n".join(text for _, text in pairs))
        self.arcl("fmt", "there.py", "--from", "tokpidjin", "--dialect", "arc-dsl", "--json", "back.json")
        back = [entry["text"] for entry in json.loads((self.folder / "back.json").read_text())]
        self.write("back.jsonl", "".join(json.dumps({**case, "program": text}) + "\n"
                                         for (case, _), text in zip(pairs, back) if text))
        self.assertGreater(len([text for text in back if text]), 0.9 * len(back))
        self.assertIn(" 0 failed", self.accepted("check", "back.jsonl").stdout)

    def test_to_tokpidjin(self):
        for call, expected in (("height(I)", "height_t(I)"), ("height(asobject(I))", "height_f(asobject(I))"),
                               ("apply(vline, fgpartition(I))", "apply(vline_o, fgpartition(I))"),
                               ("ofcolor(I, 3)", "f_ofcolor(I, 3)"), ("astuple(3, (1, 2))", "ascell((1, 2), 3)"),
                               ("apply(last, asobject(I))", "apply(toij, asobject(I))"),
                               ("apply(first, asobject(I))", "apply(last, asobject(I))"),
                               ("apply(first, objects(I, T, T, T))", "apply(first, objects(I, T, T, T))"),
                               ("recolor(1, asindices(I))", "recolor_i(1, asindices(I))"),
                               ("apply(compose(width, vmirror), fgpartition(I))",
                                "apply(compose(width_f, vmirror_f), fgpartition(I))")):
            self.assertEqual(self.to_tokpidjin(call), "return " + expected)

    def test_to_arc_dsl(self):
        for call, expected in (("o_g(I, R5)", "objects(I, T, F, T)"), ("mir_rot_t(I, R1)", "dmirror(I)"),
                               ("mir_rot_t(I, A7)", "identity(I)"), ("get_nth_f(fgpartition(I), F0)", "first(fgpartition(I))"),
                               ("get_nth_t(I, L1)", "last(I)"), ("height_t(I)", "height(I)"),
                               ("rbind(o_g, R6)(I)", "rbind(rbind(rbind(objects, F), T), T)(I)"),
                               ("apply(rbind(corner, R3), fgpartition(I))", "apply(lrcorner, fgpartition(I))"),
                               ("apply(rbind(get_nth_f, L1), asobject(I))", "apply(first, asobject(I))"),
                               ("apply_t(size, fgpartition(I))", "apply(size, totuple(fgpartition(I)))"),
                               ("p_g(I)", "order(palette(I), identity)"), ("ascell(shape_t(I), RED)", "(2, shape(I))"),
                               ("get_rank(palette_t(I), L1)", "minimum(palette(I))")):
            expected = "I" if expected == "identity(I)" else expected
            self.assertEqual(self.to_arc_dsl(call), "return " + expected)

    def test_what_has_no_word(self):
        good = "def g(S, I, C):\n    return mir_rot_t(I, R4)\n"
        printed = self.untranslated("def f(S, I, C):\n    x1 = o_g_t(I, R5)\n    return x1\n" + good, "arc-dsl",
                                    "in.py:2:10: there is no word in arc-dsl for 'o_g_t'")
        self.assertEqual(printed, "def g(I):\n    x1 = rot90(I)\n    return x1\n")
        for call, says in (("get_color_rank_t(I, F0)", "no word in arc-dsl for 'get_color_rank_t'"),
                           ("apply(first, asobject(I))", "no word in arc-dsl for 'first' of a cell"),
                           ("astuple(ONE, UNITY)", "no word in arc-dsl for '(a, b)' of a cell"),
                           ("mir_rot_t(I, size(I))", "'mir_rot_t' depends on its number"),
                           ("fill(C, RED, I)", "no word in arc-dsl for 'C'"),
                           ("papply(ascell, I, I)", "for 'ascell' that is a function")):
            self.untranslated("def f(S, I, C):\n    return %s\n" % call, "arc-dsl", "in.py:", says)
        for text, says in (("def f(a):\n    return height(a)\n", "in.py:2:12: the word in tokpidjin for 'height' depends on what"),
                           ("def f(I):\n    x = asobject(I)\n    return product(apply(first, x), apply(last, x))\n",
                            "no word in tokpidjin for 'product' of a cell"),
                           ("def f(I):\n    return sfilter(asobject(I), lbind(contained, 2))\n",
                            "no word in tokpidjin for 'contained' of a cell"),
                           ("def f(I):\n    return rapply((height, width), I)\n", "its calls cannot be followed")):
            self.untranslated(text, "tokpidjin", says)

    def test_parameters(self):
        self.assertIn("def f(S, I, C):\n", self.translated("def f(I):\n    return height(I)\n", "tokpidjin"))
        self.assertIn("def f(I):\n", self.translated("def f(S, I):\n    return height_t(I)\n", "arc-dsl"))
        uses = self.translated("def f(S, I):\n    return hconcat(I, first(first(S)))\n", "arc-dsl")
        self.assertIn("def f(S, I, C):\n    x1 = first(S)\n    x2 = first(x1)\n    x3 = hconcat(I, x2)\n", uses)
        self.write("in.py", "def f(S, I, C):\n    O = fill(I, ONE, asindices(I))\n    return O\n")  # nothing else tells
        done = self.accepted("fmt", "in.py")
        self.assertIn("def f(S, I, C):", done.stdout)
        self.assertEqual(done.stderr, "")
        self.write("in.py", "def f(I):\n    return fill(I, RED, asindices(I))\n")  # constants become numbers
        self.assertIn("nothing in this text tells that it is tokpidjin's", self.accepted("fmt", "in.py").stderr)


def is_grid(value):
    return isinstance(value, list) and all(isinstance(row, list) and row and all(isinstance(cell, int) for cell in row)
                                           for row in value) and value


if __name__ == "__main__":
    command.main()
