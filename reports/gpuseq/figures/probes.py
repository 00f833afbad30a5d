"""Figures of the probes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gpuseq.charts.values import MOST_PANELS, LineChart, Mark, Panel, Quantity, RowChart, RowMark, RowPanel, sort_rows
from gpuseq.drawing import Figure, NotDrawn, heading, keep_fastest, note_left_out, why_none
from gpuseq.figures.common.bandwidth import bandwidth_chart, bandwidth_of
from gpuseq.figures.common.device_levels import DeviceLevel, device_levels, level_bands
from gpuseq.figures.common.occupancy import InFlight, Occupancy, occupancies
from gpuseq.published import Published
from gpuseq.runs import Record, Report, number_at, text_at
from gpuseq.units import Unit, format_value
from gpuseq.words import Rate, axis_text, rate_of, thread_words, tips_of

HEADING = "Memory probes"
KNEE_NOTE = "Shaded: the end of a level of memory, with its interval of 95 %."
BANDWIDTH = Quantity("bandwidth", Unit.bytes_per_s)
ACCESS_TIME = Quantity("time of one dependent access", Unit.seconds)

_BEST_OVER = {"in_flight", "prefetch", "threads_per_block", "blocks_per_sm"}  # a curve takes the best over these axes


def seconds_per_access(record: Record) -> Rate:
    rate = rate_of(record)
    return Rate(1 / rate.value, 1 / rate.high if rate.high > 0 else 0, 1 / rate.low if rate.low > 0 else 0)


def _curve_names(records: list[Record], family: str, over: str) -> Callable[[Record], str]:
    """A curve is named by its operation and by the axes that differ between the records of its device."""
    values: dict[tuple[str, str], set[str]] = {}
    for record in records:
        for axis, value in record.point.items():
            values.setdefault((record.device_name, axis), set()).add(str(value))

    def word(axis: str, value: int | str) -> str:
        if axis == "threads":
            return thread_words(str(value))
        if axis == "pages":
            return f"{value} pages"
        return value if isinstance(value, str) else f"{axis} {value}"

    def name(record: Record) -> str:
        words = [
            word(axis, value)
            for axis, value in record.point.items()
            if axis != over
            and axis not in _BEST_OVER
            and (axis == "operation" or len(values[record.device_name, axis]) > 1)
        ]
        return ", ".join(words) or family

    return name


@dataclass(frozen=True)
class Curves:
    """The records of a probe over footprint, or over another size: a panel per device, a line per name of a curve."""

    family: str
    y: Quantity
    value: Callable[[Record], Rate]
    smaller_is_better: bool = False
    over: str = "footprint_bytes"
    over_title: str = "footprint"
    notes: tuple[str, ...] = ()

    def draw(self, figure: Figure, report: Report, published: Published) -> LineChart:
        records = report.settled(self.family)
        name = _curve_names(records, self.family, self.over)
        devices: dict[str, dict[tuple[str, float], Record]] = {}
        for record in records:
            size = number_at(record.point, self.over) or 0
            if size > 0:
                keep_fastest(devices.setdefault(record.device_name, {}), (name(record), size), record)
        if not devices:
            raise NotDrawn(why_none(report, self.family, self.over))
        chart = LineChart(Quantity(self.over_title, Unit.bytes, log=True), self.y, series_title="curve")
        used: list[Record] = []
        for device in sorted(devices)[:MOST_PANELS]:
            points = devices[device]
            shown = [points[key] for key in sorted(points)]
            panel = Panel(device, [self._mark(series, size, points[series, size]) for series, size in sorted(points)])
            if self.family == "latency":
                panel.bands = level_bands(report, shown)
            chart.panels.append(panel)
            used += shown
        chart.series = sorted({mark.series for panel in chart.panels for mark in panel.marks})
        notes = ["Lower is better." if self.smaller_is_better else "Higher is better."]
        notes += [KNEE_NOTE] if any(panel.bands for panel in chart.panels) else []
        chart.heading = heading(figure, report, used, [*notes, *self.notes])
        return chart

    def _mark(self, series: str, size: float, record: Record) -> Mark:
        rate = self.value(record)
        return Mark(size, rate.value, rate.low, rate.high, series, disturbed=record.disturbed, record=record.index,
                    tips=tips_of(record, rate, self.y.unit))  # fmt: skip


def _draw_random_access(figure: Figure, report: Report, published: Published) -> LineChart:
    chart, shown = bandwidth_chart(report)
    if not any(shown):
        raise NotDrawn(why_none(report, "random_access", "footprint_bytes and block_bytes"))
    for panel, records in zip(chart.panels, shown, strict=True):
        panel.bands = level_bands(report, records)
    notes = ["Best over accesses in flight, prefetch and page size; bars are confidence intervals."]
    notes += [KNEE_NOTE] if any(panel.bands for panel in chart.panels) else []
    chart.heading = heading(figure, report, [record for records in shown for record in records], notes)
    return chart


def _draw_loaded_latency(figure: Figure, report: Report, published: Published) -> LineChart:
    """Processors and GPUs in panels of their own: a GPU streams ten times as much, and takes ten times as long."""
    used = report.settled("loaded_latency")
    if not used:
        raise NotDrawn(why_none(report, "loaded_latency", "a time"))
    chart = LineChart(Quantity("bandwidth of the load", Unit.bytes_per_s), ACCESS_TIME, series_title="device and load")

    def load(record: Record) -> float:
        return number_at(record.facts, "load_bytes_per_s") or 0

    def series(record: Record) -> str:
        return f"{record.device_name}, others {axis_text(record, 'operation')}"

    names: set[str] = set()
    for gpus, title in ((False, "processors"), (True, "GPUs")):
        records = [record for record in used if record.on_gpu == gpus]
        panel = Panel(title)
        names |= {series(record) for record in records if load(record) > 0}
        for record in records:
            seconds = seconds_per_access(record)
            mark = Mark(load(record), seconds.value, seconds.low, seconds.high, series(record), record=record.index,
                        tips=tips_of(record, seconds, Unit.seconds))  # fmt: skip
            panel.marks.append(mark)
            if load(record) > 0:
                continue
            others = [
                name for name in sorted(names) if name.startswith(f"{record.device_name},") and name != mark.series
            ]
            panel.marks += [replace(mark, series=name) for name in others]  # every load begins at rest
            names.add(mark.series)
        panel.marks.sort(key=lambda mark: mark.x)
        chart.panels += [panel] if records else []
    chart.series = sorted(names)
    notes = ["One thread follows pointers while the others stream memory of their own, with pauses of several lengths."]
    chart.heading = heading(figure, report, used, notes)
    return chart


def _occupancy_series(occupancy: Occupancy, one: InFlight) -> tuple[float, str]:
    """The line of a point after its place in the legend: processors first, fewer first."""
    if occupancy.of_warps:
        return 1e6 + one.per_worker, f"{one.per_worker:g} load{'' if one.per_worker == 1 else 's'} per lane"
    return one.workers, thread_words(f"{one.workers:g}")


def _draw_occupancy(figure: Figure, report: Report, published: Published) -> LineChart:
    bandwidth = replace(BANDWIDTH, title="random-access bandwidth")
    chart = LineChart(Quantity("accesses in flight", Unit.number, log=True), bandwidth, series_title="in flight by")
    devices: dict[str, list[Record]] = {}
    for record in report.settled("random_access"):
        if not record.disturbed:
            devices.setdefault(record.device_name, []).append(record)
    found = [(device, occupancy) for device in sorted(devices) for occupancy in occupancies(devices[device])]
    if not found:
        raise NotDrawn(why_none(report, "random_access", "three numbers of accesses in flight"))
    series: set[tuple[float, str]] = set()
    used: list[Record] = []
    for device, occupancy in found[:MOST_PANELS]:
        kind = "dependent " if occupancy.access == "dependent" and occupancy.of_warps else ""
        per = "multiprocessor" if occupancy.of_warps else "thread"
        title = f"{device}, {kind}blocks of {format_value(occupancy.block_bytes, Unit.bytes)}, per {per}"
        # Panels have axes of their own: blocks of 32 B reach a fraction of the bandwidth of blocks of 128 B.
        panel = Panel(title, y=bandwidth)
        for one in occupancy.points:
            rate = rate_of(one.record)
            tips = tips_of(one.record, rate, Unit.bytes_per_s)
            latency = format_value(one.latency_s(occupancy.block_bytes), Unit.seconds)
            tips.append(("Time of an access by Little's law", latency))
            line = _occupancy_series(occupancy, one)
            series.add(line)
            panel.marks.append(Mark(one.per_core, rate.value, rate.low, rate.high, line[1], record=one.record.index,
                                    tips=tips))  # fmt: skip
            used.append(one.record)
        chart.panels.append(panel)
    chart.series = [name for _, name in sorted(series)]
    notes = ["Accesses are whole blocks. A lane requests all of its loads before it uses one."]
    note_left_out(len(chart.panels), len(found), "devices and sizes of block, the first", notes)
    chart.heading = heading(figure, report, used, notes)
    return chart


def _knee(level: DeviceLevel, row: str) -> RowMark:
    at, low, high = (format_value(size, Unit.bytes) for size in (level.at_bytes, level.low_bytes, level.high_bytes))
    return RowMark(row, level.at_bytes, level.low_bytes, level.high_bytes, "knee", at,
                   tips=[("Level", level.name), ("Ends at", at), ("Interval", f"{low} to {high}")])  # fmt: skip


def _draw_knees(figure: Figure, report: Report, published: Published) -> RowChart:
    """One run: a panel per device, a row per level. Several: a panel per level of a device, a row per run, which shows
    whether runs on one machine find the same knees."""
    used = [*report.settled("random_access"), *report.settled("latency")]
    devices = {(record.run, record.device): record.device_name for record in reversed(used)}
    runs = [run.folder.absolute().name for run in report.runs]  # distinguishes runs of one config
    panels: dict[str, RowPanel] = {}
    for run, device in sorted(devices):
        for level in device_levels(report, [(run, device)]):
            name = devices[run, device]
            title, row = (f"{name}, {level.name}", runs[run]) if len(runs) > 1 else (name, level.name)
            panel = panels.setdefault(title, RowPanel(title, list(runs) if len(runs) > 1 else []))
            panel.rows += [] if row in panel.rows else [row]
            panel.marks.append(_knee(level, row))
    if not panels:
        raise NotDrawn("no record of a probe, or no level of memory found")
    chart = RowChart(Quantity("footprint", Unit.bytes, log=True), series=["knee"])
    chart.panels = [panels[title] for title in sorted(panels)][:MOST_PANELS]
    note = "A dot per run" if len(runs) > 1 else "The footprint at which each level of memory ends"
    chart.heading = heading(figure, report, used, [f"{note}; its line is the interval of 95 %."])
    return chart


_IN_TURN = "two in turn"


def _throughput_panel(record: Record) -> str:
    """ "EPYC 9R14, avx2, 1 thread": instruction sets and threads of a CPU are separate."""
    target, threads = axis_text(record, "target"), axis_text(record, "threads")
    words = [record.device_name, target, thread_words(threads) if threads else ""]
    return ", ".join(filter(None, words))


def _throughput_mark(operation: str, record: Record) -> RowMark:
    rate, facts = rate_of(record), record.facts
    clocks = (number_at(facts, "multiprocessors") or 0) * (number_at(facts, "max_clock_mhz") or 0) * 1e6
    series = _IN_TURN if "+" in operation else text_at(facts, "pipe") or "pipe unknown"
    return RowMark(operation, rate.value, rate.low, rate.high, series, format_value(rate.value, Unit.number_si) + "/s",
                   f"{rate.value / clocks:.3g} per clock" if clocks > 0 else "", record=record.index,
                   tips=tips_of(record, rate, Unit.number_si))  # fmt: skip


def _draw_instruction_throughput(figure: Figure, report: Report, published: Published) -> RowChart:
    family = "instruction_throughput"
    devices: dict[str, dict[str, Record]] = {}
    for record in report.settled(family):
        if operation := axis_text(record, "operation"):
            keep_fastest(devices.setdefault(_throughput_panel(record), {}), operation, record)
    if not devices:
        raise NotDrawn(why_none(report, family, "operation"))
    chart = RowChart(Quantity(), bars=True, grouped=False, series_title="pipe")
    used: list[Record] = []
    for title in sorted(devices)[:MOST_PANELS]:
        best = devices[title]
        panel = RowPanel(title, marks=[_throughput_mark(operation, best[operation]) for operation in sorted(best)])
        on_gpu = best[max(best)].on_gpu
        unit = "lane operations per second" if on_gpu else "vector instructions per second"
        panel.value = Quantity(unit, Unit.number_si)
        sort_rows(panel)
        chart.panels.append(panel)
        used += [best[operation] for operation in sorted(best)]
    chart.series = sorted({mark.series for panel in chart.panels for mark in panel.marks} - {_IN_TURN}) + [_IN_TURN]
    notes = ["Two in turn: both are counted; operations that are no faster together than alone share a pipe. Per clock: "
             "of a multiprocessor at its highest clock rate."]  # fmt: skip
    chart.heading = heading(figure, report, used, notes)
    return chart


LATENCY = Curves("latency", ACCESS_TIME, seconds_per_access, smaller_is_better=True)
SEQUENTIAL = Curves("sequential", BANDWIDTH, bandwidth_of)
TRANSFER = Curves("transfer", BANDWIDTH, bandwidth_of, over="transfer_bytes", over_title="size of a copy",
                  notes=("Both: two copies at the same time, both of which are counted.",))  # fmt: skip
PEER_ACCESS = Curves("peer_access", replace(BANDWIDTH, title="random-access bandwidth"), bandwidth_of,
                     notes=("Kernels read blocks of another GPU's memory.",))  # fmt: skip

FIGURES = [
    Figure("random-access/lines", "Random-access bandwidth over footprint", HEADING,
           "A line per block size; where lines of two sizes lie a factor apart, the larger block is free.",
           _draw_random_access),
    Figure("latency", "Latency of dependent accesses over footprint", HEADING,
           "Time of one access whose address depends on the previous access.", LATENCY.draw),
    Figure("probes/loaded-latency", "Latency while memory is busy", HEADING,
           "The latency of a dependent access while the rest of the device streams.", _draw_loaded_latency),
    Figure("probes/occupancy", "Random-access bandwidth over accesses in flight", HEADING,
           "The number of accesses in flight that the bandwidth needs, and whether many warps or many loads per lane "
           "provide them.", _draw_occupancy),
    Figure("sequential", "Sequential bandwidth over footprint", HEADING,
           "Bandwidth of reading, writing and copying memory in order.", SEQUENTIAL.draw),
    Figure("probes/transfer", "Copies between host and GPU over their size", HEADING,
           "The rate of copies to a GPU and back: a small copy has a fixed cost, and memory that is not pinned is copied "
           "twice.", TRANSFER.draw),
    Figure("probes/peer-access", "Random reads of another GPU's memory over footprint", HEADING,
           "The bandwidth that a link between GPUs gives to an index in the memory of a peer, and whether it has a knee.",
           PEER_ACCESS.draw),
    Figure("probes/knees", "Knees of the memory hierarchy", HEADING,
           "Footprints at which levels of memory end, and whether runs on one machine find the same ones.", _draw_knees),
    Figure("probes/instruction_throughput", "Throughput of instructions", "Instruction probes",
           "The throughput of each instruction, which bounds kernels whose data stay in registers.",
           _draw_instruction_throughput),
]  # fmt: skip
