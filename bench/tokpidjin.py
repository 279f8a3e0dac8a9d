#!/usr/bin/env python3
"""Batteries of the tokpidjin dialect: arcl against the Python they were written for, in one run.

usage: bench/tokpidjin.py --fork DIR --tasks DIR [--arcl build/arcl] [--limit 20] [--rounds 3] BATTERY.py.. [--only ID..]

DIR of --fork is your own checkout of pierreb4/tokpidjin. A battery is run on whole tasks as its run_batt.py does it: every example
without its output, which yields o, and again with it, which yields s. Tasks are those that the battery's solvers are named after, the
first twelve of them, or those of --only. Python's time is that of the calls alone; arcl's is that of the whole command, reading and
compiling included: `arcl score` of the battery on all tasks in one go. What `arcl run` takes for each task alone is printed beside it.

Values are compared with those of a second run of Python, whose sets iterate in arcl's order. Where they begin to differ, and why,
bench/tokpidjin_roots.py finds out.
"""
import argparse
import functools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import types

import ordered_sets

TASKS_WITHOUT_NAMES = 12
SLOWER = 10  # what sets in order may cost Python


class OutOfTime(BaseException):
    """Not an Exception: the ops of the fork answer these with a default."""


def use_fork(fork):
    """Makes the fork's modules ready to be imported."""
    os.environ["EXPECT_GPU"] = "0"
    sys.dont_write_bytecode = True
    try:
        import numpy  # noqa: F401: only its GPU code needs it
    except ImportError:
        sys.modules["numpy"] = types.ModuleType("numpy")
    sys.path.insert(0, fork)


def load_battery(fork, battery, order):
    """The function batt of a battery, among the names of the fork."""
    use_fork(fork)
    if order == "arcl":
        ordered_sets.load_module("dsl", os.path.join(fork, "dsl.py"))
        safe = sys.modules["safe_dsl"]
        safe.frozenset = ordered_sets.frozenset
        safe._get_type_hints_cached = functools.lru_cache(None)(safe._get_type_hints_cached)
    space = {}
    with open(battery) as file:
        exec(compile(file.read(), battery, "exec"), space)
    return space["batt"]


def as_grid(rows):
    return tuple(tuple(row) for row in rows)


def coded(value):
    """A value as arcl writes it: tuples are lists, sets are marked and sorted, what stands for nothing is null."""
    if value is None or isinstance(value, float):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, tuple):
        return [coded(item) for item in value]
    if isinstance(value, frozenset):
        return {"set": sorted((coded(item) for item in value), key=json.dumps)}
    return {"function": None} if callable(value) else {"other": type(value).__name__}


def limited(seconds, function, *arguments):
    """What the function yields; None if it raises or takes too long."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return function(*arguments)
    except (Exception, OutOfTime):
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def out_of_time(*_):
    raise OutOfTime


def read_task(path):
    """(train pairs, all examples)"""
    with open(path) as file:
        task = json.load(file)
    examples = [(as_grid(e["input"]), as_grid(e["output"])) for e in task["train"] + task["test"]]
    return tuple(examples[:len(task["train"])]), examples


def python_side(fork, battery, order, limit, paths):
    """Runs in a process of its own, because the fork has modules with common names. Prints one JSON document."""
    signal.signal(signal.SIGALRM, out_of_time)
    batt = load_battery(fork, battery, order)
    found = {}
    for path in paths:
        pairs, all_examples = read_task(path)
        examples, seconds = [], 0.0
        for given, wanted in all_examples:
            start = time.perf_counter()
            first = limited(limit, batt, "", pairs, given, None, None)
            second = limited(limit, batt, "", pairs, given, wanted, None) if first else None
            seconds += time.perf_counter() - start
            examples.append({"o": [[*r[:3], coded(r[3])] for r in first[0]] if first else None,
                             "s": [[*r[:3], coded(r[3])] for r in second[1]] if second else None})
        found[path] = {"seconds": seconds, "examples": examples}
    json.dump(found, sys.stdout)


def run_command(arcl, battery, path, out):
    """The two places that know arcl's command line: one task, whose values are wanted, .."""
    return [arcl, "run", battery, "--in", path, "--json", out, "--quiet"]


def score_command(arcl, battery, folder, out):
    """.. and all tasks of a folder, of which scores are."""
    return [arcl, "score", battery, "--tasks", folder, "--json", out, "--quiet"]


def arcl_examples(document):
    """The one place that knows what that writes: per example o and s, as python_side has them."""
    return [{"o": example.get("o"), "s": example.get("s")} for example in document["examples"]]


def fastest(command, rounds):
    """Seconds of the fastest round."""
    best = None
    for _ in range(rounds):
        start = time.perf_counter()
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        took = time.perf_counter() - start
        if done.returncode > 1:
            raise SystemExit("%s: %s" % (" ".join(done.args), done.stderr.strip()))
        best = took if best is None or took < best else best
    return best


