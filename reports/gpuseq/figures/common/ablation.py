"""Figures that go from a published kernel to ours, one step at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from gpuseq.charts.values import MOST_PANELS, Quantity, RowChart, RowMark, RowPanel, Tips
from gpuseq.drawing import Figure, NotDrawn, heading, keep_fastest, note_left_out, why_none
from gpuseq.runs import Record, Report, point_text
from gpuseq.units import Unit, format_value
from gpuseq.words import axis_text, problem_name, rate_of, with_point_words

Settings = dict[str, str]
"""Values of axes; "variant" is one, too."""


@dataclass(frozen=True)
class Step:
    """The settings that are replaced at once; elsewhere than where it `matters` there is no row of it."""

    row: str
    changes: Settings
    matters: Callable[[Record], bool] = lambda record: True


@dataclass(frozen=True)
class Ablation:
    """The published kernel and the steps from there to ours. A record that lacks an axis has its last value."""

    published: Settings
    steps: list[Step]
    name: str = ""  # in front of its rows; empty where a figure has one ablation only
    series: str = ""
    published_row: str = "as published"

    def steps_taken(self, record: Record, value: Callable[[Record, str], str]) -> int | None:
        """The number of steps, all before the others, that the kernel of a record has taken; None: it is not part."""
        last = dict(self.published)
        for step in self.steps:
            last |= step.changes
        found = {axis: record.variant if axis == "variant" else value(record, axis) or last[axis] for axis in last}
        values = dict(self.published)
        for taken in range(len(self.steps) + 1):
            if taken:
                values |= self.steps[taken - 1].changes
            if all(found[axis] == wanted for axis, wanted in values.items()):
                return taken if taken == 0 or self.steps[taken - 1].matters(record) else None
        return None

    def row(self, record: Record, before: int, taken: int) -> str:
        """The steps since the row above, of which no record took one alone."""
        parts = [self.published_row] if taken == 0 else []
        parts += [step.row for step in self.steps[before:taken] if step.matters(record)]
        return (f"{self.name}: " if self.name else "") + ", ".join(parts)


def steps(*rows: tuple[str, Settings]) -> list[Step]:
    return [Step(row, changes) for row, changes in rows]


def gpu_tips(record: Record) -> Tips:
    from gpuseq.words import tips_of

    return tips_of(record, rate_of(record), Unit.bases_per_s)


Panels = dict[tuple[str, str], dict[str, "_Candidate"]]


@dataclass
class _Candidate:
    """The fastest record per number of steps, for each ablation, on one problem."""

    title: str
    fastest: list[dict[int, Record]]

    def rows(self) -> int:
        return sum(map(len, self.fastest))

    def any(self) -> Record:
        rungs = next(rungs for rungs in self.fastest if rungs)
        return rungs[min(rungs)]


@dataclass(frozen=True)
class AblationFigure:
    """`place` gives key and title of the panel of a record, or None; panels are in the order of the keys. A panel shows
    the problem with the most rows, and of those the one that `worth` prefers."""

    family: str
    ablations: list[Ablation]
    quantity: Quantity
    place: Callable[[Record], tuple[str, str] | None] = lambda record: ("", "")
    value: Callable[[Record, str], str] = axis_text
    worth: Callable[[Record], float] = lambda record: record.work
    about: Callable[[Record], str] = problem_name  # in titles where panels differ, else a note
    factor: float = 1  # from the rate of a record to `quantity`
    tips: Callable[[Record], Tips] = gpu_tips
    notes: list[str] = field(default_factory=list[str])

    def draw(self, figure: Figure, report: Report, _published: object) -> RowChart:
        panels = self._panels(report)
        if not panels:
            raise NotDrawn(why_none(report, self.family, "a counterpart as published, and a step from it"))
        chart = RowChart(self.quantity, series_title="device" if len(self.ablations) == 1 else "scheme")
        abouts = sorted({self.about(panel.any()) for panel in panels})
        used: list[Record] = []
        for candidate in panels[:MOST_PANELS]:
            record = candidate.any()
            title = f"{candidate.title}{', ' if candidate.title else ''}{record.device_name}"
            panel = RowPanel(title + (f": {self.about(record)}" if len(abouts) > 1 else ""))
            for ablation, fastest in zip(self.ablations, candidate.fastest, strict=True):
                self._add_rows(ablation, fastest, panel)
                used += [fastest[taken] for taken in sorted(fastest)]
            chart.panels.append(panel)
        chart.series = list(dict.fromkeys(mark.series for panel in chart.panels for mark in panel.marks))
        notes = [f"{abouts[0]}."] if len(abouts) == 1 else []
        notes.append("Each row has the changes of the rows above it and one more. Next to its rate: the ratio to the "
                     "row above.")  # fmt: skip
        notes += self.notes
        note_left_out(len(chart.panels), len(panels), "panels", notes)
        chart.heading = heading(figure, report, used, notes)
        return chart

    def _panels(self, report: Report) -> list[_Candidate]:
        panels: Panels = {}
        for record in report.settled(self.family):
            place = self.place(record)
            if place is None or not record.on_gpu:
                continue
            for number, ablation in enumerate(self.ablations):
                taken = ablation.steps_taken(record, self.value)
                if taken is None:
                    continue
                problem = with_point_words(point_text(record.problem), record)
                candidate = panels.setdefault((record.device_name, place[0]), {}).setdefault(
                    problem, _Candidate(place[1], [{} for _ in self.ablations])
                )
                keep_fastest(candidate.fastest[number], taken, record)
        shown: list[_Candidate] = []
        for key in sorted(panels):
            problems = [panels[key][problem] for problem in sorted(panels[key])]
            for candidate in problems:
                candidate.fastest = [rungs if 0 in rungs else {} for rungs in candidate.fastest]
            problems = [candidate for candidate in problems if any(len(rungs) > 1 for rungs in candidate.fastest)]
            if problems:
                shown.append(max(problems, key=lambda candidate: (candidate.rows(), self.worth(candidate.any()))))
        return shown

    def _add_rows(self, ablation: Ablation, fastest: dict[int, Record], panel: RowPanel) -> None:
        before, rate_before = 0, 0.0
        for taken in sorted(fastest):
            record = fastest[taken]
            rate = rate_of(record, self.factor)
            row = ablation.row(record, before, taken)
            panel.rows.append(row)
            panel.marks.append(RowMark(
                row, rate.value, rate.low, rate.high,
                series=ablation.series if ablation.name else record.device_name,
                label=format_value(rate.value, self.quantity.unit),
                detail=format_value(rate.value / rate_before, Unit.ratio) if rate_before > 0 else "",
                record=record.index, tips=self.tips(record)))  # fmt: skip
            before, rate_before = taken, rate.value


def rates(title: str) -> Quantity:
    return Quantity(title, Unit.number, log=True)
