"""What a run has left: a status and a value per lane."""
import collections.abc
from typing import Any, Iterator, List, Optional, Tuple

from . import _arcl
from .failures import OK, Failure, InvalidError, LaneError
from .grids import Grid, html_table, svg


def _numpy():
    try:
        import numpy
    except ImportError:
        raise ImportError("numpy() needs NumPy, which is not installed: pip install numpy; without it, list(out) has the values") from None
    return numpy


def as_array(data, code):
    """A column as a NumPy array, where there is NumPy; otherwise as a memoryview, which has items and a length too."""
    try:
        import numpy
    except ImportError:
        return memoryview(data)
    return numpy.frombuffer(data, dtype=numpy.dtype(code))


class Results(collections.abc.Sequence):
    """The results of a program, one per lane: a sequence of values, None where a lane has failed.

    >>> from arcl import program
    >>> out = program("def f(I):\\n    return shape(I)\\n").map([((1, 2),), ((1,), (2,))])
    >>> list(out)
    [(1, 2), (2, 1)]
    """

    _status: Optional[bytearray] = None  # asked for when it is first needed

    def __init__(self, program: str, raw: "_arcl.Result", result_type: str, find: Optional[Tuple[Any, ...]] = None):
        self.program = program
        self.type = result_type
        self._raw = raw
        self._find = find  # what tells where a lane has failed: a function and all its arguments but the result and the lane

    @property
    def _is_grid(self) -> bool:
        return self.type == "grid"

    @property
    def status(self) -> Any:
        """A number per lane: 0 where it has a value; `arcl.STATUSES` names the others."""
        if self._status is None:
            self._status = self._raw.statuses()
        return as_array(self._status, "B")

    @property
    def ok(self) -> int:
        """How many lanes have a value."""
        if self._status is None:
            self._status = self._raw.statuses()
        return self._status.count(OK)

    def __len__(self) -> int:
        return len(self._raw)

    def _lane(self, index) -> int:
        lane = index.__index__()
        if lane < 0:
            lane += len(self)
        if not 0 <= lane < len(self):
            raise IndexError(f"lane {index} of {len(self)}")
        return lane

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        value = self._raw[self._lane(index)]
        return Grid(value) if self._is_grid and value is not None else value

    def __iter__(self) -> Iterator[Any]:
        if not self._is_grid:
            return iter(self._raw)
        return (value if value is None else Grid(value) for value in self._raw)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, collections.abc.Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def failure(self, index: int) -> Optional[Failure]:
        """Why a lane has no value; None if it has one."""
        lane = self._lane(index)
        if self._status is None:
            self._status = self._raw.statuses()
        return None if self._status[lane] == OK else Failure(lane, self._status[lane], self._finder(lane))

    def _finder(self, lane: int) -> Any:
        if self._find is None:
            return None
        find, *arguments = self._find
        return lambda: find(*arguments, self._raw, lane)

    def failures(self) -> List[Failure]:
        """All of them."""
        if self._status is None:
            self._status = self._raw.statuses()
        return [self.failure(i) for i, status in enumerate(self._status) if status != OK]  # type: ignore[misc]

    def mishaps(self, index: int) -> int:
        """How many calls have failed in a lane of a safe program, and yielded defaults."""
        return self._raw.mishaps(self._lane(index))

    def check(self) -> "Results":
        """Raises LaneError if a lane has failed; else gives the results themselves."""
        if self.ok < len(self):
            raise LaneError(self.program, self.failures()[0])
        return self

    def numpy(self, pad: Optional[int] = None) -> Any:
        """All values as one array: of grids (lanes, rows, columns), int8; of ints (lanes,), int64; of locations (lanes, 2).

        Every lane must have a value, and grids one shape, unless `pad` says what stands where there is nothing.
        """
        numpy = _numpy()
        if self._is_grid:
            rows, columns, alike = self._raw.shape()
            if not alike and pad is None:
                raise InvalidError(f"{len(self) - self.ok} lanes have failed, or the grids differ in shape (the largest sides are {rows} "
                                   f"and {columns}): numpy(pad=-1) makes one array all the same, list(out) a list")
            cells = self._raw.cells(rows, columns, 0 if pad is None else pad)
            return numpy.frombuffer(cells, dtype=numpy.int8).reshape(len(self), rows, columns)
        return self._numbers(numpy, pad)

    def _numbers(self, numpy, pad) -> Any:
        widths = {"int": (), "bool": (), "ij": (2,)}
        if self.type not in widths:
            raise InvalidError(f"results of type {self.type} make no array; list(out) has them")
        if self.ok < len(self) and pad is None:
            raise InvalidError(f"{len(self) - self.ok} lanes have failed: numpy(pad=-1) makes an array all the same")
        made = numpy.full((len(self), *widths[self.type]), 0 if pad is None else pad, dtype=bool if self.type == "bool" else numpy.int64)
        for lane, value in enumerate(self._raw):
            if value is not None:
                made[lane] = value
        return made

    def __array__(self, dtype=None, copy=None) -> Any:
        made = self.numpy()
        return made if dtype is None else made.astype(dtype)

    def __repr__(self) -> str:
        return f"<Results of {self.program}: {len(self)} lanes of type {self.type}, {len(self) - self.ok} failed>"

    def _repr_html_(self) -> str:
        shown = []
        for lane in range(min(len(self), 12)):
            failure = self.failure(lane)
            value = self[lane]
            shown.append((str(lane), str(failure) if failure else svg(value) if self._is_grid else repr(value)[:200]))
        more = len(self) - len(shown)
        return html_table(("lane", self.program), shown, f"and {more} more lanes" if more else "")
