"""Bad input on the real binary: each kind gets a message that names the file, and exit status 2."""
import json

from command import EXAMPLE, PROGRAM, TASK, CommandTest, main


def task_with(grid):
    return {"train": [EXAMPLE, {"input": grid, "output": [[1]]}], "test": []}


class BadUsage(CommandTest):
    def test_no_command(self):
        self.refused(says=["check", "score"])

    def test_unknown_command(self):
        self.refused("frobnicate", says=["frobnicate"])

    def test_unknown_option(self):
        self.refused("check", "--frobnicate", says=["--frobnicate"])

    def test_missing_arguments(self):
        for command in ("check", "score", "run", "show"):
            with self.subTest(command):
                self.refused(command, says=[command])

    def test_bad_numbers(self):
        for text in ("x", "-1", "1.5", "", "1Q", "99999999999999999999999"):
            with self.subTest(text):
                self.refused("ops", "--threads", text, says=["--threads"])

    def test_unknown_device(self):
        self.write("good.py", PROGRAM)
        self.write("good.json", TASK)
        self.refused("run", "good.py", "--in", "good.json", "--device", "abacus", says=["abacus"])

    def test_unknown_op_name(self):
        self.refused("ops", "frobnicate", says=["frobnicate"])


class BadTask(CommandTest):
    """Task files are read by show, run and score alike; each case goes through all three."""

    def setUp(self):
        super().setUp()
        self.write("solve_task.py", PROGRAM.replace("solve_good", "solve_task"))

    def refused_task(self, content, *says):
        self.write("tasks/task.json", content)
        says = ["task.json", *says]
        self.refused("show", "tasks/task.json", says=says)
        self.refused("run", "solve_task.py", "--in", "tasks/task.json", says=says)
        self.refused("score", "solve_task.py", "--tasks", "tasks", says=says)
        self.refused("score", "solve_task.py", "--tasks", "tasks/task.json", says=says)

    def test_the_good_task_is_accepted(self):
        self.write("tasks/task.json", TASK)
        self.accepted("show", "tasks/task.json")
        self.accepted("run", "solve_task.py", "--in", "tasks/task.json")
        done = self.accepted("score", "solve_task.py", "--tasks", "tasks")
        self.assertEqual(done.stdout.splitlines()[-1], "tasks 1/1 examples 2/2 errors 0")

    def test_missing_file(self):
        for command in (["show", "absent.json"], ["run", "solve_task.py", "--in", "absent.json"]):
            with self.subTest(command):
                self.refused(*command, says=["absent.json"])
        self.refused("score", "solve_task.py", "--tasks", "absent", says=["absent"])

    def test_directory_without_tasks(self):
        self.write("nothing/readme.txt", "no tasks here")
        self.refused("score", "solve_task.py", "--tasks", "nothing", says=["nothing"])

    def test_not_json(self):
        for text in ("", "{", "[1,2", '{"train": [}', "\x00", "nonsense", b"\xff\xfe{}", '{"train": []} trailing'):
            with self.subTest(text):
                self.refused_task(text)

    def test_duplicate_keys(self):
        self.refused_task('{"train": [], "train": [], "test": []}', "train")

    def test_deep_json(self):
        for depth in (100, 3000, 1000000):
            with self.subTest(depth):
                self.refused_task("[" * depth + "]" * depth)
        self.refused_task('{"train":' * 3000 + "1" + "}" * 3000)

    def test_other_json(self):
        for content in ([], {}, 3, "text", None, {"train": 3}, {"train": [3]}, {"train": [], "test": []}, {"a": 1}):
            with self.subTest(content=content):
                self.refused_task(content)

    def test_example_without_input(self):
        self.refused_task({"train": [{"output": [[1]]}], "test": []}, "train[0]", "input")

    def test_ragged_grids(self):
        for grid in ([[1, 2], [3]], [[1], [2, 3]], [[1, 2], []], [[1, 2], 3]):
            with self.subTest(grid=grid):
                self.refused_task(task_with(grid), "train[1].input", "[1]")

    def test_empty_grids(self):
        for grid in ([], [[]], [[], []]):
            with self.subTest(grid=grid):
                self.refused_task(task_with(grid), "train[1].input")

    def test_grids_that_are_none(self):
        for grid in (7, "grid", None, {}, [7], ["ab"]):
            with self.subTest(grid=grid):
                self.refused_task(task_with(grid), "train[1].input")

    def test_cells_that_are_not_colours(self):
        for cell in (10, -1, 1.5, 1.0, "1", None, True, [1], {}, 10**15):
            with self.subTest(cell=cell):
                self.refused_task(task_with([[0, cell]]), "train[1].input[0][1]")

    def test_a_number_beyond_every_range(self):
        self.refused_task(json.dumps(task_with([[0, 5]])).replace("[0, 5]", "[0, 1" + "0" * 400 + "]"))

    def test_huge_grids(self):
        self.refused_task(task_with([[0] * 100000]), "train[1].input")


