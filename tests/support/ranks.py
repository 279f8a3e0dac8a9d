"""Runs arcl-mpi under mpirun, where there are both; a test that needs them is skipped where there are not."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import preload

from command import ARCL, SKIPPED

ARCL_MPI = pathlib.Path(ARCL).with_name("arcl-mpi")
# More ranks than cores, by root too, in places where processes may not read each other's memory.
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_hwloc_base_binding_policy": "none"}


def require():
    if not ARCL_MPI.exists() or not shutil.which("mpirun"):
        print("arcl-mpi was not built here, or there is no mpirun")
        sys.exit(SKIPPED)


def command(ranks, *arguments):
    return ["mpirun", "-n", str(ranks), str(ARCL_MPI), *map(str, arguments)]


def environment(**settings):
    # Open MPI leaks from plugins that it has unloaded, which no suppression can name. The other is for what is preloaded.
    sanitizer = ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "detect_leaks=0", "verify_asan_link_order=0")))
    # It takes locks of its own in either order, one after the other in one thread.
    threads = ":".join(filter(None, (os.environ.get("TSAN_OPTIONS"), "detect_deadlocks=0")))
    return {**os.environ, **ENVIRONMENT, "ASAN_OPTIONS": sanitizer, "TSAN_OPTIONS": threads, **settings}


def start(ranks, *arguments, cwd, **settings):
    return subprocess.Popen(command(ranks, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd,
                            env=environment(**settings))


def run(ranks, *arguments, cwd, timeout=200):
    # A rank that ends with 1, because not everything was right, is no reason to wait for others before they are killed.
    process = start(ranks, *arguments, cwd=cwd, OMPI_MCA_odls_base_sigkill_timeout="0")
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def is_stopped(process):
    return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def start_and_stop(ranks, at, *arguments, cwd):
    """Starts a job whose rank 0 stops before the write number `at` to its file `journal`, so that the job cannot end, and waits
    until it has. Returns the process of mpirun, and those of the ranks, rank 0 first."""
    mark = pathlib.Path(cwd) / "mark"
    process = start(ranks, *arguments, cwd=cwd, LD_PRELOAD=str(preload.compiled("stopping_calls.c", cwd)), STOP_FILE="journal",
                    STOP_AT=str(at), STOP_MARK=str(mark))
    deadline = time.monotonic() + 100
    while process.poll() is None and not mark.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    if not mark.exists():
        process.kill()
        raise AssertionError(f"there was no write number {at}: {process.communicate()}")
    first = int(mark.read_text())
    mark.unlink()
    while not is_stopped(first):
        time.sleep(0.001)
    return process, [first, *(rank for rank in workers(cwd) if rank != first)]


def go_on(rank):
    send(rank, signal.SIGCONT)


def workers(cwd):
    """The processes that are ranks of a job in a folder; their keepers are others."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        try:
            is_rank = folder.name.isdigit() and (folder / "comm").read_text().strip() == "arcl-mpi"
            if is_rank and os.path.samefile(folder / "cwd", cwd):
                found.append(int(folder.name))
        except OSError:
            pass  # it has ended meanwhile
    return sorted(found)


def send(process, number):
    """A signal, to a process that may have ended meanwhile."""
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass
