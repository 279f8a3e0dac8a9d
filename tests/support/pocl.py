"""PoCL's devices, `pthread` and `basic`, for tests of the command: which are there, and running the command on them.

PoCL reads POCL_DEVICES when a process starts. A test that needs it is skipped where it is not installed; but where it is
and arcl refuses it, something is wrong, and the tests that follow say so.
"""
import json
import os
import subprocess
import sys

from command import ARCL, SKIPPED, VECTORS

PLATFORM = "Portable Computing Language"
FILES = [str(path) for path in sorted(VECTORS.glob("*.jsonl"))]
COLD = 1200  # seconds for what may have to compile every kernel first, on a machine with other things to do


def environment(devices="pthread basic", **changes):
    """Of a process for which these are PoCL's devices. None takes a variable away."""
    quiet = os.environ.get("LSAN_OPTIONS", "") + ":print_suppressions=0"
    variables = {**os.environ, "POCL_DEVICES": devices, "RUSTICL_ENABLE": "", "LSAN_OPTIONS": quiet, **changes}
    return {name: str(value) for name, value in variables.items() if value is not None}


def start(*arguments, devices="pthread basic", folder=None, **changes):
    """The command, started: call finish for what came of it."""
    return subprocess.Popen([ARCL, *map(str, arguments)], env=environment(devices, **changes), cwd=folder, text=True,
                            errors="replace", stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finish(process):
    try:
        out, problems = process.communicate(timeout=COLD)
    finally:
        process.kill()
    return subprocess.CompletedProcess(process.args, process.returncode, out, problems)


def run(*arguments, **settings):
    return finish(start(*arguments, **settings))


def listed(**settings):
    """All devices, as `arcl devices --json` describes them."""
    return json.loads(run("devices", "--json", "-", **settings).stdout)["devices"]


def ids(devices="pthread basic"):
    """"cl:0", .. for PoCL's devices in the order of `devices`."""
    found = [d for d in listed(devices=devices) if d["platform"] == PLATFORM]
    return [d["id"] for name in devices.split() for d in found if d["name"].startswith(name + "-")]


def skip_unless_installed():
    if len(ids()) < 2:
        print("skipped: PoCL is not installed, or arcl was built without OpenCL")
        sys.exit(SKIPPED)
