"""What a user does: a new environment, `pip install ./python`, and the first example of docs/python.md. The wheel is one for CPython
3.9 and later (abi3audit) that needs nothing but the C library (auditwheel). In the environment, with NumPy and pandas, all tests of the
package and the notebook of the examples run; with another Python, if there is one here, the tests run too. Skipped, and said so, where
PyPI cannot be reached."""
import concurrent.futures
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

# What the tests below use besides the package. It is fetched in one go, while the wheel is built.
TOOLS = ["abi3audit", "auditwheel", "numpy", "pandas", "nbformat", "nbclient", "ipykernel", "mypy"]

# Runs the notebook that is in the folder, and prints what its cells show.
EXECUTE = """
import json, nbclient, nbformat
notebook = nbformat.read("notebook.ipynb", as_version=4)
nbformat.validate(notebook)
nbclient.NotebookClient(notebook, timeout=300).execute()
for cell in notebook.cells:
    for output in cell.get("outputs", []):
        print(output.get("text", ""), *output.get("data", {}).values())
"""


def run(*command, **options):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    environment.update(options.pop("environment", {}))
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, env=environment, **options)


def why_not():
    """"", or why nothing can be tried here."""
    with tempfile.TemporaryDirectory() as folder:
        if run(sys.executable, "-m", "venv", f"{folder}/tried").returncode:
            return "Python's module venv does not work here (python3-venv)"
        python = f"{folder}/tried/bin/python"
        if run(python, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, "scikit-build-core").returncode:
            return "PyPI cannot be reached, from where pip takes what builds the package"
    return ""


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
        with concurrent.futures.ThreadPoolExecutor() as pool:
            tools = pool.submit(cls.install, cls.python, *TOOLS)
            done = run(cls.python, "-m", "pip", "wheel", "--no-deps", "-w", cls.top / "wheels", ROOT / "python", environment=launcher)
            tools.result()
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
        """Several at once: they wait for threads and processes most of the time."""
        def check(path):
            return path, run(python, "-B", path, environment={"PYTHONPATH": str(ROOT / "tests" / "support"), "ARCL_PROFILE": ""},
                             cwd=self.top)

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for path, done in pool.map(check, sorted(TESTS.glob("*_test.py"))):
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
        done = run(self.python, "-m", "abi3audit", "--strict", "--report", self.wheel)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn('"is_abi3": false', done.stdout)

    def test_it_needs_the_c_library_alone(self):
        done = run(self.python, "-m", "auditwheel", "show", self.wheel)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout.replace("\n", " "), r'is consistent with the following platform tag: "manylinux_')

    def test_everything_with_numpy(self):
        self.check_tests(self.python)

    def test_notebook(self):
        shutil.copytree(ROOT / "examples", self.top / "examples")
        done = run(self.python, "-c", EXECUTE, cwd=self.top / "examples")
        self.assertEqual(done.returncode, 0, done.stdout[-1000:] + done.stderr[-3000:])
        for shown in ("tasks 12/12 examples 47/47 errors 0", "pairs 12/144 examples 47/564 errors 30", "<svg", "12 tasks are solved", "^"):
            self.assertIn(shown, done.stdout)
        self.assertTrue((self.top / "examples" / "submission.json").exists())

    def test_types(self):
        done = run(self.python, "-m", "mypy", "-p", "arcl", "--ignore-missing-imports", "--cache-dir", self.top / "mypy", cwd=self.top)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

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
    reason = why_not()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    unittest.main()
