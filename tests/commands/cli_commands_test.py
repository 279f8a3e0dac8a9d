"""What the commands promise, on the real binary: their last lines, exit statuses, JSON files, reports, pictures, and that
results go to standard output and everything else to standard error."""
import fcntl
import json
import os
import re
import struct
import subprocess
import termios
import zlib

from command import ARCL, EXAMPLE, PROGRAM, TASK, VECTORS, CommandTest, main

OPS = len(re.findall(r"^OP\(", (VECTORS.parents[1] / "lib" / "ops" / "ops.def").read_text(), re.M))
WIDE = {"input": [[1, 2, 3]], "output": [[1], [2], [3]]}  # rot90 too
WRONG = {"input": [[1, 2]], "output": [[7], [7]]}  # the right shape
UNKNOWN = {"input": [[5]]}
ROT90 = "def solve_{0}(I):\n    x1 = rot90(I)\n    return x1\n\n"
FAILING = "def solve_{0}(I):\n    x1 = ofcolor(I, NINE)\n    return fill(I, ONE, initset(first(x1)))\n\n"
BAD = "def solve_{0}(I):\n    x1 = frobnicate(I)\n    return x1\n\n"
SIZE = "def solve_{0}(I):\n    return height(I)\n\n"
COLOUR = "\x1b["


