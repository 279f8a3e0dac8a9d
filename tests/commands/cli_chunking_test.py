"""Results must not depend on how lanes are cut into chunks and spread over threads.

`check --json` writes every value and status that was computed; these bytes must be the same for all settings.
"""
from command import VECTORS, CommandTest, main

SETTINGS = (
    ["--threads", "1"],
    ["--threads", "2"],
    ["--threads", "5", "--chunk", "1"],
    ["--threads", "2", "--chunk", "3"],
    ["--threads", "1", "--chunk", "7"],
    ["--threads", "3", "--chunk", "1000000"],
    ["--threads", "1", "--memory", "1500M"],  # one lane of the programs makes 33 million pairs
)


class ChunkingChangesNothing(CommandTest):
    def values(self, name, options):
        self.arcl("check", "--quiet", "--json", "values.json", *options, VECTORS / f"{name}.jsonl")
        return (self.folder / "values.json").read_bytes()

    def same_for_all(self, name):
        first = self.values(name, SETTINGS[0])
        self.assertGreater(len(first), 100000)
        for options in SETTINGS[1:]:
            with self.subTest(options=options):
                self.assertTrue(first == self.values(name, options), "other values or statuses")

    def test_ops(self):
        self.same_for_all("ops")

    def test_programs(self):
        self.same_for_all("programs")


if __name__ == "__main__":
    main()