def run_one(arcl, battery, path, rounds):
    """(seconds, examples) of one task."""
    with tempfile.TemporaryDirectory() as directory:
        out = os.path.join(directory, "out.json")
        seconds = fastest(run_command(arcl, battery, path, out), rounds)
        with open(out) as file:
            return seconds, arcl_examples(json.load(file))


def score_all(arcl, battery, paths, rounds):
    """Seconds of all tasks in one go."""
    with tempfile.TemporaryDirectory() as directory:
        tasks = os.path.join(directory, "tasks")
        os.mkdir(tasks)
        for path in paths:
            os.symlink(os.path.abspath(path), os.path.join(tasks, os.path.basename(path)))
        return fastest(score_command(arcl, battery, tasks, os.path.join(directory, "out.json")), rounds)


def normal(value):
    """Sets in one order, whoever wrote them; functions have no value."""
    if isinstance(value, list):
        return [normal(item) for item in value]
    if isinstance(value, dict) and "set" in value:
        return {"set": sorted((normal(item) for item in value["set"]), key=json.dumps)}
    return "other" if isinstance(value, dict) else value


def agreement(python, arcl, part):
    """(values that agree, values) of o or s; examples that Python did not finish are left out."""
    same = count = 0
    for theirs, ours in zip(python, arcl):
        if theirs[part] is None:
            continue
        count += len(theirs[part])
        same += sum(normal(a) == normal(b) for a, b in zip(theirs[part], ours[part] or []))
    return same, count


def tasks_of(battery, directory, only, count):
    """Files of the tasks to run on: those of `only`, or some of those that the solvers are named after, from large to small."""
    with open(battery) as file:
        named = re.findall(r"o\.append\(\(\d+, \w+, '(\w+)'", file.read())
    named = sorted(set(named), key=named.index)
    step = max(1.0, len(named) / count)
    chosen = only or [named[int(place * step)] for place in range(min(count, len(named)))]
    return [os.path.join(directory, task + ".json") for task in chosen]


def run_python(options, battery, order, limit, paths):
    side = [sys.executable, os.path.abspath(__file__), "--fork", options.fork, "--limit", str(limit), "--python-side", order, battery]
    return json.loads(subprocess.run(side + ["--only"] + paths, stdout=subprocess.PIPE, check=True).stdout)


def compare(options, battery):
    paths = tasks_of(battery, options.tasks, options.only, TASKS_WITHOUT_NAMES)
    as_is, in_order = (run_python(options, battery, order, limit, paths) for order, limit in
                       [("python", options.limit), ("arcl", options.limit * SLOWER)])
    python = 0.0
    for path in paths:
        theirs = {"seconds": as_is[path]["seconds"], "examples": in_order[path]["examples"]}
        seconds, ours = run_one(options.arcl, battery, path, options.rounds)
        python += theirs["seconds"]
        agree = ["%s %d of %d agree" % (part, *agreement(theirs["examples"], ours, part)) for part in "os"]
        unfinished = sum(e["s"] is None for e in theirs["examples"])
        print("  %-10s Python %9.3f s   arcl run %8.4f s   %7.1fx   %s%s"
              % (os.path.basename(path)[:-5], theirs["seconds"], seconds, theirs["seconds"] / seconds, ", ".join(agree),
                 ", %d examples not finished by Python" % unfinished if unfinished else ""), flush=True)
    scored = score_all(options.arcl, battery, paths, options.rounds)
    print("%s, %d tasks: Python %.3f s, arcl score %.4f s, %.1fx" % (battery, len(paths), python, scored, python / scored), flush=True)
    return python, scored


def battery_path(path):
    """A path that is a battery's: card.py writes a table of calls beside each, which `batt_*.py` names as well."""
    with open(path, encoding="utf-8") as file:
        if "def batt(" not in file.read():
            raise argparse.ArgumentTypeError(f"{path} has no batt(..): leave it out")
    return path


def battery_parser(description, limit):
    """What every script takes that runs batteries on both sides."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("batteries", nargs="+", type=battery_path, metavar="BATTERY.py")
    parser.add_argument("--fork", required=True)
    parser.add_argument("--tasks", help="a directory of ARC tasks")
    parser.add_argument("--only", nargs="+", help="ids of the tasks to run on")
    parser.add_argument("--arcl", default="build/arcl")
    parser.add_argument("--limit", type=float, default=limit, help="seconds that Python has for a run")
    return parser


def main():
    parser = battery_parser(__doc__, limit=20)
    parser.add_argument("--rounds", type=int, default=3, help="runs of arcl, of which the fastest counts")
    parser.add_argument("--python-side", choices=["python", "arcl"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.python_side:
        return python_side(options.fork, options.batteries[0], options.python_side, options.limit, options.only)
    if not options.tasks:
        parser.error("--tasks is needed")
    totals = [compare(options, battery) for battery in options.batteries]
    if len(totals) > 1:
        python, arcl = sum(t[0] for t in totals), sum(t[1] for t in totals)
        print("all: Python %.3f s, arcl %.4f s, %.1fx" % (python, arcl, python / arcl))


if __name__ == "__main__":
    main()
