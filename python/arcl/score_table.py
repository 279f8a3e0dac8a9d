"""Scores: programs on tasks, as columns of numbers, one table of pairs and one of lanes."""
import array
import sys
import time
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from . import _arcl
from .batteries import _listed
from .definitions import Program
from .engine import Engine, default_engine
from .failures import InvalidError, ProgramError, status_name
from .fallback_scores import score_fallback
from .grids import html_table, text_table
from .lane_results import as_array
from .submissions import Submission
from .task_sets import Tasks
from .task_sets import tasks as as_tasks

_MOST_PROGRAMS, _MOST_LANES = 256, 16384  # that are compiled and run together
_LANE_COLUMNS = {"status": "B", "match": "b", "same_shape": "B", "usable": "B", "cells": "I", "words": "I", "fingerprint": "Q"}
_TALLY_COLUMNS = {"train_right": "I", "train_all": "I", "test_right": "I", "test_all": "I", "cells": "I", "all_cells": "I",
                  "errors": "I", "train_cells": "I", "train_errors": "I", "words": "Q", "behaviour": "Q"}
_SHOW_AFTER = 1.0  # seconds, in a terminal


class Best(NamedTuple):
    """A program's place in the ranking of a task, and how many others do the same there."""
    program: str
    train_right: int
    train_all: int
    test_right: int
    test_all: int
    cells: int
    all_cells: int
    words: int
    alike: int


class _Target:
    """Tasks that a program runs on in one go, as batches: by what programs take, and what is expected."""

    def __init__(self, engine: Engine, tasks: List[Any]):
        self._engine, self._tasks = engine, tasks
        self._examples = [e for task in tasks for e in task.examples]
        self.expected = _arcl.Batch(engine._context, "grid")
        self.expected.extend(1, ([() if e.output is None else e.output for e in self._examples],))
        self._batches: Dict[str, Any] = {}

    def batch(self, types: str) -> Any:
        if types not in self._batches:
            made = self._batches[types] = _arcl.Batch(self._engine._context, types)
            if types == "grid":
                made.extend(1, ([e.input for e in self._examples],))
            else:
                for task in self._tasks:
                    for example in task.examples:
                        made.add(2, task.pairs, example.input)
        return self._batches[types]


class _Progress:
    def __init__(self, total: int, told: Optional[Callable[[int, int], None]]):
        self._total, self._told, self._start, self._shown = total, told, time.monotonic(), False

    def __call__(self, done: int) -> None:
        if self._told:
            self._told(done, self._total)
        elif sys.stderr is not None and sys.stderr.isatty() and (self._shown or time.monotonic() - self._start > _SHOW_AFTER):
            self._shown = done < self._total
            sys.stderr.write(f"\rprograms {done} of {self._total}" if self._shown else "\r\033[K")
            sys.stderr.flush()


