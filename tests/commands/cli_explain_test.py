"""arcl explain on real programs, with synthetic profiles: what it says is what follows from the numbers."""
import json
import re
import shutil
import subprocess
import unittest

from command import ROOT, CommandTest
from synthetic_profile import gpu, host, profile

EXAMPLES = ROOT / "examples"
PROGRAMS = re.findall(r"(?m)^def (\w+)", (EXAMPLES / "programs.py").read_text())

CHAIN = """def chain(I):
    x1 = rot90(I)
    x2 = vmirror(x1)
    x3 = hmirror(x2)
    x4 = rot90(x3)
    x5 = dmirror(x4)
    O = rot180(x5)
    return O
"""
# The values between the ops differ in size: a grid, a set of objects, which is the largest, one object, and the same
# mirrored, so that it is not just united to be drawn, a grid.
MIDDLE = """def middle(I):
    x1 = rot90(I)
    x2 = objects(x1, T, F, T)
    x3 = merge(x2)
    x4 = hmirror(x3)
    x5 = paint(x1, x4)
    O = vmirror(x5)
    return O
"""


class ExplainTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.environment.pop("ARCL_PROFILE", None)
        self.environment["XDG_CACHE_HOME"] = str(self.folder / "cache")
        self.environment["OCL_ICD_VENDORS"] = str(self.folder)  # no drivers
        self.environment.pop("COLUMNS", None)
        self.use(host(), gpu())

    def use(self, *devices):
        self.profile = self.write("profile.json", profile(*devices))

    def explain(self, program, *options, lanes=None):
        """The plan as JSON; and the text in self.text, each blank one blank."""
        if "\n" in program:
            path, name = self.write("program.py", program), []
        else:
            path, name = EXAMPLES / "programs.py", ["--program", program]
        count = [] if lanes is None else ["--lanes", lanes]
        done = self.accepted("explain", path, *name, "--profile", self.profile, "--json", "plan.json", *count, *options)
        self.assertEqual(done.stderr, "")
        self.text = " ".join(done.stdout.split())
        return json.loads((self.folder / "plan.json").read_text())

    @staticmethod
    def places(plan):
        return {op["device"] for op in plan["ops"]}

    @staticmethod
    def place_of(plan, kernel):
        return next(op["device"] for op in plan["ops"] if op["kernel"] == kernel)


class Choices(ExplainTest):
    def test_small_batches_go_to_the_host_and_large_ones_to_the_device(self):
        for name in PROGRAMS:
            with self.subTest(program=name):
                few, many = self.explain(name, lanes=1), self.explain(name, lanes=100000)
                self.assertEqual((few["device"], self.places(few)), ("host", {"host"}))
                self.assertEqual((many["device"], self.places(many)), ("cl:0", {"cl:0"}))
                self.assertLess(many["predicted"], many["devices"][0]["total"])

    def test_chains_stay_together(self):
        for exponent in range(0, 20, 2):
            plan = self.explain(CHAIN, lanes=2 ** exponent)
            self.assertEqual(len(self.places(plan)), 1, f"{2 ** exponent} lanes")

    def test_what_only_the_host_has_measured_stays_there(self):
        self.use(host(), gpu(without=["merge_set"]))
        plan = self.explain(MIDDLE, lanes=100000)
        self.assertEqual(plan["device"], "parts")
        self.assertEqual([op["kernel"] for op in plan["ops"] if op["device"] == "host"], ["merge_set"])
        self.assertEqual(self.explain(MIDDLE, lanes=10)["device"], "host")
        self.assertIn("cl:0 cannot run all of it: 1 of its launches was not measured there", self.text)

    def test_the_cut_moves_to_the_cheapest_edge(self):
        """Objects take more bytes than the grid that they are in: if finding them is cheap enough, the grid is moved instead."""
        self.use(host(slower={"objects": 0.1}), gpu(without=["merge_set"]))
        plan = self.explain(MIDDLE, lanes=100000)
        self.assertEqual([op["kernel"] for op in plan["ops"] if op["device"] == "host"], ["objects", "merge_set"])
        self.use(host(slower={"objects": 3}), gpu(without=["merge_set"]))
        plan = self.explain(MIDDLE, lanes=100000)
        self.assertEqual([op["kernel"] for op in plan["ops"] if op["device"] == "host"], ["merge_set"])

    def test_the_better_of_two_devices(self):
        self.use(host(), gpu("cl:0", slower={"rot90": 20}), gpu("cl:1", slower={"dmirror_grid": 20}))
        plan = self.explain(CHAIN.replace("dmirror", "vmirror"), lanes=100000)
        self.assertEqual(self.places(plan), {"cl:1"})

    def test_what_nobody_has_measured_runs_on_the_host_and_is_marked(self):
        self.use(host(without=["rot90"]), gpu(without=["rot90"]))
        plan = self.explain("def turn(I):\n    return rot90(I)\n", lanes=100000)
        turn = plan["ops"][0]
        self.assertEqual((turn["device"], turn["basis"], plan["unmeasured"]), ("host", "unmeasured", 1))
        self.assertIn("1 was never measured", self.text)

    def test_what_lies_beyond_the_measurements_is_marked(self):
        plan = self.explain(CHAIN, lanes=900000)
        self.assertEqual({op["basis"] for op in plan["ops"]}, {"measured"})
        plan = self.explain(CHAIN, lanes=90000000)
        self.assertEqual({op["basis"] for op in plan["ops"]}, {"extrapolated"})
        self.assertIn("extrapolated", self.text)


    def test_curves_are_drawn_of_measurements(self):
        card = gpu()
        card["costs"]["lane"]["rot90"] = {"measured": [[lanes, 20 * lanes, 500 + lanes] for lanes in (10, 1000)]}
        self.use(host(slower={"rot90": 1000}), card)
        plan = self.explain("def f(I):\n    return rot90(I)\n", lanes=505)
        self.assertAlmostEqual(plan["ops"][0]["execution"], 1005, places=3)


