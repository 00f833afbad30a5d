"""A figure as pictures for a paper: as many as keep each within its height."""

from __future__ import annotations

import math
from dataclasses import replace

from gpuseq.charts.frame import LEAST_PLOT, drawn_series, legend, title_lines
from gpuseq.charts.key import full_heading, notes_of
from gpuseq.charts.line_layout import label_row
from gpuseq.charts.row_chart import is_grouped, least_row, name_lines
from gpuseq.charts.style import Style
from gpuseq.charts.values import Chart, HeatMap, LineChart, RowChart, RowPanel, guides_of

# Points that a picture has around its plots; rather too many than too few.
_AXIS = 28  # labels and title of an x axis
_ROW_GAP = 14  # between plots one above the other
_TITLE_LINE, _TITLE_GAP = 9.5, 6  # of a panel's title
_LEGEND_LINE, _LEGEND_GAP = 10, 8
_DASH_LINE = 15
_GRADIENT = 34  # the legend of a heat map
_USUAL_PLOT = 130  # height of a plot of lines among others, at most
_PICTURE = 6  # around all

Part = tuple[Chart, Style]


def _legend_height(names: list[str], line: float, style: Style) -> float:
    if not names:
        return 0
    return _LEGEND_GAP + _LEGEND_LINE + line * math.ceil(len(names) / legend(names, style)["columns"])


def _fixed(chart: Chart, style: Style) -> float:
    """Height of everything that a picture has once: title and notes, legends."""
    height: float = _PICTURE
    if not isinstance(chart, HeatMap):
        height += _legend_height(drawn_series(chart), _LEGEND_LINE, style)
    if isinstance(chart, LineChart) and len(chart.dashes) > 1:
        height += _legend_height(chart.dashes, _DASH_LINE, style)
    if not style.bare:
        title, notes = title_lines(full_heading(chart), style)
        height += 1.2 * (style.title * len(title) + style.text * len(notes)) + 19 * style.scale
    return height


def _around(panels: int) -> float:
    """Height next to the plot of a panel: the axis, and its title, in two lines at most as a rule."""
    return _AXIS + (2 * _TITLE_LINE + _TITLE_GAP + _ROW_GAP if panels > 1 else 0)


def _around_lines(chart: LineChart, style: Style) -> float:
    labels = max((len(guides_of(chart, panel)) for panel in chart.panels), default=0)
    return _around(len(chart.panels)) + label_row(style) * min(labels, 2)


def _line_parts(chart: LineChart, style: Style) -> list[Part]:
    room, columns = style.height - _fixed(chart, style), style.columns
    rows = max(1, int(room / (LEAST_PLOT + _around_lines(chart, style))))
    parts: list[Part] = []
    for first in range(0, len(chart.panels), rows * columns):
        part = replace(chart, panels=chart.panels[first : first + rows * columns])
        height = room / math.ceil(len(part.panels) / columns) - _around_lines(part, style)
        usual = (style.width if style.bare else 0) if len(part.panels) == 1 else _USUAL_PLOT
        plot = min(max(height, LEAST_PLOT), max(usual, LEAST_PLOT)) if usual else 0
        parts.append((part, replace(style, plot_height=plot)))
    return parts


def _row_height(chart: RowChart, panel: RowPanel, style: Style) -> float:
    lines = max((len(name_lines(chart, row, style)) for row in panel.rows), default=1)
    return max(least_row(lines, style), len(chart.series) * style.text if is_grouped(chart, panel) else 0)


def _rows_height(chart: RowChart, style: Style) -> float:
    """Panels are side by side where the page is wide enough."""
    plots = [_row_height(chart, panel, style) * len(panel.rows) for panel in chart.panels]
    rows = [max(plots[first : first + style.columns]) for first in range(0, len(plots), style.columns)]
    return _fixed(chart, style) + sum(rows) + _around(len(plots)) * len(rows)


def _parts_of_panel(chart: RowChart, style: Style) -> list[Part]:
    """Rows of one panel that are too many follow in another picture."""
    panel = chart.panels[0]
    room = style.height - _fixed(chart, style) - _around(1)
    most = max(1, int(room / _row_height(chart, panel, style)))
    parts: list[Part] = []
    for first in range(0, len(panel.rows), most):
        rows = panel.rows[first : first + most]
        own = replace(panel, rows=rows, marks=[mark for mark in panel.marks if mark.row in rows])
        parts.append((replace(chart, panels=[own]), style))
    return parts


def _row_parts(chart: RowChart, style: Style) -> list[Part]:
    """As many panels as fit."""
    parts: list[Part] = []
    panels = chart.panels
    while panels:
        count = 1
        while count < len(panels) and _rows_height(replace(chart, panels=panels[: count + 1]), style) <= style.height:
            count += 1
        part = replace(chart, panels=panels[:count])
        parts += [(part, style)] if count > 1 else _parts_of_panel(part, style)
        panels = panels[count:]
    return parts


def _map_parts(chart: HeatMap, style: Style) -> list[Part]:
    """As many rows of panels as fit, at the least height of their rows."""
    room, columns = style.height - _fixed(chart, style), style.columns
    rows = max((len(panel.rows) for panel in chart.panels), default=1)
    count = columns * max(1, int(room / (least_row(1, style) * rows + _around(2) + _GRADIENT)))
    return [(replace(chart, panels=chart.panels[first : first + count]), style)
            for first in range(0, len(chart.panels), count)]  # fmt: skip


def parts_of(chart: Chart, style: Style) -> list[Part]:
    """The parts of a chart with their styles, in the order of its panels."""
    if isinstance(chart, LineChart):
        parts = _line_parts(chart, style)
    elif isinstance(chart, HeatMap):
        parts = _map_parts(chart, style)
    else:
        parts = _row_parts(chart, style)
    if len(parts) == 1:
        return parts
    return [(_numbered(part, number, len(parts)), own) for number, (part, own) in enumerate(parts, start=1)]


def _numbered(part: Chart, number: int, count: int) -> Chart:
    return replace(part, heading=replace(part.heading, title=f"{part.heading.title} ({number} of {count})"))


def caption_of(part: Chart) -> str:
    """Title, title of a single panel, and notes, in sentences."""
    sentences = [part.heading.title, *notes_of(part)]
    return " ".join(sentence if sentence.endswith(".") else sentence + "." for sentence in sentences)
