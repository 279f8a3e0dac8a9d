#!/usr/bin/env python3
"""Why values of batteries differ between arcl and the fork: the first lines that do, and what is odd about them there.

usage: bench/tokpidjin_roots.py --fork DIR --tasks DIR [--arcl build/arcl] [--limit 60] [--roots 5] [--only ID..] -- BATTERY.py..

A value that differs makes all differ that is computed from it. So both sides are asked for every line that such a value depends on, and
what counts is the first one that differs though its arguments agree. arcl has one kind of nothing for each type where Python has several,
`()`, `frozenset()`, `None` and nan; values that differ in that alone are counted apart.

A line is odd, and so is all that is made from it, if its value is something that has no type in arcl: a container that mixes types,
has functions in it or nothing among its ints, or a value that is of another type than in other lanes.
"""
import argparse
import ast
import collections
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

import tokpidjin

PROBES = 200  # lines that one battery of probes returns
NOTHING = "nothing"
UNEXPLAINED = "unexplained"
UNKNOWN = ["", "", "", []]  # of a line that Python did not come to


def one_nothing(value):
    """A coded value in which every kind of nothing is the same."""
    if value is None or value == [] or value == {"set": []}:
        return NOTHING
    if isinstance(value, list):
        return [one_nothing(item) for item in value]
    if isinstance(value, dict) and "set" in value:
        unique = {json.dumps(item): item for item in map(one_nothing, value["set"])}
        return {"set": [unique[text] for text in sorted(unique)]}
    return int(value) if isinstance(value, bool) else value


def digest(coded):
    return hashlib.md5(json.dumps(one_nothing(coded)).encode()).hexdigest()


def exact_digest(coded):
    return hashlib.md5(json.dumps(tokpidjin.normal(coded)).encode()).hexdigest()


def kind(value):
    if callable(value):
        return "function"
    if value is None or isinstance(value, float) or value in ((), frozenset()):
        return NOTHING
    return "int" if isinstance(value, int) else "tuple" if isinstance(value, tuple) else "set"


def is_container(value):
    return isinstance(value, (tuple, frozenset))


def oddities(value):
    """What has no type in arcl, anywhere in a value of Python's. A tuple of two may have one of each."""
    if not is_container(value):
        return set()
    kinds = {kind(item) for item in value}
    found = set().union(*(oddities(item) for item in value if is_container(item)))
    if "function" in kinds:
        found.add("a function in a container")
    if NOTHING in kinds and "int" in kinds or any(item is None or isinstance(item, float) for item in value):
        found.add("nothing among ints")
    if isinstance(value, tuple) and value and all(isinstance(row, tuple) and row and set(map(kind, row)) == {NOTHING} for row in value):
        found.add("a grid of nothing")
    if len(kinds - {NOTHING}) > 1 and not (isinstance(value, tuple) and len(value) == 2):
        found.add("a container of several types")
    return found


def shape(value, depth=2):
    """The type of a value, as far as that is told by its items; none of nothing."""
    found = kind(value)
    if found not in ("tuple", "set") or not depth:
        return "" if found == NOTHING else found
    return found + "".join(sorted({shape(item, depth - 1) for item in value} - {""}))


def calls_of(text):
    """{number: names} of the lines tN = f(..) of a battery."""
    found = {}
    batt = next(node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == "batt")
    for statement in batt.body:
        line = statement.body[0] if isinstance(statement, ast.Try) else statement
        if isinstance(line, ast.Assign) and re.fullmatch(r"t\d+", getattr(line.targets[0], "id", "")):
            found[int(line.targets[0].id[1:])] = [line.value.func.id] + [argument.id for argument in line.value.args]
    return found


def arguments_of(calls, number):
    return [int(name[1:]) for name in calls[number] if re.fullmatch(r"t\d+", name)]


def needed_for(calls, numbers):
    needed, left = set(), list(numbers)
    while left:
        number = left.pop()
        if number not in needed:
            needed.add(number)
            left.extend(arguments_of(calls, number))
    return needed


