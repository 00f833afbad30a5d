"""Charts as plain values. A figure fills one; vega_lite.py draws it, tables.py and latex.py list its numbers.

Series whose name starts with "published" are grey.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gpuseq.units import Unit

MOST_SERIES = 8  # that a reader tells apart by colour and shape; published ones come on top
MOST_PANELS = 12
BEFORE = ", before"  # behind the name of a row or a panel of the other run

Tips = list[tuple[str, str]]
"""Lines of a tooltip: name, text."""
Terms = list[tuple[str, str]]
"""Properties of a mark that its record does not state: ("timed", "kernel alone"). Not drawn."""


@dataclass
class Quantity:
    """An axis: its title, unit, and whether it is logarithmic."""

    title: str = ""
    unit: Unit = Unit.number
    log: bool = False
    ticks: list[float] = field(default_factory=list[float])  # values to label; empty: chosen
    labels: str = ""  # Vega expression for the labels; empty: that of the unit


@dataclass
class Mark:
    """A point of a line chart; `low` and `high` bound y (equal to y: no error bar)."""

    x: float
    y: float
    low: float = 0
    high: float = 0
    series: str = ""
    dash: str = ""  # a second name, drawn as the pattern of the line
    synthetic: bool = False  # ringed
    published: bool = False  # hollow, without a line
    minor: bool = False  # small and faint
    disturbed: bool = False  # hollow and grey, without a line
    behind: bool = False  # hollow and faint: the other side of a comparison
    bound: float = 0  # a tick at this y; 0: none
    label: str = ""  # drawn where nothing else is
    record: int | None = None  # index into Report.records
    tips: Tips = field(default_factory=Tips)
    terms: Terms = field(default_factory=Terms)
    side: str = ""  # in a chart of two runs the devices of its run; published marks: their series


@dataclass
class Guide:
    """A line across a panel, for a published value or a limit."""

    vertical: bool
    at: float
    label: str = ""
    terms: Terms = field(default_factory=Terms)


@dataclass
class Band:
    """A shaded stretch of the x axis: the knee of a curve."""

    low: float
    high: float
    label: str = ""


@dataclass
class Panel:
    title: str = ""
    marks: list[Mark] = field(default_factory=list[Mark])
    bands: list[Band] = field(default_factory=list[Band])
    guided: bool = True  # the chart's guides cross it
    guides: list[Guide] = field(default_factory=list[Guide])  # of this panel alone
    steps: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])  # a grey line in steps
    y: Quantity | None = None  # where it is not that of the chart
    subject: str | None = None  # in a chart of two runs the title without a device


@dataclass
class Heading:
    """Title, the lines below it, and a description for readers who cannot see the picture."""

    title: str = ""
    notes: list[str] = field(default_factory=list[str])
    description: str = ""


@dataclass
class LineChart:
    x: Quantity
    y: Quantity
    heading: Heading = field(default_factory=Heading)
    series_title: str = ""
    series: list[str] = field(default_factory=list[str])  # in the order of the legend
    dash_title: str = ""
    dashes: list[str] = field(default_factory=list[str])  # the first is solid; fewer than two: not drawn
    guides: list[Guide] = field(default_factory=list[Guide])
    panels: list[Panel] = field(default_factory=list[Panel])
    connected: bool = True  # lines join the marks of a series


@dataclass
class RowMark:
    """A dot (or a bar from 0) at `value` in the row `row`."""

    row: str
    value: float
    low: float = 0
    high: float = 0
    series: str = ""
    label: str = ""  # next to the mark
    detail: str = ""  # behind the label, where there is space
    minor: bool = False  # a thin tick without label
    hollow: bool = False  # an external tool
    record: int | None = None
    tips: Tips = field(default_factory=Tips)
    terms: Terms = field(default_factory=Terms)
    side: str = ""  # in a chart of two runs the devices of its run; published marks: their series


@dataclass
class RowPanel:
    title: str = ""
    rows: list[str] = field(default_factory=list[str])  # top to bottom
    marks: list[RowMark] = field(default_factory=list[RowMark])
    value: Quantity | None = None  # where it is not that of the chart; such panels do not share their axis
    subject: str | None = None  # in a chart of two runs the title without a device


@dataclass
class RowChart:
    value: Quantity
    heading: Heading = field(default_factory=Heading)
    bars: bool = False
    grouped: bool = True  # bars of a row stand side by side, one per series
    stacked: bool = False  # bars of a row follow one another in the order of `series`
    series_title: str = ""
    series: list[str] = field(default_factory=list[str])
    panels: list[RowPanel] = field(default_factory=list[RowPanel])


@dataclass
class Cell:
    """A cell of a heat map."""

    x: float
    row: str
    value: float
    low: float = 0
    high: float = 0
    record: int | None = None
    tips: Tips = field(default_factory=Tips)
    side: str = ""  # in a chart of two runs the devices of its run; published marks: their series


@dataclass
class HeatPanel:
    title: str = ""
    rows: list[str] = field(default_factory=list[str])
    cells: list[Cell] = field(default_factory=list[Cell])
    subject: str | None = None  # in a chart of two runs the title without a device


@dataclass
class HeatMap:
    x: Quantity
    value: Quantity
    heading: Heading = field(default_factory=Heading)
    row_title: str = ""
    panels: list[HeatPanel] = field(default_factory=list[HeatPanel])


Chart = LineChart | RowChart | HeatMap


def sort_rows(panel: RowPanel) -> None:
    """Orders rows by value, the largest on top; series that have labels in one row get rows of their own."""
    labelled: dict[str, set[str]] = {}
    for mark in panel.marks:
        if mark.label:
            labelled.setdefault(mark.row, set()).add(mark.series)
    for mark in panel.marks:
        if len(labelled.get(mark.row, ())) > 1:
            mark.row += ", " + mark.series
    panel.marks.sort(key=lambda mark: -mark.value)
    panel.rows += [row for row in dict.fromkeys(mark.row for mark in panel.marks) if row not in panel.rows]


def y_of(chart: LineChart, panel: Panel) -> Quantity:
    return panel.y or chart.y


def guides_of(chart: LineChart, panel: Panel) -> list[Guide]:
    return (chart.guides if panel.guided else []) + panel.guides


def value_of(chart: RowChart, panel: RowPanel) -> Quantity:
    return panel.value or chart.value


def has_interval(chart: RowChart, panel: RowPanel, mark: RowMark) -> bool:
    """Whether an interval is drawn: it has a width, and a logarithmic axis has no 0."""
    on_axis = mark.low > 0 if value_of(chart, panel).log else mark.low >= 0
    return on_axis and mark.high > mark.low


def is_published(series: str) -> bool:
    return series.startswith("published")
