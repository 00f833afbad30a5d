"""NVBench's JSON (--json FILE), with the sample times in a second file (--jsonbin FILE)."""

from __future__ import annotations

from pathlib import Path

from gpuseq.foreign.place import Place
from gpuseq.foreign.result import Result, ResultFile, of_aggregates
from gpuseq.runs import Json

TOOL = "nvbench"
# The first that a state has: time on the GPU of single launches, of a batch, time on the CPU.
_MEASURES = ("nv/cold/time/gpu", "nv/batch/time/gpu", "nv/cpu_only/time/cpu", "nv/cold/time/cpu")
_SAMPLES = {
    "nv/cold/time/gpu": "nv/json/bin:nv/cold/sample_times",
    "nv/cpu_only/time/cpu": "nv/json/bin:nv/cpu_only/sample_times",
}
HARDWARE = {"name": "name", "number_of_sms": "multiprocessors", "global_memory_size": "memory_bytes",
             "l2_cache_size": "l2_bytes", "ecc_state": "ecc"}  # fmt: skip


def is_one(root: Place) -> bool:
    return root.has("devices") and root.has("benchmarks")


def read(root: Place) -> ResultFile:
    devices: dict[int, dict[str, Json]] = {}
    for device in root.get("devices").items():
        devices[device.get("id").count()] = {ours: device.get(theirs).value for theirs, ours in HARDWARE.items()
                                             if device.has(theirs)}  # fmt: skip
    results = [_result(benchmark.get("name").text(), state, devices)
               for benchmark in root.get("benchmarks").items() if benchmark.has("states")
               for state in benchmark.get("states").items()]  # fmt: skip
    return ResultFile(results)


def _result(name: str, state: Place, devices: dict[int, dict[str, Json]]) -> Result:
    number = state.get("device").count() if state.has("device") else None
    point: dict[str, int | str] = {}
    for axis in state.get("axis_values").items() if state.has("axis_values") else []:
        point[axis.get("name").text()] = _axis_value(axis.get("value"))
    result = Result(TOOL, name, [], point=point, device="cpu" if number is None else f"cuda:{number}",
                    hardware={} if number is None else devices.get(number, {}))  # fmt: skip
    if state.get("is_skipped").value is True:
        result.status, result.reason = "skipped", state.text_at("skip_reason") or "no reason given"
        return result
    summaries = {summary.get("tag").text(): summary
                 for summary in (state.get("summaries").items() if state.has("summaries") else [])}  # fmt: skip
    measure = next((measure for measure in _MEASURES if f"{measure}/mean" in summaries), None)
    if measure is None:
        result.status, result.reason = "failed", f"none of {', '.join(_MEASURES)}/mean"
        return result
    result.samples, lacking = _samples(summaries.get(_SAMPLES.get(measure, "")))
    if not result.samples:
        mean = _value(summaries[f"{measure}/mean"])
        result.samples = [mean]
        result.moments, result.reason = of_aggregates(mean, _deviation(summaries, measure, mean),
                                                      _count(summaries, measure), lacking)  # fmt: skip
    return result


def _axis_value(value: Place) -> int | str:
    return value.value if isinstance(value.value, int) and not isinstance(value.value, bool) else value.text()


def _data(summary: Place) -> dict[str, Place]:
    return {item.get("name").text(): item.get("value") for item in summary.get("data").items()}


def _number(value: Place) -> float:
    """NVBench writes numbers as texts, as JSON's numbers are no 64-bit integers."""
    if not isinstance(value.value, str):
        return value.number()
    try:
        return float(value.value)
    except ValueError:
        raise value.wrong("a number") from None


def _value(summary: Place) -> float:
    data = _data(summary)
    if "value" not in data:
        raise summary.get("data").wrong("an array with an item named value")
    return _number(data["value"])


def _deviation(summaries: dict[str, Place], measure: str, mean: float) -> float | None:
    """None where it is null, which NVBench writes for too few samples."""
    for ending, scale in (("absolute", 1.0), ("relative", mean)):
        summary = summaries.get(f"{measure}/stdev/{ending}")
        value = summary and _data(summary).get("value")
        if summary and value and value.value is not None:
            return _value(summary) * scale
    return None


def _count(summaries: dict[str, Place], measure: str) -> int | None:
    summary = summaries.get(f"{measure.split('/time/')[0]}/sample_size")
    count = _value(summary) if summary else 0
    return int(count) if 0 < count < 1e15 else None


def _samples(summary: Place | None) -> tuple[list[float], str]:
    """The sample times that lie in a file of 32-bit floats, or a remark on their lack."""
    if summary is None:
        return [], "nvbench's --jsonbin FILE keeps the samples"
    data = _data(summary)
    if "filename" not in data or "size" not in data:
        return [], "nvbench could not write them"
    import numpy as np

    named = Path(data["filename"].text())
    # Relative to the JSON file; older versions: to the folder that the program ran in.
    for file in (summary.file.parent / named.parent.name / named.name, Path(named.parent.name) / named.name):
        if file.is_file():
            values = np.fromfile(file, dtype="<f4").astype(float).tolist()
            if len(values) != _number(data["size"]):
                raise data["size"].wrong(f"{len(values)}, the values in {file}")
            return values, ""
    return [], f"{named} is missing"
