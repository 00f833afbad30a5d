"""Intervals of medians, against tables of the sign test and against the measuring program."""

from __future__ import annotations

from random import Random

import pytest
from gpuseq.statistics import Interval, autocorrelation_time, median, median_interval


def independent(count: int) -> list[float]:
    """1 to `count` in an order without dependence."""
    random, values = Random(1), [float(value) for value in range(1, count + 1)]
    while True:
        random.shuffle(values)
        if autocorrelation_time(values) == 1:
            return values


def test_median_of_an_even_count_is_the_middle() -> None:
    assert (median([9, 1, 5]), median([4, 1, 3, 2]), median([1e308, 1e308])) == (5, 2.5, 1e308)


@pytest.mark.parametrize(("count", "rank"), [(6, 1), (9, 2), (12, 3), (17, 5), (22, 6), (25, 8), (50, 18), (100, 40)])
def test_ranks_are_those_of_the_sign_test(count: int, rank: int) -> None:
    assert median_interval(independent(count)) == Interval(rank, count + 1 - rank, 0.95)


@pytest.mark.parametrize(("count", "confidence"), [(2, 0.5), (3, 0.75), (4, 0.875), (5, 0.9375)])
def test_few_values_have_their_range(count: int, confidence: float) -> None:
    assert median_interval(independent(count)) == Interval(1, count, confidence)


def test_one_value_has_no_interval() -> None:
    assert median_interval([3]) is None


def test_dependent_values_count_as_fewer() -> None:
    rising = [float(value) for value in range(40)]
    assert autocorrelation_time(rising) > 8
    interval, of_independent = median_interval(rising), median_interval(independent(40))
    assert interval and of_independent
    assert interval.high - interval.low > of_independent.high - of_independent.low
    assert autocorrelation_time(rising[:9]) == autocorrelation_time([0.5] * 50) == 1


def test_interval_is_that_of_the_measuring_program() -> None:
    samples_s = [0.006883385, 0.006916901, 0.006745305, 0.006987134, 0.006934864, 0.0068289, 0.00676823, 0.006924499,
                 0.006707802, 0.006827]  # fmt: skip
    assert autocorrelation_time(samples_s) == 2.5804444444444448
    assert median_interval(samples_s) == Interval(0.006707802, 0.006987134, 0.8637150094752085)
