"""Winners as run.json has them under "tuned": the page adds a device's name and the record of the case."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from gpuseq.page.commands import ExecUse, exec_line, measure_line
from gpuseq.page.html import Cell, Row, Table, number_cell, pretty_json, value_text, words_of
from gpuseq.runs import PHASES, Json, Record, Report, dict_at, list_at, number_at, text_at
from gpuseq.text import plural
from gpuseq.units import Unit, format_value, rate_text, with_decimal_prefix

CONFIDENCE = 0.95  # of the intervals that are reported without their confidence
_ALWAYS = 5  # columns that runs of every age have


@dataclass(frozen=True)
class Winner:
    """An entry of a run's "tuned"."""

    tuned: dict[str, Json]
    run: int
    device_name: str
    record: Record | None  # of the last phase that measured the case; None where no record is left

    @property
    def family(self) -> str:
        return text_at(self.tuned, "family")

    @property
    def metric(self) -> str:
        return text_at(dict_at(self.tuned, "objective"), "metric") or "rate"

    @property
    def minimised(self) -> bool:
        return text_at(dict_at(self.tuned, "objective"), "direction").startswith("min")

    @property
    def score(self) -> float:
        score = number_at(self.tuned, "rate" if self.metric == "rate" else "score")
        return math.nan if score is None else score

    @property
    def rate(self) -> float:
        rate = number_at(self.tuned, "rate")
        return math.nan if rate is None else rate

    @property
    def problem_of_any_size(self) -> dict[str, Json]:
        """The problem without a size that the run found: each device has its own."""
        sized = dict_at(self.tuned, "size") or (dict_at(self.record.data, "size") if self.record else {})
        axis = text_at(sized, "axis")
        return {name: value for name, value in dict_at(self.tuned, "problem").items() if name != axis}

    @property
    def objective_words(self) -> str:
        """ "lowest footprint"; empty for the rate."""
        return "" if self.metric == "rate" else f"{'lowest' if self.minimised else 'highest'} {words_of(self.metric)}"


def winners_of(report: Report) -> list[Winner]:
    """The winners of all runs, in their order."""
    measured: dict[tuple[int, str, str, str], list[Record]] = {}
    names: dict[tuple[int, str], str] = {}
    for record in report.records:
        measured.setdefault((record.run, record.family, record.variant, record.device), []).append(record)
        names.setdefault((record.run, record.device), record.device_name)
    winners: list[Winner] = []
    for number, run in enumerate(report.runs):
        for tuned in list_at(run.summary, "tuned"):
            if not isinstance(tuned, dict):
                continue
            device = text_at(tuned, "device")
            name = names.get((number, device)) or text_at(dict_at(dict_at(run.summary, "devices"), device), "name")
            same = measured.get((number, text_at(tuned, "family"), text_at(tuned, "variant"), device), [])
            winners.append(Winner(tuned, number, name or device, _record_of(tuned, same)))  # pyright: ignore
    return winners


def _record_of(tuned: Json, records: list[Record]) -> Record | None:
    same = [record for record in records
            if record.data["point"] == tuned.get("point") and record.data["problem"] == tuned.get("problem")]  # fmt: skip
    return max(same, key=lambda record: PHASES.index(record.phase), default=None)


def point_words(point: Json, left_out: set[str] | None = None) -> str:
    """ "d=224, k=2", by axis."""
    if not isinstance(point, dict):
        return ""
    values: dict[str, Json] = point  # pyright: ignore[reportUnknownVariableType]
    return ", ".join(f"{axis}={value_text(values[axis])}" for axis in sorted(values) if axis not in (left_out or ()))


def problem_words(winners: list[Winner], winner: Winner) -> str:
    """The label of a problem; where other problems of the family share it, with the axes that differ."""
    label, problem = text_at(winner.tuned, "problem_label"), dict_at(winner.tuned, "problem")
    if not label:
        return point_words(problem)
    others = [dict_at(other.tuned, "problem") for other in winners
              if other.family == winner.family and text_at(other.tuned, "problem_label") == label]  # fmt: skip
    common = {axis for axis in problem if all(axis in other and other[axis] == problem[axis] for other in others)}
    axes = point_words(problem, common)
    return f"{label} ({axes})" if axes else label


def interval_words(tuned: Json) -> str:
    """ "315 to 317 G", with "(50 %)" where the confidence is lower than usual; why there is no interval."""
    low, high = number_at(tuned, "rate_low"), number_at(tuned, "rate_high")
    if low is None or high is None:
        return text_at(tuned, "interval_reason")
    texts = [with_decimal_prefix(value, "").rstrip() for value in (low, high)]
    if texts[0].split()[1:] == texts[1].split()[1:]:
        texts[0] = texts[0].split()[0]
    confidence = number_at(tuned, "confidence")
    less = f" ({100 * confidence:.0f} %)" if confidence is not None and confidence < CONFIDENCE else ""
    return " to ".join(texts) + less


