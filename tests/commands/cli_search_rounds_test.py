"""arcl search --rounds: what a round has found helps the next, and files do not depend on interruptions or threads."""
import json
import re
import shutil
import subprocess
import time

from command import ARCL, ROOT, CommandTest, main

JOB = ("search", "--tasks", str(ROOT / "examples" / "tasks"), "--solvers", str(ROOT / "examples" / "programs.py"), "--leave-own-out",
       "--candidates", "500")


class Rounds(CommandTest):
    def setUp(self):
        super().setUp()
        self.environment["ARCL_PROFILE"] = ""

    def rounds(self, out, *arguments):
        return self.accepted(*JOB, "--out", out, "--rounds", 3, *arguments)

    def files(self, out):
        top = self.folder / out
        return {str(path.relative_to(top)): path.read_bytes() for path in top.rglob("*") if path.is_file()}

    def found(self, out):
        """Lines of the journal by task."""
        lines = (self.folder / out / "journal").read_text().splitlines()[1:]
        return {json.loads(line[17:])["task"]: line for line in lines}

    def test_what_was_found_helps_the_next(self):
        plain, done = self.accepted(*JOB, "--out", "plain"), self.rounds("found")
        self.assertIn("round 2: ", done.stderr)
        solved = [int(re.search(r"(?m)^tasks (\d+)/12", text).group(1)) for text in (plain.stdout, done.stdout)]
        self.assertGreater(solved[1], solved[0])
        self.assertEqual(self.files("plain"), self.files("found/round-1"))
        first, second = self.found("found/round-1"), self.found("found/round-2")
        self.assertEqual(first.keys(), second.keys())
        self.assertGreaterEqual(sum(second[name] == line for name, line in first.items()), solved[0])

    def test_resumed(self):
        self.rounds("whole")
        whole = self.files("whole")
        for cut in (1, 2):
            with self.subTest(round=cut):
                out = self.folder / f"cut{cut}"
                shutil.copytree(self.folder / "whole", out)
                for later in out.iterdir():
                    if int(later.name[len("round-"):]) > cut:
                        shutil.rmtree(later)
                journal = out / f"round-{cut}" / "journal"
                journal.write_bytes(b"\n".join(journal.read_bytes().split(b"\n")[:5])[:-30])
                self.rounds(f"cut{cut}", "--resume", "--threads", 2)
                self.assertEqual(self.files(f"cut{cut}"), whole)

    def test_killed(self):
        self.rounds("whole")
        command = [ARCL, *JOB, "--out", "killed", "--rounds", "3"]
        second = self.folder / "killed" / "round-2" / "journal"
        with subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and not second.exists():
                time.sleep(0.001)
            process.kill()
        self.rounds("killed", "--resume")
        self.assertEqual(self.files("killed"), self.files("whole"))

    def test_refused(self):
        job = (*JOB, "--rounds", 2, "--out", "found")
        self.refused(*job, "--part", "1/2", says=["--rounds", "--part"])
        self.write("found/round-1/something", "")
        self.refused(*job, says=["found/round-1: there is something in this folder"])


if __name__ == "__main__":
    main()