class Commands(CommandTest):
    def last(self, done):
        return done.stdout.splitlines()[-1]

    def json(self, name):
        return json.loads((self.folder / name).read_text())

    def tasks(self, **tasks):
        for name, examples in tasks.items():
            self.write(f"tasks/{name}.json", {"train": examples, "test": [EXAMPLE, UNKNOWN]})

    def picture(self, *command):
        """Size and palette of the picture that a command writes, whose parts are all right."""
        self.assertEqual(self.arcl(*command, "--png", "out.png").stdout, "")
        data = (self.folder / "out.png").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        chunks, at = {}, 8
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + length]
            self.assertEqual(struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0], zlib.crc32(kind + body))
            chunks[kind] = chunks.get(kind, b"") + body
            at += 12 + length
        width, height, depth = struct.unpack(">IIB", chunks[b"IHDR"][:9])
        rows = zlib.decompress(chunks[b"IDAT"])
        self.assertEqual(len(rows), height * (1 + (width * depth + 7) // 8))
        self.assertIn(b"IEND", chunks)
        return width, height, chunks[b"PLTE"]

    def terminal(self, *arguments, columns=0, **environment):
        """What the command prints when standard output is a terminal, of so many columns or of a width that is not known."""
        ours, theirs = self.open_terminal()
        fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        clean = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        done = subprocess.Popen([ARCL, *arguments], stdout=theirs, cwd=self.folder, env={**clean, **environment})
        os.close(theirs)
        printed = b""
        try:
            while chunk := os.read(ours, 4096):
                printed += chunk
        except OSError:  # how a terminal says that the other side is gone
            pass
        os.close(ours)
        self.assertEqual(done.wait(60), 0)
        return printed.decode()


class Check(Commands):
    PROGRAM = "def p(a):\n    return divide(SIX, a)\n"

    def vectors(self, *lanes, **change):
        vector = {"id": "v", "program": self.PROGRAM, "types": ["int"], "lanes": list(lanes), **change}
        self.write("v.jsonl", json.dumps(vector) + "\n")

    def test_all_right(self):
        self.vectors({"in": [2], "out": 3}, {"in": [0], "error": "DIVIDE"}, {"in": [4], "out": 1})
        done = self.accepted("check", "v.jsonl")
        self.assertEqual(done.stdout, "3 passed, 0 failed\n")
        self.assertEqual(done.stderr, "")

    def test_which_error_does_not_matter(self):
        self.vectors({"in": [0], "error": "EMPTY"})
        self.assertEqual(self.accepted("check", "v.jsonl").stdout, "1 passed, 0 failed\n")

    def test_wrong_lanes_are_shown(self):
        self.vectors({"in": [2], "out": 4}, {"in": [2], "error": "TYPE"}, {"in": [0], "out": 0}, {"in": [1], "out": 6})
        done = self.arcl("check", "v.jsonl")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.last(done), "1 passed, 3 failed")
        for text in ("v lane 0 (v.jsonl:1)", "expected 4", "got      3", "expected an error", "got      DIVIDE"):
            self.assertIn(text, done.stdout)
        self.assertEqual(done.stderr, "")

    def test_grids(self):
        """Grids go into batches and are compared at once where that can be: rows of small numbers, all of one length."""
        def check(program, grid, *expected):
            self.vectors(*({"in": [grid], "out": out} for out in expected), types=["grid"],
                         program=f"def p(I):\n    return {program}\n")
            return self.arcl("check", "v.jsonl", "--quiet")
        grid = [[1, 0, 2], [3, 0, 5]]
        self.assertEqual(check("I", grid, grid, [[True, False, 2], [3, 0, 5]]).stdout, "2 passed, 0 failed\n")
        wrong = ([[1, 0, 2], [3, 0, 4]], [[1, 0, 2]], grid + [[1, 0, 2]], [[1, 0], [2, 3], [0, 5]], [[1, 0, 2, 3, 0, 5]],
                 [[1, 0, 2], [3, 0]], [[1, 0, 2], [3, 0, 5, 0]], [[1, 0, 2], []], [1, 0], [], 1, None, {"set": grid}, [grid])
        self.assertEqual(check("I", grid, *wrong).stdout, f"0 passed, {len(wrong)} failed\n")
        self.assertEqual(check("height(I)", grid, 2, [[2]], []).stdout, "1 passed, 2 failed\n")
        self.assertEqual(check("height(I)", [[-1, 127], [128 - 1, 0]], 2).stdout, "1 passed, 0 failed\n")
        large = [[1] * 70] * 80
        self.assertEqual(check("I", large, large, large[1:]).stdout, "1 passed, 1 failed\n")
        for bad, why in (([[1, 2], [3]], "row 2 has 1 cells, the rows before have 2"),
                         ([[1, 2], [3, 128]], "128 is outside the range of a grid's cell"),
                         ([1, 2], "a number where grid is expected"), (1, "a number where grid is expected"),
                         ([[1, [2]]], "a container where a number is expected"), ("a", "an argument is an int")):
            done = check("I", bad, grid)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"v: lanes[0]: argument 1: {why}", done.stderr)

    def test_quiet(self):
        self.vectors({"in": [2], "out": 4})
        done = self.arcl("check", "v.jsonl", "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "0 passed, 1 failed\n", ""))

    def test_many_failures_are_cut_short(self):
        self.vectors(*({"in": [2], "out": 4} for _ in range(30)))
        done = self.arcl("check", "v.jsonl")
        self.assertEqual(done.stdout.count("expected 4"), 20)
        self.assertIn("10 more failures", done.stdout)
        self.assertEqual(self.arcl("check", "v.jsonl", "-v").stdout.count("expected 4"), 30)

    def test_a_rejected_program_fails_its_lanes(self):
        self.vectors({"in": [2], "out": 4}, {"in": [1], "error": "TYPE"}, program="def p(a):\n    return rot90(a)\n")
        done = self.arcl("check", "v.jsonl")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(self.last(done), "0 passed, 2 failed")
        self.assertIn("rot90: argument 1 is int", done.stderr)

    def test_several_files_and_blank_lines(self):
        self.vectors({"in": [2], "out": 3})
        text = (self.folder / "v.jsonl").read_text()
        self.write("w.jsonl", "\n" + text + "\n  \n" + text)
        self.assertEqual(self.accepted("check", "v.jsonl", "w.jsonl").stdout, "3 passed, 0 failed\n")

    def test_json(self):
        self.vectors({"in": [2], "out": 3}, {"in": [0], "error": "DIVIDE"}, {"in": [3], "out": 9})
        self.arcl("check", "v.jsonl", "--json", "out.json", "--report")
        out = self.json("out.json")
        self.assertEqual((out["passed"], out["failed"]), (2, 1))
        [case] = out["cases"]
        self.assertEqual((case["id"], case["file"], case["line"]), ("v", "v.jsonl", 1))
        self.assertEqual(case["lanes"], [{"passed": True, "status": "OK", "value": 3},
                                         {"passed": True, "status": "DIVIDE", "value": None},
                                         {"passed": False, "status": "OK", "value": 2}])
        self.assertEqual([entry["failures"] for entry in out["report"]["ops"] if entry["op"] == "divide_int"], [1])


class Score(Commands):
    def test_all_right(self):
        self.tasks(aa=[EXAMPLE, WIDE], bb=[WIDE])
        self.write("p.py", ROT90.format("aa") + ROT90.format("bb"))
        done = self.accepted("score", "p.py", "--tasks", "tasks")
        self.assertEqual(done.stdout, "solved by some program: 2 of 2 tasks\n"
                         "two attempts: 2 test grids, 2 right; 2 of 2 tasks solved\ntasks 2/2 examples 5/5 errors 0\n")
        self.assertEqual(done.stderr, "")

    def test_names(self):
        self.tasks(aa=[EXAMPLE], bb=[EXAMPLE], cc=[EXAMPLE])
        text = ROT90.format("aa") + ROT90.replace("solve_", "verify_").format("bb") + ROT90.replace("solve_", "").format("cc")
        self.write("p.py", text)
        self.assertEqual(self.last(self.accepted("score", "p.py", "--tasks", "tasks")), "tasks 3/3 examples 6/6 errors 0")

    def test_wrong_and_failing(self):
        self.tasks(aa=[EXAMPLE, WRONG], bb=[WIDE])
        self.write("p.py", ROT90.format("aa") + FAILING.format("bb"))
        done = self.arcl("score", "p.py", "--tasks", "tasks")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.last(done), "tasks 0/2 examples 2/5 errors 2")
        self.assertIn("solve_aa 2/3 train[1]:differs\n", done.stdout)
        self.assertIn("solve_bb 0/2 train[0]:EMPTY test[0]:EMPTY\n", done.stdout)
        self.assertRegex(done.stderr, r"\Aarcl: where examples fail:\narcl: 3 of 3: p.py:7:33: EMPTY in first: [^\n]*\n.*\n +\^\n\Z")

    def test_quiet(self):
        self.tasks(aa=[WRONG])
        self.write("p.py", ROT90.format("aa") + ROT90.format("absent"))
        done = self.arcl("score", "p.py", "--tasks", "tasks", "-q")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "tasks 0/1 examples 1/2 errors 0\n", ""))

    def test_a_bad_program_among_good_ones(self):
        self.tasks(aa=[EXAMPLE], bb=[EXAMPLE], cc=[EXAMPLE])
        self.write("p.py", ROT90.format("aa") + BAD.format("bb") + SIZE.format("cc"))
        done = self.arcl("score", "p.py", "--tasks", "tasks", "--json", "out.json")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(self.last(done), "tasks 1/3 examples 2/6 errors 4")
        self.assertIn("p.py:6:10: 'frobnicate' is no op", done.stderr)
        self.assertIn("p.py:10:12: the definition returns int, a grid is expected", done.stderr)
        self.assertIn("solve_bb 0/2 rejected\n", done.stdout)
        self.assertNotIn("frobnicate", done.stdout)
        good, bad, size = self.json("out.json")["programs"]
        self.assertIsNone(good["error"])
        self.assertIn("frobnicate", bad["error"])
        self.assertIn("a grid is expected", size["error"])

    def test_all_pairs(self):
        self.tasks(aa=[EXAMPLE], bb=[WRONG])
        self.write("p.py", ROT90.format("aa") + FAILING.format("bb") + BAD.format("cc"))
        done = self.arcl("score", "p.py", "--tasks", "tasks", "--all-pairs", "--json", "out.json")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout.splitlines(), ["solve_aa solves 1 of 2 tasks; best: aa 2/2, bb 1/2",
                                                    "solve_bb solves 0 of 2 tasks; best: aa 0/2, bb 0/2",
                                                    "solve_cc rejected",
                                                    "solved by some program: 1 of 2 tasks",
                                                    "two attempts: 2 test grids, 2 right; 2 of 2 tasks solved",
                                                    "pairs 1/6 examples 3/12 errors 8"])
        out = self.json("out.json")
        self.assertEqual(out["totals"], {"pairs_right": 1, "pairs": 6, "examples_right": 3, "examples": 12, "errors": 8})
        self.assertEqual(out["solved"], {"tasks": 2, "by_some_program": 1, "tasks_with_test_outputs": 2,
                                         "by_two_attempts": 2, "test_grids": 2, "test_grids_right": 2})
        self.assertEqual([(t["id"], t["solved"]) for t in out["tasks"]], [("aa", True), ("bb", False)])
        programs = out["programs"]
        self.assertEqual([(p["name"], p["task"]) for p in programs],
                         [(f"solve_{name}", task) for name in ("aa", "bb", "cc") for task in ("aa", "bb")])

    def test_json(self):
        self.tasks(aa=[EXAMPLE, WRONG])
        self.write("p.py", ROT90.format("aa") + ROT90.format("absent"))
        done = self.arcl("score", "p.py", "--tasks", "tasks", "--json", "out.json", "--report")
        self.assertEqual(done.returncode, 1)
        out = self.json("out.json")
        self.assertEqual(out["totals"], {"tasks_right": 0, "tasks": 1, "examples_right": 2, "examples": 3, "errors": 0})
        scored, homeless = out["programs"]
        self.assertEqual((scored["name"], scored["task"], scored["right"], scored["all"]), ("solve_aa", "aa", 2, 3))
        self.assertEqual([e["match"] for e in scored["examples"]], [True, False, True, None])
        wrong = {"part": "train", "index": 1, "status": "OK", "match": False, "same_shape": True, "cells": 0, "all_cells": 2}
        self.assertEqual({key: scored["examples"][1][key] for key in wrong}, wrong)
        self.assertIsNone(homeless["task"])
        self.assertEqual({e["op"]: e["lanes"] for e in out["report"]["ops"]}["rot90"], 4)
        phases = ["read", "compile", "plan", "run", "score", "write"]
        self.assertEqual(list(out["seconds"]), phases)
        self.assertTrue(all(seconds >= 0 for seconds in out["seconds"].values()))
        self.assertGreater(out["seconds"]["read"], 0)
        self.assertGreater(out["seconds"]["run"], 0)
        self.assertRegex(done.stderr, "(?m)^" + ", ".join(rf"{phase} \d+\.\d{{3}} s" for phase in phases) + "$")

    def test_one_file_of_many_tasks(self):
        self.write("many.json", {"aa": TASK, "bb": TASK})
        self.write("p.py", ROT90.format("aa") + ROT90.format("bb"))
        self.assertEqual(self.last(self.accepted("score", "p.py", "--tasks", "many.json")), "tasks 2/2 examples 4/4 errors 0")

    def test_programs_that_take_the_train_pairs(self):
        self.tasks(aa=[EXAMPLE, WIDE])  # the first pair's output is every output
        self.write("p.py", "def solve_aa(S, I):\n    x1 = last(first(S))\n    return x1\n\n" + ROT90.format("aa"))
        done = self.arcl("score", "p.py", "--tasks", "tasks")
        self.assertEqual(done.returncode, 1)
        lines = done.stdout.splitlines()
        self.assertEqual((lines[0], lines[-1]), ("solve_aa 2/3 train[1]:shape", "tasks 1/2 examples 5/6 errors 0"))

    def test_nothing_to_score(self):
        self.tasks(aa=[EXAMPLE])
        self.write("p.py", ROT90.format("bb"))
        self.refused("score", "p.py", "--tasks", "tasks", says=["nothing to score"])

    def test_more_programs_than_one_group(self):
        names = [f"t{i:04}" for i in range(300)]
        self.write("many.json", {name: TASK for name in names})
        self.write("p.py", "".join(ROT90.format(name) for name in names))
        self.assertEqual(self.last(self.accepted("score", "p.py", "--tasks", "many.json")),
                         "tasks 300/300 examples 600/600 errors 0")


