"""A figure: a name, a title, a caption, and a function from a report to a chart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from gpuseq.charts.values import Chart, Guide, Heading, LineChart
from gpuseq.published import Published, credit
from gpuseq.runs import Record, Report
from gpuseq.text import plural

_MOST_NAMED_RUNS = 6
_Key = TypeVar("_Key")


class NotDrawn(Exception):
    """Why a figure has nothing to draw: "no record of latency"."""


@dataclass(frozen=True)
class Figure:
    """`draw` raises NotDrawn if the report has nothing for the figure."""

    name: str  # "fm-index/fig9"; the file is plots/fm-index-fig9.vl.json
    title: str
    family: str  # heading under which the page shows it
    caption: str  # what one reads from it, one or two sentences
    draw: Callable[[Figure, Report, Published], Chart]
    of_samples: bool = True  # it draws times; False: counts, or the cases themselves

    @property
    def file_stem(self) -> str:
        return self.name.replace("/", "-")


def heading(figure: Figure, report: Report, used: list[Record], notes: list[str] | None = None) -> Heading:
    """Title, `notes`, and the lines that a reader needs to judge the marks, with their source."""
    notes = list(notes or [])
    synthetic = sum(record.synthetic for record in used)
    if synthetic == len(used) > 0:
        notes.append("All marks: synthetic reference (a generated BWT).")
    elif synthetic:
        notes.append("Ringed or marked 'synthetic': a generated BWT as the reference.")
    if disturbed := sum(record.disturbed for record in used):
        notes.append(f"{disturbed} of {len(used)} points that no two passes agree on are left out of knees and bounds; "
                     "where points are drawn, these are hollow and grey.")  # fmt: skip
    if any(record.is_tool for record in used):
        notes.append("Hollow: an external tool on the same data, timed as a whole process, start and files included.")
    if report.by_model:
        notes.append("GPUs of one model are drawn as one device.")
    if figure.of_samples and (few := sum(record.has_few_samples for record in used)):
        notes.append(f"{few} of {len(used)} records have fewer than six samples, too few for an interval of 95 %.")
    notes.append(_source(report, used))
    devices = sorted({record.device_name for record in used})
    return Heading(figure.title, notes, f"{figure.title}. {figure.caption} Devices: {', '.join(devices)}.")


def _source(report: Report, used: list[Record]) -> str:
    runs = [report.runs[number] for number in sorted({record.run for record in used})]
    if len(runs) > _MOST_NAMED_RUNS:
        programs = [run.program or "unknown programs" for run in runs]
        counts = [f"{programs.count(program)} by {program}" for program in sorted(set(programs))]
        named = f"{len(runs)} runs: {'; '.join(counts)}"
    else:
        names = [f"{run.name} ({run.program})" if run.program else run.name for run in runs]
        named = f"{'run' if len(names) == 1 else 'runs'} {', '.join(names)}"
    return f"Data: {named}; {plural(len(used), 'record')}."


def add_guides(figure: Figure, published: Published, chart: LineChart, notes: list[str]) -> None:
    """Adds the published lines of a figure and credits them in `notes`, if a panel takes them."""
    if not any(panel.guided for panel in chart.panels):
        return
    facts = published.find(figure.name, "guide")
    chart.guides += [Guide(fact.axis == "x", fact.value, fact.label) for fact in facts]
    if facts:
        notes.append(f"Dashed grey lines: published, {credit(facts)}.")


def keep_fastest(best: dict[_Key, Record], key: _Key, record: Record) -> None:
    """Keeps the faster of two records under a key; a disturbed one only where there is no other."""
    kept = best.get(key)
    if kept is None or (kept.disturbed, -kept.rate) > (record.disturbed, -record.rate):
        best[key] = record


def note_left_out(shown: int, total: int, subject: str, notes: list[str]) -> None:
    """ "12 of 15 problems, those with the most records.", where some panels are not shown."""
    if shown < total:
        notes.append(f"{shown} of {total} {subject}.")


def why_none(report: Report, family: str, need: str) -> str:
    """Why a figure of a family has nothing to draw."""
    records = [record for record in report.records if record.family == family]
    ok = sum(record.ok for record in records)
    if not records:
        return f"no record of {family}"
    if ok == 0:
        return f"none of the {len(records)} records of {family} is ok"
    return f"none of the {ok} ok records of {family} has {need}"


def why_none_of_kernels(report: Report, need: str) -> str:
    kernels = [record for record in report.records if record.kind == "kernel"]
    ok = sum(record.ok for record in kernels)
    if not kernels:
        return "no record of a kernel"
    return f"none of the {ok} ok records of kernels has {need}" if ok else "no record of a kernel is ok"
