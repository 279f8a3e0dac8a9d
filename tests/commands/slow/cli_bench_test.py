"""arcl bench: the table, JSON, the picture, comparing, and what is refused, on the real binary.

Times are not judged, but all else is. What needs an OpenCL device is skipped where none is ready.
"""
import itertools
import json
import math
import os
import re
import shutil
import signal
import statistics
import subprocess
import unittest
import xml.etree.ElementTree as xml

from command import ARCL, VECTORS, CommandTest

SVG = "{http://www.w3.org/2000/svg}"


def list_ready():
    done = subprocess.run([ARCL, "devices", "--json", "-"], stdout=subprocess.PIPE, timeout=250)
    return [d["id"] for d in json.loads(done.stdout)["devices"] if d["state"] == "ready" and d["id"] != "host"]


READY = list_ready()


def measurement(**times):
    return {"benchmarks": [{"name": name.replace("_", "/"), "real_time": time, "time_unit": "ns"}
                           for name, all_times in times.items()
                           for time in (all_times if isinstance(all_times, list) else [all_times])]}


def table_of(stdout):
    """The head and the rows of the table, split; what is above it is left out."""
    lines = stdout.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("op "))
    return [line.split() for line in lines[first:]]


class Bench(CommandTest):
    def bench(self, *arguments, device="host", lanes="1,20"):
        """Few and short repetitions: times are not judged."""
        return self.accepted("bench", *arguments, "--device", device, "--lanes", lanes, "--min-time", "0.0002",
                             *(() if "--repetitions" in arguments else ("--repetitions", "3")))

    def read_json(self, name):
        return json.loads((self.folder / name).read_text())


class Table(Bench):
    def test_the_host_alone_needs_no_drivers(self):
        self.environment["LD_DEBUG"] = "files"  # the loader says what it loads, on standard error
        self.assertNotIn("libOpenCL", self.accepted("bench", "rot90", "--lanes", "1", "--device", "host").stderr)

    def test_a_row_per_op_and_lanes(self):
        head, *rows = table_of(self.bench("fill", "rot90", lanes="1,3,20").stdout)
        self.assertEqual(head[:3], ["op", "device", "lanes"])
        self.assertEqual([row[:3] for row in rows],
                         [[op, "host", lanes] for op in ("rot90", "fill") for lanes in ("1", "3", "20")])
        self.assertEqual([len(row) > 14 for row in rows], [True, False, False] * 2, "compiled once per op")
        for row in rows:
            self.assertRegex(row[5], r"^(<5%|\d+%|!\d+%|!>999%)$", "a spread")
            self.assertRegex(row[6], r"^[\d.]+$", "time in kernels")

    def test_the_machine_and_how_it_was_measured(self):
        lines = self.bench("rot90", "--repetitions", "4", "--size", "7").stdout.splitlines()
        self.assertRegex(lines[0], r"\d+ threads?.*; load [\d.]+ [\d.]+ [\d.]+$")
        self.assertEqual(lines[1], "4 repetitions of 200 us or more in turn; grids of 7 by 7")
        self.assertEqual(lines[2], "")

    def test_filter(self):
        rows = table_of(self.bench("--filter", "^rot|mirror$", lanes="5").stdout)[1:]
        self.assertEqual({row[0] for row in rows}, {"rot90", "rot180", "rot270", "vmirror", "hmirror", "dmirror", "cmirror"})
        rows = table_of(self.bench("rot90", "fill", "--filter", "9", lanes="5").stdout)[1:]
        self.assertEqual([row[0] for row in rows], ["rot90"])

    def test_times_that_spread_are_marked_and_warned_of(self):
        done = self.bench("rot90", "fill", "objects", "--repetitions", "10", lanes="1,10,100")
        marked = [row for row in table_of(done.stdout)[1:] if row[5].startswith("!")]
        self.assertEqual(bool(marked), "marked with !" in done.stderr)
        if marked:
            self.assertIn(f"{len(marked)} of 9 rows", done.stderr)

    def test_every_op_has_inputs_with_which_it_works(self):
        done = self.bench(lanes="50")
        ops = json.loads(self.accepted("ops", "--json", "-").stdout)
        self.assertEqual([row[0] for row in table_of(done.stdout)[1:]], [op["name"] for op in ops])
        self.assertNotRegex(done.stderr, "left out|fail", "ops that are left out, or fail in most lanes")

    def test_sizes(self):
        for size in ("4", "5", "30"):
            with self.subTest(size):
                self.assertNotIn("fail", self.bench("objects", "crop", "connect", "product", "--size", size).stderr)


