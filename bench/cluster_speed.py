#!/usr/bin/env python3
"""How much faster two ranks of one thread each are than one, by the clock, on a machine of at least two cores that does nothing else.

  bench/cluster_speed.py --programs solvers.py --tasks training

Jobs of one rank and of --ranks run in turn, --repetitions times; the shortest of each counts. "Running" is from the first piece of work
to the last, without starting MPI, reading, and writing results; "command" is all of it. The exit status is 1 if running is
less than --goal times as fast. With --steady, processor time instead of the clock: what the busiest rank had, which also tells
something on a machine that is busy."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_hwloc_base_binding_policy": "none",
               "OMPI_MCA_odls_base_sigkill_timeout": "0"}


def run(options, ranks):
    """Seconds: running, and the whole command."""
    command = ["mpirun", "-n", str(ranks), str(options.arcl_mpi), "score", *options.programs, "--tasks", options.tasks, "--all-pairs",
               "--threads", "1", "--device", "host", "--quiet", "--report"]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **ENVIRONMENT}, check=False)
    seconds = time.monotonic() - start
    rows = re.findall(r"(?m)^ +\d+ \S+ +host +\d+ +\d+ +([\d.]+) +([\d.]+) +([\d.]+)", done.stderr)
    if len(rows) != ranks:
        sys.exit(done.stderr)
    each = [float(processor) if options.steady else float(running) + float(waiting) for running, waiting, processor in rows]
    return max(each), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True, action="append", help="can be repeated")
    parser.add_argument("--tasks", required=True)
    parser.add_argument("--arcl-mpi", type=pathlib.Path, default=ROOT / "build" / "arcl-mpi")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--goal", type=float, default=1.85)
    parser.add_argument("--steady", action="store_true", help="by processor time")
    options = parser.parse_args()
    if os.getloadavg()[0] > 0.5 and not options.steady:
        print(f"the machine is busy: its load is {os.getloadavg()[0]:.1f}")
    taken = {1: [], options.ranks: []}
    for _ in range(options.repetitions):
        for ranks, times in taken.items():
            times.append(run(options, ranks))
    best = {ranks: [min(column) for column in zip(*times)] for ranks, times in taken.items()}
    for ranks, (running, command) in best.items():
        print(f"{ranks} rank{'s' * (ranks > 1)}: running {running:.3f} s, command {command:.3f} s")
    faster = best[1][0] / best[options.ranks][0]
    print(f"{faster:.3f} times as fast running, {best[1][1] / best[options.ranks][1]:.3f} the command")
    return int(faster < options.goal)


if __name__ == "__main__":
    sys.exit(main())
