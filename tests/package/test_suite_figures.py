"""Figures of the suite, drawn from made records."""

from __future__ import annotations

from typing import Any

import pytest
from gpuseq.charts.values import HeatMap, LineChart, RowChart
from gpuseq.drawing import NotDrawn
from gpuseq.figures.suite import FIGURES
from gpuseq.size_curves import size_text
from gpuseq.warps import WARP_STATES, counter_words, warp_times
from made import ON_CPU, ON_OTHER_GPU, ON_SECOND_GPU, Case, case, chart_of, named

figure = named(FIGURES)
MIB = 1 << 20


def kernel(variant: str, rate: float, n: int = 1, **more: Any) -> Case:
    point, family = more.pop("point", {}), more.pop("family", "toy")
    return case(family, variant, rate, point, {"n": n}, **more)


def bound(fraction: float, rate: float, by: str = "memory") -> Case:
    return {"rate": rate / fraction, "fraction": fraction, "bound_by": by}


def rows(name: str, *cases: Case) -> RowChart:
    chart = chart_of(figure(name), *cases)
    assert isinstance(chart, RowChart)
    return chart


def lines(name: str, *cases: Case) -> LineChart:
    chart = chart_of(figure(name), *cases)
    assert isinstance(chart, LineChart)
    return chart


def test_devices_are_compared_with_our_slowest() -> None:
    tool = kernel("other", 5e8, kind="tool", device="cpu", provenance="cpu")
    (panel,) = rows("suite/devices", kernel("a", 4e9), kernel("b", 6e9), kernel("c", 2e9, **ON_CPU), tool).panels
    assert [(mark.row, mark.value, mark.hollow) for mark in panel.marks] == [
        ("Test GPU", 3, False), ("Test CPU", 1, False), ("other (whole process), Test CPU", 0.25, True)]  # fmt: skip
    assert [mark.detail for mark in panel.marks] == [
        "6 G query bases/s, b", "2 G query bases/s, c", "500 M query bases/s"]  # fmt: skip


def test_problems_of_one_device_are_not_compared() -> None:
    with pytest.raises(NotDrawn, match="a problem that a second device or external tool has"):
        rows("suite/devices", kernel("a", 4e9), kernel("a", 6e9, n=2, **ON_OTHER_GPU))


def test_problems_of_most_devices_come_first() -> None:
    def on(n: int, *devices: Case) -> list[Case]:
        return [kernel("a", 1e9, n, facts={"reference_bases": n}, **device) for device in devices]

    chart = rows("suite/devices", *on(3, {}, ON_CPU), *on(7, {}, ON_CPU), *on(1, {}, ON_CPU, ON_OTHER_GPU))
    assert [panel.title for panel in chart.panels] == ["toy: n=1", "toy: n=7", "toy: n=3"]
    assert chart.series == ["Other GPU", "Test CPU", "Test GPU"]


def test_same_cases_by_their_bound_on_the_baseline() -> None:
    def both(n: int, gain: float, by: str) -> list[Case]:
        return [kernel("a", 1e9, n, bound=bound(0.5, 1e9, by), **ON_OTHER_GPU),
                kernel("a", gain * 1e9, n, bound=bound(0.5, 1e9, "latency"))]  # fmt: skip

    gains = {1: 1.0, 2: 1.1, 3: 1.2, 4: 1.3, 5: 9.0}
    cases = [each for n, gain in gains.items() for each in both(n, gain, "memory")]
    chart = rows("suite/same_states", *cases, *both(6, 2, "instructions"), kernel("a", 1e9, 7))
    assert chart.value.title == "rate over that of Other GPU"  # the first by name of those with most cases
    (panel,) = chart.panels
    assert panel.rows == ["instructions", "memory"]
    (median,) = [mark for mark in panel.marks if mark.row == "memory" and not mark.minor]
    assert (median.value, median.low, median.high, median.detail) == pytest.approx((1.2, 1.1, 1.3, "5 cases"))
    assert sum(mark.minor for mark in panel.marks) == 6


def test_sizes_show_half_and_break_even() -> None:
    def sized(size: int, rate: float, **more: Any) -> Case:
        made = kernel("a", rate, size, phase="size", work={"amount": size, "unit": "queries"},
                      size={"axis": "n", "noun": "queries", "value": size}, **more)  # fmt: skip
        return made | {"statistics": made["statistics"] | {"median_s": size / rate}}

    # Hockney's law with half of 1e9/s at 2e6, and a CPU of 1e8/s at each size
    sizes = [10**power for power in range(4, 10)]
    gpu = [sized(size, 1e9 * size / (size + 2e6)) for size in sizes]
    chart = lines("suite/sizes", *gpu, *[sized(size, 1e8, **ON_CPU) for size in sizes])
    (panel,) = chart.panels
    assert panel.title == "toy, queries"
    half, even = panel.guides
    assert half.at == pytest.approx(2e6, rel=1e-6) and half.label == "n½ of the GPU 2 000 000"
    assert even.at == pytest.approx(2e6 / 9, rel=0.1) and even.label == f"CPU faster below {size_text(even.at)}"
    assert all(mark.terms == [("n", "along x")] for mark in panel.marks)


