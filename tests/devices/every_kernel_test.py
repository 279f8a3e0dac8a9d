"""Every kernel is launched by some vector of tests/vectors/every_kernel.jsonl, by asking for a grid, or by scoring: a new
kernel without a vector fails here. What is said elsewhere of "every kernel" rests on this.
"""
import json
import unittest

from command import PROGRAM, TASK, VECTORS, CommandTest
from kernel_rows import kernel_names


class EveryKernel(CommandTest):
    def launched(self, *arguments):
        self.accepted(*arguments, "--report", "--json", "report.json")
        ops = json.loads((self.folder / "report.json").read_text())["report"]["ops"]
        return {op["op"] for op in ops if op["launches"]}

    def test_every_kernel_is_launched(self):
        self.write("good.json", TASK)
        self.write("good.py", PROGRAM)
        launched = self.launched("check", VECTORS / "every_kernel.jsonl", "--device", "host")
        launched |= self.launched("run", "good.py", "--in", "good.json", "--device", "host")
        launched |= self.launched("score", "good.py", "--tasks", "good.json", "--device", "host")
        wanted = set(kernel_names())
        self.assertGreater(len(wanted), 200)
        self.assertEqual(sorted(wanted - launched), [], "add a vector to seldom.jsonl; run tools/scripts/make-derived")
        self.assertEqual(sorted(launched - wanted), [])

    def test_the_vectors_are_those_of_the_other_files(self):
        others = {json.loads(line)["id"]: json.loads(line) for path in VECTORS.glob("*.jsonl")
                  if path.name != "every_kernel.jsonl" for line in path.read_text().splitlines()}
        for line in (VECTORS / "every_kernel.jsonl").read_text().splitlines():
            vector = json.loads(line)
            original = others.get(vector["id"])
            self.assertIsNotNone(original, vector["id"])
            self.assertEqual(vector["program"], original["program"], vector["id"])
            for lane in vector["lanes"]:
                self.assertIn(lane, original["lanes"], vector["id"])


if __name__ == "__main__":
    unittest.main()
