"""One figure over the same figure of other runs, in shared axes: the other marks are hollow and drawn behind.

Panels of lines share axes where they are of one kind of device (CPU or GPU) and their titles differ in the name of the
device alone. Rows of both are in one panel. A note names the panels of the other runs that have no counterpart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from gpuseq.charts.values import (
    BEFORE,
    Cell,
    Chart,
    HeatMap,
    HeatPanel,
    LineChart,
    Mark,
    Panel,
    RowChart,
    RowMark,
    RowPanel,
    is_published,
)
from gpuseq.runs import Record, Report


def overlaid(chart: Chart | str, report: Report, behind: Chart | str, other: Report) -> Chart | str:
    """`chart` over `behind`, which it may change; either is a text where the figure is not drawn: the reason."""
    if isinstance(behind, str):
        if not isinstance(chart, str):
            chart.heading.notes.insert(0, f"Run {_runs(other)} does not draw it: {behind}.")
        return chart
    if isinstance(chart, str):
        behind.heading.notes.insert(0, f"Run {_runs(other)} alone: run {_runs(report)} does not draw it: {chart}.")
        return behind
    _name_sides(chart, report, behind, other)
    front = _origin(chart, report, set(range(len(chart.panels))))
    panels = len(behind.panels)
    origins = [_origin(behind, other, {place}) for place in range(panels)]
    taken = _lay_behind(chart, report, behind, other)
    if not isinstance(chart, HeatMap) and not isinstance(behind, HeatMap):
        shown = {mark.series for panel in chart.panels for mark in panel.marks}
        chart.series = _joined(chart.series, [name for name in behind.series if name in shown])
    if not taken:
        chart.heading.notes.insert(0, f"{front} alone: no panel of run {_runs(other)} is of such a device and problem.")
        return chart
    theirs = "; ".join(dict.fromkeys(origins[place] for place in sorted(taken)))
    chart.heading.notes.insert(0, f"Filled: {front}. Hollow or faint, behind: {theirs}.")
    if left_out := panels - len(taken):
        chart.heading.notes.append(
            f"{left_out} of {panels} panels of run {_runs(other)} have no counterpart and are left out."
        )
    return chart


def _marks(panel: Panel | RowPanel | HeatPanel) -> Sequence[Mark | RowMark | Cell]:
    return panel.cells if isinstance(panel, HeatPanel) else panel.marks


def _name_sides(chart: Chart, report: Report, behind: Chart, other: Report) -> None:
    """Names the side of every mark by its devices, and by its run where both runs have a device."""
    shared = {record.device_name for record in report.records} & {record.device_name for record in other.records}
    for of, run in ((chart, report), (behind, other)):
        name = _runs(run) + (BEFORE if run is other and _runs(report) == _runs(other) else "")
        every = sorted({record.device_name for record in run.records})
        for panel in of.panels:
            drawn = {run.records[mark.record].device_name for mark in _marks(panel) if mark.record is not None}
            devices = sorted(drawn) or every
            panel.subject = _without(panel.title, devices)
            side = ", ".join(devices) + (f", run {name}" if shared.intersection(devices) else "")
            for mark in _marks(panel):
                series = "" if isinstance(mark, Cell) else mark.series
                mark.side = series if is_published(series) else side


def _without(title: str, devices: list[str]) -> str:
    """A title without the name of a device and the comma or colon behind it."""
    for device in devices:
        title = re.sub(rf"(^|, ){re.escape(device)}(: |, |$)", r"\1", title)
    return title.removesuffix(", ")


def _runs(report: Report) -> str:
    return ", ".join(run.name for run in report.runs)


def _records(panel: Panel | RowPanel, report: Report) -> list[Record]:
    return [report.records[mark.record] for mark in panel.marks if mark.record is not None]


def _origin(chart: Chart, report: Report, places: set[int]) -> str:
    """ "NVIDIA H200, run gpu-papara"."""
    if isinstance(chart, HeatMap):
        return f"run {_runs(report)}"
    devices = {record.device_name for place in places for record in _records(chart.panels[place], report)}
    return f"{', '.join(sorted(devices))}, run {_runs(report)}"


def _joined(names: list[str], more: list[str]) -> list[str]:
    """Names in the order of the legend: published ones stay last."""
    ours = [name for name in names if not name.startswith("published")]
    return list(dict.fromkeys([*ours, *more, *names]))


def _lay_behind(chart: Chart, report: Report, behind: Chart, other: Report) -> set[int]:
    """Adds the marks of `behind`; returns the places of its panels that have a counterpart."""
    if isinstance(chart, LineChart) and isinstance(behind, LineChart):
        return _lines_behind(chart, report, behind, other)
    if isinstance(chart, RowChart) and isinstance(behind, RowChart):
        return _rows_behind(chart, behind)
    assert isinstance(chart, HeatMap) and isinstance(behind, HeatMap)  # a figure makes one kind of chart
    for panel in behind.panels:  # colours cannot be laid over each other: the maps stand side by side
        cells = [replace(cell, record=None) for cell in panel.cells]
        chart.panels.append(replace(panel, title=panel.title + BEFORE, cells=cells))
    return set(range(len(behind.panels)))


def _subject(panel: Panel, report: Report) -> tuple[str, str, bool]:
    """Device of a panel, its title without the device, and whether it is a GPU."""
    records = _records(panel, report)
    if not records:
        return "", panel.title, False
    device = records[0].device_name
    if device not in panel.title:
        return "", panel.title, records[0].on_gpu
    return device, panel.title.replace(device, "", 1), records[0].on_gpu


def _lines_behind(chart: LineChart, report: Report, behind: LineChart, other: Report) -> set[int]:
    taken: set[int] = set()
    for panel in chart.panels:
        device, *subject = _subject(panel, report)
        for place, theirs in enumerate(behind.panels):
            their_device, *their_subject = _subject(theirs, other)
            same_axis = (panel.y or chart.y).title == (theirs.y or behind.y).title
            if place in taken or subject != their_subject or not same_axis:
                continue
            taken.add(place)
            if their_device and their_device != device:
                panel.title += f", over {their_device}"
            panel.marks += [replace(mark, behind=True, record=None) for mark in theirs.marks if not mark.published]
            break
    if taken:
        chart.dashes = _joined(chart.dashes, behind.dashes)
        chart.x.ticks = sorted({*chart.x.ticks, *behind.x.ticks})
    return taken


def _rows_behind(chart: RowChart, behind: RowChart) -> set[int]:
    by_title = {panel.title: panel for panel in reversed(chart.panels)}
    taken: set[int] = set()
    for place, panel in enumerate(behind.panels):
        if panel.title in by_title:
            taken.add(place)
            _merge_rows(by_title[panel.title], panel, dots=not chart.bars)
    return taken


def _merge_rows(panel: RowPanel, behind: RowPanel, dots: bool) -> None:
    """Rows of both, the largest on top where those of the panel are sorted so."""
    ours = set(panel.rows)
    published = {mark.row for mark in behind.marks if mark.series.startswith("published")}

    def renamed(row: str) -> str:
        return row + BEFORE if row in ours else row

    panel.marks += [
        replace(mark, row=renamed(mark.row), hollow=dots and not mark.minor, record=None)
        for mark in behind.marks
        if not mark.series.startswith("published")
    ]
    highest: dict[str, float] = {}
    for mark in panel.marks:
        if not mark.minor:
            highest[mark.row] = max(highest.get(mark.row, 0), mark.value)
    values = [highest.get(row, 0) for row in panel.rows]
    panel.rows += [renamed(row) for row in behind.rows if row not in published]
    if values == sorted(values, reverse=True):
        panel.rows.sort(key=lambda row: -highest.get(row, 0))