class Scores:
    """Programs on tasks. A row is a pair of both: `table["train_right"]` is a column, as an array, and these are

        program, task            places in `programs` and `tasks`
        train_right, train_all   examples that match, of those that have an output; likewise test_right, test_all
        cells, all_cells         cells that are right where the shape is
        errors                   examples that have failed
        words                    that the program has made: what it costs
        behaviour                the same number for programs that have the same outputs on a task

    `lanes` has the columns for single examples: program, task, part, example, status, match (-1: not known), same_shape, usable,
    cells, words and fingerprint. A program that was rejected is in `rejected`, and its lanes have the status 255.
    """

    def __init__(self, programs: List[Program], tasks: Tasks, pairs: List[Tuple[int, int, int]], lanes: Dict[str, Any],
                 first_example: List[int], rejected: Dict[str, ProgramError], homeless: List[str], all_pairs: bool, safe: bool,
                 engine: Engine):
        self.programs, self.tasks = [p.name for p in programs], list(tasks)
        self.rejected = rejected
        self.homeless = homeless  # programs that are named after no task
        self._definitions, self._task_set = programs, tasks
        self._counted = "pairs" if all_pairs else "tasks"
        self._pairs, self._lanes, self._safe, self._engine = pairs, lanes, safe, engine
        self._first_example = first_example
        self._columns = self._tally()

    def _tally(self) -> Dict[str, array.array]:
        examples = [e for task in self._task_set.values() for e in task.examples]
        is_train = bytearray(e.part == "train" for e in examples)
        cells = array.array("I", (0 if e.output is None else len(e.output) * len(e.output[0]) for e in examples))
        sizes = [len(task.examples) for task in self._task_set.values()]
        columns = {"program": array.array("q", (p for p, _, _ in self._pairs)), "task": array.array("q", (t for _, t, _ in self._pairs))}
        made = {name: array.array(code, bytes(len(self._pairs) * array.array(code).itemsize)) for name, code in _TALLY_COLUMNS.items()}
        where = (array.array("q", (f for _, _, f in self._pairs)), array.array("q", (self._first_example[t] for _, t, _ in self._pairs)),
                 array.array("q", (sizes[t] for _, t, _ in self._pairs)))
        if self._pairs:
            _arcl.tally(tuple(self._lanes[name] for name in _LANE_COLUMNS), (is_train, cells), where, tuple(made.values()))
        self._first_lane, self._sizes = where[0], where[2]
        return {**columns, **made}

    def __len__(self) -> int:
        return len(self._pairs)

    @property
    def columns(self) -> List[str]:
        return list(self._columns)

    def __getitem__(self, column: str) -> Any:
        if column not in self._columns:
            raise KeyError(f"{column}: the columns are {', '.join(self._columns)}")
        return as_array(self._columns[column], self._columns[column].typecode)

    @property
    def lanes(self) -> Dict[str, Any]:
        """The columns of single examples."""
        program, task, part, example = array.array("q"), array.array("q"), bytearray(), array.array("q")
        for (p, t, _), size in zip(self._pairs, self._sizes):
            program.extend([p] * size)
            task.extend([t] * size)
        kinds = [(e.part == "test", e.index) for t in self._task_set.values() for e in t.examples]
        for (_, t, _), size in zip(self._pairs, self._sizes):
            for is_test, index in kinds[self._first_example[t]:self._first_example[t] + size]:
                part.append(is_test)
                example.append(index)
        made = {"program": as_array(program, "q"), "task": as_array(task, "q"), "part": as_array(part, "B"),
                "example": as_array(example, "q")}
        made.update((name, as_array(self._lanes[name], code)) for name, code in _LANE_COLUMNS.items())
        return made

    def _is_solved(self, row: int) -> bool:
        c = self._columns
        known = c["train_all"][row] + c["test_all"][row]
        return known > 0 and c["train_right"][row] + c["test_right"][row] == known

    @property
    def solved(self) -> Dict[str, List[str]]:
        """Tasks of which all examples are right, and the programs that do it."""
        found: Dict[str, List[str]] = {}
        for row, (p, t, _) in enumerate(self._pairs):
            if self._is_solved(row):
                found.setdefault(self.tasks[t], []).append(self.programs[p])
        return dict(sorted(found.items()))

    @property
    def totals(self) -> Dict[str, int]:
        """As `arcl score` counts: the tasks, or, with all_pairs, the pairs of a program and a task, of which all is right."""
        c = self._columns
        known = [row for row in range(len(self)) if c["train_all"][row] + c["test_all"][row]]
        return {f"{self._counted}_right": sum(map(self._is_solved, known)), self._counted: len(known),
                **dict(examples_right=sum(c["train_right"]) + sum(c["test_right"]), examples=sum(c["train_all"]) + sum(c["test_all"]),
                       errors=sum(c["errors"]))}

    def _ranked(self, rows: List[int]) -> List[int]:
        """Better ones first: more train examples right, then more of their cells, fewer that fail, fewer words."""
        c = self._columns
        right, cells, errors, words = c["train_right"], c["train_cells"], c["train_errors"], c["words"]
        return sorted(rows, key=lambda row: (-right[row], -cells[row], errors[row], words[row], row))

    def _rows_of(self) -> Dict[int, List[int]]:
        found: Dict[int, List[int]] = {}
        for row, (p, t, _) in enumerate(self._pairs):
            if self.programs[p] not in self.rejected:
                found.setdefault(t, []).append(row)
        return found

    def best(self, task: str, count: int = 3) -> List[Best]:
        """The best behaviours on a task, each by the best program that has it."""
        c: Dict[str, Any] = self._columns
        found: Dict[int, List[int]] = {}
        for row in self._ranked(self._rows_of().get(self.tasks.index(task), [])):
            found.setdefault(c["behaviour"][row], []).append(row)
        return [Best._make([self.programs[self._pairs[rows[0]][0]], *(c[name][rows[0]] for name in Best._fields[1:-1]), len(rows) - 1])
                for rows in list(found.values())[:count]]

    def failures(self, limit: Optional[int] = None) -> List[Tuple[str, str, str, str]]:
        """Examples whose lanes have failed: program, task, example and status."""
        found = []
        for (p, t, first), size in zip(self._pairs, self._sizes):
            examples = self._task_set[self.tasks[t]].examples
            for lane in range(size):
                status = self._lanes["status"][first + lane]
                if status not in (0, _arcl.NOT_RUN):
                    found.append((self.programs[p], self.tasks[t], f"{examples[lane].part}[{examples[lane].index}]", status_name(status)))
                    if len(found) == limit:
                        return found
        return found

    def to_pandas(self, lanes: bool = False) -> Any:
        """A DataFrame of pairs, or of single examples, with names instead of places."""
        import pandas
        columns = self.lanes if lanes else {name: self[name] for name in self.columns}
        frame = pandas.DataFrame({name: list(column) if isinstance(column, memoryview) else column for name, column in columns.items()})
        frame["program"] = [self.programs[p] for p in columns["program"]]
        frame["task"] = [self.tasks[t] for t in columns["task"]]
        if lanes:
            frame["part"] = frame["part"].map({0: "train", 1: "test"})
            frame["status"] = [status_name(s) if s != _arcl.NOT_RUN else "REJECTED" for s in columns["status"]]
        return frame

    def submission(self, path: Any = None) -> Dict[str, Any]:
        """Two attempts for every test input of every task, as Kaggle wants them; written to a file if one is named."""
        chosen = Submission(self._task_set, self._definitions, self._safe, self._engine)
        rows = self._rows_of()
        for number, task in enumerate(self.tasks):
            examples = self._task_set[task].examples
            tests = [i for i, e in enumerate(examples) if e.part == "test"]
            ranked = self._ranked(rows.get(number, []))
            for i in tests:
                chosen.choose(task, examples[i], ((self._lanes["fingerprint"][self._pairs[row][2] + i], self._pairs[row][0])
                                                  for row in ranked if self._lanes["usable"][self._pairs[row][2] + i]))
        return chosen.write(path)

    def __repr__(self) -> str:
        t = self.totals
        lines = [f"{self._counted} {t[self._counted + '_right']}/{t[self._counted]} examples {t['examples_right']}/{t['examples']} "
                 f"errors {t['errors']}"]
        if self.rejected:
            lines.append(f"{len(self.rejected)} programs were rejected: {', '.join(list(self.rejected)[:4])}")
        if self.homeless:
            lines.append(f"{len(self.homeless)} programs are named after no task here")
        return "\n".join(lines)

    def _table(self, most: int):
        c = self._columns
        order = sorted(range(len(self)), key=self._is_solved)[:most]
        return [(self.programs[self._pairs[r][0]], self.tasks[self._pairs[r][1]], f"{c['train_right'][r]}/{c['train_all'][r]}",
                 f"{c['test_right'][r]}/{c['test_all'][r]}", f"{c['cells'][r]}/{c['all_cells'][r]}", c["errors"][r]) for r in order]

    _HEADINGS = ("program", "task", "train", "test", "cells", "errors")

    def show(self, most: int = 20) -> str:
        """A table of pairs as text, those first that are not solved."""
        return text_table(self._HEADINGS, self._table(most))

    def _repr_html_(self) -> str:
        return f"<p>{repr(self)}</p>" + html_table(self._HEADINGS, [[str(x) for x in row] for row in self._table(20)])


