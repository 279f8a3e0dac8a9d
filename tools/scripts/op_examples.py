"""The examples of docs/op-examples.txt and docs/family-examples.txt, run and drawn by arcl itself. For the scripts that
make the op reference and the pictures of the documentation."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "op-examples.txt"
FAMILY_EXAMPLES = ROOT / "docs" / "family-examples.txt"


def read_table(arcl, dialect="arc-dsl"):
    """The rows of the op table of a dialect."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "ops.json"
        subprocess.run([arcl, "ops", "--dialect", dialect, "--json", str(path)], check=True)
        return json.loads(path.read_text())


def read_lines(path):
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


def definitions():
    """The lines NAME = VALUE, which all examples may use."""
    return [line for line in read_lines(EXAMPLES) if re.match(r"\w+ = ", line)]


def expressions():
    return [line for line in read_lines(EXAMPLES) if not re.match(r"\w+ = ", line)]


def family_expressions():
    """The examples of every family."""
    families = {}
    for line in read_lines(FAMILY_EXAMPLES):
        if line.startswith("["):
            family = families.setdefault(line.strip("[]"), [])
        else:
            family.append(line)
    return families


def vector(text, parameters="a", types=("int",), inputs=(0,), out=0, returns=None):
    body = "".join("    %s\n" % line for line in definitions())
    program = "def p(%s):\n%s    return %s\n" % (parameters, body, returns or text)
    return {"id": text, "program": program, "types": list(types), "lanes": [{"in": list(inputs), "out": out}]}


def evaluate(arcl, texts):
    """The values of expressions as JSON, in one run; None for what is no data: functions."""
    texts = list(dict.fromkeys(texts))
    with tempfile.TemporaryDirectory() as folder:
        lines, results = pathlib.Path(folder) / "examples.jsonl", pathlib.Path(folder) / "results.json"
        lines.write_text("".join(json.dumps(vector(text)) + "\n" for text in texts))
        command = [arcl, "check", "--quiet", "--verbose", "--json", str(results), str(lines)]
        run = subprocess.run(command, capture_output=True, text=True)
        if not results.exists():
            sys.exit("%s: %s" % (EXAMPLES, run.stderr))
        cases = json.loads(results.read_text())["cases"]
    for case in cases:
        if case["lanes"] and case["lanes"][0]["status"] != "OK":
            sys.exit("%s: %s fails: %s" % (EXAMPLES, case["id"], case["lanes"][0]["status"]))
    return {case["id"]: case["lanes"][0]["value"] if case["lanes"] else None for case in cases}


# ---- which parts of an example can be drawn ----


def split_call(text):
    """`f(a, b)` as ("f", ["a", "b"]); of `f(a)(b)` the last call."""
    depth, ends, start = 0, [], 0
    for i in range(len(text) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(text[i], 0)
        if depth == 1 and text[i] == ",":
            ends.append(i)
        if depth == 0:
            start = i
            break
    edges = [start, *reversed(ends), len(text) - 1]
    return text[:start], [text[a + 1:b].strip() for a, b in zip(edges, edges[1:])]


def is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_grid(value):
    return (isinstance(value, list) and value and all(isinstance(row, list) and row and all(map(is_int, row)) for row in value)
            and len({len(row) for row in value}) == 1)


def patch_type(value):
    """"{ij}" or "{cell}" for a set of these, else None."""
    items = value.get("set") if isinstance(value, dict) else None
    if not items or not all(isinstance(item, list) and len(item) == 2 for item in items):
        return None
    if all(is_int(item[0]) and is_int(item[1]) for item in items):
        return "{ij}"
    cells = all(is_int(colour) and isinstance(ij, list) and len(ij) == 2 for colour, ij in items)
    return "{cell}" if cells else None


def drawn_type(text, value, wanted):
    """The type of an argument that is drawn, or None; `wanted` is what the op's signature says of it."""
    if isinstance(value, dict) and value["set"]:
        inner = {patch_type(item) for item in value["set"]}
        if len(inner) == 1 and None not in inner:
            return "{%s}" % inner.pop()
        return patch_type(value)
    if is_grid(value) and (text == "g" or wanted in ("grid", "piece", "element")):
        return "grid"
    return "[ij]" if is_grid(value) and wanted == "patch" else None


def plain_type(value):
    """The type of an argument that is written: numbers and pairs."""
    if isinstance(value, bool):
        return "bool"
    if is_int(value):
        return "int"
    return "ij" if isinstance(value, list) and len(value) == 2 and all(map(is_int, value)) else None


def drawing(text, values, signatures):
    """A vector whose arguments are those of the call `text` that can be drawn, or None if nothing in it can."""
    head, arguments = split_call(text)
    wanted = signatures.get(head, "").split(" -> ")[0].split()
    names, types, inputs, calls = [], [], [], []
    drawable = [drawn_type(a, values[a], w) for a, w in zip(arguments, wanted + [""] * len(arguments))]
    if not any(drawable):
        out = values[text]
        if not (is_grid(out) and signatures.get(head, "").endswith("grid") or drawn_type("", out, "")):
            return None
        drawable = [plain_type(values[a]) for a in arguments]
    for argument, kind in zip(arguments, drawable):
        if kind:
            names.append("abcd"[len(names)] * 2)
            types.append(kind)
            inputs.append(values[argument])
        calls.append(names[-1] if kind else argument)
    if not names:
        return None
    returns = "%s(%s)" % (head, ", ".join(calls))
    return vector(text, ", ".join(names), types, inputs, values[text], returns)


def drawings(arcl, table, texts):
    """For every expression its vector to draw, or None."""
    signatures = {op["name"]: op["type"] for op in table}
    values = evaluate(arcl, [*texts, *(argument for text in texts for argument in split_call(text)[1])])
    return {text: drawing(text, values, signatures) for text in texts}
