"""What can go wrong: exceptions of calls, and the failures of lanes, which are data until somebody wants them raised."""
import re
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Union

from ._arcl import STATUSES as _LIBRARY_STATUSES
from ._arcl import Cancelled, DeviceError, Error, InvalidError, MemoryLimitError

#: Names and meanings of lane statuses, by number. The last one is this package's own: a fallback in Python has raised.
STATUSES = tuple(_LIBRARY_STATUSES) + (("PYTHON", "an exception of the Python function that stands in for the program"),)
OK = 0
PYTHON = len(STATUSES) - 1

_PLACE = re.compile(r"(?P<file>.*?):(?P<line>\d+):(?P<column>\d+): (?P<message>.*?)(?:\n    (?P<text>.*)\n *\^)?\s*\Z", re.S)


class ProgramError(Error, SyntaxError):
    """A definition that was rejected. `filename`, `lineno`, `offset` and `text` are where; Python draws the caret."""

    @classmethod
    def of(cls, message: str) -> "ProgramError":
        place = _PLACE.match(message)
        if not place:
            return cls(message)
        error = cls(place["message"], (place["file"], int(place["line"]), int(place["column"]), place["text"]))
        error.full = message
        return error

    full = ""

    def __str__(self) -> str:
        return self.full or str(self.msg)

    def __reduce__(self):
        return ProgramError.of, (str(self),)


class ForkError(DeviceError):
    """OpenCL was used before a fork, and does not survive it: start processes by "spawn", or use devices only in children."""


class Level(NamedTuple):
    """One mapped function around what failed: which element it was at ("element"), which pair ("pair"), which round ("round")."""
    kind: str
    index: int  # type: ignore[assignment]
    other: int
    count: int  # type: ignore[assignment]


class Failure:
    """Why a lane has no value. Where that happened is found out when it is asked for, by running the lane once more.

    lane, status, meaning    "EMPTY", and "an element of an empty container"
    op, line, column         of the call that failed, in the program's text; "" and 0 where that is not known
    levels                   the mapped functions around it, the outermost first
    message                  all of it, with the line and a caret
    """

    def __init__(self, lane: int, status: int, find: Union[Callable[[], Dict[str, Any]], str, None] = None):
        self.lane = lane
        self.status, self.meaning = STATUSES[status]
        self._find = find
        self._place: Optional[Dict[str, Any]] = None

    def _found(self) -> Dict[str, Any]:
        if self._place is None:
            self._place = dict(op="", line=0, column=0, levels=[], message=self._find if isinstance(self._find, str) else "")
            if callable(self._find):
                self._place = self._find()
            self._find = None
        return self._place

    @property
    def op(self) -> str:
        return self._found()["op"]

    @property
    def line(self) -> int:
        return self._found()["line"]

    @property
    def column(self) -> int:
        return self._found()["column"]

    @property
    def levels(self) -> List[Level]:
        return [Level(**level) for level in self._found()["levels"]]

    @property
    def message(self) -> str:
        return self._found()["message"]

    def __str__(self) -> str:
        return f"{self.status}: {self.meaning}" + (f"\n{self.message}" if self.message else "")

    def __repr__(self) -> str:
        return f"<Failure of lane {self.lane}: {self.status}>"

    def __reduce__(self):
        return _restore_failure, (self.lane, [name for name, _ in STATUSES].index(self.status), self._found())


def _restore_failure(lane: int, status: int, place: Dict[str, Any]) -> Failure:
    return Failure(lane, status, lambda: place)


class LaneError(Error):
    """A lane's failure, raised by a call that wants a value. `failure` has what is known of it."""

    def __init__(self, program: str, failure: Failure):
        super().__init__(program, failure)
        self.program = program
        self.failure = failure

    @property
    def status(self) -> str:
        return self.failure.status

    def __str__(self) -> str:
        return f"{self.program} has failed in lane {self.failure.lane}: {self.failure}"


def status_name(status: int) -> str:
    return STATUSES[status][0]


__all__ = ["Cancelled", "DeviceError", "Error", "Failure", "ForkError", "InvalidError", "LaneError", "Level", "MemoryLimitError",
           "OK", "PYTHON", "ProgramError", "STATUSES", "status_name"]
