"""The table of `reproduce`: every row fits its config and its committed run."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from gpuseq.charts.values import Chart, HeatMap
from gpuseq.drawing import NotDrawn
from gpuseq.errors import UsageError
from gpuseq.figures import drawn, figures, find_figures
from gpuseq.published import Published
from gpuseq.reproduce.measuring import overrides_of
from gpuseq.reproduce.table import REPRODUCTIONS, Reproduction, reproduction_of
from gpuseq.runs import Report, load_runs

ROOT = Path(__file__).resolve().parents[3]
# Figures of several runs, and of several GPUs of a node, of which no run is committed.
SEVERAL_DEVICES = {"suite/same_states", "suite/gpus", "suite/gpus_efficiency"}
NO_COMMITTED_RUN = {"fm-index/orders", "fm-index/occurring"}
# The committed figure draws other configurations than the published ones, or other problems, too; only these are measured.
SCHEMES_AS_PUBLISHED = {"fm-index/fig2", "fm-index/fig5", "fm-index/fig6", "fm-index/fig7", "fm-index/table2",
                        "profile-hmm/fig12", "profile-hmm/fig13", "profile-hmm/fig14", "profile-hmm/table3",
                        "profile-hmm/table4", "pairwise-distance/fig4", "pairwise-distance/sizes"}  # fmt: skip

of_each_row = pytest.mark.parametrize("row", REPRODUCTIONS, ids=lambda row: row.figure)


@cache
def committed(run: str) -> Report:
    return load_runs([ROOT / "results" / run])


def config_of(row: Reproduction) -> dict[str, Any]:
    file = ROOT / "configs" / row.config
    config = json.loads(file.read_text())
    if "probes_of" in config:
        other = json.loads((file.parent / config["probes_of"]).read_text())
        config["probes"] = other["probes"] | config.get("probes", {})
    return config


def marks_of(figure: str, report: Report) -> dict[tuple[str, str], int]:
    """The number of marks by panel and series."""
    chart: Chart = drawn(find_figures([figure])[0], report, Published())
    marks: dict[tuple[str, str], int] = {}
    for panel in chart.panels:
        for mark in panel.cells if isinstance(chart, HeatMap) else panel.marks:  # pyright: ignore
            key = (panel.title, getattr(mark, "series", ""))
            marks[key] = marks.get(key, 0) + 1
    return marks


def test_there_is_a_row_for_each_figure_that_one_run_draws() -> None:
    assert sorted(row.figure for row in REPRODUCTIONS) == sorted(
        figure.name for figure in figures() if figure.name not in SEVERAL_DEVICES | NO_COMMITTED_RUN)  # fmt: skip


@of_each_row
def test_its_config_has_its_families_and_probes(row: Reproduction) -> None:
    config = config_of(row)
    assert set(row.families) <= config.get("families", {}).keys()
    assert set(row.probes) <= config.get("probes", {}).keys()
    assert row.families or row.probes


@of_each_row
def test_it_matches_a_committed_case_and_leaves_out_what_is_not_drawn(row: Reproduction) -> None:
    kept = committed(row.run).only(row.draws)
    assert kept.records
    assert [record.index for record in kept.records] == list(range(len(kept.records)))
    if row.families:
        assert {record.family for record in kept.records if record.kind != "probe"} <= set(row.families)


@of_each_row
def test_it_takes_all_committed_cases_that_its_figure_draws(row: Reproduction) -> None:
    whole, kept = committed(row.run), committed(row.run).only(row.draws)
    if row.figure in SCHEMES_AS_PUBLISHED:
        assert marks_of(row.figure, kept)
        return
    try:
        assert marks_of(row.figure, kept) == marks_of(row.figure, whole)
    except NotDrawn as reason:
        pytest.fail(str(reason))


@of_each_row
def test_rows_of_published_values_say_whether_the_config_is_published(row: Reproduction) -> None:
    facts = [fact for file in (ROOT / "configs" / "published").glob("[!m]*.json")
             for fact in json.loads(file.read_text())["facts"] if fact.get("figure") == row.figure]  # fmt: skip
    of_paper = any("paper" not in fact for fact in facts) and row.figure != "fm-index/table1"
    assert (row.published is not None) or not of_paper


@pytest.mark.parametrize("figure", ["fm-index/fig6", "fm-index/fig7", "fm-index/table2"])
def test_schemes_of_the_fm_index_are_those_that_the_paper_describes(figure: str) -> None:
    row = reproduction_of(figure)
    points = [(record.variant, record.point) for record in committed(row.run).only(row.draws).records]
    assert {variant for variant, _ in points} == {"task_parallel", "task_parallel_16b", "task_parallel_split",
                                                  "memory_cooperative", "full_cooperative_split"}  # fmt: skip
    for variant, point in points:
        assert point.get("chunks", "whole") == "whole", variant
        assert point.get("entry_reads", "separate") == "separate", variant


def test_kernels_of_cudampf_are_those_that_the_paper_describes() -> None:
    for filter_, stripes in (("ssv", "constant"), ("msv", "constant"), ("viterbi", "variable")):
        row = reproduction_of(
            {"ssv": "profile-hmm/fig13", "msv": "profile-hmm/fig12"}.get(filter_, "profile-hmm/fig14")
        )
        records = committed(row.run).only(row.draws).records
        assert {record.problem["filter"] for record in records} == {filter_}
        for record in (record for record in records if not record.is_tool):
            assert (record.point["stripes"], record.point["compiled_by"]) == (stripes, "nvrtc")
            assert (record.point["assignment"], record.point["residues"]) == ("static", "shared")


def test_a_figure_of_several_machines_and_an_unknown_one_are_refused() -> None:
    with pytest.raises(UsageError, match="several machines"):
        reproduction_of("suite/same_states")
    with pytest.raises(UsageError, match="did you mean 'fm-index/fig8'"):
        reproduction_of("fm-index/fig88")


def changed(row: Reproduction, config: Path) -> dict[str, Any]:
    return {key: json.loads(value) for key, value in (text.split("=", 1) for text in overrides_of(row, config))}


def test_a_config_is_left_with_the_families_probes_and_passes_of_a_figure(tmp_path: Path) -> None:
    (tmp_path / "more.json").write_text('{"probes": {"sequential": {}}}')
    config = tmp_path / "all.json"
    config.write_text(json.dumps({"name": "all", "counters": "winners", "energy": "winners", "probes_of": "more.json",
                                  "families": {"fm_index": {}, "papara": {}},
                                  "probes": {"latency": {}, "random_access": {}}}))  # fmt: skip
    of_kernels = changed(reproduction_of("fm-index/fig8"), config)
    assert of_kernels["name"] == "reproduce-fm-index-fig8"
    assert of_kernels["families.papara"] is None
    assert "families.fm_index" not in of_kernels
    assert (of_kernels["probes"], of_kernels["counters"], of_kernels["energy"]) == ({}, None, None)
    assert (of_kernels["bounds_from"], of_kernels["probe_budget_s"]) == ("run", 0)
    of_probes = changed(reproduction_of("latency"), config)
    assert [key for key in of_probes if key.startswith("probes.")] == ["probes.random_access", "probes.sequential"]
    assert of_probes["families.fm_index"] is None
    assert changed(reproduction_of("fm-index/table2"), config)["counters"] is True
    assert "energy" not in changed(reproduction_of("suite/energy"), config)
    assert "probe_budget_s" not in changed(reproduction_of("fm-index/ceiling"), config)
    run = tmp_path / "run.json"
    run.write_text(json.dumps({"name": "a run", "config": json.loads(config.read_text())}))
    assert changed(reproduction_of("fm-index/fig8"), run) == of_kernels
