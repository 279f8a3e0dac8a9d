"""Why a value may differ between arcl and the fork: the classes, each with the sentence that leaves it out, and what tells them.

A line of a battery that differs though its arguments agree is a root. Its class follows from what Python's values are, there and in its
arguments: something that has no type in arcl, or a kind of nothing of which arcl has one. A root in no class is a fault of arcl's.

Sentences are those of docs/tokpidjin.md, or of the dialect's specification, which that page follows.
"""
FUNCTIONS = "a function in a container"
SEVERAL_TYPES = "a container of several types"
ODD_GRID = "a grid of what are no ints"
PAINTED = "painted with nothing"
SORTED = "sorted by what is nothing"
LACKING_PATCH = "a missing pair in a patch"
KINDS = "a kind of nothing"
OTHER_LANES = "another type than in other lanes"
OTHER_RESULT = "another type than that of the op"
TOO_LARGE = "too large for a grid"
ORDER = "another order of three ints"
NO_OP = "a function that is no op"

CLASSES = {
    FUNCTIONS: "It does not follow where a container has functions in it that were made for each of its elements (docs)",
    SEVERAL_TYPES: "It does not follow where a value has more guests, or of longer types, than can be told beside it (docs)",
    ODD_GRID: "It does not follow where a grid would be a container that has sets as rows, nor where it has too many guests (docs)",
    PAINTED: "Painting with a missing colour [..] is not specified: Python makes no grid of it (specification)",
    SORTED: "Sorting by keys of which some are missing is not specified: Python makes an arbitrary order of it (specification)",
    LACKING_PATCH: "It does not follow where a patch has a missing pair among its locations (docs)",
    KINDS: "Python has several (`()`, `frozenset()`, `None`, nan, infinities); with static types one per type is enough (specification)",
    ORDER: "The vectors hold only lanes in which the last two [natural order of cells and arcl's] agree (specification)",
    NO_OP: "The name of a Python function that is no op [..], as a function: a call of it fails (specification)",
    TOO_LARGE: "rows, and columns, of a grid: 65,534 (docs/language.md)",
    OTHER_RESULT: "Lanes of which the result would be of another type than the static one are left out (specification)",
    OTHER_LANES: "Lanes of which the result would be of another type than the static one are left out (specification)",
}

# Those that are limits of arcl's own.
OURS = {name for name, sentence in CLASSES.items() if not sentence.endswith("(specification)")}

# Those that excuse a value only if Python has arcl's where it is given another kind of nothing (bench/tokpidjin_nothing.py).
ABOUT_NOTHING = {PAINTED, SORTED, KINDS}

# Ops that go by the order of what they are given, or of keys.
SORTING = {"order", "maximum", "minimum", "get_rank", "mostcommon", "leastcommon", "get_common_rank"}
SORTING |= {name + kind for name in ("argmax", "argmin", "valmax", "valmin", "get_arg_rank", "get_val_rank") for kind in ("", "_f", "_t")}
SORTING |= {name + kind for name in ("get_nth_by_key", "get_common_rank", "mostcommon", "leastcommon") for kind in ("_f", "_t")}
# Ops that take any tuple of two as what it is.
TAKING_RECORDS = {"first", "last", "first_t", "last_t", "first_f", "last_f", "second", "get_nth_t", "get_nth_f", "size", "size_t", "size_f",
                  "identity", "equality", "astuple", "initset", "branch"}
# Functions that card.py takes for ops; Python calls them, and goes on with None.
NO_OPS = {"make_all_dsl_safe"}
# Parameters of the fork's ops that are ints or pairs, for which None is what arcl has too.
NUMBERS = {"Integer", "Numerical", "Boolean", "IJ", "C_", "I_", "J_", "F_", "FL", "L_", "R_", "R4", "R8", "A4", "A8"}

NOTHING = "nothing"
MOST_CELLS = 65534  # in a row or a column of a grid


def is_no_pair(value):
    return isinstance(value, tuple) and value != () and (len(value) != 2 or not all(isinstance(item, int) for item in value))


def is_too_large(value):
    return isinstance(value, tuple) and (len(value) > MOST_CELLS or any(isinstance(row, tuple) and len(row) > MOST_CELLS for row in value))


def kind(value):
    if callable(value):
        return "function"
    if value is None or isinstance(value, float) or value in ((), frozenset()):
        return NOTHING
    return "int" if isinstance(value, int) else "tuple" if isinstance(value, tuple) else "set"


def is_container(value):
    return isinstance(value, (tuple, frozenset))


def oddities_inside(value, depth=0):
    """Names for what is odd in a container of Python's; a tuple of two may have one of each. Of ints and nothing, in a container of
    containers, it is the colours of a grid or an object that lack one."""
    kinds = {kind(item) for item in value}
    found = set().union(*(oddities_inside(item, depth + 1) for item in value if is_container(item)))
    is_pair = isinstance(value, tuple) and len(value) == 2
    if "function" in kinds:
        found.add(FUNCTIONS)
    if len(kinds - {NOTHING}) > 1:
        found.add("a record" if is_pair else SEVERAL_TYPES)
    if NOTHING in kinds and "int" in kinds or any(item is None or isinstance(item, float) for item in value):
        found.add(PAINTED if depth else "nothing among ints")
    if any(isinstance(item, float) for item in value):
        found.add("no number")
    if isinstance(value, tuple) and value and all(isinstance(row, tuple) and row for row in value):
        cells = [cell for row in value for cell in row]
        is_painted = all(cell is None or isinstance(cell, float) for cell in cells)
        if not is_painted and set(map(kind, cells)) <= {NOTHING, "tuple", "set"}:
            found.add(ODD_GRID)
    if any(item in ((), frozenset()) for item in value) and any(isinstance(item, tuple) and item for item in value):
        found.add(LACKING_PATCH)
    return found


def oddities(value):
    if is_container(value):
        found = oddities_inside(value)
        return found | ({"no pair"} if is_no_pair(value) else set()) | ({TOO_LARGE} if is_too_large(value) else set())
    return {"no number"} if isinstance(value, float) else {"None"} if value is None else set()


def shape(value, depth=2):
    """The type of a value, as far as that is told by its items; none of nothing."""
    found = kind(value)
    if found not in ("tuple", "set") or not depth:
        return "" if found == NOTHING else found
    return found + "".join(sorted({shape(item, depth - 1) for item in value} - {""}))


def class_of(op, of_root, of_arguments, same_letters, takes_number, has_other_types, yields_pair):
    """The class of a root; None: it has none. Given are the op, oddities of its value and of its arguments, whether the arguments
    agree with arcl's to the letter, whether the op takes a number where None is given, whether a value is of another type in other
    lanes, and whether the op is one that yields a pair."""
    found = of_root | of_arguments
    if TOO_LARGE in of_root:
        return TOO_LARGE
    if yields_pair and "no pair" in of_root:
        return OTHER_RESULT
    for name in (FUNCTIONS, SEVERAL_TYPES):
        if name in found:
            return name
    if "a record" in of_arguments and op not in TAKING_RECORDS:
        return SEVERAL_TYPES
    if ODD_GRID in found:
        return ODD_GRID
    if PAINTED in found:
        return PAINTED
    if op in SORTING and found & {"nothing among ints", "no number"}:
        return SORTED
    if "no number" in found or not same_letters or ("None" in of_arguments and not takes_number):
        return KINDS
    if LACKING_PATCH in of_arguments:
        return LACKING_PATCH
    return OTHER_LANES if has_other_types else None
