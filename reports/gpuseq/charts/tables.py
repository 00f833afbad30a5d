"""The data of a chart as a table, as CSV and as Markdown. LaTeX tables: latex.py."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass, field

from gpuseq.charts.pivot import pivot
from gpuseq.charts.values import Chart, HeatMap, LineChart, Tips, has_interval, value_of, y_of
from gpuseq.units import Unit, base_unit, common_scale, significant

_IN_COLUMNS = ("Value", "Interval")  # tooltip lines that have columns of their own


@dataclass(frozen=True)
class Column:
    """A column of texts (without a unit, also "") or of numbers in base units; None: empty."""

    title: str
    unit: Unit | None
    values: list[str | float | None] = field(default_factory=list[str | float | None])

    @property
    def header(self) -> str:
        unit = base_unit(self.unit) if self.unit else ""
        return f"{self.title} ({unit})" if unit else self.title


class _Rows:
    """Cells by the title and the unit of their column, a row per mark."""

    def __init__(self) -> None:
        self.columns: dict[tuple[str, Unit | None], Column] = {}
        self.names: set[str] = set()  # titles of the first columns
        self.count = 0

    def next(self, texts: dict[str, str]) -> None:
        self.count += 1
        self.names |= texts.keys()
        for title, text in texts.items():
            self.put(title, None, text or None)

    def put(self, title: str, unit: Unit | None, value: str | float | None) -> None:
        values = self.columns.setdefault((title, unit), Column(title, unit)).values
        values += [None] * (self.count - 1 - len(values))
        if len(values) < self.count:
            values.append(value)
        else:
            values[-1] = value

    def number(self, title: str, unit: Unit, value: float) -> None:
        self.put(title, unit, value if math.isfinite(value) else None)

    def interval(self, unit: Unit, low: float, high: float, drawn: bool) -> None:
        if drawn:
            self.number("low", unit, low)
            self.number("high", unit, high)

    def tips(self, tips: Tips) -> None:
        for title, text in tips:
            if title not in _IN_COLUMNS:
                self.put(title, None, text or None)

    def table(self) -> list[Column]:
        """Columns that no mark fills are left out; numbers come before the lines of tooltips."""
        for column in self.columns.values():
            column.values.extend([None] * (self.count - len(column.values)))
        used = [column for column in self.columns.values() if column.unit or any(column.values)]
        return sorted(used, key=lambda column: 1 if column.unit else 0 if column.title in self.names else 2)


def table_of(chart: Chart) -> list[Column]:
    """A row per mark: panel, series, the values with their interval, then the lines of the tooltip."""
    rows = _Rows()
    if isinstance(chart, LineChart):
        for panel in chart.panels:
            y = y_of(chart, panel)
            for mark in panel.marks:
                dash = {chart.dash_title: mark.dash} if len(chart.dashes) > 1 else {}
                rows.next({"side": mark.side, "panel": panel.title, "series": mark.series} | dash)
                rows.number(chart.x.title, chart.x.unit, mark.x)
                rows.number(y.title, y.unit, mark.y)
                rows.interval(y.unit, mark.low, mark.high, 0 < mark.low < mark.high)
                if mark.bound > 0:
                    rows.number("bound", y.unit, mark.bound)
                rows.tips(mark.tips)
    elif isinstance(chart, HeatMap):
        for panel in chart.panels:
            for cell in panel.cells:
                rows.next({"side": cell.side, "panel": panel.title, chart.row_title: cell.row})
                rows.number(chart.x.title, chart.x.unit, cell.x)
                rows.number(chart.value.title, chart.value.unit, cell.value)
                rows.interval(chart.value.unit, cell.low, cell.high, 0 < cell.low < cell.high)
                rows.tips(cell.tips)
    else:
        for panel in chart.panels:
            value = value_of(chart, panel)
            for mark in panel.marks:
                rows.next({"side": mark.side, "panel": panel.title, "row": mark.row, "series": mark.series})
                rows.number(value.title, value.unit, mark.value)
                rows.interval(value.unit, mark.low, mark.high, has_interval(chart, panel, mark))
                rows.tips(mark.tips)
    return rows.table()


def _plain(value: str | float | None) -> str:
    """A number with all its digits, without ".0" and without an exponent where it is whole."""
    if value is None or isinstance(value, str):
        return value or ""
    return f"{value:.0f}" if float(value).is_integer() and abs(value) < 1e17 else repr(float(value))


def csv_text(columns: list[Column]) -> str:
    """RFC 4180; numbers in base units ("B/s"), units in the header."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(column.header for column in columns)
    writer.writerows(
        [_plain(value) for value in row] for row in zip(*(column.values for column in columns), strict=True)
    )
    return out.getvalue()


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def markdown(chart: Chart) -> str:
    """A table per panel, as papers print it: sizes or names down, series across, the unit above."""
    parts: list[str] = []
    for block in pivot(chart):
        scale = common_scale([value for row in block.rows for value in row.values if value is not None],
                             block.quantity.unit)  # fmt: skip
        if heading := block.heading(scale.unit):
            parts.append(_cell(heading) + "\n")
        words = [""] if block.has_words else []
        rows = [[block.row_title, *block.columns, *words]]
        rows += [[row.name, *("" if value is None else significant(value / scale.divisor, 4) for value in row.values),
                  *([row.words] if words else [])] for row in block.rows]  # fmt: skip
        lines = ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]
        lines.insert(1, "|---|" + "---:|" * len(block.columns) + "---|" * len(words))
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)
