#!/usr/bin/env python3
"""How much faster two ranks of one thread each are than one, by the clock, on a machine of at least two cores that does nothing else.

  bench/cluster_speed.py --programs solvers.py --tasks training

Jobs of one rank and of --ranks run --repetitions times, which of the two first is drawn each time; medians count, the shortest are shown
too. "Running" is from the first piece of work to the last, without starting MPI, reading, and writing results; "command" is all
of it. The exit status is 1 if running is less than --goal times as fast. With --steady, processor time instead of the clock: what
the busiest rank had, which also tells something on a machine that is busy."""
import argparse
import os
import pathlib
import random
import re
import statistics
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
    rows = re.findall(r"(?m)^ +\d+ \S+ +host +\d+ +\d+ +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+)", done.stderr)
    if len(rows) != ranks:
        sys.exit(done.stderr)
    rows = [map(float, row) for row in rows]
    each = [user + system if options.steady else running + waiting for running, waiting, user, system in rows]
    return max(each), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True, action="append", help="can be repeated")
    parser.add_argument("--tasks", required=True)
    parser.add_argument("--arcl-mpi", type=pathlib.Path, default=ROOT / "build" / "arcl-mpi")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--goal", type=float, default=1.85)
    parser.add_argument("--steady", action="store_true", help="by processor time")
    options = parser.parse_args()
    if os.getloadavg()[0] > 0.5 and not options.steady:
        print(f"the machine is busy: its load is {os.getloadavg()[0]:.1f}")
    taken = {1: [], options.ranks: []}
    for _ in range(options.repetitions):
        for ranks in random.sample(list(taken), 2):
            taken[ranks].append(run(options, ranks))
    one, several = (list(zip(*times)) for times in taken.values())
    for ranks, (running, command) in zip(taken, (one, several)):
        print(f"{ranks} rank{'s' * (ranks > 1)}: running {statistics.median(running):.3f} s, at least {min(running):.3f}; "
              f"command {statistics.median(command):.3f} s, at least {min(command):.3f}")
    faster, whole = (statistics.median(alone) / statistics.median(together) for alone, together in zip(one, several))
    print(f"{faster:.3f} times as fast running, {whole:.3f} the command; by the shortest {min(one[0]) / min(several[0]):.3f}")
    return int(faster < options.goal)


if __name__ == "__main__":
    sys.exit(main())
