"""Scores of programs that run in Python, counted as the library counts its own: a grid has the fingerprint that it would have there
(docs/scoring.md)."""
from functools import reduce
from typing import Any, Dict, List, Optional

from .failures import OK, PYTHON

_MASK = (1 << 64) - 1
_FACTOR = 0xd6e8feb86659fd93
_GRID_TYPE = 7


def _fold(state: int, word: int) -> int:
    state ^= word & _MASK
    for _ in range(2):
        state = (state ^ state >> 32) * _FACTOR & _MASK
    return state ^ state >> 32


def _fold_run(state: int, words: List[int]) -> int:
    chained = len(words) // 4 * 4 if len(words) >= 8 else 0
    if chained:
        chains = [state + n & _MASK for n in range(4)]
        for n in range(chained):
            chains[n % 4] = _fold(chains[n % 4], words[n])
        state = reduce(_fold, chains)
    return reduce(_fold, words[chained:], state)


def _is_plain(value: Any) -> bool:
    return (isinstance(value, tuple) and len(value) > 0 and all(isinstance(row, tuple) and len(row) == len(value[0]) > 0 for row in value)
            and all(isinstance(cell, int) and -127 <= cell <= 127 for row in value for cell in row))


def fingerprint(value: Any) -> int:
    """Of a grid; of anything else a number that is different for different values.

    >>> f"{fingerprint(((4, 2), (3, 1))):x}"
    '74e55a6560511f60'
    """
    if not _is_plain(value):
        return reduce(_fold, repr(value).encode(), _fold(0, PYTHON))
    cells = bytes(cell & 255 for row in value for cell in row)
    words = [int.from_bytes(cells[i:i + 8], "little") for i in range(0, len(cells), 8)]
    whole = len(cells) // 8
    state = reduce(_fold, [OK, _GRID_TYPE, len(value) << 16 | len(value[0])], 0)
    return reduce(_fold, words[whole:], _fold_run(state, words[:whole]))


def score_fallback(program: Any, tasks: Any, own: Optional[str], engine: Any, lanes: Dict[str, Any], first: int) -> None:
    """Runs a program that has a fallback on a task, or on all of them, and fills in its lanes."""
    examples = [e for id in ([own] if own is not None else tasks) for e in tasks[id].examples]
    results = program.fallback.map(engine, program.name, ([e.input for e in examples],))
    for lane, (example, value) in enumerate(zip(examples, results), first):
        failure = results.failure(lane - first)
        same_shape = _is_plain(value) and example.output is not None and (len(value), len(value[0])) == example.output.shape
        lanes["status"][lane] = PYTHON if failure else OK
        lanes["match"][lane] = -1 if example.output is None else int(value == example.output)
        lanes["same_shape"][lane] = same_shape
        lanes["usable"][lane] = _is_plain(value) and max(len(value), len(value[0])) <= 30 and all(0 <= c <= 9 for r in value for c in r)
        lanes["cells"][lane] = sum(a == b for x, y in zip(value, example.output) for a, b in zip(x, y)) if same_shape else 0
        lanes["fingerprint"][lane] = fingerprint(str(failure) if failure else value)