class Run(Commands):
    def setUp(self):
        super().setUp()
        self.write("task.json", {"train": [EXAMPLE], "test": [UNKNOWN]})

    def test_outputs_are_drawn(self):
        self.write("p.py", PROGRAM)
        done = self.accepted("run", "p.py", "--in", "task.json")
        self.assertEqual(done.stdout, "train[0] 2x2 as expected\n3 1\n4 2\n\ntest[0] 1x1\n5\n\n")
        self.assertEqual(done.stderr, "")

    def test_another_output_than_expected(self):
        self.write("p.py", PROGRAM.replace("rot90", "rot180"))
        done = self.arcl("run", "p.py", "--in", "task.json")
        self.assertEqual(done.returncode, 1)
        self.assertIn("train[0] 2x2 not as expected\n4 3\n2 1\n", done.stdout)

    def test_side_by_side(self):
        self.write("p.py", PROGRAM.replace("rot90", "rot180"))
        done = self.arcl("run", "p.py", "--in", "task.json", "--show")
        self.assertEqual((done.returncode, done.stdout), (1, self.arcl("show", "task.json", "p.py").stdout))
        self.assertIn("difference", done.stdout)

    def test_a_failing_lane(self):
        self.write("p.py", FAILING.format("task"))
        done = self.arcl("run", "p.py", "--in", "task.json")
        self.assertEqual(done.returncode, 1)
        self.assertIn("train[0] EMPTY: an element of an empty container\n", done.stdout)
        self.assertEqual(done.stderr, "")

    def test_values_that_are_no_grids(self):
        self.write("p.py", "def p(I):\n    return (palette(I), asindices(I), T)\n")
        done = self.accepted("run", "p.py", "--in", "task.json")
        self.assertEqual(done.stdout.splitlines()[1], 'test[0] [{"set":[5]},{"set":[[0,0]]},true]')

    def test_json(self):
        self.write("p.py", PROGRAM)
        done = self.accepted("run", "p.py", "--in", "task.json", "--json", "out.json", "--report")
        self.assertEqual(done.stdout, "")
        out = self.json("out.json")
        self.assertEqual((out["program"], out["task"], out["type"]), ("solve_good", "task", "grid"))
        self.assertEqual(out["outputs"], [
            {"part": "train", "index": 0, "status": "OK", "output": [[3, 1], [4, 2]], "match": True},
            {"part": "test", "index": 0, "status": "OK", "output": [[5]]}])
        self.assertIn("rot90", [entry["op"] for entry in out["report"]["ops"]])

    def test_one_program_of_many(self):
        self.write("p.py", ROT90.format("other") + SIZE.format("more"))
        self.refused("run", "p.py", "--in", "task.json", says=["p.py", "2 programs", "--program"])
        done = self.accepted("run", "p.py", "--in", "task.json", "--program", "solve_more")
        self.assertEqual(done.stdout, "train[0] 2\ntest[0] 1\n")
        self.refused("run", "p.py", "--in", "task.json", "--program", "absent", says=["absent"])

    def test_one_task_of_many(self):
        self.write("many.json", {"aa": TASK, "bb": {"train": [WIDE], "test": [UNKNOWN]}})
        self.write("p.py", PROGRAM)
        done = self.accepted("run", "p.py", "--in", "many.json", "--task", "bb")
        self.assertTrue(done.stdout.startswith("train[0] 3x1 as expected\n"))
        self.refused("run", "p.py", "--in", "many.json", "--task", "cc", says=["cc"])

    def test_budget(self):
        self.write("p.py", "def p(I):\n    return upscale(I, TEN)\n")
        done = self.arcl("run", "p.py", "--in", "task.json", "--budget", "20")
        self.assertEqual(done.returncode, 1)
        self.assertIn("train[0] BUDGET", done.stdout)
        self.assertIn("test[0] 10x10", done.stdout)


