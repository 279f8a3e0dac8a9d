"""Sets that iterate in arcl's order, for running a Python DSL whose results depend on the order of its sets.

Python's sets iterate in the order of a hash table. Here ints ascend, tuples go item by item, sets by their sorted elements; a cell
(i, j, c), goes by its colour first, whatever that is. Nothing, of whatever kind, comes before all else, as a colour
too. A module is loaded with these in place of its own sets. It gets slower by that, so it is for comparing values, not for measuring.

A row of three ints looks like a cell, but is none to arcl, which has these in natural order. So with go_naturally() there are no cells,
and if it is told so, none but those whose colour is no int, but may be such a row: a value that depends on which of the two it is says
nothing about arcl.
"""
import ast
import builtins
import sys
import types


def is_nothing(value):
    return value is None or value != value or (isinstance(value, (tuple, builtins.frozenset)) and not value)


has_cells = has_odd_cells = True


def go_naturally(has_odd=False):
    global has_cells, has_odd_cells
    has_cells, has_odd_cells = False, has_odd


def is_cell(value):
    if len(value) != 3 or not all(isinstance(item, int) for item in value[:2]):
        return False
    return has_cells if isinstance(value[2], int) else has_odd_cells


def key(value):
    if is_nothing(value):
        return (0, float("-inf"))
    if isinstance(value, builtins.frozenset):
        return (2, sorted(map(key, builtins.frozenset.__iter__(value))))
    if isinstance(value, builtins.set):
        return (2, sorted(map(key, builtins.set.__iter__(value))))
    if isinstance(value, tuple):
        if is_cell(value):
            value = (value[2], value[0], value[1])
        return (1, [key(item) for item in value])
    if callable(value):
        return (3, getattr(value, "__name__", ""))
    return (0, value)


def by_colour(cell):
    return (cell[2], cell[0], cell[1]) if has_cells else cell


def in_order(items):
    """The items, sorted; the common kinds without making keys of every int."""
    if all(type(item) is int for item in items):
        return sorted(items)
    lengths = {len(item) if type(item) is tuple and all(type(part) is int for part in item) else 0 for item in items}
    if lengths <= {2} or lengths == {3}:
        return sorted(items, key=None if lengths == {2} else by_colour)
    return sorted(items, key=key)


def ordered(base):
    """A subclass of set or frozenset; what its operators yield is of the subclass too."""
    def iterate(self):
        return iter(in_order(list(base.__iter__(self))))

    def iterate_again(self):
        if "order" not in self.__dict__:
            self.order = in_order(list(base.__iter__(self)))
        return iter(self.order)

    def method(name):
        return lambda self, *others: made(getattr(base, name)(self, *others))
    names = ["__or__", "__and__", "__sub__", "__xor__", "union", "difference", "intersection"]
    iterator = iterate_again if base is builtins.frozenset else iterate
    made = type(base.__name__, (base,), {"__iter__": iterator, **{name: method(name) for name in names}})
    return made


frozenset, set = ordered(builtins.frozenset), ordered(builtins.set)


class Displays(ast.NodeTransformer):
    """Turns {..} and {.. for ..} into calls of the name `set`, which load_module replaces."""

    def call(self, node, argument):
        self.generic_visit(node)
        return ast.copy_location(ast.Call(ast.Name("set", ast.Load()), [argument], []), node)

    def visit_Set(self, node):
        return self.call(node, ast.Tuple(node.elts, ast.Load()))

    def visit_SetComp(self, node):
        return self.call(node, ast.GeneratorExp(node.elt, node.generators))


def load_module(name, path):
    module = types.ModuleType(name)
    module.__dict__.update(frozenset=frozenset, set=set, __file__=path)
    sys.modules[name] = module
    with open(path) as file:
        tree = ast.fix_missing_locations(Displays().visit(ast.parse(file.read())))
    exec(compile(tree, path, "exec"), module.__dict__)
    return module
