"""The notes of a figure, with the key of its marks: each mark that a figure draws is explained in it."""

from __future__ import annotations

from dataclasses import replace

from gpuseq.charts.values import Chart, Heading, HeatMap, LineChart, RowChart, has_interval


def has_rings(chart: LineChart) -> bool:
    """Rings distinguish synthetic references; where all marks have one, a note of the figure replaces them."""
    ours = [mark.synthetic for panel in chart.panels for mark in panel.marks if not (mark.minor or mark.published)]
    return any(ours) and not all(ours)


def has_intervals(chart: RowChart) -> bool:
    """Bars that follow one another have no place for intervals."""
    return not chart.stacked and any(has_interval(chart, panel, mark) for panel in chart.panels for mark in panel.marks)


def _key(chart: Chart) -> list[str]:
    """Explanations of marks that neither the legend nor a figure's own notes name."""
    if isinstance(chart, HeatMap):
        return []
    if isinstance(chart, LineChart):
        marks = [mark for panel in chart.panels for mark in panel.marks]
        return [words for words, drawn in (
            ("Vertical line through a mark: its interval.", any(0 < mark.low < mark.high for mark in marks)),
            ("Short horizontal line: the bound of a mark.", any(mark.bound > 0 for mark in marks)),
            ("Small, faint: single configurations.", any(mark.minor for mark in marks)),
            ("Grey steps: the best up to each position.", any(len(panel.steps) > 1 for panel in chart.panels)),
            ("Grey ring: synthetic reference.", has_rings(chart)),
        ) if drawn]  # fmt: skip
    minor = any(mark.minor for panel in chart.panels for mark in panel.marks)
    return [words for words, drawn in (
        ("Horizontal line through a mark: its interval.", has_intervals(chart)),
        ("Thin ticks: single configurations.", minor),
    ) if drawn]  # fmt: skip


def notes_of(chart: Chart) -> list[str]:
    """The title of a single panel, the notes of the figure, and the key; the data source stays last."""
    title = [chart.panels[0].title] if len(chart.panels) == 1 and chart.panels[0].title else []
    notes, key = chart.heading.notes, " ".join(_key(chart))
    return [*title, *notes[:-1], *([key] if key else []), *notes[-1:]]


def full_heading(chart: Chart) -> Heading:
    return replace(chart.heading, notes=notes_of(chart))