# ---- Python ----

def watched_battery(fork, battery, note):
    """batt of a battery, which notes the value of each line."""
    with open(battery) as file:
        text = file.read()
    lines = []
    for line in text.split("\n"):
        lines.append(line)
        match = re.match(r"( +)(t(\d+)) = ", line)
        if match and len(match[1]) == 4:
            lines.append("    note(%s, %s)" % (match[3], match[2]))
        elif match and "_get_safe_default" in line:
            lines.append("    note(%s, %s)" % (match[3], match[2]))
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write("\n".join(lines))
        file.flush()
        batt = tokpidjin.load_battery(fork, file.name, "arcl")
    batt.__globals__["note"] = note
    return batt


def python_lines(fork, battery, limit, paths):
    """Prints, by task and example, what each line yields in both runs: digest, text, shape and oddities."""
    signal.signal(signal.SIGALRM, tokpidjin.out_of_time)
    noted = {}

    def note(number, value):
        coded = tokpidjin.coded(value)
        noted[number] = [digest(coded), json.dumps(coded)[:100], shape(value), sorted(oddities(value)), exact_digest(coded)]
    batt = watched_battery(fork, battery, note)
    found = {}
    for path in paths:
        pairs, examples = tokpidjin.read_task(path)
        found[path] = []
        for given, wanted in examples:
            runs = []
            for expected in (None, wanted):
                noted.clear()
                done = tokpidjin.limited(limit, batt, "", pairs, given, expected, None)
                runs.append(dict(noted) if done else None)
            found[path].append(runs)
    json.dump(found, sys.stdout)


# ---- arcl ----

def probes_text(calls, numbers):
    """A battery that returns these lines."""
    text = ["def batt(task_id, S, I, C, log_path):", "    s = []", "    o = []"]
    for number in sorted(needed_for(calls, numbers)):
        text.append("    t%d = %s(%s)" % (number, calls[number][0], ", ".join(calls[number][1:])))
        if number in numbers:
            text.append("    s.append((%d, 'None', 'differ_%d', t%d))" % (number, number, number))
    return "\n".join(text + ["    return o, s", ""])


