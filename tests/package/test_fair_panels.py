"""No panel of any figure compares marks of different problems, prefix tables or timings without showing it."""

from __future__ import annotations

from pathlib import Path

import example_run
import golden_figures
import pytest
from fair_panels import mixtures
from gpuseq.charts.values import Guide, LineChart, Mark, Panel, Quantity
from gpuseq.drawing import NotDrawn
from gpuseq.figures import drawn, figures
from gpuseq.published import Published
from gpuseq.runs import Report, load_runs
from made import Case, case, report_of

ROOT = Path(__file__).resolve().parents[2]
RUNS = [folder.parent.name for folder in sorted((ROOT / "results").glob("*/records.jsonl"))]


def mixed_figures(report: Report, published: Published) -> list[str]:
    found: list[str] = []
    for figure in figures():
        if figure.name == "suite/same_states":  # its marks compare each case with itself
            continue
        try:
            chart = drawn(figure, report, published)
        except NotDrawn:
            continue
        found += [f"{figure.name}: {mixture}" for mixture in mixtures(chart, report)]
    return found


@pytest.mark.parametrize("run", RUNS)
def test_committed_runs(run: str) -> None:
    report = golden_figures.report_of(ROOT, run)
    assert mixed_figures(report, golden_figures.published_of(ROOT, report)) == []


def test_example(tmp_path: Path) -> None:
    assert mixed_figures(load_runs([example_run.write_example(tmp_path / "run")]), Published()) == []


def of_two(second: Case, *marks: Mark, guides: list[Guide] | None = None) -> list[str]:
    """The mixtures of a panel with two marks, of the base case and of `second`."""
    base = case("fm_index", "simd", 1e9, {"prefix_symbols": 8}, {"reference_bases": 1000, "query_bases": 100})
    report = report_of(base, base | second)
    for record, mark in enumerate(marks):
        mark.record = record
    return mixtures(LineChart(Quantity(), Quantity(), panels=[Panel("", list(marks), guides=guides or [])]), report)


def mark(x: float = 0, series: str = "", **terms: str) -> Mark:
    return Mark(x, 1, series=series, terms=list(terms.items()))


def test_mixed_problems_are_found_unless_x_stands_for_them() -> None:
    longer = {"problem": {"reference_bases": 1000, "query_bases": 200}}
    assert of_two(longer, mark(1), mark(1)) == ["panel '' mixes query_bases: 100, 200"]
    assert of_two(longer, mark(1), mark(2)) == []
    assert of_two(longer, mark(1, "100 bases"), mark(1, "200 bases")) == []


def test_mixed_prefix_tables_are_found_unless_every_mark_names_its_own() -> None:
    other = {"point": {"prefix_symbols": 12}}
    sentence = "panel '' mixes prefix table: prefix table of 12, prefix table of 8"
    assert of_two(other, mark(1), mark(2)) == [sentence]
    assert of_two(other, mark(1, "prefix table of 8"), mark(2)) == [sentence]
    assert of_two(other, mark(1, "prefix table of 8"), mark(2, "prefix table of 12")) == []


def test_mixed_timings_are_found() -> None:
    assert of_two({}, mark(), mark(timed="with transfers")) == ["panel '' mixes timed: , with transfers"]
    assert of_two({}, mark(), mark(0, "with transfers", timed="with transfers")) == []
    assert of_two({"kind": "tool"}, mark(), mark()) == ["panel '' mixes timed: , whole process"]
    assert of_two({"kind": "tool"}, mark(), mark(timed="")) == []


def test_pooled_data_sets_are_no_mixture() -> None:
    other = {"problem": {"reference_bases": 1000, "query_bases": 100, "data_set": 2}}
    assert of_two(other, mark(data_set="2 data sets"), mark(data_set="2 data sets")) == []


def test_guides_do_not_cross_marks_of_other_timings() -> None:
    guide = Guide(False, 1, "published", [("timed", "kernel alone")])
    assert of_two({}, mark(timed="kernel alone"), mark(timed="kernel alone"), guides=[guide]) == []
    assert "across marks that are not" in of_two({}, mark(), mark(), guides=[guide])[0]
