"""What arcl needs around it to run on the simulated GPU of tools/simulator/build-simulator."""
import pathlib
import shutil

# The tools give it little memory, which is enough, and let all lanes run at once.
ON_CARD = ["--device", "cl:0", "--require", "--memory", "64M"]
IN_ONE_CHUNK = ["--chunk", "1000000"]


def surroundings(simulator, part, folder, timed, cache=None):
    """The environment of a process that runs in this folder: the simulator reads its configuration there. `timed` names kernels, or is
    "all" or "none"; `cache` keeps what is compiled, else the simulator does."""
    home = pathlib.Path(simulator).resolve()
    for file in (home / f"v100-{part}").iterdir():
        shutil.copy(file, folder)
    return {"LD_PRELOAD": str(home / "libsimcl.so"), "SIMCL_CACHE": str(cache or home / "kernels"), "SIMCL_TIMED": timed}
