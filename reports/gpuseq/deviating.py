"""Which GPU of several of one model deviates: an exact sign test with a stated false-alarm rate."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from statistics import median

FALSE_ALARMS = 0.01  # of a comparison: the probability that any GPU is named though none deviates
LEAST_EFFECT = 0.02  # a median deviation within it is none


@dataclass(frozen=True)
class Deviation:
    """A GPU whose rates deviate from the median of the others by more than LEAST_EFFECT."""

    gpu: str
    ratio: float  # median over the cases, to the median of the others
    cases: int
    beyond: int  # cases that deviate by more than LEAST_EFFECT in this direction


def ratios_to_others(case: dict[str, float]) -> dict[str, float]:
    """The rate of each GPU in a case over the median of the other GPUs."""
    return {gpu: rate / median(other for name, other in case.items() if name != gpu) for gpu, rate in case.items()}


def deviating(cases: list[dict[str, float]]) -> list[Deviation]:
    """The GPUs that deviate.

    `cases` have the rate of each GPU, at least two. Under the null hypothesis the median deviation of a GPU is within
    LEAST_EFFECT, so each independent case is beyond it in one direction with a probability of at most 1/2. The test
    counts such cases; its level is FALSE_ALARMS over all GPUs and both directions (Bonferroni).
    """
    ratios: dict[str, list[float]] = {}
    for case in cases:
        for gpu, ratio in ratios_to_others(case).items():
            ratios.setdefault(gpu, []).append(ratio)
    found: list[Deviation] = []
    for gpu, own in ratios.items():
        for beyond in (sum(ratio < 1 - LEAST_EFFECT for ratio in own), sum(ratio > 1 + LEAST_EFFECT for ratio in own)):
            if _tail(len(own), beyond) <= FALSE_ALARMS / (2 * len(ratios)):
                found.append(Deviation(gpu, median(own), len(own), beyond))
    return found


def fewest_cases(gpus: int) -> int:
    """Cases that a verdict about this number of GPUs takes."""
    cases = 1
    while _tail(cases, cases) > FALSE_ALARMS / (2 * gpus):
        cases += 1
    return cases


def _tail(trials: int, successes: int) -> float:
    """The probability of at least so many successes, each with 1/2."""
    return sum(comb(trials, k) for k in range(successes, trials + 1)) / 2**trials
