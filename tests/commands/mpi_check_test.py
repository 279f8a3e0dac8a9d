"""`arcl-mpi check`: the bytes of `arcl check`, for any number of ranks; and journals, which both can take up."""
import ranks
from command import VECTORS, CommandTest, main


class Ranks(CommandTest):
    def setUp(self):
        super().setUp()
        lines = (VECTORS / "ops.jsonl").read_text().splitlines()[:300]
        wrong = [line.replace('"out":', '"out":7,"x":') if n % 7 == 0 else line for n, line in enumerate(lines)]
        wrong[5], wrong[100] = "{", wrong[100].replace('return ', 'return nothing_of_that_name')
        self.write("a.jsonl", "\n".join(lines) + "\n\n")
        self.write("b.jsonl", "\n".join(wrong))

    def result(self, done):
        said = [line for line in done.stderr.splitlines() if line.startswith("arcl: ") and "are cut off" not in line]
        return done.returncode, done.stdout, said, (self.folder / "o.json").read_bytes()

    def test_bytes_are_those_of_one_process(self):
        for arguments, counts in ((("a.jsonl",), (1, 2)), (("a.jsonl", "b.jsonl"), (4,)), (("b.jsonl", "--verbose"), (3,))):
            expected = self.result(self.arcl("check", *arguments, "--json", "o.json"))
            for count in counts:
                with self.subTest(arguments=arguments, ranks=count):
                    done = ranks.run(count, "check", *arguments, "--json", "o.json", cwd=self.folder)
                    self.assertEqual(self.result(done), expected)
        self.assertEqual(expected[0], 2)

    def test_journals(self):
        job = "check", "a.jsonl", "b.jsonl", "--json", "o.json", "--journal", "journal"
        expected = self.result(self.arcl(*job))
        whole = (self.folder / "journal").read_bytes()
        self.refused(*job, says=("journal journal is there already",))
        self.write("journal", whole[:len(whole) // 2])
        self.assertEqual(self.result(ranks.run(3, *job, "--resume", cwd=self.folder)), expected)
        self.assertEqual(self.result(self.arcl(*job, "--resume")), expected)
        done = self.arcl("check", "a.jsonl", "--journal", "journal", "--resume")
        self.assertRegex(done.stderr, "journal journal is of another job")

    def test_parts(self):
        expected = self.result(self.arcl("check", "b.jsonl", "--json", "o.json"))
        (self.folder / "o.json").unlink()
        self.accepted("check", "b.jsonl", "--part", "1/2", "--journal", "j1")
        self.accepted("check", "b.jsonl", "--part", "2/2", "--journal", "j2")
        done = self.arcl("check", "b.jsonl", "--journal", "j1", "--journal", "j2", "--resume")
        self.assertEqual((done.returncode, done.stdout), expected[:2])

    def test_what_is_missing(self):
        done = ranks.run(2, "check", "none.jsonl", cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("none.jsonl: there is no such file"), 1)


if __name__ == "__main__":
    ranks.require()
    main()
