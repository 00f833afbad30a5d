"""Criterion's folder (target/criterion): each benchmark has its last measurement in a sub-folder `new`."""

from __future__ import annotations

from pathlib import Path

from gpuseq.errors import UsageError
from gpuseq.foreign.place import Place
from gpuseq.foreign.result import Result, ResultFile, of_aggregates

TOOL = "criterion"
_NS = 1e-9


def folders_of(root: Path) -> list[Path]:
    """The folders `new` below a folder."""
    found = {file.parent for name in ("sample", "estimates") for file in root.glob(f"**/new/{name}.json")}
    return sorted(found)


def read(root: Path) -> ResultFile:
    return ResultFile([_result(folder, root) for folder in folders_of(root)])


def _result(folder: Path, root: Path) -> Result:
    name, identity = str(folder.parent.relative_to(root)), folder / "benchmark.json"
    if identity.exists():
        name = Place.load(identity).text_at("full_id") or name
    if (folder / "sample.json").exists():
        return Result(TOOL, name, _samples(Place.load(folder / "sample.json")), device="cpu")
    estimates = Place.load(folder / "estimates.json")
    mean = _estimate(estimates, "mean")
    moments, reason = of_aggregates(mean, _estimate(estimates, "std_dev"), None, f"{folder}/sample.json is missing")
    return Result(TOOL, name, [mean], reason, moments, device="cpu")


def _samples(sample: Place) -> list[float]:
    """Times per iteration. Criterion 0.2 wrote two arrays, later versions an object."""
    if isinstance(sample.value, list):
        both = sample.items()
        if len(both) != 2:
            raise sample.wrong("an object, or two arrays: iterations and times")
        iterations, times = both
    else:
        iterations, times = sample.get("iters"), sample.get("times")
    counts, totals = iterations.numbers(), times.numbers()
    if len(counts) != len(totals):
        raise UsageError(f"{times.file}: {times.pointer}: found {len(totals)} values; allowed: {len(counts)}, as many as "
                         f"{iterations.pointer} has")  # fmt: skip
    for place, count in zip(iterations.items(), counts, strict=True):
        if not count >= 1:
            raise place.wrong("1 or more")
    return [total / count * _NS for total, count in zip(totals, counts, strict=True)]


def _estimate(estimates: Place, name: str) -> float:
    old = {"mean": "Mean", "std_dev": "StdDev"}[name]  # of Criterion 0.2
    key = old if estimates.has(old) else name
    return estimates.get(key).get("point_estimate").number() * _NS
