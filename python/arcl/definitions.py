"""Programs: definitions of a text, a file, a module or a function, compiled when they are first needed."""
import bisect
import collections.abc
import inspect
import os
import re
import textwrap
import threading
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _arcl
from .engine import Engine, default_engine, fork_error
from .failures import DeviceError, Failure, InvalidError, LaneError, ProgramError
from .fallbacks import Fallback, find_fallback
from .grids import Grid, html_table
from .inputs import Inputs, as_columns
from .lane_results import Results
from .traces import Trace, steps_of
from .value_types import type_of

_KNOWN_PARAMETERS = {"I": "grid", "S": "[[grid]]", "C": None}  # by name, where no types are given; C is none
_SUFFIXES = (".py", ".def")


class Text:
    """A text and what it was parsed to. Definitions are numbered as they come."""

    def __init__(self, text: str, name: str, dialect: str, engine: Engine):
        self.text, self.name, self.wanted_dialect = text, name, dialect
        self.source = engine._context.parse(text, name, dialect)
        self.names: List[str] = self.source.names()
        self.dialect: str = self.source.dialect
        self._parameters: Optional[Dict[str, Tuple[str, ...]]] = None

    def parameters(self, name: str) -> Optional[Tuple[str, ...]]:
        """The names of a definition's parameters, as they are written; None for what is not written as a definition."""
        if self._parameters is None:
            heads = re.findall(r"^def[ \t]+(\w+)[ \t]*\(([^)]*)\)", self.text, re.M)
            self._parameters = {head: tuple(p.split(":")[0].split("=")[0].strip() for p in inside.split(",") if p.strip())
                                for head, inside in heads}
        return self._parameters.get(name)

    def __reduce__(self):
        return _restore_text, (self.text, self.name, self.wanted_dialect)


_texts: Dict[Tuple[str, str, str], Text] = {}
_texts_lock = threading.Lock()


def _restore_text(text: str, name: str, dialect: str) -> Text:
    """What is unpickled program by program is parsed once."""
    key = (text, name, dialect)
    with _texts_lock:
        if key not in _texts:
            if len(_texts) >= 64:
                _texts.clear()
            _texts[key] = Text(text, name, dialect, default_engine())
        return _texts[key]


