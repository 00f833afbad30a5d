"""Compares the figures of the package gpuseq with the golden sets.

    golden_figures.py ROOT [--figure PATTERN]... [RUN...]     RUN: a folder below results/; none: tests/golden/sample.txt

Prints every difference; exit code 1 if there is one that tests/golden/accepted.json does not accept.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "golden"), str(HERE.parents[1] / "reports")]
import golden
from gpuseq.charts.values import Chart, HeatMap, LineChart
from gpuseq.drawing import NotDrawn
from gpuseq.figures import FAMILIES, drawn
from gpuseq.published import Published, load_published
from gpuseq.report import recorded_published
from gpuseq.runs import Report, load_runs
from printed import Row, shown, table_rows


def left_edge(xs: list[float], x: float) -> float:
    """A cell of a heat map begins halfway to the one before it, on a logarithmic axis."""
    place = xs.index(x)
    neighbours = xs[place - 1 : place + 1] if place else xs[:2]
    return x / (neighbours[1] / neighbours[0] if len(neighbours) > 1 else 2) ** 0.5


def chart_rows(run: str, figure: str, chart: Chart) -> Iterator[Row]:
    """The marks of a chart; guides and bands are left out, because the layout decides which of them fit."""
    title = len(chart.panels) > 1
    for panel in chart.panels:
        name = panel.title if title else ""
        if isinstance(chart, HeatMap):
            for row in panel.rows:
                cells = [cell for cell in panel.cells if cell.row == row]  # type: ignore[union-attr]
                xs = sorted({cell.x for cell in cells})
                for cell in cells:
                    low, high = (cell.low, cell.high) if 0 < cell.low < cell.high else (None, None)
                    yield Row(run, figure, name, row, shown(left_edge(xs, cell.x)), cell.value, low, high)
        elif isinstance(chart, LineChart):
            for mark in panel.marks:  # type: ignore[union-attr]
                low, high = (mark.low, mark.high) if 0 < mark.low < mark.high else (None, None)
                yield Row(run, figure, name, mark.series, shown(mark.x), mark.y, low, high)
                if mark.bound > 0:
                    yield Row(run, figure, name, f"{mark.series} (bound)", shown(mark.x), mark.bound)
            for x, y in panel.steps if len(panel.steps) > 1 else []:  # type: ignore[union-attr]
                yield Row(run, figure, name, "front", shown(x), y)
        else:
            for mark in panel.marks:  # type: ignore[union-attr]
                low, high = (mark.low, mark.high) if mark.low < mark.high else (None, None)
                yield Row(run, figure, name, mark.series, mark.row, mark.value, low, high)


def without_titles(rows: list[Row], figures: set[tuple[str, str]]) -> list[Row]:
    """A figure of one panel has its title in the heading: the golden row has none or that of the whole figure."""
    return [row._replace(panel="") if (row.run, row.name) in figures else row for row in rows]


class Renamed:
    """tests/golden/accepted_package.json: series and words that the package names differently, each with its reason."""

    def __init__(self) -> None:
        self.entries = json.loads((HERE.parent / "golden/accepted_package.json").read_text())

    def leaves_out(self, set_name: str, row: Row) -> bool:
        return any(entry.get("left_out") == set_name and fnmatchcase(row.name, entry["name"]) for entry in self.entries)

    def apply(self, row: Row) -> Row:
        for entry in self.entries:
            if "words" in entry and fnmatchcase(row.name, entry.get("name", "*")):
                panel, x, text = (part.replace(entry["words"], entry["to"]) for part in (row.panel, row.x, row.text))
                row = row._replace(panel=panel, x=x, text=text)
            elif (
                "series" in entry and fnmatchcase(row.name, entry["name"]) and fnmatchcase(row.series, entry["series"])
            ):
                return row._replace(series=entry["to"].format(row.series))
        return row


def report_of(root: Path, run: str) -> Report:
    return load_runs([root / "results" / run])


def published_of(root: Path, report: Report) -> Published:
    """The published values that the configs of the runs name."""
    return load_published(recorded_published([run.folder for run in report.runs], root)[0])


def rows_of(root: Path, run: str, patterns: list[str]) -> tuple[list[Row], list[Row], set[str]]:
    """Marks, lines of LaTeX tables, and the names of the figures that the package has."""
    from importlib import import_module

    report = report_of(root, run)
    published = published_of(root, report)
    rows: list[Row] = []
    tables: list[Row] = []
    known: set[str] = set()
    for family in FAMILIES:
        try:
            module = import_module(f"gpuseq.figures.{family}")
        except ModuleNotFoundError as error:
            if error.name != f"gpuseq.figures.{family}":
                raise
            continue
        for figure in module.FIGURES:
            if not any(fnmatchcase(figure.name, pattern) for pattern in patterns):
                continue
            known.add(figure.name)
            try:
                chart = drawn(figure, report, published)
            except NotDrawn:
                continue
            rows += chart_rows(run, figure.name, chart)
            try:
                from gpuseq.charts.latex import latex
            except ModuleNotFoundError:
                continue
            tables += table_rows(run, figure.name, latex(chart, figure.name))
    return rows, tables, known


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("runs", nargs="*", metavar="RUN")
    parser.add_argument("--figure", action="append", metavar="PATTERN", help="as fm-index/*")
    parser.add_argument("--tables", action="store_true", help="also compare LaTeX tables")
    parser.add_argument("--all", action="store_true", help="every committed run")
    arguments = parser.parse_args()
    sets = {name: golden.read_set(name) for name in ("figures", "tables")}
    runs = arguments.runs or golden.SAMPLE
    if arguments.all:
        runs = list(dict.fromkeys(row.run for row in sets["figures"]))
    accepted = golden.Accepted(json.loads((HERE.parent / "golden/accepted.json").read_text()))
    renamed = Renamed()
    differences: list[golden.Difference] = []
    compared = 0
    for run in runs:
        rows, tables, known = rows_of(arguments.root, run, arguments.figure or ["*"])
        for name, found in (("figures", rows), ("tables", tables)):
            if name == "tables" and not arguments.tables:
                continue
            expected = [renamed.apply(accepted.renamed(row)) for row in sets[name] if row.run == run]
            expected = [row for row in expected if row.name in known]
            if name == "figures":
                expected = [row for row in expected if row.series != "band" and not row.series.startswith("line: ")]
                one_panel = {(row.run, row.name) for row in found if row.panel == ""}
                expected = without_titles(expected, one_panel)
            else:  # where a page ends, which depends on the length of words, the head of a table is repeated
                expected, found = list(dict.fromkeys(expected)), list(dict.fromkeys(found))
            expected, found = ([row for row in rows if not renamed.leaves_out(name, row)] for rows in (expected, found))
            compared += len(expected)
            found = [golden.row_of(golden.line_of(row)) for row in found]
            differences += [each for each in golden.compare(name, expected, found) if not accepted.takes(each)]
            missing = {row.name for row in found} - {row.name for row in expected}
            for figure in sorted(missing):
                print(f"{name}: run {run}: {figure} is drawn, the golden set does not have it")
    for difference in differences[: golden.SHOWN]:
        print(difference)
    print(f"{len(runs)} runs; {compared} rows compared; {len(differences)} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