def winner_tables(report: Report, winners: list[Winner], root: Path, uses: dict[str, ExecUse]) -> list[Table]:
    """A table per family."""
    tables: list[Table] = []
    for family in dict.fromkeys(winner.family for winner in winners):
        table = Table(f"Winners of {family}",
                      ["Problem", "Device", "Variant", "Rate", "Of bound", "Memory", "User waits"])  # fmt: skip
        for winner in _by_problem([winner for winner in winners if winner.family == family]):
            table.rows.append(_row(winner, winners, report, root, uses))
        table.drop_empty(_ALWAYS)
        tables.append(table)
    return tables


def _by_problem(winners: list[Winner]) -> list[Winner]:
    """Winners of one problem together, the fastest first; problems in the order of their first."""
    problems: list[Json] = []
    for winner in winners:
        if winner.problem_of_any_size not in problems:
            problems.append(winner.problem_of_any_size)
    return sorted(winners, key=lambda winner: (problems.index(winner.problem_of_any_size),
                                               -(number_at(winner.tuned, "rate") or 0)))  # fmt: skip


def _row(winner: Winner, all_winners: list[Winner], report: Report, root: Path, uses: dict[str, ExecUse]) -> Row:
    tuned, unit = winner.tuned, text_at(winner.tuned, "rate_unit")
    runners_up = _runners_up(winner, unit)
    variant = Cell(text_at(tuned, "variant"), note=point_words(tuned.get("point")), more=runners_up,
                   more_title=plural(len(runners_up), "runner-up").replace("runner-ups", "runners-up"))  # fmt: skip
    if winner.record:
        variant.link = f"#record-{winner.record.index}"
    fraction, bytes_ = number_at(tuned, "fraction_of_bound"), number_at(dict_at(tuned, "memory"), "bytes")
    bound = (
        Cell("none", style="number") if fraction is None else number_cell(format_value(fraction, Unit.share), fraction)
    )
    bound.note = text_at(tuned, "bound_by")
    memory = number_cell("" if bytes_ is None else with_decimal_prefix(bytes_, "B"), bytes_)
    limits = {"of": "max_bytes", "index of": "max_index_bytes"}
    if notes := [f"{what} at most {with_decimal_prefix(most, 'B')}" for what, key in limits.items()
                 if (most := number_at(tuned, key)) is not None]:  # fmt: skip
        memory.note = ", ".join(notes)
    if free := dict_at(tuned, "without_limit"):
        memory.more_title = "without this limit"
        rate = rate_text(number_at(free, "rate") or math.nan, unit)
        memory.more = [f"{text_at(free, 'variant')}: {rate}, {point_words(free.get('point'))}"]
    waits = number_at(dict_at(tuned, "waits"), "total_s")
    cells = [Cell(problem_words(all_winners, winner), note=winner.objective_words), Cell(winner.device_name), variant,
             number_cell(rate_text(winner.rate, unit), winner.rate, interval_words(tuned)), bound, memory,
             number_cell("" if waits is None else format_value(waits, Unit.seconds), waits)]  # fmt: skip
    exec_ = exec_line(tuned, winner.record, uses)
    below = [("On files of your own, whose names replace the words in capitals:", exec_),
             ("This benchmark case again, from the root of a checkout:",
              measure_line(winner.record, report.runs[winner.run], root)),
             ("As run.json has it:", pretty_json(tuned))]  # fmt: skip
    return Row(cells, winner.record.index if winner.record else None, [(title, line) for title, line in below if line],
               "Run it on your files, measure it again, JSON" if exec_ else "Measure it again, JSON")  # fmt: skip


def _runners_up(winner: Winner, unit: str) -> list[str]:
    lines: list[str] = []
    for other in list_at(winner.tuned, "runners_up"):
        rate = number_at(other, "rate")
        comparison = _comparison(winner, other)
        lines.append(f"{text_at(other, 'variant')}: {rate_text(math.nan if rate is None else rate, unit)}"
                     f"{f' ({comparison})' if comparison else ''}, {point_words(other.get('point'))}")  # fmt: skip
    return lines


def _comparison(winner: Winner, other: Json) -> str:
    """A runner-up next to the winner: in the same rounds where both raced, else in the sweep."""
    name = (text_at(other, "variant"), other.get("point"))
    if any((text_at(tied, "variant"), tied.get("point")) == name for tied in list_at(winner.tuned, "tied_with")):
        return "a tie"
    share = number_at(other, "share_of_winner")
    if share is None:  # of older runs, whose rates may be of one round
        rate = number_at(other, "rate")
        share = math.nan if rate is None else rate / winner.rate
        return f"{format_value(share, Unit.share)} of the winner" if share <= 1 else ""
    return (f"{format_value(share, Unit.share)} {'as good as' if winner.objective_words else 'of'} the winner"
            f"{' in the same rounds' if other.get('measured_again') is True else ' in the sweep'}")  # fmt: skip