class Program:
    """A program that can be called like the Python function that it is written as.

    solve(grid)            one grid, or several arguments: tuples, lists or arrays in, tuples and frozensets out
    solve.map(grids)       many: a list, or an array (grids, rows, columns) of int8, which is not copied

    A call whose lane fails raises LaneError, as the DSL itself would raise something; with strict=False it gives None. In `map`
    failures are data, unless strict=True.
    """

    def __init__(self, text: Text, index: int, name: Optional[str] = None, types: Optional[Sequence[str]] = None, safe: bool = False,
                 engine: Optional[Engine] = None, fallback: Optional[Fallback] = None):
        self._text, self._index = text, index
        self.name = name or text.names[index]
        self.types = None if types is None else tuple(types)
        self.safe = safe
        self.fallback = fallback
        self._engine = engine

    _home: Tuple[Any, Any] = (None, None)  # the context for which it was compiled first, with its own types, and what it became
    _others: Optional[Dict[Any, Any]] = None  # compiled otherwise
    _ready: Any = None  # what calls use that name no engine
    _gives_grid = False
    _is_named: Optional[bool] = None  # whether the names of its parameters say their types; None: not known yet

    # ---- what it is ----

    @property
    def parameters(self) -> Tuple[str, ...]:
        """The names of its parameters."""
        return self._text.parameters(self._text.names[self._index]) or ("I",)

    @property
    def file(self) -> str:
        return self._text.name

    @property
    def dialect(self) -> str:
        return self._text.dialect

    @property
    def result_type(self) -> str:
        """The type of its value: "grid", "{cell}", .."""
        return "?" if self.fallback else self._compiled_for(self._engine or default_engine()).result_type

    @property
    def key(self) -> str:
        """A hash of its normal form: equal for equal programs, on every machine."""
        return self._rejecting(self._text.source.key, self._index)

    def format(self, inline: bool = False, dialect: str = "auto") -> str:
        """Its normal form, as text, or the same in the words of another dialect."""
        return self._rejecting(self._text.source.format, self._index, inline, dialect)

    def with_types(self, *types: str) -> "Program":
        """The same program for parameters of these types: "grid", "{cell}", "int", .."""
        return Program(self._text, self._index, self.name, types, self.safe, self._engine, self.fallback)

    def with_policy(self, safe: bool) -> "Program":
        """The same program; safe: a call that fails yields a default and the lane goes on."""
        return Program(self._text, self._index, self.name, self.types, safe, self._engine, self.fallback)

    def __repr__(self) -> str:
        where = f", in Python: arcl knows no {', '.join(self.fallback.unknown)}" if self.fallback else ""
        return f"<Program {self.name}({', '.join(self.parameters)}) of {self.file}{where}>"

    def _repr_html_(self) -> str:
        try:
            text = self.format()
        except Exception as error:
            text = str(error)
        import html
        return f"<pre>{html.escape(text)}</pre>"

    def __reduce__(self):
        return Program, (self._text, self._index, self.name, self.types, self.safe, None, self.fallback)

    # ---- compiling ----

    def _rejecting(self, function: Callable, *arguments: Any) -> Any:
        """Calls what may reject the program."""
        try:
            return function(*arguments)
        except InvalidError as error:
            raise ProgramError.of(str(error)) from None

    def _compiled_for(self, engine: Engine, types: Optional[Sequence[str]] = None, grid_result: bool = False,
                      context: Any = None) -> Any:
        types = self.types if types is None else tuple(types)
        context = context or engine._context
        is_own = types == self.types and not grid_result
        home = self._home
        if is_own and context is home[0]:
            return home[1]
        if self._others is None:
            self._others = {}
        key = (id(context), types, grid_result)
        found = self._others.get(key)
        if found is None:
            names = None if types is None else tuple(t.encode() for t in types)
            found = self._rejecting(self._text.source.compile, context, self._index, names, grid_result, self.safe)
            if is_own and self._home[0] is None:
                self._home = context, found
                return found
            if len(self._others) >= 32:
                self._others.clear()
            self._others[key] = found  # it keeps the context, so that no other can have its id
        return found

    def _names_say_types(self) -> bool:
        if self._is_named is None:
            self._is_named = all(name in _KNOWN_PARAMETERS for name in self.parameters)
        return self._is_named

    def _types_of(self, arguments: Iterable[Any]) -> Optional[Tuple[str, ...]]:
        """Types for arguments where nobody has said any: none where names say them."""
        if self.types is not None or self._names_say_types():
            return self.types
        return tuple(type_of(value) for value in arguments)

    def _select(self, compiled: Any, arguments: Tuple[Any, ...]) -> Tuple[Any, ...]:
        """Of arguments for all parameters those that the compiled program takes: what it does not use it does not have."""
        wanted = compiled.types.split()
        if len(arguments) == len(wanted):
            return arguments
        names = self.parameters
        if self.types is None and len(arguments) == len(names) and self._names_say_types():
            used = [value for name, value in zip(names, arguments) if _KNOWN_PARAMETERS[name] in wanted]
            if len(used) == len(wanted):
                return tuple(used)
        raise TypeError(f"{self.name}({', '.join(names)}) takes {len(wanted)} arguments ({', '.join(wanted)}), not {len(arguments)}")

    # ---- running ----

    def __call__(self, *arguments: Any, strict: bool = True, engine: Optional[Engine] = None) -> Any:
        compiled = self._ready
        if compiled is None or engine is not None:
            return self._call_slowly(arguments, strict, engine)
        try:
            value = compiled(*arguments)
        except _arcl.LaneFailed as failed:
            return self._failed(failed, strict, compiled, self._engine or default_engine(), arguments)
        except TypeError:
            return self._call_slowly(arguments, strict, engine)
        except DeviceError as error:
            raise fork_error(error) from None
        return Grid(value) if self._gives_grid else value

    def _call_slowly(self, arguments: Tuple[Any, ...], strict: bool, engine: Optional[Engine]) -> Any:
        where = engine or self._engine or default_engine()
        if self.fallback:
            return self.fallback.call(where, self.name, arguments, strict)
        types = self._types_of(arguments)
        compiled = self._compiled_for(where, types)
        if engine is None and types == self.types:
            self._gives_grid = compiled.result_type == "grid"
            self._ready = compiled
        selected = self._select(compiled, arguments)
        try:
            value = compiled(*selected)
        except _arcl.LaneFailed as failed:
            return self._failed(failed, strict, compiled, where, selected)
        except DeviceError as error:
            raise fork_error(error) from None
        return Grid(value) if compiled.result_type == "grid" else value

    def _failed(self, failed: Any, strict: bool, compiled: Any, engine: Engine, arguments: Tuple[Any, ...]) -> Any:
        if not strict:
            return None
        status, raw = failed.args

        def find() -> Dict[str, Any]:
            batch = _arcl.Batch(engine._context, compiled.types)
            batch.add(compiled.are_grids, *arguments)
            return self._find(engine, batch, compiled, raw, 0)

        raise LaneError(self.name, Failure(0, status, find)) from None

    def _find(self, engine: Engine, batch: Any, compiled: Any, raw: Any, lane: int) -> Dict[str, Any]:
        """Where a lane of a batch has failed."""
        return engine._context.failure(raw, lane, self._text.source, self._index, self._spelled_types(compiled), False, self.safe, batch)

    def _spelled_types(self, compiled: Any) -> Optional[Tuple[bytes, ...]]:
        """The types that it was compiled for, as the library takes them; none where names say them."""
        if self.types is None and self._names_say_types():
            return None
        return tuple(t.replace("ijc", "cell").encode() for t in compiled.types.split())

    def _batch(self, compiled: Any, columns: Tuple[Any, ...], context: Any) -> Any:
        batch = _arcl.Batch(context, compiled.types)
        batch.extend(compiled.are_grids, self._select(compiled, columns))
        return batch

    def _prepared(self, columns: Tuple[Any, ...], engine: Engine) -> Tuple[Any, Any]:
        """What is to be run on columns: the program compiled for their types, and a batch."""
        if len(columns) == 1 and isinstance(columns[0], Inputs):
            return self._prepared_inputs(columns[0], engine)
        compiled = self._compiled_for(engine, self._types_of(column[0] for column in columns if len(column)))
        return compiled, self._batch(compiled, columns, engine._context)

    def _prepared_inputs(self, given: Inputs, engine: Engine) -> Tuple[Any, Any]:
        context = engine._context
        home, compiled = self._home
        if home is not context or not self._is_named:
            compiled = self._compiled_for(engine, None if self._types_of(()) is None else given.types.split())
        return compiled, given.batch_for(context, compiled.types)

    def map(self, *columns: Any, strict: bool = False, engine: Optional[Engine] = None) -> Results:
        """Runs the program over many lanes: columns of arguments, as of the built-in map, a list or an array for each.

        >>> add = program("def f(a, b):\\n    return add(a, b)\\n")
        >>> list(add.map([1, 2, 3], [10, 20, 30]))
        [11, 22, 33]
        """
        where = engine or self._engine or default_engine()
        columns = columns if len(columns) == 1 and isinstance(columns[0], Inputs) else as_columns(columns)
        if self.fallback:
            results: Results = self.fallback.map(where, self.name, columns)
        else:
            compiled, batch = self._prepared(columns, where)
            try:
                raw = compiled.run(batch)
            except DeviceError as error:
                raise fork_error(error) from None
            results = Results(self.name, raw, compiled.result_type, (self._find, where, batch, compiled))
        return results.check() if strict else results

    def trace(self, *arguments: Any, engine: Optional[Engine] = None) -> Trace:
        """What every line of the program yields for these arguments; up to the one that fails."""
        if self.fallback:
            raise InvalidError(f"{self.name} runs in Python, and cannot be traced here")
        where = engine or self._engine or default_engine()
        compiled = self._compiled_for(where, self._types_of(arguments))
        batch = _arcl.Batch(where._context, compiled.types)
        batch.add(compiled.are_grids, *self._select(compiled, arguments))
        return steps_of(where._context.trace(self._text.source, self._index, self._spelled_types(compiled), self.safe, batch))

    def _submit(self, submitter: Any, arguments: Tuple[Any, ...]) -> Any:
        if self.fallback:
            raise InvalidError(f"{self.name} runs in Python, where nothing is saved by submitting it: call it")
        compiled = self._compiled_for(None, self._types_of(arguments), context=submitter.context)  # type: ignore[arg-type]
        batch = _arcl.Batch(submitter.context, compiled.types)
        batch.add(compiled.are_grids, *self._select(compiled, arguments))
        return submitter.submit(compiled, batch, lambda raw: Results(self.name, raw, compiled.result_type).check()[0])


