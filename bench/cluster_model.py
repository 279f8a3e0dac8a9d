#!/usr/bin/env python3
"""How evenly arcl-mpi would keep many ranks busy: its rules (tools/portions/portion_plan.c, tools/mpi/rank_pace.c, ranks.c),
simulated with what single pairs of a program and a task cost on this machine.

  bench/cluster_model.py --programs solvers.py --tasks training
  bench/cluster_model.py --programs solvers.py --tasks training --without a64e4611 --ranks 1024

Pairs are measured by `arcl score --all-pairs --threads 1 --portion 1` (the shortest of --repetitions), which writes a journal with
their times. The job that is simulated has --all-programs and --all-tasks, drawn from those with replacement. Efficiency is what
one rank would take, over ranks times what the ranks take; --operation is what taking or giving work costs, --record what a
record costs rank 0. What starting MPI, reading and writing results takes is left out. With --measure, jobs of 1, 2 and 4 ranks
are run and compared with the model of the same job: that says something only on a machine that is not busy."""
import argparse
import bisect
import heapq
import itertools
import os
import pathlib
import random
import re
import struct
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
USUAL, SHARE, SMALLEST = 16384, 0.25, 1 / 64            # lanes; of what is left for a rank; of USUAL
GROWTH, OF_A_WORKER, LEAST_PATIENCE, MOST_PATIENCE, PATIENCE = 4, 4, 0.005, 0.2, 0.03


def measure(options, folder):
    """Seconds and lanes: costs[program][task], lanes[task]."""
    best = None
    for number in range(options.repetitions):
        journal = pathlib.Path(folder, f"journal{number}")
        command = [str(options.arcl), "score", options.programs, "--tasks", options.tasks, "--all-pairs", "--threads", "1", "--device",
                   "host", "--quiet", "--journal", str(journal), "--portion", "1"]
        subprocess.run(command, capture_output=True, check=False)
        data, at, times = journal.read_bytes(), 32, {}
        while at < len(data):
            first, _, nanoseconds, length, _ = struct.unpack_from("<5Q", data, at)
            times[first] = nanoseconds * 1e-9
            at += 40 + length
        best = times if best is None else {n: min(t, best[n]) for n, t in times.items()}
    return [best[n] for n in range(len(best))]


def prefix(values):
    return list(itertools.accumulate(values, initial=0))


class Job:
    """Programs are numbers of rows; rows[n] has sums of seconds over the tasks, weights sums of lanes."""

    def __init__(self, programs, rows, weights):
        self.programs, self.rows, self.weights, self.tasks = programs, rows, weights, len(weights) - 1

    def seconds(self, program, first, end):
        row = self.rows[self.programs[program]]
        return row[end] - row[first]

    def reach(self, first, end, cost):
        at = bisect.bisect_right(self.weights, self.weights[first] + cost, first + 1, end + 1) - 1
        return max(at, first + 1)

    def all_seconds(self):
        return sum(self.rows[row][self.tasks] for row in self.programs)

    def plan(self, ranks):
        """Portions, as lists of (program, first task, end), the longest first."""
        whole, left = self.weights[-1], self.weights[-1] * len(self.programs)
        program, task, portions = 0, 0, []
        while program < len(self.programs):
            wanted = max(SMALLEST * USUAL, min(USUAL, SHARE * left / ranks))
            cost, pieces = 0, []
            while program < len(self.programs) and cost < wanted:
                more = whole - self.weights[task]
                if pieces and cost + more > wanted and cost >= wanted / 2:
                    break
                end = self.reach(task, self.tasks, wanted - cost) if cost + more > 1.5 * wanted else self.tasks
                pieces.append((program, task, end))
                cost += self.weights[end] - self.weights[task]
                program, task = (program + 1, 0) if end == self.tasks else (program, end)
                if end != self.tasks:
                    break
            left -= cost
            portions.append((cost, pieces))
        portions.sort(key=lambda portion: -portion[0])
        return [pieces for _, pieces in portions]


