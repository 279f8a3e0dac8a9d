"""What the tests share: where the tree is, the real binary ($ARCL), a folder for each test, and what a refusal is."""
import json
import os
import pathlib
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools" / "scripts"))  # what they share with tests
VECTORS = ROOT / "tests" / "vectors"
ARCL = os.environ.get("ARCL", str(ROOT / "build" / "arcl"))
SKIPPED = 77  # the exit status that ctest takes for "skipped", as tests/CMakeLists.txt says

EXAMPLE = {"input": [[1, 2], [3, 4]], "output": [[3, 1], [4, 2]]}  # rot90
TASK = {"train": [EXAMPLE], "test": [EXAMPLE]}
PROGRAM = "def solve_good(I):\n    x1 = rot90(I)\n    return x1\n"


def build_environment(folder):
    """For a build in a folder of its own. Objects come from ccache where that is installed, which takes those of another
    folder for the same."""
    own = {"CMAKE_C_COMPILER_LAUNCHER": "ccache", "CCACHE_BASEDIR": str(folder)} if shutil.which("ccache") else {}
    return {**{name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}, **own}


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = dict(os.environ)
        quiet = ":print_suppressions=0"  # what drivers leak is none of standard error's business
        self.environment["LSAN_OPTIONS"] = os.environ.get("LSAN_OPTIONS", "") + quiet

    def write(self, name, content):
        """Writes a file of the test's folder: text and bytes as they are, anything else as JSON."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(content, (str, bytes)):
            content = json.dumps(content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def arcl(self, *arguments):
        """Runs the command in the test's folder. A crash, or a sanitizer's report, fails the test."""
        command = [ARCL, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=self.folder, timeout=120,
                              env=self.environment)
        self.assertIn(done.returncode, (0, 1, 2, 3), f"{arguments}: {done.stderr}")
        self.assertNotRegex(done.stderr, "Sanitizer|runtime error", f"{arguments}")
        return done

    def open_terminal(self):
        """Both ends of a terminal, or the test is skipped: there is none in a root without /dev/pts."""
        try:
            return pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal to be had: {error}")

    def accepted(self, *arguments):
        done = self.arcl(*arguments)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}")
        return done

    def refused(self, *arguments, says, status=2):
        """That exit status and a message of reasonable size on standard error that has all of `says` in it."""
        done = self.arcl(*arguments)
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stdout[-500:]} {done.stderr[-500:]}")
        for text in says:
            self.assertIn(text, done.stderr, f"{arguments}")
        self.assertLess(len(done.stderr), 4000, f"{arguments}: the message is too long")
        return done


main = unittest.main
