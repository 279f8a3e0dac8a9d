"""tools/simulator/make-profile and bench/simulated_regret.py without a simulator: what they make of what was simulated."""
import json
import os
import subprocess
import sys
import unittest

from command import ARCL, ROOT, CommandTest
from script import load_script
from synthetic_profile import TEAM, gpu, host, profile

SIMULATOR = ROOT / "tools" / "simulator"
TOOL = SIMULATOR / "make-profile"
REGRET = ROOT / "bench" / "simulated_regret.py"
sys.path.insert(0, str(SIMULATOR))
runs = load_script(SIMULATOR / "simulated_runs.py")
PROGRAM = "ONE_MORE = 1\ndef turn_aa(I):\n    return rot90(I)\n\ndef turn_bb(I):\n    return rot90(rot90(rot90(rot90(rot90(I)))))\n"
LAUNCHES = ["rot90", "pack_fill"]


class Simulated(CommandTest):
    """A program with its task, and what a simulator would have said of it."""

    def setUp(self):
        super().setUp()
        self.write("programs.py", PROGRAM)
        grids = [[[1, 2, 3, 4]] * 4, [[5, 6, 7, 8]] * 4]
        self.write("aa.json", {"train": [{"input": g, "output": g} for g in grids], "test": []})
        self.write("host.json", profile(host(slower={"rot90": 20})))
        self.seen = {}
        for shape, faster in ("lane", 1), ("team", 10):
            for lanes in (10, 100, 1200, 12000):
                key = f"turn_aa {runs.lanes_here(lanes, shape)} {shape}"
                self.seen[key] = [["team_" + kernel if shape == "team" and kernel in TEAM else kernel,
                                   5000 / faster if kernel == "rot90" else 1500] for kernel in LAUNCHES]
                if shape == "lane":
                    self.seen[key + " task"] = self.seen[key][:1] + [["require_rectangle", 1000]] + self.seen[key][1:]
        self.write("seen", self.seen)

    def tool(self, path, *arguments):
        environment = {key: value for key, value in os.environ.items() if key != "GPU_SIMULATOR"}
        line = [sys.executable, "-B", str(path), *arguments, "--programs", "programs.py", "--tasks", ".", "--arcl", ARCL]
        return subprocess.run(line, cwd=self.folder, capture_output=True, text=True, env=environment)

    def make(self, *options):
        return self.tool(TOOL, "v100.json", "--host", "host.json", *options)

    def test_without_a_simulator(self):
        done = self.make("--seen", "nothing", "--simulator", "nowhere")
        self.assertEqual(done.returncode, 2)
        self.assertIn("tools/simulator/build-simulator CHECKOUT DIR", done.stderr)

    def test_what_was_simulated_becomes_a_profile_that_is_read(self):
        done = self.make("--seen", "seen", "--launch-us", "3", "--transfer-gbps", "10")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.folder / "v100.json").read_text()
        self.assertEqual([line for line in text.splitlines() if line.rstrip() != line], [])
        made = json.loads(text)["devices"][1]
        self.assertEqual(made["identity"]["name"], "simulated V100")
        self.assertEqual((made["overheads"]["launch"], made["up"][0]), (3000, [1, 10000]))
        self.assertAlmostEqual(made["down"][1][1] / made["down"][1][0], 0.1, places=3)
        self.assertEqual((list(made["costs"]), set(made["costs"]["team"]), made["cases"]),
                         (["lane", "team"], set(LAUNCHES) & set(TEAM), ["turn_aa"]))
        self.assertEqual(made["costs"]["team"]["rot90"]["measured"][-1], [12000, 48000, 500])
        self.assertEqual(made["costs"]["lane"]["require_rectangle"]["measured"][0][2], 1000)
        self.accepted("explain", "programs.py", "--program", "turn_aa", "--profile", "v100.json", "--lanes", 1000, "--json", "plan.json")
        plan = json.loads((self.folder / "plan.json").read_text())
        self.assertEqual((plan["device"], plan["ops"][0]["variant"], plan["ops"][0]["execution"]), ("cl:0", "team", 500))

    def test_times_are_added_to_a_profile(self):
        self.assertEqual(self.make("--seen", "seen").returncode, 0)
        before = json.loads((self.folder / "v100.json").read_text())
        self.assertEqual(self.tool(TOOL, "v100.json", "--add", "--seen", "seen").returncode, 0)
        self.assertEqual(json.loads((self.folder / "v100.json").read_text()), before)
        for launches in self.seen.values():
            launches[0][1] *= 2
        self.write("seen", {key.replace("turn_aa", "rot90__large_aa"): launches for key, launches in self.seen.items()})
        self.write("programs.py", PROGRAM.replace("turn_aa", "rot90__large_aa"))
        done = self.tool(TOOL, "v100.json", "--add", "--seen", "seen", "--lanes", "100,12000")
        self.assertEqual(done.returncode, 0, done.stderr)
        after = json.loads((self.folder / "v100.json").read_text())
        self.assertEqual((after["devices"][0], after["devices"][1]["overheads"]), (before["devices"][0], before["devices"][1]["overheads"]))
        self.assertEqual(after["devices"][1]["cases"], ["rot90__large_aa", "turn_aa"])
        times = [costs["devices"][1]["costs"]["team"]["rot90"]["measured"] for costs in (before, after)]
        self.assertEqual(len(times[1]), len(times[0]) + 2)
        self.assertIn([12000, 48000, 1000], times[1])

    def test_single_calls_have_their_kernels(self):
        line = [sys.executable, "-B", SIMULATOR / "make-calls", "calls"]
        made = subprocess.run(line, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        calls = runs.Programs(self.folder / "calls" / "programs.py", self.folder / "calls")
        self.assertGreater(len(calls.names()), 200)
        self.assertEqual(len({str(grid) for grid in calls.inputs("objects__colours_s5", 8)}), 8)
        self.assertEqual(len({str(grid) for grid in calls.inputs("objects__colours_a5", 8)}), 1)
        for name in calls.names()[::20]:
            plan = calls.explain(name, ARCL, self.folder / "host.json", 10)
            self.assertIn(name.split("__")[0], [launch["kernel"] for launch in plan["launches"]])

    def test_nothing_measured(self):
        self.write("seen", {key: None for key in self.seen})
        done = self.make("--seen", "seen")
        self.assertEqual(done.returncode, 3)
        self.assertIn("nothing of the card was measured", done.stderr)
        self.assertFalse((self.folder / "v100.json").exists())

    def regret(self, made, *options):
        """Of 1,200 lanes, by such a profile."""
        self.write("other.json", made)
        done = self.tool(REGRET, "--profile", "other.json", "--seen", "seen", "--lanes", "1200", "--rows", "rows.json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.text = done.stdout
        return json.loads((self.folder / "rows.json").read_text())["1200"]

    def test_regret(self):
        self.assertEqual(self.make("--seen", "seen").returncode, 0)
        right = json.loads((self.folder / "v100.json").read_text())
        row = self.regret(right)[0]
        self.assertEqual((row["selected"], row["best"], row["regret"]), ("cl:0", "team", 1))
        self.assertEqual(row["predicted"], [1, 1])
        lanes_only = json.loads(json.dumps(right))
        del lanes_only["devices"][1]["costs"]["team"]["rot90"]
        row = self.regret(lanes_only)[0]
        self.assertAlmostEqual(row["regret"], row["ways"]["lane"] / row["ways"]["team"])
        row = self.regret(lanes_only, "--card")[0]
        self.assertAlmostEqual(row["regret"], (1500 + 5000 + 1000) / (1500 + 500 + 1000))
        row = self.regret(profile(right["devices"][0], gpu(slower={"rot90": 1e6})))[0]
        self.assertEqual((row["selected"], row["best"]), ("host", "team"))
        self.assertGreater(row["regret"], 2)

    def test_kernels_without_teams_are_no_better_where_fewer_lanes_are_simulated(self):
        for key, launches in self.seen.items():
            launches.insert(1, ["identity", 9000 if " team" in key else 10000])
        self.write("seen", self.seen)
        known = runs.Runs(ARCL, "nowhere", None, self.folder / "seen")
        found = {launch["kernel"]: (launch["lane"], launch["team"]) for launch in load_script(REGRET).simulated(known, "turn_aa", 1200)}
        self.assertEqual((found["rot90"], found["identity"]), ((5000, 500), (10000, 10000)))

    def test_what_cannot_be_judged_is_left_out(self):
        self.assertEqual(self.regret(profile(host(), gpu(without=["rot90"]))), [])
        self.assertIn("left out, for want of kernels in the profile or of the host's results: turn_aa", self.text)


class Parts(unittest.TestCase):
    def test_lanes_of_a_part(self):
        self.assertEqual([runs.lanes_here(card, "lane") for card in (1, 10, 100, 1000, 10000)], [1, 10, 32, 32, 125])
        self.assertEqual([runs.lanes_here(card, "team") for card in (1, 10, 100, 1000, 10001)], [1, 4, 4, 13, 126])

    def test_definitions_of_a_file(self):
        self.assertEqual(list(runs.definitions(PROGRAM)), ["turn_aa", "turn_bb"])
        self.assertEqual(runs.definitions(PROGRAM)["turn_aa"], "def turn_aa(I):\n    return rot90(I)\n")

    def test_runs_end_with_packing(self):
        kernels = [("selftest_moves", 0), ("team_rot90", 1), ("team_pack_fill", 1), ("run_start", 0), ("pack_fill", 0), ("rot90", 0)]
        log = "\n".join(json.dumps({"kernel": "arcl_" + name, "timed": timed, "cycles": 1447}) for name, timed in kernels)
        self.assertEqual(runs.split_runs(log), [[["team_rot90", 1000], ["team_pack_fill", 1000]],
                                                [["run_start", None], ["pack_fill", None]]])

    def test_what_was_timed_before_is_kept(self):
        known = runs.Runs("arcl", "nowhere", None, None)
        known.keep("f", 10, "lane", ["a"], [["a", 1], ["b", None]])
        self.assertTrue(known.has("f", 10, "lane", ["a"]))
        self.assertFalse(known.has("f", 10, "lane", ["a", "b"]) or known.has("f", 10, "lane", None) or known.has("f", 10, "team", ["a"]))
        known.keep("f", 10, "lane", ["b"], [["a", None], ["b", 2]])
        self.assertEqual(known.launches("f", 10, "lane"), [["a", 1], ["b", 2]])

    def test_kernels_are_timed_in_sizes_that_differ(self):
        tool = load_script(TOOL)
        programs = {name: [{"kernel": "fill", "lanes": 2, "elements": 2 * size}]
                    for name, size in [("a", 10), ("b", 11), ("c", 20), ("d", 100)]}
        self.assertEqual(tool.to_time(programs, {"fill"}, 2), {"a": {"fill"}, "b": set(), "c": set(), "d": {"fill"}})
        self.assertEqual(tool.to_time(programs, {"fill"}, 4), {"a": {"fill"}, "b": set(), "c": {"fill"}, "d": {"fill"}})
        self.assertEqual(tool.to_time(programs, {"fill"}, 1), {"a": {"fill"}, "b": set(), "c": set(), "d": set()})

    def test_numbers_of_a_profile_are_written_the_same_again(self):
        tool = load_script(TOOL)
        once = json.dumps(tool.rounded([66812.3, 1601.0, 12.34567, 0.5]))
        self.assertEqual(once, "[66810, 1601, 12.35, 0.5]")
        self.assertEqual(json.dumps(tool.rounded(json.loads(once))), once)

    def test_a_single_call_is_for_its_own_kernel(self):
        tool = load_script(TOOL)
        launches = [{"kernel": kernel, "lanes": 1, "elements": 5} for kernel in ("fill", "box", "pack_fill")]
        calls = {"fill__box_s5": launches, "fill__box_s9": launches, "solve_aa": launches}
        self.assertEqual(tool.to_time(calls, {"fill", "box"}, 2),
                         {"fill__box_s5": {"fill"}, "fill__box_s9": {"fill"}, "solve_aa": {"fill", "box"}})

    def test_launches_over_one_lane_count_where_there_are_no_others(self):
        tool = load_script(TOOL)
        self.assertEqual(tool.over_lanes([[0, 0, 9], [20, 5, 3], [0.5, 1, 2]]), [[1, 1, 2], [20, 5, 3]])
        self.assertEqual(tool.over_lanes([[0, 0, 9]]), [[1, 0, 9]])
        self.assertEqual(list(tool.in_groups({"a": {"x"}, "b": set(), "c": {"y"}, "d": {"x"}}, 2)),
                         [(["a", "c"], ["x", "y"]), (["d"], ["x"])])


if __name__ == "__main__":
    unittest.main()
