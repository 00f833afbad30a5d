"""Row charts of rates as rows: `Rows` describes one by functions of a record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from gpuseq.charts.values import MOST_PANELS, Quantity, RowChart, RowMark, RowPanel, sort_rows
from gpuseq.drawing import Figure, NotDrawn, heading, note_left_out, why_none
from gpuseq.figures.common.lines import fastest, grouped, query_rates
from gpuseq.published import Fact, Published, credit, papers_of
from gpuseq.runs import Record, Report
from gpuseq.text import natural_order
from gpuseq.units import Unit, format_value
from gpuseq.words import rate_of, tips_of


def rate_mark(record: Record, row: str, detail: str = "", unit: Unit = Unit.bases_per_s) -> RowMark:
    """The rate of a record, in the series of its device; hollow for an external tool."""
    rate = rate_of(record)
    return RowMark(row, rate.value, rate.low, rate.high, record.device_name, format_value(rate.value, unit), detail,
                   hollow=record.is_tool, record=record.index, tips=tips_of(record, rate, unit))  # fmt: skip


def published_mark(fact: Fact, series: str, unit: Unit, with_device: bool = True) -> RowMark:
    return RowMark(f"{fact.label}, {fact.device}" if with_device else fact.label, fact.value, fact.value, fact.value, series,
                   format_value(fact.value, unit), "from a ratio" if fact.derived else "",
                   tips=fact.tips(unit))  # fmt: skip


def labels_repeat(facts: list[Fact]) -> bool:
    """Whether the labels of published values need their devices."""
    return len({fact.label for fact in facts}) < len(facts)


def published_series(facts: list[Fact]) -> str:
    return f"published ({papers_of(facts)})"


_Best = dict[tuple[str, str], Record]
"""The fastest record of each row and series."""


@dataclass(frozen=True)
class Rows:
    """Draws the fastest record of each row and series, the largest on top, in a panel for each group of records."""

    family: str
    row: Callable[[Record], str]
    panel: Callable[[Record], Any]  # a sort key, equal for the records of a panel
    title: Callable[[Record], str]  # of the panel of a record
    need: str  # the property that a report lacks where nothing is drawn
    value: Quantity = field(default_factory=lambda: query_rates(log=True))
    series: Callable[[Record], str] = lambda record: record.device_name
    series_title: str = "device"
    series_falling: bool = False  # the legend starts with the largest number
    where: Callable[[Record], bool] = lambda record: True
    detail: Callable[[Record], str] = lambda record: ""  # behind the label
    mark: Callable[[RowMark], RowMark] = lambda mark: mark  # changes a mark
    tools: bool = False  # with external tools
    least_series: int = 1  # panels with fewer are left out
    notes: tuple[str, ...] = ()
    more_notes: Callable[[list[Record]], list[str]] = lambda used: []
    alike: Callable[[Record], Any] | None = None  # of panels with an equal value, that with the most rows is drawn
    alike_note: str = ""  # where panels are left out
    panels: str = "panels"  # "problems": the plural of what a panel shows
    published: str = ""  # the subject of published values, which stand in the first panel

    def draw(self, figure: Figure, report: Report, published: Published) -> RowChart:
        records = [record for record in report.settled(self.family, tools=self.tools) if self.where(record)]
        panels = [fastest(group, self._row_and_series) for group in grouped(records, self.panel).values()]
        panels = [best for best in panels if len({series for _, series in best}) >= self.least_series]
        if not panels:
            raise NotDrawn(why_none(report, self.family, self.need))
        different = self._different(panels)
        shown = different[:MOST_PANELS]
        used = [record for best in shown for record in best.values()]
        series = natural_order({series for best in shown for _, series in best})
        chart = RowChart(replace(self.value), series_title=self.series_title,
                         series=series[::-1] if self.series_falling else series,
                         panels=[self._panel(best) for best in shown])  # fmt: skip
        notes = [*self.notes, *self.more_notes(used)]
        notes += [self.alike_note] if len(different) < len(panels) else []
        note_left_out(len(shown), len(different), self.panels, notes)
        if self.published and (facts := published.find(figure.name, "value")):
            chart.series.append(published_series(facts))
            chart.panels[0].marks += [
                published_mark(fact, chart.series[-1], self.value.unit, labels_repeat(facts)) for fact in facts
            ]
            notes.append(f"Published, in grey: {self.published}, {credit(facts)}.")
        for panel in chart.panels:
            sort_rows(panel)
        chart.heading = heading(figure, report, used, notes)
        return chart

    def _different(self, panels: list[_Best]) -> list[_Best]:
        """In their order; of equal numbers of rows, the first."""
        if self.alike is None:
            return panels
        kept: dict[Any, _Best] = {}
        for best in panels:
            key = self.alike(next(iter(best.values())))
            if key not in kept or len(best) > len(kept[key]):
                kept[key] = best
        return [best for best in panels if any(best is other for other in kept.values())]

    def _row_and_series(self, record: Record) -> tuple[str, str]:
        return self.row(record), self.series(record)

    def _panel(self, best: _Best) -> RowPanel:
        panel = RowPanel(self.title(next(iter(best.values()))))
        ending = self._common_ending([row for row, _ in best])
        panel.title += ending
        for (row, series), record in best.items():
            mark = rate_mark(record, row.removesuffix(ending), self.detail(record), self.value.unit)
            panel.marks.append(self.mark(replace(mark, series=series)))
        return panel

    def _common_ending(self, rows: list[str]) -> str:
        """The words behind the last comma that all rows have, as in ", prefix table of 8"."""
        endings = {", " + row.rpartition(", ")[2] for row in rows}
        return endings.pop() if self.alike and len(endings) == 1 and len(rows) > 1 else ""