def arcl_lines(arcl, calls, numbers, path):
    """{(example, run, number): (digest, text)}"""
    found = {}
    for first in range(0, len(numbers), PROBES):
        with tempfile.TemporaryDirectory() as directory:
            probes, out = os.path.join(directory, "probes.py"), os.path.join(directory, "out.json")
            with open(probes, "w") as file:
                file.write(probes_text(calls, set(numbers[first:first + PROBES])))
            subprocess.run(tokpidjin.run_command(arcl, probes, path, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with open(out) as file:
                document = json.load(file)
        for place, example in enumerate(document["examples"]):
            for run, part in enumerate(["s_absent", "s"]):
                for row in example[part]:
                    found[place, run, row[0]] = digest(row[3]), json.dumps(row[3])[:100]
    return found


# ---- both ----

def first_difference(calls, number, theirs, ours):
    """The first of the lines that a value depends on which differs."""
    for line in sorted(needed_for(calls, [number])):
        known = theirs.get(str(line))
        if known and known[2] != "function" and ours(line)[0] != known[0]:
            return line
    return None


def looked_at(calls, root, theirs):
    """A line and its arguments; of functions, what they are made from."""
    found, left = [root], arguments_of(calls, root)
    while left:
        line = left.pop()
        found.append(line)
        if theirs.get(str(line), UNKNOWN)[2] == "function":
            left.extend(arguments_of(calls, line))
    return found


def reason_of(calls, root, theirs, shapes):
    """What is odd about a line, or about what it is made from."""
    lines = looked_at(calls, root, theirs)
    if calls[root][0] == "gravitate" and theirs.get(str(arguments_of(calls, root)[-1]), UNKNOWN)[2] == "":
        return "gravitate towards nothing"
    for line in lines:
        for oddity in theirs.get(str(line), UNKNOWN)[3]:
            return oddity
    return "a value of another type than in other lanes" if any(len(shapes[line]) > 1 for line in lines) else None


def shapes_of(found):
    """{number: types that the line has in some lane}"""
    shapes = collections.defaultdict(set)
    for runs in (run for examples in found.values() for run in examples):
        for lines in filter(None, runs):
            for number, known in lines.items():
                if known[2]:
                    shapes[int(number)].add(known[2])
    return shapes


def differing(theirs, ours):
    """[(example, run, number)] of the appended values that differ, how many there are, and how many agree to the letter."""
    found, count, exact = [], 0, 0
    for place, (runs, example) in enumerate(zip(theirs, ours)):
        for run, part in enumerate("os"):
            for row in (example[part] or []) if runs[run] else []:
                known = runs[run][str(row[0])]
                count += 1
                if known[2] == "function":
                    exact += 1
                    continue
                if known[0] != digest(row[3]):
                    found.append((place, run, row[0]))
                exact += known[4] == exact_digest(row[3])
    return found, count, exact


def run_python(options, battery, paths):
    side = [sys.executable, os.path.abspath(__file__), "--fork", options.fork, "--limit", str(options.limit), "--python-side"]
    return json.loads(subprocess.run(side + ["--only"] + paths + ["--", battery], stdout=subprocess.PIPE, check=True).stdout)


def explain(options, battery):
    """(values, values that agree to the letter, {reason: values that differ})"""
    paths = tokpidjin.tasks_of(battery, options.tasks, options.only)
    with open(battery) as file:
        calls = calls_of(file.read())
    python = run_python(options, battery, paths)
    shapes, count, exact, reasons, roots = shapes_of(python), 0, 0, collections.Counter(), collections.Counter()
    sample = {}
    for path in paths:
        _, ours = tokpidjin.run_one(options.arcl, battery, path, 1)
        found, values, to_the_letter = differing(python[path], ours)
        count, exact = count + values, exact + to_the_letter
        lines = arcl_lines(options.arcl, calls, sorted(needed_for(calls, [number for _, _, number in found])), path)
        for place, run, number in found:
            theirs = python[path][place][run]
            root = first_difference(calls, number, theirs, lambda line: lines.get((place, run, line), ("", "-")))
            reason = reason_of(calls, root, theirs, shapes) if root else "a function in a container"
            reasons[reason or UNEXPLAINED] += 1
            if root:
                text = "t%d = %s(%s)" % (root, calls[root][0], ", ".join(calls[root][1:]))
                roots[reason or UNEXPLAINED, text] += 1
                sample.setdefault(text, (theirs[str(root)][1], lines.get((place, run, root), ("", "-"))[1]))
    report(battery, count, exact, reasons)
    for (reason, text), many in sorted(roots.items(), key=lambda root: (root[0][0] != UNEXPLAINED, -root[1]))[:options.roots]:
        print("  %4d  %s\n        %s\n        Python %s\n        arcl   %s" % (many, text, reason, *sample[text]))
    return count, exact, reasons


def report(name, count, exact, reasons):
    nothing = count - exact - sum(reasons.values())
    print("%s: %d values, %d equal, %d but for the kind of nothing%s"
          % (name, count, exact, nothing, "".join(", %d %s" % (many, why) for why, many in reasons.most_common())), flush=True)


def main():
    parser = tokpidjin.battery_parser(__doc__, limit=60)
    parser.add_argument("--roots", type=int, default=5, help="lines to show for each battery")
    parser.add_argument("--python-side", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.python_side:
        return python_lines(options.fork, options.batteries[0], options.limit, options.only)
    if not options.tasks:
        parser.error("--tasks is needed")
    found = [explain(options, battery) for battery in options.batteries]
    if len(found) > 1:
        report("all", sum(f[0] for f in found), sum(f[1] for f in found), sum((f[2] for f in found), collections.Counter()))
    return None


if __name__ == "__main__":
    main()
