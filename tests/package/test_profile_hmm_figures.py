"""Figures of profile HMMs, drawn from made records."""

from __future__ import annotations

from typing import Any

import pytest
from gpuseq.charts.values import LineChart, RowChart
from gpuseq.drawing import NotDrawn
from gpuseq.figures.profile_hmm import FIGURES
from gpuseq.figures.profile_hmm_records import row_memory_of, sequences_of
from made import ON_CPU, Case, case, chart_of, fact, named, report_of

figure = named(FIGURES)
AT_CPU = ON_CPU | {"resources": None}
HOST = {"devices": {"cpu": {"name": "Test CPU"}}}
RESOURCES = {"registers_per_thread": 64, "occupancy": 0.5, "local_bytes": 0, "compiled_by": "nvrtc", "compile_s": 0.3,
             "from_cache": False}  # fmt: skip
PUBLISHED_KERNEL = {
    "row": "auto", "compiled_by": "nvcc", "stripes": "variable", "resident_warps": 32, "warps_per_block": 32,
    "assignment": "static", "order": "file", "residues": "shared", "reduction": "each_row", "deletions": "lazy_f",
    "loads": "words", "costs": "read_only", "steps": "read_only",
}  # fmt: skip


def scored(gcups: float, length: int = 400, name: str = "ssv", variant: str = "video_warp", **more: Any) -> Case:
    """A filter with a random model of so many match states on 100 random sequences."""
    problem = {"filter": name, "models": "random", "model_length": length, "sequences": "random", "homologs": 10}
    facts = {"sequence_count": 100, "kernel": f"{variant}_{length}"} | more.pop("facts", {})
    resources = more.pop("resources", {})
    more["resources"] = None if resources is None else RESOURCES | resources
    return case("profile_hmm", variant, gcups * 1e9, more.pop("point", {}), problem | more.pop("problem", {}),
                facts=facts, **more)  # fmt: skip


def program(seconds: float, length: int, own: list[float], **more: Any) -> Case:
    """An external tool that computes 1e9 cells; `own` are the seconds by its own clock."""
    made = scored(1 / seconds, length, variant="hmmer_filter", kind="tool", side_samples_s={"own": own} if own else {},
                  facts={"program_version": "HMMER 3.3.2, SSE"}, point={"threads": 1}, **AT_CPU, **more)  # fmt: skip
    made["statistics"]["median_s"] = seconds
    return made | {"work": {"amount": 1e9, "unit": "cells"}}


def ended(variant: str, median_s: float, answers: dict[str, int] | None = None, half_width_s: float = 0.1) -> Case:
    """A run of hmmsearch on 1000 sequences that ends after a stage."""
    made = case("profile_hmm", variant, 1e9, {"threads": 1}, {"models": "globins", "sequences": "proteins"},
                facts={"model_length": 149, "sequence_count": 1000, "answers": answers or {}}, kind="tool",
                **AT_CPU)  # fmt: skip
    made["statistics"] |= {"median_s": median_s, "low_s": median_s - half_width_s, "high_s": median_s + half_width_s}
    return made


def lines(name: str, *cases: Case, **more: Any) -> LineChart:
    chart = chart_of(figure(name), *cases, summary=HOST, **more)
    assert isinstance(chart, LineChart)
    return chart


def rows(name: str, *cases: Case, **more: Any) -> RowChart:
    chart = chart_of(figure(name), *cases, summary=HOST, **more)
    assert isinstance(chart, RowChart)
    return chart


def test_machines_have_panels_and_lines_by_vectors() -> None:
    cases = [scored(10 * length, length, "msv", point={"follow_j": follow})
             for length in (200, 400) for follow in ("always", "where_used")]  # fmt: skip
    cases += [scored(length, length, "msv", "striped", point={"threads": threads, "target": "auto"},
                     facts={"highway_target": "AVX3_ZEN4"}, **AT_CPU)
              for length in (200, 400) for threads in (0, 1)]  # fmt: skip
    cases += [scored(99, 200, "msv", "striped", point={"threads": 8, "target": "sse4"}, **AT_CPU)]
    chart = lines("profile-hmm/fig12", *cases, scored(77, 800, "ssv"))
    assert [panel.title for panel in chart.panels] == ["Test GPU", "Test CPU, 1 thread", "Test CPU, all threads"]
    assert chart.series == ["video_warp", "striped, AVX-512", "video_warp, J always"]
    assert chart.x.ticks == [200, 400]
    assert chart.heading.notes[0] == "100 random sequences, 10 homologs in 1000, random models."


def test_one_length_is_no_curve() -> None:
    with pytest.raises(NotDrawn, match="none of the 2 ok records of profile_hmm has two or more model lengths"):
        lines("profile-hmm/fig13", scored(1), scored(2, variant="lane_groups"))


