"""tools/scripts/install-dependencies names what is missing, installs it where it may, and goes on without what is not needed.

It runs with a PATH of its own: the system's commands as links, some left out, and an apt-get that only writes down how it
was called.
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from command import ROOT

SCRIPT = ROOT / "tools" / "scripts" / "install-dependencies"
SHELL = ("bash", "cat", "env", "grep", "head", "id", "ldconfig", "ls", "sed", "sort")  # what the script itself uses
NEEDED = ("gcc", "cmake", "make", "pkg-config", "python3")
OPTIONAL = ("oclgrind", "clang-15")


class InstallDependencies(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bin = pathlib.Path(folder.name)
        self.calls = self.bin / "calls"
        for name in SHELL + NEEDED:
            (self.bin / name).symlink_to(shutil.which(name, path=os.environ["PATH"] + ":/sbin"))
        for name in OPTIONAL:
            self.command(name, "exit 0")

    def command(self, name, body):
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!{shutil.which('bash')}\n{body}\n")
        path.chmod(0o755)

    def apt_get(self, then="exit 0"):
        """One that does what `then` says."""
        self.command("apt-get", f'echo "$*" >>"{self.calls}"\n{then}')

    def run_script(self, *arguments):
        return subprocess.run([self.bin / "bash", SCRIPT, *arguments], env={"PATH": str(self.bin)}, capture_output=True,
                              text=True, stdin=subprocess.DEVNULL)

    def called(self):
        return self.calls.read_text().splitlines() if self.calls.exists() else []

    def test_what_is_needed_and_cannot_be_installed(self):
        (self.bin / "cmake").unlink()
        (self.bin / "make").unlink()
        done = self.run_script()
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"no apt-get here.*\nNeeded packages \(Debian names\): cmake make\n$")

    def test_no_root_and_no_sudo(self):
        self.command("id", "echo 1000")
        self.apt_get()
        (self.bin / "make").unlink()
        done = self.run_script()
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"needs root or sudo\.\nNeeded packages \(Debian names\): make\n$")
        self.command("sudo", "exit 1")  # one that would ask for a password
        self.assertEqual(self.run_script().returncode, 2)
        self.assertEqual(self.called(), [])

    def test_what_only_tests_use_is_no_reason_to_fail(self):
        (self.bin / "oclgrind").unlink()
        self.command("id", "echo 1000")
        self.apt_get()
        done = self.run_script("--tests")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"(?m)^Not needed, .*\boclgrind\b")
        self.assertNotIn("oclgrind", self.run_script().stderr)

    def test_installing(self):
        make = self.bin / "make"
        target = make.readlink()
        make.unlink()
        self.command("id", "echo 0")
        self.apt_get(f'case "$*" in *" make"*) [ -e "{make}" ] || ln -s {target} "{make}" ;; esac')
        (self.bin / "ln").symlink_to(shutil.which("ln"))
        done = self.run_script()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.called()[0], "install -y --no-install-recommends make")

    def test_installing_what_some_systems_do_not_have(self):
        for name in OPTIONAL:
            (self.bin / name).unlink()
        self.command("id", "echo 0")
        self.apt_get('case "$*" in *clang-15*) exit 100 ;; esac')
        done = self.run_script("--tests")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("install -y --no-install-recommends oclgrind", self.called())
        self.assertRegex(done.stderr, r"(?m)^Not needed, .*\bclang-15\b")

    def test_what_the_simulator_takes(self):
        self.command("bison", "exit 0")
        self.command("id", "echo 0")
        self.apt_get()
        self.run_script("--simulator")
        wanted = self.called()[0].split()
        self.assertEqual([name in wanted for name in ("flex", "xutils-dev", "bison", "oclgrind")], [True, True, False, False])

    def test_an_installer_that_installs_nothing(self):
        (self.bin / "make").unlink()
        self.command("id", "echo 0")
        self.apt_get()
        done = self.run_script()
        self.assertEqual(done.returncode, 2)
        self.assertIn("Still not found after installing.\nNeeded packages (Debian names): make\n", done.stderr)

    def test_usage(self):
        done = self.run_script("--everything")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--tests", done.stderr)


if __name__ == "__main__":
    unittest.main()
