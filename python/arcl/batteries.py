"""Batteries: many programs over the same lanes, in which what several of them compute is computed once."""
from typing import Any, Dict, List, Optional

from . import _arcl
from .definitions import Program, Programs
from .engine import Engine, default_engine
from .failures import InvalidError, ProgramError
from .inputs import Inputs, as_columns
from .lane_results import Results


class Battery:
    """Programs that run together: `run(grids)` gives the results of each, by its name.

    >>> from arcl import compile
    >>> programs = compile("def f(I):\\n    return height(rot90(I))\\ndef g(I):\\n    return width(rot90(I))\\n")
    >>> {name: list(out) for name, out in Battery(programs).run([((1, 2, 3),)]).items()}
    {'f': [3], 'g': [1]}
    """

    def __init__(self, programs: Any, grid_result: bool = False, engine: Optional[Engine] = None):
        self.programs: List[Program] = _listed(programs)
        self.grid_result = grid_result
        self._engine = engine
        self._compiled: Dict[Any, Any] = {}
        self.errors: Dict[str, ProgramError] = {}
        in_python = [p.name for p in self.programs if p.fallback]
        if in_python:
            raise InvalidError(f"{in_python[0]} runs in Python, and can be no part of a battery")

    def _battery(self, engine: Engine, safe: bool) -> Any:
        key = (id(engine._context), safe)
        if key not in self._compiled:
            definitions = [(p._text.source, p._index) for p in self.programs]
            kinds = {p.types for p in self.programs}
            if len(kinds) > 1:
                raise InvalidError("programs of a battery have the same types of parameters")
            types = kinds.pop() if kinds else None
            made = _arcl.Battery(engine._context, definitions, None if types is None else tuple(t.encode() for t in types),
                                 self.grid_result, safe)
            self._compiled[key] = made
            self.errors = {p.name: ProgramError.of(e) for p, e in zip(self.programs, made.errors) if e}
        return self._compiled[key]

    def run(self, *columns: Any, safe: bool = False, strict: bool = False, engine: Optional[Engine] = None) -> Dict[str, Results]:
        """Runs all programs over all lanes. What was rejected is in `errors`, and not among the results; strict raises.

        safe: an op that fails yields a default, as if there were a `try` around every call.
        """
        where = engine or self._engine or default_engine()
        battery = self._battery(where, safe)
        if strict and self.errors:
            raise next(iter(self.errors.values()))
        if len(columns) == 1 and isinstance(columns[0], Inputs):
            batch = columns[0].batch_for(where._context, " ".join(battery.types))
        else:
            batch = Inputs(where._context, as_columns(columns), battery.types).batch
        results, errors = battery.run(batch)
        found: Dict[str, Results] = {}
        for p, raw, error in zip(self.programs, results, errors):
            if raw is None:
                self.errors.setdefault(p.name, ProgramError.of(error or "rejected"))
                continue
            found[p.name] = Results(p.name, raw, "grid" if self.grid_result else _result_type(p, where, safe),
                                    (self._find, where, p, safe, batch))
            if strict:
                found[p.name].check()
        return found

    def _find(self, engine: Engine, program: Program, safe: bool, batch: Any, raw: Any, lane: int) -> Dict[str, Any]:
        """Where a lane of a batch has failed."""
        types = None if program.types is None else tuple(t.encode() for t in program.types)
        return engine._context.failure(raw, lane, program._text.source, program._index, types, self.grid_result, safe, batch)

    @property
    def info(self) -> Dict[str, int]:
        """How many programs there are, and how many steps they have alone and together."""
        return self._battery(self._engine or default_engine(), False).info

    def __repr__(self) -> str:
        return f"<Battery of {len(self.programs)} programs>"

    def __reduce__(self):
        return Battery, (self.programs, self.grid_result)


def _result_type(program: Program, engine: Engine, safe: bool) -> str:
    return program.with_policy(safe)._compiled_for(engine).result_type


def _listed(programs: Any) -> List[Program]:
    if isinstance(programs, Program):
        return [programs]
    if isinstance(programs, Programs):
        return list(programs.all)
    if hasattr(programs, "values"):
        return list(programs.values())
    return list(programs)
