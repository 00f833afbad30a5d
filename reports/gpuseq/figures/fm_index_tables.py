"""The tables of the paper: devices, and warp instructions per query base."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from gpuseq.charts.values import Quantity, RowChart, RowMark, RowPanel
from gpuseq.drawing import Figure, NotDrawn, heading, why_none
from gpuseq.figures.common.lines import fastest
from gpuseq.figures.common.published_schemes import is_published
from gpuseq.figures.common.rows import published_series
from gpuseq.figures.fm_index_words import HEADING, Layout, layout_of
from gpuseq.published import Fact, Published, credit
from gpuseq.runs import Json, Record, Report, dict_at, number_at, text_at
from gpuseq.text import natural_order
from gpuseq.units import Unit, format_value
from gpuseq.words import like_groups, problem_name, rate_of, reference_bases, tips_of, with_point_words

# Table 1: devices

Description = dict[str, Json]

# 32-bit floating-point operations per clock and multiprocessor by compute capability (CUDA C++ Programming Guide,
# throughput of arithmetic instructions).
LANES = {"5.0": 128, "5.2": 128, "6.0": 64, "6.1": 128, "7.0": 64, "7.5": 64, "8.0": 64, "8.6": 128, "8.9": 128,
         "9.0": 128, "10.0": 128, "12.0": 128}  # fmt: skip


def cores(device: Description) -> float | None:
    lanes = LANES.get(text_at(device, "compute_capability"))
    return lanes * (number_at(device, "multiprocessors") or 0) if lanes else number_at(device, "cores")


def hardware_threads(device: Description) -> float | None:
    per_multiprocessor = number_at(device, "threads_per_multiprocessor")
    if per_multiprocessor is None:
        return number_at(device, "threads")
    return per_multiprocessor * (number_at(device, "multiprocessors") or 0)


def clock(device: Description) -> float | None:
    return 1e6 * (number_at(device, "max_sm_clock_mhz") or number_at(device, "max_clock_mhz") or 0)


def memory_bandwidth(device: Description) -> float | None:
    """GPU memory transfers data at both edges of its clock."""
    bits, megahertz = number_at(device, "memory_bus_bits"), number_at(device, "max_memory_clock_mhz")
    return 2 * 1e6 * megahertz * bits / 8 if bits and megahertz else None


@dataclass(frozen=True)
class Property:
    """A column of the table; `name` is the "property" of published values."""

    name: str
    quantity: Quantity
    of: Callable[[Description], float | None]


PROPERTIES = [
    Property("cores", Quantity("cores", Unit.number_si, log=True), cores),
    Property("hardware threads", Quantity("hardware threads", Unit.number_si, log=True), hardware_threads),
    Property("clock", Quantity("clock", Unit.hertz), clock),
    Property("memory bandwidth", Quantity("memory bandwidth", Unit.bytes_per_s, log=True), memory_bandwidth),
    Property("memory", Quantity("memory", Unit.bytes, log=True), lambda device: number_at(device, "memory_bytes")),
    Property("thermal design power", Quantity("power limit", Unit.watts),
             lambda device: number_at(device, "power_limit_w")),
]  # fmt: skip


def described_devices(report: Report) -> dict[str, Description]:
    devices: dict[str, Description] = {}
    for record in report.records:
        described = dict_at(dict_at(report.runs[record.run].summary, "devices"), record.device)
        if described:
            devices.setdefault(record.device_name, described)
    return {name: devices[name] for name in sorted(devices)}


def property_panel(column: Property, devices: dict[str, Description], facts: list[Fact], theirs: str) -> RowPanel:
    unit = column.quantity.unit
    values = {name: column.of(device) for name, device in devices.items()}
    marks = [RowMark(name, value, value, value, "these runs", format_value(value, unit), tips=[("Device", name)])
             for name, value in values.items() if value]  # fmt: skip
    if marks:
        marks += [RowMark(fact.device, fact.value, fact.value, fact.value, theirs, format_value(fact.value, unit),
                          tips=fact.tips(unit))
                  for fact in facts if text_at(fact.at, "property") == column.name]  # fmt: skip
    return RowPanel(column.quantity.title, [mark.row for mark in marks], marks, replace(column.quantity))


def draw_table1(figure: Figure, report: Report, published: Published) -> RowChart:
    families = report.kernel_families()
    if families and not any(record.family == "fm_index" for record in report.records):
        raise NotDrawn("no record of fm_index")
    devices = described_devices(report)
    if not devices:
        raise NotDrawn("no run.json describes its devices" if report.records else "no record of a device")
    facts = published.find(figure.name, "value")
    theirs = published_series(facts)
    panels = [property_panel(column, devices, facts, theirs) for column in PROPERTIES]
    chart = RowChart(Quantity(), series_title="source", series=["these runs"],
                     panels=[panel for panel in panels if panel.marks])  # fmt: skip
    if not chart.panels:
        raise NotDrawn("no run.json states a property of its devices")
    notes = ["As the devices describe themselves. The bandwidth of a GPU follows from its memory clock and bus."]
    if facts:
        chart.series.append(theirs)
        notes.append(f"Grey: published, {credit(facts)}.")
    chart.heading = heading(figure, report, report.records, notes)
    return chart


TABLE1 = Figure("fm-index/table1", "Devices", HEADING, "Properties of the devices of these runs and of the paper.",
                draw_table1, of_samples=False)  # fmt: skip

# Table 2: warp instructions per query base

INSTRUCTIONS = "sm__inst_executed.sum"
MOST_SCHEMES = 8


def instructions_per_base(record: Record) -> float | None:
    count = number_at(record.data["counters"], INSTRUCTIONS)
    return None if count is None or record.work <= 0 else count / record.work


def scheme_of(variant: str, layout: Layout) -> str:
    return f"{variant}, k={layout.k}{' alternate' if layout.alternate else ''}"


def record_scheme(record: Record) -> str:
    return scheme_of(record.variant, layout_of(record))


def fact_scheme(fact: Fact) -> str:
    """The variant that is the paper's scheme as published: lanes of `full_cooperative` own no counter."""
    variant = text_at(fact.at, "variant")
    return scheme_of({"full_cooperative": "full_cooperative_split"}.get(variant, variant), layout_of(fact))


