"""--cache and --cache-dir on the built binary: the same output, figures, several processes at once, damaged files."""
import json
import os
import subprocess

import command

from command import ROOT

SCORE = ("score", ROOT / "examples" / "programs.py", "--tasks", ROOT / "examples" / "tasks")


class Cache(command.CommandTest):
    def scored(self, *options):
        """The programs' entries and the report of a run."""
        done = self.arcl(*SCORE, "--report", "--json", "out.json", *options)
        self.assertEqual(done.returncode, int("--all-pairs" in options), done.stderr)
        out = json.loads((self.folder / "out.json").read_text())
        return out["programs"], out["report"]

    def test_the_second_run_runs_nothing(self):
        expected, report = self.scored()
        self.assertNotIn("cache", report)
        first, report = self.scored("--cache-dir", "kept")
        lanes = report["cache"]["lanes"]
        self.assertEqual(first, expected)
        self.assertGreater(lanes["misses"], 40)
        self.assertEqual(lanes["hits"], 0)
        second, report = self.scored("--cache-dir", "kept")
        self.assertEqual(second, expected)
        self.assertEqual(report["ops"], [])
        self.assertEqual([report["cache"]["lanes"]["hits"], report["cache"]["lanes"]["misses"]], [lanes["misses"], 0])
        self.assertGreater(report["cache"]["lanes"]["nanoseconds_saved"], 0)
        self.assertGreater(report["cache"]["nanoseconds_spent"], 0)

    def test_other_spellings_are_the_same_program(self):
        self.accepted("score", ROOT / "examples" / "programs.py", "--tasks", ROOT / "examples" / "tasks", "--cache-dir", "kept")
        text = self.accepted("fmt", "--inline", ROOT / "examples" / "programs.py").stdout
        self.write("inlined.py", text)
        self.accepted("score", "inlined.py", "--tasks", ROOT / "examples" / "tasks", "--cache-dir", "kept", "--report",
                      "--json", "out.json")
        self.assertEqual(json.loads((self.folder / "out.json").read_text())["report"]["cache"]["lanes"]["misses"], 0)

    def test_all_pairs_and_budgets(self):
        expected, _ = self.scored("--all-pairs", "--budget", "3000")
        for misses in (True, False):
            found, report = self.scored("--all-pairs", "--budget", "3000", "--cache-dir", "kept")
            self.assertEqual(found, expected)
            self.assertEqual(report["cache"]["lanes"]["misses"] > 0, misses)
        found, report = self.scored("--all-pairs", "--cache-dir", "kept")
        self.assertEqual(report["cache"]["lanes"]["hits"], 0)
        self.assertNotEqual(found, expected)

    def test_run(self):
        task = ROOT / "examples" / "tasks" / "fa11d043.json"
        plain = self.accepted("run", ROOT / "examples" / "programs.py", "--in", task).stdout
        for _ in range(2):
            done = self.accepted("run", ROOT / "examples" / "programs.py", "--in", task, "--cache-dir", "kept", "--report")
            self.assertEqual(done.stdout, plain)
        self.assertRegex(done.stderr, r"lanes +3 +0 ")

    def test_the_usual_directory(self):
        self.environment["XDG_CACHE_HOME"] = str(self.folder / "xdg")
        self.accepted(*SCORE, "--cache")
        self.assertEqual(len(list((self.folder / "xdg" / "arcl" / "results").glob("*.results"))), 1)
        del self.environment["XDG_CACHE_HOME"]
        self.environment["HOME"] = "nowhere"
        self.refused(*SCORE, "--cache", says=["--cache-dir"])
        self.refused(*SCORE, "--cache-dir", "", says=["--cache-dir: the name is missing"])

    def test_damage_is_reported_and_repaired(self):
        expected, _ = self.scored("--cache-dir", "kept")
        path, = (self.folder / "kept").glob("*.results")
        content = bytearray(path.read_bytes())
        for at in (3, len(content) // 2, len(content) - 50):
            content[at] ^= 16
            path.write_bytes(content)
            content[at] ^= 16
            done = self.accepted(*SCORE, "--cache-dir", "kept")
            self.assertIn("damaged", done.stderr)
            self.assertEqual(self.scored("--cache-dir", "kept")[0], expected)
            done = self.accepted(*SCORE, "--cache-dir", "kept")
            self.assertEqual(done.stderr, "")
            for file in (self.folder / "kept").glob("*.results"):
                file.unlink()

    def test_processes_at_once(self):
        expected, _ = self.scored()
        for _ in range(3):
            started = []
            for number in range(6):
                line = [command.ARCL, *map(str, SCORE), "--cache-dir", "kept", "--threads", "1", "--json", f"{number}.json"]
                started.append(subprocess.Popen(line, cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL,
                                                stderr=subprocess.PIPE, text=True))
            for number, process in enumerate(started):
                self.assertEqual(process.communicate(timeout=120)[1], "")
                self.assertEqual(process.returncode, 0)
                self.assertEqual(json.loads((self.folder / f"{number}.json").read_text())["programs"], expected)
        left = os.listdir(self.folder / "kept")
        self.assertTrue(all(name == "lock" or name.endswith(".results") for name in left), left)
        _, report = self.scored("--cache-dir", "kept")
        self.assertEqual(report["cache"]["lanes"]["misses"], 0)

    def test_a_process_that_is_ended_leaves_nothing_wrong(self):
        expected, _ = self.scored()
        for time in range(1, 6):
            process = subprocess.Popen([command.ARCL, *map(str, SCORE), "--cache-dir", "kept", "--all-pairs"],
                                       cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=0.004 * time)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            self.assertEqual(self.scored("--cache-dir", "kept")[0], expected)


if __name__ == "__main__":
    command.main()
