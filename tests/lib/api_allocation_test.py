"""The library when memory runs out, and when files cannot be written: api_tour_test with failing_calls.c before it. By hand,
STRIDE=1 tries every allocation, in two minutes."""
import os
import pathlib
import subprocess
import unittest

import command
import failing

TOUR = pathlib.Path(command.ARCL).resolve().parent / "tests" / "api_tour_test"


@unittest.skipUnless(TOUR.exists(), "api_tour_test is not built")
class Tour(failing.FailingTest):
    def tour(self, test, **settings):
        environment = {**self.environment, "LD_PRELOAD": str(self.library), "TMPDIR": str(self.folder), **settings}
        done = subprocess.run([TOUR, "-t", test], capture_output=True, text=True, env=environment, timeout=280)
        self.assertEqual(done.returncode, 0, f"{settings}: {done.stdout}{done.stderr}")
        self.assertIn("fail: 0", done.stdout + done.stderr)

    def test_the_list_of_kernels(self):
        program = TOUR.with_name("manifest_test")
        if not program.exists():
            self.skipTest("built without OpenCL")
        done = subprocess.run([program], capture_output=True, text=True, timeout=60,
                              env={**self.environment, "LD_PRELOAD": str(self.library)})
        self.assertIn("fail: 0, skip: 0", done.stdout + done.stderr)

    def test_allocations(self):
        self.tour("every_allocation_fails", STRIDE=os.environ.get("STRIDE", "53"))

    def test_files(self):
        for kind in ("open", "write", "sync", "close", "rename", "chmod"):
            for at in (1, 2, 3, 4, 5, 7, 10):
                self.tour("once", FAIL_KIND=kind, FAIL_AT=str(at))
            self.tour("once", FAIL_KIND=kind, FAIL_AT="1", FAIL_ON="1")


if __name__ == "__main__":
    command.main()