class _Block(NamedTuple):
    """What the definitions of a text that were compiled together have in common."""
    first: int  # of its programs, among those of all texts
    text: Text
    numbers: Sequence[int]  # of the definition of each, in the text
    safe: bool
    engine: Engine
    context: Any


class Runs(collections.abc.Mapping):
    """What `Programs.run` gives: results by name, in the order of the inputs."""

    def __init__(self, find: Callable, engine: Engine, names: List[str], run: "_arcl.Run", jobs: List[str], others: Dict[str, Results]):
        self._find, self._engine = find, engine
        self._names, self._run = names, run
        self._jobs = jobs  # names of what has run, in that order, and of others
        self._found = others  # results that there are
        self._number: Optional[Dict[str, int]] = None  # of a job, by name

    def __getitem__(self, name: str) -> Results:
        found = self._found.get(name)
        if found is not None:
            return found
        if self._number is None:
            wanted = set(self._names)
            self._number = {job: number for number, job in enumerate(job for job in self._jobs if job in wanted)}
        compiled, batch, raw = self._run[self._number[name]]
        made = Results(name, raw, compiled.result_type, (self._find, name, self._engine, batch, compiled))
        self._found[name] = made
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<Runs of {len(self)} programs: {', '.join(list(self)[:4])}{', ..' if len(self) > 4 else ''}>"


