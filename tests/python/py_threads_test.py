"""Python's threads, processes and signals: eight threads on one engine, futures, forks, and Ctrl-C."""
import asyncio
import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

from python_package import EXAMPLES, arcl

GRIDS = [tuple(tuple((i * j + k) % 10 for j in range(6)) for i in range(5)) for k in range(40)]
TURN = "def turn(I):\n    return rot90(I)\n"
LONG = ("import arcl, sys\n"
        "f = arcl.program('def f(I):\\n    x = asindices(I)\\n    y = product(x, x)\\n    return size(y)\\n')\n"
        "grids = [tuple((k % 7,) * 24 for k in range(24))] * {lanes}\n"
        "engine = arcl.Engine(device='host', threads=2, profile='')\n")


def expected(grid):
    return tuple(zip(*grid[::-1]))


def in_child(grid):
    return tuple(arcl.program(TURN)(grid))


def with_program(program, grid):
    return program(grid)


class Threads(unittest.TestCase):
    def test_eight_threads_share_an_engine(self):
        engine = arcl.Engine(device="host", threads=2, profile="")
        programs = arcl.load(EXAMPLES / "programs.py", engine=engine)
        alone = {name: list(p.map(GRIDS)) for name, p in programs.items()}
        wrong = []

        def work(number):
            for round in range(12):
                name = list(programs)[(number + round) % len(programs)]
                one = arcl.program(TURN, engine=engine)
                if list(programs[name].map(GRIDS)) != alone[name] or one(GRIDS[number]) != expected(GRIDS[number]):
                    wrong.append(name)
                if round % 4 == 0:
                    engine.report()

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_the_lock_of_the_interpreter_is_released(self):
        done = subprocess.run([sys.executable, "-c", LONG.format(lanes=20000) + (
            "import threading, time\n"
            "ticks, over = [], threading.Event()\n"
            "def tick():\n"
            "    while not over.is_set():\n"
            "        ticks.append(1); time.sleep(0.001)\n"
            "t = threading.Thread(target=tick); t.start()\n"
            "before = len(ticks); f.map(grids[:4000], engine=engine); after = len(ticks)\n"
            "over.set(); t.join(); print(after - before)\n")], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(int(done.stdout), 3)

    def test_futures(self):
        with arcl.Engine(device="host", threads=2, profile="") as engine:
            turn = arcl.program(TURN, engine=engine)
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                futures = list(pool.map(lambda grid: engine.submit(turn, grid), GRIDS * 5))
            self.assertEqual([f.result(60) for f in futures], [expected(g) for g in GRIDS * 5])
            first = arcl.program("def f(I):\n    return first(objects(I, T, F, T))\n", engine=engine)
            self.assertRaises(arcl.LaneError, engine.submit(first, ((0, 0), (0, 0))).result, 60)
            engine.flush()

    def test_await(self):
        engine = arcl.Engine(device="host", threads=1, profile="")
        turn = arcl.program(TURN, engine=engine)

        async def all_of_them():
            return await asyncio.gather(*(one(grid) for grid in GRIDS))

        async def one(grid):
            return await engine.submit(turn, grid)

        self.assertEqual(asyncio.run(all_of_them()), [expected(g) for g in GRIDS])

    def test_an_engine_goes_away_while_futures_wait(self):
        engine = arcl.Engine(device="host", threads=1, profile="")
        future = engine.submit(arcl.program(TURN), GRIDS[0])
        del engine
        self.assertEqual(future.result(60), expected(GRIDS[0]))


class Interrupts(unittest.TestCase):
    def test_cancel_from_another_thread(self):
        done = subprocess.run([sys.executable, "-c", LONG.format(lanes=200000) + (
            "import threading, time\n"
            "def stop():\n"
            "    while not engine.cancel(): time.sleep(0.01)\n"
            "t = threading.Thread(target=stop); t.start()\n"
            "try: f.map(grids, engine=engine)\n"
            "except arcl.Cancelled: print('cancelled')\n"
            "t.join(); print(f.map(grids[:2], engine=engine)[1])\n")], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.stdout.split(), ["cancelled", str(576 * 576)], done.stderr)

    def test_ctrl_c_ends_a_run(self):
        child = subprocess.Popen([sys.executable, "-c", LONG.format(lanes=200000) + (
            "import time\n"
            "print('running', flush=True)\n"
            "try: f.map(grids, engine=engine); print('finished')\n"
            "except KeyboardInterrupt: print('interrupted')\n"
            "print(f.map(grids[:2], engine=engine)[1])\n")], stdout=subprocess.PIPE, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
        self.assertEqual(child.stdout.readline(), "running\n")
        time.sleep(0.3)  # whether it puts grids into the batch still, or runs already, does not matter
        child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=120)[0]
        self.assertEqual(said.split(), ["interrupted", str(576 * 576)])


class Processes(unittest.TestCase):
    def test_spawn(self):
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            program = arcl.program(TURN)
            self.assertEqual(pool.map(in_child, GRIDS[:4]), [expected(g) for g in GRIDS[:4]])
            self.assertEqual(pool.starmap(with_program, [(program, g) for g in GRIDS[:4]]), [expected(g) for g in GRIDS[:4]])

    def test_fork(self):
        program = arcl.program(TURN)
        program(GRIDS[0])
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual(pool.map(in_child, GRIDS[:4]), [expected(g) for g in GRIDS[:4]])

    def test_fork_while_another_thread_runs(self):
        done = subprocess.run([sys.executable, "-c", LONG.format(lanes=3000) + (
            "import os, threading, time\n"
            "f.map(grids[:10], engine=engine)\n"
            "t = threading.Thread(target=lambda: f.map(grids, engine=engine)); t.start()\n"
            "while not engine._context.cancel(): time.sleep(0.001)\n"
            "t.join()\n"
            "pid = os.fork()\n"
            "if not pid:\n"
            "    print(f.map(grids[:20], engine=engine)[19], flush=True); os._exit(0)\n"
            "print(os.waitpid(pid, 0)[1])\n")], capture_output=True, text=True, timeout=120)
        self.assertIn(f"{576 * 576}\n0\n", done.stdout, done.stderr)

    def test_opencl_does_not_survive_a_fork(self):
        devices = [d for d in arcl.Engine(profile="").devices() if d.id.startswith("cl:") and d.state == "ready"]
        if not devices:
            self.skipTest("there is no OpenCL device here")
        done = subprocess.run([sys.executable, "-c", (
            "import arcl, os\n"
            f"turn = arcl.program({TURN!r})\n"
            "engine = arcl.Engine(device='cl:0', profile='')\n"
            "assert turn.map([((1, 2),)], engine=engine)[0] == ((1,), (2,))\n"
            "pid = os.fork()\n"
            "if not pid:\n"
            "    try: turn.map([((1, 2),)], engine=engine)\n"
            "    except arcl.ForkError as error: print(error, flush=True)\n"
            "    try: arcl.Engine(device='cl:0', profile='')\n"
            "    except arcl.ForkError as error: print('and no new one', flush=True)\n"
            "    os._exit(0)\n"
            "os.waitpid(pid, 0)\n")], capture_output=True, text=True, timeout=120)
        self.assertIn("fork", done.stdout, done.stderr)
        self.assertIn("and no new one", done.stdout)


if __name__ == "__main__":
    os.environ.setdefault("ARCL_PROFILE", "")
    unittest.main()
