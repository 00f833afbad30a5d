"""The data of a chart for LaTeX with booktabs: sizes or names down, series across, four significant digits."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Literal

from gpuseq.charts.pivot import PivotBlock, pivot
from gpuseq.charts.values import Chart, Heading
from gpuseq.units import common_scale, significant

Width = Literal["by_columns", "column", "page"]

# Points of 1/72.27 inch. Tables fit the narrower of `article`'s texts, and widen where the text is wider.
_COLUMN, _PAGE = 225.0, 340.0  # \columnwidth is 229.5 pt in two columns; \textwidth 345 pt in one
_GAP = 6.0  # between columns: twice \tabcolsep
_LINE = 10.0  # of \footnotesize, with its rules
_CAPTION_LINE, _CAPTION_LETTER = 12.0, 5.0
_FLOAT = 440.0  # height of a float
_LEAST_NAME, _MOST_NAME = 40.0, 0.42  # of the first column: points, and a share of the table
_MOST_WORDS = 0.3  # share of the table for words next to values
_LONG_WORD = 10  # letters; longer words may be hyphenated

_SPECIAL = {c: "\\" + c for c in "&%$#_{}"} | {
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "[": "{[}",  # behind \\ a bracket would be read as its argument
    "]": "{]}",
    '"': "''",  # in any encoding
    "µ": "\\ensuremath{\\mu}",
}


def latex_escape(text: str) -> str:
    return "".join(_SPECIAL.get(c, max(c, " ")) for c in text)


def _width_of(text: str) -> float:
    """Points in Computer Modern at \\footnotesize, on the safe side."""
    return sum(7 if "A" <= c <= "Z" or c in "mw%" else 6 if c > "\x7f" else 4.6 for c in text)


def _pieces(text: str) -> list[str]:
    """Pieces between which a line may break: at spaces, and behind the characters that join words of names."""
    return re.findall(r"[^ _,=/-]*[_,=/-]|[^ _,=/-]+", text)


def _least_width(text: str) -> float:
    return max((_width_of(piece[:_LONG_WORD]) for piece in _pieces(text)), default=0)


def _lines(text: str, width: float) -> int:
    lines, used = 1, 0.0
    for piece in _pieces(text):
        more = _width_of(piece) + 3
        if used > 0 and used + more > width:
            lines, used = lines + 1, 0.0
        used += more
    return lines


def _hyphenated(piece: str) -> str:
    """Escaped; a long piece may be hyphenated every few letters."""
    if len(piece) <= _LONG_WORD:
        return latex_escape(piece)
    step = _LONG_WORD // 2
    parts = [latex_escape(piece[i : i + step]) for i in range(0, len(piece), step)]
    if len(piece) % step == 1:  # no single letter behind a hyphen
        parts[-2:] = ["".join(parts[-2:])]
    return "\\-".join(parts)


def _breakable(text: str) -> str:
    """Escaped, and breakable between its pieces."""
    out, at = "", 0
    for piece in _pieces(text):
        begin = text.index(piece, at)
        out += " " if begin > at else "\\allowbreak{}" if at > 0 else ""
        out += _hyphenated(piece)
        at = begin + len(piece)
    return out


def _box(text: str, width: float, of: float, place: str, flush: str) -> str:
    return f"\\parbox[{place}]{{{width / of:.3f}\\linewidth}}{{{flush}\\hspace{{0pt}}{_breakable(text)}\\strut}}"


@dataclass
class _Printed:
    """Some columns of a block as text, with the width of each."""

    heading: str
    row_title: str
    widths: list[float]
    columns: list[str] = field(default_factory=list[str])
    rows: list[list[str]] = field(default_factory=list[list[str]])  # name, cells, words
    words: bool = False

    @property
    def width(self) -> float:
        return sum(self.widths) + _GAP * (len(self.widths) - 1)

    def row_height(self, row: list[str]) -> float:
        lines = _lines(row[0], self.widths[0])
        return _LINE * (max(lines, _lines(row[-1], self.widths[-1])) if self.words else lines)

    @property
    def head_height(self) -> float:
        titles = [self.row_title, *self.columns]
        lines = max(_lines(title, width) for title, width in zip(titles, self.widths, strict=False))
        return _LINE * (lines + _lines(self.heading, self.width) + 2)

    def row_text(self, row: list[str], of: float) -> str:
        cells = [latex_escape(cell) if cell else "{}" for cell in row]
        cells[0] = _box(row[0], self.widths[0], of, "t", "\\raggedright")
        if self.words and row[-1]:
            cells[-1] = _box(row[-1], self.widths[-1], of, "t", "\\raggedright")
        return " & ".join(cells) + " \\\\\n"

    def head_text(self, of: float) -> str:
        head = f"\\begin{{tabular}}{{@{{}}l{'r' * len(self.columns)}{'l' if self.words else ''}@{{}}}}\n\\toprule\n"
        if self.heading:
            box = _box(self.heading, self.width, of, "t", "\\raggedright\\itshape")
            head += f"\\multicolumn{{{len(self.widths)}}}{{@{{}}l@{{}}}}{{{box}}} \\\\\n\\midrule\n"
        cells = [_box(self.row_title, self.widths[0], of, "b", "\\raggedright") if self.row_title else "{}"]
        cells += [_box(title, width, of, "b", "\\raggedleft")
                  for title, width in zip(self.columns, self.widths[1:], strict=False)]  # fmt: skip
        return head + " & ".join(cells + ["{}"] * self.words) + " \\\\\n\\midrule\n"


def _pieces_of(block: PivotBlock, of: float) -> list[_Printed]:
    """The columns of a block in as many pieces as a table of `of` points takes."""
    scale = common_scale([value for row in block.rows for value in row.values if value is not None],
                         block.quantity.unit)  # fmt: skip
    cells = [["" if value is None else significant(value / scale.divisor, 4) for value in row.values]
             for row in block.rows]  # fmt: skip
    names = [width for row in block.rows for width in (_width_of(row.name), _least_width(row.name))]
    name = min(max(_LEAST_NAME, _least_width(block.row_title), *names), max(_MOST_NAME * of, _LEAST_NAME))
    words = min(max(_width_of(row.words) for row in block.rows), _MOST_WORDS * of)
    pieces: list[tuple[_Printed, list[int]]] = []
    for i, title in enumerate(block.columns):
        width = max(_least_width(title), *(_width_of(row[i]) for row in cells))
        width = min(width, of - name - _GAP)
        if not pieces or pieces[-1][0].width + _GAP + width > of:
            pieces.append((_Printed(block.heading(scale.unit), block.row_title, [name]), []))
        printed, taken = pieces[-1]
        printed.columns.append(title)
        printed.widths.append(width)
        taken.append(i)
    for printed, taken in pieces:
        printed.words = block.has_words and printed.width + _GAP + words <= of
        if printed.words:
            printed.widths.append(words)
        for row, texts in zip(block.rows, cells, strict=True):
            values = [texts[i] for i in taken] + [row.words] * printed.words
            if any(values):
                printed.rows.append([row.name, *values])
    return [printed for printed, _ in pieces]


def _needs_page(blocks: list[PivotBlock]) -> bool:
    for block in blocks:
        pieces = _pieces_of(block, _COLUMN)
        if len(pieces) > 1 or (block.has_words and not pieces[0].words):
            return True
    return False


class _Floats:
    """Floats of one number, one after the other as they fill."""

    def __init__(self, heading: Heading, name: str, page: bool) -> None:
        self.of, self.environment = (_PAGE, "table*") if page else (_COLUMN, "table")
        self.label, self.title = name.replace("/", "-"), heading.title
        self.text, self.height, self.empty = "", 0.0, True
        self.begin(" ".join([f"{heading.title}.", *heading.notes]), f"\\label{{tab:{self.label}}}\n")

    def begin(self, caption: str, label: str) -> None:
        again = "" if label else "\\addtocounter{table}{-1}\n"
        self.text += f"\\begin{{{self.environment}}}\n\\centering\n{again}"
        self.text += f"{{\\sloppy\\caption{{{latex_escape(caption)}}}}}\n{label}"
        self.text += f"\\footnotesize\n\\setlength{{\\tabcolsep}}{{{_GAP / 2:g}pt}}\n"
        self.height = _CAPTION_LINE * (1 + math.ceil(_CAPTION_LETTER * len(caption) / self.of))
        self.empty = True

    def end(self) -> str:
        self.text += f"\\end{{{self.environment}}}\n"
        return self.text

    def add(self, printed: _Printed) -> None:
        rows = list(printed.rows)
        while rows:
            # A heading with no row under it is worth nothing.
            if not self.empty and self.height + printed.head_height + printed.row_height(rows[0]) > _FLOAT:
                self.end()
                self.begin(f"{self.title}, continued.", "")
            self.text += ("" if self.empty else "\\par\\medskip\n") + printed.head_text(self.of)
            self.height += printed.head_height
            self.empty, first = False, True
            while rows and (first or self.height + printed.row_height(rows[0]) <= _FLOAT):
                self.height += printed.row_height(rows[0])
                self.text += printed.row_text(rows.pop(0), self.of)
                first = False
            self.text += "\\bottomrule\n\\end{tabular}\n"


def latex(chart: Chart, name: str, width: Width = "by_columns") -> str:
    """A `table` as wide as a column, or a `table*` as wide as the page; `name` is that of the figure.

    Columns that do not fit follow below, rows that a page does not hold in a further table of the same number. No box
    is overfull in `article`, with one column or two.
    """
    blocks = pivot(chart)
    floats = _Floats(chart.heading, name, width == "page" or (width == "by_columns" and _needs_page(blocks)))
    for block in blocks:
        for printed in _pieces_of(block, floats.of):
            floats.add(printed)
    return "% Needs \\usepackage{booktabs}.\n" + floats.end()
