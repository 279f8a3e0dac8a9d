"""Inputs that are put into a batch once, for those who run many programs over them."""
from typing import Any, Optional, Sequence, Tuple

from . import _arcl
from .failures import InvalidError
from .value_types import type_of


class Inputs:
    """Columns of arguments, ready to run on an engine: made by `engine.inputs(grids)`, and taken where grids are.

    >>> from arcl import Engine, program
    >>> engine = Engine(device="host")
    >>> inputs = engine.inputs([((1, 2),), ((3,),)])
    >>> [list(program(f"def f(I):\\n    return {op}(I)\\n").map(inputs, engine=engine)) for op in ("height", "width")]
    [[1, 1], [2, 1]]
    """

    def __init__(self, context: Any, columns: Tuple[Any, ...], types: Optional[Sequence[str]]):
        if types is None and len(columns) == 1 and not len(columns[0]):
            types = ["grid"]
        self.types = " ".join(types if types is not None else [type_of(column[0]) for column in columns])
        self._context = context
        self.batch = _arcl.Batch(context, self.types)
        self.batch.extend(sum(1 << i for i, t in enumerate(self.types.split()) if t == "grid"), columns)

    def batch_for(self, context: Any, types: str) -> Any:
        if context is not self._context:
            raise InvalidError("these inputs belong to another engine")
        if types != self.types:
            raise InvalidError(f"a program that takes {types} cannot run on inputs of {self.types}")
        return self.batch

    def __len__(self) -> int:
        return len(self.batch)

    def __repr__(self) -> str:
        return f"<Inputs: {len(self)} lanes of {self.types}>"


def as_columns(columns: Tuple[Any, ...]) -> Tuple[Any, ...]:
    """What can be counted stays as it is; of an iterator, a list is made."""
    return tuple(c if hasattr(c, "__getitem__") and hasattr(c, "__len__") else list(c) for c in columns)
