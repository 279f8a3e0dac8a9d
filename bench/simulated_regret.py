#!/usr/bin/env python3
"""How good plans for a simulated GPU are: what was selected by the profile against what the simulator says of every way.

usage: bench/simulated_regret.py --profile v100.json --programs FILE --tasks DIR --simulator DIR [--count 40]
                                 [--lanes 10,100,1000,10000] [--arcl FILE] [--seen FILE] [--rows FILE]

Programs are taken from all over the file, of those whose kernels the profile has. For each number of lanes on the card,
`arcl explain` predicts and selects; then the program runs on a fortieth of the card (as in tools/simulator/make-profile: a
fortieth of the lanes, or all if they are fewer than multiprocessors), once in each shape, and every launch is timed. Ways are
the host, lanes, teams, and for each kernel the shape that is better there. What a way takes is the sum of its launches, and
what the profile assumes besides: launches into the queue, the call, transfers. What the host takes is what is predicted for it.
Regret is what the selected way takes over what the best takes. A plan in parts counts as the card's part of it would alone.
--seen FILE keeps what was simulated: the same command goes on after an interruption.
"""
import argparse
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PART, MULTIPROCESSORS = 40, 80
MEGAHERTZ = 1447


def load(path):
    loader = importlib.machinery.SourceFileLoader(path.name.replace("-", "_"), str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


TOOL = load(ROOT / "tools" / "gpu-simulate")


# ---- what is predicted ----


def explain(given, folder, program, task, lanes, shape):
    line = [given.arcl, "explain", given.programs, "--program", program, "--in", task, "--profile", given.profile, "--lanes",
            str(lanes), "--shape", shape, "--json", "plan.json", "--quiet"]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True)
    return json.loads((folder / "plan.json").read_text()) if done.returncode == 0 else None


