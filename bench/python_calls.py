#!/usr/bin/env python3
"""What the Python package costs, compared with the C API, in one run: both on the same grids and engines of one thread, in processor time,
so that other users of the machine do not count.

usage: bench/python_calls.py --programs FILE --tasks DIR [--lanes N] [--only N] [--rounds N]

map      solve.map on an array of N grids and on a list of tuples, against arcl_batch_add_grids and arcl_run (by ctypes, which adds
         about a microsecond a call): how much of the C API's speed is left, per program
call     solve(grid), tuples in and out, against the run of a batch that is there already: microseconds more
score    arcl.score of all pairs, files read, against the command

Needs NumPy, and the package as it is installed, or as it is in the build folder.
"""
import argparse
import ctypes
import os
import resource
import statistics
import subprocess
import sys
import time

import numpy
from arcl_ctypes import DEFAULT_LIBRARY, Arcl

try:
    import arcl
except ImportError:  # not installed: as it was built
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build", "python"))
    import arcl


def seconds(action, least=0.002):
    """Processor time of one call, of as many as it takes to be measured."""
    times = 1
    while True:
        start = time.process_time()
        for _ in range(times):
            action()
        took = time.process_time() - start
        if took >= least:
            return took / times
        times *= 2


def compare(rounds, *actions):
    """The medians of all, measured in turns."""
    found = [[] for _ in actions]
    for _ in range(rounds):
        for times, action in zip(found, actions):
            times.append(seconds(action))
    return [statistics.median(times) for times in found]


class Direct:
    """The C API, with as little as possible around it."""

    def __init__(self, text):
        self.api = Arcl(DEFAULT_LIBRARY, 1, "host")
        self.source = self.api.parse(text)
        names = [self.api.name(self.source, i) for i in range(self.api.count(self.source))]
        self.programs = dict(zip(names, self.api.compile(self.source)))
        c = self.api.c
        c.arcl_batch_add_grids.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_ssize_t,
                                           ctypes.c_ssize_t, ctypes.c_void_p]
        c.arcl_run.argtypes = [ctypes.c_void_p] * 5

    def map(self, name, grids):
        c, error = self.api.c, ctypes.byref(self.api.error)
        batch, result = ctypes.c_void_p(), ctypes.c_void_p()
        count, h, w = grids.shape
        c.arcl_batch_create(self.api.context, b"grid", ctypes.byref(batch), error)
        c.arcl_batch_add_grids(batch, count, h, w, grids.ctypes.data, h * w, w, error)
        if c.arcl_run(self.api.context, self.programs[name], batch, ctypes.byref(result), error):
            raise RuntimeError(self.api.error.message.decode())
        c.arcl_result_free(result)
        c.arcl_batch_free(batch)


def bench_maps(programs, tasks, direct, options):
    names = [name for name in programs if tasks.match(name)][::options.only]
    left, calls = [], []
    for name in names:
        solve, example = programs[name], tasks[tasks.match(name)].examples[0].input
        rows = numpy.array(example, numpy.int8)
        grids = numpy.ascontiguousarray(numpy.broadcast_to(rows, (options.lanes, *rows.shape)))
        as_list = [tuple(map(tuple, grid)) for grid in grids.tolist()]
        try:
            solve(as_list[0])
        except arcl.LaneError:
            continue
        bare, by_array, by_list = compare(options.rounds, lambda: direct.map(name, grids), lambda: solve.map(grids),
                                          lambda: solve.map(as_list))
        compiled, one = solve._ready, solve._batch(solve._ready, ([as_list[0]],), solve._engine._context)
        run, call = compare(options.rounds, lambda: compiled.run(one), lambda: solve(as_list[0]))
        left.append((bare / by_array, bare / by_list, bare))
        calls.append(((call - run) * 1e6, run * 1e6, rows.size))
    print(f"map of {options.lanes} grids, {len(left)} programs, of the C API's speed (C API: median "
          f"{statistics.median(r[2] for r in left) * 1e6:.0f} us)")
    for label, column in (("an array", 0), ("a list of tuples", 1)):
        ratios = sorted(r[column] for r in left)
        print(f"    {label:18} median {statistics.median(ratios):.3f}   least {ratios[0]:.3f}   "
              f"all together {sum(r[2] for r in left) / sum(r[2] / r[column] for r in left):.3f}")
    more, cells = sorted(c[0] for c in calls), [c[2] for c in calls]
    print(f"solve(grid)            median {statistics.median(more):.2f} us above the run, which takes "
          f"{statistics.median(c[1] for c in calls):.2f} us, at most {more[-1]:.2f} us; "
          f"grids of {statistics.median(cells):.0f} cells, at most {max(cells)}")


def bench_scores(options):
    command = [os.path.join(os.path.dirname(DEFAULT_LIBRARY), "arcl"), "score", options.programs, "--tasks", options.tasks, "--all-pairs",
               "--quiet", "--device", "host", "--threads", "2"]

    def here():
        engine = arcl.Engine(device="host", threads=2, profile="")
        arcl.score(arcl.load(options.programs, engine=engine), arcl.tasks(options.tasks), all_pairs=True, engine=engine)

    def there():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    commands, ours = [], []
    for _ in range(3):
        commands.append(there())
        start = time.process_time()
        here()
        ours.append(time.process_time() - start)
    a, b = statistics.median(commands), statistics.median(ours)
    print(f"score of all pairs     {a / b:.3f} of the command's speed: {b:.2f} s and {a:.2f} s of processor time")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--tasks", required=True)
    parser.add_argument("--lanes", type=int, default=1000)
    parser.add_argument("--only", type=int, default=8, metavar="N", help="every Nth program")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    engine = arcl.Engine(device="host", threads=1, profile="")
    with open(options.programs) as file:
        text = file.read()
    bench_maps(arcl.load(options.programs, engine=engine), arcl.tasks(options.tasks), Direct(text), options)
    bench_scores(options)


if __name__ == "__main__":
    main()
