"""PoCL's cache of compiled kernels: damaged, unusable, full, or used by many at once. PoCL ends the process when it meets
a bad entry, so every test here is: the process lives, the device is ready, and a notice says what was wrong.

opencl_test, whose path is in $OPENCL_TEST, is the process: its first test opens and tests every device.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from command import SKIPPED

PROGRAM = os.environ.get("OPENCL_TEST", "")


def environment(**changes):
    variables = {**os.environ, "POCL_DEVICES": "pthread", "RUSTICL_ENABLE": ""}
    for name in ("POCL_CACHE_DIR", "XDG_CACHE_HOME"):
        variables.pop(name, None)
    for name, value in changes.items():
        if value is None:
            variables.pop(name, None)
        else:
            variables[name] = str(value)
    return variables


def start(**changes):
    return subprocess.Popen([PROGRAM, "-t", "every_entry_says_what_it_is"], env=environment(**changes), text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


class Outcome:
    def __init__(self, process):
        self.text = process.communicate(timeout=250)[0]
        self.status = process.returncode
        self.ready = re.search(r"^  cl:0 .*pthread[^:]*$", self.text, re.M) is not None
        found = re.search(r"^notice: (.*)$", self.text, re.M)
        self.notice = found.group(1) if found else ""


class Cache(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="arcl-cache-test-"))
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)

    def run_ready(self, **changes):
        outcome = Outcome(start(**{"XDG_CACHE_HOME": self.home, **changes}))
        self.assertEqual(outcome.status, 0, outcome.text)
        self.assertTrue(outcome.ready, outcome.text)
        return outcome

    def assert_sound(self):
        self.assertEqual(self.run_ready().notice, "")

    def files(self, pattern):
        found = sorted(self.home.glob(f"arcl/pocl/*/{pattern}"))
        self.assertTrue(found, f"no {pattern}")
        return found


def emptied(path):
    path.write_bytes(b"")


def cut(path):
    os.truncate(path, 4096)


def cut_a_little(path):
    os.truncate(path, path.stat().st_size - 100)


def zeroed(path):
    path.write_bytes(bytes(path.stat().st_size))


def one_byte_changed(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x10
    times = path.stat()
    path.write_bytes(data)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # as a failing disk would do it


def of_another_driver(path):
    shutil.copy(sys.executable, path)


def a_directory(path):
    path.unlink()
    path.mkdir()
    (path / "inside").write_text("x")


class DamagedCache(Cache):
    def test_every_kind_of_damage_is_found(self):
        self.assert_sound()
        for pattern in ("store/*/*/program.bc", "store/*/*/*/*/*.so"):
            for damage in (emptied, cut, cut_a_little, zeroed, one_byte_changed, of_another_driver, a_directory):
                with self.subTest(file=pattern, damage=damage.__name__):
                    damage(self.files(pattern)[0])
                    self.assertRegex(self.run_ready().notice, "^1 of the cached kernels in .* damaged")
            self.assert_sound()

    def test_a_damaged_manifest_empties_the_cache(self):
        self.assert_sound()
        for damage in (emptied, cut_a_little, one_byte_changed):
            with self.subTest(damage=damage.__name__):
                damage(self.files("manifest")[0])
                self.assertRegex(self.run_ready().notice, "^the list of cached kernels in .* damaged")
        self.assert_sound()

    def test_what_a_killed_process_left_is_not_used(self):
        self.assert_sound()
        self.files("manifest")[0].unlink()
        for path in self.files("store/*/*/*/*/*.so"):
            cut(path)
        self.assert_sound()

    def test_left_overs_do_not_pile_up(self):
        for _ in range(5):
            self.assert_sound()
        self.assertLessEqual(len(self.files("store/tempfile*")), 1)

    def test_a_file_in_the_way_is_removed(self):
        self.assert_sound()
        program = self.files("store/*/*")[0].parent
        shutil.rmtree(program)
        program.write_text("x")
        self.assert_sound()


class UnusableCache(Cache):
    def assert_temporary(self, reason, **changes):
        temporary = self.home / "tmp"
        temporary.mkdir(exist_ok=True)
        self.assertRegex(self.run_ready(TMPDIR=temporary, **changes).notice, reason)
        self.assertEqual(list(temporary.iterdir()), [], "the temporary cache was not removed")

    def test_no_home(self):
        self.assert_temporary("^neither HOME nor XDG_CACHE_HOME is set; ", XDG_CACHE_HOME=None, HOME=None)

    def test_a_directory_that_cannot_be_made(self):
        self.assert_temporary("^the cache directory /proc/nowhere/arcl/pocl cannot", XDG_CACHE_HOME="/proc/nowhere")

    def test_a_file_instead_of_a_directory(self):
        (self.home / "file").write_text("x")
        self.assert_temporary("Not a directory", XDG_CACHE_HOME=self.home / "file")

    def test_a_setting_of_the_user_that_cannot_be_used(self):
        self.assert_temporary("^POCL_CACHE_DIR, /proc/nowhere, cannot", POCL_CACHE_DIR="/proc/nowhere")

    def test_a_setting_of_the_user_is_respected(self):
        mine = self.home / "mine"
        self.assertEqual(self.run_ready(POCL_CACHE_DIR=mine).notice, "")
        self.assertTrue(list(mine.glob("*/*/program.bc")))
        self.assertFalse((self.home / "arcl").exists())

    def test_a_store_that_others_may_write_to(self):
        self.run_ready()
        store = self.files("store")[0]
        store.chmod(0o777)
        self.assert_temporary("others may write to .*store, and could put code there")
        store.chmod(0o700)
        self.assert_sound()

    def test_a_setting_of_the_user_that_others_may_write_to(self):
        mine = self.home / "mine"
        mine.mkdir()
        mine.chmod(0o777)
        self.assert_temporary("^POCL_CACHE_DIR, .*mine, cannot be used .others may write to", POCL_CACHE_DIR=mine)

    def test_a_store_of_somebody_else(self):
        if os.geteuid():
            self.skipTest("only root can give files away")
        self.run_ready()
        for path in self.files("store"):
            os.chown(path, 12345, 12345)
        self.assert_temporary("store belongs to another user, and could put code there")

    def test_a_link_of_somebody_else(self):
        if os.geteuid():
            self.skipTest("only root can give files away")
        (self.home / "real").mkdir()
        (self.home / "link").symlink_to("real")
        os.chown(self.home / "link", 12345, 12345, follow_symlinks=False)
        self.assert_temporary("the link .*link belongs to another user", XDG_CACHE_HOME=self.home / "link")

    def test_a_full_disk(self):
        full = self.home / "full"
        full.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", full], capture_output=True).returncode:
            self.skipTest("a small disk cannot be mounted here")
        try:
            self.assert_temporary("No space left", XDG_CACHE_HOME=full)
        finally:
            subprocess.run(["umount", full], check=True)


class SharedCache(Cache):
    def start_eight(self):
        outcomes = [Outcome(p) for p in [start(XDG_CACHE_HOME=self.home) for _ in range(8)]]
        for outcome in outcomes:
            self.assertEqual(outcome.status, 0, outcome.text)
            self.assertTrue(outcome.ready, outcome.text)
        return outcomes

    def test_eight_processes_on_a_cold_cache(self):
        for outcome in self.start_eight():
            self.assertEqual(outcome.notice, "")
        self.assert_sound()

    def test_eight_processes_on_a_damaged_cache(self):
        self.assert_sound()
        for path in self.files("store/*/*/*/*/*.so") + self.files("store/*/*/program.bc"):
            zeroed(path)
        self.start_eight()
        self.assert_sound()


if __name__ == "__main__":
    first = None
    if PROGRAM and os.path.exists(PROGRAM):
        with tempfile.TemporaryDirectory(prefix="arcl-cache-test-") as home:
            first = Outcome(start(XDG_CACHE_HOME=home))
    if not first or (first.status == 0 and not first.ready):
        print("skipped: PoCL's pthread device is not there, or arcl was built without OpenCL")
        sys.exit(SKIPPED)
    unittest.main()
