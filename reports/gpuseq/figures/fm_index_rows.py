"""Figures of the FM-index with a row for each variant."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gpuseq.charts.values import MOST_PANELS, Quantity, RowChart, RowMark, RowPanel, sort_rows
from gpuseq.drawing import Figure, NotDrawn, heading, note_left_out, why_none
from gpuseq.figures.common.lines import fastest, grouped, query_rates
from gpuseq.figures.common.published_schemes import AS_PUBLISHED
from gpuseq.figures.common.rows import Rows, published_mark, published_series, rate_mark
from gpuseq.figures.fm_index_schemes import scheme_name, steps_text
from gpuseq.figures.fm_index_words import (
    HEADING,
    by_problem_and_words,
    layout_of,
    problem_and_words_title,
)
from gpuseq.published import Published, credit
from gpuseq.runs import Record, Report, dict_at, number_at, text_at, word_at
from gpuseq.units import Unit, format_value
from gpuseq.words import problem_name, reference_bases, variant_name, with_point_words, without


def layout_detail(record: Record) -> str:
    return layout_of(record).text + (", synthetic" if record.synthetic else "")


# Best rate of each variant


def scheme_row(record: Record) -> str:
    """ "task_parallel*, 1-step, prefix table of 8"; an external tool's k may be another's."""
    steps = steps_text(record).replace(", alternate counters", " alternate")
    words = [scheme_name(record).replace(AS_PUBLISHED, "*")] + ([steps] if steps and not record.is_tool else [])
    return with_point_words(", ".join(words), record)


def scheme_detail(record: Record) -> str:
    """The sampling distance; the steps are in the row."""
    distance = layout_of(record).d
    return f"d={distance}" if distance else ""


FIG5 = Figure("fm-index/fig5", "Best rate of each scheme by steps", HEADING,
              "The rate of the fastest configuration of each scheme, by the number of steps and device.",
              Rows("fm_index", tools=True,
                   panel=lambda record: (-(reference_bases(record) or 0), record.case[4]), title=problem_name,
                   row=scheme_row, detail=scheme_detail, published="human genome of 3 Gbases", need="a rate",
                   alike=lambda record: without(record.problem, {"reference_bases"}),
                   alike_note="The reference size with the most schemes; others have fewer.",
                   notes=("The fastest configuration of each scheme and number of steps with each prefix table. *: as published.",)).draw)  # fmt: skip


# Queries that do not occur

OCCURRING_AXIS = "occurring_percent"


def occurring_row(record: Record) -> str:
    """ "psi_lines k=13, early exit": the properties that shares are compared at."""
    k = number_at(record.point, "k")
    early = word_at(record.point, "early_exit") not in ("", "none")
    return record.variant + ("" if k is None else f" k={k:.0f}") + (", early exit" if early else "")


def occurring_words(record: Record) -> str:
    return f"{record.problem[OCCURRING_AXIS]} % occur"


def text_title(record: Record) -> str:
    """Device, text and queries without the share of queries that occur."""
    return f"{record.device_name}: {problem_name(record).replace(', ' + occurring_words(record), '', 1)}"


def without_label(mark: RowMark) -> RowMark:
    """The shares of a row have no space for labels."""
    return replace(mark, label="", detail="", terms=[("prefix table", "the fastest")])


OCCURRING = Figure("fm-index/occurring", "Queries that do not occur", HEADING,
                   "Which layouts gain where queries do not occur, and how much, by text.",
                   Rows("fm_index", row=occurring_row, series=occurring_words, series_title="queries",
                        where=lambda record: OCCURRING_AXIS in record.problem
                        and word_at(record.problem, "queries") == "sampled",
                        panel=lambda record: (record.device_name, without(record.problem, {OCCURRING_AXIS})),
                        title=text_title, mark=without_label, least_series=2, series_falling=True, panels="texts",
                        notes=("The fastest configuration of each row, with any prefix table and line size. Queries "
                               "that do not occur are random bases. Early exit: the first k bases of a query are "
                               "looked up before all steps.",),
                        need="a counterpart of another occurring_percent").draw)  # fmt: skip


# Share of the bound


def draw_bound(figure: Figure, report: Report, _published: Published) -> RowChart:
    """Every record as a tick, and the fastest of each variant as a mark."""
    groups = grouped([record for record in report.settled("fm_index") if record.bound], by_problem_and_words)
    if not groups:
        raise NotDrawn(why_none(report, "fm_index", "a bound"))
    shown = list(groups.values())[:MOST_PANELS]
    used = [record for group in shown for record in group]
    chart = RowChart(Quantity("fraction of the bound", Unit.share), series_title="variant",
                     series=sorted({record.variant for record in used}))  # fmt: skip
    for group in shown:
        best = fastest(group, lambda record: record.variant)
        panel = RowPanel(problem_and_words_title(group[0]), sorted(best, key=lambda variant: -best[variant].rate))
        for record in group:
            mark = rate_mark(record, record.variant, layout_detail(record))
            mark.series = record.variant
            mark.value = mark.low = mark.high = number_at(record.bound, "fraction") or 0
            mark.minor = best[record.variant] is not record
            mark.label = "" if mark.minor else mark.label
            panel.marks.append(mark)
        chart.panels.append(panel)
    notes = ["Thin ticks: every record; large mark: the fastest record of the variant, with its rate. The bound is the "
             "random-access bandwidth of this run over the blocks read per base."]  # fmt: skip
    note_left_out(len(shown), len(groups), "panels, the largest references", notes)
    chart.heading = heading(figure, report, used, notes)
    return chart


BOUND = Figure("fm-index/ceiling", "Fraction of the random-access bound", HEADING,
               "How close each variant comes to the rate that the memory allows.", draw_bound)  # fmt: skip


# Rate and energy by device


@dataclass(frozen=True)
class Efficiency:
    """Query bases per joule; nominal: of the power that the device may draw at most, as in the paper."""

    value: float
    nominal: bool


def efficiency_of(record: Record) -> Efficiency | None:
    if record.work_per_joule:
        return Efficiency(record.work_per_joule, nominal=False)
    watts = number_at(dict_at(record.provenance, "device"), "power_limit_w") or 0
    return Efficiency(record.rate / watts, nominal=True) if watts > 0 else None


def scheme_of(record: Record) -> str:
    """The schemes by which the paper compares devices."""
    if record.is_tool:
        return variant_name(record)
    return steps_text(record)


def common_problem(report: Report) -> list[Record]:
    """The records of the problem that the most devices measured; for equal numbers the largest reference."""
    problems = grouped(report.settled("fm_index", tools=True), lambda record: record.case[4])
    return max(problems.values(), default=list[Record](),
               key=lambda of: (len({record.fingerprint for record in of}), reference_bases(of[0]) or 0))  # fmt: skip


def draw_fig11(figure: Figure, report: Report, published: Published) -> RowChart:
    best = fastest(common_problem(report), lambda record: (scheme_of(record), record.device_name))
    if not best:
        raise NotDrawn(why_none(report, "fm_index", "a rate"))
    # The best configurations are measured again without energy; that of the earlier phase is used.
    measured = {record.case: record for record in report.settled(
        "fm_index", tools=True, having=lambda record: record.work_per_joule is not None)}  # fmt: skip
    rates = RowPanel("rate", value=query_rates(log=True))
    energy = RowPanel("energy", value=Quantity("query bases per joule", Unit.bases_per_joule, log=True))
    for (scheme, device), record in best.items():
        row = f"{with_point_words(scheme, record)}, {device}"
        rates.marks.append(rate_mark(record, row, layout_detail(record)))
        source = measured.get(record.case, record)
        if efficiency := efficiency_of(source):
            value = efficiency.value
            energy.marks.append(replace(
                rate_mark(source, row), value=value, low=value, high=value,
                label=format_value(value, Unit.bases_per_joule),
                detail="nominal" if efficiency.nominal else ""))  # fmt: skip
    used = list(best.values())
    notes = [f"{problem_name(used[0])}; the fastest configuration of each scheme."]
    if any(mark.detail == "nominal" for mark in energy.marks):
        notes.append("Nominal: the rate over the power limit of the device, as in the paper.")
    chart = RowChart(Quantity(), series_title="device", series=sorted({record.device_name for record in used}))
    if facts := published.find(figure.name, "value"):
        chart.series.append(published_series(facts))
        notes.append(f"Grey: published, human genome of 3 Gbases, energy nominal, {credit(facts)}.")
    for panel in (rates, energy):
        if not panel.marks or panel.value is None:
            notes.append("No record has energy, and no device states its power limit.")
            continue
        panel.marks += [published_mark(fact, chart.series[-1], panel.value.unit)
                        for fact in facts if text_at(fact.at, "panel") == panel.title]  # fmt: skip
        sort_rows(panel)
        chart.panels.append(panel)
    chart.heading = heading(figure, report, used, notes)
    return chart


FIG11 = Figure("fm-index/fig11", "Rate and energy by device", HEADING,
               "Which device searches fastest, and which with the least energy.", draw_fig11)  # fmt: skip
