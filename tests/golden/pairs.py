"""Pairs of generated runs, and the verdicts of `compare` and `gate` about them.

The pairs are the same on every machine: they come from a seed, and their records hold no date and no host.
"""

from __future__ import annotations

import json
import random
import shlex
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from printed import Program, Row

COUNT = 500
GATED = 20  # the first pairs of those whose sides are processes; `gate` runs 20 processes for each
PROCESSES = 10
SLOWDOWNS = (0.0, 0.01, 0.02, 0.05, 0.20)
SEED = 46
RUN = "xeon-peers"  # whose first record of a kernel the pairs have, but for its samples
# Stands for a measuring process of `gate`: copies the records of its side and number to the output folder.
COPY = """#!/bin/sh
side=$1
while [ "$1" != --output ]; do shift; done
mkdir -p "$2" && cp "$side/$(basename "$2")/records.jsonl" "$2/"
"""


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
    """Half are one process with 5 to 60 samples a side; half are ten processes a side, as `gate` runs them."""
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


def write_side(folder: Path, processes: list[list[float]], template: tuple[str, dict[str, Any]]) -> None:
    """A run folder, or a folder of numbered ones where there are several processes."""
    for number, samples in enumerate(processes, 1):
        place = folder / f"{number:03}" if len(processes) > 1 else folder
        place.mkdir(parents=True)
        provenance, record = template
        (place / "records.jsonl").write_text(provenance + json.dumps(record | {"samples_s": samples}) + "\n")


def template_of(root: Path) -> tuple[str, dict[str, Any]]:
    """The first kernel record of a committed run on a CPU, and the line of its provenance."""
    with (root / "results" / RUN / "records.jsonl").open() as file:
        lines = list(file)
    records = (json.loads(line) for line in lines if '"state"' in line)
    record = next(record for record in records if record["kind"] == "kernel" and record["status"] == "ok")
    return next(line for line in lines if line.startswith(f'{{"provenance_id":"{record["provenance"]}"')), record


def row_of(name: str, pair: Pair, judged: dict[str, Any]) -> Row:
    state = judged["states"][0]
    return Row(pair.name, name, pair.kind, f"{pair.slowdown:g} slower", f"{len(pair.base[0])} samples",
               state["ratio"], state["low"], state["high"], state["verdict"])


def verdict(program: Program, pair: Pair, number: int, template: tuple[str, dict[str, Any]]) -> list[Row]:
    """The verdict of `compare`, and of `gate` where the pair is one of those that it is run for."""
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        write_side(folder / "base", pair.base, template)
        write_side(folder / "new", pair.new, template)
        answer = program.call("compare", str(folder / "base"), str(folder / "new"), "--json", "-", allowed=(0, 1, 3))
        rows = [row_of("compare", pair, json.loads(answer))]
        if 0 <= number - COUNT // 2 < GATED:
            script = folder / "copy.sh"
            script.write_text(COPY)
            commands = [shlex.join(["sh", str(script), str(folder / name)]) for name in ("base", "new")]
            program.call("gate", "--base-cmd", commands[0], "--new-cmd", commands[1], "--rounds", str(PROCESSES // 2),
                         "--budget", "0.001", "--output", str(folder / "gate"), "--json", str(folder / "gate.json"),
                         allowed=(0, 1, 3))
            rows.append(row_of("gate", pair, json.loads((folder / "gate.json").read_text())))
        return rows


def verdicts(program: Program, every: int) -> list[Row]:
    """One row per verdict about every n-th pair: `y` is the ratio of the medians, `low` and `high` its interval."""
    template = template_of(program.root)
    chosen = list(enumerate(generated_pairs()))[::every]
    with ThreadPoolExecutor(2) as workers:
        answers = workers.map(lambda job: verdict(program, job[1], job[0], template), chosen)
        return [row for rows in answers for row in rows]
