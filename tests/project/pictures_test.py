"""The pictures of README.md and docs/ are what arcl draws now, in content if not in bytes; and each is shown on a
page."""
import re
import subprocess
import sys
import unittest

from command import ARCL, ROOT

PAGES = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]


class Pictures(unittest.TestCase):
    def test_are_up_to_date(self):
        done = subprocess.run([sys.executable, ROOT / "tools" / "scripts" / "make-pictures", "--arcl", ARCL, "--check"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_all_are_shown_somewhere(self):
        shown = set()
        for page in PAGES:
            for target in re.findall(r'!\[[^]]*\]\(([^)]+)\)|<img src="([^"]+)"', page.read_text()):
                path = (page.parent / "".join(target)).resolve()
                self.assertTrue(path.exists(), f"{page.name}: {path}")
                shown.add(path)
        there = {path for path in (ROOT / "docs" / "pictures").rglob("*") if path.is_file()}
        self.assertEqual(there - shown, set())


if __name__ == "__main__":
    unittest.main()
