"""Line charts in Vega-Lite: panels of marks, lines, guides, bands and labels."""

from __future__ import annotations

import math

from gpuseq.charts.axis import Spec, axis_encoding
from gpuseq.charts.frame import (
    LEAST_PLOT,
    color_encoding,
    field,
    frame,
    layer,
    legend,
    panel_title,
    panel_width,
    row_extras,
    shape_encoding,
    with_rim,
    with_tooltip,
)
from gpuseq.charts.key import full_heading, has_rings
from gpuseq.charts.line_layout import (
    LONE,
    MINOR,
    POINT,
    PUBLISHED,
    RING,
    SIDES,
    LineLayout,
    TopLabel,
    label_gap,
    label_row,
    lay_out_panel,
    y_room,
)
from gpuseq.charts.style import GREY, MUTED, Style
from gpuseq.charts.values import LineChart, Mark, Panel

_PATTERNS = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3]]
_PATTERN_LENGTH = 26  # of a line in the legend: each pattern at least twice


def _row(mark: Mark, side: int | None) -> Spec:
    row: Spec = {"x": mark.x, "y": mark.y, "series": mark.series}
    if mark.dash:
        row["dash"] = mark.dash
    if 0 < mark.low < mark.high:
        row |= {"low": mark.low, "high": mark.high}
    row |= {flag: True for flag in ("synthetic", "published", "minor", "disturbed", "behind") if getattr(mark, flag)}
    if mark.bound > 0:
        row["bound"] = mark.bound
    if side is not None:
        row |= {"label": mark.label, "label_side": side}
    return row | row_extras(mark.record, mark.tips)


def _words(style: Style, **look: object) -> Spec:
    return {"type": "text", "fontSize": style.label, "color": MUTED, **look}


def _top_label(label: TopLabel, style: Style) -> Spec:
    mark = _words(style, align="left", baseline="bottom", dx=label.shift, clip=False)
    height: Spec = {"value": -2 - label_row(style) * label.row}
    encoding: Spec = {"x": field("at"), "y": height, "text": field("label", "nominal")}
    return layer(mark, encoding, data=[{"at": label.at, "label": label.text}])


def _bands(layout: LineLayout, style: Style) -> list[Spec]:
    shade: Spec = {"type": "rect", "color": GREY, "opacity": 0.18}
    place: Spec = {"x": field("from"), "x2": {"field": "to"}, "y": {"value": 0}, "y2": {"value": "height"}}
    made = [layer(shade, place, data=[{"from": low, "to": high}]) for low, high in layout.bands]
    return made + [_top_label(label, style) for label in layout.band_labels]


def _guides(layout: LineLayout, style: Style) -> list[Spec]:
    """Dashed lines; a vertical one reaches up to its label."""
    rule: Spec = {"type": "rule", "color": GREY, "strokeWidth": 1.2 * style.scale, "strokeDash": [4, 3]}
    layers: list[Spec] = []
    for label in layout.down:
        top: Spec = {"value": -2 - label_row(style) * label.row}
        place: Spec = {"x": field("at"), "y": top, "y2": {"value": "height"}}
        layers += [layer(rule, place, data=[{"at": label.at, "label": label.text}]), _top_label(label, style)]
    across: Spec = {"y": field("at"), "x": {"value": 0}, "x2": {"value": "width"}}
    layers += [layer(rule, across, data=[{"at": guide.at, "label": guide.label}])
               for guide in layout.guides if not guide.vertical]  # fmt: skip
    return layers


def _across_labels(layout: LineLayout, style: Style) -> list[Spec]:
    layers = [_top_label(label, style) for label in layout.top]
    for label in layout.across:
        text = _words(
            style,
            align="right" if label.right else "left",
            baseline="top" if label.below else "bottom",
            dx=0 if label.x is not None else -4 if label.right else 4,
            dy=3 if label.below else -3,
        )
        row: Spec = {"at": label.at, "label": label.text}
        x: Spec = {"value": "width" if label.right else 0}
        if label.x is not None:
            row["x"], x = label.x, field("x")
        encoding: Spec = {"y": field("at"), "x": x, "text": field("label", "nominal")}
        layers += [layer(mark, encoding, data=[row]) for mark in with_rim(text, style)]
    return layers


def _point(area: float, filled: bool, opacity: float, style: Style) -> Spec:
    mark: Spec = {"type": "point", "filled": filled, "size": area * style.scale**2, "opacity": opacity}
    return with_tooltip(mark if filled else mark | {"strokeWidth": 1.6 * style.scale})


def _dash_encoding(chart: LineChart, style: Style) -> Spec:
    patterns = [_PATTERNS[i % len(_PATTERNS)] for i in range(len(chart.dashes))]
    look = legend(chart.dashes, style) | {"symbolSize": (_PATTERN_LENGTH * style.scale) ** 2}
    scale = {"domain": chart.dashes, "range": patterns}
    return {"field": "dash", "type": "nominal", "title": chart.dash_title, "scale": scale, "legend": look}


