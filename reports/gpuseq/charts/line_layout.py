"""The places of the labels of a line chart: no label touches another, a mark or a line."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise, permutations
from statistics import fmean
from typing import NamedTuple

from gpuseq.charts.axis import LOG_FROM_RATIO, Axis, axis_room, lay_out
from gpuseq.charts.style import Style, text_width
from gpuseq.charts.values import Guide, LineChart, Mark, Panel, Quantity, guides_of, y_of

POINT, LONE, MINOR, PUBLISHED, RING = 38, 70, 16, 130, 120  # areas of marks in square pixels

_NEAR_FACTOR = 8  # a guide further outside the data than this is left out
_MOST_TRIED = 6  # vertical guides; more have too many orders
_GUIDE_GAP = 3  # between a label and its guide
_END = 4  # between a label and the end of its plot
_STEP = 6  # between the places that are tried along a guide
_APART = 9  # between labels of one row
_MOST_MOVED = 1.1  # of the widest label: from its place above a band
_CLEARANCE = 1  # between a label and a mark or line, at least


class Side(NamedTuple):
    """From a mark to its label: -1, 0 or 1 to the right and up, and further pixels."""

    right: int
    up: int
    away: float = 0


# In the order in which they are tried: first those next to a rising line, and near ones before others.
_DIRECTIONS = [(-1, 1), (1, -1), (0, 1), (0, -1), (-1, 0), (1, 0), (1, 1), (-1, -1)]
SIDES = [Side(right, up, away) for away in (0, 4) for right, up in _DIRECTIONS]


@dataclass(frozen=True)
class TopLabel:
    """A text along the top of a plot."""

    at: float  # the value on the x axis that it names
    text: str
    shift: float = 0  # pixels from there to its left end
    row: int = 0  # 0 is next to the plot


@dataclass(frozen=True)
class AcrossLabel:
    """The label of a horizontal guide: at its left or right end, or from the value `x` on."""

    at: float  # the value on the y axis
    text: str
    below: bool  # the guide
    x: float | None = None
    right: bool = False


@dataclass
class LineLayout:
    """A panel with its axes and the places of its labels; a guide or band outside the axes has no entry."""

    x: Axis
    y: Axis
    guides: list[Guide] = field(default_factory=list[Guide])
    bands: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    band_labels: list[TopLabel] = field(default_factory=list[TopLabel])
    down: list[TopLabel] = field(default_factory=list[TopLabel])  # of vertical guides
    across: list[AcrossLabel] = field(default_factory=list[AcrossLabel])
    top: list[TopLabel] = field(default_factory=list[TopLabel])  # of horizontal guides without a free place
    sides: dict[int, int] = field(default_factory=dict[int, int])  # number of a mark to that of a side
    rows: int = 0  # of labels above the plot


def label_row(style: Style) -> float:
    """Height of a row of labels above a plot."""
    return 1.3 * style.label


def label_gap(chart: LineChart, side: Side, style: Style) -> tuple[float, float]:
    """Pixels to the right and up from the middle of a mark to the nearer edge of its label."""
    gap = math.sqrt(POINT if chart.connected else LONE) / 2 * style.scale + 3 + side.away
    return gap, gap if side.right == 0 else 0


def extent(chart: LineChart, panel: Panel, horizontal: bool) -> tuple[float, float]:
    """The least and the largest value along an axis, with the guides near them."""
    values = [mark.x if horizontal else mark.y for mark in panel.marks]
    if not horizontal:
        values += [value for mark in panel.marks for value in (mark.low, mark.high, mark.bound) if value > 0]
    log = (chart.x if horizontal else y_of(chart, panel)).log
    values = [value for value in values if math.isfinite(value) and (value > 0 or not log)] or [1.0]
    low, high = min(values), max(values)
    near = [guide.at for guide in guides_of(chart, panel)
            if guide.vertical == horizontal and low / _NEAR_FACTOR < guide.at < high * _NEAR_FACTOR]  # fmt: skip
    return min(low, *near, low), max(high, *near, high)


def y_room(chart: LineChart, height: float, style: Style) -> float:
    """Pixels for the widest y axis of any panel."""
    highest: dict[str, tuple[Quantity, float]] = {}
    for panel in chart.panels:
        quantity = y_of(chart, panel)
        first, high = highest.get(quantity.title, (quantity, 0))
        highest[quantity.title] = first, max(high, extent(chart, panel, False)[1])
    return max((axis_room(quantity, high, height, style) for quantity, high in highest.values()), default=0)


class _Rows:
    """Rows of labels above a plot, filled one label at a time."""

    def __init__(self, x: Axis, style: Style) -> None:
        self.x, self.style = x, style
        self.rows: list[list[tuple[float, float]]] = []

    def copy(self) -> _Rows:
        other = _Rows(self.x, self.style)
        other.rows = [list(row) for row in self.rows]
        return other

    def width(self, text: str) -> float:
        return text_width(text, self.style.label)

    def put(self, at: float, start: float, text: str, row: int = 0) -> TopLabel:
        """Into the lowest row from `row` on that has room."""
        end = start + self.width(text)
        while row < len(self.rows) and any(start < last + 8 and first < end + 8 for first, last in self.rows[row]):
            row += 1
        self.rows += [[] for _ in range(row + 1 - len(self.rows))]
        self.rows[row].append((start, end))
        return TopLabel(at, text, start - self.x.place(at), row)

    def above(self, at: float, text: str) -> TopLabel:
        """Its middle over a value, within the plot."""
        most = max(0, self.x.pixels - self.width(text))
        return self.put(at, min(max(self.x.place(at) - self.width(text) / 2, 0), most), text)

    def spread(self, labels: list[tuple[float, str]]) -> list[TopLabel]:
        """Each over its value; labels that would touch move apart in one row, unless one has to move too far."""
        labels = sorted(labels)
        sizes = [self.width(text) for _, text in labels]
        wanted = [self.x.place(at) - size / 2 for (at, _), size in zip(labels, sizes, strict=True)]
        offsets = [sum(sizes[:i]) + _APART * i for i in range(len(sizes))]
        runs: list[list[float]] = []  # labels that touch have the mean of their left ends, less the labels before
        for start, offset in zip(wanted, offsets, strict=True):
            runs.append([start - offset])
            while len(runs) > 1 and fmean(runs[-2]) > fmean(runs[-1]):
                runs[-2:] = [runs[-2] + runs[-1]]
        most = self.x.pixels - sum(sizes) - _APART * (len(sizes) - 1)
        bases = [min(max(fmean(run), 0), most) for run in runs for _ in run]
        starts = [base + offset for base, offset in zip(bases, offsets, strict=True)]
        moved = max((abs(start - place) for start, place in zip(starts, wanted, strict=True)), default=0)
        if most < 0 or moved > _MOST_MOVED * max(sizes, default=0):
            return [self.above(at, text) for at, text in labels]
        return [self.put(at, start, text) for start, (at, text) in zip(starts, labels, strict=True)]

    def next_to(self, at: float, text: str, place: str) -> TopLabel:
        """Next to the upper end of a line; `place` is "right" or "left", where there is room, "top" or "above"."""
        if place == "above":
            return self.above(at, text)
        line = self.x.place(at)
        left = line - 4 - self.width(text)
        fits = line + 4 + self.width(text) <= self.x.pixels and not (place != "right" and left >= 0)
        return self.put(at, line + 4 if fits else max(0, left), text, len(self.rows) if place == "top" else 0)

    def crossed(self, labels: list[TopLabel]) -> bool:
        """Whether a line, which ends below its label, crosses the label of another."""
        for line, other in permutations(labels, 2):
            start, at = self.x.place(other.at) + other.shift, self.x.place(line.at)
            if other.row < line.row and start - 1 < at < start + self.width(other.text) + 1:
                return True
        return False


def _labels_down(guides: list[Guide], rows: _Rows) -> tuple[list[TopLabel], _Rows]:
    """Labels of vertical guides, in the first place and order in which no line crosses a label."""
    right_first = sorted(guides, key=lambda guide: -guide.at)
    orders = list(permutations(right_first)) if len(guides) <= _MOST_TRIED else [tuple(right_first)]
    for place in ("right", "left", "top", "above"):
        for order in orders:
            filled = rows.copy()
            labels = [filled.next_to(guide.at, guide.label, place) for guide in order]
            if not rows.crossed(labels):
                return labels, filled
    filled = rows.copy()
    return [filled.next_to(guide.at, guide.label, "right") for guide in right_first], filled


class _Box(NamedTuple):
    """Pixels from the lower left of a plot."""

    left: float
    bottom: float
    right: float
    top: float


class _Stroke(NamedTuple):
    """A straight stroke, or a mark where both ends are one, and half its width."""

    x1: float
    y1: float
    x2: float
    y2: float
    half: float

    def hits(self, box: _Box) -> bool:
        """Liang and Barsky: the part of the stroke between each pair of sides."""
        grow = self.half + _CLEARANCE
        enters, leaves = 0.0, 1.0
        for start, end, low, high in (
            (self.x1, self.x2, box.left - grow, box.right + grow),
            (self.y1, self.y2, box.bottom - grow, box.top + grow),
        ):
            if max(start, end) <= low or min(start, end) >= high:
                return False
            if start != end:
                first, last = sorted(((low - start) / (end - start), (high - start) / (end - start)))
                enters, leaves = max(enters, first), min(leaves, last)
        return enters < leaves


def _strokes(chart: LineChart, panel: Panel, layout: LineLayout, style: Style) -> Iterable[_Stroke]:
    """Everything in a plot that a label must be clear of."""
    x, y, scale = layout.x.place, layout.y.place, style.scale
    lines: dict[tuple[str, str, bool], list[tuple[float, float]]] = {}
    for mark in panel.marks:
        if not (math.isfinite(mark.x) and math.isfinite(mark.y)):
            continue
        area = (PUBLISHED if mark.published else RING if mark.synthetic else MINOR if mark.minor
                else POINT if chart.connected else LONE)  # fmt: skip
        at, up = x(mark.x), y(mark.y)
        yield _Stroke(at, up, at, up, (math.sqrt(area) / 2 + 1) * scale)
        if 0 < mark.low < mark.high:
            yield _Stroke(at, y(mark.low), at, y(mark.high), 1)
        if mark.bound > 0:
            yield _Stroke(at - 7 * scale, y(mark.bound), at + 7 * scale, y(mark.bound), 1)
        if chart.connected and not mark.published and not mark.disturbed:
            lines.setdefault((mark.series, mark.dash, mark.behind), []).append((at, up))
    for line in lines.values():
        for (x1, y1), (x2, y2) in pairwise(sorted(line)):
            yield _Stroke(x1, y1, x2, y2, scale)
    for (x1, y1), (x2, y2) in pairwise((x(at), y(up)) for at, up in panel.steps):
        yield from (_Stroke(x1, y1, x2, y1, 1), _Stroke(x2, y1, x2, y2, 1))
    for guide in layout.guides:
        if guide.vertical:
            yield _Stroke(x(guide.at), 0, x(guide.at), layout.y.pixels, 0.6)
        else:
            yield _Stroke(0, y(guide.at), layout.x.pixels, y(guide.at), 0.6)


class _Placing:
    """Chooses the places of labels inside a plot one after the other."""

    def __init__(self, chart: LineChart, panel: Panel, layout: LineLayout, style: Style) -> None:
        self.chart, self.layout, self.style = chart, layout, style
        self.strokes = list(_strokes(chart, panel, layout, style))
        self.labels: list[_Box] = []

    def takes(self, left: float, bottom: float, width: float) -> bool:
        """Whether a label has a free place there; if so, it takes the place."""
        box = _Box(left, bottom, left + width, bottom + self.style.label)
        inside = left >= 0 and bottom >= 0 and box.right <= self.layout.x.pixels and box.top <= self.layout.y.pixels
        if not inside or any(stroke.hits(box) for stroke in self.strokes):
            return False
        if any(box.left < b.right and b.left < box.right and box.bottom < b.top and b.bottom < box.top
               for b in self.labels):  # fmt: skip
            return False
        self.labels.append(box)
        return True

    def across(self, guide: Guide) -> AcrossLabel | None:
        """First at the ends of a guide, then along it."""
        width = text_width(guide.label, self.style.label)
        line, far = self.layout.y.place(guide.at), self.layout.x.pixels - width - _END
        bottoms = {False: line + _GUIDE_GAP, True: line - _GUIDE_GAP - self.style.label}
        for below, bottom in bottoms.items():
            for right in (False, True):
                if self.takes(far if right else _END, bottom, width):
                    return AcrossLabel(guide.at, guide.label, below, right=right)
        for i in range(max(0, math.ceil((far - _END) / _STEP))):
            for below, bottom in bottoms.items():
                if self.takes(_END + i * _STEP, bottom, width):
                    return AcrossLabel(guide.at, guide.label, below, self.layout.x.value_at(_END + i * _STEP))
        return None

    def side(self, mark: Mark) -> int | None:
        """The first free side of a mark, as a place in SIDES."""
        width, height = text_width(mark.label, self.style.label), self.style.label

        def start(middle: float, direction: int, away: float, size: float) -> float:
            return middle - size / 2 if direction == 0 else middle + away if direction > 0 else middle - away - size

        for number, side in enumerate(SIDES):
            right, up = label_gap(self.chart, side, self.style)
            left = start(self.layout.x.place(mark.x), side.right, right, width)
            if self.takes(left, start(self.layout.y.place(mark.y), side.up, up, height), width):
                return number
        return None


def lay_out_panel(chart: LineChart, panel: Panel, width: float, height: float, style: Style) -> LineLayout:
    xs, ys = extent(chart, panel, True), extent(chart, panel, False)
    quantity = y_of(chart, panel)
    if panel.y is None and ys[0] > 0 and ys[1] / ys[0] > LOG_FROM_RATIO:
        quantity = replace(quantity, log=True)
    x, y = lay_out(chart.x, *xs, width), lay_out(quantity, *ys, height, vertical=True)
    seen = [guide for guide in guides_of(chart, panel)
            if (x.low <= guide.at <= x.high if guide.vertical else y.low <= guide.at <= y.high)]  # fmt: skip
    layout = LineLayout(x, y, seen)
    rows = _Rows(x, style)
    band_labels: list[tuple[float, str]] = []
    for band in panel.bands:
        low, high = max(band.low, x.low), min(band.high, x.high)
        if low > high:
            continue
        layout.bands.append((low, high))
        if band.label:
            band_labels.append((math.sqrt(low * high), band.label))
    layout.band_labels = rows.spread(band_labels)
    layout.down, rows = _labels_down([guide for guide in seen if guide.vertical], rows)
    placing = _Placing(chart, panel, layout, style)
    for guide in seen:
        if guide.vertical or not guide.label:
            continue
        if label := placing.across(guide):
            layout.across.append(label)
        else:
            layout.top.append(rows.put(x.low, 0, "- - " + guide.label))
    for number, mark in enumerate(panel.marks):
        if mark.label and (side := placing.side(mark)) is not None:
            layout.sides[number] = side
    layout.rows = len(rows.rows)
    return layout
