"""Things that go wrong around devices while programs run: drivers without devices, no place for compiled kernels, a disk that
fills up, too little memory, many processes at once. There is a result or one clear message, never a crash.

opencl_cache_test.py has what can be wrong with the cache when a device is opened, cli_devices_test.py no driver at all.
"""
import json
import os
import pathlib
import shutil
import subprocess
import unittest

import pocl
from command import EXAMPLE, PROGRAM, TASK, CommandTest

PAIRS = "def p(a):\n    x = asindices(a)\n    return size(product(x, x))\n"


class Faults(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("good.json", TASK)
        self.write("good.py", PROGRAM)
        self.write("turn.jsonl", {"id": "turn", "program": "def p(a):\n    return rot90(a)\n", "types": ["grid"],
                                  "lanes": [{"in": [EXAMPLE["input"]], "out": EXAMPLE["output"]}]})

    def run_good(self, **settings):
        """A run on PoCL's `basic` device, which gives the right result."""
        settings = {"devices": "basic", "folder": self.folder, **settings}
        done = pocl.run("run", "good.py", "--in", "good.json", "--device", "basic-", "--require", **settings)
        self.assert_good(done)
        return done

    def assert_good(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("2x2 as expected\n3 1\n4 2\n"), 2, done.stdout)

    def mount(self, name, options):
        """A disk of its own for the test."""
        disk = self.folder / name
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", disk], capture_output=True).returncode:
            self.skipTest("a disk cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=True)
        return disk


class Drivers(Faults):
    def vendors(self, **drivers):
        """A folder of drivers in place of the system's."""
        folder = self.folder / "vendors"
        folder.mkdir()
        for name, library in drivers.items():
            (folder / f"{name}.icd").write_text(library + "\n")
        return {"OCL_ICD_VENDORS": folder, "OCL_ICD_FILENAMES": None, "OCL_ICD_PLATFORM_SORT": "none"}

    def installed(self, name):
        for path in sorted(pathlib.Path("/etc/OpenCL/vendors").glob("*.icd")):
            if name in path.read_text():
                return path.read_text().strip()
        self.skipTest(f"the driver {name} is not installed")

    def test_drivers_without_a_device_beside_a_good_one(self):
        """Mesa's have none unless one asks for it."""
        good, empty = self.installed("pocl"), self.installed("Mesa")
        for names in (("a", "z"), ("z", "a")):
            settings = self.vendors(**dict(zip(names, (good, empty))))
            found = pocl.listed(devices="basic", **settings)
            self.assertEqual(sorted(d["state"] for d in found), ["no device", "ready", "ready"])
            self.assertEqual([d["id"] for d in found if d["platform"] == pocl.PLATFORM], ["cl:0"])
            self.assertEqual(self.run_good(**settings).stderr, "")
            shutil.rmtree(settings["OCL_ICD_VENDORS"])

    def test_a_driver_that_is_not_there_beside_a_good_one(self):
        settings = self.vendors(a="libno-such-driver.so.1", m=self.installed("pocl"), z="/dev/null")
        self.assertEqual([d["id"] for d in pocl.listed(devices="basic", **settings)], ["host", "cl:0"])
        self.run_good(**settings)

    def test_only_a_driver_without_a_device(self):
        settings = self.vendors(a=self.installed("Mesa"))
        self.assertEqual([d["state"] for d in pocl.listed(**settings)], ["ready", "no device"])
        done = pocl.run("run", "good.py", "--in", "good.json", "--device", "cl:0", folder=self.folder, **settings)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, "^arcl: there is no OpenCL device \"cl:0\": its driver finds no device.*\n$")


class Cache(Faults):
    def assert_notice(self, done, text):
        self.assertRegex(done.stderr, rf"^arcl: .*{text}.*; kernels are built again in every process\n$")

    def test_no_home(self):
        done = self.run_good(HOME=None, XDG_CACHE_HOME=None, POCL_CACHE_DIR=None, TMPDIR=self.folder)
        self.assert_notice(done, "neither HOME nor XDG_CACHE_HOME is set")

    def test_a_disk_that_is_read_only(self):
        disk = self.mount("disk", "size=100m")
        settings = {"XDG_CACHE_HOME": disk, "POCL_CACHE_DIR": None, "TMPDIR": self.folder}
        self.assertEqual(self.run_good(**settings).stderr, "")
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        self.assert_notice(self.run_good(**settings), f"{disk}.*Read-only")

    def test_a_disk_that_fills_up_after_the_device_was_opened(self):
        """The vectors come through a pipe, which the command opens when it has its device."""
        disk = self.mount("disk", "size=100m")
        os.mkfifo(self.folder / "pipe")
        process = pocl.start("check", "pipe", "--device", "basic-", devices="basic", folder=self.folder,
                             XDG_CACHE_HOME=disk, POCL_CACHE_DIR=None)
        with open(self.folder / "pipe", "w") as pipe:
            with open(disk / "large", "wb") as large, self.assertRaises(OSError):
                while True:
                    large.write(bytes(1 << 20))
                    large.flush()
            pipe.write((self.folder / "turn.jsonl").read_text())
        done = pocl.finish(process)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertRegex(done.stderr, f"^arcl: no room to build kernels: the disk of {disk}/.* is full.*\n$")

    def test_eight_processes_on_a_cold_cache(self):
        cache = self.folder / "cache"
        for devices in ("basic", "pthread"):
            with self.subTest(devices):
                started = [pocl.start("run", "good.py", "--in", "good.json", "--device", f"{devices}-", devices=devices,
                                      folder=self.folder, XDG_CACHE_HOME=cache, POCL_CACHE_DIR=None) for _ in range(8)]
                for done in map(pocl.finish, started):
                    self.assert_good(done)
                    self.assertEqual(done.stderr, "")


class Memory(Faults):
    def pairs(self, side, lanes):
        """A vector whose lanes make all pairs of a grid's cells."""
        grid = [[0] * side] * side
        return json.dumps({"id": f"pairs-{side}", "program": PAIRS, "types": ["grid"],
                           "lanes": [{"in": [grid], "out": side**4}] * lanes}) + "\n"

    def check(self, *options, **changes):
        return pocl.run("check", "v.jsonl", "--quiet", *options, folder=self.folder, **changes)

    def test_a_device_with_little_memory(self):
        """PoCL takes gigabytes. With one of them a buffer is a quarter of that, and half the buffer is for what lanes make."""
        for devices in ("basic", "pthread"):
            with self.subTest(devices):
                settings = {"devices": devices, "POCL_MEMORY_LIMIT": "1"}
                self.assertEqual([d["memory"] for d in pocl.listed(**settings)[1:] if d["id"]], [1 << 30])
                self.write("v.jsonl", self.pairs(30, 100))  # more than six megabytes each: not all at once
                done = self.check("--device", "cl:0", "--require", "--chunk", "100", **settings)
                self.assertEqual((done.returncode, done.stdout), (0, "100 passed, 0 failed\n"), done.stderr)
                self.write("v.jsonl", self.pairs(30, 2) + self.pairs(65, 1) + self.pairs(29, 3))  # half a gigabyte
                done = self.check("--device", "cl:0", "--require", **settings)
                self.assertEqual((done.returncode, done.stdout), (2, "5 passed, 1 failed\n"), done.stderr)
                self.assertRegex(done.stderr, r"^arcl: v\.jsonl:2: 1 lanes failed: pairs-65: one lane alone needs more memory "
                                              r"than the \d+ bytes that cl:0 has for it: raise the memory limit or use "
                                              r"another device\n$")

    def test_a_small_limit(self):
        self.write("v.jsonl", self.pairs(15, 200) + self.pairs(40, 1))
        for devices in ("basic", "pthread"):
            with self.subTest(devices):
                done = self.check("--device", "cl:0", "--threads", "1", "--memory", "16M", devices=devices)
                self.assertEqual((done.returncode, done.stdout), (2, "200 passed, 1 failed\n"), done.stderr)
                self.assertRegex(done.stderr, r"^arcl: v\.jsonl:2: 1 lanes failed: pairs-40: one lane alone .*\n$")


if __name__ == "__main__":
    pocl.skip_unless_installed()
    unittest.main()