def _marks(chart: LineChart, panel: Panel, rings: bool, style: Style) -> list[Spec]:
    """Error bars, lines, points, and the hollow marks around or next to them."""
    kinds = {flag for mark in panel.marks for flag in ("minor", "behind", "disturbed", "published", "synthetic")
             if getattr(mark, flag)}  # fmt: skip
    color = color_encoding(chart, style)
    shape = shape_encoding(chart, style)
    point: Spec = {"color": color, "shape": shape}
    line: Spec = {"color": color}
    if len(chart.dashes) > 1:
        line["strokeDash"] = _dash_encoding(chart, style)
    front = " && !datum.behind" if "behind" in kinds else ""
    agreed = (" && !datum.disturbed" if "disturbed" in kinds else "") + front
    size = POINT if chart.connected else LONE
    layers: list[Spec] = []

    def add(shown: str, mark: Spec, encoding: Spec) -> None:
        layers.append(layer(mark, encoding, shown))

    if front:
        if chart.connected:
            thin: Spec = {"type": "line", "strokeWidth": style.scale, "opacity": 0.55}
            add("datum.behind && !datum.published", thin, line)
        add("datum.behind && !datum.published", _point(POINT, False, 0.7, style), point)
    if "minor" in kinds:
        add("datum.minor", _point(MINOR, True, 0.3, style), point)
    if any(0 < mark.low < mark.high for mark in panel.marks):
        bar: Spec = {"type": "rule", "opacity": 0.6, "strokeWidth": 1.5 * style.scale}
        add("isValid(datum.low)" + front, bar, {"y": field("low"), "y2": {"field": "high"}, "color": color})
    if chart.connected:
        add("!datum.published && !datum.minor" + agreed, {"type": "line", "strokeWidth": 1.8 * style.scale}, line)
    add("!datum.published && !datum.minor" + agreed, _point(size, True, 1, style), point)
    if "disturbed" in kinds:
        add("datum.disturbed" + front, _point(POINT, False, 1, style), {"color": {"value": GREY}, "shape": shape})
    if any(mark.bound > 0 for mark in panel.marks):
        tick: Spec = {
            "type": "tick", "orient": "horizontal", "size": 14 * style.scale, "thickness": 2 * style.scale
        }  # fmt: skip
        add("isValid(datum.bound)", tick, {"y": field("bound"), "color": color})
    if "published" in kinds:
        add("datum.published", _point(PUBLISHED, False, 1, style), point)
    if rings and "synthetic" in kinds:
        ring: Spec = {
            "type": "point",
            "color": MUTED,
            "filled": False,
            "size": RING * style.scale**2,
            "strokeWidth": 0.9 * style.scale,
            "shape": "circle",
            "opacity": 1,
        }
        add("datum.synthetic", ring, {})
    return layers


def _mark_labels(chart: LineChart, layout: LineLayout, style: Style) -> list[Spec]:
    layers: list[Spec] = []
    for number in sorted(set(layout.sides.values())):
        side = SIDES[number]
        right, up = label_gap(chart, side, style)
        align = {1: "left", -1: "right", 0: "center"}[side.right]
        dy = -side.up * (up + style.label / 2)
        text = _words(style, align=align, baseline="middle", dx=side.right * right, dy=dy)
        layers += [layer(mark, {"text": field("label", "nominal")}, f"datum.label_side === {number}")
                   for mark in with_rim(text, style)]  # fmt: skip
    return layers


def _steps(panel: Panel, style: Style) -> list[Spec]:
    """From each point on as high as it is until the next."""
    if len(panel.steps) < 2:
        return []
    mark: Spec = {"type": "line", "interpolate": "step-after", "color": GREY, "strokeWidth": 1.4 * style.scale}
    return [layer(mark, {}, data=[{"x": x, "y": y} for x, y in panel.steps])]


def _panel(chart: LineChart, panel: Panel, layout: LineLayout, most_rows: int, rings: bool, style: Style) -> Spec:
    offset = 8 * style.scale + label_row(style) * (most_rows - layout.rows)
    rows = [_row(mark, layout.sides.get(number)) for number, mark in enumerate(panel.marks)]
    return {
        "title": panel_title(panel.title, layout.x.pixels, style, offset),
        "width": layout.x.pixels,
        "height": layout.y.pixels,
        "data": {"values": rows},
        "encoding": {"x": axis_encoding("x", layout.x, style), "y": axis_encoding("y", layout.y, style)},
        "layer": [
            *_bands(layout, style),
            *_guides(layout, style),
            *_steps(panel, style),
            *_marks(chart, panel, rings, style),
            *_across_labels(layout, style),
            *_mark_labels(chart, layout, style),
        ],
        "least_height": LEAST_PLOT,
    }


def _panel_height(panels: int, style: Style) -> float:
    if not style.is_print:
        return 270 if panels > 1 else 350
    return style.plot_height or (130 if panels > 1 else 145 if style.narrow else 200)


def draw(chart: LineChart, style: Style) -> Spec:
    count = len(chart.panels)
    height = _panel_height(count, style)
    beside = y_room(chart, height, style)
    width = panel_width(count, beside, style)
    layouts = [lay_out_panel(chart, panel, width, height, style) for panel in chart.panels]
    rings, columns = has_rings(chart), min(2, style.columns)
    panels: list[Spec] = []
    for number, (panel, layout) in enumerate(zip(chart.panels, layouts, strict=True)):
        first = number - number % columns
        most_rows = max(other.rows for other in layouts[first : first + columns])  # titles of a grid row line up
        panels.append(_panel(chart, panel, layout, most_rows, rings, style))
    return frame(full_heading(chart), panels, 2, style, {"beside": math.ceil(beside), "stretches": True})
