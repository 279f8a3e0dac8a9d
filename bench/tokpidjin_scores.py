#!/usr/bin/env python3
"""Whether scores of batteries are the fork's: per task, differ and solver, and per result, counted by the fork's own class.

usage: bench/tokpidjin_scores.py --fork DIR --tasks DIR [--arcl build/arcl] [--limit 60] [--count 5] [--only ID..] -- BATT.py..

Python runs each battery on whole tasks, without the expected output and with it, and D_Score of its run_batt.py counts what
s has then; `arcl run --json` has arcl's scores. Every line is in a `try`, as card.py writes them unless it is told --vectorized: there
a call of what is no function ends the run. The exit status is 1 if one differs. A value that differs makes its score differ:
bench/tokpidjin_roots.py tells why. Tasks that Python does not finish are left out.
"""
import argparse
import ast
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

import tokpidjin


def d_score_class(fork):
    """D_Score alone: run_batt.py imports what only its own runs need."""
    with open(os.path.join(fork, "run_batt.py")) as file:
        tree = ast.parse(file.read())
    tree.body = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "D_Score"]
    space = {}
    exec(compile(tree, "run_batt.py", "exec"), space)
    return space["D_Score"]


def in_tries(text):
    """A battery with every line in a `try`."""
    return re.sub(r"(?m)^    (t\d+) = (\w+)\((.*)\)$", r"    try:\n        \1 = \2(\3)\n    except (TypeError, AttributeError, ValueError, "
                  r"IndexError, KeyError):\n        \1 = _get_safe_default(\2)", text)


def load_battery(fork, battery):
    with open(battery) as file, tempfile.NamedTemporaryFile("w", suffix=".py") as tried:
        tried.write("from safe_dsl import _get_safe_default\n" + in_tries(file.read()))
        tried.flush()
        return tokpidjin.load_battery(fork, tried.name, "arcl")


def python_scores(fork, battery, limit, paths):
    """Prints, by task, {"o": {solver: score}, "s": {differ: {solver: score}}}; None where a run did not end."""
    signal.signal(signal.SIGALRM, tokpidjin.out_of_time)
    batt = load_battery(fork, battery)
    d_score = d_score_class(fork)
    found = {}
    for path in paths:
        pairs, examples = tokpidjin.read_task(path)
        results, differs, ended = {}, d_score(), True
        for given, wanted in examples:
            runs = [tokpidjin.limited(limit, batt, "", pairs, given, expected, None) for expected in (None, wanted)]
            if not all(runs):
                ended = False
                break
            for _, _, solver, value in runs[0][0]:
                results[solver] = results.get(solver, 0) + 1000 * (value == wanted)
            for item in runs[0][1] + runs[1][1]:
                differs.update(item[1], item)
        by_differ = {}
        for solver, scores in differs.score.items():
            for differ, counted in scores.items():
                by_differ.setdefault(differ, {})[solver] = counted["score"]
        found[path] = {"o": results, "s": by_differ} if ended else None
    json.dump(found, sys.stdout)


def arcl_scores(arcl, battery, path):
    with tempfile.TemporaryDirectory() as directory:
        out = os.path.join(directory, "out.json")
        subprocess.run(tokpidjin.run_command(arcl, battery, path, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(out) as file:
            return json.load(file)["scores"]


def flat(scores):
    """{(part, differ or nothing, solver): score}"""
    found = {("o", "", solver): score for solver, score in scores["o"].items()}
    found.update({("s", differ, solver): score for differ, mine in scores["s"].items() for solver, score in mine.items()})
    return found


def compare(options, battery):
    """(scores, scores that differ) of a battery."""
    paths = tokpidjin.tasks_of(battery, options.tasks, options.only, options.count)
    side = [sys.executable, os.path.abspath(__file__), "--fork", options.fork, "--limit", str(options.limit), "--python-side"]
    done = subprocess.run(side + ["--only"] + paths + ["--", battery], stdout=subprocess.PIPE, check=True, text=True)
    count, wrong, left_out = 0, [], 0
    for path, theirs in json.loads(done.stdout).items():
        if not theirs:
            left_out += 1
            continue
        theirs, ours = flat(theirs), flat(arcl_scores(options.arcl, battery, path))
        count += len(theirs.keys() | ours.keys())
        wrong += [(os.path.basename(path), key, theirs.get(key), ours.get(key)) for key in sorted(theirs.keys() | ours.keys())
                  if theirs.get(key) != ours.get(key)]
    print("%s: %d scores on %d tasks, %d differ%s" % (battery, count, len(paths) - left_out, len(wrong),
                                                      ", %d tasks left out" % left_out if left_out else ""))
    for path, key, theirs, ours in wrong:
        print("  %s %s: Python %s, arcl %s" % (path, " ".join(filter(None, key)), theirs, ours), flush=True)
    return count, len(wrong)


def main():
    parser = tokpidjin.battery_parser(__doc__, limit=60)
    parser.add_argument("--count", type=int, default=5, help="tasks to run each battery on")
    parser.add_argument("--python-side", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.python_side:
        return python_scores(options.fork, options.batteries[0], options.limit, options.only)
    if not options.tasks:
        parser.error("--tasks is needed")
    found = [compare(options, battery) for battery in options.batteries]
    if len(found) > 1:
        print("all: %d scores, %d differ" % tuple(map(sum, zip(*found))))
    return 1 if any(wrong for _, wrong in found) else 0


if __name__ == "__main__":
    sys.exit(main())
