"""docs/device-table.md says of the devices that are here what tools/scripts/make-device-table finds, and that is 100 %."""
import re
import subprocess
import sys
import unittest

import pocl
from command import ARCL, ROOT

PAGE = ROOT / "docs" / "device-table.md"


class DeviceTable(unittest.TestCase):
    def test_is_up_to_date(self):
        script = ROOT / "tools" / "scripts" / "make-device-table"
        done = subprocess.run([sys.executable, script, "--arcl", ARCL, "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        for device in ("host", "PoCL basic", "PoCL pthread"):
            self.assertRegex(done.stderr, rf"(?m)^{device}: (\d+) of \1 lanes$")

    def test_everything_is_right(self):
        rows = re.findall(r"^\| `\w+` \| \d+ \| (.*) \|$", PAGE.read_text(), re.M)
        ops = re.findall(r"^OP\(", (ROOT / "lib" / "ops" / "ops.def").read_text(), re.M)
        self.assertEqual(len(rows), len(ops))
        self.assertEqual(set(cell for row in rows for cell in row.split(" | ")), {"100 %"})


if __name__ == "__main__":
    pocl.skip_unless_installed()
    unittest.main()
