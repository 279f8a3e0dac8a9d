#!/usr/bin/env python3
"""Whether batteries agree with the fork in all that the dialect specifies: where values differ, the lines from which on they do, and why.

usage: bench/tokpidjin_roots.py --fork DIR --tasks DIR [--arcl build/arcl] [--limit 60] [--roots 5] [--count 5] [--only ID..] -- BATT.py..

A value that differs makes all differ that is computed from it. So both sides are asked for every line that such a value depends on, and
what counts is the first one that differs though its arguments agree: the root. bench/tokpidjin_classes.py has the classes that roots
are sorted into, each with the sentence that leaves it out. The exit status is 1 if a root is in none of them. arcl has one kind of nothing
for each type where Python has several, `()`, `frozenset()`, `None` and nan; values that differ in that alone are counted apart, and a
root is in a class that is about nothing only if Python has arcl's value where it is given another kind (bench/tokpidjin_nothing.py).

Each battery runs on --count whole tasks, of those that its solvers are named after, or on those of --only.
bench/tokpidjin_card.py has the fork write batteries.
"""
import argparse
import ast
import collections
import functools
import hashlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

import ordered_sets
import tokpidjin
from tokpidjin_classes import (ABOUT_NOTHING, CLASSES, FUNCTIONS, LACKING_PATCH, NO_OP, NO_OPS, NOTHING, NUMBERS, ORDER, OURS, PAINTED,
                               class_of, oddities, shape)
from tokpidjin_nothing import values_by_kinds

PROBES = 200  # lines that one battery of probes returns
LINES_SHOWN = 8  # of those that a root is made from
UNEXPLAINED = "in no class"
ORDERS = {"natural": False, "odd": True}  # whether there are cells in it whose colour is no int
UNKNOWN = ["", "", "", [], ""]  # of a line that Python did not come to


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

def watched_battery(fork, calls, numbers, note):
    """batt with the lines that these need, which notes the values of these. Every line is in a `try`, as card.py writes them unless it is
    told --vectorized: there a call of what is no function ends the run, and nothing would be left to compare."""
    text = ["from dsl import *", "from constants import *", "from safe_dsl import _get_safe_default",
            "def batt(task_id, S, I, C, log_path):"]
    for number in sorted(needed_for(calls, numbers)):
        name, *arguments = calls[number]
        text += ["    try:", "        t%d = %s(%s)" % (number, name, ", ".join(arguments)),
                 "    except (TypeError, AttributeError, ValueError, IndexError, KeyError):",
                 "        t%d = _get_safe_default(%s)" % (number, name)]
        if number in numbers:
            text.append("    note(%d, t%d)" % (number, number))
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write("\n".join(text + ["    return True", ""]))
        file.flush()
        batt = tokpidjin.load_battery(fork, file.name, "arcl")
    batt.__globals__["note"] = note
    return batt


def python_lines(fork, battery, limit, numbers, paths):
    """Prints, by task and example, what these lines yield in both runs: digest, text, shape, oddities and the digest to the letter."""
    signal.signal(signal.SIGALRM, tokpidjin.out_of_time)
    noted = {}

    def note(number, value):
        noted[number] = value

    def told(value):
        coded = tokpidjin.coded(value)
        return [digest(coded), json.dumps(coded)[:100], shape(value), sorted(oddities(value)), exact_digest(coded)]
    with open(battery) as file:
        calls = calls_of(file.read())
    batt = watched_battery(fork, calls, set(numbers), note)
    found = {}
    for path in paths:
        pairs, examples = tokpidjin.read_task(path)
        found[path] = []
        for given, wanted in examples:
            runs = []
            for expected in (None, wanted):
                noted.clear()
                done = tokpidjin.limited(limit, batt, "", pairs, given, expected, None)
                runs.append({number: told(value) for number, value in noted.items()} if done else None)
            found[path].append(runs)
    parameters = {name: list(getattr(batt.__globals__.get(name), "__annotations__", {}).values()) for name, *_ in calls.values()}
    json.dump({"parameters": parameters, "tasks": found}, sys.stdout)


def python_kinds(fork, battery, limit, asked):
    """Prints for each of [path, example, run, root, lines that it is made from, arcl's digest] whether a kind of nothing makes the
    difference."""
    signal.signal(signal.SIGALRM, tokpidjin.out_of_time)
    with open(battery) as file:
        calls = calls_of(file.read())
    values, found = {}, []
    batt = watched_battery(fork, calls, {line for question in asked for line in question[4]}, values.__setitem__)

    def is_told_by_kind(root, lines, wanted, names):
        return any(digest(tokpidjin.coded(value)) == wanted for value in values_by_kinds(calls, root, lines, values, names))
    for path, place, run, root, lines, wanted in asked:
        pairs, examples = tokpidjin.read_task(path)
        given, expected = examples[place][0], examples[place][1] if run else None
        values.clear()
        tokpidjin.limited(limit, batt, "", pairs, given, expected, None)
        names = {**batt.__globals__, "S": pairs, "I": given, "C": expected}
        found.append(bool(tokpidjin.limited(limit, is_told_by_kind, root, lines, wanted, names)))
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
    """{(example, run, number): (digest, text, digest to the letter)}"""
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
                    found[place, run, row[0]] = digest(row[3]), json.dumps(row[3])[:100], exact_digest(row[3])
    return found


