"""tools/quickstart works from a fresh copy of the sources, and once more when everything is there already."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from command import ARCL, ROOT, SKIPPED, build_environment

CACHE = pathlib.Path(ARCL).parent / "CMakeCache.txt"


class Quickstart(unittest.TestCase):
    def test_works_twice(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "arcl"
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("build*", ".git", "__pycache__"))
            for run in ("first", "second"):
                with self.subTest(run):
                    self.check(copy)

    def check(self, copy):
        done = subprocess.run([copy / "tools" / "quickstart"], capture_output=True, text=True, env=build_environment(copy),
                              stdin=subprocess.DEVNULL, timeout=550)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^tasks (\d+)/\1 examples (\d+)/\2 errors 0$")
        self.assertRegex(done.stderr, r"(?m)^gravitate +host +host +\d")


if __name__ == "__main__":
    # It builds a release of its own, whatever this build is: once is enough.
    if CACHE.exists() and re.search(r"(?m)^CMAKE_C_FLAGS:.*-fsanitize", CACHE.read_text()):
        sys.exit(SKIPPED)
    unittest.main()
