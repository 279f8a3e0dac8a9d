"""Libraries that tests put before others in a process, so that calls do what a test wants; compiled when they are needed."""
import os
import pathlib
import subprocess
import unittest

HERE = pathlib.Path(__file__).resolve().parent


def compiled(source, folder):
    """The library of a file beside this one, in a folder; without a compiler the test is skipped."""
    library = pathlib.Path(folder) / pathlib.Path(source).with_suffix(".so").name
    made = subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-shared", "-fPIC", "-o", library, HERE / source, "-ldl"],
                          capture_output=True, text=True)
    if made.returncode:
        raise unittest.SkipTest(f"no compiler for the preloaded library: {made.stderr[-200:]}")
    return library


def llvm_options(folder, *options):
    """Of a process in which PoCL's compiler has these options: its environment. Without PoCL there is nothing to change."""
    found = [path.read_text().strip() for path in pathlib.Path("/etc/OpenCL/vendors").glob("pocl*.icd")]
    if not found:
        return {}
    return {"LD_PRELOAD": str(compiled("llvm_options.c", folder)), "LLVM_USER": found[0], "LLVM_OPTIONS": " ".join(options)}
