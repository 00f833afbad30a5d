"""Contents of a result file of another tool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from gpuseq.runs import Json

NO_SAMPLES = "no samples"


class Moments(NamedTuple):
    """Aggregates of a file without samples."""

    mean: float
    deviation: float  # standard deviation
    values: int  # that it is of


@dataclass
class Result:
    """One benchmark, or one repetition of it."""

    tool: str  # "nvbench"
    name: str
    samples: Sequence[float]  # in s; the mean where there are moments
    reason: str = ""  # why there is no number, or what the file lacks
    moments: Moments | None = None
    status: str = "ok"  # failed, skipped
    point: dict[str, int | str] = field(default_factory=dict[str, int | str])
    device: str = ""  # "cpu", "cuda:0"; empty where the tool does not measure one
    hardware: dict[str, Json] = field(default_factory=dict[str, Json])  # of the device, by the names of our records


@dataclass
class ResultFile:
    results: list[Result]
    provenance: dict[str, Json] = field(default_factory=dict[str, Json])
    date: str = ""  # UTC, "2026-11-20T21:41:58Z"


def of_aggregates(mean: float, deviation: float | None, count: int | None, hint: str) -> tuple[Moments | None, str]:
    """The moments that a file's aggregates give, and the remark on missing ones; `hint` says how to get samples."""
    if deviation is None or count is None or count < 2 or not 0 <= deviation < float("inf"):
        return None, f"{NO_SAMPLES}, and no standard deviation with a count; {hint}"
    return Moments(mean, deviation, count), f"{NO_SAMPLES}: mean, standard deviation and count are compared; {hint}"


def utc(text: str) -> str:
    """A date of ISO 8601 as records have it; empty for anything else."""
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if moment.tzinfo else ""
    except (ValueError, OverflowError):
        return ""
