"""Submissions: the two best different outputs for every test input, as Kaggle's competitions take them."""
import json
import os
import tempfile
from typing import Any, Dict, Iterable, List, Tuple

from . import _arcl

_ATTEMPTS = 2


class Submission:
    """Must not know how programs are ranked: it is told what predicts what, better ones first."""

    def __init__(self, tasks: Any, programs: List[Any], safe: bool, engine: Any):
        self._tasks, self._programs, self._safe, self._engine = tasks, programs, safe, engine
        self._chosen: Dict[Tuple[str, int], List[int]] = {}  # (task, test) -> programs

    def choose(self, task: str, example: Any, ranked: Iterable[Tuple[int, int]]) -> None:
        """Of (fingerprint, program) the first ones that differ."""
        found: Dict[int, int] = {}
        for fingerprint, number in ranked:
            found.setdefault(fingerprint, number)
            if len(found) == _ATTEMPTS:
                break
        self._chosen[task, example.index] = list(found.values())

    def _output(self, number: int, task: Any, example: Any) -> List[List[int]]:
        """The programs that were chosen run once more, for their outputs."""
        program = self._programs[number]
        if program.fallback:
            return _rows(program.fallback.map(self._engine, program.name, ([example.input],))[0])
        compiled = program.with_policy(program.safe or self._safe)._compiled_for(self._engine, None, True)
        batch = _arcl.Batch(self._engine._context, compiled.types)
        if compiled.types == "grid":
            batch.add(1, example.input)
        else:
            batch.add(2, task.pairs, example.input)
        return _rows(compiled.run(batch)[0])

    def _attempts(self, task: Any, example: Any) -> Dict[str, List[List[int]]]:
        made = [self._output(number, task, example) for number in self._chosen.get((task.id, example.index), [])]
        made += [_rows(example.input)] * (_ATTEMPTS - len(made))  # a grid for sure, and some outputs are not far from it
        return {f"attempt_{i + 1}": grid for i, grid in enumerate(made)}

    def write(self, path: Any) -> Dict[str, Any]:
        made = {task.id: [self._attempts(task, example) for example in task.test] for task in self._tasks.values()}
        if path is not None:
            _write_whole(os.fspath(path), made)
        return made


def _rows(grid: Any) -> List[List[int]]:
    return [list(row) for row in grid]


def _write_whole(path: str, value: Any) -> None:
    """The file appears when it is complete."""
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(os.path.abspath(path)), suffix=".json")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(value, file)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
