"""A chart's data as papers print them: sizes or names down, series across."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from gpuseq.charts.values import (
    BEFORE,
    Chart,
    HeatMap,
    HeatPanel,
    LineChart,
    Mark,
    Quantity,
    RowChart,
    RowMark,
    RowPanel,
    value_of,
    y_of,
)
from gpuseq.units import Unit, format_value


@dataclass
class PivotRow:
    name: str
    values: list[float | None]  # parallel to the columns of the block
    words: str = ""  # the label of the mark without its value


@dataclass
class PivotBlock:
    """A panel: a row per position or per row of the chart, a column per series that has a mark."""

    title: str
    row_title: str
    quantity: Quantity
    columns: list[str]
    rows: list[PivotRow] = field(default_factory=list[PivotRow])

    @property
    def has_words(self) -> bool:
        return any(row.words for row in self.rows)

    def heading(self, unit: str) -> str:
        """Title, quantity and unit; a single column has the quantity as its own title."""
        quantity = "" if self.columns == [self.quantity.title] else self.quantity.title
        text = "; ".join(part for part in (self.title, quantity) if part)
        return " ".join(part for part in (text, f"({unit})" if unit else "") if part)


class _Cells:
    """Values by the key of their row and by column; two values of one cell have rows of their own."""

    def __init__(self, columns: list[str]) -> None:
        self.columns = list(dict.fromkeys(columns))
        self.rows: dict[tuple[float, int], PivotRow] = {}

    def put(self, key: float, name: str, column: str, value: float) -> PivotRow:
        place, again = self.columns.index(column), 0
        while True:
            row = self.rows.setdefault((key, again), PivotRow(name, [None] * len(self.columns)))
            row.name = name
            if row.values[place] is None:
                row.values[place] = value
                return row
            again += 1

    def block(self, title: str, row_title: str, quantity: Quantity) -> PivotBlock:
        """Rows in the order of their keys, without empty columns."""
        rows = [self.rows[key] for key in sorted(self.rows)]
        used = [i for i in range(len(self.columns)) if any(row.values[i] is not None for row in rows)]
        for row in rows:
            row.values = [row.values[i] for i in used]
        return PivotBlock(title, row_title, quantity, [self.columns[i] for i in used], rows)


def _column(mark: Mark) -> str:
    return f"{mark.series}, {mark.dash}" if mark.dash and not mark.published else mark.series


def _of_lines(chart: LineChart) -> list[PivotBlock]:
    order = [name for series in chart.series for name in (*(f"{series}, {dash}" for dash in chart.dashes), series)]
    blocks: list[PivotBlock] = []
    for panel in chart.panels:
        marks = [mark for mark in panel.marks if not mark.minor]
        cells = _Cells(order + [_column(mark) for mark in marks])
        for mark in marks:
            cells.put(mark.x, format_value(mark.x, chart.x.unit), _column(mark), mark.y)
        blocks.append(cells.block(panel.title, chart.x.title, y_of(chart, panel)))
    return blocks


def _has_series_across(chart: RowChart) -> bool:
    """Whether a row has marks of several series, so that these are columns."""
    for panel in chart.panels:
        series: dict[str, set[str]] = {}
        for mark in panel.marks:
            if not mark.minor:
                series.setdefault(mark.row, set()).add(mark.series)
        if any(len(names) > 1 for names in series.values()):
            return True
    return False


def _words(mark: RowMark, unit: Unit) -> str:
    label = "" if mark.label == format_value(mark.value, unit) else mark.label
    return ", ".join(text for text in (label, mark.detail) if text)


def _of_rows(chart: RowChart) -> list[PivotBlock]:
    across = _has_series_across(chart)
    blocks: list[PivotBlock] = []
    for panel in chart.panels:
        quantity = value_of(chart, panel)
        cells = _Cells(chart.series if across else [quantity.title])
        for mark in panel.marks:
            if mark.minor:
                continue
            named = across or len(chart.series) < 2 or mark.series in mark.row
            key = panel.rows.index(mark.row) if mark.row in panel.rows else len(panel.rows)
            row = cells.put(key, mark.row if named else f"{mark.row}, {mark.series}",
                            mark.series if across else quantity.title, mark.value)  # fmt: skip
            row.words = _words(mark, quantity.unit) or row.words
        blocks.append(cells.block(panel.title, "", quantity))
    return blocks


def _of_map(chart: HeatMap) -> list[PivotBlock]:
    """The fewer of rows and positions go across."""
    blocks: list[PivotBlock] = []
    for panel in chart.panels:
        sizes = {x: format_value(x, chart.x.unit) for x in sorted({cell.x for cell in panel.cells})}
        sizes_down = len(panel.rows) <= len(sizes)
        cells = _Cells(panel.rows if sizes_down else list(sizes.values()))
        for cell in panel.cells:
            if sizes_down:
                cells.put(cell.x, sizes[cell.x], cell.row, cell.value)
            else:
                cells.put(panel.rows.index(cell.row), cell.row, sizes[cell.x], cell.value)
        blocks.append(cells.block(panel.title, chart.x.title if sizes_down else chart.row_title, chart.value))
    return blocks


def _by_side(chart: Chart) -> Chart:
    """The chart with a panel for each side of a panel, headed by the side's devices: a table of two runs has rows of
    one run in a block."""
    panels: list[Any] = []
    for panel in chart.panels:
        name = "cells" if isinstance(panel, HeatPanel) else "marks"
        marks: list[Any] = getattr(panel, name)
        for side in dict.fromkeys(mark.side for mark in marks):
            title = f"{side}: {panel.subject}" if panel.subject else side or panel.title
            of_side: list[Any] = [mark for mark in marks if mark.side == side]
            if isinstance(panel, RowPanel):
                of_side = [replace(mark, row=mark.row.removesuffix(BEFORE)) for mark in of_side]
            panels.append(replace(panel, title=title, **{name: of_side}))
            if isinstance(panel, RowPanel):
                panels[-1].rows = list(dict.fromkeys(row.removesuffix(BEFORE) for row in panel.rows))
    return replace(chart, panels=panels)


def pivot(chart: Chart) -> list[PivotBlock]:
    """A block per panel that has marks, per side in a chart of two runs; small marks ("minor") have no rows."""
    chart = _by_side(chart)
    if isinstance(chart, LineChart):
        blocks = _of_lines(chart)
    elif isinstance(chart, HeatMap):
        blocks = _of_map(chart)
    else:
        blocks = _of_rows(chart)
    return [block for block in blocks if block.rows]
