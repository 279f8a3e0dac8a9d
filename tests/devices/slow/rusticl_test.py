"""Mesa's rusticl on the CPU (llvmpipe): a driver that is known to end long loops early, and to say nothing. It must either be
refused for a reason that the self-test names, or pass the vectors that launch every kernel; it must never hang or crash.
"""
import json
import sys
import unittest

from command import PROGRAM, SKIPPED, TASK, VECTORS, CommandTest

EVERY_KERNEL = str(VECTORS / "every_kernel.jsonl")


class Rusticl(CommandTest):
    def setUp(self):
        super().setUp()
        self.environment["RUSTICL_ENABLE"] = "llvmpipe"

    def device(self):
        """As `arcl devices` describes it; None where there is none."""
        self.accepted("devices", "--json", "devices.json")
        devices = json.loads((self.folder / "devices.json").read_text())["devices"]
        return next((d for d in devices if d["platform"] == "rusticl" and d["id"]), None)

    def test_it_computes_correctly_or_is_refused(self):
        device = self.device()
        if device["state"] == "ready":
            done = self.accepted("check", EVERY_KERNEL, "--device", device["id"], "--require", "--quiet")
            self.assertRegex(done.stdout, r"^[1-9]\d* passed, 0 failed")
            return
        self.assertEqual(device["state"], "refused")
        self.assertIn("self-test '", device["reason"])
        refused = {"says": [device["id"], "is refused", device["reason"]], "status": 3}
        self.refused("check", EVERY_KERNEL, "--device", device["id"], "--require", **refused)
        self.write("good.json", TASK)
        self.write("good.py", PROGRAM)
        self.refused("run", "good.py", "--in", "good.json", "--device", "llvmpipe", **refused)

    def test_it_is_not_taken_by_itself(self):
        self.write("good.json", TASK)
        self.write("good.py", PROGRAM)
        self.accepted("run", "good.py", "--in", "good.json", "--device", "auto")


if __name__ == "__main__":
    probe = Rusticl()
    probe.setUp()
    found = probe.device()
    probe.doCleanups()
    if not found:
        print("skipped: rusticl has no llvmpipe device here, or arcl was built without OpenCL")
        sys.exit(SKIPPED)
    unittest.main()
