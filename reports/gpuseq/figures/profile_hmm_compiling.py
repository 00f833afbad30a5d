"""profile-hmm/table2: the time until a kernel is loaded."""

from __future__ import annotations

from gpuseq.charts.values import MOST_PANELS, LineChart, Mark, Panel, Quantity
from gpuseq.drawing import Figure, NotDrawn, add_guides, heading, why_none
from gpuseq.figures.profile_hmm_records import (
    FAMILY,
    FILTERS,
    filter_index,
    filter_of,
    filter_title,
    model_length,
    sequences_of,
)
from gpuseq.published import Published
from gpuseq.runs import Record, Report, dict_at, list_at, point_text, text_at
from gpuseq.units import Unit, format_value

CACHED = "from the cache"

Place = tuple[str, str, str, int]
"""Host, device, sequences, number of the filter."""
Loads = dict[tuple[str, float, str], list[tuple[float, Record]]]
"""By series, length of the model and kernel: seconds and record of each load."""


def _host(report: Report, record: Record) -> str:
    """The processor that compiles."""
    cpu = text_at(dict_at(record.provenance, "host"), "cpu")
    devices = dict_at(report.runs[record.run].summary, "devices")
    return cpu or text_at(dict_at(devices, "cpu"), "name") or f"the host of {record.device_name}"


def _seconds(record: Record) -> float | None:
    """Seconds until the kernel was loaded; in records without them those of the compilation."""
    loading = list_at(record.data.get("side_samples_s"), "load_kernel")
    if loading:
        return float(loading[0])
    resources = record.data["resources"]
    return None if resources["from_cache"] else float(resources["compile_s"])


def _loads(report: Report) -> dict[Place, Loads]:
    panels: dict[Place, Loads] = {}
    for record in report.records:
        length = model_length(record) if record.family == FAMILY else None
        resources = record.data["resources"]
        if length is None or not record.ok or not record.statistics or text_at(resources, "compiled_by") != "nvrtc":
            continue
        seconds = _seconds(record)
        if seconds is None or seconds <= 0:
            continue
        place = (_host(report, record), record.device_name, sequences_of(record), filter_index(filter_of(record)))
        key = (CACHED if resources["from_cache"] else record.variant, length, text_at(record.facts, "kernel"))
        panels.setdefault(place, {}).setdefault(key, []).append((seconds, record))
    return panels


def _title(place: Place, panels: dict[Place, Loads]) -> str:
    """ "Viterbi, AMD EPYC: 4000 random sequences": the properties in which panels differ."""
    host, device, sequences = (len({other[part] for other in panels}) > 1 for part in range(3))
    title = filter_title(FILTERS[place[3]])
    title += f", {place[0]}" if host else ""
    title += f", for {place[1]}" if device else ""
    return f"{title}: {place[2]}" if sequences else title


def _mark(key: tuple[str, float, str], loads: list[tuple[float, Record]]) -> Mark:
    series, length, kernel = key
    ordered = sorted(loads, key=lambda load: load[0])
    seconds, record = ordered[len(ordered) // 2]
    tips = [("Value", format_value(seconds, Unit.seconds)), ("Kernel", kernel), ("Times", str(len(loads))),
            ("Registers", str(record.data["resources"]["registers_per_thread"])), ("Device", record.device_name),
            ("Variant", record.variant), ("Point", point_text(record.point))]  # fmt: skip
    return Mark(length, seconds, seconds, seconds, series, record=record.index, tips=tips)


def _note(marks: list[Mark]) -> str:
    """ "A mark per kernel. 12 compiled: 2.1 s (median), 3.4 s at most."."""
    words = "A mark per kernel."
    for name, cached in (("compiled", False), ("from the cache", True)):
        seconds = sorted(mark.y for mark in marks if (mark.series == CACHED) == cached)
        if seconds:
            median, most = (format_value(value, Unit.seconds) for value in (seconds[len(seconds) // 2], seconds[-1]))
            words += f" {len(seconds)} {name}: {median} (median), {most} at most."
    return words


def draw_table2(figure: Figure, report: Report, published: Published) -> LineChart:
    chart = LineChart(
        Quantity("model length (match states)", Unit.number, log=True),
        Quantity("time until the kernel is loaded", Unit.seconds, log=True), series_title="compiled by NVRTC", connected=False,
    )  # fmt: skip
    panels = _loads(report)
    for place in sorted(panels)[:MOST_PANELS]:
        loads = panels[place]
        chart.panels.append(Panel(_title(place, panels), [_mark(key, loads[key]) for key in sorted(loads)]))
    marks = [mark for panel in chart.panels for mark in panel.marks]
    if not marks:
        raise NotDrawn(why_none(report, FAMILY, "a kernel compiled by NVRTC"))
    chart.x.ticks = sorted({mark.x for mark in marks})
    there = {mark.series for mark in marks}
    chart.series = sorted(there - {CACHED}) + sorted(there & {CACHED})
    notes = [_note(marks)]
    hosts = {place[0] for place in panels}
    notes += [f"Compiled on {hosts.pop()}."] if len(hosts) == 1 else []
    add_guides(figure, published, chart, notes)
    chart.heading = heading(figure, report, [report.records[mark.record or 0] for mark in marks], notes)
    return chart
