"""arcl bench: the table, JSON, the picture, comparing, and what is refused, on the real binary.

Times are not judged, but all else is. What needs an OpenCL device is skipped where none is ready.
"""
import json
import math
import os
import shutil
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
                           for name, time in times.items()]}


class Bench(CommandTest):
    def bench(self, *arguments, device="host", lanes="1,20"):
        return self.accepted("bench", *arguments, "--device", device, "--lanes", lanes)

    def read_json(self, name):
        return json.loads((self.folder / name).read_text())


class Table(Bench):
    def test_the_host_alone_needs_no_drivers(self):
        self.environment["LD_DEBUG"] = "files"  # the loader says what it loads, on standard error
        self.assertNotIn("libOpenCL", self.accepted("bench", "rot90", "--lanes", "1", "--device", "host").stderr)

    def test_a_row_per_op_and_lanes(self):
        head, *rows = self.bench("fill", "rot90", lanes="1,3,20").stdout.splitlines()
        self.assertEqual(head.split()[:3], ["op", "device", "lanes"])
        self.assertEqual([row.split()[:3] for row in rows],
                         [[op, "host", lanes] for op in ("rot90", "fill") for lanes in ("1", "3", "20")])
        self.assertEqual([len(row.split()) > 8 for row in rows], [True, False, False] * 2, "compiled once per op")

    def test_every_op_has_inputs_with_which_it_works(self):
        done = self.bench(lanes="50")
        ops = json.loads(self.accepted("ops", "--json", "-").stdout)
        self.assertEqual([row.split()[0] for row in done.stdout.splitlines()[1:]], [op["name"] for op in ops])
        self.assertEqual(done.stderr, "", "ops that are left out, or fail in most lanes")

    def test_sizes(self):
        for size in ("4", "5", "30"):
            with self.subTest(size):
                self.assertEqual(self.bench("objects", "crop", "connect", "product", "--size", size).stderr, "")


class Json(Bench):
    def test_layout(self):
        self.bench("rot90", "size", "--json", "out.json")
        out = self.read_json("out.json")
        self.assertLess({"date", "host_name", "num_cpus", "grid_side", "devices"}, set(out["context"]))
        self.assertEqual(list(out["context"]["devices"]), ["host"])
        self.assertEqual([b["name"] for b in out["benchmarks"]],
                         ["size/host/1", "size/host/20", "rot90/host/1", "rot90/host/20"])
        for one in out["benchmarks"]:
            self.assertEqual((one["run_type"], one["time_unit"]), ("iteration", "ns"))
            self.assertGreaterEqual(one["iterations"], 5)
            self.assertGreater(one["real_time"], 0)
            self.assertGreater(one["cpu_time"], 0)
            lanes = int(one["name"].split("/")[2])
            self.assertAlmostEqual(one["items_per_second"] * one["real_time"] / (lanes * 1e9), 1, places=5)


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
    def test_ratios(self):
        self.write("a.json", measurement(slow_1=100, fast_1=100, same_1=50, old_1=1))
        self.write("b.json", measurement(slow_1=400, fast_1=50, same_1=50, new_1=1))
        done = self.accepted("bench", "--compare", "a.json", "b.json")
        head, *rows, mean = done.stdout.splitlines()
        self.assertEqual(head.split(), ["benchmark", "before", "after", "ratio"])
        self.assertEqual([(row.split()[0], row.split()[-1]) for row in rows],
                         [("fast/1", "0.500"), ("same/1", "1.000"), ("slow/1", "4.000")])
        self.assertEqual(mean.split(), ["geometric", "mean", f"{math.pow(2, 1 / 3):.3f}"])
        self.assertIn("1 only in a.json, 1 only in b.json", done.stderr)

    def test_units(self):
        self.write("a.json", {"benchmarks": [{"name": "x", "real_time": 2, "time_unit": "ms"}]})
        self.write("b.json", measurement(x=1000000))
        self.assertIn("0.500", self.accepted("bench", "--compare", "a.json", "b.json").stdout)

    def test_its_own_files(self):
        self.bench("rot90", "--json", "a.json")
        done = self.accepted("bench", "--compare", "a.json", "a.json")
        self.assertEqual(done.stdout.splitlines()[-1].split(), ["geometric", "mean", "1.000"])
        self.assertEqual(done.stderr, "")

    def test_refused(self):
        self.write("a.json", measurement(x=1))
        self.write("b.json", measurement(y=1, z="1", w=-1))
        self.write("list.json", [])
        self.write("text.json", "no JSON")
        self.refused("bench", "--compare", "a.json", says=["--compare", "two files"])
        self.refused("bench", "--compare", "a.json", "b.json", says=["no benchmark in common"])
        for name in ("absent.json", "list.json", "text.json"):
            self.refused("bench", "--compare", "a.json", name, says=[name])


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

    def test_files(self):
        for option in ("--json", "--svg"):
            self.refused("bench", "rot90", "--device", "host", "--lanes", "1", option, "absent/out", says=["absent/out"])


@unittest.skipUnless(READY, "no OpenCL device is ready")
class OnDevices(Bench):
    def test_both_are_measured(self):
        done = self.bench("rot90", "--json", "out.json", device=f"host,{READY[0]}")
        self.assertEqual([row.split()[1] for row in done.stdout.splitlines()[1:]], ["host"] * 2 + [READY[0]] * 2)
        self.assertEqual(len(self.read_json("out.json")["benchmarks"]), 4)

    def test_all_that_are_ready(self):
        done = self.accepted("bench", "rot90", "--lanes", "1")
        self.assertEqual([row.split()[1] for row in done.stdout.splitlines()[1:]], ["host", *READY])

    def test_a_device_that_computes_wrongly(self):
        compiler = shutil.which("cc")
        if not compiler:
            self.skipTest("no C compiler")
        library = self.folder / "wrong_reads.so"
        source = VECTORS.parent / "support" / "wrong_reads.c"
        subprocess.run([compiler, "-shared", "-fPIC", str(source), "-o", str(library), "-ldl"], check=True)
        options = os.environ.get("ASAN_OPTIONS", "")
        self.environment.update(LD_PRELOAD=f"{library} libOpenCL.so.1", READS="100",
                                ASAN_OPTIONS=f"{options}:verify_asan_link_order=0")
        done = self.refused("bench", "rot90", "--device", READY[0], "--lanes", "1,500",
                            says=["rot90", "500 lanes", READY[0], "host"], status=1)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertEqual(len(done.stdout.splitlines()), 3, "the rest is measured")


if __name__ == "__main__":
    unittest.main()
