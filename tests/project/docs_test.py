"""The commands in README.md and docs/ run, and print what the page says.

A block that begins with ```sh holds commands. They run in a copy of the sources that has the build's folder as build/, block
after block of a page. If a ```text block follows at once, it is what they print; a line `...` in it stands for any lines, and
a block ```text varies is not compared. A block whose first line is one of

    # needs your own files: ..        # runs the tests: ..        # tested by FILE: ..

is not run here; one that uses the library itself is not run with a sanitizer's. A ```c block that follows the name of a file
of examples/ is that file. A ```python block with definitions in it compiles.
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from command import ARCL, ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(.*?)\n(.*?)^```\n(\s*)", re.M | re.S)
NOT_RUN = re.compile(r"# (needs your own files|runs the tests|tested by \w+\.py)\b.*\n")
NOT_SANITIZED = re.compile(r"\bbench/|\bbuild/lib|--install build|\bmine/")
LINK = re.compile(r"\[[^]]*\]\(([^)#:]+)(#[^)]*)?\)")


def blocks(text):
    """(language, text, the output that follows or None) of every fenced block."""
    found = list(FENCE.finditer(text))
    for block, following in zip(found, found[1:] + [None]):
        joined = following and following.start() == block.end() and following.group(1) == "text"
        yield block.group(1), block.group(2), following.group(2) if joined else None


def is_sanitized():
    cache = pathlib.Path(ARCL).parent / "CMakeCache.txt"
    return cache.exists() and re.search(r"(?m)^CMAKE_C_FLAGS:.*-fsanitize", cache.read_text())


def is_run(language, text):
    return language == "sh" and not NOT_RUN.match(text) and not (is_sanitized() and NOT_SANITIZED.search(text))


def pattern(text):
    lines = [r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\s*\n" for line in text.rstrip("\n").split("\n")]
    return "".join(lines)


class Pages(unittest.TestCase):
    def copy_sources(self):
        """A copy of the sources, with the build that is tested as its build/."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        top = pathlib.Path(folder.name) / "arcl"
        shutil.copytree(ROOT, top, ignore=shutil.ignore_patterns("build*", ".*", "__pycache__"))
        (top / "build").symlink_to(pathlib.Path(ARCL).parent)
        return top

    def run_block(self, text, top):
        home = {"HOME": str(top), "NO_COLOR": "1", "CMAKE_BUILD_PARALLEL_LEVEL": "2"}
        return subprocess.run(["bash", "-euc", text], cwd=top, capture_output=True, text=True, timeout=240,
                              stdin=subprocess.DEVNULL, env={**os.environ, **home})

    def test_commands_run(self):
        for page in PAGES:
            top = self.copy_sources()
            for language, text, output in blocks(page.read_text()):
                if not is_run(language, text):
                    continue
                with self.subTest(page=page.name, commands=text):
                    done = self.run_block(text, top)
                    self.assertIn(done.returncode, (0, 1, 2), done.stdout + done.stderr)
                    if output is not None:
                        self.assertRegex(done.stdout + done.stderr, r"\A" + pattern(output) + r"\s*\Z")
                    else:
                        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_page_is_read(self):
        commands = sum(language == "sh" for page in PAGES for language, _, _ in blocks(page.read_text()))
        self.assertGreater(commands, 10)

    def test_c_blocks_are_the_examples(self):
        for page in PAGES:
            text = page.read_text()
            for name, code in re.findall(r"`examples/(\w+\.c)`[^`]*\n\n```c\n(.*?)^```", text, re.M | re.S):
                with self.subTest(page=page.name, file=name):
                    self.assertEqual(code, (ROOT / "examples" / name).read_text())

    def test_python_blocks_compile(self):
        top, tasks = self.copy_sources(), ROOT / "examples" / "tasks"
        for page in PAGES:
            for language, text, _ in blocks(page.read_text()):
                if language != "python" or "def " not in text:
                    continue
                with self.subTest(page=page.name, text=text):
                    (top / "block.py").write_text(text)
                    done = self.run_block(f"build/arcl score block.py --tasks {tasks}", top)
                    self.assertIn(done.returncode, (0, 1), done.stderr)

    def test_links_lead_somewhere(self):
        for page in PAGES + [ROOT / "CONTRIBUTING.md"]:
            for target, _ in LINK.findall(page.read_text()):
                with self.subTest(page=page.name, link=target):
                    self.assertTrue((page.parent / target).exists())


if __name__ == "__main__":
    unittest.main()
