"""Statistics of samples, computed as the measuring program does (results/statistics)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

CONFIDENCE = 0.95
_FEWEST_IN_TIME = 10  # a shorter series does not show whether its values depend on each other


@dataclass(frozen=True)
class Interval:
    """A confidence interval of a median; `confidence` is how often such intervals cover it, at least."""

    low: float
    high: float
    confidence: float


def median(values: Sequence[float]) -> float:
    """The middle value; the mean of the two middle ones for an even count."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else ordered[half - 1] + (ordered[half] - ordered[half - 1]) / 2


def autocorrelation_time(values: Sequence[float]) -> float:
    """How many values of a series in time count as one independent value.

    The integrated autocorrelation time of the sides of the median on which the values lie, summed over pairs of lags
    while they are positive and fall (Geyer 1992), corrected for the bias of short series.
    """
    count = len(values)
    middle = median(values)
    sides = [float((value > middle) - (value < middle)) for value in values]
    mean = sum(sides) / count
    sides = [side - mean for side in sides]

    def products(lag: int) -> float:
        total = 0.0  # fsum() and, since Python 3.12, sum() round differently from the measuring program
        for later, earlier in zip(sides[lag:], sides, strict=False):
            total += later * earlier
        return total

    variance = products(0)
    if count < _FEWEST_IN_TIME or not variance > 0:
        return 1.0
    correlations: list[float] = []

    def correlation(lag: int) -> float:
        while len(correlations) <= lag:
            correlations.append(products(len(correlations)) / variance)
        return correlations[lag]

    time = 1.0
    for _ in range(3):  # subtracting the mean lowers every correlation by about time / count

        def corrected(lag: int, time: float = time) -> float:
            return 1.0 if lag == 0 else min(1.0, correlation(lag) * count / (count - lag) + time / count)

        total, pair = 0.0, 2.0
        for lag in range(0, count // 2 - 1, 2):
            pair = min(pair, corrected(lag) + corrected(lag + 1))
            if pair <= 0:
                break
            total += pair
        time = min(max(2 * total - 1, 1.0), count / 2)
    return time


def _rank_of_interval(count: int, confidence: float) -> int:
    """The largest r for which the interval from the r-th smallest to the r-th largest value covers the median."""
    log_total, log_factorial = count * math.log(2), math.lgamma(count + 1)
    outside = 0.0
    for rank in range(count // 2 + 1):
        outside += 2 * math.exp(log_factorial - math.lgamma(rank + 1) - math.lgamma(count - rank + 1) - log_total)
        if outside > 1 - confidence:
            return rank
    return count // 2


def median_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval | None:
    """Confidence interval of the median by order statistics (David and Nagaraja, Order Statistics, 2003, section 7.1).

    Dependent values count as fewer. Where no pair of values reaches the confidence, the range of all with the
    confidence that it has. None for one value. `values` are in the order in which they were taken.
    """
    ordered = sorted(values)
    count = len(ordered)
    if count == 1:
        return None
    independent = count / autocorrelation_time(values)
    whole = int(independent)
    rank = _rank_of_interval(whole, confidence)
    if rank == 0:
        return Interval(ordered[0], ordered[-1], min(confidence, 1 - 2 ** (1 - independent)))
    stretched = max(rank * (count + 1) // (whole + 1), 1)
    return Interval(ordered[stretched - 1], ordered[count - stretched], confidence)
