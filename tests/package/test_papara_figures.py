"""Figures of PaPaRa, drawn from made records."""

from __future__ import annotations

from typing import Any

import pytest
from gpuseq.charts.values import LineChart, RowChart
from gpuseq.drawing import NotDrawn
from gpuseq.figures.papara import FIGURES
from made import ON_CPU, Case, case, chart_of, fact, named

figure = named(FIGURES)
SIZES = {"sites": 500, "queries": 10, "references": 20, "bases": 100}


def aligned(variant: str, gcups: float, sites: int = 500, queries: int = 10, **more: Any) -> Case:
    """Queries of 100 bases against 20 references; the time is 1 s."""
    problem = {"queries": "evolved", "references": 20, "sites": sites, "query_count": queries, "shortest_query": 100,
               "longest_query": 100} | more.pop("problem", {})  # fmt: skip
    facts = {"references": 20, "sites": sites, "queries_aligned": queries} | more.pop("facts", {})
    made = case("papara", variant, gcups * 1e9, more.pop("point", {}), problem, facts=facts,
                work={"amount": gcups * 1e9, "unit": "cells"}, **more)  # fmt: skip
    made["statistics"]["median_s"] = 1.0
    return made


def hybrid(gcups: float, **facts: Any) -> Case:
    return aligned("hybrid", gcups, point={"cpu_threads": len(facts), "gpus": 1}, facts=facts, **ON_CPU)


def lines(name: str, *cases: Case, **more: Any) -> LineChart:
    chart = chart_of(figure(name), *cases, **more)
    assert isinstance(chart, LineChart)
    return chart


def rows(name: str, *cases: Case, **more: Any) -> RowChart:
    chart = chart_of(figure(name), *cases, **more)
    assert isinstance(chart, RowChart)
    return chart


def test_devices_and_threads_have_panels_with_their_published_column() -> None:
    cases = [aligned("blocked", rate, sites, point={"threads": threads, "bits": 16}, **ON_CPU)
             for threads, rate in ((0, 90), (1, 9)) for sites in (500, 5000)]  # fmt: skip
    cases += [aligned("shared", 4300, sites, point={"arithmetic": arithmetic})
              for arithmetic in ("s16x2", "f16x2") for sites in (500, 5000)]  # fmt: skip
    facts = [fact(figure("papara/table1"), value, **SIZES, column=column)
             for column, value in (("Seq", 0.5), ("SSE(4)", 18), ("GPU", 8.4))]  # fmt: skip
    chart = lines("papara/table1", *cases, facts=facts)
    assert {panel.title: [mark.y for mark in panel.marks if mark.published] for panel in chart.panels} == {
        "Test GPU": [8.4], "Test CPU, 1 thread": [0.5], "Test CPU, all threads": [18]}  # fmt: skip
    assert chart.dashes == ["16 bits", "half floats"]
    assert {mark.dash for panel in chart.panels for mark in panel.marks} == {"16 bits", "half floats", ""}
    assert chart.x.ticks == [500, 5000]
    assert chart.series == ["blocked", "shared", "published (Author et al.)"]
    assert chart.heading.notes[0] == "10 queries of 100 bases x 20 references."


def test_published_kernel_is_a_series_of_its_own() -> None:
    published = {"arithmetic": "s32", "unroll": 12, "threads_per_block": 320, "references_per_launch": 320,
                 "elements": "compressed", "recurrence": "printed", "ends": "square"}  # fmt: skip
    cases = [aligned("blocked_shared", gcups, sites, point=point) for sites in (500, 5000)
             for gcups, point in ((1, published), (2, published | {"ends": "blocks"}))]  # fmt: skip
    assert lines("papara/table1", *cases).series == ["blocked_shared", "blocked_shared, as published"]


def test_speedups_are_of_the_time_for_the_same_alignments() -> None:
    seconds = fact(figure("papara/table1"), 216, kind="listed", **SIZES, column="Seq")
    seconds.unit = "s"
    chart = lines("papara/table1", aligned("shared", 10), aligned("shared", 20, 5000), facts=[seconds])
    assert [dict(mark.tips).get("Over Seq (published)") for mark in chart.panels[0].marks] == ["216 x", None]


def test_residues_have_panels_without_published_marks() -> None:
    protein = {"alphabet": "protein"}
    cases = [aligned("shared", 10, sites, problem=problem) for sites in (500, 5000) for problem in ({}, protein)]
    chart = lines("papara/table1", *cases, facts=[fact(figure("papara/table1"), 8.4, **SIZES, column="GPU")])
    assert {panel.title: len(panel.marks) for panel in chart.panels} == {
        "Test GPU: 10 queries of 100 bases x 20 references": 3,
        "Test GPU: 10 queries of 100 residues x 20 references": 2}  # fmt: skip


