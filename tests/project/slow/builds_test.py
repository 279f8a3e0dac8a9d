"""The quick ones of the builds that tools/scripts/check-builds tries. What a build lacks here skips its test."""
import pathlib
import re
import subprocess
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[3] / "tools" / "scripts" / "check-builds"


class Builds(unittest.TestCase):
    def check(self, name):
        done = subprocess.run([CHECK, name], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=280)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        skipped = re.fullmatch(rf"{name}: skipped: (.*)\n", done.stdout)
        if skipped:
            self.skipTest(skipped.group(1))
        self.assertRegex(done.stdout, rf"\A{name}: ok, \d+ s\n\Z")

    def test_clang_warns_of_nothing(self):
        self.check("clang-warnings")

    def test_as_a_folder_of_another_project(self):
        self.check("subdirectory")

    def test_32_bit_target_is_refused(self):
        self.check("32-bit")


if __name__ == "__main__":
    unittest.main()
