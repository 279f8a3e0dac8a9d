#!/usr/bin/env python3
"""What starting kernels costs: one op, rot90 of 30x30 grids, on a growing number of lanes, on the host and on devices.

usage: bench/launch_overhead.py [--device ID]... [--threads N] [--library FILE]

A run is one arcl_run with inputs that are on the device already; its time is the best of many. With one lane nearly all of
it is overhead: launches, waiting for the device twice per chunk, reading the result. Devices win where their lane costs less
than the host's and there are enough lanes to pay for that: the crossover, which is looked for among these lane counts only.
"""
import argparse
import random
import time

from arcl_ctypes import DEFAULT_LIBRARY, Arcl

LANES = (1, 10, 100, 1000, 10000)
SIDE = 30
SECONDS = 0.4  # of measuring, per device and number of lanes
PROGRAM = "def p(I):\n    return rot90(I)\n"


class Measured:
    def __init__(self, microseconds, report):
        self.microseconds = microseconds
        self.launches, self.waits = report["launches"], report["synchronisations"]


def measure(engine, program, lanes):
    rnd = random.Random(lanes)
    grids = [tuple(tuple(rnd.randrange(10) for _ in range(SIDE)) for _ in range(SIDE)) for _ in range(min(lanes, 100))]
    batch = engine.batch("grid", ([grids[n % len(grids)]] for n in range(lanes)))
    engine.free_results(engine.run_many([program], [batch]))  # builds kernels, brings the inputs up
    engine.report_reset()
    best, runs, end = None, 0, time.perf_counter() + SECONDS
    while runs < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        results = engine.run_many([program], [batch])
        took = time.perf_counter() - start
        engine.free_results(results)
        best = took if best is None or took < best else best
        runs += 1
    report = {name: count / runs for name, count in engine.device_report().items()}
    engine.free_batch(batch)
    return Measured(best * 1e6, report)


def crossover(host, device):
    for n, lanes in enumerate(LANES):
        if all(device[m].microseconds < host[m].microseconds for m in LANES[n:]):
            return "faster than the host from %d lanes on" % lanes
    return "not faster than the host with %d lanes" % LANES[-1]


def print_table(name, host, device):
    print("\n%s" % name)
    print("%8s %12s %12s %10s %10s %14s %10s" % ("lanes", "us/run", "us/lane", "launches", "waits", "us/launch", "speed"))
    for lanes in LANES:
        m = device[lanes]
        per_launch = "%.2f" % (m.microseconds / m.launches) if m.launches else "-"
        print("%8d %12.1f %12.3f %10.1f %10.1f %14s %9.2fx" % (
            lanes, m.microseconds, m.microseconds / lanes, m.launches, m.waits, per_launch,
            host[lanes].microseconds / m.microseconds))
    if device is not host:
        more, launches = device[1].microseconds - host[1].microseconds, device[1].launches
        print("  one lane takes %.1f us more than on the host: %.1f us a launch; %s" % (
            more, more / launches, crossover(host, device)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", action="append", default=[], help="cl:0, ..; may be given several times")
    parser.add_argument("--threads", type=int, default=0, help="of the host; 0: one per core")
    parser.add_argument("--library", default=DEFAULT_LIBRARY)
    args = parser.parse_args()
    measured = {}
    for device in ["host"] + args.device:
        engine = Arcl(args.library, threads=args.threads, device=device)
        programs = engine.compile(engine.parse(PROGRAM))
        measured[device] = {lanes: measure(engine, programs[0], lanes) for lanes in LANES}
        print_table(device if device != "host" else "host, %d threads" % engine.threads, measured["host"], measured[device])


if __name__ == "__main__":
    main()