class Ops(Commands):
    def test_all(self):
        done = self.accepted("ops")
        rows = [line for line in done.stdout.splitlines() if line.startswith("  ")]
        self.assertEqual(len(rows), OPS)
        self.assertEqual(done.stderr, "")

    def test_one(self):
        done = self.accepted("ops", "fill")
        self.assertEqual(done.stdout.splitlines()[0], "fill(grid, value, patch)")
        self.assertIn("grid int patch -> grid", done.stdout)

    def test_similar_names(self):
        self.refused("ops", "fil", says=["no op is named fil", "fill"])

    def test_json(self):
        self.assertEqual(self.accepted("ops", "--json", "out.json").stdout, "")
        ops = {op["name"]: op for op in self.json("out.json")}
        self.assertEqual(len(ops), OPS)
        self.assertEqual((ops["fill"]["arity"], ops["fill"]["parameters"]), (3, "grid value patch"))
        self.accepted("ops", "rot90", "--json", "one.json")
        self.assertEqual([op["name"] for op in self.json("one.json")], ["rot90"])


class Show(Commands):
    DRAWN = "task\ntrain[0] 2x2 -> 2x2\n1 2 -> 3 1\n3 4    4 2\n\ntest[0] 1x1 -> ?\n5 -> ?\n\n"

    def setUp(self):
        super().setUp()
        self.write("task.json", {"train": [EXAMPLE], "test": [UNKNOWN]})

    def test_drawn(self):
        done = self.accepted("show", "task.json")
        self.assertEqual((done.stdout, done.stderr), (self.DRAWN, ""))

    def test_colour_on_a_terminal_only(self):
        self.assertIn(COLOUR + "48;2;0;116;217m", self.terminal("show", "task.json", COLORTERM="truecolor"))
        self.assertNotIn(COLOUR, self.terminal("show", "task.json", NO_COLOR="1"))
        self.assertIn(COLOUR, self.terminal("show", "task.json", NO_COLOR=""))
        self.assertEqual(self.terminal("show", "task.json", NO_COLOR="1").replace("\r\n", "\n"), self.DRAWN)

    def test_json(self):
        self.assertEqual(self.accepted("show", "task.json", "--json", "out.json").stdout, "")
        self.assertEqual(self.json("out.json"), {"train": [EXAMPLE], "test": [UNKNOWN]})

    def test_one_task_of_many(self):
        self.write("many.json", {"aa": TASK, "bb": {"train": [WIDE], "test": [UNKNOWN]}})
        self.assertTrue(self.accepted("show", "many.json", "--task", "bb").stdout.startswith("bb\ntrain[0] 1x3 -> 3x1\n"))
        drawn = self.accepted("show", "many.json").stdout
        self.assertIn("aa\n", drawn)
        self.assertIn("bb\n", drawn)
        self.refused("show", "many.json", "--png", "out.png", says=["--task"])

    def picture_of(self, task):
        self.write("task.json", task)
        return self.picture("show", "task.json")

    def test_picture(self):
        # cells of 24 pixels and a line around each, margins of 16, an arrow of 48
        width, height, palette = self.picture_of({"train": [EXAMPLE], "test": [EXAMPLE]})
        title, label = 22 + 8, 22  # the task's id above all, and above each row which example it is
        self.assertEqual((width, height), (16 + 51 + 48 + 51 + 16, 16 + title + 2 * (label + 51 + 16)))
        self.assertEqual(palette[:30].hex().upper(), "0000000074D9FF41362ECC40FFDC00AAAAAAF012BEFF851B7FDBFF870C25")
        self.assertGreater(self.picture_of({"train": [WIDE], "test": [UNKNOWN]})[0], width - 51)
        large = {"input": [[0] * 30] * 30, "output": [[9] * 30] * 30}
        self.assertEqual(self.picture_of({"train": [large], "test": []})[:2], (16 + 751 + 48 + 751 + 16, 16 + title + label + 751 + 16))

    def test_what_a_program_makes_of_it(self):
        self.write("p.py", ROT90.format("task"))
        done = self.accepted("show", "task.json", "p.py")
        self.assertEqual(done.stdout, "train[0] 2x2 as expected\ninput    expected and got\n1 2   -> 3 1\n3 4      4 2\n\n"
                                      "test[0] 1x1\ninput    got\n5     -> 5\n\n")
        self.assertEqual(done.stderr, "")

    def test_differences(self):
        self.write("task.json", {"train": [EXAMPLE, WIDE, WRONG], "test": [UNKNOWN]})
        self.write("p.py", "def p(I):\n    return crop(hconcat(I, I), ORIGIN, TWO_BY_TWO)\n\n" + FAILING.format("task"))
        done = self.arcl("show", "task.json", "p.py", "--program", "p")
        self.assertEqual(done.returncode, 1)
        self.assertIn("train[0] 2x2 not as expected: 4 cells differ\n", done.stdout)
        self.assertIn("1 2   -> 3 1         1 2    x x\n3 4      4 2         3 4    x x\n", done.stdout)
        self.assertIn("""input    expected    got    difference
1 2 3    1           1 2    . +
      -> 2                  -
         3                  -
""", done.stdout)
        failing = self.arcl("show", "task.json", "p.py")
        self.assertEqual(failing.returncode, 1)
        self.assertIn("  ^\ninput    expected    got\n1 2   -> 3 1         EMPTY\n", failing.stdout)

    def test_differences_in_a_picture(self):
        self.write("p.py", "def p(I):\n    return I\n")
        width, height, palette = self.picture("show", "task.json", "p.py")
        self.assertEqual(palette[45:48].hex().upper(), "D01020", "the colour of marks")
        self.assertEqual(self.picture("run", "p.py", "--in", "task.json"), (width, height, palette))

    def test_a_narrow_terminal(self):
        """Panels that do not fit side by side stand below each other."""
        wide = {"input": [[1] * 30], "output": [[2] * 30]}
        self.write("task.json", {"train": [wide], "test": []})
        self.write("p.py", "def p(I):\n    return replace(I, ONE, TWO)\n")
        narrow = self.terminal("show", "task.json", "p.py", NO_COLOR="1", columns=80)
        self.assertIn("input\r\n" + " ".join("1" * 30) + "\r\n\r\nexpected and got\r\n" + " ".join("2" * 30), narrow)
        self.assertIn(" -> ", self.terminal("show", "task.json", "p.py", NO_COLOR="1", columns=200))


