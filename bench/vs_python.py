#!/usr/bin/env python3
"""arcl against the Python DSL, both sides timed in this one run, interpreter start excluded.

usage: bench/vs_python.py --dsl DIR --tasks DIR [--threads N] [--lanes N] [--sample N] [--all-colours] [--quick] [--part abc]
                          [--processor-time]

DIR of --dsl is your own checkout of the Python DSL (dsl.py, constants.py, solvers.py); --tasks a directory of ARC tasks. arcl is the Python
package, as it is installed, or as it is in the build folder.

(a) every solver on its own examples, arcl's parsing and compiling included
(b) every solver on lanes made from its examples by permuting colours; Python runs a sample of the lanes and is scaled. Of arcl, the
    run alone, from a batch to results, and once more from a list of tuples to a list of tuples
(c) single ops on random 30x30 grids: of arcl, the run alone

Everything is measured in PASSES passes over all solvers, some tens of seconds apart, in each of them once, and what takes less than
SPAN for as long; the best counts, on both sides: a machine's processors are not equally fast all the time, and an idle one takes a while
to be.

With --processor-time both sides are measured by what they take of the processor, all threads together: on a machine that others use,
too, that is a ratio for one core.

Wrong answers stop the run: outputs of both sides are compared in (a) and (b).
"""
import argparse
import collections
import json
import os
import random
import re
import statistics
import sys
import time

try:
    import arcl
except ImportError:  # not installed: as it was built
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build", "python"))
    import arcl

LEAST_SECONDS = 2e-6  # a lane, in Python: below that, calls are compared, not work
SLOW = "a64e4611"  # takes seconds a grid in Python: reported apart
PASSES = 3
ROUNDS = 100  # in a pass, of (a), which takes milliseconds: a third of a second, since a processor may be slow for a tenth of one
SPAN = 0.02  # seconds that anything is measured for at least in a pass

clock = time.perf_counter

Row = collections.namedtuple("Row", "name python held tuples compared differing")  # of (b); seconds for all lanes


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


def best_of(times, action, release=None):
    """Seconds of the fastest; what the action has made is released outside of them, by a function if it does not go by itself."""
    best = None
    for _ in range(times):
        start = clock()
        result = action()
        took = clock() - start
        if release:
            release(result)
        del result
        best = took if best is None or took < best else best
    return best


def best_within_span(action):
    """Seconds of the fastest, of one or as many as fit into SPAN, and what the last one has made."""
    best, began = None, time.perf_counter()
    while best is None or time.perf_counter() - began < SPAN:
        result = None  # what the one before has made goes outside of the time
        start = clock()
        result = action()
        took = clock() - start
        best = took if best is None or took < best else best
    return best, result


def python_values(function, inputs):
    """What Python makes of each, None where it fails."""
    values = []
    for grid in inputs:
        try:
            values.append(function(grid))
        except Exception:
            values.append(None)
    return values


def ratio_line(label, python, ours):
    print("%-46s python %10.3f ms   arcl %9.3f ms   %8.1fx" % (label, python * 1e3, ours * 1e3, python / ours), flush=True)


def bench_examples(engine, text, names, python, tasks):
    """(a)"""
    lists = {n: [i for i, _ in tasks[n[-8:]]] for n in names}  # what both sides are given is there before
    inputs = {n: engine.inputs(lists[n]) for n in names}
    fast = {n: inputs[n] for n in names if not n.endswith(SLOW)}

    def once(inputs):
        return arcl.compile(text, strict=False, engine=engine).run(inputs, engine=engine)

    passes = []  # of each: a solver's seconds in Python, arcl's for all, and for all but the slow one
    for _ in range(PASSES):
        seconds = {n: best_within_span(lambda: python_values(getattr(python, n), lists[n]))[0] for n in names}
        passes.append((seconds, best_of(ROUNDS, lambda: once(inputs)), best_of(ROUNDS, lambda: once(fast))))
    python_seconds = {n: min(seconds[n] for seconds, _, _ in passes) for n in names}
    wrong = sum(got != expected for n, out in once(inputs).items() for got, (_, expected) in zip(out, tasks[n[-8:]]))
    print("(a) %d solvers on their own examples, parsing and compiling included; %d outputs differ from the tasks'" % (len(names), wrong))
    ratio_line("    all", sum(python_seconds.values()), min(ours for _, ours, _ in passes))
    ratio_line("    all but " + SLOW, sum(python_seconds[n] for n in fast), min(ours for _, _, ours in passes))


def permuted(grid, permutation):
    return tuple(tuple(permutation[c] for c in row) for row in grid)


def lanes_of(examples, lanes, all_colours, rnd):
    """Grids made from examples by permuting colours at random: 1..9, or all ten."""
    made = []
    for k in range(lanes):
        permutation = list(range(10)) if all_colours else list(range(1, 10))
        rnd.shuffle(permutation)
        made.append(permuted(examples[k % len(examples)], permutation if all_colours else [0] + permutation))
    return made


def lanes_row(engine, program, function, inputs, chosen):
    """Seconds of a solver for all lanes, and how many of the outputs that Python was asked for differ."""
    python, expected = best_within_span(lambda: python_values(function, [inputs[k] for k in chosen]))
    held = engine.inputs(inputs)
    held_seconds, results = best_within_span(lambda: program.map(held, engine=engine))
    tuples_seconds, _ = best_within_span(lambda: list(program.map(inputs, engine=engine)))
    return Row(name=program.name, python=python / len(chosen) * len(inputs), held=held_seconds, tuples=tuples_seconds,
               compared=len(chosen), differing=sum(results[k] != e for k, e in zip(chosen, expected)))


