"""tools/gpu-simulate without a simulator, and what it makes of what a simulator says."""
import contextlib
import io
import os
import subprocess
import sys
import unittest
import unittest.mock

from command import ARCL, ROOT, CommandTest
from script import load_script

TOOL = ROOT / "tools" / "gpu-simulate"
# Two launches; the counters of the second include those of the first.
SAID = """SIMCL BEGIN arcl_rot90 128 64
GPGPU-Sim uArch: CTA/core = 16, limited by: regs
gpu_sim_cycle = 1000
gpu_occupancy = 12.5000%
gpu_sim_insn = 6400
Stall:100	W0_Idle:300	W0_Scoreboard:400	W1:0	W31:0	W32:200
gpgpu_n_load_insn  = 640
gpgpu_n_store_insn = 320
L1D_total_cache_accesses = 30
L1D_total_cache_misses = 3
SIMCL END arcl_rot90
SIMCL BEGIN arcl_team_rot90 64 32
GPGPU-Sim uArch: CTA/core = 32, limited by: cta_limit
gpu_sim_cycle = 500
gpu_occupancy = 50.0000%
gpu_sim_insn = 1600
Stall:100	W0_Idle:300	W0_Scoreboard:500	W1:0	W31:100	W32:200
gpgpu_n_load_insn  = 800
gpgpu_n_store_insn = 320
L1D_total_cache_accesses = 190
L1D_total_cache_misses = 83
SIMCL END arcl_team_rot90
"""


class Reading(unittest.TestCase):
    def test_launches(self):
        first, second = load_script(TOOL).read_launches(SAID)
        self.assertEqual(first, {"kernel": "rot90", "items": 128, "local": 64, "groups": 16, "limit": "regs", "cycles": 1000,
                                 "occupancy": 0.125, "simd": 1.0, "transactions": 1.0, "misses": 0.1, "idle": 0.3, "waiting": 0.4,
                                 "stalled": 0.1})
        self.assertEqual(second, {"kernel": "team_rot90", "items": 64, "local": 32, "groups": 32, "limit": "cta_limit",
                                  "cycles": 500, "occupancy": 0.5, "simd": 0.5, "transactions": 32.0, "misses": 0.5, "idle": 0.0,
                                  "waiting": 0.5, "stalled": 0.0})

    def test_shapes_beside_each_other(self):
        tool = load_script(TOOL)
        first, second = tool.read_launches(SAID)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            tool.print_beside({"lane": [first], "team": [second]})
        rows = [line.split() for line in out.getvalue().splitlines()]
        self.assertEqual(rows[0], ["lane", "|", "team", "cycles", "occupancy", "simd", "transactions", "waiting", "faster"])
        self.assertEqual(rows[1], ["rot90", "1000", "500", "0.12", "0.50", "1.00", "0.50", "1.00", "32.00", "0.40", "0.50", "2.00"])
        self.assertEqual(rows[2], ["all", "1000", "500", "2.00"])
        out.truncate(0)
        with contextlib.redirect_stdout(out):
            tool.print_beside({"lane": [first, first], "team": [second]})
        self.assertEqual(out.getvalue().strip("\0"), "")

    def test_grids_are_the_same_every_time(self):
        grids = load_script(TOOL).grids(3, 10)
        self.assertEqual([(len(g), len(g[0])) for g in grids], [(10, 10)] * 3)
        self.assertEqual(grids, load_script(TOOL).grids(3, 10))
        self.assertNotEqual(grids[0], grids[1])


class Asking(CommandTest):
    def tool(self, *arguments):
        environment = {key: value for key, value in os.environ.items() if key != "GPU_SIMULATOR"}
        return subprocess.run([sys.executable, "-B", str(TOOL), *arguments], cwd=self.folder, capture_output=True, text=True,
                              env=environment)

    def test_without_a_simulator(self):
        for options in ([], ["--simulator", "nowhere"]):
            done = self.tool("rot90(I)", "--arcl", ARCL, *options)
            self.assertEqual(done.returncode, 2)
            self.assertIn("tools/simulator/build-simulator CHECKOUT DIR", done.stderr)

    def test_a_simulator_that_is_not_loaded(self):
        """Whatever device there is runs instead: that must not be taken for the simulator."""
        self.write("libsimcl.so", "")
        (self.folder / "v100-eighth").mkdir()
        done = self.tool("rot90(I)", "--arcl", ARCL, "--simulator", ".", "--size", "3", "--shape", "lane")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertNotIn("as the host", done.stdout)

    def test_a_simulator_named_from_here(self):
        """arcl runs in another folder."""
        (self.folder / "libsimcl.so").write_text("")
        here = os.path.relpath(self.folder)
        with unittest.mock.patch("sys.argv", ["gpu-simulate", "rot90(I)", "--arcl", ARCL, "--simulator", here]):
            self.assertEqual(load_script(TOOL).arguments().simulator, self.folder.resolve())

    def test_without_a_program(self):
        self.write("libsimcl.so", "")
        done = self.tool("nothing.py", "--arcl", ARCL, "--simulator", ".")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("nothing.py: there is no such file", done.stderr)


if __name__ == "__main__":
    unittest.main()