class BadProgram(CommandTest):
    """A program is refused with file, line, column, the line itself and a caret, by run and by score."""

    def setUp(self):
        super().setUp()
        self.write("task.json", TASK)

    def refused_program(self, text, line, column, *says):
        path = self.write("solve_task.py", text)
        where = f"{path.name}:{line}:{column}:" if column else f"{path.name}:{line}:"
        source = text.split("\n")[line - 1].strip()
        says = [where, source, "^", *says]
        if len(source) > 200:
            says.remove(source)
        self.refused("run", path.name, "--in", "task.json", says=says)
        self.refused("score", path.name, "--tasks", "task.json", says=says)

    def body(self, *lines):
        return "def solve_task(I):\n" + "".join(f"    {line}\n" for line in lines)

    def test_missing_file(self):
        self.refused("run", "absent.py", "--in", "task.json", says=["absent.py"])
        self.refused("score", "absent.py", "--tasks", "task.json", says=["absent.py"])

    def test_a_directory_as_program(self):
        (self.folder / "folder.py").mkdir()
        self.refused("run", "folder.py", "--in", "task.json", says=["folder.py"])
        self.refused("score", "folder.py", "--tasks", "task.json", says=["folder.py"])

    def test_no_program_in_the_file(self):
        self.write("empty.py", "# nothing\n")
        self.refused("run", "empty.py", "--in", "task.json", says=["empty.py"])

    def test_unknown_op(self):
        self.refused_program(self.body("x1 = frobnicate(I)", "return x1"), 2, 10, "frobnicate")

    def test_a_name_not_yet_defined(self):
        self.refused_program(self.body("x1 = rot90(x2)", "x2 = rot90(x1)", "return x2"), 2, 16, "x2")
        self.refused_program(self.body("x1 = compose(x1, rot90)", "return x1(I)"), 2, 18, "x1")
        self.refused_program(self.body("x1 = solve_task(I)", "return x1"), 2, 10, "solve_task")

    def test_wrong_arity(self):
        for call in ("fill(I, 1)", "rot90(I, I)", "rot90()", "compose(rot90)", "compose(fill, rot90)(I)"):
            with self.subTest(call):
                self.refused_program(self.body(f"x1 = {call}", "return x1"), 2, 0)

    def test_type_errors(self):
        self.refused_program(self.body("x1 = fill(I, ONE, TWO)", "return x1"), 2, 0,
                             "fill: argument 3 is int, a patch ({ij} or {cell}) is expected")
        for call in ("rot90(3)", "add(I, I)", "I(3)", "THREE(I)", "apply(I, I)", "even(UNITY)", "fill(I, rot90, I)"):
            with self.subTest(call):
                self.refused_program(self.body(f"x1 = {call}", "return x1"), 2, 0)

    def test_a_result_that_is_no_grid(self):
        path = self.write("solve_task.py", self.body("x1 = height(I)", "return x1"))
        self.refused("score", path.name, "--tasks", "task.json", says=[path.name, "int"])

    def test_syntax_errors(self):
        for line, column in (
            ("x1 = rot90(I))", 18),
            ("x1 = rot90(I,,I)", 18),
            ("x1 rot90(I)", 0),
            ("x1 = ", 0),
            ("x1 = I + I", 12),
            ("x1 = 1.5", 10),
            ("x1 = 'open", 10),
            ("x1 = I[0]", 0),
            ("x1 = lambda x: x", 0),
            ("for x in I:", 0),
            ("x1 = 99999999999", 10),
            ("if I: return I", 0),
        ):
            with self.subTest(line):
                self.refused_program(self.body(line, "return I"), 2, column)

    def test_a_bracket_that_stays_open(self):
        self.refused_program(self.body("x1 = rot90(I", "return I"), 2, 15)

    def test_bad_keyword_arguments(self):
        self.refused_program(self.body("x1 = fill(I, value=1, colour=2)", "return x1"), 2, 0)
        self.refused_program(self.body("x1 = fill(I, grid=I, value=1)", "return x1"), 2, 0)

    def test_a_definition_without_return(self):
        self.refused_program(self.body("x1 = rot90(I)"), 1, 0)

    def test_nesting_too_deep(self):
        for depth in (10000, 100000):
            with self.subTest(depth):
                text = self.body("x1 = " + "rot90(" * depth + "I" + ")" * depth, "return x1")
                self.refused_program(text, 2, 0)

    def test_a_line_of_a_megabyte(self):
        for line in ("x1 = " + "a" * 1000000, "x1 = rot90(" + "I, " * 330000 + "I)", "x1 = (" + "1, " * 330000 + "1)",
                     "x1 = '" + "a" * 1000000, "x1 = " + "9" * 1000000):
            with self.subTest(line[:20]):
                self.refused_program(self.body(line, "return x1"), 2, 0)

    def test_bytes_that_are_no_text(self):
        for text in (b"def solve_task(I):\n    x1 = \x00\n    return x1\n", b"\xff\xfe\x00", b"\x00" * 1000):
            with self.subTest(text[:30]):
                self.write("solve_task.py", text)
                self.refused("run", "solve_task.py", "--in", "task.json", says=["solve_task.py"])

    def test_text_that_ends_early(self):
        text = PROGRAM.replace("solve_good", "solve_task") + "def f(I):\n    x1 = '\\"
        for length in range(len(text)):
            self.write("solve_task.py", text[:length])
            self.arcl("run", "solve_task.py", "--in", "task.json")  # any status, but no crash


