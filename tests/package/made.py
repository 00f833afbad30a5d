"""Reports of made records, for tests."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gpuseq.charts.values import Chart
from gpuseq.drawing import Figure
from gpuseq.figures import drawn
from gpuseq.published import Fact, Published
from gpuseq.runs import Report, load_runs

Json = Any
Case = dict[str, Json]
DEVICES = {"p": {"name": "Test GPU", "uuid": "GPU-1"}, "other": {"name": "Other GPU", "uuid": "GPU-2"},
           "second": {"name": "Test GPU", "uuid": "GPU-3"}, "cpu": {"name": "Test CPU"}}  # by provenance  # fmt: skip
ON_OTHER_GPU: Case = {"device": "cuda:1", "provenance": "other"}
ON_SECOND_GPU: Case = {"device": "cuda:1", "provenance": "second"}  # of the model of the first
ON_CPU: Case = {"device": "cpu", "provenance": "cpu"}


def case(family: str, variant: str, rate: float, point: Case | None = None, problem: Case | None = None,
         **fields: Json) -> Case:  # fmt: skip
    """A line of records.jsonl: an ok record of a kernel with six samples and an interval of 1 %."""
    statistics = {"samples": 6, "rate": rate, "rate_low": rate * 0.99, "rate_high": rate * 1.01, "confidence": 0.95,
                  "median_s": 1 / rate, "rate_unit": "query bases/s"}  # fmt: skip
    made: Case = {
        "schema_version": 3, "state": "", "family": family, "variant": variant, "problem": problem or {},
        "point": point or {}, "device": "cuda:0", "kind": "kernel", "phase": "sweep", "repetition": 0, "status": "ok",
        "samples_s": [1 / rate] * 6, "statistics": statistics, "bound": None, "traffic": None, "resources": None,
        "memory": None, "counters": None, "energy": None, "work": {"amount": 1e9, "unit": "query bases"}, "facts": {},
        "notes": [], "synthetic": False, "problem_hash": "", "provenance": "p",
    }  # fmt: skip
    return made | fields


def report_of(*cases: Case, summary: Case | None = None) -> Report:
    with tempfile.TemporaryDirectory() as folder:
        write_run(Path(folder), *cases, summary=summary)
        return load_runs([Path(folder)])


def write_run(folder: Path, *cases: Case, summary: Case | None = None) -> Path:
    lines = [{"provenance_id": name, "provenance": {"device": device}} for name, device in DEVICES.items()]
    folder.mkdir(exist_ok=True)
    (folder / "records.jsonl").write_text("".join(json.dumps(line) + "\n" for line in [*lines, *cases]))
    (folder / "run.json").write_text(json.dumps({"name": "made"} | (summary or {})))
    return folder


def chart_of(figure: Figure, *cases: Case, facts: list[Fact] | None = None, summary: Case | None = None) -> Chart:
    return drawn(figure, report_of(*cases, summary=summary), Published("", facts or []))


def fact(figure: Figure, value: float, kind: str = "value", **at: Json) -> Fact:
    return Fact(value, "Author et al.", "id", figure.name, kind, "x", "Old GPU", "published kernel", "", "table 1", "",
                at=at)  # fmt: skip


def named(figures: list[Figure]) -> Callable[[str], Figure]:
    by_name = {figure.name: figure for figure in figures}
    return lambda name: by_name[name]
