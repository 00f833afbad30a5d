"""A panel for each problem of a family with a row for each variant, its fastest configuration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gpuseq.charts.values import MOST_PANELS, Quantity, RowChart, RowMark, RowPanel, sort_rows
from gpuseq.drawing import Figure, NotDrawn, heading, why_none
from gpuseq.figures.common.pools import (
    Candidates,
    Pool,
    declare_data_sets,
    name_of_alike,
    note_data_sets,
    problem_of_alike,
)
from gpuseq.published import Fact, Published, credit, papers_of
from gpuseq.runs import Record, Report
from gpuseq.units import format_value
from gpuseq.words import Rate, axis_text, rate_of, thread_words, variant_name


def variant_row(record: Record) -> str:
    """ "bit_planes, avx512, 1 thread": the variant, and on a CPU its vectors and threads."""
    row = variant_name(record)
    if record.on_gpu:
        return row
    target, threads = axis_text(record, "target"), axis_text(record, "threads")
    row += f", {target}" if target not in ("", "best") else ""
    return row if record.is_tool and threads else f"{row}, {thread_words(threads or '1')}"


def bound_percent(record: Record) -> str:
    """ "50 % of its bound"; empty where the record has none."""
    return "" if record.bound is None else f"{100 * record.bound['fraction']:.0f} % of its bound"


@dataclass(frozen=True)
class VariantRows:
    """The records of a family, and how rows show them."""

    family: str
    quantity: Quantity
    label_unit: str = ""  # behind the value next to a mark
    value: Callable[[Record], Rate] = rate_of
    detail: Callable[[Record], str] | None = None  # behind the label
    stated_of: Callable[[Fact, Record], bool] | None = None  # whether the paper states the value for this problem
    row: Callable[[Record], str] = variant_row
    order: Callable[[Record], tuple[float, float]] = lambda record: (
        record.work,
        0.0,
    )  # of the panels, then by the name of the problem
    tools: bool = False  # with external tools
    stated_only: bool = False  # where the paper states values for a problem, only that problem is drawn

    def draw(self, figure: Figure, report: Report, published: Published) -> RowChart:
        problems: dict[tuple[tuple[float, float], str], dict[str, Candidates]] = {}
        for record in report.settled(self.family, tools=self.tools):
            rows = problems.setdefault((self.order(record), problem_of_alike(record)), {})
            rows.setdefault(record.device_name + self.row(record), Candidates()).add(record)
        if not problems:
            raise NotDrawn(why_none(report, self.family, "a rate"))
        facts = published.find(figure.name, "value")
        theirs = f"published ({papers_of(facts)})"
        chart = RowChart(self.quantity, series_title="device")
        pools: list[Pool] = []
        stated = [
            problem for problem in sorted(problems) if self.stated_only and self._has_stated(facts, problems[problem])
        ]
        shown = (stated or sorted(problems))[:MOST_PANELS]
        for problem in shown:
            rows = problems[problem]
            of_panel = [Pool(rows[row].fastest(), self.value) for row in sorted(rows)]
            panel = RowPanel(name_of_alike(of_panel[0].typical), marks=[self._mark(pool) for pool in of_panel])
            declare_data_sets(of_panel, panel.marks)
            panel.marks += self._stated(facts, of_panel[0].typical, theirs)
            sort_rows(panel)
            pools += of_panel
            chart.panels.append(panel)
        chart.series = sorted({pool.typical.device_name for pool in pools})
        notes = ["Each mark: the fastest configuration of its variant."]
        note_data_sets(pools, notes)
        if len(problems) > len(shown):
            notes.append(f"{len(shown)} of {len(problems)} problems.")
        if any(mark.series == theirs for panel in chart.panels for mark in panel.marks):
            chart.series.append(theirs)
            notes.append(f"Hollow: published, {credit(facts)}.")
        chart.heading = heading(figure, report, [record for pool in pools for record in pool.records], notes)
        return chart

    def _has_stated(self, facts: list[Fact], rows: dict[str, Candidates]) -> bool:
        typical = Pool(next(iter(rows.values())).fastest(), self.value).typical
        return bool(self._stated(facts, typical, ""))

    def _mark(self, pool: Pool) -> RowMark:
        record, rate = pool.typical, pool.rate
        return RowMark(
            self.row(record), rate.value, rate.low, rate.high, series=record.device_name,
            label=format_value(rate.value, self.quantity.unit) + self.label_unit,
            detail=self.detail(record) if self.detail else "", hollow=record.is_tool, record=record.index,
            tips=pool.tips(self.quantity.unit),
        )  # fmt: skip

    def _stated(self, facts: list[Fact], record: Record, series: str) -> list[RowMark]:
        return [
            RowMark(
                f"{fact.label} (published)" if self.stated_only else f"{fact.label}, {fact.device}", fact.value, fact.value, fact.value, series=series,
                label=format_value(fact.value, self.quantity.unit) + self.label_unit, hollow=True,
                tips=fact.tips(self.quantity.unit),
            )
            for fact in facts
            if self.stated_of and self.stated_of(fact, record)
        ]  # fmt: skip