def _published_scheme(record: Record) -> bool:
    return is_published(record, "FM-index, ")


def row_of(record: Record) -> str:
    """ "full_cooperative, k=1, 4 lanes": lanes share the work of a query, and each executes instructions."""
    lanes = number_at(record.point, "lanes_per_query") or 1
    return record_scheme(record) + (f", {lanes:.0f} lanes" if lanes > 1 and not _published_scheme(record) else "")


def counted_problem(report: Report) -> list[Record]:
    """The records with counted instructions on the reference with the most schemes and distances, of those the largest,
    as that of the paper is a whole genome, without a prefix table or with the smallest one."""

    def rank(group: list[Record]) -> tuple[float, float, float]:
        places = {(record_scheme(record), layout_of(record).d) for record in group}
        return len(places), reference_bases(group[0]) or 0, -(number_at(group[0].point, "prefix_symbols") or 0)

    counted = report.settled("fm_index", having=lambda record: instructions_per_base(record) is not None)
    return max(like_groups(counted), key=rank, default=list[Record]())


def compared_schemes(records: list[Record], facts: list[Fact]) -> set[str]:
    """Those of the paper and the fastest of the others."""
    highest: dict[str, float] = {}
    for record in records:
        highest[record_scheme(record)] = max(highest.get(record_scheme(record), 0), record.rate)
    highest |= dict.fromkeys(map(fact_scheme, facts), math.inf)
    return set(sorted(sorted(highest), key=lambda scheme: -highest[scheme])[:MOST_SCHEMES])


def instruction_mark(record: Record) -> RowMark:
    value = instructions_per_base(record) or 0
    label = format_value(value, Unit.number)
    return RowMark(row_of(record), value, value, value, record.device_name, label, record=record.index,
                   tips=[("Instructions", f"{label} per base"),
                         *tips_of(record, rate_of(record), Unit.bases_per_s)])  # fmt: skip


def draw_table2(figure: Figure, report: Report, published: Published) -> RowChart:
    facts = published.find(figure.name, "value")
    records = counted_problem(report)
    if not records:
        raise NotDrawn(why_none(report, "fm_index", f"the counter {INSTRUCTIONS}"))
    schemes = compared_schemes(records, facts)
    best = fastest([record for record in records if record_scheme(record) in schemes],
                   lambda record: (record.device_name, row_of(record), layout_of(record).d))  # fmt: skip
    used = list(best.values())
    notes = [f"{INSTRUCTIONS} over the query bases of one launch, of the fastest configuration of each scheme and "
             "number of lanes."]  # fmt: skip
    chart = RowChart(Quantity("warp instructions per query base"), bars=True, series_title="source",
                     series=sorted({record.device_name for record in used}))  # fmt: skip
    marks = [(layout_of(record).d, instruction_mark(record)) for record in used]
    if facts:
        chart.series.append(f"published, {facts[0].device}")
        notes.append(f"Grey: published, {credit(facts)}.")
        marks += [(layout_of(fact).d,
                   RowMark(fact_scheme(fact), fact.value, fact.value, fact.value, chart.series[-1],
                           format_value(fact.value, Unit.number), tips=fact.tips(Unit.number)))
                  for fact in facts]  # fmt: skip
    problem = with_point_words(problem_name(records[0]), records[0])
    for distance in sorted({distance for distance, _ in marks}):
        of_panel = [mark for other, mark in marks if other == distance]
        title = f"d = {distance}: {problem}" if distance else problem
        chart.panels.append(RowPanel(title, natural_order({mark.row for mark in of_panel}), of_panel))
    chart.heading = heading(figure, report, used, notes)
    return chart


TABLE2 = Figure("fm-index/table2", "Warp instructions per query base", HEADING,
                "The instructions per base, by scheme and lanes per query; a prefix table would save the first steps.",
                draw_table2, of_samples=False)  # fmt: skip
