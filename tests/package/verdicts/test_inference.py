"""The statistics of verdicts: how often intervals cover, which changes floors miss, where steps are found."""

from __future__ import annotations

import numpy as np
import pytest
from gpuseq.verdicts.inference import (
    least_p,
    mann_whitney_p,
    noise_floors,
    ratios_of_medians,
    upper_bound_of_share,
)
from gpuseq.verdicts.steps import find_steps

REPEATS = 400


def drawn(seed: int, rows: int, count: int, spread: float = 0.02) -> np.ndarray:
    """Rows of lognormal times around 1."""
    return np.exp(np.random.default_rng(seed).normal(0, spread, (rows, count)))


def test_rank_test_gives_its_least_value_for_sides_that_do_not_overlap() -> None:
    for base, new in ((4, 4), (4, 9), (8, 8), (20, 20)):
        rows = np.arange(base + new, dtype=float)[None, :] + 1
        assert mann_whitney_p(rows[:, :base], rows[:, base:]) == pytest.approx(least_p(base, new))
    assert least_p(4, 4) == pytest.approx(2 / 70)


def test_rank_test_of_equal_values_finds_nothing() -> None:
    assert mann_whitney_p(np.ones((2, 5)), np.ones((2, 6))).tolist() == [1, 1]
    ties = mann_whitney_p(np.array([[1, 1, 2, 2.0]]), np.array([[1, 2, 2, 2.0]]))
    assert 0.3 < ties[0] <= 1


@pytest.mark.parametrize("count", [8, 9, 20])
def test_interval_covers_the_true_ratio_about_as_often_as_its_confidence_says(count: int) -> None:
    _, low, high = ratios_of_medians(drawn(1, REPEATS, count), 1.1 * drawn(2, REPEATS, count), 0.95)
    covered = ((low <= 1.1) & (high >= 1.1)).mean()
    assert 0.9 < covered <= 1


def test_interval_narrows_with_more_values() -> None:
    widths = []
    for count in (6, 24, 96):
        _, low, high = ratios_of_medians(drawn(3, REPEATS, count), drawn(4, REPEATS, count), 0.95)
        widths.append(float(np.log(high / low).mean()))
    assert widths[0] > 1.5 * widths[1] > 2 * widths[2]


def brute_force(row: np.ndarray, size: int, share: float) -> float:
    """The quantile of medians of resamples that are drawn and sorted."""
    draw = np.random.default_rng(9)
    return float(np.quantile(np.median(draw.choice(row, (40_000, size)), axis=1), share))


@pytest.mark.parametrize("count", [5, 8])
def test_resamples_are_as_those_that_are_drawn_and_sorted(count: int) -> None:
    """Against a base that does not vary, the interval is that of the resampled medians of the new side."""
    new = np.sort(drawn(5, 1, count), axis=1)
    _, low, high = ratios_of_medians(np.ones((1, 4)), new, 0.6)
    assert low[0] == pytest.approx(brute_force(new[0], count, 0.2), rel=2e-3)
    assert high[0] == pytest.approx(brute_force(new[0], count, 0.8), rel=2e-3)


def test_noise_floor_is_exceeded_by_about_the_share_that_its_confidence_leaves() -> None:
    base, again = drawn(6, REPEATS, 20), drawn(7, REPEATS, 20)
    floors = noise_floors(base, 20, False, 0.95)
    differences = np.median(again, axis=1) / np.median(base, axis=1)
    assert (np.maximum(differences, 1 / differences) - 1 > floors).mean() < 0.12


def test_noise_floor_is_unknown_with_few_values_and_sees_drift_in_time() -> None:
    assert noise_floors(np.ones((1, 3)), 8, False, 0.95)[0] == np.inf
    drifting = np.linspace(1, 1.5, 20)[None, :]
    halves = np.median(drifting[0, 10:]) / np.median(drifting[0, :10]) - 1
    assert noise_floors(drifting, 20, True, 0.95)[0] >= halves
    steady = drawn(8, REPEATS, 20)
    assert (noise_floors(steady, 5, False, 0.95) > noise_floors(steady, 20, False, 0.95)).mean() > 0.9


def test_bound_of_a_share_is_that_of_clopper_and_pearson() -> None:
    assert upper_bound_of_share(0, 200, 0.95) == pytest.approx(1 - 0.05 ** (1 / 200))
    assert upper_bound_of_share(2, 20, 0.95) == pytest.approx(0.2826, abs=1e-4)  # of their tables
    assert (upper_bound_of_share(5, 5, 0.95), upper_bound_of_share(0, 0, 0.95)) == (1, 1)


def noisy(levels: list[float], noise: float, seed: int, heavy: bool = False) -> list[float]:
    """Levels with Gaussian noise on their logarithms, with a heavy tail where asked for."""
    draw = np.random.default_rng(seed)
    factors = np.where(draw.integers(0, 10, len(levels)) == 0, 5 if heavy else 1, 1)
    return list(np.array(levels) * np.exp(noise * factors * draw.normal(size=len(levels))))


def test_steps_have_their_places_and_levels() -> None:
    (step,) = find_steps(noisy([1.0] * 40 + [1.05] * 20, 0.01, 1), 0.95)
    assert abs(step.place - 40) <= 1
    assert (step.before, step.after) == pytest.approx((1, 1.05), abs=0.01)
    assert step.confidence >= 0.95
    rises, falls = find_steps(noisy([1.0] * 50 + [1.2] * 8 + [1.0] * 42, 0.04, 2), 0.95)
    assert abs(rises.place - 50) <= 1
    assert abs(falls.place - 58) <= 1
    assert rises.after > rises.before
    assert falls.after < falls.before


def test_a_step_is_found_once_three_values_stand_behind_it() -> None:
    (step,) = find_steps(noisy([1.0] * 27 + [1.3] * 3, 0.01, 3), 0.95)
    assert step.place == 27


def test_a_series_of_thousands_of_values_is_taken() -> None:
    first, second = find_steps(noisy([1.0] * 1500 + [1.02] * 2500 + [1.0] * 2000, 0.02, 5), 0.95)
    assert abs(first.place - 1500) <= 10
    assert abs(second.place - 4000) <= 10


@pytest.mark.parametrize("length", [8, 20, 50])
@pytest.mark.parametrize("heavy", [False, True])
def test_white_noise_gives_a_step_in_at_most_five_percent_of_series(length: int, heavy: bool) -> None:
    with_steps = sum(bool(find_steps(noisy([3.0] * length, 0.02, seed, heavy), 0.95)) for seed in range(REPEATS))
    assert with_steps <= 20 + 9  # 5 % of 400, and two standard deviations of that count


def test_steps_need_values_and_spread() -> None:
    for values in ([], [1.0, 2.0, 3.0], [1.0] * 50):
        assert find_steps(values, 0.95) == []
