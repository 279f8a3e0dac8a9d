"""Whether it is a kind of nothing that a value differs for: if so, Python has arcl's value where it is given another kind.

Python has several kinds of nothing, arcl one for each type, and what an op of the fork makes of it may depend on which it is. That alone
excuses no value: it is the reason only if the op, called again with another kind in the same places, yields what arcl has.
"""
import itertools
import re

KINDS = [(), frozenset(), None, float("nan"), float("-inf"), float("inf")]
MOST_TRIED = 1500  # ways to put kinds into all arguments


def is_nothing(value):
    return value is None or isinstance(value, float) or value == () or (isinstance(value, frozenset) and not value)


def with_kind(value, nothing):
    """The value with that in all places where it has nothing."""
    if is_nothing(value):
        return nothing
    return type(value)(with_kind(item, nothing) for item in value) if isinstance(value, (tuple, frozenset)) else value


def ways(value):
    """The value with every kind of nothing, each once."""
    return list({repr(made): made for made in (with_kind(value, nothing) for nothing in KINDS)}.values())


def argument(name, lines, names):
    return lines[int(name[1:])] if re.fullmatch(r"t\d+", name) else names.get(name)


def called(call, lines, names):
    """What a line yields, as in a battery."""
    function, *arguments = (argument(name, lines, names) for name in call)
    try:
        return function(*arguments)
    except (TypeError, AttributeError, ValueError, IndexError, KeyError):
        return names["_get_safe_default"](function)


def values_by_kinds(calls, root, looked_at, values, names):
    """What the root may yield, with other kinds of nothing in what it is made from: `values` of the lines, functions among them, which
    are made again."""
    known = [line for line in looked_at if line in values and not callable(values[line])]
    made = sorted(set(looked_at) - set(known))
    for way in itertools.islice(itertools.product(*(ways(values[line]) for line in known)), MOST_TRIED):
        lines = dict(zip(known, way))
        for line in made + [root]:
            lines[line] = called(calls[line], lines, names)
        yield lines[root]
