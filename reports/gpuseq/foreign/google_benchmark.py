"""Google Benchmark's JSON (--benchmark_out=FILE --benchmark_out_format=json, versions 1.5 to 1.9)."""

from __future__ import annotations

from gpuseq.foreign.place import Place
from gpuseq.foreign.result import Result, ResultFile, of_aggregates, utc
from gpuseq.runs import Json
from gpuseq.verdicts.inference import FEWEST_VALUES

TOOL = "google_benchmark"
_UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
_REPEAT = "--benchmark_repetitions=10 gives more"
_NOT_ONLY = "--benchmark_report_aggregates_only=false keeps the repetitions"


def is_one(root: Place) -> bool:
    return root.has("context") and root.has("benchmarks")


def read(root: Place) -> ResultFile:
    """Times are real times: manual ones where the benchmark sets them."""
    context = root.get("context")
    hardware: dict[str, Json] = {}
    if context.has("num_cpus"):
        hardware["threads"] = context.get("num_cpus").count()
    repetitions: dict[str, list[Result]] = {}
    aggregates: dict[str, list[Place]] = {}
    for row in root.get("benchmarks").items():
        name = row.text_at("run_name") or row.get("name").text()
        if row.text_at("run_type") == "aggregate":
            aggregates.setdefault(name, []).append(row)
        else:
            repetitions.setdefault(name, []).append(_repetition(row, name, hardware))
    for results in repetitions.values():
        for result in results:
            if result.status == "ok" and len(results) < FEWEST_VALUES:
                result.reason = _REPEAT
    only = [_of_aggregates(rows, name, hardware) for name, rows in aggregates.items() if name not in repetitions]
    provenance: dict[str, Json] = {
        "program": {key: context.text_at(key) for key in ("executable", "library_version", "library_build_type")
                    if context.has(key)},
        "host": {"name": context.text_at("host_name")} if context.has("host_name") else {},
    }  # fmt: skip
    results = [result for same in repetitions.values() for result in same]
    return ResultFile([*results, *filter(None, only)], provenance, utc(context.text_at("date")))


def _repetition(row: Place, name: str, hardware: dict[str, Json]) -> Result:
    for flag, words, status in (("error_occurred", "error_message", "failed"), ("skipped", "skip_message", "skipped")):
        if row.get(flag).value is True:
            reason = row.text_at(words) or "no reason given"
            return Result(TOOL, name, [], reason, status=status, device="cpu", hardware=hardware)
    return Result(TOOL, name, [_seconds(row)], device="cpu", hardware=hardware)


def _seconds(row: Place) -> float:
    unit = row.get("time_unit")
    if unit.text() not in _UNITS:
        raise unit.wrong(", ".join(_UNITS))
    return row.get("real_time").number() * _UNITS[unit.text()]


def _of_aggregates(rows: list[Place], name: str, hardware: dict[str, Json]) -> Result | None:
    """None for those without a mean, such as the fit of a complexity."""
    by_name = {row.text_at("aggregate_name"): row for row in rows}
    if "mean" not in by_name:
        return None
    mean, deviation = by_name["mean"], by_name.get("stddev")
    count = mean.get("repetitions").count() if mean.has("repetitions") else None
    moments, reason = of_aggregates(_seconds(mean), _seconds(deviation) if deviation else None, count, _NOT_ONLY)
    return Result(TOOL, name, [_seconds(mean)], reason, moments, device="cpu", hardware=hardware)