def simulate(job, ranks, operation, record, piece_cost):
    """Seconds until all is done, and how many portions were run."""
    plan, given, count, writer = job.plan(ranks), [], 0, 0.0
    planned, order = 0, itertools.count()
    free = [(0.0, rank) for rank in range(ranks)]
    heapq.heapify(free)
    end = 0.0
    waiting = []                                         # ranks for which there was nothing when they asked
    while free:
        now, rank = heapq.heappop(free)
        ready = bool(given) and given[0][0] <= now
        if ready:
            _, _, pieces = heapq.heappop(given)
        elif planned < len(plan):
            pieces = plan[planned]
            planned += 1
        elif given:                                      # it will be there
            heapq.heappush(free, (given[0][0], rank))
            continue
        else:
            waiting.append(rank)
            continue
        start = now
        now += 2 * operation
        count += 1
        pieces = list(pieces)
        if ranks == 1:
            now += sum(job.seconds(*piece) for piece in pieces) + piece_cost
            pieces = []
        while pieces:
            program, first, stop = pieces.pop(0)
            patience = min(MOST_PATIENCE, max(LEAST_PATIENCE, PATIENCE * now))
            cost = rate = 0
            while first < stop:
                upto = first + 1
                if cost:
                    wanted = min(GROWTH * cost, patience / 2 / rate) if rate else GROWTH * cost
                    upto = stop if wanted >= job.weights[stop] - job.weights[first] else job.reach(first, stop, wanted)
                took = job.seconds(program, first, upto) + piece_cost
                cost = max(job.weights[upto] - job.weights[first], 1)
                rate, now, first = took / cost, now + took, upto
                if now - start > patience and (first < stop or pieces):
                    break
            if first < stop:
                whole = job.weights[stop] - job.weights[first]
                size = max(patience / 2 / rate, whole / (ranks * OF_A_WORKER))
                while first < stop:
                    upto = job.reach(first, stop, size)
                    heapq.heappush(given, (now, next(order), [(program, first, upto)]))
                    now += operation
                    first = upto
            if now - start > patience and pieces:
                heapq.heappush(given, (now, next(order), pieces))
                pieces = []
        writer = max(writer, now) + record
        end = max(end, now)
        heapq.heappush(free, (now, rank))
        while waiting and given:
            heapq.heappush(free, (max(now, given[0][0]), waiting.pop()))
            if len(waiting) < len(given):
                break
    return max(end, writer), count


def run_ranks(options, ranks, folder):
    """Wall seconds that a job of the command takes from its first portion to its last."""
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    command = ["mpirun", "-n", str(ranks), str(options.arcl.with_name("arcl-mpi")), "score", options.programs, "--tasks", options.tasks,
               "--all-pairs", "--threads", "1", "--device", "host", "--quiet", "--report"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, cwd=folder)
    rows = re.findall(r"(?m)^ +\d+ \S+ +host +\d+ +\d+ +([\d.]+) +([\d.]+)", done.stderr)
    return max(float(running) + float(waiting) for running, waiting in rows)


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
    parser.add_argument("--operation", type=float, default=3e-6, help="seconds of an operation on rank 0's memory")
    parser.add_argument("--record", type=float, default=5e-6, help="seconds that a record costs rank 0")
    parser.add_argument("--piece", type=float, default=2e-5, help="seconds of beginning a piece, compiling among them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--measure", action="store_true", help="run 1, 2 and 4 ranks and compare")
    options = parser.parse_args()
    options.programs, options.tasks = os.path.abspath(options.programs), os.path.abspath(options.tasks)
    names = re.findall(r"(?m)^def (\w+)\(", pathlib.Path(options.programs).read_text())
    with tempfile.TemporaryDirectory() as folder:
        costs = measure(options, folder)
        task_count = len(costs) // len(names)
        lanes = [pathlib.Path(options.tasks, name).read_text().count('"input"') for name in sorted(os.listdir(options.tasks))]
        rows = [costs[n * task_count:(n + 1) * task_count] for n in range(len(names))]
        kept = [row for name, row in zip(names, rows) if not any(name.endswith(end) for end in options.without)]
        sums = sorted(map(sum, kept), reverse=True)
        mean = sum(sums) / len(kept) / task_count * 1e6
        print(f"{len(kept)} programs, {task_count} tasks: {sum(sums):.2f} s; a pair takes {mean:.0f} us, "
              f"at most {max(map(max, kept)):.3f} s; the longest program {sums[0] * len(sums) / sum(sums):.0f} times the mean")
        if options.measure:
            job = Job(list(range(len(rows))), [prefix(row) for row in rows], prefix(lanes))
            for ranks in (1, 2, 4):
                model = simulate(job, ranks, options.operation, options.record, options.piece)[0]
                print(f"{ranks} ranks: model {model:.2f} s, measured {run_ranks(options, ranks, folder):.2f} s")
    draw = random.Random(options.seed)
    tasks = [draw.randrange(task_count) for _ in range(options.all_tasks)]
    programs = [draw.randrange(len(kept)) for _ in range(options.all_programs)]
    job = Job(programs, [prefix(row[t] for t in tasks) for row in kept], prefix(lanes[t] for t in tasks))
    alone = job.all_seconds()
    print(f"{options.all_programs} programs on {options.all_tasks} tasks: {alone:.1f} s by one rank")
    print(f"{'ranks':>6} {'seconds':>9} {'portions':>9} {'efficiency':>11}")
    for ranks in options.ranks or [4 ** n for n in range(7)]:
        seconds, count = simulate(job, ranks, options.operation, options.record, options.piece)
        print(f"{ranks:6} {seconds:9.3f} {count:9} {alone / ranks / seconds:11.3f}")


if __name__ == "__main__":
    main()
