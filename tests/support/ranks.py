"""Runs arcl-mpi under mpirun, where there are both; a test that needs them is skipped where there are not."""
import os
import pathlib
import shutil
import subprocess
import sys

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


def environment():
    # Open MPI leaks from plugins that it has unloaded, which no suppression can name.
    sanitizer = ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "detect_leaks=0")))
    return {**os.environ, **ENVIRONMENT, "ASAN_OPTIONS": sanitizer}


def start(ranks, *arguments, cwd):
    return subprocess.Popen(command(ranks, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd,
                            env=environment())


def run(ranks, *arguments, cwd, timeout=200):
    process = start(ranks, *arguments, cwd=cwd)
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def workers(word):
    """The processes that are ranks of a job, known by a word of its command line; their keepers are others."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        try:
            is_rank = folder.name.isdigit() and (folder / "comm").read_text().strip() == "arcl-mpi"
            if is_rank and word in (folder / "cmdline").read_bytes().decode(errors="replace").split("\0"):
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