class ShowVectors(Commands):
    GRID = [[0, 0], [0, 3]]

    def vectors(self, *rows):
        self.write("v.jsonl", "".join(json.dumps({"id": f"v{i}", "program": f"def p(a):\n    return {body}\n", "types": [kind],
                                                  "lanes": [lane]}) + "\n" for i, (body, kind, lane) in enumerate(rows)))

    def test_drawn_by_type(self):
        objects = {"set": [{"set": [[2, [0, 0]]]}, {"set": [[3, [1, 1]]]}]}
        self.vectors(("rot180(a)", "grid", {"in": [self.GRID], "out": [[3, 0], [0, 0]]}),
                     ("shift(a, UNITY)", "{ij}", {"in": [{"set": [[0, 0], [0, 1]]}], "out": {"set": [[1, 1], [1, 2]]}}),
                     ("merge(a)", "{{cell}}", {"in": [objects], "out": {"set": [[2, [0, 0]], [3, [1, 1]]]}}),
                     ("double(a)", "ij", {"in": [[1, -2]], "out": [2, -4]}),
                     ("first(a)", "{ij}", {"in": [{"set": []}], "error": "EMPTY"}))
        drawn = ("v0 lane 0\n0 0 -> 3 0\n0 3    0 0\n\n"
                 "v1 lane 0\no o   ->\n           o o\n\n"
                 "v2 lane 0\n2          -> 2\n         3      3\n\n"
                 "v3 lane 0\n(1, -2) -> (2, -4)\n\n"
                 "v4 lane 0\n{} -> an error\n\n")
        self.assertEqual(self.accepted("show", "v.jsonl").stdout, drawn)

    def test_picture(self):
        self.vectors(*[("rot90(a)", "grid", {"in": [self.GRID], "out": [[0, 0], [3, 0]]})] * 61)
        width, height, _ = self.picture("show", "v.jsonl")
        self.assertEqual((width, height), (16 + 51 + 48 + 51 + 16, 16 + 60 * (22 + 51 + 16)))
        self.assertIn("1 more are left out", self.accepted("show", "v.jsonl", "--png", "out.png").stderr)

    def test_far_places(self):
        far = {"set": [[-1000000, 3], [0, 0], [5000000, 5000000]]}
        self.vectors(("normalize(a)", "{ij}", {"in": [far], "out": far}))
        self.assertEqual(self.accepted("show", "v.jsonl").stdout, "v0 lane 0\no -> o\n\n")

    def test_refused(self):
        self.vectors(("rot90(a)", "int", {"in": [1], "out": 1}))
        self.refused("show", "v.jsonl", says=["v.jsonl:1", "rot90: argument 1 is int"])
        self.refused("show", "v.jsonl", "--json", "out.json", says=["arcl check"])
        self.refused("show", "absent.jsonl", says=["absent.jsonl"])


