#!/usr/bin/env python3
"""How many programs a second one core brings into their normal form, parsing included.

usage: bench/fmt_speed.py [--library FILE] [--programs FILE.py] [--rounds N] [--inline]

Without --programs, the programs are those of bench/compile_speed.py.
"""
import argparse
import ctypes
import random
import time

from arcl_ctypes import DEFAULT_LIBRARY, Arcl
from compile_speed import program


def format_all(engine, text, inline):
    """Seconds for parsing and for formatting everything, how many definitions there are, and how many have no normal form."""
    start = time.perf_counter()
    source = engine.parse(text)
    parsed = time.perf_counter()
    count, refused, out = engine.count(source), 0, ctypes.c_void_p()
    call, free = engine.c.arcl_source_format, engine.c.arcl_text_free
    for index in range(count):
        refused += call(engine.context, source, index, inline, ctypes.byref(out), None, None) != 0
        free(out)
    done = time.perf_counter()
    engine.free_source(source)
    return parsed - start, done - parsed, count, refused


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default=DEFAULT_LIBRARY)
    parser.add_argument("--programs", help="a file of programs")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--inline", action="store_true")
    options = parser.parse_args()
    rnd = random.Random(3)
    if options.programs:
        with open(options.programs) as file:
            text = file.read()
    else:
        text = "\n".join(program(rnd, number) for number in range(5000))
    engine = Arcl(options.library, threads=1)
    engine.c.arcl_text_free.argtypes = [ctypes.c_void_p]
    rounds = [format_all(engine, text, int(options.inline)) for _ in range(options.rounds)]
    parse, write, count, refused = min(r[0] for r in rounds), min(r[1] for r in rounds), rounds[0][2], rounds[0][3]
    print("%d programs, %d refused: parse %.1f us, format %.1f us, %.0f programs a second on one core"
          % (count, refused, parse / count * 1e6, write / count * 1e6, count / (parse + write)))


if __name__ == "__main__":
    main()
