"""Rooms use only rooms before them (tools/scripts/rooms.txt), and files do not use each other in circles. An include that goes
against that is found: the check is tried on a copy of the tree with such lines."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRAPH = ROOT / "tools" / "scripts" / "room-graph"


def check(root):
    done = subprocess.run([sys.executable, GRAPH, "--check", "--root", root], capture_output=True, text=True)
    return done.returncode, done.stdout


class Rooms(unittest.TestCase):
    def test_order(self):
        status, said = check(ROOT)
        self.assertEqual(0, status, said)

    def test_picture(self):
        done = subprocess.run([sys.executable, GRAPH, "--svg", "--check"], capture_output=True, text=True)
        self.assertEqual(0, done.returncode, done.stdout)

    def complaint_about(self, path, line):
        """What is said of a tree in which a file has one line more."""
        with tempfile.TemporaryDirectory() as folder:
            for top in ("lib", "host", "cl", "tools"):
                shutil.copytree(ROOT / top, pathlib.Path(folder) / top, ignore=shutil.ignore_patterns("__pycache__"))
            file = pathlib.Path(folder) / path
            file.write_text(file.read_text() + line + "\n")
            status, said = check(folder)
            self.assertEqual(1, status)
            return said

    def test_include_of_a_later_room(self):
        said = self.complaint_about("lib/language/lexer.c", '#include "run/run.h"')
        self.assertIn("lib/language/lexer.c uses lib/run/run.h: lib/language may not use lib/run", said)

    def test_call_into_a_later_room(self):
        said = self.complaint_about("lib/program/layout.c", "void f(void) { arcl_battery_free(0); }")
        self.assertIn("lib/program/layout.c uses lib/battery/battery.c: lib/program may not use lib/battery", said)

    def test_tools_know_only_the_public_header(self):
        said = self.complaint_about("tools/cli/files.c", '#include "base/pool.h"')
        self.assertIn("tools/cli/files.c uses lib/base/pool.h: tools/cli may not use lib/base", said)

    def test_circle(self):
        said = self.complaint_about("lib/base/hash.h", '#include "base/lru.h"')
        self.assertIn("in a circle: lib/base/hash, lib/base/lru", said)


if __name__ == "__main__":
    unittest.main()
