"""Traces: what every line of a program yields for one input."""
import html
from typing import Any, Dict, List, NamedTuple, Optional

from .failures import Failure
from .grids import Grid, draw, html_table, is_terminal, svg

_NOTES = {"value": "", "function": "a function", "unused": "the program does not use it"}


class Step(NamedTuple):
    """A line of a program: the name that it gives, or "return", its text, and its value, or why it has none. Of a line that maps a
    function over a container, `elements` has pairs: an element, and what it became."""
    name: str
    text: str
    value: Any
    failure: Optional[Failure]
    note: str
    line: int
    elements: Any

    def _written(self) -> str:
        return f"return {self.text}" if self.name == "return" else f"{self.name} = {self.text}"

    def _shown(self) -> str:
        if self.failure:
            return f"{self.failure.status}: {self.failure.meaning}"
        return self.note or repr(self.value)


class Trace(list):
    """The lines of a program with their values, in their order.

    >>> from arcl import program
    >>> steps = program("def f(I):\\n    x = objects(I, T, F, T)\\n    return size(x)\\n").trace(((0, 5), (0, 0)))
    >>> [(step.text, step.value) for step in steps]
    [('objects(I, T, F, T)', frozenset({frozenset({(5, (0, 1))})})), ('size(x)', 1)]
    """

    def __repr__(self) -> str:
        shown = []
        for step in self:
            is_drawn = is_terminal() and isinstance(step.value, Grid)
            shown.append(f"{step._written()}\n" + (draw(step.value) if is_drawn else "    " + _short(step._shown(), 300)))
        return "\n".join(shown)

    def _repr_html_(self) -> str:
        rows = [(f"<code>{html.escape(step.name)}</code>", f"<code>{html.escape(step.text)}</code>",
                 svg(step.value) if isinstance(step.value, Grid)
                 else html.escape(_short(step._shown(), 400))) for step in self]
        return html_table(("", "line", "value"), rows)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + " .."


def _step(row: Dict[str, Any]) -> Step:
    name, text = row["text"].split(" ", 1) if row["text"].startswith("return ") else row["text"].split(" = ", 1)
    value = row["value"]
    failure = row["failure"] and Failure(0, row["status"], lambda: row["failure"])
    return Step(name, text, Grid(value) if row["type"] == "grid" and value is not None else value, failure, _NOTES[row["kind"]],
                row["line"], row["elements"])


def steps_of(rows: List[Dict[str, Any]]) -> Trace:
    """Of what the extension tells of every line: up to the one that fails."""
    made = Trace()
    for row in rows:
        made.append(_step(row))
        if made[-1].failure:
            break
    return made
