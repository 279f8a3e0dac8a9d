"""docs/ops.md and docs/ops-tokpidjin.md are what tools/scripts/make-op-reference makes of the present tables and examples."""
import subprocess
import sys
import unittest

from command import ARCL, ROOT


class OpReference(unittest.TestCase):
    def test_is_up_to_date(self):
        script = ROOT / "tools" / "scripts" / "make-op-reference"
        done = subprocess.run([sys.executable, script, "--arcl", ARCL, "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
