#!/usr/bin/env python3
"""arcl against the Python DSL, both sides timed in this one run, interpreter start excluded.

usage: bench/vs_python.py --dsl DIR --tasks DIR [--library FILE] [--threads N] [--lanes N] [--sample N] [--all-colours] [--quick]
                          [--part abc]

DIR of --dsl is your own checkout of the Python DSL (dsl.py, constants.py, solvers.py); --tasks a directory of ARC tasks.

(a) every solver on its own examples, arcl's parsing and compiling included
(b) every solver on lanes made from its examples by permuting colours; Python runs a sample of the lanes and is scaled
(c) single ops on random 30x30 grids

Wrong answers stop the run: outputs of both sides are compared in (a) and (b).
"""
import argparse
import json
import os
import random
import re
import statistics
import sys
import time

from arcl_ctypes import DEFAULT_LIBRARY, Arcl

LEAST_SECONDS = 2e-6  # a lane, in Python: below that, calls are compared, not work
SLOW = "a64e4611"  # takes seconds a grid in Python: reported apart


def load_python(directory):
    sys.path.insert(0, directory)
    import constants
    import dsl
    import solvers
    return dsl, constants, solvers


def as_tuples(grid):
    return tuple(tuple(row) for row in grid)


def load_tasks(directory):
    tasks = {}
    for name in sorted(os.listdir(directory)):
        with open(os.path.join(directory, name)) as file:
            task = json.load(file)
        tasks[name[:-5]] = [(as_tuples(e["input"]), as_tuples(e["output"])) for e in task["train"] + task["test"] if "output" in e]
    return tasks


def best_of(times, action, undo=lambda result: None):
    best = None
    for _ in range(times):
        start = time.perf_counter()
        result = action()
        took = time.perf_counter() - start
        undo(result)
        best = took if best is None or took < best else best
    return best


def python_seconds(function, inputs, budget=2.0):
    """Seconds for all inputs; a few rounds where that is cheap, so that both sides are warm."""
    best, spent = None, 0.0
    while best is None or (spent < budget / 20 and spent < 0.05):
        start = time.perf_counter()
        for grid in inputs:
            try:
                function(grid)
            except Exception:
                pass
        took = time.perf_counter() - start
        best = took if best is None or took < best else best
        spent += took
    return best


def ratio_line(label, python, arcl):
    print("%-46s python %10.3f ms   arcl %9.3f ms   %8.1fx" % (label, python * 1e3, arcl * 1e3, python / arcl), flush=True)


def bench_examples(engine, text, names, python, tasks):
    """(a): returns per-solver Python seconds."""
    source = engine.parse(text)
    order = [engine.name(source, i) for i in range(engine.count(source))]
    batches = {n: engine.batch("grid", [[i] for i, _ in tasks[n[-8:]]]) for n in names}
    picked = [i for i, n in enumerate(order) if n in batches]

    def once():
        src = engine.parse(text)
        programs = engine.compile(src, grid_result=True)
        results = engine.run_many([programs[i] for i in picked], [batches[order[i]] for i in picked])
        return src, programs, results

    def undo(made):
        engine.free_results(made[2])
        engine.free_programs(made[1])
        engine.free_source(made[0])

    seconds = {n: python_seconds(getattr(python, n), [i for i, _ in tasks[n[-8:]]]) for n in names}
    arcl = best_of(7, once, undo)
    made = once()
    wrong = sum(engine.grid(made[2][k], lane) != expected for k, i in enumerate(picked)
                for lane, (_, expected) in enumerate(tasks[order[i][-8:]]))
    undo(made)
    fast = sum(s for n, s in seconds.items() if not n.endswith(SLOW))
    # arcl's time without the slow one, by leaving it out of text and batches
    picked_all, picked[:] = list(picked), [i for i in picked if not order[i].endswith(SLOW)]
    arcl_fast = best_of(7, once, undo)
    print("(a) %d solvers on their own examples, parsing and compiling included; %d outputs differ from the tasks'"
          % (len(picked_all), wrong))
    ratio_line("    all", sum(seconds.values()), arcl)
    ratio_line("    all but " + SLOW, fast, arcl_fast)
    for b in batches.values():
        engine.free_batch(b)
    engine.free_source(source)


def permuted(grid, permutation):
    return tuple(tuple(permutation[c] for c in row) for row in grid)


