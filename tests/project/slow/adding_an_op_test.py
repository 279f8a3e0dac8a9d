"""docs/adding-an-op.md, followed literally, ends well.

In a copy of the tree every block of code, vectors or examples goes into the file that the sentence above it names (In `FILE`),
the commands that are marked with the name of this test are run, and then the tests that look at every op and kernel pass, as
do the page's own vectors. Code is not optimized and OpenCL left out, so that it takes less than a minute.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from command import ROOT, build_environment

PAGE = pathlib.Path("docs") / "adding-an-op.md"
BLOCK = re.compile(r"([^\n]+(?:\n[^\n]+)*)\n\n```(\w+)\n(.*?)^```$", re.M | re.S)
COMMANDS = "# tested by adding_an_op_test.py"
CONFIGURE = ["cmake", "-S", ".", "-B", "build", "-DARCL_OPENCL=OFF", "-DARCL_EXAMPLES=OFF", "-DCMAKE_BUILD_TYPE=Debug",
             "-DCMAKE_C_FLAGS_DEBUG=-O0"]
# What looks at every op or kernel there is; the first word is a file, the second what of it.
TESTS = ["every_kernel_test.py", "op_reference_test.py", "pictures_test.py", "format_test.py", "cli_commands_test.py Ops",
         "cli_bench_test.py Table.test_every_op_has_inputs_with_which_it_works"]


def family_of(row):
    """What rows of a table stand together by."""
    found = re.match(r"OP\(\w+, (\w+),|KERNEL\((\w+),", row)
    return found and (found.group(1) or found.group(2))


def insert_row(lines, row):
    """Puts a row below the last one of its family."""
    last = max(n for n, line in enumerate(lines) if family_of(line) == family_of(row))
    lines.insert(last + 1, row)


def insert_includes(lines, includes):
    """Puts lines among those of the file, which are in alphabetical order."""
    there = [n for n, line in enumerate(lines) if line.startswith("#include")]
    lines[there[0]:there[-1] + 1] = sorted(lines[there[0]:there[-1] + 1] + includes)


def insert(path, block):
    """Puts a block where the page wants it; what is in no order goes to the end."""
    lines, new = path.read_text().splitlines(), block.splitlines()
    if all(line.startswith("#include") for line in new):
        insert_includes(lines, new)
    elif path.suffix == ".def":
        for row in new:
            insert_row(lines, row)
    else:
        lines += ([""] if path.suffix == ".cl" else []) + new
    path.write_text("\n".join(lines) + "\n")


class AddingAnOp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.top = pathlib.Path(folder.name) / "arcl"
        shutil.copytree(ROOT, cls.top, ignore=shutil.ignore_patterns("build*", ".git", "__pycache__"))
        own = {"ARCL": str(cls.top / "build" / "arcl"), "PYTHONPATH": str(cls.top / "tests" / "support"),
               "CMAKE_BUILD_PARALLEL_LEVEL": "2"}
        cls.environment = {**build_environment(cls.top), **own}
        cls.vectors = []
        cls.follow_the_page()

    @classmethod
    def follow_the_page(cls):
        cls.succeeds(*CONFIGURE)
        for above, language, block in BLOCK.findall((ROOT / PAGE).read_text()):
            if language != "sh":
                [file] = re.findall(r"\bIn\s+`([^`]+)`", above) or [None]
                assert file, f"{PAGE}: into which file does this go?\n{block}"
                insert(cls.top / file, block)
                cls.vectors += block.splitlines() if language == "json" else []
            elif block.startswith(COMMANDS):
                cls.succeeds("bash", "-euc", block)

    @classmethod
    def run_command(cls, *command):
        return subprocess.run([*map(str, command)], cwd=cls.top, env=cls.environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=280)

    @classmethod
    def succeeds(cls, *command):
        done = cls.run_command(*command)
        if done.returncode:
            raise AssertionError(f"{command}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout

    def added(self):
        """The names of the ops that the page adds."""
        before, after = (re.findall(r"^OP\((\w+)", (top / "lib" / "ops" / "ops.def").read_text(), re.M)
                         for top in (ROOT, self.top))
        return sorted(set(after) - set(before))

    def test_the_command_knows_the_ops(self):
        self.assertEqual(len(self.added()), 2)
        for op in self.added():
            self.assertTrue(self.succeeds("build/arcl", "ops", op).startswith(op + "("))

    def test_the_vectors_pass(self):
        (self.top / "mine.jsonl").write_text("\n".join(self.vectors) + "\n")
        lanes = sum(len(json.loads(line)["lanes"]) for line in self.vectors)
        self.assertGreater(lanes, 2)
        self.assertEqual(self.succeeds("build/arcl", "check", "mine.jsonl"), f"{lanes} passed, 0 failed\n")

    def test_what_is_derived_is_up_to_date(self):
        self.succeeds("tools/scripts/make-derived", "--check")
        for page in ("ops.md", "device-table.md"):
            for op in self.added():
                self.assertRegex((self.top / "docs" / page).read_text(), rf"\b{op}\b")

    def test_the_table_is_right(self):
        self.succeeds("cmake", "--build", "build", "--target", "op_table_test")
        self.succeeds("build/tests/op_table_test")

    def test_other_tests_of_every_op_pass(self):
        for test in TESTS:
            name, *what = test.split()
            with self.subTest(name):
                [path] = (self.top / "tests").rglob(name)
                done = self.run_command(sys.executable, "-B", path, *what)
                self.assertIn(done.returncode, (0, 77), done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