def test_tables_need_two_sizes_of_other_variants_than_hybrid() -> None:
    cases = [aligned("shared", 10), hybrid(20), aligned("hybrid", 20, 5000, **ON_CPU)]
    with pytest.raises(NotDrawn, match="two or more reference lengths"):
        lines("papara/table1", *cases)
    chart = lines("papara/table2", *cases, aligned("shared", 20, queries=40))
    assert [(mark.x, mark.y) for mark in chart.panels[0].marks] == [(10, 10), (40, 20)]
    assert chart.heading.notes[0] == "20 references of 500 sites, queries of 100 bases."


def test_shares_of_a_hybrid_stand_next_to_its_parts() -> None:
    both = hybrid(9000, gpus=2, cpu_share=0.5, gpu0_share=0.25, gpu1_share=0.25, imbalance_share=0.02)
    gpu_only = hybrid(2000, gpus=1, gpu0_share=1.0)
    chart = rows("papara/table3", both, gpu_only, aligned("blocked", 5000, point={"threads": 0}, **ON_CPU),
                 aligned("shared", 1500), facts=[fact(figure("papara/table3"), 33, sites=500),
                                                 fact(figure("papara/table3"), 44, sites=9999)])  # fmt: skip
    (panel,) = chart.panels
    assert [(mark.row, mark.series, round(mark.value)) for mark in panel.marks] == [
        ("CPU and GPU (scores copied back)", "Test CPU and GPU together", 9000),
        ("of this, CPU (scores copied back)", "Test CPU and GPU together", 4500),
        ("of this, GPU 0 (scores copied back)", "Test CPU and GPU together", 2250),
        ("of this, GPU 1 (scores copied back)", "Test CPU and GPU together", 2250),
        ("CPU alone, Test CPU", "a part alone", 5000),
        ("GPU alone (scores copied back)", "a part alone", 2000),
        ("published kernel", "published (Author et al.)", 33)]  # fmt: skip
    assert panel.marks[0].detail == "of its parts alone 100 %, imbalance 2 %"
    assert chart.series == ["Test CPU and GPU together", "a part alone", "published (Author et al.)"]


def test_hybrid_that_leaves_all_to_a_part_names_it() -> None:
    chart = rows("papara/table3", hybrid(9000, timed="kernels", taken="gpus", threads=15, gpus=1, cpu_share=0,
                                         gpu0_share=1, lost_share=0.07))  # fmt: skip
    assert [(mark.row, mark.detail) for mark in chart.panels[0].marks] == [
        ("CPU and GPU", "lost 7 %, faster alone GPU"), ("of this, GPU", "share 100 %")]  # fmt: skip


def test_parts_without_a_hybrid_are_not_drawn() -> None:
    with pytest.raises(NotDrawn, match="has the variant hybrid with both"):
        rows("papara/table3", aligned("shared", 10), hybrid(20, gpus=1, gpu0_share=1.0))


def test_arithmetics_of_the_problem_with_the_most() -> None:
    bound = {"rate": 2e13, "fraction": 0.5, "bound_by": "ALU"}
    chart = rows("papara/arithmetic", aligned("shared", 10000, point={"arithmetic": "s16x2"}, bound=bound),
                 aligned("shared", 5000, point={"arithmetic": "s32"}),
                 aligned("shared", 9000, point={"arithmetic": "s16x2", "unroll": 24}),
                 aligned("shared", 20000, 5000, point={"arithmetic": "s32"}),
                 aligned("blocked", 100, facts={"highway_target": "AVX3"}, **ON_CPU))  # fmt: skip
    assert {panel.title: [(mark.row, mark.label, mark.detail) for mark in panel.marks] for panel in chart.panels} == {
        "Test CPU": [("blocked, 32 bits", "100", "AVX3")],
        "Test GPU": [("shared, s16x2", "10000 (50 %)", "ALU"), ("shared, s32", "5000", "")]}  # fmt: skip


def test_ablation_goes_from_the_published_kernel_to_registers() -> None:
    published = {"elements": "compressed", "ends": "square", "recurrence": "printed", "references_per_launch": 320,
                 "arithmetic": "s32", "threads_per_block": 320, "unroll": 12}  # fmt: skip
    blocks = aligned("blocked_shared", 3, point=published | {"ends": "blocks"})
    last = aligned("blocked_registers", 6, point={"arithmetic": "s16x2", "threads_per_block": 64, "unroll": 30})
    chart = rows("papara/ladder", aligned("blocked_shared", 1, point=published), blocks, last)
    assert [(mark.row.split(", ")[0], mark.detail) for mark in chart.panels[0].marks] == [
        ("as published", ""), ("ends = blocks", "3 x"), ("recurrence = potentials", "2 x")]  # fmt: skip
    assert chart.panels[0].rows[2].endswith("blocked_registers, unroll = 30")
