#!/usr/bin/env python3
"""Calls without meaning, many at a time, against the fork: single changes that card.py makes, each with lines that use it.

usage: bench/tokpidjin_changes.py --fork DIR --tasks DIR [--arcl build/arcl] [--seeds 1 2 ..] [--findings FILE] [--each 1] [--rate 1]

Of a random battery nearly all lines agree, because nearly all are as somebody wrote them. Here a battery has, for every line that card.py
writes, --each more in which it has changed one name, and behind each of these up to --after lines of the original that use the
changed one. Every such line is compared (bench/tokpidjin_roots.py), on one task of the battery. Differences are told by op, class
and shapes of arguments, each with a sample, if the dialect's specification does not leave them out; --findings has all, as JSON. With
a higher --rate there are more changes in the original itself, so that some lines have several. The exit status is 1 if something
differs that is in no class.
"""
import collections
import io
import json
import math
import os
import random
import sys
import tempfile

import tokpidjin
import tokpidjin_card
import tokpidjin_roots
from tokpidjin_classes import OURS
from tokpidjin_roots import UNEXPLAINED

TRIES = 8  # until card.py has changed one name of a line
CHANCE = 0.4  # of a change, for each name of a line, meanwhile


class QuickRandom:
    """The module random, but a range weighted by itself, which card.py draws a thousand times for a line, is not summed up each time."""

    def __getattr__(self, name):
        return getattr(random, name)

    def choices(self, population, weights, k=1):
        if not population or population != weights or population != range(1, len(population) + 1):
            return random.choices(population, weights=weights, k=k)
        total = len(population) * (len(population) + 1) // 2
        return [(math.isqrt(8 * random.randrange(total) + 1) + 1) // 2 for _ in range(k)]


class Changes:
    """Lines that card.py has changed once: {number of the original: calls}."""

    def __init__(self, card, each):
        self.card, self.each, self.lines, self.code = card, each, collections.defaultdict(list), None
        self.mutate, card.Code.mutate = card.Code.mutate, lambda code, is_solver, freeze=False: self.mutate_often(code, is_solver, freeze)

    def mutate_often(self, code, is_solver, freeze):
        """What card.py calls for every line: makes changed lines, and then what it would have made."""
        self.code = code
        rate, self.card.BUDGET_RANDOM = self.card.BUDGET_RANDOM, CHANCE
        number, table = code.t_num, code.t_call
        calls = self.lines[number]
        for _ in range(0 if freeze else TRIES * self.each):
            call = self.changed_once(code, is_solver)
            if call and call not in calls:
                calls.append(call)
            code.t_num, code.t_call = number, table
            if len(calls) == self.each:
                break
        self.card.BUDGET_RANDOM = rate
        return self.mutate(code, is_solver, freeze)

    def changed_once(self, code, is_solver):
        """The call of the line with another name in one place; None: card.py has made something else of it."""
        number, file = code.t_num, code.file
        old, code.t_call, code.file = code.t_call[number].value, dict(code.t_call), io.StringIO()
        try:
            self.mutate(code, is_solver)
        except IndexError:  # it found no line to put in place of t1
            return None
        finally:
            code.file = file
        new = code.t_call[number].value
        return new if code.t_num == number and sum(a != b for a, b in zip(old, new)) == 1 else None

    def text(self, after):
        """A battery of the original lines, and of the changed ones with those that use them, of which it returns all."""
        calls = {number: call.value for number, call in self.code.t_call.items()}
        users = collections.defaultdict(list)
        for number, call in calls.items():
            for name in set(call):
                users[name].append(number)
        written, last = dict(calls), max(calls)
        for number, variants in self.lines.items():
            for variant in variants:
                renamed = {}
                for original, call in [(number, variant)] + [(user, calls[user]) for user in users_of(users, number, after)]:
                    last += 1
                    written[last] = tuple(renamed.get(name, name) for name in call)
                    renamed["t%d" % original] = "t%d" % last
        lines = ["def batt(task_id, S, I, C, log_path):", "    s = []", "    o = []"]
        for number, call in written.items():
            lines.append("    t%d = %s(%s)" % (number, call[0], ", ".join(call[1:])))
            if number > max(calls):
                lines.append("    s.append((%d, 'None', 'differ_%d', t%d))" % (number, number, number))
        return "\n".join(lines + ["    return o, s", ""])


def users_of(users, number, most):
    """The first lines that are computed from a line."""
    found, left = set(), [number]
    while left:
        more = set(users["t%d" % left.pop()]) - found
        found |= more
        left.extend(more)
    return sorted(found)[:most]


class Findings:
    """Kinds of differences: a class, an op and shapes of arguments, with how many there are and a sample."""

    def __init__(self):
        self.count, self.sample, self.values, self.exact = collections.Counter(), {}, 0, 0

    def add(self, seed, explained):
        values, exact, _, roots = explained
        self.values, self.exact = self.values + values, self.exact + exact
        for (reason, root), many in roots.count.items():
            kind = (reason, *roots.kind.get((reason, root), ()))
            self.count[kind] += many
            self.sample.setdefault(kind, ["seed %d" % seed] + roots.sample.get((reason, root), []))

    def reasons(self):
        found = collections.Counter()
        for kind, many in self.count.items():
            found[kind[0]] += many
        return found

    def show(self):
        """Those that the dialect's specification does not leave out."""
        for kind, many in sorted(self.count.items(), key=lambda of: (of[0][0], of[0][1], -of[1])):
            if kind[0] in OURS | {UNEXPLAINED}:
                print("%5d  %s: %s\n        %s" % (many, kind[0], " ".join(kind[1:]), "\n        ".join(self.sample[kind])))

    def write(self, name):
        with open(name, "w") as file:
            json.dump([{"class": kind[0], "op": kind[1], "shapes": kind[2:], "values": many, "sample": self.sample[kind]}
                       for kind, many in self.count.most_common()], file, indent=1)


def write_changes(options, out):
    """[(seed, battery, task)]"""
    found = []
    with tokpidjin_card.open_card(options) as card:
        card.random = QuickRandom()
        for seed in options.seeds:
            original, name = (os.path.join(out, "%s_%d.py" % (kind, seed)) for kind in ("batt", "changes"))
            changes = Changes(card, options.each)
            if tokpidjin_card.write_battery(card, seed, options.count, original, False):
                with open(name, "w") as file:
                    file.write(changes.text(options.after))
                found.append((seed, name, tokpidjin.tasks_of(original, "", None, 1)[0][:-len(".json")]))
            card.Code.mutate = changes.mutate
    return found


def main():
    parser = tokpidjin_card.card_parser(__doc__)
    parser.add_argument("--arcl", default="build/arcl")
    parser.add_argument("--limit", type=float, default=300, help="seconds that Python has for a run")
    parser.add_argument("--each", type=int, default=1, help="changes of a line")
    parser.add_argument("--after", type=int, default=4, help="lines that use a changed one")
    parser.add_argument("--findings", help="a file to write differences to, as JSON")
    options = parser.parse_args()
    findings = Findings()
    with tempfile.TemporaryDirectory() as directory:
        for seed, battery, task in write_changes(options, options.out or directory):
            options.only = [task]
            findings.add(seed, tokpidjin_roots.explain(options, battery))
    findings.show()
    if options.findings:
        findings.write(options.findings)
    return tokpidjin_roots.conclude(findings.values, findings.exact, findings.reasons())


if __name__ == "__main__":
    sys.exit(main())
