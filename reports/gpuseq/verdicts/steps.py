"""Steps in a series of times: where its level changed for good."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuseq.verdicts.inference import Array

_SHORTEST = 3  # values of a stretch
_PERMUTATIONS = 999
_AT_ONCE = 111  # permutations


@dataclass
class Step:
    place: int  # of the first value behind it
    before: float  # geometric means of the stretches on its two sides
    after: float
    confidence: float


def find_steps(values: list[float], confidence: float) -> list[Step]:
    """Cuts the series where a stretch of it contrasts most with the rest, and its parts again, while a permutation test
    finds that contrast (circular binary segmentation: Olshen and Venkatraman, Biostatistics 5, 2004). Then the least
    certain cut is taken out until each passes the test alone."""
    logs = np.log(np.array(values, dtype=float))
    search = _Search(1 - confidence, len(values), np.random.default_rng(1))
    cuts = search.cuts(logs, 0)
    while True:
        steps = [search.step(logs, cuts, place) for place in range(len(cuts))]
        weakest = min(range(len(steps)), key=lambda place: steps[place].confidence, default=None)
        if weakest is None or steps[weakest].confidence >= confidence:
            return steps
        del cuts[weakest]


def _centred_sums(orders: Array) -> Array:
    """Sums of the values before each place, as differences from the mean of all."""
    sums = np.cumsum(orders - orders.mean(axis=1, keepdims=True), axis=1)
    return np.concatenate([np.zeros((len(orders), 1)), sums], axis=1)


def _contrast(difference: Any, length: Any, count: int) -> Any:
    """Squared difference of the means of a stretch and of the rest, times the factor of their numbers of values, from
    the centred sum of the stretch."""
    return difference**2 * count / (length * (count - length))


def _strongest_arc(values: Array) -> tuple[int, int, float]:
    """The stretch [begin, end) that contrasts most, none of the three parts too short."""
    count = len(values)
    sums = _centred_sums(values[None, :])[0]
    best = (0, 0, 0.0)
    for begin in range(_SHORTEST, count - _SHORTEST + 1):
        ends = np.array([*range(begin + _SHORTEST, count - _SHORTEST + 1), count])
        found = _contrast(sums[ends] - sums[begin], ends - begin, count)
        place = int(found.argmax())
        if found[place] > best[2]:
            best = (begin, int(ends[place]), float(found[place]))
    return best


def _are_strong(orders: Array, arcs: bool, least: float) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Whether a stretch of each row contrasts by `least` or more; without `arcs` only those that reach the end."""
    count = orders.shape[1]
    sums = _centred_sums(orders)
    inner = sums[:, _SHORTEST : count - _SHORTEST + 1]
    lengths: Array = np.arange(_SHORTEST, count - _SHORTEST + 1, dtype=float)
    found = (_contrast(inner, lengths, count) >= least).any(axis=1)
    spread = inner.max(axis=1) - inner.min(axis=1)
    for length in range(_SHORTEST, inner.shape[1]) if arcs else ():
        rows = inner[~found & (_contrast(spread, length, count) >= least)]  # no other row has one so long
        if len(rows):
            strong = _contrast(np.abs(rows[:, length:] - rows[:, :-length]).max(axis=1), length, count) >= least
            found[np.flatnonzero(~found & (_contrast(spread, length, count) >= least))[strong]] = True
    return found


class _Search:
    def __init__(self, least_p: float, length: int, draw: np.random.Generator) -> None:
        self.least_p = least_p
        self.length = length  # of the whole series
        self.draw = draw

    def p(self, values: Array, arcs: bool, contrast: float, enough: float) -> float:
        """The share of orders of the values, the given one among them, that contrast at least as much. Stops early
        where it is above `enough` for certain."""
        as_strong, tried = 1, 0
        while tried < _PERMUTATIONS and as_strong <= enough * (_PERMUTATIONS + 1):
            orders = self.draw.permuted(np.tile(values, (_AT_ONCE, 1)), axis=1)
            as_strong += int(_are_strong(orders, arcs, contrast * (1 - 1e-9)).sum())
            tried += _AT_ONCE
        return as_strong / (_PERMUTATIONS + 1)

    def cuts(self, values: Array, offset: int) -> list[int]:
        """Stretches share the allowed error of the series by their lengths, so that steps that are there bring no others."""
        if len(values) < 2 * _SHORTEST:
            return []
        begin, end, contrast = _strongest_arc(values)
        least_p = self.least_p * len(values) / self.length
        if contrast <= 0 or self.p(values, True, contrast, least_p) > least_p:
            return []
        found = [*self.cuts(values[:begin], offset), offset + begin, *self.cuts(values[begin:end], offset + begin)]
        return found if end == len(values) else [*found, offset + end, *self.cuts(values[end:], offset + end)]

    def step(self, logs: Array, cuts: list[int], place: int) -> Step:
        begin, end = ([0, *cuts][place], [*cuts, len(logs)][place + 1])
        both, at = logs[begin:end], cuts[place] - begin
        contrast = float(_contrast(_centred_sums(both[None, :])[0, at], at, len(both)))
        return Step(cuts[place], math.exp(both[:at].mean()), math.exp(both[at:].mean()),
                    1 - self.p(both, False, contrast, 1))  # fmt: skip
