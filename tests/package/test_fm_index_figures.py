"""Figures of the FM-index and of locating, drawn from made records."""

from __future__ import annotations

from typing import Any

import pytest
from gpuseq.charts.values import LineChart, Quantity, RowChart
from gpuseq.drawing import Figure, NotDrawn
from gpuseq.figures.common.lines import Lines
from gpuseq.figures.fm_index import FIGURES
from gpuseq.figures.fm_index_memory import bytes_of
from gpuseq.figures.fm_index_words import queries_title
from gpuseq.figures.fm_locate import RATES
from gpuseq.runs import number_at
from made import Case, case, chart_of, fact, named, report_of

figure = named(FIGURES)
GIGA = 10**9


def search(variant: str, rate: float, bases: int = GIGA, k: int = 1, d: int = 64, **more: Any) -> Case:
    problem = {"reference": "synthetic", "reference_bases": bases, "queries": "sampled", "query_bases": 100}
    point = {"k": k, "d": d, "counters": "full"}
    return case("fm_index", variant, rate, point | more.pop("point", {}), problem | more.pop("problem", {}), **more)


def lines(name: str, *cases: Case, **more: Any) -> LineChart:
    chart = chart_of(figure(name), *cases, **more)
    assert isinstance(chart, LineChart)
    return chart


def rows(name: str, *cases: Case, **more: Any) -> RowChart:
    chart = chart_of(figure(name), *cases, **more)
    assert isinstance(chart, RowChart)
    return chart