def bench_lanes(engine, text, names, python, tasks, lanes, sample, all_colours):
    """(b): every solver on many lanes. The colours 1..9 are permuted at random, or all ten.

    A solver that relies on 0 being the background may have to work on nearly all cells of a grid when 0 is permuted too:
    then a few lanes of a few solvers take most of the time, on both sides."""
    rnd = random.Random(7)
    source = engine.parse(text)
    order = [engine.name(source, i) for i in range(engine.count(source))]
    programs = engine.compile(source, grid_result=True)
    rows, differing = [], 0
    for index, name in enumerate(order):
        if name not in names:
            continue
        inputs = []
        examples = [i for i, _ in tasks[name[-8:]]]
        for k in range(lanes):
            permutation = list(range(10)) if all_colours else list(range(1, 10))
            rnd.shuffle(permutation)
            permutation = permutation if all_colours else [0] + permutation
            inputs.append(permuted(examples[k % len(examples)], permutation))
        few = min(lanes, 1 if name.endswith(SLOW) else sample)
        chosen = sorted(rnd.sample(range(lanes), few))
        started = time.perf_counter()
        expected = []
        for k in chosen:
            try:
                expected.append(getattr(python, name)(inputs[k]))
            except Exception:
                expected.append(None)
        py = (time.perf_counter() - started) / few * lanes
        batch = engine.batch("grid", [[g] for g in inputs])
        runs = 1 if name.endswith(SLOW) else 3
        arcl = best_of(runs, lambda: engine.run_many([programs[index]], [batch]), engine.free_results)
        results = engine.run_many([programs[index]], [batch])
        differing += sum(engine.grid(results[0], k) != e for k, e in zip(chosen, expected))
        engine.free_results(results)
        engine.free_batch(batch)
        rows.append((name, py, arcl, len(chosen)))
    fast = [r for r in rows if not r[0].endswith(SLOW)]
    print("(b) %d solvers on %d lanes each, %s permuted (Python on %d of them, scaled); %d of %d compared outputs differ "
          "(set order)" % (len(rows), lanes, "all colours" if all_colours else "colours 1..9", sample, differing,
                           sum(r[3] for r in rows)))
    ratio_line("    all", sum(r[1] for r in rows), sum(r[2] for r in rows))
    ratio_line("    all but " + SLOW, sum(r[1] for r in fast), sum(r[2] for r in fast))
    print("    median of the solvers' ratios %.1fx" % statistics.median(r[1] / r[2] for r in rows))
    slow = [r for r in rows if r[0].endswith(SLOW)]
    if slow:
        print("    %s: %.2f ms a grid" % (SLOW, slow[0][2] / lanes * 1e3))
    rows.sort(key=lambda r: -r[2])
    print("    most of arcl's time: " + ", ".join("%s %.0f us/lane (%.0fx)" % (r[0][-8:], r[2] / lanes * 1e6, r[1] / r[2])
                                                 for r in rows[:8]))
    rows.sort(key=lambda r: r[1] / r[2])
    slow_enough = [r for r in rows if r[1] / lanes >= LEAST_SECONDS]
    print("    least gain, of %d solvers that take Python %.0f us or more a lane: " % (len(slow_enough), LEAST_SECONDS * 1e6)
          + ", ".join("%s %.0fx (%.1f us)" % (r[0][-8:], r[1] / r[2], r[1] / lanes * 1e6) for r in slow_enough[:10]))
    engine.free_programs(programs)
    engine.free_source(source)


def bench_ops(engine, dsl, count):
    """(c): single ops on random 30x30 grids."""
    rnd = random.Random(11)
    grids = [tuple(tuple(rnd.randrange(10) for _ in range(30)) for _ in range(30)) for _ in range(count)]
    patches = [dsl.ofcolor(g, 3) for g in grids]
    shapes = [frozenset(dsl.toobject(frozenset({(0, 0), (0, 1)}), g)) for g in grids]
    flat = lambda objects: [sorted(o) for o in objects]
    cases = [
        ("objects(g, T, F, T)", "objects(a, T, F, T)", "grid", [[g] for g in grids], lambda g: dsl.objects(g, True, False, True)),
        ("rot90(g)", "rot90(a)", "grid", [[g] for g in grids], dsl.rot90),
        ("fill(g, 5, p)", "fill(a, 5, b)", "grid {ij}", list(zip(grids, [sorted(p) for p in patches])),
         lambda a: dsl.fill(a[0], 5, a[1])),
        ("ofcolor(g, 3)", "ofcolor(a, 3)", "grid", [[g] for g in grids], lambda g: dsl.ofcolor(g, 3)),
        ("shift(p, (1, 2))", "shift(a, (1, 2))", "{ij}", [[p] for p in map(sorted, patches)], lambda p: dsl.shift(p, (1, 2))),
        ("occurrences(g, o)", "occurrences(a, b)", "grid {cell}", list(zip(grids, flat(shapes))),
         lambda a: dsl.occurrences(a[0], a[1])),
    ]
    python_inputs = [grids, grids, list(zip(grids, patches)), grids, patches, list(zip(grids, shapes))]
    print("(c) single ops on %d random 30x30 grids" % count)
    for (label, expression, types, lanes, function), inputs in zip(cases, python_inputs):
        parameters = ", ".join("ab"[:len(types.split())])
        source = engine.parse("def p(%s):\n    return %s\n" % (parameters, expression))
        programs = engine.compile(source, types=types.split())
        batch = engine.batch(types, lanes)
        py = best_of(3, lambda: [function(i) for i in inputs])
        arcl = best_of(9, lambda: engine.run_many([programs[0]], [batch]), engine.free_results)
        ratio_line("    " + label, py, arcl)
        engine.free_batch(batch)
        engine.free_programs(programs)
        engine.free_source(source)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dsl", required=True)
    parser.add_argument("--tasks", required=True)
    parser.add_argument("--library", default=DEFAULT_LIBRARY)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--lanes", type=int, default=1000)
    parser.add_argument("--sample", type=int, default=25, help="lanes that Python runs per solver in (b)")
    parser.add_argument("--all-colours", action="store_true", help="permute colour 0 too in (b)")
    parser.add_argument("--quick", action="store_true", help="(b) with a tenth of the solvers")
    parser.add_argument("--part", default="abc", help="which of a, b, c to run")
    options = parser.parse_args()
    dsl, _, solvers = load_python(options.dsl)
    tasks = load_tasks(options.tasks)
    with open(os.path.join(options.dsl, "solvers.py")) as file:
        text = file.read()
    names = [n for n in re.findall(r"^def (\w+)\(", text, re.M) if n[-8:] in tasks]
    engine = Arcl(options.library, options.threads)
    print("arcl with %d threads; %d solvers" % (engine.threads, len(names)))
    if "a" in options.part:
        bench_examples(engine, text, names, solvers, tasks)
    if "b" in options.part:
        bench_lanes(engine, text, set(names[::10] if options.quick else names), solvers, tasks, options.lanes, options.sample,
                    options.all_colours)
    if "c" in options.part:
        bench_ops(engine, dsl, options.lanes)


if __name__ == "__main__":
    main()
