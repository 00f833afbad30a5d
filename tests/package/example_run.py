"""Run folders for tests of the package and of the page.

example/ is a run as the program would record it on a machine with one large GPU: shapes and levels are those of measured
curves, the values are computed and not measured.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

EXAMPLE = Path(__file__).resolve().parent / "example"
DEVICES = 4
HOSTILE = "</script><script>document.title='hacked'</script><img src=x onerror=\"document.title='hacked'\">"

Json = dict[str, Any]


def _lines() -> Iterator[Json]:
    with gzip.open(EXAMPLE / "records.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _summary() -> Json:
    return json.loads((EXAMPLE / "run.json").read_text(encoding="utf-8"))


def _write(folder: Path, lines: list[Json], summary: Json) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (folder / "records.jsonl").write_text(text, encoding="utf-8")
    (folder / "run.json").write_text(json.dumps(summary, ensure_ascii=False), encoding="utf-8")
    return folder


def write_example(folder: Path) -> Path:
    return _write(folder, list(_lines()), _summary())


def write_hostile(folder: Path) -> Path:
    """The example with markup in every text that a report shows."""
    lines = list(_lines())
    for line in lines:
        if "provenance_id" in line:
            line["provenance"][HOSTILE] = {HOSTILE: HOSTILE}
            continue
        line["variant"] = HOSTILE
        line["notes"] = [HOSTILE]
        line["facts"] |= {HOSTILE: HOSTILE, "__proto__": HOSTILE}
        line["side_samples_s"] |= {HOSTILE: [1, 2]}
        if line["statistics"]:
            line["statistics"]["rate_unit"] = HOSTILE + "/s"
        if line["failure"]:
            line["failure"]["reason"] = HOSTILE
    summary = _summary() | {"name": HOSTILE}
    summary["devices"]["cuda:0"]["name"] = HOSTILE
    return _write(folder, lines, summary)


def write_generated(folder: Path, count: int) -> Path:
    """`count` records: those of the example again and again, on four devices, then as repetitions, with 30 samples."""
    noise = random.Random(1)
    base = [line for line in _lines() if "provenance_id" not in line]
    provenances: dict[str, Json] = {}
    lines: list[Json] = []
    for number in range(count):
        record = dict(base[number % len(base)])
        copy = number // len(base)
        if record["device"] != "cpu":
            device = f"cuda:{copy % DEVICES}"
            record["state"] = record["state"].removesuffix(record["device"]) + device
            record["device"] = device
        record["repetition"] = copy // DEVICES
        if record["statistics"]:
            record["samples_s"] = [record["statistics"]["median_s"] * noise.lognormvariate(0, 0.01) for _ in range(30)]
        record["date"] = f"2026-11-20T10:{number // 60 % 60:02}:{number % 60:02}Z"
        key = f"{record['device']} {number % 80}"
        record["provenance"] = key
        if key not in provenances:
            device_identity = {
                "name": record["device"],
                "memory_bytes": 150109880320,
                "sm_clock_mhz": 1900 + number % 80,
            }
            provenances[key] = {"config": "generated", "device": device_identity, "host": {"name": "node", "cpu": "AMD EPYC"},
                                "program": {"version": "0.1.0", "compiler": "GNU 12.2.0"}, "seed": 1}  # fmt: skip
        lines.append(record)
    heads: list[Json] = [{"provenance_id": key, "provenance": value} for key, value in provenances.items()]
    summary = _summary()
    for number in range(1, DEVICES):
        summary["devices"][f"cuda:{number}"] = summary["devices"]["cuda:0"] | {"name": f"NVIDIA H20{number}"}
    return _write(folder, heads + lines, summary)
