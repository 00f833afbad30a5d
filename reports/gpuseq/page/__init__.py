"""report.html: one file with tables, plots, records and the scripts that filter and draw them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gpuseq.charts.style import INK, MUTED, PAPER
from gpuseq.charts.values import Chart
from gpuseq.drawing import Figure
from gpuseq.page import summary
from gpuseq.page.commands import ExecUse
from gpuseq.page.device_profiles import DeviceProfile, device_curve, device_profiles, level_words
from gpuseq.page.findings import device_legend, findings, report_warnings
from gpuseq.page.html import definitions, pretty_json, printable_lines, script_json
from gpuseq.page.page_records import record_scripts
from gpuseq.page.page_tables import failures, published_table
from gpuseq.page.vega_scripts import HOW_TO_GET, VegaScripts
from gpuseq.page.winners import winner_tables, winners_of
from gpuseq.published import Published
from gpuseq.runs import Json, Report, Run, dict_at
from gpuseq.text import printable

if TYPE_CHECKING:
    import jinja2

_HERE = Path(__file__).resolve().parent
_STYLES = ["page", "sections", "tables", "summary"]
_SCRIPTS = ["elements", "records", "filter", "filter_bar", "sortable", "columns", "record_table", "exports", "samples",
            "record_view", "plot_width", "plots", "hits", "parts", "page"]  # fmt: skip
_PARTS = {"fm-index/memory": "memory", "suite/devices": "compared", "suite/same_states": "compared",
          "suite/surface": "heat_maps", "probes/knees": "knees"}  # fmt: skip
"""Figures that are not shown with their families."""


@dataclass
class PageFigure:
    """A figure as the page shows it: a specification, or why there is none."""

    id: str
    name: str
    title: str
    family: str
    caption: str
    spec: str = ""  # JSON that may stand in a script element
    notes: list[str] = field(default_factory=list[str])
    reason: str = ""
    filtered: bool = True  # the page's filter removes marks

    @property
    def sentences(self) -> str:
        return " ".join(note if note.endswith((".", ":")) else f"{note}." for note in self.notes)


def page_figure(figure: Figure, chart: Chart | str) -> PageFigure:
    page = PageFigure(figure.file_stem, figure.name, figure.title, figure.family, figure.caption)
    if isinstance(chart, str):
        page.reason = chart
    else:
        page.spec, page.notes = _spec(chart), chart.heading.notes
    return page


def _spec(chart: Chart) -> str:
    from gpuseq.charts.vega_lite import screen_spec

    return script_json(screen_spec(chart))


def write_page(
    report: Report, published: Published, drawings: Iterable[tuple[Figure, Chart | str]], page: Path, *,
    root: Path | None = None, scripts: VegaScripts | None = None, exec_uses: dict[str, ExecUse] | None = None,
) -> str:  # fmt: skip
    """Writes report.html. Returns why it has no plots; empty where it has.

    `root` is the checkout whose configs commands name. `scripts` were started before; `exec_uses` says how
    `gpuseq-bench exec` takes each family.
    """
    from gpuseq.report import write_atomically

    figures = [page_figure(figure, chart) for figure, chart in drawings]
    vega, reason = (scripts or VegaScripts()).result()
    root = root or _HERE.parents[2]
    write_atomically(page, page_text(report, published, figures, vega, reason, root, exec_uses or {}))
    return reason


def page_text(
    report: Report, published: Published, figures: list[PageFigure], vega: str, no_vega: str, root: Path,
    exec_uses: dict[str, ExecUse],
) -> Iterator[str]:  # fmt: skip
    from markupsafe import Markup

    winners = winners_of(report)
    found = findings(report, winners)
    profiles = device_profiles(report)
    points = summary.ShortPoints(report)
    columns, details = record_scripts(report)
    context: dict[str, Json] = {
        "title": f"gpuseq-bench: {', '.join(run.name for run in report.runs)}",
        "counts": _counts(report),
        "devices": sorted({record.device_name for record in report.records}),
        "run_notes": [*report.warnings, *(note for run in report.runs if (note := _run_note(run)))],
        "warnings": report_warnings(report),
        "legend": device_legend(winners),
        "summary_columns": summary.COLUMNS,
        "problems": summary.problems(found[: summary.MOST_PROBLEMS], winners, points),
        "more_problems": summary.problems(found[summary.MOST_PROBLEMS :], winners, points),
        "findings": found,
        "level_columns": summary.LEVEL_COLUMNS,
        "level_rows": summary.level_rows(profiles),
        "picture": _picture(report, summary.picture(found, winners), profiles),
        "profiles": [(profile, _curve(report, profile, number)) for number, profile in enumerate(profiles)],
        "level_words": level_words,
        "winner_tables": winner_tables(report, winners, root, exec_uses),
        "parts": _parts(figures, published),
        "not_drawn": [figure for figure in figures if not figure.spec],
        "failures": failures(report),
        "published": published_table(published),
        "citation": published.citation,
        "runs": [_provenance(report, number) for number in range(len(report.runs))],
        "no_vega": "" if vega else no_vega or "there are no scripts to draw them",
        "how_to_get": HOW_TO_GET,
        "colours": {"ink": INK, "muted": MUTED, "paper": PAPER},
        "styles": Markup("".join(_asset(f"{name}.css") for name in _STYLES)),
        "vega": Markup(vega),
        "scripts": [Markup(_asset(f"{name}.js")) for name in _SCRIPTS],
        "columns": Markup(_safe(columns)),
        "details": ((name, Markup(_safe(text))) for name, text in details),
        "markup": Markup,
    }
    stream = _template().stream(context)
    stream.enable_buffering(50)
    return iter(stream)


def _template() -> jinja2.Template:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined, finalize=_printable,
    )  # fmt: skip
    return environment.get_template("page.html")


def _printable(value: object) -> object:
    return printable_lines(value) if type(value) is str else value


def _asset(name: str) -> str:
    return (_HERE / "assets" / name).read_text(encoding="utf-8")


def _safe(json_text: str) -> str:
    return json_text.replace("<", "\\u003c")


def _counts(report: Report) -> dict[str, int]:
    counts = {"ok": 0, "failed": 0, "skipped": 0}
    for record in report.records:
        counts[record.data["status"]] += 1
    return counts


def _run_note(run: Run) -> str:
    if run.summary is None:
        return f"Run {run.name} has no run.json: no machine profile, levels of memory or winners."
    if run.summary.get("complete") is False:
        return f"Run {run.name} is not complete: it was interrupted, or is still running."
    return ""


def _picture(report: Report, best: Chart | None, profiles: list[DeviceProfile]) -> PageFigure | None:
    """The picture of the first screen: the best configurations, else the memory of the last device."""
    picture = None
    if best:
        picture = PageFigure("", "", best.heading.title, "", "", _spec(best), best.heading.notes, filtered=False)
    elif profiles and (picture := _curve(report, profiles[-1], 0)):
        picture.title += f" of {profiles[-1].name}"
    if picture:
        picture.id = "first-picture"
    return picture


def _curve(report: Report, profile: DeviceProfile, number: int) -> PageFigure | None:
    chart = device_curve(report, profile)
    if chart is None:
        return None
    caption = ("Dashed: the end of a level of memory. Shaded: its interval of 95 %. ?: one curve alone shows it."
               if profile.levels else "No level of memory shows.")  # fmt: skip
    return PageFigure(f"device-{number}", "", "Bandwidth and latency over footprint", "", caption, _spec(chart),
                      filtered=False)  # fmt: skip


def _parts(figures: list[PageFigure], published: Published) -> dict[str, dict[str, list[PageFigure]]]:
    """The drawn figures of each part of the page, by heading. Figures with published values are reproductions."""
    from gpuseq.figures import probes, suite

    reproduced = {fact.figure for fact in published.facts if fact.kind != "listed"}
    parts: dict[str, dict[str, list[PageFigure]]] = {}
    last = {figure.name: rank for rank, of in enumerate((suite, probes), start=1) for figure in of.FIGURES}
    drawn = sorted((figure for figure in figures if figure.spec), key=lambda figure: last.get(figure.name, 0))
    for figure in drawn:  # those of single families come first
        part = _PARTS.get(figure.name) or ("reproductions" if figure.name in reproduced else "figures")
        heading = "All families" if figure.family == suite.HEADING else figure.family
        parts.setdefault(part, {}).setdefault(heading, []).append(figure)
    return parts


def _provenance(report: Report, number: int) -> tuple[str, list[tuple[str, str]], str]:
    """Name of a run, its own description, and its config."""
    run = report.runs[number]
    keys = ("name", "started", "finished", "complete", "program", "config_hash", "counts")
    facts = {key: run.summary[key] for key in keys if key in (run.summary or {})} if run.summary else {}
    facts["folder"] = printable(str(run.folder))
    first = next((record for record in report.records if record.run == number), None)
    if first:
        facts |= {key: first.provenance[key] for key in ("program", "host", "seed") if key in first.provenance}
    config = dict_at(run.summary, "config")
    return run.name, definitions(facts), pretty_json(config) if config else ""