class Shapes(ExplainTest):
    """A GPU with kernels in both shapes."""

    @staticmethod
    def shapes(plan):
        return {op["kernel"]: op["variant"] for op in plan["ops"]}

    def test_only_kernels_that_have_teams_are_teams(self):
        self.use(host(slower={"rot90": 1000}), gpu(teams=(10, 1)))
        plan = self.explain("def f(I):\n    x1 = rot90(I)\n    return even(height(x1))\n", lanes=1000)
        self.assertEqual((self.shapes(plan)["rot90"], self.shapes(plan)["even"]), ("team", "lane"))
        self.assertEqual([(n["kernel"], n["team"]) for n in plan["launches"]][:2], [("rot90", True), ("height_grid", False)])
        self.assertEqual(plan["launches"][0], {"kernel": "rot90", "launches": 1, "lanes": 1, "elements": 32, "team": True})

    def test_curves_that_cross(self):
        """1,000 ns and 2 a lane and 0.32 an element of each, against 10 and 20 a lane."""
        self.use(host(slower={"rot90": 1000}), gpu(teams=(10, 20)))
        program = "def f(I):\n    return rot90(I)\n"
        few, many = self.explain(program, lanes=20), self.explain(program, lanes=5000)
        self.assertEqual((few["device"], self.shapes(few)["rot90"]), ("cl:0", "team"))
        self.assertEqual((many["device"], self.shapes(many)["rot90"]), ("cl:0", "lane"))
        self.assertLess(few["ops"][0]["execution"], 500)

    def test_one_can_be_forced(self):
        self.use(host(slower={"rot90": 1000}), gpu(teams=(10, 20)))
        program = "def f(I):\n    return rot90(I)\n"
        for shape, lanes in [("lane", 20), ("team", 5000)]:
            forced = self.explain(program, "--shape", shape, lanes=lanes)
            self.assertEqual(self.shapes(forced)["rot90"], shape)
            self.assertGreater(forced["predicted"], self.explain(program, lanes=lanes)["predicted"])

    def test_what_was_not_measured_in_a_shape_that_is_wanted_cannot_run(self):
        self.use(host(), gpu())
        plan = self.explain("def f(I):\n    return rot90(I)\n", "--shape", "team", lanes=100000)
        self.assertEqual([d["able"] for d in plan["devices"]], [True, False])
        self.assertIn("cl:0 cannot run all of it", self.text)

    def test_files_that_are_wrong(self):
        for change, reason in [
            (lambda costs: costs.update(group=costs.pop("team")), "devices[1].costs.group is no shape of kernels"),
            (lambda costs: costs.pop("lane"), "devices[1].costs.team is no shape of kernels"),
            (lambda costs: costs["team"].update(run_start=costs["lane"]["run_start"]),
             "devices[1].costs.team.run_start has no shape for teams"),
            (lambda costs: costs["team"].update(rot90=3), "devices[1].costs.team.rot90 has no list 'launch'"),
            (lambda costs: costs["team"]["rot90"].pop("in_a_row"), "devices[1].costs.team.rot90 has no number 'in_a_row'"),
            (lambda costs: costs["team"]["rot90"].update(in_a_row=-1), "has -1 as 'in_a_row'"),
            (lambda costs: costs.update(third={}), "devices[1].costs.third is one variant too many"),
        ]:
            with self.subTest(reason=reason):
                device = gpu(teams=(10, 20))
                change(device["costs"])
                self.use(host(), device)
                self.refused("explain", self.write("one.py", CHAIN), "--profile", self.profile, says=[reason])


