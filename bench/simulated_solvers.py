#!/usr/bin/env python3
"""How much faster public solvers are on a simulated GPU where teams of work-items run them: both shapes, launch by launch.

usage: bench/simulated_solvers.py --programs FILE --tasks DIR --simulator DIR [--solvers ID,..] [--lanes 125] [--slice NAME]
                                  [--arcl FILE] [--seen DIR]

Runs tools/gpu-simulate for each solver with the inputs of its task, repeated up to --lanes. Prints cycles of all launches in either
shape, their geometric mean, the kernels that take more than 10 % longer as teams, over all solvers, and the families of ops that no
solver has. The solvers are twelve of arc-dsl's solvers.py, which have all of them, unless others are named. --seen DIR keeps what was
simulated: the same command goes on after an interruption.
Exit status: 0 done; 1 other results than the host's; 3 a run has failed.
"""
import argparse
import ast
import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
# They have few launches, grids of 135 to 900 cells in the mean, and all families together.
SOLVERS = ["1c786137", "c909285e", "42a50994", "1f85a75f", "8efcae92", "23b5c85d", "80af3007", "1cf80156", "ff805c23", "7468f01a",
           "5ad4f10b", "0b148d64"]


def simulate(given, solver, kept):
    """Launches by shape. What is there already is not run again."""
    out = kept / f"{solver}.json"
    if not out.exists():
        line = [sys.executable, str(ROOT / "tools" / "gpu-simulate"), given.programs, "--program", f"solve_{solver}", "--in",
                f"{given.tasks}/{solver}.json", "--lanes", str(given.lanes), "--slice", given.slice, "--simulator", given.simulator,
                "--arcl", given.arcl, "--json", str(out)]
        done = subprocess.run(line, capture_output=True, text=True)
        if done.returncode:
            out.unlink(missing_ok=True)
            print(f"solve_{solver}: {(done.stderr or done.stdout).strip().splitlines()[-1]}", file=sys.stderr)
            sys.exit(done.returncode)
    return json.loads(out.read_text())["shapes"]


def by_kernel(launches):
    sums = {}
    for launch in launches:
        name = launch["kernel"].removeprefix("team_")
        sums[name] = sums.get(name, 0) + launch["cycles"]
    return sums


def print_slower(found):
    """Kernels that are worse off as teams: of those that have that shape, by the sums over all solvers."""
    sums = {"lane": {}, "team": {}}
    teams = {launch["kernel"].removeprefix("team_") for shapes in found.values() for launch in shapes["team"]["launches"]
             if launch["kernel"].startswith("team_")}
    for shapes in found.values():
        for shape, total in sums.items():
            for name, cycles in by_kernel(shapes[shape]["launches"]).items():
                total[name] = total.get(name, 0) + cycles
    slower = {name: sums["team"][name] / sums["lane"][name] for name in teams if sums["team"][name] > 1.1 * sums["lane"][name]}
    print("longer as teams, by more than 10 %: " + (", ".join(f"{name} {n:.2f}x" for name, n in sorted(slower.items())) or "none"))


def print_missing(given):
    """Families of ops of which the solvers, together, use none."""
    done = subprocess.run([given.arcl, "ops", "--json", "-", "--quiet"], capture_output=True, text=True, check=True)
    families = {op["name"]: op["family"] for op in json.loads(done.stdout)}
    chosen = {f"solve_{solver}" for solver in given.solvers.split(",")}
    solvers = [node for node in ast.parse(pathlib.Path(given.programs).read_text()).body if getattr(node, "name", "") in chosen]
    used = {families.get(node.id) for solver in solvers for node in ast.walk(solver) if isinstance(node, ast.Name)}
    print("families of ops that none uses: " + (", ".join(sorted(set(families.values()) - used)) or "none"))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("programs", "tasks", "simulator"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--solvers", default=",".join(SOLVERS))
    parser.add_argument("--lanes", type=int, default=125)
    parser.add_argument("--slice", default="eighth")
    parser.add_argument("--arcl", default=str(ROOT / "build" / "arcl"))
    parser.add_argument("--seen", help="a directory that keeps what was simulated")
    return parser.parse_args()


def main():
    given = arguments()
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        kept = pathlib.Path(given.seen or folder)
        kept.mkdir(parents=True, exist_ok=True)
        print(f"{'solver':10} {'launches':>8} {'lane':>10} {'team':>10} {'faster':>7}")
        for solver in given.solvers.split(","):
            found[solver] = shapes = simulate(given, solver, kept)
            lane, team = (shapes[shape]["cycles"] for shape in ("lane", "team"))
            print(f"{solver:10} {len(shapes['team']['launches']):8} {lane:10} {team:10} {lane / team:7.2f}", flush=True)
    ratios = [shapes["lane"]["cycles"] / shapes["team"]["cycles"] for shapes in found.values()]
    print(f"geometric mean of {len(ratios)}: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}")
    print_slower(found)
    print_missing(given)
    return 0


if __name__ == "__main__":
    sys.exit(main())