class _Scoring:
    """The way from programs and tasks to columns."""

    def __init__(self, programs: List[Program], tasks: Tasks, all_pairs: bool, safe: Optional[bool], engine: Engine):
        self.programs, self.tasks, self.engine, self.safe = programs, tasks, engine, safe
        self.first_example, self.count = [], 0
        for task in tasks.values():
            self.first_example.append(self.count)
            self.count += len(task.examples)
        self.homeless: List[str] = []
        self.rejected: Dict[str, ProgramError] = {}
        self.jobs: List[Tuple[int, Optional[str], int]] = []  # program, its task (None: all of them), first lane
        self.pairs: List[Tuple[int, int, int]] = []
        self.lanes_in_all = 0
        places = {id: number for number, id in enumerate(tasks)}
        for number, one in enumerate(programs):
            self._plan(number, None if all_pairs else tasks.match(one.name), places, all_pairs, one.name)
        size = self.lanes_in_all
        self.lanes: Dict[str, Any] = {name: array.array(code, bytes(size * array.array(code).itemsize))
                                      for name, code in _LANE_COLUMNS.items()}
        self.lanes["status"] = bytearray([_arcl.NOT_RUN]) * size
        self._targets: Dict[Optional[str], _Target] = {}

    def _plan(self, number: int, own: Optional[str], places: Dict[str, int], all_pairs: bool, name: str) -> None:
        if own is None and not all_pairs:
            self.homeless.append(name)
            return
        self.jobs.append((number, own, self.lanes_in_all))
        for id in ([own] if own is not None else self.tasks):
            self.pairs.append((number, places[id], self.lanes_in_all))
            self.lanes_in_all += len(self.tasks[id].examples)

    def target(self, own: Optional[str]) -> _Target:
        if own not in self._targets:
            self._targets[own] = _Target(self.engine, [self.tasks[own]] if own is not None else list(self.tasks.values()))
        return self._targets[own]

    def groups(self):
        group, lanes = [], 0
        for job in self.jobs:
            group.append(job)
            lanes += len(self.tasks[job[1]].examples) if job[1] is not None else self.count
            if len(group) >= _MOST_PROGRAMS or lanes >= _MOST_LANES:
                yield group
                group, lanes = [], 0
        if group:
            yield group

    def compile(self, group) -> List[Tuple[Any, Any]]:
        """What can run of a group, compiled; the others are rejected."""
        ready = []
        for safe in (False, True):
            jobs = [job for job in group if not self.programs[job[0]].fallback and self._is_safe(job[0]) == safe]
            definitions = [(self.programs[n]._text.source, self.programs[n]._index) for n, _, _ in jobs]
            made = self.engine._context.compile(definitions, None, True, safe)[0] if jobs else []
            for job, compiled in zip(jobs, made):
                if isinstance(compiled, str):
                    self.rejected[self.programs[job[0]].name] = ProgramError.of(compiled)
                elif compiled.types not in ("grid", "[[grid]] grid"):
                    self.rejected[self.programs[job[0]].name] = ProgramError(f"it takes {compiled.types or 'nothing'}; tasks have a grid")
                else:
                    ready.append((job, compiled))
        return ready

    def _is_safe(self, number: int) -> bool:
        return self.programs[number].safe if self.safe is None else self.safe

    def run(self, progress: _Progress) -> None:
        columns, done = tuple(self.lanes.values()), 0
        for group in self.groups():
            jobs = []
            for (number, own, first), compiled in self.compile(group):
                target = self.target(own)
                jobs.append((number, (compiled, target.batch(compiled.types), target.expected, first)))
            if jobs:
                for (number, _), error in zip(jobs, self.engine._context.score([job for _, job in jobs], columns)):
                    if error is not None:
                        self.rejected[self.programs[number].name] = ProgramError(error)
            for number, own, first in group:
                if self.programs[number].fallback:
                    score_fallback(self.programs[number], self.tasks, own, self.engine, self.lanes, first)
            done += len(group)
            progress(done)


