"""What a user does: a new environment, `pip install ./python`, and the first example of docs/python.md. The wheel is one for CPython
3.9 and later (abi3audit) that needs nothing but the C library (auditwheel). In the environment, with NumPy and pandas, all tests of the
package and the notebook of the examples run; with another Python, if there is one here, the tests run too. Skipped, and said so, where
PyPI cannot be reached."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from command import ROOT, SKIPPED

TESTS = ROOT / "tests" / "python"
# Other versions of Python: those on the path, and what PYTHONS names.
OTHERS = [f"python3.{minor}" for minor in range(9, 20) if minor != sys.version_info.minor] + os.environ.get("PYTHONS", "").split()


def run(*command, **options):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    environment.update(options.pop("environment", {}))
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, env=environment, **options)


def can_reach_pypi():
    with tempfile.TemporaryDirectory() as folder:
        return run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, "scikit-build-core").returncode == 0


def works(python):
    """Whether there is such a Python: a name may stand for one that is not chosen, or not installed."""
    found = shutil.which(python)
    return found and run(found, "-c", "import venv, ensurepip").returncode == 0


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.top = pathlib.Path(cls.folder.name)
        cls.python = cls.environment(sys.executable, "first")
        launcher = {"CMAKE_C_COMPILER_LAUNCHER": "ccache"} if shutil.which("ccache") else {}
        done = run(cls.python, "-m", "pip", "wheel", "--no-deps", "-w", cls.top / "wheels", ROOT / "python", environment=launcher)
        if done.returncode:
            raise AssertionError(done.stdout[-3000:] + done.stderr[-3000:])
        cls.wheel = next((cls.top / "wheels").glob("*.whl"))
        cls.install(cls.python, cls.wheel)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def environment(cls, python, name):
        done = run(python, "-m", "venv", cls.top / name)
        assert done.returncode == 0, done.stdout + done.stderr
        return cls.top / name / "bin" / "python"

    @classmethod
    def install(cls, python, *packages):
        done = run(python, "-m", "pip", "install", "-q", *packages)
        assert done.returncode == 0, done.stderr[-3000:]

    def check_tests(self, python):
        for path in sorted(TESTS.glob("*_test.py")):
            done = run(python, "-B", path, environment={"PYTHONPATH": str(ROOT / "tests" / "support"), "ARCL_PROFILE": ""}, cwd=self.top)
            self.assertEqual(done.returncode, 0, f"{python} {path.name}:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")

    def test_its_name_says_what_it_is_for(self):
        self.assertRegex(self.wheel.name, r"^arcl-[\d.]+-cp39-abi3-linux_\w+\.whl$")

    def test_first_example(self):
        page = (ROOT / "docs" / "python.md").read_text()
        session = re.search(r"## First\n.*?```pycon\n(.*?)```", page, re.S).group(1)
        code = "\n".join(line[4:] for line in session.split("\n") if line.startswith((">>> ", "... ")))
        done = run(self.python, "-c", code.replace("arcl.score(programs, tasks)", "print(arcl.score(programs, tasks))"), cwd=ROOT)
        self.assertEqual((done.returncode, done.stdout), (0, "tasks 12/12 examples 47/47 errors 0\n"), done.stderr)

    def test_symbols_are_those_of_the_limited_api(self):
        self.install(self.python, "abi3audit")
        done = run(self.python, "-m", "abi3audit", "--strict", "--report", self.wheel)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn('"is_abi3": false', done.stdout)

    def test_it_needs_the_c_library_alone(self):
        self.install(self.python, "auditwheel")
        done = run(self.python, "-m", "auditwheel", "show", self.wheel)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout.replace("\n", " "), r'is consistent with the following platform tag: "manylinux_')

    def test_everything_with_numpy(self):
        self.install(self.python, "numpy", "pandas")
        self.check_tests(self.python)

    def test_other_versions_of_python(self):
        found = [python for python in OTHERS if works(python)]
        if not found:
            self.skipTest("there is no other version of Python here")
        for number, python in enumerate(found):
            with self.subTest(python=python):
                other = self.environment(shutil.which(python), f"other{number}")
                self.install(other, self.wheel)
                self.check_tests(other)


if __name__ == "__main__":
    if not can_reach_pypi():
        print("skipped: PyPI cannot be reached, from where pip takes what builds the package")
        sys.exit(SKIPPED)
    unittest.main()