# ---- both ----

def first_difference(calls, number, theirs, ours):
    """The first of the lines that a value depends on which differs."""
    for line in sorted(needed_for(calls, [number])):
        known = theirs.get(str(line))
        if known and known[2] != "function" and ours(line)[0] != known[0]:
            return line
    return None


def name_of_op(calls, line):
    """The op of a line; of a call of a function, (what made that)."""
    name = calls[line][0]
    return "(%s)" % name_of_op(calls, int(name[1:])) if re.fullmatch(r"t\d+", name) else name


def looked_at(calls, root, theirs):
    """A line and its arguments; of functions, what they are made from."""
    found, left = [root], arguments_of(calls, root)
    while left:
        line = left.pop()
        found.append(line)
        if theirs.get(str(line), UNKNOWN)[2] == "function":
            left.extend(arguments_of(calls, line))
    return found


def are_several(shapes):
    """Whether types differ in more than that the items of one are empty."""
    return any(not a.startswith(b) and not b.startswith(a) for a, b in itertools.combinations(shapes, 2))


def reason_of(root, theirs, ours, lanes):
    """The class of a root."""
    op, *names = lanes.calls[root]
    lines = looked_at(lanes.calls, root, theirs)
    known = {line: theirs.get(str(line), UNKNOWN) for line in lines}
    same_letters = all(known[line][2] == "function" or known[line][4] == ours(line)[2] for line in lines[1:])
    takes_number = all(theirs.get(name[1:], UNKNOWN)[3] != ["None"] or wanted in NUMBERS
                       for name, wanted in zip(names, lanes.parameters.get(op, [])))
    found = class_of(op, set(known[root][3]), set().union(*(known[line][3] for line in lines[1:])), same_letters, takes_number,
                     any(are_several(lanes.shapes[line]) for line in lines), lanes.parameters.get(op, [""])[-1:] == ["IJ"])
    return found or (NO_OP if any(NO_OPS & set(lanes.calls[line]) for line in lines) else None)


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


def run_python(options, battery, asked, paths, side="arcl"):
    command = [sys.executable, os.path.abspath(__file__), "--fork", options.fork, "--limit", str(options.limit), "--python-side", side]
    done = subprocess.run(command + ["--only"] + paths + ["--", battery], input=json.dumps(asked), stdout=subprocess.PIPE,
                          check=True, text=True)
    return json.loads(done.stdout)


class Lanes:
    """What Python has for some lines of a battery: in all lanes, so that types can be compared."""

    def __init__(self, options, battery, calls, numbers, paths, order="arcl"):
        told = run_python(options, battery, sorted(numbers), paths, order)
        self.calls, self.parameters, self.tasks = calls, told["parameters"], told["tasks"]
        self.shapes = shapes_of(self.tasks)


class Roots:
    """How many values differ from a line on, by reason, and what that line was like where it was first met: its op and the shapes of its
    arguments, and the lines that are looked at. `orders` are what Python has if three ints are no cell, or if
    only cells without an int for a colour are."""

    def __init__(self, orders):
        self.count, self.kind, self.sample, self.orders = collections.Counter(), {}, {}, orders

    def depends_on_order(self, path, place, run, root, ours):
        """Whether arcl has what Python has in natural order."""
        runs = [order.tasks[path][place][run] or {} for order in self.orders]
        return any(str(root) in known and known[str(root)][0] == ours(root)[0] for known in runs)

    def find(self, lanes, path, place, run, number, ours):
        """(class, root) of a value."""
        theirs = lanes.tasks[path][place][run]
        root = first_difference(lanes.calls, number, theirs, ours)
        if root and self.depends_on_order(path, place, run, root, ours):
            return ORDER, root
        return (reason_of(root, theirs, ours, lanes) if root else FUNCTIONS) or UNEXPLAINED, root

    def add(self, lanes, path, place, run, reason, root, ours):
        theirs = lanes.tasks[path][place][run]
        self.count[reason, root] += 1
        if root and (reason, root) not in self.sample:
            self.kind[reason, root] = (name_of_op(lanes.calls, root),) + tuple(
                theirs.get(str(line), UNKNOWN)[2] or NOTHING for line in arguments_of(lanes.calls, root))
            self.sample[reason, root] = ["%s example %d run %d" % (os.path.basename(path), place, run)] + [
                "t%d = %s(%s): Python %s, arcl %s" % (line, lanes.calls[line][0], ", ".join(lanes.calls[line][1:]),
                                                      theirs.get(str(line), UNKNOWN)[1], ours(line)[1])
                for line in looked_at(lanes.calls, root, theirs)[:LINES_SHOWN]]

    def show(self, most):
        """Those in no class all, of the others so many."""
        for place, ((reason, root), many) in enumerate(sorted(self.count.items(), key=lambda of: (of[0][0] != UNEXPLAINED, -of[1]))):
            if reason == UNEXPLAINED or place < most:
                print("  %4d  %s\n        %s" % (many, reason, "\n        ".join(self.sample.get((reason, root), []))), flush=True)


