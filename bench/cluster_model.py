#!/usr/bin/env python3
"""How evenly arcl-mpi would keep many ranks busy: its rules (tools/mpi/rank_blocks.c, rank_loop.c, rank_queue.c), simulated with what
single examples cost single programs on this machine.

  bench/cluster_model.py --programs solvers.py --tasks training
  bench/cluster_model.py --programs solvers.py --tasks training --without a64e4611 --ranks 1024
  bench/cluster_model.py --programs solvers.py --tasks training --measure

Costs are measured by `arcl score --all-pairs --threads 1`, which writes a journal with times: with --portion 1 those of single
examples, and with all examples of a program at once, which says what of that is beginning a piece (the shortest of
--repetitions each). The program that takes longest runs first, once more, so that no example pays for memory. The job that is simulated
has --all-programs and --all-tasks, drawn from those with replacement. Efficiency is what one rank would take, by the same costs, over
ranks times what the ranks take; --operation is what an operation on rank 0's memory costs, --message and --record what those cost
rank 0. What starting MPI, reading and writing results takes is left out.
"At best" is the efficiency of ranks that all end together, or with the example that takes longest, begun at once.

With --measure, jobs of 1, 2 and 4 ranks are run (the shortest of --repetitions) and compared with the model of the same job by
processor time, so that it does not matter how many cores there are: that of all ranks with what the model's ranks ran, and that of
the rank that had most with when the model's last rank ended. What the kernel took, which is nearly all for memory, is shown apart."""
import argparse
import collections
import heapq
import itertools
import json
import math
import os
import pathlib
import random
import re
import struct
import subprocess
import tempfile

from cluster_speed import ENVIRONMENT

ROOT = pathlib.Path(__file__).resolve().parent.parent
TRIES, FOR_TRIES = 4, 64                                                                             # score_order.c
WINDOW, GROWTH, LONG, FINE, FIRST_UNITS = 64, 4, 16, 64, 64                                  # rank_blocks.c
SLOW, MUCH, LONG_REST, LEAST = 0.002, 0.005, 0.2, 0.00075
CLASSES, ORDINARY, QUEUES = 7, 13, 18                                                                 # rank_queue.h
LOOK_AFTER, SEND_AFTER, OTHERS, LEAST_PATIENCE, MOST_PATIENCE, PATIENCE = 0.001, 0.01, 16, 0.0025, 0.2, 0.02   # rank_loop.c


# ---- what is measured ----

def journal_times(options, folder, programs, units, repetitions):
    """Seconds of each record, in the order of units: the shortest of each."""
    best = {}
    for number in range(repetitions):
        journal = pathlib.Path(folder, f"{programs.stem}-{units}-{number}")
        command = [str(options.arcl), "score", str(programs), "--tasks", options.tasks, "--all-pairs", "--threads", "1", "--device",
                   "host", "--quiet", "--journal", str(journal), "--portion", str(units)]
        subprocess.run(command, capture_output=True, check=False)
        data, at = journal.read_bytes(), 32
        while at < len(data):
            first, _, nanoseconds, length, _ = struct.unpack_from("<5Q", data, at)
            best[first] = min(nanoseconds * 1e-9, best.get(first, 1e9))
            at += 40 + length
    return [seconds for _, seconds in sorted(best.items())]


def longest_first(options, folder, each):
    """A file that begins with a copy of the program that takes longest. Memory that a process has not used yet has to be found and
    cleared first, which takes several times as long as what it is needed for where a virtual machine gets it from its host: here that
    is the copy's."""
    head, *programs = re.split(r"(?m)^(?=def )", options.programs.read_text())
    taken = journal_times(options, folder, options.programs, each, 1)
    copy = re.sub(r"^def \w+", "def touch_memory", programs[taken.index(max(taken))])
    file = pathlib.Path(folder, "programs.py")
    file.write_text(head + copy + "".join(programs))
    return file


def weight(grid):
    """As in score_order.c."""
    right = sum(a != b for row in grid for a, b in zip(row, row[1:]))
    below = sum(a != b for row, next_row in zip(grid, grid[1:]) for a, b in zip(row, next_row))
    return 2 * len(grid) * len(grid[0]) + right + below


