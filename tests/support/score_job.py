"""A job of scoring that takes a while: programs of very different cost on tasks of large grids."""
import json
import random
import re

PROGRAMS = (
    "return rot90(I)",
    "x1 = objects(I, T, F, T)\n    return paint(I, merge(x1))",
    "x1 = objects(I, T, T, F)\n    x2 = argmax(x1, size)\n    return subgrid(x2, I)",
    "x1 = divide(ONE, ZERO)\n    return canvas(x1, UNITY)",
    "x1 = objects(I, T, F, F)\n    x2 = fork(recolor, size, identity)\n    x3 = mapply(x2, x1)\n    return paint(I, x3)",
    "return unknown(I)",
)


def write(folder, programs=24, tasks=20, size=16, seed=1):
    """Programs and tasks, p.py and tasks.json, in a folder; every fifth program solves a task."""
    draw = random.Random(seed)
    grid = lambda: [[draw.choice((0, 0, 0, 1, 2, 3)) for _ in range(size)] for _ in range(size)]
    turned = lambda g: [list(row) for row in zip(*g[::-1])]
    pair = lambda g: {"input": g, "output": turned(g)}
    ids = [f"{draw.randrange(16 ** 8):08x}" for _ in range(tasks)]
    (folder / "tasks.json").write_text(json.dumps(
        {i: {"train": [pair(grid()), pair(grid())], "test": [pair(grid())]} for i in ids}))
    bodies = [PROGRAMS[n % len(PROGRAMS)] for n in range(programs)]
    (folder / "p.py").write_text("".join(
        f"def solve_{n}_{ids[n % tasks]}(I):\n    {body}\n\n" for n, body in enumerate(bodies)))
    return "score", "p.py", "--tasks", "tasks.json", "--all-pairs"


def comparable(path):
    """What a file says but for times, dates and where things ran."""
    text = path.read_text()
    if path.suffix == ".json":
        return re.sub(r'"seconds":.*', "", text)
    return re.sub(r'(?m)^.*(class="dim">read in|<dt>date).*$', "", text.split("<h2>What ran where")[0])