def line_of(lines, place, run, line):
    return lines.get((place, run, line), ("", "-", ""))


def excused_by_kind(options, battery, lanes, found, ours_of):
    """Which roots, of those whose class is about nothing, differ for its kind, or are painted with it themselves: {(path, example,
    run, root)}"""
    asked = sorted({where[:3] + (where[4],) for where in found if where[3] in ABOUT_NOTHING})
    painted = {where for where in asked if PAINTED in lanes.tasks[where[0]][where[1]][where[2]][str(where[3])][3]}
    asked = [where for where in asked if where not in painted]
    questions = [[path, place, run, root, looked_at(lanes.calls, root, lanes.tasks[path][place][run])[1:],
                  ours_of[path, place, run](root)[0]] for path, place, run, root in asked]
    told = run_python(options, battery, questions, sorted({where[0] for where in asked}), "kinds") if asked else []
    return painted | {where for where, is_excused in zip(asked, told) if is_excused}


def lacks_in_patch(lanes, path, place, run, root):
    theirs = lanes.tasks[path][place][run]
    return any(LACKING_PATCH in theirs.get(str(line), UNKNOWN)[3] for line in looked_at(lanes.calls, root, theirs)[1:])


def explain(options, battery):
    """(values, values that agree to the letter, {reason: values that differ}, roots)"""
    paths = tokpidjin.tasks_of(battery, options.tasks, options.only, options.count)
    with open(battery) as file:
        text = file.read()
    calls = calls_of(text)
    appended = {int(number) for number in re.findall(r"[os]\.append\(\((\d+),", text)}
    results = Lanes(options, battery, calls, appended, paths)
    count, exact, reasons, differ = 0, 0, collections.Counter(), {}
    for path in paths:
        _, ours = tokpidjin.run_one(options.arcl, battery, path, 1)
        differ[path], values, to_the_letter = differing(results.tasks[path], ours)
        count, exact = count + values, exact + to_the_letter
    needed = needed_for(calls, {number for found in differ.values() for _, _, number in found})
    lanes = Lanes(options, battery, calls, needed, paths) if needed else results
    roots = Roots([Lanes(options, battery, calls, needed, paths, order) for order in ORDERS] if needed else [])
    found, ours_of = [], {}
    for path in filter(differ.get, paths):
        lines = arcl_lines(options.arcl, calls, sorted(needed_for(calls, {number for _, _, number in differ[path]})), path)
        for place, run, number in differ[path]:
            ours_of[path, place, run] = ours = functools.partial(line_of, lines, place, run)
            found.append((path, place, run, *roots.find(lanes, path, place, run, number, ours)))
    excused = excused_by_kind(options, battery, lanes, found, ours_of)
    for path, place, run, reason, root in found:
        if reason in ABOUT_NOTHING and (path, place, run, root) not in excused:
            reason = LACKING_PATCH if lacks_in_patch(lanes, path, place, run, root) else UNEXPLAINED
        roots.add(lanes, path, place, run, reason, root, ours_of[path, place, run])
        reasons[reason] += 1
    report(battery, count, exact, reasons)
    return count, exact, reasons, roots


def report(name, count, exact, reasons):
    nothing = count - exact - sum(reasons.values())
    print("%s: %d values, %d equal, %d but for the kind of nothing%s"
          % (name, count, exact, nothing, "".join(", %d %s" % (many, why) for why, many in reasons.most_common())), flush=True)


def conclude(count, exact, reasons):
    """What all batteries together have shown; the exit status."""
    report("all", count, exact, reasons)
    for reason in filter(reasons.get, CLASSES):
        print("%6d  %s: %s" % (reasons[reason], reason, CLASSES[reason]))
    print("%6d  in classes that are limits of our own" % sum(many for reason, many in reasons.items() if reason in OURS))
    print("%6d  %s" % (reasons[UNEXPLAINED], UNEXPLAINED))
    return 1 if reasons[UNEXPLAINED] else 0


def main():
    parser = tokpidjin.battery_parser(__doc__, limit=60)
    parser.add_argument("--count", type=int, default=5, help="tasks to run each battery on")
    parser.add_argument("--roots", type=int, default=5, help="lines to show for each battery")
    parser.add_argument("--python-side", choices=["arcl", *ORDERS, "kinds"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.python_side in ORDERS:
        ordered_sets.go_naturally(ORDERS[options.python_side])
    if options.python_side == "kinds":
        return python_kinds(options.fork, options.batteries[0], options.limit, json.load(sys.stdin))
    if options.python_side:
        return python_lines(options.fork, options.batteries[0], options.limit, json.load(sys.stdin), options.only)
    if not options.tasks:
        parser.error("--tasks is needed")
    found = []
    for battery in options.batteries:
        found.append(explain(options, battery))
        found[-1][3].show(options.roots)
    reasons = sum((f[2] for f in found), collections.Counter())
    return conclude(sum(f[0] for f in found), sum(f[1] for f in found), reasons)


if __name__ == "__main__":
    sys.exit(main())
