"""Is one set of timings slower than another? Nothing but of_moments() assumes a shape of the distributions.

Every function takes arrays with a benchmark case per row, and is a pure function of its arguments. scipy is imported where it
is used: that takes a second, which a message about a wrong file need not wait for.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gpuseq.foreign.result import Moments

FEWEST_VALUES = 4  # on a side; fewer say nothing about their spread
RESAMPLES = 2000
_MOST_EXACT_PAIRS = 400

Array = NDArray[np.float64]
Ranks = NDArray[np.intp]


@cache
def _middle_ranks(values: int, size: int, stream: int) -> tuple[Ranks, Ranks]:
    """Ranks of the two middle values in RESAMPLES resamples, of `size` each, of sorted `values`.

    A drawn rank is floor(values * u) with u uniform, so the middle ranks follow from the order statistics of `size`
    uniform numbers, which have Beta laws (David and Nagaraja, Order Statistics, 2003, section 2.3).
    """
    draw = np.random.default_rng([values, size, stream])
    below = (size + 1) // 2
    lower = draw.beta(below, size - below + 1, RESAMPLES)
    upper = lower if size % 2 else lower + (1 - lower) * draw.beta(1, size - below, RESAMPLES)
    at = [np.minimum((share * values).astype(np.intp), values - 1) for share in (lower, upper)]
    return at[0], at[1]


def _resampled_medians(rows: Array, size: int, stream: int) -> Array:
    """Medians of RESAMPLES resamples of each sorted row. All rows are resampled at the same ranks."""
    lower, upper = _middle_ranks(rows.shape[1], size, stream)
    if size % 2:
        return rows[:, lower]
    return rows[:, lower] + (rows[:, upper] - rows[:, lower]) / 2


def ratios_of_medians(base: Array, new: Array, confidence: float) -> tuple[Array, Array, Array]:
    """Ratio of the medians, new over base, and its percentile bootstrap interval; both sides are resampled (Efron and
    Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13)."""
    base, new = np.sort(base, axis=1), np.sort(new, axis=1)
    ratios = _resampled_medians(new, new.shape[1], 1) / _resampled_medians(base, base.shape[1], 0)
    tail = int((1 - confidence) / 2 * RESAMPLES)
    ordered = np.partition(ratios, (tail, RESAMPLES - 1 - tail), axis=1)
    return np.median(new, axis=1) / np.median(base, axis=1), ordered[:, tail], ordered[:, RESAMPLES - 1 - tail]


def noise_floors(base: Array, new_size: int, in_time: bool, confidence: float) -> Array:
    """The relative difference of medians that each row of the base shows against itself (A/A).

    It is the quantile at `confidence` over pairs of resamples with as many values as the sides have. Values of one
    process are in time, and resampling does not see their drift: then it is at least the difference between the first
    half and the second. Infinite with fewer than FEWEST_VALUES values.
    """
    count = base.shape[1]
    if count < FEWEST_VALUES:
        return np.full(len(base), np.inf)
    ordered = np.sort(base, axis=1)
    first, second = _resampled_medians(ordered, count, 2), _resampled_medians(ordered, new_size, 3)
    place = int(confidence * RESAMPLES)
    floors = np.partition(np.maximum(first, second) / np.minimum(first, second), place, axis=1)[:, place] - 1
    if in_time:
        halves = np.median(base[:, count - count // 2 :], axis=1) / np.median(base[:, : count // 2], axis=1)
        floors = np.maximum(floors, np.maximum(halves, 1 / halves) - 1)
    return floors


def mann_whitney_p(base: Array, new: Array) -> Array:
    """Two-sided p values of the Mann-Whitney U test.

    Exact without ties and with at most 400 pairs of values, else the normal approximation with corrections for ties
    and continuity. 1 where all values are equal.
    """
    from scipy import stats

    ordered = np.sort(np.concatenate([base, new], axis=1), axis=1)
    exact = (np.diff(ordered, axis=1) > 0).all(axis=1) & (base.shape[1] * new.shape[1] <= _MOST_EXACT_PAIRS)
    tied = ~exact & (ordered[:, 0] < ordered[:, -1])
    p = np.ones(len(base))
    if exact.any():
        p[exact] = stats.mannwhitneyu(base[exact], new[exact], axis=1, method="exact").pvalue
    if tied.any():
        p[tied] = stats.mannwhitneyu(base[tied], new[tied], axis=1, method="asymptotic").pvalue
    return p


def of_moments(base: Moments, new: Moments, confidence: float) -> tuple[float, float, float, float, float]:
    """Ratio of the means, new over base, the ends of its interval, the p value of Welch's test (1947), and the noise
    floor: as far as two means of the base lie apart. The interval is that of the difference of the logarithms, by the
    delta method. Unlike all else here it takes means as normal, and no drift shows."""
    from scipy import stats

    means, deviations, counts = (np.array(both, dtype=float) for both in zip(base, new, strict=True))
    with np.errstate(all="ignore"):
        errors = (deviations / means) ** 2 / counts  # squared, relative
        freedom = errors.sum() ** 2 / (errors**2 / (counts - 1)).sum() if errors.any() else counts.sum() - 2
        quantile = stats.t.ppf((1 + confidence) / 2, freedom)
        half = quantile * np.sqrt(errors.sum())
        ratio = means[1] / means[0]
        p = float(stats.ttest_ind_from_stats(*base, *new, equal_var=False).pvalue)
        floor = np.expm1(quantile * deviations[0] / means[0] * np.sqrt((1 / counts).sum()))
        found = [float(value) for value in (ratio, ratio * np.exp(-half), ratio * np.exp(half))]
    if not errors.any():
        p = float(means[0] == means[1])
    return (
        found[0],
        found[1],
        found[2],
        p if math.isfinite(p) else 1.0,
        float(floor) if math.isfinite(floor) else math.inf,
    )


def least_p(base: int, new: int) -> float:
    """The smallest value of mann_whitney_p() for so many values without ties."""
    return min(1.0, 2 / math.comb(base + new, base))


def false_discovery_rates(p: Array) -> Array:
    """q values: the smallest false discovery rate at which each is still found (Benjamini and Hochberg 1995)."""
    from scipy import stats

    return stats.false_discovery_control(p) if p.size else p


def upper_bound_of_share(found: int, tried: int, confidence: float) -> float:
    """Upper bound of a share of which `found` of `tried` were seen (Clopper and Pearson 1934); 1 if none was tried."""
    from scipy import stats

    return float(stats.beta.ppf(confidence, found + 1, tried - found)) if found < tried else 1.0