class ScoreGoesOn(CommandTest):
    """A bad program among good ones is reported, and the others are scored."""

    BAD = "def solve_{0}(I):\n    x1 = frobnicate(I)\n    return x1\n"

    def setUp(self):
        super().setUp()
        for name in ("aa", "bb", "cc"):
            self.write(f"tasks/{name}.json", TASK)

    def good(self, name):
        return PROGRAM.replace("solve_good", f"solve_{name}")

    def scored(self, *files):
        done = self.arcl("score", *files, "--tasks", "tasks")
        self.assertNotEqual(done.returncode, 0)
        return done, done.stdout.splitlines()[-1]

    def test_in_one_file(self):
        self.write("all.py", self.good("aa") + "\n" + self.BAD.format("bb") + "\n" + self.good("cc"))
        done, last = self.scored("all.py")
        self.assertIn("all.py:6:10:", done.stderr)
        self.assertIn("frobnicate", done.stderr)
        self.assertRegex(last, r"^tasks 2/3 examples 4/6 errors \d+$")

    def test_in_files_of_their_own(self):
        for name, text in (("aa", self.good("aa")), ("bb", self.BAD.format("bb")), ("cc", self.good("cc"))):
            self.write(f"{name}.py", text)
        done, last = self.scored("aa.py", "bb.py", "cc.py")
        self.assertIn("bb.py:2:10:", done.stderr)
        self.assertRegex(last, r"^tasks 2/3 examples 4/6 errors \d+$")

    def test_a_syntax_error_spoils_only_its_definition(self):
        broken = "def solve_bb(I):\n    x1 = rot90(I\n    return x1\n"
        self.write("all.py", self.good("aa") + "\n" + broken + "\n" + self.good("cc"))
        done, last = self.scored("all.py")
        self.assertIn("all.py:", done.stderr)
        self.assertRegex(last, r"^tasks 2/3 examples 4/6 errors \d+$")

    def test_a_file_that_is_missing(self):
        self.write("aa.py", self.good("aa"))
        done, last = self.scored("aa.py", "absent.py")
        self.assertIn("absent.py", done.stderr)
        self.assertRegex(last, r"^tasks 1/1 examples 2/2 errors \d+$")


