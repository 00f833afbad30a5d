"""Pairs of generated runs, about which verdicts.tsv has the verdicts of `compare` and `gate`.

The pairs are the same on every machine: they come from a seed, and their records hold no date and no host.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, NamedTuple

COUNT = 500
PROCESSES = 10
SLOWDOWNS = (0.0, 0.01, 0.02, 0.05, 0.20)
SEED = 46
RUN = "x86-cpu"  # whose first record of a kernel the pairs have, but for its samples


class Pair(NamedTuple):
    """Two runs: `samples` of each side, one list for each of its processes."""

    name: str
    kind: str
    slowdown: float
    base: list[list[float]]
    new: list[list[float]]


def side(draw: random.Random, kind: str, scale: float, noise: float, counts: list[int]) -> list[list[float]]:
    """Samples of about 1 ms. In a bimodal side about every fifth is 8 % longer, as after a change of clock."""
    processes: list[list[float]] = []
    for count in counts:
        level = draw.gauss(1.0, noise / 3)
        slow = 1.08 if kind == "bimodal" else 1.0
        processes.append([round(1e-3 * scale * level * (slow if draw.random() < 0.2 else 1.0)
                                * max(0.5, draw.gauss(1.0, noise)), 9) for _ in range(count)])
    return processes


def generated_pairs() -> list[Pair]:
    """Half are one process with 5 to 60 samples per side; half are ten processes per side, as `gate` runs them."""
    draw = random.Random(SEED)
    pairs: list[Pair] = []
    for i in range(COUNT):
        kind = "bimodal" if i % 6 == 5 else "normal"
        slowdown = SLOWDOWNS[i % 5]
        noise = draw.choice((0.002, 0.01, 0.03))
        samples = draw.randint(5, 60)
        counts = [samples] if i < COUNT // 2 else [samples] * PROCESSES
        base = side(draw, kind, 1.0, noise, counts)
        new = side(draw, kind, 1.0 + slowdown, noise, counts)
        pairs.append(Pair(f"{i:03}", f"{kind}, {len(counts)} processes", slowdown, base, new))
    return pairs


def template_of(root: Path) -> tuple[str, dict[str, Any]]:
    """The first kernel record of a committed run on a CPU, and the line of its provenance."""
    with (root / "results" / RUN / "records.jsonl").open() as file:
        lines = list(file)
    records = (json.loads(line) for line in lines if '"state"' in line)
    record = next(record for record in records if record["kind"] == "kernel" and record["status"] == "ok")
    return next(line for line in lines if line.startswith(f'{{"provenance_id":"{record["provenance"]}"')), record
