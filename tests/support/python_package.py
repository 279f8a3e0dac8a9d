"""The package `arcl` for tests, as it is in the build folder or installed. Where it was not built, because Python's headers are not
here, a test that imports this is skipped, and says so."""
import pathlib
import sys

try:
    import arcl
except ModuleNotFoundError as error:
    print(f"skipped: the Python package was not built, for which Python's headers are needed (python3-dev): {error}")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTORS = ROOT / "tests" / "vectors"
EXAMPLES = ROOT / "examples"

try:
    import numpy
except ImportError:
    numpy = None

__all__ = ["EXAMPLES", "ROOT", "VECTORS", "arcl", "numpy"]
