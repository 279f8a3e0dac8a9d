"""Tasks: ARC JSON, from files, folders, Kaggle's files, or dicts as json.load gives them."""
import collections.abc
import json
import os
from typing import Any, Dict, Iterator, List, NamedTuple, Optional

from . import _arcl
from .failures import InvalidError
from .grids import Grid, html_row, svg

_LARGEST = 255


class Example(NamedTuple):
    """An input and what is expected of it, if that is known."""
    part: str
    index: int  # type: ignore[assignment]
    input: Grid
    output: Optional[Grid]

    def _repr_html_(self) -> str:
        return svg(self.input) + " &rarr; " + (svg(self.output) if self.output else "?")


class Task:
    """A task: `train` and `test` examples, and all of them in that order, `examples`."""

    def __init__(self, id: str, train: List[Example], test: List[Example], file: str = ""):
        self.id, self.train, self.test, self.file = id, train, test, file

    @property
    def examples(self) -> List[Example]:
        return self.train + self.test

    @property
    def pairs(self) -> List[tuple]:
        """The train pairs, as programs have them in S."""
        return [(e.input, e.output) for e in self.train if e.output is not None]

    def __repr__(self) -> str:
        return f"<Task {self.id}: {len(self.train)} train, {len(self.test)} test>"

    def _repr_html_(self) -> str:
        rows = [html_row(f"{e.part}[{e.index}]", svg(e.input), svg(e.output) if e.output else "?") for e in self.examples]
        return f"<b>{self.id}</b><table>{''.join(rows)}</table>"

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Task) and (self.id, self.train, self.test) == (other.id, other.train, other.test)

    def __hash__(self) -> int:
        return hash(self.id)


class Tasks(collections.abc.Mapping):
    """Tasks by id, in order of their ids."""

    def __init__(self, tasks: Dict[str, Task]):
        self._tasks = dict(sorted(tasks.items()))

    def __getitem__(self, id: str) -> Task:
        if id in self._tasks:
            return self._tasks[id]
        near = [name for name in self._tasks if _arcl.is_near(id, name)]
        raise KeyError(f"there is no task {id}" + (f"; did you mean {near[0]}?" if near else ""))

    def __iter__(self) -> Iterator[str]:
        return iter(self._tasks)

    def __len__(self) -> int:
        return len(self._tasks)

    def match(self, program: str) -> Optional[str]:
        """The id of the task that a program is named after: its name is the id, or ends with _ and the id."""
        if program in self._tasks:
            return program
        tail = program.rpartition("_")
        while tail[1]:
            if program[len(tail[0]) + 1:] in self._tasks:
                return program[len(tail[0]) + 1:]
            tail = tail[0].rpartition("_")
        return None

    def __repr__(self) -> str:
        count = sum(len(task.examples) for task in self.values())
        return f"<{len(self)} tasks with {count} examples: {', '.join(list(self)[:4])}{', ..' if len(self) > 4 else ''}>"

    def _repr_html_(self) -> str:
        shown = "".join(task._repr_html_() for task in list(self.values())[:3])
        return shown + (f"<p>and {len(self) - 3} more tasks</p>" if len(self) > 3 else "")


def _grid(rows: Any, where: str) -> Grid:
    try:
        grid = Grid(map(tuple, rows))
        width = len(grid[0])
    except (TypeError, IndexError):
        raise InvalidError(f"{where}: this is no grid; expected rows of ints") from None
    if not 0 < width <= _LARGEST or len(grid) > _LARGEST:
        raise InvalidError(f"{where}: a grid has 1 to {_LARGEST} rows and columns, not {len(grid)} by {width}")
    for number, row in enumerate(grid):
        if len(row) != width:
            raise InvalidError(f"{where}: row {number + 1} has {len(row)} cells, the rows before have {width}")
        if any(type(cell) is not int or not 0 <= cell <= 9 for cell in row):
            if all(hasattr(cell, "__index__") and 0 <= cell <= 9 and not isinstance(cell, bool) for cell in row):
                return _grid([[int(cell) for cell in row] for row in grid], where)  # NumPy's ints
            raise InvalidError(f"{where}: row {number + 1} has a cell that is no int from 0 to 9")
    return grid


def _part(json_task: Any, part: str, where: str) -> List[Example]:
    made = []
    entries = json_task.get(part, [])
    if not isinstance(entries, (list, tuple)):
        raise InvalidError(f"{where}{part} should be an array of examples")
    for index, entry in enumerate(entries):
        place = f"{where}{part}[{index}]"
        if not hasattr(entry, "get") or entry.get("input") is None:
            raise InvalidError(f"{place} has no input")
        output = entry.get("output")
        made.append(Example(part, index, _grid(entry["input"], place + " input"),
                            None if output is None else _grid(output, place + " output")))
    return made


