"""What can go wrong: exceptions of calls, and the failures of lanes, which are data until somebody wants them raised."""
import re
from typing import NamedTuple, Optional

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


class Failure(NamedTuple):
    """Why a lane has no value."""
    lane: int
    status: str
    meaning: str
    details: str = ""

    def __str__(self) -> str:
        return f"{self.status}: {self.meaning}" + (f"\n{self.details}" if self.details else "")


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


def failure_of(lane: int, status: int, details: Optional[str] = None) -> Failure:
    return Failure(lane, *STATUSES[status], details or "")


__all__ = ["Cancelled", "DeviceError", "Error", "Failure", "ForkError", "InvalidError", "LaneError", "MemoryLimitError", "OK", "PYTHON",
           "ProgramError", "STATUSES", "failure_of", "status_name"]
