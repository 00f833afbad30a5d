"""Random-access curves: bandwidth over footprint, a line per block size."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from gpuseq.charts.values import MOST_PANELS, LineChart, Mark, Panel, Quantity
from gpuseq.drawing import keep_fastest
from gpuseq.runs import Record, Report, number_at, text_at, word_at
from gpuseq.units import Unit, format_value
from gpuseq.words import Rate, rate_of, tips_of


def bandwidth_of(record: Record) -> Rate:
    """Bytes per second of a probe, whether its work counts bytes or blocks."""
    if text_at(record.data["work"], "unit") == "bytes":
        return rate_of(record)
    return rate_of(record, number_at(record.point, "block_bytes") or 1)


@dataclass
class BandwidthPanel:
    """The curves of a device with one kind of access and number of threads; on a GPU `threads` is empty."""

    device_name: str
    access: str  # "independent", "dependent"; empty: any
    threads: str  # "1", "all"
    curves: dict[float, dict[float, Record]] = field(default_factory=dict[float, dict[float, Record]])
    """Block bytes, footprint bytes: the fastest record."""

    @property
    def title(self) -> str:
        title = self.device_name + (f", {self.access} accesses" if self.access else "")
        return title + (", 1 thread" if self.threads == "1" else f", {self.threads} threads" if self.threads else "")

    def records(self) -> list[Record]:
        return [
            self.curves[block][footprint] for block in sorted(self.curves) for footprint in sorted(self.curves[block])
        ]


def _in_curves(records: list[Record]) -> list[Record]:
    """Without the records at one footprint of devices that have curves over several: they vary something else."""

    def curve(record: Record) -> tuple[str, ...]:
        values = [f"{axis}={value}" for axis, value in record.point.items() if axis != "footprint_bytes"]
        return record.device_name, *values

    footprints: dict[tuple[str, ...], set[str]] = {}
    for record in records:
        footprints.setdefault(curve(record), set()).add(word_at(record.point, "footprint_bytes"))
    with_curves = {key[0] for key, found in footprints.items() if len(found) > 1}
    return [record for record in records if record.device_name not in with_curves or len(footprints[curve(record)]) > 1]


def bandwidth_panels(report: Report) -> list[BandwidthPanel]:
    """Independent accesses and all threads first: kernels use those."""
    panels: dict[tuple[str, str, str], BandwidthPanel] = {}
    for record in _in_curves(report.settled("random_access")):
        footprint, block = (number_at(record.point, axis) or 0 for axis in ("footprint_bytes", "block_bytes"))
        if footprint <= 0 or block <= 0:
            continue
        threads = word_at(record.point, "threads")
        key = (record.device_name, word_at(record.point, "access"), "all" if threads == "0" else threads)
        panel = panels.setdefault(key, BandwidthPanel(*key))
        keep_fastest(panel.curves.setdefault(block, {}), footprint, record)
    ordered = [panels[key] for key in sorted(panels)]
    return sorted(ordered, key=lambda panel: 2 * (panel.access == "dependent") + (panel.threads == "1"))


def main_panel(report: Report, device_name: str) -> BandwidthPanel | None:
    """The panel of a device with the accesses that kernels use."""
    return next((panel for panel in bandwidth_panels(report) if panel.device_name == device_name), None)


def usual_blocks(panel: BandwidthPanel) -> list[float]:
    """The blocks that one access usually fetches: 64 B on a CPU, 32 and 128 B on a GPU, or the nearest probed ones."""
    usual = [32.0, 128.0] if panel.records()[0].on_gpu else [64.0]
    blocks = sorted(panel.curves)
    return list(dict.fromkeys(min(blocks, key=lambda block: abs(math.log(block / size))) for size in usual))


def bandwidth_chart(report: Report) -> tuple[LineChart, list[list[Record]]]:
    """The chart, without its heading, and the records of each panel."""
    chart = LineChart(
        Quantity("footprint", Unit.bytes, log=True), Quantity("random-access bandwidth", Unit.bytes_per_s),
        series_title="block",
    )  # fmt: skip
    shown: list[list[Record]] = []
    for source in bandwidth_panels(report)[:MOST_PANELS]:
        records = source.records()
        panel = Panel(source.title, guided=records[-1].on_gpu)
        for record in records:
            rate = bandwidth_of(record)
            block, footprint = (number_at(record.point, axis) or 0 for axis in ("block_bytes", "footprint_bytes"))
            panel.marks.append(Mark(
                footprint, rate.value, rate.low, rate.high, format_value(block, Unit.bytes), disturbed=record.disturbed,
                record=record.index, tips=tips_of(record, rate, Unit.bytes_per_s)))  # fmt: skip
        shown.append(records)
        chart.panels.append(panel)
    blocks = {number_at(record.point, "block_bytes") or 0 for records in shown for record in records}
    chart.series = [format_value(block, Unit.bytes) for block in sorted(blocks)]
    return chart, shown