class Numbers(ExplainTest):
    def assert_adds_up(self, plan):
        parts = sum(op["queue"] + op["execution"] + op["transfer"] for op in plan["ops"])
        self.assertAlmostEqual((plan["fixed"] + plan["input_transfer"] + parts) / plan["predicted"], 1, places=6)
        self.assertGreater(plan["fixed"], 0)
        for device in plan["devices"]:
            if device["able"]:
                parts = sum(device[part] for part in ("fixed", "queue", "execution", "transfer"))
                self.assertAlmostEqual(parts / device["total"], 1, places=6)

    def test_parts_add_up(self):
        for name in PROGRAMS:
            for lanes in (1, 500, 100000):
                with self.subTest(program=name, lanes=lanes):
                    self.assert_adds_up(self.explain(name, lanes=lanes))
        self.use(host(), gpu(without=["merge_set"]))
        plan = self.explain(MIDDLE, lanes=100000)
        self.assertEqual(plan["device"], "parts")
        self.assert_adds_up(plan)

    def test_parts_add_up_with_threads_and_chunks(self):
        several = host()
        several["identity"]["compute_units"] = 4
        several["overheads"].update(speedup=3.2, wake=5000)
        several["chunk_words"] = 100000
        self.use(several, gpu())
        for lanes in (3, 1001, 70001):
            plan = self.explain(CHAIN, lanes=lanes)
            self.assert_adds_up(plan)
        self.use(several)
        plan = self.explain(CHAIN, lanes=70001)
        self.assert_adds_up(plan)
        self.assertEqual((plan["device"], plan["workers"]), ("host", 4))
        self.assertIn("with 4 threads in chunks of", self.text)

    def assert_flips(self, program, lanes):
        """Where it says that an op flips, it does; and one lane nearer it does not yet."""
        plan = self.explain(program, lanes=lanes)
        found = {}
        for op in plan["ops"]:
            if not op["flips"]:
                continue
            flip = op["flips"]["lanes"]
            near = flip - 1 if flip > lanes else flip + 1
            for n in (flip, near):
                if n not in found:
                    found[n] = self.explain(program, lanes=n)["ops"]
            beyond, before = (next(o for o in found[n] if o["step"] == op["step"]) for n in (flip, near))
            self.assertEqual(beyond["device"], op["flips"]["device"])
            self.assertNotEqual(op["flips"]["device"], op["device"])
            self.assertEqual(before["device"], op["device"])
        return len(found)

    def test_flips_are_where_it_says(self):
        self.assertEqual(sum(self.assert_flips(name, lanes) > 0 for name in PROGRAMS[:5] for lanes in (1, 1000)), 10)
        self.use(host(), gpu(without=["paint_lists"]))
        self.assertGreater(self.assert_flips("solve_fa11d043", 1), 2)  # at different numbers of lanes
        self.assertGreater(self.assert_flips("solve_fa11d043", 100000), 2)

    def test_nothing_flips_where_there_is_one_device(self):
        self.use(host())
        plan = self.explain(CHAIN)
        self.assertEqual({(str(op["flips"]), str(op["next"])) for op in plan["ops"]}, {("None", "None")})

    def test_the_next_best_costs_more(self):
        for lanes in (1, 100000):
            plan = self.explain(CHAIN, lanes=lanes)
            for op in plan["ops"]:
                self.assertNotEqual(op["next"]["device"], op["device"])
                self.assertGreater(op["next"]["extra"], 0, op["op"])
            other = next(d for d in plan["devices"] if d["device"] != plan["device"])
            most = other["total"] - plan["predicted"]  # everything elsewhere is one way to have an op there
            self.assertTrue(all(op["next"]["extra"] <= most * 1.000001 for op in plan["ops"]))


