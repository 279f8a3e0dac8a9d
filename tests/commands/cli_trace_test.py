"""`arcl trace`: every line's value per example, in the terminal, as a picture, as a page and as JSON; what fails, and where
lanes of `arcl run` and `arcl score` have failed."""
import json
import struct

from command import ROOT, CommandTest, main

EXAMPLES = ROOT / "examples"
TASK = {"train": [{"input": [[1, 0], [0, 2]], "output": [[1, 0], [0, 2]]}],
        "test": [{"input": [[0, 0], [0, 0]], "output": [[0, 0], [0, 0]]}]}
PROGRAM = """def solve_aa(I):
    x1 = ofcolor(I, ONE)
    x2 = height(I)
    x3 = compose(double, first)
    x4 = compose(increment, x3)
    x5 = first(x1)
    x6 = apply(x3, x1)
    return fill(I, THREE, initset(x5))
"""
PLACE = "p.py:6:10: EMPTY in first: an element of an empty container\n        x5 = first(x1)\n             ^\n"


class Trace(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("t.json", TASK)
        self.write("p.py", PROGRAM)

    def trace(self, *arguments, program="p.py", task="t.json", status=1):
        done = self.arcl("trace", program, "--in", task, *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    def lines(self, *arguments, **how):
        return json.loads(self.trace("--json", "-", *arguments, **how))["lines"]

    def test_values_are_those_of_the_program(self):
        lines = self.lines()
        self.assertEqual([line["line"] for line in lines], list(range(2, 9)))
        self.assertEqual([line["kind"] for line in lines],
                         ["value", "value", "function", "function", "value", "value", "value"])
        first = [line["values"][0]["value"] for line in lines if line["kind"] == "value"]
        self.assertEqual(first, [{"set": [[0, 0]]}, 2, [0, 0], {"set": [0]}, [[3, 0], [0, 2]]])
        self.assertEqual([line["same"] for line in lines], [False, True, False, False, False, False, False])

    def test_elements_of_mapped_functions(self):
        mapped = self.lines()[5]
        self.assertEqual(mapped["values"][0]["elements"], {"set": [[[0, 0], 0]]})
        self.assertEqual(mapped["values"][1]["elements"], {"set": []})

    def test_failures_have_their_place(self):
        text = self.trace()
        self.assertIn("test[0]: " + PLACE, text)
        self.assertIn("test[0]: EMPTY because of line 6\n", text)
        failed = [line["values"][1].get("failure") for line in self.lines() if line["kind"] == "value"]
        self.assertEqual([f and (f["op"], f["line"], f["column"]) for f in failed],
                         [None, None, ("first", 6, 10), None, ("first", 6, 10)])

    def test_what_is_the_same_is_said(self):
        text = self.trace()
        self.assertIn("3: x2 = height(I)  :: int  (the same in all examples)\nall examples\n2\n", text)
        self.assertIn("2: x1 = ofcolor(I, ONE)  :: {ij}\n", text)

    def test_functions_are_their_text(self):
        self.assertIn("compose(increment, compose(double, first))", self.trace())

    def test_safe_lanes_go_on(self):
        text = self.trace("--safe")
        self.assertIn("test[0]: " + PLACE, text)
        self.assertNotIn("because of", text)

    def test_picture_and_page(self):
        self.trace("--png", "out.png", "--html", "out.html")
        width, height = struct.unpack(">II", (self.folder / "out.png").read_bytes()[16:24])
        self.assertTrue(width > 100 and height > 300)
        page = (self.folder / "out.html").read_text()
        self.assertIn("x1 = ofcolor(I, ONE)", page)
        self.assertIn("EMPTY in first", page)
        self.assertGreater(page.count("<svg"), 5)

    def test_both_dialects(self):
        for program in ("programs.py", "tokpidjin_programs.py"):
            lines = self.lines(program=EXAMPLES / program, task=EXAMPLES / "tasks" / "5a3e51de.json", status=0)
            expected = json.loads((EXAMPLES / "tasks" / "5a3e51de.json").read_text())["train"][0]["output"]
            self.assertEqual(lines[-1]["values"][0]["value"], expected)
            self.assertTrue(all(v["status"] == "OK" for line in lines for v in line["values"]), lines)

    def test_needs_a_task(self):
        self.assertIn("--in is missing", self.arcl("trace", "p.py").stderr)


class Places(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("t.json", {"aa": TASK})
        self.write("p.py", PROGRAM)

    def test_run_names_the_place(self):
        done = self.arcl("run", "p.py", "--in", "t.json")
        self.assertIn("test[0] EMPTY: an element of an empty container\n" + PLACE, done.stdout)
        failure = json.loads(self.arcl("run", "p.py", "--in", "t.json", "--json", "-").stdout)["outputs"][1]["failure"]
        self.assertEqual((failure["op"], failure["line"], failure["column"], failure["elements"]), ("first", 6, 10, []))

    def test_run_names_the_element(self):
        self.write("p.py", "def solve_aa(I):\n    x1 = palette(I)\n    x2 = apply(lbind(divide, SIX), x1)\n"
                           "    return canvas(size(x2), shape(I))\n")
        done = self.arcl("run", "p.py", "--in", "t.json")
        self.assertIn("p.py:3:10: DIVIDE in divide, for element 0 of 3: a division by zero\n", done.stdout)

    def test_score_names_the_commonest(self):
        done = self.arcl("score", "p.py", "--tasks", "t.json")
        self.assertIn("arcl: where examples fail:\narcl: 1 of 1: " + PLACE, done.stderr)
        self.assertNotIn("EMPTY in", done.stdout)
        self.assertEqual(self.arcl("score", "p.py", "--tasks", "t.json", "--quiet").stderr, "")

    def test_budget(self):
        self.write("p.py", "def solve_aa(I):\n    x1 = asindices(I)\n    x2 = product(x1, x1)\n"
                           "    x3 = product(x2, x2)\n    return canvas(size(x3), shape(I))\n")
        done = self.arcl("run", "p.py", "--in", "t.json", "--budget", "300")
        self.assertIn("p.py:4:10: BUDGET in product: more elements than", done.stdout)


if __name__ == "__main__":
    main()
