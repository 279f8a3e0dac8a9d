"""Vectors for the kernels that have a shape for teams (cl/team.h): grids of one cell and of one row, of less and more than a team
has members, larger than the small room and than any, with colours that a team does not count, and all alike. What is expected is
not right: it is what devices make of them that is compared.
"""
import json
import random

import command  # noqa: F401: where scripts are
from kernel_rows import kernels_with

TEAM = kernels_with("TEAM")
OF_WORDS = kernels_with("TEAM_OF_WORDS", "TEAM_OF_ATOMS") - {"stamp"}  # of which there are no others below
TURNS = ["rot90(I)", "rot270(I)", "dmirror(I)", "cmirror(I)"]
GRIDS = ["rot180(I)", "hmirror(I)", "vmirror(I)", "upscale(I, TWO)", "hupscale(I, THREE)", "vupscale(I, TWO)", "downscale(I, TWO)",
         "hconcat(I, I)", "vconcat(I, I)", "crop(I, ORIGIN, TWO_BY_TWO)", "bottomhalf(I)", "trim(I)", "lefthalf(I)", "righthalf(I)",
         "hsplit(I, TWO)", "vsplit(I, TWO)", "canvas(THREE, shape(I))", "cellwise(I, hmirror(I), FOUR)", "replace(I, ZERO, TWO)",
         "switch(I, ZERO, ONE)"]
COLOURS = ["mostcolor(I)", "leastcolor(I)", "colorcount(I, ONE)", "palette(I)", "numcolors(I)", "partition(I)", "fgpartition(I)",
           "colorfilter(objects(I, T, F, F), ZERO)"]
PATCHES = ["asindices(I)", "ofcolor(I, ONE)", "toindices(asobject(I))", "recolor(FIVE, ofcolor(I, ZERO))", "shift(ofcolor(I, ZERO), UNITY)",
           "normalize(shift(asindices(I), UNITY))", "backdrop(ofcolor(I, ONE))", "delta(ofcolor(I, ONE))", "box(asindices(I))",
           "inbox(asindices(I))", "outbox(asindices(I))", "intersection(ofcolor(I, ZERO), asindices(I))",
           "difference(asindices(I), ofcolor(I, ZERO))", "combine(ofcolor(I, ZERO), ofcolor(I, ONE))", "subgrid(ofcolor(I, ZERO), I)"]
# Of those, where patches are masks, the same with lists.
LISTS = ["totuple(ofcolor(I, ONE))", "recolor(FIVE, asindices(I))", "intersection(asindices(I), box(asindices(I)))",
         "difference(asindices(I), box(asindices(I)))", "fill(I, THREE, asindices(I))", "cover(I, box(asindices(I)))"]
DRAWINGS = ["fill(I, THREE, ofcolor(I, ONE))", "underfill(I, THREE, asindices(I))", "underfill(I, THREE, ofcolor(I, ZERO))",
            "cover(I, ofcolor(I, ONE))", "paint(I, asobject(I))",
            "fill(I, THREE, mapply(outbox, objects(I, T, F, F)))", "paint(I, mapply(lbind(recolor, FOUR), objects(I, T, F, F)))"]
# The best by keys that are words, of which several are alike, and by keys that are not.
BESTS = [f"{op}(objects(I, T, F, F), {key})" for op in ("argmax", "argmin", "valmax", "valmin")
         for key in ("size", "ulcorner", "toindices")]
# Of what has parts: no team does these.
WHOLES = [f"{op}(objects(I, T, F, F), colorfilter(objects(I, T, F, F), ZERO))" for op in ("intersection", "difference")]
# Sets and lists of words, small numbers and others, in one piece and strewn, and at the end of what has parts.
SETS = ["apply(last, asobject(I))", "apply(toindices, partition(I))", "merge(partition(I))", "mapply(outbox, partition(I))",
        "mapply(initset, partition(I))", "combine(recolor(ONE, ofcolor(I, ONE)), recolor(TWO, ofcolor(I, ZERO)))",
        "combine(partition(I), fgpartition(I))", "toobject(box(asindices(I)), I)", "toobject(asindices(hupscale(I, TWO)), I)",
        "asobject(I)", "mapply(lbind(shift, asindices(crop(I, ORIGIN, TWO_BY_TWO))), ofcolor(I, ZERO))",
        "mapply(lbind(shift, asobject(I)), corners(asindices(I)))"]
SORTED = ["order(partition(I), size)", "order(I, identity)", "order(totuple(asobject(I)), last)", "sfilter(partition(I), square)",
          "merge(apply(totuple, order(partition(I), size)))", "mfilter(partition(I), rbind(bordering, I))"]
COUNTED = [f"{op}({what})" for op in ("dedupe", "mostcommon", "leastcommon")
           for what in ("apply(first, totuple(asobject(I)))", "apply(last, totuple(asobject(I)))",
                        "apply(toindices, totuple(partition(I)))")]
ALL = TURNS + GRIDS + COLOURS + PATCHES + LISTS + BESTS + WHOLES + SETS + SORTED + COUNTED + DRAWINGS
# The same with other arguments: they come only in tokpidjin's programs.
SELDOM = {"objects_numbered", "mir_rot_grid", "crop_inside", "hsplit_inside", "vsplit_inside"}
OBJECTS = [f"objects(I, {a}, {b}, {c})" for a in "TF" for b in "TF" for c in "TF"]


def team_grids():
    any_cell = random.Random(5)

    def noise(high, wide, colours):
        return [[any_cell.choice(colours) for _ in range(wide)] for _ in range(high)]

    return [[[3]], noise(1, 30, [0, 1]), noise(30, 1, [0, 1]), noise(3, 3, [0, 5]), noise(8, 8, [0, 1]), noise(11, 12, [0, 0, 2, 9]),
            noise(17, 19, [0, 0, 0, 1, 2]), noise(33, 32, [0, 0, 4]), noise(6, 7, [0, 0, 30]), noise(5, 5, [-1, 0, 1]), [[0] * 10] * 10]


def team_vectors(calls):
    """The text of a file: a vector for each of these calls."""
    lanes = [{"in": [grid], "out": 0} for grid in team_grids()]
    return "".join(json.dumps({"id": f"p{n}", "program": f"def p(I):\n    x1 = {call}\n    return x1\n", "types": ["grid"],
                               "lanes": lanes}) + "\n" for n, call in enumerate(calls))
