"""Every vector in the shape of teams, on PoCL: as expected, and what the host writes, by tools/scripts/check-teams, which also says
whether all kernels that have the shape have run in it.
"""
import pathlib
import subprocess
import sys
import unittest

import pocl
from command import ARCL, ROOT
from kernel_rows import kernels_with


class TeamVectors(unittest.TestCase):
    def test_vectors_as_teams(self):
        kept = pathlib.Path(ARCL).resolve().parent / "tests" / "teams"  # what is compiled: the next time takes a tenth
        line = [sys.executable, "-B", ROOT / "tools" / "scripts" / "check-teams", kept]
        done = subprocess.run(line, env=pocl.environment(GPU_SIMULATOR=None), capture_output=True, text=True, errors="replace")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, rf"\n\d{{5}} launches of teams of {len(kernels_with('TEAM'))} kernels; never: none\n$")


if __name__ == "__main__":
    pocl.skip_unless_installed()
    unittest.main()