class BadVectors(CommandTest):
    GOOD = {"id": "good", "program": "def p(a):\n    return increment(a)\n", "types": ["int"],
            "lanes": [{"in": [1], "out": 2}, {"in": [2147483647], "error": "LIMIT"}]}

    def refused_line(self, line, *says):
        text = line if isinstance(line, str) else json.dumps(line)
        self.write("bad.jsonl", json.dumps(self.GOOD) + "\n" + text + "\n")
        self.refused("check", "bad.jsonl", says=["bad.jsonl:2", *says])

    def test_the_good_line_is_accepted(self):
        self.write("good.jsonl", json.dumps(self.GOOD) + "\n")
        self.assertEqual(self.accepted("check", "good.jsonl").stdout, "2 passed, 0 failed\n")

    def test_wrong_answers_are_counted(self):
        wrong = dict(self.GOOD, lanes=[{"in": [1], "out": 3}, {"in": [1], "error": "LIMIT"}, {"in": [1], "out": 2}])
        self.write("wrong.jsonl", json.dumps(wrong) + "\n")
        done = self.arcl("check", "wrong.jsonl")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.splitlines()[-1], "1 passed, 2 failed")

    def test_missing_file(self):
        self.refused("check", "absent.jsonl", says=["absent.jsonl"])

    def test_lines_that_are_no_vectors(self):
        for line in ("{", "nonsense", "[]", "{}", "[" * 5000, '{"id":"a","id":"b"}'):
            with self.subTest(line[:20]):
                self.refused_line(line)

    def test_parts_of_the_wrong_form(self):
        for change in ({"id": 3}, {"program": None}, {"types": "int"}, {"types": [3]}, {"types": ["integer"]},
                       {"types": ["int"] * 100}, {"types": []}, {"lanes": {}}, {"lanes": [3]}, {"lanes": [{"in": [1]}]},
                       {"lanes": [{"in": [1, 2], "out": 1}]}, {"lanes": [{"in": ["x"], "out": 1}]},
                       {"lanes": [{"in": [[1, 2]], "out": 1}]}, {"lanes": [{"in": [10**12], "out": 1}]},
                       {"lanes": [{"in": [{"set": [1]}], "out": 1}]}, {"program": "nonsense"},
                       {"types": ["{" * 50 + "int" + "}" * 50]}):
            with self.subTest(change=str(change)[:60]):
                self.refused_line(dict(self.GOOD, **change))

    def test_values_that_do_not_fit_their_type(self):
        program = "def p(a):\n    return identity(a)\n"
        for kind, value in (("grid", [[1, 2], [3]]), ("grid", [[1000]]), ("grid", [1]), ("ij", [1]), ("ij", [1, 2, 3]),
                            ("ij", [2**23, 0]), ("cell", [1, 2]), ("cell", [40000, [0, 0]]), ("{ij}", {"set": [1]}),
                            ("(int,ij)", [1])):
            with self.subTest(kind=kind, value=value):
                vector = {"id": "v", "program": program, "types": [kind], "lanes": [{"in": [value], "out": 0}]}
                self.refused_line(vector)


if __name__ == "__main__":
    main()
