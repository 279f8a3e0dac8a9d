"""Every golden vector through Python: a call yields the value that the DSL itself has yielded, as Python's own tuples, frozensets and
ints, and `map` yields the same for all lanes at once."""
import json
import unittest

from python_package import VECTORS, arcl


def value_of(notation):
    """A value in the notation of the vectors."""
    if isinstance(notation, dict):
        return "function" if "function" in notation else frozenset(map(value_of, notation["set"]))
    return tuple(map(value_of, notation)) if isinstance(notation, list) else notation


class Vectors(unittest.TestCase):
    def check(self, name):
        lanes = 0
        engine = arcl.Engine(device="host", threads=2, profile="")
        with open(VECTORS / name) as file:
            for line in file:
                case = json.loads(line)
                if "def batt(" in case["program"]:
                    continue  # its values are lists of results, which `arcl run` has
                dialect = case.get("dialect", "arc-dsl")
                policy = case.get("policy", "safe" if dialect == "tokpidjin" else "strict")
                program = arcl.program(case["program"], types=case["types"], safe=policy == "safe", dialect=dialect, engine=engine)
                inputs = [tuple(map(value_of, lane["in"])) for lane in case["lanes"]]
                mapped = program.map(*zip(*inputs))
                for number, (arguments, lane) in enumerate(zip(inputs, case["lanes"])):
                    lanes += 1
                    one = program(*arguments, strict=False)
                    with self.subTest(case=case["id"], lane=number):
                        if "error" in lane:
                            self.assertIsNone(one)
                            self.assertIsNotNone(mapped.failure(number))
                            self.assertRaises(arcl.LaneError, program, *arguments)
                        else:
                            expected = value_of(lane["out"])
                            self.assertEqual(one, expected)
                            self.assertEqual(mapped[number], expected)
        self.assertGreater(lanes, 10)


def add(path):
    setattr(Vectors, f"test_{path.stem}", lambda self: self.check(path.name))


for found in sorted(VECTORS.glob("*.jsonl")):
    add(found)

if __name__ == "__main__":
    unittest.main()
