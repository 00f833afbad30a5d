"""The claim of the gate, tried on processes that were measured: comparisons of a program with itself rarely find a
regression, and a slowdown of 5 %, on a GPU of 1 %, is nearly always found."""

from __future__ import annotations

import json
import math
import random
import statistics
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sides
from gpuseq.verdicts.compare import Numbers, Options, Verdict, numbers_of, verdict_of
from gpuseq.verdicts.inference import false_discovery_rates
from gpuseq.verdicts.sides import Values

COMPARISONS = 200
PROCESSES = 10  # a side, before the first verdict of a gate
MOST = 24  # a side, where a gate repeats what it cannot decide
ROUND = 2  # a side, in each of its rounds
FEW_ALARMS, NEARLY_ALL = COMPARISONS * 5 // 100, COMPARISONS * 95 // 100

Medians = dict[str, list[float]]  # of each process, by case


def recorded(machine: str) -> Medians:
    """Processes of configs/ci.json on two cores: "idle", or "busy" with compilers at the same time; of a "gpu"."""
    file = Path(__file__).resolve().parents[2] / "data" / f"gate_processes_{machine}.json"
    cases: dict[str, list[list[float]]] = json.loads(file.read_text())["states"]
    return {name: [statistics.median(samples) for samples in processes] for name, processes in cases.items()}


def made_up() -> Medians:
    """Processes of a machine whose speed drifts over minutes, which differ by where their memory fell, one in forty hit
    by a neighbour, and whose samples have a tail to the right: two cases each of five variants."""
    draw = random.Random(1)
    cases: Medians = {}
    for number in range(10):
        levels = [(1 + 0.004 * math.sin(p / 6)) * (1 + 0.005 * (draw.random() - 0.5)) * (1.15 if draw.random() < 1 / 40 else 1)
                  for p in range(40)]  # fmt: skip
        cases[f"toy/v{number // 2}/size={number % 2}/cpu"] = [
            statistics.median(sides.timings(9, 0.01 * (1 + number) * level, 0.01, draw)) for level in levels]  # fmt: skip
    return cases


def variant_of(name: str) -> str:
    return name.split("/")[1]


def drawn(count: int, most: int, draw: random.Random) -> tuple[list[int], list[int]]:
    """Neighbours in time form pairs, as those of an interleaved gate do: one of each goes to a side, by lot."""
    pairs = min(most, count // 2)
    first = draw.randrange(count - 2 * pairs + 1)
    base, new = [], []
    for pair in range(pairs):
        places = [first + 2 * pair, first + 2 * pair + 1]
        draw.shuffle(places)
        base.append(places[0])
        new.append(places[1])
    return base, new


def judged(
    cases: Medians, base: list[int], new: list[int], slow: str, factor: float, options: Options
) -> dict[str, Verdict]:
    pairs = [(Values([medians[p] for p in base], "process"),
              Values([medians[p] * (factor if variant_of(name) == slow else 1) for p in new], "process"))
             for name, medians in cases.items()]  # fmt: skip
    numbers: list[Numbers] = numbers_of(pairs, options)
    q = false_discovery_rates(np.array([of_case.p for of_case in numbers]))
    return {name: verdict_of(replace(of_case, q=float(each)), options)
            for name, of_case, each in zip(cases, numbers, q, strict=True)}  # fmt: skip


def gated(cases: Medians, number: int, slow: str, factor: float, most: int, options: Options) -> set[str]:
    """Names of regressed cases: with more processes while a case is inconclusive, or regressed and not confirmed."""
    base, new = drawn(len(next(iter(cases.values()))), most, random.Random(f"{factor} {number}"))
    found = judged(cases, base[:PROCESSES], new[:PROCESSES], slow, factor, options)
    confirmed = False
    for count in range(PROCESSES + ROUND, len(base) + 1, ROUND):
        regressed = Verdict.regressed in found.values()
        if Verdict.inconclusive not in found.values() and (not regressed or confirmed):
            break
        confirmed = regressed
        found = judged(cases, base[:count], new[:count], slow, factor, options)
    return {name for name, verdict in found.items() if verdict is Verdict.regressed}


def caught(cases: Medians, factor: float, most: int, options: Options) -> int:
    """How often the variant that is slower is found; each variant in turn."""
    variants = sorted(set(map(variant_of, cases)))
    chosen = [variants[number % len(variants)] for number in range(COMPARISONS)]
    return sum(slow in set(map(variant_of, gated(cases, number, slow, factor, most, options)))
               for number, slow in enumerate(chosen))  # fmt: skip


CPU, GPU = Options(), Options(min_effect=0.004)


@pytest.mark.parametrize(("machine", "most", "options"), [
    ("made up", PROCESSES, CPU), ("idle", MOST, CPU), ("busy", MOST, CPU), ("gpu", MOST, GPU),
])  # fmt: skip
def test_a_program_against_itself_rarely_raises_a_false_alarm(machine: str, most: int, options: Options) -> None:
    cases = made_up() if machine == "made up" else recorded(machine)
    alarms = sum(bool(gated(cases, number, "", 1, most, options)) for number in range(COMPARISONS))
    assert alarms <= FEW_ALARMS


@pytest.mark.parametrize(("machine", "factor", "most", "options"), [
    ("made up", 1.05, PROCESSES, CPU), ("idle", 1.05, MOST, CPU), ("busy", 1.05, MOST, CPU), ("gpu", 1.03, MOST, GPU),
])  # fmt: skip
def test_slowdowns_are_caught(machine: str, factor: float, most: int, options: Options) -> None:
    assert caught(made_up() if machine == "made up" else recorded(machine), factor, most, options) >= NEARLY_ALL


def test_slowdowns_of_one_percent_are_caught_on_a_gpu() -> None:
    """But for `tensor`, whose processes differ by 0.9 %, three times as much as those of the others."""
    cases = {name: medians for name, medians in recorded("gpu").items() if variant_of(name) != "tensor"}
    assert caught(cases, 1.01, MOST, GPU) >= NEARLY_ALL
