"""Every vector on PoCL's devices, one at a time and two at once: what comes out is what the host writes, byte for byte,
however lanes are cut into chunks.

On an empty cache a device compiles all kernels, which takes longer than everything else here: both devices do that at the
same time. tests/CMakeLists.txt lets the other tests of devices wait for this one, so that they find the cache filled.
"""
import json
import pathlib
import tempfile
import unittest

import pocl


class DeviceVectors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        host = pocl.finish(cls.start("host", "host"))
        assert host.returncode == 0, host.stderr
        cls.first = {name: cls.start(name, name) for name in ("pthread", "basic")}
        cls.first = {name: pocl.finish(process) for name, process in cls.first.items()}

    @classmethod
    def start(cls, name, devices, *options):
        """All vectors on these devices; what came out is in the file of that name."""
        where = "host" if devices == "host" else ",".join(pocl.ids(devices))
        return pocl.start("check", *pocl.FILES, "--quiet", "--device", where, "--require", "--json", name, *options,
                          devices=devices, folder=cls.folder)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def assert_as_on_the_host(self, name, done):
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
        self.assertRegex(done.stdout, r"^\d{5} passed, 0 failed\n$")
        if self.read("host") == self.read(name):
            return
        expected, got = (json.loads(self.read(n))["cases"] for n in ("host", name))
        wrong = [case["id"] for case, other in zip(expected, got) if case != other]
        self.fail(f"other values or statuses than on the host, or another text: {wrong[:20]}")

    def check(self, name, devices, *options):
        self.assert_as_on_the_host(name, pocl.finish(self.start(name, devices, *options)))

    def test_pthread(self):
        self.assert_as_on_the_host("pthread", self.first["pthread"])

    def test_basic(self):
        self.assert_as_on_the_host("basic", self.first["basic"])

    def test_both_at_once(self):
        self.check("both", "pthread basic")

    def test_small_chunks(self):
        for devices in ("pthread", "basic", "pthread basic"):
            with self.subTest(devices=devices):
                self.check("chunks", devices, "--chunk", "3")

    def test_not_one_op_ran_elsewhere(self):
        done = pocl.finish(self.start("report", "basic", "--report"))
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        out = json.loads(self.read("report"))
        self.assertGreater(len(out["report"]["ops"]), 150)
        self.assertEqual({(op["planned"], op["ran"]) for op in out["report"]["ops"]}, {tuple(pocl.ids("basic") * 2)})
        self.assertEqual(sum(op["launches"] for op in out["report"]["ops"]), out["report"]["devices"][0]["launches"])


if __name__ == "__main__":
    pocl.skip_unless_installed()
    unittest.main()