class Json(Bench):
    def test_layout(self):
        self.bench("rot90", "size", "--json", "out.json", "--repetitions", "4")
        out = self.read_json("out.json")
        self.assertLess({"date", "host_name", "num_cpus", "mhz_per_cpu", "cpu_scaling_enabled", "load_avg", "grid_side",
                         "library_build_type", "json_schema_version", "devices"}, set(out["context"]))
        self.assertEqual(list(out["context"]["devices"]), ["host"])
        repetitions = [b for b in out["benchmarks"] if b["run_type"] == "iteration"]
        names = ["size/host/1", "size/host/20", "rot90/host/1", "rot90/host/20"]
        self.assertEqual([(b["name"], b["repetition_index"]) for b in repetitions],
                         [(name, i) for name in names for i in range(4)])
        self.assertEqual([(b["family_index"], b["per_family_instance_index"]) for b in repetitions[::4]],
                         [(0, 0), (0, 1), (1, 0), (1, 1)])
        for one in repetitions:
            self.assertEqual((one["run_name"], one["repetitions"], one["time_unit"]), (one["name"], 4, "ns"))
            self.assertGreaterEqual(one["iterations"], 1)
            self.assertGreater(one["real_time"], 0)
            self.assertGreater(one["cpu_time"], 0)
            lanes = int(one["name"].split("/")[2])
            self.assertAlmostEqual(one["items_per_second"] * one["real_time"] / (lanes * 1e9), 1, places=5)
        rot90 = repetitions[-1]  # 20 grids of 100 cells come in, and as many go out
        self.assertAlmostEqual(rot90["cells_per_second"] * rot90["real_time"] / 1e9, 20 * 200, places=2)
        self.assertAlmostEqual(rot90["bytes_per_second"] * rot90["real_time"] / 1e9, 20 * 200, places=2)

    def test_aggregates(self):
        self.bench("rot90", "--json", "out.json", "--repetitions", "10", lanes="20")
        benchmarks = self.read_json("out.json")["benchmarks"]
        times = sorted(b["real_time"] for b in benchmarks if b["run_type"] == "iteration")
        found = {b["aggregate_name"]: b for b in benchmarks if b["run_type"] == "aggregate"}
        self.assertEqual(found["median"]["name"], "rot90/host/20_median")
        median = statistics.median(times)
        for name, value in (("median", median), ("mean", statistics.mean(times)), ("min", times[0]),
                            ("stddev", statistics.stdev(times)), ("cv", statistics.stdev(times) / statistics.mean(times))):
            self.assertAlmostEqual(found[name]["real_time"], value, delta=1e-4 * value + 1e-6, msg=name)
        low, high = min(times[1], 0.95 * median), max(times[-2], 1.05 * median)
        self.assertAlmostEqual(found["median"]["low_time"] / low, 1, places=5)
        self.assertAlmostEqual(found["median"]["high_time"] / high, 1, places=5)
        self.assertAlmostEqual(found["spread"]["real_time"], max(high - median, median - low) / median, places=5)
        self.assertGreater(found["median"]["kernel_time"], 0)
        self.assertEqual(found["median"]["transfer_time"], 0)


