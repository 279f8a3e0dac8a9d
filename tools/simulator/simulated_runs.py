"""Runs of programs on a part of a simulated card, launch by launch, kept in a file: what make-profile makes profiles of, and what
bench/simulated_regret.py compares plans with.

An eightieth of a V100 is simulated: one multiprocessor, and half of a channel. Where a lane is a team's, the lanes of the card are
divided evenly, so that an eightieth of them is run. Where it is a work-item's, 32 are a warp, which a multiprocessor runs however
many others there are: so at least as many are run, if the card has as many.
"""
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools" / "scripts"))
from kernel_rows import kernels_with  # noqa: E402
from surroundings import IN_ONE_CHUNK, ON_CARD, surroundings  # noqa: E402

PART = 80
SLICE = "eightieth"
MEGAHERTZ = 1447
LEAST = {"lane": 32, "team": 4}  # lanes that a multiprocessor does at once in any case, if there are as many
GROUP = 10  # programs of one process: what is lost if it is killed
# What makes sure that a solver has made a grid. Programs run as vectors, many in a process, and these may yield anything.
OF_TASKS = "require_rectangle"


class Failed(Exception):
    """What to tell the user, and the exit status."""

    def __init__(self, message, status=2):
        super().__init__(message)
        self.status = status


def lanes_here(card, shape):
    """How many lanes the simulated part gets, for so many on the card."""
    return max(math.ceil(card / PART), min(card, LEAST[shape]))


def definitions(text):
    """The definitions of a file by name: what follows `def`, up to the next line that is not indented."""
    return {name: body.rstrip() + "\n" for body, name in re.findall(r"^(def (\w+)\(.*\n(?:[ \t].*\n|\n)*)", text + "\n", re.M)}


def plain(kernel):
    return kernel.removeprefix("team_")


def split_runs(log):
    """Launches by run, each of which ends with packing its results: kernel, and nanoseconds if it was timed."""
    runs, now = [], []
    for launch in map(json.loads, log.splitlines()):
        kernel = launch["kernel"].removeprefix("arcl_")
        if kernel.startswith("selftest_"):
            continue
        now.append([kernel, launch["cycles"] * 1e3 / MEGAHERTZ if launch["timed"] else None])
        if plain(kernel) == "pack_fill":
            runs.append(now)
            now = []
    return runs


def on_card(launches):
    """Those of a plan that a device has: the host has a few more."""
    elsewhere = kernels_with("HOST_ONLY")
    return [n for n in launches if n["kernel"] not in elsewhere]


class Programs:
    """The programs of a file, each with the inputs of the task that its name ends with."""

    def __init__(self, path, tasks):
        self.path, self.tasks = pathlib.Path(path).resolve(), pathlib.Path(tasks).resolve()
        self.text = definitions(self.path.read_text())

    def task(self, name):
        return self.tasks / (name.split("_")[-1] + ".json")

    def names(self):
        return [name for name in self.text if self.task(name).exists()]

    def inputs(self, name, count):
        """So many of the task's, in turn."""
        task = json.loads(self.task(name).read_text())
        inputs = [pair["input"] for part in ("train", "test") for pair in task[part]]
        return [inputs[n % len(inputs)] for n in range(count)]

    def explain(self, name, arcl, profile, lanes, *options):
        """The plan by a profile; None if there is none."""
        with tempfile.TemporaryDirectory() as folder:
            plan = pathlib.Path(folder) / "plan.json"
            line = [arcl, "explain", self.path, "--program", name, "--in", self.task(name), "--profile", profile, "--lanes", str(lanes),
                    "--json", plan, "--quiet", *options]
            done = subprocess.run(line, capture_output=True, text=True)
            return json.loads(plan.read_text()) if done.returncode == 0 else None


