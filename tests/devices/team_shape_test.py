"""Kernels in the shape of teams, where a work-group does a lane together: the host's values, and the report tells. CPU devices take
that shape only if they are told to, as here. What takes a CPU's driver long to compile is left to tests/devices/slow/oclgrind_test.py.
"""
import json
import unittest

from command import CommandTest
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

    def test_a_shape_that_is_none(self):
        self.write("v.jsonl", team_vectors(TURNS))
        self.refused("check", "v.jsonl", "--shape", "round", says=["--shape round", "lane", "team"])


if __name__ == "__main__":
    unittest.main()