def test_program_is_drawn_by_its_own_clock() -> None:
    ours = [scored(length, length, variant="scalar", point={"threads": 1}, **AT_CPU) for length in (200, 400)]
    values = [fact(figure("profile-hmm/fig13"), 5, model_length=200, on="1 thread", **more)
              for more in ({}, {"unless": "hmmer_filter"}, {"filter": "msv"}, {"measure": "registers"})]  # fmt: skip
    chart = lines("profile-hmm/fig13", *ours, program(4, 200, [0.5] * 6), program(4, 400, []), facts=values)
    (panel,) = chart.panels
    assert [(mark.series, mark.x, mark.y, mark.published) for mark in panel.marks] == [
        ("HMMER 3.3.2, SSE", 200, 2, False), ("scalar", 200, 200, False), ("scalar", 400, 400, False),
        ("published (Author et al.)", 200, 5, True)]  # fmt: skip
    tips = dict(panel.marks[0].tips)
    assert (tips["Value"], tips["Time"], tips["Whole process"]) == ("2 GCUPS", "500 ms", "4 s")
    assert tips["Variant"] == "hmmer_filter (by its own clock)"
    assert "HMMER 3.3.2, SSE: the filter alone in the same run, by the program's own clock." in chart.heading.notes


def test_near_guides_share_a_label() -> None:
    guides = [fact(figure("profile-hmm/fig13"), value, "guide") for value in (100, 9, 10)]
    for guide, label in zip(guides, ("fast", "old", "new"), strict=True):
        guide.label = label
    (panel,) = lines("profile-hmm/fig13", scored(1, 200), scored(2, 400), facts=guides).panels
    assert [(guide.at, guide.label) for guide in panel.guides] == [(9, ""), (10, "old 9, new 10"), (100, "fast 100")]


@pytest.mark.parametrize(("row", "kernel", "local_bytes", "expected"), [
    ("shared", "", 0, "shared"), ("local", "", 64, "local"), ("local", "", 0, "registers"), ("", "", 0, ""),
    ("auto", "profile_hmm_ssv_f16x2_l8_registers_shared_q25", 0, "registers"),
    ("auto", "profile_hmm_ssv_f16x2_l16_shared_read_only_q25", 0, "shared"), ("auto", "unknown", 0, ""),
])  # fmt: skip
def test_memory_of_a_row(row: str, kernel: str, local_bytes: int, expected: str) -> None:
    made = scored(1, point={"row": row}, facts={"kernel": kernel}, resources={"local_bytes": local_bytes})
    assert row_memory_of(report_of(made).records[0]) == expected


def test_row_memories_are_compared_with_local_memory() -> None:
    cases = [scored(gcups, length, point={"row": row}, resources={"local_bytes": 64})
             for row, length, gcups in (("local", 200, 1), ("local", 400, 2), ("shared", 200, 3), ("shared", 400, 4))]  # fmt: skip
    chart = lines("profile-hmm/fig10", *cases)
    assert [panel.y and panel.y.title for panel in chart.panels] == ["GCUPS (1e9 cells per second)", "occupancy"]
    assert chart.series == ["shared memory", "local memory"]
    assert "Largest ratio to local memory: 3 x (shared memory, video_warp, 200 states)." in chart.heading.notes
    assert [dict(mark.tips).get("Over local memory") for mark in chart.panels[0].marks] == [None, None, "3 x", "2 x"]
    with pytest.raises(NotDrawn, match="rows in two memories"):
        lines("profile-hmm/fig10", *cases[:2])


def compiled(name: str = "ssv", **more: Any) -> list[Case]:
    return [scored(gcups, length, name, point=point, **more)
            for point, gcups in (({"compiled_by": "nvcc"}, 1), ({"compiled_by": "nvrtc", "stripes": "constant"}, 2))
            for length in (200, 400)]  # fmt: skip


def test_hit_rates_come_from_the_record_with_counters() -> None:
    sweep = compiled(counters={"lts__t_sector_hit_rate.pct": 50})
    tuned = [one | {"phase": "tune", "counters": None} for one in sweep]
    chart = lines("profile-hmm/table3", *sweep, *tuned)
    assert {panel.y.title: {mark.y for mark in panel.marks} for panel in chart.panels if panel.y} == {
        "GCUPS (1e9 cells per second)": {1, 2}, "registers per thread": {64}, "L2 hit rate": {0.5}}  # fmt: skip
    assert chart.series == ["NVRTC, stripes constant", "ahead of time (nvcc)"]
    assert all(mark.record is not None and mark.record >= len(sweep) for mark in chart.panels[0].marks)


def test_subjects_without_space_are_named() -> None:
    counters = {name: 50 for name in ("lts__t_sector_hit_rate.pct",
                                      "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct")}  # fmt: skip
    cases = [one for name in ("ssv", "msv") for count in (100, 200)
             for one in compiled(name, facts={"sequence_count": count}, problem={"sequence_count": count},
                                 counters=counters)]  # fmt: skip
    chart = lines("profile-hmm/table3", *cases)
    assert len(chart.panels) == 8
    assert chart.panels[0].title == "SSV, Test GPU: 100 random sequences, 10 homologs in 1000, random models"
    assert chart.heading.notes[-2].startswith("Not drawn, for lack of space: Test GPU: 200 random sequences")


