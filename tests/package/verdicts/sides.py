"""Sides of comparisons made up for tests."""

from __future__ import annotations

import copy
import json
import math
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gpuseq.runs import PHASES
from gpuseq.verdicts.compare import CaseComparison, Comparison
from gpuseq.verdicts.sides import Measured, Side

PROVENANCE: dict[str, Any] = {
    "program": {"version": "0.1.0", "commit": "aaaa", "compiler": "GNU 12.2.0", "flags": "-O3 -DNDEBUG"},
    "config": "ci",
    "config_hash": "c0ffee",
    "seed": 1,
    "host": {"name": "a", "kernel": "Linux 6.1", "operating_system": "Debian 12"},
    "device": {"name": "AMD EPYC", "cores": 2, "memory_bytes": 25276502016, "clock_mhz": 2900},
}


def record(variant: str, samples: Iterable[float], **fields: Any) -> Measured:
    made = Measured(
        "", "fm_index", variant, {"reference_bases": 1000000}, {"k": 2, "d": 64}, "cpu", PHASES.index("sweep"), "ok", "",
        list(samples), None, (1e6, "query bases"), "0123456789abcdef", "", copy.deepcopy(PROVENANCE),
        "2026-11-20T10:00:00Z")  # fmt: skip
    for name, value in fields.items():
        setattr(made, name, value)
    return named(made)


def named(made: Measured) -> Measured:
    """With the name and the label that follow from its axes."""
    problem, point = (
        ",".join(f"{axis}={value}" for axis, value in axes.items()) for axes in (made.problem, made.point)
    )
    made.state = f"{made.family}/{made.variant}/{problem}/{point}/{made.device}"
    made.label = made.label or problem
    return made


def without_number(variant: str, status: str, reason: str) -> Measured:
    return record(variant, [], status=status, reason=reason)


def timings(count: int, level: float, noise: float, draw: random.Random) -> list[float]:
    """`count` values around `level`, never below it, with a tail."""
    return [level * (1 - noise * math.log(1 - draw.random())) for _ in range(count)]


def processes(variants: dict[str, float], seed: int, count: int = 8, noise: float = 0.003) -> Side:
    """Variants in each of `count` processes, their time multiplied by a factor."""
    draw = random.Random(seed)
    side = Side(f"runs/{seed}")
    for _ in range(count):
        side.processes.append([record(variant, timings(5, 0.01 * factor, noise, draw))
                               for variant, factor in variants.items()])  # fmt: skip
    return side


def disturbed_processes(factor: float, seed: int, quiet: int, disturbed: int) -> Side:
    """Processes of which some met a neighbour: their times and their reference loop are longer by that."""
    side = processes({"scalar": factor}, seed, quiet + disturbed)
    for number, process in enumerate(side.processes):
        for made in process:
            made.loop = (1, 80e-6 * 1.01 if number < disturbed else 40e-6 * 1.01)
            if number < disturbed:
                made.samples = [1.65 * sample for sample in made.samples]
    return side


def one_process(*records: Measured, name: str = "side") -> Side:
    return Side(name, [list(records)])


def case(comparison: Comparison, variant: str) -> CaseComparison:
    return next(case for case in comparison.cases if case.record.variant == variant)


def line(made: Measured) -> dict[str, Any]:
    """As records.jsonl has it."""
    failure = dict(zip(("kind", "reason"), made.reason.split(": "), strict=True)) if made.reason else None
    return {
        "schema_version": 3, "state": made.state, "family": made.family, "variant": made.variant,
        "problem": made.problem, "point": made.point, "device": made.device, "kind": "kernel",
        "phase": PHASES[made.phase], "repetition": 0, "status": made.status, "failure": failure,
        "samples_s": made.samples, "work": {"amount": made.work[0], "unit": made.work[1]}, "statistics": None,
        "bound": None, "traffic": None, "resources": None, "memory": None, "counters": None, "energy": None, "facts": {},
        "notes": [], "synthetic": False, "problem_hash": made.problem_hash, "date": made.date, "provenance": "p",
    }  # fmt: skip


def write_process(folder: Path, records: list[Measured]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    head = {"provenance_id": "p", "provenance": records[0].provenance if records else PROVENANCE}
    lines = [json.dumps(each) + "\n" for each in (head, *map(line, records))]
    (folder / "records.jsonl").write_text("".join(lines))


def write_side(folder: Path, side: Side) -> str:
    """A run folder; a folder of run folders where there are several processes."""
    for number, process in enumerate(side.processes):
        write_process(folder if len(side.processes) == 1 else folder / str(number), process)
    return str(folder)
