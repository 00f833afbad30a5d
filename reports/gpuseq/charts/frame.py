"""Pieces of Vega-Lite that the kinds of charts share: look, title, legends, layers, and panels in a grid.

Series take the colours of Okabe and Ito (distinct for colour-blind readers) and a shape each, so that colour is never
the only sign.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from gpuseq.charts.axis import Spec
from gpuseq.charts.style import GREY, INK, MUTED, PAPER, Style, letters, text_width, wrap
from gpuseq.charts.values import MOST_SERIES, Heading, LineChart, RowChart, Tips, is_published

LEAST_PLOT = 60.0  # points: height of a plot of lines in print, at least
PRINT_PADDING = 2.0
# Vega stacks the legends of a picture; the schema of Vega-Lite lacks the property, so the renderer adds it.
PRINT_LEGENDS: Spec = {"bottom": {"anchor": "start", "direction": "vertical", "margin": 4}}
_PRINT_GAP = 10  # between panels side by side
_OVERHANG = 9  # of the last label of an axis
_TITLE_LETTERS = 110  # of a line under the title on a screen
_SCREEN_LEGEND = 640  # pixels
_BOLD_IS_WIDER = 1.06
_LEGEND_IS_NARROWER = 0.93  # names of variants have few capitals
_NOTES_ARE_NARROWER = 1.06  # prose has more narrow letters than labels

# Okabe and Ito, 'Color Universal Design' (2008); black takes the colour of text, and a brown replaces yellow, which is
# faint on white.
_PALETTE = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", INK, "#8A5A3B"]
_SHAPES = ["circle", "square", "diamond", "triangle-up", "triangle-down", "cross", "triangle-right", "triangle-left"]


def _range_of(series: list[str], values: list[str], published: str) -> list[str]:
    """Values of a scale, one per series; published series are set apart."""
    ours = [name for name in series if not is_published(name)]
    own = {name: values[n % MOST_SERIES] for n, name in enumerate(ours)}
    return [own.get(name, published) for name in series]


def legend(names: list[str], style: Style) -> Spec:
    """A legend of named things, in as many columns as fit."""
    widest = max((text_width(name, style.text) for name in names), default=0)
    room = widest * _LEGEND_IS_NARROWER + 16  # the symbol and the gaps
    width = style.width * (0.72 if style.narrow else 0.85) if style.is_print else _SCREEN_LEGEND
    return {"columns": max(1, int(width / room))}


def drawn_series(chart: LineChart | RowChart) -> list[str]:
    """The series that have marks: a part of a figure has the colours of the whole."""
    drawn = {mark.series for panel in chart.panels for mark in panel.marks}
    return [name for name in chart.series if name in drawn]


def color_encoding(chart: LineChart | RowChart, style: Style) -> Spec:
    shown = drawn_series(chart)
    return {
        "field": "series",
        "type": "nominal",
        "title": chart.series_title,
        "scale": {"domain": chart.series, "range": _range_of(chart.series, _PALETTE, GREY)},
        "legend": legend(shown, style) | {"values": shown},
    }


def shape_encoding(chart: LineChart | RowChart, style: Style) -> Spec:
    scale = {"domain": chart.series, "range": _range_of(chart.series, _SHAPES, "triangle-left")}
    return color_encoding(chart, style) | {"scale": scale}


def layer(mark: Spec, encoding: Spec, shown: str = "", data: Sequence[Spec] | None = None) -> Spec:
    """A layer of the rows for which the expression `shown` holds, or of rows of its own."""
    made: Spec = {"mark": mark, "encoding": encoding}
    if shown:
        made["transform"] = [{"filter": shown}]
    if data is not None:
        made["data"] = {"values": list(data)}
    return made


def field(name: str, kind: str = "quantitative") -> Spec:
    return {"field": name, "type": kind}


def with_tooltip(mark: Spec) -> Spec:
    return mark | {"tooltip": {"expr": "datum.tips"}}


def with_rim(text: Spec, style: Style) -> list[Spec]:
    """A text over white around it, which keeps its letters clear of lines behind."""
    return [text | {"color": "white", "stroke": "white", "strokeWidth": 3 * style.scale}, text]


def row_extras(record: int | None, tips: Tips) -> Spec:
    """Parts of a data row that the page uses: the record that a click opens, and the tooltip."""
    row: Spec = {} if record is None else {"record": record}
    if said := {name: text for name, text in tips if text}:
        row["tips"] = said
    return row


def panel_width(panels: int, beside: float, style: Style) -> float:
    """Width of one of `panels` plots with `beside` pixels of axis each."""
    if not style.is_print:
        return 430 if panels > 1 else 620
    columns = style.columns if panels > 1 else 1
    return math.floor((style.width - 2 * PRINT_PADDING - (columns - 1) * _PRINT_GAP) / columns - beside - _OVERHANG)


def panel_title(title: str, width: float, style: Style, offset: float) -> Spec:
    """The title of a plot of some width; broken into lines in print."""
    lines = wrap(title, letters(width, style.panel_title * _BOLD_IS_WIDER)) if style.is_print else [title]
    text = lines if len(lines) > 1 else title
    return {"text": text, "frame": "group", "fontSize": style.panel_title, "fontWeight": "bold", "offset": offset}


def title_lines(heading: Heading, style: Style) -> tuple[list[str], list[str]]:
    """The lines of the title and of the notes under it."""
    if not style.is_print:
        return [heading.title], [line for note in heading.notes for line in wrap(note, _TITLE_LETTERS)]
    most = letters(style.width * _NOTES_ARE_NARROWER, style.text)
    title = wrap(heading.title, letters(style.width - 4, style.title * _BOLD_IS_WIDER))
    return title, [line for note in heading.notes for line in wrap(note, most)]


def _title(heading: Heading, style: Style) -> Spec:
    title, notes = title_lines(heading, style)
    return {"text": title if style.is_print else heading.title, "subtitle": notes}


def _config(style: Style) -> Spec:
    axis: Spec = {
        "labelFontSize": style.text,
        "titleFontSize": style.axis_title,
        "titleFontWeight": "normal",
        "labelColor": INK,
        "titleColor": INK,
        "domainColor": MUTED,
        "tickColor": MUTED,
        "gridColor": MUTED,
        "gridOpacity": 0.18,
    }
    title: Spec = {
        "anchor": "start",
        "color": INK,
        "subtitleColor": MUTED,
        "fontSize": style.title,
        "subtitleFontSize": style.text,
        "subtitlePadding": 5 * style.scale,
        "offset": 14 * style.scale,
    }
    legends: Spec = {
        "labelFontSize": style.text,
        "titleFontSize": style.text,
        "labelColor": INK,
        "titleColor": INK,
        "labelLimit": style.width - 20 if style.is_print else 320,
        "orient": "bottom",
        "direction": "horizontal",
        "symbolOpacity": 1,
        "symbolStrokeWidth": 2 * style.scale,
    }
    font = "Helvetica, Arial, 'Liberation Sans', sans-serif"
    if style.is_print:
        font = "'Liberation Sans', Arial, Helvetica, sans-serif"  # the font inside the pictures
        axis |= {"tickSize": 3, "labelPadding": 2, "titlePadding": 3, "gridWidth": 0.5}
        legends |= {
            "symbolSize": 30,
            "rowPadding": 1,
            "columnPadding": 6,
            "padding": 0,
            "titlePadding": 2,
            "offset": 6,
        }
    view: Spec = {"stroke": None}
    return {"font": font, "background": PAPER, "view": view, "axis": axis, "title": title, "legend": legends}


def frame(heading: Heading, panels: list[Spec], columns: int, style: Style, screen: Spec) -> Spec:
    """The outer object: schema, title, look, panels side by side in `columns`.

    `usermeta` has the data that the renderer needs in print (the size, and the least heights of plots, to which it makes them
    lower where the whole is too high), and `screen` the data with which a page draws a plot at another width.
    """
    spec: Spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "description": heading.description,
        "title": _title(heading, style),
        "config": _config(style),
        "padding": PRINT_PADDING if style.is_print else 12,
        "usermeta": screen,
    }
    least = [panel.pop("least_height") for panel in panels]
    if style.is_print:
        spec["usermeta"] = {"width_points": style.width, "height_points": style.height, "least_heights": least}
    if style.bare:
        del spec["title"]
    if len(panels) == 1:
        own = panels[0].pop("title", None)
        if own and not style.bare:
            # A single panel has no title of its own; its offset leaves room for labels above the plot.
            spec["title"]["offset"] = 6 + own["offset"]
        return spec | panels[0]
    spec["columns"] = min(columns, style.columns)
    spec["spacing"] = {"row": 14, "column": _PRINT_GAP} if style.is_print else {"row": 28, "column": 36}
    spec["concat"] = panels
    spec["resolve"] = {"scale": {"color": "shared", "shape": "shared", "strokeDash": "shared"}}
    return spec