class Programs(collections.abc.Mapping):
    """Programs by name, in the order of their text. A definition that was rejected is in `errors`, and raises its error when it is
    asked for."""

    def __init__(self, names: List[str], compiled: List[Any], blocks: List[_Block], errors: Dict[str, ProgramError]):
        # Of a file of hundreds, few programs are called one by one: what each was compiled to is a Program as soon as somebody asks
        # for it, and until then a part of a block. What is of no block is one from the beginning.
        self._names, self._compiled, self._blocks = names, compiled, blocks
        self._firsts = [block.first for block in blocks]
        self._made: Dict[int, Program] = {}
        self.errors = dict(errors)
        self._numbers: Optional[Dict[str, int]] = None  # by name, when somebody asks; of two with one name, the last

    @classmethod
    def _of(cls, programs: "Sequence[Program]", errors: Dict[str, ProgramError]) -> "Programs":
        return cls([program.name for program in programs], list(programs), [], errors)

    @property
    def _index(self) -> Dict[str, int]:
        if self._numbers is None:
            self._numbers = dict(zip(self._names, range(len(self._names))))
        return self._numbers

    def _at(self, index: int) -> Program:
        made = self._compiled[index]
        return made if isinstance(made, Program) else self._made.get(index) or self._make(index)

    def _make(self, index: int) -> Program:
        block = self._blocks[bisect.bisect_right(self._firsts, index) - 1]
        made = Program(block.text, block.numbers[index - block.first], self._names[index], None, block.safe, block.engine)
        made._home = block.context, self._compiled[index]
        made._is_named = True  # the library knows the same names
        self._made[index] = made
        return made

    @property
    def all(self) -> List[Program]:
        """Also those whose name another one has, too."""
        return [self._at(i) for i in range(len(self._names))]

    def __getitem__(self, name: Union[str, int]) -> Program:
        if isinstance(name, int):
            return self._at(range(len(self._names))[name])
        if name in self._index:
            return self._at(self._index[name])
        if name in self.errors:
            raise self.errors[name]
        near = [n for n in self._index if _arcl.is_near(name, n)]
        raise KeyError(f"{name}" + (f"; did you mean {near[0]}?" if near else ""))

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)

    def run(self, inputs: Any, engine: Optional[Engine] = None) -> Runs:
        """Runs many programs in one go, each on inputs of its own: a dict of grids, or of `engine.inputs`, by name.

        >>> two = compile("def f(I):\\n    return height(I)\\ndef g(I):\\n    return width(I)\\n")
        >>> {name: list(out) for name, out in two.run({"f": [((1, 2),)], "g": [((3,),), ((4, 5),)]}).items()}
        {'f': [1], 'g': [1, 2]}
        """
        where = engine or default_engine()
        names = list(inputs)
        run = where._context.run_named(self._compiled, self._names, inputs, Inputs) if type(inputs) is dict else None
        if run is not None:  # the usual case, without a turn of a loop for each
            return Runs(self._find, where, names, run, self._names, {})
        others = {name: self[name].map(inputs[name], engine=where) for name in names if self[name].fallback}
        jobs = [name for name in names if name not in others]
        prepared = [self[name]._prepared((inputs[name],) if type(inputs[name]) is Inputs else as_columns((inputs[name],)), where)
                    for name in jobs]
        run = where._context.run([compiled for compiled, _ in prepared], [batch for _, batch in prepared])
        return Runs(self._find, where, names, run, jobs, others)

    def _find(self, name: str, engine: Engine, batch: Any, compiled: Any, raw: Any, lane: int) -> Dict[str, Any]:
        return self[name]._find(engine, batch, compiled, raw, lane)

    @property
    def fallbacks(self) -> List[Program]:
        """Those that run in Python."""
        return [p for p in self.all if p.fallback]

    def __repr__(self) -> str:
        notes = [f"{len(self.errors)} rejected"] * bool(self.errors) + [f"{len(self.fallbacks)} in Python"] * bool(self.fallbacks)
        return f"<{len(self)} programs{''.join(', ' + n for n in notes)}: {', '.join(list(self)[:4])}{', ..' if len(self) > 4 else ''}>"

    def _repr_html_(self) -> str:
        rows = [(p.name, ", ".join(p.parameters), "in Python" if p.fallback else p.dialect) for p in self.all[:20]]
        note = f"and {len(self.all) - 20} more" if len(self.all) > 20 else ""
        return html_table(("program", "parameters", "dialect"), rows, note)

    def __reduce__(self):
        return Programs._of, (self.all, self.errors)