class Interrupted(Bench):
    def test_what_was_measured_is_told(self):
        """All ops take minutes: after the first rows comes Ctrl-C."""
        command = [ARCL, "bench", "--device", "host", "--lanes", "1,10", "--json", "out.json", "--repetitions", "5"]
        with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=self.environment) as process:
            while not process.stdout.readline().startswith("add "):
                pass
            process.send_signal(signal.SIGINT)
            rest, errors = process.stdout.read(), process.stderr.read()  # communicate would lose what readline has read ahead
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertRegex(errors, r"interrupted: \d+ of \d+ rows")
        names = [b["name"] for b in self.read_json("out.json")["benchmarks"] if b["run_type"] == "iteration"]
        self.assertEqual(names[0], "add/host/1")
        rows = int(re.search(r"interrupted: (\d+)", errors)[1])
        self.assertEqual(len(set(names)), rows)
        self.assertEqual(len([row for row in rest.splitlines() if " host " in row]) + 1, rows)


class Picture(Bench):
    def draw(self, *arguments, **options):
        self.bench(*arguments, "--svg", "out.svg", **options)
        return xml.parse(self.folder / "out.svg").getroot()

    def test_a_panel_per_op(self):
        ops = ["rot90", "fill", "size", "objects"]
        root = self.draw(*ops)
        self.assertEqual(root.tag, SVG + "svg")
        titles = [text.text for text in root.iter(SVG + "text") if text.get("class") == "op"]
        self.assertEqual(sorted(titles), sorted(ops))
        curves = list(root.iter(SVG + "polyline"))
        self.assertEqual([len(curve.get("points").split()) for curve in curves], [2] * len(ops))
        height = float(root.get("height"))
        for panel in root.findall(SVG + "g"):
            top = float(panel.get("transform").strip("translate()").split()[1])
            for text in panel.iter(SVG + "text"):
                self.assertLess(top + float(text.get("y", 0)), height)

    def test_one_number_of_lanes(self):
        texts = [text.text for text in self.draw("rot90", lanes="7").iter(SVG + "text")]
        self.assertIn("rot90", texts)
        self.assertIn("lanes in a batch", texts)

    @unittest.skipUnless(READY, "no OpenCL device is ready")
    def test_the_fastest_is_named(self):
        root = self.draw("rot90", device=f"host,{READY[0]}")
        [note] = [text.text for text in root.iter(SVG + "text") if text.get("class") == "note"]
        self.assertRegex(note, "^fastest: (host|cl:)")
        self.assertEqual(len(list(root.iter(SVG + "polyline"))), 2)


    @unittest.skipUnless(READY, "no OpenCL device is ready")
    def test_many_ops_are_summed_up(self):
        ops = ["rot90", "vmirror", "hmirror", "dmirror", "cmirror", "rot180"]
        root = self.draw(*ops, device=f"host,{READY[0]}", lanes="1,2000")
        titles = [text.text for text in root.iter(SVG + "text") if text.get("class") == "op"]
        self.assertEqual(titles[0], "all 6 ops")
        counts = [int(text.text) for text in root.iter(SVG + "text") if text.get("class") == "count middle"]
        self.assertEqual(sum(counts), 2 * len(ops))