def faster_of(a, b):
    return a._replace(python=min(a.python, b.python), held=min(a.held, b.held), tuples=min(a.tuples, b.tuples))


def print_gains(label, rows, lanes, ours):
    """The sums of both sides, and the solvers that stand out, by one of the two ways to hand over grids."""
    fast = [r for r in rows if not r.name.endswith(SLOW)]
    print("    " + label)
    ratio_line("    all", sum(r.python for r in rows), sum(ours(r) for r in rows))
    ratio_line("    all but " + SLOW, sum(r.python for r in fast), sum(ours(r) for r in fast))
    print("    median of the solvers' ratios %.1fx" % statistics.median(r.python / ours(r) for r in rows))
    by_time = sorted(rows, key=lambda r: -ours(r))
    print("    most of arcl's time: " + ", ".join("%s %.1f us/lane (%.0fx)" % (r.name[-8:], ours(r) / lanes * 1e6, r.python / ours(r))
                                                 for r in by_time[:8]))
    slow_enough = sorted((r for r in rows if r.python / lanes >= LEAST_SECONDS), key=lambda r: r.python / ours(r))
    print("    least gain, of %d solvers that take Python %.0f us or more a lane: " % (len(slow_enough), LEAST_SECONDS * 1e6)
          + ", ".join("%s %.0fx (%.1f us)" % (r.name[-8:], r.python / ours(r), r.python / lanes * 1e6) for r in slow_enough[:10]))


def bench_lanes(engine, text, names, python, tasks, lanes, sample, all_colours):
    """(b): every solver on many lanes.

    A solver that relies on 0 being the background may have to work on nearly all cells of a grid when 0 is permuted too:
    then a few lanes of a few solvers take most of the time, on both sides."""
    programs = arcl.compile(text, strict=False, engine=engine)
    best = {}
    for _ in range(PASSES):
        rnd = random.Random(7)  # the same lanes in each
        for name in (n for n in programs if n in names):
            inputs = lanes_of([i for i, _ in tasks[name[-8:]]], lanes, all_colours, rnd)
            chosen = sorted(rnd.sample(range(lanes), min(lanes, 1 if name.endswith(SLOW) else sample)))
            row = lanes_row(engine, programs[name], getattr(python, name), inputs, chosen)
            best[name] = faster_of(row, best.get(name, row))
    rows = list(best.values())
    print("(b) %d solvers on %d lanes each, %s permuted (Python on %d of them, scaled); %d of %d compared outputs differ "
          "(set order)" % (len(rows), lanes, "all colours" if all_colours else "colours 1..9", sample,
                           sum(r.differing for r in rows), sum(r.compared for r in rows)))
    print_gains("grids in a batch, results as arcl holds them, as in C:", rows, lanes, lambda r: r.held)
    print_gains("lists of tuples in, tuples out, as in Python:", rows, lanes, lambda r: r.tuples)


def bench_ops(engine, dsl, count):
    """(c): single ops on random 30x30 grids."""
    rnd = random.Random(11)
    grids = [tuple(tuple(rnd.randrange(10) for _ in range(30)) for _ in range(30)) for _ in range(count)]
    patches = [dsl.ofcolor(g, 3) for g in grids]
    shapes = [frozenset(dsl.toobject(frozenset({(0, 0), (0, 1)}), g)) for g in grids]
    cases = [
        ("objects(g, T, F, T)", "objects(a, T, F, T)", ["grid"], (grids,), lambda g: dsl.objects(g, True, False, True)),
        ("rot90(g)", "rot90(a)", ["grid"], (grids,), dsl.rot90),
        ("fill(g, 5, p)", "fill(a, 5, b)", ["grid", "{ij}"], (grids, patches), lambda g, p: dsl.fill(g, 5, p)),
        ("ofcolor(g, 3)", "ofcolor(a, 3)", ["grid"], (grids,), lambda g: dsl.ofcolor(g, 3)),
        ("shift(p, (1, 2))", "shift(a, (1, 2))", ["{ij}"], (patches,), lambda p: dsl.shift(p, (1, 2))),
        ("occurrences(g, o)", "occurrences(a, b)", ["grid", "{cell}"], (grids, shapes), dsl.occurrences),
    ]
    print("(c) single ops on %d random 30x30 grids" % count)
    for label, expression, types, columns, function in cases:
        program = arcl.program("def p(%s):\n    return %s\n" % (", ".join("ab"[:len(types)]), expression), types=types, engine=engine)
        compiled = program._compiled_for(engine)
        batch = program._batch(compiled, columns, engine._context)
        py = best_of(3, lambda: [function(*arguments) for arguments in zip(*columns)])
        ratio_line("    " + label, py, best_of(9, lambda: compiled.run(batch)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dsl", required=True)
    parser.add_argument("--tasks", required=True)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--lanes", type=int, default=1000)
    parser.add_argument("--sample", type=int, default=25, help="lanes that Python runs per solver in (b)")
    parser.add_argument("--all-colours", action="store_true", help="permute colour 0 too in (b)")
    parser.add_argument("--quick", action="store_true", help="(b) with a tenth of the solvers")
    parser.add_argument("--part", default="abc", help="which of a, b, c to run")
    parser.add_argument("--processor-time", action="store_true", help="measure that, not the time that passes")
    options = parser.parse_args()
    if options.processor_time:
        global clock
        clock = time.process_time
    dsl, _, solvers = load_python(options.dsl)
    tasks = load_tasks(options.tasks)
    with open(os.path.join(options.dsl, "solvers.py")) as file:
        text = file.read()
    names = [n for n in re.findall(r"^def (\w+)\(", text, re.M) if n[-8:] in tasks]
    engine = arcl.Engine(threads=options.threads)
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
