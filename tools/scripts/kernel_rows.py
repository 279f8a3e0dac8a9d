"""What lib/ops/kernels.def says of every kernel, for scripts and tests."""
import pathlib
import re
from typing import NamedTuple

TABLE = pathlib.Path(__file__).resolve().parents[2] / "lib" / "ops" / "kernels.def"


class Kernel(NamedTuple):
    family: str  # the file under cl/
    name: str
    traits: frozenset


def kernel_rows():
    """In the order of the table."""
    rows = re.findall(r"^KERNEL\((\w+), (\w+), ([^)]*)\)", TABLE.read_text(), re.M)
    return [Kernel(family, name, frozenset(traits.split(" | "))) for family, name, traits in rows]


def kernel_names():
    return [kernel.name for kernel in kernel_rows()]


def kernels_with(*traits):
    """The names of those that have one of the traits."""
    return {kernel.name for kernel in kernel_rows() if kernel.traits & set(traits)}