def task_weights(folder):
    """Of each task, the weights of its examples."""
    tasks = [json.loads(path.read_text()) for path in sorted(pathlib.Path(folder).glob("*.json"))]
    return [[weight(example["input"]) for part in ("train", "test") for example in task[part]] for task in tasks]


def unit_order(weights):
    """The tries, then the heaviest first, as in score_order.c."""
    order = sorted(range(len(weights)), key=lambda lane: (-weights[lane], lane))
    tries = [order[len(order) * (TRIES - n) // 10] for n in range(TRIES)] if len(order) >= FOR_TRIES else []
    return tries + [lane for lane in order if lane not in set(tries)]


def measure(options, folder, weights):
    """Of each program, seconds of beginning a piece, of each lane, in the order of tasks, and of all of them in one piece."""
    flat = [one for task in weights for one in task]
    each, order, programs = len(flat), unit_order(flat), []
    file = longest_first(options, folder, each)
    single, whole = (journal_times(options, folder, file, units, options.repetitions) for units in (1, each))
    for number, together in enumerate(whole[1:], 1):
        row = single[number * each:(number + 1) * each]
        begin = max(0.0, min((sum(row) - together) / max(1, each - 1), min(row)))
        lanes = [0.0] * each
        for unit, lane in enumerate(order):
            lanes[lane] = max(row[unit] - begin, 1e-7)
        programs.append((begin, lanes, together))
    return programs


# ---- the job and the rules ----

class Job:
    """Programs are numbers of rows; sums[row] has sums of seconds over the units."""

    def __init__(self, programs, begins, sums):
        self.programs, self.begins, self.sums, self.each = programs, begins, sums, len(sums[0]) - 1
        self.tries = TRIES if self.each >= FOR_TRIES else 0

    def seconds(self, program, first, end):
        row = self.programs[program]
        return self.begins[row] + self.sums[row][end] - self.sums[row][first]

    def all_seconds(self):
        return sum(self.begins[row] + self.sums[row][-1] for row in self.programs)

    def longest(self):
        """Of all units, which nobody can divide."""
        return max(self.begins[row] + end - first for row in set(self.programs) for first, end in itertools.pairwise(self.sums[row]))


class Block:
    """Units of one program that are left; units of the last piece, and what it took."""

    def __init__(self, program, first, end, tried=0, took=0.0):
        self.program, self.first, self.end, self.tried, self.took = program, first, end, tried, took

    def rate(self):
        return self.took / self.tried if self.tried else 0.0

    def rest(self):
        return self.rate() * (self.end - self.first)

    def part(self, first, end):
        return Block(self.program, first, end, self.tried, self.took)


def unit_class(first):
    return min(CLASSES - 1, (first // FIRST_UNITS).bit_length())


def class_end(first):
    number = unit_class(first)
    return FIRST_UNITS << number if number < CLASSES - 1 else 10 ** 15


def long_queue(first):
    return 2 * unit_class(first // 2)


def ordinary_queue(block):
    if unit_class(block.first) < CLASSES - 1:
        return 2 * unit_class(block.first) + 1
    queue, most = ORDINARY, LONG_REST
    while block.tried and queue < QUEUES - 1 and block.rest() <= most:
        queue, most = queue + 1, most / 2
    return queue


def reach(seconds, each):
    return max(1, int(seconds / each)) if each > 0 else 10 ** 15


class Rank:
    def __init__(self, fresh):
        self.fresh, self.blocks = fresh, []    # fresh: the last comes first
        self.looked = self.sent = 0.0
        self.unsent = 0

    def has_own(self):
        while len(self.blocks) < WINDOW and self.fresh:
            self.blocks.append(self.fresh.pop())
        return bool(self.blocks)

    def next(self):
        return min(self.blocks, key=lambda block: block.first if block.tried else -1)


class Simulation:
    def __init__(self, job, ranks, options):
        self.job, self.count, self.options = job, ranks, options
        self.queues = [collections.deque() for _ in range(QUEUES)]
        self.events, self.order, self.idle = [], itertools.count(), []
        self.left = len(job.programs) * job.each
        self.end = self.writer = self.busy = self.logs = 0.0
        self.costs = self.records = self.messages = self.given = 0
        self.ranks = [Rank(self.share(number)) for number in range(ranks)]

    def share(self, number):
        size, blocks = self.job.each if len(self.job.programs) >= self.count else 1, []
        first, end = (self.left // size * n // self.count * size for n in (number, number + 1))
        while first < end:
            program = first // self.job.each
            stop = min(end, (program + 1) * self.job.each)
            blocks.append(Block(program, first - program * self.job.each, stop - program * self.job.each))
            first = stop
        return blocks[::-1]

    def run(self):
        """Seconds until all is done and written."""
        for rank in self.ranks:
            self.at(0.0, self.step, rank)
        while self.events:
            now, _, what, argument = heapq.heappop(self.events)
            what(now, argument)
        assert self.left == 0
        return max(self.end, self.writer)

    def at(self, time, what, argument):
        heapq.heappush(self.events, (time, next(self.order), what, argument))

    def patience(self, now):
        return LEAST_PATIENCE if self.idle else min(MOST_PATIENCE, max(LEAST_PATIENCE, PATIENCE * now))

    # ---- records ----

    def arrive(self, now, records):
        self.writer = max(self.writer, now) + self.options.message + records * self.options.record

    def record(self, now, rank):
        rank.unsent += 1
        self.records += 1
        self.end = max(self.end, now)
        if now - rank.sent > max(SEND_AFTER, self.patience(now)):
            self.send(now, rank)

    def send(self, now, rank):
        if rank.unsent:
            self.messages += 1
            self.at(now, self.arrive, rank.unsent)
            rank.unsent, rank.sent = 0, now

    # ---- giving ----

    def give(self, now, given):
        self.at(now, self.appear, given)
        return now + 3 * self.options.operation * len(set(queue for queue, _ in given))

    def appear(self, now, given):
        self.given += len(given)
        for queue, blocks in given:
            self.queues[queue].append(blocks)
            if self.idle:
                self.at(now, self.step, self.idle.pop())

    def is_only_tried(self, block):
        return block.first <= (self.job.tries or 1)

    def divide(self, block, rank):
        first, given = block.first, []
        stop = block.end if self.is_only_tried(block) else min(block.end, class_end(first))
        if stop < block.end:
            rank.blocks.append(block.part(stop, block.end))
        while first < stop:
            end = min(stop, first + max(1, first // FINE))
            given.append((long_queue(first), [Block(block.program, first, end)]))
            first = end
        return given

    @staticmethod
    def scatter(block):
        return [(long_queue(unit), [Block(block.program, unit, unit + 1)]) for unit in range(block.first, block.end)]

    def give_all(self, rank):
        given = []
        for block in rank.blocks:
            if self.is_only_tried(block) and self.is_long(block):
                given += self.divide(block, rank)
            else:
                given.append((ordinary_queue(block), [block]))
        each = -(-len(rank.fresh) // 4)
        given += [(1, rank.fresh[n:n + each]) for n in range(0, len(rank.fresh), each or 1)]
        rank.blocks, rank.fresh = [], []
        return given

    @staticmethod
    def give_end(block, each, wanted, size, given):
        length = block.end - block.first
        units = int(wanted / each) if each > 0 and wanted < each * length else length
        first, stop = block.end - units, block.end
        block.end = first
        while first < stop:
            end = min(stop, first + reach(size, each))
            given.append((ordinary_queue(block.part(first, end)), [block.part(first, end)]))
            first = end
        return units * each

    def give_shares(self, rank):
        tried = [block for block in rank.blocks if block.tried]
        if not tried:
            return []
        mean = sum(block.rate() for block in tried) / len(tried)
        everything = sum(block.rest() for block in tried) + mean * sum(block.end - block.first for block in rank.fresh)
        others = min(len(self.idle), OTHERS)
        size, given = everything / (others + 1), []
        wanted = size * others
        if everything < LEAST:
            return []
        size = max(size, LEAST)
        for block in rank.fresh + sorted(tried, key=lambda block: -block.first):
            if wanted <= 0:
                break
            wanted -= self.give_end(block, block.rate() or mean, wanted, size, given)
        for blocks in (rank.fresh, rank.blocks):
            blocks[:] = [block for block in blocks if block.first < block.end]
        return given

    # ---- running ----

    def piece(self, now, block, units):
        took = self.job.seconds(block.program, block.first, block.first + units)
        block.first, block.tried, block.took = block.first + units, units, took
        self.left -= units
        self.busy += took
        return now + took

    def piece_units(self, block, patience):
        if not block.tried:
            units = max(1, self.job.tries - block.first)
        elif self.is_only_tried(block):
            units = 1
        else:
            units = min(GROWTH * block.tried, reach(patience, block.rate()))
        return min(units, block.end - block.first)

    def long_piece_units(self, block, patience):
        return self.piece_units(block, patience) if unit_class(block.first) == CLASSES - 1 else 1

    def is_long(self, block):
        usual = math.exp(self.logs / self.costs) if self.costs else 0
        if not block.tried or block.first == block.end or not usual or block.rate() <= LONG * usual or block.rest() <= MUCH:
            return False
        return self.is_only_tried(block) or block.rate() > SLOW

    def learn(self, _, logarithm):
        self.logs, self.costs = self.logs + logarithm, self.costs + 1

    def run_own(self, now, rank):
        block = rank.next()
        rank.blocks.remove(block)
        if self.is_long(block):
            return self.give(now, self.divide(block, rank))
        is_first = not block.tried
        now = self.piece(now, block, self.piece_units(block, self.patience(now)))
        self.record(now, rank)
        if is_first:
            self.at(now, self.learn, math.log(block.took / block.tried))
        if self.is_long(block):
            return self.give(now, self.divide(block, rank))
        if block.first < block.end:
            rank.blocks.append(block)
        return now

    def run_taken(self, now, rank, block):
        given = []
        while block.first < block.end:
            now = self.piece(now, block, self.long_piece_units(block, self.patience(now) / 2))
            if block.took > self.patience(now):
                given = self.scatter(block)
                break
        self.record(now, rank)
        return self.give(now, given)

    def look(self, now, rank, has_own):
        """What a look at the others leads to; None: nothing."""
        limit = 2 * unit_class(rank.next().first) + 1 if has_own else QUEUES
        for number, queue in enumerate(self.queues[:limit]):
            if not queue:
                continue
            now, blocks = now + 2 * self.options.operation, queue.popleft()
            if number >= ORDINARY or number % 2:
                rank.fresh.extend(block for block in blocks if not block.tried)
                rank.blocks.extend(block for block in blocks if block.tried)
                return now
            return self.run_taken(self.give(now, self.give_all(rank)), rank, blocks[0])
        return None

    def step(self, now, rank):
        has_own = rank.has_own()
        if (not has_own or rank.next().tried) and (not has_own or now - rank.looked >= LOOK_AFTER):
            now += self.options.operation
            rank.looked = now
            then = self.look(now, rank, has_own)
            if then is not None:
                self.at(then, self.step, rank)
                return
            if has_own and self.idle:
                now = self.give(now, self.give_shares(rank))
        if rank.has_own():
            self.at(self.run_own(now, rank), self.step, rank)
            return
        self.at(max(now, rank.sent + SEND_AFTER / 2), self.send, rank)
        if self.left:
            self.idle.append(rank)


def simulate(job, ranks, options):
    simulation = Simulation(job, ranks, options)
    if ranks == 1:
        return job.all_seconds(), simulation
    return simulation.run(), simulation


# ---- against jobs that are run ----

def run_ranks(options, ranks, folder):
    """Of each rank of a job, seconds of processor time from its first piece to the end, and what of that was the kernel's."""
    command = ["mpirun", "-n", str(ranks), str(options.arcl.with_name("arcl-mpi")), "score", str(options.programs), "--tasks",
               options.tasks, "--all-pairs", "--threads", "1", "--device", "host", "--quiet", "--report"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **ENVIRONMENT}, check=False, cwd=folder)
    rows = re.findall(r"(?m)^ +\d+ \S+ +host +\d+ +\d+ +[\d.]+ +[\d.]+ +([\d.]+) +([\d.]+)", done.stderr)
    return [(float(user), float(system)) for user, system in rows]


def compare(options, folder, job, whole):
    """One rank runs every program as a whole."""
    taken = {1: [], 2: [], 4: []}
    for _ in range(options.repetitions):
        for ranks, jobs in taken.items():
            jobs.append(run_ranks(options, ranks, folder))
    print(f"{'ranks':>6} {'model: all':>11} {'measured':>9} {'kernel':>9} {'model: last':>12} {'measured':>9}   seconds of processor time")
    for ranks, jobs in taken.items():
        end, simulation = (whole, None) if ranks == 1 else simulate(job, ranks, options)
        print(f"{ranks:6} {simulation.busy if simulation else end:11.2f} {min(sum(user for user, _ in rows) for rows in jobs):9.2f} "
              f"{min(sum(system for _, system in rows) for rows in jobs):9.2f} "
              f"{end:12.2f} {min(max(user for user, _ in rows) for rows in jobs):9.2f}")


def prefix(values):
    return list(itertools.accumulate(values, initial=0.0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--tasks", required=True, help="a folder of task files")
    parser.add_argument("--arcl", type=pathlib.Path, default=ROOT / "build" / "arcl")
    parser.add_argument("--without", action="append", default=[], help="programs whose names end so are left out; can be repeated")
    parser.add_argument("--ranks", type=int, action="append", help="else 1, 4, 16, .. 4096")
    parser.add_argument("--all-programs", type=int, default=10000)
    parser.add_argument("--all-tasks", type=int, default=1000)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--costs", type=pathlib.Path, help="a file of what was measured: it is used if it is there, and written")
    parser.add_argument("--operation", type=float, default=3e-6, help="seconds of an operation on rank 0's memory")
    parser.add_argument("--message", type=float, default=5e-6, help="seconds that a message with records costs rank 0")
    parser.add_argument("--record", type=float, default=2e-7, help="seconds that each of them costs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--measure", action="store_true", help="run 1, 2 and 4 ranks and compare")
    options = parser.parse_args()
    options.programs, options.tasks = pathlib.Path(options.programs).resolve(), os.path.abspath(options.tasks)
    names = re.findall(r"(?m)^def (\w+)\(", options.programs.read_text())
    weights = task_weights(options.tasks)
    starts = prefix(map(len, weights))
    with tempfile.TemporaryDirectory() as folder:
        if options.costs and options.costs.exists():
            programs = json.loads(options.costs.read_text())
        else:
            programs = measure(options, folder, weights)
        if options.costs:
            options.costs.write_text(json.dumps(programs))
        kept = [program for name, program in zip(names, programs) if not any(name.endswith(end) for end in options.without)]
        sums = sorted((begin + sum(lanes) for begin, lanes, _ in kept), reverse=True)
        longest = max(max(lanes) for _, lanes, _ in kept)
        print(f"{len(kept)} programs, {len(weights)} tasks: {sum(sums):.2f} s; an example takes "
              f"{sum(sums) / len(kept) / starts[-1] * 1e6:.1f} us, at most {longest:.3f} s; beginning a piece "
              f"{sum(begin for begin, _, _ in kept) / len(kept) * 1e6:.1f} us; the longest program {sums[0] * len(sums) / sum(sums):.0f} "
              "times the mean")
        if options.measure:
            order = unit_order([one for task in weights for one in task])
            job = Job(list(range(len(programs))), [begin for begin, _, _ in programs],
                      [prefix(lanes[lane] for lane in order) for _, lanes, _ in programs])
            compare(options, folder, job, sum(together for _, _, together in programs))
    draw = random.Random(options.seed)
    drawn = [draw.randrange(len(weights)) for _ in range(options.all_tasks)]
    lanes = [int(starts[task]) + number for task in drawn for number in range(len(weights[task]))]
    # A task that is drawn again stands for one that is like it, not for the same: they are not neighbours in the order.
    likely = [one * factor for task, factor in ((task, draw.uniform(0.8, 1.25)) for task in drawn) for one in weights[task]]
    order = [lanes[unit] for unit in unit_order(likely)]
    job = Job([draw.randrange(len(kept)) for _ in range(options.all_programs)], [begin for begin, _, _ in kept],
              [prefix(row[lane] for lane in order) for _, row, _ in kept])
    alone = job.all_seconds()
    print(f"{options.all_programs} programs on {options.all_tasks} tasks: {alone:.1f} s by one rank")
    print(f"{'ranks':>6} {'seconds':>9} {'records':>9} {'messages':>9} {'given':>9} {'efficiency':>11} {'at best':>9}")
    for ranks in options.ranks or [4 ** n for n in range(7)]:
        seconds, simulation = simulate(job, ranks, options)
        print(f"{ranks:6} {seconds:9.3f} {simulation.records:9} {simulation.messages:9} {simulation.given:9} "
              f"{alone / ranks / seconds:11.3f} {alone / ranks / max(alone / ranks, job.longest()):9.3f}")


if __name__ == "__main__":
    main()
