"""Traces: what every line of a program yields for one input. The program's normal form has a call per line; each line is run as the
result of a program of its own."""
import html
import re
from typing import Any, NamedTuple, Optional

from .failures import Failure, LaneError, ProgramError
from .grids import draw, html_table, is_terminal, svg
from .value_types import type_of

_STATEMENT = re.compile(r"    (\w+) = (.+)\n")


class Step(NamedTuple):
    """A line of a program: the name that it gives, its text, and its value, or why it has none."""
    name: str
    text: str
    value: Any
    failure: Optional[Failure]
    note: str

    def _shown(self) -> str:
        if self.failure:
            return f"{self.failure.status}: {self.failure.meaning}"
        return self.note or repr(self.value)


class Trace(list):
    """The lines of a program with their values, in their order.

    >>> from arcl import program
    >>> steps = program("def f(I):\\n    x = objects(I, T, F, T)\\n    return size(x)\\n").trace(((0, 5), (0, 0)))
    >>> [(step.text, step.value) for step in steps]
    [('objects(I, T, F, T)', frozenset({frozenset({(5, (0, 1))})})), ('size(x1)', 1)]
    """

    def __repr__(self) -> str:
        shown = []
        for step in self:
            is_drawn = is_terminal() and not step.failure and not step.note and _is_grid(step.value)
            shown.append(f"{step.name} = {step.text}\n" + (draw(step.value) if is_drawn else "    " + _short(step._shown(), 300)))
        return "\n".join(shown)

    def _repr_html_(self) -> str:
        rows = [(f"<code>{html.escape(step.name)}</code>", f"<code>{html.escape(step.text)}</code>",
                 svg(step.value) if not step.failure and not step.note and _is_grid(step.value)
                 else html.escape(_short(step._shown(), 400))) for step in self]
        return html_table(("", "line", "value"), rows)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + " .."


def _is_grid(value: Any) -> bool:
    try:
        return isinstance(value, tuple) and type_of(value) == "grid"
    except ValueError:
        return False


def trace(program: Any, compile: Any, arguments: Any, engine: Any) -> Trace:
    """`compile` makes a program of a text."""
    text = program.format()
    head = text[:text.index("\n") + 1]
    found, before = Trace(), head
    for name, call in _STATEMENT.findall(text):
        before += f"    {name} = {call}\n"
        try:
            one = compile(before + f"    return {name}\n", types=program.types, safe=program.safe, dialect=program.dialect, engine=engine)
            found.append(Step(name, call, one(*arguments), None, ""))
        except ProgramError as error:
            found.append(Step(name, call, None, None, "a function" if "function" in str(error.msg) else str(error.msg)))
        except LaneError as error:
            found.append(Step(name, call, None, error.failure, ""))
            break
    return found
