"""Which GPU of a node deviates."""

from __future__ import annotations

import numpy as np
import pytest
from gpuseq.deviating import FALSE_ALARMS, deviating, fewest_cases

Rates = list[dict[str, float]]


def cases(generator: np.random.Generator, number: int, slower: dict[str, float], gpus: int = 8) -> Rates:
    """Rates with a noise of 1 %."""
    names = [f"cuda:{i}" for i in range(gpus)]
    return [{name: slower.get(name, 1.0) * rate for name, rate in zip(names, generator.lognormal(0, 0.01, gpus), strict=True)}
            for _ in range(number)]  # fmt: skip


def test_slow_gpu_is_named() -> None:
    (found,) = deviating(cases(np.random.default_rng(1), 40, {"cuda:3": 0.95}))
    assert found.gpu == "cuda:3" and found.ratio == pytest.approx(0.95, abs=0.01) and found.beyond > 35


def test_two_gpus_deviate_from_each_other() -> None:
    found = deviating(cases(np.random.default_rng(2), 40, {"cuda:1": 1.1}, gpus=2))
    assert {(one.gpu, one.ratio > 1) for one in found} == {("cuda:0", False), ("cuda:1", True)}


def test_false_alarms_keep_to_their_rate() -> None:
    """At the limit of the null hypothesis: one GPU's median deviation is the least effect."""
    generator = np.random.default_rng(3)
    runs = 2000
    alarms = sum(bool(deviating(cases(generator, 30, {"cuda:0": 0.98}))) for _ in range(runs))
    assert alarms <= runs * FALSE_ALARMS + 3 * np.sqrt(runs * FALSE_ALARMS)


def test_few_cases_give_no_verdict() -> None:
    fewest = fewest_cases(8)
    slow = {"cuda:3": 0.5}
    assert not deviating(cases(np.random.default_rng(4), fewest - 1, slow))
    assert deviating(cases(np.random.default_rng(4), fewest, slow))