def test_lines_keep_the_fastest_record_at_each_x() -> None:
    chart = lines("fm-index/fig7", search("a", 1e9), search("a", 2e9, point={"lanes": 4}), search("a", 5e9, d=192),
                  search("b", 3e9), search("a", 9e9, k=2), search("a", 7e9, bases=GIGA // 10))  # fmt: skip
    assert [panel.title for panel in chart.panels] == [
        "Test GPU: reference=synthetic,reference_bases=1000000000,queries=sampled,query_bases=100"
    ]
    assert {(mark.series, mark.x): mark.y for mark in chart.panels[0].marks} == {
        ("a", 64): 2e9, ("a", 192): 5e9, ("b", 64): 3e9}  # fmt: skip
    assert chart.x.ticks == [64, 192]


def test_lines_keep_series_that_lead_somewhere() -> None:
    cases = [search("a", (20 if k == 3 and bases == GIGA else 10 + k) * 1e9, bases, k=k)
             for k in range(3, 13) for bases in (GIGA, 3 * GIGA)]  # fmt: skip
    chart = lines("fm-index/fig9", *cases)
    assert chart.series == [f"{k}-step" for k in (3, 6, 7, 8, 9, 10, 11, 12)]
    assert any(note.startswith("8 of 10 layouts") for note in chart.heading.notes)


def test_layouts_of_the_papers_guide_lines_are_never_dropped() -> None:
    def alternate(d: int, rate: float, bases: int) -> Case:
        return search("a", rate, bases, k=2, d=d, point={"counters": "alternate"})

    slow = [one for bases in (GIGA, 3 * GIGA) for one in (search("a", 1e9, bases), alternate(64, 1.1e9, bases),
                                                          alternate(192, 1.2e9, bases))]  # fmt: skip
    fast = [search("a", 1e11, bases, k=k) for k in range(3, 13) for bases in (GIGA, 3 * GIGA)]
    chart = lines("fm-index/fig9", *slow, *fast)
    assert {"1-step", "2-step, alternate counters"} <= set(chart.series) and len(chart.series) == 8
    dashes = {mark.dash for mark in chart.panels[0].marks if mark.series == "2-step, alternate counters"}
    assert dashes == {"d=64", "d=192"} == set(chart.dashes)


AS_PUBLISHED = {"entry_reads": "separate", "chunks": "whole", "prefix_symbols": 8}


def test_schemes_as_published_are_series_of_their_own() -> None:
    ours = {**AS_PUBLISHED, "entry_reads": "merged"}
    cases = [search("task_parallel", rate, d=d, point=point)
             for d in (64, 192) for point, rate in ((AS_PUBLISHED, 1e9), (ours, 2e9))]  # fmt: skip
    assert lines("fm-index/fig7", *cases).series == ["task_parallel", "task_parallel, as published"]


def test_the_best_of_fewer_threads_is_a_line_of_its_own() -> None:
    cases = [search("a", rate, d=d, point={"active_threads": threads})
             for d in (64, 192) for threads, rate in ((0, 1e9), (128, 2e9), (256, 3e9))]  # fmt: skip
    marks = lines("fm-index/fig7", *cases).panels[0].marks
    assert [(mark.x, mark.dash, mark.y) for mark in marks] == [
        (64, "as many threads as fit", 1e9), (192, "as many threads as fit", 1e9),
        (64, "fewer threads", 3e9), (192, "fewer threads", 3e9)]  # fmt: skip


def test_figure_eight_is_of_the_cooperative_design_and_of_cpus() -> None:
    def named_case(variant: str, bases: int, **more: Any) -> Case:
        return search(variant, 1e9, bases, **more)

    cases = [case for bases in (GIGA, 3 * GIGA) for case in (
        named_case("full_cooperative_split", bases), named_case("task_parallel", bases),
        named_case("prefetch", bases, device="cpu"))]  # fmt: skip
    assert lines("fm-index/fig8", *cases).series == ["full_cooperative_split", "prefetch"]


def test_published_guides_cross_panels_of_gpus_only() -> None:
    cases = [search("a", 1e9, d=d) for d in (64, 192)]
    guide = fact(figure("fm-index/fig7"), 192, kind="guide")
    assert [each.at for each in lines("fm-index/fig7", *cases, facts=[guide]).guides] == [192]
    on_cpu = [one | {"device": "cpu"} for one in cases]
    assert lines("fm-index/fig7", *on_cpu, facts=[guide]).guides == []


def test_thread_sweeps_are_of_one_reference_size_by_layout() -> None:
    def swept(d: int, limit: int, threads: int) -> Case:
        return search("a", threads * 1e6, d=d, point={"active_threads": limit}, facts={"resident_threads": threads})

    chart = lines("fm-index/fig6", swept(64, 1, 100), swept(192, 1, 100), swept(192, 2, 200), swept(192, 0, 400))
    assert [panel.title.endswith(", k=1 d=192") for panel in chart.panels] == [True]
    assert [mark.x for mark in chart.panels[0].marks] == [100, 200, 400]
    more = [search("a", limit * 1e9, GIGA // 10, d=d, point={"active_threads": limit}, facts={"resident_threads": 100 * limit})
            for d in (64, 192) for limit in (1, 2)]  # fmt: skip
    chart = lines("fm-index/fig6", swept(64, 1, 100), swept(64, 2, 200), *more)
    assert [panel.title.rpartition(", ")[2] for panel in chart.panels] == ["k=1 d=64", "k=1 d=192"]
    assert all("100000000" in panel.title for panel in chart.panels)
    assert any("others have fewer" in note for note in chart.heading.notes)


def test_sorting_counts_for_a_user_who_sorts() -> None:
    chart = lines("fm-index/orders", search("a", 1e9, problem={"query_order": "as_given"}),
                  search("a", 4e9, problem={"query_order": "sorted"}, side_samples_s={"sort": [0.75]}))  # fmt: skip
    marks = {(mark.series, mark.dash): mark.y for mark in chart.panels[0].marks}
    assert marks == {("as_given", "search"): 1e9, ("sorted", "search"): 4e9, ("sorted", "sort and search"): 1e9}


def test_order_without_counterpart_is_not_drawn() -> None:
    with pytest.raises(NotDrawn, match="none of the 1 ok records of fm_index has a counterpart"):
        lines("fm-index/orders", search("a", 1e9, problem={"query_order": "as_given"}))


def test_memory_front_and_limit() -> None:
    def held(d: int, rate: float, size: int) -> Case:
        return search("a", rate, d=d, memory={"bytes": size, "parts": {"index": size}}, bound={"rate": 8e9,
                      "fraction": rate / 8e9, "bound_by": "memory"})  # fmt: skip

    chart = lines("fm-index/memory", held(64, 4e9, 100), held(192, 2e9, 50), held(448, 3e9, 200),
                  summary={"config": {"limits": {"max_bytes": "1.5 KiB"}}})  # fmt: skip
    (panel,) = chart.panels
    assert panel.steps == [(50, 2e9), (100, 4e9)]
    assert [(mark.x, mark.minor, mark.bound) for mark in panel.marks] == [
        (50, False, 8e9), (100, False, 8e9), (200, True, 0)]  # fmt: skip
    assert [guide.at for guide in panel.guides] == [1536]


@pytest.mark.parametrize(("text", "expected"), [("200M", 2e8), ("1.5GiB", 1.5 * 2**30), (7, 7), ("many", None)])
def test_sizes_are_read(text: object, expected: float | None) -> None:
    assert bytes_of(text) == expected


def test_each_layout_has_one_mark_of_its_bits() -> None:
    facts = {"bits_per_base": 4.0}
    published = fact(figure("fm-index/fig2"), 3.5, k=1, d=64, counters="full")
    chart = lines("fm-index/fig2", search("a", 1e9, facts=facts), search("b", 1e9, facts=facts),
                  search("psi", 1e9, k=2, facts=facts), facts=[published])  # fmt: skip
    marks = [(mark.series, mark.y, mark.published) for mark in chart.panels[0].marks]
    assert marks == [("k=1", 4, False), ("psi k=2", 4, False), ("k=1", 3.5, True)]


def test_published_rates_stand_next_to_the_size_with_most_schemes() -> None:
    tool = search("bowtie", 1e6, kind="tool", device="cpu")
    chart = rows("fm-index/fig5", search("a", 9e9, bases=1000), search("a", 1e9), search("a", 2e9, d=192), tool,
                 facts=[fact(figure("fm-index/fig5"), 1.5e9)])  # fmt: skip
    (panel,) = chart.panels
    assert [mark.row for mark in panel.marks] == ["a, 1-step", "published kernel", "bowtie (whole process)"]
    assert [mark.hollow for mark in panel.marks] == [False, False, True]
    assert [mark.detail for mark in panel.marks][:1] == ["d=192"]
    assert any("others have fewer" in note for note in chart.heading.notes)


def test_shares_of_occurring_queries_stand_in_one_row() -> None:
    def occurring(share: int, rate: float, bases: int = GIGA) -> Case:
        return search("psi", rate, bases, k=13, point={"early_exit": "table"}, problem={"occurring_percent": share})

    chart = rows("fm-index/occurring", occurring(100, 1e9), occurring(0, 2e9), occurring(50, 1e9, bases=1000))
    assert chart.series == ["100 % occur", "0 % occur"]
    assert [(mark.row, mark.series) for panel in chart.panels for mark in panel.marks] == [
        ("psi k=13, early exit", "0 % occur"), ("psi k=13, early exit", "100 % occur")]  # fmt: skip


def test_bound_marks_the_fastest_of_each_variant() -> None:
    def bounded(variant: str, rate: float, d: int, fraction: float) -> Case:
        return search(variant, rate, d=d, bound={"rate": 1, "fraction": fraction, "bound_by": "memory"})

    chart = rows(
        "fm-index/ceiling", bounded("a", 1e9, 64, 0.9), bounded("a", 2e9, 192, 0.5), bounded("b", 3e9, 64, 0.7)
    )
    assert chart.panels[0].rows == ["b", "a"]
    assert {mark.value: mark.minor for mark in chart.panels[0].marks} == {0.9: True, 0.5: False, 0.7: False}


def test_energy_is_of_the_phase_that_measured_it() -> None:
    measured = search("a", 2e9, phase="winner", energy={"work_per_joule": 5e6})
    again = search("a", 2.2e9, phase="tune")
    chart = rows("fm-index/fig11", measured, again, facts=[fact(figure("fm-index/fig11"), 1e6, panel="energy")])
    assert [[mark.value for mark in panel.marks] for panel in chart.panels] == [[2.2e9], [5e6, 1e6]]


def test_instructions_per_base_of_the_fastest_of_a_scheme() -> None:
    def counted(rate: float, lanes: int, count: float) -> Case:
        return search("full", rate, point={"lanes_per_query": lanes}, counters={"sm__inst_executed.sum": count})

    published = fact(figure("fm-index/table2"), 3, variant="full", k=1, d=64)
    chart = rows("fm-index/table2", counted(1e9, 1, 5e9), counted(1e9, 4, 9e9), facts=[published])
    assert [(mark.row, mark.value) for mark in chart.panels[0].marks] == [
        ("full, k=1", 5), ("full, k=1, 4 lanes", 9), ("full, k=1", 3)]  # fmt: skip
    assert chart.series == ["Test GPU", "published, Old GPU"]


def test_devices_are_described_by_their_properties() -> None:
    gpu = {"compute_capability": "9.0", "multiprocessors": 132, "memory_bus_bits": 6144, "max_memory_clock_mhz": 3201}
    chart = rows("fm-index/table1", search("a", 1e9), summary={"devices": {"cuda:0": gpu}},
                 facts=[fact(figure("fm-index/table1"), 2688, property="cores")])  # fmt: skip
    values = {panel.title: [mark.value for mark in panel.marks] for panel in chart.panels}
    assert values == {"cores": [16896, 2688], "memory bandwidth": [2 * 3201e6 * 768]}


def test_ladder_has_a_row_per_step() -> None:
    fixed = {"active_threads": 0, "queries_in_flight": 1, "entry_loads": "cached"}
    published = search("memory_cooperative", 1e9, point=fixed | {"entry_reads": "separate"})
    ours = search("memory_cooperative", 3e9, point=fixed | {"entry_reads": "merged"})
    (panel,) = rows("fm-index/ladder", published, ours).panels
    assert [(mark.row, mark.detail) for mark in panel.marks] == [
        ("memory: as published", ""), ("memory: merged reads", "3 x")]  # fmt: skip


def test_located_positions_are_labelled_with_their_samples() -> None:
    def located(rate: int, per_s: float) -> Case:
        return case("fm_locate", "walk", per_s, {"sa_rate": rate, "sa_sampling": "text"}, {"reference_bases": GIGA},
                    facts={"bits_per_base": 32 / rate})  # fmt: skip

    chart = chart_of(RATES, located(4, 1e9), located(32, 1e8), located(16, 2e8))
    assert isinstance(chart, LineChart)
    assert [(mark.label, mark.x) for mark in chart.panels[0].marks] == [("4", 1), ("16", 0.25), ("32", 0.125)]
    assert chart.series == ["walk, text"]


def test_bandwidth_of_devices_is_of_entries_and_independent_accesses() -> None:
    def read(block: int, footprint: int, access: str, blocks_per_s: float) -> Case:
        point = {"footprint_bytes": footprint, "block_bytes": block, "access": access}
        return case("random_access", "cuda", blocks_per_s, point, kind="probe", work={"amount": 1, "unit": "blocks"})

    probes = [read(block, footprint, access, 1e9 / block) for block in (32, 128) for footprint in (1024, 4096)
              for access in ("independent", "dependent")]  # fmt: skip
    (panel,) = lines("fm-index/fig10", *probes).panels
    assert [(mark.series, mark.x, mark.y) for mark in panel.marks] == [
        ("Test GPU", 1024, 1e9), ("Test GPU", 4096, 1e9)]  # fmt: skip
    assert [each.title for each in lines("fm-index/fig3", *probes).panels] == [
        "Test GPU, independent accesses", "Test GPU, dependent accesses"]  # fmt: skip


def test_words_of_queries() -> None:
    record = report_of(search("a", 1e9, problem={"reference": "human", "kmer_bases": 31, "shortest_query_bases": 30,
                                                 "query_bases": 1000, "occurring_percent": 50})).records[0]  # fmt: skip
    assert queries_title(record) == "Test GPU: 31-mers of reads of 30 to 1000 bases, 50 % occur, human"


def test_figure_of_a_stranger() -> None:
    toy = Figure("toy/sizes", "Rate by size", "Toy", "How the size matters.",
                     Lines("toy", x=lambda record: number_at(record.problem, "n"),
                           series=lambda record: record.variant, panel=lambda record: record.device_name,
                           title=lambda record: record.device_name, x_axis=Quantity("n", log=True),
                           series_title="variant", least_x=2, need="two sizes").draw)  # fmt: skip
    chart = chart_of(toy, case("toy", "a", 1e9, problem={"n": 1}), case("toy", "a", 2e9, problem={"n": 2}))
    assert isinstance(chart, LineChart)
    assert [(mark.x, mark.y) for mark in chart.panels[0].marks] == [(1, 1e9), (2, 2e9)]
    with pytest.raises(NotDrawn, match="has two sizes"):
        chart_of(toy, case("toy", "a", 1e9, problem={"n": 1}))
