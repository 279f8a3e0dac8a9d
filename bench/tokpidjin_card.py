#!/usr/bin/env python3
"""Batteries to compare with: has the fork's card.py write them, one for each seed, the same again for the same seed.

usage: bench/tokpidjin_card.py --fork DIR --tasks DIR --out DIR [--seeds 1 2 ..] [--count 32] [--rate 1] [--vectorized]

DIR of --fork is your own checkout of pierreb4/tokpidjin, in which nothing is written. Its card.py takes solvers from a folder that a run
of it fills; there is none in the repository, so they are those of solvers_pre.py. --rate multiplies the chance with which it
changes a name in a line. --vectorized is card.py's: no `try` around the lines.
"""
import argparse
import contextlib
import json
import os
import random
import sys
import tempfile
import types

import tokpidjin


def card_parser(description):
    """What every script takes that has card.py write batteries."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fork", required=True)
    parser.add_argument("--tasks", required=True, help="a directory of ARC tasks")
    parser.add_argument("--out", help="the directory to write batteries to")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--count", type=int, default=32, help="solvers in a battery")
    parser.add_argument("--rate", type=float, default=1, help="how often it changes a name, as a multiple of what card.py would")
    return parser


def read_tasks(directory):
    """What the fork's get_data returns, of a directory with a file for each task."""
    found = {"demo": {}, "test": {}}
    for name in sorted(os.listdir(directory)):
        with open(os.path.join(directory, name)) as file:
            task = json.load(file)
        for theirs, ours in (("demo", "train"), ("test", "test")):
            found[theirs][name[:-len(".json")]] = [{side: tokpidjin.as_grid(example[side]) for side in ("input", "output")}
                                                   for example in task[ours]]
    return found


@contextlib.contextmanager
def open_card(options):
    """The fork's card.py, in a folder of its own, with these tasks."""
    fork, tasks, came_from = os.path.abspath(options.fork), os.path.abspath(options.tasks), os.getcwd()
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)  # utils makes an empty file where it is
        tokpidjin.use_fork(fork)
        sys.path.append(directory)
        import card
        import solvers_pre
        import utils
        data = read_tasks(tasks)
        utils.get_data = card.get_data = lambda **_: data
        solvers_of = card.get_solvers
        card.get_solvers = lambda _, best_only: solvers_of([solvers_pre], best_only=best_only)
        card.BUDGET_RANDOM *= options.rate
        card.args = types.SimpleNamespace(freeze_differs=False)
        try:
            yield card
        finally:
            os.chdir(came_from)


def write_battery(card, seed, count, name, vectorized):
    """Whether there is one for this seed."""
    card.time.time = lambda: seed
    random.seed(seed)
    try:
        card.main(count=count, batt_file_name=name, vectorized=vectorized)
    except IndexError:  # it found no line to put in place of t1
        os.remove(name)
        print("card.py fails with seed %d" % seed, file=sys.stderr)
        return False
    return True


def main():
    parser = card_parser(__doc__)
    parser.add_argument("--vectorized", action="store_true")
    options = parser.parse_args()
    if not options.out:
        parser.error("--out is needed")
    out = os.path.abspath(options.out)
    os.makedirs(out, exist_ok=True)
    with open_card(options) as card:
        for seed in options.seeds:
            name = "batt_%d_x%g%s.py" % (seed, options.rate, "_vectorized" if options.vectorized else "")
            write_battery(card, seed, options.count, os.path.join(out, name), options.vectorized)


if __name__ == "__main__":
    main()
