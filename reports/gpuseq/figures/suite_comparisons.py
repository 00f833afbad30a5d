"""suite/devices and suite/same_states: devices compared on the same problems and on the same cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from gpuseq.charts.values import MOST_PANELS, Quantity, RowChart, RowMark, RowPanel, sort_rows
from gpuseq.drawing import Figure, NotDrawn, heading, keep_fastest, note_left_out, why_none_of_kernels
from gpuseq.published import Published
from gpuseq.runs import Record, Report, point_text
from gpuseq.text import plural
from gpuseq.units import Unit, format_value, rate_text
from gpuseq.words import (
    problem_name,
    problem_order,
    rate_of,
    reference_bases,
    tips_of,
    variant_name,
    with_point_words,
)


@dataclass
class _Candidates:
    """The fastest of each device on a problem, for each prefix table or kind of result, and of each external tool."""

    title: str
    reference_bases: float
    fastest: dict[str, Record] = field(default_factory=dict[str, Record])

    def ours(self) -> list[Record]:
        return [record for record in self.fastest.values() if not record.is_tool]

    def devices(self) -> set[str]:
        return {record.device_name for record in self.ours()}


def _candidates(report: Report) -> list[_Candidates]:
    """Problems that a second device or an external tool has; those of most devices and large references first."""
    problems: dict[tuple[str, list[tuple[int, int, str]]] | str, _Candidates] = {}
    order: dict[str, tuple[str, list[tuple[int, int, str]]]] = {}
    for family in report.kernel_families():
        for record in report.settled(family, tools=True):
            key = f"{family} {point_text(record.problem)}"
            order[key] = problem_order(record)
            candidates = problems.setdefault(key, _Candidates("", 0))
            candidates.title = f"{family}: {problem_name(record)}"
            candidates.reference_bases = reference_bases(record) or 0
            tool = f"{variant_name(record)}, {record.device_name}"
            row = tool if record.is_tool else with_point_words(record.device_name, record)
            keep_fastest(candidates.fastest, row, record)
    shown = [
        problems[key]
        for key in sorted(order, key=lambda key: order[key])
        if problems[key].ours()
        and (len(problems[key].devices()) > 1 or len(problems[key].ours()) < len(problems[key].fastest))
    ]
    return sorted(shown, key=lambda one: (-len(one.devices()), -one.reference_bases))


def draw_devices(figure: Figure, report: Report, published: Published) -> RowChart:
    chart = RowChart(Quantity("rate over that of our slowest", Unit.ratio, log=True), series_title="device")
    found = _candidates(report)
    if not found:
        raise NotDrawn(why_none_of_kernels(report, "a problem that a second device or external tool has"))
    used: list[Record] = []
    for candidates in found[:MOST_PANELS]:
        slowest = min(record.rate for record in candidates.ours())
        panel = RowPanel(candidates.title)
        for row, record in sorted(candidates.fastest.items()):
            ratio = rate_of(record, 1 / slowest)
            detail = rate_text(record.rate, record.rate_unit) + ("" if record.is_tool else f", {record.variant}")
            panel.marks.append(RowMark(
                row, ratio.value, ratio.low, ratio.high, record.device_name, format_value(ratio.value, Unit.ratio),
                detail, hollow=record.is_tool, record=record.index,
                tips=tips_of(record, rate_of(record), Unit.number_si)))  # fmt: skip
            used.append(record)
        sort_rows(panel)
        chart.panels.append(panel)
    chart.series = sorted({record.device_name for record in used})
    notes = ["The fastest variant of each device; 1 is the slowest of ours on the problem."]
    note_left_out(len(chart.panels), len(found), "problems", notes)
    chart.heading = heading(figure, report, used, notes)
    return chart


SameCase = dict[str, Record]
"""One case on every device that has it, by the name of the device."""
Rows = dict[tuple[str, str], list[tuple[float, Record, Record]]]
"""By device and by the bound on the baseline: ratio, record, and the record on the baseline; ratios ascend."""


def _by_case(record: Record) -> str:
    return f"{record.variant}/{point_text(record.problem)}/{point_text(record.point)}"


def same_cases(report: Report, key_of: Callable[[Record], str | None] = _by_case) -> dict[str, list[SameCase]]:
    """Cases that several devices have, by family. Records with one key are one case; those without a key are left out."""
    shared: dict[str, list[SameCase]] = {}
    for family in report.kernel_families():
        cases: dict[str, SameCase] = {}
        for record in report.settled(family):
            if (key := key_of(record)) is not None:
                cases.setdefault(key, {}).setdefault(record.device_name, record)
        several = [cases[key] for key in sorted(cases) if len(cases[key]) > 1]
        if several:
            shared[family] = several
    return shared


def _rows(cases: list[SameCase], baseline: str) -> Rows:
    rows: Rows = {}
    for case in cases:
        base = case.get(baseline)
        if base is None:
            continue
        bound = base.bound["bound_by"] if base.bound else "no bound"
        for device, record in case.items():
            if device != baseline:
                rows.setdefault((device, bound), []).append((record.rate / base.rate, record, base))
    for ratios in rows.values():
        ratios.sort(key=lambda ratio: ratio[0])
    return rows


def median_marks(row: str, device: str, ratios: list[tuple[float, Record, Record]]) -> list[RowMark]:
    """A tick per case, and a mark at the median from quartile to quartile."""

    def at(share: float) -> tuple[float, Record, Record]:
        return ratios[int(share * (len(ratios) - 1) + 0.5)]

    def tips(record: Record) -> list[tuple[str, str]]:
        return tips_of(record, rate_of(record), Unit.number_si)

    marks = [
        RowMark(row, ratio, ratio, ratio, device, minor=True, record=record.index, tips=tips(record))
        for ratio, record, _ in ratios
    ]
    median, record, _ = at(0.5)
    marks.append(RowMark(row, median, at(0.25)[0], at(0.75)[0], device, format_value(median, Unit.ratio),
                         plural(len(ratios), "case"), record=record.index, tips=tips(record)))  # fmt: skip
    return marks


def draw_same_states(figure: Figure, report: Report, published: Published) -> RowChart:
    shared = same_cases(report)
    if not shared:
        raise NotDrawn(why_none_of_kernels(report, "a case that a second device has"))
    counts: dict[str, int] = {}
    for cases in shared.values():
        for case in cases:
            for device in case:
                counts[device] = counts.get(device, 0) + 1
    baseline = max(sorted(counts), key=lambda device: counts[device])
    chart = RowChart(Quantity(f"rate over that of {baseline}", Unit.ratio, log=True), series_title="device")
    used: dict[int, Record] = {}
    devices: set[str] = set()
    for family, cases in shared.items():
        rows = _rows(cases, baseline)
        if not rows or len(chart.panels) == MOST_PANELS:
            continue
        panel = RowPanel(family)
        devices |= {device for device, _ in rows}
        for (device, bound), ratios in sorted(rows.items()):
            row = bound if len(rows) == 1 or len(devices) == 1 else f"{bound}, {device}"
            panel.marks += median_marks(row, device, ratios)
            used |= {record.index: record for _, *both in ratios for record in both}
        medians = sorted((-mark.value, mark.row) for mark in panel.marks if not mark.minor)
        panel.rows = [row for _, row in medians]
        chart.panels.append(panel)
    chart.series = sorted(devices)
    notes = [f"Rows: the bound of a case on {baseline}. Thin ticks: every case that both have; large mark: their median, "
             "from quartile to quartile."]  # fmt: skip
    chart.heading = heading(figure, report, [used[index] for index in sorted(used)], notes)
    return chart
