#!/usr/bin/env python3
"""How many distinct 12-assignment programs a second one core parses and compiles.

usage: bench/compile_speed.py [--library FILE] [--programs N] [--show]

The programs are made here: like solvers, they mix ops, functions made of functions, and maps over objects.
"""
import argparse
import random
import time

from arcl_ctypes import DEFAULT_LIBRARY, Arcl

INT = ["ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE"]
BOOL = ["T", "F"]
PAIR = ["ORIGIN", "UNITY", "DOWN", "RIGHT", "UP", "LEFT", "UP_RIGHT", "DOWN_LEFT", "TWO_BY_TWO", "THREE_BY_THREE"]
GRID_TO_GRID = ["rot90", "rot180", "rot270", "hmirror", "vmirror", "dmirror", "cmirror", "compress", "trim", "tophalf"]
MEASURE = ["size", "height", "width", "uppermost", "leftmost", "color", "numcolors"]
PATCH_TO_PATCH = ["box", "backdrop", "delta", "outbox", "corners", "toindices", "inbox"]


def program(rnd, number):
    pick = rnd.choice
    return """def solve_%08x(I):
    x1 = objects(I, %s, %s, %s)
    x2 = argmax(x1, %s)
    x3 = matcher(%s, %s)
    x4 = sfilter(x1, x3)
    x5 = compose(%s, %s)
    x6 = mapply(x5, x4)
    x7 = fill(I, %s, x6)
    x8 = lbind(shift, x2)
    x9 = fork(add, %s, %s)
    x10 = x9(x2)
    x11 = x8(%s)
    x12 = paint(%s, x11)
    return underfill(x12, x10, x6)
""" % (number, pick(BOOL), pick(BOOL), pick(BOOL), pick(MEASURE), pick(MEASURE), pick(INT), pick(PATCH_TO_PATCH),
       pick(PATCH_TO_PATCH), pick(INT), pick(MEASURE), pick(MEASURE), pick(PAIR), pick(["x7", "I"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default=DEFAULT_LIBRARY)
    parser.add_argument("--programs", type=int, default=20000)
    parser.add_argument("--show", action="store_true", help="print one program and stop")
    options = parser.parse_args()
    rnd = random.Random(3)
    if options.show:
        print(program(rnd, 0))
        return
    bodies = {}
    while len(bodies) < options.programs:
        text = program(rnd, len(bodies))
        bodies.setdefault(text.split("\n", 1)[1], text)
    text = "\n".join(bodies.values())
    engine = Arcl(options.library, threads=1)
    best_parse = best_compile = None
    for _ in range(3):
        start = time.perf_counter()
        source = engine.parse(text)
        parsed = time.perf_counter()
        programs = engine.compile(source, grid_result=True)
        done = time.perf_counter()
        rejected = sum(p is None for p in programs)
        steps = sum(engine.c.arcl_program_steps(p) for p in map(lambda p: __import__("ctypes").c_void_p(p), programs[:100])) / 100
        engine.free_programs(programs)
        engine.free_source(source)
        best_parse = min(best_parse or 1e9, parsed - start)
        best_compile = min(best_compile or 1e9, done - parsed)
    total = best_parse + best_compile
    print("%d distinct programs, %d rejected, %.1f steps each: parse %.1f us, compile %.1f us, %.0f programs a second on one core"
          % (options.programs, rejected, steps, best_parse / options.programs * 1e6, best_compile / options.programs * 1e6,
             options.programs / total))


if __name__ == "__main__":
    main()
