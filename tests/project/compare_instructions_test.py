"""tools/scripts/compare-instructions: a build takes as much as itself, and who takes more is named."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from command import ARCL, ROOT, SKIPPED

TOOL = ROOT / "tools" / "scripts" / "compare-instructions"
VECTOR = '{"id":"v","program":"def p(a):\\n    return a\\n","types":["int"],"lanes":[{"in":[1],"out":1}]}\n'


class CompareInstructions(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)
        (self.folder / "v.jsonl").write_text(VECTOR)

    def compared(self, *arguments):
        command = [sys.executable, str(TOOL), ARCL, *map(str, arguments), "--json", str(self.folder / "o.json")]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.folder)

    def test_a_build_with_itself(self):
        (self.folder / "p.py").write_text("def solve_e17e2042(I):\n    return rot90(I)\n\n\ndef solve_elsewhere(I):\n    return I\n")
        done = self.compared(ARCL, "p.py", "v.jsonl", "--tasks", ROOT / "examples" / "tasks")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        measured = json.loads((self.folder / "o.json").read_text())
        self.assertEqual(list(measured), ["p.py:solve_e17e2042", "v.jsonl:1"])
        self.assertTrue(all(old > 0 and abs(new - old) < old / 1000 for old, new in measured.values()), measured)

    def test_who_takes_more_is_named(self):
        done = self.compared(ARCL, "v.jsonl", "--most", "-1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("v.jsonl:1", done.stdout)

    def test_what_cannot_be_counted_is_no_success(self):
        done = self.compared(self.folder / "missing", "v.jsonl")
        self.assertEqual(done.returncode, 1)
        self.assertIn("counted nothing", done.stderr)

    def test_programs_without_tasks(self):
        self.assertEqual(self.compared(ARCL, "p.py").returncode, 2)


if __name__ == "__main__":
    if not shutil.which("valgrind"):
        sys.exit(SKIPPED)
    unittest.main()
