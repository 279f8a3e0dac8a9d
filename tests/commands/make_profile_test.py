"""tools/simulator/make-profile without a simulator: what it makes of work files, and what it says where there is none."""
import json
import os
import subprocess
import sys
import unittest

from command import ARCL, ROOT, CommandTest
from script import load_script
from synthetic_profile import gpu, host, profile

TOOL = ROOT / "tools" / "simulator" / "make-profile"
PROGRAM = "def f(I):\n    return rot90(I)\n"


class Profiles(CommandTest):
    def tool(self, *arguments):
        environment = {key: value for key, value in os.environ.items() if key != "GPU_SIMULATOR"}
        return subprocess.run([sys.executable, "-B", str(TOOL), *arguments, "--arcl", ARCL], cwd=self.folder, capture_output=True,
                              text=True, env=environment)

    def test_without_a_simulator(self):
        done = self.tool("v100.json", "--simulator", "nowhere")
        self.assertEqual(done.returncode, 2)
        self.assertIn("tools/simulator/build-simulator CHECKOUT DIR", done.stderr)

    def test_work_becomes_a_profile_that_is_read(self):
        card, other = gpu(teams=(10, 20), without=["objects"]), gpu(teams=(10, 30))
        other["costs"]["lane"]["rot90"].update(samples=50, per_element=7)  # stands on fewer
        other["costs"]["team"]["run_start"] = other["costs"]["lane"]["run_start"]  # of another arcl, which has that
        other["cases"] = ["objects"]
        card["cases"] = ["rot90"]
        self.write("v100.json.work", profile(host(), card))
        self.write("other.work", profile(host(), other))
        done = self.tool("v100.json", "--ops", "", "--add", "other.work", "--launch-us", "3", "--transfer-gbps", "10")
        self.assertEqual(done.returncode, 0, done.stderr)
        made = json.loads((self.folder / "v100.json").read_text())["devices"][1]
        self.assertEqual(made["identity"]["name"], "simulated V100")
        self.assertEqual((made["overheads"]["launch"], made["up"][0]), (3000, [1, 10000]))
        self.assertAlmostEqual(made["down"][1][1] / made["down"][1][0], 0.1, places=3)
        self.assertEqual((made["cases"], list(made["costs"])), (["objects", "rot90"], ["lane", "team"]))
        self.assertEqual(made["costs"]["lane"]["rot90"]["per_element"], card["costs"]["lane"]["rot90"]["per_element"])
        self.assertIn("objects", made["costs"]["lane"])
        self.assertNotIn("run_start", made["costs"]["team"])
        self.accepted("explain", self.write("p.py", PROGRAM), "--profile", "v100.json")

    def test_nothing_measured(self):
        self.write("v100.json.work", profile(host()))
        done = self.tool("v100.json", "--ops", "")
        self.assertEqual(done.returncode, 3)
        self.assertIn("nothing of the card was measured", done.stderr)
        self.assertFalse((self.folder / "v100.json").exists())


class Cases(unittest.TestCase):
    def test_kernels_with_teams_come_first(self):
        tool = load_script(TOOL)
        cases = tool.all_cases()
        self.assertLess(cases.index("objects"), cases.index("add"))
        self.assertIn("lists painted", cases)
        self.assertEqual(len(cases), len(set(cases)))

    def test_what_every_run_has_is_timed_in_the_first_only(self):
        tool = load_script(TOOL)
        self.assertEqual(tool.timed(["rot90", "objects"]), "all")
        self.assertIn("objects", tool.timed(["objects"]).split(","))
        self.assertNotIn("pack_fill", tool.timed(["objects"]).split(","))


if __name__ == "__main__":
    unittest.main()
