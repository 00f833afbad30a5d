"""Figures of exact matches, drawn from made records."""

from __future__ import annotations

from typing import Any

import pytest
from gpuseq.charts.values import LineChart, RowChart, RowPanel
from gpuseq.drawing import NotDrawn
from gpuseq.figures.exact_match import FIGURES
from made import ON_CPU, Case, case, chart_of, fact, named

figure = named(FIGURES)


def match(variant: str, rate: float, length: int = 100, least: int | None = None, **more: Any) -> Case:
    """A search of 1e9 query bases; matches are as long as the queries unless `least` is given."""
    least = length if least is None else least
    problem = {"reference": "ecoli", "query_bases": length, "min_length": least, "errors_per_1000": 10}
    facts = {"query_bases": 1e9, "query_count": 1e9 / length, "min_length": least, "reference_bases": 4938920}
    point = {"result": "slots"} | more.pop("point", {})
    made = case("exact_match", variant, rate, point, problem, facts=facts | more.pop("facts", {}), **more)
    made["statistics"]["median_s"] = 1e9 / rate
    return made


def thread(rate: float, length: int = 100, **more: Any) -> Case:
    return match("tree", rate, length, point={"threads": 1, "in_flight": 1}, **ON_CPU, **more)


def lines(*cases: Case, **more: Any) -> LineChart:
    chart = chart_of(figure("exact-match/speedup"), *cases, **more)
    assert isinstance(chart, LineChart)
    return chart


def rows(name: str, *cases: Case, **more: Any) -> RowChart:
    chart = chart_of(figure(name), *cases, **more)
    assert isinstance(chart, RowChart)
    return chart


def values(panel: RowPanel) -> dict[tuple[str, str], float]:
    return {(mark.row, mark.series): mark.value for mark in panel.marks}


def test_speedup_is_over_one_thread_at_each_length() -> None:
    listed = match("tree_gpu", 9e12, point={"result": "matches"})
    many = match("tree", 4e8, point={"threads": 0, "in_flight": 1}, **ON_CPU)
    chart = lines(thread(1e8, 50), thread(1e8), match("tree_gpu", 2e9, 50), match("tree_gpu", 1e9), listed, many)
    (panel,) = chart.panels
    assert {(mark.series, mark.x): mark.y for mark in panel.marks} == pytest.approx({
        ("tree_gpu, Test GPU", 50): 20, ("tree_gpu, Test GPU", 100): 10, ("tree, all threads, Test CPU", 100): 4,
    })  # fmt: skip
    assert panel.title == "kernel alone: queries in ecoli, 1 % errors, over Test CPU"
    assert chart.series == ["tree_gpu, Test GPU", "tree, all threads, Test CPU"]
    mark = next(mark for mark in panel.marks if mark.y == pytest.approx(10))
    assert (mark.low, mark.high) == pytest.approx((10 * 0.99 / 1.01, 10 * 1.01 / 0.99))


def test_speedup_with_transfers_counts_them_on_gpus_only() -> None:
    output = {"listing": [0.25], "printing": [0.25]}
    copies = {"upload_index": [1.0], "upload": [0.5], "download": [2.0, 0.5]}
    guide = fact(figure("exact-match/speedup"), 10, kind="guide", timed="with transfers")
    chart = lines(thread(1e8, side_samples_s=output), match("tree_gpu", 1e9, side_samples_s=copies | output),
                  facts=[guide])  # fmt: skip
    timed = {panel.marks[0].terms[0][1]: panel.marks[0].y for panel in chart.panels}
    assert timed == pytest.approx({"kernel alone": 10, "with transfers": 10 / (1 + 3.5),
                                   "with transfers and output": 10.5 / (1 + 3.5 + 0.5)})  # fmt: skip
    assert [len(panel.guides) for panel in chart.panels] == [0, 1, 0]


def test_speedup_needs_its_thread() -> None:
    with pytest.raises(NotDrawn, match="one CPU thread, a query at a time"):
        lines(match("tree_gpu", 1e9))


def test_phases_stand_in_their_order_with_the_total() -> None:
    samples = {"upload": [0.25, 0.5, 9.0], "sort": [0.5], "download": [2.0, 0.5], "listing": [0.25], "load_kernel": [9]}
    built = match("tree_gpu", 1e9, side_samples_s=samples, facts={"tree_s": 0.5, "from_cache": False})
    slower = match("tree_gpu", 1e8, point={"lanes": 4}, facts={"tree_s": 0.5, "from_cache": False})
    cached = match("tree", 1e9, facts={"tree_s": 0.25, "from_cache": True}, **ON_CPU)
    chart = rows("exact-match/phases", built, slower, cached)
    first, second = chart.panels
    assert [(mark.series, mark.value, mark.label) for mark in first.marks] == [
        ("tree", 0.5, ""), ("queries to the GPU", 1, ""), ("kernel", 1, ""), ("locking of pages", 1.5, ""),
        ("download", 0.5, ""), ("listing", 0.25, "4.75 s")]  # fmt: skip
    assert first.title.endswith(": tree built")
    assert second.title.endswith(": tree from the cache")
    assert chart.series == ["tree", "queries to the GPU", "kernel", "locking of pages", "download", "listing"]
    assert any(note.startswith("Locking of pages") for note in chart.heading.notes)