class Compare(Bench):
    def compare(self, before, after):
        self.write("a.json", before)
        self.write("b.json", after)
        return self.accepted("bench", "--compare", "a.json", "b.json")

    def test_ratios(self):
        done = self.compare(measurement(slow_1=100, fast_1=100, same_1=50, old_1=1),
                            measurement(slow_1=400, fast_1=50, same_1=50, new_1=1))
        head, *rows, mean, verdict = done.stdout.splitlines()
        self.assertEqual(head.split(), ["benchmark", "before", "after", "ratio", "chance"])
        self.assertEqual([(row.split()[0], *row.split()[-2:]) for row in rows],
                         [("fast/1", "0.500", "-"), ("same/1", "1.000", "-"), ("slow/1", "4.000", "-")])
        self.assertEqual(mean.split(), ["geometric", "mean", f"{math.pow(2, 1 / 3):.3f}"])
        self.assertIn("3 with too few repetitions to tell", verdict)
        self.assertIn("1 only in a.json, 1 only in b.json", done.stderr)

    def test_significance(self):
        """Of all C(16, 8) = 12,870 orders of eight and eight times, two are as far apart as possible; the others were
        counted by trying them all. With ties it is the normal distribution, corrected for them."""
        slow = [100 + i for i in range(8)]
        done = self.compare(
            measurement(faster=slow, slower=slow, mixed=slow, ties=[5, 5, 6, 6, 7, 7, 8, 9]),
            measurement(faster=[t * 0.5 for t in slow], slower=[t * 2 + 0.5 for t in slow],
                        mixed=[t + 1.5 for t in slow], ties=[6, 7, 7, 8, 8, 9, 9, 9]))
        rows = {line.split()[0]: line.split()[6:] for line in done.stdout.splitlines()[1:-2]}
        self.assertEqual(rows["faster"], [f"{2 / 12870:.4f}", "faster"])
        self.assertEqual(rows["slower"], [f"{2 / 12870:.4f}", "slower"])
        self.assertEqual(rows["mixed"], [f"{self.chance(slow, [t + 1.5 for t in slow]):.4f}"])
        self.assertEqual(rows["ties"], ["0.0859"])
        self.assertEqual(done.stdout.splitlines()[-1], "1 faster, 1 slower, 2 without a clear difference")

    @staticmethod
    def chance(a, b):
        """How many of all ways to choose len(a) of the ranks have a sum that is as far from the middle."""
        ranks = [sorted(a + b).index(value) + 1 for value in a]
        middle = len(a) * (len(a) + len(b) + 1) / 2
        sums = [sum(ways) for ways in itertools.combinations(range(1, len(a) + len(b) + 1), len(a))]
        return sum(abs(s - middle) >= abs(sum(ranks) - middle) for s in sums) / len(sums)

    def test_a_difference_within_the_spread_is_none(self):
        """Two processes differ by some percent though nothing has changed: no verdict on that."""
        done = self.compare(measurement(x=[100 + i * 0.01 for i in range(10)]),
                            measurement(x=[103 + i * 0.01 for i in range(10)]))
        self.assertIn("<0.0001", done.stdout)
        self.assertIn("0 faster, 0 slower, 1 without a clear difference", done.stdout)

    def test_aggregates_are_no_repetitions(self):
        one = {"name": "x", "run_name": "x", "run_type": "iteration", "real_time": 2, "time_unit": "ms"}
        sums = {**one, "name": "x_median", "run_type": "aggregate", "aggregate_name": "median"}
        done = self.compare({"benchmarks": [one, sums]}, measurement(x=1000000))
        self.assertIn("0.500", done.stdout)
        self.assertNotIn("x_median", done.stdout)

    def test_with_what_is_measured_now(self):
        self.bench("rot90", "--json", "a.json", "--repetitions", "5")
        done = self.bench("rot90", "fill", "--compare", "a.json", "--json", "b.json", "--repetitions", "5")
        self.assertIn("\nbenchmark ", done.stdout)
        self.assertRegex(done.stdout, r"rot90/host/20 .* \d+\.\d{3} ")
        self.assertIn("2 only in this measurement", done.stderr)
        self.assertEqual(len(self.read_json("b.json")["benchmarks"]), 4 * (5 + 6))

    def test_its_own_files(self):
        self.bench("rot90", "--json", "a.json")
        done = self.accepted("bench", "--compare", "a.json", "a.json")
        self.assertEqual(done.stdout.splitlines()[-2].split(), ["geometric", "mean", "1.000"])
        self.assertEqual(done.stderr, "")

    def test_refused(self):
        self.write("a.json", measurement(x=1))
        self.write("b.json", measurement(y=1, z="1", w=-1))
        self.write("list.json", [])
        self.write("text.json", "no JSON")
        self.refused("bench", "--compare", "a.json", "b.json", says=["no benchmark in common"])
        for name in ("absent.json", "list.json", "text.json"):
            self.refused("bench", "--compare", "a.json", name, says=[name])
            self.refused("bench", "--compare", name, "rot90", says=[name])


