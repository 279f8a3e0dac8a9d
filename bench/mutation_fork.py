#!/usr/bin/env python3
"""Mutants a second: arcl against the fork's own loop, on one task, in one run.

usage: bench/mutation_fork.py --fork DIR --task TASK.json [--mutation build/bench/mutation] [--batteries 20] [--candidates 200000]

DIR of --fork is your own checkout of pierreb4/tokpidjin, in which nothing is written. Its loop has card.py write a battery of 32 of
its solvers, with names changed at random, and run_batt.py run it on the train examples of a task: each result is a candidate. The time
is that of card.py's main, of compiling the battery and of its calls on the inputs; what judges outputs is left out, in the fork's
favour. A call is ended after a second, as run_batt.py would, and its candidates count. arcl mutates the same solvers (solvers_pre.py)
and scores the mutants on the same examples: build/bench/mutation. Both are seconds of one core.
"""
import argparse
import contextlib
import io
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import types

import tokpidjin
import tokpidjin_card

CALL_SECONDS = 1


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fork", required=True)
    parser.add_argument("--task", required=True)
    parser.add_argument("--mutation", default="build/bench/mutation")
    parser.add_argument("--batteries", type=int, default=20)
    parser.add_argument("--candidates", type=int, default=200000)
    return parser.parse_args()


def open_card(fork, task):
    """The fork's card.py, with its own solvers, and this task alone."""
    tokpidjin.use_fork(fork)
    import card
    import solvers_pre
    import utils
    data = tokpidjin_card.read_tasks(os.path.dirname(task))
    utils.get_data = card.get_data = lambda **_: data
    solvers_of = card.get_solvers
    card.get_solvers = lambda _, best_only: solvers_of([solvers_pre], best_only=best_only)
    card.args = types.SimpleNamespace(freeze_differs=False)
    return card


def one_round(card, fork, pairs, name):
    """Candidates of a battery."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            card.main(count=32, batt_file_name=name)
        except IndexError:  # it found no line to put in place of t1
            return 0
        batt = tokpidjin.load_battery(fork, name, "python")
        for given, _ in pairs:
            tokpidjin.limited(CALL_SECONDS, batt, "", pairs, given, None, None)
    with open(name) as file:
        return file.read().count("o.append(")


def fork_side(fork, task, batteries):
    """(candidates, seconds of one core)"""
    pairs, _ = tokpidjin.read_task(task)
    card = open_card(fork, task)
    signal.signal(signal.SIGALRM, tokpidjin.out_of_time)
    random.seed(1)
    candidates, start = 0, time.process_time()
    for number in range(batteries):
        candidates += one_round(card, fork, pairs, "batt_%d.py" % number)
    return candidates, time.process_time() - start


def arcl_side(mutation, fork, task, candidates):
    done = subprocess.run([mutation, os.path.join(fork, "solvers_pre.py"), task, str(candidates)], capture_output=True, text=True,
                          check=True)
    made, seconds = re.match(r"(\d+) candidates in ([\d.]+) s", done.stdout).groups()
    return int(made), float(seconds)


def main():
    options = arguments()
    fork, task, mutation = map(os.path.abspath, (options.fork, options.task, options.mutation))
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)  # the fork makes files where it is
        sys.path.append(directory)
        made, seconds = fork_side(fork, task, options.batteries)
        ours, our_seconds = arcl_side(mutation, fork, task, options.candidates)
        os.chdir("/")
    print("fork: %d candidates in %.2f s of one core: %.0f a second" % (made, seconds, made / seconds))
    print("arcl: %d candidates in %.2f s of one core: %.0f a second, %.0f times as many"
          % (ours, our_seconds, ours / our_seconds, ours / our_seconds * seconds / made))


if __name__ == "__main__":
    main()
