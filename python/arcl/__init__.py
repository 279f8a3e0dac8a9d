"""arcl runs programs of the ARC grid language over large batches of grids, on the CPU's threads or on OpenCL devices.

>>> import arcl
>>> solve = arcl.program('''
... def solve(I):
...     x1 = objects(I, T, F, T)
...     x2 = argmax(x1, size)
...     O = subgrid(x2, I)
...     return O
... ''')
>>> tuple(solve(((0, 0, 0), (0, 5, 5), (0, 5, 0))))
((5, 5), (5, 0))
>>> out = solve.map([((0, 0, 0), (0, 3, 3)), ((0, 0), (0, 0))])
>>> out[0], out[1]
(((3, 3),), None)
>>> str(out.failure(1)).splitlines()[0]
'EMPTY: an element of an empty container'
"""
from ._arcl import VERSION as __version__
from .batteries import Battery
from .definitions import Program, Programs, Runs, compile, from_module, load, program
from .engine import Engine, default_engine, set_default_engine
from .failures import (Cancelled, DeviceError, Error, Failure, ForkError, InvalidError, LaneError, MemoryLimitError, ProgramError,
                       STATUSES)
from .futures import Future
from .grids import Grid
from .inputs import Inputs
from .lane_results import Results
from .plans import Device, Plan, Report
from .score_table import Scores, score
from .task_sets import Example, Task, Tasks, tasks
from .traces import Trace
from .value_types import type_of
from .vocabulary import Op, ops

__all__ = ["Battery", "Cancelled", "Device", "DeviceError", "Engine", "Error", "Example", "Failure", "ForkError", "Future",
           "Grid", "Inputs", "InvalidError", "LaneError", "MemoryLimitError", "Op", "Plan", "Program", "ProgramError", "Programs",
           "Report", "Results", "Runs", "STATUSES", "Scores", "Task", "Tasks", "Trace", "compile", "default_engine", "from_module", "load",
           "ops", "program", "score", "set_default_engine", "tasks", "type_of"]
