"""Devices from the command line: the listing, choosing, --require, the report, and failures, on the real binary.

With PoCL there are two devices: `pthread` and `basic`. What needs an OpenCL device is skipped where none is ready.
"""
import json
import os
import shutil
import subprocess
import sys
import unittest

from command import ARCL, PROGRAM, SKIPPED, TASK, VECTORS, CommandTest

PROGRAMS = ("prog-00102", "prog-00502", "prog-01203", "prog-01903")  # maps, sorting, filters, records; few kernels
NUMBERS = ("compute_units", "largest_group", "memory", "largest_buffer", "local_memory", "cache")
CHOSEN = {"POCL_DEVICES": "pthread basic", "RUSTICL_ENABLE": ""}


def list_devices(**changes):
    done = subprocess.run([ARCL, "devices", "--json", "-"], env={**os.environ, **CHOSEN, **changes},
                          stdout=subprocess.PIPE, timeout=250)
    return json.loads(done.stdout)["devices"]


DEVICES = list_devices()
READY = [d["id"] for d in DEVICES if d["state"] == "ready" and d["id"] != "host"]


class Devices(CommandTest):
    def setUp(self):
        super().setUp()
        self.environment.update(CHOSEN)
        self.write("good.json", TASK)
        self.write("good.py", PROGRAM)

    def vectors(self):
        lines = (VECTORS / "programs.jsonl").read_text().splitlines(keepends=True)
        self.write("v.jsonl", "".join(line for line in lines if json.loads(line)["id"] in PROGRAMS))

    def run_good(self, *options):
        return "run", "good.py", "--in", "good.json", *options

    def without_drivers(self):
        (self.folder / "none").mkdir()
        self.environment.pop("OCL_ICD_FILENAMES", None)
        self.environment["OCL_ICD_VENDORS"] = str(self.folder / "none")


class Listing(Devices):
    def test_text(self):
        done = self.accepted("devices")
        self.assertTrue(done.stdout.startswith("host "))
        heads = [line.split()[0] for line in done.stdout.splitlines() if not line.startswith(" ")]
        self.assertEqual(heads, [d["id"] or "-" for d in DEVICES])
        self.assertEqual(done.stdout.count("\n  state "), len(DEVICES))
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 140)

    def test_json(self):
        self.assertEqual(self.accepted("devices", "--json", "out.json").stdout, "")
        out = json.loads((self.folder / "out.json").read_text())
        self.assertIn("notice", out)
        host, *others = out["devices"]
        self.assertEqual((host["id"], host["kind"], host["state"], host["reason"]), ("host", "host", "ready", None))
        for device in out["devices"]:
            with self.subTest(device):
                self.assertLess({"id", "name", "platform", "driver", "kind", "state", "reason"}, set(device))
                self.assertTrue(all(device[key] >= 0 for key in NUMBERS))
                self.assertEqual(device["state"] == "ready", device["reason"] is None)
                self.assertEqual(device["state"] == "no device", device["id"] is None)
                if device["state"] == "ready":
                    self.assertGreater(device["memory"], 0)
                    self.assertGreater(device["compute_units"], 0)
        self.assertTrue(others, "what there is of OpenCL, or why there is nothing")

    def test_no_driver(self):
        self.without_drivers()
        done = self.accepted("devices")
        self.assertEqual(len([line for line in done.stdout.splitlines() if not line.startswith(" ")]), 2)
        self.assertRegex(done.stdout, r"(?s)^host .*\n- OpenCL\n  state +no device: ")

    def test_a_device_that_cannot_be_had_does_not_matter(self):
        self.accepted("devices", "--device", "abacus")

    def test_usage(self):
        self.refused("devices", "all", says=["too many arguments"])
        self.refused("devices", "--json", "absent/out.json", says=["absent/out.json"])


