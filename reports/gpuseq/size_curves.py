"""Rates over the size of a problem, which a run measures to find a size that fills its devices (phase "size")."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from gpuseq.runs import Record, Report, dict_at, number_at, text_at

SETTLED = 0.05  # a rate that changes by less from one size to the next is settled
_FEWEST_OF_FIT = 3
_MOSTLY = 2 / 3  # a rate that still rises, but is so much of the fitted one, shows where half of that is
_CPU_LAUNCH_S, _GPU_LAUNCH_S = 5e-3, 1e-3  # shorter launches are mostly start-up, or in caches


@dataclass(frozen=True)
class SizePoint:
    """The fastest record at a size."""

    size: int
    record: Record

    @property
    def rate(self) -> float:
        return self.record.rate

    @property
    def seconds(self) -> float:
        return float(self.record.data["statistics"]["median_s"])


@dataclass
class SizeCurve:
    """The curve of one device; sizes ascend."""

    device: str
    points: list[SizePoint] = field(default_factory=list[SizePoint])

    @property
    def of_cpu(self) -> bool:
        return not self.points[0].record.on_gpu

    @property
    def least_launch_s(self) -> float:
        return _CPU_LAUNCH_S if self.of_cpu else _GPU_LAUNCH_S

    @property
    def is_settled(self) -> bool:
        """Whether a larger problem would not change the rate: the last step changed it by less than SETTLED, or the last
        two raised it by no more than that above the best before."""
        points = self.points
        if len(points) < 2 or points[-1].seconds < self.least_launch_s:
            return False
        if abs(points[-1].rate / points[-2].rate - 1) < SETTLED:
            return True
        before = max((point.rate for point in points[:-2]), default=math.inf)
        return len(points) > 2 and max(points[-2].rate, points[-1].rate) < (1 + SETTLED) * before

    def rate_at(self, size: int) -> float | None:
        """The rate at a size; behind the last size of a settled curve its last rate."""
        for point in self.points:
            if point.size == size:
                return point.rate
        return self.points[-1].rate if size > self.points[-1].size and self.is_settled else None


@dataclass
class SizedProblem:
    """A problem, without the axis of its size, with its curves."""

    family: str
    axis: str
    noun: str
    rate_unit: str
    fixed: dict[str, int | str]
    curves: list[SizeCurve] = field(default_factory=list[SizeCurve])

    def rivals(self) -> list[tuple[SizeCurve, SizeCurve]]:
        """Curves of GPUs, each with that of the CPU."""
        gpus = [curve for curve in self.curves if not curve.of_cpu]
        return [(gpu, cpu) for gpu in gpus for cpu in self.curves if cpu.of_cpu]


def sized_problems(report: Report, curve_name: Callable[[Record], str]) -> list[SizedProblem]:
    """Problems and curves in the order of their first records."""
    problems: dict[tuple[str, str, tuple[tuple[str, int | str], ...]], SizedProblem] = {}
    for record in report.records:
        size = dict_at(record.data, "size")
        if record.phase != "size" or not record.ok or not size or not record.rate > 0:
            continue
        axis = text_at(size, "axis")
        fixed = {name: value for name, value in record.problem.items() if name != axis}
        key = (record.family, axis, tuple(sorted(fixed.items())))
        problem = problems.setdefault(
            key, SizedProblem(record.family, axis, text_at(size, "noun"), record.rate_unit, fixed)
        )
        name = curve_name(record)
        curve = next((curve for curve in problem.curves if curve.device == name), None)
        if curve is None:
            problem.curves.append(curve := SizeCurve(name))
        point = SizePoint(int(number_at(size, "value") or 0), record)
        kept = next((other for other in curve.points if other.size == point.size), None)
        if kept is None or kept.rate < point.rate:
            curve.points = sorted(
                [*(other for other in curve.points if other is not kept), point], key=lambda other: other.size
            )
    return list(problems.values())


@dataclass(frozen=True)
class HalfSize:
    """Hockney's law, rate = most n / (n + n_half) over the work n of a launch, fitted to a curve."""

    rate: float  # of ever larger problems
    size: float  # n_half as a size; the first size where `below`
    low: float  # the measured sizes between which half of `rate` is reached
    high: float
    below: bool  # the first size reaches more than half of the rate


def half_size(curve: SizeCurve) -> HalfSize | None:
    """None where there are fewer than three sizes, launches are short, or the rate is far from the fitted one."""
    points = curve.points
    if len(points) < _FEWEST_OF_FIT or points[-1].seconds < curve.least_launch_s:
        return None
    # seconds = start + work / rate by least squares of relative deviations
    weights = [1 / (point.seconds * point.seconds) for point in points]
    works, times = [point.record.work for point in points], [point.seconds for point in points]
    s1, sw = sum(weights), sum(w * n for w, n in zip(weights, works, strict=True))
    sww = sum(w * n * n for w, n in zip(weights, works, strict=True))
    st = sum(w * t for w, t in zip(weights, times, strict=True))
    swt = sum(w * n * t for w, n, t in zip(weights, works, times, strict=True))
    determinant = s1 * sww - sw * sw
    if determinant == 0:
        return None
    start_s, s_per_work = (sww * st - sw * swt) / determinant, (s1 * swt - sw * st) / determinant
    if not s_per_work > 0 or not math.isfinite(start_s):
        return None
    rate, work = 1 / s_per_work, max(0.0, start_s / s_per_work)
    if not curve.is_settled and points[-1].rate < _MOSTLY * rate:
        return None
    above = next((place for place, point in enumerate(points) if point.rate >= rate / 2), None)
    if above is None:
        return None
    high = float(points[above].size)
    if above == 0:
        return HalfSize(rate, high, 0, high, below=True)
    low = float(points[above - 1].size)
    return HalfSize(rate, min(max(_size_of_work(points, work), low), high), low, high, below=False)


def _size_of_work(points: list[SizePoint], work: float) -> float:
    """The size of a problem with so much work, on the log-log line through the nearest points."""
    place = 1
    while place + 1 < len(points) and points[place].record.work < work:
        place += 1
    a, b = points[place - 1], points[place]
    if work <= 0:
        return 0.0
    power = math.log(b.size / a.size) / math.log(b.record.work / a.record.work)
    return a.size * (work / a.record.work) ** power


@dataclass(frozen=True)
class BreakEven:
    """The size above which one device is faster than another, and the measured sizes around it."""

    size: float
    low: int
    high: int


def break_even(rising: SizeCurve, other: SizeCurve) -> BreakEven | None:
    """Where `rising` overtakes `other` for good. None: never, or from the first size on."""
    sizes = sorted({point.size for curve in (rising, other) for point in curve.points})
    both = [(size, rising.rate_at(size), other.rate_at(size)) for size in sizes]
    known = [(size, a / b) for size, a, b in both if a is not None and b is not None]
    slower = [place for place, (_, ratio) in enumerate(known) if ratio < 1]
    if not slower or slower[-1] == len(known) - 1:
        return None
    (low, before), (high, after) = known[slower[-1]], known[slower[-1] + 1]
    share = 0.0 if before == after else min(max(math.log(1 / before) / math.log(after / before), 0.0), 1.0)
    return BreakEven(low * (high / low) ** share, low, high)


def size_text(size: float) -> str:
    """ "9 000": two digits, thousands apart."""
    if size < 1:
        return f"{size:.2g}"
    digit = 10 ** max(0.0, math.floor(math.log10(size)) - 1)
    return f"{math.floor(size / digit + 0.5) * digit:,.0f}".replace(",", " ")
