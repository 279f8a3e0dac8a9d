"""tools/scripts/gpu-compile: no kernel fails to compile for a GPU, and none spills; and what is wrong would be seen."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from command import ROOT, SKIPPED
from script import load_script

TOOL = ROOT / "tools" / "scripts" / "gpu-compile"
# As ptxas and clang say it. The first kernel calls a function, and both of these spill.
PTXAS = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'arcl_first' for 'sm_75'
ptxas info    : Function properties for arcl_first
    64 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers, 96 bytes cumulative stack size, 368 bytes cmem[0]
ptxas info    : Function properties for helper
    32 bytes stack frame, 16 bytes spill stores, 16 bytes spill loads
ptxas info    : Compiling entry function 'arcl_second' for 'sm_75'
ptxas info    : Function properties for arcl_second
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 14 registers, used 1 barriers, 512 bytes smem, 368 bytes cmem[0]
"""
REMARKS = """cl/x.cl:1:1: remark: Function Name: arcl_first [-Rpass-analysis=kernel-resource-usage]
cl/x.cl:1:1: remark:     SGPRs: 104 [-Rpass-analysis=kernel-resource-usage]
cl/x.cl:1:1: remark:     VGPRs: 46 [-Rpass-analysis=kernel-resource-usage]
cl/x.cl:1:1: remark:     ScratchSize [bytes/lane]: 296 [-Rpass-analysis=kernel-resource-usage]
cl/x.cl:1:1: remark:     Occupancy [waves/SIMD]: 5 [-Rpass-analysis=kernel-resource-usage]
cl/x.cl:1:1: remark:     SGPRs Spill: 12 [-Rpass-analysis=kernel-resource-usage]
cl/x.cl:1:1: remark:     VGPRs Spill: 0 [-Rpass-analysis=kernel-resource-usage]
cl/x.cl:1:1: remark:     LDS Size [bytes/block]: 512 [-Rpass-analysis=kernel-resource-usage]
"""


class WhatCompilersSay(unittest.TestCase):
    def setUp(self):
        self.tool = load_script(TOOL)

    def test_nvidia(self):
        target = self.tool.Nvidia()
        kernels = target.read(PTXAS)
        self.assertEqual(kernels["arcl_first"], {"registers": 255, "stack": 96, "local": 0, "spills": 44})
        self.assertEqual(kernels["arcl_second"], {"registers": 14, "stack": 0, "local": 512, "spills": 0})
        problems = self.tool.complaints(target, "x", ["arcl_first", "arcl_second", "arcl_third"], kernels)
        self.assertEqual(problems, ["arcl_first spills for nvidia sm_75: 44 spills",
                                    "arcl_third of cl/x.cl is missing for nvidia sm_75"])

    def test_amd(self):
        target = self.tool.Amd("gfx1030")
        kernels = target.read(REMARKS)
        self.assertEqual(kernels["arcl_first"], {"vgprs": 46, "sgprs": 104, "stack": 296, "local": 512, "vspills": 0,
                                                 "sspills": 12})
        problems = self.tool.complaints(target, "x", ["arcl_first"], kernels)
        self.assertEqual(problems, ["arcl_first spills for amd gfx1030: 12 sspills"])
        kernels = target.read(REMARKS.replace("VGPRs Spill: 0", "VGPRs Spill: 1"))
        problems = self.tool.complaints(target, "x", ["arcl_first"], kernels)
        self.assertEqual(problems, ["arcl_first spills for amd gfx1030: 1 vspills, 12 sspills"])

    def test_a_compiler_that_fails(self):
        problems = self.tool.complaints(self.tool.Amd(), "x", ["arcl_first"], self.tool.Failed("error: why"))
        self.assertEqual(problems, ["cl/x.cl does not compile for amd gfx900:\nerror: why"])


class EveryKernel(unittest.TestCase):
    """Of what is installed here."""

    def test_compiles_and_does_not_spill(self):
        expected = {name for names in load_script(TOOL).expected_kernels().values() for name in names}
        self.assertGreater(len(expected), 200)
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "out.json")
            done = subprocess.run([sys.executable, "-B", str(TOOL), "--json", str(out)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr[-5000:])
            result = json.loads(out.read_text())
        print("\n".join(line for line in done.stdout.splitlines() if ": " in line))
        for target in result["targets"].values():
            self.assertEqual(set(target["kernels"]), expected)
        if not result["targets"]:
            self.skipTest("; ".join(f"{name}: {why}" for name, why in result["skipped"].items()))


if __name__ == "__main__":
    program = unittest.main(exit=False)
    if program.result.skipped and program.result.wasSuccessful():
        print("skipped:", program.result.skipped[0][1])
        sys.exit(SKIPPED)
    sys.exit(not program.result.wasSuccessful())
