"""Kernels in the shape of teams, where a work-group does a lane together: the host's values, and the report tells. CPU devices take
that shape only if they are told to, as here. What takes a CPU's driver long to compile is left to tests/devices/slow/oclgrind_test.py.
"""
import json
import unittest

from command import CommandTest
from synthetic_profile import gpu, kernel
from team_vectors import TEAM, TURNS, team_vectors


class Teams(CommandTest):
    def values(self, *options):
        """What the programs make of the grids, and what has run."""
        self.write("v.jsonl", team_vectors(TURNS))
        done = self.arcl("check", "v.jsonl", *options, "--report", "--json", "out.json")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        out = json.loads((self.folder / "out.json").read_text())
        report = out.pop("report")
        return out, {op["op"]: op for op in report["ops"]}

    def test_the_values_of_the_host(self):
        expected, _ = self.values("--device", "host")
        found, ops = self.values("--device", "cl:0", "--require", "--shape", "team")
        self.assertGreater(len(json.dumps(expected)), 5000)
        self.assertEqual(found, expected)
        for name, op in ops.items():
            self.assertEqual(op["teams"], op["launches"] if name in TEAM else 0, name)
        self.assertEqual({"rot90", "rot270", "dmirror_grid", "cmirror_grid"} - set(ops), set())

    def test_a_cpu_takes_none_by_itself(self):
        _, ops = self.values("--device", "cl:0", "--require")
        self.assertEqual({op["teams"] for op in ops.values()}, {0})

    def test_both_shapes_are_measured_where_that_is_asked_for(self):
        self.accepted("profile", "--op", "rot90", "--device", "cl:0", "--shape", "team", "--profile", "p.json")
        device = json.loads((self.folder / "p.json").read_text())["devices"][1]
        self.assertEqual((device["cases"][0], set(device["costs"])), ("rot90/team", {"lane", "team"}))
        self.assertEqual(set(device["costs"]["team"]), set(device["costs"]["lane"]) & set(TEAM))
        self.assertIn("rot90", device["costs"]["team"])
        self.assertIn("pack_fill", device["costs"]["lane"])

    def test_the_plan_is_followed(self):
        """The shape that the profile calls quicker runs, unless another is wanted."""
        self.accepted("profile", "--quick", "--op", "rot90", "--device", "host", "--profile", "p.json")
        self.accepted("devices", "--json", "devices.json")
        measured = json.loads((self.folder / "p.json").read_text())
        found = next(d for d in json.loads((self.folder / "devices.json").read_text())["devices"] if d["id"] == "cl:0")
        self.write("v.py", "def f(I):\n    return rot90(I)\n")
        self.write("t.json", {"train": [{"input": [[1, 2]], "output": [[1], [2]]}], "test": []})
        line = ["run", "v.py", "--in", "t.json", "--device", "cl:0", "--require", "--report", "--profile", "p.json", "--json", "out.json"]
        for quicker, slower in (("team", "lane"), ("lane", "team")):
            device = gpu()
            device["kind"] = found["kind"]
            device["identity"] = {**{key: found[key] for key in ("platform", "name", "driver", "compute_units")},
                                  "kernels": measured["devices"][0]["identity"]["kernels"]}
            device["costs"] = {shape: {"rot90": kernel(0, 0, 1000 if shape == quicker else 1e6)} for shape in ("lane", "team")}
            self.write("p.json", {**measured, "devices": [measured["devices"][0], device]})
            for forced, expected in ([], quicker), (["--shape", slower], slower):
                done = self.accepted(*line, *forced)
                ops = {op["op"]: op["shape"] for op in json.loads((self.folder / "out.json").read_text())["report"]["ops"]}
                self.assertEqual((ops["rot90"], ops["require_rectangle"]), (expected, "lane"))
                self.assertEqual(" team\n" in done.stderr, expected == "team")

    def test_a_shape_that_is_none(self):
        self.write("v.jsonl", team_vectors(TURNS))
        self.refused("check", "v.jsonl", "--shape", "round", says=["--shape round", "lane", "team"])


if __name__ == "__main__":
    unittest.main()
