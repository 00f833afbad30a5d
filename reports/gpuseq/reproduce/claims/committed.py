"""Committed records of results/, by the properties that a row asks for."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gpuseq.reference.folders import folder_of

ROOT = Path(__file__).resolve().parents[4]
Axes = Mapping[str, Any]


def table(value: Any) -> dict[str, Any]:
    """A JSON object, of which null is an empty one."""
    return value or {}


class NoRecord(LookupError):
    """The committed records lack the data of a row."""


@dataclass(frozen=True)
class Case:
    """A record with the folder and the process that it comes from."""

    run: str
    data: dict[str, Any]
    provenance: dict[str, Any]

    @property
    def problem(self) -> dict[str, Any]:
        return self.data["problem"]

    @property
    def point(self) -> dict[str, Any]:
        return self.data["point"]

    @property
    def variant(self) -> str:
        return self.data["variant"]

    @property
    def on_gpu(self) -> bool:
        return self.data["device"].startswith("cuda")


@dataclass(frozen=True)
class Select:
    """The records of some variants on a kind of device, with values of axes. A list of values allows each of them."""

    run: str  # of results/; where it is gone, the folder that replaces it
    variants: tuple[str, ...]
    device: str  # cpu or cuda
    problem: Axes = field(default_factory=dict[str, Any])
    point: Axes = field(default_factory=dict[str, Any])
    phases: tuple[str, ...] = ("sweep",)
    statuses: tuple[str, ...] = ("ok",)  # empty: all, with failures

    def __post_init__(self) -> None:
        object.__setattr__(self, "run", folder_of(self.run))

    def at(self, **point: Any) -> Select:
        return replace(self, point={**self.point, **point})

    def of(self, **problem: Any) -> Select:
        return replace(self, problem={**self.problem, **problem})

    def matches(self, case: Case) -> bool:
        return (
            case.variant in self.variants
            and case.data["device"].startswith(self.device)
            and case.data["phase"] in self.phases
            and (not self.statuses or case.data["status"] in self.statuses)
            and _has(case.problem, self.problem)
            and _has(case.point, self.point)
        )


def _has(axes: Axes, wanted: Axes) -> bool:
    for name, value in wanted.items():
        allowed: tuple[Any, ...] = value if isinstance(value, tuple) else (value,)  # pyright: ignore
        if axes.get(name) not in allowed:
            return False
    return True


@functools.cache
def cases_of(run: str) -> tuple[Case, ...]:
    """The kernels, programs and probes of a folder, whatever their status."""
    provenances: dict[str, dict[str, Any]] = {}
    cases: list[Case] = []
    file = ROOT / "results" / run / "records.jsonl"
    if not file.exists():
        raise NoRecord(f"results/{run} has no records")
    for line in file.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if "provenance_id" in record:
            provenances[record["provenance_id"]] = record["provenance"]
        elif "state" in record:
            cases.append(Case(run, record, provenances.get(record["provenance"], {})))
    return tuple(cases)


def found(select: Select) -> list[Case]:
    """The matching cases. Raises NoRecord if there is none."""
    cases = [case for case in cases_of(select.run) if select.matches(case)]
    if cases:
        return cases
    raise NoRecord(f"{select.run} has no record of {', '.join(select.variants)} on {select.device} with "
                   f"{dict(select.problem)}, {dict(select.point)}")  # fmt: skip


def fastest(select: Select) -> Case:
    """The matching case with the most work per second. Cases that differ in their data set only count as one, by the
    middle data set: the fastest of them would be chance."""
    alike: dict[str, list[Case]] = {}
    for case in found(select):
        problem = {axis: value for axis, value in case.problem.items() if axis != "data_set"}
        key = [case.variant, case.data["device"], case.data["repetition"], problem, case.point]
        alike.setdefault(json.dumps(key, sort_keys=True), []).append(case)
    middles = (sorted(cases, key=rate_of)[len(cases) // 2] for cases in alike.values())
    return max(middles, key=rate_of)


def rate_of(case: Case) -> float:
    """Work per second of the median sample; 0 for a case without samples."""
    return table(case.data.get("statistics")).get("rate") or 0.0


def machine_of(run: str) -> dict[str, Any]:
    return json.loads((ROOT / "results" / folder_of(run) / "machine.json").read_text(encoding="utf-8"))
