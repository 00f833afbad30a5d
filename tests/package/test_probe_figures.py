"""Figures of the probes, drawn from made records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from gpuseq.charts.values import LineChart, RowChart
from gpuseq.drawing import NotDrawn
from gpuseq.figures import drawn
from gpuseq.figures.common.bandwidth import bandwidth_of, bandwidth_panels, main_panel, usual_blocks
from gpuseq.figures.common.device_levels import device_levels
from gpuseq.figures.probes import FIGURES
from gpuseq.published import Published
from gpuseq.runs import load_runs
from made import ON_CPU, ON_OTHER_GPU, Case, case, chart_of, named, report_of, write_run

figure = named(FIGURES)
MIB = 1 << 20
LEVELS = [
    {"name": "L2", "measured_bytes": 50 * MIB, "low_bytes": 45 * MIB, "high_bytes": 55 * MIB},
    {"name": "TLB", "measured_bytes": 63.6 * 1024 * MIB, "low_bytes": 60 * 1024 * MIB, "high_bytes": 70 * 1024 * MIB},
    {"name": "not found", "measured_bytes": 0},
]


def probe(family: str, rate: float, unit: str = "bytes", **more: Any) -> Case:
    fields: Case = {"kind": "probe", "phase": "probe", "work": {"amount": 1e9, "unit": unit}}
    return case(family, "made", rate, more.pop("point", {}), **fields | more)


def read(footprint: int, rate: float = 1e12, block: int = 32, access: str = "independent", **more: Any) -> Case:
    axes = {"footprint_bytes": footprint, "block_bytes": block, "access": access} | more.pop("axes", {})
    return probe("random_access", rate, point=axes, **more)


def follow(footprint: int, rate: float, **more: Any) -> Case:
    return probe("latency", rate, "accesses", point={"footprint_bytes": footprint} | more.pop("axes", {}), **more)


def lines(name: str, *cases: Case, **more: Any) -> LineChart:
    chart = chart_of(figure(name), *cases, **more)
    assert isinstance(chart, LineChart)
    return chart


def rows(name: str, *cases: Case, **more: Any) -> RowChart:
    chart = chart_of(figure(name), *cases, **more)
    assert isinstance(chart, RowChart)
    return chart


def test_bandwidth_counts_bytes_or_blocks() -> None:
    blocks = {"amount": 1, "unit": "blocks"}
    of_bytes, of_blocks = report_of(read(MIB, 6e9), read(MIB, 6e9, block=64, work=blocks)).records
    assert bandwidth_of(of_bytes).value == 6e9
    assert bandwidth_of(of_blocks).high == pytest.approx(6e9 * 64 * 1.01)


def test_panels_of_all_threads_and_independent_accesses_first() -> None:
    def on_cpu(access: str, threads: int) -> list[Case]:
        return [read(size, access=access, axes={"threads": threads}, **ON_CPU) for size in (MIB, 2 * MIB)]

    report = report_of(*on_cpu("dependent", 0), *on_cpu("independent", 1), *on_cpu("independent", 0))
    assert [panel.title for panel in bandwidth_panels(report)] == [
        "Test CPU, independent accesses, all threads", "Test CPU, independent accesses, 1 thread",
        "Test CPU, dependent accesses, all threads"]  # fmt: skip
    panel = main_panel(report, "Test CPU")
    assert panel is not None and panel.threads == "all"
    assert main_panel(report, "Test GPU") is None


def test_accesses_at_one_footprint_are_no_curve() -> None:
    curve = [read(size, 1e12, axes={"in_flight": 4}) for size in (MIB, 2 * MIB)]
    alone = read(MIB, 9e12, axes={"in_flight": 64})
    other_device = read(MIB, 3e12, **ON_OTHER_GPU)
    panels = lines("random-access/lines", *curve, alone, other_device).panels
    assert [[mark.y for mark in panel.marks] for panel in panels] == [[3e12], [1e12, 1e12]]


def test_curves_take_the_fastest_undisturbed_record() -> None:
    cases = [read(size, rate, axes={"in_flight": flight}) | {"state": f"{size} {flight}"}
             for size in (MIB, 2 * MIB) for flight, rate in ((1, 1e12), (2, 2e12), (4, 3e12))]  # fmt: skip
    (panel,) = lines("random-access/lines", *cases,
                     summary={"probe_points": {"cuda:0": {"disturbed": [f"{MIB} 4"]}}}).panels  # fmt: skip
    assert [(mark.x, mark.y) for mark in panel.marks] == [(MIB, 2e12), (2 * MIB, 3e12)]


def test_usual_blocks_are_the_nearest_probed_ones() -> None:
    on_gpu = report_of(*[read(size, block=block) for size in (MIB, 2 * MIB) for block in (16, 64, 512)])
    on_cpu = report_of(*[read(size, block=block, **ON_CPU) for size in (MIB, 2 * MIB) for block in (32, 64, 128)])
    assert [usual_blocks(bandwidth_panels(report)[0]) for report in (on_gpu, on_cpu)] == [[16, 64], [64]]


def test_knees_and_labels_of_curves_are_one_value() -> None:
    cases = [read(MIB), read(128 * 1024 * MIB), follow(MIB, 1e7), follow(128 * 1024 * MIB, 1e6)]
    summary = {"levels": {"cuda:0": LEVELS}}
    charts = [lines(name, *cases, summary=summary) for name in ("random-access/lines", "latency")]
    labels = [[band.label for band in chart.panels[0].bands] for chart in charts]
    knees = [dict(mark.tips)["Ends at"] for panel in rows("probes/knees", *cases, summary=summary).panels
             for mark in panel.marks]  # fmt: skip
    assert labels == [["50 MiB", "63.6 GiB"]] * 2
    assert knees == labels[0]
    assert all(chart.heading.notes[1].startswith("Shaded: the end of a level") for chart in charts)


def test_levels_outside_a_curve_are_not_shaded() -> None:
    chart = lines("random-access/lines", read(MIB), read(1024 * MIB), summary={"levels": {"cuda:0": LEVELS}})
    assert [(band.low, band.high) for band in chart.panels[0].bands] == [(45 * MIB, 55 * MIB)]


def test_levels_come_from_the_profile_of_a_run_without_any(tmp_path: Path) -> None:
    empty = write_run(tmp_path / "empty", read(MIB), summary={"levels": {"cuda:0": []}})
    broken, profiled = (write_run(tmp_path / name, read(MIB)) for name in ("broken", "profiled"))
    (broken / "machine.json").write_text("{")
    (profiled / "machine.json").write_text(json.dumps({"devices": {"cuda:0": {"levels": LEVELS[1:]}}}))
    report = load_runs([empty, broken, profiled])
    levels = device_levels(report, [(run, "cuda:0") for run in range(3)])
    assert [level.name for level in levels] == ["TLB"]


def test_knees_have_a_row_for_each_run(tmp_path: Path) -> None:
    summaries = [{"levels": {"cuda:0": LEVELS[:1]}}, {"levels": {"cuda:0": LEVELS}}]
    runs = [write_run(tmp_path / f"run{i}", read((i + 1) * MIB), summary=summary)
            for i, summary in enumerate(summaries)]  # fmt: skip
    chart = drawn(figure("probes/knees"), load_runs(runs), Published("", []))
    assert isinstance(chart, RowChart)
    assert [(panel.title, panel.rows, [mark.row for mark in panel.marks]) for panel in chart.panels] == [
        ("Test GPU, L2", ["run0", "run1"], ["run0", "run1"]), ("Test GPU, TLB", ["run0", "run1"], ["run1"])]  # fmt: skip


def test_latency_is_the_time_of_an_access() -> None:
    chart = lines("latency", follow(MIB, 1e7), follow(2 * MIB, 1e6))
    (fast, _) = chart.panels[0].marks
    assert (fast.y, fast.low, fast.high) == pytest.approx((1e-7, 1e-7 / 1.01, 1e-7 / 0.99))
    assert chart.heading.notes[0] == "Lower is better."


def test_curves_are_named_by_axes_that_differ() -> None:
    cases = [follow(MIB, 1e7, axes={"threads": threads, "pages": pages, "stride_bytes": 128, "prefetch": prefetch})
             for threads in (0, 1, 2) for pages in ("4k", "huge") for prefetch in (0, 1)]  # fmt: skip
    assert lines("latency", *cases).series == sorted(
        f"{threads}, {pages} pages" for threads in ("1 thread", "2 threads", "all threads") for pages in ("4k", "huge"))  # fmt: skip
    assert lines("latency", follow(MIB, 1e7)).series == ["latency"]


def test_copies_are_drawn_over_their_size() -> None:
    def copied(size: int, direction: str) -> Case:
        return probe("transfer", size, point={"transfer_bytes": size, "direction": direction})

    chart = lines("probes/transfer", *[copied(size, way) for size in (1024, MIB) for way in ("to_device", "both")])
    assert [(mark.series, mark.x, mark.y) for mark in chart.panels[0].marks] == [
        ("both", 1024, 1024), ("both", MIB, MIB), ("to_device", 1024, 1024), ("to_device", MIB, MIB)]  # fmt: skip


def test_each_load_begins_at_rest() -> None:
    def loaded(operation: str, load: float, pause: int, **more: Any) -> Case:
        return probe("loaded_latency", 1e6, "accesses", point={"operation": operation, "pause_ns": pause},
                     facts={"load_bytes_per_s": load}, **more)  # fmt: skip

    chart = lines("probes/loaded-latency", loaded("read", 0, -1), loaded("read", 1e12, 0), loaded("copy", 2e12, 0),
                  loaded("read", 3e10, 0, **ON_CPU))  # fmt: skip
    assert [(panel.title, [(mark.series, mark.x) for mark in panel.marks]) for panel in chart.panels] == [
        ("processors", [("Test CPU, others read", 3e10)]),
        ("GPUs", [("Test GPU, others read", 0), ("Test GPU, others copy", 0), ("Test GPU, others read", 1e12),
                  ("Test GPU, others copy", 2e12)])]  # fmt: skip


def in_flight(loads: int, warps: int, rate: float, footprint: int = MIB) -> Case:
    facts = {"accesses_in_flight": loads * warps * 32 * 100, "multiprocessors": 100, "warps_per_sm": warps,
             "loads_per_lane": loads}  # fmt: skip
    return read(footprint, rate, axes={"in_flight": loads, "blocks_per_sm": warps}, facts=facts)


def test_occupancy_is_of_the_footprint_with_most_points() -> None:
    cases = [in_flight(1, 8, 1e12), in_flight(1, 16, 2e12), in_flight(4, 8, 4e12)]
    chart = lines("probes/occupancy", *cases, in_flight(1, 8, 9e12, footprint=2 * MIB))
    (panel,) = chart.panels
    assert panel.title == "Test GPU, blocks of 32 B, per multiprocessor"
    assert [(mark.x, mark.y) for mark in panel.marks] == [(256, 1e12), (512, 2e12), (1024, 4e12)]
    assert len(chart.series) == 2 and chart.series[0].startswith("1 load")
    # Little's law: 25 600 accesses of 32 B in flight at 1 TB/s
    assert dict(panel.marks[0].tips)["Time of an access by Little's law"] == "819 ns"


def test_two_numbers_in_flight_are_too_few() -> None:
    with pytest.raises(NotDrawn, match="has three numbers of accesses in flight"):
        lines("probes/occupancy", in_flight(1, 8, 1e12), in_flight(1, 16, 2e12))


def test_instructions_by_pipe_with_rate_per_clock() -> None:
    facts = {"pipe": "alu", "multiprocessors": 100, "max_clock_mhz": 1000}
    cases = [probe("instruction_throughput", rate, "operations", point={"operation": operation, "target": "sm_90"},
                   facts=facts) for operation, rate in (("add", 6.4e12), ("add+mul", 1.28e13))]  # fmt: skip
    on_cpu = probe("instruction_throughput", 1e9, "operations", point={"operation": "add", "target": "avx2", "threads": 1},
                   **ON_CPU)  # fmt: skip
    chart = rows("probes/instruction_throughput", *cases, on_cpu)
    assert chart.series == ["alu", "pipe unknown", "two in turn"]
    assert [panel.title for panel in chart.panels] == ["Test CPU, avx2, 1 thread", "Test GPU, sm_90"]
    assert [panel.value and panel.value.title for panel in chart.panels] == [
        "vector instructions per second", "lane operations per second"]  # fmt: skip
    both, add = chart.panels[1].marks
    assert (both.series, add.series, add.detail.split()[0]) == ("two in turn", "alu", "64")
    assert chart.panels[0].marks[0].detail == ""


@pytest.mark.parametrize("each", FIGURES, ids=lambda each: each.name)
def test_reports_without_probes_name_the_missing_record(each: Any) -> None:
    with pytest.raises(NotDrawn, match="no record of"):
        chart_of(each, case("fm_index", "a", 1e9))
