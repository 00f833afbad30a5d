"""Tables of made charts: CSV, Markdown, LaTeX."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from charts import HEADING, heat, lines, rows
from gpuseq.charts.latex import latex, latex_escape
from gpuseq.charts.pivot import pivot
from gpuseq.charts.render import render
from gpuseq.charts.style import COLUMN_MM, PAGE_MM, print_style
from gpuseq.charts.tables import csv_text, markdown, table_of
from gpuseq.charts.values import Heading, LineChart, Mark, Panel, Quantity, RowChart, RowMark, RowPanel
from gpuseq.charts.vega_lite import draw
from gpuseq.units import Unit

HOSTILE = '50 % of a_b & {c} #1 $x$ \\input ~ ^ <d> [e] "f" averylongwordthatnobodycouldprint'


def rates() -> LineChart:
    """Rates of two series at two sizes, of which one lacks one."""
    marks = [
        Mark(65536, 4.6712e10, 4.5e10, 4.8e10, "one", tips=[("Device", "H200"), ("Point", "k=1, d=64")]),
        Mark(131072, 3.2e10, series="one", tips=[("Device", "H200"), ("Value", "32 G")]),
        Mark(131072, 1.25e9, series="other", tips=[("Device", "H200")]),
    ]
    x, y = Quantity("footprint", Unit.bytes), Quantity("rate", Unit.bases_per_s)
    return LineChart(x, y, HEADING, "variant", ["one", "other"], panels=[Panel("H200", marks)])


def test_csv_has_units_in_its_header_and_all_digits() -> None:
    assert csv_text(table_of(rates())) == (
        "panel,series,footprint (B),rate (bases/s),low (bases/s),high (bases/s),Device,Point\r\n"
        'H200,one,65536,46712000000,45000000000,48000000000,H200,"k=1, d=64"\r\n'
        "H200,one,131072,32000000000,,,H200,\r\n"
        "H200,other,131072,1250000000,,,H200,\r\n"
    )


def test_csv_quotes_and_leaves_out_what_is_not_finite() -> None:
    chart = rates()
    chart.panels[0].marks[0].series = 'a "b", c\nd'
    chart.panels[0].marks[0].y = float("nan")
    text = csv_text(table_of(chart))
    assert '"a ""b"", c\nd",65536,,' in text


def test_pivot_has_a_row_per_size_and_a_second_one_for_a_second_mark() -> None:
    chart = rates()
    chart.panels[0].marks.append(Mark(65536, 1e10, series="one"))
    block = pivot(chart)[0]
    assert block.columns == ["one", "other"]
    assert [(row.name, row.values) for row in block.rows] == [
        ("64 KiB", [4.6712e10, None]), ("64 KiB", [1e10, None]), ("128 KiB", [3.2e10, 1.25e9])]  # fmt: skip
    assert [block.columns for block in pivot(heat())] == [["64 B", "128 B"]]
    assert pivot(rows(2))[0].rows[0].words == "0 Gbases/s, a detail"


def test_markdown_has_the_unit_above_and_escapes_bars() -> None:
    chart = rates()
    chart.panels[0].title = "a | b"
    assert markdown(chart) == (
        "a \\| b; rate (Gbases/s)\n\n| footprint | one | other |\n|---|---:|---:|\n"
        "| 64 KiB | 46.71 |  |\n| 128 KiB | 32 | 1.25 |\n"
    )


def test_latex_has_a_caption_a_label_and_four_digits() -> None:
    text = latex(rates(), "fm-index/fig9")
    assert "\\caption{A title. A note. Data: run a; 3 records.}" in text
    assert "\\label{tab:fm-index-fig9}" in text
    assert "H200; rate (Gbases/\\allowbreak{}s)" in text
    assert "46.71 & {}" in text
    assert "32 & 1.25" in text


def test_latex_table_is_as_wide_as_its_columns_need() -> None:
    chart = rates()
    assert "\\begin{table}" in latex(chart, "x")
    assert "\\begin{table*}" in latex(chart, "x", "page")
    for number in range(8):
        chart.panels[0].marks.append(Mark(65536, 1e9, series=f"a series of some words {number}"))
    assert "\\begin{table*}" in latex(chart, "x")
    assert "\\begin{table}" in latex(chart, "x", "column")


def test_latex_table_continues_under_the_same_number() -> None:
    chart = rates()
    chart.panels[0].marks += [Mark(2e6 + n, 1e9, series="one") for n in range(100)]
    text = latex(chart, "x")
    assert "\\addtocounter{table}{-1}" in text
    assert "A title, continued." in text
    assert text.count("\\label") == 1


def test_latex_escapes() -> None:
    assert latex_escape("a_b & 5 % {x} \\ µs") == "a\\_b \\& 5 \\% \\{x\\} \\textbackslash{} \\ensuremath{\\mu}s"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("layout", ["", "[twocolumn]"])
def test_article_sets_tables_and_pictures_without_overfull_boxes(layout: str, tmp_path: Path) -> None:
    hostile = rates()
    hostile.heading = Heading(HOSTILE, ["A note."])
    hostile.series[0] = hostile.panels[0].title = HOSTILE
    for mark in hostile.panels[0].marks[:2]:
        mark.series = HOSTILE
    charts = {"hostile": hostile, "lines": lines(), "rows": rows(60), "heat": heat()}
    body = "".join(latex(chart, name) + "\\clearpage\n" for name, chart in charts.items())
    if layout:  # pictures are made for two columns
        for place, width in (("figure", COLUMN_MM), ("figure*", PAGE_MM)):
            (tmp_path / f"{place[:6]}{width:.0f}.pdf").write_bytes(render(draw(lines(), print_style(width)), "pdf")[0])
            body += f"\\begin{{{place}}}\\includegraphics{{{place[:6]}{width:.0f}}}\\end{{{place}}}\n"
    (tmp_path / "all.tex").write_text(
        f"\\documentclass{layout}{{article}}\n\\usepackage{{booktabs,graphicx}}\n\\extrafloats{{200}}\n"
        f"\\begin{{document}}\n{body}\\end{{document}}\n"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    log = (tmp_path / "all.log").read_text(errors="replace")
    bad = [line for line in log.splitlines() if line.startswith(("Overfull", "!")) or "Float too large" in line]
    assert (done.returncode, bad) == (0, [])


def of_two_runs() -> RowChart:
    """A row of both runs, one of ours alone, and a published value."""
    marks = [RowMark("one", 3, series="a", side="H100"), RowMark("two", 2, series="a", side="H100"),
             RowMark("one, before", 1, series="a", side="H200"), RowMark("one", 0.5, series="published", side="published")]  # fmt: skip
    panel = RowPanel("H100: 1 Gbase", ["one", "one, before", "two"], marks, subject="1 Gbase")
    return RowChart(Quantity("rate"), HEADING, series=["a", "published"], panels=[panel])


def test_tables_of_two_runs_have_a_block_per_device() -> None:
    assert [(block.title, [(row.name, row.values) for row in block.rows]) for block in pivot(of_two_runs())] == [
        ("H100: 1 Gbase", [("one, a", [3]), ("two, a", [2])]), ("H200: 1 Gbase", [("one, a", [1])]),
        ("published: 1 Gbase", [("one, published", [0.5])])]  # fmt: skip


def test_csv_of_two_runs_names_the_side_of_each_row() -> None:
    assert csv_text(table_of(of_two_runs())).splitlines()[:4] == [
        "side,panel,row,series,rate", "H100,H100: 1 Gbase,one,a,3", "H100,H100: 1 Gbase,two,a,2",
        'H200,H100: 1 Gbase,"one, before",a,1']  # fmt: skip