def _task(id: str, json_task: Any, where: str, file: str) -> Task:
    if isinstance(json_task, Task):
        return json_task
    if isinstance(json_task, (list, tuple)):  # of examples, as re-arc has them
        json_task = {"train": json_task}
    if not hasattr(json_task, "get"):
        raise InvalidError(f'{where}a task is an object with "train" and "test"')
    task = Task(id, _part(json_task, "train", where), _part(json_task, "test", where), file)
    if not task.examples:
        raise InvalidError(f'{where}no examples; a task is an object with "train" and "test", arrays of examples')
    return task


def _from_dict(value: Any, name: str, file: str) -> Dict[str, Task]:
    prefix = f"{file}: " if file else ""
    if isinstance(value, (list, tuple)) and value and hasattr(value[0], "get"):
        return {name: _task(name, value, prefix, file)}
    if not hasattr(value, "get"):
        raise InvalidError(f"{prefix}expected a task, or an object of tasks by id")
    if "train" in value or "test" in value:
        return {name: _task(name, value, prefix, file)}
    if not value:
        raise InvalidError(f"{prefix}no tasks")
    return {str(id): _task(str(id), task, f'{prefix}task "{id}": ', file) for id, task in value.items()}


def _from_file(path: str) -> Dict[str, Task]:
    with open(path, encoding="utf-8") as file:
        try:
            value = json.load(file)
        except ValueError as error:
            hint = "; this looks like a file of programs, but tasks are expected here" if path.endswith(".py") else ""
            raise InvalidError(f"{path}: this is no JSON: {error}{hint}") from None
    return _from_dict(value, os.path.splitext(os.path.basename(path))[0], path)


def _json_files(folder: str, end: str = ".json") -> List[str]:
    if not os.path.isdir(folder):
        return []
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(end) and not name.startswith(".")]


def _from_folder(path: str) -> Dict[str, Task]:
    """As the command reads folders (docs/file-formats.md): Kaggle's files, or tasks, or those of re-arc, or those of ARC-AGI."""
    found: Dict[str, Task] = {}
    challenges = _json_files(path, "_challenges.json")
    below = [os.path.join(path, *parts) for parts in (("training",), ("evaluation",), ("data", "training"), ("data", "evaluation"))]
    files = challenges or _json_files(path) or _json_files(os.path.join(path, "tasks")) or [f for b in below for f in _json_files(b)]
    for file in files:
        more = _from_file(file)
        solutions = file[:-len("_challenges.json")] + "_solutions.json"
        if challenges and os.path.exists(solutions):
            _add_solutions(more, solutions)
        _join(found, more)
    if not found:
        raise InvalidError(f"{path}: no tasks in this directory; expected files that end in .json")
    return found


def _join(found: Dict[str, Task], more: Dict[str, Task]) -> None:
    """A task that is there twice counts once, with the outputs that either has; what differs is refused."""
    for id, task in more.items():
        other = found.setdefault(id, task)
        same = len(other.train) == len(task.train) and len(other.test) == len(task.test)
        for mine, yours in ((other.train, task.train), (other.test, task.test)):
            for index, (a, b) in enumerate(zip(mine, yours)):
                same = same and a.input == b.input and (a.output is None or b.output is None or a.output == b.output)
                if a.output is None:
                    mine[index] = a._replace(output=b.output)
        if not same:
            raise InvalidError(f"task {id} is in two files, {other.file} and {task.file}, which differ; leave one out")


def _add_solutions(found: Dict[str, Task], solutions: Any) -> None:
    if not hasattr(solutions, "get"):
        with open(solutions, encoding="utf-8") as file:
            solutions = json.load(file)
    known = [id for id in solutions if id in found]
    if not known:
        raise InvalidError("the solutions are of none of these tasks")
    for id in known:
        task, outputs = found[id], solutions[id]
        if len(outputs) != len(task.test):
            raise InvalidError(f'task "{id}": {len(outputs)} outputs for {len(task.test)} test examples')
        for index, (example, output) in enumerate(zip(task.test, outputs)):
            grid = _grid(output, f'solutions: task "{id}": [{index}]')
            if example.output is not None and example.output != grid:
                raise InvalidError(f'solutions: task "{id}": [{index}] differs from the output that the task has')
            task.test[index] = example._replace(output=grid)


def tasks(source: Any, solutions: Any = None) -> Tasks:
    """Tasks of a file or a folder, of a dict as json.load gives it, of one task of such a dict, or of several of these.

    `solutions`, a file or dict as Kaggle has them, {"id": [grid, ..]}, has the outputs of test examples.

    >>> tasks({"a": {"train": [{"input": [[1]], "output": [[2]]}]}})["a"].train[0].output
    ((2,),)
    """
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        found = _from_folder(path) if os.path.isdir(path) else _from_file(path)
    elif isinstance(source, (list, tuple)) and source and all(isinstance(s, (str, os.PathLike, Tasks)) for s in source):
        found = {}
        for one in source:
            _join(found, dict(tasks(one)))
    elif isinstance(source, Tasks):
        found = dict(source)
    elif isinstance(source, Task):
        found = {source.id: source}
    else:
        found = _from_dict(source, "task", "")
    if solutions is not None:
        _add_solutions(found, solutions)
    return Tasks(found)
