"""Engines: where programs run, with how many threads and how much memory."""
import os
import threading
import weakref
from typing import Any, List, Optional, Sequence, Union

from . import _arcl
from .failures import DeviceError, ForkError, InvalidError
from .futures import Future, Submitter
from .inputs import Inputs, as_columns
from .plans import Device, Plan, Report

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def _bytes(size: Union[int, str, None]) -> int:
    if size is None:
        return 0
    if isinstance(size, int) and size >= 0:
        return size
    text = str(size).strip().upper()
    text = text[:-1] if text.endswith("B") else text
    number, unit = (text[:-1], text[-1]) if text and text[-1] in "KMGT" else (text, "")
    try:
        value = float(number) * _UNITS[unit]
    except ValueError:
        value = -1
    if value < 0:
        raise InvalidError(f"{size!r} is no amount of memory: expected a number of bytes, or as in '512M' or '1.5G'")
    return int(value)


class Engine:
    """A context of the library: everything that runs takes `engine=`; without it, `default_engine()` is used.

    device    "auto", "host", "cl:0" or a part of a device's name; several, separated by commas, share the lanes
    threads   0: as many as there are cores
    memory    that running may use: bytes, or "512M", "1G"; None: 4 GiB, or half of what the process may have
    budget    words that one lane may make; 0: 64 Mi
    chunk     lanes that run together at most; 0: chosen
    profile   file of measurements for "auto"; None: the default one; "": none
    frozen    do not learn from runs
    cache     True keeps compiled programs and results in memory; a path keeps results in that directory too ("": the default one)
    report    time every launch, for `report()`

    An engine may be used from several threads: their runs follow each other. What comes in small pieces from many threads is
    better submitted (`submit`).

    >>> engine = Engine(device="host", threads=1, memory="256M")
    >>> engine.threads
    1
    """

    def __init__(self, device: str = "auto", threads: int = 0, memory: Union[int, str, None] = None, budget: int = 0, chunk: int = 0,
                 profile: Optional[str] = None, frozen: bool = False, cache: Union[bool, str, None] = None, report: bool = False):
        self._settings = dict(threads=threads, memory=_bytes(memory), budget=budget, chunk=chunk, device=device,
                              profile=None if profile is None else os.fspath(profile), frozen=frozen)
        self.device = device
        self._context = _make_context(self._settings)
        self._submitter: Optional[Submitter] = None
        self._lock = threading.Lock()
        self._reporting = False
        self._fallbacks: dict = {}
        if cache is not None and cache is not False:
            self._context.cache(None if cache is True else os.fspath(cache), 0, 0, 0)
        if report:
            self.reporting = True
        _engines.add(self)

    def __repr__(self) -> str:
        return f"Engine(device={self.device!r}, threads={self.threads})"

    def __reduce__(self):
        s = self._settings
        return Engine, (s["device"], s["threads"], s["memory"] or None, s["budget"], s["chunk"], s["profile"], s["frozen"])

    @property
    def threads(self) -> int:
        """Threads of the host that it runs on."""
        return self._context.threads

    # ---- running ----

    def inputs(self, *columns: Any, types: Optional[Sequence[str]] = None) -> Inputs:
        """Grids, or columns of other arguments, put into a batch once, for many programs: `map` and batteries take it."""
        return Inputs(self._context, as_columns(columns), types)

    def submit(self, program, *arguments) -> Future:
        """Lets the program run on arguments as soon as that pays, together with what others submit: a future, which can be awaited.

        >>> from arcl import program
        >>> turn = program("def turn(I):\\n    return rot90(I)\\n")
        >>> Engine(device="host").submit(turn, ((1, 2), (3, 4))).result()
        ((3, 1), (4, 2))
        """
        with self._lock:
            if self._submitter is None or self._submitter.pid != os.getpid():
                self._submitter = Submitter(_make_context(self._settings))
            submitter = self._submitter
        return program._submit(submitter, arguments)

    def flush(self) -> None:
        """Runs what was submitted without waiting for more, and writes kept results to the cache's directory."""
        if self._submitter is not None:
            self._submitter.flush()
        self._context.flush()

    def cancel(self) -> bool:
        """Ends the run that goes on in another thread, which raises Cancelled there. Whether there was one."""
        return self._context.cancel()

    def close(self) -> None:
        """Runs what was submitted, and takes no more submissions. The engine itself ends when nobody uses it."""
        with self._lock:
            submitter, self._submitter = self._submitter, None
        if submitter is not None:
            submitter.close()

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()

    # ---- looking ----

    def devices(self) -> List[Device]:
        """The host, OpenCL's devices, and drivers that have none. The first time, devices are tested, which may take seconds."""
        return [Device(**row) for row in self._context.devices()]

    def explain(self, program, lanes: int = 1000, grids: Any = None, profile: Optional[str] = None) -> Plan:
        """Where a program would run on so many lanes, and why, by what was measured (`arcl profile`), or by another profile.

        With `grids`, some of them are run to see how much a lane does.
        """
        compiled = program._compiled_for(self)
        path = None if profile is None else os.fspath(profile)
        batch = None
        if grids is not None:
            batch = _arcl.Batch(self._context, compiled.types)
            batch.extend(compiled.are_grids, (grids,))
        return Plan(program.name, self._context.explain(compiled, lanes, batch, path))

    @property
    def reporting(self) -> bool:
        """Whether launches are timed, which costs a little; settable."""
        return self._reporting

    @reporting.setter
    def reporting(self, on: bool) -> None:
        self._reporting = bool(on)
        self._context.report_enable(self._reporting)

    def report(self) -> Report:
        """What has run since the engine was made or the report was reset: where, how long, and what ran in Python instead."""
        return Report(self._reporting, self._context.report(), sorted(self._fallbacks.values(), key=lambda row: -row["nanoseconds"]),
                      [text for text in self._context.notices() if text])

    def reset_report(self) -> None:
        """Forgets what has run."""
        self._context.report_reset()
        self._fallbacks.clear()

    def _note_fallback(self, program: str, calls: int, failures: int, nanoseconds: int) -> None:
        row = self._fallbacks.setdefault(program, dict(program=program, calls=0, failures=0, nanoseconds=0))
        row["calls"] += calls
        row["failures"] += failures
        row["nanoseconds"] += nanoseconds


def _make_context(settings: dict):
    try:
        return _arcl.Context(**settings)
    except DeviceError as error:
        raise fork_error(error) from None


def fork_error(error: DeviceError) -> DeviceError:
    """The same, as what it is if a fork is to blame."""
    return ForkError(*error.args) if "fork" in str(error) else error


_engines: "weakref.WeakSet[Engine]" = weakref.WeakSet()
_default: Optional[Engine] = None
_default_lock = threading.Lock()


def default_engine() -> Engine:
    """The engine of whoever names none; made when it is first needed."""
    global _default
    if _default is None:
        with _default_lock:
            if _default is None:
                _default = Engine()
    return _default


def set_default_engine(engine: Engine) -> None:
    """From now on, `engine` is used where none is named."""
    global _default
    _default = engine


def _after_fork() -> None:
    global _default_lock
    _default_lock = threading.Lock()
    _arcl.main_thread()
    for engine in list(_engines):
        engine._context.after_fork()
        engine._lock = threading.Lock()


if threading.current_thread() is threading.main_thread():
    _arcl.main_thread()
os.register_at_fork(after_in_child=_after_fork)
