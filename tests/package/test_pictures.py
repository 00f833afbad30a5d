"""Specifications and pictures of made charts."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import altair
import check_labels
import jsonschema
import pytest
from charts import SIZES, heat, lines, rows
from gpuseq.charts.axis import Axis
from gpuseq.charts.key import notes_of
from gpuseq.charts.line_layout import lay_out_panel
from gpuseq.charts.print_parts import caption_of, parts_of
from gpuseq.charts.render import chart_object, render
from gpuseq.charts.style import COLUMN_MM, PAGE_MM, POINTS_PER_MM, Style, bare, print_style, screen, text_width, wrap
from gpuseq.charts.values import Band, Chart, Guide, LineChart, Mark, Panel, Quantity, RowChart, RowMark, RowPanel
from gpuseq.charts.vega_lite import draw, screen_spec
from gpuseq.units import Unit

STYLES = {
    "screen": screen(),
    "column": print_style(COLUMN_MM),
    "page": print_style(PAGE_MM),
    "bare": bare(COLUMN_MM),
}
CHARTS: dict[str, Chart] = {
    "lines": lines(),
    "panels": lines(3),
    "rows": rows(),
    "bars": rows(bars=True, panels=2),
    "stacked": replace(rows(bars=True), stacked=True),
    "map": heat(),
    "maps": heat(2),
}


@pytest.mark.parametrize(
    ("chart", "style"), [(chart, "screen") for chart in CHARTS] + [("panels", "column"), ("rows", "bare")]
)
def test_specification_is_valid(chart: str, style: str) -> None:
    schema = Path(altair.__file__).parent / "vegalite/v5/schema/vega-lite-schema.json"
    jsonschema.Draft7Validator(json.loads(schema.read_text())).validate(draw(CHARTS[chart], STYLES[style]))


@pytest.mark.parametrize(("chart", "style"), [("rows", "column"), ("map", "column"), ("lines", "bare")])
def test_words_are_readable(chart: str, style: str, tmp_path: Path) -> None:
    for part, own in parts_of(CHARTS[chart], STYLES[style]):
        svg, remark = render(draw(part, own), "svg")
        (tmp_path / "a.svg").write_bytes(svg)
        assert list(check_labels.faults(tmp_path / "a.svg", style == "bare")) == []
        assert remark == ""
        width = re.search(rb'width="([\d.]+)pt"', svg)
        assert width and float(width[1]) <= 229.5 * 72 / 72.27  # \columnwidth of article with two columns


def test_data_rows_keep_their_fields() -> None:
    values: list[dict[str, Any]] = screen_spec(lines())["data"]["values"]
    assert values[0] == {"x": SIZES[0], "y": values[0]["y"], "low": values[0]["low"], "high": values[0]["high"],
                         "series": "one", "record": 0, "tips": {"Device": "H200", "Point": "k=1, d=64"}}  # fmt: skip
    assert [row["bound"] for row in values if "bound" in row] == [2e10]
    assert screen_spec(heat())["data"]["values"][0].keys() >= {"row", "from", "to", "value", "record"}
    assert screen_spec(rows())["data"]["values"][0].keys() >= {"row", "value", "series", "label", "low", "high"}


def test_notes_explain_every_mark() -> None:
    key = notes_of(lines())[-2]
    for word in ("interval", "bound", "Small, faint", "Grey steps", "Grey ring"):
        assert word in key
    everywhere = lines()
    for mark in everywhere.panels[0].marks:
        mark.synthetic = True
    assert "ring" not in notes_of(everywhere)[-2]
    assert not any("datum.synthetic" in str(layer.get("transform")) for layer in screen_spec(everywhere)["layer"])


def _marks(chart: Chart) -> int:
    return sum(len(getattr(panel, "cells", getattr(panel, "marks", []))) for panel in chart.panels)


def test_parts_keep_the_height_of_a_page() -> None:
    for chart in (lines(12), rows(70), rows(12, panels=9), heat(12)):
        for style in (STYLES["column"], STYLES["page"]):
            parts = parts_of(chart, style)
            assert sum(_marks(part) for part, _ in parts) == _marks(chart)
            assert parts[0][0].heading.title == ("A title" if len(parts) == 1 else f"A title (1 of {len(parts)})")
    part, style = parts_of(rows(45), bare(COLUMN_MM))[0]
    assert render(draw(part, style), "pdf")[1] == ""  # no remark: it is as low as asked
    assert caption_of(part).startswith("A title (1 of ")


def test_a_part_has_the_colours_of_the_whole_and_its_own_legend() -> None:
    chart = rows(2)
    chart.panels[0].marks = [mark for mark in chart.panels[0].marks if mark.series == "CPU"]
    layer = next(layer for layer in screen_spec(chart)["layer"] if "color" in layer["encoding"])
    color = layer["encoding"]["color"]
    assert color["scale"]["domain"] == ["GPU", "CPU"]
    assert color["legend"]["values"] == ["CPU"]


def _line_chart(marks: list[Mark], **parts: Any) -> LineChart:
    return LineChart(Quantity("x", log=bool(parts.get("guides"))), Quantity("y"), series=["one"],
                     panels=[Panel("p", marks, **parts)])  # fmt: skip


@pytest.mark.parametrize("at", [[300, 800], [2, 5], [2, 900], [7.4, 126], [200, 400, 800], [2, 400, 800]])
@pytest.mark.parametrize("words", ["beyond", "beyond, all alike", "below, the small ones win"])
def test_no_guide_crosses_a_label(at: list[float], words: str) -> None:
    chart = _line_chart([Mark(1, 1), Mark(1000, 2)], guides=[Guide(True, value, words) for value in at])
    style = STYLES["column"]
    layout = lay_out_panel(chart, chart.panels[0], 200, 100, style)
    for label in layout.down:
        start = layout.x.place(label.at) + label.shift
        for other in layout.down:
            if other.row > label.row:
                assert not start < layout.x.place(other.at) < start + text_width(label.text, style.label)


def test_labels_of_near_knees_share_a_row() -> None:
    bands = [Band(1e5, 1.1e5, "245 KiB"), Band(2.9e7, 3e7, "29.1 MiB"), Band(5.2e7, 5.3e7, "52.5 MiB")]
    chart = LineChart(Quantity("x", Unit.bytes, log=True), Quantity("y"),
                      panels=[Panel("p", [Mark(1e4, 1), Mark(1e10, 2)], bands)])  # fmt: skip
    layout = lay_out_panel(chart, chart.panels[0], 300, 100, screen())
    assert [label.row for label in layout.band_labels] == [0, 0, 0]
    ends = [layout.x.place(label.at) + label.shift for label in layout.band_labels]
    assert ends == sorted(ends)


def test_a_label_stands_clear_of_lines_and_is_left_out_of_a_crowd() -> None:
    rising = _line_chart([Mark(n, n, series="one", label="name" if n == 1 else "") for n in range(4)])
    assert lay_out_panel(rising, rising.panels[0], 300, 200, screen()).sides == {1: 0}  # up and to the left
    crowd = [Mark(x, 10.0 * y, series="one", label="name") for x in range(25) for y in range(15)]
    crowded = _line_chart(crowd)
    assert lay_out_panel(crowded, crowded.panels[0], 300, 200, screen()).sides == {}


def test_a_mark_without_interval_does_not_stretch_a_logarithmic_axis() -> None:
    chart = LineChart(Quantity("x"), Quantity("y", log=True), panels=[Panel("p", [Mark(1, 100), Mark(2, 1000)])])
    low, high = screen_spec(chart)["encoding"]["y"]["scale"]["domain"]
    assert 10 < low < 100
    assert 1000 < high < 10_000


def test_an_interval_lies_within_its_axis() -> None:
    marks = [RowMark("row", 100, 20, 300, "one")]
    chart = RowChart(Quantity("value", log=True), series=["one"], panels=[RowPanel("p", ["row"], marks)])
    low, high = screen_spec(chart)["encoding"]["x"]["scale"]["domain"]
    assert low < 20
    assert high > 300


def _share_axis(highest: float, style: Style, unit: Unit = Unit.share) -> list[float]:
    marks = [RowMark("row", highest * share, series="one", label="123 Gbases/s, a long label") for share in (1, 0.3)]
    chart = RowChart(Quantity("value", unit), series=["one"], panels=[RowPanel("p", ["row"], marks)])
    return draw(chart, style)["encoding"]["x"]["axis"]["values"]


@pytest.mark.parametrize("highest", [0.25, 0.98, 1.3, 7.7, 950, 84_000])
def test_ticks_are_even_and_shares_reach_the_whole(highest: float) -> None:
    for style in STYLES.values():
        for unit in (Unit.share, Unit.number):
            ticks = _share_axis(highest, style, unit)
            steps = [after - before for before, after in pairwise(ticks)]
            assert steps
            assert max(steps) - min(steps) < 1e-9 * highest
    if highest <= 1:
        assert _share_axis(highest, screen()) == [0, 0.25, 0.5, 0.75, 1]


def test_axis_places_values() -> None:
    axis = Axis(Quantity(log=True), 1, 100, 200)
    assert axis.place(10) == pytest.approx(100)
    assert axis.value_at(axis.place(37)) == pytest.approx(37)
    assert axis.place(0) < 0


def test_wrap_breaks_at_spaces_and_joints() -> None:
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("load_shared_32+shuffle", 16) == ["load_shared_32+", "shuffle"]
    assert wrap("abcdefghij k", 4) == ["abcdefghij", "k"]


def test_pictures_have_their_size_and_fonts() -> None:
    spec = draw(rows(), STYLES["column"])
    svg, _ = render(spec, "svg")
    assert b"@font-face" in svg
    assert f'width="{COLUMN_MM * POINTS_PER_MM:.2f}pt"'.encode() in svg
    assert render(spec, "pdf")[0].startswith(b"%PDF")
    png = render(spec, "png")[0]
    assert int.from_bytes(png[16:20]) == pytest.approx(COLUMN_MM / 25.4 * 300, abs=2)


def test_chart_object_can_be_changed() -> None:
    chart: Any = chart_object(lines())
    assert chart.properties(width=100).to_dict()["width"] == 100