class Common(Commands):
    """What holds for all commands."""

    def setUp(self):
        super().setUp()
        self.write("good.json", TASK)
        self.write("good.py", PROGRAM)
        vector = {"id": "v", "program": "def p(a):\n    return double(a)\n", "types": ["int"], "lanes": [{"in": [2], "out": 4}]}
        self.write("v.jsonl", json.dumps(vector) + "\n")
        self.commands = (["check", "v.jsonl"], ["score", "good.py", "--tasks", "good.json"],
                         ["run", "good.py", "--in", "good.json"], ["ops"], ["show", "good.json"])

    def test_options_that_change_nothing(self):
        for command in self.commands:
            plain = self.accepted(*command).stdout
            for options in (["--threads", "1"], ["--threads", "3", "--chunk", "1"], ["--memory", "64M"], ["--device", "host"],
                            ["--device", "auto"], ["--device", "host", "--require"], ["--budget", "1M"], ["--report"]):
                with self.subTest(command=command, options=options):
                    self.assertEqual(self.accepted(*command, *options).stdout, plain)

    def test_report(self):
        for command, op in ((self.commands[0], "double_int"), (self.commands[1], "rot90"), (self.commands[2], "rot90")):
            with self.subTest(command):
                done = self.accepted(*command, "--report")
                lines = done.stderr.splitlines()
                head = next(i for i, line in enumerate(lines) if line.startswith("op "))
                self.assertEqual(lines[head].split(), ["op", "planned", "ran", "launches", "lanes", "words", "failures", "time", "ms"])
                rows = {line.split()[0]: line.split() for line in lines[head + 1:lines.index("", head)]}
                self.assertIn(op, rows, done.stderr)
                self.assertEqual(rows[op][1:3], ["host", "host"])
                self.assertEqual(list(rows)[-1], "all")
                self.assertRegex(lines[-1], r"^1 run took [0-9.]+ ms; nothing was predicted, because nothing was measured")

    def test_no_progress_bar_in_a_file(self):
        for command in self.commands:
            with self.subTest(command):
                self.assertNotIn("\r", self.accepted(*command).stderr)

    def test_help_and_version(self):
        done = self.accepted("--help")
        for command in self.commands:
            self.assertRegex(done.stdout, rf"(?m)^  {command[0]} ")
            text = self.accepted(command[0], "--help").stdout
            self.assertIn(f"usage: arcl {command[0]}", text)
            self.assertIn("--quiet", text)
        self.assertRegex(self.accepted("--version").stdout, r"^arcl \d+\.\d+\.\d+\n$")

    def test_files_that_cannot_be_written(self):
        for command in self.commands:
            with self.subTest(command):
                self.refused(*command, "--json", "absent/out.json", says=["absent/out.json"])
        self.refused("show", "good.json", "--png", "absent/out.png", says=["absent/out.png"])

    def test_standard_output_that_is_full(self):
        for command in self.commands:
            with self.subTest(command), open("/dev/full", "w") as full:
                done = subprocess.run([ARCL, *command], stdout=full, stderr=subprocess.PIPE, text=True, cwd=self.folder)
                self.assertEqual(done.returncode, 2)
                self.assertIn("standard output", done.stderr)

    def test_a_memory_limit_that_is_too_small(self):
        self.refused("run", "good.py", "--in", "good.json", "--memory", "1000", "--threads", "1", says=["1000 bytes is too small"])

    def test_a_failed_run_leaves_the_json_file_alone(self):
        self.write("out.json", "precious")
        self.refused("score", "good.py", "--tasks", "absent", "--json", "out.json", says=["absent"])
        self.assertEqual((self.folder / "out.json").read_text(), "precious")


if __name__ == "__main__":
    main()
