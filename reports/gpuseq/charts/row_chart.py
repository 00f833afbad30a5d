"""Charts of rows in Vega-Lite: dots or bars with words next to them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from gpuseq.charts.axis import Axis, Spec, axis_encoding, lay_out
from gpuseq.charts.frame import (
    color_encoding,
    field,
    frame,
    layer,
    panel_title,
    panel_width,
    row_extras,
    shape_encoding,
    with_rim,
    with_tooltip,
)
from gpuseq.charts.key import full_heading, has_intervals
from gpuseq.charts.style import INK, Style, letters, text_width, wrap
from gpuseq.charts.values import Quantity, RowChart, RowMark, RowPanel, has_interval, value_of
from gpuseq.units import Unit, even_ticks, log_ticks

_ROW, _BAR = 24, 16  # pixels
_MOST_LINES = 8  # of a row's name
_SHORT_NAME = 36  # letters of the longest row with which two panels fit side by side
_NAME_LETTERS = 24  # of a line of a row's name in print
_NAME_SHARE = 0.35  # of a bare picture of one plot, for names
_NAME_GAP = 5  # in print, between a name and its row
_MOST_WORDS = 0.58  # of a plot, for words next to marks
_LINE_HEIGHT = 1.1  # of the font's size
_AXIS, _AXIS_OF_TWO = 560, 420  # pixels on a screen


def least_row(lines: int, style: Style) -> float:
    """Height of a row whose name has so many lines, at least."""
    return style.text * _LINE_HEIGHT * lines + 2


def name_lines(chart: RowChart, row: str, style: Style) -> list[str]:
    """A row's name; several lines in print."""
    if not style.is_print:
        return [row]
    most = _NAME_LETTERS
    if style.bare and len(chart.panels) == 1:
        most = max(most, letters(_NAME_SHARE * style.width, style.text))
    return wrap(row, most)


@dataclass(frozen=True)
class _Plan:
    """The common part of the panels of a chart."""

    chart: RowChart
    style: Style
    lines: int  # of the longest name
    letters: int  # of its longest line
    detailed: bool = True  # there is room for the details of labels

    @property
    def name_limit(self) -> float:
        return min(200, 0.45 * self.style.width) if self.style.is_print else 330

    @property
    def name_width(self) -> float:
        gap = 6 + _NAME_GAP if self.style.is_print else 8
        return min(self.name_limit, text_width("x" * self.letters, self.style.text)) + gap

    def name(self, row: str) -> str:
        """One text, which the axis splits into lines again."""
        return "\n".join(name_lines(self.chart, row, self.style))

    def label(self, mark: RowMark) -> str:
        return f"{mark.label}, {mark.detail}" if self.detailed and mark.detail else mark.label

    def longest_label(self) -> float:
        labels = (self.label(mark) for panel in self.chart.panels for mark in panel.marks)
        return max((text_width(label, self.style.text) for label in labels), default=0)


def is_grouped(chart: RowChart, panel: RowPanel) -> bool:
    """Whether bars of a row are side by side: only where a row has several."""
    rows = {(mark.row, mark.series) for mark in panel.marks}
    return chart.bars and chart.grouped and not chart.stacked and len(rows) > len({row for row, _ in rows})


def _sum_of(panel: RowPanel, row: str) -> float:
    return sum(mark.value for mark in panel.marks if mark.row == row)


def _label_at(chart: RowChart, panel: RowPanel, mark: RowMark) -> float:
    """Labels start behind the last mark of their row."""
    if chart.stacked:
        return _sum_of(panel, mark.row)
    return max(
        [mark.value, mark.high, *(other.value for other in panel.marks if other.minor and other.row == mark.row)]
    )


def _row(plan: _Plan, panel: RowPanel, mark: RowMark) -> Spec:
    chart = plan.chart
    row: Spec = {"row": plan.name(mark.row), "value": mark.value, "series": mark.series}
    if chart.stacked:
        row["order"] = chart.series.index(mark.series)
    elif has_interval(chart, panel, mark):
        row |= {"low": mark.low, "high": mark.high}
    if mark.label:
        row |= {"label": plan.label(mark), "label_at": _label_at(chart, panel, mark)}
    row |= {flag: True for flag in ("minor", "hollow") if getattr(mark, flag)}
    return row | row_extras(mark.record, mark.tips)


def _linear_ticks(quantity: Quantity, high: float) -> list[float]:
    """Shares are labelled up to the whole."""
    whole = quantity.unit is Unit.share and high == 1
    return [0, 0.25, 0.5, 0.75, 1] if whole else even_ticks(0, high) if high > 0 else []


def _common_axis(plan: _Plan, quantity: Quantity, panels: list[RowPanel], width: float) -> Axis:
    """One axis for some panels, so that they compare; with room at its end for the longest label."""
    marks = [mark for panel in panels for mark in panel.marks]
    values = [mark.value for mark in marks]
    low = (
        min((value for value in (*values, *(mark.low for mark in marks)) if value > 0), default=1)
        if quantity.log
        else 0
    )
    high = max([0, *values, *(mark.high for mark in marks)])
    if plan.chart.stacked:
        high = max([high, *(_sum_of(panel, row) for panel in panels for row in panel.rows)])
    if quantity.unit is Unit.share and not quantity.log:
        high = max(high, 1)
    axis = lay_out(quantity, low, high, width, reserve=min(0.6, (10 + plan.longest_label()) / width))
    if quantity.ticks:
        return axis
    ticks = log_ticks(axis.low, high, quantity.unit, 5) if quantity.log else _linear_ticks(quantity, high)
    return replace(axis, quantity=replace(quantity, ticks=ticks))


