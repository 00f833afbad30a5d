"""One number of a record: its rate, its time, a counter, a resource, a fact."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any

from gpuseq.reproduce.claims.committed import Case, NoRecord, Select, fastest, machine_of, rate_of, table

RATE, SECONDS, SINGLE_LAUNCH = "rate", "seconds", "single launch"
WITH_TRANSFERS, OWN_RATE = "seconds with transfers", "rate of the program's own timer"
WITH_QUERIES = "seconds with transfers of queries and results"
INSTRUCTIONS = "warp instructions per unit of work"
COUNTER, RESOURCE, FACT, LEVEL, BOUND = "counter:", "resource:", "fact:", "level:", "share of the bound"
SHARE = "share:"  # a counter in percent, as a fraction
ENERGY = "work per joule"

_INSTRUCTIONS_COUNTED = "sm__inst_executed.sum"
_TRANSFERS = {WITH_TRANSFERS: ("upload_tree", "upload", "download"), WITH_QUERIES: ("upload", "download")}


@dataclass(frozen=True)
class Term:
    """A quantity of the fastest record that a selection has."""

    select: Select
    quantity: str = RATE
    scheme: str = ""  # the published implementation that the record must be; empty: ours

    def case(self) -> Case:
        return fastest(self.select)

    def value(self) -> float:
        """Raises NoRecord if no record has it."""
        return value_of(self.case(), self.quantity)

    def evidence(self) -> str:
        """The counter, resource or fact by name."""
        if self.quantity == INSTRUCTIONS:
            return _INSTRUCTIONS_COUNTED
        return self.quantity.partition(":")[2] or self.quantity


def value_of(case: Case, quantity: str) -> float:
    kind, _, name = quantity.partition(":")
    data = case.data
    value: float | None
    if quantity == RATE:
        value = rate_of(case) or None
    elif quantity == SECONDS:
        value = data["statistics"]["median_s"]
    elif quantity == SINGLE_LAUNCH:
        value = table(data["single_launch"]).get("median_s")
    elif quantity in _TRANSFERS:
        value = data["statistics"]["median_s"] + sum(_side_s(case, part) for part in _TRANSFERS[quantity])
    elif quantity == OWN_RATE:
        value = data["work"]["amount"] / _side_s(case, "own")
    elif quantity == INSTRUCTIONS:
        value = _counter(case, _INSTRUCTIONS_COUNTED) / data["work"]["amount"]
    elif quantity == BOUND:
        value = table(data["bound"]).get("fraction")
    elif quantity == ENERGY:
        value = table(data["energy"]).get("work_per_joule")
    elif kind == "counter":
        value = _counter(case, name)
    elif kind == "share":
        value = _counter(case, name) / 100
    elif kind == "resource":
        value = data["resources"][name]
    elif kind == "fact":
        value = _fact(case, name)
    elif kind == "level":
        levels = machine_of(case.run)["devices"][data["device"]]["levels"]
        certain = [level for level in levels if level["name"] == name and not level["uncertain"]]
        value = max(certain, key=_rise)["measured_bytes"] if certain else None
    else:
        raise ValueError(f"{quantity}: not a quantity of a record")
    if value is None:
        raise NoRecord(f"{case.run}: {data['state']} has no {quantity}")
    return value


def _rise(level: dict[str, Any]) -> float:
    """The factor by which the time of an access rises at a level, the largest of its curves: a TLB may have two levels."""
    return max((curve["after_ns"] / curve["before_ns"] for curve in level["evidence"]), default=1)


def _fact(case: Case, name: str) -> float | None:
    """A dot leads into a fact that is a table: answers.MSV."""
    value: Any = case.data["facts"]
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None  # pyright: ignore
    return value if isinstance(value, int | float) else None


def _counter(case: Case, name: str) -> float:
    value = table(case.data["counters"]).get(name)
    if value is None:
        raise NoRecord(f"{case.run}: {case.data['state']} has no counter {name}")
    return value


def _side_s(case: Case, part: str) -> float:
    samples = case.data["side_samples_s"].get(part)
    return statistics.median(samples) if samples else 0.0


def timing_of(case: Case, quantity: str) -> str:
    """The phases in the seconds of a quantity; sides of a ratio must agree in them."""
    if quantity == SINGLE_LAUNCH:
        return "single launch"
    if quantity in _TRANSFERS:
        return "sum of phases" if case.on_gpu else "kernel"
    if quantity == OWN_RATE:
        return "kernel"
    if case.data["facts"].get("whole_process"):
        return "whole process"
    return "batch of launches" if case.on_gpu and case.data["launches_per_sample"] > 1 else "kernel"