# ---- where they come from ----

def _is_for_calls(program: Program) -> bool:
    """Whether types come with a call: then there is nothing to be compiled before."""
    return program.types is None and not program._names_say_types()


def _settle(one: Program, made: Any, fallback: Any, engine: Engine) -> Optional[ProgramError]:
    """Gives a program that is of no block what its definition was compiled to; or why it is none."""
    if not isinstance(made, str):
        one._home = engine._context, made
    elif not (_is_for_calls(one) and "has no known type" in made):
        text, index = one._text, one._index
        one.fallback = find_fallback(text.text, text.names[index], text.dialect, fallback) if fallback is not None else None
        if one.fallback is None:
            return ProgramError.of(made)
    return None


class _Gathering:
    """Programs of texts, one text after the other."""

    def __init__(self, types: Optional[Sequence[str]], safe: bool, fallback: Any, engine: Engine):
        self.types, self.safe, self.fallback, self.engine = types, safe, fallback, engine
        self.encoded = None if types is None else tuple(t.encode() for t in types)
        self.names: List[List[str]] = []  # of each text, as below
        self.compiled: List[List[Any]] = []
        self.blocks: List[_Block] = []
        self.count = 0
        self.errors: Dict[str, ProgramError] = {}

    def add(self, text: Text, rename: Callable[[str], str]) -> None:
        compiled, rejected = self.engine._context.compile(text.source, self.encoded, False, self.safe)
        names = text.names if rename is _same else [rename(name) for name in text.names]
        numbers: Sequence[int] = range(len(names))
        if self.types is not None or rejected:
            names, numbers, compiled = self._settled(text, names, compiled)
        self.blocks.append(_Block(self.count, text, numbers, self.safe, self.engine, self.engine._context))
        self.names.append(names)
        self.compiled.append(compiled)
        self.count += len(names)

    def _settled(self, text: Text, names: List[str], compiled: List[Any]) -> Tuple[List[str], List[int], List[Any]]:
        """Without those that were rejected, and with programs where there is more to be known than what they were compiled to."""
        good: List[Tuple[str, int, Any]] = []
        for number, (name, made) in enumerate(zip(names, compiled)):
            if self.types is not None or isinstance(made, str):
                one = Program(text, number, name, self.types, self.safe, self.engine)
                error = _settle(one, made, self.fallback, self.engine)
                if error is not None:
                    self.errors[name] = error
                    continue
                made = one
            good.append((name, number, made))
        return [g[0] for g in good], [g[1] for g in good], [g[2] for g in good]


def _joined(lists: List[List[Any]]) -> List[Any]:
    return lists[0] if len(lists) == 1 else [item for items in lists for item in items]


