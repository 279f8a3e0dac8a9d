"""What no text and no interruption may do: take all memory, run without end, or leave files behind."""
import signal
import subprocess
import time

from command import ARCL, TASK, CommandTest, main

# Rounds that are cheap to ask for, in many lanes: minutes.
LONG = ("def solve_task(I):\n"
        "    x1 = add(13000, height(I))\n"
        "    x2 = power(lbind(add, 1), x1)\n"
        "    x3 = x2(size(apply(rot90, repeat(I, 100))))\n"
        "    return canvas(ONE, astuple(ONE, x3))\n")


class LimitsTest(CommandTest):
    def test_what_doubles_is_refused(self):
        lines = "".join(f"    f{n + 1} = fork(hconcat, f{n}, f{n})\n" for n in range(40))
        self.write("double.py", f"def solve_task(I):\n    f0 = rot90\n{lines}    return f40(I)\n")
        self.write("task.json", TASK)
        for policy in ([], ["--safe"]):
            self.refused("run", "double.py", "--in", "task.json", *policy,
                         says=["double.py:43:12", "unfold to too many calls", "give its result a name", "^"])

    def test_large_patches_take_seconds(self):
        self.write("large.py", "def solve_task(I):\n"
                               "    o = asobject(canvas(ONE, (1500, 1500)))\n"
                               "    d = manhattan(o, shift(o, (5000, 5000)))\n"
                               "    e = difference(totuple(o), totuple(shift(o, UNITY)))\n"
                               "    return canvas(size(e), astuple(ONE, divide(d, 1000)))\n")
        self.write("task.json", TASK)
        self.arcl("run", "large.py", "--in", "task.json", "--device", "host")

    def test_an_interrupted_run_ends_at_once_and_leaves_nothing(self):
        self.write("task.json", {"train": TASK["train"] * 3000, "test": []})
        self.write("long.py", LONG)
        for number in (signal.SIGINT, signal.SIGTERM):
            self.write("old.json", "as it was")
            process = subprocess.Popen([ARCL, "run", "long.py", "--in", "task.json", "--device", "host", "--json",
                                        "old.json"], cwd=self.folder, env=self.environment,
                                       stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(0.5)
            self.assertIsNone(process.poll(), "it is over already: the program is no longer long")
            start = time.monotonic()
            process.send_signal(number)
            self.assertEqual(-number, process.wait(60))
            self.assertLess(time.monotonic() - start, 20)
            self.assertEqual("as it was", (self.folder / "old.json").read_text())
            self.assertEqual({"task.json", "long.py", "old.json"}, {path.name for path in self.folder.iterdir()})


if __name__ == "__main__":
    main()