def test_tables_of_words_are_charged_to_all_that_use_them() -> None:
    point = {"prefix_letters": 10}
    built = match("tree_words_gpu", 1e9, point=point, side_samples_s={"words": [0.25]})
    used = match("tree_words_gpu", 1e9, point=point | {"result": "matches"})
    (panel,) = rows("exact-match/phases", built, used).panels
    seconds = values(panel)
    for result in ("slots", "matches"):
        assert seconds[f"tree_words_gpu, {result}, Test GPU", "tables of words"] == 0.25
    timed = {mark.row: dict(mark.tips).get("Timed") for mark in panel.marks if mark.series == "tables of words"}
    assert timed == {"tree_words_gpu, slots, Test GPU": None,
                     "tree_words_gpu, matches, Test GPU": "in another case with the same tables"}  # fmt: skip


def test_phases_need_one_next_to_the_kernel() -> None:
    with pytest.raises(NotDrawn, match="none of the 1 ok records of exact_match has a phase other than the kernel"):
        rows("exact-match/phases", match("tree_gpu", 1e9))


def test_rates_are_ordered_by_reads_with_published_ones_of_the_same() -> None:
    bound = {"rate": 4e9, "fraction": 0.25, "bound_by": "random access"}
    tool = match("mummer4", 5e6, least=20, point={"threads": 1, "result": ""}, kind="tool", **ON_CPU)
    at = {"query_bases": 100, "min_length": 20, "errors_per_1000": 10, "reference_bases": 4938920}
    chart = rows("exact-match/rates", match("tree_gpu", 3e9, 800, 20), match("tree_gpu", 1e9, least=20, bound=bound), tool,
                 facts=[fact(figure("exact-match/rates"), 2e9, **at)])  # fmt: skip
    assert [[mark.row for mark in panel.marks] for panel in chart.panels] == [
        ["published kernel, Old GPU", "tree_gpu, slots", "mummer4 (whole process, 1 thread)"],
        ["tree_gpu, slots"]]  # fmt: skip
    assert [mark.detail for mark in chart.panels[0].marks] == ["", "25 % of its bound", ""]
    assert chart.series == ["Test CPU", "Test GPU", "published (Author et al.)"]


def test_layouts_differ_in_one_question_only() -> None:
    def layout(memory: str, lanes: int, rate: float) -> Case:
        return match("tree_gpu", rate, point={"memory": memory, "node_order": "breadth_first", "lanes": lanes})

    cases = [layout("global", 1, 1e9), layout("texture_2d", 1, 4e9), layout("global", 4, 2e9)]
    chart = rows("exact-match/layouts", *cases)
    assert {panel.title: [(mark.row, mark.label, mark.detail) for mark in panel.marks] for panel in chart.panels} == {
        "tree_gpu: node order, memory, text order": [
            ("breadth_first, texture_2d", "4 Gbases/s", "4 x"), ("breadth_first, global", "1 Gbases/s", "1 x")],
        "tree_gpu: lanes of a query": [("4", "2 Gbases/s", "2 x"), ("1", "1 Gbases/s", "1 x")]}  # fmt: skip


def test_ablation_joins_steps_that_no_record_took_alone() -> None:
    published = {"memory_mib": 768, "reverse_complements": "computed", "edge_ends": "compared", "leaves": "nodes",
                 "node_order": "hybrid", "memory": "texture_2d", "text_order": "space_filling"}  # fmt: skip
    later = published | {"memory_mib": 0, "reverse_complements": "uploaded"}
    chart = rows("exact-match/ladder", match("tree_gpu", 1e9, point=published),
                 match("tree_gpu", 3e9, point=later), match("tree_gpu", 2e9, point=later | {"lanes": 4}),
                 match("tree_gpu", 9e9, point=later | {"leaves": "implicit"}))  # fmt: skip
    (panel,) = chart.panels
    assert [(mark.row, mark.value, mark.detail) for mark in panel.marks] == [
        ("as published", 1, ""), ("all of the memory, reverse_complements = uploaded", 3, "3 x")]  # fmt: skip
    with pytest.raises(NotDrawn, match="a counterpart as published, and a step from it"):
        rows("exact-match/ladder", match("tree_gpu", 3e9, point=later),
             match("tree_gpu", 2e9, point=published | {"memory_mib": 0}))  # fmt: skip
