"""What docs/python.md shows is what happens: its sessions are run as doctests."""
import doctest
import os
import pathlib
import unittest

from python_package import ROOT


class Page(unittest.TestCase):
    def test_sessions(self):
        before = pathlib.Path.cwd()
        os.chdir(ROOT)
        try:
            done = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False)
        finally:
            os.chdir(before)
        self.assertEqual(done.failed, 0)
        self.assertGreater(done.attempted, 30)


if __name__ == "__main__":
    unittest.main()
