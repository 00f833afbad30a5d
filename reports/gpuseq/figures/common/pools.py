"""Marks that stand for several data sets that were generated alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gpuseq.charts.values import Mark, RowMark, Tips
from gpuseq.runs import Record, number_at, point_text
from gpuseq.statistics import CONFIDENCE, median, median_interval
from gpuseq.text import plural
from gpuseq.units import Unit, format_value
from gpuseq.words import DATA_SET_AXIS, Rate, problem_name, tips_of, variant_name, without


def problem_of_alike(record: Record) -> str:
    """The problem as text, the same for data sets that were generated alike."""
    return without(record.problem, {DATA_SET_AXIS})


def _data_set(record: Record) -> float:
    return number_at(record.problem, DATA_SET_AXIS) or 0


def name_of_alike(record: Record) -> str:
    return problem_name(record).removesuffix(f", data set {_data_set(record):.0f}")


@dataclass
class Candidates:
    """Records that compete for a mark. Configurations compete by their median over all data sets: the fastest of each
    data set would be a selection of lucky ones."""

    by_point: dict[tuple[str, ...], list[Record]] = field(default_factory=dict[tuple[str, ...], list[Record]])

    def add(self, record: Record) -> None:
        key = (record.fingerprint, record.device, variant_name(record), point_text(record.point))
        self.by_point.setdefault(key, []).append(record)

    def fastest(self) -> list[Record]:
        """The records of the best configuration among those with the most data sets, undisturbed where one is."""

        def rank(records: list[Record]) -> tuple[int, bool, float]:
            disturbed = any(record.disturbed for record in records)
            return len(records), not disturbed, median([record.rate for record in records])

        return sorted(max(self.by_point.values(), key=rank), key=_data_set)


class Pool:
    """Records of one configuration, one per data set; `rate` is the median over the data sets with its interval."""

    def __init__(self, records: list[Record], value: Callable[[Record], Rate]) -> None:
        self.records = records
        self._values = [value(record).value for record in records]
        self.is_range = False  # too few data sets for an interval of 95 %: it is their range
        self._interval = ""
        if len(records) == 1:
            self.typical = records[0]
            self.rate = value(records[0])
            return
        middle = median(self._values)
        interval = median_interval(self._values)
        self.rate = Rate(middle, middle, middle)
        if interval:
            self.rate = Rate(middle, interval.low, interval.high)
            self.is_range = interval.confidence < CONFIDENCE
            self._interval = f"{100 * interval.confidence:.0f} %, over data sets"
        self.typical = min(zip(self._values, records, strict=True), key=lambda pair: abs(pair[0] - middle))[1]

    def words(self) -> str:
        return plural(len(self.records), "data set")

    def tips(self, unit: Unit) -> Tips:
        tips = tips_of(self.typical, self.rate, unit)
        if len(self.records) == 1:
            return tips
        low, high = format_value(self.rate.low, unit), format_value(self.rate.high, unit)
        least, most = format_value(min(self._values), unit), format_value(max(self._values), unit)
        of_all = [
            ("Interval", f"{low} to {high} ({self._interval})"),
            ("Data sets", f"{len(self.records)}, with {least} to {most}"),
        ]
        others = [tip for tip in tips if tip[0] not in ("Interval", "Samples")]
        return [*others[:1], *of_all, *others[1:]]


def declare_data_sets(pools: Sequence[Pool], marks: Sequence[Mark] | Sequence[RowMark]) -> None:
    """Adds the number of data sets to the terms of marks, and to their labels where it differs."""
    counts = {len(pool.records) for pool in pools}
    if not counts or max(counts) == 1:
        return
    for pool, mark in zip(pools, marks, strict=False):
        mark.terms.append((DATA_SET_AXIS, pool.words()))
        if len(counts) > 1:
            mark.label += (", " if mark.label else "") + pool.words()


def note_data_sets(pools: Sequence[Pool], notes: list[str]) -> None:
    most = max((len(pool.records) for pool in pools), default=1)
    if most == 1:
        return
    ranges = "; the range where there are too few for one" if any(pool.is_range for pool in pools) else ""
    notes.append(
        f"The median over {most} random data sets of the median of each, with its interval of 95 % by order "
        f"statistics{ranges}."
    )
