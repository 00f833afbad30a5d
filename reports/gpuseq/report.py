"""`gpuseq-bench report`: writes plots/<figure>.vl.json, other formats, and report.html."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from gpuseq.charts.style import COLUMN_MM, PAGE_MM
from gpuseq.charts.values import Chart, RowChart
from gpuseq.drawing import Figure, NotDrawn
from gpuseq.errors import UsageError
from gpuseq.figures import drawn, figures, find_figures
from gpuseq.overlay import overlaid
from gpuseq.published import Published, load_published
from gpuseq.runs import Report, dict_at, load_runs, read_json, text_at
from gpuseq.text import say

FORMATS = ["vl.json", "svg", "pdf", "png", "csv", "tex"]
PICTURES = {"svg", "pdf", "png"}
_MOST_ROWS_OF_COLUMN = 12
_WIDEST_COLUMN_MM = 110  # wider tables go across the page


@dataclass
class Options:
    """The files to write, from which runs, and where."""

    folders: list[Path]
    output: Path | None = None  # none: the first folder
    over: list[Path] = field(default_factory=list[Path])  # runs that figures are drawn over
    figures: list[str] = field(default_factory=list[str])  # none: all
    formats: list[str] = field(default_factory=list[str])  # besides vl.json
    width_mm: float = 0  # of pictures and LaTeX tables; 0: by the number of panels
    bare: bool = False  # pictures without title and notes, which go to caption files
    height_mm: float = 0  # of a picture at most; 0: a page, or 0.8 of the width of a bare one
    published: list[Path] = field(default_factory=list[Path])
    by_model: bool = False


@dataclass
class Result:
    files: list[Path] = field(default_factory=list[Path])
    not_drawn: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])  # figure or file, reason
    remarks: list[str] = field(default_factory=list[str])


Drawing = tuple[Figure, Chart | str]
"""A figure with its chart, or the reason why there is nothing to draw."""


class Loaded:
    """The runs of a report, and the runs that are drawn next to them."""

    def __init__(self, options: Options, behind: Report | None = None) -> None:
        self.figures = find_figures(options.figures) if options.figures else figures()
        self.report = load_runs(options.folders, by_model=options.by_model)
        self.behind = behind or (load_runs(options.over, by_model=options.by_model) if options.over else None)
        self.published = load_published(options.published)
        self.folder = options.output or options.folders[0]
        self.remarks = list(self.report.warnings)

    def drawings(self) -> Iterator[Drawing]:
        for figure in self.figures:
            chart = chart_of(figure, self.report, self.published)
            if self.behind:
                over = chart_of(figure, self.behind, self.published)
                if isinstance(chart, str) and not isinstance(over, str):
                    self.remarks.append(f"{figure.name}: nothing of run {', '.join(run.name for run in self.report.runs)} is "
                                        f"drawn: {chart}")  # fmt: skip
                chart = overlaid(chart, self.report, over, self.behind)
            yield figure, chart


def chart_of(figure: Figure, report: Report, published: Published) -> Chart | str:
    try:
        return drawn(figure, report, published)
    except NotDrawn as reason:
        return str(reason)


def say_result(result: Result, remarks: list[str]) -> None:
    """Prints the files that were written, then the remarks for a reader."""
    for file in result.files:
        say(str(file))
    sys.stdout.flush()
    for remark in [*remarks, *result.remarks]:
        say(remark, sys.stderr)
    for name, reason in result.not_drawn:
        say(f"{name} is not drawn: {reason}", sys.stderr)


def recorded_published(folders: list[Path], root: Path) -> tuple[list[Path], list[str]]:
    """The published values that the configs of the runs name, and remarks on those that are not here."""
    files: list[Path] = []
    remarks: list[str] = []
    for folder in folders:
        summary_file = folder / "run.json"
        summary = read_json(summary_file) if os.path.lexists(summary_file) else None
        recorded = text_at(dict_at(summary, "config"), "published")
        if not recorded:
            continue
        name = Path(recorded).name.removeprefix("published-").removeprefix("paper-")  # older names
        candidates = [folder / recorded, root / "configs" / "published" / name]
        found = next((file for file in candidates if file.is_file()), None)
        if found is None:
            remarks.append(f"no published values are drawn: {recorded} is not here")
        elif found.resolve() not in files:
            files.append(found.resolve())
    return files, remarks


def write_atomically(file: Path, content: str | bytes | Iterator[str]) -> None:
    """The file appears whole or not at all."""
    parts = iter([content]) if isinstance(content, str | bytes) else content
    try:
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        try:
            with os.fdopen(handle, "wb") as target:
                for part in parts:
                    target.write(part.encode("utf-8", "replace") if isinstance(part, str) else part)
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(name, 0o666 & ~umask)
            os.replace(name, file)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror}") from None


def write_chart(chart: Chart, files: list[Path]) -> None:
    """Writes a chart to files that end in .vl.json, .svg, .png or .pdf; pictures are as wide as a page."""
    from gpuseq.charts.render import render
    from gpuseq.charts.style import print_style, screen
    from gpuseq.charts.vega_lite import draw, spec_text

    for file in files:
        if file.name.endswith(".vl.json"):
            write_atomically(file, spec_text(draw(chart, screen())))
        else:
            write_atomically(file, render(draw(chart, print_style(PAGE_MM)), file.suffix[1:])[0])


def write_plots(options: Options, loaded: Loaded) -> tuple[Result, list[Drawing]]:
    """Writes the files of every figure. Returns their paths, and the drawings for the page."""
    folder = loaded.folder / "plots"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be made: {error.strerror}") from None
    result = Result()
    drawings: list[Drawing] = []
    for figure, chart in loaded.drawings():
        drawings.append((figure, chart))
        if isinstance(chart, str):
            result.not_drawn.append((figure.name, chart))
        else:
            _write_plot(figure, chart, folder, options, result)
    result.remarks[:0] = loaded.remarks
    return result, drawings


def _write_plot(figure: Figure, chart: Chart, folder: Path, options: Options, result: Result) -> None:
    from gpuseq.charts.vega_lite import screen_spec, spec_text

    def write(name: str, content: str) -> None:
        write_atomically(folder / name, content)
        result.files.append(folder / name)

    stem = figure.file_stem
    write(f"{stem}.vl.json", spec_text(screen_spec(chart)))
    if "csv" in options.formats:
        from gpuseq.charts.tables import csv_text, table_of

        write(f"{stem}.csv", csv_text(table_of(chart)))
    if "tex" in options.formats:
        from gpuseq.charts.latex import Width, latex

        width: Width = "by_columns"
        if options.width_mm:
            width = "page" if options.width_mm > _WIDEST_COLUMN_MM else "column"
        write(f"{stem}.tex", latex(chart, figure.name, width))
    pictures = [name for name in options.formats if name in PICTURES]
    if pictures:
        _write_pictures(chart, folder / stem, pictures, options, result)


def _has_many_rows(chart: Chart) -> bool:
    """Whether the words next to the rows would make a column higher than a page."""
    rows = {mark.row for panel in chart.panels for mark in panel.marks} if isinstance(chart, RowChart) else set[str]()
    return len(rows) > _MOST_ROWS_OF_COLUMN


def _write_pictures(chart: Chart, stem: Path, formats: list[str], options: Options, result: Result) -> None:
    from gpuseq.charts.latex import latex_escape
    from gpuseq.charts.print_parts import caption_of, parts_of
    from gpuseq.charts.render import render
    from gpuseq.charts.style import bare, print_style
    from gpuseq.charts.vega_lite import draw

    width = options.width_mm or (PAGE_MM if len(chart.panels) > 1 or _has_many_rows(chart) else COLUMN_MM)
    parts = parts_of(chart, (bare if options.bare else print_style)(width, options.height_mm))
    for number, (part, style) in enumerate(parts, start=1):
        name = f"{stem}-{number}" if len(parts) > 1 else str(stem)
        specification = draw(part, style)
        for picture in formats:
            file = Path(f"{name}.{picture}")
            content, remark = render(specification, picture)
            write_atomically(file, content)
            result.files.append(file)
            result.remarks += [f"{file}: {remark}"] if remark else []
        if options.bare:
            caption = caption_of(part)
            for ending, text in (("txt", caption + "\n"), ("tex", latex_escape(caption) + "%\n")):
                write_atomically(Path(f"{name}.caption.{ending}"), text)
                result.files.append(Path(f"{name}.caption.{ending}"))
