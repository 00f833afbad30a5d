"""pytest-benchmark's JSON (--benchmark-json=FILE, --benchmark-save, --benchmark-autosave)."""

from __future__ import annotations

from gpuseq.foreign.place import Place
from gpuseq.foreign.result import Result, ResultFile, of_aggregates, utc
from gpuseq.runs import Json, dict_at, text_at

TOOL = "pytest_benchmark"


def is_one(root: Place) -> bool:
    return root.has("machine_info") and root.has("benchmarks")


def read(root: Place) -> ResultFile:
    machine = root.get("machine_info").value
    processor = text_at(dict_at(machine, "cpu"), "brand_raw") or text_at(machine, "processor")
    hardware: dict[str, Json] = {"name": processor} if processor else {}
    provenance: dict[str, Json] = {
        "program": {"commit": text_at(root.get("commit_info").value, "id") or None,
                    "python": text_at(machine, "python_version") or None},
        "host": {"name": text_at(machine, "node") or None, "kernel": text_at(machine, "release") or None},
    }  # fmt: skip
    results = [_result(row, hardware) for row in root.get("benchmarks").items()]
    return ResultFile(results, provenance, utc(root.text_at("datetime")))


def _result(row: Place, hardware: dict[str, Json]) -> Result:
    name, stats = row.text_at("fullname") or row.get("name").text(), row.get("stats")
    if stats.has("data"):
        return Result(TOOL, name, stats.get("data").numbers(), device="cpu", hardware=hardware)
    mean, count = stats.get("mean").number(), stats.get("rounds").count() if stats.has("rounds") else None
    hint = "--benchmark-save-data or --benchmark-json keeps them"
    moments, reason = of_aggregates(mean, stats.number_at("stddev"), count, hint)
    return Result(TOOL, name, [mean], reason, moments, device="cpu", hardware=hardware)
