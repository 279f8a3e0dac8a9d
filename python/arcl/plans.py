"""What is there, what would run where, and what has run: devices, plans and reports, as texts and as tables."""
import html
from typing import Any, Dict, List, NamedTuple

from .grids import html_table, text_table


def _time(nanoseconds: float) -> str:
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


class Device(NamedTuple):
    """A device, or a driver that has none."""
    id: str
    name: str
    platform: str
    driver: str
    kind: str
    compute_units: int
    largest_group: int
    memory: int
    largest_buffer: int
    local_memory: int
    cache: int
    state: str
    reason: str
    open_nanoseconds: int

    def __repr__(self) -> str:
        return f"<Device {self.id or '(none)'} {self.name or self.platform}: {self.state}{', ' + self.reason if self.reason else ''}>"


class Plan:
    """What a run would do, and why: `device`, `predicted` nanoseconds, what each of `devices` would take, and the costs of `ops`."""

    def __init__(self, program: str, values: Dict[str, Any]):
        self.program = program
        self.devices: List[Dict[str, Any]] = values.pop("devices")
        self.ops: List[Dict[str, Any]] = values.pop("ops")
        self.info = values
        self.device: str = values["device"]
        self.predicted: float = values["predicted"]
        self.lanes: int = values["lanes"]

    def _summary(self) -> str:
        where = f"for the machine that the profile was measured on, {self.info['machine']}" if not self.info["here"] else "here"
        return f"{self.program}: {self.lanes} lanes run on {self.device}, {where}: predicted {_time(self.predicted)}"

    def _device_rows(self):
        return [(d["device"], _time(d["total"]) if d["able"] else "-", d["name"], d["reason"] if not d["able"] else "")
                for d in self.devices]

    def _op_rows(self):
        return [("  " * max(0, op["depth"] - 1) + (op["op"] or op["kernel"]), f"{op['lanes']:.0f}", op["device"], _time(op["execution"]),
                 f"from {op['flips_at']} lanes on {op['flips_to']}" if op["flips_at"] else "") for op in self.ops]

    def __repr__(self) -> str:
        return "\n\n".join([self._summary(), text_table(("alone on", "total", "name", ""), self._device_rows()),
                            text_table(("op", "lanes", "device", "execution", "elsewhere"), self._op_rows())])

    def _repr_html_(self) -> str:
        escaped = [[html.escape(cell).replace("  ", "&nbsp;&nbsp;") for cell in row] for row in self._op_rows()]
        return (f"<p>{html.escape(self._summary())}</p>"
                + html_table(("alone on", "total", "name", ""), [[html.escape(c) for c in row] for row in self._device_rows()])
                + html_table(("op", "lanes", "device", "execution", "elsewhere"), escaped))


class Report:
    """What has run: `ops` (if launches were timed), `devices`, `runs`, `cache`, and in `python` the programs that ran in Python."""

    def __init__(self, timed: bool, values: Dict[str, Any], python: List[Dict[str, Any]], notices: List[str]):
        self.timed = timed
        self.ops: List[Dict[str, Any]] = sorted(values["ops"], key=lambda row: -row["nanoseconds"])
        self.devices: List[Dict[str, Any]] = values["devices"]
        self.runs: Dict[str, Any] = values["runs"]
        self.cache: Dict[str, Any] = values["cache"]
        self.python = python
        self.notices = notices

    def _tables(self):
        runs = self.runs
        yield (), (), f"{runs['runs']} runs took {_time(runs['taken'])}"
        if self.ops:
            yield (("op", "device", "launches", "lanes", "words", "failures", "time"),
                   [(r["op"], r["device"], r["launches"], r["lanes"], r["words"], r["failures"], _time(r["nanoseconds"]))
                    for r in self.ops], "")
        elif not self.timed:
            yield (), (), "launches were not timed: Engine(report=True), or engine.reporting = True, does that"
        if self.devices:
            yield (("device", "launches", "synchronisations", "bytes up", "bytes down"),
                   [(r["device"], r["launches"], r["synchronisations"], r["bytes_up"], r["bytes_down"]) for r in self.devices], "")
        if self.python:
            yield (("ran in Python", "calls", "failures", "time"),
                   [(r["program"], r["calls"], r["failures"], _time(r["nanoseconds"])) for r in self.python], "")
        if self.cache["enabled"]:
            yield (), (), (f"cache: programs {self.cache['program_hits']} hits, {self.cache['program_misses']} misses; "
                           f"lanes {self.cache['lane_hits']} hits, {self.cache['lane_misses']} misses")
        for notice in self.notices:
            yield (), (), notice

    def __repr__(self) -> str:
        return "\n\n".join(text or text_table(headings, rows) for headings, rows, text in self._tables())

    def _repr_html_(self) -> str:
        return "".join(f"<p>{html.escape(text)}</p>" if text else
                       html_table(headings, [[html.escape(str(cell)) for cell in row] for row in rows])
                       for headings, rows, text in self._tables())
