"""Every kernel under oclgrind, a simulator of a GPU that finds accesses outside of buffers, data races and misuse of the API.
Its exit status says nothing: its log must be empty. The launches have the shape for GPUs, which no other driver here gets.

The kernels are built without optimisation, because what inlining leaves behind is more than oclgrind 21.10 understands. It is not
asked for uninitialised values (--uninitialized): it takes all that the host writes to a buffer for those. Race detection
takes time for every byte of memory at every launch, hence the small --memory. What teams do together is where races would be, so
kernels that have that shape are run in it as well.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from command import ARCL, PROGRAM, SKIPPED, TASK, VECTORS, CommandTest
from kernel_rows import kernel_names, kernels_with
from team_vectors import ALL, OBJECTS, OF_WORDS, SELDOM, TEAM, team_vectors

CHECKS = ["--data-races", "--uniform-writes", "--build-options", "-O0"]
HERE = ["--device", "Oclgrind", "--require", "--threads", "1", "--memory", "3000000"]
RACE = "kernel void race(global uint *p) { p[0] += (uint)get_global_id(0); }\n"
RACE_LAUNCH = "race.cl\nrace\n4 1 1\n4 1 1\n<size=4 fill=0>\n"


class Oclgrind(CommandTest):
    def simulate(self, *arguments, status=0):
        """Runs the command; the log must stay empty. Returns the kernels that were launched, and what was printed."""
        log = self.folder / "log"
        command = ["oclgrind", "--log", str(log), "--check-api", *CHECKS, ARCL, *map(str, arguments), *HERE]
        done = subprocess.run([*command, "--report", "--json", "report.json"], cwd=self.folder, env=self.environment,
                              capture_output=True, text=True, errors="replace", timeout=280)
        self.assertEqual(log.read_text(errors="replace")[:3000], "")
        self.assertEqual(done.returncode, status, done.stderr[-3000:])
        ops = json.loads((self.folder / "report.json").read_text())["report"]["ops"]
        self.assertEqual([op for op in ops if not op["ran"].startswith("cl:")], [])
        return {op["op"] for op in ops if op["launches"]}, done.stdout

    def test_every_kernel(self):
        launched, printed = self.simulate("check", VECTORS / "every_kernel.jsonl", "--quiet", "--shape", "lane")
        self.assertRegex(printed, r"^[1-9]\d* passed, 0 failed")
        self.write("good.json", TASK)
        self.write("good.py", PROGRAM)
        launched |= self.simulate("run", "good.py", "--in", "good.json")[0]
        launched |= self.simulate("score", "good.py", "--tasks", "good.json")[0]
        self.assertEqual(sorted(set(kernel_names()) - kernels_with("HOST_ONLY") - launched), [])

    def test_teams_make_what_the_host_does(self):
        self.write("v.jsonl", team_vectors(ALL + OBJECTS))
        launched, _ = self.simulate("check", "v.jsonl", status=1)
        found = json.loads((self.folder / "report.json").read_text())
        for op in found.pop("report")["ops"]:
            if op["op"] in OF_WORDS:
                self.assertTrue(0 < op["teams"] < op["launches"], op["op"])
            else:
                self.assertEqual(op["teams"], op["launches"] if op["op"] in TEAM else 0, op["op"])
        self.assertEqual(TEAM - launched, SELDOM)
        self.arcl("check", "v.jsonl", "--device", "host", "--json", "host.json")
        self.assertEqual(found, json.loads((self.folder / "host.json").read_text()))

    def test_scores_are_the_host_s(self):
        grids = [[[n, n + 1], [0, n]] for n in range(1, 8)]
        self.write("aa.json", {"train": [{"input": g, "output": [row[::-1] for row in g]} for g in grids], "test": []})
        self.write("p.py", "def aa(I):\n    x1 = vmirror(I)\n    x2 = objects(I, T, F, T)\n    return x1\n")
        self.simulate("score", "p.py", "--tasks", "aa.json")
        simulated = json.loads((self.folder / "report.json").read_text())["programs"]
        self.accepted("score", "p.py", "--tasks", "aa.json", "--device", "host", "--json", "host.json")
        self.assertEqual(simulated, json.loads((self.folder / "host.json").read_text())["programs"])
        self.assertEqual(simulated[0]["right"], len(grids))

    def test_a_race_would_be_seen(self):
        self.write("race.cl", RACE)
        self.write("race.sim", RACE_LAUNCH)
        subprocess.run(["oclgrind-kernel", "--log", "log", *CHECKS, "race.sim"], cwd=self.folder, capture_output=True)
        self.assertIn("data race", (self.folder / "log").read_text())


def why_not():
    """"" if the command finds the simulator, else a reason to skip."""
    if not shutil.which("oclgrind") or not shutil.which("oclgrind-kernel"):
        return "oclgrind is not installed"
    with tempfile.TemporaryDirectory() as folder:
        found = subprocess.run(["oclgrind", "--build-options", "-O0", ARCL, "devices"], cwd=folder, capture_output=True,
                               text=True, errors="replace", env={**os.environ, "RUSTICL_ENABLE": ""})
    if "Oclgrind Simulator" in found.stdout:
        return ""
    if "runtime does not come first" in found.stderr:
        return "oclgrind and a sanitizer do not go together"
    return "arcl does not find oclgrind's device, or was built without OpenCL"


if __name__ == "__main__":
    reason = why_not()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    unittest.main()
