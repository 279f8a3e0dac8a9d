"""libarcl for Python scripts: just enough of the C API to load grids, compile and run, with the timing left to the caller.

The package `arcl` does more, and is what users of Python take. Here are the benchmarks that measure the library itself: they take any build
of libarcl.so (--library), so that two of them can be compared in turn, which the package, with the library inside, cannot; and
python_calls.py compares the package with this."""
import ctypes
import os

HERE = os.path.dirname(os.path.abspath(__file__))
DEFAULT_LIBRARY = os.path.join(HERE, "..", "build", "libarcl.so")


class Options(ctypes.Structure):
    _fields_ = [("threads", ctypes.c_int), ("memory", ctypes.c_uint64), ("budget", ctypes.c_uint32),
                ("chunk", ctypes.c_uint32), ("device", ctypes.c_char_p), ("profile", ctypes.c_char_p),
                ("frozen", ctypes.c_int)]


class Error(ctypes.Structure):
    _fields_ = [("message", ctypes.c_char * 1024)]


class CompileOptions(ctypes.Structure):
    _fields_ = [("types", ctypes.POINTER(ctypes.c_char_p)), ("type_count", ctypes.c_int), ("grid_result", ctypes.c_int),
                ("policy", ctypes.c_int)]


class Definition(ctypes.Structure):
    _fields_ = [("source", ctypes.c_void_p), ("index", ctypes.c_int)]


class DeviceReport(ctypes.Structure):
    _fields_ = [("device", ctypes.c_char_p)] + [(name, ctypes.c_uint64) for name in (
        "launches", "synchronisations", "bytes_up", "bytes_down", "builds", "build_nanoseconds")]


class Arcl:
    """A context. Sources, programs, batches and results are plain pointers, freed by the methods named free_*."""

    def __init__(self, library=DEFAULT_LIBRARY, threads=0, device=None):
        self.c = ctypes.CDLL(os.path.abspath(library))
        for name in ("arcl_result_free", "arcl_program_free", "arcl_batch_free", "arcl_source_free", "arcl_context_free",
                     "arcl_battery_free"):
            getattr(self.c, name).argtypes = [ctypes.c_void_p]
        self.c.arcl_result_grid.restype = ctypes.POINTER(ctypes.c_byte)
        self.error = Error()
        self.context = ctypes.c_void_p()
        options = Options(threads=threads, device=device.encode() if device else None)
        self.check(self.c.arcl_context_create(ctypes.byref(options), ctypes.byref(self.context), ctypes.byref(self.error)))
        self.threads = self.c.arcl_context_threads(self.context)

    def check(self, status):
        if status:
            raise RuntimeError(self.error.message.decode())

    def batch(self, types, lanes):
        """lanes: per lane a list of arguments; grids are tuples of tuples, anything else is given part by part."""
        batch = ctypes.c_void_p()
        self.check(self.c.arcl_batch_create(self.context, types.encode(), ctypes.byref(batch), ctypes.byref(self.error)))
        kinds = types.split()
        for lane in lanes:
            for kind, value in zip(kinds, lane):
                if kind == "grid":
                    cells = bytes(c for row in value for c in row)
                    self.check(self.c.arcl_batch_add_grid(batch, len(value), len(value[0]), cells, ctypes.byref(self.error)))
                else:
                    self.add(batch, value)
        return batch

    def add(self, batch, value):
        if isinstance(value, int):
            self.check(self.c.arcl_batch_add_int(batch, ctypes.c_int64(value), ctypes.byref(self.error)))
            return
        self.check(self.c.arcl_batch_open(batch, ctypes.byref(self.error)))
        for part in value:
            self.add(batch, part)
        self.check(self.c.arcl_batch_close(batch, ctypes.byref(self.error)))

    def parse(self, text):
        source = ctypes.c_void_p()
        data = text.encode()
        self.check(self.c.arcl_source_parse(self.context, data, ctypes.c_size_t(len(data)), b"bench", ctypes.byref(source),
                                            ctypes.byref(self.error)))
        return source

    def count(self, source):
        return self.c.arcl_source_count(source)

    def name(self, source, index):
        buffer = ctypes.create_string_buffer(256)
        self.c.arcl_source_name(source, index, buffer, ctypes.c_size_t(256))
        return buffer.value.decode()

    def compile(self, source, types=None, grid_result=False):
        """All definitions of a source, in parallel; None where one is rejected."""
        count = self.count(source)
        programs = (ctypes.c_void_p * count)()
        array = (ctypes.c_char_p * len(types))(*[t.encode() for t in types]) if types else None
        options = CompileOptions(types=array, type_count=len(types or ()), grid_result=int(grid_result))
        self.c.arcl_source_compile(self.context, source, ctypes.byref(options), programs, None)
        return programs

    def run_many(self, programs, batches):
        count = len(programs)
        results = (ctypes.c_void_p * count)()
        self.check(self.c.arcl_run_many(self.context, count, (ctypes.c_void_p * count)(*programs),
                                        (ctypes.c_void_p * count)(*batches), results, ctypes.byref(self.error)))
        return results

    def battery(self, source, indices, safe=False):
        """The definitions of a source compiled together; grids are their results."""
        definitions = (Definition * len(indices))(*[Definition(source, i) for i in indices])
        options = CompileOptions(grid_result=1, policy=int(safe))
        battery = ctypes.c_void_p()
        self.check(self.c.arcl_battery_compile(self.context, definitions, len(indices), ctypes.byref(options),
                                               ctypes.byref(battery), None, ctypes.byref(self.error)))
        return battery

    def run_battery(self, battery, count, batch):
        results = (ctypes.c_void_p * count)()
        self.check(self.c.arcl_battery_run(self.context, battery, batch, results, None, ctypes.byref(self.error)))
        return results

    def free_battery(self, battery):
        self.c.arcl_battery_free(battery)

    def grid(self, result, lane):
        """A lane's grid as tuples, or None if the lane failed."""
        if self.c.arcl_result_status(ctypes.c_void_p(result), lane):
            return None
        h, w = ctypes.c_int(), ctypes.c_int()
        cells = self.c.arcl_result_grid(ctypes.c_void_p(result), lane, ctypes.byref(h), ctypes.byref(w))
        return tuple(tuple(cells[i * w.value + j] for j in range(w.value)) for i in range(h.value))

    def report_reset(self):
        self.c.arcl_report_reset(self.context)

    def device_report(self):
        """What the OpenCL devices have done since the last reset, together."""
        self.c.arcl_report_device.restype = DeviceReport
        count = self.c.arcl_report_device_count(self.context)
        reports = [self.c.arcl_report_device(self.context, n) for n in range(count)]
        return {name: sum(getattr(r, name) for r in reports) for name, _ in DeviceReport._fields_[1:]}

    def free_results(self, results):
        for r in results:
            self.c.arcl_result_free(r)

    def free_batch(self, batch):
        self.c.arcl_batch_free(batch)

    def free_programs(self, programs):
        for p in programs:
            self.c.arcl_program_free(p)

    def free_source(self, source):
        self.c.arcl_source_free(source)
