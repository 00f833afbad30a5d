"""exact-match/speedup: rates over that of one CPU thread, of the kernel alone and with the phases around it."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpuseq.charts.values import MOST_PANELS, Guide, LineChart, Mark, Panel, Quantity
from gpuseq.drawing import Figure, NotDrawn, heading, keep_fastest, why_none
from gpuseq.figures.common.published_schemes import as_published
from gpuseq.figures.common.variant_rows import variant_row
from gpuseq.phases import PhaseTimes
from gpuseq.published import Fact, Published, credit
from gpuseq.runs import Record, Report, number_at, point_text, text_at, word_at
from gpuseq.units import Unit, rate_text
from gpuseq.words import Rate, axis_text, errors_of, rate_of, tips_of, variant_name, without

FAMILY = "exact_match"
HEADING = "Exact matches"

_TRANSFERS = {"upload_index", "queries", "locking", "download"}
TIMINGS = {  # the phases that count besides the kernel; published values name one of these in `timed`
    "kernel alone": set[str](),
    "with transfers": _TRANSFERS,
    "with transfers and output": _TRANSFERS | {"listing", "printing"},
}

MUMMERGPU = "MUMmerGPU"  # the published kernel and its traversal on a core


def query_length(record: Record) -> float | None:
    """Bases of a query, on average."""
    bases, queries = number_at(record.facts, "query_bases"), number_at(record.facts, "query_count")
    return bases / queries if bases and queries and bases > 0 and queries > 0 else None


def min_length(record: Record) -> float | None:
    return number_at(record.facts, "min_length")


def row_of(record: Record) -> str:
    """ "tree_words, slots, 1 thread": the variant, its result, and on a CPU its threads."""
    row, name, result = variant_row(record), variant_name(record), axis_text(record, "result")
    return f"{name}, {result}{row[len(name) :]}" if result else row


def _is_base(record: Record) -> bool:
    """The traversal as the paper ported it to the CPU: one query after the other on one thread."""
    return record.variant == "tree" and axis_text(record, "threads") == axis_text(record, "in_flight") == "1"


@dataclass
class _Curves:
    """The records of the one thread by length of queries, and all others by series and length."""

    base: dict[float, Record] = field(default_factory=dict[float, Record])
    others: dict[tuple[str, float], list[Record]] = field(default_factory=dict[tuple[str, float], list[Record]])


Groups = dict[tuple[str, str], _Curves]
"""By problem, without the length of its queries, and CPU."""


def _groups(report: Report) -> Groups:
    records = [
        (record, length)
        for record in report.settled(FAMILY)
        if (length := query_length(record)) is not None
        and length == min_length(record)
        and axis_text(record, "result") != "matches"
    ]
    groups: Groups = {}
    for record, length in records:
        if _is_base(record):
            problem = without(record.problem, {"query_bases", "query_count", "min_length"})
            keep_fastest(groups.setdefault((problem, record.device_name), _Curves()).base, length, record)
    for curves in groups.values():
        for record, length in records:
            base = curves.base.get(length)
            if base and base.problem == record.problem and not _is_base(record):
                series = f"{as_published(variant_row(record), record, MUMMERGPU)}, {record.device_name}"
                curves.others.setdefault((series, length), []).append(record)
    return {key: groups[key] for key in sorted(groups) if groups[key].others}


def _seconds(times: PhaseTimes, record: Record, phases: set[str]) -> float | None:
    """Seconds of a timing; None where a record lacks one of its phases."""
    of_record = times.of(record)
    # A CPU transfers nothing, and pages that were locked before take no time.
    needed = phases - {"locking"} - (set[str]() if record.on_gpu else _TRANSFERS)
    if not needed <= of_record.keys():
        return None
    return of_record["kernel"] + sum(seconds for phase, seconds in of_record.items() if phase in phases)


def _ratio(times: PhaseTimes, record: Record, base: Record, phases: set[str]) -> Rate | None:
    """The rate over that of the thread; phases around the kernel have no interval, as they were timed once or twice."""
    if not phases:
        own, other = rate_of(record), rate_of(base)
        return Rate(own.value / other.value, own.low / other.high, own.high / other.low)
    seconds, base_seconds = _seconds(times, record, phases), _seconds(times, base, phases)
    if seconds is None or base_seconds is None:
        return None
    ratio = record.work / seconds / (base.work / base_seconds)
    return Rate(ratio, ratio, ratio)


def _mark(series: str, length: float, record: Record, base: Record, ratio: Rate, timing: str) -> Mark:
    tips = tips_of(record, ratio, Unit.ratio)
    over = f"{rate_text(base.rate, base.rate_unit)} of {base.device_name}, {point_text(base.point)}"
    tips += [("Timed", timing), ("Kernel's rate", rate_text(record.rate, record.rate_unit)), ("Over", over)]
    return Mark(length, ratio.value, ratio.low, ratio.high, series, record=record.index, tips=tips,
                terms=[("timed", timing)])  # fmt: skip


def _panel(times: PhaseTimes, cpu: str, curves: _Curves, timing: str) -> Panel:
    """One timing of a group; without marks where no record has it."""
    problem = curves.base[min(curves.base)].problem
    panel = Panel(
        f"{timing}: queries in {word_at(problem, 'reference')}, {errors_of(problem)}, over {cpu}", guided=False
    )
    for series, length in sorted(curves.others):
        base = curves.base[length]
        ratios = [(record, _ratio(times, record, base, TIMINGS[timing])) for record in curves.others[series, length]]
        known = [(record, ratio) for record, ratio in ratios if ratio and ratio.value > 0]
        if known:
            record, ratio = max(known, key=lambda pair: pair[1].value)
            panel.marks.append(_mark(series, length, record, base, ratio, timing))
    return panel


def _base_note(cpu: str, curves: _Curves) -> str:
    rates = sorted(record.rate for record in curves.base.values())
    unit = next(iter(curves.base.values())).rate_unit
    low = f"{rate_text(rates[0], unit)} to " if rates[0] < rates[-1] else ""
    return f"1 is tree on one thread of {cpu}, one query at a time: {low}{rate_text(rates[-1], unit)}."


class _Speedup:
    def draw(self, figure: Figure, report: Report, published: Published) -> LineChart:
        chart = LineChart(
            Quantity("bases of a query, and of a match", Unit.number, log=True),
            Quantity("rate over that of one CPU thread", Unit.ratio, log=True),
            series_title="variant",
        )
        notes = [
            "Each mark: the fastest configuration, by the time that counts, of a variant with result = slots. Transfers: "
            "tree and queries to the GPU, slots back, pages locked for them. Output: matches listed by all threads and "
            "printed by one, on either side."
        ]
        times = PhaseTimes(report)
        for (_, cpu), curves in _groups(report).items():
            for timing, phases in TIMINGS.items():
                panel = _panel(times, cpu, curves, timing)
                shown = panel.marks and (not phases or self._on_gpu(report, panel))  # CPUs transfer nothing
                if shown and len(chart.panels) < MOST_PANELS:
                    chart.panels.append(panel)
            notes.append(_base_note(cpu, curves))
        marks = [(mark, report.records[mark.record or 0]) for panel in chart.panels for mark in panel.marks]
        if not marks:
            need = "matches of whole queries, and those of one CPU thread, a query at a time"
            raise NotDrawn(why_none(report, FAMILY, need))
        chart.x.ticks = sorted({mark.x for mark, _ in marks})
        chart.series = [name for _, name in sorted({(not record.on_gpu, mark.series) for mark, record in marks})]
        self._add_published(figure, report, published, chart, notes)
        used = sorted({record.index for _, record in marks})
        chart.heading = heading(figure, report, [report.records[index] for index in used], notes)
        return chart

    @staticmethod
    def _on_gpu(report: Report, panel: Panel) -> bool:
        return any(report.records[mark.record or 0].on_gpu for mark in panel.marks)

    def _add_published(self, figure: Figure, report: Report, published: Published, chart: LineChart,
                       notes: list[str]) -> None:  # fmt: skip
        """Published values of GPUs are in the panels of GPUs with the same timing."""
        drawn: list[Fact] = []
        for panel in chart.panels:
            for fact in published.find(figure.name, "guide") if self._on_gpu(report, panel) else []:
                timed = ("timed", text_at(fact.at, "timed"))
                if panel.marks[0].terms[0] == timed:
                    panel.guides.append(Guide(fact.axis == "x", fact.value, fact.label, [timed]))
                    drawn += [fact] if fact not in drawn else []
        if drawn:
            notes.append(f"Dashed grey lines: published, {credit(drawn)}.")


SPEEDUP = _Speedup()
