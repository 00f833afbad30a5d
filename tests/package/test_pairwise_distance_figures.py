"""Figures of all-pairs distance and pools of data sets, drawn from made records."""

from __future__ import annotations

from typing import Any

import pytest
from gpuseq.charts.values import LineChart, RowChart
from gpuseq.drawing import NotDrawn
from gpuseq.figures.pairwise_distance import FIGURES
from made import ON_CPU, Case, case, chart_of, fact, named

figure = named(FIGURES)


def compared(variant: str, rate: float, instances: int = 112, attributes: int = 512, **more: Any) -> Case:
    problem = {"metric": "hamming", "instances": "random", "instance_count": instances, "attribute_count": attributes}
    facts = {"instance_count": instances, "attribute_count": attributes}
    work = {"amount": instances**2 * attributes, "unit": "comparisons"}
    return case("pairwise_distance", variant, rate, more.pop("point", {}), problem | more.pop("problem", {}),
                facts=facts, work=work, **more)  # fmt: skip


def data_sets(rates: list[float], **more: Any) -> list[Case]:
    return [compared("shared", rate, problem={"data_set": number}, **more) for number, rate in enumerate(rates)]


def rows(name: str, *cases: Case, **more: Any) -> RowChart:
    chart = chart_of(figure(name), *cases, **more)
    assert isinstance(chart, RowChart)
    return chart


def sizes(*cases: Case) -> LineChart:
    chart = chart_of(figure("pairwise-distance/sizes"), *cases)
    assert isinstance(chart, LineChart)
    return chart


def test_each_variant_has_the_time_of_its_fastest_configuration() -> None:
    bit_planes = compared("bit_planes", 4e9, point={"target": "avx512", "threads": 0}, **ON_CPU)
    tool = compared("plink", 1e9, point={"threads": 4}, kind="tool", **ON_CPU)
    chart = rows("pairwise-distance/fig4", compared("shared", 1e10, point={"threads_per_block": 64}),
                 compared("shared", 2e10, point={"threads_per_block": 128}), bit_planes, tool,
                 compared("shared", 5e10, 4096),
                 facts=[fact(figure("pairwise-distance/fig4"), 0.5, instances=112, attributes=512)])  # fmt: skip
    assert [[(mark.row, mark.value, mark.hollow) for mark in panel.marks] for panel in chart.panels] == [
        [("published kernel (published)", 0.5, True), ("plink (whole process, 4 threads)", 1e-9, True),
         ("bit_planes, avx512, all threads", 1 / 4e9, False), ("shared", 1 / 2e10, False)]]  # fmt: skip


def test_rates_have_their_share_of_the_bound() -> None:
    bound = {"rate": 4e10, "fraction": 0.25, "bound_by": "ALU"}
    (panel,) = rows("pairwise-distance/rates", compared("shared", 1e10, bound=bound), compared("naive", 1e9)).panels
    assert [(mark.row, mark.label, mark.detail) for mark in panel.marks] == [
        ("shared", "10 G/s", "25 % of its bound"), ("naive", "1 G/s", "")]  # fmt: skip


def test_mark_is_the_median_over_data_sets_with_its_interval() -> None:
    chart = rows("pairwise-distance/rates", *data_sets([3e9, 1e9, 5e9, 2e9, 4e9, 7e9, 6e9]))
    (mark,) = chart.panels[0].marks
    assert (mark.value, mark.low, mark.high, mark.record) == (4e9, 1e9, 7e9, 4)
    assert dict(mark.tips)["Data sets"] == "7, with 1 G to 7 G"
    assert mark.terms == [("data_set", "7 data sets")]
    assert "data set" not in chart.panels[0].title
    assert any("over 7 random data sets" in note for note in chart.heading.notes)


def test_few_data_sets_have_their_range_and_one_its_own_interval() -> None:
    chart = rows("pairwise-distance/rates", *data_sets([1e9, 3e9, 2e9]))
    assert any(note.endswith("the range where there are too few for one.") for note in chart.heading.notes)
    (mark,) = rows("pairwise-distance/rates", *data_sets([1e9])).panels[0].marks
    assert (mark.low, mark.high, mark.terms) == (0.99e9, 1.01e9, [])


def test_configurations_compete_over_all_their_data_sets() -> None:
    lucky = data_sets([1e9, 9e9, 1e9], point={"threads_per_block": 64})
    steady = data_sets([2e9, 2e9, 2e9], point={"threads_per_block": 128})
    partial = data_sets([99e9], point={"threads_per_block": 256})
    (mark,) = rows("pairwise-distance/rates", *lucky, *steady, *partial).panels[0].marks
    assert mark.value == 2e9


def test_numbers_of_data_sets_are_labelled_where_they_differ() -> None:
    naive = compared("naive", 1e8, problem={"data_set": 0})
    (panel,) = rows("pairwise-distance/rates", *data_sets([1e9, 2e9]), naive).panels
    assert [mark.label for mark in panel.marks] == ["1.5 G/s, 2 data sets", "100 M/s, 1 data set"]


def test_sizes_are_lines_of_pairs_per_second() -> None:
    cases = [compared(variant, rate * size, size, 256) for variant, rate in (("appendix", 1), ("tensor", 1000))
             for size in (112, 224)]  # fmt: skip
    chart = sizes(*cases, compared("tensor", 1e9))
    (panel,) = chart.panels  # 512 attributes have one size
    assert panel.title == "256 attributes"
    assert [(mark.series, mark.x, mark.y * 256) for mark in panel.marks] == [
        ("appendix", 112, 112), ("appendix", 224, 224), ("tensor", 112, 112e3), ("tensor", 224, 224e3)]  # fmt: skip
    assert (chart.series, chart.dashes) == (["tensor", "appendix"], ["Test GPU"])


def test_titles_name_the_properties_that_are_not_usual() -> None:
    problem = {"instances": "hapmap", "metric": "ibs", "alphabet": 4, "missing": 20}
    chart = sizes(*(compared("shared", 1e9, size, problem=problem) for size in (112, 224)))
    assert chart.panels[0].title == "hapmap, 512 attributes, ibs, 4 symbols, 20 of 1000 values missing"


@pytest.mark.parametrize("each", FIGURES, ids=lambda each: each.name)
def test_reason_names_the_family(each: Any) -> None:
    with pytest.raises(NotDrawn, match="no record of pairwise_distance"):
        chart_of(each, case("fm_index", "a", 1e9))


def test_steps_are_in_the_papers_order_and_single_launches_apart() -> None:
    def step(variant: str, batch: float, single: float | None) -> Case:
        apart = {"samples_s": [single], "median_s": single, "rate": 1 / single} if single else None
        return compared(variant, 1 / batch, single_launch=apart)

    chart = rows("pairwise-distance/ladder", step("shared", 1.0, 4.0), step("naive", 8.0, 16.0),
                 step("coalesced", 2.0, None), compared("tensor", 9.0))  # fmt: skip
    batches, single = chart.panels
    assert [(mark.row, mark.value, mark.detail) for mark in batches.marks] == [
        ("naive", 8.0, ""), ("coalesced", 2.0, "4 x"), ("shared", 1.0, "2 x")]  # fmt: skip
    assert [(mark.row, mark.value, mark.detail) for mark in single.marks] == [
        ("naive", 16.0, ""), ("shared", 4.0, "4 x")]  # fmt: skip


def test_one_step_alone_is_not_drawn() -> None:
    with pytest.raises(NotDrawn, match="two steps of the paper"):
        rows("pairwise-distance/ladder", compared("shared", 1.0))
