"""Every kernel file must be OpenCL C 1.2 as well as C: clang checks it, where clang is installed."""
import shutil
import subprocess
import sys
import unittest

from command import ROOT, SKIPPED

OPTIONS = ["-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header", "-fsyntax-only", "-Werror"]


def compile_opencl(source, text=None):
    command = [CLANG, *OPTIONS, f"-I{ROOT / 'cl'}", source]
    return subprocess.run(command, input=text, capture_output=True, text=True)


class KernelsAreOpenCL(unittest.TestCase):
    def test_every_kernel_file_compiles(self):
        files = sorted((ROOT / "cl").glob("*.cl"))
        self.assertTrue(files, "no kernels under cl/")
        for path in files:
            with self.subTest(kernel=path.name):
                done = compile_opencl(str(path))
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_mistake_would_be_seen(self):
        done = compile_opencl("-", '#include "lane.h"\nLANE word wrong(lane *k) { word *p = k->arena; return *p; }\n')
        self.assertNotEqual(done.returncode, 0, "a pointer without its address space was accepted")


if __name__ == "__main__":
    CLANG = shutil.which("clang") or shutil.which("clang-15")
    if not CLANG:
        print("skipped: clang is not installed")
        sys.exit(SKIPPED)
    unittest.main()