class Text(ExplainTest):
    def test_a_newcomer_is_told(self):
        self.explain(CHAIN, lanes=10)
        self.assertRegex(self.text, r"10 lanes run on the host, with one thread: predicted [\d.]+ us\. "
                                    r"cl:0 would take [\d.]+ us, of which [\d.]+ us are launches\. "
                                    r"From [\d,]+ lanes on, cl:0 is better\.")
        self.explain(CHAIN, lanes=100000)
        self.assertRegex(self.text, r"100,000 lanes run on cl:0: predicted [\d.]+ ms\. The host would take [\d.]+ ms, "
                                    r"nearly all of it kernels\. Up to [\d,]+ lanes, the host is better\.")
        self.assertIn("Opening cl:0 takes 300 ms", self.text)
        self.explain(CHAIN, lanes=1)
        self.assertIn("1 lane runs on the host", self.text)
        self.assertIn("for the machine that", self.text)

    def test_scopes_are_indented(self):
        done = self.accepted("explain", EXAMPLES / "programs.py", "--program", "solve_2ec01042", "--profile", self.profile)
        self.assertRegex(done.stdout, r"(?m)^  for each element .*\n  size \[size_list\] .*\n  recolor .*\nall as a list ")

    def test_lines_fit(self):
        for columns in (60, 80, 100, 130):
            self.environment["COLUMNS"] = str(columns)
            done = self.accepted("explain", EXAMPLES / "programs.py", "--program", "solve_fa11d043", "--profile",
                                 self.profile)
            longest = max(done.stdout.split("\n"), key=len)
            self.assertLessEqual(len(longest), columns, longest)
            self.assertEqual("too narrow for" in done.stdout, columns < 120)

    def test_a_task_is_looked_at(self):
        plan = self.explain("solve_fa11d043", "--in", EXAMPLES / "tasks" / "fa11d043.json")
        self.assertEqual((plan["lanes"], plan["sampled"]), (3, 3))
        self.assertIn("Sizes are those of 3 lanes", self.text)
        plan = self.explain("solve_fa11d043", "--in", EXAMPLES / "tasks" / "fa11d043.json", lanes=50)
        self.assertEqual((plan["lanes"], plan["sampled"]), (50, 3))
        self.assertEqual(self.explain("solve_fa11d043")["lanes"], 1000)

    def test_the_program_is_that_of_the_task(self):
        done = self.accepted("explain", EXAMPLES / "programs.py", "--in", EXAMPLES / "tasks" / "e17e2042.json", "--profile",
                             self.profile)
        self.assertIn("solve_e17e2042", done.stdout)

    def test_what_is_wrong_is_said(self):
        programs = EXAMPLES / "programs.py"
        one = self.write("one.py", CHAIN)
        known = ["--profile", self.profile]
        self.refused("explain", one, says=["nothing was measured here yet: run `arcl profile` first"])
        self.refused("explain", programs, *known, says=["choose one with --program NAME"])
        self.refused("explain", programs, *known, "--program", "no", says=["no program is named no"])
        self.refused("explain", "missing.py", *known, says=["missing.py"])
        self.refused("explain", one, "--profile", "missing.json", says=["missing.json"])
        self.refused("explain", one, "--profile", one, says=["one.py: line 1"])
        self.refused("explain", one, *known, "--device", "cl:0", says=["--device cl:0"])
        self.refused("explain", one, *known, "--in", "missing.json", says=["missing.json"])
        for lanes in ("0", "-1", "many", "1,2", "1e3", "99999999999999999999", ""):
            self.refused("explain", one, *known, "--lanes", lanes, says=["--lanes", "expected one whole number"])
        self.refused("explain", one, *known, "--dot", "no/such/folder.dot", says=["no/such/folder.dot"])
        self.refused("explain", self.write("bad.py", "def f(I):\n    return rot90(I, I)\n"), *known, says=["bad.py"])


class Graph(ExplainTest):
    def graph(self, program, lanes):
        self.explain(program, "--dot", "plan.dot", lanes=lanes)
        return (self.folder / "plan.dot").read_text()

    def test_moves_have_their_bytes(self):
        self.use(host(), gpu(without=["merge_set"]))
        text = self.graph(MIDDLE, 100000)
        self.assertRegex(text, r'input -> n0 \[label=" 13\.6 MB"')  # up to rot90
        self.assertEqual(len(re.findall(r'label=" [\d.]+ [kMG]?B"', text)), 4)  # there, to merge, back, and the result
        self.assertNotIn("MB", self.graph(MIDDLE, 1))  # everything on the host

    def test_scopes_are_boxes(self):
        text = self.graph("solve_fa11d043", 1000)
        self.assertEqual(len(re.findall(r"subgraph cluster_\d+ ", text)), 2)
        self.assertEqual(text.count("{"), text.count("}"))

    def test_standard_output_has_the_graph_alone(self):
        done = self.accepted("explain", self.write("one.py", CHAIN), "--profile", self.profile, "--dot", "-")
        self.assertTrue(done.stdout.startswith("digraph plan {") and done.stdout.endswith("}\n"))

    def test_names_are_quoted(self):
        strange = gpu()
        strange["identity"]["name"] = 'a "b" \\ \x01'
        self.use(host(), strange)
        self.assertIn(r'cl:0 a \"b\" \\ ?', self.graph(CHAIN, 10))

    @unittest.skipUnless(shutil.which("dot"), "graphviz is not installed")
    def test_graphviz_reads_it(self):
        for name in PROGRAMS:
            subprocess.run(["dot", "-Tsvg"], input=self.graph(name, 1000), text=True, check=True, capture_output=True)


if __name__ == "__main__":
    unittest.main()