class Choosing(Devices):
    def test_unknown(self):
        for name in ("abacus", "cl:99", "cl:", ",", "cl:99,host"):
            with self.subTest(name):
                done = self.refused(*self.run_good("--device", name), says=["there is no", "`arcl devices`"])
                self.assertEqual(done.stdout, "")
                self.assertEqual(len(done.stderr.splitlines()), 1)
        self.refused(*self.run_good("--device", ""), says=["--device"])

    def test_no_driver(self):
        self.without_drivers()
        plain = self.accepted(*self.run_good())
        self.assertEqual(self.accepted(*self.run_good("--device", "host", "--require")).stdout, plain.stdout)
        self.assertEqual(plain.stderr, "")
        self.refused(*self.run_good("--device", "cl:0"), says=["OpenCL", "cl:0", "`arcl devices`"])

    def test_require_needs_a_name(self):
        for options in (["--require"], ["--require", "--device", "auto"]):
            with self.subTest(options):
                self.refused(*self.run_good(*options), says=["--require", "--device"])

    def test_the_memory_limit_is_not_the_device(self):
        done = self.refused(*self.run_good("--device", "host", "--memory", "1000"), says=["too small"])
        self.assertNotIn("arcl devices", done.stderr)


@unittest.skipUnless(READY, "no OpenCL device is ready")
class OneDevice(Devices):
    def test_by_id_and_by_name(self):
        plain = self.accepted(*self.run_good()).stdout
        names = [d["name"] for d in DEVICES if d["id"] in READY]
        unique = [n.upper() for n in names if "," not in n and sum(n in other for other in names) == 1]
        for name in READY + unique:
            with self.subTest(name):
                done = self.accepted(*self.run_good("--device", name, "--require"))
                self.assertEqual((done.stdout, done.stderr), (plain, ""))

    def test_score(self):
        done = self.accepted("score", "good.py", "--tasks", "good.json", "--device", READY[0], "--require")
        self.assertEqual(done.stdout.splitlines()[-1], "tasks 1/1 examples 2/2 errors 0")

    def test_an_unknown_one_lists_those_there_are(self):
        self.refused(*self.run_good("--device", "abacus"), says=READY)

    def test_report(self):
        self.vectors()
        self.accepted("check", "v.jsonl", "--device", READY[0], "--require", "--report", "--json", "out.json")
        report = json.loads((self.folder / "out.json").read_text())["report"]
        [device] = report["devices"]
        self.assertEqual(device["device"], READY[0])
        for key in ("launches", "synchronisations", "bytes_up", "bytes_down", "builds", "build_nanoseconds"):
            self.assertGreater(device[key], 0, key)
        self.assertEqual({(e["planned"], e["ran"]) for e in report["ops"]}, {(READY[0], READY[0])})
        self.assertEqual(sum(e["launches"] for e in report["ops"]), device["launches"])
        self.assertLess(device["synchronisations"], device["launches"])

    def test_printed_report(self):
        done = self.accepted(*self.run_good("--device", READY[0], "--report"))
        lines = done.stderr.splitlines()
        self.assertEqual(lines[-4].split(), ["device", "launches", "synchronisations", "bytes", "up", "bytes", "down",
                                             "builds", "build", "ms"])
        self.assertEqual(lines[-3].split()[0], READY[0])
        self.assertTrue(any(line.split()[:3] == ["rot90", READY[0], READY[0]] for line in lines if line))

    def test_the_host_has_no_devices_in_its_report(self):
        self.accepted(*self.run_good("--device", "host", "--report", "--json", "out.json"))
        report = json.loads((self.folder / "out.json").read_text())["report"]
        self.assertEqual(report["devices"], [])
        self.assertEqual({e["ran"] for e in report["ops"]}, {"host"})

    def test_a_notice_is_printed_once(self):
        self.environment.pop("POCL_CACHE_DIR", None)
        self.environment.update(XDG_CACHE_HOME="/proc/nowhere", POCL_DEVICES="basic")
        done = self.accepted("show", "good.json", "--device", READY[0])  # opens it, but needs no kernels
        self.assertRegex(done.stderr, "^arcl: .*/proc/nowhere.*\n$")


