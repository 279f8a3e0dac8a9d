"""Programs that arcl cannot run, because they call functions of their own, run in Python: only where that was asked for, and the
engine's report says so."""
import ast
import importlib
import time
from typing import Any, Dict, List, Optional, Sequence, Tuple

from . import _arcl
from .failures import OK, PYTHON, Failure, InvalidError, LaneError
from .grids import Grid
from .lane_results import Results


class Fallback:
    """A definition as a Python function, among the names of a module."""

    def __init__(self, text: str, name: str, module: Any, unknown: Sequence[str]):
        self.unknown = tuple(unknown)  # what arcl does not know, and the module does
        self._text, self._name, self._module = text, name, module
        names = dict(vars(module))
        exec(compile(text, f"<{name}, run in Python>", "exec"), names)
        self.function = names[name]

    def __reduce__(self):
        return _restore, (self._text, self._name, self._module.__name__, self.unknown)

    def call(self, engine: Any, program: str, arguments: Tuple[Any, ...], strict: bool) -> Any:
        values, statuses, details = self._run(engine, program, [arguments])
        if statuses[0] == OK:
            return values[0]
        if strict:
            raise LaneError(program, Failure(0, PYTHON, details[0]))
        return None

    def map(self, engine: Any, program: str, columns: Sequence[Any]) -> "PythonResults":
        return PythonResults(program, *self._run(engine, program, list(zip(*columns))))

    def _run(self, engine: Any, program: str, lanes: List[Tuple[Any, ...]]) -> Tuple[List[Any], bytearray, Dict[int, str]]:
        values: List[Any] = []
        statuses = bytearray(len(lanes))
        details: Dict[int, str] = {}
        start = time.perf_counter_ns()
        for lane, arguments in enumerate(lanes):
            try:
                values.append(self.function(*map(_as_dsl, arguments)))
            except Exception as error:
                values.append(None)
                statuses[lane] = PYTHON
                details[lane] = f"{type(error).__name__}: {error}"
        engine._note_fallback(program, len(lanes), len(details), time.perf_counter_ns() - start)
        return values, statuses, details


class PythonResults(Results):
    """Results of a fallback; they behave like others."""

    def __init__(self, program: str, values: List[Any], statuses: bytearray, details: Dict[int, str]):
        grids = all(value is None or _is_grid(value) for value in values) and any(value is not None for value in values)
        super().__init__(program, values, "grid" if grids else "?")  # type: ignore[arg-type]
        self._status = statuses
        self._texts = details

    def _finder(self, lane: int) -> str:
        return self._texts.get(lane, "")

    def mishaps(self, index: int) -> int:
        return 0

    def numpy(self, pad: Optional[int] = None) -> Any:
        import numpy
        if pad is not None or self.ok < len(self):
            raise InvalidError("results of a program that runs in Python make an array only if every lane has a value")
        return numpy.array(list(self._raw), dtype=numpy.int8 if self._is_grid else None)


def _is_grid(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(row, tuple) for row in value)


def _as_dsl(value: Any) -> Any:
    """The DSL wants plain tuples."""
    if isinstance(value, Grid):
        return tuple(value)
    if hasattr(value, "tolist"):
        value = value.tolist()
    return tuple(map(_as_dsl, value)) if isinstance(value, (list, tuple)) else value


def _restore(text: str, name: str, module: str, unknown: Sequence[str]) -> Fallback:
    return Fallback(text, name, importlib.import_module(module), unknown)


def find_fallback(text: str, name: str, dialect: str, module: Any) -> Optional[Fallback]:
    """For a definition that was rejected: the same in Python, if it calls a function that is no op and that the module has."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    if not found:
        return None
    known = {op["name"] for op in _arcl.ops(dialect)}
    used = {node.id for node in ast.walk(found[-1]) if isinstance(node, ast.Name)}
    unknown = sorted(n for n in used - known if callable(getattr(module, n, None)))
    if not unknown:
        return None
    return Fallback(ast.get_source_segment(text, found[-1]) or "", name, module, unknown)
