"""papara/table3: CPU and GPUs together, and the share of each."""

from __future__ import annotations

from dataclasses import dataclass

from gpuseq.charts.values import Quantity, RowChart, RowMark, RowPanel, Tips
from gpuseq.drawing import Figure, NotDrawn, heading, note_left_out, why_none
from gpuseq.figures.common.cell_rates import GCUPS_TITLE, GIGA, gcups_tips, gcups_tips_of_fact
from gpuseq.figures.papara_records import FAMILY, is_hybrid, shape_of
from gpuseq.published import Fact, Published, credit, papers_of
from gpuseq.runs import Record, Report, number_at, point_text, text_at
from gpuseq.units import Unit, format_value
from gpuseq.words import problem_name, rate_of

ALONE = "a part alone"
# Counted in the time of a hybrid launch and not in that of a GPU alone, in records that do not name their timed parts.
_COPIED = "scores copied back"


def _is_copied(record: Record) -> bool:
    return is_hybrid(record) and "timed" not in record.facts


def _taken(record: Record) -> str:
    """The part that took the launch: "both", "gpus" or "cpu"; empty where there was no choice."""
    both = (number_at(record.facts, "threads") or 0) > 0 and (number_at(record.facts, "gpus") or 0) > 0
    return text_at(record.facts, "taken") if both else ""


def _shares(record: Record) -> dict[str, float]:
    """Shares of the cells of a hybrid record; GPUs are numbered where there are several."""
    facts = record.facts
    shares = {"CPU": number_at(facts, "cpu_share") or 0}
    gpus = [name for name in (f"gpu{number}_share" for number in range(len(facts))) if name in facts]
    for number, name in enumerate(gpus):
        shares[f"GPU {number}" if len(gpus) > 1 else "GPU"] = number_at(facts, name) or 0
    return {part: share for part, share in shares.items() if share > 0}


def _part_of(record: Record) -> str:
    """hybrid, cpu or gpu: `hybrid` on the CPU only, or on GPUs only, is such a part."""
    if not is_hybrid(record):
        return "gpu" if record.on_gpu else "cpu"
    shares = _shares(record)
    if _taken(record) or len(shares) != 1:
        return "hybrid"
    return "cpu" if "CPU" in shares else "gpu"


@dataclass
class _Dataset:
    """Records of one problem: the hybrid one, and the fastest of each part alone."""

    hybrid: Record
    cpu: Record | None
    gpu: Record | None

    def facts(self) -> Tips:
        found = self.hybrid.facts
        tips: Tips = []
        if self.cpu and self.gpu:
            gpus = max(number_at(found, "gpus") or 1, 1)
            gain = self.hybrid.rate / (self.cpu.rate + gpus * self.gpu.rate)
            tips.append(("of its parts alone", format_value(gain, Unit.share)))
        for name, key in (("imbalance", "imbalance_share"), ("lost", "lost_share")):
            share = number_at(found, key)
            if share is not None:
                tips.append((name, format_value(share, Unit.share)))
        if (part := _taken(self.hybrid)) in ("gpus", "cpu"):
            tips.append(("faster alone", "GPU" if part == "gpus" else "CPU"))
        return tips


def _datasets(report: Report) -> list[_Dataset]:
    """By problem, those with a hybrid record; the largest first."""
    by_problem: dict[str, dict[str, Record]] = {}
    for record in report.settled(FAMILY):
        parts = by_problem.setdefault(point_text(record.problem), {})
        part = _part_of(record)
        if part not in parts or record.rate > parts[part].rate:
            parts[part] = record
    datasets = [
        _Dataset(parts["hybrid"], parts.get("cpu"), parts.get("gpu"))
        for _, parts in sorted(by_problem.items())
        if "hybrid" in parts
    ]
    return sorted(datasets, key=lambda dataset: -dataset.hybrid.work)


def _mark(row: str, record: Record, share: float, series: str, facts: Tips) -> RowMark:
    rate = rate_of(record, share / GIGA)
    mark = RowMark(
        row + (f" ({_COPIED})" if _is_copied(record) else ""), rate.value, rate.low, rate.high, series,
        format_value(rate.value, Unit.number), ", ".join(f"{name} {value}" for name, value in facts),
        record=record.index, tips=[*gcups_tips(record), *facts],
    )  # fmt: skip
    if _is_copied(record):
        mark.terms = [("timed", _COPIED)]
    return mark


def _together(hybrid: Record) -> str:
    """The series of a launch and its shares: a hybrid record is of the host."""
    return f"{hybrid.device_name} and GPU together"


def _marks(dataset: _Dataset) -> list[RowMark]:
    hybrid = dataset.hybrid
    together = _together(hybrid)
    marks = [_mark("CPU and GPU", hybrid, 1, together, dataset.facts())]
    for part, share in _shares(hybrid).items():
        marks.append(_mark(f"of this, {part}", hybrid, share, together, [("share", format_value(share, Unit.share))]))
    for part, record in (("CPU alone", dataset.cpu), ("GPU alone", dataset.gpu)):
        if record:  # a hybrid record is of the host and does not name its GPU
            device = "" if is_hybrid(record) else f", {record.device_name}"
            marks.append(_mark(part + device, record, 1, ALONE, [("by", record.variant)]))
    return marks


def _published_marks(facts: list[Fact], hybrid: Record, series: str) -> list[RowMark]:
    """The published values of the dataset with these references."""
    shape = shape_of(hybrid)
    return [
        RowMark(fact.label, fact.value, fact.value, fact.value, series, format_value(fact.value, Unit.number),
                tips=gcups_tips_of_fact(fact))
        for fact in facts if shape and number_at(fact.at, "sites") == shape.sites
    ]  # fmt: skip


def _explained(used: list[Record]) -> str:
    words = ("The rate of a part is its share of the cells over the time of the whole, waiting included. Imbalance: the "
             "time from the end of the first worker to that of the last, over the whole time.")  # fmt: skip
    if any(_is_copied(record) for record in used):
        words += " Scores copied back: to the host, within the time; a GPU alone copies them after it."
    if any(_taken(record) for record in used):
        words += (" Lost: the share of the time beyond the work over the speeds of both parts alone. Faster alone: both "
                  "together took longer, and that part does all.")  # fmt: skip
    return words


_MOST_SETS = 6  # on a page


def draw_table3(figure: Figure, report: Report, published: Published) -> RowChart:
    chart = RowChart(Quantity(GCUPS_TITLE, Unit.number, log=True), series_title="source")
    facts = published.find(figure.name, "value")
    theirs = f"published ({papers_of(facts)})"
    used: list[Record] = []
    for dataset in _datasets(report)[:_MOST_SETS]:
        marks = _marks(dataset) + _published_marks(facts, dataset.hybrid, theirs)
        chart.panels.append(RowPanel(problem_name(dataset.hybrid), [mark.row for mark in marks], marks))
        used += [record for record in (dataset.hybrid, dataset.cpu, dataset.gpu) if record]
    if not used:
        raise NotDrawn(why_none(report, FAMILY, "the variant hybrid with both a CPU and a GPU"))
    there = {mark.series for panel in chart.panels for mark in panel.marks}
    together = sorted({_together(record) for record in used} & there)
    chart.series = [name for name in (*together, ALONE, theirs) if name in there]
    notes = [_explained(used)]
    note_left_out(len(chart.panels), len(_datasets(report)), "problems, the largest", notes)
    if theirs in there:
        notes.append(f"Grey: published, {credit(facts)}, cells of the band.")
    chart.heading = heading(figure, report, used, notes)
    return chart
