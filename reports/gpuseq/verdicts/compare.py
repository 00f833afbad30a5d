"""Matches the benchmark cases of two sides and judges each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from gpuseq.errors import UsageError
from gpuseq.runs import PHASES
from gpuseq.text import plural
from gpuseq.verdicts.differences import Allowed, Difference, differences, why_refused
from gpuseq.verdicts.inference import (
    FEWEST_VALUES,
    false_discovery_rates,
    least_p,
    mann_whitney_p,
    noise_floors,
    of_moments,
    ratios_of_medians,
)
from gpuseq.verdicts.sides import Defaults, Measured, Observation, Side, Values, observe, values_of
from gpuseq.verdicts.words import change, percent, units

_CASES_AT_ONCE = 256  # of which the resamples are in memory


class Verdict(StrEnum):
    """The knowledge about a case; worst first."""

    failed = "failed"  # the new side could not measure it
    missing = "missing"  # only the base has it, or the new side skipped it
    regressed = "regressed"
    inconclusive = "inconclusive"  # none of the others can be said
    deleted = "deleted"  # missing on purpose
    new = "new"  # only the new side has it
    same = "same"  # the interval lies within the smallest effect
    improved = "improved"


@dataclass
class Options:
    min_effect: float = 0.03  # a slowdown within it is no regression
    confidence: float = 0.95  # of the intervals
    false_discovery_rate: float = 0.05  # over all cases with numbers on both sides
    allowed: Allowed = field(default_factory=Allowed)
    allow_missing: bool = False  # missing cases are listed, but are no failure
    deleted: list[str] = field(default_factory=list[str])  # cases, or the parts that their names begin with


@dataclass
class Numbers:
    """The result of the values of both sides. Ratios are of times, new over base: above 1 is slower."""

    ratio: float
    low: float
    high: float
    p: float
    noise_floor: float  # infinite: not known
    base: Values
    new: Values
    base_median: float
    new_median: float
    q: float = 1.0  # see correct()
    threshold: float = math.inf  # the larger of the smallest effect and the noise floor

    @property
    def fewest(self) -> int:
        return min(self.base.count, self.new.count)


@dataclass
class CaseComparison:
    """One benchmark case on both sides."""

    record: Measured
    label: str
    verdict: Verdict = Verdict.inconclusive
    reason: str = ""  # why missing, failed or inconclusive; else a remark or empty
    numbers: Numbers | None = None
    rates: tuple[float, float, str] | None = None  # of the base and of the new side, with their unit

    @property
    def name(self) -> str:
        return self.record.state

    def remark(self, text: str) -> None:
        self.reason += ("; " if self.reason and text else "") + text


@dataclass
class Certificate:
    """How often comparisons on a machine are wrong, and which slowdowns they find; see certificate.py."""

    draws: int
    false_alarms: int
    false_alarm_bound: float  # share of comparisons, at the comparison's confidence
    smallest_caught: float | None  # slowdown of one variant that is found in CAUGHT of the draws, as a share
    base_processes: int
    new_processes: int


@dataclass
class Comparison:
    base: str
    new: str
    options: Options
    defaults: Defaults
    cases: list[CaseComparison]  # worst first
    differences: list[Difference]
    skipped_on_both: int = 0
    refined_on_one_side: int = 0  # points around knees: each run refines where it found them
    certificate: Certificate | str = ""  # or why there is none; empty: not asked for
    elsewhere: tuple[float, float] | None = None  # shares of the processors' time: other processes, other guests

    def count(self, verdict: Verdict) -> int:
        return sum(case.verdict is verdict for case in self.cases)

    def exit_code(self) -> int:
        """0 fine; 1 a case regressed, failed or is missing; 3 none did, but some are inconclusive."""
        bad = [Verdict.regressed, Verdict.failed, *([] if self.options.allow_missing else [Verdict.missing])]
        return 1 if any(map(self.count, bad)) else 3 if self.count(Verdict.inconclusive) else 0


@dataclass
class _Sides:
    base: dict[str, Observation]
    new: dict[str, Observation]
    base_processes: int
    new_processes: int
    refined: set[tuple[str, str, str]]  # groups whose curves the new side refined


def compare(base: Side, new: Side, options: Options) -> Comparison:
    """Judges every case of both sides. With fewer than FEWEST_VALUES values on a side a case is inconclusive at best.

    Raises UsageError if a side has no record, or the sides differ in fields that `options.allowed` does not allow.
    """
    for side, which in ((base, "the base"), (new, "the new side")):
        if not any(side.processes):
            raise UsageError(f"{side.name} ({which}) holds no record")
    found = differences(base, new, options.allowed)
    if refused := why_refused(found):
        raise UsageError(f"{base.name} and {new.name} are not comparable unless allowed (--allow "
                         f"device,driver,problem):{refused}")  # fmt: skip
    comparison = Comparison(base.name, new.name, options, base.defaults.updated(new.defaults), [], found)
    refine = PHASES.index("refine")
    refined = {record.group for process in new.processes for record in process if record.phase == refine}
    sides = _Sides(observe(base, comparison.defaults), observe(new, comparison.defaults), len(base.processes),
                   len(new.processes), refined)  # fmt: skip
    measured: list[tuple[CaseComparison, Observation, Observation]] = []
    for key in sorted(sides.base.keys() | sides.new.keys()):
        first, second = sides.base.get(key, Observation()), sides.new.get(key, Observation())
        if case := _matched(comparison, first, second, sides):
            comparison.cases.append(case)
            if first.processes and second.processes and not second.failed:
                measured.append((case, first, second))
    numbers = numbers_of([values_of(first, second) for _, first, second in measured], options)
    correct(numbers)
    for (case, first, second), of_case in zip(measured, numbers, strict=True):
        case.numbers, case.rates = of_case, _rates(first, second, of_case)
        case.remark(_remark_on_disturbed(of_case))
        _judge(case, of_case, len(measured), options)
    order = {verdict: place for place, verdict in enumerate(Verdict)}
    comparison.cases.sort(key=lambda case: (order[case.verdict], -case.numbers.ratio if case.numbers else 0))
    return comparison


def _reasons(records: list[Measured], what: str) -> str:
    first = records[0]
    reason = first.reason or ("its record holds no number" if first.status == "ok" else "no reason given")
    return f"{what}: {reason}" + (f" (and {len(records) - 1} more)" if len(records) > 1 else "")


def _matched(comparison: Comparison, base: Observation, new: Observation, sides: _Sides) -> CaseComparison | None:
    """The case with the verdict that needs no numbers; None for one that is only counted."""
    record = new.last or base.last
    assert record
    # A crash on the new side leaves its record without the label.
    case = CaseComparison(record, (new if new.processes else base).label or new.label)
    only = base if not new.is_there else new
    refined_elsewhere = only.refined_only and record.group in sides.refined
    if new.failed:
        case.verdict = Verdict.failed
        case.reason = _reasons(new.failed, "failed") + ("; the base failed as well" if base.failed else "")
    elif base.processes and new.processes:
        for remark in _remarks(base, new, sides):
            case.remark(remark)
    elif new.processes:
        if not base.is_there and refined_elsewhere:
            comparison.refined_on_one_side += 1
            return None
        case.verdict = Verdict.new
        case.reason = (_reasons(base.failed, "the base failed") if base.failed
                       else _reasons(base.skipped, "the base skipped it") if base.skipped
                       else "the base does not have it")  # fmt: skip
    elif base.processes or base.failed:
        if not new.is_there and refined_elsewhere:
            comparison.refined_on_one_side += 1
            return None
        named = any(f"{case.name}/".startswith(f"{name}/") for name in comparison.options.deleted)
        case.verdict = Verdict.deleted if named and not new.is_there else Verdict.missing
        case.reason = (_reasons(new.skipped, "the new side skipped it") if new.skipped
                       else "the new side does not have it") + ("; the base failed" if base.failed else "")  # fmt: skip
    else:
        comparison.skipped_on_both += 1
        return None
    return case


def _remarks(base: Observation, new: Observation, sides: _Sides) -> list[str]:
    """Remarks on processes that lack cases of others on their side, and on missing samples in results of other tools; where a
    side has several processes, each counts with one value anyway."""
    remarks: list[str] = []
    if max(len(base.processes), len(new.processes)) == 1:
        remarks += sorted({record.reason for side in (base, new) for record in side.processes[0]} - {""})
    if base.failed:
        remarks.append(_reasons(base.failed, "failed in a process of the base"))
    if new.skipped:
        remarks.append(_reasons(new.skipped, "skipped in a process of the new side"))
    if len(base.processes) == sides.base_processes and len(new.processes) < sides.new_processes:
        remarks.append(f"measured in {len(new.processes)} of {sides.new_processes} processes of the new side")
    return remarks


def _remark_on_disturbed(numbers: Numbers) -> str:
    base, new = numbers.base, numbers.new
    if not base.disturbed + new.disturbed:
        return ""
    what = ("left out" if base.left_out or new.left_out
            else "kept, as a side has too few others, or processes without a reference loop")  # fmt: skip
    return (f"neighbours disturbed {base.disturbed} {units('process', base.disturbed)} of the base and "
            f"{new.disturbed} of the new side: {what}")  # fmt: skip


def _rates(base: Observation, new: Observation, numbers: Numbers) -> tuple[float, float, str] | None:
    """Work is the same in every process; where a record lacks it there is no rate."""
    (first, unit), (second, other) = base.processes[0][0].work, new.processes[0][0].work
    if not (first > 0 and second > 0 and unit and unit == other):
        return None
    return first / numbers.base_median, second / numbers.new_median, f"{unit}/s"


def numbers_of(pairs: list[tuple[Values, Values]], options: Options) -> list[Numbers]:
    """The result of each pair of values, but for q. Pairs with as many values are computed together."""
    alike: dict[tuple[int, int, bool], list[int]] = {}
    numbers: dict[int, Numbers] = {}
    for place, (base, new) in enumerate(pairs):
        if base.moments and new.moments:
            found = of_moments(base.moments, new.moments, options.confidence)
            numbers[place] = _numbers(found, (base, new), (base.moments.mean, new.moments.mean), options)
            continue
        alike.setdefault((len(base.seconds), len(new.seconds), base.unit != "process"), []).append(place)
    for (_, new_size, in_time), places in alike.items():
        for begin in range(0, len(places), _CASES_AT_ONCE):
            chosen = places[begin : begin + _CASES_AT_ONCE]
            base, new = (np.array([pairs[place][side].seconds for place in chosen]) for side in (0, 1))
            columns = [*ratios_of_medians(base, new, options.confidence), mann_whitney_p(base, new),
                       noise_floors(base, new_size, in_time, options.confidence)]  # fmt: skip
            medians = [np.median(side, axis=1) for side in (base, new)]
            for at, place in enumerate(chosen):
                found, both = (tuple(float(column[at]) for column in of_all) for of_all in (columns, medians))
                numbers[place] = _numbers(found, pairs[place], both, options)
    return [numbers[place] for place in range(len(pairs))]


def _numbers(
    found: Sequence[float], pair: tuple[Values, Values], middles: Sequence[float], options: Options
) -> Numbers:
    ratio, low, high, p, floor = found
    return Numbers(ratio, low, high, p, floor, *pair, *middles, threshold=max(options.min_effect, floor))


def correct(numbers: list[Numbers]) -> None:
    """Sets the q values of all cases of a comparison."""
    for of_case, q in zip(numbers, false_discovery_rates(np.array([of_case.p for of_case in numbers])), strict=True):
        of_case.q = float(q)


def _judge(case: CaseComparison, numbers: Numbers, cases: int, options: Options) -> None:
    """Gives a case its verdict and reason; `cases` have numbers."""
    case.verdict = verdict_of(numbers, options)
    if case.verdict is Verdict.inconclusive:
        reason = _why_inconclusive(numbers, cases, options)
        case.reason = reason + (f"; {case.reason}" if case.reason else "")


def verdict_of(numbers: Numbers, options: Options, slowdown: float = 0.0) -> Verdict:
    """A regression needs the whole interval beyond the threshold, and q within the false discovery rate."""
    if numbers.fewest < FEWEST_VALUES:
        return Verdict.inconclusive
    low, high = numbers.low * (1 + slowdown), numbers.high * (1 + slowdown)
    threshold = 1 + numbers.threshold
    if numbers.q <= options.false_discovery_rate:
        if low > threshold:
            return Verdict.regressed
        if high < 1 / threshold:
            return Verdict.improved
    effect = 1 + options.min_effect
    return Verdict.same if low >= 1 / effect and high <= effect else Verdict.inconclusive


def _why_inconclusive(numbers: Numbers, cases: int, options: Options) -> str:
    """The first obstacle, and its remedy."""
    unit, effect = numbers.base.unit, 1 + options.min_effect
    if numbers.fewest < FEWEST_VALUES:
        return (f"only {numbers.fewest} {units(unit, numbers.fewest)} on one side: at least {FEWEST_VALUES} are "
                "needed")  # fmt: skip
    if (numbers.low > effect or numbers.high < 1 / effect) and numbers.q > options.false_discovery_rate:
        base, new = numbers.base.count, numbers.new.count
        cannot = (f" ({base} and {new} {units(unit, 2)} cannot decide about one of {plural(cases, 'case')})"
                  if not numbers.base.moments and least_p(base, new) * cases > options.false_discovery_rate else "")  # fmt: skip
        return f"q {numbers.q:.2g} is above {options.false_discovery_rate:g}: more repeats needed{cannot}"
    if numbers.noise_floor > options.min_effect:
        return (f"noise floor {percent(numbers.noise_floor)} is above {percent(options.min_effect)}: more repeats "
                "needed")  # fmt: skip
    return (f"the change lies between {change(numbers.low)} and {change(numbers.high)}, neither within "
            f"{percent(options.min_effect)} nor beyond: more repeats needed")  # fmt: skip
