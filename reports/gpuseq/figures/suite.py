"""Figures of the whole suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from gpuseq.charts.values import (
    MOST_PANELS,
    Cell,
    Guide,
    HeatMap,
    HeatPanel,
    LineChart,
    Mark,
    Panel,
    Quantity,
    RowChart,
    RowMark,
    RowPanel,
    sort_rows,
)
from gpuseq.drawing import Figure, NotDrawn, heading, keep_fastest, note_left_out, why_none, why_none_of_kernels
from gpuseq.figures.common.bandwidth import bandwidth_of, bandwidth_panels
from gpuseq.figures.suite_comparisons import draw_devices, draw_same_states
from gpuseq.figures.suite_efficiency import draw_efficiency
from gpuseq.figures.suite_gpus import draw_gpus
from gpuseq.published import Published
from gpuseq.runs import Record, Report, number_at, point_text, text_at
from gpuseq.size_curves import SizedProblem, break_even, half_size, size_text, sized_problems
from gpuseq.units import Unit, format_value
from gpuseq.warps import WARP_STATES, counter_words, warp_times
from gpuseq.words import point_words, problem_name, problem_order, rate_of, tips_of, with_point_words

HEADING = "Suite"


def _draw_energy(figure: Figure, report: Report, published: Published) -> RowChart:
    """Work per joule: the best configuration of each variant on each device."""
    problems: dict[str, dict[str, Record]] = {}
    for family in report.kernel_families():
        for record in report.settled(family, having=lambda record: record.work_per_joule is not None):
            row = f"{with_point_words(record.variant, record)}, {record.device_name}"
            best = problems.setdefault(f"{family} {point_text(record.problem)}", {})
            if row not in best or (best[row].work_per_joule or 0) < (record.work_per_joule or 0):
                best[row] = record
    if not problems:
        reasons = [text_at(record.data, "energy_reason") for record in report.records if record.kind == "kernel"]
        reasons = sorted(filter(None, reasons))
        why = why_none_of_kernels(report, "energy")
        raise NotDrawn(f"{why}: {max(dict.fromkeys(reasons), key=Counter(reasons).__getitem__)}" if reasons else why)
    chart = RowChart(Quantity(), series_title="device")
    used: list[Record] = []
    for key in sorted(problems)[:MOST_PANELS]:
        best = problems[key]
        records = [best[row] for row in sorted(best)]
        unit = text_at(records[-1].data["work"], "unit")
        panel = RowPanel(f"{records[-1].family}: {problem_name(records[-1])}",
                         value=Quantity(f"{unit} per joule", Unit.number_si, log=True))  # fmt: skip
        for row in sorted(best):
            record, value = best[row], best[row].work_per_joule or 0
            text = format_value(value, Unit.number_si)
            tips = [("Energy", f"{text} {unit} per joule"), *tips_of(record, rate_of(record), Unit.number_si)]
            panel.marks.append(
                RowMark(row, value, value, value, record.device_name, text, record=record.index, tips=tips)
            )
        sort_rows(panel)
        chart.panels.append(panel)
        used += records
    chart.series = sorted({record.device_name for record in used})
    notes = ["The configuration of each variant with the most work per joule; energy of the device over a loop of some "
             "seconds, minus its idle power."]  # fmt: skip
    chart.heading = heading(figure, report, used, notes)
    return chart


def footprint_of(record: Record) -> float | None:
    """Bytes that a launch reads at random, the footprint of its bound."""
    places = (
        (record.data["traffic"], "footprint_bytes"),
        (record.facts, "index_bytes"),
        (record.facts, "footprint_bytes"),
    )
    for values, key in places:
        size = number_at(values, key)
        if size is not None and size > 0:
            return size
    return None


def _draw_roofline(figure: Figure, report: Report, published: Published) -> LineChart:
    """Every kernel record against the rate that the probes of its run allow at its footprint."""
    used = [
        record
        for family in report.kernel_families()
        for record in report.settled(family)
        if record.kind == "kernel" and record.bound and record.bound["fraction"] > 0 and footprint_of(record)
    ]
    if not used:
        raise NotDrawn(why_none_of_kernels(report, "a bound and a footprint"))
    several = len({record.family for record in used}) > 1

    def panel_key(record: Record) -> str:
        return f"{record.device_name} {record.family} {point_text(record.problem)} {point_words(record)}"

    leaders: dict[tuple[str, str], Record] = {}
    for record in used:
        keep_fastest(leaders, (panel_key(record), record.variant), record)
    panels: dict[str, Panel] = {}
    for record in used:
        panel = panels.setdefault(panel_key(record), Panel())
        family = f"{record.family}: " if several else ""
        panel.title = f"{record.device_name}: {family}{with_point_words(problem_name(record), record)}"
        minor = leaders[panel_key(record), record.variant] is not record
        panel.marks.append(_roofline_mark(record, family + record.variant, minor))
    chart = LineChart(
        Quantity("memory footprint of the kernel", Unit.bytes, log=True),
        Quantity("rate as a share of its bound", Unit.share), series_title="variant",
        guides=[Guide(vertical=False, at=1, label="bound")], connected=False,
    )  # fmt: skip
    ordered = [panels[key] for key in sorted(panels)]
    chart.panels = sorted(ordered, key=lambda panel: -len(panel.marks))[:MOST_PANELS]
    marks = [mark for panel in chart.panels for mark in panel.marks]
    chart.series = sorted({mark.series for mark in marks})
    notes = ["Large: the fastest record of a variant; small: every other. A mark above the line violates its bound."]
    note_left_out(len(chart.panels), len(panels), "problems, those with the most records", notes)
    chart.heading = heading(figure, report, [report.records[mark.record or 0] for mark in marks], notes)
    return chart


def _roofline_mark(record: Record, series: str, minor: bool) -> Mark:
    bound = record.bound or {}
    rate = rate_of(record, 1 / bound["rate"])
    return Mark(
        footprint_of(record) or 0, bound["fraction"], 0 if minor else rate.low, 0 if minor else rate.high, series,
        synthetic=record.synthetic and not minor, minor=minor, record=record.index, tips=tips_of(record, rate, Unit.share),
    )  # fmt: skip


def _curve_names(report: Report) -> Callable[[Record], str]:
    """The device, and the result where records of a family differ in it: "slots" and "matches" are two curves."""
    results: dict[str, set[str]] = {}
    for record in report.records:
        if record.phase == "size":
            results.setdefault(record.family, set()).add(point_words(record))
    return lambda record: (
        with_point_words(record.device_name, record) if len(results[record.family]) > 1 else record.device_name
    )


def _problem_title(problem: SizedProblem, problems: list[SizedProblem]) -> str:
    """ "profile_hmm, filter=ssv": the axes that distinguish a problem from the others of its family."""
    others = [other for other in problems if other.family == problem.family]
    differing = [
        f"{axis}={value}"
        for axis, value in problem.fixed.items()
        if any(other.fixed.get(axis) != value for other in others)
    ]
    return ", ".join([problem.family, *differing])


def _size_panel(problem: SizedProblem, title: str) -> Panel:
    panel = Panel(title, y=Quantity(problem.rate_unit, Unit.number_si, log=True))
    for curve in problem.curves:
        for point in curve.points:
            rate = rate_of(point.record)
            panel.marks.append(Mark(
                point.size, rate.value, rate.low, rate.high, curve.device, record=point.record.index,
                tips=tips_of(point.record, rate, Unit.number_si), terms=[(problem.axis, "along x")]))  # fmt: skip
        half = half_size(curve)
        if half and not half.below:
            device = "the CPU" if curve.of_cpu else "the GPU"
            panel.guides.append(Guide(True, half.size, f"n½ of {device} {size_text(half.size)}"))
    for gpu, cpu in problem.rivals():
        if point_words(gpu.points[0].record) == point_words(cpu.points[0].record) and (at := break_even(gpu, cpu)):
            panel.guides.append(Guide(True, at.size, f"CPU faster below {size_text(at.size)}"))
    return panel


def _draw_sizes(figure: Figure, report: Report, published: Published) -> LineChart:
    """A panel per problem: the rate of the fastest variant of each device over the size."""
    problems = sized_problems(report, _curve_names(report))
    if not problems:
        raise NotDrawn(why_none_of_kernels(report, "its rate over sizes of its problem"))
    chart = LineChart(
        Quantity("size of the problem", Unit.number_si, log=True), Quantity("rate", Unit.number_si, log=True),
        series_title="device",
    )  # fmt: skip
    shown = problems[:MOST_PANELS]
    chart.panels = [_size_panel(problem, f"{_problem_title(problem, problems)}, {problem.noun}") for problem in shown]
    chart.series = sorted({curve.device for problem in shown for curve in problem.curves})
    notes = ["The fastest variant of each device at each size. n½: the size with half of the rate of ever larger "
             "problems."]  # fmt: skip
    note_left_out(len(shown), len(problems), "problems, the first", notes)
    used = [point.record for problem in shown for curve in problem.curves for point in curve.points]
    chart.heading = heading(figure, report, used, notes)
    return chart


def _draw_surface(figure: Figure, report: Report, published: Published) -> HeatMap:
    chart = HeatMap(
        Quantity("footprint", Unit.bytes, log=True), Quantity("bandwidth", Unit.bytes_per_s), row_title="block"
    )
    used: list[Record] = []
    for panel in bandwidth_panels(report):
        heat = HeatPanel(panel.title)
        for block in sorted(panel.curves, reverse=True):
            row = format_value(block, Unit.bytes)
            heat.rows.append(row)
            for footprint, record in sorted(panel.curves[block].items()):
                rate = bandwidth_of(record)
                heat.cells.append(Cell(footprint, row, rate.value, rate.low, rate.high, record.index,
                                       tips_of(record, rate, Unit.bytes_per_s)))  # fmt: skip
                used.append(record)
        chart.panels += [heat] if len(chart.panels) < MOST_PANELS else []
    if not used:
        raise NotDrawn(why_none(report, "random_access", "footprint_bytes and block_bytes"))
    chart.heading = heading(figure, report, used, ["Best over accesses in flight, prefetch and page size."])
    return chart


def _warp_marks(row: str, record: Record) -> list[RowMark]:
    counters = record.data["counters"]
    tips = [*tips_of(record, rate_of(record), Unit.number_si), ("Counters", counter_words(counters))]
    marks = [
        RowMark(row, share, share, share, name, record=record.index, terms=[("warps", name)],
                tips=[(name, format_value(share, Unit.share)), *tips])
        for name, share in warp_times(counters).items()
    ]  # fmt: skip
    bound = record.bound
    marks[-1].label = f"{format_value(bound['fraction'], Unit.share)} of {bound['bound_by']}" if bound else "no bound"
    return marks


def _draw_why(figure: Figure, report: Report, published: Published) -> RowChart:
    """The time of the warps of the fastest configuration of each variant."""
    panels: dict[str, dict[str, Record]] = {}
    order: dict[str, tuple[tuple[str, list[tuple[int, int, str]]], str]] = {}
    for family in report.kernel_families():
        for record in report.settled(family, having=lambda record: bool(warp_times(record.data["counters"]))):
            key = f"{family} {point_text(record.problem)} {record.device_name}"
            order[key] = (problem_order(record), record.device_name)
            keep_fastest(panels.setdefault(key, {}), with_point_words(record.variant, record), record)
    if not panels:
        raise NotDrawn(why_none_of_kernels(report, "counters of warp states"))
    chart = RowChart(
        Quantity("share of the warps' time", Unit.share), bars=True, stacked=True, series_title="warp state"
    )
    used: list[Record] = []
    for key in sorted(panels, key=lambda key: order[key])[:MOST_PANELS]:
        rows = panels[key]
        first = rows[min(rows)]
        panel = RowPanel(f"{first.device_name}: {first.family}: {problem_name(first)}", value=chart.value)
        fractions = {row: number_at(rows[row].bound, "fraction") or -1.0 for row in sorted(rows)}
        panel.rows = sorted(fractions, key=lambda row: -fractions[row])
        panel.marks = [mark for row in panel.rows for mark in _warp_marks(row, rows[row])]
        used += [rows[row] for row in panel.rows]
        chart.panels.append(panel)
    there = {mark.series for panel in chart.panels for mark in panel.marks}
    chart.series = [name for name in WARP_STATES if name in there]
    notes = ["The fastest configuration of each variant with counters; behind the bar: its rate as a share of its bound.",
             "Warp states of Nsight Compute. Selected: a warp issues. Long Scoreboard includes LG and TEX Throttle and "
             "Drain; Short Scoreboard: MIO Throttle; Math Pipe Throttle: Dispatch Stall and GMMA; No Instruction: IMC Miss "
             "and Branch Resolving; Barrier: Membar and Sleeping."]  # fmt: skip
    note_left_out(len(chart.panels), len(panels), "problems", notes)
    chart.heading = heading(figure, report, used, notes)
    return chart


FIGURES = [
    Figure("suite/devices", "Devices by their best rate on each problem", HEADING,
           "How far apart the devices are, each with the variant and configuration that suit it.", draw_devices),
    Figure("suite/sizes", "Rate over the size of the problem", HEADING,
           "The size of a problem that fills a device, and the size from which a GPU is faster than the CPU.", _draw_sizes,
           of_samples=False),
    Figure("suite/same_states", "The same cases on several devices", HEADING,
           "The gain of another device for cases that memory, instructions or launches bound.", draw_same_states),
    Figure("suite/gpus", "The GPUs of a node side by side", HEADING,
           "Whether a GPU is slower than the others of its model.", draw_gpus),
    Figure("suite/gpus_efficiency", "One problem on several GPUs", HEADING,
           "The share of the rate of single GPUs that they reach on one problem, and the causes of the loss.",
           draw_efficiency),
    Figure("suite/roofline", "All kernels against the bounds of their runs", HEADING,
           "The bound is the rate that the probes of the same run allow at the kernel's footprint and block size.",
           _draw_roofline),
    Figure("suite/why", "The time of the warps of kernels", HEADING,
           "The warp states of a kernel, by the counters of the same case. A kernel at its instruction bound issues or "
           "waits for a pipe; one at its memory bound waits for memory.", _draw_why),
    Figure("suite/energy", "Work per joule by variant and device", HEADING,
           "The variant and device that need the least energy for their work.", _draw_energy),
    Figure("suite/surface", "Random-access bandwidth over footprint and block size", HEADING,
           "Each cell is the bandwidth of reading whole aligned blocks at random places of the footprint.", _draw_surface),
]  # fmt: skip