def score(programs: Any, tasks: Any, all_pairs: bool = False, safe: Optional[bool] = None, engine: Optional[Engine] = None,
          progress: Optional[Callable[[int, int], None]] = None) -> Scores:
    """Runs programs on tasks and compares what they yield with what is expected.

    A program runs on the task that its name ends with; with all_pairs on every task. `tasks` is what `arcl.tasks` takes.

    >>> from arcl import compile
    >>> task = {"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[3, 4]]}]}
    >>> table = score(compile("def solve_a(I):\\n    return vmirror(I)\\n"), {"a": task})
    >>> table
    tasks 1/1 examples 1/1 errors 0
    >>> table.submission()["a"][0]["attempt_1"]
    [[4, 3]]
    """
    listed = _listed(programs)
    batteries = [p.name for p in listed if p._text.source.is_battery(p._index)]
    if batteries and listed[0].dialect == "tokpidjin":
        raise InvalidError(f"{batteries[0]} is a part of a tokpidjin battery, whose results are counted by `arcl score`, not here")
    work = _Scoring(listed, as_tasks(tasks), all_pairs, safe, engine or default_engine())
    if not work.jobs:
        raise InvalidError("nothing to score: no program is named after a task, as solve_ID would be; all_pairs=True runs every program "
                           "on every task")
    work.run(_Progress(len(work.jobs), progress))
    return Scores(listed, work.tasks, work.pairs, work.lanes, work.first_example, work.rejected, work.homeless, all_pairs, bool(safe),
                  work.engine)
