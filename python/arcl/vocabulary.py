"""The ops of the language."""
from typing import List, NamedTuple

from . import _arcl


class Op(NamedTuple):
    """An op of the language, as `arcl ops` prints it."""
    name: str
    family: str
    parameters: List[str]
    arity: int
    type: str
    meaning: str


def ops(dialect: str = "arc-dsl") -> List[Op]:
    """The ops of a dialect, in the order of the reference.

    >>> [op.meaning for op in ops() if op.name == "fill"]
    ["Colour the patch's locations that lie inside."]
    """
    return [Op(o["name"], o["family"], o["parameters"].split(), o["arity"], o["type"], o["meaning"]) for o in _arcl.ops(dialect)]
