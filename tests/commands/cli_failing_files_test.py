"""Every file that arcl writes, when opening, writing, flushing, closing or renaming fails: a sentence, and the old file; or
success, and the new one. Nothing half-written, and no temporary file stays."""
import errno
import resource
import subprocess

import command
import failing

from command import ARCL

# All but `arcl profile`, which takes the longest: its file is written by the library, which api_allocation_test has.
WRITERS = [arguments for arguments in failing.COMMANDS
           if set(arguments) & {*failing.OUTPUTS, "kept"} and arguments[0] != "profile"]


class FailingFiles(failing.FailingTest):
    def test_one_call_fails(self):
        for kind in ("open", "write", "sync", "close", "rename", "chmod"):
            tries = sum(self.tried(arguments, kind, most=12, words="(?m)^arcl: ") for arguments in WRITERS)
            self.assertGreaterEqual(tries, 0 if kind == "sync" else 8, kind)  # few files need to be on the disk at once

    def test_all_calls_fail(self):
        for kind in ("open", "write", "close", "rename"):
            for arguments in WRITERS:
                self.tried(arguments, kind, most=2, words="(?m)^arcl: ", on=1, error=errno.ENOSPC)

    def test_interrupted_and_short(self):
        for arguments in WRITERS:
            self.tried(arguments, "write", most=3, words="(?m)^arcl: ", error=errno.EINTR)
            self.tried(arguments, "write", most=3, words="(?m)^arcl: ", short=1)

    def test_files_that_may_not_grow(self):
        """As with `ulimit -f`: what does not fit is an error, not the end by a signal."""
        for arguments in WRITERS:
            self.tried(arguments, "memory", most=1)
            for most in (0, 100, 5000):
                limit = (most, most)
                with self.subTest(arguments=" ".join(arguments), most=most):
                    done = subprocess.run([ARCL, *arguments], capture_output=True, text=True, cwd=self.folder,
                                          env=self.environment, timeout=60,
                                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit))
                    self.assertIn(done.returncode, (0, 1, 2), done.stderr)
                    for name, content in self.take_files().items():
                        if arguments[0] != "devices":  # which says that kernels cannot be kept
                            self.assertEqual(content, self.files.get(name), name)


if __name__ == "__main__":
    command.main()
