"""Grids: tuples of rows, as the DSL has them, that can show themselves in colour."""
import html
import sys

#: The colours of the official ARC viewer.
PALETTE = ("#000000", "#0074D9", "#FF4136", "#2ECC40", "#FFDC00", "#AAAAAA", "#F012BE", "#FF851B", "#7FDBFF", "#870C25")
_OTHER = "#FFFFFF"
_CELL = 14  # pixels, in a notebook; large grids have smaller ones
_WIDEST = 420


class Grid(tuple):
    """A tuple of tuples, equal to the plain one, drawn in colour in a terminal and as a picture in a notebook.

    >>> Grid([(1, 2), (3, 4)]) == ((1, 2), (3, 4))
    True
    >>> Grid([(1, 2), (3, 4)]).shape
    (2, 2)
    """
    __slots__ = ()

    @property
    def shape(self):
        """(rows, columns)"""
        return len(self), len(self[0]) if self else 0

    def __repr__(self):
        return draw(self) if is_terminal() else tuple.__repr__(self)

    def _repr_html_(self):
        return svg(self)

    def __reduce__(self):
        return Grid, (tuple(self),)


def is_terminal():
    """Whether somebody sits before an interpreter that can show colours."""
    return hasattr(sys, "ps1") and sys.stdout is not None and sys.stdout.isatty()


def _colour(cell):
    return PALETTE[cell] if isinstance(cell, int) and 0 <= cell < len(PALETTE) else _OTHER


def _painted(cell):
    colour = _colour(cell)
    red, green, blue = (int(colour[i:i + 2], 16) for i in (1, 3, 5))
    ink = "30" if red * 3 + green * 6 + blue > 1300 else "97"
    return f"\033[48;2;{red};{green};{blue};{ink}m{cell if cell is not None else '.':>2}\033[0m"


def draw(grid):
    """The grid for a terminal, in colour."""
    return "\n".join("".join(_painted(cell) for cell in row) for row in grid) or "(an empty grid)"


def svg(grid):
    """The grid as a picture, for a notebook."""
    height = len(grid)
    width = max((len(row) for row in grid), default=0)
    if not height or not width:
        return "<i>an empty grid</i>"
    size = max(3, min(_CELL, _WIDEST // width))
    cells = "".join(f'<rect x="{j * size}" y="{i * size}" width="{size - 1}" height="{size - 1}" fill="{_colour(cell)}">'
                    f"<title>{html.escape(str(cell))}</title></rect>" for i, row in enumerate(grid) for j, cell in enumerate(row))
    return (f'<svg width="{width * size}" height="{height * size}" style="background:#555;vertical-align:top" '
            f'role="img" aria-label="grid of {height} by {width}">{cells}</svg>')


def html_row(*cells):
    return "<tr>" + "".join(f"<td style='text-align:left;vertical-align:top'>{cell}</td>" for cell in cells) + "</tr>"


def html_table(headings, rows, note=""):
    """A table of texts that are HTML already."""
    head = "<tr>" + "".join(f"<th style='text-align:left'>{html.escape(h)}</th>" for h in headings) + "</tr>"
    return f"<table>{head}{''.join(html_row(*row) for row in rows)}</table>" + (f"<p>{html.escape(note)}</p>" if note else "")


def text_table(headings, rows):
    """Columns of texts, as wide as they must be."""
    rows = [[str(cell) for cell in row] for row in [headings, *rows]]
    widths = [max(len(row[i]) for row in rows) for i in range(len(headings))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)