def candidates(given, folder):
    """Programs that the card can run, from all over the file, with their tasks."""
    names = [line[4:line.index("(")] for line in pathlib.Path(given.programs).read_text().splitlines() if line.startswith("def ")]
    step = max(1, len(names) // (3 * given.count))
    order = [name for first in range(step) for name in names[first::step]]
    for name in order:
        task = pathlib.Path(given.tasks) / (name.split("_")[-1] + ".json")
        plan = explain(given, folder, name, task, 1000, "auto") if task.exists() else None
        if plan and plan["devices"][1]["able"]:
            yield name, task


# ---- what the simulator says ----


def simulate(given, folder, program, task, lanes, shape):
    """The launches of a run: kernel and nanoseconds. None if the results are not the host's."""
    here = lanes if lanes < MULTIPROCESSORS else max(1, round(lanes / PART))
    examples = json.loads(pathlib.Path(task).read_text())
    inputs = [pair["input"] for part in ("train", "test") for pair in examples[part]]
    pairs = [{"input": inputs[n % len(inputs)], "output": [[0]]} for n in range(here)]
    (folder / "task.json").write_text(json.dumps({"train": pairs, "test": []}))
    shutil.copy(given.programs, folder / "programs.py")
    home = pathlib.Path(given.simulator)
    for file in (home / "v100-fortieth").iterdir():
        shutil.copy(file, folder)
    line = [given.arcl, "run", "programs.py", "--program", program, "--in", "task.json", "--quiet", "--frozen", "--profile", "",
            "--json", "results.json"]
    results = []
    environment = {"LD_PRELOAD": str(home / "libsimcl.so"), "SIMCL_TIMED": "all", "SIMCL_CACHE": str(home / "kernels")}
    for options, more in (["--device", "host"], {}), (["--device", "cl:0", "--require", "--memory", "64M", "--chunk", "1000000",
                                                       "--shape", shape], environment):
        done = subprocess.run(line + options, cwd=folder, capture_output=True, text=True, errors="replace",
                              env={**os.environ, **more})
        if done.returncode not in (0, 1):
            return None
        results.append(json.loads((folder / "results.json").read_text()))
    if results[0] != results[1]:
        return None
    return [[TOOL.plain(n), n["cycles"] * 1e3 / MEGAHERTZ] for n in TOOL.read_launches(done.stdout)]


def seen(given, folder, kept, program, task, lanes, shape):
    key = f"{program} {lanes} {shape}"
    if key not in kept:
        kept[key] = simulate(given, folder, program, task, lanes, shape)
        if given.seen:
            pathlib.Path(given.seen).write_text(json.dumps(kept))
    return kept[key]


# ---- regret ----


def judge(plans, lane, team):
    """One program with one number of lanes: a row, or None where the two runs are not launch by launch the same."""
    if not lane or not team or [k for k, _ in lane] != [k for k, _ in team]:
        return None
    card = plans["auto"]["devices"][1]
    besides = card["fixed"] + card["queue"] + card["transfer"]
    shape_of = {op["kernel"]: op["variant"] for op in plans["auto"]["ops"] if op["device"] != "host"}
    chosen = sum(b if shape_of.get(k) == "team" else a for (k, a), (_, b) in zip(lane, team))
    ways = {"host": plans["auto"]["devices"][0]["total"], "lane": besides + sum(a for _, a in lane),
            "team": besides + sum(b for _, b in team), "mixed": besides + sum(min(a, b) for (_, a), (_, b) in zip(lane, team))}
    on_host = plans["auto"]["device"] == "host"
    selected = ways["host"] if on_host else besides + chosen
    best = min(ways, key=ways.get)
    return {"selected": "host" if on_host else "card", "best": best, "regret": selected / min(ways[best], selected),
            "predicted": (plans["lane"]["devices"][1]["execution"] / sum(a for _, a in lane),
                          plans["team"]["devices"][1]["execution"] / sum(b for _, b in team)), "ways": ways}


def print_rows(lanes, rows):
    regret = sorted(row["regret"] for row in rows)
    off = [ratio for row in rows for ratio in row["predicted"]]
    chosen = sum(row["selected"] == "host" for row in rows)
    print(f"{lanes:>7} {len(rows):>6} {statistics.median(regret):>8.3f} {regret[int(0.95 * (len(regret) - 1))]:>8.3f} {regret[-1]:>8.3f}"
          f" {statistics.median(off):>10.2f} {chosen:>8} {sum(row['best'] == 'host' for row in rows):>8}", flush=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("profile", "programs", "tasks", "simulator"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--lanes", default="10,100,1000,10000")
    parser.add_argument("--arcl", default=str(ROOT / "build" / "arcl"))
    parser.add_argument("--seen", help="a file that keeps what was simulated")
    parser.add_argument("--rows", help="a file for all rows, as JSON")
    given = parser.parse_args()
    for name in ("profile", "programs", "tasks", "simulator", "arcl"):
        setattr(given, name, str(pathlib.Path(getattr(given, name)).resolve()))
    return given


def main():
    given = arguments()
    kept = json.loads(pathlib.Path(given.seen).read_text()) if given.seen and pathlib.Path(given.seen).exists() else {}
    rows = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        chosen = [found for found, _ in zip(candidates(given, folder), range(given.count))]
        print(f"{'lanes':>7} {'runs':>6} {'regret':>8} {'95%':>8} {'most':>8} {'pred/sim':>10} {'on host':>8} {'best':>8}")
        for lanes in map(int, given.lanes.split(",")):
            rows[lanes] = []
            for program, task in chosen:
                plans = {shape: explain(given, folder, program, task, lanes, shape) for shape in ("auto", "lane", "team")}
                row = judge(plans, *(seen(given, folder, kept, program, task, lanes, shape) for shape in ("lane", "team")))
                if row:
                    rows[lanes].append({"program": program, **row})
            if rows[lanes]:
                print_rows(lanes, rows[lanes])
    everything = [row for found in rows.values() for row in found]
    if everything:
        print_rows("all", everything)
    if given.rows:
        pathlib.Path(given.rows).write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
