#!/usr/bin/env python3
"""Single ops of arcl against NumPy, OpenCV and scikit-image, on one thread, in one run.

usage: bench/peers.py --tasks DIR [--library FILE] [--lanes N] [--least CELLS]

The grids are those of ARC tasks that have at least so many cells (700), inputs and outputs, in turn, up to so many lanes (1,000). arcl
gets them as one batch and its results are there to be read when its time ends: lists of cells where a peer has an image of labels.
Peers are called once a grid, as their users do, or once for all grids of one size where they can. A peer that is not installed is left
out (PyPI: numpy, opencv-python-headless, scikit-image).

What is compared need not be the same thing: a peer labels components and returns no cells, or has all grids of one size in one array.
"""
import argparse
import collections
import importlib
import sys

from arcl_ctypes import DEFAULT_LIBRARY, Arcl
from vs_python import best_of, load_tasks

ROUNDS = 100  # of which each side has the best: what others do on the machine disturbs most of them


def optional(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print("%s is not installed" % name, file=sys.stderr)
        return None


def large_grids(directory, least, lanes):
    grids = [g for examples in load_tasks(directory).values() for pair in examples for g in pair if len(g) * len(g[0]) >= least]
    if not grids:
        sys.exit("peers.py: no grid of %d cells or more in %s" % (least, directory))
    return [grids[n % len(grids)] for n in range(lanes)]


def arcl_nanoseconds(engine, expression, types, lanes):
    """A lane's share of a run."""
    source = engine.parse("def p(%s):\n    return %s\n" % (", ".join("ab"[:len(types.split())]), expression))
    programs = engine.compile(source, types=types.split())
    batch = engine.batch(types, lanes)
    seconds = best_of(ROUNDS, lambda: engine.run_many([programs[0]], [batch]), engine.free_results)
    engine.free_batch(batch)
    engine.free_programs(programs)
    engine.free_source(source)
    return seconds / len(lanes) * 1e9


def peers(grids):
    """{op: [(peer, function of all grids at once)]}"""
    found = collections.defaultdict(list)
    numpy, cv2, measure = optional("numpy"), optional("cv2"), optional("skimage.measure")
    if not numpy:
        return found
    arrays = [numpy.array(g, dtype=numpy.int8) for g in grids]
    by_size = collections.defaultdict(list)
    for a in arrays:
        by_size[a.shape].append(a)
    stacks = [numpy.stack(group) for group in by_size.values()]
    places = [a == 0 for a in arrays]
    others = [numpy.roll(p, 1, axis=1) for p in places]
    found["rot90"] = [("numpy, a grid", lambda: [numpy.ascontiguousarray(numpy.rot90(a, -1)) for a in arrays]),
                      ("numpy, all of a size", lambda: [numpy.ascontiguousarray(numpy.rot90(s, -1, (1, 2))) for s in stacks])]
    found["ofcolor"] = [("numpy argwhere", lambda: [numpy.argwhere(a == 0) for a in arrays])]
    found["difference"] = [("numpy, of masks", lambda: [p & ~o for p, o in zip(places, others)])]
    found["fill"] = [("numpy where", lambda: [numpy.where(p, 5, a) for p, a in zip(places, arrays)])]
    if measure:
        found["objects"].append(("scikit-image label", lambda: [measure.label(a, background=0, connectivity=1) for a in arrays]))
    if cv2:
        found["objects"].append(("OpenCV, a colour after the other", lambda: [
            [cv2.connectedComponents((a == c).astype(numpy.uint8), connectivity=4) for c in numpy.unique(a) if c] for a in arrays]))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", required=True)
    parser.add_argument("--library", default=DEFAULT_LIBRARY)
    parser.add_argument("--lanes", type=int, default=1000)
    parser.add_argument("--least", type=int, default=700, help="cells of the smallest grid")
    options = parser.parse_args()
    grids = large_grids(options.tasks, options.least, options.lanes)
    one = [[g] for g in grids]
    patches = [sorted((i, j) for i, row in enumerate(g) for j, c in enumerate(row) if c == 0) for g in grids]
    moved = [[(i, (j + 1) % len(g[0])) for i, j in p] for g, p in zip(grids, patches)]
    cases = {"objects": ("objects(a, T, F, T)", "grid", one),
             "rot90": ("rot90(a)", "grid", one),
             "ofcolor": ("ofcolor(a, 0)", "grid", one),
             "difference": ("difference(a, b)", "{ij} {ij}", list(zip(patches, map(sorted, moved)))),
             "fill": ("fill(a, 5, b)", "grid {ij}", list(zip(grids, patches)))}
    engine, others = Arcl(options.library, 1, "host"), peers(grids)
    print("%d grids of %.0f cells on average, one thread, us a grid" % (len(grids), sum(len(g) * len(g[0]) for g in grids) / len(grids)))
    for op, (expression, types, lanes) in cases.items():
        own = arcl_nanoseconds(engine, expression, types, lanes)
        print("%-12s arcl %8.3f" % (op, own / 1e3), flush=True)
        for name, function in others[op]:
            theirs = best_of(ROUNDS, function) / len(grids) * 1e9
            print("%-12s %-34s %8.3f  %6.1fx" % ("", name, theirs / 1e3, theirs / own), flush=True)


if __name__ == "__main__":
    main()
