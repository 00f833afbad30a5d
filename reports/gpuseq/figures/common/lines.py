"""Line charts of rates as rows: `Lines` describes one by functions of a record.

Figure("fm-index/fig7", "Rate over sampling distance by scheme", HEADING,
       "How the rate of each scheme falls with larger blocks.",
       Lines("fm_index", where=has_one_step, x=distance, series=variant, panel=by_problem, title=problem_title,
             x_axis=Quantity("sampling distance d", log=True), series_title="variant", least_x=2,
             need="two or more values of d at k=1").draw)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from gpuseq.charts.values import MOST_PANELS, MOST_SERIES, LineChart, Mark, Panel, Quantity
from gpuseq.drawing import Figure, NotDrawn, add_guides, heading, keep_fastest, note_left_out, why_none
from gpuseq.published import Published
from gpuseq.runs import Record, Report
from gpuseq.text import natural_order
from gpuseq.units import Unit
from gpuseq.words import rate_of, tips_of

_Key = TypeVar("_Key")
Best = dict[tuple[str, str, float], Record]
"""The fastest record of each series and dash at each x."""


def grouped(records: list[Record], key: Callable[[Record], _Key]) -> dict[_Key, list[Record]]:
    """Records by a key, in the order of the keys."""
    groups: dict[Any, list[Record]] = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
    return {key: groups[key] for key in sorted(groups)}


def fastest(records: list[Record], key: Callable[[Record], _Key]) -> dict[_Key, Record]:
    """The fastest record of each key, in the order of the keys."""
    best: dict[Any, Record] = {}
    for record in records:
        keep_fastest(best, key(record), record)
    return {key: best[key] for key in sorted(best)}


def query_rates(log: bool = False) -> Quantity:
    return Quantity("query bases per second", Unit.bases_per_s, log)


@dataclass(frozen=True)
class Lines:
    """Draws the fastest record of each series at each x, in a panel for each group of records."""

    family: str
    x: Callable[[Record], float | None]  # None or 0: the record is not drawn
    series: Callable[[Record], str]
    panel: Callable[[Record], Any]  # a sort key, equal for the records of a panel
    title: Callable[[Record], str]  # of the panel of a record
    x_axis: Quantity
    series_title: str
    need: str  # the property that a report lacks where nothing is drawn
    y_axis: Quantity = field(default_factory=query_rates)
    where: Callable[[Record], bool] = lambda record: True
    one_of: Callable[[Record], Any] | None = None  # of its values the one with the most records of each device is drawn
    one_of_note: str = ""  # where there are several: "other reference sizes have fewer values"
    within: Callable[[list[Record]], list[Record]] = lambda records: records  # the records of a panel that count
    place: Callable[[Record], float] | None = None  # keeps the fastest at each value of this; None: at each x
    marks: Callable[[Record, Mark], list[Mark]] = lambda record, mark: [mark]  # changes a mark, or adds others
    dash_title: str = ""
    dashes: tuple[str, ...] = ()
    dash: Callable[[Record], str] | None = None  # the pattern of a record's line; None: `marks` may set one
    least_x: int = 1  # panels with fewer values of x are left out
    least_series: int = 1
    most_series_of: str = ""  # plural of a series; only those count that come closest to the fastest at some x
    always: Callable[[str], bool] = lambda series: False  # a series that is drawn in any case
    label_every_x: bool = False
    notes: tuple[str, ...] = ()
    more_notes: Callable[[list[Record]], list[str]] = lambda used: []
    panels: str = "panels"  # "panels, the largest references": those that are shown where there are too many

    def draw(self, figure: Figure, report: Report, published: Published) -> LineChart:
        records = [record for record in report.settled(self.family) if self.where(record) and self.x(record)]
        records, one_of_several = self._of_one(records)
        groups = [self.within(group) for group in grouped(records, self.panel).values()]
        panels = [fastest(group, self._series_and_place) for group in groups if group]
        all_series = {series for best in panels for series, _, _ in best}
        if self.most_series_of:
            keep_leaders(panels, self.always)
        panels = [best for best in panels if self._is_enough(best)]
        if not panels:
            raise NotDrawn(why_none(report, self.family, self.need))
        shown = panels[:MOST_PANELS]
        used = [record for best in shown for record in best.values()]
        series = {series for best in shown for series, _, _ in best}
        dashes = natural_order({dash for best in shown for _, dash, _ in best}) if self.dash else [*self.dashes]
        chart = LineChart(replace(self.x_axis), replace(self.y_axis), series_title=self.series_title,
                          series=natural_order(series), dash_title=self.dash_title, dashes=dashes,
                          panels=[self._panel(best) for best in shown])  # fmt: skip
        if self.label_every_x:
            chart.x.ticks = sorted({mark.x for panel in chart.panels for mark in panel.marks})
        notes = [*self.notes, *self.more_notes(used)] + ([self.one_of_note] if one_of_several else [])
        if self.most_series_of and len(series) < len(all_series):
            notes.append(f"{len(series)} of {len(all_series)} {self.most_series_of}: those that come closest to the "
                         "fastest at some x.")  # fmt: skip
        note_left_out(len(shown), len(panels), self.panels, notes)
        add_guides(figure, published, chart, notes)
        chart.heading = heading(figure, report, used, notes)
        return chart

    def _of_one(self, records: list[Record]) -> tuple[list[Record], bool]:
        """The records that count, and whether others were left out; of equal numbers, the first in the panels' order."""
        if self.one_of is None:
            return records, False
        kept: list[Record] = []
        for of_device in grouped(records, lambda record: record.device_name).values():
            groups = grouped(of_device, self.one_of).values()
            kept += max(groups, key=lambda group: len({record.case for record in group}))
        return kept, len(kept) < len(records)

    def _series_and_place(self, record: Record) -> tuple[str, str, float]:
        return self.series(record), self.dash(record) if self.dash else "", (self.place or self.x)(record) or 0

    def _is_enough(self, best: Best) -> bool:
        several = len({series for series, _, _ in best}) >= self.least_series
        return several and len({x for _, _, x in best}) >= self.least_x

    def _panel(self, best: Best) -> Panel:
        first = next(iter(best.values()))
        marks: list[Mark] = []
        for (series, dash, _), record in best.items():
            rate = rate_of(record)
            marks += self.marks(record, Mark(self.x(record) or 0, rate.value, rate.low, rate.high, series, dash=dash,
                                             synthetic=record.synthetic, disturbed=record.disturbed,
                                             record=record.index,
                                             tips=tips_of(record, rate, self.y_axis.unit)))  # fmt: skip
        return Panel(self.title(first), marks, guided=first.on_gpu)


def keep_leaders(panels: list[Best], always: Callable[[str], bool] = lambda series: False) -> None:
    """Keeps the series that `always` admits, then those that come closest to the fastest one at some x of a panel, at
    most MOST_SERIES of them."""
    closeness: dict[str, float] = {}
    for best in panels:
        highest: dict[float, float] = {}
        for (_, _, x), record in best.items():
            highest[x] = max(highest.get(x, 0), record.rate)
        for (series, _, x), record in best.items():
            closeness[series] = max(closeness.get(series, 0), record.rate / highest[x])
    leaders = sorted(sorted(closeness), key=lambda series: (not always(series), -closeness[series]))[:MOST_SERIES]
    for best in panels:
        for key in [key for key in best if key[0] not in leaders]:
            del best[key]
