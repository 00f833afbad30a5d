"""profile-hmm/fig2: the stages of hmmsearch, by runs of it that end after one filter each."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from gpuseq.charts.values import MOST_PANELS, Quantity, RowChart, RowMark, RowPanel
from gpuseq.drawing import Figure, NotDrawn, heading, keep_fastest, note_left_out, why_none
from gpuseq.figures.profile_hmm_records import FAMILY, model_length
from gpuseq.published import Fact, Published, credit, papers_of
from gpuseq.runs import Record, Report, dict_at, number_at, text_at, word_at
from gpuseq.units import Unit, plain
from gpuseq.words import Rate, axis_text, thread_words, tips_of, without

WHOLE = "hmmsearch"
ENDS = ["hmmsearch_msv", "hmmsearch_viterbi", "hmmsearch_forward", WHOLE]  # variants by where they end

FILTERS = {"MSV": ("MSV", "msv"), "bias": ("bias", ""), "Viterbi": ("Vit", "viterbi"), "Forward": ("Fwd", "")}
"""Row: the name among the answers of the whole run, and the stage at which the paper states it."""
STAGES = {
    "start, files, MSV": ("", "hmmsearch_msv", "msv"),
    "bias, Viterbi": ("hmmsearch_msv", "hmmsearch_viterbi", "viterbi"),
    "forward, backward": ("hmmsearch_viterbi", WHOLE, "forward"),
    "of this, Forward": ("hmmsearch_viterbi", "hmmsearch_forward", ""),
    "of this, the rest": ("hmmsearch_forward", WHOLE, ""),
}
"""Row: the end before it (empty: the start of the process), its own end, the stage at which the paper states it."""
NOTES = [
    "Time of a stage: the time of the run that ends behind it minus that of the run that ends before it, as a share of "
    "the whole run's time; the first stage includes the start of the process and the reading of files.",
    "The run that ends behind Viterbi computes it also where hmmsearch would not (P of MSV up to 1e-3): its share is an "
    "upper estimate, and that of forward and backward a lower one.",
]


@dataclass
class _Pipeline:
    """The runs of a model by their variant."""

    model: str  # "globins, 149 states"
    runs: dict[str, Record] = field(default_factory=dict[str, Record])

    def passed(self, answer: str) -> float | None:
        """Share of the sequences that a filter passes."""
        facts = self.runs[WHOLE].facts
        count, passing = number_at(facts, "sequence_count"), number_at(dict_at(facts, "answers"), answer)
        return passing / count if count and passing is not None else None

    def time(self, before: str, after: str) -> Rate | None:
        """Share of the whole run's time, with the interval of a difference of independent medians; negative where the
        later run was the faster one. None where a run is missing."""
        if after not in self.runs or (before and before not in self.runs):
            return None
        start, below, above = _median(self.runs[before]) if before else (0.0, 0.0, 0.0)
        end, end_below, end_above = _median(self.runs[after])
        whole = _median(self.runs[WHOLE])[0]
        taken = end - start
        return Rate(taken / whole, (taken - math.hypot(end_below, above)) / whole,
                    (taken + math.hypot(end_above, below)) / whole)  # fmt: skip


def _median(record: Record) -> tuple[float, float, float]:
    """A median, and how far its interval extends below and above."""
    statistics = record.data["statistics"]
    median = float(statistics["median_s"])
    low, high = number_at(statistics, "low_s"), number_at(statistics, "high_s")
    return median, median - (median if low is None else low), (median if high is None else high) - median


@dataclass
class _Place:
    """Pipelines of one device, number of threads and set of sequences; small models first."""

    words: str
    pipelines: list[_Pipeline]


def _places(report: Report) -> list[_Place]:
    found: dict[tuple[str, str, str], dict[tuple[float, str], _Pipeline]] = {}
    for record in report.settled(FAMILY, tools=True, having=lambda record: record.is_tool and record.variant in ENDS):
        models = word_at(record.problem, "models")
        if not models:
            continue
        length = model_length(record)
        model = models if length is None else f"{models}, {plain(length)} states"
        key = (record.device_name, axis_text(record, "threads"), without(record.problem, {"models", "model_length"}))
        pipeline = found.setdefault(key, {}).setdefault((length or 0, model), _Pipeline(model))
        keep_fastest(pipeline.runs, record.variant, record)
    places: list[_Place] = []
    for key in sorted(found):
        ordered = [found[key][model] for model in sorted(found[key])]
        pipelines = [pipeline for pipeline in ordered if WHOLE in pipeline.runs and len(pipeline.runs) > 1]
        if pipelines:
            places.append(_Place(_place_words(pipelines[0].runs[WHOLE]), pipelines))
    return places


def _place_words(record: Record) -> str:
    """ "AMD EPYC, 1 thread, 20000 sequences of proteins"."""
    count, threads = number_at(record.facts, "sequence_count"), axis_text(record, "threads")
    return (f"{record.device_name}{f', {thread_words(threads)}' if threads else ''}, "
            f"{f'{plain(count)} ' if count is not None else ''}sequences of {word_at(record.problem, 'sequences')}")  # fmt: skip


def _percent(share: float) -> str:
    """ "0.15", "2.6", "53" of a hundred: two digits."""
    return f"{100 * share:.0f}" if share >= 0.0995 else f"{100 * share:.2g}"


class _Drawing:
    """The published values that are drawn, and the remarks that depend on the records."""

    def __init__(self, facts: list[Fact]) -> None:
        self.facts = facts
        self.series = f"published ({papers_of(facts)})"
        self.used = False
        self.remarks: dict[str, list[str]] = {
            "Not distinguished from 0 by the medians' intervals (drawn at 0 if below)": [],
            "No sequence passes, so without a mark": [],
            "No record, so the stages before and behind it are left out": [],
        }

    def remark(self, number: int, text: str) -> None:
        list(self.remarks.values())[number].append(text)

    def mark(self, row: str, pipeline: _Pipeline, record: Record, share: Rate) -> RowMark:
        return RowMark(row, share.value, share.low, share.high, pipeline.model, hollow=record.is_tool,
                       record=record.index, tips=tips_of(record, share, Unit.share))  # fmt: skip

    def finish_row(self, panel: RowPanel, row: str, measure: str, stage: str) -> None:
        """Adds the published values of a row, and behind its last mark the range of the models."""
        for fact in self.facts if stage else []:
            if (text_at(fact.at, "measure"), text_at(fact.at, "stage")) == (measure, stage) and fact.value > 0:
                panel.marks.append(
                    RowMark(row, fact.value, fact.value, fact.value, self.series, tips=fact.tips(Unit.share))
                )
                self.used = True
        marks = [mark for mark in panel.marks if mark.row == row]
        if not marks:
            return
        panel.rows.append(row)
        ours = [mark.value for mark in marks if mark.record is not None]
        if ours:
            low, high = _percent(min(ours)), _percent(max(ours))
            max(marks, key=lambda mark: mark.high).label = f"{low} %" if low == high else f"{low} to {high} %"

    def passes(self, place: _Place) -> RowPanel:
        panel = RowPanel("Sequences that pass", value=Quantity("share of the sequences", Unit.share, log=True))
        for row, (answer, stage) in FILTERS.items():
            for pipeline in place.pipelines:
                share = pipeline.passed(answer)
                if share is not None and share > 0:
                    panel.marks.append(self.mark(row, pipeline, pipeline.runs[WHOLE], Rate(share, share, share)))
                elif share is not None:
                    self.remark(1, f"{row} of {pipeline.model}")
            self.finish_row(panel, row, "passed", stage)
        return panel

    def times(self, place: _Place) -> RowPanel:
        panel = RowPanel("Time", value=Quantity("share of hmmsearch's time", Unit.share))
        for row, (before, after, stage) in STAGES.items():
            for pipeline in place.pipelines:
                share = pipeline.time(before, after)
                if share is None:
                    continue
                if share.low <= 0:
                    self.remark(0, f"'{row}' of {pipeline.model} ({_percent(share.value)} %)")
                value = max(0.0, share.value)  # noise below 0, or an interval beyond the whole, is cut off
                part = Rate(value, max(0.0, share.low), min(max(share.high, 0.0), max(1.0, value)))
                panel.marks.append(self.mark(row, pipeline, pipeline.runs[after], part))
            self.finish_row(panel, row, "time", stage)
        for pipeline in place.pipelines:
            for end in ENDS:
                if end not in pipeline.runs:
                    self.remark(2, f"{end} of {pipeline.model}")
        return panel


def draw_fig2(figure: Figure, report: Report, published: Published) -> RowChart:
    places = _places(report)
    if not places:
        raise NotDrawn(why_none(report, FAMILY, "a whole run of hmmsearch and one that ends earlier"))
    chart = RowChart(Quantity("share", Unit.share), series_title="model")
    drawing = _Drawing(published.find(figure.name, "value"))
    shown = 0
    for place in places:
        if len(chart.panels) + 2 > MOST_PANELS:
            break
        shown += 1
        for panel in (drawing.passes(place), drawing.times(place)):
            if any(mark.record is not None for mark in panel.marks):
                named = f"{panel.title}: {place.words}" if len(places) > 1 else panel.title
                chart.panels.append(replace(panel, title=named))
    pipelines = [pipeline for place in places[:shown] for pipeline in place.pipelines]
    chart.series = list(dict.fromkeys(pipeline.model for pipeline in pipelines))
    chart.series += [drawing.series] if drawing.used else []
    notes = [f"{places[0].words}."] if len(places) == 1 else []
    notes += [*NOTES, "Next to the marks: the range of hmmsearch's values."]
    notes += [f"{name}: {'; '.join(texts)}." for name, texts in drawing.remarks.items() if texts]
    if drawing.used:
        notes.append(f"Grey: published, {credit(drawing.facts)}.")
    note_left_out(shown, len(places), "devices and sets of sequences", notes)
    used = [pipeline.runs[variant] for pipeline in pipelines for variant in sorted(pipeline.runs)]
    chart.heading = heading(figure, report, used, notes)
    return chart
