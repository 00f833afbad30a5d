"""Axes: their ends, their ticks, and the room that they take."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from gpuseq.charts.style import Style, letters, text_width, wrap
from gpuseq.charts.values import Quantity
from gpuseq.units import Unit, base_unit, format_value, label_expression, log_ticks

Spec = dict[str, Any]
"""A part of a Vega-Lite specification."""

LOG_FROM_RATIO = 12  # an axis or a scale turns logarithmic where the data spans more
_LABEL_GAP = 5  # between labels along an axis
_ANY_TICKS = 60  # more than an axis has room for
_RATES = (Unit.bases_per_s, Unit.bytes_per_s, Unit.bases_per_joule)


@dataclass(frozen=True)
class Axis:
    """A quantity laid out on an axis: the ends of the scale include a margin."""

    quantity: Quantity
    low: float
    high: float
    pixels: float
    vertical: bool = False

    def place(self, value: float) -> float:
        """Pixels from the low end; below it where a logarithmic axis has no place for the value."""
        if self.quantity.log and value <= 0:
            return -self.pixels
        if self.quantity.log:
            return math.log(value / self.low) / math.log(self.high / self.low) * self.pixels
        return (value - self.low) / (self.high - self.low) * self.pixels

    def value_at(self, place: float) -> float:
        share = place / self.pixels
        if self.quantity.log:
            return self.low * (self.high / self.low) ** share
        return self.low + (self.high - self.low) * share


def lay_out(
    quantity: Quantity, low: float, high: float, pixels: float, vertical: bool = False, reserve: float = 0
) -> Axis:
    """An axis from `low` to `high`; `reserve` is the share kept free beyond, for labels next to marks."""
    grown = 1 / (1 - reserve)
    if quantity.log:
        # A single value, or several equal ones, still needs a scale with an extent.
        margin = (high / low) ** 0.04 if high > low else 1.5
        low /= margin
        high = low * (high * margin / low) ** grown
    else:
        low = min(low, 0)
        high = high * 1.06 * grown if high > 0 else 1
    return Axis(quantity, low, high, pixels, vertical)


def axis_room(quantity: Quantity, high: float, height: float, style: Style) -> float:
    """Pixels that a vertical axis takes next to its plot: title, in lines as long as the plot is high, labels, ticks."""
    widest = "88.8 (8.88 GB)" if quantity.labels else format_value(high * 0.888, quantity.unit)
    lines = len(wrap(quantity.title, letters(height, style.axis_title)))
    return text_width(widest, style.text) + lines * style.axis_title + 8


def _is_decade(value: float) -> bool:
    return value > 0 and abs(math.log10(value) - round(math.log10(value))) < 1e-9


def _not_touching(ticks: list[float], axis: Axis, style: Style) -> list[float]:
    """Ticks whose labels do not touch, from the low end on; decades of a logarithmic axis before others."""
    kept: dict[float, tuple[float, float]] = {}

    def keep(tick: float) -> None:
        half = text_width(format_value(tick, axis.quantity.unit), style.text) / 2
        start, end = axis.place(tick) - half, axis.place(tick) + half
        if all(start >= last + _LABEL_GAP or first >= end + _LABEL_GAP for first, last in kept.values()):
            kept[tick] = (start, end)

    log = axis.quantity.log
    for tick in sorted(ticks, key=lambda tick: log and not _is_decade(tick)):
        keep(tick)
    if len(kept) < 2 and log:  # any two show how the axis runs, the outermost first
        every = log_ticks(axis.low, axis.high, axis.quantity.unit, _ANY_TICKS)
        for tick in [*every, *reversed(every)]:
            if len(kept) < 2:
                keep(tick)
    return sorted(kept)


def _apart(ticks: list[float], axis: Axis, style: Style) -> list[float]:
    """Ticks whose labels do not touch; a linear axis leaves ticks out evenly."""
    if not axis.quantity.log:
        for stride in range(1, len(ticks)):
            even = ticks[::stride]
            if len(_not_touching(even, axis, style)) == len(even):
                return even
    return _not_touching(ticks, axis, style)


def _with_short_labels(axis: Axis, ticks: list[float], style: Style) -> Axis:
    """Where a rate's unit leaves room for two labels at most in print, it moves from the labels to the title."""
    quantity = axis.quantity
    if not style.is_print or axis.vertical or quantity.unit not in _RATES or quantity.labels:
        return axis
    if len(_apart(ticks, axis, style)) >= min(3, len(ticks)):
        return axis
    title = quantity.title
    if not title.endswith(" per second"):
        title += f" ({base_unit(quantity.unit)})"
    return replace(axis, quantity=replace(quantity, title=title, unit=Unit.number_si))


def axis_encoding(field: str, axis: Axis, style: Style) -> Spec:
    per_tick = 40 if axis.vertical else 95 if axis.quantity.unit is Unit.bases_per_s else 68
    most = int(max(2, axis.pixels / (per_tick * style.scale)))
    ticks = axis.quantity.ticks
    if not ticks and axis.quantity.log:
        tried = [log_ticks(axis.low, axis.high, axis.quantity.unit, count) for count in range(most, most + 4)]
        ticks = next((found for found in tried if len(found) > 1), tried[0])
    axis = _with_short_labels(axis, ticks, style)
    quantity = axis.quantity
    look: Spec = {
        "title": quantity.title,
        "labelExpr": quantity.labels or label_expression(quantity.unit),
        "labelOverlap": "greedy",
        "labelSeparation": 4,
        "labelFlush": False,  # a label moved inward would touch the next
    }
    if style.is_print and text_width(quantity.title, style.axis_title) > axis.pixels:
        look["title"] = wrap(quantity.title, letters(axis.pixels, style.axis_title))
    scale: Spec = {"nice": False, "domain": [axis.low, axis.high]}
    if quantity.log:
        scale |= {"type": "log", "base": 2 if quantity.unit is Unit.bytes else 10}
    else:
        look["tickCount"] = most
    if ticks:
        look["values"] = ticks if axis.vertical else _apart(ticks, axis, style)
    return {"field": field, "type": "quantitative", "scale": scale, "axis": look}
