"""Leaves at most MOST_SERIES series in a chart, and says so in its notes."""

from __future__ import annotations

from typing import TypeVar

from gpuseq.charts.values import MOST_SERIES, Chart, LineChart, Panel, RowChart, RowMark, RowPanel

_OTHER = "other"
_Panel = TypeVar("_Panel", Panel, RowPanel)


def limit_series(chart: Chart) -> None:
    """Drops the series with the fewest marks; a stacked chart joins its least ones into one."""
    if isinstance(chart, RowChart) and chart.stacked:
        _join_least(chart)
    elif isinstance(chart, LineChart | RowChart):
        _leave_out(chart)


def _by_weight(series: list[str], weights: dict[str, float]) -> list[str]:
    """Our series by weight; equal ones in the order of the legend."""
    ours = [name for name in series if not name.startswith("published")]
    return sorted(ours, key=lambda name: -weights.get(name, 0))


def _leave_out(chart: LineChart | RowChart) -> None:
    marks: dict[str, float] = {}
    for panel in chart.panels:
        for mark in panel.marks:
            marks[mark.series] = marks.get(mark.series, 0) + 1
    ours = _by_weight(chart.series, marks)
    if len(ours) <= MOST_SERIES:
        return
    left_out = set(ours[MOST_SERIES:])
    if isinstance(chart, RowChart):
        chart.panels = _without(chart.panels, left_out)
        for rows in chart.panels:
            left = {mark.row for mark in rows.marks}
            rows.rows = [row for row in rows.rows if row in left]
    else:
        chart.panels = _without(chart.panels, left_out)
    chart.series = [name for name in chart.series if name not in left_out]
    chart.heading.notes.insert(0, f"{MOST_SERIES} of {len(ours)} by {chart.series_title}: those with the most marks.")


def _without(panels: list[_Panel], left_out: set[str]) -> list[_Panel]:
    for panel in panels:
        for place in reversed(range(len(panel.marks))):
            if panel.marks[place].series in left_out:
                del panel.marks[place]
    return [panel for panel in panels if panel.marks]


def _join_least(chart: RowChart) -> None:
    sums: dict[str, float] = {}
    for panel in chart.panels:
        for mark in panel.marks:
            sums[mark.series] = sums.get(mark.series, 0) + mark.value
    ours = _by_weight(chart.series, sums)
    if len(ours) <= MOST_SERIES:
        return
    joined = set(ours[MOST_SERIES - 1 :])
    for panel in chart.panels:
        _join(panel, joined)
    chart.heading.notes.insert(0, f"Other: {', '.join(name for name in chart.series if name in joined)}.")
    chart.series = [name for name in chart.series if name not in joined] + [_OTHER]


def _join(panel: RowPanel, joined: set[str]) -> None:
    """The marks of some series in a row become one, whose tooltip lists them."""
    marks: list[RowMark] = []
    others: dict[str, RowMark] = {}
    for mark in panel.marks:
        if mark.series not in joined:
            marks.append(mark)
            continue
        mark.terms = [(name, _OTHER if value == mark.series else value) for name, value in mark.terms]
        mark.series = _OTHER
        other = others.setdefault(mark.row, mark)
        if other is mark:
            marks.append(mark)
            continue
        other.value += mark.value
        other.low = other.high = other.value
        other.tips[:0] = mark.tips[:1]
        other.label = other.label or mark.label
    panel.marks = marks