class Refused(Bench):
    def test_ops(self):
        self.refused("bench", "rot9", says=["rot9", "rot90"])
        self.refused("bench", "rot90", "somethingelse", says=["somethingelse", "`arcl ops`"])
        self.refused("bench", "x" * 500, says=["`arcl ops`"])

    def test_lanes(self):
        for lanes in ("", "0", "1,", ",1", "1,,2", "2,1", "1,1", "-1", "1.5", "one", "1 2", "99999999999999999999",
                      ",".join(map(str, range(1, 40)))):
            with self.subTest(lanes):
                done = self.refused("bench", "rot90", "--lanes", lanes, says=["--lanes"])
                self.assertEqual(done.stdout, "")

    def test_devices(self):
        self.refused("bench", "rot90", "--device", "host,abacus", says=["abacus", "`arcl devices`"])
        self.refused("bench", "rot90", "--device", "host,host", says=["host is listed twice"])
        self.refused("bench", "rot90", "--device", "host,", says=["--device"])

    def test_size(self):
        for size in ("3", "31", "big"):
            self.refused("bench", "rot90", "--size", size, says=["--size"])

    def test_times_and_patterns(self):
        for seconds in ("", "-1", "often", "1x", "101", "nan"):
            self.refused("bench", "rot90", "--min-time", seconds, says=["--min-time"])
        self.refused("bench", "rot90", "--repetitions", "101", says=["--repetitions", "100"])
        self.refused("bench", "--filter", "rot(", says=["--filter", "regular expression"])
        self.refused("bench", "rot90", "--filter", "nothing", says=["--filter", "fits no op"])

    def test_files(self):
        for option in ("--json", "--svg"):
            self.refused("bench", "rot90", "--device", "host", "--lanes", "1", option, "absent/out", says=["absent/out"])


@unittest.skipUnless(READY, "no OpenCL device is ready")
class OnDevices(Bench):
    def test_both_are_measured(self):
        done = self.bench("rot90", "--json", "out.json", device=f"host,{READY[0]}")
        self.assertEqual([row[1] for row in table_of(done.stdout)[1:]], ["host"] * 2 + [READY[0]] * 2)
        medians = [b for b in self.read_json("out.json")["benchmarks"] if b.get("aggregate_name") == "median"]
        self.assertEqual([m["transfer_time"] > 0 for m in medians], [False, False, True, True])
        for m in medians[2:]:
            self.assertGreater(m["kernel_time"], 0)
        self.assertIn(f"{READY[0]} is ", done.stdout)

    def test_all_that_are_ready(self):
        done = self.accepted("bench", "rot90", "--lanes", "1")
        self.assertEqual([row[1] for row in table_of(done.stdout)[1:]], ["host", *READY])

    def test_a_device_that_computes_wrongly(self):
        compiler = shutil.which("cc")
        if not compiler:
            self.skipTest("no C compiler")
        library = self.folder / "wrong_reads.so"
        source = VECTORS.parent / "support" / "wrong_reads.c"
        subprocess.run([compiler, "-shared", "-fPIC", str(source), "-o", str(library), "-ldl"], check=True)
        options = os.environ.get("ASAN_OPTIONS", "")
        self.environment.update(LD_PRELOAD=f"{library} libOpenCL.so.1", READS="15",
                                ASAN_OPTIONS=f"{options}:verify_asan_link_order=0")
        lanes = ",".join(map(str, range(1, 16))) + ",500"  # whose reads are long, and come last
        done = self.refused("bench", "rot90", "--device", READY[0], "--lanes", lanes, "--repetitions", "2",
                            says=["rot90", "500 lanes", READY[0], "host"], status=1)
        self.assertEqual(len([line for line in done.stderr.splitlines() if "marked with" not in line]), 1)
        self.assertEqual(len(table_of(done.stdout)), 17, "the rest is measured")


if __name__ == "__main__":
    unittest.main()
