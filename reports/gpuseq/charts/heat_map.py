"""Heat maps in Vega-Lite: cells along a logarithmic axis, coloured by value."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

from gpuseq.charts.axis import LOG_FROM_RATIO, Axis, Spec, axis_encoding
from gpuseq.charts.frame import field, frame, panel_title, panel_width, row_extras, with_tooltip
from gpuseq.charts.key import full_heading
from gpuseq.charts.row_chart import least_row
from gpuseq.charts.style import Style, text_width
from gpuseq.charts.values import HeatMap, HeatPanel
from gpuseq.units import label_expression

_ROW = 30  # pixels


def spans(xs: list[float]) -> dict[float, tuple[float, float]]:
    """Cells reach halfway (on the logarithmic axis) to the next ones; a single column spans an octave."""
    if len(xs) < 2:
        return {x: (x / math.sqrt(2), x * math.sqrt(2)) for x in xs}
    steps = [math.sqrt(after / before) for before, after in pairwise(xs)]
    left, right = [steps[0], *steps], [*steps, steps[-1]]
    return {x: (x / left[i], x * right[i]) for i, x in enumerate(xs)}


def _rows(panel: HeatPanel) -> list[Spec]:
    rows: list[Spec] = []
    for name in panel.rows:
        cells = [cell for cell in panel.cells if cell.row == name]
        edges = spans(sorted({cell.x for cell in cells}))
        for cell in cells:
            low, high = edges[cell.x]
            row: Spec = {"row": name, "from": low, "to": high, "value": cell.value}
            if 0 < cell.low < cell.high:
                row |= {"low": cell.low, "high": cell.high}
            rows.append(row | row_extras(cell.record, cell.tips))
    return rows


def _panel(chart: HeatMap, panel: HeatPanel, width: float, style: Style) -> Spec:
    rows = _rows(panel)
    low, high = min(row["from"] for row in rows), max(row["to"] for row in rows)
    x = axis_encoding("from", Axis(replace(chart.x, log=True), low, high, width), style)
    x["axis"]["grid"] = False
    values = [row["value"] for row in rows]
    many = min(values) > 0 and max(values) / min(values) > LOG_FROM_RATIO
    colors: Spec = {"scheme": "viridis"} | ({"type": "log"} if many else {"zero": True})
    gradient: Spec = {
        "labelExpr": label_expression(chart.value.unit),
        "gradientLength": width * (0.9 if style.is_print else 0.5),
        "gradientThickness": 16 * style.scale,
    }
    drawn: Spec = {
        "width": width,
        "height": _ROW * style.scale * len(panel.rows),
        "mark": with_tooltip({"type": "rect", "clip": True}),
        "encoding": {
            "x": x,
            "x2": {"field": "to"},
            "y": field("row", "nominal") | {"sort": panel.rows, "title": chart.row_title},
            "color": field("value") | {"title": chart.value.title, "scale": colors, "legend": gradient},
        },
        "data": {"values": rows},
        "least_height": least_row(1, style) * len(panel.rows),
    }
    if panel.title:
        drawn["title"] = panel_title(panel.title, width, style, 8 * style.scale)
    return drawn


def draw(chart: HeatMap, style: Style) -> Spec:
    beside = text_width("888 KiB", style.text) + style.axis_title + 8
    width = panel_width(len(chart.panels) if style.is_print else 1, beside, style)
    # Devices differ by orders of magnitude: each panel has its own colours, one below the other.
    columns = style.columns if style.is_print else 1
    panels = [_panel(chart, panel, width, style) for panel in chart.panels if panel.cells]
    spec = frame(full_heading(chart), panels, columns, style, {"beside": math.ceil(beside), "stretches": False})
    if "concat" in spec:
        spec["resolve"] = {"scale": {"color": "independent"}, "legend": {"color": "independent"}}
    return spec