@pytest.mark.parametrize(("size", "text"), [(8960, "9 000"), (123456, "120 000"), (7, "7"), (0.25, "0.25")])
def test_sizes_have_two_digits(size: float, text: str) -> None:
    assert size_text(size) == text


def test_leaders_of_variants_stand_out_under_the_bound() -> None:
    def placed(variant: str, rate: float, fraction: float, d: int, **more: Any) -> Case:
        return kernel(variant, rate, point={"d": d}, bound=bound(fraction, rate), **more)

    traffic = {"footprint_bytes": MIB}
    chart = lines("suite/roofline", placed("a", 2e9, 0.5, 1, traffic=traffic), placed("a", 1e9, 0.9, 2, traffic=traffic),
                  placed("b", 3e9, 1.25, 1, facts={"index_bytes": 2 * MIB}), placed("b", 9e9, 0.9, 2))  # fmt: skip
    (panel,) = chart.panels
    assert [(mark.series, mark.x, mark.y, mark.minor) for mark in panel.marks] == [
        ("a", MIB, 0.5, False), ("a", MIB, 0.9, True), ("b", 2 * MIB, 1.25, False)]  # fmt: skip
    assert panel.marks[0].low == pytest.approx(0.5 * 0.99) and panel.marks[1].low == 0
    assert [(guide.at, guide.label) for guide in chart.guides] == [(1, "bound")]


def test_roofline_names_families_where_there_are_several() -> None:
    made = [kernel("a", 1e9, family=family, bound=bound(0.5, 1e9), facts={"index_bytes": MIB})
            for family in ("toy", "other")]  # fmt: skip
    chart = lines("suite/roofline", *made)
    assert chart.series == ["other: a", "toy: a"]
    assert {panel.title for panel in chart.panels} == {"Test GPU: other: n=1", "Test GPU: toy: n=1"}


def counted(variant: str, rate: float, fraction: float | None, **cycles: float) -> Case:
    counters = {f"smsp__warps_issue_stalled_{state}.sum": value for state, value in cycles.items()}
    return kernel(variant, rate, counters=counters, bound=fraction and bound(fraction, rate))


def test_warp_states_have_the_names_of_nsight_compute() -> None:
    chart = rows("suite/why", counted("a", 1e9, None, misc=1, wait=1),
                 counted("b", 1e9, 0.25, selected=10, long_scoreboard=20, lg_throttle=10),
                 counted("c", 1e9, 0.75, selected=1, math_pipe_throttle=1, dispatch_stall=2),
                 kernel("d", 9e9, counters={"lts__t_sector_hit_rate.pct": 50}))  # fmt: skip
    (panel,) = chart.panels
    assert panel.rows == ["c", "b", "a"]
    shares = {row: {mark.series: mark.value for mark in panel.marks if mark.row == row} for row in panel.rows}
    assert shares == {"a": {"Wait": 0.5, "Misc": 0.5}, "b": {"Selected": 0.25, "Long Scoreboard": 0.75},
                      "c": {"Selected": 0.25, "Math Pipe Throttle": 0.75}}  # fmt: skip
    assert chart.series == ["Selected", "Wait", "Long Scoreboard", "Math Pipe Throttle", "Misc"]
    assert [mark.label for mark in panel.marks if mark.label] == ["75 % of memory", "25 % of memory", "no bound"]


def test_each_warp_state_counts_once() -> None:
    states = [state for states in WARP_STATES.values() for state in states]
    counters = {f"smsp__warps_issue_stalled_{state}.sum": 1 for state in states}
    assert len(states) == len(set(states))
    assert sum(warp_times(counters).values()) == pytest.approx(1)
    assert warp_times({}) == warp_times(None) == {}


def test_counters_in_words() -> None:
    counters = {"smsp__issue_active.avg.pct_of_peak_sustained_active": 42.4, "lts__t_sector_hit_rate.pct": 101,
                "smsp__warps_issue_stalled_wait.sum": 95, "smsp__warps_issue_stalled_misc.sum": 5,
                "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum": 1,
                "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": 4}  # fmt: skip
    assert counter_words(counters) == (
        "its multiprocessors issue in 42 % of their cycles; stalls: Wait 95 %; L2 hit rate 100 %; 25 % of "
        "shared-memory accesses are bank conflicts"
    )


def test_energy_takes_the_most_work_per_joule() -> None:
    def powered(rate: float, per_joule: float, **more: Any) -> Case:
        return kernel("a", rate, energy={"work_per_joule": per_joule}, **more)

    (panel,) = rows("suite/energy", powered(9e9, 1e6, point={"d": 1}), powered(1e9, 3e6, point={"d": 2}),
                    powered(1e8, 5e5, **ON_CPU), powered(1e8, 0, **ON_OTHER_GPU)).panels  # fmt: skip
    assert [(mark.row, mark.value, mark.label) for mark in panel.marks] == [
        ("a, Test GPU", 3e6, "3 M"), ("a, Test CPU", 5e5, "500 k")]  # fmt: skip
    assert panel.value is not None and panel.value.title == "query bases per joule"