class Runs:
    """Programs in the simulator. `seen` is a file that keeps what was simulated, or None."""

    def __init__(self, arcl, simulator, programs, seen):
        self.arcl, self.simulator, self.programs = arcl, pathlib.Path(simulator).resolve(), programs
        self.seen = pathlib.Path(seen) if seen else None
        self.kept = json.loads(self.seen.read_text()) if self.seen and self.seen.exists() else {}

    # ---- simulating ----

    def write_vectors(self, folder, names, here):
        lines = [{"id": name, "program": self.programs.text[name], "types": ["grid"],
                  "lanes": [{"in": [grid], "out": 0} for grid in self.programs.inputs(name, here)]} for name in names]
        (folder / "vectors.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        return ["check", "vectors.jsonl"]  # none is as expected, since nothing is

    def write_task(self, folder, name, here):
        shutil.copy(self.programs.path, folder / "programs.py")
        pairs = [{"input": grid, "output": [[0]]} for grid in self.programs.inputs(name, here)]
        (folder / "task.json").write_text(json.dumps({"train": pairs, "test": []}))
        return ["run", "programs.py", "--program", name, "--in", "task.json"]

    def results(self, folder, command, options, environment):
        """What comes of a command of arcl."""
        line = [self.arcl, *command, "--quiet", "--profile", "", "--json", "results.json", *options]
        done = subprocess.run(line, cwd=folder, capture_output=True, text=True, errors="replace", env={**os.environ, **environment})
        if done.returncode not in (0, 1):
            raise Failed((done.stderr.strip() or done.stdout[-500:]).splitlines()[-1], 3)
        results = json.loads((folder / "results.json").read_text())
        return results.get("cases", [results])

    def simulate(self, folder, command, names, shape, timed):
        """Launches of each program; None where the results are not the host's."""
        (folder / "log").write_text("")
        environment = {**surroundings(self.simulator, SLICE, folder, timed), "SIMCL_LOG": str(folder / "log")}
        on_host = self.results(folder, command, ["--device", "host"], {})
        on_card = self.results(folder, command, [*ON_CARD, *IN_ONE_CHUNK, "--shape", shape], environment)
        found = split_runs((folder / "log").read_text())
        if len(found) != len(names):
            raise Failed(f"{', '.join(names)}: {len(found)} runs of {len(names)} programs", 3)
        return [launches if expected == got else None for launches, expected, got in zip(found, on_host, on_card)]

    def need(self, names, card, shape, kernels=None):
        """Simulates what is not known yet, of these kernels, or of all."""
        missing = [name for name in names if not self.has(name, card, shape, kernels)]
        if missing and not (self.simulator / "libsimcl.so").exists():
            raise Failed("there is no simulator: make one with tools/simulator/build-simulator CHECKOUT DIR, of a git checkout of "
                         "gpgpu-sim/gpgpu-sim_distribution, and name it with --simulator DIR or GPU_SIMULATOR")
        size = 1 if kernels == [OF_TASKS] else GROUP
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for group in (missing[i:i + size] for i in range(0, len(missing), size)):
                here = lanes_here(card, shape)
                command = self.write_task(folder, group[0], here) if size == 1 else self.write_vectors(folder, group, here)
                for program, launches in zip(group, self.simulate(folder, command, group, shape, ",".join(kernels or ["all"]))):
                    self.keep(program, card, shape, kernels, launches)

    # ---- what is known ----

    @staticmethod
    def key(name, card, shape, kernels):
        return f"{name} {lanes_here(card, shape)} {shape}" + (" task" if kernels == [OF_TASKS] else "")

    def launches(self, name, card, shape, kernels=None):
        """What is known of a run: None if its results were not the host's."""
        return self.kept.get(self.key(name, card, shape, kernels))

    def has(self, name, card, shape, kernels):
        known = self.launches(name, card, shape, kernels)
        if known is None:
            return self.key(name, card, shape, kernels) in self.kept
        return all(ns is not None for kernel, ns in known if not kernels or plain(kernel) in kernels)

    def keep(self, name, card, shape, kernels, launches):
        """What was timed before stays."""
        before = self.launches(name, card, shape, kernels)
        if launches and before:
            launches = [[kernel, old if ns is None else ns] for (kernel, ns), (_, old) in zip(launches, before)]
        self.kept[self.key(name, card, shape, kernels)] = launches
        if self.seen:
            self.seen.write_text(json.dumps(self.kept).replace(']], "', ']],\n"') + "\n")