@pytest.mark.parametrize(("problem", "facts", "expected"), [
    ({}, {}, "100 random sequences, 10 homologs in 1000, random models"),
    ({"models": "globins", "sequences": "data/goasp.psq"}, {"residues": 179e6},
     "100 sequences of goasp.psq (179 M residues), models of files"),
])  # fmt: skip
def test_words_of_sequences(problem: Case, facts: Case, expected: str) -> None:
    assert sequences_of(report_of(scored(1, problem=problem, facts=facts)).records[0]) == expected


def test_steps_lead_from_the_published_kernel() -> None:
    by_nvrtc = PUBLISHED_KERNEL | {"compiled_by": "nvrtc", "stripes": "constant"}
    last = {"row": "auto", "compiled_by": "nvrtc", "stripes": "constant", "order": "sorted"}
    cases = [scored(gcups, 400, name, point=point) for name in ("viterbi", "ssv")
             for gcups, point in ((1, PUBLISHED_KERNEL), (2, by_nvrtc), (6, last))]  # fmt: skip
    chart = rows("profile-hmm/ladder", *cases, scored(9, 800))
    ssv, viterbi = chart.panels
    assert (ssv.title, viterbi.title) == ("SSV, 400 states, Test GPU", "Viterbi, 400 states, Test GPU")
    assert [(mark.value, mark.detail) for mark in ssv.marks] == [(1, ""), (2, "2 x"), (6, "3 x")]
    assert ssv.rows[:2] == ["as published, ahead of time", "by NVRTC, stripes = constant"]
    assert ["deletions = in_row" in panel.rows[2] for panel in (ssv, viterbi)] == [False, True]


def test_kernels_are_compiled_or_from_the_cache() -> None:
    def loaded(seconds: float | None, *, cached: bool = False, length: int = 400) -> Case:
        samples = {} if seconds is None else {"load_kernel": [seconds]}
        return scored(1, length, resources={"from_cache": cached}, side_samples_s=samples)

    chart = lines("profile-hmm/table2", loaded(3), loaded(1), loaded(2), loaded(None, length=200),
                  loaded(0.01, cached=True), loaded(None, cached=True, length=200),
                  scored(1, 100, resources={"compiled_by": "nvcc"}))  # fmt: skip
    (panel,) = chart.panels
    assert [(mark.series, mark.x, mark.y) for mark in panel.marks] == [
        ("from the cache", 400, 0.01), ("video_warp", 200, 0.3), ("video_warp", 400, 2)]  # fmt: skip
    assert dict(panel.marks[2].tips)["Times"] == "3"
    assert chart.series == ["video_warp", "from the cache"]
    assert chart.heading.notes[:2] == [
        "A mark per kernel. 2 compiled: 2 s (median), 2 s at most. 1 from the cache: 10 ms (median), 10 ms at most.",
        "Compiled on Test CPU."]  # fmt: skip


def test_stages_are_differences_of_runs() -> None:
    answers = {"MSV": 25, "bias": 20, "Vit": 1, "Fwd": 0}
    published = [fact(figure("profile-hmm/fig2"), 0.022, stage="msv", measure="passed"),
                 fact(figure("profile-hmm/fig2"), 0.8, stage="msv", measure="time")]  # fmt: skip
    chart = rows("profile-hmm/fig2", ended("hmmsearch_msv", 6), ended("hmmsearch_forward", 9.95),
                 ended("hmmsearch", 10, answers), facts=published)  # fmt: skip
    passes, times = chart.panels
    assert {mark.row: (mark.value, mark.label) for mark in passes.marks if mark.record is not None} == {
        "MSV": (0.025, "2.5 %"), "bias": (0.02, "2 %"), "Viterbi": (0.001, "0.1 %")}  # fmt: skip
    assert times.rows == ["start, files, MSV", "of this, the rest"]
    first, _, rest = times.marks
    assert (first.value, first.low, first.high) == pytest.approx((0.6, 0.59, 0.61))
    assert (rest.value, rest.low, rest.high) == pytest.approx((0.005, 0, 0.005 + 0.01 * 2**0.5))
    assert chart.series == ["globins, 149 states", "published (Author et al.)"]
    assert "No sequence passes, so without a mark: Forward of globins, 149 states." in chart.heading.notes
    assert any(note.endswith("'of this, the rest' of globins, 149 states (0.5 %).") for note in chart.heading.notes)
    assert any(note.endswith("left out: hmmsearch_viterbi of globins, 149 states.") for note in chart.heading.notes)


def test_whole_run_alone_has_no_stages() -> None:
    with pytest.raises(NotDrawn, match="has a whole run of hmmsearch and one that ends earlier"):
        rows("profile-hmm/fig2", ended("hmmsearch", 10))
