#!/usr/bin/env python3
"""The solver workload on several devices, in one run: every program on lanes made from its task's inputs by permuting colours.

usage: bench/devices.py --programs FILE --tasks DIR [--device ID]... [--lanes N] [--only N] [--slowest N] [--library FILE]
                        [--processor-time]

The first device (default: host) is what the others are compared with. Times are the best of several runs in each of several passes over all
programs, since a machine's processors are not equally fast all the time; results are freed in between, and compiling kernels is left to a
first run that is not timed. Outputs are compared lane by lane.

With --processor-time, all devices are measured by what they take of the processor, all threads together: on a machine that others use, too,
that tells how much work a device makes of a program.
"""
import argparse
import ctypes
import json
import os
import random
import time

from arcl_ctypes import DEFAULT_LIBRARY, Arcl

SLOW = "a64e4611"  # one program that takes as long as all others together

clock = time.perf_counter


def inputs_of(directory):
    tasks = {}
    for name in sorted(os.listdir(directory)):
        if not name.endswith(".json"):
            continue
        with open(os.path.join(directory, name)) as file:
            task = json.load(file)
        grids = [e["input"] for e in task["train"] + task["test"]]
        tasks[name[:-5]] = [(len(g), len(g[0]), bytes(c for row in g for c in row)) for g in grids]
    return tasks


def lanes_of(engine, grids, count):
    """A batch of `count` lanes: the grids in turn, with the colours 1..9 permuted."""
    rnd = random.Random(1)
    batch = ctypes.c_void_p()
    engine.check(engine.c.arcl_batch_create(engine.context, b"grid", ctypes.byref(batch), ctypes.byref(engine.error)))
    for k in range(count):
        h, w, cells = grids[k % len(grids)]
        colours = list(range(1, 10))
        rnd.shuffle(colours)
        cells = cells.translate(bytes([0] + colours + list(range(10, 256))))
        engine.c.arcl_batch_add_grid(batch, h, w, cells, ctypes.byref(engine.error))
    return batch


def timed(engine, program, batch, repeats):
    engine.free_results(engine.run_many([program], [batch]))
    best = None
    for _ in range(repeats):
        start = clock()
        results = engine.run_many([program], [batch])
        took = clock() - start
        best = took if best is None or took < best else best
        engine.free_results(results)
    return best


def digest(engine, program, batch, lanes):
    results = engine.run_many([program], [batch])
    found = [engine.grid(results[0], n) for n in range(0, lanes, max(1, lanes // 50))]
    engine.free_results(results)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--tasks", required=True)
    parser.add_argument("--device", action="append", help="host, cl:0, ..; may be given several times")
    parser.add_argument("--lanes", type=int, default=10000)
    parser.add_argument("--only", type=int, default=0, help="every Nth program only")
    parser.add_argument("--slowest", type=int, default=10, help="programs to list by what they lose")
    parser.add_argument("--repeats", type=int, default=3, help="runs in a pass")
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--library", default=DEFAULT_LIBRARY)
    parser.add_argument("--processor-time", action="store_true", help="measure that, not the time that passes")
    args = parser.parse_args()
    if args.processor_time:
        global clock
        clock = time.process_time
    with open(args.programs) as file:
        text = file.read()
    tasks = inputs_of(args.tasks)
    devices = args.device or ["host"]
    engines = [Arcl(args.library, device=None if d == "host" else d) for d in devices]
    sources = [e.parse(text) for e in engines]
    programs = [e.compile(s, grid_result=True) for e, s in zip(engines, sources)]
    chosen = []
    for i in range(engines[0].count(sources[0])):
        name = engines[0].name(sources[0], i)
        if name[-8:] in tasks and programs[0][i] and not name.endswith(SLOW) and not (args.only and i % args.only):
            chosen.append((i, name))
    best, differing = {}, set()
    for _ in range(args.passes):
        for i, name in chosen:
            times, outputs = [], []
            for e, p in zip(engines, programs):
                batch = lanes_of(e, tasks[name[-8:]], args.lanes)
                times.append(timed(e, p[i], batch, args.repeats))
                outputs.append(digest(e, p[i], batch, args.lanes))
                e.free_batch(batch)
            if any(o != outputs[0] for o in outputs):
                differing.add(name)
            best[name] = [min(pair) for pair in zip(times, best.get(name, times))]
    totals = [sum(column) for column in zip(*best.values())]
    rows = [(times[-1] - times[0], name, times) for name, times in best.items()]
    print("%d programs on %d lanes each, without %s; outputs differ in %d" % (len(rows), args.lanes, SLOW, len(differing)))
    for device, total in zip(devices, totals):
        print("  %-8s %8.3f s   %.2fx of %s's speed" % (device, total, totals[0] / total, devices[0]))
    if len(devices) > 1:
        for lost, name, times in sorted(rows, reverse=True)[:args.slowest]:
            print("    %-24s %s ms" % (name, "  ".join("%8.2f" % (t * 1e3) for t in times)))
    return 1 if differing else 0


if __name__ == "__main__":
    raise SystemExit(main())