@unittest.skipUnless(len(READY) > 1, "fewer than two OpenCL devices are ready")
class TwoDevices(Devices):
    def test_the_values_of_the_host(self):
        self.vectors()
        values = {}
        for where in ("host", ",".join(READY[:2])):
            self.accepted("check", "v.jsonl", "--device", where, "--require", "--chunk", "1", "--json", "out.json")
            values[where] = (self.folder / "out.json").read_bytes()
        one, two = values.values()
        self.assertGreater(len(one), 2000)
        self.assertTrue(one == two, "other values or statuses")

    def test_both_have_work(self):
        self.vectors()
        self.accepted("check", "v.jsonl", "--device", ",".join(READY[:2]), "--require", "--chunk", "1", "--report",
                      "--json", "out.json")
        report = json.loads((self.folder / "out.json").read_text())["report"]
        self.assertEqual([d["device"] for d in report["devices"]], READY[:2])
        for device in report["devices"]:
            launches = sum(e["launches"] for e in report["ops"] if e["ran"] == device["device"])
            self.assertEqual(launches, device["launches"])
            self.assertGreater(launches, 0)

    def test_an_ambiguous_name(self):
        names = [d["name"] for d in DEVICES if d["id"] in READY[:2]]
        shared = os.path.commonprefix([name[::-1] for name in names])[::-1].strip(",-( ")
        if not shared:
            self.skipTest(f"{names} have nothing in common")
        self.refused(*self.run_good("--device", shared), says=["several", *READY[:2], "`arcl devices`"])


@unittest.skipUnless(READY, "no OpenCL device is ready")
class FailingDevice(Devices):
    def fail_after(self, reads):
        """From now on devices fail when they have been read from so often."""
        compiler = shutil.which("cc")
        if not compiler:
            self.skipTest("no C compiler")
        library = self.folder / "failing_reads.so"
        source = VECTORS.parent / "support" / "failing_reads.c"
        subprocess.run([compiler, "-shared", "-fPIC", str(source), "-o", str(library), "-ldl"], check=True)
        options = self.environment.get("ASAN_OPTIONS", "")
        self.environment.update(LD_PRELOAD=f"{library} libOpenCL.so.1", READS=str(reads),
                                ASAN_OPTIONS=f"{options}:verify_asan_link_order=0")

    def failed(self, *arguments):
        """Exit status 3, one message, and no result."""
        done = self.refused(*arguments, "--device", READY[0], "--json", "out.json", says=[READY[0]], status=3)
        self.assertEqual((len(done.stderr.splitlines()), done.stdout), (1, ""), done.stderr)
        self.assertFalse((self.folder / "out.json").exists())

    def test_when_it_is_opened(self):
        self.fail_after(0)
        self.failed(*self.run_good())
        self.assertIn("refused: ", self.accepted("devices").stdout)

    def test_while_it_runs(self):
        vector = {"id": "v", "program": "def p(a):\n    return double(a)\n", "types": ["int"], "lanes": [{"in": [2], "out": 4}]}
        self.write("v.jsonl", (json.dumps(vector) + "\n") * 500)
        self.write("many.py", "".join(PROGRAM.replace("good", f"good{n}") for n in range(500)))
        self.write("many.json", {f"good{n}": TASK for n in range(500)})
        self.fail_after(100)  # the self-test needs fewer
        self.accepted(*self.run_good("--device", READY[0]))
        self.failed("check", "v.jsonl")
        self.failed("score", "many.py", "--tasks", "many.json")

    def test_a_device_that_computes_wrongly(self):
        self.environment["RUSTICL_ENABLE"] = "llvmpipe"
        refused = [d for d in list_devices(RUSTICL_ENABLE="llvmpipe") if d["state"] == "refused"]
        if not refused:
            self.skipTest("there is no such device here")
        self.refused(*self.run_good("--device", refused[0]["id"]), says=["refused", refused[0]["reason"]], status=3)


if __name__ == "__main__":
    program = unittest.main(exit=False)
    if not program.result.wasSuccessful():
        sys.exit(1)
    if not READY:
        print("skipped: no OpenCL device is ready; what needs none has passed")
        sys.exit(SKIPPED)
