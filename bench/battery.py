#!/usr/bin/env python3
"""A battery of programs against the Python DSL with a try/except around every op, in one run.

usage: bench/battery.py --dsl DIR --tasks DIR [--programs 32] [--samples 20] [--seed 1] [--library FILE]

Programs and sample grids are drawn from those of the DSL and of the tasks. Both sides run every program on every sample; what
fails yields a default and goes on. The outputs of the battery are compared with those of each program run alone.
"""
import argparse
import os
import random
import re
import time

from arcl_ctypes import DEFAULT_LIBRARY, Arcl
from vs_python import best_of, load_python, load_tasks


def sheltered(text, names):
    """The definitions as Python functions whose every assignment is tried and yields an empty tuple if it fails."""
    found = {}
    for name, body in re.findall(r"^def (\w+)\(I\):\n((?:    .*\n?)+)", text, re.M):
        if name not in names:
            continue
        lines = ["def %s(I):" % name]
        for line in body.rstrip().split("\n"):
            statement = line.strip()
            if re.match(r"\w+ = ", statement):
                lines += ["    try:", "        " + statement, "    except Exception:",
                          "        %s = ()" % statement.split(" = ")[0]]
            elif statement:
                lines.append("    " + statement)
        found[name] = "\n".join(lines)
    return found


def compile_sheltered(dsl, constants, sources):
    space = {**vars(dsl), **vars(constants)}
    for source in sources.values():
        exec(source, space)
    return [space[name] for name in sources]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dsl", required=True)
    parser.add_argument("--tasks", required=True)
    parser.add_argument("--programs", type=int, default=32)
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--library", default=DEFAULT_LIBRARY)
    args = parser.parse_args()
    with open(os.path.join(args.dsl, "solvers.py")) as file:
        text = file.read()
    dsl, constants, _ = load_python(args.dsl)
    rnd = random.Random(args.seed)
    names = re.findall(r"^def (\w+)\(", text, re.M)
    chosen = sorted(rnd.sample(names, args.programs), key=names.index)
    grids = [given for examples in load_tasks(args.tasks).values() for given, _ in examples]
    samples = rnd.sample(grids, args.samples)

    functions = compile_sheltered(dsl, constants, sheltered(text, chosen))
    start = time.perf_counter()
    for function in functions:
        for grid in samples:
            function(grid)
    python = time.perf_counter() - start

    engine = Arcl(args.library)
    source = engine.parse(text)
    indices = [names.index(n) for n in chosen]
    batch = engine.batch("grid", [[g] for g in samples])
    compiled = best_of(5, lambda: engine.battery(source, indices, safe=True), engine.free_battery)
    battery = engine.battery(source, indices, safe=True)
    run = best_of(20, lambda: engine.run_battery(battery, len(indices), batch), engine.free_results)

    together = engine.run_battery(battery, len(indices), batch)
    differ = 0
    for number, index in enumerate(indices):
        alone = engine.battery(source, [index], safe=True)
        [result] = engine.run_battery(alone, 1, batch)
        differ += any(engine.grid(result, n) != engine.grid(together[number], n) for n in range(args.samples))
        engine.free_results([result])
        engine.free_battery(alone)
    print("%d programs on %d samples, what fails yields a default" % (args.programs, args.samples))
    print("  Python    %10.3f ms   %10.0f samples/s" % (python * 1e3, args.samples / python))
    print("  battery   %10.3f ms   %10.0f samples/s   %.0fx" % (run * 1e3, args.samples / run, python / run))
    print("  compiled in %.3f ms; with that %.0fx" % (compiled * 1e3, python / (run + compiled)))
    print("  outputs that differ from those of the program alone: %d programs" % differ)
    return 1 if differ else 0


if __name__ == "__main__":
    raise SystemExit(main())
