"""From the first kernel of Payne et al. to their last, a step at a time, by batches of launches and by single ones."""

from __future__ import annotations

from gpuseq.charts.values import MOST_PANELS, Quantity, RowChart, RowMark, RowPanel
from gpuseq.drawing import Figure, NotDrawn, heading, note_left_out, why_none
from gpuseq.figures.common.pools import (
    Candidates,
    Pool,
    declare_data_sets,
    name_of_alike,
    note_data_sets,
    problem_of_alike,
)
from gpuseq.published import Published
from gpuseq.runs import Record, Report, dict_at, number_at
from gpuseq.units import Unit, format_value
from gpuseq.words import Rate

FAMILY = "pairwise_distance"
STEPS = ("naive", "coalesced", "char4", "register", "shared")  # in the paper's order
BATCHES, SINGLE = "batches of launches", "single launches"


def seconds_of_batches(record: Record) -> Rate:
    statistics = record.data["statistics"]
    median = float(statistics["median_s"])
    low, high = number_at(statistics, "low_s"), number_at(statistics, "high_s")
    return Rate(median, median if low is None else low, median if high is None else high)


def _of_single(record: Record) -> Rate:
    median = number_at(dict_at(record.data, "single_launch"), "median_s") or 0.0
    return Rate(median, median, median)


def _has_single(record: Record) -> bool:
    return _of_single(record).value > 0


def draw_steps(figure: Figure, report: Report, _published: Published) -> RowChart:
    groups: dict[tuple[str, str], dict[str, list[Record]]] = {}
    for record in report.settled(FAMILY):
        if record.on_gpu and record.variant in STEPS:
            group = groups.setdefault((record.device_name, problem_of_alike(record)), {})
            group.setdefault(record.variant, []).append(record)
    found = [groups[key] for key in sorted(groups) if len(groups[key]) > 1]
    panels = [panel for group in found for panel in ((group, BATCHES), (group, SINGLE)) if _measured(*panel)]
    if not panels:
        raise NotDrawn(why_none(report, FAMILY, "two steps of the paper on one problem"))
    chart = RowChart(Quantity("time of all pairs", Unit.seconds, log=True), series_title="device")
    pools: list[Pool] = []
    for group, timing in panels[:MOST_PANELS]:
        of_panel = [Pool(candidates.fastest(), seconds_of_batches if timing == BATCHES else _of_single)
                    for candidates in _in_order(group, timing)]  # fmt: skip
        first = of_panel[0].typical
        panel = RowPanel(f"{first.device_name}: {name_of_alike(first)}, {timing}", marks=_marks(of_panel))
        panel.rows = [mark.row for mark in panel.marks]
        declare_data_sets(of_panel, panel.marks)
        pools += of_panel
        chart.panels.append(panel)
    chart.series = sorted({pool.typical.device_name for pool in pools})
    notes = ["In the paper's order. Next to a time: the gain over the row above."]
    note_data_sets(pools, notes)
    note_left_out(len(chart.panels), len(panels), "panels", notes)
    chart.heading = heading(figure, report, [record for pool in pools for record in pool.records], notes)
    return chart


def _measured(group: dict[str, list[Record]], timing: str) -> bool:
    """Launches that are long enough are not timed in batches: they have no single ones apart."""
    return timing == BATCHES or sum(any(map(_has_single, records)) for records in group.values()) > 1


def _in_order(group: dict[str, list[Record]], timing: str) -> list[Candidates]:
    steps: list[Candidates] = []
    for step in STEPS:
        records = [record for record in group.get(step, []) if timing == BATCHES or _has_single(record)]
        if records:
            steps.append(Candidates())
            for record in records:
                steps[-1].add(record)
    return steps


def _marks(pools: list[Pool]) -> list[RowMark]:
    marks: list[RowMark] = []
    before = 0.0
    for pool in pools:
        rate = pool.rate
        marks.append(RowMark(
            pool.typical.variant, rate.value, rate.low, rate.high, series=pool.typical.device_name,
            label=format_value(rate.value, Unit.seconds),
            detail=format_value(before / rate.value, Unit.ratio) if before else "",
            record=pool.typical.index, tips=pool.tips(Unit.seconds)))  # fmt: skip
        before = rate.value
    return marks
