#!/usr/bin/env python3
"""How good plans for a simulated GPU are: what was selected by the profile against what the simulator says of every way.

usage: bench/simulated_regret.py --profile v100.json --programs FILE --tasks DIR [--names NAME,..] [--lanes 10,100,1000,10000]
                                 [--card] [--simulator DIR] [--arcl FILE] [--seen FILE] [--rows FILE]

For each program and number of lanes on the card, `arcl explain` predicts and selects; then the program runs on a part of the card,
as in tools/simulator/make-profile, once in each shape, and every launch is timed. Ways are the host, lanes, teams, and for each kernel
the shape that is better there. What a way takes is the sum of its launches, and what the profile assumes besides: launches into
the queue, the call, transfers. What the host takes is what is predicted for it. Regret is what the selected way takes over what the
best takes; a plan in parts counts as if the card did all. Where the host is selected, and takes less than the card takes besides its
kernels, nothing needs to be simulated.

Where a batch is small, the host is far better, and nothing can go wrong. --card leaves the host out, and everything that is assumed:
regret is what the card's kernels take in the shapes that are selected, over what they take in the better one of each. It is
also told which kernels were selected as teams, all their launches in a program together, and which of these took more than 10 %
longer than as lanes. --names profile takes the programs that the profile was made of, which have all its kernels.

Programs whose kernels the profile does not have are left out, and told. `predicted` is what kernels were to take over what they
took, the median of all runs. --seen FILE keeps what was simulated: the same command goes on after an interruption.
"""
import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools" / "simulator"))
from simulated_runs import OF_TASKS, Failed, Programs, Runs, on_card, plain  # noqa: E402

SHAPES = ["lane", "team"]
LONGER = 1.1


# ---- what the simulator says ----


def simulated(runs, name, lanes):
    """Nanoseconds of each launch, in both shapes; None if the results are not the host's."""
    found = {}
    for shape in SHAPES:
        runs.need([name], lanes, shape)
        found[shape] = runs.launches(name, lanes, shape)
    runs.need([name], lanes, "lane", [OF_TASKS])
    as_task = runs.launches(name, lanes, "lane", [OF_TASKS])
    if not as_task or not all(found.values()):
        return None
    lane, team = map(iter, (found["lane"], found["team"]))
    return [{"kernel": plain(kernel), **(of_one_shape(ns) if plain(kernel) == OF_TASKS else of_both(next(lane), next(team)))}
            for kernel, ns in as_task]


def of_one_shape(ns):
    return dict.fromkeys(SHAPES, ns)


def of_both(lane, team):
    """A launch in the runs of either shape. Fewer lanes are simulated where teams run, which is no merit of a kernel without one."""
    return {"lane": lane[1], "team": team[1]} if team[0] != lane[0] else of_one_shape(lane[1])


# ---- regret ----


def card_of(plan):
    return plan["devices"][1]


def besides(plan):
    return sum(card_of(plan)[part] for part in ("fixed", "queue", "transfer"))


def needs_no_simulator(plan):
    return plan["device"] == "host" and plan["devices"][0]["total"] < besides(plan)


def without_host(path, to):
    """A profile by which the card is selected in any case."""
    profile = json.loads(pathlib.Path(path).read_text())
    profile["devices"][0]["overheads"]["run"] = 1e14
    to.write_text(json.dumps(profile))
    return to


def judge_card(plan, launches, predicted):
    """As judge, of the kernels alone."""
    for device in plan["devices"]:
        device.update(dict.fromkeys(("fixed", "queue", "transfer"), 0))
    row = judge(plan, launches, predicted)
    return row and {**row, "teams": as_teams(launches, on_card(plan["launches"]))}


def as_teams(launches, planned):
    """Kernels that are selected as teams: how much longer than as lanes they take."""
    sums = {}
    for launch, as_planned in zip(launches, planned):
        if as_planned["team"]:
            lane, team = sums.get(launch["kernel"], (0, 0))
            sums[launch["kernel"]] = lane + launch["lane"], team + launch["team"]
    return {kernel: team / lane for kernel, (lane, team) in sums.items()}


def judge(plan, launches, predicted):
    """One program with one number of lanes. `predicted` is what the card's kernels are to take by shape, if that is known."""
    ways = {"host": plan["devices"][0]["total"]}
    if not launches:
        return {"selected": "host", "best": "host", "regret": 1, "predicted": [], "ways": ways}
    planned = on_card(plan["launches"])
    if [n["kernel"] for n in launches] != [n["kernel"] for n in planned]:
        return None
    for way, time in ("lane", lambda n: n["lane"]), ("team", lambda n: n["team"]), ("mixed", lambda n: min(n["lane"], n["team"])):
        ways[way] = besides(plan) + sum(map(time, launches))
    on_host = plan["device"] == "host"
    chosen = sum(n["team" if as_planned["team"] else "lane"] for n, as_planned in zip(launches, planned))
    selected = ways["host"] if on_host else besides(plan) + chosen
    best = min(ways, key=ways.get)
    return {"selected": plan["device"], "best": best, "regret": selected / min(ways[best], selected),
            "predicted": [ns / sum(n[shape] for n in launches) for shape, ns in predicted.items() if ns], "ways": ways}


