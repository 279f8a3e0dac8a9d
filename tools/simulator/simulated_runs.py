"""Runs of programs on a part of a simulated card, launch by launch, kept in a file: what make-profile draws curves of, and what
bench/simulated_regret.py compares plans with.

An eightieth of a V100 is simulated: one multiprocessor. Where each lane is a team's, the lanes of the card are divided evenly, so
that an eightieth of them is run. Where each is a work-item's, up to 32 of them are one warp, which one multiprocessor runs however
many others there are: so at least as many are run, if the card has as many.
"""
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

PART = 80
SLICE = "v100-eightieth"
MEGAHERTZ = 1447
MEMORY = "64M"
LEAST = {"lane": 32, "team": 4}  # lanes that run together on a multiprocessor in any case, if there are as many
GROUP = 10  # programs of one process: what is lost if it is killed


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
    return kernel.removeprefix("arcl_").removeprefix("team_")


class Runs:
    """The programs of a file, each with the inputs of the task that its name ends with."""

    def __init__(self, arcl, simulator, programs, tasks, seen):
        self.arcl, self.simulator, self.programs = str(arcl), pathlib.Path(simulator).resolve(), pathlib.Path(programs).resolve()
        self.tasks, self.seen = pathlib.Path(tasks).resolve(), pathlib.Path(seen) if seen else None
        self.text = definitions(self.programs.read_text())
        self.kept = json.loads(self.seen.read_text()) if self.seen and self.seen.exists() else {}

    def task(self, program):
        return self.tasks / (program.split("_")[-1] + ".json")

    def inputs(self, program):
        task = json.loads(self.task(program).read_text())
        return [pair["input"] for part in ("train", "test") for pair in task[part]]

    def names(self):
        return [name for name in self.text if self.task(name).exists()]

    # ---- simulating ----

    def vector(self, program, here):
        inputs = self.inputs(program)
        lanes = [{"in": [inputs[n % len(inputs)]], "out": 0} for n in range(here)]
        return json.dumps({"id": program, "program": self.text[program], "types": ["grid"], "lanes": lanes})

    def check(self, folder, options, environment):
        """What comes of all programs: none is as expected, since nothing is."""
        line = [self.arcl, "check", "vectors.jsonl", "--quiet", "--profile", "", "--json", "results.json", *options]
        done = subprocess.run(line, cwd=folder, capture_output=True, text=True, errors="replace", env={**os.environ, **environment})
        if done.returncode not in (0, 1):
            raise Failed((done.stderr.strip() or done.stdout[-500:]).splitlines()[-1], 3)
        return json.loads((folder / "results.json").read_text())["cases"]

    def simulate(self, folder, programs, here, shape, timed):
        """Launches of each program: kernel, and nanoseconds if it was timed."""
        (folder / "vectors.jsonl").write_text("\n".join(self.vector(name, here) for name in programs) + "\n")
        for file in (self.simulator / SLICE).iterdir():
            shutil.copy(file, folder)
        (folder / "log").write_text("")
        environment = {"LD_PRELOAD": str(self.simulator / "libsimcl.so"), "SIMCL_CACHE": str(self.simulator / "kernels"),
                       "SIMCL_TIMED": timed, "SIMCL_LOG": str(folder / "log")}
        on_host = self.check(folder, ["--device", "host"], {})
        on_card = self.check(folder, ["--device", "cl:0", "--require", "--memory", MEMORY, "--chunk", "1000000", "--shape", shape],
                             environment)
        found = split_runs((folder / "log").read_text())
        if len(found) != len(programs):
            raise Failed(f"{', '.join(programs)}: {len(found)} runs of {len(programs)} programs", 3)
        for name, launches, expected, got in zip(programs, found, on_host, on_card):
            yield name, launches if expected == got else None

    def need(self, programs, card, shape, kernels=None):
        """Simulates what is not known yet, of these kernels, or of all."""
        here = lanes_here(card, shape)
        missing = [name for name in programs if not self.has(name, here, shape, kernels)]
        with tempfile.TemporaryDirectory() as name:
            for i in range(0, len(missing), GROUP):
                group = missing[i:i + GROUP]
                for program, launches in self.simulate(pathlib.Path(name), group, here, shape, ",".join(kernels) if kernels else "all"):
                    self.keep(f"{program} {here} {shape}", launches)

    def has(self, program, here, shape, kernels):
        key = f"{program} {here} {shape}"
        return key in self.kept and (self.kept[key] is None or
                                     all(ns is not None for kernel, ns in self.kept[key] if not kernels or plain(kernel) in kernels))

    def keep(self, key, launches):
        before = self.kept.get(key)
        if launches and before:  # what was timed then and is not now
            launches = [[kernel, old if ns is None else ns] for (kernel, ns), (_, old) in zip(launches, before)]
        self.kept[key] = launches
        if self.seen:
            self.seen.write_text(json.dumps(self.kept).replace('], "', '],\n"') + "\n")

    def launches(self, program, card, shape):
        """What is known of a run: None if its results were not the host's."""
        return self.kept.get(f"{program} {lanes_here(card, shape)} {shape}")


def split_runs(log):
    """Launches by run; each begins with run_start."""
    runs = []
    for line in log.splitlines():
        launch = json.loads(line)
        kernel = launch["kernel"].removeprefix("arcl_")
        if kernel.startswith("selftest_"):
            continue
        if kernel == "run_start":
            runs.append([])
        runs[-1].append([kernel, launch["cycles"] * 1e3 / MEGAHERTZ if launch["timed"] else None])
    return runs