def test_missing_energy_has_the_reason_of_most_records() -> None:
    reasons = ["no sensor", "not asked for", "not asked for"]
    with pytest.raises(NotDrawn, match="has energy: not asked for"):
        rows("suite/energy", *[kernel("a", 1e9, n, energy_reason=reason) for n, reason in enumerate(reasons)])


def test_surface_has_large_blocks_on_top() -> None:
    cases = [case("random_access", "cuda", rate, {"footprint_bytes": size, "block_bytes": block}, kind="probe",
                  work={"amount": 1, "unit": "bytes"})
             for size, block, rate in ((MIB, 32, 1e12), (2 * MIB, 32, 2e12), (MIB, 128, 3e12), (2 * MIB, 128, 4e12))]  # fmt: skip
    chart = chart_of(figure("suite/surface"), *cases)
    assert isinstance(chart, HeatMap)
    (panel,) = chart.panels
    assert panel.rows == ["128 B", "32 B"]
    assert [(cell.row, cell.x, cell.value) for cell in panel.cells] == [
        ("128 B", MIB, 3e12), ("128 B", 2 * MIB, 4e12), ("32 B", MIB, 1e12), ("32 B", 2 * MIB, 2e12)]  # fmt: skip


@pytest.mark.parametrize("each", FIGURES, ids=lambda each: each.name)
def test_reports_without_kernels_name_the_missing_record(each: Any) -> None:
    with pytest.raises(NotDrawn, match="no record of"):
        chart_of(each, case("latency", "cuda", 1e9, kind="probe"))


def of_a_node(second: float, cases: int = 20) -> list[Case]:
    """Cases of two GPUs of one model; the second has another rate."""
    made = [kernel("a", 1e9, number) for number in range(cases)]
    return made + [kernel("a", second * 1e9, number, **ON_SECOND_GPU) for number in range(cases)]


def test_gpus_of_a_node_stand_side_by_side() -> None:
    chart = rows("suite/gpus", *of_a_node(0.9), kernel("a", 1e9, 99, **ON_OTHER_GPU))
    (panel,) = chart.panels
    first, second = panel.rows
    marks = {mark.row: mark.value for mark in panel.marks if not mark.minor}
    assert marks == pytest.approx({first: 1 / 0.9, second: 0.9})
    assert f"{second} deviates: 10.0% slower" in " ".join(chart.heading.notes)


def test_equal_gpus_do_not_deviate() -> None:
    assert "No GPU deviates" in " ".join(rows("suite/gpus", *of_a_node(0.99)).heading.notes)
    assert "Too few cases" in " ".join(rows("suite/gpus", *of_a_node(0.5, cases=3)).heading.notes)
    with pytest.raises(NotDrawn, match="a second GPU of the model"):
        rows("suite/gpus", kernel("a", 1e9), kernel("a", 1e9, **ON_OTHER_GPU))


def on_gpus(gpus: int, rate: float, variant: str = "a_gpus", **more: Any) -> Case:
    point = {"gpus": gpus} if gpus > 0 else {}
    return kernel(variant, rate, point=point, facts={"gpus": gpus}, **more)


def test_efficiency_is_against_as_many_single_gpus() -> None:
    chart = lines("suite/gpus_efficiency", on_gpus(1, 1e9), on_gpus(2, 1.8e9), on_gpus(4, 3e9))
    (panel,) = chart.panels
    assert [(mark.x, mark.label) for mark in panel.marks] == [(1, ""), (2, "1.80 x"), (4, "3.00 x")]
    assert [mark.y for mark in panel.marks] == pytest.approx([1, 0.9, 0.75])


def test_efficiency_needs_a_single_gpu_without_cpu_threads() -> None:
    with pytest.raises(NotDrawn, match="on one GPU and on several"):
        lines("suite/gpus_efficiency", on_gpus(2, 1e9), kernel("b", 1e9))
    with pytest.raises(NotDrawn):
        both = [kernel("hybrid", 1e9, point={"gpus": n}, facts={"gpus": n, "threads": 8}) for n in (1, 2)]
        lines("suite/gpus_efficiency", *both)


def test_losses_of_gpus_are_slow_parts_unequal_parts_and_the_rest() -> None:
    slow = on_gpus(2, 1e9)
    seconds = slow["statistics"]["median_s"]
    slow["side_samples_s"] = {"alone on cuda:0": [0.8 * seconds], "alone on cuda:1": [0.6 * seconds]}
    (panel,) = lines("suite/gpus_efficiency", on_gpus(1, 1e9), slow).panels
    tips = dict(panel.marks[1].tips)
    assert tips["Lost to parts slower than their share"] == "20 %"
    assert tips["Lost to unequal parts"] == "10 %"
    assert tips["Lost to beginning and ending together"] == "20 %"