def _row_axis(plan: _Plan, panel: RowPanel) -> Spec:
    style = plan.style
    rows = [plan.name(row) for row in panel.rows]
    scale: Spec = {"domain": rows}
    if plan.chart.bars:
        scale |= {"type": "band", "paddingInner": 0.25, "paddingOuter": 0.125}
    axis: Spec = {"labelLimit": plan.name_limit, "ticks": False, "domain": False, "grid": not plan.chart.bars}
    if style.is_print:
        line = style.text * _LINE_HEIGHT
        # Names of several lines start at their row: they move up by half of the lines that follow the first.
        moved = [{"test": f"length(split(datum.label, '\\n')) === {lines}", "value": -line * (lines - 1) / 2}
                 for lines in range(2, _MOST_LINES + 1)]  # fmt: skip
        axis |= {
            "labelPadding": _NAME_GAP,  # a mark may stand on the end of the axis
            "labelExpr": "split(datum.label, '\\n')",
            "labelLineHeight": line,
            "labelOverlap": False,
            "labelOffset": {"condition": moved, "value": 0},
        }
    return {"field": "row", "type": "nominal", "sort": rows, "title": None, "scale": scale, "axis": axis}


def _marks(plan: _Plan) -> list[Spec]:
    chart, style, scale = plan.chart, plan.style, plan.style.scale
    color = color_encoding(chart, style)
    bar: Spec = {"color": color}
    point: Spec = {"color": color, "shape": shape_encoding(chart, style)}
    dot: Spec = {"type": "point", "size": 85 * scale**2, "opacity": 1}
    marks = [mark for panel in chart.panels for mark in panel.marks]
    layers: list[Spec] = []
    if any(mark.minor for mark in marks):
        tick: Spec = {"type": "tick", "thickness": 1.2 * scale, "size": 11 * scale, "opacity": 0.45}
        layers.append(layer(with_tooltip(tick), bar, "datum.minor"))
    if has_intervals(chart):
        interval: Spec = {"type": "rule", "strokeWidth": 1.5 * scale, "opacity": 0.7}
        place: Spec = {"x": field("low"), "x2": {"field": "high"}}
        place["color"] = {"value": INK} if chart.bars else color
        layers.append(layer(interval, place, "isValid(datum.low)"))
    if chart.bars:
        layers.append(layer(with_tooltip({"type": "bar"}), bar, "!datum.minor"))
    else:
        layers.append(layer(with_tooltip(dot | {"filled": True}), point, "!datum.minor && !datum.hollow"))
    if any(mark.hollow for mark in marks):
        hollow = dot | {"filled": False, "strokeWidth": 1.8 * scale}
        layers.append(layer(with_tooltip(hollow), point, "datum.hollow"))
    words: Spec = {
        "type": "text",
        "align": "left",
        "baseline": "middle",
        "dx": 8 * scale,
        "fontSize": style.text,
        "color": INK,
    }
    at: Spec = {"x": field("label_at"), "text": field("label", "nominal")}
    texts = with_rim(words, style) if style.is_print else [words]
    return layers + [layer(text, at, "isValid(datum.label)") for text in texts]


def _panel(plan: _Plan, panel: RowPanel, axis: Axis) -> Spec:
    chart, style = plan.chart, plan.style
    shared: Spec = {"y": _row_axis(plan, panel), "x": axis_encoding("value", axis, style)}
    if chart.stacked:
        shared["x"]["stack"] = "zero"
        shared["order"] = field("order")
    grouped = is_grouped(chart, panel)
    if grouped:
        shared["yOffset"] = {"field": "series", "type": "nominal", "scale": {"domain": chart.series}}
    per_row = _BAR * style.scale * len(chart.series) + 8 if grouped else _ROW * style.scale
    per_row = max(per_row, least_row(plan.lines, style) + 1)
    rows = max(len(panel.rows), 1)
    return {
        "title": panel_title(panel.title, axis.pixels, style, 8 * style.scale),
        "width": axis.pixels,
        "height": per_row * rows,
        "data": {"values": [_row(plan, panel, mark) for mark in panel.marks]},
        "encoding": shared,
        "layer": _marks(plan),
        "least_height": least_row(plan.lines, style) * rows,
    }


def draw(chart: RowChart, style: Style) -> Spec:
    names = [name_lines(chart, row, style) for panel in chart.panels for row in panel.rows]
    lines = max((len(name) for name in names), default=1)
    longest = max((len(line) for name in names for line in name), default=0)
    plan = _Plan(chart, style, lines, longest)
    two = style.columns > 1 and longest <= _SHORT_NAME and len(chart.panels) > 1
    width: float = _AXIS_OF_TWO if two else _AXIS
    if style.is_print:
        width = panel_width(len(chart.panels) if two else 1, plan.name_width, style)
    plan = replace(plan, detailed=plan.longest_label() < _MOST_WORDS * width)
    sharing = [panel for panel in chart.panels if panel.value is None]
    panels = [
        _panel(plan, panel, _common_axis(plan, value_of(chart, panel), [panel] if panel.value else sharing, width))
        for panel in chart.panels
    ]
    screen: Spec = {"beside": math.ceil(plan.name_width), "stretches": False}
    return frame(full_heading(chart), panels, 2 if two else 1, style, screen)
