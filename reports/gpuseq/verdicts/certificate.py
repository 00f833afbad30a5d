"""The reliability of verdicts on this machine, tested on the processes of the base."""

from __future__ import annotations

import random
from dataclasses import replace
from statistics import median

import numpy as np

from gpuseq.verdicts.compare import Certificate, Options, Verdict, correct, numbers_of, verdict_of
from gpuseq.verdicts.inference import FEWEST_VALUES, mann_whitney_p, upper_bound_of_share
from gpuseq.verdicts.sides import Measured, Observation, Side, Values, common_phase, observe, of_phase, values_of

CAUGHT = 0.95  # share of the draws in which a slowdown counts as caught
DRAWS = 200
_MOST_CASES = 250
_SLOWDOWNS = (0.01, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)


def certify(base: Side, new_processes: int, options: Options) -> Certificate | str:
    """Draws both sides of DRAWS comparisons from the base's processes with replacement, whole processes.

    A comparison in which a case regressed is a false alarm. Then a variant of one side is made slower. Further rounds
    of a gate, which decide more, are not drawn: a slowdown found here is found at the first verdict. The reason, where
    there is no certificate.
    """
    if not base.processes or len(base.processes[0]) > _MOST_CASES:
        return f"more than {_MOST_CASES} cases"
    if min(len(base.processes), new_processes) < FEWEST_VALUES:
        return f"a side has fewer than {FEWEST_VALUES} processes"
    trials = _Trials(base, new_processes, options)
    false_alarms = sum(any(verdict_of(numbers, options) is Verdict.regressed for numbers in draw.numbers)
                       for draw in trials.draws)  # fmt: skip
    low, high = 0, len(_SLOWDOWNS)
    while low < high:  # what is slower is caught more often
        middle = (low + high) // 2
        if trials.caught(_SLOWDOWNS[middle]) >= CAUGHT * DRAWS:
            high = middle
        else:
            low = middle + 1
    return Certificate(DRAWS, false_alarms, upper_bound_of_share(false_alarms, DRAWS, options.confidence),
                       _SLOWDOWNS[low] if low < len(_SLOWDOWNS) else None, len(base.processes), new_processes)  # fmt: skip


class _Draw:
    """A comparison of the base with itself."""

    def __init__(self, pairs: list[tuple[Values, Values]], variants: list[str], slow: str, options: Options) -> None:
        self.numbers = numbers_of(pairs, options)
        self.slow = [place for place, variant in enumerate(variants) if variant == slow]
        correct(self.numbers)


class _Trials:
    def __init__(self, base: Side, new_processes: int, options: Options) -> None:
        self.options = options
        cases = list(_cases_by_process(base).values())
        variants = [_variant(next(filter(None, case))[0]) for case in cases]
        slow = sorted(set(variants))
        chosen = random.Random(1)
        count = len(base.processes)
        self.draws: list[_Draw] = []
        for number in range(DRAWS):
            sides = [[chosen.randrange(count) for _ in range(size)] for size in (count, new_processes)]
            pairs: list[tuple[Values, Values]] = []
            of_cases: list[str] = []
            for case, variant in zip(cases, variants, strict=True):
                drawn = [Observation(processes=[case[i] for i in side if case[i]]) for side in sides]
                if all(side.processes for side in drawn):
                    pairs.append(values_of(*drawn))
                    of_cases.append(variant)
            self.draws.append(_Draw(pairs, of_cases, slow[number % len(slow)], options))

    def caught(self, slowdown: float) -> int:
        """The number of comparisons in which a case of the slower variant regressed."""
        return sum(self._is_caught(draw, slowdown) for draw in self.draws)

    def _is_caught(self, draw: _Draw, slowdown: float) -> bool:
        """The ratio and its interval grow with the times; the rank test is repeated."""
        numbers = [replace(of_case) for of_case in draw.numbers]
        for place in draw.slow:
            base, new = (np.array([side.seconds]) for side in (numbers[place].base, numbers[place].new))
            numbers[place].p = float(mann_whitney_p(base, new * (1 + slowdown))[0])
        correct(numbers)
        return any(verdict_of(numbers[place], self.options, slowdown) is Verdict.regressed for place in draw.slow)


def _variant(record: Measured) -> str:
    return f"{record.family}/{record.variant}"


def _cases_by_process(base: Side) -> dict[str, list[list[Measured]]]:
    """The records of each case that count, by process, with the median of their samples as the only one."""
    whole = {key: case for key, case in observe(base, base.defaults).items() if case.processes}
    phases = {key: common_phase(case, case) for key, case in whole.items()}
    cases: dict[str, list[list[Measured]]] = {key: [[] for _ in base.processes] for key in whole}
    for number, process in enumerate(base.processes):
        for key, of_process in observe(Side("", [process]), base.defaults).items():
            if of_process.processes:
                records = of_phase(of_process.processes[0], phases[key])
                cases[key][number] = [replace(record, samples=[median(record.samples)]) for record in records]
    return cases
