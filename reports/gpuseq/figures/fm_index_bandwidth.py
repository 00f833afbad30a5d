"""Random-access bandwidth of the devices, which bounds the search."""

from __future__ import annotations

from gpuseq.charts.values import LineChart, Mark, Panel, Quantity
from gpuseq.drawing import Figure, NotDrawn, add_guides, heading, why_none
from gpuseq.figures.common.bandwidth import bandwidth_chart, bandwidth_of, bandwidth_panels
from gpuseq.figures.fm_index_words import HEADING
from gpuseq.published import Published
from gpuseq.runs import Record, Report, number_at
from gpuseq.units import Unit
from gpuseq.words import tips_of

ENTRY_BYTES = 128  # an index entry of the paper


def finished(chart: LineChart, used: list[Record], figure: Figure, report: Report, published: Published) -> LineChart:
    notes: list[str] = []
    add_guides(figure, published, chart, notes)
    chart.heading = heading(figure, report, used, notes)
    return chart


def draw_fig3(figure: Figure, report: Report, published: Published) -> LineChart:
    chart, shown = bandwidth_chart(report)
    if not shown:
        raise NotDrawn(why_none(report, "random_access", "footprint_bytes and block_bytes"))
    return finished(chart, [record for records in shown for record in records], figure, report, published)


FIG3 = Figure("fm-index/fig3", "Random-access bandwidth by block size", HEADING,
              "Over the footprint, with the inflection points of the GPU in the paper.", draw_fig3)  # fmt: skip


def entry_mark(record: Record) -> Mark:
    rate = bandwidth_of(record)
    return Mark(number_at(record.point, "footprint_bytes") or 0, rate.value, rate.low, rate.high, record.device_name,
                disturbed=record.disturbed, record=record.index,
                tips=tips_of(record, rate, Unit.bytes_per_s))  # fmt: skip


def draw_fig10(figure: Figure, report: Report, published: Published) -> LineChart:
    used = [record for panel in bandwidth_panels(report) if panel.access != "dependent" and panel.threads != "1"
            for _, record in sorted(panel.curves.get(ENTRY_BYTES, {}).items())]  # fmt: skip
    if not used:
        raise NotDrawn(why_none(report, "random_access", f"blocks of {ENTRY_BYTES} bytes, read by independent accesses "
                                "of all threads"))  # fmt: skip
    chart = LineChart(Quantity("footprint", Unit.bytes, log=True),
                      Quantity(f"random-access bandwidth, {ENTRY_BYTES} B blocks", Unit.bytes_per_s),
                      series_title="device", series=sorted({record.device_name for record in used}),
                      panels=[Panel(marks=[entry_mark(record) for record in used])])  # fmt: skip
    return finished(chart, used, figure, report, published)


FIG10 = Figure("fm-index/fig10", "Random-access bandwidth of the devices, 128 B blocks", HEADING,
               "The bandwidth that the memory of each device allows.", draw_fig10)  # fmt: skip