def evaluate(given, programs, runs, name, lanes):
    """A row; None if the program cannot be judged."""
    plan = programs.explain(name, given.arcl, given.profile, lanes)
    if not plan or not card_of(plan)["able"]:
        return None
    if needs_no_simulator(plan):
        return judge(plan, None, None)
    launches = simulated(runs, name, lanes)
    judge_it = judge_card if given.card else judge
    forced = {shape: programs.explain(name, given.arcl, given.profile, lanes, "--shape", shape) for shape in SHAPES}
    return launches and judge_it(plan, launches, {shape: card_of(forced[shape]).get("execution") for shape in SHAPES})


def at(values, share):
    return sorted(values)[round(share * (len(values) - 1))]


def print_rows(lanes, rows):
    regret, off = [row["regret"] for row in rows], [ratio for row in rows for ratio in row["predicted"]]
    print(f"{lanes:>7} {len(rows):>8} {sum(bool(row['predicted']) for row in rows):>9} {statistics.median(regret):>8.3f}"
          f" {at(regret, 0.9):>8.3f} {max(regret):>8.3f} {statistics.median(off) if off else float('nan'):>9.2f}"
          f" {sum(row['selected'] == 'host' for row in rows):>8} {sum(row['best'] == 'host' for row in rows):>8}", flush=True)


def print_teams(rows):
    """How teams did where they were selected, over all programs and numbers of lanes."""
    found = [(ratio, kernel, lanes, row["program"]) for lanes, some in rows.items() for row in some
             for kernel, ratio in row.get("teams", {}).items()]
    slower = sorted((n for n in found if n[0] > LONGER), reverse=True)
    print(f"selected as teams: {len({kernel for _, kernel, *_ in found})} kernels, {len(found)} times; then longer than as lanes by more "
          f"than 10 %: {len(slower)} times")
    for ratio, kernel, lanes, program in slower:
        print(f"  {kernel:20} {ratio:5.2f}x  {lanes} lanes of {program}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("profile", "programs", "tasks"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--names", help="programs to take (else all of the file); profile: its own")
    parser.add_argument("--card", action="store_true", help="kernels of the card only, without the host")
    parser.add_argument("--lanes", default="10,100,1000,10000")
    parser.add_argument("--simulator", default=os.environ.get("GPU_SIMULATOR", "nowhere"))
    parser.add_argument("--arcl", default=str(ROOT / "build" / "arcl"))
    parser.add_argument("--seen", help="a file that keeps what was simulated")
    parser.add_argument("--rows", help="a file for all rows, as JSON")
    given = parser.parse_args()
    given.arcl = str(pathlib.Path(given.arcl).resolve())
    return given


def main():
    given = arguments()
    with tempfile.TemporaryDirectory() as folder:
        if given.card:
            given.profile = without_host(given.profile, pathlib.Path(folder) / "card.json")
        return print_all(given)


def names_of(given, programs):
    if given.names == "profile":
        return json.loads(pathlib.Path(given.profile).read_text())["devices"][1]["cases"]
    return given.names.split(",") if given.names else programs.names()


def print_all(given):
    programs = Programs(given.programs, given.tasks)
    runs = Runs(given.arcl, given.simulator, programs, given.seen)
    names, rows, left_out = names_of(given, programs), {}, set()
    print(f"{'lanes':>7} {'programs':>8} {'simulated':>9} {'regret':>8} {'90%':>8} {'most':>8} {'predicted':>9} {'on host':>8} {'best':>8}")
    for lanes in map(int, given.lanes.split(",")):
        judged = {name: evaluate(given, programs, runs, name, lanes) for name in names}
        rows[lanes] = [{"program": name, **row} for name, row in judged.items() if row]
        left_out |= {name for name, row in judged.items() if not row}
        if rows[lanes]:
            print_rows(lanes, rows[lanes])
    everything = [row for found in rows.values() for row in found]
    if everything:
        print_rows("all", everything)
    if given.card:
        print_teams(rows)
    if left_out:
        print("left out, for want of kernels in the profile or of the host's results: " + ", ".join(sorted(left_out)))
    if given.rows:
        pathlib.Path(given.rows).write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as failed:
        print(f"bench/simulated_regret.py: {failed}", file=sys.stderr)
        sys.exit(failed.status)