def _gather(texts: Sequence[Tuple[Text, Callable[[str], str]]], types: Any, safe: bool, strict: bool, fallback: Any,
            engine: Engine) -> Programs:
    all = _Gathering(types, safe, fallback, engine)
    for text, rename in texts:
        all.add(text, rename)
    if strict and all.errors:
        raise next(iter(all.errors.values()))
    return Programs(_joined(all.names), _joined(all.compiled), all.blocks, all.errors)


def _same(name: str) -> str:
    return name


def _function_text(function: Callable) -> Tuple[str, str]:
    """The text of a function, at the lines where its file has it, and the file."""
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        raise InvalidError(f"the text of {function!r} is not to be had: functions must come from a file or a notebook's cell") from None
    if function.__name__ == "<lambda>":
        raise InvalidError("a lambda has no definition: write it with def")
    return "\n" * (first - 1) + textwrap.dedent("".join(lines)), inspect.getsourcefile(function) or "<function>"


def compile(source: Any, types: Optional[Sequence[str]] = None, safe: bool = False, dialect: str = "auto", name: str = "<text>",
            strict: bool = True, fallback: Any = None, engine: Optional[Engine] = None) -> Programs:
    """Programs of a text, of a function object, or of several of these.

    types     of the parameters; without, I is the grid, S the train pairs, C none, and others are as a call's arguments are
    safe      an op that fails yields a default, and the program goes on
    strict    a definition that is rejected raises its ProgramError; otherwise it is in `.errors`
    fallback  a module whose functions may stand in for ops that arcl does not know: programs that use them run in Python

    >>> compile("def f(I):\\n    return hmirror(I)\\n")["f"](((1,), (2,)))
    ((2,), (1,))
    """
    where = engine or default_engine()
    if callable(source):
        source = [source]
    if isinstance(source, str):
        texts = [Text(source, name, dialect, where)]
    else:
        texts = [Text(*_function_text(f), dialect, where) for f in source]
    return _gather([(text, _same) for text in texts], types, safe, strict, fallback, where)


def program(source: Any, types: Optional[Sequence[str]] = None, safe: bool = False, dialect: str = "auto", name: str = "<text>",
            fallback: Any = None, engine: Optional[Engine] = None) -> Program:
    """The only program of a text, or that of a function.

    >>> program("def f(I):\\n    return height(I)\\n")(((1,), (2,)))
    2
    """
    found = compile(source, types, safe, dialect, name, True, fallback, engine)
    if len(found.all) != 1:
        raise InvalidError(f"one definition is expected, there are {len(found.all)}: compile() takes many")
    return found.all[0]


def _files(path: str) -> List[str]:
    """A file; or all of a folder that hold programs, in order of their paths."""
    if not os.path.isdir(path):
        return [path]
    found = [os.path.join(folder, file) for folder, _, files in os.walk(path) for file in files if file.endswith(_SUFFIXES)]
    if not found:
        raise InvalidError(f"{path}: no programs in this folder; expected files that end in .py or .def")
    return sorted(found)


def _renamed(path: str) -> Callable[[str], str]:
    """A definition that is called `solve` is for the task ID if its file, or a folder that it is in, is called solve_ID."""
    owners = [part for part in reversed(os.path.splitext(path)[0].split(os.sep)) if part.startswith("solve_")]
    return lambda name: owners[0] if name == "solve" and owners else name


def load(path: Any, types: Optional[Sequence[str]] = None, safe: bool = False, dialect: str = "auto", strict: bool = False,
         fallback: Any = None, engine: Optional[Engine] = None) -> Programs:
    """Programs of a file, of all files in a folder, or of several of these. What is rejected is in `.errors`, unless strict."""
    where = engine or default_engine()
    paths = [os.fspath(p) for p in ([path] if isinstance(path, (str, os.PathLike)) else path)]
    texts = []
    for file in (f for p in paths for f in _files(p)):
        with open(file, encoding="utf-8") as stream:
            texts.append((Text(stream.read(), file, dialect, where), _renamed(file)))
    return _gather(texts, types, safe, strict, fallback, where)


def from_module(module: Any, **options: Any) -> Programs:
    """Programs of a module's file, as `load` has them."""
    file = inspect.getsourcefile(module)
    if file is None:
        raise InvalidError(f"{module!r} has no source file")
    return load(file, **options)
