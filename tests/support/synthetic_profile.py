"""Synthetic profiles, for tests of planning: nobody has measured any of this.

The host takes 100 ns per lane of a kernel and 0.5 ns per element. The device is like a GPU: launches of 10 us, transfers of
12 GB/s and 10 us, and 50 times the host's throughput. Kernels may cost more, or not be measured, on either; on the device those
that have teams may be measured in that shape too.

    python3 tests/support/synthetic_profile.py FILE        writes such a profile
"""
import json
import pathlib
import re
import sys

from command import ROOT
from kernel_rows import kernel_names, kernels_with

KERNELS = kernel_names()
TEAM = kernels_with("TEAM")
OVERHEADS = re.findall(r"^OVERHEAD\((\w+),", (ROOT / "lib" / "profile" / "overheads.def").read_text(), re.M)

LANE, ELEMENT = 100.0, 0.5  # nanoseconds on the host
SMALL = {k: 0.02 for k in KERNELS if k.startswith(("run_", "pack_"))}  # these do little
FASTER = 50
LAUNCH = 10000.0
LATENCY, BANDWIDTH = 10000.0, 12.0  # nanoseconds, bytes per nanosecond


def kernel(lane, element, base):
    return {"launch": [[1, base + lane], [1000000, base + lane * 1000000]], "per_element": element, "in_a_row": 0, "least_elements": 0,
            "most_elements": 10000, "samples": 100, "correction": 1}


def device(name, kind, variant, costs, overheads, transfers):
    return {"id": name, "kind": kind,
            "identity": {"platform": "synthetic", "name": "synthetic " + kind, "driver": "1", "compute_units": 1,
                         "kernels": "synthetic"},
            "overheads": {key: overheads.get(key, 0) for key in OVERHEADS},
            "chunk_words": 0, "up": transfers, "down": transfers, "cases": [], "costs": {variant: costs}}


def host(slower=None, without=()):
    """slower: how many times more a kernel costs."""
    costs = {k: kernel(LANE * {**SMALL, **(slower or {})}.get(k, 1), ELEMENT, 20) for k in KERNELS if k not in without}
    return device("host", "host", "any", costs, {"run": 1000, "chunk": 100, "launch": 5, "speedup": 1}, [])


def gpu(name="cl:0", slower=None, without=(), teams=None):
    """teams: nanoseconds of a launch and a lane of a kernel in that shape."""
    costs = {k: kernel(LANE / FASTER * {**SMALL, **(slower or {})}.get(k, 1), ELEMENT / FASTER, 1000)
             for k in KERNELS if k not in without}
    largest = 1 << 30
    transfers = [[1, LATENCY], [largest, LATENCY + largest / BANDWIDTH]]
    made = device(name, "gpu", "lane", costs,
                  {"run": 2000, "chunk": 20000, "launch": LAUNCH, "speedup": 1, "open": 3e8}, transfers)
    if teams:
        made["costs"]["team"] = {k: kernel(teams[1], 0, teams[0]) for k in TEAM}
    return made


def profile(*devices):
    return {"format": 2, "arcl": "synthetic", "created": "2026-01-01T00:00:00Z", "devices": list(devices)}


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text(json.dumps(profile(host(), gpu())))
