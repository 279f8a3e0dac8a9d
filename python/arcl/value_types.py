"""The types of Python values, in the words of the language: what a program is compiled for when nobody has said it."""
from .failures import InvalidError


def _is_array(value):
    return hasattr(value, "ndim") and hasattr(value, "shape")


def _common(types, value):
    known = {t for t in types if t is not None}
    if len(known) > 1 and known <= {"ij", "cell"}:
        raise InvalidError(f"{value!r:.60} has locations with and without colours: say the type, as types=[..]")
    if len(known) > 1:
        raise InvalidError(f"{value!r:.60} has parts of different types, {', '.join(sorted(known))}: say the type, as types=[..]")
    return known.pop() if known else None


def _is_ints(value):
    return all(isinstance(v, int) and not isinstance(v, bool) for v in value)


def _tuple_type(value):
    if len(value) == 2 and _is_ints(value):
        return "ij"
    if len(value) == 2 and _is_ints(value[:1]) and isinstance(value[1], tuple) and _is_ints(value[1]) and len(value[1]) == 2:
        return "cell"
    if value and all(isinstance(row, (tuple, list)) and _is_ints(row) and len(row) == len(value[0]) for row in value):
        return "grid"
    return "[" + (_common([_type(v) for v in value], value) or "int") + "]"


def _type(value):
    if isinstance(value, bool):
        return "bool"
    if hasattr(value, "__index__"):
        return "int"
    if _is_array(value):
        return "grid" if value.ndim == 2 else "[" * value.ndim + "int" + "]" * value.ndim
    if isinstance(value, (set, frozenset)):
        return "{" + (_common([_type(v) for v in value], value) or "ij") + "}"
    if isinstance(value, list):
        return _tuple_type(tuple(value))
    if isinstance(value, tuple):
        return _tuple_type(value)
    raise InvalidError(f"a {type(value).__name__} is no value of the language: {value!r:.60}")


def type_of(value) -> str:
    """The type of a value. A pair of ints is an ij, rows of equal length are a grid; where that is not what is meant, say `types=`.

    >>> type_of(3), type_of((1, 2)), type_of(((1, 2), (3, 4))), type_of(frozenset({(5, (0, 1))}))
    ('int', 'ij', 'grid', '{cell}')
    """
    return _type(value)
